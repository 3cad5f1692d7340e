// The traps of wide integers.
#include <limits>

#include "machine/scalar.hpp"
#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

constexpr WideBits kMost = ~WideBits{0} >> 1, kLeast = WideBits{1} << 127;

VarId Object(Tiny& t, TypeKind kind, WideBits bits) {
  return t.Global(t.Basic(kind), t.b.InitExpr(t.b.Wide(kind, LowWord(bits), HighWord(bits))));
}

// r = a op b
TrapCase OnWide(TrapKind trap, std::string name, TypeKind kind, BinaryOp op, WideBits lhs, WideBits bad,
                WideBits good) {
  return {trap, "wide: " + std::move(name), [=](Tiny& t, bool traps) {
            const VarId a = Object(t, kind, lhs), b = Object(t, kind, traps ? bad : good);
            t.Set(t.Global(t.Basic(kind)), t.b.Binary(op, t.V(a), t.V(b)));
          }};
}

TrapCase OnOne(TrapKind trap, std::string name, TypeKind kind, std::function<ExprId(Tiny&, VarId)> use, WideBits bad,
               WideBits good, FloatMode mode = FloatMode::Exact) {
  return {trap, "wide: " + std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = mode;
            t.Do(use(t, Object(t, kind, traps ? bad : good)));
          }};
}

TrapCase FromFloat(std::string name, TypeKind to, TypeKind from, double bad, double good) {
  return {TrapKind::FloatConversion, "wide: " + std::move(name), [=](Tiny& t, bool traps) {
            const ExprId number = t.C(from, FloatBits(from, traps ? bad : good));
            t.Do(t.b.Cast(t.Basic(to), t.V(t.Global(t.Basic(from), t.b.InitExpr(number)))));
          }};
}

}  // namespace

