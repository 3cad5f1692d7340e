#include "gen/expr.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/floats.hpp"
#include "gen/gnu.hpp"
#include "gen/integers.hpp"
#include "gen/known.hpp"
#include "gen/operators.hpp"
#include "gen/patterns.hpp"
#include "gen/reuse.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "gen/want.hpp"
#include "gen/wide.hpp"
#include "gen/wrappers.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::ConstantSpelling;
using lang::UnaryOp;

uint64_t FreshConstant(Writer& w) {
  static constexpr std::array<std::array<uint32_t, 6>, static_cast<size_t>(ConstantStyle::kCount)> kWeights = {{
      {35, 14, 10, 8, 12, 16},  // Any
      {80, 5, 0, 5, 0, 10},     // Small
      {5, 15, 80, 0, 0, 0},     // Limits
      {5, 30, 0, 65, 0, 0},     // Runs
  }};
  switch (w.choices.Weighted(kWeights[static_cast<size_t>(w.constant_style)])) {
    case 0: return static_cast<uint64_t>(w.choices.Between(-10, 16));
    case 1: {
      const uint64_t power = uint64_t{1} << w.choices.Below(64);
      return power + static_cast<uint64_t>(w.choices.Between(-1, 1));
    }
    case 2: {  // near the limits of a type
      const lang::IntegerInfo info = w.IntInfo(w.Kind(IntegerType(w)));
      const uint64_t limit = w.choices.Coin() ? info.Max() : static_cast<uint64_t>(info.Min());
      return limit + static_cast<uint64_t>(w.choices.Between(-2, 2));
    }
    case 3: {  // a run of ones
      const uint32_t length = 1 + w.choices.Below(63);
      return ((uint64_t{1} << length) - 1) << w.choices.Below(64 - length);
    }
    case 4: {
      const uint64_t bits = w.choices.Bits();
      return bits >> w.choices.Below(64);
    }
    default: return static_cast<uint64_t>(w.choices.Between(-1000, 1000));
  }
}

// The literal kind that holds the values of an integer type.
TypeKind LiteralKind(Writer& w, TypeKind kind) { return lang::Promote(kind, w.program.Model()); }

ExprId ShiftCount(Writer& w, const Want& want, TypeKind left) {
  const uint32_t bits = w.IntInfo(left).bits;
  switch (w.choices.Weighted({50, 25, 25})) {
    case 0: return w.build.Int(w.choices.Below(bits));
    case 1: return w.build.Binary(BinaryOp::BitAnd, Expression(w, want), w.build.Int(static_cast<int64_t>(bits) - 1));
    default: return Expression(w, want);
  }
}

// The rows of integers. `want` is what they ask of their operands: one level less than was asked of them.

ExprId BinaryExpr(Writer& w, const Want& want) {
  const BinaryOp op = DrawOperator(w);
  const ExprId lhs = Expression(w, want.Share(w));
  ExprId rhs;
  if (lang::IsShift(op)) {
    rhs = ShiftCount(w, want, lang::PromotedKind(w.program, lhs));
  } else if ((lang::Info(op).hazards & lang::kZeroDivisor) != 0 && w.choices.Percent(40)) {
    const TypeKind kind = DrawLiteralKindEvenly(w);
    uint64_t divisor = Canonical(ConstantValue(w), w.IntInfo(kind));
    if (divisor == 0) divisor = 7;
    rhs = LiteralOf(w, kind, divisor);
  } else {
    rhs = Expression(w, want);
  }
  return w.build.Binary(op, lhs, rhs);
}

ExprId UnaryExpr(Writer& w, const Want& want) {
  const UnaryOp op = DrawUnary(w);
  return w.build.Unary(op, Expression(w, want));
}

ExprId SideEffect(Writer& w, const Want& want, bool incdec) {
  const ExprId target = IntLvalue(w, incdec ? Access::Update : Access::Write);
  if (!target) return IntLeaf(w);
  if (incdec && CanStep(w, target)) {
    return AsOperand(w, w.build.IncDec(DrawIncDec(w), target));
  }
  return AsOperand(w, w.build.Assign(target, Expression(w, want)));
}

