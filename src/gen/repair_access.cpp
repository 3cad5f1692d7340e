#include <bit>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/repair_tools.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

bool Later(const RepairPlace& place) { return !place.First(); }

// Puts `fixed` in place of the pointer operand of a dereference, which keeps the node an lvalue.
bool PointAt(Writer& w, const RepairPlace& place, ExprId fixed) {
  const TypeId type = w.program.exprs[place.trap.expr].type;
  const ExprId deref = w.build.Deref(fixed);
  w.program.exprs[deref].type = type;
  Become(w, place.trap.expr, deref, Later(place));
  return true;
}

ExprId CastFallback(Writer& w, const RepairPlace& place) {
  return w.build.Cast(lang::ValueType(w.program, w.program.exprs[place.trap.expr].lhs), place.fallback);
}

constexpr RepairRow kPointerRepairs[] = {
    {"a global", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && IsPure(w.program, place.pointer); },
     [](Writer& w, const RepairPlace& place) { return PointAt(w, place, CastFallback(w, place)); }},
    {"a global after the pointer's side effects", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && !IsPure(w.program, place.pointer); },
     [](Writer& w, const RepairPlace& place) {
       return PointAt(w, place, w.build.Comma(place.pointer, place.fallback));
     }},
    {"p ? p : global", 60,
     [](Writer& w, const RepairPlace& place) {
       return Later(place) && place.trap.kind == TrapKind::NullDereference && MayCopy(w, place.pointer) &&
              w.program.exprs[place.trap.expr].kind == ExprKind::Deref;
     },
     [](Writer& w, const RepairPlace& place) {
       const ExprId copy = w.build.CopyTree(place.pointer);
       return PointAt(w, place, w.build.Conditional(place.pointer, copy, CastFallback(w, place)));
     }},
    {"counter around the pointer", 40, [](Writer&, const RepairPlace& place) { return Later(place); },
     [](Writer& w, const RepairPlace& place) {
       const ExprId otherwise = CastFallback(w, place);
       return PointAt(w, place, Guarded(w, place.trap, place.pointer, otherwise));
     }},
};

bool SetIndex(Writer& w, const RepairPlace& place, ExprId index) {
  Expr& e = w.program.exprs[place.trap.expr];
  e.rhs = index;
  e.repaired = Later(place);
  return true;
}

lang::Type ArrayAt(const Writer& w, const RepairPlace& place) {
  return w.program.types[w.program.exprs[w.program.exprs[place.trap.expr].lhs].type];
}
ExprId IndexAt(const Writer& w, const RepairPlace& place) { return w.program.exprs[place.trap.expr].rhs; }

// An index of an array lvalue or of a vector, out of range: the same for every index in range.
constexpr RepairRow kIndexRepairs[] = {
    {"counter around the index", 1,
     [](Writer& w, const RepairPlace& place) { return ArrayAt(w, place).kind == TypeKind::Vla; },
     [](Writer& w, const RepairPlace& place) {
       const ExprId zero = w.build.Int(0);
       return SetIndex(w, place, Guarded(w, place.trap, IndexAt(w, place), zero));
     }},
    {"i % n", 50, [](Writer& w, const RepairPlace& place) { return ArrayAt(w, place).kind != TypeKind::Vla; },
     [](Writer& w, const RepairPlace& place) {
       const uint32_t length = ArrayAt(w, place).length + (place.trap.address ? 1 : 0);  // &a[n] is allowed
       const ExprId wide = w.build.Cast(w.program.types.Basic(TypeKind::ULLong), IndexAt(w, place));
       return SetIndex(w, place, w.build.Binary(BinaryOp::Rem, wide, w.build.Constant(TypeKind::UInt, length)));
     }},
    {"i & (n - 1)", 50,
     [](Writer& w, const RepairPlace& place) {
       const lang::Type array = ArrayAt(w, place);
       return array.kind != TypeKind::Vla && !place.trap.address && std::has_single_bit(array.length);
     },
     [](Writer& w, const RepairPlace& place) {
       const ExprId mask = w.build.Int(static_cast<int64_t>(ArrayAt(w, place).length) - 1);
       return SetIndex(w, place, w.build.Binary(BinaryOp::BitAnd, IndexAt(w, place), mask));
     }},
};

// Whether the pointer operand of an access is good, so that it is the pointer read there that may not be used.
bool ReadsBadPointer(Writer& w, const Trap& trap) {
  if (trap.lvalue || (trap.kind != TrapKind::DanglingPointer && trap.kind != TrapKind::IndeterminatePointer))
    return false;
  if (w.Kind(trap.expr) != TypeKind::Pointer || trap.operands.empty()) return true;
  if (trap.operands[0].is_lvalue) return true;
  const machine::PointerView view = w.machine->View(trap.operands[0].value);
  return view.kind == machine::PointerView::Kind::Object && view.live;
}

