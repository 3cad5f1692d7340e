// The types of expressions: promotions and conversions of C17 6.3 and the result types of 6.5.
#pragma once

#include "lang/float_kinds.hpp"
#include "lang/integer_kinds.hpp"
#include "lang/program.hpp"

namespace assay::lang {

// The width of the bit-field that the lvalue denotes, or -1.
int BitWidthOf(const Program& program, ExprId id);
// True if compilers disagree, or the standard does not say, which type the integer operand has after promotion: a
// bit-field wider than int (gcc computes in the field's width, clang in the declared type), and the value of an
// assignment,
// ++, -- or comma that ends in a bit-field (promoted by the field's width, or as the declared type, which is
// what 6.5.16p3 seems to say and no compiler does). Such a value may only be converted or tested, not be an operand of
// arithmetic.
bool IsPromotionUnclear(const Program& program, ExprId id);
// The type an operand has as a value: lvalue conversion, array and function decay; unqualified.
TypeId ValueType(Program& program, ExprId id);
// The promoted standard kind of an integer operand, bit-fields considered; a floating operand keeps its kind.
TypeKind PromotedKind(const Program& program, ExprId id);
// The type of an object or conditional that can stand for the operand in any context: ValueType, but of a bit-field the
// promoted type, `int` for a narrow unsigned one.
TypeId OperandType(Program& program, ExprId id);

// Of a vector type: the one that its comparisons give, with signed integers as wide as its lanes.
TypeId ComparisonType(Program& program, TypeId vector);

// Computes the type of a node from its children (whose types are set). For kinds whose type is not determined by
// their children (Constant, Cast, Builtin, CompoundLiteral, Guard…) it keeps the type the node has.
TypeId TypeOf(Program& program, const Expr& e);

}  // namespace assay::lang
