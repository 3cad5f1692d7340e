#include "gen/vectors.hpp"

#include <algorithm>
#include <array>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/operators.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Builtin;
using lang::FloatMode;
using lang::Stmt;
using lang::UnaryOp;

constexpr uint32_t kDefinitionTokens = 16;  // of a type
constexpr int32_t kLeastTokens = 500;       // smaller programs have no room for the checks of the lanes

TypeKind LaneKind(const Writer& w, TypeId vector) { return w.Kind(w.program.types[vector].element); }
TypeId LaneType(const Writer& w, TypeId vector) { return w.program.types[vector].element; }
uint32_t LaneCount(const Writer& w, TypeId vector) { return w.program.types[vector].length; }
bool HasFloats(const Writer& w, TypeId vector) { return lang::IsFloat(LaneKind(w, vector)); }
bool IsSignedKind(const Writer& w, TypeKind kind) { return w.IntInfo(kind).is_signed; }
bool HasSigns(const Writer& w, TypeId vector) { return !HasFloats(w, vector) && IsSignedKind(w, LaneKind(w, vector)); }
int LaneBits(const Writer& w, TypeId vector) { return w.IntInfo(LaneKind(w, vector)).bits; }
bool IsExact(const Writer& w) { return w.program.floats != FloatMode::Ieee; }

TypeId WithLanes(Writer& w, TypeKind kind, uint32_t lanes) {
  return w.program.types.Vector(w.program.types.Basic(kind), lanes);
}
TypeId Unsigned(Writer& w, TypeId vector) {
  return WithLanes(w, lang::Info(LaneKind(w, vector)).unsigned_kind, LaneCount(w, vector));
}

// A constant of exactly the type of a lane.
ExprId LaneConstant(Writer& w, TypeId vector, int64_t value) {
  if (HasFloats(w, vector)) return FloatLiteral(w, LaneKind(w, vector), static_cast<double>(value));
  const ExprId number = w.build.Int(value);
  return w.Kind(number) == LaneKind(w, vector) ? number : w.build.Cast(LaneType(w, vector), number);
}

// A scalar of exactly that type, without side effects.
ExprId LaneScalar(Writer& w, TypeId vector) {
  if (!HasFloats(w, vector)) {
    const ExprId e = w.choices.Percent(65) ? PureOperand(w, Want::Integer(1)) : ExprId{};
    return w.build.Cast(LaneType(w, vector), e ? e : ConstantExpr(w));
  }
  if (IsExact(w)) return LaneConstant(w, vector, w.choices.Between(-5, 7));
  const ExprId e = w.choices.Coin() ? LvalueOfType(w, LaneType(w, vector), Access::Read) : ExprId{};
  const bool pure = e && IsPure(w.program, e) && !(w.Live() && !w.Probe(e));
  return pure ? e : FloatConstantFor(w, LaneType(w, vector));
}

// A list of expressions without side effects: those of a list have no order.
ExprId Literal(Writer& w, TypeId type) {
  const uint32_t lanes = LaneCount(w, type);
  std::vector<lang::InitItem> items;
  const bool constant = w.choices.Percent(55) || lanes > 16;
  const uint32_t written = lanes > 16 ? 1 + w.choices.Below(lanes) : lanes;  // the others are zero
  for (uint32_t i = 0; i < written && !(i > 0 && w.Full()); ++i) {
    const bool number = constant || w.choices.Coin();
    items.push_back({i, w.build.InitExpr(number ? ConstantFor(w, LaneType(w, type)) : LaneScalar(w, type))});
  }
  const InitId list = w.build.InitList(std::move(items));
  return w.build.CompoundLiteral(w.build.Local(w.scope.function, type, lang::Storage::Literal, list));
}

ExprId Object(Writer& w, TypeId type) {
  const ExprId e = LvalueOfType(w, type, Access::Read);
  if (!e || !IsPure(w.program, e) || (w.Live() && !w.Probe(e))) return {};
  return e;
}

ExprId Converted(Writer& w, TypeId type, ExprId value) {
  return w.build.BuiltinCall(Builtin::ConvertVector, type, type, std::array{value});
}

