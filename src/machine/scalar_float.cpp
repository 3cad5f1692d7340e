// Floating numbers, computed with those of the machine we run on: IEEE 754, round to nearest, nothing contracted.
//
// Whether a result is exact is decided with integers: a number is an odd integer times a power of two, and a sum,
// product or quotient of two such numbers is one again, or is none that the format holds.
#include "machine/float_parts.hpp"

namespace assay::machine {
namespace {

using lang::FloatMode;
using lang::TypeClass;
template <typename F>
bool SumIsExact(F a, F b) {
  Parts x = PartsOf(static_cast<double>(a)), y = PartsOf(static_cast<double>(b));
  if (x.odd == 0 || y.odd == 0) return true;
  if (x.exponent < y.exponent) std::swap(x, y);
  const int distance = x.exponent - y.exponent;
  if (distance > kDigits<F> + 1) return false;  // the sum has a bit at either end
  const Magnitude high = static_cast<Magnitude>(x.odd) << distance, low = y.odd;
  const Magnitude sum = x.negative == y.negative ? high + low : high > low ? high - low : low - high;
  return Holds<F>(sum, y.exponent);
}

template <typename F>
bool ProductIsExact(F a, F b) {
  const Parts x = PartsOf(static_cast<double>(a)), y = PartsOf(static_cast<double>(b));
  return Holds<F>(static_cast<Magnitude>(x.odd) * y.odd, x.exponent + y.exponent);
}

// b is not zero.
template <typename F>
bool QuotientIsExact(F a, F b) {
  const Parts x = PartsOf(static_cast<double>(a)), y = PartsOf(static_cast<double>(b));
  return x.odd % y.odd == 0 && Holds<F>(x.odd / y.odd, x.exponent - y.exponent);
}

template <typename F>
ScalarResult Arithmetic(lang::BinaryOp op, FloatMode mode, F a, F b) {
  using lang::BinaryOp;
  const bool ieee = mode == FloatMode::Ieee;
  switch (op) {
    case BinaryOp::Add: return ieee || SumIsExact(a, b) ? Finished(mode, static_cast<F>(a + b)) : kInexact;
    case BinaryOp::Sub:
      return ieee || SumIsExact(a, static_cast<F>(-b)) ? Finished(mode, static_cast<F>(a - b)) : kInexact;
    case BinaryOp::Mul: return ieee || ProductIsExact(a, b) ? Finished(mode, static_cast<F>(a * b)) : kInexact;
    case BinaryOp::Div:
      if (!ieee && b == 0) return {0, TrapKind::DivisionByZero};
      if (mode == FloatMode::Robust && PartsOf(static_cast<double>(b)).odd != 1) return kInexact;  // a * (1 / b)
      return ieee || QuotientIsExact(a, b) ? Finished(mode, static_cast<F>(a / b)) : kInexact;
    case BinaryOp::Lt: return {a < b};
    case BinaryOp::Gt: return {a > b};
    case BinaryOp::Le: return {a <= b};
    case BinaryOp::Ge: return {a >= b};
    case BinaryOp::Eq: return {a == b};
    case BinaryOp::Ne: return {a != b};
    case BinaryOp::Rem:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  CHECK_MSG(false, "there is no {} of floating numbers", lang::Info(op).spelling);
  return {};
}

template <typename F>
ScalarResult FromInteger(ScalarType from, FloatMode mode, Value value) {
  const bool negative = from.is_signed && static_cast<int64_t>(value) < 0;
  const Parts parts = PartsOf(negative ? 0 - value : value, negative);
  if (mode != FloatMode::Ieee && !Holds<F>(parts.odd, parts.exponent)) return kInexact;
  return {ToBits(from.is_signed ? static_cast<F>(static_cast<int64_t>(value)) : static_cast<F>(value))};
}

// Towards zero (6.3.1.4p1).
ScalarResult ToInteger(ScalarType to, double value) {
  if (to.bits == 1) return {!(value == 0)};
  const double whole = std::trunc(value);
  const int bits = to.bits - (to.is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, bits);
  if (!(whole < end && (to.is_signed ? whole >= -end : whole > -1))) return {0, TrapKind::FloatConversion};
  return {to.is_signed ? static_cast<Value>(static_cast<int64_t>(whole)) : static_cast<Value>(whole)};
}

ScalarResult Narrow(FloatMode mode, double value) {
  if (mode != FloatMode::Ieee) {
    const Parts parts = PartsOf(value);
    if (!Holds<float>(parts.odd, parts.exponent)) return kInexact;
  }
  return Finished(mode, static_cast<float>(value));
}

}  // namespace

ScalarResult ConvertFloat(ScalarType from, ScalarType to, Value value) {
  if (from.type_class == TypeClass::Integer) {
    return to.bits == 32 ? FromInteger<float>(from, to.mode, value) : FromInteger<double>(from, to.mode, value);
  }
  if (to.type_class == TypeClass::Integer) return ToInteger(to, AsDouble(from, value));
  if (from.bits == to.bits) return {value};
  if (to.bits == 64) return Finished(to.mode, AsDouble(from, value));
  return Narrow(to.mode, FromBits<double>(value));
}

ScalarResult ApplyFloat(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  if (type.bits == 32) return Arithmetic(op, type.mode, FromBits<float>(lhs), FromBits<float>(rhs));
  return Arithmetic(op, type.mode, FromBits<double>(lhs), FromBits<double>(rhs));
}

ScalarResult ApplyFloat(lang::UnaryOp op, ScalarType type, Value operand) {
  using lang::UnaryOp;
  switch (op) {
    case UnaryOp::Plus: return {operand};
    case UnaryOp::Minus:
      if (IsNaN(type, operand) || (type.mode == FloatMode::Robust && IsFloatZero(type, operand))) return {operand};
      return {operand ^ Value{1} << (type.bits - 1)};
    case UnaryOp::LogicalNot: return {IsFloatZero(type, operand)};
    case UnaryOp::BitNot:
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
  CHECK_MSG(false, "there is no {} of floating numbers", lang::Info(op).spelling);
  return {};
}

bool IsNaN(ScalarType type, Value value) { return std::isnan(AsDouble(type, value)); }

Value SeenBits(ScalarType type, Value value) {
  if (IsNaN(type, value))
    return type.bits == 32 ? ToBits(std::numeric_limits<float>::quiet_NaN())
                           : ToBits(std::numeric_limits<double>::quiet_NaN());
  return type.mode != FloatMode::Ieee && IsFloatZero(type, value) ? 0 : value;
}

// A signalling NaN has the first bit of its fraction clear. Compilers may drop what would make it a quiet one (x * 1),
// and libraries do not treat the two alike.
bool IsAllowed(ScalarType type, Value value) {
  if (type.mode != FloatMode::Ieee) return std::isfinite(AsDouble(type, value));
  const int quiet = type.bits == 32 ? 22 : 51;
  return !IsNaN(type, value) || (value >> quiet & 1) != 0;
}

}  // namespace assay::machine
