// What exec takes and gives: a Command to run under Limits, and the Observation of what happened.
// Values only; the Executor (executor.hpp) runs them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/table.hpp"

namespace assay::exec {

// What one command and everything it starts may use. Zero means "no limit" for every number.
struct Limits {
  double cpu_seconds = 20;  // user + system, the whole tree together
  // From start to the end of the command itself. With a limit on CPU time too, what it waited for a processor does not
  // count, up to kMostStretch times this: a busy machine makes no hang.
  double wall_seconds = 30;
  uint64_t memory_bytes = 2ull << 30;  // resident, the whole tree together
  bool limit_address_space = true;     // also bound each process's address space (no for sanitizers)
  uint64_t file_bytes = 256ull << 20;  // size of any one file written; four times that all in the working folder
  uint32_t processes = 64;             // alive at once, the whole tree
  uint64_t output_bytes = 4ull << 20;  // stdout and stderr, each
  bool network = false;                // false: no network where the system lets us take it away
  bool local_sockets = false;          // Unix sockets too, for what speaks to a server on this machine
  bool shared_tmp = false;             // where no private /tmp can be had, write in the real one
};

// How much longer than its wall limit a command may take that has work to do and gets no processor for it.
inline constexpr double kMostStretch = 8;

// A program and its arguments. argv[0] is looked up in the absolute folders of PATH when it has no slash. What the
// system cannot execute is not started: no shell is given a script without "#!", let alone garbage. The environment is
// Assay's own with LC_ALL=C and TMPDIR=working_folder, then `environment` ("NAME=value") on top.
struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::string stdin_text;                // empty: /dev/null
  std::filesystem::path working_folder;  // the command may write here, and nowhere else (docs/security.md)
  std::vector<std::string> writable;     // more folders that it may write in
};

// How a command ended.
enum class Ending {
  Exited,        // by itself; exit_code is valid
  Signaled,      // by a signal that was not ours; signal is valid
  TimedOut,      // a CPU or wall limit; killed
  OutputLimit,   // wrote too much to stdout or stderr; killed, the output is cut
  FileLimit,     // wrote too large a file, or too many
  MemoryLimit,   // the tree held too much memory; killed
  ProcessLimit,  // the tree had too many processes; killed
  Starved,       // had work to do and got hardly any processor for it; killed, nothing is known
  NotStarted,    // could not be started (missing, not executable); stderr_text says why
  kCount
};

struct EndingInfo {
  Ending kind;
  std::string_view name;  // stable: used in stored data
};

inline constexpr std::array kEndings = {
    EndingInfo{Ending::Exited, "exited"},
    EndingInfo{Ending::Signaled, "signaled"},
    EndingInfo{Ending::TimedOut, "timed-out"},
    EndingInfo{Ending::OutputLimit, "output-limit"},
    EndingInfo{Ending::FileLimit, "file-limit"},
    EndingInfo{Ending::MemoryLimit, "memory-limit"},
    EndingInfo{Ending::ProcessLimit, "process-limit"},
    EndingInfo{Ending::Starved, "starved"},
    EndingInfo{Ending::NotStarted, "not-started"},
};
static_assert(support::InEnumOrder(kEndings, Ending::kCount));

constexpr std::string_view Name(Ending ending) { return kEndings[static_cast<size_t>(ending)].name; }

// What one run showed. Times cover the command and every descendant, also those it left behind.
struct Observation {
  Ending ending = Ending::NotStarted;
  int exit_code = 0;
  int signal = 0;
  std::string stdout_text;
  std::string stderr_text;
  double cpu_seconds = 0;  // user + system of the whole tree
  double wall_seconds = 0;
  double harness_seconds = 0;      // CPU time that Assay itself spent on this run outside the calling process
  uint64_t peak_memory_bytes = 0;  // of the largest process

  // Exited with code 0.
  bool Succeeded() const { return ending == Ending::Exited && exit_code == 0; }
  // One of the limits ended it. Starved is one too: what the command had done until then says nothing.
  bool HitLimit() const {
    return ending != Ending::Exited && ending != Ending::Signaled && ending != Ending::NotStarted;
  }
};

// "exit 1", "signal 11 (SIGSEGV)", "timed out", ...: for people.
std::string Describe(const Observation& observation);
// "SIGSEGV" for 11; "SIG<n>" for a number without a name.
std::string SignalName(int signal);

}  // namespace assay::exec