// One of the program's vectors that the filter takes; invalid if there is none.
template <typename Filter>
TypeId PickVector(Writer& w, Filter&& filter) {
  const uint32_t start = w.choices.Below(static_cast<uint32_t>(w.vectors.size()));
  for (uint32_t i = 0; i < w.vectors.size(); ++i) {
    const TypeId type = w.vectors[(start + i) % w.vectors.size()];
    if (filter(type)) return type;
  }
  return {};
}

ExprId Value(Writer& w, const Want& want, TypeId type) {
  Want other = want;
  other.type = type;
  return Expression(w, other);
}

// A value of another type with the same bytes, cast: integers only, since not all bits of floating lanes may be seen.
ExprId CastFrom(Writer& w, TypeId type, const Want& want) {
  if (HasFloats(w, type)) return {};
  const uint32_t bytes = lang::VectorBytes(w.program, type);
  const TypeId from = PickVector(w, [&](TypeId other) {
    return other != type && !HasFloats(w, other) && lang::VectorBytes(w.program, other) == bytes;
  });
  return from ? w.build.Cast(type, Value(w, want, from)) : ExprId{};
}

// Floating lanes come from small integers, which every format holds; integers not from floating ones, which they might
// not hold.
ExprId ConvertedFrom(Writer& w, TypeId type, const Want& want) {
  const uint32_t lanes = LaneCount(w, type);
  TypeId from = PickVector(
      w, [&](TypeId other) { return other != type && !HasFloats(w, other) && LaneCount(w, other) == lanes; });
  if (!from || w.choices.Percent(25)) {  // one that no object has
    static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::UInt,  TypeKind::Short, TypeKind::UChar,
                                          TypeKind::LLong, TypeKind::SChar, TypeKind::UShort};
    const TypeKind kind = kKinds[w.choices.Below(std::size(kKinds))];
    if (!lang::IsVectorType(w.program, kind, lanes)) return {};
    from = WithLanes(w, kind, lanes);
  }
  ExprId value = Value(w, want, from);
  if (HasFloats(w, type) && IsExact(w))
    value = w.build.Binary(BinaryOp::BitAnd, value, LaneConstant(w, from, (1 << (2 + w.choices.Below(4))) - 1));
  return Converted(w, type, value);
}

ExprId Leaf(Writer& w, const Want& want) {
  const ExprId object = w.choices.Percent(82) ? Object(w, want.type) : ExprId{};
  if (object) return object;
  if (w.choices.Percent(50)) {
    const ExprId cast = CastFrom(w, want.type, Want{.of = WriterClass::Vector, .limit = 0});
    if (cast) return cast;
  }
  return w.knobs.compound_literals > 0 ? Literal(w, want.type) : PlainValue(w, want.type);
}

// Lanes from 0 to `most`, a power of two less one.
ExprId Masked(Writer& w, TypeId type, ExprId value, int64_t most) {
  return w.build.Binary(BinaryOp::BitAnd, value, LaneConstant(w, type, most));
}

ExprId ShiftCount(Writer& w, TypeId type, const Want& want) {
  const int bits = LaneBits(w, type);
  if (w.choices.Percent(60)) return LaneConstant(w, type, w.choices.Below(static_cast<uint32_t>(bits)));
  return Masked(w, type, Expression(w, want), bits - 1);
}

// Not 0, not -1.
ExprId Divisor(Writer& w, TypeId type, const Want& want) {
  static constexpr int64_t kDivisors[] = {2, 3, 4, 5, 7, 8, 10, 16, 31, 100, 127, -2, -3, -7, -16};
  if (w.choices.Percent(60)) return LaneConstant(w, type, kDivisors[w.choices.Below(HasSigns(w, type) ? 15 : 11)]);
  const ExprId some = HasSigns(w, type) ? Masked(w, type, Expression(w, want), 63) : Expression(w, want);
  return w.build.Binary(BinaryOp::BitOr, some, LaneConstant(w, type, 1));
}

