#include "gen/repairs.hpp"

#include <bit>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/rewrites.hpp"
#include "gen/wrappers.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using lang::UnaryOp;
using machine::Operand;
using machine::Trap;
using machine::TrapKind;

// --- Small tools on trees -------------------------------------------------------------------------------------------

// Moves the node to a new id, so that its old id can become the root of something around it.
ExprId MoveNode(Writer& w, ExprId id) {
  const ExprId copy = w.program.exprs.Add(Expr(w.program.exprs[id]));
  w.machine->Moved(id, copy);
  return copy;
}

// Makes `id` a copy of the node `from`, which is not used elsewhere.
void Become(Writer& w, ExprId id, ExprId from, bool repaired) {
  Expr e = w.program.exprs[from];
  e.repaired = repaired;
  w.program.exprs[id] = e;
}

VarId NewCounter(Writer& w, uint64_t value) {
  const VarId counter = w.build.Global(w.program.types.Basic(TypeKind::UInt), w.build.InitExpr(w.build.Constant(TypeKind::UInt, 0)));
  w.program.vars[counter].role = lang::VarRole::Counter;
  w.program.vars[counter].internal_linkage = true;
  w.machine->Define(counter, value);
  return counter;
}

// value guarded by a counter that has run out: (c++ < executions ? value : otherwise). A value with side effects is
// evaluated first, into a temporary.
ExprId Guarded(Writer& w, const Trap& trap, ExprId value, ExprId otherwise) {
  ExprId temporary;
  uint64_t executions = trap.prior_executions;
  if (!IsPure(w.program, value) && w.Kind(value) != TypeKind::Void) {
    temporary = w.build.Var(w.build.Temporary(trap.function, lang::OperandType(w.program, value)));
    executions = trap.completed_executions;  // the counter steps after the value, not before it
  }
  return w.build.Guard(value, otherwise, NewCounter(w, executions), executions, temporary);
}

// The trapping node under a counter. For nodes whose operands may be skipped, or traps raised before they are evaluated.
bool GuardWhole(Writer& w, const Trap& trap) {
  if (trap.reentered || trap.lvalue) return false;
  const TypeId type = lang::OperandType(w.program, trap.expr);
  const ExprId otherwise = PlainValue(w, type);
  const ExprId moved = AsOperand(w, MoveNode(w, trap.expr));
  const ExprId guard = w.build.Guard(moved, otherwise, NewCounter(w, trap.prior_executions), trap.prior_executions);
  Become(w, trap.expr, guard, true);
  return true;
}

// Whether a repair may copy the tree: without side effects, and without parts that are evaluated in some executions only.
// Those of the copy would begin with the count of the repaired node, not with their own.
bool MayCopy(const Writer& w, ExprId tree) {
  std::vector<ExprId> nodes = {tree};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Expr& e = w.program.exprs[nodes[i]];
    if (e.kind == ExprKind::Conditional || e.kind == ExprKind::LogicalAnd || e.kind == ExprKind::LogicalOr) return false;
    lang::ForEachChild(w.program, e, [&](ExprId child) { nodes.push_back(child); });
  }
  return IsPure(w.program, tree);
}

bool OperandsPure(Writer& w, const Trap& trap) {
  for (const Operand& operand : trap.operands) {
    if (!IsPure(w.program, operand.expr)) return false;
  }
  return true;
}

// Replaces a node that never ran by a plain value, keeping the side effects of the operands.
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

// --- Arithmetic -----------------------------------------------------------------------------------------------------

// The type an operation computes in, and its operands' values.
struct Operation {
  BinaryOp op;
  TypeKind kind;        // of the operation; of the left operand for shifts
  TypeKind count_kind;  // of a shift's right operand
  int64_t a = 0, b = 0;
};

int64_t ConvertTo(Writer& w, TypeKind kind, machine::Value value) {
  return static_cast<int64_t>(Canonical(value, w.IntInfo(kind)));
}

