// What the repairs of all families are made of: rows, changes of a tree in place, and the counter as the last resort.
// And the families, for repairs.cpp. repairs_test.cpp proves every row: it applies, it does not apply, it keeps the
// value.
#pragma once

#include <span>

#include "gen/writer.hpp"

namespace assay::gen {

// A trap, and what its family prepares before it chooses a row.
struct RepairPlace {
  const machine::Trap& trap;
  ExprId pointer;   // accesses through pointers: the pointer (p + i for p[i])
  ExprId fallback;  // and the address of a global that may be accessed instead

  bool First() const { return trap.prior_executions == 0; }
};

// One way to rewrite a first execution or to repair a later one. A repair gives the same value and the same side
// effects for every execution that did not trap.
struct RepairRow {
  std::string_view name;
  uint32_t weight;  // among the rows of its table that apply
  bool (*applies)(Writer& w, const RepairPlace& place);
  bool (*apply)(Writer& w,
                const RepairPlace& place);  // requires applies; false: given up (a counter that cannot count)
};

// Applies one of the rows that apply, drawn by weight. False if none does. Draws only if there is a choice, or
// `always`.
bool RepairFrom(Writer& w, std::span<const RepairRow> rows, const RepairPlace& place, bool always = false);

// Moves the node to a new id, so that its old id can become the root of something around it.
ExprId MoveNode(Writer& w, ExprId id);
// Makes `id` a copy of the node `from`, which is not used elsewhere.
void Become(Writer& w, ExprId id, ExprId from, bool repaired);

VarId NewCounter(Writer& w, uint64_t value);
// value guarded by a counter that has run out: (c++ < executions ? value : otherwise). A value with side effects is
// evaluated first, into a temporary.
ExprId Guarded(Writer& w, const machine::Trap& trap, ExprId value, ExprId otherwise);
// The trapping node under a counter. For nodes whose operands may be skipped, or traps raised before they are
// evaluated.
bool GuardWhole(Writer& w, const machine::Trap& trap);
// Replaces a node that never ran by a plain value, keeping the side effects of the operands.
bool ReplaceByValue(Writer& w, const machine::Trap& trap);

bool OperandsPure(const Writer& w, const machine::Trap& trap);
// Whether a repair may copy the tree: without side effects, and without parts that are evaluated in some executions
// only. Those of the copy would begin with the count of the repaired node, not with their own.
bool MayCopy(const Writer& w, ExprId tree);

// repair_arithmetic.cpp: overflow, division, shifts. The first execution is rewritten, later ones are repaired.
bool RepairArithmetic(Writer& w, const machine::Trap& trap);
std::span<const RepairRow> ArithmeticRewrites();
std::span<const RepairRow> BinaryRepairs();
std::span<const RepairRow> UnaryRepairs();
std::span<const RepairRow> AssignmentRepairs();  // op=, ++ and --

// repair_floats.cpp: what is not exact, or not in the range of an integer.
bool IsFloatOperation(const Writer& w, const machine::Trap& trap);  // an operator that computes with floating numbers
bool RepairFloat(Writer& w, const machine::Trap& trap);
std::span<const RepairRow> FloatRewrites();
std::span<const RepairRow> FloatRepairs();

// repair_access.cpp: pointers, indices, and values that may not be read.
bool FixAccess(Writer& w, const machine::Trap& trap);
bool FixRead(Writer& w, const machine::Trap& trap);
bool IsVectorOperation(const Writer& w, const machine::Trap& trap);  // with a vector or a wide integer as its value
bool RepairVector(Writer& w, const machine::Trap& trap);             // by ValueRepairs
RepairPlace PointerPlace(Writer& w, const machine::Trap& trap);      // what PointerRepairs need
std::span<const RepairRow> IndexRepairs();
std::span<const RepairRow> PointerRepairs();
std::span<const RepairRow> ValueRepairs();
std::span<const RepairRow> ReadRepairs();

// repair_order.cpp: evaluates operands into temporaries first, in the order the machine evaluated them.
bool PutInOrder(Writer& w, const machine::Trap& trap);
std::span<const RepairRow> OrderRepairs();

// repairs.cpp: loops and calls that take too many steps or go too deep.
std::span<const RepairRow> BudgetRepairs();

}  // namespace assay::gen