BinaryOp DrawVectorOperator(Writer& w) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitAnd, BinaryOp::BitOr,
                                      BinaryOp::BitXor, BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Div,    BinaryOp::Rem};
  return kOps[w.choices.Weighted({22, 18, 14, 11, 9, 11, 9, 11, 5, 4})];
}

// The right operand: what keeps the operator defined, a vector or a scalar.
ExprId RightOperand(Writer& w, TypeId type, BinaryOp op, const Want& want) {
  if (lang::IsShift(op)) return ShiftCount(w, type, want);
  if (op == BinaryOp::Div || op == BinaryOp::Rem) return Divisor(w, type, want);
  return w.choices.Percent(25) ? LaneScalar(w, type) : Expression(w, want);
}

bool MayOverflow(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::Shl;
}

// The rows. `want` is what they ask of their operands.

ExprId FloatBinary(Writer& w, const Want& want) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div};
  const BinaryOp op = kOps[w.choices.Weighted({36, 28, 24, 12})];
  const TypeId type = want.type;
  const ExprId lhs = Expression(w, want.Share(w));
  ExprId rhs;
  if (op == BinaryOp::Div && IsExact(w)) {
    rhs = LaneConstant(w, type, int64_t{1} << w.choices.Below(3));
  } else {
    rhs = w.choices.Percent(30) ? LaneScalar(w, type) : Expression(w, want);
  }
  const ExprId e = w.build.Binary(op, lhs, rhs);
  // Not exact now: the operand alone. Later ones are repaired.
  if (w.Live() && IsPure(w.program, e) && !w.Probe(e)) return lhs;
  return e;
}

ExprId Binary(Writer& w, const Want& want) {
  const TypeId type = want.type;
  if (HasFloats(w, type)) return FloatBinary(w, want);
  const BinaryOp op = DrawVectorOperator(w);
  if (!HasSigns(w, type) || !MayOverflow(op)) {
    const ExprId lhs = Expression(w, want.Share(w)), rhs = RightOperand(w, type, op, want);
    const bool swap = !lang::IsShift(op) && op != BinaryOp::Div && op != BinaryOp::Rem && w.choices.Percent(15);
    return swap ? w.build.Binary(op, rhs, lhs) : w.build.Binary(op, lhs, rhs);
  }
  const uint32_t form = w.choices.Weighted({60, 25, 15});
  if (form == 1) {  // so small that it fits a signed char
    const int64_t most = op == BinaryOp::Mul || op == BinaryOp::Shl ? 7 : 63;
    const ExprId lhs = Masked(w, type, Expression(w, want.Share(w)), most);
    const ExprId rhs =
        op == BinaryOp::Shl ? LaneConstant(w, type, w.choices.Below(4)) : Masked(w, type, Expression(w, want), most);
    return w.build.Binary(op, lhs, rhs);
  }
  const ExprId lhs = Expression(w, want.Share(w));
  const ExprId rhs = op == BinaryOp::Shl ? ShiftCount(w, type, want) : Expression(w, want);
  if (form == 2 && op != BinaryOp::Shl && IsPure(w.program, lhs) && IsPure(w.program, rhs)) {
    const ExprId plain = w.build.Binary(op, lhs, rhs);
    if (!w.Live() || w.Probe(plain)) return plain;
  }
  const TypeId wraps = Unsigned(w, type);
  const bool scalar = !lang::IsVector(w.Kind(rhs));
  const ExprId right = w.build.Cast(scalar ? LaneType(w, wraps) : wraps, rhs);
  return w.build.Cast(type, w.build.Binary(op, w.build.Cast(wraps, lhs), right));
}

ExprId Unary(Writer& w, const Want& want) {
  const TypeId type = want.type;
  const ExprId e = Expression(w, want);
  if (HasFloats(w, type)) return w.build.Unary(w.choices.Percent(85) ? UnaryOp::Minus : UnaryOp::Plus, e);
  switch (w.choices.Weighted({50, 40, 10})) {
    case 0: return w.build.Unary(UnaryOp::BitNot, e);
    case 1:
      if (!HasSigns(w, type)) return w.build.Unary(UnaryOp::Minus, e);
      return w.build.Cast(type, w.build.Unary(UnaryOp::Minus, w.build.Cast(Unsigned(w, type), e)));
    default: return w.build.Unary(UnaryOp::Plus, e);
  }
}