// A binary operation whose operands have side effects: they are evaluated into temporaries, the operation is guarded.
bool HoistAndGuard(Writer& w, const RepairPlace& place) {
  const Trap& trap = place.trap;
  Expr e = w.program.exprs[trap.expr];
  auto hoist = [&](ExprId* operand) {
    const VarId var = w.build.Temporary(trap.function, lang::OperandType(w.program, *operand));
    const ExprId store = w.build.Assign(w.build.Var(var), *operand);
    *operand = w.build.Var(var);
    return store;
  };
  const ExprId first = hoist(&e.lhs), second = hoist(&e.rhs);
  const ExprId operation = w.program.exprs.Add(e);
  w.Moved(trap.expr, operation);
  const ExprId otherwise = PlainValue(w, e.type);
  const ExprId guard = w.build.Guard(operation, otherwise, NewCounter(w, trap.prior_executions), trap.prior_executions);
  Become(w, trap.expr, w.build.Comma(first, w.build.Comma(second, guard)), true);
  return true;
}

bool ByPlainValue(Writer& w, const RepairPlace& place) { return ReplaceByValue(w, place.trap); }
bool ByCounter(Writer& w, const RepairPlace& place) { return GuardWhole(w, place.trap); }
bool LaterAndPure(Writer& w, const RepairPlace& place) { return Later(place) && OperandsPure(w, place.trap); }

// A pointer value that may not be used: read from a variable, computed, compared.
constexpr RepairRow kValueRepairs[] = {
    {"plain value", 1, [](Writer&, const RepairPlace& place) { return place.First(); }, ByPlainValue},
    {"counter", 1, LaterAndPure, ByCounter},
    {"counter after the operands", 1,
     [](Writer& w, const RepairPlace& place) {
       return Later(place) && !OperandsPure(w, place.trap) && !place.trap.reentered &&
              w.program.exprs[place.trap.expr].kind == ExprKind::Binary;
     },
     HoistAndGuard},
};

bool FirstAt(Writer& w, const RepairPlace& place, ExprKind kind) {
  return place.First() && w.program.exprs[place.trap.expr].kind == kind;
}

// A value that is not there.
constexpr RepairRow kReadRepairs[] = {
    {"= instead of op=", 1,
     [](Writer& w, const RepairPlace& place) { return FirstAt(w, place, ExprKind::CompoundAssign); },
     [](Writer& w, const RepairPlace& place) {
       Expr e = w.program.exprs[place.trap.expr];
       e.kind = ExprKind::Assign;
       if (!lang::IsAssignable(w.program, e.type, e.rhs)) e.rhs = w.build.Cast(e.type, e.rhs);
       w.program.exprs[place.trap.expr] = e;
       return true;
     }},
    {"= 0 instead of ++", 1, [](Writer& w, const RepairPlace& place) { return FirstAt(w, place, ExprKind::IncDec); },
     [](Writer& w, const RepairPlace& place) {
       const TypeId type = w.program.exprs[place.trap.expr].type;
       const ExprId zero = lang::IsFloat(w.Kind(type)) ? ConstantFor(w, type) : w.build.Int(0);
       Expr& e = w.program.exprs[place.trap.expr];
       e.kind = ExprKind::Assign;
       e.rhs = zero;
       return true;
     }},
    {"plain value", 1,
     [](Writer& w, const RepairPlace& place) {
       return place.First() && !FirstAt(w, place, ExprKind::CompoundAssign) && !FirstAt(w, place, ExprKind::IncDec);
     },
     ByPlainValue},
    {"counter", 1, LaterAndPure, ByCounter},
};

}  // namespace

std::span<const RepairRow> IndexRepairs() { return kIndexRepairs; }
std::span<const RepairRow> PointerRepairs() { return kPointerRepairs; }
std::span<const RepairRow> ValueRepairs() { return kValueRepairs; }
std::span<const RepairRow> ReadRepairs() { return kReadRepairs; }

RepairPlace PointerPlace(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  const TypeId type = lang::ValueType(w.program, e.lhs);
  ExprId pointer = e.lhs;
  if (e.kind == ExprKind::Index) {
    pointer = w.build.Binary(BinaryOp::Add, e.lhs, e.rhs);  // p[i] as *(p + i)
    w.Moved(trap.expr, pointer);
  }
  return {trap, pointer, FallbackAddress(w, type)};
}

bool FixAccess(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  if (lang::IsLvalue(w.program, trap.expr) && ReadsBadPointer(w, trap)) return FixRead(w, trap);
  if (e.kind == ExprKind::Index && (lang::IsArray(w.Kind(e.lhs)) || lang::IsVector(w.Kind(e.lhs)))) {
    const bool range = trap.kind == TrapKind::OutOfBounds || trap.kind == TrapKind::PointerArithmetic;
    return range && RepairFrom(w, kIndexRepairs, {trap});
  }
  if (e.kind == ExprKind::Deref || e.kind == ExprKind::Index)
    return RepairFrom(w, kPointerRepairs, PointerPlace(w, trap));
  return RepairFrom(w, kValueRepairs, {trap});
}

// An operation on vectors in which a lane would trap, or on wide integers: as a whole, as a value that may not be used.
bool RepairVector(Writer& w, const Trap& trap) { return RepairFrom(w, kValueRepairs, {trap}); }

bool IsVectorOperation(const Writer& w, const Trap& trap) {
  if (!trap.expr) return false;
  const TypeKind kind = w.Kind(lang::ValueType(w.program, trap.expr));
  return lang::IsVector(kind) || lang::IsWide(kind);
}

bool FixRead(Writer& w, const Trap& trap) { return RepairFrom(w, kReadRepairs, {trap}); }

}  // namespace assay::gen
