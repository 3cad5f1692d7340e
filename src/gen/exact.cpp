// Expressions of exactly n operators and depth d, over variables only, as Orange3 writes them: t = …; each t is a
// global that is assigned once, so that the value of every expression is in the checksum.
#include "gen/exact.hpp"

#include <algorithm>
#include <bit>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/operators.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

constexpr uint32_t kTokensPerOperator = 3;

class Exact {
 public:
  explicit Exact(Writer& w) : w_(w) {}

  // `deep`: the depth is exactly that, otherwise at most. Requires operators <= Capacity(depth), and at least the depth
  // if `deep`.
  ExprId Write(uint32_t operators, uint32_t depth, bool deep) {
    if (operators == 0) return Leaf();
    const uint32_t rest = operators - 1, most = Capacity(depth - 1);
    if (!deep && rest <= most && w_.choices.Percent(6)) {  // a unary operator takes the place of a binary one
      const lang::UnaryOp op = DrawUnary(w_);
      return w_.build.Unary(op, Write(rest, depth - 1, false));
    }
    // One side has the depth; it takes as many operators as the depth needs, the other what is left.
    const uint32_t least = std::max(deep ? depth - 1 : 0, rest > most ? rest - most : 0);
    const uint32_t first = static_cast<uint32_t>(w_.choices.Between(least, std::min(rest, most)));
    const bool left = w_.choices.Coin();
    if (w_.choices.Percent(w_.knobs.exact_branches)) return Branch(left, first, rest - first, depth, deep);
    const BinaryOp op = DrawOperator(w_);
    const ExprId lhs = Write(left ? first : rest - first, depth - 1, left && deep);
    const ExprId rhs = Write(left ? rest - first : first, depth - 1, !left && deep);
    return w_.build.Binary(op, lhs, rhs);
  }

  static uint32_t Capacity(uint32_t depth) { return depth >= 31 ? 0x7fffffffu : (1u << depth) - 1; }

 private:
  ExprId Branch(bool left, uint32_t first, uint32_t second, uint32_t depth, bool deep) {
    const ExprId lhs = Write(left ? first : second, depth - 1, left && deep);
    const ExprId rhs = Write(left ? second : first, depth - 1, !left && deep);
    switch (w_.choices.Below(3)) {
      case 0: return w_.build.LogicalAnd(lhs, rhs);
      case 1: return w_.build.LogicalOr(lhs, rhs);
      default: return w_.build.Conditional(Leaf(), lhs, rhs);
    }
  }

  ExprId Leaf() {
    for (int tries = 0; tries < 8; ++tries) {
      const ExprId e = IntLvalue(w_, Access::Read);
      if (e && IsPure(w_.program, e) && !lang::IsPromotionUnclear(w_.program, e)) return e;
    }
    return w_.build.Var(NewVariable());
  }

  // A variable for leaves; the last one again where many are needed.
  VarId NewVariable() {
    if (!own_) own_ = NewGlobal(w_, IntegerType(w_));
    return own_;
  }

  Writer& w_;
  VarId own_;
};

}  // namespace

uint32_t ExactDepth(const knobs::Knobs& knobs) {
  const uint32_t operators = static_cast<uint32_t>(knobs.exact_operators);
  const uint32_t needed = static_cast<uint32_t>(std::bit_width(operators));
  if (knobs.exact_depth == 0) return std::min(operators, needed + 3);
  return std::clamp(static_cast<uint32_t>(knobs.exact_depth), needed, operators);
}

void WriteExact(Writer& w) {
  const uint32_t operators = static_cast<uint32_t>(w.knobs.exact_operators);
  if (operators == 0) return;
  const uint32_t tokens = operators * kTokensPerOperator, end = w.Live() ? w.token_end : w.DeadEnd();
  // One that never fits is written once: whoever asks for so many operators gets them.
  const bool never = tokens > w.token_target;
  if (w.Tokens() + tokens > end && (!never || w.exact_expressions > 0 || !w.Live())) return;
  ++w.exact_expressions;
  const uint32_t limit = w.node_limit;
  w.node_limit = kNoLimit;
  const ExprId value = Exact(w).Write(operators, ExactDepth(w.knobs), true);
  w.node_limit = limit;
  const VarId result = NewGlobal(w, IntegerType(w));
  w.SetUse(result, VarUse::Index);  // read by others, never assigned
  AppendExpr(w, w.build.Assign(w.build.Var(result), value));
}

}  // namespace assay::gen
