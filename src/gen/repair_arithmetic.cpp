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
  if (!lang::IsShift(operation.op)) {
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

// A constant, or a variable of its own that has the value.
ExprId Inserted(Writer& w, TypeKind kind, uint64_t value) {
  const ExprId constant = w.build.Constant(kind, value);
  if (!w.choices.Percent(w.knobs.insert_variables)) return constant;
  const TypeId type = w.program.types.Basic(kind);
  const TypeId fixed = w.choices.Coin() ? type : w.program.types.Qualified(type, lang::kConst);
  return w.build.Var(NewGlobal(w, fixed, w.build.InitExpr(constant)));
}

ExprId Adjusted(Writer& w, ExprId operand, TypeKind kind, int64_t constant) {
  const uint64_t value = static_cast<uint64_t>(ConvertTo(w, kind, static_cast<uint64_t>(constant)));
  return w.build.Binary(BinaryOp::Add, operand, Inserted(w, kind, value));
}

// The same operation in the unsigned type: (T)((U)a op (U)b).
ExprId UnsignedForm(Writer& w, const Expr& e) {
  const TypeId type = e.type;
  const TypeKind kind = lang::StandardKind(w.Kind(type), w.program.Model());
  const TypeId wide = w.program.types.Basic(lang::Info(kind).unsigned_kind);
  if (e.kind == ExprKind::Unary) return w.build.Cast(type, w.build.Unary(e.Unary(), w.build.Cast(wide, e.lhs)));
  const ExprId rhs = lang::IsShift(e.Binary()) ? e.rhs : w.build.Cast(wide, e.rhs);
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

bool IsDivision(TrapKind kind) { return kind == TrapKind::DivisionByZero || kind == TrapKind::DivisionOverflow; }

const Expr& NodeOf(const Writer& w, const RepairPlace& place) { return w.program.exprs[place.trap.expr]; }

bool PureOperands(Writer& w, const RepairPlace& place) { return OperandsPure(w, place.trap); }
bool CounterAround(Writer& w, const RepairPlace& place) { return GuardWhole(w, place.trap); }

bool MayWrap(Writer& w, const RepairPlace& place) {
  return (place.trap.kind == TrapKind::SignedOverflow || IsDivision(place.trap.kind)) &&
         HasWrapper(NodeOf(w, place).Binary());
}

bool InUnsigned(Writer& w, const RepairPlace& place) {
  const Expr e = NodeOf(w, place);
  Become(w, place.trap.expr, UnsignedForm(w, e), true);
  return true;
}

bool MayWrapInPlace(Writer& w, const RepairPlace& place) {
  const Expr e = NodeOf(w, place);
  return MayWrap(w, place) && OperandsPure(w, place.trap) && IsHarmless(w, e.lhs) && IsHarmless(w, e.rhs);
}

constexpr RepairRow kBinaryRepairs[] = {
    {"unsigned form", 50,
     [](Writer&, const RepairPlace& place) {
       return place.trap.kind == TrapKind::SignedOverflow || place.trap.kind == TrapKind::ShiftSign;
     },
     InUnsigned},
    {"wrapper", 30,
     [](Writer& w, const RepairPlace& place) {
       return MayWrap(w, place) && (w.wrapper_style != WrapperStyle::InPlace || !MayWrapInPlace(w, place));
     },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       const std::array<ExprId, 2> arguments = {e.lhs, e.rhs};
       const FunctionId wrapper = WrapperFor(w, e.Binary(), w.Kind(e.type));
       Become(w, place.trap.expr, w.build.Call(wrapper, arguments), true);
       return true;
     }},
    {"mask of the count", 60, [](Writer&, const RepairPlace& place) { return place.trap.kind == TrapKind::ShiftCount; },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       const uint32_t bits = w.IntInfo(lang::PromotedKind(w.program, e.lhs)).bits;
       const ExprId count = w.build.Binary(BinaryOp::BitAnd, e.rhs, w.build.Int(static_cast<int64_t>(bits) - 1));
       const ExprId repaired = w.build.Binary(e.Binary(), e.lhs, count);
       w.Moved(place.trap.expr, repaired);  // a later trap here is not a first execution
       Become(w, place.trap.expr, repaired, true);
       return true;
     }},
    {"conditional", 40,
     [](Writer& w, const RepairPlace& place) {
       return place.trap.kind == TrapKind::DivisionByZero && OperandsPure(w, place.trap) &&
              MayCopy(w, NodeOf(w, place).rhs);
     },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       const ExprId divided = MoveNode(w, place.trap.expr);
       const ExprId otherwise = w.build.Cast(e.type, ConstantFor(w, e.type));
       Become(w, place.trap.expr, w.build.Conditional(w.build.CopyTree(e.rhs), divided, otherwise), true);
       return true;
     }},
    {"wrapper in place", 40,
     [](Writer& w, const RepairPlace& place) {
       return w.wrapper_style != WrapperStyle::Function && MayWrapInPlace(w, place);
     },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       const ExprId operation = MoveNode(w, place.trap.expr);
       const ExprId wrapped = WrappedInPlace(w, e.Binary(), w.Kind(e.type), e.lhs, e.rhs, operation);
       Become(w, place.trap.expr, wrapped, true);
       return true;
     }},
    {"counter", 10, PureOperands, CounterAround},
};