// 0 or -1 in each lane. Of operands of any type with the same bytes.
ExprId Comparison(Writer& w, const Want& want) {
  const TypeId type = want.type;
  const uint32_t bytes = lang::VectorBytes(w.program, type);
  TypeId of = PickVector(w, [&](TypeId other) { return lang::VectorBytes(w.program, other) == bytes; });
  if (!of) of = type;
  Want operand = want;
  operand.type = of;
  const ExprId lhs = Expression(w, operand.Share(w));
  const ExprId rhs = w.choices.Percent(30) ? LaneScalar(w, of) : Expression(w, operand);
  const ExprId e = w.build.Binary(DrawComparison(w), lhs, rhs);
  return w.program.exprs[e].type == type ? e : w.build.Cast(type, e);
}

ExprId CompareRow(Writer& w, const Want& want) { return HasFloats(w, want.type) ? ExprId{} : Comparison(w, want); }

// By a mask: a & m, or the lanes of two vectors.
ExprId Blend(Writer& w, const Want& want) {
  if (HasFloats(w, want.type)) return {};
  const ExprId mask = Comparison(w, want.Share(w));
  const ExprId a = w.build.Binary(BinaryOp::BitAnd, mask, Expression(w, want.Share(w)));
  if (!IsPure(w.program, mask) || w.choices.Percent(30)) return a;
  const ExprId rest = w.build.Unary(UnaryOp::BitNot, w.build.CopyTree(mask));
  return w.build.Binary(BinaryOp::BitOr, a, w.build.Binary(BinaryOp::BitAnd, Expression(w, want), rest));
}

// c ? v : w, c a scalar that no compiler knows.
ExprId Select(Writer& w, const Want& want) {
  const ExprId operand = PureOperand(w, Want::Integer(1));
  if (!operand) return {};
  const ExprId condition = w.build.Binary(DrawComparison(w), operand, w.build.Int(w.choices.Between(-3, 9)));
  const ExprId yes = Expression(w, want.Share(w));
  return w.build.Conditional(condition, yes, Expression(w, want));
}

ExprId CastRow(Writer& w, const Want& want) { return CastFrom(w, want.type, want); }
ExprId ConvertRow(Writer& w, const Want& want) { return ConvertedFrom(w, want.type, want); }

ExprId Shuffle(Writer& w, const Want& want) {
  const TypeId type = want.type;
  const uint32_t lanes = LaneCount(w, type);
  if (w.choices.Percent(45)) {
    const TypeId mask_type = lang::ComparisonType(w.program, type);
    const ExprId a = Expression(w, want.Share(w)), b = Expression(w, want.Share(w));
    return w.build.BuiltinCall(Builtin::Shuffle, type, type, std::array{a, b, Value(w, want, mask_type)});
  }
  // From vectors with other lengths, too.
  TypeId from = PickVector(w, [&](TypeId other) { return LaneType(w, other) == LaneType(w, type); });
  if (!from) from = type;
  Want operand = want;
  operand.type = from;
  std::vector<ExprId> arguments = {Expression(w, operand.Share(w)), Expression(w, operand)};
  const uint32_t all = 2 * LaneCount(w, from);
  const uint32_t form = w.choices.Below(4), shift = w.choices.Below(all);
  for (uint32_t i = 0; i < lanes; ++i) {  // any; rotated; reversed; interleaved
    const uint32_t lane = form == 0   ? w.choices.Below(all)
                          : form == 1 ? (i + shift) % all
                          : form == 2 ? (all - 1 - (i + shift) % all)
                                      : (i / 2 + i % 2 * all / 2) % all;
    arguments.push_back(w.build.Int(lane));
  }
  return w.build.BuiltinCall(Builtin::ShuffleVector, type, type, arguments);
}

ExprId LiteralRow(Writer& w, const Want& want) {
  return w.knobs.compound_literals > 0 ? Literal(w, want.type) : ExprId{};
}

