// The operators of C, one row per kind: whoever has to know something of an operator asks its row. What the generator
// adds (knob, families, construct of the census) is in gen/operators.hpp; what it computes in
// machine/scalar_integer.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lang/builtins.hpp"
#include "support/table.hpp"

namespace assay::lang {

// Which operands an operator takes (C17 6.5.3 - 6.5.12, read by lang/constraints).
enum class OperandRule : uint8_t {
  Integer,     // integers
  Arithmetic,  // numbers
  Scalar,      // numbers and pointers
  Sum,         // numbers; a pointer and an integer in any order
  Difference,  // numbers; a pointer minus an integer; two pointers
  Relation,    // numbers; two pointers to objects
  Equality,    // numbers; two pointers, one of which may be to void
};

// A type that follows from the operands: the one an operator computes in, and the one of its result (read by
// lang/typing and by the machine).
enum class TypeRule : uint8_t {
  Operand,   // as the operand is
  Promoted,  // of the left operand; the right one is promoted on its own
  Common,    // usual arithmetic conversions
  Int,
  ULLong,            // unsigned long long, as an argument of a function declared so
  PromotedUnsigned,  // the unsigned type of the promoted left operand: long for a long, and so on
  PromotedSigned,    // the signed one
  UInt16,            // uint16_t and the like
  UInt32,
  UInt64,
};

// What the standard leaves undefined: the machine traps. A bit set.
enum Hazard : uint8_t {
  kNoHazard = 0,
  kOverflow = 1,  // the exact result is not a value of the signed type
  kZeroDivisor = 2,
  kQuotientOverflow = 4,  // MIN / -1
  kCountRange = 8,        // a shift count that is negative or not less than the width
  kShiftSign = 16,        // a signed left shift of a negative value or into the sign bit
  kNoBitSet = 32,         // the first bit of 0 is asked for
};

enum class OperatorShape : uint8_t {
  Infix,      // a op b
  Prefix,     // op a
  Call,       // op(a), op(a, b)
  SizedCall,  // the same; the % in the name becomes l for long, ll for long long (as in __builtin_clzl), or nothing
};

constexpr bool IsCall(OperatorShape shape) { return shape == OperatorShape::Call || shape == OperatorShape::SizedCall; }

// Larger binds tighter; emit uses the same scale for everything else.
inline constexpr uint8_t kPrefixPrecedence = 14, kCallPrecedence = 15;

// In the order in which the generator draws.
enum class UnaryOp : uint8_t {
  Minus,
  BitNot,
  LogicalNot,
  Plus,
  Popcount,
  Parity,
  Ffs,
  Clz,
  Ctz,
  Clrsb,
  Abs,
  Bswap16,
  Bswap32,
  Bswap64,
  kCount
};

struct UnaryOpInfo {
  UnaryOp kind;
  std::string_view spelling;  // in C and in the text form
  OperatorShape shape;
  uint8_t precedence;
  OperandRule operands;
  TypeRule computes, result;
  uint8_t hazards;
  bool constant;  // may be part of a constant expression (6.6)
  Availability needs;
  std::string_view helper;  // Call: the definition of the function, if it is one of ours; or else empty
};

ROWS_BEGIN
// clang-format off
inline constexpr std::array kUnaryOps = {
    UnaryOpInfo{UnaryOp::Minus, "-", OperatorShape::Prefix, kPrefixPrecedence, OperandRule::Arithmetic,
                TypeRule::Promoted, TypeRule::Promoted, kOverflow, true, Availability::Everywhere, ""},
    UnaryOpInfo{UnaryOp::BitNot, "~", OperatorShape::Prefix, kPrefixPrecedence, OperandRule::Integer,
                TypeRule::Promoted, TypeRule::Promoted, kNoHazard, true, Availability::Everywhere, ""},
    UnaryOpInfo{UnaryOp::LogicalNot, "!", OperatorShape::Prefix, kPrefixPrecedence, OperandRule::Scalar,
                TypeRule::Operand, TypeRule::Int, kNoHazard, true, Availability::Everywhere, ""},
    UnaryOpInfo{UnaryOp::Plus, "+", OperatorShape::Prefix, kPrefixPrecedence, OperandRule::Arithmetic,
                TypeRule::Promoted, TypeRule::Promoted, kNoHazard, true, Availability::Everywhere, ""},
    UnaryOpInfo{UnaryOp::Popcount, "__builtin_popcount%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedUnsigned, TypeRule::Int, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Parity, "__builtin_parity%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedUnsigned, TypeRule::Int, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Ffs, "__builtin_ffs%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedSigned, TypeRule::Int, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Clz, "__builtin_clz%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedUnsigned, TypeRule::Int, kNoBitSet, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Ctz, "__builtin_ctz%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedUnsigned, TypeRule::Int, kNoBitSet, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Clrsb, "__builtin_clrsb%", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedSigned, TypeRule::Int, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Abs, "__builtin_%abs", OperatorShape::SizedCall, kCallPrecedence, OperandRule::Integer,
                TypeRule::PromotedSigned, TypeRule::PromotedSigned, kOverflow, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Bswap16, "__builtin_bswap16", OperatorShape::Call, kCallPrecedence, OperandRule::Integer,
                TypeRule::UInt16, TypeRule::UInt16, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Bswap32, "__builtin_bswap32", OperatorShape::Call, kCallPrecedence, OperandRule::Integer,
                TypeRule::UInt32, TypeRule::UInt32, kNoHazard, false, Availability::Gnu, ""},
    UnaryOpInfo{UnaryOp::Bswap64, "__builtin_bswap64", OperatorShape::Call, kCallPrecedence, OperandRule::Integer,
                TypeRule::UInt64, TypeRule::UInt64, kNoHazard, false, Availability::Gnu, ""},
};
// clang-format on
ROWS_END
static_assert(support::InEnumOrder(kUnaryOps, UnaryOp::kCount));

// In the order in which the generator draws.
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Lt,
  Gt,
  Le,
  Ge,
  Eq,
  Ne,
  RotateLeft,
  kCount
};

