#include "gen/wrappers.hpp"

#include "gen/expr.hpp"

namespace assay::gen {
namespace {

bool IsDivision(BinaryOp op) { return (lang::Info(op).hazards & lang::kZeroDivisor) != 0; }

// Builds the condition "a op b is undefined", of copies of the two operands.
class Conditions {
 public:
  Conditions(Writer& w, TypeKind kind, ExprId a, ExprId b) : w_(w), kind_(kind), a_(a), b_(b), info_(w.IntInfo(kind)) {}

  ExprId For(BinaryOp op) {
    if (op == BinaryOp::Add) {  // b > 0 ? a > MAX - b : a < MIN - b
      return Pick(Gt(B(), Zero()), Gt(A(), Bin(BinaryOp::Sub, Max(), B())), Lt(A(), Bin(BinaryOp::Sub, Min(), B())));
    }
    if (op == BinaryOp::Sub) {  // b > 0 ? a < MIN + b : a > MAX + b
      return Pick(Gt(B(), Zero()), Lt(A(), Bin(BinaryOp::Add, Min(), B())), Gt(A(), Bin(BinaryOp::Add, Max(), B())));
    }
    if (op == BinaryOp::Mul) {  // the quotients truncate towards zero, which makes each comparison exact
      const ExprId positive =
          Pick(Gt(B(), Zero()), Gt(A(), Bin(BinaryOp::Div, Max(), B())), Lt(B(), Bin(BinaryOp::Div, Min(), A())));
      const ExprId both = w_.build.LogicalAnd(Bin(BinaryOp::Ne, A(), Zero()), Lt(B(), Bin(BinaryOp::Div, Max(), A())));
      return Pick(Gt(A(), Zero()), positive, Pick(Gt(B(), Zero()), Lt(A(), Bin(BinaryOp::Div, Min(), B())), both));
    }
    CHECK_MSG(IsDivision(op), "no wrapper is made of {}", lang::Info(op).spelling);
    const ExprId zero = Bin(BinaryOp::Eq, B(), Zero());
    if (!info_.is_signed) return zero;
    return w_.build.LogicalOr(
        zero, w_.build.LogicalAnd(Bin(BinaryOp::Eq, A(), Min()), Bin(BinaryOp::Eq, B(), w_.build.Int(-1))));
  }

 private:
  ExprId A() { return w_.build.CopyTree(a_); }
  ExprId B() { return w_.build.CopyTree(b_); }
  ExprId Zero() { return w_.build.Int(0); }
  ExprId Max() { return w_.build.Constant(kind_, info_.Max()); }
  ExprId Min() { return w_.build.Constant(kind_, static_cast<uint64_t>(info_.Min())); }
  ExprId Bin(BinaryOp op, ExprId x, ExprId y) { return w_.build.Binary(op, x, y); }
  ExprId Gt(ExprId x, ExprId y) { return Bin(BinaryOp::Gt, x, y); }
  ExprId Lt(ExprId x, ExprId y) { return Bin(BinaryOp::Lt, x, y); }
  ExprId Pick(ExprId c, ExprId x, ExprId y) { return w_.build.Conditional(c, x, y); }

  Writer& w_;
  TypeKind kind_;
  ExprId a_, b_;
  lang::IntegerInfo info_;
};

constexpr uint32_t kMostCopied = 4;  // nodes of an operand that a check in place copies

// Short, without side effects, and not known to the compiler.
bool MayBeChecked(const Writer& w, ExprId operand) {
  uint32_t nodes = 0;
  const bool small = lang::Walk(w.program, operand, [&](const lang::Expr&) {
    return ++nodes <= kMostCopied ? lang::Visited::Descend : lang::Visited::Stop;
  });
  return small && IsPure(w.program, operand) && !MayFold(w.program, operand);
}

}  // namespace

bool HasWrapper(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || IsDivision(op);
}

FunctionId WrapperFor(Writer& w, BinaryOp op, TypeKind kind) {
  FunctionId& known = w.wrappers[static_cast<size_t>(op)][static_cast<size_t>(kind)];
  if (known) return known;
  const TypeId type = w.program.types.Basic(kind);
  const FunctionId id = w.build.Function(w.program.types.Function(type, {type, type}));
  w.Plan(id).helper = w.Plan(id).entered = w.Plan(id).done = true;
  const ExprId a = w.build.Var(w.program.functions[id].params[0]), b = w.build.Var(w.program.functions[id].params[1]);
  lang::Stmt stmt{.kind = StmtKind::Return};
  stmt.expr = w.build.Conditional(Conditions(w, kind, a, b).For(op), w.build.CopyTree(a), w.build.Binary(op, a, b));
  w.build.Append(w.program.functions[id].body, w.build.Statement(stmt));
  known = id;
  return id;
}

ExprId WrappedInPlace(Writer& w, BinaryOp op, TypeKind kind, ExprId a, ExprId b, ExprId operation) {
  const TypeId type = w.program.types.Basic(kind);
  auto converted = [&](ExprId operand) {
    const ExprId copy = w.build.CopyTree(operand);
    return lang::PromotedKind(w.program, operand) == kind ? copy : w.build.Cast(type, copy);
  };
  const ExprId left = converted(a), right = converted(b);
  return w.build.Conditional(Conditions(w, kind, left, right).For(op), left, operation);
}

ExprId SafeExpr(Writer& w, const Want& want) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem};
  const BinaryOp op = kOps[w.choices.Below(5)];
  const ExprId a = Expression(w, want.Share(w)), b = Expression(w, want);
  const lang::DataModel& model = w.program.Model();
  const TypeKind kind = lang::CommonKind(lang::PromotedKind(w.program, a), lang::PromotedKind(w.program, b), model);
  const bool division = op == BinaryOp::Div || op == BinaryOp::Rem;
  if (!division && !w.IntInfo(kind).is_signed) return w.build.Binary(op, a, b);
  constexpr uint32_t kLeastTokens = 400;  // of a program in which functions of some 80 tokens are lost
  if (w.token_target < kLeastTokens) return w.build.Binary(op, a, b);
  const bool place =
      w.wrapper_style == WrapperStyle::Both ? w.choices.Coin() : w.wrapper_style == WrapperStyle::InPlace;
  if (place && MayBeChecked(w, a) && MayBeChecked(w, b)) {
    return WrappedInPlace(w, op, kind, a, b, w.build.Binary(op, a, b));
  }
  const std::array<ExprId, 2> arguments = {a, b};
  return w.build.Call(WrapperFor(w, op, kind), arguments);
}

}  // namespace assay::gen
