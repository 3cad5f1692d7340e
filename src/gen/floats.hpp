// Floating numbers: their types, constants and expressions, and what brings them together with integers.
//
// In the modes `exact` and `robust` (lang/float_kinds.hpp) an inexact result is a trap, which costs a repair: so what
// is written has few significant bits. Constants are small multiples of powers of two, divisors powers of two, and
// what grows is cut down again (FloatWrap).
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// The mode of the program, by the weights; without any, the program has no floating numbers.
void DrawFloatMode(knobs::Knobs& knobs, lang::Program& program, choice::Choices& choices);

TypeId FloatType(Writer& w);
// An integer type or, as often as the program has them, a floating one.
TypeId NumberType(Writer& w);

// A literal of exactly the floating type.
ExprId FloatConstantFor(Writer& w, TypeId type);
// The literal with this value, which the kind has exactly.
ExprId FloatLiteral(Writer& w, TypeKind kind, double value);

// What Expression does for the class: a value that converts to want.type without a cast, or any if it is invalid.
ExprId FloatValue(Writer& w, const Want& want);
inline ExprId FloatExpr(Writer& w, TypeId type, uint32_t depth) {
  return Expression(w, {.of = WriterClass::Float, .type = w.program.types.Unqualified(type), .depth = depth});
}
// The value of a small integer.
ExprId SmallFloat(Writer& w, uint32_t depth);
// The value with a cast, if the kind does not hold all values of its type.
ExprId FittingFloat(Writer& w, TypeKind kind, ExprId value);

// A number where only its truth matters.
ExprId FloatTruth(Writer& w, uint32_t depth);
// Rows of integers and of conditions.
ExprId FloatAsInteger(Writer& w, const Want& want);
ExprId FloatCondition(Writer& w, const Want& want);

// Calls of the functions of <math.h>, and the shapes in which optimisers look for them: rows of floating numbers.
ExprId FloatFunction(Writer& w, const Want& want);
ExprId FloatShape(Writer& w, const Want& want);  // invalid: there is no object to read
// isnan and the like, a row of integers; an integer rounded by floor and the like.
ExprId FloatClass(Writer& w, const Want& want);
ExprId FloatRounded(Writer& w, const Want& want);

// The statement: = op= ++ -- on a floating object.
void WriteFloat(Writer& w);

}  // namespace assay::gen
