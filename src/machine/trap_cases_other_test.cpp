#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

// Calls a variadic function with one int; inside, `arguments` times va_arg of `type`, and va_end if wanted.
void CallVariadic(Tiny& t, TypeKind type, int arguments, bool end) {
  FunctionId f = t.Function(
      t.Void(), {t.Int()},
      [&](FunctionId) {
        VarId list = t.Local(t.Basic(TypeKind::VaList));
        const auto va = [&](Builtin builtin, TypeId result, TypeId ref) {
          ExprId argument = t.V(list);
          t.Do(t.b.BuiltinCall(builtin, result, ref, std::vector{argument}));
        };
        va(Builtin::VaStart, t.Void(), {});
        for (int i = 0; i < arguments; ++i) va(Builtin::VaArg, t.Basic(type), t.Basic(type));
        if (end) va(Builtin::VaEnd, t.Void(), {});
      },
      true);
  VarId small = t.Global(t.Basic(TypeKind::Short), t.InitInt(-1));
  t.Do(t.Call(f, {t.I(1), t.V(small)}));
}

}  // namespace

std::vector<TrapCase> OtherCases() {
  Options few;
  few.step_budget = 100;
  Options flat;
  flat.recursion_depth = 3;
  const int deepest = 1 + static_cast<int>(kDepthReserve);
  return {
      {TrapKind::StepBudget, "endless loop",
       [](Tiny& t, bool traps) {
         VarId n = t.GlobalInt();
         BlockId body = t.NewBlock();
         t.In(body, [&] { t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(n))); });
         t.Add(StmtKind::While, t.b.Binary(BinaryOp::Lt, t.V(n), t.I(traps ? 1000 : 5)), body);
       },
       DataModelKind::Lp64, few},
      {TrapKind::RecursionDepth, "deep recursion",
       [](Tiny& t, bool traps) {
         FunctionId f = t.Function(t.Void(), {t.Int()}, [&](FunctionId self) {
           BlockId again = t.NewBlock();
           t.Add(StmtKind::If, t.V(t.Param(self, 0)), again);
           t.In(again, [&] { t.Do(t.Call(self, {t.b.Binary(BinaryOp::Sub, t.V(t.Param(self, 0)), t.I(1))})); });
         });
         t.Do(t.Call(f, {t.I(traps ? deepest + 1 : deepest)}));
       },
       DataModelKind::Lp64, flat},
      {TrapKind::MissingReturn, "the value is used",
       [](Tiny& t, bool traps) {
         VarId g = t.GlobalInt();
         FunctionId f = t.Function(t.Int(), {}, [&](FunctionId) {});
         if (traps) {
           t.Set(g, t.Call(f));
         } else {
           t.Do(t.Call(f));
           t.Do(t.b.Cast(t.Void(), t.Call(f)));
           t.Do(t.b.Comma(t.Call(f), t.I(1)));
         }
       }},
      {TrapKind::VaArgs, "beyond the arguments",
       [](Tiny& t, bool traps) { CallVariadic(t, TypeKind::Int, traps ? 2 : 1, true); }},
      {TrapKind::VaArgs, "another type",
       [](Tiny& t, bool traps) { CallVariadic(t, traps ? TypeKind::Long : TypeKind::Int, 1, true); }},
      {TrapKind::VaArgs, "unsigned cannot represent it",
       [](Tiny& t, bool traps) { CallVariadic(t, traps ? TypeKind::UInt : TypeKind::Int, 1, true); }},
      {TrapKind::VaArgs, "no va_end", [](Tiny& t, bool traps) { CallVariadic(t, TypeKind::Int, 1, !traps); }},
  };
}

}  // namespace assay::machine::testing
