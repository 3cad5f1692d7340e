// Wrappers: a op b where that is defined, a otherwise. As ordinary functions of the program, made when a repair first
// needs them, one for each operator and type; or in place, as the expansion of a macro would be.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// For + - * / % on a promoted integer kind.
FunctionId WrapperFor(Writer& w, BinaryOp op, TypeKind kind);
// The same around `operation`, which is a op b: the check reads copies of the operands, so they must have no side
// effects.
ExprId WrappedInPlace(Writer& w, BinaryOp op, TypeKind kind, ExprId a, ExprId b, ExprId operation);

}  // namespace assay::gen
