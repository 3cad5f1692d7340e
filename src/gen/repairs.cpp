#include "gen/repairs.hpp"

#include <algorithm>

#include "gen/call.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

bool IsLoop(const RepairPlace& place) { return !place.trap.expr; }
ExprId ConditionAt(const Writer& w, const RepairPlace& place) { return w.program.stmts[place.trap.stmt].expr; }

// Executions of a node as the program runs; a test without a machine gives them with the trap.
uint64_t Executions(const Writer& w, const RepairPlace& place, ExprId expr) {
  return w.Live() ? w.machine->Executions(expr) : place.trap.prior_executions;
}

// In its first entry a loop whose index only its head writes has compared first, first + step, ...: a bound that it is
// about to reach has given the same answers. A loop that has not compared yet runs twice.
int64_t NextSeen(const Writer& w, const RepairPlace& place) {
  const LoopPlan& plan = w.loops[place.trap.stmt.index];
  const int64_t before = static_cast<int64_t>(Executions(w, place, plan.comparison));
  return plan.first + plan.step * (before == 0 ? 2 : before);
}

// Whether the loop still gives its index the values that were planned: an assignment that could not be made (the object
// shares bytes with a const one) is a plain value now.
bool StepsAsPlanned(const Writer& w, const LoopPlan& plan) {
  return std::all_of(plan.writes.begin(), plan.writes.end(), [&](ExprId write) {
    if (!write) return true;
    const lang::ExprKind kind = w.program.exprs[write].kind;
    return kind == ExprKind::Assign || kind == ExprKind::CompoundAssign || kind == ExprKind::IncDec;
  });
}

bool MayTrim(Writer& w, const RepairPlace& place) {
  if (!IsLoop(place) || place.trap.stmt.index >= w.loops.size()) return false;
  const LoopPlan plan = w.loops[place.trap.stmt.index];
  if (!plan.comparison || (w.Live() && w.machine->Executions(place.trap.stmt) != 1)) return false;
  if (w.program.exprs[plan.comparison].kind != ExprKind::Binary) return false;  // repaired in another way meanwhile
  if (!StepsAsPlanned(w, plan)) return false;
  const int64_t next = NextSeen(w, place);
  if (next < -30000 || next > 30000) return false;
  if (!w.Live() || Executions(w, place, plan.comparison) == 0) return true;
  const std::optional<machine::Value> now = w.Probe(plan.index);
  return now && static_cast<int64_t>(*now) + plan.offset == next;
}

bool TrimBound(Writer& w, const RepairPlace& place) {
  const LoopPlan plan = w.loops[place.trap.stmt.index];
  const int64_t next = NextSeen(w, place);
  const BinaryOp op = w.program.exprs[plan.comparison].Binary();
  const int64_t bound = op == BinaryOp::Le ? next - 1 : op == BinaryOp::Ge ? next + 1 : next;
  const ExprId number = w.build.Int(bound);
  w.program.exprs[plan.comparison].rhs = number;
  return true;
}

// The first statement of a loop's body runs once for each iteration, unless a jump leads to it.
StmtId FirstOfBody(const Writer& w, const RepairPlace& place) {
  if (!IsLoop(place)) return {};
  const std::vector<StmtId>& stmts = w.program.blocks[w.program.stmts[place.trap.stmt].body].stmts;
  if (stmts.empty() || w.program.stmts[stmts.front()].kind == StmtKind::Label) return {};
  return stmts.front();
}
uint64_t Iterations(const Writer& w, const RepairPlace& place, StmtId first) {
  return w.Live() ? w.machine->Executions(first) : place.trap.prior_executions;
}
bool MayBreak(Writer& w, const RepairPlace& place) {
  const StmtId first = FirstOfBody(w, place);
  return first && !MayTrim(w, place) && Iterations(w, place, first) > 0;
}

// if (c++ < K ? 0 : 1) break; at the begin of the body, with K the iterations so far.
bool BreakLater(Writer& w, const RepairPlace& place) {
  const uint64_t iterations = Iterations(w, place, FirstOfBody(w, place));
  const BlockId body = w.program.stmts[place.trap.stmt].body;
  const ExprId over = w.build.Guard(w.build.Int(0), w.build.Int(1), NewCounter(w, iterations), iterations);
  lang::Stmt stmt{.kind = StmtKind::If, .expr = over};
  stmt.body = w.build.NewBlock(w.program.blocks[body].function);
  w.build.Insert(body, 0, w.build.Statement(stmt));
  w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Break}));
  w.Plan(place.trap.stmt) = {.cut = true};
  return true;
}

// Raised before the callee and the arguments are evaluated: the whole call may be skipped. Not so a wrapper that has
// just replaced an operation whose operands are evaluated already.
bool MaySkip(Writer& w, const RepairPlace& place) {
  if (!place.trap.expr) return false;
  const Expr callee = w.program.exprs[w.program.exprs[place.trap.expr].lhs];
  return callee.kind != ExprKind::Function || !w.Plan(callee.Func()).helper;
}

