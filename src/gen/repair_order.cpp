#include "gen/expr.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;

// Whether the lvalue's address may be kept in a pointer and used later: not for bit-fields, members of packed records and
// unions, and register objects.
bool Addressable(Writer& w, ExprId lvalue) {
  for (ExprId id = lvalue;;) {
    const Expr& e = w.program.exprs[id];
    if (e.kind == ExprKind::Variable) return w.program.vars[e.Var()].storage != lang::Storage::Register;
    if (e.kind == ExprKind::Member) {
      const lang::Record& record = w.program.types.GetRecord(w.program.types[w.program.exprs[e.lhs].type].record);
      if (record.is_union || record.packed || record.members[e.MemberIndex()].IsBitField()) return false;
    } else if (e.kind != ExprKind::Index || !lang::IsArray(w.Kind(e.lhs))) {
      return e.kind == ExprKind::Deref || e.kind == ExprKind::Index;
    }
    id = e.lhs;
  }
}

// Whether evaluating the lvalue reads nothing, so that it is the same object whenever that happens.
bool IsFixed(const Writer& w, ExprId lvalue) {
  for (ExprId id = lvalue;;) {
    const Expr& e = w.program.exprs[id];
    if (e.kind == ExprKind::Variable) return true;
    if (e.kind == ExprKind::Index) {
      if (!lang::IsArray(w.Kind(e.lhs)) || w.program.exprs[e.rhs].kind != ExprKind::Constant) return false;
    } else if (e.kind != ExprKind::Member) {
      return false;
    }
    id = e.lhs;
  }
}

}  // namespace

bool PutInOrder(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  const FunctionId function = trap.function;
  auto hoist = [&](ExprId value, ExprId* use) {
    const VarId var = w.build.Temporary(function, lang::OperandType(w.program, value));
    *use = w.build.Var(var);
    return w.build.Assign(w.build.Var(var), value);
  };
  switch (e.kind) {
    case ExprKind::Binary: {
      const ExprId first = hoist(e.lhs, &e.lhs);
      const ExprId operation = w.program.exprs.Add(e);
      w.machine->Moved(trap.expr, operation);
      Become(w, trap.expr, w.build.Comma(first, operation), true);
      return true;
    }
    case ExprKind::Index: {
      ExprId use;
      const ExprId first = hoist(e.lhs, &use);
      const ExprId address = w.build.Comma(first, w.build.Binary(BinaryOp::Add, use, e.rhs));
      const ExprId deref = w.build.Deref(address);
      w.program.exprs[deref].type = e.type;
      Become(w, trap.expr, deref, true);
      return true;
    }
    case ExprKind::Assign:
    case ExprKind::CompoundAssign: {
      std::vector<ExprId> before;
      if (!IsFixed(w, e.lhs)) {
        if (!Addressable(w, e.lhs)) {
          return trap.prior_executions == 0 && IsPure(w.program, e.lhs) && ReplaceByValue(w, trap);
        }
        ExprId use;
        before.push_back(hoist(w.build.AddressOf(e.lhs), &use));
        e.lhs = w.build.Deref(use);
      }
      before.push_back(hoist(e.rhs, &e.rhs));
      const ExprId operation = w.program.exprs.Add(e);
      w.machine->Moved(trap.expr, operation);
      ExprId tree = operation;
      for (size_t i = before.size(); i-- > 0;) tree = w.build.Comma(before[i], tree);
      Become(w, trap.expr, tree, true);
      return true;
    }
    case ExprKind::Call: {
      std::vector<ExprId> before, arguments;
      if (w.program.exprs[e.lhs].kind != ExprKind::Function) before.push_back(hoist(e.lhs, &e.lhs));
      for (uint32_t i = 0; i < e.args.count; ++i) {
        ExprId argument = w.program.args[e.args.first + i];
        if (w.program.exprs[argument].kind != ExprKind::Constant) before.push_back(hoist(argument, &argument));
        arguments.push_back(argument);
      }
      const ExprId call = w.build.Call(e.lhs, arguments);
      w.machine->Moved(trap.expr, call);
      ExprId tree = call;
      for (size_t i = before.size(); i-- > 0;) tree = w.build.Comma(before[i], tree);
      Become(w, trap.expr, tree, true);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace assay::gen
