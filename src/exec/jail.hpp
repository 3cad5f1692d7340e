// A jail: the helper process that runs commands for one worker, one at a time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "exec/containment.hpp"
#include "exec/pids_cgroup.hpp"
#include "exec/process.hpp"
#include "support/result.hpp"

namespace assay::exec {

// What the commands of a jail have of the network.
struct JailKind {
  bool network = false;
  bool local_sockets = false;
  bool operator==(const JailKind&) const = default;
};

// How a jail came to its end.
struct JailEnd {
  int signal = 0;        // that killed it; 0: it ended by itself
  bool answered = true;  // false: it did not answer in time, or not end when it should, and was killed by us
};

// The handle that Assay holds. Destruction ends the jail and everything in it, and waits for that, but not for ever.
class Jail {
 public:
  // Starts a jail with as much containment as wanted and permitted by the system.
  static support::Result<Jail> Start(const Confinement& confinement, JailKind kind);
  Jail(Jail&& other) noexcept;
  ~Jail();

  // Nothing when the jail died, does not answer or was interrupted; it is of no use then.
  std::optional<Observation> Run(const Command& command, const Limits& limits);
  // Makes a Run in progress in another thread, and all later ones, return nothing. Only this may
  // run beside Run.
  void Interrupt();
  // Ends it, whatever it does or is done to it, with what it left of the command that was run last.
  JailEnd End();

  const Containment& GetContainment() const { return containment_; }

 private:
  explicit Jail(int socket) : socket_(socket) {}
  int socket_ = -1;
  pid_t pid_ = -1;
  bool answers_ = true;
  std::string folder_;  // of the last command
  Containment containment_;
  PidsCgroup group_;  // removed after the jail has ended
};

}  // namespace assay::exec
