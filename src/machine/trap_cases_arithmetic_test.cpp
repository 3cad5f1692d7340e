#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

constexpr int64_t kMax = 2147483647, kMin = -2147483647 - 1;

TrapCase OnInts(TrapKind kind, std::string name, BinaryOp op, int64_t lhs, int64_t bad, int64_t good) {
  return {kind, std::move(name), [=](Tiny& t, bool traps) {
            VarId a = t.GlobalInt(lhs), b = t.GlobalInt(traps ? bad : good), r = t.GlobalInt();
            t.Set(r, t.b.Binary(op, t.V(a), t.V(b)));
          }};
}

TrapCase Compound(TrapKind kind, std::string name, BinaryOp op, int64_t lhs, int64_t bad, int64_t good) {
  return {kind, std::move(name), [=](Tiny& t, bool traps) {
            VarId a = t.GlobalInt(lhs);
            t.Do(t.b.CompoundAssign(op, t.V(a), t.I(traps ? bad : good)));
          }};
}

TrapCase Step(std::string name, IncDecOp op, int64_t bad, int64_t good) {
  return {TrapKind::SignedOverflow, std::move(name), [=](Tiny& t, bool traps) {
            VarId a = t.GlobalInt(traps ? bad : good);
            t.Do(t.b.IncDec(op, t.V(a)));
          }};
}

}  // namespace

std::vector<TrapCase> ArithmeticCases() {
  return {
      OnInts(TrapKind::SignedOverflow, "add", BinaryOp::Add, kMax, 1, 0),
      OnInts(TrapKind::SignedOverflow, "sub", BinaryOp::Sub, kMin, 1, -1),
      OnInts(TrapKind::SignedOverflow, "mul", BinaryOp::Mul, 65536, 32768, 32767),
      OnInts(TrapKind::DivisionByZero, "div", BinaryOp::Div, 5, 0, 2),
      OnInts(TrapKind::DivisionByZero, "rem", BinaryOp::Rem, 5, 0, 2),
      OnInts(TrapKind::DivisionOverflow, "div min", BinaryOp::Div, kMin, -1, 1),
      OnInts(TrapKind::DivisionOverflow, "rem min", BinaryOp::Rem, kMin, -1, 1),
      OnInts(TrapKind::ShiftCount, "shl count", BinaryOp::Shl, 1, 32, 30),
      OnInts(TrapKind::ShiftCount, "shr count", BinaryOp::Shr, -5, -1, 31),
      OnInts(TrapKind::ShiftSign, "shl into sign", BinaryOp::Shl, 1, 31, 30),
      OnInts(TrapKind::ShiftSign, "shl past sign", BinaryOp::Shl, 3, 31, 29),
      {TrapKind::ShiftSign, "shl of a negative value",
       [](Tiny& t, bool traps) {
         VarId a = t.GlobalInt(traps ? -1 : 1);
         t.Do(t.b.Binary(BinaryOp::Shl, t.V(a), t.I(0)));
       }},
      Compound(TrapKind::SignedOverflow, "+=", BinaryOp::Add, kMax, 1, -1),
      Compound(TrapKind::SignedOverflow, "-=", BinaryOp::Sub, kMin, 1, 0),
      Compound(TrapKind::SignedOverflow, "*=", BinaryOp::Mul, kMin, -1, 1),
      Compound(TrapKind::DivisionByZero, "/=", BinaryOp::Div, 1, 0, 1),
      Compound(TrapKind::DivisionByZero, "%=", BinaryOp::Rem, 1, 0, 1),
      Compound(TrapKind::ShiftCount, "<<=", BinaryOp::Shl, 1, 40, 4),
      Step("++ pre", IncDecOp::PreInc, kMax, kMax - 1),
      Step("++ post", IncDecOp::PostInc, kMax, kMax - 1),
      Step("-- pre", IncDecOp::PreDec, kMin, kMin + 1),
      Step("-- post", IncDecOp::PostDec, kMin, kMin + 1),
      {TrapKind::SignedOverflow, "unary minus",
       [](Tiny& t, bool traps) {
         VarId a = t.GlobalInt(traps ? kMin : kMin + 1);
         t.Do(t.b.Unary(UnaryOp::Minus, t.V(a)));
       }},
      {TrapKind::SignedOverflow, "long long, not unsigned long long",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.Basic(traps ? TypeKind::LLong : TypeKind::ULLong),
                            t.b.InitExpr(t.C(TypeKind::LLong, 0x7fffffffffffffffu)));
         t.Do(t.b.CompoundAssign(BinaryOp::Mul, t.V(a), t.I(3)));
       }},
      {TrapKind::SignedOverflow, "16-bit int",
       [](Tiny& t, bool traps) {
         VarId a = t.GlobalInt(traps ? 32767 : 32766);
         t.Do(t.b.Binary(BinaryOp::Add, t.V(a), t.I(1)));
       },
       DataModelKind::Ip16},
      {TrapKind::SignedOverflow, "unsigned short operands promote to int",
       [](Tiny& t, bool traps) {
         VarId a = t.Global(t.Basic(TypeKind::UShort), t.InitInt(65535));
         VarId b = t.Global(t.Basic(traps ? TypeKind::UShort : TypeKind::UInt), t.InitInt(65535));
         t.Do(t.b.Binary(BinaryOp::Mul, t.V(a), t.V(b)));
       }},
      {TrapKind::SignedOverflow, "a narrow unsigned bit-field promotes to int",
       [](Tiny& t, bool traps) {
         RecordId record = t.Struct({{t.Basic(TypeKind::UInt), static_cast<int16_t>(traps ? 31 : 32)}});
         VarId s = t.Global(t.T().OfRecord(record), t.b.InitList({{0, t.InitInt(kMax)}}));
         t.Do(t.b.Binary(BinaryOp::Add, t.b.Member(t.V(s), 0), t.I(1)));
       }},
  };
}

}  // namespace assay::machine::testing
