// Integers of any width up to 64 bits (C17 6.5).
#include <bit>

#include "machine/scalar.hpp"

namespace assay::machine {
namespace {

// Wide enough for the exact result of one + - or * of two 64-bit values.
using Wide = __int128;

Wide Exact(ScalarType type, Value value) {
  return type.is_signed ? static_cast<Wide>(static_cast<int64_t>(value)) : static_cast<Wide>(value);
}

// The exact result in `type`: wraps if unsigned, traps if signed and out of range.
ScalarResult Finish(ScalarType type, Wide exact) {
  const Value value = Wrap(type, static_cast<Value>(static_cast<unsigned __int128>(exact)));
  if (type.is_signed && Exact(type, value) != exact) return {0, TrapKind::SignedOverflow};
  return {value};
}

ScalarResult Divide(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  if (rhs == 0) return {0, TrapKind::DivisionByZero};
  const bool quotient = op == lang::BinaryOp::Div;
  if (!type.is_signed) return {quotient ? lhs / rhs : lhs % rhs};
  if (rhs == ~static_cast<Value>(0)) {
    const ScalarResult negated = ApplyInteger(lang::UnaryOp::Minus, type, lhs);
    if (negated.trap != TrapKind::None) return {0, TrapKind::DivisionOverflow};
    return {quotient ? negated.value : 0};
  }
  const int64_t a = static_cast<int64_t>(lhs), b = static_cast<int64_t>(rhs);
  return {static_cast<Value>(quotient ? a / b : a % b)};
}

bool Less(ScalarType type, Value lhs, Value rhs) {
  return type.is_signed ? static_cast<int64_t>(lhs) < static_cast<int64_t>(rhs) : lhs < rhs;
}

ScalarResult Shift(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  if (rhs >= type.bits) return {0, TrapKind::ShiftCount};
  if (op == lang::BinaryOp::Shr) {
    if (type.is_signed) return {static_cast<Value>(static_cast<int64_t>(lhs) >> rhs)};
    return {lhs >> rhs};
  }
  if (!type.is_signed) return {Wrap(type, lhs << rhs)};
  // E1 x 2^E2 must be representable in the (signed) result type, and E1 not negative.
  if (static_cast<int64_t>(lhs) < 0) return {0, TrapKind::ShiftSign};
  const Wide exact = static_cast<Wide>(lhs) << rhs;
  const Value value = Wrap(type, static_cast<Value>(exact));
  if (Exact(type, value) != exact) return {0, TrapKind::ShiftSign};
  return {value};
}

}  // namespace

ScalarResult ApplyInteger(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  using lang::BinaryOp;
  switch (op) {
    case BinaryOp::Add: {
      if (type.bits < 64) {
        const Value sum = lhs + rhs, value = Wrap(type, sum);
        if (type.is_signed && value != sum) return {0, TrapKind::SignedOverflow};
        return {value};
      }
      return Finish(type, Exact(type, lhs) + Exact(type, rhs));
    }
    case BinaryOp::Sub: {
      if (type.bits < 64) {
        const Value difference = lhs - rhs, value = Wrap(type, difference);
        if (type.is_signed && value != difference) return {0, TrapKind::SignedOverflow};
        return {value};
      }
      return Finish(type, Exact(type, lhs) - Exact(type, rhs));
    }
    case BinaryOp::Mul:
      if (!type.is_signed) return {Wrap(type, lhs * rhs)};
      return Finish(type, Exact(type, lhs) * Exact(type, rhs));
    case BinaryOp::Div:
    case BinaryOp::Rem: return Divide(op, type, lhs, rhs);
    case BinaryOp::BitAnd: return {lhs & rhs};
    case BinaryOp::BitOr: return {lhs | rhs};
    case BinaryOp::BitXor: return {lhs ^ rhs};
    case BinaryOp::Lt: return {Less(type, lhs, rhs)};
    case BinaryOp::Gt: return {Less(type, rhs, lhs)};
    case BinaryOp::Le: return {!Less(type, rhs, lhs)};
    case BinaryOp::Ge: return {!Less(type, lhs, rhs)};
    case BinaryOp::Eq: return {lhs == rhs};
    case BinaryOp::Ne: return {lhs != rhs};
    case BinaryOp::Shl:
    case BinaryOp::Shr: return Shift(op, type, lhs, rhs);
    case BinaryOp::RotateLeft: {
      const uint32_t left = static_cast<uint32_t>(rhs % type.bits);
      return {Wrap(type, left == 0 ? lhs : lhs << left | lhs >> (type.bits - left))};
    }
    case BinaryOp::kCount: break;
  }
  CHECK_MSG(false, "no such operator: {}", static_cast<int>(op));
  return {};
}

ScalarResult ApplyInteger(lang::UnaryOp op, ScalarType type, Value operand) {
  using lang::UnaryOp;
  switch (op) {
    case UnaryOp::Plus: return {operand};
    case UnaryOp::Minus: return Finish(type, -Exact(type, operand));
    case UnaryOp::BitNot: return {Wrap(type, ~operand)};
    case UnaryOp::LogicalNot: return {operand == 0};
    case UnaryOp::Popcount: return {static_cast<Value>(std::popcount(operand))};
    case UnaryOp::Parity: return {static_cast<Value>(std::popcount(operand) & 1)};
    case UnaryOp::Ffs: return {operand == 0 ? 0 : static_cast<Value>(std::countr_zero(operand)) + 1};
    case UnaryOp::Clz:
      if (operand == 0) return {0, TrapKind::BitOfZero};
      return {static_cast<Value>(std::countl_zero(operand)) - (64u - type.bits)};
    case UnaryOp::Ctz:
      if (operand == 0) return {0, TrapKind::BitOfZero};
      return {static_cast<Value>(std::countr_zero(operand))};
    case UnaryOp::Clrsb: {  // the bits below the sign that are equal to it
      const Value different = operand ^ static_cast<Value>(static_cast<int64_t>(operand) >> 63);
      return {static_cast<Value>(std::countl_zero(different)) - (64u - type.bits) - 1};
    }
    case UnaryOp::Abs:
      return static_cast<int64_t>(operand) < 0 ? Finish(type, -Exact(type, operand)) : ScalarResult{operand};
    case UnaryOp::Bswap16:
    case UnaryOp::Bswap32:
    case UnaryOp::Bswap64: {
      Value swapped = 0;
      for (unsigned at = 0; at < type.bits; at += 8) swapped = swapped << 8 | ((operand >> at) & 0xff);
      return {swapped};
    }
    case UnaryOp::kCount: break;
  }
  CHECK(false);
  return {};
}

}  // namespace assay::machine
