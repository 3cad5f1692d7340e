// Runs commands with limits and isolation. Each Run is watched by a jail: a small helper process,
// kept for the next run, that is the first process of its own pid, mount, network and (when we are
// not root) user namespaces, so that everything a command starts dies with it: daemons and fork
// bombs too, and also when Assay is killed with SIGKILL. Where namespaces are not permitted the
// jail is the sub-reaper of its tree and kills it process by process. In both, commands write only in their own folder
// (Landlock) and may not make the system calls that no compiler needs (seccomp). docs/security.md has the promises.
#pragma once

#include <memory>
#include <string>

#include "exec/containment.hpp"
#include "exec/process.hpp"
#include "support/result.hpp"

namespace assay::exec {

// Thread-safe: any number of threads may call Run at once; each concurrent Run uses its own jail.
// One Executor per campaign; several may exist in one process. Destruction waits for nothing and
// leaves no process.
class Executor {
 public:
  explicit Executor(Confinement confinement = Confinement::Best());
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Runs the command to its end; when Run returns, no process of it is alive. Whatever the command
  // does is an Observation, also what it does to its jail: one that is lost is replaced and the command repeated; when
  // that happens again and again it is the command's doing. An Error means that we could not watch it (no jail could be
  // made, the machine is out of memory, or Stop was called).
  support::Result<Observation> Run(const Command& command, const Limits& limits);

  // Starts jails ahead, as many as there will be runs at once. For callers with threads, before they start them: a
  // process is best forked while it has one thread (the allocator of AddressSanitizer may hang in the child otherwise).
  // Jails that cannot be made are Run's to report.
  void Prepare(size_t jails);

  // Ends all runs in progress (their Run returns an Error) and lets none start. Safe from any
  // thread.
  void Stop();

  // Starts a jail if none exists yet.
  support::Result<Containment> Describe();

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace assay::exec
