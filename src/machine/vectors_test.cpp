// Vectors against their lanes: random operands, every operator, in 128 bits; and the compilers' own vectors, which the
// emitted samples are compared with.
#include <random>

#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

using Exact = __int128;

struct Expected {
  std::vector<uint64_t> lanes;
  TrapKind trap = TrapKind::None;  // of the first lane that has one
};

Exact Least(const IntegerInfo& type) { return type.Min(); }
Exact Most(const IntegerInfo& type) { return static_cast<Exact>(type.Max()); }

Exact Kept(const IntegerInfo& type, Exact value) {
  const Exact values = Exact{1} << type.bits;
  value = (value % values + values) % values;
  return value > Most(type) ? value - values : value;
}

// What one lane gives, from the text of C17 6.5 for an integer type that is not promoted.
TrapKind InOneLane(const IntegerInfo& type, BinaryOp op, Exact a, Exact b, Exact& out) {
  const auto arithmetic = [&](Exact exact) {
    out = Kept(type, exact);
    return out == exact || !type.is_signed ? TrapKind::None : TrapKind::SignedOverflow;
  };
  const auto truth = [&](bool value) {
    out = value ? -1 : 0;
    return TrapKind::None;
  };
  switch (op) {
    case BinaryOp::Add: return arithmetic(a + b);
    case BinaryOp::Sub: return arithmetic(a - b);
    case BinaryOp::Mul:
      if (type.bits == 64 && !type.is_signed) {
        out = static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
        return TrapKind::None;
      }
      return arithmetic(a * b);
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (b == 0) return TrapKind::DivisionByZero;
      if (type.is_signed && a == Least(type) && b == -1) return TrapKind::DivisionOverflow;
      out = op == BinaryOp::Div ? a / b : a % b;
      return TrapKind::None;
    case BinaryOp::Shl:
      if (b < 0 || b >= type.bits) return TrapKind::ShiftCount;
      out = Kept(type, a * (Exact{1} << b));
      return type.is_signed && (a < 0 || out != a * (Exact{1} << b)) ? TrapKind::ShiftSign : TrapKind::None;
    case BinaryOp::Shr:
      if (b < 0 || b >= type.bits) return TrapKind::ShiftCount;
      out = a >> b;
      return TrapKind::None;
    case BinaryOp::BitAnd: out = a & b; return TrapKind::None;
    case BinaryOp::BitOr: out = a | b; return TrapKind::None;
    case BinaryOp::BitXor: out = a ^ b; return TrapKind::None;
    case BinaryOp::Lt: return truth(a < b);
    case BinaryOp::Gt: return truth(a > b);
    case BinaryOp::Le: return truth(a <= b);
    case BinaryOp::Ge: return truth(a >= b);
    case BinaryOp::Eq: return truth(a == b);
    case BinaryOp::Ne: return truth(a != b);
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  ADD_FAILURE() << "no operator of vectors";
  return TrapKind::None;
}

class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}
  // Small numbers, limits and anything; few of them trap.
  uint64_t Draw(const IntegerInfo& type) {
    const uint64_t any = random_();
    Exact value = 0;
    switch (any % 16) {
      case 0: value = Most(type) - static_cast<Exact>(any >> 32) % 3; break;
      case 1: value = Least(type) + static_cast<Exact>(any >> 32) % 3; break;
      case 2: value = static_cast<Exact>(random_()); break;
      default: value = static_cast<Exact>(any >> 32) % 7; break;
    }
    return static_cast<uint64_t>(Kept(type, value));
  }
  uint64_t Below(uint64_t bound) { return random_() % bound; }

 private:
  std::mt19937_64 random_;
};

Exact Signed(const IntegerInfo& type, uint64_t value) {
  return type.is_signed ? static_cast<Exact>(static_cast<int64_t>(value)) : static_cast<Exact>(value);
}

VarId Vector(Tiny& t, TypeId type, const std::vector<uint64_t>& lanes) {
  std::vector<InitItem> items;
  for (uint32_t i = 0; i < lanes.size(); ++i) items.push_back({i, t.b.InitExpr(t.C(TypeKind::ULLong, lanes[i]))});
  return t.Global(type, t.b.InitList(std::move(items)));
}

std::vector<uint64_t> FinalLanes(const RunResult& result, VarId var) {
  std::vector<uint64_t> lanes;
  for (const FinalScalar& scalar : result.finals) {
    if (scalar.var == var) lanes.push_back(scalar.value);
  }
  return lanes;
}

