// Integers of 128 bits (C17 6.5, 6.3.1): their bits are computed as unsigned numbers, what is beyond a signed one is
// told by signs and magnitudes.
#include "machine/float_parts.hpp"

namespace assay::machine {
namespace {

using lang::BinaryOp;

constexpr WideBits kSign = WideBits{1} << 127;

bool IsNegative(WideBits bits) { return (bits & kSign) != 0; }
WideBits MagnitudeOf(WideBits bits) { return IsNegative(bits) ? 0 - bits : bits; }

WideResult Multiply(bool is_signed, WideBits lhs, WideBits rhs) {
  const WideBits product = lhs * rhs;
  if (!is_signed || lhs == 0 || rhs == 0) return {product};
  const bool negative = IsNegative(lhs) != IsNegative(rhs);
  const WideBits most = negative ? kSign : kSign - 1;  // the largest magnitude that fits
  if (MagnitudeOf(lhs) > most / MagnitudeOf(rhs)) return {0, TrapKind::SignedOverflow};
  return {product};
}

WideResult Divide(BinaryOp op, bool is_signed, WideBits lhs, WideBits rhs) {
  if (rhs == 0) return {0, TrapKind::DivisionByZero};
  const bool quotient = op == BinaryOp::Div;
  if (!is_signed) return {quotient ? lhs / rhs : lhs % rhs};
  if (lhs == kSign && rhs == ~WideBits{0}) return {0, TrapKind::DivisionOverflow};
  // Towards zero; the remainder has the sign of the dividend (6.5.5p6).
  const WideBits a = MagnitudeOf(lhs), b = MagnitudeOf(rhs);
  const WideBits magnitude = quotient ? a / b : a % b;
  const bool negative = quotient ? IsNegative(lhs) != IsNegative(rhs) : IsNegative(lhs);
  return {negative ? 0 - magnitude : magnitude};
}

template <typename F>
ScalarResult FromMagnitude(lang::FloatMode mode, bool negative, WideBits magnitude) {
  if (mode != lang::FloatMode::Ieee && !Holds<F>(magnitude, 0)) return kInexact;
  // Round to nearest, ties to even: at most 64 bits are left, of which the last one stands for all that were cut off.
  const int cut = std::max(BitLength(magnitude) - 64, 0);
  Value kept = static_cast<Value>(magnitude >> cut);
  if (cut > 0 && (magnitude & ((WideBits{1} << cut) - 1)) != 0) kept |= 1;
  const F value = std::ldexp(static_cast<F>(kept), cut);
  if (std::isinf(value)) return {0, TrapKind::FloatConversion};  // 6.3.1.4p2
  return {ToBits(negative ? -value : value)};
}

}  // namespace

WideResult ApplyWide(BinaryOp op, bool is_signed, WideBits lhs, WideBits rhs) {
  switch (op) {
    case BinaryOp::Add: {
      const WideBits sum = lhs + rhs;
      const bool overflow = is_signed && IsNegative(lhs) == IsNegative(rhs) && IsNegative(sum) != IsNegative(lhs);
      return {sum, overflow ? TrapKind::SignedOverflow : TrapKind::None};
    }
    case BinaryOp::Sub: {
      const WideBits difference = lhs - rhs;
      const bool overflow =
          is_signed && IsNegative(lhs) != IsNegative(rhs) && IsNegative(difference) != IsNegative(lhs);
      return {difference, overflow ? TrapKind::SignedOverflow : TrapKind::None};
    }
    case BinaryOp::Mul: return Multiply(is_signed, lhs, rhs);
    case BinaryOp::Div:
    case BinaryOp::Rem: return Divide(op, is_signed, lhs, rhs);
    case BinaryOp::BitAnd: return {lhs & rhs};
    case BinaryOp::BitOr: return {lhs | rhs};
    case BinaryOp::BitXor: return {lhs ^ rhs};
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  CHECK_MSG(false, "there is no {} of wide integers here", lang::Info(op).spelling);
  return {};
}

WideResult ShiftWide(BinaryOp op, bool is_signed, WideBits lhs, Value count) {
  if (count >= 128) return {0, TrapKind::ShiftCount};
  const WideBits filled = is_signed && IsNegative(lhs) ? ~WideBits{0} : 0;
  if (op == BinaryOp::Shr) return {count == 0 ? lhs : lhs >> count | filled << (128 - count)};
  const WideBits shifted = lhs << count;
  // Not negative, and what comes out is not either and has lost nothing (6.5.7p4).
  if (is_signed && (IsNegative(lhs) || IsNegative(shifted) || shifted >> count != lhs)) return {0, TrapKind::ShiftSign};
  return {shifted};
}

bool CompareWide(BinaryOp op, bool is_signed, WideBits lhs, WideBits rhs) {
  if (is_signed) {  // the order of the numbers is that of the bits with the sign turned over
    lhs ^= kSign;
    rhs ^= kSign;
  }
  switch (op) {
    case BinaryOp::Lt: return lhs < rhs;
    case BinaryOp::Gt: return lhs > rhs;
    case BinaryOp::Le: return lhs <= rhs;
    case BinaryOp::Ge: return lhs >= rhs;
    case BinaryOp::Eq: return lhs == rhs;
    case BinaryOp::Ne: return lhs != rhs;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Rem:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  CHECK_MSG(false, "{} is no comparison", lang::Info(op).spelling);
  return false;
}

WideResult ApplyWide(lang::UnaryOp op, bool is_signed, WideBits operand) {
  using lang::UnaryOp;
  switch (op) {
    case UnaryOp::Plus: return {operand};
    case UnaryOp::Minus:
      return {0 - operand, is_signed && operand == kSign ? TrapKind::SignedOverflow : TrapKind::None};
    case UnaryOp::BitNot: return {~operand};
    case UnaryOp::LogicalNot:
    case UnaryOp::Popcount:
    case UnaryOp::Parity:
    case UnaryOp::Ffs:
    case UnaryOp::Clz:
    case UnaryOp::Ctz:
    case UnaryOp::Clrsb:
    case UnaryOp::Abs:
    case UnaryOp::Bswap16:
    case UnaryOp::Bswap32:
    case UnaryOp::Bswap64:
    case UnaryOp::kCount: break;
  }
  CHECK_MSG(false, "there is no {} of wide integers here", lang::Info(op).spelling);
  return {};
}

ScalarResult FloatOfWide(bool is_signed, ScalarType to, WideBits value) {
  const bool negative = is_signed && IsNegative(value);
  const WideBits magnitude = negative ? MagnitudeOf(value) : value;
  return to.bits == 32 ? FromMagnitude<float>(to.mode, negative, magnitude)
                       : FromMagnitude<double>(to.mode, negative, magnitude);
}

// Towards zero (6.3.1.4p1).
WideResult WideOfFloat(ScalarType from, bool is_signed, Value value) {
  const double number = AsDouble(from, value);
  const double whole = std::trunc(number);
  const double end = std::ldexp(1.0, is_signed ? 127 : 128);
  if (!(whole < end && (is_signed ? whole >= -end : whole > -1))) return {0, TrapKind::FloatConversion};
  const Parts parts = PartsOf(whole);  // an integer: odd << exponent
  const WideBits magnitude = static_cast<WideBits>(parts.odd) << parts.exponent;
  return {parts.negative ? 0 - magnitude : magnitude};
}

}  // namespace assay::machine
