#include "gen/floats.hpp"

#include <bit>
#include <cmath>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/operators.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "gen/wide.hpp"

namespace assay::gen {
namespace {

using lang::ConstantSpelling;
using lang::FloatMode;
using lang::UnaryOp;

bool IsIeee(const Writer& w) { return w.program.floats == FloatMode::Ieee; }
bool IsRobust(const Writer& w) { return w.program.floats == FloatMode::Robust; }
TypeKind DrawKind(Writer& w) { return w.choices.Percent(w.knobs.float_single) ? TypeKind::Float : TypeKind::Double; }

double PowerOfTwo(Writer& w, int64_t low, int64_t high) {
  return std::ldexp(1.0, static_cast<int>(w.choices.Between(low, high)));
}

// With few significant bits.
double SmallNumber(Writer& w) {
  switch (w.choices.Weighted({45, 22, 18, 15})) {
    case 0: return static_cast<double>(w.choices.Between(-9, 16));
    case 1: return static_cast<double>(w.choices.Between(-40, 40)) / static_cast<double>(2 << w.choices.Below(3));
    case 2: return IsRobust(w) ? PowerOfTwo(w, -3, 6) : PowerOfTwo(w, -12, 20);
    default: return static_cast<double>(w.choices.Between(-1000, 1000));
  }
}

// Any bits that are a number.
double AnyNumber(Writer& w, TypeKind kind) {
  for (int tries = 0; tries < 4; ++tries) {
    const uint64_t bits = w.choices.Bits() >> (kind == TypeKind::Float ? 32 : 0);
    if (lang::IsFinite(kind, bits)) return lang::FloatValue(kind, bits);
  }
  return 1;
}

// Near the ends of the format: the largest, the smallest normal ones, subnormals.
double LimitNumber(Writer& w, TypeKind kind) {
  const lang::FloatFormat format = lang::FormatOf(kind);
  const int least = 2 - format.max_exponent - format.precision;
  const double sign = w.choices.Coin() ? 1 : -1;
  switch (w.choices.Below(5)) {
    case 0: return sign * (2 - std::ldexp(1.0, 1 - format.precision)) * std::ldexp(1.0, format.max_exponent);
    case 1: return sign * std::ldexp(1.0, 1 - format.max_exponent);
    case 2: return sign * std::ldexp(static_cast<double>(1 + w.choices.Below(1000)), least);
    case 3: return sign * (1 + std::ldexp(1.0, 1 - format.precision));
    default: return w.choices.Coin() ? 0.0 : -0.0;
  }
}

double DrawNumber(Writer& w, TypeKind kind) {
  if (!IsIeee(w)) return SmallNumber(w);
  switch (w.choices.Weighted({50, 20, 12, 18})) {
    case 1: return static_cast<double>(w.choices.Between(-9999, 9999)) / (w.choices.Coin() ? 10 : 1000);
    case 2: return AnyNumber(w, kind);
    case 3: return LimitNumber(w, kind);
    default: return SmallNumber(w);
  }
}

ExprId Literal(Writer& w, TypeKind kind) { return FloatLiteral(w, kind, DrawNumber(w, kind)); }

// A factor or divisor that keeps a number as exact as it is.
ExprId PowerLiteral(Writer& w, TypeKind kind) {
  return FloatLiteral(w, kind, (w.choices.Percent(25) ? -1 : 1) * PowerOfTwo(w, -2, 3));
}

// An operand: of any kind of number, since operators convert.
ExprId Operand(Writer& w, const Want& want) {
  if (w.choices.Percent(18)) return Expression(w, Want{.depth = want.depth, .limit = want.limit});
  Want any = want;
  any.type = w.choices.Percent(70) ? want.type : TypeId{};
  return Expression(w, any);
}

// The rows. `want` is what they ask of their operands, as in expr.cpp.

BinaryOp DrawFloatOperator(Writer& w) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div};
  return kOps[w.choices.Weighted({34, 28, 26, 12})];
}

ExprId RightOperand(Writer& w, const Want& want, BinaryOp op) {
  const TypeKind kind = w.Kind(want.type);
  if (!IsIeee(w)) {
    if (op == BinaryOp::Div && (IsRobust(w) || w.choices.Percent(85))) return PowerLiteral(w, kind);
    if (op == BinaryOp::Mul && w.choices.Percent(55))
      return w.choices.Coin() ? PowerLiteral(w, kind)
                              : FloatLiteral(w, kind, static_cast<double>(w.choices.Between(-7, 9)));
  }
  return Operand(w, want);
}

