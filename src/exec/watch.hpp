// One run, seen from inside the jail: start the command, collect what it prints, watch its tree,
// end it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/pids_cgroup.hpp"
#include "exec/process.hpp"

namespace assay::exec {

// What a jail needs to know to watch.
struct JailEnvironment {
  int control = -1;            // the socket to Assay; when its other end closes, the run is given up
  int child_events = -1;       // a signalfd for SIGCHLD, which is blocked
  bool own_namespace = false;  // we are the first process of a process namespace
  // The user's processes when the jail started, as the system counts them for its limit on
  // processes: 0 in a user namespace of our own, where they are counted apart; -1 when the limit
  // does not bind us (root).
  int64_t processes_before = -1;
  const PidsCgroup* group = nullptr;        // that bounds the processes, where there is one
  std::span<char> spawn_stack;              // for Spawn
  int landlock_version = 0;                 // 0: no rules on files
  std::vector<std::string> private_places;  // for temporary files, which commands may write
  bool keep_network = false;
};

// A command beyond its wall limit. Is that its own doing?
struct Lateness {
  double elapsed = 0;     // seconds since its start
  double cpu = 0;         // seconds of a processor that its tree has had
  bool has_work = false;  // some of the tree runs, or would if there were a processor for it
};

// How it ends; nothing while it is only held up by a busy machine. Precondition: limits.wall_seconds > 0 and elapsed
// is no less.
std::optional<Ending> EndOfLate(const Limits& limits, const Lateness& late);

// Runs the command and returns when no process of it is left. Nothing when Assay is gone (the tree
// is dead then too).
std::optional<Observation> Watch(const JailEnvironment& jail, const Command& command, const Limits& limits);

}  // namespace assay::exec