bool IsUnary(Writer& w, const RepairPlace& place, UnaryOp op) {
  return NodeOf(w, place).kind == ExprKind::Unary && NodeOf(w, place).Unary() == op;
}
bool IsNegation(Writer& w, const RepairPlace& place) { return IsUnary(w, place, UnaryOp::Minus); }
bool IsBitOfZero(Writer&, const RepairPlace& place) { return place.trap.kind == TrapKind::BitOfZero; }

// clz(x | 1) and ctz(x | MSB) are those of x, where they are defined.
bool SetBit(Writer& w, const RepairPlace& place) {
  const Expr e = NodeOf(w, place);
  const TypeKind kind = lang::Info(lang::PromotedKind(w.program, e.lhs)).unsigned_kind;
  const uint64_t bit = e.Unary() == UnaryOp::Clz ? 1 : uint64_t{1} << (w.IntInfo(kind).bits - 1);
  const ExprId set = place.First() ? Inserted(w, kind, bit) : w.build.Constant(kind, bit);
  Become(w, place.trap.expr, w.build.Unary(e.Unary(), w.build.Binary(BinaryOp::BitOr, e.lhs, set)), !place.First());
  return true;
}

constexpr RepairRow kUnaryRepairs[] = {
    {"counter", 30, PureOperands, CounterAround},
    {"unsigned form", 70, IsNegation, InUnsigned},
    {"a bit that is set", 100, IsBitOfZero, SetBit},
};

bool IsCompound(Writer& w, const RepairPlace& place) { return NodeOf(w, place).kind == ExprKind::CompoundAssign; }
bool IsStep(Writer& w, const RepairPlace& place) { return NodeOf(w, place).kind == ExprKind::IncDec; }

constexpr RepairRow kAssignmentRepairs[] = {
    {"counter around ++", 1, IsStep, CounterAround},
    // The new operation traps at once and is repaired as a binary one.
    {"x = x op e", 1,
     [](Writer& w, const RepairPlace& place) { return IsCompound(w, place) && MayCopy(w, NodeOf(w, place).lhs); },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       const ExprId operation = w.build.Binary(e.Binary(), w.build.CopyTree(e.lhs), e.rhs);
       w.Moved(place.trap.expr, operation);
       Become(w, place.trap.expr, w.build.Assign(e.lhs, operation), false);
       return true;
     }},
    {"counter around op=", 1,
     [](Writer& w, const RepairPlace& place) {
       return IsCompound(w, place) && !MayCopy(w, NodeOf(w, place).lhs) && OperandsPure(w, place.trap);
     },
     CounterAround},
};

