#include "gen/repairs.hpp"

#include "gen/call.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

// Budgets: the loop or the call that uses too much of them gets a counter.
bool LimitLoop(Writer& w, const Trap& trap) {
  lang::Stmt& loop = w.program.stmts[trap.stmt];
  if (!loop.expr || w.program.exprs[loop.expr].kind == ExprKind::Guard) return false;
  const uint64_t executions = w.machine->Executions(loop.expr);
  const ExprId condition = MoveNode(w, loop.expr);
  const ExprId guard = w.build.Guard(condition, w.build.Int(0), NewCounter(w, executions), executions);
  Become(w, w.program.stmts[trap.stmt].expr, guard, true);
  return true;
}

bool LimitCall(Writer& w, const Trap& trap) {
  // Raised before the callee and the arguments are evaluated: the whole call may be skipped. Not so a wrapper that has
  // just replaced an operation whose operands are evaluated already.
  const Expr callee = w.program.exprs[w.program.exprs[trap.expr].lhs];
  if (callee.kind == ExprKind::Function && w.Plan(callee.Func()).helper) return false;
  if (trap.prior_executions == 0 && trap.kind == TrapKind::RecursionDepth) {
    Become(w, trap.expr, PlainValue(w, lang::ValueType(w.program, trap.expr)), false);
    return true;
  }
  return GuardWhole(w, trap);
}

}  // namespace

bool RepairTrap(Writer& w, const Trap& trap) {
  const bool first = trap.prior_executions == 0;
  switch (trap.kind) {
    case TrapKind::SignedOverflow:
    case TrapKind::DivisionByZero:
    case TrapKind::DivisionOverflow:
    case TrapKind::ShiftCount:
    case TrapKind::ShiftSign:
      return first ? RewriteArithmetic(w, trap) : RepairArithmetic(w, trap);
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
    case TrapKind::BadCall:
      return FixAccess(w, trap);
    case TrapKind::UninitializedRead:
    case TrapKind::InvalidRepresentation:
    case TrapKind::PaddingObserved:
    case TrapKind::MissingReturn:
      return FixRead(w, trap);
    case TrapKind::Unsequenced:
    case TrapKind::OrderDependent:
    case TrapKind::Overlap:  // the value goes through a temporary
      return PutInOrder(w, trap);
    case TrapKind::StepBudget:
      return trap.expr ? LimitCall(w, trap) : LimitLoop(w, trap);
    case TrapKind::RecursionDepth:
      return LimitCall(w, trap);
    case TrapKind::Restrict:
    case TrapKind::JumpIntoVla:
    case TrapKind::VlaLength:
    case TrapKind::DoubleFree:
    case TrapKind::InvalidFree:
    case TrapKind::VaArgs:
    case TrapKind::None:
    case TrapKind::kCount:
      return false;
  }
  return false;
}

}  // namespace assay::gen
