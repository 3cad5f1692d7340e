// Stored bugs, run again: which are fixed, which still fail, which fail in another way. On the
// target they were found on or on another of its family, for instance a new version of the
// compiler.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/lab.hpp"
#include "store/records.hpp"
#include "support/table.hpp"
#include "target/target.hpp"

namespace assay::campaign {

enum class Replayed { Fixed, StillFailing, Changed, CannotRun, kCount };

struct ReplayedInfo {
  Replayed kind;
  std::string_view name;   // stable: in --json
  std::string_view words;  // for people
};
inline constexpr std::array kReplayed = {
    ReplayedInfo{Replayed::Fixed, "fixed", "fixed"},
    ReplayedInfo{Replayed::StillFailing, "still-failing", "still failing"},
    ReplayedInfo{Replayed::Changed, "changed", "changed"},
    ReplayedInfo{Replayed::CannotRun, "cannot-run", "cannot run"},
};
static_assert(support::InEnumOrder(kReplayed, Replayed::kCount));

struct ReplayResult {
  std::string bug;
  std::string configuration;
  Replayed result = Replayed::CannotRun;
  std::string detail;
};

// Runs the bug's program on `target` with the flags of the bug's configuration.
Result<ReplayResult> Replay(Lab& lab, const store::Bug& bug, const target::Target& target);

// A stored configuration among the targets, found by its target's name and its flags. Nothing when the target is not
// there, or when the parts do not make the name (a bug of a version that did not store them).
std::optional<target::Configuration> FindConfiguration(std::span<const target::Target> targets,
                                                       const std::string& target, const std::string& flags,
                                                       const std::string& name);

// The program of a stored bug, without an expectation.
TestCase StoredProgram(const store::Bug& bug);

}  // namespace assay::campaign
