#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/repair_tools.hpp"
#include "gen/rewrites.hpp"
#include "gen/types.hpp"
#include "gen/wrappers.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using lang::UnaryOp;
using machine::Trap;
using machine::TrapKind;

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

}  // namespace

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

}  // namespace assay::gen
