// Wide integers against Boost.Multiprecision, whose numbers know when they overflow: random and edge operands, every
// operator, both signs, through whole programs (few) and by the pure functions (many). ASSAY_WIDE_ROUNDS says how many
// operations of those: `ASSAY_WIDE_ROUNDS=1000000 machine_test --gtest_filter='Wide.*'`.
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "machine/scalar.hpp"
#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

namespace mp = boost::multiprecision;
using Number = mp::cpp_int;  // of any size

uint64_t Rounds() {
  const char* rounds = std::getenv("ASSAY_WIDE_ROUNDS");
  return rounds == nullptr ? 40'000 : std::strtoull(rounds, nullptr, 10);
}

const Number kModulus = Number(1) << 128, kHalf = Number(1) << 127;

Number Least(bool is_signed) { return is_signed ? Number(-kHalf) : Number(0); }
Number Most(bool is_signed) { return is_signed ? Number(kHalf - 1) : Number(kModulus - 1); }

Number NumberOf(bool is_signed, WideBits bits) {
  Number number = (Number(HighWord(bits)) << 64) + LowWord(bits);
  return is_signed && number >= kHalf ? Number(number - kModulus) : number;
}

WideBits BitsOf(Number number) {
  number %= kModulus;
  if (number < 0) number += kModulus;
  const Number low = number & Number(~uint64_t{0}), high = number >> 64;
  return WideOf(static_cast<uint64_t>(low), static_cast<uint64_t>(high));
}

// Anything, small numbers, limits, powers of two and their neighbours, one half only.
class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}
  WideBits Draw() {
    const uint64_t kind = random_() % 8, near = random_() % 5;
    switch (kind) {
      case 0: return WideOf(random_(), random_());
      case 1: return WideBits{near} - 2;
      case 2: return (WideBits{1} << 127) + near - 2;
      case 3: return (WideBits{1} << random_() % 128) + near - 2;
      case 4: return WideOf(random_(), 0);
      case 5: return WideOf(0, random_());
      case 6: return WideOf(random_(), random_()) >> random_() % 128;
      default: return ~(WideOf(random_(), random_()) >> random_() % 128);
    }
  }
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  uint64_t Any() { return random_(); }

 private:
  std::mt19937_64 random_;
};

struct Expected {
  Number number;
  TrapKind trap = TrapKind::None;
};

