#include <bit>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/repair_tools.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

// Puts something else in place of the pointer operand of a dereference, which keeps the node an lvalue.
bool FixPointer(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  const bool first = trap.prior_executions == 0;
  if (e.kind == ExprKind::Member && e.lhs) {  // the dereference below it trapped as part of the access
    return false;
  }
  if (e.kind != ExprKind::Deref && e.kind != ExprKind::Index) return false;
  const TypeId pointer_type = lang::ValueType(w.program, e.lhs);
  ExprId pointer = e.lhs;
  if (e.kind == ExprKind::Index) {
    pointer = w.build.Binary(BinaryOp::Add, e.lhs, e.rhs);  // p[i] as *(p + i)
    w.machine->Moved(trap.expr, pointer);
  }
  const ExprId fallback = FallbackAddress(w, pointer_type);
  const bool pure = IsPure(w.program, pointer);
  ExprId fixed;
  if (first) {
    fixed = pure ? fallback : w.build.Comma(pointer, fallback);
  } else if (trap.kind == TrapKind::NullDereference && MayCopy(w, pointer) && e.kind == ExprKind::Deref && w.choices.Percent(60)) {
    const ExprId copy = w.build.CopyTree(pointer);
    fixed = w.build.Conditional(pointer, copy, w.build.Cast(pointer_type, fallback));
  } else {
    fixed = Guarded(w, trap, pointer, w.build.Cast(pointer_type, fallback));
  }
  if (first && pure) fixed = w.build.Cast(pointer_type, fixed);
  const ExprId deref = w.build.Deref(fixed);
  w.program.exprs[deref].type = e.type;
  Become(w, trap.expr, deref, !first);
  return true;
}

// An index of an array lvalue, out of range: i becomes (unsigned) i % n, or i & (n - 1); the same for every i in range.
bool FixIndex(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  const lang::Type array = w.program.types[w.program.exprs[e.lhs].type];
  if (array.kind == TypeKind::Vla) {
    const ExprId zero = w.build.Int(0);
    e.rhs = Guarded(w, trap, e.rhs, zero);
  } else if (!trap.address && std::has_single_bit(array.length) && w.choices.Coin()) {
    e.rhs = w.build.Binary(BinaryOp::BitAnd, e.rhs, w.build.Int(static_cast<int64_t>(array.length) - 1));
  } else {
    const ExprId wide = w.build.Cast(w.program.types.Basic(TypeKind::ULLong), e.rhs);
    e.rhs = w.build.Binary(BinaryOp::Rem, wide, w.build.Constant(TypeKind::UInt, array.length + (trap.address ? 1 : 0)));  // &a[n] is allowed
  }
  e.repaired = trap.prior_executions > 0;
  w.program.exprs[trap.expr] = e;
  return true;
}

// Whether the pointer operand of an access is good, so that it is the pointer read there that may not be used.
bool ReadsBadPointer(Writer& w, const Trap& trap) {
  if (trap.lvalue || (trap.kind != TrapKind::DanglingPointer && trap.kind != TrapKind::IndeterminatePointer)) return false;
  if (w.Kind(trap.expr) != TypeKind::Pointer || trap.operands.empty()) return true;
  if (trap.operands[0].is_lvalue) return true;
  const machine::PointerView view = w.machine->View(trap.operands[0].value);
  return view.kind == machine::PointerView::Kind::Object && view.live;
}

// A binary operation whose operands have side effects: they are evaluated into temporaries, the operation is guarded.
bool HoistAndGuard(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  if (e.kind != ExprKind::Binary || trap.reentered) return false;
  auto hoist = [&](ExprId* operand) {
    const VarId var = w.build.Temporary(trap.function, lang::OperandType(w.program, *operand));
    const ExprId store = w.build.Assign(w.build.Var(var), *operand);
    *operand = w.build.Var(var);
    return store;
  };
  const ExprId first = hoist(&e.lhs), second = hoist(&e.rhs);
  const ExprId operation = w.program.exprs.Add(e);
  w.machine->Moved(trap.expr, operation);
  const ExprId otherwise = PlainValue(w, e.type);
  const ExprId guard = w.build.Guard(operation, otherwise, NewCounter(w, trap.prior_executions), trap.prior_executions);
  Become(w, trap.expr, w.build.Comma(first, w.build.Comma(second, guard)), true);
  return true;
}

}  // namespace

bool FixAccess(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  if (lang::IsLvalue(w.program, trap.expr) && ReadsBadPointer(w, trap)) return FixRead(w, trap);
  if (e.kind == ExprKind::Index && lang::IsArray(w.Kind(e.lhs))) {
    return trap.kind == TrapKind::OutOfBounds || trap.kind == TrapKind::PointerArithmetic ? FixIndex(w, trap) : false;
  }
  if (e.kind == ExprKind::Deref || e.kind == ExprKind::Index) return FixPointer(w, trap);
  // A pointer value that may not be used: read from a variable, computed, compared.
  if (trap.prior_executions == 0) return ReplaceByValue(w, trap);
  return OperandsPure(w, trap) ? GuardWhole(w, trap) : HoistAndGuard(w, trap);
}

bool FixRead(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  const bool first = trap.prior_executions == 0;
  if (e.kind == ExprKind::CompoundAssign && first) {
    e.kind = ExprKind::Assign;
    w.program.exprs[trap.expr] = e;
    return true;
  }
  if (e.kind == ExprKind::IncDec && first) {
    e.kind = ExprKind::Assign;
    e.rhs = w.build.Int(0);
    w.program.exprs[trap.expr] = e;
    return true;
  }
  if (first) return ReplaceByValue(w, trap);
  return OperandsPure(w, trap) ? GuardWhole(w, trap) : false;
}

}  // namespace assay::gen
