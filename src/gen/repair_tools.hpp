// What the repairs of all families are made of: changes of a tree in place, and the counter as the last resort. And the
// families, for repairs.cpp.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Moves the node to a new id, so that its old id can become the root of something around it.
ExprId MoveNode(Writer& w, ExprId id);
// Makes `id` a copy of the node `from`, which is not used elsewhere.
void Become(Writer& w, ExprId id, ExprId from, bool repaired);

VarId NewCounter(Writer& w, uint64_t value);
// value guarded by a counter that has run out: (c++ < executions ? value : otherwise). A value with side effects is
// evaluated first, into a temporary.
ExprId Guarded(Writer& w, const machine::Trap& trap, ExprId value, ExprId otherwise);
// The trapping node under a counter. For nodes whose operands may be skipped, or traps raised before they are evaluated.
bool GuardWhole(Writer& w, const machine::Trap& trap);
// Replaces a node that never ran by a plain value, keeping the side effects of the operands.
bool ReplaceByValue(Writer& w, const machine::Trap& trap);

bool OperandsPure(const Writer& w, const machine::Trap& trap);
// Whether a repair may copy the tree: without side effects, and without parts that are evaluated in some executions only.
// Those of the copy would begin with the count of the repaired node, not with their own.
bool MayCopy(const Writer& w, ExprId tree);

// repair_arithmetic.cpp: overflow, division, shifts. The first execution is rewritten, later ones are repaired.
bool RewriteArithmetic(Writer& w, const machine::Trap& trap);
bool RepairArithmetic(Writer& w, const machine::Trap& trap);

// repair_access.cpp: pointers, indices, and values that may not be read.
bool FixAccess(Writer& w, const machine::Trap& trap);
bool FixRead(Writer& w, const machine::Trap& trap);

// repair_order.cpp: evaluates operands into temporaries first, in the order the machine evaluated them.
bool PutInOrder(Writer& w, const machine::Trap& trap);

}  // namespace assay::gen