struct BinaryOpInfo {
  BinaryOp kind;
  std::string_view spelling;  // in C and in the text form
  OperatorShape shape;
  uint8_t precedence;
  OperandRule operands;
  TypeRule computes, result;
  uint8_t hazards;
  BinaryOp complement;  // of comparisons: true exactly where this one is false; others: kCount
  bool compound;        // has a compound-assignment form
  bool constant;        // may be part of a constant expression (6.6)
  Availability needs;
  std::string_view helper;  // Call: the definition of the function, if it is one of ours; or else empty
};

namespace binary_ops {
using Op = BinaryOp;
using O = OperandRule;
using T = TypeRule;
constexpr OperatorShape kInfix = OperatorShape::Infix;
constexpr uint8_t kDivision = kZeroDivisor | kQuotientOverflow, kLeftShift = kCountRange | kShiftSign;
constexpr Availability kAll = Availability::Everywhere;
using Row = BinaryOpInfo;

ROWS_BEGIN
// clang-format off
inline constexpr std::array kRows = {
    // precedence, operands, computes in, result, hazards, complement, compound form, constant, needs, helper
    Row{Op::Add,    "+",  kInfix, 12, O::Sum,        T::Common,   T::Common,   kOverflow,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Sub,    "-",  kInfix, 12, O::Difference, T::Common,   T::Common,   kOverflow,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Mul,    "*",  kInfix, 13, O::Arithmetic, T::Common,   T::Common,   kOverflow,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Div,    "/",  kInfix, 13, O::Arithmetic, T::Common,   T::Common,   kDivision,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Rem,    "%",  kInfix, 13, O::Integer,    T::Common,   T::Common,   kDivision,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Shl,    "<<", kInfix, 11, O::Integer,    T::Promoted, T::Promoted, kLeftShift,  Op::kCount, true,  true, kAll, ""},
    Row{Op::Shr,    ">>", kInfix, 11, O::Integer,    T::Promoted, T::Promoted, kCountRange, Op::kCount, true,  true, kAll, ""},
    Row{Op::BitAnd, "&",  kInfix, 8,  O::Integer,    T::Common,   T::Common,   kNoHazard,   Op::kCount, true,  true, kAll, ""},
    Row{Op::BitOr,  "|",  kInfix, 6,  O::Integer,    T::Common,   T::Common,   kNoHazard,   Op::kCount, true,  true, kAll, ""},
    Row{Op::BitXor, "^",  kInfix, 7,  O::Integer,    T::Common,   T::Common,   kNoHazard,   Op::kCount, true,  true, kAll, ""},
    Row{Op::Lt,     "<",  kInfix, 10, O::Relation,   T::Common,   T::Int,      kNoHazard,   Op::Ge,     false, true, kAll, ""},
    Row{Op::Gt,     ">",  kInfix, 10, O::Relation,   T::Common,   T::Int,      kNoHazard,   Op::Le,     false, true, kAll, ""},
    Row{Op::Le,     "<=", kInfix, 10, O::Relation,   T::Common,   T::Int,      kNoHazard,   Op::Gt,     false, true, kAll, ""},
    Row{Op::Ge,     ">=", kInfix, 10, O::Relation,   T::Common,   T::Int,      kNoHazard,   Op::Lt,     false, true, kAll, ""},
    Row{Op::Eq,     "==", kInfix, 9,  O::Equality,   T::Common,   T::Int,      kNoHazard,   Op::Ne,     false, true, kAll, ""},
    Row{Op::Ne,     "!=", kInfix, 9,  O::Equality,   T::Common,   T::Int,      kNoHazard,   Op::Eq,     false, true, kAll, ""},
    Row{Op::RotateLeft, "rotate_left", OperatorShape::Call, kCallPrecedence, O::Integer, T::ULLong, T::ULLong, kNoHazard, Op::kCount, false, false, kAll,
        "static unsigned long long rotate_left(unsigned long long x, unsigned long long n) { return x << (n & 63) | x >> (-n & 63); }"},
};
// clang-format on
ROWS_END
}  // namespace binary_ops

