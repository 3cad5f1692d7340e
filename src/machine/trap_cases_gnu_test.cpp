// What GCC's manual leaves undefined.
#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

ExprId Use(Tiny& t, Builtin builtin, TypeId type, std::initializer_list<ExprId> arguments) {
  return t.b.BuiltinCall(builtin, type, {}, std::vector<ExprId>(arguments));
}

TrapCase FirstBit(UnaryOp op, std::string name) {
  return {TrapKind::BitOfZero, std::move(name), [op](Tiny& t, bool traps) {
            const VarId g = t.GlobalInt();
            t.Set(g, t.b.Unary(op, t.I(traps ? 0 : 1)));
          }};
}

// int *f(int *a, int *b) { b = 0; return a; } with b nonnull: what becomes of it after its entry is not promised.
FunctionId Promising(Tiny& t, uint32_t attrs) {
  const TypeId pointer = t.Ptr(t.Int());
  const FunctionId f = t.Function(pointer, {pointer, pointer}, [&](FunctionId self) {
    t.Set(t.Param(self, 1), t.b.NullPointer(pointer));
    t.Return(t.V(t.Param(self, 0)));
  });
  t.p.functions[f].attrs |= attrs;
  t.p.vars[t.Param(f, 1)].attrs = kVarNonNull;
  return f;
}

}  // namespace

