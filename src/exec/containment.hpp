// How well commands are contained, which depends on the kernel, on the container we run in, and on who we are.
// docs/security.md says what each of these promises.
#pragma once

#include <string>

namespace assay::exec {

// Which containment to try for. Less than the best is for tests of what remains where the system offers less.
struct Confinement {
  bool namespaces = true;
  int landlock_version = 1000;  // at most
  bool syscall_filter = true;

  static constexpr Confinement Best() { return {}; }
  // No namespaces: as an unprivileged user or in a container that has none.
  static constexpr Confinement Plain() { return {.namespaces = false}; }
  // On an old kernel, too.
  static constexpr Confinement Bare() { return {false, 0, false}; }
};

// What was achieved.
struct Containment {
  bool process_namespace = false;    // whole trees die atomically; other processes are out of sight
  bool network_namespace = false;    // no network
  bool process_group_limit = false;  // a control group bounds the number of processes
  bool private_tmp = false;          // files left directly in /tmp, /var/tmp and /dev/shm vanish after each run
  bool read_only_files = false;      // all but a command's own folders is mounted read-only
  int landlock_version = 0;          // what a command may write is in the kernel's rules; 0: it is not
  bool syscall_filter = false;       // tracing, namespaces, keys, bpf, sockets, ... are refused

  // Are all promises kept?
  bool IsFull() const { return process_namespace && syscall_filter && (read_only_files || landlock_version > 0); }
};

// One paragraph for people whose containment is not full: what is missing and why, what protection remains and what
// does not.
std::string DescribeGaps(const Containment& containment);

}  // namespace assay::exec