inline constexpr auto& kBinaryOps = binary_ops::kRows;
static_assert(support::InEnumOrder(kBinaryOps, BinaryOp::kCount));

constexpr const UnaryOpInfo& Info(UnaryOp op) { return kUnaryOps[static_cast<size_t>(op)]; }
constexpr const BinaryOpInfo& Info(BinaryOp op) { return kBinaryOps[static_cast<size_t>(op)]; }

constexpr bool IsComparison(BinaryOp op) {
  return Info(op).operands == OperandRule::Relation || Info(op).operands == OperandRule::Equality;
}
// << and >>, and whatever else leaves the right operand alone.
constexpr bool IsShift(BinaryOp op) { return Info(op).computes == TypeRule::Promoted; }
constexpr bool TakesPointers(BinaryOp op) {
  return IsComparison(op) || Info(op).operands == OperandRule::Sum || Info(op).operands == OperandRule::Difference;
}

// All but the operators of integers.
constexpr bool TakesFloats(const BinaryOpInfo& row) { return row.operands != OperandRule::Integer; }

// A helper belongs to a call and is no constant; a complement is mutual; only comparisons have one.
constexpr bool OperatorColumnsAgree() {
  for (const UnaryOpInfo& row : kUnaryOps) {
    if (row.shape == OperatorShape::Infix || (!row.helper.empty() && row.constant)) return false;
    if (IsCall(row.shape) != (row.precedence == kCallPrecedence)) return false;
    if (row.shape != OperatorShape::Call && !row.helper.empty()) return false;
    if ((row.shape == OperatorShape::SizedCall) != (row.spelling.find('%') != std::string_view::npos)) return false;
  }
  for (const BinaryOpInfo& row : kBinaryOps) {
    if (row.shape == OperatorShape::Prefix || row.shape == OperatorShape::SizedCall ||
        (!row.helper.empty() && row.constant))
      return false;
    if (IsCall(row.shape) != (row.precedence == kCallPrecedence)) return false;
    if (row.shape != OperatorShape::Infix && (row.compound || TakesPointers(row.kind))) return false;
    if (row.shape != OperatorShape::Call && !row.helper.empty()) return false;
    if (IsComparison(row.kind) != (row.complement != BinaryOp::kCount)) return false;
    if (IsComparison(row.kind) && Info(row.complement).complement != row.kind) return false;
  }
  return true;
}
static_assert(OperatorColumnsAgree());

enum class IncDecOp : uint8_t { PreInc, PreDec, PostInc, PostDec, kCount };

struct IncDecOpInfo {
  IncDecOp kind;
  std::string_view spelling;  // in the text form
  bool prefix;
  BinaryOp step;     // what it does with 1: Add or Sub
  IncDecOp reverse;  // the same place, the other direction
};

ROWS_BEGIN
inline constexpr std::array kIncDecOps = {
    IncDecOpInfo{IncDecOp::PreInc, "++x", true, BinaryOp::Add, IncDecOp::PreDec},
    IncDecOpInfo{IncDecOp::PreDec, "--x", true, BinaryOp::Sub, IncDecOp::PreInc},
    IncDecOpInfo{IncDecOp::PostInc, "x++", false, BinaryOp::Add, IncDecOp::PostDec},
    IncDecOpInfo{IncDecOp::PostDec, "x--", false, BinaryOp::Sub, IncDecOp::PostInc},
};
ROWS_END
static_assert(support::InEnumOrder(kIncDecOps, IncDecOp::kCount));

constexpr const IncDecOpInfo& Info(IncDecOp op) { return kIncDecOps[static_cast<size_t>(op)]; }

}  // namespace assay::lang
