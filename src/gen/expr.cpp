#include "gen/expr.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/integers.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::ConstantSpelling;
using lang::IncDecOp;
using lang::UnaryOp;

uint64_t FreshConstant(Writer& w) {
  switch (w.choices.Weighted({35, 14, 10, 8, 12, 16})) {
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

uint64_t RandomConstant(Writer& w) {
  if (!w.constants.empty() && w.choices.Percent(w.knobs.reuse_constants)) {
    const uint64_t value = w.choices.Pick(w.constants);
    switch (w.choices.Below(3)) {
      case 0: return value;
      case 1: return ~value + 1;
      default: return ~value;
    }
  }
  const uint64_t value = FreshConstant(w);
  if (w.constants.size() < 16) {
    w.constants.push_back(value);
  } else {
    w.choices.Pick(w.constants) = value;
  }
  return value;
}

ExprId Literal(Writer& w, TypeKind kind, uint64_t value) {
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

// The literal kind that holds the values of an integer type.
TypeKind LiteralKind(Writer& w, TypeKind kind) { return lang::Promote(kind, w.program.Model()); }

BinaryOp DrawOperator(Writer& w) {
  const knobs::Knobs& k = w.knobs;
  std::array<uint32_t, 11> weights = {
      static_cast<uint32_t>(k.op_add), static_cast<uint32_t>(k.op_sub),     static_cast<uint32_t>(k.op_mul),
      static_cast<uint32_t>(k.op_div), static_cast<uint32_t>(k.op_rem),     static_cast<uint32_t>(k.op_shl),
      static_cast<uint32_t>(k.op_shr), static_cast<uint32_t>(k.op_bit_and), static_cast<uint32_t>(k.op_bit_or),
      static_cast<uint32_t>(k.op_bit_xor), static_cast<uint32_t>(k.op_compare)};
  // The families: which of the eleven rows stay (add sub mul div rem shl shr and or xor compare).
  static constexpr std::array<uint16_t, static_cast<size_t>(OperatorContext::kCount)> kFamilies = {
      0b11111111111, 0b00000000011, 0b01110000000, 0b10000000000, 0b00000011100, 0b01111100000, 0b00000000111};
  const uint16_t family = kFamilies[static_cast<size_t>(w.context)];
  uint32_t total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (((family >> i) & 1) == 0) weights[i] = 0;
    total += weights[i];
  }
  if (total == 0) return BinaryOp::BitXor;
  const uint32_t row = w.choices.Weighted(weights);
  if (row < 10) return static_cast<BinaryOp>(row);
  return static_cast<BinaryOp>(static_cast<uint32_t>(BinaryOp::Lt) + w.choices.Below(6));
}

ExprId ShiftCount(Writer& w, uint32_t depth, TypeKind left) {
  const uint32_t bits = w.IntInfo(left).bits;
  switch (w.choices.Weighted({50, 25, 25})) {
    case 0: return w.build.Int(w.choices.Below(bits));
    case 1:
      return w.build.Binary(BinaryOp::BitAnd, IntExpr(w, depth), w.build.Int(static_cast<int64_t>(bits) - 1));
    default: return IntExpr(w, depth);
  }
}

ExprId BinaryExpr(Writer& w, uint32_t depth) {
  const BinaryOp op = DrawOperator(w);
  const ExprId lhs = IntExpr(w, depth);
  ExprId rhs;
  if (op == BinaryOp::Shl || op == BinaryOp::Shr) {
    rhs = ShiftCount(w, depth, lang::PromotedKind(w.program, lhs));
  } else if ((op == BinaryOp::Div || op == BinaryOp::Rem) && w.choices.Percent(40)) {
    const TypeKind kind = static_cast<TypeKind>(static_cast<uint32_t>(TypeKind::Int) + w.choices.Below(6));
    uint64_t divisor = Canonical(RandomConstant(w), w.IntInfo(kind));
    if (divisor == 0) divisor = 7;
    rhs = Literal(w, kind, divisor);
  } else {
    rhs = IntExpr(w, depth);
  }
  return w.build.Binary(op, lhs, rhs);
}

ExprId UnaryExpr(Writer& w, uint32_t depth) {
  static constexpr UnaryOp kOps[] = {UnaryOp::Minus, UnaryOp::BitNot, UnaryOp::LogicalNot, UnaryOp::Plus};
  const uint32_t op = w.choices.Weighted({35, 35, 22, 8});
  return w.build.Unary(kOps[op], IntExpr(w, depth));
}

ExprId SideEffect(Writer& w, uint32_t depth, bool incdec) {
  const ExprId target = IntLvalue(w, Access::Write);
  if (!target) return IntLeaf(w);
  if (incdec && CanStep(w, target)) {
    return AsOperand(w, w.build.IncDec(static_cast<IncDecOp>(w.choices.Below(4)), target));
  }
  return AsOperand(w, w.build.Assign(target, IntExpr(w, depth)));
}

// A comparison or difference of pointers, as an integer. Falls back to a leaf.
ExprId PointerToInt(Writer& w) {
  const ExprId pointer = PointerLvalue(w, false);
  if (!pointer || !IsPure(w.program, pointer)) return IntLeaf(w);
  if (w.Live() && !w.Probe(pointer)) return IntLeaf(w);
  const TypeId type = w.program.types.Unqualified(w.program.exprs[pointer].type);
  switch (w.choices.Below(4)) {
    case 0:
      return w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, pointer, w.build.NullPointer(type));
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
      const ExprId moved = w.build.Binary(BinaryOp::Add, w.build.CopyTree(pointer), w.build.Int(w.choices.Between(low, high)));
      static constexpr BinaryOp kOps[] = {BinaryOp::Sub, BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge};
      return w.build.Binary(kOps[w.choices.Below(5)], moved, pointer);
    }
  }
}