ExprId FloatBinary(Writer& w, const Want& want) {
  const BinaryOp op = DrawFloatOperator(w);
  ExprId lhs = Operand(w, want.Share(w));
  ExprId rhs = RightOperand(w, want, op);
  if (op != BinaryOp::Div && w.choices.Percent(15)) std::swap(lhs, rhs);
  // Of two integers it would be an operation of theirs.
  if (!lang::IsFloat(w.Kind(lhs)) && !lang::IsFloat(w.Kind(rhs))) lhs = w.build.Cast(want.type, lhs);
  return w.build.Binary(op, AsOperand(w, lhs), AsOperand(w, rhs));
}

ExprId FloatUnary(Writer& w, const Want& want) {
  return w.build.Unary(w.choices.Percent(80) ? UnaryOp::Minus : UnaryOp::Plus, Expression(w, want));
}

// From an integer that the kind holds exactly, mostly; or from the other kind.
ExprId FloatCast(Writer& w, const Want& want) {
  if (w.choices.Percent(25)) {
    Want other = want;
    other.type = w.program.types.Basic(DrawKind(w));
    return w.build.Cast(want.type, Expression(w, other));
  }
  ExprId integer = Expression(w, Want{.depth = want.depth, .limit = want.limit});
  if (!IsIeee(w) &&
      !lang::ConvertsExactly(lang::PromotedKind(w.program, integer), w.Kind(want.type), w.program.Model())) {
    static constexpr TypeKind kNarrow[] = {TypeKind::SChar, TypeKind::UChar, TypeKind::Short, TypeKind::UShort};
    if (w.choices.Percent(75)) integer = w.build.Cast(w.program.types.Basic(kNarrow[w.choices.Below(4)]), integer);
  }
  return w.build.Cast(want.type, integer);
}

ExprId FloatConditional(Writer& w, const Want& want) {
  if (w.choices.Percent(45)) {  // min, max, absolute value
    const ExprId a = FloatLvalue(w, Access::Read), b = w.choices.Coin() ? FloatLvalue(w, Access::Read) : ExprId{};
    if (a && IsPure(w.program, a) && (!b || IsPure(w.program, b))) {
      const TypeKind kind = w.Kind(a);
      const ExprId other = b ? b : FloatLiteral(w, kind, 0);
      const ExprId condition = w.build.Binary(w.choices.Coin() ? BinaryOp::Lt : BinaryOp::Gt, a, other);
      const ExprId yes = w.build.CopyTree(a), no = w.build.CopyTree(b ? b : a);
      return b ? w.build.Conditional(condition, yes, no)
               : w.build.Conditional(condition, w.build.Unary(UnaryOp::Minus, yes), no);
    }
  }
  const ExprId condition = Condition(w, w.choices.Coin(), want.depth);
  ExprId yes = FittingFloat(w, w.Kind(want.type), Expression(w, want.Share(w)));
  ExprId no = FittingFloat(w, w.Kind(want.type), Expression(w, want));
  if (MayFold(w.program, yes) && MayFold(w.program, no)) {  // see ConditionalExpr
    yes = Literal(w, w.Kind(want.type));
    no = Literal(w, w.Kind(want.type));
  }
  return w.build.Conditional(condition, yes, no);
}

// An assignment or a step inside an expression.
ExprId FloatEffect(Writer& w, const Want& want) {
  if (!w.scope.function) return {};
  const bool step = w.choices.Coin();
  const ExprId target = FloatLvalue(w, step ? Access::Update : Access::Write);
  if (!target) return {};
  if (step) return w.build.IncDec(DrawIncDec(w), target);
  Want value = want;
  value.type = w.program.types.Unqualified(w.program.exprs[target].type);
  return w.build.Assign(target, Expression(w, value));
}

ExprId FloatCallRow(Writer& w, const Want& want) {
  return w.scope.function && w.calls_in_statement < 2 ? FloatCallExpr(w, want.depth) : ExprId{};
}

// What is left of a number that may have grown: (double)((int)x % 64), and the same by subtraction.
ExprId FloatWrap(Writer& w, const Want& want) {
  const TypeId integer = w.program.types.Basic(w.choices.Percent(60) ? TypeKind::Int : TypeKind::LLong);
  const ExprId whole = w.build.Cast(integer, Expression(w, want));
  const int64_t modulus = int64_t{2} << (2 + w.choices.Below(8));
  const ExprId rest = w.choices.Coin() ? w.build.Binary(BinaryOp::Rem, whole, w.build.Int(modulus - w.choices.Below(2)))
                                       : w.build.Binary(BinaryOp::BitAnd, whole, w.build.Int(modulus - 1));
  return w.build.Cast(want.type, rest);
}

