// The types of expressions: promotions and conversions of C17 6.3 and the result types of 6.5.
#pragma once

#include "lang/program.hpp"

namespace assay::lang {

// What the machine and the generator need to know of an integer type.
struct IntegerInfo {
  uint8_t bits = 32;        // value bits including the sign; 1 for _Bool
  bool is_signed = true;
  int64_t Min() const { return is_signed ? static_cast<int64_t>(~static_cast<uint64_t>(0) << (bits - 1)) : 0; }
  uint64_t Max() const {
    return is_signed ? (static_cast<uint64_t>(1) << (bits - 1)) - 1
                     : (bits == 64 ? ~static_cast<uint64_t>(0) : (static_cast<uint64_t>(1) << bits) - 1);
  }
};

// The standard kind that a fixed-width kind or an enum stands for (Int64 -> Long on LP64, LLong on ILP32).
TypeKind StandardKind(TypeKind kind, const DataModel& model);
IntegerInfo IntegerInfoOf(TypeKind kind, const DataModel& model);   // kind is an integer kind
int Rank(TypeKind standard_kind);

// Integer promotion. For a bit-field of `bit_width` (>= 0) that fits int or unsigned the width decides (6.3.1.1p2), as
// in gcc and clang also for wider declared types; for wider fields see IsPromotionUnclear.
TypeKind Promote(TypeKind kind, const DataModel& model, int bit_width = -1);
TypeKind CommonKind(TypeKind a, TypeKind b, const DataModel& model);  // usual arithmetic conversions, on promoted kinds

// The width of the bit-field that the lvalue denotes, or -1.
int BitWidthOf(const Program& program, ExprId id);
// True if compilers disagree, or the standard does not say, which type the integer operand has after promotion: a
// bit-field wider than int (gcc computes in the field's width, clang in the declared type), and the value of an assignment,
// ++, -- or comma that ends in a bit-field (promoted by the field's width, or as the declared type, which is what 6.5.16p3
// seems to say and no compiler does). Such a value may only be converted or tested, not be an operand of arithmetic.
bool IsPromotionUnclear(const Program& program, ExprId id);
// The type an operand has as a value: lvalue conversion, array and function decay; unqualified.
TypeId ValueType(Program& program, ExprId id);
// The promoted standard kind of an integer operand, bit-fields considered.
TypeKind PromotedKind(const Program& program, ExprId id);
// The type of an object or conditional that can stand for the operand in any context: ValueType, but of a bit-field the promoted
// type, `int` for a narrow unsigned one.
TypeId OperandType(Program& program, ExprId id);

// Computes the type of a node from its children (whose types are set). For kinds whose type is not determined by
// their children (Constant, Cast, Builtin, CompoundLiteral, Guard…) it keeps the type the node has.
TypeId TypeOf(Program& program, const Expr& e);

}  // namespace assay::lang