std::vector<TrapCase> WideCases() {
  using enum TypeKind;
  constexpr TrapKind kOverflow = TrapKind::SignedOverflow;
  const auto to = [](TypeKind kind) { return [kind](Tiny& t, VarId x) { return t.b.Cast(t.Basic(kind), t.V(x)); }; };
  return {
      OnWide(kOverflow, "+", Int128, BinaryOp::Add, kMost, 1, 0),
      OnWide(kOverflow, "-", Int128, BinaryOp::Sub, kLeast, 1, 0),
      OnWide(kOverflow, "* of positive ones", Int128, BinaryOp::Mul, WideBits{1} << 64, WideBits{1} << 63,
             (WideBits{1} << 63) - 1),
      OnWide(kOverflow, "* of a negative one", Int128, BinaryOp::Mul, 0 - (WideBits{1} << 64), (WideBits{1} << 63) + 1,
             WideBits{1} << 63),
      OnWide(TrapKind::DivisionByZero, "/", UInt128, BinaryOp::Div, 5, 0, WideBits{1} << 64),
      OnWide(TrapKind::DivisionByZero, "%", Int128, BinaryOp::Rem, 5, 0, WideBits{1} << 64),
      OnWide(TrapKind::DivisionOverflow, "/", Int128, BinaryOp::Div, kLeast, ~WideBits{0}, ~WideBits{0} - 1),
      OnWide(TrapKind::DivisionOverflow, "%", Int128, BinaryOp::Rem, kLeast, ~WideBits{0}, ~WideBits{0} - 1),
      OnWide(TrapKind::ShiftCount, "<<", UInt128, BinaryOp::Shl, 1, 128, 127),
      OnWide(TrapKind::ShiftCount, ">>, negative", Int128, BinaryOp::Shr, 1, ~WideBits{0}, 0),
      OnWide(TrapKind::ShiftCount, ">>, of more than 64 bits", Int128, BinaryOp::Shr, 1, WideBits{1} << 64, 1),
      OnWide(TrapKind::ShiftSign, "<< into the sign", Int128, BinaryOp::Shl, 1, 127, 126),
      {TrapKind::ShiftSign, "wide: << of a negative one",
       [](Tiny& t, bool traps) {
         t.Do(t.b.Binary(BinaryOp::Shl, t.V(Object(t, traps ? Int128 : UInt128, ~WideBits{0})), t.I(1)));
       }},
      {TrapKind::ShiftCount, "wide: a wide count of an int",
       [](Tiny& t, bool traps) {
         const VarId count = Object(t, UInt128, traps ? WideBits{1} << 64 : 31);
         t.Do(t.b.Binary(BinaryOp::Shr, t.V(t.GlobalInt(5)), t.V(count)));
       }},
      OnOne(
          kOverflow, "minus", Int128, [](Tiny& t, VarId x) { return t.b.Unary(UnaryOp::Minus, t.V(x)); }, kLeast,
          kLeast + 1),
      OnOne(
          kOverflow, "++", Int128, [](Tiny& t, VarId x) { return t.b.IncDec(IncDecOp::PostInc, t.V(x)); }, kMost,
          kMost - 1),
      OnOne(
          kOverflow, "+=", Int128,
          [](Tiny& t, VarId x) { return t.b.CompoundAssign(BinaryOp::Add, t.V(x), t.C(ULLong, 9)); }, kMost - 8,
          kMost - 9),
      OnOne(TrapKind::FloatInexact, "to double", Int128, to(Double), (WideBits{1} << 100) + 1, WideBits{1} << 100),
      OnOne(TrapKind::FloatInexact, "to float", UInt128, to(Float), (WideBits{1} << 24) + 1, WideBits{1} << 24,
            FloatMode::Robust),
      OnOne(TrapKind::FloatConversion, "beyond float", UInt128, to(Float), ~WideBits{0}, kMost, FloatMode::Ieee),
      FromFloat("too large a double", Int128, Double, 0x1p127, 0x1.fffffffffffffp126),
      FromFloat("too small a double", Int128, Double, -0x1.0000000000001p127, -0x1p127),
      FromFloat("a negative double", UInt128, Double, -1, -0.5),
      FromFloat("too large a float", Int128, Float, 0x1p127, 0x1.fffffep126),
      {TrapKind::UninitializedRead, "wide: one half was not stored",
       [](Tiny& t, bool traps) {
         const TypeId wide = t.Basic(UInt128), byte = t.Basic(UChar);
         const VarId x = t.Local(wide);
         for (int i = 0; i < (traps ? 15 : 16); ++i) {
           t.Do(t.b.Assign(t.b.Index(t.b.Cast(t.Ptr(byte), t.b.AddressOf(t.V(x))), t.I(i)), t.I(i)));
         }
         t.Set(t.Global(wide), t.V(x));
       }},
      {TrapKind::InvalidRepresentation, "wide: half of the bytes of a union",
       [](Tiny& t, bool traps) {
         const TypeId words = t.T().Array(t.Basic(ULLong), 2);
         const VarId u = t.Local(t.T().OfRecord(t.Union({{t.Basic(Int128)}, {words}})));
         for (int i = 0; i < (traps ? 1 : 2); ++i) t.Do(t.b.Assign(t.b.Index(t.b.Member(t.V(u), 1), t.I(i)), t.I(i)));
         t.Set(t.Global(t.Basic(Int128)), t.b.Member(t.V(u), 0));
       }},
      {TrapKind::StrictAliasing, "wide: as an unsigned long",
       [](Tiny& t, bool traps) {
         const VarId wide = Object(t, Int128, 1), alone = t.Global(t.Basic(ULong));
         const ExprId from = traps ? t.b.AddressOf(t.V(wide)) : t.b.AddressOf(t.V(alone));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(t.Basic(ULong)), from)));
       }},
      {TrapKind::StrictAliasing, "wide: two words as one; the unsigned type is right",
       [](Tiny& t, bool traps) {
         const VarId words = t.Global(t.T().Array(t.Basic(ULong), 2)), wide = Object(t, UInt128, 1);
         t.p.vars[words].align = 16;
         const ExprId from = traps ? t.b.AddressOf(t.b.Index(t.V(words), t.I(0))) : t.b.AddressOf(t.V(wide));
         t.Do(t.b.Deref(t.b.Cast(t.Ptr(t.Basic(Int128)), from)));
       }},
      {TrapKind::ConstModified, "wide: a const one",
       [](Tiny& t, bool traps) {
         const TypeId wide = t.Basic(Int128);
         const VarId x = t.Global(traps ? t.T().Qualified(wide, kConst) : wide);
         t.Do(t.b.Assign(t.b.Deref(t.b.Cast(t.Ptr(wide), t.b.AddressOf(t.V(x)))), t.I(1)));
       }},
      {TrapKind::Unsequenced, "wide: read beside a store",
       [](Tiny& t, bool traps) {
         const VarId x = Object(t, Int128, 1), y = Object(t, Int128, 1);
         t.Do(t.b.Binary(BinaryOp::Add, t.b.IncDec(IncDecOp::PostInc, t.V(x)), t.V(traps ? x : y)));
       }},
      {TrapKind::Overlap, "wide: members of one union",
       [](Tiny& t, bool traps) {
         const TypeId either = t.T().OfRecord(t.Union({{t.Basic(Int128)}, {t.Basic(ULLong)}}));
         const VarId u = t.Local(either), other = t.Local(either);
         for (VarId var : {u, other}) t.Do(t.b.Assign(t.b.Member(t.V(var), 1), t.I(1)));
         t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.b.Member(t.V(traps ? u : other), 1)));
       }},
      {TrapKind::VaArgs, "wide: a negative argument as an unsigned one",
       [](Tiny& t, bool traps) {
         const TypeId bits = t.Basic(UInt128);
         const FunctionId f = t.Function(
             bits, {t.Int()},
             [&](FunctionId) {
               const VarId list = t.Local(t.Basic(VaList)), value = t.Local(bits);
               const auto use = [&](Builtin builtin, TypeId type, TypeId ref) {
                 const std::array arguments = {t.V(list)};
                 return t.b.BuiltinCall(builtin, type, ref, arguments);
               };
               t.Do(use(Builtin::VaStart, t.Void(), {}));
               t.Set(value, use(Builtin::VaArg, bits, bits));
               t.Do(use(Builtin::VaEnd, t.Void(), {}));
               t.Return(t.V(value));
             },
             true);
         t.Do(t.Call(f, {t.I(1), t.V(Object(t, Int128, traps ? kLeast : kMost))}));
       }},
  };
}

}  // namespace assay::machine::testing