struct VectorRow {
  WriterId kind;
  ExprId (*write)(Writer& w, const Want& want);  // invalid: it does not fit here
};
constexpr std::array kVectors = {
    VectorRow{WriterId::VectorBinary, Binary},      VectorRow{WriterId::VectorUnary, Unary},
    VectorRow{WriterId::VectorCompare, CompareRow}, VectorRow{WriterId::VectorBlend, Blend},
    VectorRow{WriterId::VectorSelect, Select},      VectorRow{WriterId::VectorCast, CastRow},
    VectorRow{WriterId::VectorConvert, ConvertRow}, VectorRow{WriterId::VectorShuffle, Shuffle},
    VectorRow{WriterId::VectorLiteral, LiteralRow}, VectorRow{WriterId::VectorLeaf, Leaf},
};
constexpr size_t kFirstVector = static_cast<size_t>(kVectors.front().kind);
static_assert(AreInARow(kVectors));

// A struct with a vector between other members, and an array of them.
TypeId VectorRecord(Writer& w) {
  lang::Record record;
  const auto add = [&](TypeId type) { record.members.push_back({.type = type}); };
  if (w.choices.Coin()) add(IntegerType(w));
  add(VectorType(w));
  if (w.choices.Coin()) add(NumberType(w));
  if (w.choices.Percent(40)) add(w.program.types.Array(VectorType(w), 2));
  if (w.choices.Coin()) add(IntegerType(w));
  return NewRecordType(w, std::move(record));
}

// A union of a vector and an array of what has the same bytes, and of another vector, if there is one.
TypeId UnionOf(Writer& w, TypeId vector) {
  const auto found = std::find_if(w.vector_unions.begin(), w.vector_unions.end(), [&](TypeId type) {
    return w.program.types.GetRecord(w.program.types[type].record).members.front().type == vector;
  });
  if (found != w.vector_unions.end()) return *found;
  lang::Record record;
  record.is_union = true;
  record.members.push_back({.type = vector});
  const uint32_t bytes = lang::VectorBytes(w.program, vector);
  static constexpr TypeKind kKinds[] = {TypeKind::UChar, TypeKind::Short, TypeKind::UInt, TypeKind::Int,
                                        TypeKind::ULLong};
  const TypeId element = HasFloats(w, vector) || w.choices.Coin() ? LaneType(w, vector)
                                                                  : w.program.types.Basic(kKinds[w.choices.Below(5)]);
  record.members.push_back({.type = w.program.types.Array(element, bytes / w.layouts.SizeOf(element))});
  w.vector_unions.push_back(NewRecordType(w, std::move(record)));
  return w.vector_unions.back();
}

ExprId Wanted(Writer& w, TypeId type, uint32_t depth) {
  return Expression(w, {.of = WriterClass::Vector, .type = type, .depth = depth});
}

// op= with what keeps it defined however often it is done; invalid where there is no such operator.
ExprId Updated(Writer& w, ExprId target, uint32_t depth) {
  const TypeId type = w.program.types.Unqualified(w.program.exprs[target].type);
  const Want want{.of = WriterClass::Vector, .type = type, .depth = depth};
  if (HasFloats(w, type)) {
    if (IsExact(w)) return {};
    static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div};
    const ExprId value = w.choices.Percent(30) ? LaneScalar(w, type) : Expression(w, want);
    return w.build.CompoundAssign(kOps[w.choices.Below(4)], target, value);
  }
  BinaryOp op = DrawVectorOperator(w);
  if (HasSigns(w, type) && MayOverflow(op)) op = w.choices.Coin() ? BinaryOp::BitXor : BinaryOp::Shr;
  return w.build.CompoundAssign(op, target, RightOperand(w, type, op, want));
}

ExprId LaneValue(Writer& w, TypeId vector, uint32_t depth) {
  return HasFloats(w, vector) ? FloatExpr(w, LaneType(w, vector), depth) : IntExpr(w, depth);
}

TypeId DeclaredType(Writer& w) {
  const TypeId type = VectorType(w);
  return w.choices.Percent(25) ? w.program.types.Array(type, 2 + w.choices.Below(3)) : type;
}

