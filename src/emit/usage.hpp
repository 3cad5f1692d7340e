// What of the language a program really uses, found by one walk over everything reachable. Decides
// what has to be declared at the top of the text. Nodes that the stores still hold but nothing
// refers to do not count.
#pragma once

#include <array>
#include <vector>

#include "lang/program.hpp"

namespace assay::emit {

struct Usage {
  std::array<bool, static_cast<size_t>(lang::TypeKind::kCount)> kinds{};
  std::array<bool, static_cast<size_t>(lang::Builtin::kCount)> builtins{};
  bool function_attributes = false;
  std::vector<lang::RecordId>
      records;  // in an order in which every record follows those it contains
  std::vector<lang::EnumId> enums;

  bool Uses(lang::TypeKind kind) const { return kinds[static_cast<size_t>(kind)]; }
  bool Uses(lang::Builtin builtin) const { return builtins[static_cast<size_t>(builtin)]; }
};

Usage UsageOf(const lang::Program& program);

}  // namespace assay::emit