std::vector<TrapCase> GnuCases() {
  return {
      FirstBit(UnaryOp::Clz, "clz of 0"),
      FirstBit(UnaryOp::Ctz, "ctz of 0"),
      {TrapKind::SignedOverflow, "abs of the smallest value",
       [](Tiny& t, bool traps) {
         const VarId g = t.GlobalInt();
         t.Set(g, t.b.Unary(UnaryOp::Abs, t.I(traps ? INT32_MIN : INT32_MIN + 1)));
       }},
      {TrapKind::Unreachable, "__builtin_unreachable is executed",
       [](Tiny& t, bool traps) {
         BlockId body = t.NewBlock();
         t.In(body, [&] { t.Do(Use(t, Builtin::Unreachable, t.Void(), {})); });
         t.Add(StmtKind::If, t.I(traps), body);
       }},
      {TrapKind::Unreachable, "__builtin_trap is executed",
       [](Tiny& t, bool traps) {
         BlockId body = t.NewBlock();
         t.In(body, [&] { t.Do(Use(t, Builtin::Trap, t.Void(), {})); });
         t.Add(StmtKind::If, t.I(traps), body);
       }},
      {TrapKind::EitherWay, "the two values differ",
       [](Tiny& t, bool traps) {
         const VarId g = t.GlobalInt(), x = t.GlobalInt(3);
         t.Set(g, Use(t, Builtin::ConstantP, t.Int(), {t.V(x), t.V(x), t.I(traps ? 4 : 3)}));
       }},
      {TrapKind::UninitializedRead, "a barrier of what has no value",
       [](Tiny& t, bool traps) {
         const VarId x = t.Local(t.Int(), traps ? InitId() : t.InitInt(1));
         Stmt stmt;
         stmt.kind = StmtKind::Barrier;
         stmt.value = static_cast<int64_t>(BarrierKind::Register);
         stmt.expr = t.V(x);
         t.Do(t.b.Statement(stmt));
       }},
      {TrapKind::OutOfBounds, "a checked sum is stored past the end",
       [](Tiny& t, bool traps) {
         const TypeId array = t.T().Array(t.Int(), 2);
         const VarId a = t.Global(array);
         const ExprId place = t.b.Binary(BinaryOp::Add, t.V(a), t.I(traps ? 2 : 1));
         t.Do(Use(t, Builtin::AddOverflow, t.Basic(TypeKind::Bool), {t.I(1), t.I(2), place}));
       }},
      {TrapKind::OutOfBounds, "a computed goto past its table",
       [](Tiny& t, bool traps) {
         const std::array labels = {t.b.NewLabel()};
         const StmtId jump = t.Add(StmtKind::GotoTable, t.I(traps ? 1 : 0));
         t.p.stmts[jump].labels = t.b.Labels(labels);
         Stmt label;
         label.kind = StmtKind::Label;
         label.label = labels[0];
         t.Do(t.b.Statement(label));
       }},
      {TrapKind::OutOfBounds, "a string without an end",
       [](Tiny& t, bool traps) {
         const VarId a = t.Global(t.T().Array(t.Basic(TypeKind::Char), 2));
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.I(0)), t.I('x')));
         t.Do(t.b.Assign(t.b.Index(t.V(a), t.I(1)), t.I(traps ? 'y' : 0)));
         t.Do(Use(t, Builtin::Strlen, t.Basic(TypeKind::ULong), {t.V(a)}));
       }},
      {TrapKind::OutOfBounds, "a copy of a string that does not fit",
       [](Tiny& t, bool traps) {
         const VarId a = t.Global(t.T().Array(t.Basic(TypeKind::Char), 3));
         const ExprId text = t.b.String(t.p.strings.Add(traps ? "abc" : "ab"));
         t.Do(Use(t, Builtin::Strcpy, t.Void(), {t.V(a), text}));
       }},
      {TrapKind::Overlap, "a string copied into its own array",
       [](Tiny& t, bool traps) {
         const TypeId array = t.T().Array(t.Basic(TypeKind::Char), 9);
         const VarId a = t.Global(array), c = t.Global(array);
         t.Do(Use(t, Builtin::Strcat, t.Void(), {t.V(a), t.V(traps ? a : c)}));
       }},
      {TrapKind::StringModified, "a copy into a literal",
       [](Tiny& t, bool traps) {
         const VarId a = t.Global(t.T().Array(t.Basic(TypeKind::Char), 9));
         const ExprId literal = t.b.String(t.p.strings.Add("abc"));
         t.Do(Use(t, Builtin::Strcpy, t.Void(), {traps ? literal : t.V(a), t.b.String(t.p.strings.Add("x"))}));
       }},
      {TrapKind::NullArgument, "for a nonnull parameter",
       [](Tiny& t, bool traps) {
         const FunctionId f = Promising(t, 0);
         const VarId p = t.Global(t.Ptr(t.Int()));
         if (!traps) t.Set(p, t.b.AddressOf(t.V(t.GlobalInt())));
         t.Do(t.Call(f, {t.b.NullPointer(t.Ptr(t.Int())), t.V(p)}));
       }},
      {TrapKind::NullArgument, "by a pointer to the function, and a constant",
       [](Tiny& t, bool traps) {
         const FunctionId f = Promising(t, 0);
         const VarId p = t.Global(t.Ptr(t.p.functions[f].type));
         t.Set(p, t.b.Func(f));
         const ExprId null = t.b.NullPointer(t.Ptr(t.Int()));
         const ExprId second = traps ? t.I(0) : t.b.AddressOf(t.V(t.GlobalInt()));
         t.Do(t.b.Call(t.V(p), std::vector{null, second}));
       }},
      {TrapKind::NullArgument, "in a call that is executed",
       [](Tiny& t, bool traps) {
         const FunctionId f = Promising(t, 0);
         const ExprId null = t.b.NullPointer(t.Ptr(t.Int())), other = t.b.NullPointer(t.Ptr(t.Int()));
         const BlockId body = t.NewBlock();
         t.In(body, [&] { t.Do(t.Call(f, {null, other})); });
         t.Add(StmtKind::If, t.I(traps), body);
       }},
      {TrapKind::NullResult, "of a function with returns_nonnull, though nobody uses it",
       [](Tiny& t, bool traps) {
         const FunctionId f = Promising(t, kFnReturnsNonNull);
         const ExprId x = t.b.AddressOf(t.V(t.GlobalInt())), y = t.b.AddressOf(t.V(t.GlobalInt()));
         t.Do(t.b.Cast(t.Void(), t.Call(f, {traps ? t.b.NullPointer(t.Ptr(t.Int())) : x, y})));
       }},
      {TrapKind::Unsequenced, "a checked sum is stored into what is stored beside it",
       [](Tiny& t, bool traps) {
         const VarId a = t.GlobalInt(), c = t.GlobalInt();
         const ExprId sum =
             Use(t, Builtin::AddOverflow, t.Basic(TypeKind::Bool), {t.I(1), t.I(2), t.b.AddressOf(t.V(a))});
         t.Do(t.b.Binary(BinaryOp::Add, sum, t.b.Assign(t.V(traps ? a : c), t.I(5))));
       }},
  };
}

}  // namespace assay::machine::testing