// a / (b < c) with c <= b: the comparison is flipped, in a new node that is evaluated anew.
bool FlipDivisor(Writer& w, const Trap& trap) {
  Expr e = w.program.exprs[trap.expr];
  if (trap.kind != TrapKind::DivisionByZero || e.kind != ExprKind::Binary) return false;
  const Expr divisor = w.program.exprs[e.rhs];
  if (divisor.kind != ExprKind::Binary || !lang::IsComparison(divisor.Binary()) || !IsPure(w.program, e.rhs))
    return false;
  e.rhs = w.build.Binary(lang::Info(divisor.Binary()).complement, divisor.lhs, divisor.rhs);
  w.program.exprs[trap.expr] = e;
  return true;
}

bool RewriteOperation(Writer& w, const RepairPlace& place) {
  const Trap& trap = place.trap;
  Expr e = w.program.exprs[trap.expr];
  const std::optional<Operation> operation = OperationOf(w, trap);
  if (!operation) return false;
  if (FlipDivisor(w, trap)) return true;
  const Rewrite rewrite = RewriteBinary(operation->op, trap.kind, w.IntInfo(operation->kind),
                                        w.IntInfo(operation->count_kind), operation->a, operation->b, w.choices);
  const bool compound = e.kind == ExprKind::CompoundAssign;
  switch (rewrite.shape) {
    case Rewrite::Shape::Flip: e.op = static_cast<uint8_t>(rewrite.op); break;
    case Rewrite::Shape::AdjustRight: e.rhs = Adjusted(w, e.rhs, operation->count_kind, rewrite.constant); break;
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
  w.program.exprs[trap.expr] = e;
  return true;
}

// At a first execution there is nothing to keep. RewriteBinary has the rows of operations.
constexpr RepairRow kArithmeticRewrites[] = {
    {"+ instead of -", 1, [](Writer& w, const RepairPlace& place) { return place.First() && IsNegation(w, place); },
     [](Writer& w, const RepairPlace& place) {
       w.program.exprs[place.trap.expr].op = static_cast<uint8_t>(UnaryOp::Plus);
       return true;
     }},
    {"a cast instead of abs", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && IsUnary(w, place, UnaryOp::Abs); },
     [](Writer& w, const RepairPlace& place) {
       const Expr e = NodeOf(w, place);
       Become(w, place.trap.expr, w.build.Cast(e.type, e.lhs), false);
       return true;
     }},
    {"a bit that is set", 1, [](Writer& w, const RepairPlace& place) { return place.First() && IsBitOfZero(w, place); },
     SetBit},
    {"a step the other way", 1, [](Writer& w, const RepairPlace& place) { return place.First() && IsStep(w, place); },
     [](Writer& w, const RepairPlace& place) {
       Expr& e = w.program.exprs[place.trap.expr];
       e.op = static_cast<uint8_t>(lang::Info(e.IncDec()).reverse);
       return true;
     }},
    {"another operation", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && NodeOf(w, place).kind == ExprKind::Binary; },
     RewriteOperation},
    {"another operation before =", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && IsCompound(w, place); }, RewriteOperation},
};

}  // namespace

std::span<const RepairRow> ArithmeticRewrites() { return kArithmeticRewrites; }
std::span<const RepairRow> BinaryRepairs() { return kBinaryRepairs; }
std::span<const RepairRow> UnaryRepairs() { return kUnaryRepairs; }
std::span<const RepairRow> AssignmentRepairs() { return kAssignmentRepairs; }

bool RepairArithmetic(Writer& w, const Trap& trap) {
  const RepairPlace place{trap};
  if (place.First()) return RepairFrom(w, kArithmeticRewrites, place);
  const ExprKind kind = w.program.exprs[trap.expr].kind;
  if (kind == ExprKind::Binary) return RepairFrom(w, kBinaryRepairs, place, true);
  if (kind == ExprKind::Unary) return RepairFrom(w, kUnaryRepairs, place, true);
  return RepairFrom(w, kAssignmentRepairs, place);
}

}  // namespace assay::gen
