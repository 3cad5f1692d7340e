// Arithmetic of integers against a reference that computes in plain int, exhaustively for 4-bit types; conversions.
#include "machine/scalar.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace assay::machine {
namespace {

using lang::BinaryOp;
using lang::UnaryOp;

ScalarType Four(bool is_signed) { return ScalarType::Integer(4, is_signed); }

struct Reference {
  ScalarType type;
  int Min() const { return type.is_signed ? -8 : 0; }
  int Max() const { return type.is_signed ? 7 : 15; }
  bool In(int v) const { return v >= Min() && v <= Max(); }
  // The defined result, or nothing.
  std::optional<int> Wrapped(int v) const {
    if (In(v)) return v;
    if (type.is_signed) return std::nullopt;
    return ((v % 16) + 16) % 16;
  }
  std::optional<int> Apply(BinaryOp op, int a, int b) const {
    switch (op) {
      case BinaryOp::Add: return Wrapped(a + b);
      case BinaryOp::Sub: return Wrapped(a - b);
      case BinaryOp::Mul: return Wrapped(a * b);
      case BinaryOp::Div: return b == 0 || !In(a / b) ? std::nullopt : std::optional(a / b);
      case BinaryOp::Rem: return b == 0 || !In(a / b) ? std::nullopt : std::optional(a % b);
      case BinaryOp::Shl: {
        if (b < 0 || b >= 4) return std::nullopt;
        if (!type.is_signed) return (a << b) % 16;
        return a < 0 || !In(a << b) ? std::nullopt : std::optional(a << b);
      }
      case BinaryOp::Shr: {
        if (b < 0 || b >= 4) return std::nullopt;
        int r = a;
        for (int i = 0; i < b; ++i) r = r >= 0 ? r / 2 : -((-r + 1) / 2);
        return r;
      }
      case BinaryOp::BitAnd: return a & b;
      case BinaryOp::BitOr: return a | b;
      case BinaryOp::BitXor: return a ^ b;
      case BinaryOp::Lt: return a < b;
      case BinaryOp::Gt: return a > b;
      case BinaryOp::Le: return a <= b;
      case BinaryOp::Ge: return a >= b;
      case BinaryOp::Eq: return a == b;
      case BinaryOp::Ne: return a != b;
      case BinaryOp::RotateLeft: {
        int r = a;
        for (int i = 0; i < b % 4; ++i) r = r * 2 % 16 + r / 8;
        return r;
      }
      case BinaryOp::kCount: break;
    }
    return std::nullopt;
  }
  static int Bit(int a, int at) { return ((a + 16) >> at) % 2; }
  // How many of the highest bits are `bit`; and of the lowest, of something not 0, are not set.
  static int Leading(int a, int bit) {
    int count = 0;
    while (count < 4 && Bit(a, 3 - count) == bit) ++count;
    return count;
  }
  static int Trailing(int a) {
    int count = 0;
    while (Bit(a, count) == 0) ++count;
    return count;
  }
  std::optional<int> Apply(UnaryOp op, int a) const {
    switch (op) {
      case UnaryOp::Minus: return Wrapped(-a);
      case UnaryOp::BitNot: return type.is_signed ? -a - 1 : 15 - a;
      case UnaryOp::LogicalNot: return a == 0;
      case UnaryOp::Plus: return a;
      case UnaryOp::Popcount: return Bit(a, 0) + Bit(a, 1) + Bit(a, 2) + Bit(a, 3);
      case UnaryOp::Parity: return (Bit(a, 0) + Bit(a, 1) + Bit(a, 2) + Bit(a, 3)) % 2;
      case UnaryOp::Ffs: return a == 0 ? 0 : Trailing(a) + 1;
      case UnaryOp::Clz: return a == 0 ? std::nullopt : std::optional(Leading(a, 0));
      case UnaryOp::Ctz: return a == 0 ? std::nullopt : std::optional(Trailing(a));
      case UnaryOp::Clrsb: return Leading(a, Bit(a, 3)) - 1;
      case UnaryOp::Abs: return Wrapped(a < 0 ? -a : a);
      case UnaryOp::Bswap16:
      case UnaryOp::Bswap32:
      case UnaryOp::Bswap64: return a;  // less than a byte; BytesAreSwapped has more
      case UnaryOp::kCount: break;
    }
    return std::nullopt;
  }
};

Value V(int v) { return static_cast<Value>(static_cast<int64_t>(v)); }

// Whether an operator with the rule computes in signed, or in unsigned types.
bool ComputesIn(lang::TypeRule rule, bool is_signed) {
  switch (rule) {
    case lang::TypeRule::Operand:
    case lang::TypeRule::Promoted:
    case lang::TypeRule::Common: return true;
    case lang::TypeRule::Int:
    case lang::TypeRule::PromotedSigned: return is_signed;
    case lang::TypeRule::ULLong:
    case lang::TypeRule::PromotedUnsigned:
    case lang::TypeRule::UInt16:
    case lang::TypeRule::UInt32:
    case lang::TypeRule::UInt64: return !is_signed;
  }
  return true;
}

// What the row says an operator may trap on.
uint8_t HazardOf(TrapKind trap) {
  switch (trap) {
    case TrapKind::None: return lang::kNoHazard;
    case TrapKind::SignedOverflow: return lang::kOverflow;
    case TrapKind::DivisionByZero: return lang::kZeroDivisor;
    case TrapKind::DivisionOverflow: return lang::kQuotientOverflow;
    case TrapKind::ShiftCount: return lang::kCountRange;
    case TrapKind::ShiftSign: return lang::kShiftSign;
    case TrapKind::BitOfZero: return lang::kNoBitSet;
    default: ADD_FAILURE() << "no hazard of a row is " << Info(trap).name; return lang::kNoHazard;
  }
}

TEST(Scalar, AllOperatorsOnFourBits) {
  for (const lang::BinaryOpInfo& row : lang::kBinaryOps) {
    uint8_t hazards = lang::kNoHazard;
    for (bool is_signed : {true, false}) {
      if (!ComputesIn(row.computes, is_signed)) continue;
      const Reference reference{Four(is_signed)};
      for (int a = reference.Min(); a <= reference.Max(); ++a) {
        for (int b = reference.Min(); b <= reference.Max(); ++b) {
          const ScalarResult result = Apply(row.kind, reference.type, V(a), V(b));
          const std::optional<int> expected = reference.Apply(row.kind, a, b);
          ASSERT_EQ(result.trap == TrapKind::None, expected.has_value()) << a << row.spelling << b;
          if (expected) {
            ASSERT_EQ(result.value, V(*expected)) << a << row.spelling << b;
          }
          hazards |= HazardOf(result.trap);
        }
      }
    }
    EXPECT_EQ(hazards, row.hazards) << "the row of " << row.spelling << " in lang/ops.hpp";
  }
}

TEST(Scalar, UnaryOnFourBits) {
  for (const lang::UnaryOpInfo& row : lang::kUnaryOps) {
    uint8_t hazards = lang::kNoHazard;
    for (bool is_signed : {true, false}) {
      if (!ComputesIn(row.computes, is_signed)) continue;
      const Reference reference{Four(is_signed)};
      for (int a = reference.Min(); a <= reference.Max(); ++a) {
        const ScalarResult result = Apply(row.kind, reference.type, V(a));
        const std::optional<int> expected = reference.Apply(row.kind, a);
        ASSERT_EQ(result.trap == TrapKind::None, expected.has_value()) << row.spelling << a;
        if (expected) {
          ASSERT_EQ(result.value, V(*expected)) << row.spelling << a;
        }
        hazards |= HazardOf(result.trap);
      }
    }
    EXPECT_EQ(hazards, row.hazards) << "the row of " << row.spelling << " in lang/ops.hpp";
  }
}

TEST(Scalar, BytesAreSwapped) {
  const auto in = [](uint8_t bits) { return ScalarType::Integer(bits, false); };
  EXPECT_EQ(Apply(UnaryOp::Bswap16, in(16), 0x1234).value, 0x3412u);
  EXPECT_EQ(Apply(UnaryOp::Bswap32, in(32), 0x12345678).value, 0x78563412u);
  EXPECT_EQ(Apply(UnaryOp::Bswap64, in(64), 0x0123456789abcdefu).value, 0xefcdab8967452301u);
}

TEST(Scalar, BitsOfWideTypes) {
  const ScalarType s32 = ScalarType::Integer(32, true), u32 = ScalarType::Integer(32, false);
  const ScalarType s64 = ScalarType::Integer(64, true), u64 = ScalarType::Integer(64, false);
  EXPECT_EQ(Apply(UnaryOp::Clz, u32, 1).value, 31u);
  EXPECT_EQ(Apply(UnaryOp::Clz, u64, 1).value, 63u);
  EXPECT_EQ(Apply(UnaryOp::Ctz, u64, Value{1} << 63).value, 63u);
  EXPECT_EQ(Apply(UnaryOp::Clrsb, s32, 0).value, 31u);
  EXPECT_EQ(Apply(UnaryOp::Clrsb, s64, V(-1)).value, 63u);
  EXPECT_EQ(Apply(UnaryOp::Clrsb, s32, V(INT32_MIN)).value, 0u);
  EXPECT_EQ(Apply(UnaryOp::Ffs, s32, V(INT32_MIN)).value, 32u);
  EXPECT_EQ(Apply(UnaryOp::Abs, s64, Value{1} << 63).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Apply(BinaryOp::RotateLeft, u64, Value{1} << 63, 65).value, 1u);
}

TEST(Scalar, SixtyFourBitsAreExact) {
  const ScalarType s = ScalarType::Integer(64, true), u = ScalarType::Integer(64, false);
  const Value max = 0x7fffffffffffffffu, min = 0x8000000000000000u;
  EXPECT_EQ(Apply(BinaryOp::Add, s, max, 1).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Apply(BinaryOp::Add, u, ~Value{0}, 1).value, 0u);
  EXPECT_EQ(Apply(BinaryOp::Sub, s, min, 1).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Apply(BinaryOp::Mul, s, min, ~Value{0}).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Apply(BinaryOp::Mul, s, min, 1).value, min);
  EXPECT_EQ(Apply(BinaryOp::Div, s, min, ~Value{0}).trap, TrapKind::DivisionOverflow);
  EXPECT_EQ(Apply(BinaryOp::Shl, s, 1, 62).value, Value{1} << 62);
  EXPECT_EQ(Apply(BinaryOp::Shl, s, 1, 63).trap, TrapKind::ShiftSign);
  EXPECT_EQ(Apply(BinaryOp::Shl, u, 3, 63).value, min);
}

TEST(Scalar, ConversionOfIntegersWraps) {
  const ScalarType wide = ScalarType::Integer(64, true), truth = ScalarType::Integer(1, false);
  const ScalarType narrow = ScalarType::Integer(8, true), byte = ScalarType::Integer(8, false);
  EXPECT_EQ(Convert(wide, narrow, 0xff), ~Value{0});
  EXPECT_EQ(Convert(narrow, byte, ~Value{0}), 0xffu);
  EXPECT_EQ(Convert(narrow, wide, 5), 5u);
  EXPECT_EQ(Convert(wide, truth, 256), 1u);
  EXPECT_EQ(Convert(wide, truth, 0), 0u);
  EXPECT_TRUE(Fits(narrow, V(-128)));
  EXPECT_FALSE(Fits(narrow, 128));
}

TEST(Scalar, PointersConvertToBoolAndStayThemselves) {
  const ScalarType pointer{.type_class = lang::TypeClass::Pointer}, truth = ScalarType::Integer(1, false);
  EXPECT_EQ(Convert(pointer, pointer, 77), 77u);
  EXPECT_EQ(Convert(pointer, truth, 77), 1u);
  EXPECT_EQ(Convert(pointer, truth, 0), 0u);
  EXPECT_EQ(Apply(UnaryOp::LogicalNot, pointer, 0).value, 1u);
}

TEST(ScalarDeathTest, AClassWithoutAnImplementationIsNoSilentZero) {
  const ScalarType pair{64, true, lang::TypeClass::Complex}, integer = ScalarType::Integer(32, true);
  EXPECT_DEATH(Convert(integer, pair, 1), "no conversion to class");
  EXPECT_DEATH(Convert(pair, integer, 1), "conversion of class");
  EXPECT_DEATH(Apply(BinaryOp::Add, pair, 1, 1), "there is no \\+ of class");
}

}  // namespace
}  // namespace assay::machine