std::optional<Operation> OperationOf(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  Operation operation{e.Binary(), lang::PromotedKind(w.program, e.lhs), lang::PromotedKind(w.program, e.rhs)};
  if (lang::Info(operation.op).result != lang::BinaryClass::Shift) {
    operation.kind = operation.count_kind = lang::CommonKind(operation.kind, operation.count_kind, w.program.Model());
  }
  machine::Value a = trap.operands[0].value;
  if (trap.operands[0].is_lvalue) {
    const std::optional<machine::Value> value = w.Probe(e.lhs);
    if (!value) return std::nullopt;
    a = *value;
  }
  operation.a = ConvertTo(w, operation.kind, a);
  operation.b = ConvertTo(w, operation.count_kind, trap.operands.back().value);
  return operation;
}

ExprId Adjusted(Writer& w, ExprId operand, TypeKind kind, int64_t constant) {
  const uint64_t value = static_cast<uint64_t>(ConvertTo(w, kind, static_cast<uint64_t>(constant)));
  return w.build.Binary(BinaryOp::Add, operand, w.build.Constant(kind, value));
}

bool RewriteArithmetic(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  if (e.kind == ExprKind::Unary) {
    e.op = static_cast<uint8_t>(UnaryOp::Plus);
  } else if (e.kind == ExprKind::IncDec) {
    e.op = static_cast<uint8_t>(static_cast<uint8_t>(e.op) ^ 1);  // Pre/Post Inc <-> Dec
  } else {
    const std::optional<Operation> operation = OperationOf(w, trap);
    if (!operation) return false;
    const Rewrite rewrite = RewriteBinary(operation->op, trap.kind, w.IntInfo(operation->kind), w.IntInfo(operation->count_kind),
                                          operation->a, operation->b, w.choices);
    const bool compound = e.kind == ExprKind::CompoundAssign;
    switch (rewrite.shape) {
      case Rewrite::Shape::Flip:
        e.op = static_cast<uint8_t>(rewrite.op);
        break;
      case Rewrite::Shape::AdjustRight:
        e.rhs = Adjusted(w, e.rhs, operation->count_kind, rewrite.constant);
        break;
      case Rewrite::Shape::AdjustLeft:
        if (compound) {
          e.op = static_cast<uint8_t>(BinaryOp::BitOr);
        } else {
          e.lhs = Adjusted(w, e.lhs, operation->kind, rewrite.constant);
        }
        break;
      case Rewrite::Shape::KeepLeft:
        e.op = static_cast<uint8_t>(compound || !IsPure(w.program, e.rhs) ? BinaryOp::BitOr : BinaryOp::BitXor);
        break;
    }
    e.type = lang::TypeOf(w.program, e);  // a flip between families may change it: a << b has a's type
    if (!compound && e.type != w.program.exprs[trap.expr].type) {
      const TypeId wanted = w.program.exprs[trap.expr].type;
      const ExprId inner = w.program.exprs.Add(e);
      Become(w, trap.expr, w.build.Cast(wanted, inner), false);
      return true;
    }
  }
  w.program.exprs[trap.expr] = e;
  return true;
}

// The same operation in the unsigned type: (T)((U)a op (U)b).
ExprId UnsignedForm(Writer& w, const Expr& e) {
  const TypeId type = e.type;
  const TypeKind kind = lang::StandardKind(w.Kind(type), w.program.Model());
  const TypeId wide = w.program.types.Basic(static_cast<TypeKind>(static_cast<uint32_t>(kind) + 1));
  if (e.kind == ExprKind::Unary) return w.build.Cast(type, w.build.Unary(e.Unary(), w.build.Cast(wide, e.lhs)));
  const bool shift = e.Binary() == BinaryOp::Shl;
  const ExprId rhs = shift ? e.rhs : w.build.Cast(wide, e.rhs);
  return w.build.Cast(type, w.build.Binary(e.Binary(), w.build.Cast(wide, e.lhs), rhs));
}

// An operand that may be copied into places that are evaluated in some executions only: short, and never traps.
bool IsHarmless(const Writer& w, ExprId operand) {
  const Expr& e = w.program.exprs[operand];
  if (e.kind == ExprKind::Cast) return lang::IsInteger(w.Kind(e.lhs)) && IsHarmless(w, e.lhs);
  if (e.kind != ExprKind::Variable) return e.kind == ExprKind::Constant;
  const lang::Variable& variable = w.program.vars[e.Var()];
  return variable.IsStatic() || variable.storage == lang::Storage::Param;
}

