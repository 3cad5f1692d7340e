// Integer arithmetic against a reference that computes in plain int, exhaustively for 4-bit types.
#include "machine/arithmetic.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace assay::machine {
namespace {

using lang::BinaryOp;

struct Reference {
  IntType type;
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
      case BinaryOp::kCount: break;
    }
    return std::nullopt;
  }
};

Value V(int v) { return static_cast<Value>(static_cast<int64_t>(v)); }

TEST(Arithmetic, AllOperatorsOnFourBits) {
  for (bool is_signed : {true, false}) {
    const Reference reference{{4, is_signed}};
    for (size_t o = 0; o < static_cast<size_t>(BinaryOp::kCount); ++o) {
      const BinaryOp op = static_cast<BinaryOp>(o);
      const bool shift = op == BinaryOp::Shl || op == BinaryOp::Shr;
      for (int a = reference.Min(); a <= reference.Max(); ++a) {
        for (int b = reference.Min(); b <= reference.Max(); ++b) {
          const IntResult result = shift ? Shift(op, reference.type, V(a), V(b))
                                         : Arithmetic(op, reference.type, V(a), V(b));
          const std::optional<int> expected = reference.Apply(op, a, b);
          ASSERT_EQ(result.trap == TrapKind::None, expected.has_value()) << a << lang::Info(op).spelling << b;
          if (expected) {
            ASSERT_EQ(result.value, V(*expected)) << a << lang::Info(op).spelling << b;
          }
        }
      }
    }
  }
}

TEST(Arithmetic, UnaryOnFourBits) {
  for (bool is_signed : {true, false}) {
    const Reference reference{{4, is_signed}};
    for (int a = reference.Min(); a <= reference.Max(); ++a) {
      const IntResult minus = Negate(lang::UnaryOp::Minus, reference.type, V(a));
      const std::optional<int> expected = reference.Wrapped(-a);
      ASSERT_EQ(minus.trap == TrapKind::None, expected.has_value());
      if (expected) {
        EXPECT_EQ(minus.value, V(*expected));
      }
      EXPECT_EQ(Negate(lang::UnaryOp::BitNot, reference.type, V(a)).value, V(is_signed ? -a - 1 : 15 - a));
      EXPECT_EQ(Negate(lang::UnaryOp::LogicalNot, reference.type, V(a)).value, V(a == 0));
      EXPECT_EQ(Negate(lang::UnaryOp::Plus, reference.type, V(a)).value, V(a));
    }
  }
}

TEST(Arithmetic, SixtyFourBitsAreExact) {
  const IntType s{64, true}, u{64, false};
  const Value max = 0x7fffffffffffffffu, min = 0x8000000000000000u;
  EXPECT_EQ(Arithmetic(BinaryOp::Add, s, max, 1).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Arithmetic(BinaryOp::Add, u, ~Value{0}, 1).value, 0u);
  EXPECT_EQ(Arithmetic(BinaryOp::Sub, s, min, 1).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Arithmetic(BinaryOp::Mul, s, min, ~Value{0}).trap, TrapKind::SignedOverflow);
  EXPECT_EQ(Arithmetic(BinaryOp::Mul, s, min, 1).value, min);
  EXPECT_EQ(Arithmetic(BinaryOp::Div, s, min, ~Value{0}).trap, TrapKind::DivisionOverflow);
  EXPECT_EQ(Shift(BinaryOp::Shl, s, 1, 62).value, Value{1} << 62);
  EXPECT_EQ(Shift(BinaryOp::Shl, s, 1, 63).trap, TrapKind::ShiftSign);
  EXPECT_EQ(Shift(BinaryOp::Shl, u, 3, 63).value, min);
}

TEST(Arithmetic, WrapIsTheConversion) {
  EXPECT_EQ(Wrap({8, true}, 0xff), ~Value{0});
  EXPECT_EQ(Wrap({8, false}, ~Value{0}), 0xffu);
  EXPECT_EQ(Wrap({64, true}, 5), 5u);
  EXPECT_TRUE(Fits({8, true}, V(-128)));
  EXPECT_FALSE(Fits({8, true}, 128));
}

}  // namespace
}  // namespace assay::machine
