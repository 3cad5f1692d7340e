// Wrappers: a op b where that is defined, a otherwise. As ordinary functions of the program, made when a repair first
// needs them, one for each operator and type; or in place, as the expansion of a macro would be.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// Whether there is one for the operator; only those of operators that may trap are asked for.
bool HasWrapper(BinaryOp op);
// On a promoted integer kind. Requires HasWrapper.
FunctionId WrapperFor(Writer& w, BinaryOp op, TypeKind kind);
// The same around `operation`, which is a op b: the check reads copies of the operands, so they must have no side
// effects.
ExprId WrappedInPlace(Writer& w, BinaryOp op, TypeKind kind, ExprId a, ExprId b, ExprId operation);

// The row of writers: an operator that is checked from the start, needed or not.
ExprId SafeExpr(Writer& w, const Want& want);

}  // namespace assay::gen
