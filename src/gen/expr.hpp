// Integer expressions, conditions and constants.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// A literal; its value is in range of its own type.
ExprId ConstantExpr(Writer& w);
// A literal for an object of the arithmetic type, in the object's range.
ExprId ConstantFor(Writer& w, TypeId type);
// The value of a constant, by the policy of the place; and a literal with a value of its kind, spelled in some way.
uint64_t ConstantValue(Writer& w);
ExprId LiteralOf(Writer& w, TypeKind kind, uint64_t value);
lang::StringId RandomString(Writer& w, uint32_t most);

// An expression of some integer type, at most `depth` deep.
inline ExprId IntExpr(Writer& w, uint32_t depth) { return Expression(w, Want::Integer(depth)); }
ExprId IntLeaf(Writer& w);  // the same with depth 0
// An operand without side effects that no compiler knows: a variable, an earlier expression, or something small of
// `want`. Invalid if none was found in a few tries.
ExprId PureOperand(Writer& w, const Want& want);
// The same of exactly the type: an object.
ExprId OperandOfType(Writer& w, TypeId type);
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

// Whether a compiler may know the value without running the program; if in doubt, yes. Wider than C's constant
// expressions (lang::IsConstantExpression): 1 || x folds.
bool MayFold(const lang::Program& program, ExprId id);

// _Bool, or int where that is switched off.
inline TypeKind TruthKind(const Writer& w) { return w.knobs.type_bool > 0 ? TypeKind::Bool : TypeKind::Int; }

// An operator that has a compound-assignment form.
BinaryOp CompoundOperator(Writer& w);

// Draws the operator family and the share of constants for a new statement.
void DrawStatementPolicy(Writer& w);
// The same for the whole program.
void DrawProgramPolicy(Writer& w);

}  // namespace assay::gen
