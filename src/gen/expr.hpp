// Integer expressions, conditions and constants.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// A literal; its value is in range of its own type.
ExprId ConstantExpr(Writer& w);
// A literal for an object of the integer type, in the object's range.
ExprId ConstantFor(Writer& w, TypeId type);
lang::StringId RandomString(Writer& w, uint32_t most);

// An expression of some integer type, at most `depth` deep.
inline ExprId IntExpr(Writer& w, uint32_t depth) { return Expression(w, Want::Integer(depth)); }
ExprId IntLeaf(Writer& w);  // the same with depth 0
// The value, cast to its own type if compilers disagree on its promoted type (lang::IsPromotionUnclear).
ExprId AsOperand(Writer& w, ExprId e);
// Whether ++ and -- have a meaning all compilers agree on.
bool CanStep(Writer& w, ExprId target);
// A controlling expression; written so that it has the wanted truth now, where that can be known.
inline constexpr uint32_t kConditionDepth = 2;
inline ExprId Condition(Writer& w, bool wanted, uint32_t depth = kConditionDepth) {
  return Expression(w, Want::Condition(wanted, depth));
}
// What Expression does for these classes.
ExprId IntegerValue(Writer& w, const Want& want);
ExprId ConditionValue(Writer& w, const Want& want);

// No assignment, ++, call, volatile access, guard or compound literal inside: may be copied, probed and skipped.
bool IsPure(const lang::Program& program, ExprId id);

// An operator that has a compound-assignment form.
BinaryOp CompoundOperator(Writer& w);

// Draws the operator family and the share of constants for a new statement.
void DrawStatementPolicy(Writer& w);

}  // namespace assay::gen
