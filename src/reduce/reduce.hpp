// A failing program -> a small one that fails in the same way, as a person would file it. The entry
// point for the campaign and the command.
//
// A reduction ends at a fixpoint, after SearchOptions::seconds or when SearchOptions::stop says so,
// always with the best program so far (SearchStats::finished tells which). With a folder the best
// is on disk after every step: whatever ends the process, LoadBest and ReduceFrom go on from there.
#pragma once

#include "reduce/search.hpp"

namespace assay::reduce {

struct ReduceOptions {
  SearchOptions search;
  bool any_bug = false;
  int tries = 8;                           // runs at the start, to see how often the bug shows
  std::optional<oracle::Verdict> verdict;  // the bug to keep; none: what the program shows now
  std::string signature;                   // with `verdict`: the one to keep; empty: the one the program shows now
};

struct Reduced {
  Case subject;               // as small as it got
  machine::RunResult result;  // its clean run
  Bug bug;
  Look look = Look::Checksum;    // the form in which the bug shows
  std::string source;            // the text of the report
  std::string expected, actual;  // one line each
  size_t lines = 0, tokens = 0;  // of the source, without the comment
  size_t tokens_before = 0;
  SearchStats stats;
};

// Nothing is reduced (an Error with ExitCode::Nothing) when the program is not valid or shows no
// bug.
Result<Reduced> ReduceCase(const lang::Program& program, const target::Configuration& configuration,
                           exec::Executor& executor, const ReduceOptions& options);

// The same for a case whose reduction was interrupted, as LoadBest gives it.
Result<Reduced> ReduceFrom(Case subject, const target::Configuration& configuration, exec::Executor& executor,
                           const ReduceOptions& options);

// The best case that a reduction with this folder (SearchOptions::folder) has reached, also one
// that was killed; nothing if none has begun there.
Result<std::optional<Case>> LoadBest(const std::filesystem::path& folder);

}  // namespace assay::reduce
