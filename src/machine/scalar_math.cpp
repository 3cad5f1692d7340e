// The functions of <math.h> that IEEE 754 defines to the last bit, and those that classify numbers (C17 7.12, F.10).
// docs/floating-point.md says what traps in which mode.
#include "lang/builtin_families.hpp"
#include "machine/float_parts.hpp"

namespace assay::machine {
namespace {

using lang::Builtin;
using lang::FloatMode;

constexpr ScalarResult kSign = {0, TrapKind::FloatSign};

// What may be asked for its sign: a number, of a zero only where the mode has one.
template <typename F>
bool HasSign(FloatMode mode, F value) {
  return !std::isnan(value) && (value != 0 || mode == FloatMode::Ieee);
}

// Two zeros of different signs: either may be the result (F.10.9.2), so that nobody knows its sign.
template <typename F>
ScalarResult Extreme(FloatMode mode, F a, F b, bool largest) {
  if (std::isnan(a)) return Finished(mode, b);
  if (std::isnan(b)) return Finished(mode, a);
  if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b) && mode != FloatMode::Robust) return kSign;
  return Finished(mode, (largest ? a > b : a < b) ? a : b);
}

template <typename F>
bool RootIsExact(F value) {
  Parts parts = PartsOf(static_cast<double>(value));
  if (parts.odd == 0) return true;
  if (parts.negative) return false;
  Magnitude square = parts.odd;
  if (parts.exponent % 2 != 0) square *= 2;
  const auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(square)));
  return Magnitude{root} * root == square;  // at most 54 bits: the root has 27, and its double none lost
}

template <typename F>
ScalarResult Root(FloatMode mode, F value) {
  if (mode == FloatMode::Robust) return kInexact;  // -ffast-math may take the hardware's estimate
  if (mode == FloatMode::Exact && !RootIsExact(value)) return kInexact;
  return Finished(mode, static_cast<F>(std::sqrt(value)));
}

// Whether a * b + c is a value of the format; the product itself need not be one.
template <typename F>
bool FusedIsExact(F a, F b, F c) {
  const Parts x = PartsOf(static_cast<double>(a)), y = PartsOf(static_cast<double>(b));
  const Parts z = PartsOf(static_cast<double>(c));
  Magnitude product = static_cast<Magnitude>(x.odd) * y.odd, added = z.odd;
  int exponent = x.exponent + y.exponent;
  if (product == 0) return true;
  if (added == 0) return Holds<F>(product, exponent);
  // The one with the larger exponent is shifted. If that does not fit, its top is too far from the last bit of the
  // other one, which stays the last bit of the sum: both are odd.
  constexpr int kMost = 120;
  const int distance = exponent - z.exponent;
  if (distance > 0) {
    if (BitLength(product) + distance > kMost) return false;
    product <<= distance;
    exponent = z.exponent;
  } else if (distance < 0) {
    if (BitLength(added) - distance > kMost) return false;
    added <<= -distance;
  }
  const bool same_sign = (x.negative != y.negative) == z.negative;
  const Magnitude sum = same_sign ? product + added : product > added ? product - added : added - product;
  return Holds<F>(sum, exponent);
}

template <typename F>
ScalarResult Fused(FloatMode mode, F a, F b, F c) {
  const bool exact = mode == FloatMode::Exact    ? FusedIsExact(a, b, c)
                     : mode == FloatMode::Robust ? FusedIsExact(a, b, F{0}) && FusedIsExact(a, b, c)
                                                 : true;
  return exact ? Finished(mode, static_cast<F>(std::fma(a, b, c))) : kInexact;
}

template <typename F>
ScalarResult Scaled(FloatMode mode, F value, int power) {
  if (mode != FloatMode::Ieee && value != 0) {
    const Parts parts = PartsOf(static_cast<double>(value));
    if (power < -5000 || power > 5000 || !Holds<F>(parts.odd, parts.exponent + power)) return kInexact;
  }
  return Finished(mode, static_cast<F>(std::ldexp(value, power)));
}

template <typename F>
ScalarResult Compute(Builtin function, FloatMode mode, std::span<const Value> arguments) {
  const F a = FromBits<F>(arguments[0]);
  const auto second = [&] { return FromBits<F>(arguments[1]); };
  switch (function) {
    case Builtin::Fabs: return Finished(mode, std::fabs(a));
    case Builtin::CopySign: return HasSign(mode, second()) ? Finished(mode, std::copysign(a, second())) : kSign;
    case Builtin::Floor: return Finished(mode, std::floor(a));
    case Builtin::Ceil: return Finished(mode, std::ceil(a));
    case Builtin::Trunc: return Finished(mode, std::trunc(a));
    case Builtin::Rint:
    case Builtin::NearbyInt: return Finished(mode, std::nearbyint(a));
    case Builtin::Round: return Finished(mode, std::round(a));
    case Builtin::Fmin: return Extreme(mode, a, second(), false);
    case Builtin::Fmax: return Extreme(mode, a, second(), true);
    case Builtin::Sqrt: return Root(mode, a);
    case Builtin::Fma: return Fused(mode, a, second(), FromBits<F>(arguments[2]));
    case Builtin::Ldexp:
    case Builtin::Scalbn: return Scaled(mode, a, static_cast<int>(static_cast<int64_t>(arguments[1])));
    case Builtin::IsNaN: return {std::isnan(a)};
    case Builtin::IsInf: return {std::isinf(a)};
    case Builtin::IsFinite: return {std::isfinite(a)};
    case Builtin::SignBit: return HasSign(mode, a) ? ScalarResult{std::signbit(a)} : kSign;
    case Builtin::IsGreater: return {std::isgreater(a, second())};
    case Builtin::IsGreaterEqual: return {std::isgreaterequal(a, second())};
    case Builtin::IsLess: return {std::isless(a, second())};
    case Builtin::IsLessEqual: return {std::islessequal(a, second())};
    case Builtin::IsLessGreater: return {std::islessgreater(a, second())};
    case Builtin::IsUnordered: return {std::isunordered(a, second())};
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_ARGUMENT_LIST_BUILTINS:
    case ASSAY_CHECKED_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_ATOMIC_BUILTINS:
    case ASSAY_STRING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
    case Builtin::kCount: break;
  }
  CHECK_MSG(false, "{} is no function of floating numbers", lang::Info(function).spelling);
  return {};
}

}  // namespace

ScalarResult ApplyMath(Builtin function, ScalarType type, std::span<const Value> arguments) {
  return type.bits == 32 ? Compute<float>(function, type.mode, arguments)
                         : Compute<double>(function, type.mode, arguments);
}

}  // namespace assay::machine
