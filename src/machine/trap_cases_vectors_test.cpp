// Every trap of a lane is one of the vector; and what only vectors have.
#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

TypeId VectorType(Tiny& t, TypeKind lane, uint32_t lanes) { return t.T().Vector(t.Basic(lane), lanes); }

ExprId Lane(Tiny& t, TypeKind kind, double value) {
  return IsFloat(kind) ? t.C(kind, FloatBits(kind, value))
                       : t.C(TypeKind::LLong, static_cast<uint64_t>(static_cast<int64_t>(value)));
}

// The lanes are 1, and the last of them is `value`.
VarId Local(Tiny& t, TypeKind lane, uint32_t lanes, double value) {
  std::vector<InitItem> items;
  for (uint32_t i = 0; i < lanes; ++i) items.push_back({i, t.b.InitExpr(Lane(t, lane, i + 1 < lanes ? 1 : value))});
  return t.Local(VectorType(t, lane, lanes), t.b.InitList(std::move(items)));
}

TrapCase InALane(TrapKind trap, std::string name, TypeKind lane, uint32_t lanes, BinaryOp op, double lhs, double bad,
                 double good, FloatMode mode = FloatMode::Exact) {
  return {trap, "vectors: " + std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = mode;
            const VarId a = Local(t, lane, lanes, lhs), b = Local(t, lane, lanes, traps ? bad : good);
            t.Do(t.b.Binary(op, t.V(a), t.V(b)));
          }};
}

TrapCase InALaneOf(TrapKind trap, std::string name, TypeKind lane, uint32_t lanes,
                   std::function<ExprId(Tiny&, ExprId)> use, double bad, double good) {
  return {trap, "vectors: " + std::move(name),
          [=](Tiny& t, bool traps) { t.Do(use(t, t.V(Local(t, lane, lanes, traps ? bad : good)))); }};
}

ExprId Converted(Tiny& t, ExprId vector, TypeKind lane, uint32_t lanes) {
  const TypeId type = VectorType(t, lane, lanes);
  return t.b.BuiltinCall(Builtin::ConvertVector, type, type, std::span(&vector, 1));
}

}  // namespace

