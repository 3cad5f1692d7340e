#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

// int f(void) { return ++*p of the global; }
FunctionId Incrementer(Tiny& t, VarId global) {
  return t.Function(t.Int(), {}, [&](FunctionId) { t.Return(t.b.IncDec(IncDecOp::PreInc, t.V(global))); });
}

TypeId Volatile(Tiny& t, bool is_volatile) { return is_volatile ? t.T().Qualified(t.Int(), kVolatile) : t.Int(); }

}  // namespace

std::vector<TrapCase> SequenceCases() {
  const auto post = [](Tiny& t, VarId x) { return t.b.IncDec(IncDecOp::PostInc, t.V(x)); };
  return {
      {TrapKind::Unsequenced, "x + x++",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         t.Do(t.b.Binary(BinaryOp::Add, t.V(traps ? x : y), post(t, x)));
       }},
      {TrapKind::Unsequenced, "x++ + x++, but x++ && x++",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(1);
         t.Do(traps ? t.b.Binary(BinaryOp::Mul, post(t, x), post(t, x)) : t.b.LogicalAnd(post(t, x), post(t, x)));
       }},
      {TrapKind::Unsequenced, "x = x++",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         t.Set(traps ? x : y, post(t, x));
       }},
      {TrapKind::Unsequenced, "x = (x = 1) + 1, but x = (x = 1, x)",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         ExprId inner = t.b.Assign(t.V(x), t.I(1));
         t.Set(x, traps ? t.b.Binary(BinaryOp::Add, inner, t.I(1)) : t.b.Comma(inner, t.V(x)));
       }},
      {TrapKind::Unsequenced, "x = x++ ? 1 : 2 is sequenced, x = 1 ? x++ : 2 is not",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         t.Set(x, traps ? t.b.Conditional(t.I(1), post(t, x), t.I(2)) : t.b.Conditional(post(t, x), t.I(1), t.I(2)));
       }},
      {TrapKind::Unsequenced, "a[i] = i++",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 4));
         VarId i = t.GlobalInt(), j = t.GlobalInt();
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.V(traps ? i : j)), post(t, i)));
       }},
      {TrapKind::Unsequenced, "x += x++",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(traps ? x : y), post(t, x)));
       }},
      {TrapKind::Unsequenced, "f(x++, x)",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         FunctionId f = t.Function(t.Void(), {t.Int(), t.Int()}, [](FunctionId) {});
         t.Do(t.Call(f, {post(t, x), t.V(traps ? x : y)}));
       }},
      {TrapKind::Unsequenced, "volatile reads have an order",
       [=](Tiny& t, bool traps) {
         TypeId type = traps ? t.T().Qualified(t.Int(), kVolatile) : t.Int();
         VarId x = t.Global(type), y = t.Global(type);
         t.Do(t.b.Binary(BinaryOp::Add, t.V(x), t.V(y)));
       }},
      {TrapKind::Unsequenced, "v += v, the read on the left and the one on the right (5.1.2.3p2)",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), x = t.GlobalInt();
         t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(v), t.V(traps ? v : x)));
       }},
      {TrapKind::Unsequenced, "v += w",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, traps)), w = t.Global(Volatile(t, true));
         t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(v), t.V(w)));
       }},
      {TrapKind::Unsequenced, "v = w = 3, two stores",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, traps));
         t.Do(t.b.Assign(t.V(v), t.b.Assign(t.V(w), t.I(3))));
         t.Do(t.b.Assign(t.V(v), t.b.Comma(t.b.Assign(t.V(w), t.I(3)), t.I(4))));
       }},
      {TrapKind::Unsequenced, "v = w++, but v = w",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, true));
         t.Do(t.b.Assign(t.V(v), traps ? post(t, w) : t.V(w)));
       }},
      {TrapKind::Unsequenced, "a[w = 1] = 2",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(Volatile(t, traps), 3)), w = t.Global(Volatile(t, true));
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.b.Assign(t.V(w), t.I(1))), t.I(2)));
       }},
      {TrapKind::Unsequenced, "a[v] = w",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 3)), v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, traps));
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.V(v)), t.V(w)));
       }},
      {TrapKind::Unsequenced, "a[w++], reading a volatile element",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(Volatile(t, true), 3)), w = t.Global(Volatile(t, true));
         t.Do(t.b.Index(t.V(a), traps ? post(t, w) : t.V(w)));
       }},
      {TrapKind::Unsequenced, "*p++, both volatile",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(Volatile(t, true), 3));
         VarId p = t.Global(t.T().Pointer(Volatile(t, true), traps ? kVolatile : kNoQualifier));
         t.Set(p, t.V(a));
         t.Do(t.b.Deref(post(t, p)));
       }},
      {TrapKind::Unsequenced, "a[w++]++",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(Volatile(t, traps), 3)), w = t.Global(Volatile(t, true));
         t.Do(t.b.IncDec(IncDecOp::PreInc, t.b.Index(t.V(a), post(t, w))));
       }},
      {TrapKind::Unsequenced, "v[w], a volatile pointer and a volatile index",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 3)), w = t.Global(Volatile(t, true));
         VarId v = t.Global(t.T().Pointer(t.Int(), traps ? kVolatile : kNoQualifier));
         t.Set(v, t.V(a));
         t.Do(t.b.Index(t.V(v), t.V(w)));
       }},
      {TrapKind::Unsequenced, "f(v, w)",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, traps));
         FunctionId f = t.Function(t.Void(), {t.Int(), t.Int()}, [](FunctionId) {});
         t.Do(t.Call(f, {t.V(v), t.V(w)}));
       }},
      {TrapKind::OrderDependent, "v += f(), f reads a volatile object; but v = f()",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, true));
         FunctionId f = t.Function(t.Int(), {}, [&](FunctionId) { t.Return(t.V(w)); });
         t.Do(traps ? t.b.CompoundAssign(BinaryOp::Add, t.V(v), t.Call(f)) : t.b.Assign(t.V(v), t.Call(f)));
       }},
      {TrapKind::OrderDependent, "{v, w}",
       [=](Tiny& t, bool traps) {
         VarId v = t.Global(Volatile(t, true)), w = t.Global(Volatile(t, traps));
         t.Local(t.T().Array(t.Int(), 2), t.b.InitList({{0, t.b.InitExpr(t.V(v))}, {1, t.b.InitExpr(t.V(w))}}));
       }},
      {TrapKind::Unsequenced, "the same bit-field, not neighbours",
       [=](Tiny& t, bool traps) {
         RecordId record = t.Struct({{t.Basic(TypeKind::UInt), 3}, {t.Basic(TypeKind::UInt), 4}});
         VarId s = t.Global(t.T().OfRecord(record));
         t.Do(t.b.Binary(BinaryOp::Add, t.b.Assign(t.b.Member(t.V(s), 0), t.I(1)),
                         t.b.Assign(t.b.Member(t.V(s), traps ? 0 : 1), t.I(1))));
       }},
      {TrapKind::OrderDependent, "f() + f()",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         FunctionId f = Incrementer(t, x), g = Incrementer(t, traps ? x : y);
         t.Do(t.b.Binary(BinaryOp::Add, t.Call(f), t.Call(g)));
       }},
      {TrapKind::OrderDependent, "x + f()",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         FunctionId f = Incrementer(t, x);
         t.Do(t.b.Binary(BinaryOp::Add, t.V(traps ? x : y), t.Call(f)));
       }},
      {TrapKind::OrderDependent, "x += f(), but x = f()",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         FunctionId f = Incrementer(t, x);
         t.Do(traps ? t.b.CompoundAssign(BinaryOp::Add, t.V(x), t.Call(f)) : t.b.Assign(t.V(x), t.Call(f)));
       }},
      {TrapKind::Unsequenced, "x = f(x++) is sequenced by the call, x = x++ + f(0) is not",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         FunctionId f = t.Function(t.Int(), {t.Int()}, [&](FunctionId self) { t.Return(t.V(t.Param(self, 0))); });
         t.Set(x, traps ? t.b.Binary(BinaryOp::Add, post(t, x), t.Call(f, {t.I(0)})) : t.Call(f, {post(t, x)}));
       }},
      {TrapKind::OrderDependent, "deep in calls; locals of different calls never conflict",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt();
         FunctionId inner = Incrementer(t, x);
         FunctionId outer = t.Function(t.Int(), {}, [&](FunctionId) {
           VarId local = t.LocalInt(1);
           t.Do(post(t, local));
           t.Return(traps ? t.Call(inner) : t.V(local));
         });
         t.Do(t.b.Binary(BinaryOp::Add, t.Call(outer), t.Call(outer)));
       }},
      {TrapKind::Unsequenced, "(int){x++} + x",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         VarId literal = t.b.Local(t.entry, t.Int(), Storage::Literal, t.b.InitExpr(post(t, x)));
         t.Do(t.b.Binary(BinaryOp::Add, t.b.CompoundLiteral(literal), t.V(traps ? x : y)));
       }},
      {TrapKind::Unsequenced, "a[a[0]++]",
       [=](Tiny& t, bool traps) {
         VarId a = t.Global(t.T().Array(t.Int(), 3)), b = t.Global(t.T().Array(t.Int(), 3)), x = t.GlobalInt();
         ExprId step = t.b.IncDec(IncDecOp::PostInc, t.b.Index(t.V(traps ? a : b), t.I(0)));
         t.Set(x, t.b.Index(t.V(a), step));
       }},
      {TrapKind::Unsequenced, "a compound literal that is made anew, read beside it",
       [=](Tiny& t, bool traps) {
         VarId p = t.Global(t.Ptr(t.Int())), q = t.Global(t.Ptr(t.Int())), n = t.GlobalInt(1), x = t.GlobalInt(),
               y = t.GlobalInt();
         t.Set(p, t.b.AddressOf(t.V(y)));
         LabelId again = t.b.NewLabel();
         Stmt label;
         label.kind = StmtKind::Label;
         label.label = again;
         t.Do(t.b.Statement(label));
         VarId literal = t.b.Local(t.entry, t.Int(), Storage::Literal, t.b.InitExpr(t.V(n)));
         ExprId made = t.b.Assign(t.V(q), t.b.AddressOf(t.b.CompoundLiteral(literal)));
         t.Set(x, t.b.Binary(BinaryOp::Add, t.b.Deref(t.V(p)), t.b.Deref(made)));
         t.Set(p, traps ? t.V(q) : t.b.AddressOf(t.V(y)));
         BlockId body = t.NewBlock();
         Stmt jump;
         jump.kind = StmtKind::Goto;
         jump.label = again;
         t.In(body, [&] { t.Do(t.b.Statement(jump)); });
         t.Add(StmtKind::If, t.b.Binary(BinaryOp::Lt, t.b.IncDec(IncDecOp::PreInc, t.V(n)), t.I(3)), body);
       }},
      {TrapKind::OrderDependent, "an initialiser list that reads what it initialises",
       [=](Tiny& t, bool traps) {
         VarId other = t.Local(t.T().Array(t.Int(), 2), t.b.InitList({{0, t.InitInt(1)}, {1, t.InitInt(2)}}));
         VarId own = t.b.Local(t.entry, t.T().Array(t.Int(), 2), Storage::Auto);
         InitId second = t.b.InitExpr(t.b.Index(t.V(traps ? own : other), t.I(0)));
         t.p.vars[own].init = t.b.InitList({{0, t.InitInt(5)}, {1, second}});
         t.Do(t.b.Decl(own));
       }},
      {TrapKind::OrderDependent, "initialiser list",
       [=](Tiny& t, bool traps) {
         VarId x = t.GlobalInt(), y = t.GlobalInt();
         InitId first = t.b.InitExpr(post(t, x)), second = t.b.InitExpr(t.V(traps ? x : y));
         t.Local(t.T().Array(t.Int(), 2), t.b.InitList({{0, first}, {1, second}}));
       }},
  };
}

}  // namespace assay::machine::testing
