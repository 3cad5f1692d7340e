#include "gen/known.hpp"

#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/operators.hpp"

namespace assay::gen {
namespace {

bool Holds(BinaryOp op, int64_t a, int64_t b) {
  if (op == BinaryOp::Lt) return a < b;
  if (op == BinaryOp::Gt) return a > b;
  if (op == BinaryOp::Le) return a <= b;
  if (op == BinaryOp::Ge) return a >= b;
  if (op == BinaryOp::Eq) return a == b;
  CHECK_MSG(op == BinaryOp::Ne, "known.cpp does not know when {} holds", lang::Info(op).spelling);
  return a != b;
}

}  // namespace

// The inputs are small and not negative, and so is all that is computed of them here: signs and widths do not matter.
ExprId KnownCondition(Writer& w, bool truth) {
  if (w.inputs.empty()) return {};
  const auto input = w.choices.Pick(w.inputs);
  ExprId e = w.build.Var(input.var);
  int64_t value = input.value, other = value;
  ExprId right;
  switch (w.choices.Below(6)) {
    case 0: {  // with another input
      const auto second = w.choices.Pick(w.inputs);
      right = w.build.Var(second.var);
      other = second.value;
      break;
    }
    case 1: {
      const int64_t mask = w.choices.Between(1, 127);
      e = w.build.Binary(BinaryOp::BitAnd, e, w.build.Int(mask));
      value &= mask;
      other = w.choices.Percent(60) ? value : w.choices.Between(0, mask);
      break;
    }
    case 2: {
      const auto second = w.choices.Pick(w.inputs);
      e = w.build.Binary(BinaryOp::Add, e, w.build.Var(second.var));
      value += second.value;
      other = value + w.choices.Between(0, 3);
      break;
    }
    case 3: {
      const int64_t factor = w.choices.Between(2, 9);
      e = w.build.Binary(BinaryOp::Mul, e, w.build.Int(factor));
      value *= factor;
      other = value + w.choices.Between(0, 9);
      break;
    }
    default: other = value + w.choices.Between(0, 2); break;
  }
  if (!right) right = w.build.Int(other);
  BinaryOp op = DrawComparison(w);
  if (Holds(op, value, other) != truth) op = lang::Info(op).complement;
  return w.build.Binary(op, e, right);
}

ExprId KnownConstant(Writer& w, TypeKind kind, uint64_t value) {
  if (w.inputs.empty()) return {};
  const auto input = w.choices.Pick(w.inputs);
  const uint64_t known = static_cast<uint64_t>(input.value);
  const ExprId e = w.build.Var(input.var);
  if (value == known) return e;
  // No xor overflows, and the other operand has the wider type or the same value in it.
  return w.build.Binary(BinaryOp::BitXor, e, LiteralOf(w, kind, Canonical(value ^ known, w.IntInfo(kind))));
}

}  // namespace assay::gen
