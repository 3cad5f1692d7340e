// Values in nests. Each expression carries the interval of its values, so an operator that might overflow, divide by
// zero or shift too far is seen before it is written, and its operands are made to fit: cast to the unsigned type,
// masked, kept away from zero. What is written never traps, whatever the arrays hold.
#include <algorithm>
#include <limits>

#include "gen/expr.hpp"
#include "gen/nest.hpp"
#include "gen/operators.hpp"

namespace assay::gen {
namespace {

using lang::UnaryOp;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

bool Compute(BinaryOp op, int64_t a, int64_t b, int64_t* result) {
  if (op == BinaryOp::Add) return !__builtin_add_overflow(a, b, result);
  if (op == BinaryOp::Sub) return !__builtin_sub_overflow(a, b, result);
  CHECK(op == BinaryOp::Mul);
  return !__builtin_mul_overflow(a, b, result);
}

// The exact results of + - *; nothing if one does not fit 64 bits.
std::optional<Interval> Exact(BinaryOp op, const Interval& a, const Interval& b) {
  if (a.above || b.above) return std::nullopt;
  Interval range{kMost, kLeast};
  for (int64_t x : {a.low, a.high}) {
    for (int64_t y : {b.low, b.high}) {
      int64_t result = 0;
      if (!Compute(op, x, y, &result)) return std::nullopt;
      range.low = std::min(range.low, result);
      range.high = std::max(range.high, result);
    }
  }
  return range;
}

// 2^k - 1, the least that is not less.
int64_t Ones(int64_t value) {
  uint64_t ones = static_cast<uint64_t>(value);
  for (int shift = 1; shift < 64; shift *= 2) ones |= ones >> shift;
  return static_cast<int64_t>(ones);
}

bool NotNegative(const Interval& a) { return a.low >= 0; }

// Of an operator that has no rule here: any value of its type.
template <typename Row>
Ranged AnyValue(const Nest& nest, ExprId e, const Row& row) {
  CHECK_MSG(row.hazards == lang::kNoHazard, "nest_values.cpp has no rule that keeps {} from trapping", row.spelling);
  return {e, nest.RangeOf(nest.w.Kind(e))};
}

}  // namespace

TypeKind Nest::CommonKind(ExprId a, ExprId b) const {
  return lang::CommonKind(lang::PromotedKind(w.program, a), lang::PromotedKind(w.program, b), w.program.Model());
}

Interval Nest::RangeOf(TypeKind kind) const {
  const lang::IntegerInfo info = w.IntInfo(kind);
  if (info.bits == 64) return info.is_signed ? Interval{kLeast, kMost} : Interval{0, kMost, true};
  if (!info.is_signed) return {0, (int64_t{1} << info.bits) - 1};
  return {-(int64_t{1} << (info.bits - 1)), (int64_t{1} << (info.bits - 1)) - 1};
}

bool Nest::Fits(const Interval& range, TypeKind kind) const {
  const Interval all = RangeOf(kind);
  return range.low >= all.low && range.high <= all.high && (!range.above || all.above);
}

Ranged Nest::Converted(TypeKind kind, Ranged a) {
  return {w.build.Cast(w.program.types.Basic(kind), a.expr), Fits(a.range, kind) ? a.range : RangeOf(kind)};
}

Ranged Nest::Masked(Ranged a, int64_t mask) {
  return {w.build.Binary(BinaryOp::BitAnd, a.expr, w.build.Int(mask)), {0, mask}};
}

Ranged Nest::Constant() {
  ExprId literal;
  switch (w.choices.Weighted({50, 35, 15})) {
    case 0: return Int(w.choices.Between(-9, 40));
    case 1: literal = ConstantFor(w, element); break;
    default: return Int(int64_t{1} << Below(12));
  }
  const lang::Expr& e = w.program.exprs[literal];
  const int64_t value = static_cast<int64_t>(e.value);
  if (value < 0 && !w.IntInfo(w.Kind(e.type)).is_signed) return {literal, {0, kMost, true}};
  return {literal, {value, value}};
}

Interval Nest::ElementRange(ArrayId array) const {
  const SharedArray& object = arrays[array].object;
  return object.kept ? Interval{object.low, object.high} : RangeOf(w.Kind(object.element));
}

void Nest::Read(ArrayId array, std::function<ExprId()> make, uint32_t weight) {
  leaves.push_back({std::move(make), ElementRange(array), weight});
}

void Nest::ReadVar(VarId var, uint32_t weight) {
  leaves.push_back({[this, var] { return w.build.Var(var); }, RangeOf(w.Kind(w.program.vars[var].type)), weight});
}

void Nest::ReadIndex(LoopId loop, uint32_t weight) {
  const Interval range = loops[loop].form == Form::Wrapped ? RangeOf(loops[loop].kind) : IndexRange(loop);
  leaves.push_back({[this, loop] { return IndexOf(loop); }, range, weight});
}

Ranged Nest::DrawnLeaf(bool may_be_constant) {
  uint32_t total = may_be_constant || leaves.empty() ? 2 : 0;  // a constant
  for (const Leaf& leaf : leaves) total += leaf.weight;
  uint32_t draw = Below(total);
  for (const Leaf& leaf : leaves) {
    if (draw < leaf.weight) return {leaf.make(), leaf.range};
    draw -= leaf.weight;
  }
  return Constant();
}

Ranged Nest::Unary(UnaryOp op, Ranged a) {
  const TypeKind kind = lang::PromotedKind(w.program, a.expr);
  const bool is_signed = w.IntInfo(kind).is_signed;
  if (op == UnaryOp::LogicalNot) return {w.build.Unary(op, a.expr), {0, 1}};
  if (op == UnaryOp::Plus) return {w.build.Unary(op, a.expr), a.range};
  if (op == UnaryOp::Clz || op == UnaryOp::Ctz) {
    return {w.build.Unary(op, Combine(BinaryOp::BitOr, a, Int(1)).expr), {0, w.IntInfo(kind).bits - 1}};
  }
  if (op == UnaryOp::Abs) {
    const TypeKind wanted = lang::SignedKind(kind);
    if (!Fits(a.range, wanted) || a.range.low == RangeOf(wanted).low) a = Converted(TypeKind::SChar, a);
    return {w.build.Unary(op, a.expr), {0, std::max(-a.range.low, a.range.high)}};
  }
  if (op != UnaryOp::BitNot && op != UnaryOp::Minus) return AnyValue(*this, w.build.Unary(op, a.expr), lang::Info(op));
  if (!is_signed) return {w.build.Unary(op, a.expr), RangeOf(kind)};
  if (op == UnaryOp::BitNot) return {w.build.Unary(op, a.expr), {~a.range.high, ~a.range.low}};
  if (a.range.low == RangeOf(kind).low) {
    const TypeKind wide = lang::Info(kind).unsigned_kind;
    return {w.build.Unary(op, Converted(wide, a).expr), RangeOf(wide)};
  }
  return {w.build.Unary(op, a.expr), {-a.range.high, -a.range.low}};
}

Ranged Nest::Combine(BinaryOp op, Ranged a, Ranged b) {
  if (lang::IsComparison(op)) return {w.build.Binary(op, a.expr, b.expr), {0, 1}};
  if (lang::IsShift(op)) {
    const TypeKind kind = lang::PromotedKind(w.program, a.expr);
    const lang::IntegerInfo info = w.IntInfo(kind);
    if (b.range.above || b.range.low < 0 || b.range.high >= info.bits) b = Masked(b, info.bits - 1);
    if (op == BinaryOp::Shr) {
      Interval range{std::min<int64_t>(a.range.low, 0), std::max<int64_t>(a.range.high, 0), a.range.above};
      if (range.above && b.range.low > 0) range = {0, static_cast<int64_t>(~uint64_t{0} >> b.range.low)};
      return {w.build.Binary(op, a.expr, b.expr), range};
    }
    const std::optional<Interval> exact =
        b.range.high < 62 ? Exact(BinaryOp::Mul, a.range, {1, int64_t{1} << b.range.high}) : std::nullopt;
    if (NotNegative(a.range) && exact && Fits(*exact, kind)) return {w.build.Binary(op, a.expr, b.expr), *exact};
    const TypeKind wide = lang::Info(kind).unsigned_kind;
    if (info.is_signed) a = Converted(wide, a);
    return {w.build.Binary(op, a.expr, b.expr), RangeOf(wide)};
  }
  if (op == BinaryOp::Div || op == BinaryOp::Rem) {
    if (b.range.low < 1) b = Combine(BinaryOp::Add, Masked(b, (int64_t{2} << Below(5)) - 1), Int(1));
    const ExprId e = w.build.Binary(op, a.expr, b.expr);
    const Interval all = RangeOf(w.Kind(e));
    if (all.low == 0 && (!NotNegative(a.range) || a.range.above)) return {e, all};
    if (op == BinaryOp::Div) return {e, {std::min<int64_t>(a.range.low, 0), std::max<int64_t>(a.range.high, 0)}};
    if (b.range.above) return {e, {std::min<int64_t>(a.range.low, 0), std::max<int64_t>(a.range.high, 0)}};
    return {e, {a.range.low < 0 ? 1 - b.range.high : 0, b.range.high - 1}};
  }
  const TypeKind kind = CommonKind(a.expr, b.expr);
  const bool is_signed = w.IntInfo(kind).is_signed;
  const auto result = [&](const Interval& range) { return Ranged{w.build.Binary(op, a.expr, b.expr), range}; };
  const bool wraps = !is_signed && (!NotNegative(a.range) || !NotNegative(b.range));
  if (op == BinaryOp::BitAnd) {
    const bool left = NotNegative(a.range) && !a.range.above, right = NotNegative(b.range) && !b.range.above;
    if (left && right) return result({0, std::min(a.range.high, b.range.high)});
    if (left || right) return result({0, left ? a.range.high : b.range.high});
    return result(RangeOf(kind));
  }
  if (op == BinaryOp::BitOr || op == BinaryOp::BitXor) {
    if (wraps || !NotNegative(a.range) || !NotNegative(b.range) || a.range.above || b.range.above)
      return result(RangeOf(kind));
    return result({0, Ones(a.range.high | b.range.high)});
  }
  if (op != BinaryOp::Add && op != BinaryOp::Sub && op != BinaryOp::Mul)
    return AnyValue(*this, w.build.Binary(op, a.expr, b.expr), lang::Info(op));
  const std::optional<Interval> exact = wraps ? std::nullopt : Exact(op, a.range, b.range);
  if (exact && Fits(*exact, kind)) return result(*exact);
  if (!is_signed) return result(RangeOf(kind));
  // It might overflow: in the unsigned type, or with small operands.
  if (Percent(70)) {
    const TypeKind wide = lang::Info(kind).unsigned_kind;
    const bool left = Percent(70);
    const Ranged cast = Converted(wide, left ? a : b);
    return {left ? w.build.Binary(op, cast.expr, b.expr) : w.build.Binary(op, a.expr, cast.expr), RangeOf(wide)};
  }
  const uint32_t bits = w.IntInfo(kind).bits;
  const int64_t mask = (int64_t{1} << (op == BinaryOp::Mul ? 3 + Below(bits / 2 - 4) : 3 + Below(bits - 5))) - 1;
  return Combine(op, Masked(a, std::min<int64_t>(mask, 0x7fff)), Masked(b, std::min<int64_t>(mask, 0x7fff)));
}

Ranged Nest::Select(ExprId condition, Ranged yes, Ranged no) const {
  const ExprId e = w.build.Conditional(condition, yes.expr, no.expr);
  const Interval all = RangeOf(w.Kind(e));
  if (all.low == 0 && (yes.range.low < 0 || no.range.low < 0)) return {e, all};
  return {e,
          {std::min(yes.range.low, no.range.low), std::max(yes.range.high, no.range.high),
           yes.range.above || no.range.above}};
}

Ranged Nest::Extreme(bool greatest, Ranged a, Ranged b) {
  static constexpr BinaryOp kLess[] = {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge};
  const BinaryOp op = kLess[Below(4)];
  const bool first_is_less = op == BinaryOp::Lt || op == BinaryOp::Le;
  const Ranged a2{w.build.CopyTree(a.expr), a.range}, b2{w.build.CopyTree(b.expr), b.range};
  const ExprId condition = w.build.Binary(op, a.expr, b.expr);
  return first_is_less != greatest ? Select(condition, a2, b2) : Select(condition, b2, a2);
}

Ranged Nest::Absolute(Ranged a) {
  const Ranged copy{w.build.CopyTree(a.expr), a.range};
  const Ranged negated = Unary(UnaryOp::Minus, {w.build.CopyTree(a.expr), a.range});
  const bool less = Percent(60);
  const ExprId condition = w.build.Binary(less          ? BinaryOp::Lt
                                          : Percent(50) ? BinaryOp::Ge
                                                        : BinaryOp::Gt,
                                          a.expr, w.build.Int(0));
  return less ? Select(condition, negated, copy) : Select(condition, copy, negated);
}

// The first operand of everything depends on a leaf: what depends on none is a literal.
Ranged Nest::Value(uint32_t depth, bool may_be_constant) {
  if (depth == 0 || w.Full() || Percent(10)) return DrawnLeaf(may_be_constant);
  switch (w.choices.Weighted({64, 7, 5, 16, 4, 4})) {
    case 1:
      return Unary(Percent(40)   ? DrawUnary(w)
                   : Percent(50) ? UnaryOp::BitNot
                                 : UnaryOp::Minus,
                   Value(depth - 1, false));
    case 2: return Converted(w.Kind(ElementType()), Value(depth - 1, false));
    case 3: {
      const Ranged a = DrawnLeaf(false), b = DrawnLeaf(Percent(40));
      return Extreme(Percent(50), a, b);
    }
    case 4: {
      const ExprId condition = Condition(0);
      return Select(condition, DrawnLeaf(false), DrawnLeaf());
    }
    case 5: return Absolute(DrawnLeaf(false));
    default: break;
  }
  const BinaryOp op = DrawOperator(w);
  const Ranged a = Value(depth - 1, false);
  // Shifts and divisions by something else than a constant are slow, and few machines have them for vectors.
  const bool slow = lang::IsShift(op) || (lang::Info(op).hazards & lang::kZeroDivisor) != 0;
  if (slow && Percent(85)) {
    const bool shift = lang::IsShift(op);
    return Combine(op, a,
                   Int(shift ? 1 + Below(w.IntInfo(lang::PromotedKind(w.program, a.expr)).bits - 1) : 2 + Below(30)));
  }
  return Combine(op, a, Value(depth - 1));
}

ExprId Nest::Condition(uint32_t depth) {
  const Ranged a = Value(depth, false);
  if (Percent(15)) return Masked(a, int64_t{1} << Below(4)).expr;
  return Combine(DrawComparison(w), a, DrawnLeaf()).expr;
}

ExprId Nest::InvariantCondition() {
  const Ranged x = Unknown();
  if (Percent(20)) return x.expr;
  return Combine(DrawComparison(w), x, Int(Below(60))).expr;
}

ExprId Nest::Update(BinaryOp op, ExprId lvalue, Ranged value) {
  if (lang::IsShift(op)) {
    const TypeKind kind = lang::PromotedKind(w.program, lvalue);
    if (op == BinaryOp::Shl && w.IntInfo(kind).is_signed) op = BinaryOp::Shr;
    if (value.range.above || value.range.low < 0 || value.range.high >= w.IntInfo(kind).bits)
      value = Masked(value, w.IntInfo(kind).bits - 1);
    return w.build.CompoundAssign(op, lvalue, value.expr);
  }
  if ((op == BinaryOp::Div || op == BinaryOp::Rem) && value.range.low < 1)
    value = Combine(BinaryOp::Add, Masked(value, 15), Int(1));
  if (op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul) {
    const TypeKind kind = CommonKind(lvalue, value.expr);
    const std::optional<Interval> exact = Exact(op, RangeOf(w.Kind(lvalue)), value.range);
    if (w.IntInfo(kind).is_signed && !(exact && Fits(*exact, kind)))
      value = Converted(lang::Info(kind).unsigned_kind, value);
  }
  return w.build.CompoundAssign(op, lvalue, value.expr);
}

ExprId Nest::Store(ExprId lvalue, Ranged value) {
  if (Percent(75)) return w.build.Assign(lvalue, value.expr);
  return Update(CompoundOperator(w), lvalue, value);
}

void Nest::Assign(const std::function<ExprId()>& place, uint32_t depth) {
  const Room room(w, 70);
  if (!invariants.empty() && Percent(30)) {
    If(InvariantCondition(), [&] { Append(Store(place(), Value(1 + Below(2)))); });
    return;
  }
  switch (w.choices.Weighted({66, 10, 10, 10, 4})) {
    case 1: {  // through a temporary
      const Ranged value = Value(depth);
      const VarId var = Local(w.program.types.Basic(lang::PromotedKind(w.program, value.expr)), value.expr);
      const Ranged again{w.build.Var(var), value.range};
      const Ranged other = DrawnLeaf();
      Append(Store(place(), Combine(CompoundOperator(w), again, other)));
      return;
    }
    case 2: {  // the place itself is an operand
      const Ranged old = Of(place());
      const BinaryOp op = CompoundOperator(w);
      Ranged value = Value(depth);
      if (lang::IsShift(op) || op == BinaryOp::Div || op == BinaryOp::Rem) value = Int(1 + Below(7));
      Append(w.build.Assign(place(), Combine(op, old, value).expr));
      return;
    }
    case 3: {  // a conditional value
      const ExprId condition = Condition(0);
      const Ranged yes = Value(depth);
      Append(w.build.Assign(place(), Select(condition, yes, Percent(50) ? Of(place()) : DrawnLeaf()).expr));
      return;
    }
    case 4: {  // the least or the greatest so far
      const Ranged old = Of(place());
      Append(w.build.Assign(place(), Extreme(Percent(50), old, DrawnLeaf(false)).expr));
      return;
    }
    default: Append(Store(place(), Value(depth))); return;
  }
}

}  // namespace assay::gen