TEST(Vectors, AreTheirLanesOnRandomOperands) {
  Operands operands(7);
  size_t clean = 0, trapped = 0;
  for (const DataModelKind model : {DataModelKind::Lp64, DataModelKind::Lp64Big, DataModelKind::Ilp32}) {
    for (const TypeKindInfo& row : kTypeKinds) {
      if (!IsInteger(row.kind) || row.kind == TypeKind::Bool || row.kind == TypeKind::Enum) continue;
      for (const BinaryOpInfo& op : kBinaryOps) {
        if (op.shape != OperatorShape::Infix) continue;
        for (int round = 0; round < 12; ++round) {
          Tiny t(model);
          const IntegerInfo info = IntegerInfoOf(row.kind, t.p.Model());
          const uint32_t least = (model == DataModelKind::Ilp32 ? 128u : 64u) / info.bits;
          const uint32_t lanes = least << operands.Below(model == DataModelKind::Ilp32 ? 3 : 4);
          std::vector<uint64_t> a, b;
          for (uint32_t i = 0; i < lanes; ++i) {
            a.push_back(operands.Draw(info));
            b.push_back(operands.Draw(info));
          }
          // A scalar on one side, now and then.
          const bool scalar = round % 4 == 3;
          if (scalar) b.assign(lanes, b[0]);
          Expected expected;
          for (uint32_t i = 0; i < lanes && expected.trap == TrapKind::None; ++i) {
            Exact lane = 0;
            expected.trap = InOneLane(info, op.kind, Signed(info, a[i]), Signed(info, b[i]), lane);
            expected.lanes.push_back(static_cast<uint64_t>(lane));
          }
          const TypeId type = t.T().Vector(t.Basic(row.kind), lanes);
          const VarId x = Vector(t, type, a), y = Vector(t, type, b);
          const ExprId rhs = scalar ? t.b.Cast(t.Basic(row.kind), t.C(TypeKind::ULLong, b[0])) : t.V(y);
          const ExprId value = t.b.Binary(op.kind, t.V(x), rhs);
          const VarId r = t.Global(t.p[value].type);
          t.Set(r, value);
          const RunResult result = t.Run();
          ASSERT_EQ(result.trap.kind, expected.trap) << row.name << " " << op.spelling << " x" << lanes;
          expected.trap == TrapKind::None ? ++clean : ++trapped;
          if (expected.trap == TrapKind::None) {
            ASSERT_EQ(FinalLanes(result, r), expected.lanes) << row.name << " " << op.spelling << " x" << lanes;
          }
        }
      }
    }
  }
  EXPECT_GT(clean, 5000u);
  EXPECT_GT(trapped, 500u);
}

// The bytes of a cast are those that a union of two arrays has.
TEST(Vectors, ACastTakesTheBytesInMemory) {
  Operands operands(8);
  constexpr std::array kKinds = {TypeKind::UChar, TypeKind::SChar, TypeKind::Short, TypeKind::UShort,
                                 TypeKind::Int,   TypeKind::UInt,  TypeKind::LLong, TypeKind::ULLong};
  for (const DataModelKind model : {DataModelKind::Lp64, DataModelKind::Lp64Big}) {
    for (TypeKind from : kKinds) {
      for (TypeKind to : kKinds) {
        Tiny t(model);
        const IntegerInfo source = IntegerInfoOf(from, t.p.Model()), target = IntegerInfoOf(to, t.p.Model());
        const uint32_t lanes = 256 / source.bits, casted = 256 / target.bits;
        std::vector<uint64_t> values;
        for (uint32_t i = 0; i < lanes; ++i) values.push_back(operands.Draw(source));
        const TypeId vector = t.T().Vector(t.Basic(from), lanes), other = t.T().Vector(t.Basic(to), casted);
        const VarId v = Vector(t, vector, values), r = t.Global(other);
        const VarId u =
            t.Local(t.T().OfRecord(t.Union({{t.T().Array(t.Basic(from), lanes)}, {t.T().Array(t.Basic(to), casted)}})));
        const VarId seen = t.Global(t.T().Array(t.Basic(to), casted));
        t.Set(r, t.b.Cast(other, t.V(v)));
        for (uint32_t i = 0; i < lanes; ++i) {
          t.Do(t.b.Assign(t.b.Index(t.b.Member(t.V(u), 0), t.I(i)), t.b.Index(t.V(v), t.I(i))));
        }
        for (uint32_t i = 0; i < casted; ++i) {
          t.Do(t.b.Assign(t.b.Index(t.V(seen), t.I(i)), t.b.Index(t.b.Member(t.V(u), 1), t.I(i))));
        }
        const RunResult result = t.Run();
        ASSERT_EQ(result.trap.kind, TrapKind::None);
        EXPECT_EQ(FinalLanes(result, r), FinalLanes(result, seen)) << Info(from).name << " " << Info(to).name;
      }
    }
  }
}