// A comparison or difference of pointers, as an integer. Falls back to a leaf.
ExprId PointerToInt(Writer& w, const Want&) {
  if (w.knobs.pointers == 0) return IntLeaf(w);
  const ExprId pointer = PointerLvalue(w, false);
  if (!pointer || !IsPure(w.program, pointer)) return IntLeaf(w);
  if (w.Live() && !w.Probe(pointer)) return IntLeaf(w);
  const TypeId type = w.program.types.Unqualified(w.program.exprs[pointer].type);
  switch (w.choices.Below(4)) {
    case 0: return w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, pointer, w.build.NullPointer(type));
    case 1: return w.build.Unary(UnaryOp::LogicalNot, pointer);
    case 2: {
      const ExprId other = PointerExpr(w, type, {}, true);
      return w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, pointer, w.build.Cast(type, other));
    }
    default: {
      // Two pointers into one object: (p + k) compared with or subtracted from p.
      if (!w.Live()) return w.build.Binary(BinaryOp::Sub, w.build.CopyTree(pointer), pointer);
      const machine::PointerView view = w.machine->View(*w.Probe(pointer));
      const TypeId element = w.program.types[type].element;
      const uint32_t size = w.Kind(element) == TypeKind::Void ? 0 : w.layouts.SizeOf(element);
      if (view.kind != machine::PointerView::Kind::Object || !view.live || size == 0) {
        return w.build.Unary(UnaryOp::LogicalNot, pointer);
      }
      const int64_t low = -static_cast<int64_t>((view.offset - view.low) / size);
      const int64_t high = static_cast<int64_t>((view.high - view.offset) / size);
      const ExprId moved =
          w.build.Binary(BinaryOp::Add, w.build.CopyTree(pointer), w.build.Int(w.choices.Between(low, high)));
      static constexpr BinaryOp kOps[] = {BinaryOp::Sub, BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge};
      return w.build.Binary(kOps[w.choices.Below(5)], moved, pointer);
    }
  }
}

ExprId SizeofExpr(Writer& w, const Want&) {
  // Only types whose size every compiler agrees on: bit-fields are laid out by the implementation.
  if (w.choices.Coin()) {
    const TypeId type = IntegerType(w);
    return w.build.SizeofType(w.choices.Coin() ? type : w.program.types.Array(type, 1 + w.choices.Below(8)));
  }
  const ExprId operand = IntLeaf(w);
  if (lang::BitWidthOf(w.program, operand) >= 0) return operand;
  return w.build.SizeofExpr(operand);
}

}  // namespace

bool MayFold(const lang::Program& program, ExprId id) {
  const lang::Expr& e = program.exprs[id];
  switch (e.kind) {
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr: return true;
    case ExprKind::Unary:
    case ExprKind::Cast:
    case ExprKind::LogicalAnd:  // the left side may decide alone
    case ExprKind::LogicalOr:
    case ExprKind::Conditional: return MayFold(program, e.lhs);
    case ExprKind::Binary: return MayFold(program, e.lhs) && MayFold(program, e.rhs);
    case ExprKind::Builtin: {  // of constants
      if (!lang::Info(e.GetBuiltin()).pure) return false;
      bool folds = true;
      for (uint32_t i = 0; i < e.args.count; ++i) folds = folds && MayFold(program, program.Arg(e, i));
      return folds;
    }
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Guard:
    case ExprKind::kCount: break;
  }
  return false;
}

namespace {

// The first constant of an expression that may fold; of one that computes with floating numbers, an integer.
ExprId FirstConstant(Writer& w, ExprId id) {
  const lang::Program& program = w.program;
  while (lang::Info(program.exprs[id].kind).children > 0 && program.exprs[id].kind != ExprKind::SizeofExpr) {
    id = program.exprs[id].lhs;
  }
  return lang::IsFloat(w.Kind(id)) ? w.build.Int(w.choices.Below(100)) : id;
}

// The arm that is not taken may hold what would be undefined. But if the values of both are known, clang computes both
// in any case, and its UBSan sounds the alarm for the one that is not taken: such arms are plain constants.
ExprId ConditionalExpr(Writer& w, const Want& want) {
  const ExprId condition = Condition(w, w.choices.Coin(), want.depth);
  ExprId yes = Expression(w, want.Share(w)), no = Expression(w, want);
  if (MayFold(w.program, yes) && MayFold(w.program, no)) {
    yes = FirstConstant(w, yes);
    no = FirstConstant(w, no);
  }
  return w.build.Conditional(condition, yes, no);
}

ExprId LogicalExpr(Writer& w, const Want& want) {
  const ExprId lhs = Expression(w, want.Share(w)), rhs = Expression(w, want);
  return w.choices.Coin() ? w.build.LogicalAnd(lhs, rhs) : w.build.LogicalOr(lhs, rhs);
}

ExprId CommaExpr(Writer& w, const Want& want) {
  Want effect = want.Share(w);
  effect.depth /= 2;
  const ExprId lhs = SideEffect(w, effect, w.choices.Coin());
  const ExprId rhs = Expression(w, want);
  return AsOperand(w, w.build.Comma(lhs, rhs));
}

ExprId CastExpr(Writer& w, const Want& want) {
  const TypeId type = IntegerType(w);
  return w.build.Cast(type, Expression(w, want));
}

struct IntegerRow {
  enum class Needs : uint8_t { Nothing, Function, RoomForCall };  // a function to stand in; few calls so far
  enum class Family : uint8_t { None, Every, OnlyLogical };       // where operators are of one family: does it fit?