void WriteVectorLocal(Writer& w) {
  const TypeId type = DeclaredType(w);
  if (w.layouts.SizeOf(type) > 512) return;
  const bool list = lang::IsArray(w.Kind(type)) || w.choices.Percent(20);
  const bool constant = w.choices.Percent(std::min(40, w.knobs.const_objects));
  DeclareLocal(w, constant ? w.program.types.Qualified(type, lang::kConst) : type,
               list ? Initializer(w, type, false) : w.build.InitExpr(Wanted(w, type, DrawDepth(w) - 1)));
}

// What a loop gathers wraps.
VarId Sum(Writer& w) {
  static constexpr TypeKind kSums[] = {TypeKind::UInt, TypeKind::ULong, TypeKind::ULLong};
  return DeclareLocal(w, w.program.types.Basic(kSums[w.choices.Below(3)]),
                      w.build.InitExpr(w.build.Int(w.choices.Below(10))));
}

BinaryOp DrawGathering(Writer& w) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub, BinaryOp::BitOr};
  return kOps[w.choices.Below(5)];
}

void Deliver(Writer& w, VarId sum) {
  if (const ExprId target = IntLvalue(w, Access::Write)) AppendExpr(w, w.build.Assign(target, w.build.Var(sum)));
}

}  // namespace

void DrawVectors(knobs::Knobs& knobs, const lang::Program& program, choice::Choices& choices) {
  if (knobs.vectors == 0) return;
  const bool has = choices.Percent(static_cast<uint32_t>(knobs.vectors)) && knobs.tokens >= kLeastTokens &&
                   lang::IsVectorType(program, TypeKind::Int, 4);
  if (!has) knobs.vectors = 0;
}

void MakeVectorTypes(Writer& w) {
  if (w.knobs.vectors == 0) return;
  static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::UInt,   TypeKind::Short,  TypeKind::UShort,
                                        TypeKind::SChar, TypeKind::UChar,  TypeKind::LLong,  TypeKind::ULLong,
                                        TypeKind::Long,  TypeKind::ULong,  TypeKind::Char,   TypeKind::Int32,
                                        TypeKind::Float, TypeKind::Double, TypeKind::UInt64, TypeKind::Int16};
  const uint32_t count = 1 + w.choices.Below(3);
  for (uint32_t tries = 0; tries < 12 && w.vectors.size() < count; ++tries) {
    TypeKind kind = kKinds[w.choices.Weighted({18, 16, 8, 8, 6, 8, 6, 6, 3, 4, 2, 3, 11, 9, 2, 2})];
    const uint32_t bytes = 8u << w.choices.Weighted({12, 50, 26, 12});
    if (lang::IsFloat(kind) && w.knobs.floats == 0) kind = TypeKind::UInt;
    const uint32_t lanes = bytes / w.layouts.SizeOf(w.program.types.Basic(kind));
    if (!lang::IsVectorType(w.program, kind, lanes)) continue;
    const TypeId type = WithLanes(w, kind, lanes);
    if (std::find(w.vectors.begin(), w.vectors.end(), type) != w.vectors.end()) continue;
    w.vectors.push_back(type);
    w.Wrote(kDefinitionTokens);
  }
  if (w.vectors.empty()) w.vectors.push_back(WithLanes(w, TypeKind::UInt, 4));
}

TypeId VectorType(Writer& w) { return w.choices.Pick(w.vectors); }

void MakeVectorGlobals(Writer& w) {
  if (w.vectors.empty()) return;
  const Meter meter(w.program);
  const auto make = [&](TypeId type) {
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) return;
    if (4 * meter.Check(type) > w.token_target) return;
    const Room room(w, w.token_target / 24);
    const bool constant = w.choices.Percent(std::min(30, w.knobs.const_objects));
    NewGlobal(w, constant ? w.program.types.Qualified(type, lang::kConst) : type);
    w.Measure();
  };
  for (TypeId type : std::vector(w.vectors)) {  // each has one that may be written
    NewGlobal(w, type);
    w.Measure();
  }
  const uint32_t more = w.choices.Below(4);
  for (uint32_t i = 0; i < more && w.Tokens() < w.token_target / 2; ++i) {
    switch (w.choices.Weighted({40, w.knobs.arrays > 0 ? 30u : 0u, w.knobs.structs > 0 ? 30u : 0u})) {
      case 0: make(VectorType(w)); break;
      case 1: make(w.program.types.Array(VectorType(w), 2 + w.choices.Below(5))); break;
      default: make(VectorRecord(w)); break;
    }
  }
}

