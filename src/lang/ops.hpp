// The operators of C, one row per kind.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/table.hpp"

namespace assay::lang {

enum class UnaryOp : uint8_t { Plus, Minus, BitNot, LogicalNot, kCount };

struct UnaryOpInfo {
  UnaryOp kind;
  std::string_view spelling;
};
inline constexpr std::array kUnaryOps = {
    UnaryOpInfo{UnaryOp::Plus, "+"},
    UnaryOpInfo{UnaryOp::Minus, "-"},
    UnaryOpInfo{UnaryOp::BitNot, "~"},
    UnaryOpInfo{UnaryOp::LogicalNot, "!"},
};
static_assert(support::InEnumOrder(kUnaryOps, UnaryOp::kCount));

enum class BinaryOp : uint8_t {
  Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Lt, Gt, Le, Ge, Eq, Ne, kCount
};

// How the operand types make the result type (C17 6.5.5 - 6.5.12).
enum class BinaryClass : uint8_t {
  Arithmetic,  // usual arithmetic conversions; the result has the common type
  Shift,       // each operand is promoted; the result has the left operand's promoted type
  Compare,     // usual arithmetic conversions; the result is int
};

struct BinaryOpInfo {
  BinaryOp kind;
  std::string_view spelling;
  uint8_t precedence;     // larger binds tighter; emit uses the same scale for all operators
  BinaryClass result;
  bool compound;          // has a compound-assignment form
};
inline constexpr std::array kBinaryOps = {
    BinaryOpInfo{BinaryOp::Add, "+", 12, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Sub, "-", 12, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Mul, "*", 13, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Div, "/", 13, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Rem, "%", 13, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Shl, "<<", 11, BinaryClass::Shift, true},
    BinaryOpInfo{BinaryOp::Shr, ">>", 11, BinaryClass::Shift, true},
    BinaryOpInfo{BinaryOp::BitAnd, "&", 8, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::BitOr, "|", 6, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::BitXor, "^", 7, BinaryClass::Arithmetic, true},
    BinaryOpInfo{BinaryOp::Lt, "<", 10, BinaryClass::Compare, false},
    BinaryOpInfo{BinaryOp::Gt, ">", 10, BinaryClass::Compare, false},
    BinaryOpInfo{BinaryOp::Le, "<=", 10, BinaryClass::Compare, false},
    BinaryOpInfo{BinaryOp::Ge, ">=", 10, BinaryClass::Compare, false},
    BinaryOpInfo{BinaryOp::Eq, "==", 9, BinaryClass::Compare, false},
    BinaryOpInfo{BinaryOp::Ne, "!=", 9, BinaryClass::Compare, false},
};
static_assert(support::InEnumOrder(kBinaryOps, BinaryOp::kCount));

constexpr const UnaryOpInfo& Info(UnaryOp op) { return kUnaryOps[static_cast<size_t>(op)]; }
constexpr const BinaryOpInfo& Info(BinaryOp op) { return kBinaryOps[static_cast<size_t>(op)]; }

enum class IncDecOp : uint8_t { PreInc, PreDec, PostInc, PostDec, kCount };

// Library functions and compiler builtins that the machine knows. One row each; the arguments are described where
// ExprKind::Builtin is (expr.hpp).
enum class Builtin : uint8_t {
  Malloc,   // (T*)malloc(count * sizeof(T)): args = {count}; ref_type = T. Never fails. Contents indeterminate.
  Calloc,   // (T*)calloc(count, sizeof(T)): args = {count}; contents zero
  Free,     // free(p)
  Memcpy,   // memcpy(&a, &b, sizeof(T)): args = {pointer to T, pointer to T}; ref_type = T; whole objects only
  Memmove,  // the same, may overlap
  Memset,   // memset(&a, byte, sizeof(T)): args = {pointer, int}; ref_type = T
  Memcmp,   // memcmp(&a, &b, sizeof(T)): result normalised by the emitted text to -1, 0, 1; ref_type = T without padding
  VaStart,  // va_start(ap, last): args = {lvalue of type VaList}
  VaEnd,    // va_end(ap)
  VaArg,    // va_arg(ap, T): ref_type = T
  kCount
};

struct BuiltinInfo {
  Builtin kind;
  std::string_view spelling;
  uint8_t arguments;
  bool sized;   // the emitted call has a final sizeof(T) argument
};
inline constexpr std::array kBuiltins = {
    BuiltinInfo{Builtin::Malloc, "malloc", 1, true},
    BuiltinInfo{Builtin::Calloc, "calloc", 1, true},
    BuiltinInfo{Builtin::Free, "free", 1, false},
    BuiltinInfo{Builtin::Memcpy, "memcpy", 2, true},
    BuiltinInfo{Builtin::Memmove, "memmove", 2, true},
    BuiltinInfo{Builtin::Memset, "memset", 2, true},
    BuiltinInfo{Builtin::Memcmp, "memcmp", 2, true},
    BuiltinInfo{Builtin::VaStart, "__builtin_va_start", 1, false},
    BuiltinInfo{Builtin::VaEnd, "__builtin_va_end", 1, false},
    BuiltinInfo{Builtin::VaArg, "__builtin_va_arg", 1, false},
};
static_assert(support::InEnumOrder(kBuiltins, Builtin::kCount));

constexpr const BuiltinInfo& Info(Builtin builtin) { return kBuiltins[static_cast<size_t>(builtin)]; }

}  // namespace assay::lang
