// Deep logic over few variables: what reassociation, CSE and the identities of match.pd and InstCombine look for in
// long trees, `(a & ~b) | ((b ^ c) & a) …`, with every operand repeated.
#include <algorithm>

#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/patterns.hpp"

namespace assay::gen {
namespace {

using lang::UnaryOp;

constexpr uint32_t kMostOperators = 24;

class Logic {
 public:
  Logic(Writer& w, const Want& want) : w_(w), want_(want) {}

  ExprId Write() {
    const uint32_t now = w_.program.exprs.Size(), end = std::min(want_.limit, w_.node_limit);
    if (end < now + 12) return {};
    const uint32_t most = std::min(kMostOperators, (end - now) / 3);
    if (most < 3 || !DrawOperands()) return {};
    const uint32_t operators = 3 + w_.choices.Below(most - 2);
    switch (w_.choices.Below(3)) {
      case 0: return Chain(operators, false);
      case 1: return Chain(operators, true);
      default: return Tree(operators);
    }
  }

 private:
  bool DrawOperands() {
    const uint32_t wanted = 2 + w_.choices.Below(3);
    for (uint32_t i = 0; i < wanted; ++i) {
      ExprId e = i > 0 ? OperandOfType(w_, own_type_) : ExprId{};
      if (!e) e = PureOperand(w_, Want::Integer(0));
      if (!e) break;
      if (count_ == 0) {
        own_type_ = lang::ValueType(w_.program, e);
        const TypeKind promoted = lang::PromotedKind(w_.program, e);
        sums_ = w_.choices.Percent(60);
        kind_ = sums_ ? lang::Info(promoted).unsigned_kind : promoted;
        type_ = w_.program.types.Basic(kind_);
      }
      const bool fits = lang::PromotedKind(w_.program, e) == kind_;
      operands_[count_++] = fits ? e : w_.build.Cast(type_, e);
    }
    return count_ > 0;
  }

  ExprId Leaf() {
    if (w_.choices.Percent(12)) return LiteralOf(w_, kind_, Canonical(ConstantValue(w_), w_.IntInfo(kind_)));
    const uint32_t index = w_.choices.Below(count_);
    if (used_[index]) return w_.build.CopyTree(operands_[index]);
    used_[index] = true;
    return operands_[index];
  }

  BinaryOp Operator() {
    static constexpr BinaryOp kOps[] = {BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor,
                                        BinaryOp::Add,    BinaryOp::Sub,   BinaryOp::Mul};
    return kOps[sums_ ? w_.choices.Weighted({6, 6, 6, 5, 4, 1}) : w_.choices.Below(3)];
  }

  ExprId Negated(ExprId e) {
    return w_.build.Unary(sums_ && w_.choices.Percent(35) ? UnaryOp::Minus : UnaryOp::BitNot, e);
  }

  ExprId Tree(uint32_t operators) {
    if (operators == 0) return Leaf();
    if (w_.choices.Percent(20)) return Negated(Tree(operators - 1));
    const uint32_t left = w_.choices.Below(operators);
    const BinaryOp op = Operator();
    const ExprId lhs = Tree(left);
    return w_.build.Binary(op, lhs, Tree(operators - 1 - left));
  }

  // One operator in a row, or two: a + b - c + a …; of `pairs`, (a & b) + (a & c) + …
  ExprId Chain(uint32_t operators, bool pairs) {
    const BinaryOp op = Operator(), other = op == BinaryOp::Add   ? BinaryOp::Sub
                                            : op == BinaryOp::Sub ? BinaryOp::Add
                                                                  : op;
    const BinaryOp inner = Operator();
    const auto part = [&] {
      if (w_.choices.Percent(10)) return Negated(Leaf());
      if (!pairs) return Leaf();
      const ExprId lhs = Leaf();
      return w_.build.Binary(inner, lhs, Leaf());
    };
    ExprId e = part();
    for (uint32_t i = 0; i < operators; i += pairs ? 2 : 1) {
      const BinaryOp next = w_.choices.Percent(70) ? op : other;
      e = w_.build.Binary(next, e, part());
    }
    return e;
  }

  Writer& w_;
  const Want& want_;
  std::array<ExprId, 4> operands_{};
  std::array<bool, 4> used_{};
  uint32_t count_ = 0;
  TypeId own_type_, type_;
  TypeKind kind_ = TypeKind::Int;
  bool sums_ = false;  // with + and -, in an unsigned type
};

}  // namespace

ExprId DeepLogic(Writer& w, const Want& want) {
  const ExprId e = Logic(w, want).Write();
  return e ? e : IntLeaf(w);
}

}  // namespace assay::gen