ExprId VectorValue(Writer& w, const Want& want) {
  if (want.depth == 0 || want.Exhausted(w) || w.choices.Percent(10 + 50 / (want.depth + 1)))
    return WriteRow(w, WriterId::VectorLeaf, [&] { return Leaf(w, want); });
  std::array<uint32_t, kVectors.size()> weights;
  std::copy_n(w.weights.begin() + kFirstVector, weights.size(), weights.begin());
  const VectorRow& row = kVectors[w.choices.Weighted(weights)];
  const ExprId e = WriteRow(w, row.kind, [&] { return row.write(w, want.Deeper()); });
  return e ? e : Leaf(w, want);
}

ExprId IntegerLane(Writer& w, const Want& want) {
  const TypeId type = w.scope.function ? PickVector(w, [&](TypeId t) { return !HasFloats(w, t); }) : TypeId{};
  if (!type) return IntLeaf(w);
  return LaneOf(w, Wanted(w, type, std::min(want.depth, 2u)));
}

ExprId FloatLane(Writer& w, const Want& want) {
  if (w.vectors.empty() || !w.scope.function) return {};
  const TypeId type = PickVector(w, [&](TypeId t) { return HasFloats(w, t); });
  if (!type) return {};
  return LaneOf(w, Wanted(w, type, std::min(want.depth, 2u)));
}

InitId VectorInitializer(Writer& w, TypeId type) {
  const uint32_t lanes = LaneCount(w, type);
  const uint32_t count = w.choices.Percent(20) ? 1 + w.choices.Below(lanes) : lanes;
  std::vector<lang::InitItem> items;
  for (uint32_t i = 0; i < count && !(i > 0 && w.Full()); ++i)
    items.push_back({i, w.build.InitExpr(ConstantFor(w, LaneType(w, type)))});
  return w.build.InitList(std::move(items));
}

bool IsLane(const lang::Program& program, ExprId lvalue) {
  const lang::Expr& e = program.exprs[lvalue];
  return e.kind == ExprKind::Index && lang::IsVector(program.types.Kind(program.exprs[e.lhs].type));
}

void WriteVector(Writer& w) {
  const uint32_t form = w.choices.Weighted({45, 22, 20, 13});
  if (form == 3) return WriteVectorLocal(w);
  const TypeId type = VectorType(w);
  const ExprId target = LvalueOfType(w, type, form == 0 ? Access::Write : Access::Update);
  if (!target || !IsPure(w.program, target)) return;
  if (form == 2) {
    const ExprId lane = LaneOf(w, target);
    return AppendExpr(w, w.build.Assign(lane, LaneValue(w, type, DrawDepth(w) - 1)));
  }
  const ExprId update = form == 1 ? Updated(w, target, DrawDepth(w) - 1) : ExprId{};
  AppendExpr(w, update ? update : w.build.Assign(target, Wanted(w, type, DrawDepth(w))));
}