ExprId FloatObject(Writer& w) { return FloatLvalue(w, Access::Read); }

// want.type is a floating type; the value is of any.
ExprId Leaf(Writer& w, const Want& want) {
  const uint32_t constants = w.constant_percent;
  if (!w.choices.Percent(constants)) {
    if (const ExprId e = WriteRow(w, WriterId::FloatObject, [&] { return FloatObject(w); })) return e;
  }
  return WriteRow(w, WriterId::FloatLiteral, [&] { return Literal(w, w.Kind(want.type)); });
}

struct FloatRow {
  WriterId kind;
  ExprId (*write)(Writer& w, const Want& want);  // invalid: it does not fit here
};
constexpr std::array kFloats = {
    FloatRow{WriterId::FloatBinary, FloatBinary}, FloatRow{WriterId::FloatUnary, FloatUnary},
    FloatRow{WriterId::FloatCast, FloatCast},     FloatRow{WriterId::FloatConditional, FloatConditional},
    FloatRow{WriterId::FloatEffect, FloatEffect}, FloatRow{WriterId::FloatCall, FloatCallRow},
    FloatRow{WriterId::FloatWrap, FloatWrap},     FloatRow{WriterId::FloatFunction, FloatFunction},
    FloatRow{WriterId::FloatShape, FloatShape},   FloatRow{WriterId::FloatLane, FloatLane},
    FloatRow{WriterId::FloatOfWide, FloatOfWide}, FloatRow{WriterId::FloatLeaf, Leaf},
};
constexpr size_t kFirstFloat = static_cast<size_t>(kFloats.front().kind);
static_assert(AreInARow(kFloats));

BinaryOp CompareOperator(Writer& w) { return DrawComparison(w); }

}  // namespace

void DrawFloatMode(knobs::Knobs& knobs, lang::Program& program, choice::Choices& choices) {
  const auto weight = [](int32_t knob) { return static_cast<uint32_t>(knob); };
  if (knobs.floats == 0) return;
  if (knobs.float_exact + knobs.float_robust + knobs.float_ieee == 0) {
    knobs.floats = 0;
    return;
  }
  program.floats = static_cast<FloatMode>(
      choices.Weighted({weight(knobs.float_exact), weight(knobs.float_robust), weight(knobs.float_ieee)}));
}

TypeId FloatType(Writer& w) { return w.program.types.Basic(DrawKind(w)); }

TypeId NumberType(Writer& w) {
  return w.knobs.floats > 0 && w.choices.Percent(w.knobs.floats) ? FloatType(w) : IntegerType(w);
}

ExprId FloatLiteral(Writer& w, TypeKind kind, double value) {
  const uint64_t bits = lang::FloatBits(kind, value);
  ConstantSpelling spelling = ConstantSpelling::Decimal;
  if (w.choices.Percent(w.knobs.float_hex)) {
    spelling = w.choices.Percent(80) ? ConstantSpelling::Hex : ConstantSpelling::HexUpper;
  } else if (kind == TypeKind::Float && w.choices.Percent(30)) {
    spelling = ConstantSpelling::DecimalLowerSuffix;
  }
  return w.build.Constant(kind, bits, spelling);
}

ExprId FloatConstantFor(Writer& w, TypeId type) { return Literal(w, w.Kind(type)); }

ExprId FittingFloat(Writer& w, TypeKind kind, ExprId value) {
  const TypeKind own = lang::IsFloat(w.Kind(value)) ? w.Kind(value) : lang::PromotedKind(w.program, value);
  if (lang::ConvertsExactly(own, kind, w.program.Model()) && lang::IsFloat(own)) return value;
  return w.build.Cast(w.program.types.Basic(kind), AsOperand(w, value));
}

ExprId SmallFloat(Writer& w, uint32_t depth) {
  const TypeId narrow = w.program.types.Basic(w.choices.Coin() ? TypeKind::Short : TypeKind::SChar);
  return w.build.Cast(FloatType(w), w.build.Cast(narrow, IntExpr(w, depth)));
}

