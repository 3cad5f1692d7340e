// Floating numbers as integers: (-1)^negative * odd * 2^exponent. For the files that compute with them.
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "machine/scalar.hpp"

namespace assay::machine {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
static_assert(FLT_EVAL_METHOD == 0, "the machine's arithmetic is that of the types");

using Magnitude = unsigned __int128;

// (-1)^negative * odd * 2^exponent; zero has odd == 0.
struct Parts {
  bool negative = false;
  uint64_t odd = 0;
  int exponent = 0;
};

inline Parts PartsOf(uint64_t magnitude, bool negative) {
  if (magnitude == 0) return {negative, 0, 0};
  const int zeros = std::countr_zero(magnitude);
  return {negative, magnitude >> zeros, zeros};
}

inline Parts PartsOf(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  Parts parts = PartsOf(exponent == 0 ? fraction : fraction | uint64_t{1} << 52, bits >> 63 != 0);
  if (parts.odd != 0) parts.exponent += (exponent == 0 ? 1 : exponent) - 1075;
  return parts;
}

inline int BitLength(Magnitude value) {
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
ScalarResult Finished(lang::FloatMode mode, F value) {
  if (std::isnan(value)) value = std::numeric_limits<F>::quiet_NaN();
  if (mode == lang::FloatMode::Robust && value == 0) value = 0;
  return {ToBits(value)};
}

inline constexpr ScalarResult kInexact = {0, TrapKind::FloatInexact};

inline double AsDouble(ScalarType type, Value value) {
  return type.bits == 32 ? static_cast<double>(FromBits<float>(value)) : FromBits<double>(value);
}

}  // namespace assay::machine