// From the text of C17 6.5.
Expected ByTheStandard(BinaryOp op, bool is_signed, const Number& a, const Number& b) {
  const auto arithmetic = [&](const Number& exact) -> Expected {
    const bool fits = exact >= Least(is_signed) && exact <= Most(is_signed);
    return {exact, fits || !is_signed ? TrapKind::None : TrapKind::SignedOverflow};
  };
  switch (op) {
    case BinaryOp::Add: return arithmetic(a + b);
    case BinaryOp::Sub: return arithmetic(a - b);
    case BinaryOp::Mul: return arithmetic(a * b);
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (b == 0) return {0, TrapKind::DivisionByZero};
      if (is_signed && a == Least(true) && b == -1) return {0, TrapKind::DivisionOverflow};
      return {op == BinaryOp::Div ? Number(a / b) : Number(a % b)};
    case BinaryOp::Shl: {
      if (b < 0 || b >= 128) return {0, TrapKind::ShiftCount};
      const Number exact = a * (Number(1) << static_cast<unsigned>(b));
      return {exact, is_signed && (a < 0 || exact > Most(true)) ? TrapKind::ShiftSign : TrapKind::None};
    }
    case BinaryOp::Shr: {
      if (b < 0 || b >= 128) return {0, TrapKind::ShiftCount};
      const Number divisor = Number(1) << static_cast<unsigned>(b);
      Number quotient = a / divisor;
      if (a < 0 && quotient * divisor != a) --quotient;  // towards minus infinity
      return {quotient};
    }
    // Of negative numbers in two's complement, as all digits of a number of 128 bits.
    case BinaryOp::BitAnd: return {NumberOf(is_signed, BitsOf(a) & BitsOf(b))};
    case BinaryOp::BitOr: return {NumberOf(is_signed, ~(~BitsOf(a) & ~BitsOf(b)))};
    case BinaryOp::BitXor: return {NumberOf(is_signed, (BitsOf(a) & ~BitsOf(b)) + (~BitsOf(a) & BitsOf(b)))};
    case BinaryOp::Lt: return {a < b};
    case BinaryOp::Gt: return {a > b};
    case BinaryOp::Le: return {a <= b};
    case BinaryOp::Ge: return {a >= b};
    case BinaryOp::Eq: return {a == b};
    case BinaryOp::Ne: return {a != b};
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  ADD_FAILURE() << "no operator of wide integers";
  return {};
}

TEST(Wide, OperatorsAreThoseOfBoost) {
  Operands operands(11);
  uint64_t clean = 0, trapped = 0;
  for (uint64_t round = 0; round < Rounds();) {
    for (const BinaryOpInfo& op : kBinaryOps) {
      if (op.shape != OperatorShape::Infix) continue;
      for (const bool is_signed : {false, true}) {
        ++round;
        const WideBits a = operands.Draw();
        const WideBits b = IsShift(op.kind) ? WideBits{operands.Below(8) == 0 ? operands.Any() : operands.Below(131)}
                                            : operands.Draw();
        const Number x = NumberOf(is_signed, a);
        const Number y = NumberOf(is_signed && !IsShift(op.kind), b);
        const Expected expected = ByTheStandard(op.kind, is_signed, x, y);
        WideResult result;
        if (IsComparison(op.kind)) {
          result.bits = CompareWide(op.kind, is_signed, a, b);
        } else if (IsShift(op.kind)) {
          result = ShiftWide(op.kind, is_signed, a, LowWord(b));
        } else {
          result = ApplyWide(op.kind, is_signed, a, b);
        }
        ASSERT_EQ(result.trap, expected.trap) << x << ' ' << op.spelling << ' ' << y;
        expected.trap == TrapKind::None ? ++clean : ++trapped;
        if (expected.trap != TrapKind::None) continue;
        ASSERT_EQ(NumberOf(false, result.bits), NumberOf(false, BitsOf(expected.number)))
            << x << ' ' << op.spelling << ' ' << y;
      }
    }
    for (const bool is_signed : {false, true}) {
      const WideBits a = operands.Draw();
      const Number x = NumberOf(is_signed, a);
      const WideResult minus = ApplyWide(UnaryOp::Minus, is_signed, a);
      ASSERT_EQ(minus.trap == TrapKind::SignedOverflow, is_signed && x == Least(true));
      ASSERT_TRUE(minus.bits == BitsOf(-x));
      ASSERT_TRUE(ApplyWide(UnaryOp::BitNot, is_signed, a).bits == BitsOf(-x - 1));
      ASSERT_TRUE(ApplyWide(UnaryOp::Plus, is_signed, a).bits == a);
    }
  }
  EXPECT_GT(clean, Rounds() / 2);
  EXPECT_GT(trapped, Rounds() / 40);
}

// Round to nearest, ties to even, to so many binary digits. (Boost's own conversion to a binary number cuts.)
double Rounded(const Number& number, unsigned digits) {
  Number magnitude = abs(number);
  const unsigned length = magnitude == 0 ? 0 : msb(magnitude) + 1;
  if (length > digits) {
    const Number unit = Number(1) << (length - digits), rest = magnitude % unit;
    magnitude -= rest;
    const bool odd = magnitude / unit % 2 != 0;
    if (rest * 2 > unit || (rest * 2 == unit && odd)) magnitude += unit;
  }
  const double value = static_cast<double>(magnitude);  // exact
  return number < 0 ? -value : value;
}

TEST(Wide, ConversionsToFloatingTypesRoundToNearest) {
  Operands operands(12);
  uint64_t exact = 0, rounded = 0, beyond = 0;
  for (uint64_t round = 0; round < Rounds() / 4; ++round) {
    for (const bool is_signed : {false, true}) {
      for (const uint8_t bits : {32, 64}) {
        const WideBits a = operands.Draw();
        const Number x = NumberOf(is_signed, a);
        const double wanted = Rounded(x, bits == 32 ? 24 : 53);
        const TypeKind kind = bits == 32 ? TypeKind::Float : TypeKind::Double;
        const ScalarResult ieee = FloatOfWide(is_signed, ScalarType::Float(bits, FloatMode::Ieee), a);
        if (bits == 32 && wanted > std::numeric_limits<float>::max()) {
          ASSERT_EQ(ieee.trap, TrapKind::FloatConversion);
          ++beyond;
          continue;
        }
        ASSERT_EQ(ieee.trap, TrapKind::None);
        ASSERT_EQ(FloatValue(kind, ieee.value), wanted) << x;
        const bool same = Number(wanted) == x;
        same ? ++exact : ++rounded;
        for (const FloatMode mode : {FloatMode::Exact, FloatMode::Robust}) {
          const ScalarResult strict = FloatOfWide(is_signed, ScalarType::Float(bits, mode), a);
          ASSERT_EQ(strict.trap, same ? TrapKind::None : TrapKind::FloatInexact) << x;
          if (same) ASSERT_EQ(strict.value, ieee.value) << x;
        }
      }
    }
  }
  EXPECT_GT(exact, Rounds() / 8);
  EXPECT_GT(rounded, Rounds() / 8);
  EXPECT_GT(beyond, 0u);
}

TEST(Wide, ConversionsFromFloatingTypesAreThoseOfBoost) {
  Operands operands(13);
  uint64_t clean = 0, trapped = 0;
  for (uint64_t round = 0; round < Rounds() / 2; ++round) {
    for (const bool is_signed : {false, true}) {
      const double magnitude =
          std::ldexp(static_cast<double>(operands.Any()), static_cast<int>(operands.Below(140)) - 72);
      const double given = operands.Below(2) == 0 ? magnitude : -magnitude;
      const bool single = operands.Below(2) == 0;
      const TypeKind kind = single ? TypeKind::Float : TypeKind::Double;
      const double number = single ? static_cast<double>(static_cast<float>(given)) : given;
      if (!std::isfinite(number)) continue;
      const WideResult result =
          WideOfFloat(ScalarType::Float(single ? 32 : 64, FloatMode::Ieee), is_signed, FloatBits(kind, number));
      const Number whole(std::trunc(number));
      const bool fits = whole >= Least(is_signed) && whole <= Most(is_signed);
      ASSERT_EQ(result.trap, fits ? TrapKind::None : TrapKind::FloatConversion) << number;
      fits ? ++clean : ++trapped;
      if (fits) ASSERT_TRUE(result.bits == BitsOf(whole)) << number;
    }
  }
  EXPECT_GT(clean, Rounds() / 4);
  EXPECT_GT(trapped, Rounds() / 20);
  for (const double number : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const Value bits = FloatBits(TypeKind::Double, number);
    EXPECT_EQ(WideOfFloat(ScalarType::Float(64, FloatMode::Ieee), false, bits).trap, TrapKind::FloatConversion);
  }
}

ExprId Literal(Tiny& t, TypeKind kind, WideBits bits) { return t.b.Wide(kind, LowWord(bits), HighWord(bits)); }

WideBits FinalWide(const RunResult& result, VarId var) {
  return WideOf(static_cast<Value>(FinalOf(result, var, 0)), static_cast<Value>(FinalOf(result, var, 1)));
}

// The same through the evaluator: mixed with other integers, stored and read again in both orders of bytes.
TEST(Wide, ProgramsComputeTheSame) {
  Operands operands(14);
  constexpr std::array kKinds = {TypeKind::Int128,  TypeKind::UInt128, TypeKind::Int128,
                                 TypeKind::UInt128, TypeKind::Int,     TypeKind::UInt,
                                 TypeKind::LLong,   TypeKind::ULLong,  TypeKind::SChar};
  size_t clean = 0;
  for (const DataModelKind model : {DataModelKind::Lp64, DataModelKind::Lp64Big}) {
    for (const BinaryOpInfo& op : kBinaryOps) {
      if (op.shape != OperatorShape::Infix) continue;
      for (int round = 0; round < 60; ++round) {
        Tiny t(model);
        const TypeKind left = kKinds[operands.Below(kKinds.size())];
        const TypeKind right = IsWide(left) ? kKinds[operands.Below(kKinds.size())] : kKinds[operands.Below(4)];
        const auto object = [&](TypeKind kind, WideBits bits, Number& number) {
          if (IsWide(kind)) {
            number = NumberOf(Info(kind).sign == Sign::Signed, bits);
            return t.Global(t.Basic(kind), t.b.InitExpr(Literal(t, kind, bits)));
          }
          const IntegerInfo info = IntegerInfoOf(kind, t.p.Model());
          const Value value = Wrap(ScalarType::Integer(info.bits, info.is_signed), LowWord(bits));
          number = info.is_signed ? Number(static_cast<int64_t>(value)) : Number(value);
          return t.Global(t.Basic(kind), t.b.InitExpr(t.b.Cast(t.Basic(kind), t.C(TypeKind::ULLong, value))));
        };
        Number x, y;
        const VarId a = object(left, operands.Draw(), x);
        const VarId b = object(right, IsShift(op.kind) ? operands.Below(66) : operands.Draw(), y);
        const ExprId value = t.b.Binary(op.kind, t.V(a), t.V(b));
        const TypeKind kind = t.p.types.Kind(t.p[value].type);
        if (IsShift(op.kind) && !IsWide(left)) {
          ASSERT_FALSE(IsWide(kind));
          continue;  // of 64 bits; the trap cases have it
        }
        const bool is_signed = IsShift(op.kind) ? Info(left).sign == Sign::Signed
                                                : left != TypeKind::UInt128 && right != TypeKind::UInt128;
        const auto converted = [&](const Number& n) { return NumberOf(is_signed, BitsOf(n)); };
        const Expected expected = ByTheStandard(op.kind, is_signed, converted(x), IsShift(op.kind) ? y : converted(y));
        const VarId r = t.Global(t.p[value].type);
        t.Set(r, value);
        const RunResult result = t.Run();
        ASSERT_EQ(result.trap.kind, expected.trap)
            << x << ' ' << op.spelling << ' ' << y << ' ' << Info(left).name << ' ' << Info(right).name;
        if (expected.trap != TrapKind::None) continue;
        ++clean;
        const Number found = IsWide(kind) ? NumberOf(false, FinalWide(result, r)) : Number(FinalOf(result, r));
        const Number wanted = IsWide(kind) ? NumberOf(false, BitsOf(expected.number)) : expected.number;
        ASSERT_EQ(found, wanted) << x << ' ' << op.spelling << ' ' << y;
        ASSERT_EQ(IsWide(kind), !IsComparison(op.kind));
      }
    }
  }
  EXPECT_GT(clean, 1000u);
}

// The bytes lie as the model says: seen as two words in a union and byte by byte.
TEST(Wide, BytesLieInTheOrderOfTheModel) {
  for (const DataModelKind model : {DataModelKind::Lp64, DataModelKind::Lp64Big}) {
    const bool big = model == DataModelKind::Lp64Big;
    Tiny t(model);
    const TypeId words = t.T().Array(t.Basic(TypeKind::ULLong), 2);
    const VarId u = t.Local(t.T().OfRecord(t.Union({{t.Basic(TypeKind::UInt128)}, {words}})));
    const VarId wide = t.Global(t.Basic(TypeKind::Int128), t.b.InitExpr(Literal(t, TypeKind::Int128, WideOf(7, 9))));
    const VarId first = t.Global(t.Basic(TypeKind::ULLong)), byte = t.Global(t.Int());
    t.Do(t.b.Assign(t.b.Member(t.V(u), 0), Literal(t, TypeKind::UInt128, WideOf(22, 11))));
    t.Set(first, t.b.Index(t.b.Member(t.V(u), 1), t.I(0)));
    t.Set(byte, t.b.Index(t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.V(wide))), t.I(15)));
    const RunResult result = t.Run();
    ASSERT_EQ(result.trap.kind, TrapKind::None);
    EXPECT_EQ(FinalOf(result, first), big ? 11 : 22);
    EXPECT_EQ(FinalOf(result, byte), big ? 7 : 0);
  }
}

