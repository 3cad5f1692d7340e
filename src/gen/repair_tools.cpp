#include "gen/repair_tools.hpp"

#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "support/small_vector.hpp"

namespace assay::gen {

using lang::Expr;
using machine::Operand;
using machine::Trap;

bool RepairFrom(Writer& w, std::span<const RepairRow> rows, const RepairPlace& place, bool always) {
  support::SmallVector<uint32_t, 8> weights;
  size_t applying = 0, chosen = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool applies = rows[i].applies(w, place);
    weights.push_back(applies ? rows[i].weight : 0);
    if (!applies) continue;
    ++applying;
    chosen = i;
  }
  if (applying == 0) return false;
  if (applying > 1 || always) chosen = w.choices.Weighted(std::span<const uint32_t>(weights.begin(), weights.size()));
  return rows[chosen].apply(w, place);
}

ExprId MoveNode(Writer& w, ExprId id) {
  const ExprId copy = w.program.exprs.Add(Expr(w.program.exprs[id]));
  w.Moved(id, copy);
  return copy;
}

void Become(Writer& w, ExprId id, ExprId from, bool repaired) {
  Expr e = w.program.exprs[from];
  e.repaired = repaired;
  w.program.exprs[id] = e;
}

VarId NewCounter(Writer& w, uint64_t value) {
  const VarId counter =
      w.build.Global(w.program.types.Basic(TypeKind::UInt), w.build.InitExpr(w.build.Constant(TypeKind::UInt, 0)));
  w.program.vars[counter].role = lang::VarRole::Counter;
  w.program.vars[counter].internal_linkage = true;
  w.Define(counter, value);
  return counter;
}

ExprId Guarded(Writer& w, const Trap& trap, ExprId value, ExprId otherwise) {
  ExprId temporary;
  uint64_t executions = trap.prior_executions;
  if (!IsPure(w.program, value) && w.Kind(value) != TypeKind::Void) {
    temporary = w.build.Var(w.build.Temporary(trap.function, lang::OperandType(w.program, value)));
    executions = trap.completed_executions;  // the counter steps after the value, not before it
  }
  return w.build.Guard(value, otherwise, NewCounter(w, executions), executions, temporary);
}

bool GuardWhole(Writer& w, const Trap& trap) {
  if (trap.reentered || trap.lvalue) return false;
  const TypeId type = lang::OperandType(w.program, trap.expr);
  const ExprId otherwise = PlainValue(w, type);
  const ExprId moved = AsOperand(w, MoveNode(w, trap.expr));
  const ExprId guard = w.build.Guard(moved, otherwise, NewCounter(w, trap.prior_executions), trap.prior_executions);
  Become(w, trap.expr, guard, true);
  return true;
}

bool MayCopy(const Writer& w, ExprId tree) {
  std::vector<ExprId> nodes = {tree};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Expr& e = w.program.exprs[nodes[i]];
    if (e.kind == ExprKind::Conditional || e.kind == ExprKind::LogicalAnd || e.kind == ExprKind::LogicalOr)
      return false;
    lang::ForEachChild(w.program, e, [&](ExprId child) { nodes.push_back(child); });
  }
  return IsPure(w.program, tree);
}

bool OperandsPure(const Writer& w, const Trap& trap) {
  for (const Operand& operand : trap.operands) {
    if (!IsPure(w.program, operand.expr)) return false;
  }
  return true;
}

bool ReplaceByValue(Writer& w, const Trap& trap) {
  if (trap.lvalue) return false;
  ExprId value = PlainValue(w, lang::OperandType(w.program, trap.expr));
  for (size_t i = trap.operands.size(); i-- > 0;) {
    ExprId operand = trap.operands[i].expr;
    if (IsPure(w.program, operand)) continue;
    if (operand == trap.expr) operand = MoveNode(w, operand);  // its own value must not be used
    value = w.build.Comma(operand, value);
  }
  Become(w, trap.expr, value, false);
  return true;
}

}  // namespace assay::gen
