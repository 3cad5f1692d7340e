// Floating kinds: their formats, which conversions lose nothing, and the modes that a program's floating point can
// have.
#pragma once

#include <array>
#include <string_view>

#include "lang/integer_kinds.hpp"

namespace assay::lang {

// What a program promises of its floating point, and so which configurations may run it; docs/floating-point.md.
// `lang` only keeps the mode: the machine holds the program to it.
enum class FloatMode : uint8_t {
  Exact,   // every result is a value of its type; no infinity, no NaN; the sign of zero is not observed
  Robust,  // the same, and in whatever order, precision or grouping a compiler computes it
  Ieee,    // IEEE 754 round to nearest, with infinities, NaNs, subnormals and signed zeros
  kCount
};

struct FloatModeInfo {
  FloatMode kind;
  std::string_view name;  // in the text form
};
ROWS_BEGIN
inline constexpr std::array kFloatModes = {
    FloatModeInfo{FloatMode::Exact, "exact"},
    FloatModeInfo{FloatMode::Robust, "robust"},
    FloatModeInfo{FloatMode::Ieee, "ieee"},
};
ROWS_END
static_assert(support::InEnumOrder(kFloatModes, FloatMode::kCount));
constexpr const FloatModeInfo& Info(FloatMode mode) { return kFloatModes[static_cast<size_t>(mode)]; }

// A binary interchange format of IEEE 754.
struct FloatFormat {
  uint8_t bytes;
  uint8_t precision;  // bits of the significand, with the hidden one
  int16_t max_exponent;
};

constexpr FloatFormat FormatOf(TypeKind kind) {
  CHECK_MSG(IsFloat(kind), "not a floating kind: {}", static_cast<int>(kind));
  return kind == TypeKind::Float ? FloatFormat{4, 24, 127} : FloatFormat{8, 53, 1023};
}

// The bits of a value of the kind, for a number that it holds exactly or that is rounded to it; and back.
uint64_t FloatBits(TypeKind kind, double value);
double FloatValue(TypeKind kind, uint64_t bits);
// Neither infinity nor NaN.
bool IsFinite(TypeKind kind, uint64_t bits);
constexpr uint64_t SignBit(TypeKind kind) { return uint64_t{1} << (8 * FormatOf(kind).bytes - 1); }

// Whether every value of `from` is one of `to`, so that the conversion never depends on the mode and is never
// undefined: only these are written without a cast. Both are arithmetic.
constexpr bool ConvertsExactly(TypeKind from, TypeKind to, const DataModel& model) {
  if (!IsFloat(from) && !IsFloat(to)) return true;  // between integers everything is defined, for us
  if (to == TypeKind::Bool) return true;
  if (!IsFloat(to)) return false;
  if (IsFloat(from)) return FormatOf(from).precision <= FormatOf(to).precision;
  if (IsWide(from)) return false;
  const IntegerInfo info = IntegerInfoOf(from, model);
  return info.bits - (info.is_signed ? 1 : 0) <= FormatOf(to).precision;
}

// Usual arithmetic conversions where at least one kind is floating (6.3.1.8).
constexpr TypeKind CommonFloat(TypeKind a, TypeKind b) {
  if (!IsFloat(a)) return b;
  if (!IsFloat(b)) return a;
  return FormatOf(a).precision >= FormatOf(b).precision ? a : b;
}

// Usual arithmetic conversions on promoted kinds of any arithmetic class.
inline TypeKind CommonArithmetic(TypeKind a, TypeKind b, const DataModel& model) {
  if (IsFloat(a) || IsFloat(b)) [[unlikely]]
    return CommonFloat(a, b);
  return CommonKind(a, b, model);
}

}  // namespace assay::lang
