// Stored bugs, run again: which are fixed, which still fail, which fail in another way. On the
// target they were found on or on another of its family, for instance a new version of the
// compiler.
#pragma once

#include <string>
#include <vector>

#include "campaign/lab.hpp"
#include "store/records.hpp"
#include "target/target.hpp"

namespace assay::campaign {

enum class Replayed { Fixed, StillFailing, Changed, CannotRun };

struct ReplayResult {
  std::string bug;
  std::string configuration;
  Replayed result = Replayed::CannotRun;
  std::string detail;
};

// Runs the bug's program on `target` with the flags of the bug's configuration.
Result<ReplayResult> Replay(Lab& lab, const store::Bug& bug, const target::Target& target);

// The program of a stored bug, without an expectation.
TestCase StoredProgram(const store::Bug& bug);

}  // namespace assay::campaign