  WriterId kind;
  ExprId (*write)(Writer& w, const Want& want);
  Needs needs = Needs::Nothing;
  Family family = Family::None;
};
using enum IntegerRow::Needs;
using enum IntegerRow::Family;

constexpr std::array kIntegers = {
    IntegerRow{WriterId::Unary, UnaryExpr, Nothing, Every},
    IntegerRow{WriterId::Binary, BinaryExpr, Nothing, Every},
    IntegerRow{WriterId::Logical, LogicalExpr, Nothing, OnlyLogical},
    IntegerRow{WriterId::Conditional, ConditionalExpr},
    IntegerRow{WriterId::Comma, CommaExpr},
    IntegerRow{WriterId::InnerAssign, [](Writer& w, const Want& want) { return SideEffect(w, want, false); }, Function},
    IntegerRow{WriterId::InnerIncDec, [](Writer& w, const Want& want) { return SideEffect(w, want, true); }, Function},
    IntegerRow{WriterId::Cast, CastExpr, Nothing, Every},
    IntegerRow{WriterId::Sizeof, SizeofExpr},
    IntegerRow{WriterId::InnerCall, [](Writer& w, const Want& want) { return CallExpr(w, want.depth); }, RoomForCall},
    IntegerRow{WriterId::PointerToInteger, PointerToInt},
    IntegerRow{WriterId::Pattern, PatternValue},
    IntegerRow{WriterId::Logic, DeepLogic},
    IntegerRow{WriterId::Safe, SafeExpr},
    IntegerRow{WriterId::FloatTest, FloatAsInteger},
    IntegerRow{WriterId::FloatClass, FloatClass},
    IntegerRow{WriterId::LaneOfVector, IntegerLane},
    IntegerRow{WriterId::PartOfWide, IntegerOfWide},
    IntegerRow{WriterId::OverflowTest, OverflowTest},
    IntegerRow{WriterId::ExpectedValue, ExpectedValue},
    IntegerRow{WriterId::EitherValue, EitherValue},
    IntegerRow{WriterId::Leaf, [](Writer& w, const Want&) { return IntLeaf(w); }, Nothing, Every},
};
constexpr size_t kFirstInteger = static_cast<size_t>(kIntegers.front().kind);
static_assert(kIntegers.size() == static_cast<size_t>(WriterId::Leaf) + 1 - kFirstInteger && [] {
  for (size_t i = 0; i < kIntegers.size(); ++i) {
    if (static_cast<size_t>(kIntegers[i].kind) != kFirstInteger + i) return false;
  }
  return true;
}());

const IntegerRow& DrawInteger(Writer& w) {
  std::array<uint32_t, kIntegers.size()> weights;
  std::copy_n(w.weights.begin() + kFirstInteger, weights.size(), weights.begin());
  if (!w.scope.function || w.calls_in_statement >= 2) [[unlikely]] {
    for (size_t i = 0; i < weights.size(); ++i) {
      if (kIntegers[i].needs == RoomForCall) weights[i] = 0;
      if (kIntegers[i].needs == Function && !w.scope.function) weights[i] = 0;
    }
  }
  if (w.context != OperatorContext::All) {
    for (size_t i = 0; i < weights.size(); ++i) {
      const bool logical = kIntegers[i].family == OnlyLogical && w.context == OperatorContext::Logical;
      if (kIntegers[i].family != Every && !logical) weights[i] = 0;
    }
  }
  return kIntegers[w.choices.Weighted(weights)];
}

// The policies of a place; those of the outer place hold again afterwards.
class Region {
 public:
  explicit Region(Writer& w) : w_(w), context_(w.context), percent_(w.constant_percent), style_(w.constant_style) {}
  ~Region() {
    w_.context = context_;
    w_.constant_percent = percent_;
    w_.constant_style = style_;
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  Writer& w_;
  OperatorContext context_;
  uint32_t percent_;
  ConstantStyle style_;
};

void DrawContext(Writer& w) {
  const bool favoured = w.favoured != OperatorContext::All && w.choices.Coin();
  w.context = favoured ? w.favoured
                       : static_cast<OperatorContext>(w.choices.Below(static_cast<uint32_t>(OperatorContext::kCount)));
}

void DrawConstantPolicy(Writer& w) {
  if (w.choices.Percent(60)) w.constant_percent = w.choices.Percent(70) ? 50 : 100;
  w.constant_style = static_cast<ConstantStyle>(w.choices.Below(static_cast<uint32_t>(ConstantStyle::kCount)));
}

// A part of an expression may have policies of its own.
void DrawPartPolicy(Writer& w) {
  const uint32_t draw = w.choices.Below(400);
  if (draw < static_cast<uint32_t>(w.knobs.operator_contexts)) DrawContext(w);
  if (draw >= 400 - static_cast<uint32_t>(w.knobs.constant_policies)) DrawConstantPolicy(w);
}

bool Complemented(lang::Expr& e) {
  if (e.kind != ExprKind::Binary || !lang::IsComparison(e.Binary())) return false;
  e.op = static_cast<uint8_t>(lang::Info(e.Binary()).complement);
  return true;
}

// Another comparison of the same operands, or with a constant nearby: what one condition says of the other.
void Vary(Writer& w, ExprId condition) {
  lang::Expr& e = w.program.exprs[condition];
  if (e.kind != ExprKind::Binary || !lang::IsComparison(e.Binary())) return;
  lang::Expr& bound = w.program.exprs[e.rhs];
  if (bound.kind == ExprKind::Constant && lang::IsInteger(w.Kind(bound.type)) && w.choices.Coin()) {
    const lang::IntegerInfo info = w.IntInfo(w.Kind(bound.type));
    bound.value = Canonical(bound.value + static_cast<uint64_t>(w.choices.Between(-2, 2)), info);
    if (bound.detail == static_cast<uint8_t>(ConstantSpelling::Character)) bound.detail = 0;
    return;
  }
  e.op = static_cast<uint8_t>(DrawComparison(w));
}

ExprId EarlierCondition(Writer& w, const Want& want) {
  const ExprId e = CopyOfCondition(w, want);
  if (!e) return {};
  switch (w.choices.Weighted({50, 25, 15, 10})) {
    case 1: Vary(w, e); return e;
    case 2: {
      const ExprId other = CopyOfCondition(w, want);
      if (!other) return e;
      return w.choices.Coin() ? w.build.LogicalAnd(e, other) : w.build.LogicalOr(e, other);
    }
    case 3: return w.build.Unary(UnaryOp::LogicalNot, e);
    default: return e;
  }
}

}  // namespace

uint64_t ConstantValue(Writer& w) {
  if (!w.constants.empty() && w.context != OperatorContext::Logical && w.choices.Percent(w.knobs.reuse_constants)) {
    const uint64_t value = w.choices.Pick(w.constants);
    switch (w.choices.Below(3)) {
      case 0: return value;
      case 1: return ~value + 1;
      default: return ~value;
    }
  }
  const uint64_t value = FreshConstant(w);
  if (w.constants.size() < 8) {
    w.constants.push_back(value);
  } else {
    w.choices.Pick(w.constants) = value;
  }
  return value;
}

ExprId LiteralOf(Writer& w, TypeKind kind, uint64_t value) {
  value = Canonical(value, w.IntInfo(kind));
  ConstantSpelling spelling = ConstantSpelling::Decimal;
  switch (w.choices.Weighted({60, 18, 4, 6, 6, 4})) {
    case 1: spelling = ConstantSpelling::Hex; break;
    case 2: spelling = ConstantSpelling::Octal; break;
    case 3: spelling = ConstantSpelling::HexUpper; break;
    case 4: spelling = ConstantSpelling::DecimalLowerSuffix; break;
    case 5:
      if (kind == TypeKind::Int && value >= 32 && value < 127) spelling = ConstantSpelling::Character;
      break;
    default: break;
  }
  return w.build.Constant(kind, value, spelling);
}

ExprId PureOperand(Writer& w, const Want& want) {
  for (int tries = 0; tries < 4; ++tries) {
    ExprId e;
    switch (w.choices.Weighted({70, 15, want.depth > 0 ? 15u : 0u})) {
      case 0: e = IntLvalue(w, Access::Read); break;
      case 1: e = CopyOfExpression(w, want); break;
      default: {
        Want small = want;
        small.depth = 1;
        e = Expression(w, small);
        break;
      }
    }
    if (!e || MayFold(w.program, e) || !IsPure(w.program, e)) continue;
    return AsOperand(w, e);
  }
  return {};
}

ExprId OperandOfType(Writer& w, TypeId type) {
  const ExprId e = LvalueOfType(w, type, Access::Read);
  if (!e || !IsPure(w.program, e) || lang::IsPromotionUnclear(w.program, e)) return {};
  return w.Live() && !w.Probe(e) ? ExprId{} : e;
}

ExprId ConstantExpr(Writer& w) {
  if (!w.enums.empty() && w.knobs.type_enum > 0 && w.choices.Percent(3)) {
    const lang::EnumId id = w.choices.Pick(w.enums);
    return w.build.EnumConstant(id, w.choices.Below(static_cast<uint32_t>(w.program.types.GetEnum(id).values.size())));
  }
  const uint64_t value = ConstantValue(w);
  const TypeKind kind = DrawLiteralKind(w);
  return LiteralOf(w, kind, value);
}

ExprId ConstantFor(Writer& w, TypeId type) {
  if (lang::IsFloat(w.Kind(type))) return FloatConstantFor(w, type);
  if (lang::IsWide(w.Kind(type))) return WideConstantFor(w, type);
  const lang::IntegerInfo info = w.IntInfo(w.Kind(type));
  const uint64_t value = Canonical(ConstantValue(w), info);
  return LiteralOf(w, LiteralKind(w, w.Kind(type)), value);
}

lang::StringId RandomString(Writer& w, uint32_t most) {
  std::string text;
  const uint32_t length = w.choices.Below(std::min<uint32_t>(most, 20) + 1);
  for (uint32_t i = 0; i < length; ++i) text += static_cast<char>('a' + w.choices.Below(26));
  return w.program.strings.Add(std::move(text));
}

ExprId AsOperand(Writer& w, ExprId e) {
  return lang::IsPromotionUnclear(w.program, e) ? w.build.Cast(lang::ValueType(w.program, e), e) : e;
}

bool CanStep(Writer& w, ExprId target) {
  return w.Kind(target) != TypeKind::Bool && !lang::IsPromotionUnclear(w.program, target);
}

ExprId IntLeaf(Writer& w) {
  const auto constant = [&w] { return ConstantExpr(w); };
  if (w.choices.Percent(w.constant_percent)) {
    if (w.choices.Percent(w.knobs.known_values)) {
      const TypeKind kind = DrawLiteralKind(w);
      const uint64_t value = ConstantValue(w);
      const ExprId known = WriteRow(w, WriterId::KnownConstant, [&] { return KnownConstant(w, kind, value); });
      if (known) return known;
    }
    return WriteRow(w, WriterId::Constant, constant);
  }
  const ExprId object = WriteRow(w, WriterId::Object, [&w] {
    const ExprId lvalue = IntLvalue(w, Access::Read);
    return lvalue ? AsOperand(w, lvalue) : lvalue;
  });
  return object ? object : WriteRow(w, WriterId::Constant, constant);
}

ExprId IntegerValue(Writer& w, const Want& want) {
  if (want.depth == 0 || want.Exhausted(w) || w.choices.Percent(12 + 60 / (want.depth + 1))) return IntLeaf(w);
  if (w.choices.Percent(w.knobs.common_subexpressions)) {
    if (const ExprId copy = WriteRow(w, WriterId::Copy, [&] { return CopyOfExpression(w, want); })) return copy;
  }
  const Region region(w);
  if (want.depth > 1) DrawPartPolicy(w);
  const IntegerRow& row = DrawInteger(w);
  const uint32_t first = w.program.exprs.Size();
  const ExprId e = WriteRow(w, row.kind, [&] { return row.write(w, want.Deeper()); });
  NoteExpression(w, e, w.program.exprs.Size() - first);
  return e;
}

ExprId ConditionValue(Writer& w, const Want& want) {
  const uint32_t most = static_cast<uint32_t>(w.knobs.expression_depth) - 1;
  Want operand = Want::Integer(std::min({want.depth, kConditionDepth, most}));
  static constexpr WriterId kConditions[] = {
      WriterId::Comparison,       WriterId::Truth,          WriterId::TestPattern,      WriterId::Opaque,
      WriterId::EarlierCondition, WriterId::FloatCondition, WriterId::ExpectedCondition};
  std::array<uint32_t, std::size(kConditions)> weights;
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = w.weights[static_cast<size_t>(kConditions[i])];
  ExprId e;
  WriterId row = kConditions[w.choices.Weighted(weights)];
  if (row == WriterId::Opaque) {
    operand.truth = want.truth;
    e = WriteRow(w, row, [&] { return OpaqueCondition(w, operand); });
    if (e) return e;
  } else if (row == WriterId::TestPattern) {
    e = WriteRow(w, row, [&] { return PatternTest(w, operand); });
  } else if (row == WriterId::FloatCondition) {
    e = WriteRow(w, row, [&] { return FloatCondition(w, operand); });
  } else if (row == WriterId::ExpectedCondition && want.depth > 0) {
    e = WriteRow(w, row, [&] { return ExpectedCondition(w, want.Deeper()); });
  } else if (row == WriterId::EarlierCondition) {
    e = WriteRow(w, row, [&] { return EarlierCondition(w, operand); });
  }
  const bool repeated = e && row == WriterId::EarlierCondition;
  if (!e && row != WriterId::Truth) row = WriterId::Comparison;
  if (row == WriterId::Comparison && !e) {
    e = WriteRow(w, row, [&] {
      const BinaryOp op = DrawComparison(w);
      const ExprId lhs = Expression(w, operand), rhs = Expression(w, operand);
      return w.build.Binary(op, lhs, rhs);
    });
  } else if (row == WriterId::Truth) {
    e = WriteRow(w, row, [&] { return Expression(w, operand); });
  }
  if (w.Live() && IsPure(w.program, e)) {
    const std::optional<machine::Value> value = w.Probe(e);
    if (value && (*value != 0) != want.truth && !Complemented(w.program.exprs[e])) {
      e = w.build.Unary(UnaryOp::LogicalNot, e);
    }
  }
  if (!repeated) NoteCondition(w, e);
  return e;
}

bool IsPure(const lang::Program& program, ExprId id) {
  // A record that is read as a whole, with its volatile members.
  const auto reads_volatile = [&](const lang::Expr& e) {
    return lang::IsRecord(program.types.Kind(e.type)) && lang::HasQualifier(program, e.type, lang::kVolatile);
  };
  if (reads_volatile(program.exprs[id])) return false;
  return lang::Walk(program, id, [&](const lang::Expr& e) {
    switch (e.kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::Call:
      case ExprKind::Guard:
      case ExprKind::CompoundLiteral: return lang::Visited::Stop;
      case ExprKind::Builtin:
        if (!lang::Info(e.GetBuiltin()).pure) return lang::Visited::Stop;
        break;
      case ExprKind::Constant: return lang::Visited::Pass;
      case ExprKind::Comma:
      case ExprKind::Conditional:
        if (reads_volatile(e)) return lang::Visited::Stop;
        break;
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::kCount: break;
    }
    if ((program.types[e.type].quals & lang::kVolatile) != 0) return lang::Visited::Stop;
    return e.kind == ExprKind::SizeofExpr ? lang::Visited::Pass : lang::Visited::Descend;
  });
}

BinaryOp CompoundOperator(Writer& w) {
  const BinaryOp op = DrawOperator(w);
  return lang::Info(op).compound ? op : BinaryOp::BitXor;
}

void DrawStatementPolicy(Writer& w) {
  FlushNotes(w);
  w.calls_in_statement = 0;
  w.context = OperatorContext::All;
  if (w.choices.Percent(w.knobs.operator_contexts / 2)) DrawContext(w);
  w.constant_percent = static_cast<uint32_t>(w.knobs.constant_leaves);
  w.constant_style = ConstantStyle::Any;
  if (w.choices.Percent(w.knobs.constant_policies)) DrawConstantPolicy(w);
  if (w.choices.Percent(20)) w.constants.clear();  // fresh ones
}

void DrawProgramPolicy(Writer& w) {
  if (w.choices.Percent(w.knobs.operator_contexts))
    w.favoured = static_cast<OperatorContext>(w.choices.Below(static_cast<uint32_t>(OperatorContext::kCount)));
  const uint32_t style = static_cast<uint32_t>(w.knobs.wrapper_style);
  w.wrapper_style = static_cast<WrapperStyle>(style < 3 ? style : w.choices.Below(3));
}

}  // namespace assay::gen
