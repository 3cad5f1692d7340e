// The search: coarse to fine, to a fixpoint.
//
// A pass collects its edits once, then tries them in chunks: all at once, halves, quarters, …
// single edits. A chunk that keeps the bug is committed and its edits are done with. Every
// candidate goes through the same gate, cheapest test first:
//
//   apply and mend          is it still a program?            (microseconds)
//   hash of its text        have we tried this very program?
//   run by the machine      is it valid, and what must it print?
//   compile and run         does the failing configuration still get it wrong?
//
// so nothing that the machine rejects ever reaches a compiler. Several chunks are tried at once,
// each on its own thread and against the same best program; the first in order that keeps the bug
// wins, so that the result does not depend on timing. The others that kept it are tried again on
// top of it.
//
// A stage is repeated while it makes the program much smaller, and a pass is not run again on
// nearly the same program, until a round over all stages gains little: then a thorough round runs
// everything. No program is tried twice, and only passes that run once make it larger, so the
// search ends: when a thorough round changes nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "reduce/oracle.hpp"
#include "reduce/passes.hpp"

namespace assay::reduce {

inline constexpr std::string_view kBestFile = "best.case";

struct SearchOptions {
  double seconds = 0;            // of all searches with the same stats; 0: no limit
  unsigned threads = 0;          // 0: all cores
  std::filesystem::path folder;  // exists; the best so far is kept there (kBestFile); empty: nowhere
  std::function<bool()> stop;    // asked before candidates are tried: true ends the search
  std::function<void(std::string_view line)> progress;
  machine::Options machine;
};

struct PassStats {
  uint64_t tried = 0, accepted = 0;
};

struct SearchStats {
  uint64_t candidates = 0;
  uint64_t malformed = 0;  // not a program
  uint64_t cached = 0;     // seen before
  uint64_t invalid = 0;    // rejected by the machine
  uint64_t compilations = 0;
  uint64_t accepted = 0;
  double seconds = 0;
  bool finished = false;  // at a fixpoint
  std::map<std::string, PassStats> passes;
};

// The bug must show in `start` under `look`. An Error only from the outside world.
Result<Case> RunSearch(Case start, const Bug& bug, Look look, Judge& judge, const SearchOptions& options,
                       SearchStats& stats);

}  // namespace assay::reduce