// The loop or the call that uses too much of a budget. What says how often a loop runs is trimmed where that changes
// nothing that has happened; a counter in its condition is the last resort.
constexpr RepairRow kBudgetRepairs[] = {
    {"a lower bound", 1, MayTrim, TrimBound},
    {"break after the iterations so far", 1, MayBreak, BreakLater},
    {"counter around the condition", 1,
     [](Writer& w, const RepairPlace& place) {
       if (!IsLoop(place) || MayTrim(w, place) || MayBreak(w, place)) return false;
       const ExprId condition = ConditionAt(w, place);
       return condition && w.program.exprs[condition].kind != ExprKind::Guard && Executions(w, place, condition) > 0;
     },
     [](Writer& w, const RepairPlace& place) {
       const ExprId condition = ConditionAt(w, place);
       const uint64_t executions = Executions(w, place, condition);
       const ExprId moved = MoveNode(w, condition);
       Become(w, condition, w.build.Guard(moved, w.build.Int(0), NewCounter(w, executions), executions), true);
       return true;
     }},
    {"plain value", 1, [](Writer& w, const RepairPlace& place) { return MaySkip(w, place) && place.First(); },
     [](Writer& w, const RepairPlace& place) {
       Become(w, place.trap.expr, PlainValue(w, lang::ValueType(w.program, place.trap.expr)), false);
       return true;
     }},
    {"counter around the call", 1,
     [](Writer& w, const RepairPlace& place) { return MaySkip(w, place) && !place.First(); },
     [](Writer& w, const RepairPlace& place) { return GuardWhole(w, place.trap); }},
};

// A loop that is about to begin and cannot be trimmed is let go: it was planned.
bool RepairBudget(Writer& w, const Trap& trap) {
  if (!trap.expr && w.Plan(trap.stmt).cut) return true;
  return RepairFrom(w, kBudgetRepairs, {trap}) || !trap.expr;
}

// Both values of (__builtin_constant_p(x) ? a : b) become a: so far they have been equal.
bool SayTheSame(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  const ExprId same = w.build.CopyTree(w.program.Arg(e, 1));
  w.program.args[e.args.first + 2] = same;
  return true;
}

}  // namespace

std::span<const RepairRow> BudgetRepairs() { return kBudgetRepairs; }

bool RepairTrap(Writer& w, const Trap& trap) {
  switch (trap.kind) {
    case TrapKind::FloatConversion:
    case TrapKind::FloatInexact:
    case TrapKind::FloatSign:
      if (IsVectorOperation(w, trap)) return RepairVector(w, trap);
      return RepairFloat(w, trap);
    case TrapKind::DivisionByZero:
      if (IsVectorOperation(w, trap)) return RepairVector(w, trap);
      if (IsFloatOperation(w, trap)) return RepairFloat(w, trap);
      return RepairArithmetic(w, trap);
    case TrapKind::SignedOverflow:
    case TrapKind::DivisionOverflow:
    case TrapKind::ShiftCount:
    case TrapKind::ShiftSign:
    case TrapKind::BitOfZero:
      if (IsVectorOperation(w, trap)) return RepairVector(w, trap);
      return RepairArithmetic(w, trap);
    case TrapKind::NullDereference:
    case TrapKind::DanglingPointer:
    case TrapKind::IndeterminatePointer:
    case TrapKind::OutOfBounds:
    case TrapKind::PointerArithmetic:
    case TrapKind::PointerCompare:
    case TrapKind::PointerSubtract:
    case TrapKind::StrictAliasing:
    case TrapKind::ConstModified:
    case TrapKind::VolatileAccess:
    case TrapKind::Misaligned:
    case TrapKind::StringModified:
    case TrapKind::BadCall: return FixAccess(w, trap);
    case TrapKind::UninitializedRead:
    case TrapKind::InvalidRepresentation:
    case TrapKind::PaddingObserved:
    case TrapKind::MissingReturn: return FixRead(w, trap);
    case TrapKind::EitherWay: return SayTheSame(w, trap);
    case TrapKind::Unsequenced:
    case TrapKind::OrderDependent:
    case TrapKind::Overlap:  // the value goes through a temporary
      return PutInOrder(w, trap);
    case TrapKind::StepBudget:
    case TrapKind::RecursionDepth: return RepairBudget(w, trap);
    case TrapKind::Restrict:
    case TrapKind::NullArgument:  // promised when everything is written
    case TrapKind::NullResult:
    case TrapKind::JumpIntoVla:
    case TrapKind::VlaLength:
    case TrapKind::DoubleFree:
    case TrapKind::InvalidFree:
    case TrapKind::VaArgs:
    case TrapKind::Unreachable:
    case TrapKind::None:
    case TrapKind::kCount: return false;
  }
  return false;
}

}  // namespace assay::gen
