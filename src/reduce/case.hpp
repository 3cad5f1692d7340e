// What is being reduced: a program and the one value its main looks at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"
#include "machine/machine.hpp"
#include "support/result.hpp"

namespace assay::reduce {

// A scalar of a global: the variable and the members and elements on the way down.
struct Check {
  lang::VarId var;
  std::vector<uint32_t> path;
  friend bool operator==(const Check&, const Check&) = default;
};

// Copied for every candidate; edits change it in place.
struct Case {
  lang::Program program;
  std::optional<Check> check;  // none: a bug of the compiler, or one seen only by the checksum
  // As long as it can, the body of the entry function stands in main,
  bool in_main = false;
  // and main looks at what that body assigns last instead of at the checked variable.
  bool direct = false;
  bool returns = true;  // main ends with return 0, which is implied since C99 (5.1.2.2.3)
};

// Where the checked scalar stands in the finals of a run; nothing if it has no readable value any
// more.
std::optional<size_t> FindChecked(const Case& subject, const machine::RunResult& result);

// Drops what nothing refers to and numbers everything afresh, so that the stores are dense. The
// meaning and the text stay the same; ids do not.
Case Compact(const Case& subject);

// One text for the whole case, and back: the stable form of the program after a line with the
// rest.
std::string SaveCase(const Case& subject);
support::Result<Case> LoadCase(std::string_view text);

}  // namespace assay::reduce
