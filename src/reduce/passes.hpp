// Passes: which edits to try, and in which order. The order is data; search.hpp runs it.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "reduce/edit.hpp"

namespace assay::reduce {

enum class PassKind : uint8_t {
  DeadCode,
  EmptyFunctions,
  Initialise,
  Statements,
  Bodies,
  UnusedFunctions,
  UnusedVariables,
  Cases,
  Conditions,
  Constants,
  Operands,
  Targets,
  Flatten,
  Loops,
  Inline,
  Looks,
  Effects,
  Parameters,
  Assignments,
  Aggregates,
  Arrays,
  Members,
  Kinds,
  Qualifiers,
  Variables,
  Attributes,
  Initialisers,
  Zeros,
  Ones,
  SmallConstants,
  Spelling,
  Lanes,
  VectorSizes,
  kCount
};

// What a pass looks at to collect its edits.
struct Survey {
  const Case& subject;
  const MachineRun& run;  // of subject.program
};

struct PassInfo {
  PassKind kind;
  std::string_view name;
  uint8_t stage;  // coarse to fine: a stage is repeated until it gains nothing, then the next one
                  // starts
  bool careful;   // its edits depend on types: mend after each one
  bool once;      // it makes programs larger on purpose: only in the first round
  std::vector<Edit> (*collect)(const Survey& survey);
};

extern const std::array<PassInfo, static_cast<size_t>(PassKind::kCount)> kPasses;
inline constexpr uint8_t kStages = 3;

}  // namespace assay::reduce
