// A filter on system calls (seccomp) for what no compiler and no program under test needs: to trace and to read other
// processes, to mount, keys, bpf, new namespaces, modules, the network. A jail lays it on itself, so that its commands
// inherit it at no cost.
#pragma once

#include <sys/types.h>

#include <vector>

namespace assay::exec {

struct SyscallFilter {
  bool network = false;         // any socket
  bool local_sockets = false;   // Unix sockets; pairs of them, but for datagrams, are always allowed
  bool may_mount = false;       // for a jail that has mounts to make; its commands lack the capability
  bool may_trace = false;       // what LeakSanitizer does to itself; Landlock keeps a tracer inside its own tree
  bool own_ipc = false;         // System V objects and message queues vanish with the jail
  bool no_truncate = false;     // of files by name, which Landlock before version 3 does not see
  bool may_signal_all = false;  // for the first process of a process namespace, which kills all others so
  // Processes that no signal is sent to, nor to their groups nor to everyone, and whose limits nobody changes.
  std::vector<pid_t> untouchable;
};

// From now on, for the calling thread and all its children, also in their 32-bit programs. It must have no_new_privs.
// False when the system has no such filters.
bool Install(const SyscallFilter& filter);

}  // namespace assay::exec
