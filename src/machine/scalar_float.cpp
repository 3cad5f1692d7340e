// Floating numbers, computed with those of the machine we run on: IEEE 754, round to nearest, nothing contracted.
//
// Whether a result is exact is decided with integers: a number is an odd integer times a power of two, and a sum,
// product or quotient of two such numbers is one again, or is none that the format holds.
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "machine/scalar.hpp"

namespace assay::machine {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
static_assert(FLT_EVAL_METHOD == 0, "the machine's arithmetic is that of the types");

using lang::FloatMode;
using lang::TypeClass;
using Magnitude = unsigned __int128;

// (-1)^negative * odd * 2^exponent; zero has odd == 0.
struct Parts {
  bool negative = false;
  uint64_t odd = 0;
  int exponent = 0;
};

Parts PartsOf(uint64_t magnitude, bool negative) {
  if (magnitude == 0) return {negative, 0, 0};
  const int zeros = std::countr_zero(magnitude);
  return {negative, magnitude >> zeros, zeros};
}

Parts PartsOf(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  Parts parts = PartsOf(exponent == 0 ? fraction : fraction | uint64_t{1} << 52, bits >> 63 != 0);
  if (parts.odd != 0) parts.exponent += (exponent == 0 ? 1 : exponent) - 1075;
  return parts;
}

int BitLength(Magnitude value) {
  const auto high = static_cast<uint64_t>(value >> 64), low = static_cast<uint64_t>(value);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

template <typename F>
constexpr int kDigits = std::numeric_limits<F>::digits;
template <typename F>
constexpr int kLeastExponent = std::numeric_limits<F>::min_exponent - std::numeric_limits<F>::digits;

// Whether magnitude * 2^exponent is a value of the format, subnormal ones included.
template <typename F>
bool Holds(Magnitude magnitude, int exponent) {
  if (magnitude == 0) return true;
  const auto low = static_cast<uint64_t>(magnitude);
  const int zeros = low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<uint64_t>(magnitude >> 64));
  const int length = BitLength(magnitude) - zeros;
  exponent += zeros;
  return length <= kDigits<F> && exponent >= kLeastExponent<F> &&
         exponent + length <= std::numeric_limits<F>::max_exponent;
}

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
F FromBits(Value value) {
  if constexpr (sizeof(F) == 4) return std::bit_cast<F>(static_cast<uint32_t>(value));
  if constexpr (sizeof(F) == 8) return std::bit_cast<F>(value);
}

template <typename F>
Value ToBits(F value) {
  if constexpr (sizeof(F) == 4) return std::bit_cast<uint32_t>(value);
  if constexpr (sizeof(F) == 8) return std::bit_cast<uint64_t>(value);
}

// All NaNs are one. Where nobody may rely on the sign of zero, a zero has none.
template <typename F>
ScalarResult Finished(FloatMode mode, F value) {
  if (std::isnan(value)) value = std::numeric_limits<F>::quiet_NaN();
  if (mode == FloatMode::Robust && value == 0) value = 0;
  return {ToBits(value)};
}

constexpr ScalarResult kInexact = {0, TrapKind::FloatInexact};

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

double AsDouble(ScalarType type, Value value) {
  return type.bits == 32 ? static_cast<double>(FromBits<float>(value)) : FromBits<double>(value);
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

bool IsAllowed(ScalarType type, Value value) {
  return type.mode == FloatMode::Ieee || std::isfinite(AsDouble(type, value));
}

}  // namespace assay::machine
