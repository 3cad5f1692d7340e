// A jail: the helper process that runs commands for one worker, one at a time.
#pragma once

#include <sys/types.h>

#include <optional>

#include "exec/executor.hpp"
#include "exec/pids_cgroup.hpp"
#include "exec/process.hpp"
#include "support/result.hpp"

namespace assay::exec {

// The handle that Assay holds. Destruction ends the jail and everything in it, and waits for that.
class Jail {
 public:
  // Starts a jail with as much containment as wanted and permitted by the system. `network`: keep
  // the network.
  static support::Result<Jail> Start(Confinement confinement, bool network);
  Jail(Jail&& other) noexcept;
  ~Jail();

  // Nothing when the jail died or was interrupted; it is of no use then.
  std::optional<Observation> Run(const Command& command, const Limits& limits);
  // Makes a Run in progress in another thread, and all later ones, return nothing. Only this may
  // run beside Run.
  void Interrupt();

  const Containment& GetContainment() const { return containment_; }

 private:
  explicit Jail(int socket) : socket_(socket) {}
  int socket_ = -1;
  pid_t pid_ = -1;
  Containment containment_;
  PidsCgroup group_;  // removed after the jail has ended
};

}  // namespace assay::exec