std::vector<TrapCase> VectorCases() {
  using enum TypeKind;
  constexpr TrapKind kOverflow = TrapKind::SignedOverflow, kInvalid = TrapKind::InvalidRepresentation;
  const auto negated = [](Tiny& t, ExprId v) { return t.b.Unary(UnaryOp::Minus, v); };
  return {
      InALane(kOverflow, "signed char +, without a promotion", SChar, 16, BinaryOp::Add, 100, 28, 27),
      InALane(kOverflow, "short *", Short, 8, BinaryOp::Mul, 181, 182, 181),
      InALane(kOverflow, "int -", Int, 4, BinaryOp::Sub, -2147483647, 2, 1),
      InALane(TrapKind::DivisionByZero, "unsigned /", UInt, 4, BinaryOp::Div, 5, 0, 1),
      InALane(TrapKind::DivisionByZero, "long long %", LLong, 1, BinaryOp::Rem, 5, 0, 1),
      InALane(TrapKind::DivisionOverflow, "signed char /", SChar, 16, BinaryOp::Div, -128, -1, -2),
      InALane(TrapKind::ShiftCount, "unsigned char <<, by the width of the lane", UChar, 8, BinaryOp::Shl, 1, 8, 7),
      InALane(TrapKind::ShiftCount, "int >>, negative", Int, 4, BinaryOp::Shr, 1, -1, 0),
      InALane(TrapKind::ShiftSign, "short <<", Short, 4, BinaryOp::Shl, 1, 15, 14),
      InALane(TrapKind::FloatInexact, "float +", TypeKind::Float, 4, BinaryOp::Add, 1, 0x1p-24, 0x1p-23),
      InALane(TrapKind::DivisionByZero, "double /", Double, 2, BinaryOp::Div, 1, 0, 2),
      InALaneOf(kOverflow, "minus", SChar, 16, negated, -128, -127),
      InALaneOf(
          kOverflow, "a scalar beside it", Int, 4,
          [](Tiny& t, ExprId v) { return t.b.Binary(BinaryOp::Add, t.I(1), v); }, 2147483647, 2147483646),
      InALaneOf(
          TrapKind::FloatConversion, "convertvector to integers", Double, 4,
          [](Tiny& t, ExprId v) { return Converted(t, v, SChar, 4); }, 128, 127.5),
      InALaneOf(
          TrapKind::FloatInexact, "convertvector to floating numbers", Int, 4,
          [](Tiny& t, ExprId v) { return Converted(t, v, TypeKind::Float, 4); }, 16777217, 16777216),
      InALaneOf(
          kInvalid, "an infinity made of bytes", Int, 4,
          [](Tiny& t, ExprId v) { return t.b.Cast(VectorType(t, TypeKind::Float, 4), v); }, 0x7f800000, 0x7f7fffff),
      InALaneOf(
          kInvalid, "the sign of a zero", Double, 2,
          [](Tiny& t, ExprId v) { return t.b.Cast(VectorType(t, LLong, 2), t.b.Unary(UnaryOp::Minus, v)); }, 0, 1),
      {kOverflow, "vectors: op=",
       [](Tiny& t, bool traps) {
         const VarId a = Local(t, Short, 8, traps ? 32767 : 32766);
         t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(a), t.b.Cast(t.Basic(Short), t.I(1))));
       }},
      {TrapKind::OutOfBounds, "vectors: the lane of an lvalue",
       [](Tiny& t, bool traps) {
         t.Do(t.b.Assign(t.b.Index(t.V(Local(t, Int, 4, 1)), t.V(t.LocalInt(traps ? 4 : 3))), t.I(7)));
       }},
      {TrapKind::OutOfBounds, "vectors: the lane of a value",
       [](Tiny& t, bool traps) {
         const VarId a = Local(t, Int, 4, 1);
         t.Do(t.b.Index(t.b.Binary(BinaryOp::Add, t.V(a), t.V(a)), t.V(t.LocalInt(traps ? -1 : 0))));
       }},
      {TrapKind::UninitializedRead, "vectors: one lane was not stored",
       [](Tiny& t, bool traps) {
         const VarId a = t.Local(VectorType(t, Int, 4));
         for (int i = 0; i < (traps ? 3 : 4); ++i) t.Do(t.b.Assign(t.b.Index(t.V(a), t.I(i)), t.I(i)));
         t.Set(t.Global(VectorType(t, Int, 4)), t.V(a));
       }},
      {TrapKind::ConstModified, "vectors: a lane of a const one",
       [](Tiny& t, bool traps) {
         const TypeId type = VectorType(t, Int, 4), pointer = t.Ptr(type);
         const VarId a = t.Global(traps ? t.T().Qualified(type, kConst) : type);
         const ExprId cast = t.b.Cast(pointer, t.b.AddressOf(t.V(a)));
         t.Do(t.b.Assign(t.b.Index(t.b.Deref(cast), t.I(1)), t.I(7)));
       }},
      {TrapKind::StrictAliasing, "vectors: an array as one",
       [](Tiny& t, bool traps) {
         const TypeId type = VectorType(t, Int, 4);
         const VarId array = t.Global(t.T().Array(t.Int(), 4)), vector = t.Global(type);
         t.p.vars[array].align = 16;
         const ExprId from = traps ? t.b.AddressOf(t.b.Index(t.V(array), t.I(0))) : t.b.AddressOf(t.V(vector));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(type), from)));
       }},
      {TrapKind::StrictAliasing, "vectors: a lane as an int",
       [](Tiny& t, bool traps) {
         const VarId vector = t.Global(VectorType(t, Int, 4)), alone = t.GlobalInt();
         const ExprId from = traps ? t.b.AddressOf(t.V(vector)) : t.b.AddressOf(t.V(alone));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(t.Int()), from)));
       }},
      {TrapKind::Unsequenced, "vectors: a lane of what is written",
       [](Tiny& t, bool traps) {
         const VarId a = Local(t, Int, 4, 1);
         const ExprId step = t.b.IncDec(IncDecOp::PostInc, t.b.Index(t.V(a), t.I(1)));
         t.Do(t.b.Binary(BinaryOp::Add, step, t.b.Index(t.V(a), t.I(traps ? 1 : 2))));
       }},
      {TrapKind::Overlap, "vectors: members of one union",
       [](Tiny& t, bool traps) {
         const TypeId ints = VectorType(t, Int, 4), bytes = VectorType(t, UChar, 16);
         const TypeId either = t.T().OfRecord(t.Union({{ints}, {bytes}}));
         const VarId u = t.Local(either), other = t.Local(either);
         for (VarId var : {u, other}) t.Do(t.b.Assign(t.b.Member(t.V(var), 0), t.V(Local(t, Int, 4, 1))));
         t.Do(t.b.Assign(t.b.Member(t.V(u), 1), t.b.Cast(bytes, t.b.Member(t.V(traps ? u : other), 0))));
       }},
  };
}

}  // namespace assay::machine::testing
