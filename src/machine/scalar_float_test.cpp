// Floating arithmetic, conversions and comparisons against MPFR: the same results in the mode `ieee`, and a trap in the
// mode `exact` exactly where MPFR says that a result is not exact or not finite. ASSAY_MPFR_ROUNDS says how many random
// operations per type and operator (bench/float_soak.sh: a million).
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <span>

#include "machine/float_note.hpp"
#include "machine/scalar.hpp"

namespace assay::machine {
namespace {

using lang::BinaryOp;
using lang::FloatMode;
using lang::TypeKind;

uint64_t Rounds() {
  const char* rounds = std::getenv("ASSAY_MPFR_ROUNDS");
  return rounds == nullptr ? 4000 : std::strtoull(rounds, nullptr, 10);
}

ScalarType Of(TypeKind kind, FloatMode mode) {
  return ScalarType::Float(static_cast<uint8_t>(8 * lang::FormatOf(kind).bytes), mode);
}

// Numbers of a format by MPFR, subnormals included: its exponent range is that of the format for a computation.
class Format {
 public:
  explicit Format(TypeKind kind) : kind_(kind) {
    const lang::FloatFormat format = lang::FormatOf(kind);
    mpfr_set_emax(format.max_exponent + 1);
    mpfr_set_emin(3 - format.max_exponent - format.precision);
    mpfr_inits2(format.precision, a, b, c, r, static_cast<mpfr_ptr>(nullptr));
  }
  ~Format() {
    mpfr_clears(a, b, c, r, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  // Of the ternary value of an operation with the result r: the rounded bits; whether they are exact.
  uint64_t Bits(int ternary) {
    inexact_ = mpfr_subnormalize(r, ternary, MPFR_RNDN) != 0;
    if (mpfr_nan_p(r) != 0) return lang::FloatBits(kind_, std::numeric_limits<double>::quiet_NaN());
    return lang::FloatBits(kind_, mpfr_get_d(r, MPFR_RNDN));
  }
  bool Exact() const { return !inexact_ && mpfr_number_p(r) != 0; }
  mpfr_t a, b, c, r;

 private:
  TypeKind kind_;
  bool inexact_ = false;
};

// Any bits; near the ends of the format; few significant bits; the like of another number.
// Random numbers; the machine knows no other room that makes them.
class Draws {
 public:
  explicit Draws(uint64_t seed) : engine_(seed) {}
  uint64_t Bits() { return engine_(); }
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(engine_() % bound); }
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  bool Coin() { return engine_() >> 63 != 0; }

 private:
  std::mt19937_64 engine_;  // the standard says what it gives
};

uint64_t DrawBits(Draws& choices, TypeKind kind, uint64_t other) {
  const int width = 8 * lang::FormatOf(kind).bytes, fraction = lang::FormatOf(kind).precision - 1;
  const uint64_t mask = width == 64 ? ~uint64_t{0} : 0xffffffff;
  uint64_t bits = choices.Bits() & mask;
  switch (choices.Below(8)) {
    case 0: bits &= (uint64_t{1} << fraction) - 1; break;           // subnormal
    case 1: bits &= ~((uint64_t{1} << (fraction - 2)) - 1); break;  // few bits
    case 2: bits = lang::FloatBits(kind, static_cast<double>(choices.Between(-9, 9))); break;
    case 3: bits = other + static_cast<uint64_t>(choices.Between(-3, 3)); break;
    case 4: bits = (other & (mask << fraction)) | (bits & ((uint64_t{1} << fraction) - 1)); break;
    case 5: bits = lang::FloatBits(kind, std::ldexp(1.0, static_cast<int>(choices.Between(-160, 160)))); break;
    case 6: bits = lang::FloatBits(kind, static_cast<double>(choices.Between(-100000, 100000)) / 64); break;
    default: break;
  }
  bits &= mask;
  if (lang::FloatValue(kind, bits) != lang::FloatValue(kind, bits))
    return lang::FloatBits(kind, std::numeric_limits<double>::quiet_NaN());
  return bits;
}

int Compute(BinaryOp op, Format& f) {
  switch (op) {
    case BinaryOp::Add: return mpfr_add(f.r, f.a, f.b, MPFR_RNDN);
    case BinaryOp::Sub: return mpfr_sub(f.r, f.a, f.b, MPFR_RNDN);
    case BinaryOp::Mul: return mpfr_mul(f.r, f.a, f.b, MPFR_RNDN);
    default: return mpfr_div(f.r, f.a, f.b, MPFR_RNDN);
  }
}

class FloatAgainstMpfr : public ::testing::TestWithParam<TypeKind> {};

TEST_P(FloatAgainstMpfr, Arithmetic) {
  const TypeKind kind = GetParam();
  Draws choices(3);
  for (BinaryOp op : {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div}) {
    Format f(kind);
    uint64_t exact = 0;
    for (uint64_t i = 0; i < Rounds(); ++i) {
      const uint64_t a = DrawBits(choices, kind, i), b = DrawBits(choices, kind, a);
      mpfr_set_d(f.a, lang::FloatValue(kind, a), MPFR_RNDN);
      mpfr_set_d(f.b, lang::FloatValue(kind, b), MPFR_RNDN);
      const uint64_t expected = f.Bits(Compute(op, f));
      const ScalarResult ieee = Apply(op, Of(kind, FloatMode::Ieee), a, b);
      ASSERT_EQ(ieee.trap, TrapKind::None);
      ASSERT_EQ(ieee.value, expected) << lang::Info(op).spelling << std::hex << ' ' << a << ' ' << b;
      if (!lang::IsFinite(kind, a) || !lang::IsFinite(kind, b)) continue;  // no operands of the other modes
      const ScalarResult held = Apply(op, Of(kind, FloatMode::Exact), a, b);
      exact += f.Exact();
      ASSERT_EQ(held.trap == TrapKind::None, f.Exact()) << lang::Info(op).spelling << std::hex << ' ' << a << ' ' << b;
      if (f.Exact()) {
        ASSERT_EQ(held.value, expected);
      }
    }
    EXPECT_GT(exact, Rounds() / 20) << lang::Info(op).spelling;
  }
}

// The number of the function by MPFR; `power` is the one of ldexp.
int ComputeMath(lang::Builtin function, Format& f, long power) {
  using lang::Builtin;
  switch (function) {
    case Builtin::Fabs: return mpfr_abs(f.r, f.a, MPFR_RNDN);
    case Builtin::CopySign: return mpfr_copysign(f.r, f.a, f.b, MPFR_RNDN);
    case Builtin::Floor: mpfr_floor(f.r, f.a); return 0;
    case Builtin::Ceil: mpfr_ceil(f.r, f.a); return 0;
    case Builtin::Trunc: mpfr_trunc(f.r, f.a); return 0;
    case Builtin::Rint:
    case Builtin::NearbyInt: mpfr_rint(f.r, f.a, MPFR_RNDN); return 0;
    case Builtin::Round: mpfr_round(f.r, f.a); return 0;
    case Builtin::Fmin: return mpfr_min(f.r, f.a, f.b, MPFR_RNDN);
    case Builtin::Fmax: return mpfr_max(f.r, f.a, f.b, MPFR_RNDN);
    case Builtin::Sqrt: return mpfr_sqrt(f.r, f.a, MPFR_RNDN);
    case Builtin::Fma: return mpfr_fma(f.r, f.a, f.b, f.c, MPFR_RNDN);
    default: return mpfr_mul_2si(f.r, f.a, power, MPFR_RNDN);
  }
}

TEST_P(FloatAgainstMpfr, Functions) {
  using lang::Builtin;
  const TypeKind kind = GetParam();
  Draws choices(9);
  for (const lang::BuiltinInfo& row : lang::kBuiltins) {
    if (row.result != lang::BuiltinResult::Floating) continue;
    const bool scaled = row.operands == lang::BuiltinOperands::Scaled;
    Format f(kind);
    uint64_t exact = 0;
    for (uint64_t i = 0; i < Rounds(); ++i) {
      uint64_t a = DrawBits(choices, kind, i);
      const uint64_t b = DrawBits(choices, kind, a);
      uint64_t c = DrawBits(choices, kind, b);
      if (row.kind == Builtin::Sqrt && choices.Coin()) {  // a square
        const double root = static_cast<double>(choices.Below(1u << 12)) / 64;
        a = lang::FloatBits(kind, root * root);
      }
      if (row.kind == Builtin::Fma && choices.Coin()) {  // much of it is cancelled
        c = lang::FloatBits(kind, -lang::FloatValue(kind, a) * lang::FloatValue(kind, b));
        if (lang::FloatValue(kind, c) != lang::FloatValue(kind, c)) c = 0;
      }
      const int64_t power = choices.Coin() ? choices.Between(-2200, 2200) : choices.Between(-20, 20);
      mpfr_set_d(f.a, lang::FloatValue(kind, a), MPFR_RNDN);
      mpfr_set_d(f.b, lang::FloatValue(kind, b), MPFR_RNDN);
      mpfr_set_d(f.c, lang::FloatValue(kind, c), MPFR_RNDN);
      const Value arguments[] = {a, scaled ? static_cast<Value>(power) : b, c};
      const std::span<const Value> given(arguments, row.arguments);
      const uint64_t expected = f.Bits(ComputeMath(row.kind, f, static_cast<long>(power)));
      const ScalarResult ieee = ApplyMath(row.kind, Of(kind, FloatMode::Ieee), given);
      const bool no_sign = row.kind == Builtin::CopySign
                               ? mpfr_nan_p(f.b) != 0
                               : (row.kind == Builtin::Fmin || row.kind == Builtin::Fmax) && mpfr_zero_p(f.a) != 0 &&
                                     mpfr_zero_p(f.b) != 0 && mpfr_signbit(f.a) != mpfr_signbit(f.b);
      ASSERT_EQ(ieee.trap, no_sign ? TrapKind::FloatSign : TrapKind::None) << row.spelling;
      if (!no_sign) {
        ASSERT_EQ(ieee.value, expected) << row.spelling << std::hex << ' ' << a << ' ' << b << ' ' << c << ' ' << power;
      }
      bool finite = lang::IsFinite(kind, a);
      if (row.arguments > 1 && !scaled) finite = finite && lang::IsFinite(kind, b);
      if (row.arguments > 2) finite = finite && lang::IsFinite(kind, c);
      if (!finite || no_sign) continue;
      const ScalarResult held = ApplyMath(row.kind, Of(kind, FloatMode::Exact), given);
      exact += f.Exact();
      if (row.kind == Builtin::CopySign && mpfr_zero_p(f.b) != 0) {
        ASSERT_EQ(held.trap, TrapKind::FloatSign);
        continue;
      }
      ASSERT_EQ(held.trap, f.Exact() ? TrapKind::None : TrapKind::FloatInexact)
          << row.spelling << std::hex << ' ' << a << ' ' << b << ' ' << c << ' ' << power;
      if (f.Exact()) {
        ASSERT_EQ(held.value, expected);
      }
    }
    EXPECT_GT(exact, Rounds() / 20) << row.spelling;
  }
}

TEST_P(FloatAgainstMpfr, Classes) {
  using lang::Builtin;
  const TypeKind kind = GetParam();
  Draws choices(10);
  Format f(kind);
  const ScalarType type = Of(kind, FloatMode::Ieee);
  for (uint64_t i = 0; i < Rounds(); ++i) {
    const uint64_t a = DrawBits(choices, kind, i), b = DrawBits(choices, kind, a);
    mpfr_set_d(f.a, lang::FloatValue(kind, a), MPFR_RNDN);
    mpfr_set_d(f.b, lang::FloatValue(kind, b), MPFR_RNDN);
    const Value arguments[] = {a, b};
    const auto truth = [&](Builtin function) {
      const ScalarResult result = ApplyMath(function, type, {arguments, lang::Info(function).arguments});
      EXPECT_EQ(result.trap, TrapKind::None);
      return result.value == 1;
    };
    const bool less = mpfr_less_p(f.a, f.b) != 0, equal = mpfr_equal_p(f.a, f.b) != 0;
    const bool greater = mpfr_greater_p(f.a, f.b) != 0;
    ASSERT_EQ(truth(Builtin::IsNaN), mpfr_nan_p(f.a) != 0);
    ASSERT_EQ(truth(Builtin::IsInf), mpfr_inf_p(f.a) != 0);
    ASSERT_EQ(truth(Builtin::IsFinite), mpfr_number_p(f.a) != 0);
    if (mpfr_nan_p(f.a) == 0) {
      ASSERT_EQ(truth(Builtin::SignBit), mpfr_signbit(f.a) != 0);
    }
    ASSERT_EQ(truth(Builtin::IsGreater), greater);
    ASSERT_EQ(truth(Builtin::IsGreaterEqual), greater || equal);
    ASSERT_EQ(truth(Builtin::IsLess), less);
    ASSERT_EQ(truth(Builtin::IsLessEqual), less || equal);
    ASSERT_EQ(truth(Builtin::IsLessGreater), less || greater);
    ASSERT_EQ(truth(Builtin::IsUnordered), !less && !equal && !greater);
  }
}

TEST_P(FloatAgainstMpfr, Comparisons) {
  const TypeKind kind = GetParam();
  Draws choices(4);
  Format f(kind);
  for (uint64_t i = 0; i < Rounds(); ++i) {
    const uint64_t a = DrawBits(choices, kind, i), b = DrawBits(choices, kind, a);
    mpfr_set_d(f.a, lang::FloatValue(kind, a), MPFR_RNDN);
    mpfr_set_d(f.b, lang::FloatValue(kind, b), MPFR_RNDN);
    const ScalarType type = Of(kind, FloatMode::Ieee);
    const bool less = mpfr_less_p(f.a, f.b) != 0, equal = mpfr_equal_p(f.a, f.b) != 0;
    const bool greater = mpfr_greater_p(f.a, f.b) != 0;
    ASSERT_EQ(Apply(BinaryOp::Lt, type, a, b).value, less);
    ASSERT_EQ(Apply(BinaryOp::Le, type, a, b).value, less || equal);
    ASSERT_EQ(Apply(BinaryOp::Gt, type, a, b).value, greater);
    ASSERT_EQ(Apply(BinaryOp::Ge, type, a, b).value, greater || equal);
    ASSERT_EQ(Apply(BinaryOp::Eq, type, a, b).value, equal);
    ASSERT_EQ(Apply(BinaryOp::Ne, type, a, b).value, !equal);
  }
}

TEST_P(FloatAgainstMpfr, FromIntegers) {
  const TypeKind kind = GetParam();
  Draws choices(5);
  Format f(kind);
  for (bool is_signed : {true, false}) {
    for (uint64_t i = 0; i < Rounds(); ++i) {
      const uint8_t bits = static_cast<uint8_t>(8u << choices.Below(4));
      const ScalarType from = ScalarType::Integer(bits, is_signed);
      Value value = Wrap(from, choices.Bits() >> choices.Below(64));
      if (choices.Coin()) value = Wrap(from, value & (~uint64_t{0} << choices.Below(40)));
      const int ternary =
          is_signed ? mpfr_set_sj(f.r, static_cast<int64_t>(value), MPFR_RNDN) : mpfr_set_uj(f.r, value, MPFR_RNDN);
      const uint64_t expected = f.Bits(ternary);
      ASSERT_EQ(ConvertFloat(from, Of(kind, FloatMode::Ieee), value).value, expected) << value;
      const ScalarResult held = ConvertFloat(from, Of(kind, FloatMode::Exact), value);
      ASSERT_EQ(held.trap == TrapKind::None, f.Exact()) << value;
    }
  }
}

TEST_P(FloatAgainstMpfr, ToIntegers) {
  const TypeKind kind = GetParam();
  Draws choices(6);
  Format f(kind);
  uint64_t converted = 0;
  for (bool is_signed : {true, false}) {
    for (uint64_t i = 0; i < Rounds(); ++i) {
      const uint8_t bits = static_cast<uint8_t>(8u << choices.Below(4));
      const ScalarType to = ScalarType::Integer(bits, is_signed);
      uint64_t a = DrawBits(choices, kind, i);
      if (choices.Coin()) {  // near the limits of the integer
        const double limit = std::ldexp(choices.Coin() ? 1.0 : -1.0, bits - is_signed);
        a = lang::FloatBits(kind, limit + static_cast<double>(choices.Between(-8, 8)) / 4);
      }
      mpfr_set_d(f.a, lang::FloatValue(kind, a), MPFR_RNDN);
      const ScalarResult result = ConvertFloat(Of(kind, FloatMode::Ieee), to, a);
      mpfr_t whole;
      mpfr_init2(whole, 64);
      mpfr_trunc(whole, f.a);
      bool fits = mpfr_number_p(whole) != 0;
      Value expected = 0;
      if (fits && is_signed) {
        fits = mpfr_fits_intmax_p(whole, MPFR_RNDZ) != 0;
        expected = static_cast<Value>(mpfr_get_sj(whole, MPFR_RNDZ));
      } else if (fits) {
        fits = mpfr_fits_uintmax_p(whole, MPFR_RNDZ) != 0;
        expected = static_cast<Value>(mpfr_get_uj(whole, MPFR_RNDZ));
      }
      mpfr_clear(whole);
      fits = fits && Fits(to, expected);
      ASSERT_EQ(result.trap, fits ? TrapKind::None : TrapKind::FloatConversion) << std::hex << a << ' ' << int(bits);
      if (fits) {
        ASSERT_EQ(result.value, expected);
      }
      converted += fits;
      ASSERT_EQ(ConvertFloat(Of(kind, FloatMode::Ieee), ScalarType::Integer(1, false), a).value,
                mpfr_zero_p(f.a) == 0 ? 1u : 0u);
    }
  }
  EXPECT_GT(converted, Rounds() / 10);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FloatAgainstMpfr, ::testing::Values(TypeKind::Float, TypeKind::Double),
                         [](const auto& info) { return std::string(lang::Info(info.param).name); });

TEST(FloatAgainstMpfr, Narrowing) {
  Draws choices(7);
  Format f(TypeKind::Float);
  mpfr_t wide;
  mpfr_init2(wide, 53);
  uint64_t exact = 0;
  for (uint64_t i = 0; i < Rounds(); ++i) {
    uint64_t a = DrawBits(choices, TypeKind::Double, i);
    if (choices.Coin())
      a = lang::FloatBits(TypeKind::Double, lang::FloatValue(TypeKind::Float, a & 0xffffffff)) + choices.Below(3);
    const double value = lang::FloatValue(TypeKind::Double, a);
    if (std::isnan(value)) continue;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_set_d(wide, value, MPFR_RNDN);
    mpfr_set_emax(128);
    mpfr_set_emin(-148);
    const int ternary = mpfr_set(f.r, wide, MPFR_RNDN);
    const int ranged = mpfr_check_range(f.r, ternary, MPFR_RNDN);
    const uint64_t expected = f.Bits(ranged);
    ASSERT_EQ(ConvertFloat(Of(TypeKind::Double, FloatMode::Ieee), Of(TypeKind::Float, FloatMode::Ieee), a).value,
              expected)
        << std::hex << a;
    if (!std::isfinite(value)) continue;
    exact += f.Exact();
    const ScalarResult held =
        ConvertFloat(Of(TypeKind::Double, FloatMode::Exact), Of(TypeKind::Float, FloatMode::Exact), a);
    ASSERT_EQ(held.trap == TrapKind::None, f.Exact()) << std::hex << a;
    ASSERT_EQ(ConvertFloat(Of(TypeKind::Float, FloatMode::Ieee), Of(TypeKind::Double, FloatMode::Ieee), expected).value,
              lang::FloatBits(TypeKind::Double, lang::FloatValue(TypeKind::Float, expected)));
  }
  EXPECT_GT(exact, Rounds() / 20);
  mpfr_clear(wide);
}

TEST(FloatScalar, ZerosAndNaNs) {
  const ScalarType exact = Of(TypeKind::Double, FloatMode::Exact), robust = Of(TypeKind::Double, FloatMode::Robust),
                   ieee = Of(TypeKind::Double, FloatMode::Ieee);
  const Value minus = Value{1} << 63, one = lang::FloatBits(TypeKind::Double, 1);
  EXPECT_EQ(Apply(lang::UnaryOp::Minus, exact, 0).value, minus);
  EXPECT_EQ(Apply(lang::UnaryOp::Minus, robust, 0).value, 0u);
  EXPECT_EQ(Apply(BinaryOp::Mul, robust, minus, one).value, 0u);
  EXPECT_FALSE(IsTrue(exact, minus));
  EXPECT_TRUE(IsTrue(exact, one));
  EXPECT_EQ(SeenBits(exact, minus), 0u);
  EXPECT_EQ(SeenBits(ieee, minus), minus);
  const Value nan = Apply(BinaryOp::Div, ieee, 0, 0).value;
  EXPECT_TRUE(IsNaN(ieee, nan));
  EXPECT_EQ(Apply(lang::UnaryOp::Minus, ieee, nan).value, nan);
  EXPECT_EQ(SeenBits(ieee, nan ^ 1), nan);
  EXPECT_TRUE(IsAllowed(ieee, nan));
  EXPECT_FALSE(IsAllowed(ieee, 0x7ff0000000000001));  // signalling
  EXPECT_FALSE(IsAllowed(Of(TypeKind::Float, FloatMode::Ieee), 0x7fa00000));
  EXPECT_TRUE(IsAllowed(Of(TypeKind::Float, FloatMode::Ieee), 0x7f800000));
  EXPECT_FALSE(IsAllowed(exact, nan));
}

// Whatever a regrouping of a few terms computes, the note of the whole allows it: all partial sums and products.
TEST(FloatNote, BoundsEveryRegrouping) {
  Draws choices(8);
  const ScalarType type = Of(TypeKind::Float, FloatMode::Robust);
  for (int round = 0; round < 2000; ++round) {
    double terms[4];
    for (double& term : terms)
      term = std::ldexp(static_cast<double>(choices.Between(-300, 300)), -static_cast<int>(choices.Below(6)));
    const auto note = [&](double v) { return NoteOfValue(type, lang::FloatBits(TypeKind::Float, v)); };
    const bool product = choices.Coin();
    FloatNote all = note(terms[0]);
    for (int i = 1; i < 4; ++i) all = NoteOfResult(product ? BinaryOp::Mul : BinaryOp::Add, all, note(terms[i]));
    for (int subset = 1; subset < 16; ++subset) {
      double part = product ? 1 : 0;
      for (int i = 0; i < 4; ++i) {
        if ((subset >> i & 1) != 0) part = product ? part * terms[i] : part + terms[i];
      }
      EXPECT_LE(std::fabs(part), all.bound);
      EXPECT_EQ(std::ldexp(part, -all.grain), std::trunc(std::ldexp(part, -all.grain)));
      if (IsRobust(type, all)) {
        EXPECT_EQ(static_cast<double>(static_cast<float>(part)), part);
      }
    }
  }
}

// A function's note allows the result.
TEST(FloatNote, BoundsResultsOfFunctions) {
  using lang::Builtin;
  Draws choices(11);
  const ScalarType type = Of(TypeKind::Float, FloatMode::Robust);
  for (int round = 0; round < 20000; ++round) {
    Value arguments[3];
    FloatNote notes[3];
    for (int i = 0; i < 3; ++i) {
      const double value =
          std::ldexp(static_cast<double>(choices.Between(-300, 300)), -static_cast<int>(choices.Below(6)));
      arguments[i] = lang::FloatBits(TypeKind::Float, value);
      notes[i] = NoteOfValue(type, arguments[i]);
    }
    for (const lang::BuiltinInfo& row : lang::kBuiltins) {
      if (row.result != lang::BuiltinResult::Floating) continue;
      Value given[3] = {arguments[0], arguments[1], arguments[2]};
      const int64_t power = choices.Between(-6, 6);
      if (row.operands == lang::BuiltinOperands::Scaled) given[1] = static_cast<Value>(power);
      const ScalarResult result = ApplyMath(row.kind, type, {given, row.arguments});
      if (row.kind == Builtin::Sqrt) {
        EXPECT_EQ(result.trap, TrapKind::FloatInexact);
        continue;
      }
      if (result.trap != TrapKind::None) continue;
      const FloatNote note = NoteOfMath(row.kind, {notes, row.arguments}, power);
      const double value = lang::FloatValue(TypeKind::Float, result.value);
      EXPECT_LE(std::fabs(value), note.bound) << row.spelling;
      EXPECT_EQ(std::ldexp(value, -note.grain), std::trunc(std::ldexp(value, -note.grain))) << row.spelling;
      EXPECT_GE(note.bound, 1);
      EXPECT_LE(note.grain, 0);
    }
  }
}

}  // namespace
}  // namespace assay::machine
