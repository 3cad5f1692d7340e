#include "gen/repairs.hpp"

#include "gen/call.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

ExprId ConditionAt(const Writer& w, const RepairPlace& place) { return w.program.stmts[place.trap.stmt].expr; }

// Raised before the callee and the arguments are evaluated: the whole call may be skipped. Not so a wrapper that has
// just replaced an operation whose operands are evaluated already.
bool MaySkip(Writer& w, const RepairPlace& place) {
  if (!place.trap.expr) return false;
  const Expr callee = w.program.exprs[w.program.exprs[place.trap.expr].lhs];
  return callee.kind != ExprKind::Function || !w.Plan(callee.Func()).helper;
}
bool NeverRanTooDeep(const RepairPlace& place) { return place.First() && place.trap.kind == TrapKind::RecursionDepth; }

// The loop or the call that uses too much of a budget.
constexpr RepairRow kBudgetRepairs[] = {
    {"counter around the condition", 1,
     [](Writer& w, const RepairPlace& place) {
       if (place.trap.expr) return false;
       const ExprId condition = ConditionAt(w, place);
       return condition && w.program.exprs[condition].kind != ExprKind::Guard;
     },
     [](Writer& w, const RepairPlace& place) {
       const ExprId condition = ConditionAt(w, place);
       const uint64_t executions = w.Live() ? w.machine->Executions(condition) : place.trap.prior_executions;
       const ExprId moved = MoveNode(w, condition);
       Become(w, condition, w.build.Guard(moved, w.build.Int(0), NewCounter(w, executions), executions), true);
       return true;
     }},
    {"plain value", 1, [](Writer& w, const RepairPlace& place) { return MaySkip(w, place) && NeverRanTooDeep(place); },
     [](Writer& w, const RepairPlace& place) {
       Become(w, place.trap.expr, PlainValue(w, lang::ValueType(w.program, place.trap.expr)), false);
       return true;
     }},
    {"counter around the call", 1,
     [](Writer& w, const RepairPlace& place) { return MaySkip(w, place) && !NeverRanTooDeep(place); },
     [](Writer& w, const RepairPlace& place) { return GuardWhole(w, place.trap); }},
};

}  // namespace

std::span<const RepairRow> BudgetRepairs() { return kBudgetRepairs; }

bool RepairTrap(Writer& w, const Trap& trap) {
  switch (trap.kind) {
    case TrapKind::SignedOverflow:
    case TrapKind::DivisionByZero:
    case TrapKind::DivisionOverflow:
    case TrapKind::ShiftCount:
    case TrapKind::ShiftSign: return RepairArithmetic(w, trap);
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
    case TrapKind::Unsequenced:
    case TrapKind::OrderDependent:
    case TrapKind::Overlap:  // the value goes through a temporary
      return PutInOrder(w, trap);
    case TrapKind::StepBudget:
    case TrapKind::RecursionDepth: return RepairFrom(w, kBudgetRepairs, {trap});
    case TrapKind::Restrict:
    case TrapKind::JumpIntoVla:
    case TrapKind::VlaLength:
    case TrapKind::DoubleFree:
    case TrapKind::InvalidFree:
    case TrapKind::VaArgs:
    case TrapKind::None:
    case TrapKind::kCount: return false;
  }
  return false;
}

}  // namespace assay::gen