ExprId SizeofExpr(Writer& w) {
  // Only types whose size every compiler agrees on: bit-fields are laid out by the implementation.
  if (w.choices.Coin()) {
    const TypeId type = IntegerType(w);
    return w.build.SizeofType(w.choices.Coin() ? type : w.program.types.Array(type, 1 + w.choices.Below(8)));
  }
  const ExprId operand = IntLeaf(w);
  if (lang::BitWidthOf(w.program, operand) >= 0) return operand;
  return w.build.SizeofExpr(operand);
}

// Whether a compiler may know the value without running the program; if in doubt, yes. Wider than C's constant expressions
// (lang::IsConstantExpression): 1 || x folds.
bool MayFold(const lang::Program& program, ExprId id) {
  const lang::Expr& e = program.exprs[id];
  switch (e.kind) {
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr: return true;
    case ExprKind::Unary:
    case ExprKind::Cast:
    case ExprKind::LogicalAnd:     // the left side may decide alone
    case ExprKind::LogicalOr:
    case ExprKind::Conditional: return MayFold(program, e.lhs);
    case ExprKind::Binary: return MayFold(program, e.lhs) && MayFold(program, e.rhs);
    default: return false;
  }
}

// The first constant of an expression that may fold.
ExprId FirstConstant(const lang::Program& program, ExprId id) {
  while (lang::Info(program.exprs[id].kind).children > 0 && program.exprs[id].kind != ExprKind::SizeofExpr) {
    id = program.exprs[id].lhs;
  }
  return id;
}

// The arm that is not taken may hold what would be undefined. But if the values of both are known, clang computes both in any case, and
// its UBSan sounds the alarm for the one that is not taken: such arms are plain constants.
ExprId ConditionalExpr(Writer& w, uint32_t depth) {
  const ExprId condition = Condition(w, w.choices.Coin(), depth);
  ExprId yes = IntExpr(w, depth), no = IntExpr(w, depth);
  if (MayFold(w.program, yes) && MayFold(w.program, no)) {
    yes = FirstConstant(w.program, yes);
    no = FirstConstant(w.program, no);
  }
  return w.build.Conditional(condition, yes, no);
}

bool Complemented(lang::Expr& e) {
  if (e.kind != ExprKind::Binary) return false;
  switch (e.Binary()) {
    case BinaryOp::Lt: e.op = static_cast<uint8_t>(BinaryOp::Ge); return true;
    case BinaryOp::Ge: e.op = static_cast<uint8_t>(BinaryOp::Lt); return true;
    case BinaryOp::Gt: e.op = static_cast<uint8_t>(BinaryOp::Le); return true;
    case BinaryOp::Le: e.op = static_cast<uint8_t>(BinaryOp::Gt); return true;
    case BinaryOp::Eq: e.op = static_cast<uint8_t>(BinaryOp::Ne); return true;
    case BinaryOp::Ne: e.op = static_cast<uint8_t>(BinaryOp::Eq); return true;
    default: return false;
  }
}

constexpr uint32_t kMostReusable = 6;

// How many of the statement's expressions may be copied, counted up to `most`: the pure ones, moved to the front. Whether one
// is pure is found out only when it is asked for.
uint32_t Reusable(Writer& w, uint32_t most) {
  for (; w.reusable < most && w.judged < w.subexpressions.size(); ++w.judged) {
    const ExprId e = w.subexpressions[w.judged];
    if (IsPure(w.program, e)) w.subexpressions[w.reusable++] = e;
  }
  return std::min(w.reusable, most);
}

}  // namespace

ExprId ConstantExpr(Writer& w) {
  if (!w.enums.empty() && w.knobs.type_enum > 0 && w.choices.Percent(3)) {
    const lang::EnumId id = w.choices.Pick(w.enums);
    return w.build.EnumConstant(id, w.choices.Below(static_cast<uint32_t>(w.program.types.GetEnum(id).values.size())));
  }
  const uint64_t value = RandomConstant(w);
  const uint32_t kind = w.choices.Weighted({50, 14, 10, 10, 8, 8});
  return Literal(w, static_cast<TypeKind>(static_cast<uint32_t>(TypeKind::Int) + kind), value);
}