bool RepairBinary(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  const bool pure = OperandsPure(w, trap);
  const TypeKind kind = w.Kind(e.type);
  const bool division = trap.kind == TrapKind::DivisionByZero || trap.kind == TrapKind::DivisionOverflow;
  // unsigned form, wrapper function, mask of the count, conditional in place, wrapper in place, counter
  const uint32_t unsigned_form = trap.kind == TrapKind::SignedOverflow || trap.kind == TrapKind::ShiftSign ? 50 : 0;
  const uint32_t wrapper = trap.kind == TrapKind::SignedOverflow || division ? 30 : 0;
  const uint32_t mask = trap.kind == TrapKind::ShiftCount ? 60 : 0;
  const uint32_t conditional = trap.kind == TrapKind::DivisionByZero && pure && MayCopy(w, e.rhs) ? 40 : 0;
  const uint32_t in_place = wrapper > 0 && pure && IsHarmless(w, e.lhs) && IsHarmless(w, e.rhs) ? 40 : 0;
  ExprId repaired;
  switch (w.choices.Weighted({unsigned_form, wrapper, mask, conditional, in_place, pure ? 10u : 0u})) {
    case 0: repaired = UnsignedForm(w, e); break;
    case 1: {
      const std::array<ExprId, 2> arguments = {e.lhs, e.rhs};
      repaired = w.build.Call(WrapperFor(w, e.Binary(), kind), arguments);
      break;
    }
    case 2: {
      const uint32_t bits = w.IntInfo(lang::PromotedKind(w.program, e.lhs)).bits;
      const ExprId count = w.build.Binary(BinaryOp::BitAnd, e.rhs, w.build.Int(static_cast<int64_t>(bits) - 1));
      repaired = w.build.Binary(e.Binary(), e.lhs, count);
      w.machine->Moved(trap.expr, repaired);  // a later trap here is not a first execution
      break;
    }
    case 3: {
      const ExprId divided = MoveNode(w, trap.expr);
      const ExprId otherwise = w.build.Cast(e.type, ConstantFor(w, e.type));
      repaired = w.build.Conditional(w.build.CopyTree(e.rhs), divided, otherwise);
      break;
    }
    case 4: {
      const ExprId operation = MoveNode(w, trap.expr);
      repaired = WrappedInPlace(w, e.Binary(), kind, e.lhs, e.rhs, operation);
      break;
    }
    default: return GuardWhole(w, trap);
  }
  Become(w, trap.expr, repaired, true);
  return true;
}

bool RepairArithmetic(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  switch (e.kind) {
    case ExprKind::Unary:
      if (w.choices.Percent(30) && OperandsPure(w, trap)) return GuardWhole(w, trap);
      Become(w, trap.expr, UnsignedForm(w, e), true);
      return true;
    case ExprKind::Binary:
      return RepairBinary(w, trap);
    case ExprKind::IncDec:
      return GuardWhole(w, trap);
    case ExprKind::CompoundAssign: {
      // x op= e becomes x = x op e; the new operation traps at once and is repaired as a binary one.
      if (!MayCopy(w, e.lhs)) return OperandsPure(w, trap) && GuardWhole(w, trap);
      const ExprId operation = w.build.Binary(e.Binary(), w.build.CopyTree(e.lhs), e.rhs);
      w.machine->Moved(trap.expr, operation);
      Become(w, trap.expr, w.build.Assign(e.lhs, operation), false);
      return true;
    }
    default:
      return false;
  }
}

// --- Pointers and memory --------------------------------------------------------------------------------------------

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

bool FixRead(Writer& w, const Trap& trap);

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

// --- Sequencing -----------------------------------------------------------------------------------------------------

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

// Evaluates operands into temporaries first, in the order the machine evaluated them.
bool Sequence(Writer& w, const Trap& trap) {
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

// --- Budgets --------------------------------------------------------------------------------------------------------

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
      return Sequence(w, trap);
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