ExprId FloatValue(Writer& w, const Want& asked) {
  Want want = asked;
  if (!want.type) want.type = FloatType(w);
  const TypeKind kind = w.Kind(want.type);
  ExprId e;
  if (want.depth == 0 || want.Exhausted(w) || w.choices.Percent(12 + 60 / (want.depth + 1))) {
    e = Leaf(w, want);
  } else {
    std::array<uint32_t, kFloats.size()> weights;
    std::copy_n(w.weights.begin() + kFirstFloat, weights.size(), weights.begin());
    const FloatRow& row = kFloats[w.choices.Weighted(weights)];
    e = WriteRow(w, row.kind, [&] { return row.write(w, want.Deeper()); });
    if (!e) e = Leaf(w, want);
  }
  return asked.type ? FittingFloat(w, kind, e) : e;
}

ExprId FloatTruth(Writer& w, uint32_t depth) { return Expression(w, {.of = WriterClass::Float, .depth = depth}); }

ExprId FloatCondition(Writer& w, const Want& want) {
  if (w.knobs.expr_classify > 0 && w.choices.Percent(14)) return FloatClass(w, want);
  Want operand{.of = WriterClass::Float, .depth = want.depth, .limit = want.limit};
  const ExprId lhs = Expression(w, operand.Share(w));
  if (w.choices.Percent(15)) return w.build.Unary(UnaryOp::LogicalNot, lhs);
  const BinaryOp op = CompareOperator(w);
  if (w.choices.Percent(12)) return w.build.Binary(op, lhs, AsOperand(w, IntLeaf(w)));
  operand.depth /= 2;
  const ExprId rhs = Expression(w, operand);
  return w.choices.Percent(80) ? w.build.Binary(op, lhs, rhs) : w.build.Binary(op, rhs, lhs);
}

ExprId FloatAsInteger(Writer& w, const Want& want) {
  switch (w.choices.Weighted({55, 30, 15, w.knobs.expr_math > 0 ? 30u : 0u})) {
    case 3: return FloatRounded(w, want);
    case 0: {
      const Want operand{.of = WriterClass::Float, .depth = want.depth, .limit = want.limit};
      return w.build.Cast(IntegerType(w), Expression(w, operand));
    }
    case 1: {
      return FloatCondition(w, want);
    }
    default: {
      const ExprId lhs = FloatTruth(w, want.depth), rhs = Expression(w, want);
      return w.choices.Coin() ? w.build.LogicalAnd(lhs, rhs) : w.build.LogicalOr(rhs, lhs);
    }
  }
}

void WriteFloat(Writer& w) {
  const uint32_t form = w.choices.Weighted({50, 38, 6, 6});
  if (form == 3) {  // an integer op= a floating number
    const ExprId target = IntLvalue(w, Access::Update);
    if (!target || !IsPure(w.program, target) || lang::BitWidthOf(w.program, target) >= 0) return;
    const ExprId value = Expression(w, {.of = WriterClass::Float, .depth = DrawDepth(w) - 1});
    return AppendExpr(w, w.build.CompoundAssign(DrawFloatOperator(w), target, value));
  }
  const ExprId target = FloatLvalue(w, form == 0 ? Access::Write : Access::Update);
  if (!target) return;
  const TypeId type = w.program.types.Unqualified(w.program.exprs[target].type);
  if (form == 0) return AppendExpr(w, w.build.Assign(target, FloatExpr(w, type, DrawDepth(w))));
  if (!IsPure(w.program, target)) return;
  if (form == 2) return AppendExpr(w, w.build.IncDec(DrawIncDec(w), target));
  // What is done again and again in a loop should stay small: a sum of small numbers, or halves.
  const BinaryOp op = w.scope.loop_depth > 0 && !IsIeee(w) && w.choices.Percent(70)
                          ? (w.choices.Coin() ? BinaryOp::Add : BinaryOp::Sub)
                          : DrawFloatOperator(w);
  ExprId value;
  if (op == BinaryOp::Mul || op == BinaryOp::Div) {
    value = RightOperand(w, {.of = WriterClass::Float, .type = type, .depth = 1}, op);
  } else if (w.choices.Percent(35)) {
    value = SmallFloat(w, 1);
  } else if (w.choices.Percent(30)) {
    value = Literal(w, w.Kind(type));
  } else {
    value = FloatExpr(w, type, DrawDepth(w) - 1);
  }
  AppendExpr(w, w.build.CompoundAssign(op, target, AsOperand(w, value)));
}

}  // namespace assay::gen
