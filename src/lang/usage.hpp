// What of the language a program really uses, found by one walk over everything reachable. Decides
// what has to be declared at the top of the text. Nodes that the stores still hold but nothing
// refers to do not count.
#pragma once

#include <array>
#include <vector>

#include "lang/program.hpp"

namespace assay::lang {

struct Usage {
  std::array<bool, static_cast<size_t>(TypeKind::kCount)> kinds{};
  std::array<bool, static_cast<size_t>(Builtin::kCount)> builtins{};
  std::array<bool, static_cast<size_t>(UnaryOp::kCount)> unary{};
  std::array<bool, static_cast<size_t>(BinaryOp::kCount)> binary{};
  bool function_attributes = false;
  bool barriers = false, case_ranges = false, label_tables = false;  // what only GNU C has
  std::vector<RecordId> records;  // in an order in which every record follows those it contains
  std::vector<EnumId> enums;
  std::vector<TypeId> vectors;
  std::vector<TypeId> shuffled, masks;  // of which lanes are shuffled by a mask, and those of the masks
  std::vector<StringId> strings;
  // Per function, in the order of Program::function_order: the objects with a slot in slot order,
  // then static ones.
  std::vector<std::vector<VarId>> locals;

  bool Uses(TypeKind kind) const { return kinds[static_cast<size_t>(kind)]; }
  bool Uses(Builtin builtin) const { return builtins[static_cast<size_t>(builtin)]; }
  bool Uses(UnaryOp op) const { return unary[static_cast<size_t>(op)]; }
  bool Uses(BinaryOp op) const { return binary[static_cast<size_t>(op)]; }
};

Usage UsageOf(const Program& program);

}  // namespace assay::lang
