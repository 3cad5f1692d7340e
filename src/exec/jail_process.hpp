// A jail from inside: what the helper process does from its first moment to its last.
#pragma once

#include <sys/types.h>

#include "exec/containment.hpp"
#include "exec/jail.hpp"
#include "exec/pids_cgroup.hpp"

namespace assay::exec {

// How a jail is made: as root, in a user namespace of its own, or without namespaces.
enum class JailAttempt { Namespaces, UserNamespace, Plain };

struct JailPlan {
  JailAttempt attempt = JailAttempt::Plain;
  Confinement confinement;
  JailKind kind;
  pid_t assay = -1;  // our pid
};

// In a forked child of Assay: enters namespaces, makes the jail as a child of Assay, notes its pid in memory shared
// with Assay, and ends. The jail says over the socket how it is contained, then serves requests until the socket
// closes.
[[noreturn]] void MakeJail(const JailPlan& plan, int socket, PidsCgroup& group, pid_t* jail_pid);

}  // namespace assay::exec