void WriteVectorLoop(Writer& w) {
  const TypeId type = VectorType(w);
  const uint32_t lanes = LaneCount(w, type);
  const uint32_t form = w.choices.Weighted({35, 35, 30});
  if (form == 0 && !HasFloats(w, type)) {  // sum += v[i]
    const ExprId source = Object(w, type);
    if (!source) return;
    const VarId sum = Sum(w);
    AppendCounting(w, lanes, [&](auto i) {
      return w.build.CompoundAssign(DrawGathering(w), w.build.Var(sum), w.build.Index(source, i()));
    });
    return Deliver(w, sum);
  }
  const ExprId target = LvalueOfType(w, type, Access::Write);
  if (!target || !IsPure(w.program, target)) return;
  if (form == 1 || HasFloats(w, type)) {  // v[i] = i * k
    AppendCounting(w, lanes, [&](auto i) {
      const TypeId element = LaneType(w, type);
      const ExprId value =
          w.build.Binary(w.choices.Coin() ? BinaryOp::Add : BinaryOp::Mul, i(), w.build.Int(w.choices.Below(100)));
      return w.build.Assign(w.build.Index(target, i()), HasFloats(w, type) ? w.build.Cast(element, value) : value);
    });
    return;
  }
  // Over an array of them, into a sum that wraps.
  const uint32_t count = 2 + w.choices.Below(4);
  const TypeId array_type = w.program.types.Array(type, count);
  ExprId array = LvalueOfType(w, array_type, Access::Read);
  if (!array || !IsPure(w.program, array)) {
    if (w.layouts.SizeOf(array_type) > 512) return;
    array = w.build.Var(DeclareLocal(w, array_type, Initializer(w, array_type, false)));
  }
  const TypeId wraps = Unsigned(w, type);
  const VarId sum = DeclareLocal(w, wraps, w.build.InitExpr(w.build.Cast(wraps, Wanted(w, type, 1))));
  AppendCounting(w, count, [&](auto i) {
    const ExprId element = w.build.Index(array, i());
    return w.build.CompoundAssign(DrawGathering(w), w.build.Var(sum),
                                  wraps == type ? element : w.build.Cast(wraps, element));
  });
  AppendExpr(w, w.build.Assign(target, wraps == type ? w.build.Var(sum) : w.build.Cast(type, w.build.Var(sum))));
}

void WriteVectorCopy(Writer& w) {
  const TypeId type = VectorType(w);
  if (w.choices.Percent(35)) {  // memcpy of a whole one
    const ExprId to = LvalueOfType(w, type, Access::Write), from = Object(w, type);
    if (!to || !from || !IsPure(w.program, to) || !MayTakeAddress(w, to) || !MayTakeAddress(w, from)) return;
    if (w.program.types[w.program.exprs[from].type].quals != 0 ||
        RootVariable(w.program, to) == RootVariable(w.program, from))
      return;
    const Builtin builtin = w.choices.Coin() ? Builtin::Memcpy : Builtin::Memmove;
    return AppendExpr(w, w.build.BuiltinCall(builtin, w.program.types.Basic(TypeKind::Void), type,
                                             std::array{w.build.AddressOf(to), w.build.AddressOf(from)}));
  }
  if (w.knobs.unions == 0) return;
  const TypeId record = UnionOf(w, type);
  const lang::Record shape = w.program.types.GetRecord(w.program.types[record].record);
  const lang::Type array = w.program.types[shape.members[1].type];
  const VarId view = DeclareLocal(w, record, Initializer(w, record, false));
  const auto lane = [&](ExprId index) { return w.build.Index(w.build.Member(w.build.Var(view), 1), index); };
  if (lang::IsFloat(w.Kind(array.element)) || w.choices.Coin()) {
    AppendExpr(w, w.build.Assign(w.build.Member(w.build.Var(view), 0), Wanted(w, type, 2)));
    if (lang::IsFloat(w.Kind(array.element))) {
      const ExprId target = LvalueOfType(w, array.element, Access::Write);
      if (target) AppendExpr(w, w.build.Assign(target, lane(w.build.Int(w.choices.Below(array.length)))));
      return;
    }
    const VarId sum = Sum(w);
    AppendCounting(w, array.length,
                   [&](auto i) { return w.build.CompoundAssign(DrawGathering(w), w.build.Var(sum), lane(i())); });
    return Deliver(w, sum);
  }
  AppendCounting(w, array.length, [&](auto i) {
    return w.build.Assign(lane(i()), w.build.Binary(BinaryOp::Add, i(), w.build.Int(w.choices.Below(200))));
  });
  const ExprId target = LvalueOfType(w, type, Access::Write);
  if (target) AppendExpr(w, w.build.Assign(target, w.build.Member(w.build.Var(view), 0)));
}

}  // namespace assay::gen