ExprId ConstantFor(Writer& w, TypeId type) {
  const lang::IntegerInfo info = w.IntInfo(w.Kind(type));
  const uint64_t value = Canonical(RandomConstant(w), info);
  return Literal(w, LiteralKind(w, w.Kind(type)), value);
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
  if (w.choices.Percent(w.constant_percent)) return ConstantExpr(w);
  const ExprId lvalue = IntLvalue(w, Access::Read);
  return lvalue ? AsOperand(w, lvalue) : ConstantExpr(w);
}

ExprId IntExpr(Writer& w, uint32_t depth) {
  if (depth == 0 || w.choices.Percent(12 + 60 / (depth + 1))) return IntLeaf(w);
  if (Reusable(w, 1) > 0 && w.choices.Percent(w.knobs.common_subexpressions)) {
    return w.build.CopyTree(w.subexpressions[w.choices.Below(Reusable(w, kMostReusable))]);
  }
  const knobs::Knobs& k = w.knobs;
  const uint32_t calls = w.calls_in_statement < 2 ? static_cast<uint32_t>(k.expr_call) : 0;
  const uint32_t effects = w.scope.function ? 1 : 0;
  --depth;
  ExprId e;
  switch (w.choices.Weighted({static_cast<uint32_t>(k.expr_unary), static_cast<uint32_t>(k.expr_binary),
                              static_cast<uint32_t>(k.expr_logical), static_cast<uint32_t>(k.expr_conditional),
                              static_cast<uint32_t>(k.expr_comma), effects * static_cast<uint32_t>(k.expr_assign),
                              effects * static_cast<uint32_t>(k.expr_incdec), static_cast<uint32_t>(k.expr_cast),
                              static_cast<uint32_t>(k.expr_sizeof), effects * calls,
                              static_cast<uint32_t>(k.expr_pointer), 1u})) {
    case 0: e = UnaryExpr(w, depth); break;
    case 1: e = BinaryExpr(w, depth); break;
    case 2: {
      const ExprId lhs = IntExpr(w, depth), rhs = IntExpr(w, depth);
      e = w.choices.Coin() ? w.build.LogicalAnd(lhs, rhs) : w.build.LogicalOr(lhs, rhs);
      break;
    }
    case 3: e = ConditionalExpr(w, depth); break;
    case 4: {
      const ExprId lhs = SideEffect(w, depth / 2, w.choices.Coin());
      const ExprId rhs = IntExpr(w, depth);
      e = AsOperand(w, w.build.Comma(lhs, rhs));
      break;
    }
    case 5: e = SideEffect(w, depth, false); break;
    case 6: e = SideEffect(w, depth, true); break;
    case 7: {
      const TypeId type = IntegerType(w);
      e = w.build.Cast(type, IntExpr(w, depth));
      break;
    }
    case 8: e = SizeofExpr(w); break;
    case 9: e = CallExpr(w, depth); break;
    case 10: e = w.knobs.pointers > 0 ? PointerToInt(w) : IntLeaf(w); break;
    default: e = IntLeaf(w); break;
  }
  w.subexpressions.push_back(e);
  return e;
}

ExprId Condition(Writer& w, bool wanted, uint32_t depth) {
  depth = std::min({depth, kConditionDepth, static_cast<uint32_t>(w.knobs.expression_depth) - 1});
  ExprId e;
  if (w.choices.Percent(65)) {
    const BinaryOp op = static_cast<BinaryOp>(static_cast<uint32_t>(BinaryOp::Lt) + w.choices.Below(6));
    const ExprId lhs = IntExpr(w, depth), rhs = IntExpr(w, depth);
    e = w.build.Binary(op, lhs, rhs);
  } else {
    e = IntExpr(w, depth);
  }
  if (!w.Live() || !IsPure(w.program, e)) return e;
  const std::optional<machine::Value> value = w.Probe(e);
  if (!value || (*value != 0) == wanted) return e;
  if (Complemented(w.program.exprs[e])) return e;
  return w.build.Unary(UnaryOp::LogicalNot, e);
}

bool IsPure(const lang::Program& program, ExprId id) {
  return lang::Walk(program, id, [&](const lang::Expr& e) {
    switch (e.kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::Call:
      case ExprKind::Builtin:
      case ExprKind::Guard:
      case ExprKind::CompoundLiteral:
      case ExprKind::Known: return lang::Visited::Stop;
      case ExprKind::Constant: return lang::Visited::Pass;
      default: break;
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
  w.subexpressions.clear();
  w.reusable = w.judged = 0;
  w.calls_in_statement = 0;
  w.context = OperatorContext::All;
  if (w.choices.Percent(w.knobs.operator_contexts / 2)) {
    w.context = static_cast<OperatorContext>(w.choices.Below(static_cast<uint32_t>(OperatorContext::kCount)));
  }
  w.constant_percent = static_cast<uint32_t>(w.knobs.constant_leaves);
  if (w.choices.Percent(6)) w.constant_percent = w.choices.Coin() ? 50 : 90;
}

}  // namespace assay::gen