TEST(Wide, ValuesOutliveTheStatementThatReturnsThem) {
  Tiny t;
  const TypeId type = t.Basic(TypeKind::UInt128);
  const FunctionId f = t.Function(type, {type, t.Int()}, [&](FunctionId id) {
    const BlockId yes = t.NewBlock();
    t.Add(StmtKind::If, t.V(t.Param(id, 1)), yes);
    t.In(yes, [&] {
      t.Return(t.b.Binary(BinaryOp::Add,
                          t.Call(id, {t.b.Binary(BinaryOp::Mul, t.V(t.Param(id, 0)), t.V(t.Param(id, 0))),
                                      t.b.Binary(BinaryOp::Sub, t.V(t.Param(id, 1)), t.I(1))}),
                          t.V(t.Param(id, 0))));
    });
    t.Return(t.V(t.Param(id, 0)));
  });
  const VarId r = t.Global(type);
  t.Set(r, t.Call(f, {t.I(1000), t.I(3)}));
  const RunResult result = t.Run();
  ASSERT_EQ(result.trap.kind, TrapKind::None);
  EXPECT_EQ(NumberOf(false, FinalWide(result, r)), Number("1000000000001000001001000"));
}

TEST(Wide, AreObserved) {
  Tiny t;
  const VarId v = t.Global(t.Basic(TypeKind::Int128), t.b.InitExpr(Literal(t, TypeKind::Int128, WideOf(5, 3))));
  const ExprId sum = t.b.Binary(BinaryOp::Add, t.V(v), t.V(v)), never = t.b.Unary(UnaryOp::Minus, t.V(v));
  t.Do(sum);
  t.Return();
  t.Do(never);
  Machine machine(t.p, {.observe = true});
  ASSERT_EQ(machine.Run().trap.kind, TrapKind::None);
  const std::span<const Value> seen = machine.ObservedLanes(sum);
  EXPECT_EQ(std::vector<Value>(seen.begin(), seen.end()), (std::vector<Value>{10, 6}));
  EXPECT_TRUE(machine.ObservedLanes(never).empty());
}

}  // namespace
}  // namespace assay::machine::testing
