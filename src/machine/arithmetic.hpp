// Integer arithmetic of C17 6.5 on canonical 64-bit values, for integer types of any width up to 64 bits. Pure: knows
// nothing of programs or memory. Shares nothing with the generator, whose rewrites it has to judge.
#pragma once

#include <cstdint>

#include "lang/ops.hpp"
#include "machine/trap.hpp"

namespace assay::machine {

// An integer type as arithmetic sees it.
struct IntType {
  uint8_t bits = 32;        // including the sign; 1 and unsigned for _Bool
  bool is_signed = true;
  friend bool operator==(IntType, IntType) = default;
};

// The canonical form of the low bits of `value` in `type`: sign- or zero-extended. This is the conversion between
// integer types except to _Bool (out-of-range to signed wraps: implementation-defined, the same in all targets).
inline Value Wrap(IntType type, Value value) {
  // Without a branch: which of the two it is, is as good as random.
  const unsigned unused = 64u - type.bits;
  const Value extended = static_cast<Value>(static_cast<int64_t>(value << unused) >> unused);
  const Value sign_bits = 0 - static_cast<Value>(type.is_signed);
  return extended & (sign_bits | ~static_cast<Value>(0) >> unused);
}

inline bool Fits(IntType type, Value value) { return Wrap(type, value) == value; }

struct IntResult {
  Value value = 0;
  TrapKind trap = TrapKind::None;
};

// lhs op rhs for everything but shifts; both operands are canonical in `type`, the common type. Comparisons give 0 or 1.
IntResult Arithmetic(lang::BinaryOp op, IntType type, Value lhs, Value rhs);

// lhs << rhs and lhs >> rhs: lhs is canonical in `type`, the promoted left type; rhs in its own promoted type (a negative
// count is then a very large one).
IntResult Shift(lang::BinaryOp op, IntType type, Value lhs, Value rhs);

// The operand is canonical in `type`, the promoted type (for LogicalNot: any type).
IntResult Negate(lang::UnaryOp op, IntType type, Value operand);

}  // namespace assay::machine