// Floating lanes are what a scalar of their type is.
TEST(Vectors, FloatingLanesAreScalars) {
  std::mt19937_64 random(9);
  size_t clean = 0;
  for (const FloatMode mode : {FloatMode::Exact, FloatMode::Ieee}) {
    for (TypeKind kind : {TypeKind::Float, TypeKind::Double}) {
      for (const BinaryOpInfo& op : kBinaryOps) {
        if (op.shape != OperatorShape::Infix || !TakesFloats(op)) continue;
        for (int round = 0; round < 20; ++round) {
          const auto draw = [&] { return static_cast<double>(static_cast<int>(random() % 64) - 20) / 4; };
          Tiny t;
          t.p.floats = mode;
          const TypeId type = t.T().Vector(t.Basic(kind), 2);
          std::vector<VarId> vectors, scalars;
          for (int operand = 0; operand < 2; ++operand) {
            std::vector<InitItem> items;
            for (uint32_t i = 0; i < 2; ++i) {
              const uint64_t bits = FloatBits(kind, draw());
              items.push_back({i, t.b.InitExpr(t.C(kind, bits))});
              scalars.push_back(t.Global(t.Basic(kind), t.b.InitExpr(t.C(kind, bits))));
            }
            vectors.push_back(t.Global(type, t.b.InitList(std::move(items))));
          }
          const ExprId value = t.b.Binary(op.kind, t.V(vectors[0]), t.V(vectors[1]));
          const VarId whole = t.Global(t.p[value].type);
          const TypeId lane = t.p.types[t.p[value].type].element;
          const VarId first = t.Global(lane), second = t.Global(lane);
          for (uint32_t i = 0; i < 2; ++i) {
            ExprId alone = t.b.Binary(op.kind, t.V(scalars[i]), t.V(scalars[2 + i]));
            if (IsComparison(op.kind)) alone = t.b.Unary(UnaryOp::Minus, alone);
            t.Set(i == 0 ? first : second, alone);
          }
          const TrapKind alone = t.Trap();
          t.Set(whole, value);
          const RunResult result = t.Run();
          ASSERT_EQ(result.trap.kind, alone) << op.spelling;
          if (alone != TrapKind::None) continue;
          ++clean;
          const std::vector<uint64_t> lanes = FinalLanes(result, whole);
          EXPECT_EQ(lanes[0], static_cast<uint64_t>(FinalOf(result, first))) << op.spelling;
          EXPECT_EQ(lanes[1], static_cast<uint64_t>(FinalOf(result, second))) << op.spelling;
        }
      }
    }
  }
  EXPECT_GT(clean, 300u);
}

// Values live as long as the full expression: a loop does not pile them up, and a result outlives its statement.
TEST(Vectors, ValuesOutliveTheStatementThatReturnsThem) {
  Tiny t;
  const TypeId type = t.T().Vector(t.Int(), 4);
  const FunctionId f = t.Function(type, {type, t.Int()}, [&](FunctionId id) {
    const BlockId yes = t.NewBlock();
    t.Add(StmtKind::If, t.V(t.Param(id, 1)), yes);
    t.In(yes, [&] {
      t.Return(t.b.Binary(BinaryOp::Add,
                          t.Call(id, {t.b.Binary(BinaryOp::Add, t.V(t.Param(id, 0)), t.V(t.Param(id, 0))),
                                      t.b.Binary(BinaryOp::Sub, t.V(t.Param(id, 1)), t.I(1))}),
                          t.V(t.Param(id, 0))));
    });
    t.Return(t.V(t.Param(id, 0)));
  });
  const VarId v = Vector(t, type, {1, 2, 3, 4}), r = t.Global(type);
  t.Set(r, t.b.Binary(BinaryOp::Mul, t.V(v), t.Call(f, {t.V(v), t.I(3)})));
  const RunResult result = t.Run();
  ASSERT_EQ(result.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalLanes(result, r), (std::vector<uint64_t>{15, 60, 135, 240}));  // v * (8 + 4 + 2 + 1) v
}

TEST(Vectors, AreObserved) {
  Tiny t;
  const TypeId type = t.T().Vector(t.Basic(TypeKind::Short), 4);
  const VarId v = Vector(t, type, {1, 2, 3, ~uint64_t{0}});
  const ExprId sum = t.b.Binary(BinaryOp::Add, t.V(v), t.V(v)), never = t.b.Unary(UnaryOp::Minus, t.V(v));
  t.Do(sum);
  t.Return();
  t.Do(never);
  Machine machine(t.p, {.observe = true});
  ASSERT_EQ(machine.Run().trap.kind, TrapKind::None);
  const std::span<const Value> seen = machine.ObservedLanes(sum);
  EXPECT_EQ(std::vector<Value>(seen.begin(), seen.end()), (std::vector<Value>{2, 4, 6, static_cast<Value>(-2)}));
  EXPECT_TRUE(machine.ObservedLanes(never).empty());
}

}  // namespace
}  // namespace assay::machine::testing
