// Starting one command from a jail, as cheaply as the system can: the child borrows our memory
// until it executes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>

#include "exec/process.hpp"

namespace assay::exec {

struct Streams {
  int input = -1, output = -1, error = -1;
};

struct Spawned {
  pid_t pid = -1;
  int error = 0;  // errno when the command could not be started
};

// How Spawn depends on the jail.
struct SpawnOptions {
  std::span<char> stack;         // what the child runs on until it executes: some 100 KiB
  bool die_with_parent = false;  // the command is killed when the caller dies
  uint64_t user_processes = 0;   // what the user may have at most, 0: any number
  int landlock_rules = -1;       // of MakeLandlockRules
};

// Starts the command in a session of its own with the per-process limits set. The calling process
// must be single-threaded. The command's argv is not empty.
Spawned Spawn(const Command& command, const Limits& limits, const Streams& streams, const SpawnOptions& options);

}  // namespace assay::exec
