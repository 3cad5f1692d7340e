#include "gen/wide.hpp"

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
using lang::IncDecOp;
using lang::Stmt;
using lang::StmtKind;
using lang::UnaryOp;

constexpr int32_t kLeastTokens = 400;  // smaller programs have no room for the checks of the halves

TypeId Bits(Writer& w) { return w.program.types.Basic(TypeKind::UInt128); }
TypeId Word(Writer& w) {
  static constexpr TypeKind kWords[] = {TypeKind::UInt64, TypeKind::ULLong, TypeKind::ULong};
  return w.program.types.Basic(kWords[w.choices.Weighted({50, 30, w.IntInfo(TypeKind::ULong).bits == 64 ? 20u : 0u})]);
}
bool IsSigned(const Writer& w, TypeId type) { return w.Kind(type) == TypeKind::Int128; }

ExprId Value(Writer& w, TypeId type, const Want& want) {
  Want other = want;
  other.of = WriterClass::Wide;
  other.type = type;
  return Expression(w, other);
}
ExprId Wanted(Writer& w, TypeId type, uint32_t depth) { return Value(w, type, {.depth = depth}); }
// An integer of 64 bits or less, of any type.
ExprId Narrow(Writer& w, const Want& want) {
  return AsOperand(w, Expression(w, Want{.depth = std::min(want.depth, 3u), .limit = want.limit}));
}

// Both halves: small ones, the limits, powers of two and their neighbours, one half only, anything.
ExprId Constant(Writer& w, TypeId type) {
  const TypeKind kind = w.Kind(type);
  const auto make = [&](unsigned __int128 value) {
    return w.build.Wide(kind, static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64));
  };
  using All = unsigned __int128;
  switch (w.choices.Weighted({26, 14, 16, 12, 10, 12, 10})) {
    case 0: return w.build.Cast(type, w.build.Int(w.choices.Between(-20, 100)));
    case 1: return w.build.Cast(type, ConstantExpr(w));
    case 2: return make((All{1} << w.choices.Below(128)) + w.choices.Below(3) - 1);
    case 3: return w.build.Wide(kind, 0, w.choices.Coin() ? 1 + w.choices.Below(100) : w.choices.Bits());
    case 4: return make((All{1} << 127) + w.choices.Below(3) - 1);
    case 5: return w.build.Wide(kind, ConstantValue(w), ConstantValue(w));
    default: return w.build.Wide(kind, w.choices.Bits(), w.choices.Bits());
  }
}

ExprId Object(Writer& w, TypeId type) {
  const ExprId e = LvalueOfType(w, type, Access::Read);
  if (!e || !IsPure(w.program, e) || (w.Live() && !w.Probe(e))) return {};
  return e;
}

ExprId Leaf(Writer& w, const Want& want) {
  const ExprId object = w.choices.Percent(72) ? Object(w, want.type) : ExprId{};
  if (object) return object;
  if (w.choices.Percent(35)) {  // the other one
    const TypeId other = IsSigned(w, want.type) ? Bits(w) : w.program.types.Basic(TypeKind::Int128);
    if (const ExprId e = Object(w, other)) return w.build.Cast(want.type, e);
  }
  if (w.scope.function && w.choices.Percent(30)) return w.build.Cast(want.type, IntLeaf(w));
  return Constant(w, want.type);
}

// From 0 to 127, of a type of its own.
ExprId ShiftCount(Writer& w, const Want& want) {
  static constexpr int64_t kCounts[] = {64, 1, 63, 65, 32, 127, 96, 8, 31, 0, 100};
  switch (w.choices.Weighted({45, 20, 25, 10})) {
    case 0: return w.build.Int(kCounts[w.choices.Below(std::size(kCounts))]);
    case 1: return w.build.Int(w.choices.Below(128));
    case 2: return w.build.Binary(BinaryOp::BitAnd, Narrow(w, want), w.build.Int(127));
    default: return w.build.Binary(BinaryOp::BitAnd, Value(w, WideType(w), want), w.build.Int(127));
  }
}

// Not 0; of signed ones not -1.
ExprId Divisor(Writer& w, TypeId type, const Want& want) {
  static constexpr int64_t kDivisors[] = {10, 3, 7, 2, 5, 16, 100, 1000, 641, 32767};
  const bool is_signed = IsSigned(w, type);
  switch (w.choices.Weighted({34, 10, 20, 20, 16})) {
    case 0: return w.build.Int(kDivisors[w.choices.Below(std::size(kDivisors))]);
    case 1: return is_signed ? w.build.Int(-2 - w.choices.Below(60)) : w.build.Cast(type, w.build.Int(-1));
    case 2:
      return w.build.Wide(w.Kind(type), w.choices.Bits() >> w.choices.Below(64),
                          w.choices.Bits() >> (1 + w.choices.Below(63)) | 1);
    case 3: {  // a word: 128 by 64 bits
      const ExprId word = w.build.Cast(Word(w), Narrow(w, want));
      return w.build.Binary(BinaryOp::BitOr, word, w.build.Int(1));
    }
    default: {
      ExprId some = Value(w, type, want);
      // Not negative: without its sign.
      if (is_signed)
        some =
            w.build.Binary(BinaryOp::BitAnd, some, w.build.Wide(TypeKind::Int128, ~uint64_t{0}, w.choices.Bits() >> 1));
      return w.build.Binary(BinaryOp::BitOr, some, w.build.Int(1));
    }
  }
}

BinaryOp DrawWideOperator(Writer& w) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitAnd, BinaryOp::BitOr,
                                      BinaryOp::BitXor, BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Div,    BinaryOp::Rem};
  return kOps[w.choices.Weighted({20, 16, 16, 9, 9, 10, 13, 15, 9, 8})];
}

bool MayOverflow(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::Shl;
}

// What keeps the operator defined: a wide one, or a narrow one that is converted.
ExprId RightOperand(Writer& w, TypeId type, BinaryOp op, const Want& want) {
  if (lang::IsShift(op)) return ShiftCount(w, want);
  if (op == BinaryOp::Div || op == BinaryOp::Rem) return Divisor(w, type, want);
  return w.choices.Percent(35) ? Narrow(w, want) : Value(w, type, want);
}

// The rows. `want` is what they ask of their operands.

ExprId Binary(Writer& w, const Want& want) {
  const TypeId type = want.type;
  const BinaryOp op = DrawWideOperator(w);
  if (!IsSigned(w, type) || !MayOverflow(op)) {
    const ExprId lhs = Value(w, type, want.Share(w)), rhs = RightOperand(w, type, op, want);
    const bool swap = !lang::IsShift(op) && op != BinaryOp::Div && op != BinaryOp::Rem && w.choices.Percent(20);
    const ExprId e = swap ? w.build.Binary(op, rhs, lhs) : w.build.Binary(op, lhs, rhs);
    // A signed one beside an unsigned one is unsigned.
    return w.program.exprs[e].type == type ? e : w.build.Cast(type, e);
  }
  const uint32_t form = w.choices.Weighted({55, 27, 18});
  if (form == 1 && op != BinaryOp::Shl) {  // of numbers that fit a word, with room to spare
    const ExprId lhs = w.build.Cast(type, Narrow(w, want.Share(w)));
    const ExprId rhs =
        w.build.Cast(w.program.types.Basic(op == BinaryOp::Mul ? TypeKind::Int : TypeKind::LLong), Narrow(w, want));
    return w.build.Binary(op, lhs, rhs);
  }
  const ExprId lhs = Value(w, type, want.Share(w));
  const ExprId rhs = RightOperand(w, type, op, want);
  if (form == 2 && IsPure(w.program, lhs) && IsPure(w.program, rhs)) {
    const ExprId plain = w.build.Binary(op, lhs, rhs);
    if (!w.Live() || w.Probe(plain)) return plain;
  }
  return w.build.Cast(type, w.build.Binary(op, w.build.Cast(Bits(w), lhs), rhs));
}

ExprId Unary(Writer& w, const Want& want) {
  const ExprId e = Value(w, want.type, want);
  switch (w.choices.Weighted({45, 45, 10})) {
    case 0: return w.build.Unary(UnaryOp::BitNot, e);
    case 1:
      if (!IsSigned(w, want.type)) return w.build.Unary(UnaryOp::Minus, e);
      return w.build.Cast(want.type, w.build.Unary(UnaryOp::Minus, w.build.Cast(Bits(w), e)));
    default: return w.build.Unary(UnaryOp::Plus, e);
  }
}

// From an integer of 64 bits or less, or from the other wide one.
ExprId FromInteger(Writer& w, const Want& want) {
  if (w.choices.Percent(70)) return w.build.Cast(want.type, Narrow(w, want));
  const TypeId other = IsSigned(w, want.type) ? Bits(w) : w.program.types.Basic(TypeKind::Int128);
  return w.build.Cast(want.type, Value(w, other, want));
}

// Of two words.
ExprId Join(Writer& w, const Want& want) {
  const ExprId high = w.build.Cast(Bits(w), Narrow(w, want.Share(w)));
  const ExprId shifted = w.build.Binary(BinaryOp::Shl, high, w.build.Int(64));
  const ExprId low = w.build.Cast(Word(w), Narrow(w, want));
  const ExprId e = w.build.Binary(w.choices.Percent(75) ? BinaryOp::BitOr : BinaryOp::Add, shifted, low);
  return IsSigned(w, want.type) ? w.build.Cast(want.type, e) : e;
}

// The whole product of two words; of those with signs, no limit is near.
ExprId Product(Writer& w, const Want& want) {
  const bool is_signed = IsSigned(w, want.type);
  const TypeId word = is_signed ? w.program.types.Basic(TypeKind::LLong) : Word(w);
  const ExprId a = w.build.Cast(want.type, w.build.Cast(word, Narrow(w, want.Share(w))));
  const ExprId b = w.build.Cast(word, Narrow(w, want));
  return w.build.Binary(BinaryOp::Mul, a, b);
}

ExprId ConditionOf(Writer& w, const Want& want) {
  const TypeId type = WideType(w);
  if (w.choices.Percent(20)) return Value(w, type, want);
  return w.build.Binary(DrawComparison(w), Value(w, type, want),
                        w.choices.Percent(40) ? Narrow(w, want) : Value(w, type, want));
}

ExprId Select(Writer& w, const Want& want) {
  const ExprId operand = w.choices.Coin() ? PureOperand(w, Want::Integer(1)) : ExprId{};
  const ExprId condition = operand ? w.build.Binary(DrawComparison(w), operand, w.build.Int(w.choices.Between(-3, 9)))
                                   : ConditionOf(w, want.Share(w));
  const ExprId yes = Value(w, want.type, want.Share(w));
  const bool narrow = w.choices.Percent(25);  // is converted
  return w.build.Conditional(condition, yes, narrow ? Narrow(w, want) : Value(w, want.type, want));
}

// Out of range it is repaired.
ExprId FromFloat(Writer& w, const Want& want) {
  if (w.knobs.floats == 0 || !w.scope.function) return {};
  return w.build.Cast(want.type, FloatExpr(w, FloatType(w), std::min(want.depth, 2u)));
}

// Of a function that there is, or of one made for it.
ExprId CallRow(Writer& w, const Want& want) {
  return w.scope.function ? CallForPointer(w, want.type, want.depth) : ExprId{};
}

struct WideRow {
  WriterId kind;
  ExprId (*write)(Writer& w, const Want& want);  // invalid: it does not fit here
};
constexpr std::array kWides = {
    WideRow{WriterId::WideBinary, Binary},     WideRow{WriterId::WideUnary, Unary},
    WideRow{WriterId::WideCast, FromInteger},  WideRow{WriterId::WideJoin, Join},
    WideRow{WriterId::WideProduct, Product},   WideRow{WriterId::WideSelect, Select},
    WideRow{WriterId::WideOfFloat, FromFloat}, WideRow{WriterId::WideCall, CallRow},
    WideRow{WriterId::WideLeaf, Leaf},
};
constexpr size_t kFirstWide = static_cast<size_t>(kWides.front().kind);
static_assert(AreInARow(kWides));

// A struct with a wide integer between other members and bit-fields.
TypeId WideRecord(Writer& w) {
  lang::Record record;
  const auto add = [&](TypeId type, int width = -1) {
    record.members.push_back({.type = type, .bit_width = static_cast<int16_t>(width)});
  };
  const bool fields = w.knobs.bit_fields > 0;
  if (w.choices.Coin()) add(IntegerType(w));
  if (fields && w.choices.Coin()) add(w.program.types.Basic(TypeKind::Int), 1 + static_cast<int>(w.choices.Below(14)));
  add(WideType(w));
  if (fields && w.choices.Coin()) add(w.program.types.Basic(TypeKind::UInt), 1 + static_cast<int>(w.choices.Below(14)));
  if (w.choices.Coin()) add(NumberType(w));
  if (w.choices.Percent(35)) add(w.program.types.Array(WideType(w), 2));
  return NewRecordType(w, std::move(record));
}

// A union of a wide integer and an array of what has the same bytes.
TypeId WideUnion(Writer& w) {
  if (w.wide_union) return w.wide_union;
  static constexpr TypeKind kKinds[] = {TypeKind::ULLong, TypeKind::LLong, TypeKind::UInt, TypeKind::Short,
                                        TypeKind::UChar};
  lang::Record record;
  record.is_union = true;
  const TypeId element = w.program.types.Basic(kKinds[w.choices.Weighted({40, 20, 18, 10, 12})]);
  record.members.push_back({.type = WideType(w)});
  record.members.push_back({.type = w.program.types.Array(element, 16 / w.layouts.SizeOf(element))});
  w.wide_union = NewRecordType(w, std::move(record));
  return w.wide_union;
}

// op= with what keeps it defined however often it is done.
ExprId Updated(Writer& w, ExprId target, uint32_t depth) {
  const TypeId type = w.program.types.Unqualified(w.program.exprs[target].type);
  const Want want{.of = WriterClass::Wide, .type = type, .depth = depth};
  BinaryOp op = DrawWideOperator(w);
  if (IsSigned(w, type) && MayOverflow(op)) op = w.choices.Coin() ? BinaryOp::BitXor : BinaryOp::Shr;
  return w.build.CompoundAssign(op, target, RightOperand(w, type, op, want));
}

ExprId Target(Writer& w, TypeId type, Access access) {
  const ExprId target = LvalueOfType(w, type, access);
  return target && IsPure(w.program, target) ? target : ExprId{};
}

TypeId DeclaredType(Writer& w) {
  const TypeId type = WideType(w);
  return w.choices.Percent(20) ? w.program.types.Array(type, 2 + w.choices.Below(3)) : type;
}

void WriteLocal(Writer& w) {
  const TypeId type = DeclaredType(w);
  const bool constant = w.choices.Percent(std::min(40, w.knobs.const_objects));
  DeclareLocal(
      w, constant ? w.program.types.Qualified(type, lang::kConst) : type,
      lang::IsArray(w.Kind(type)) ? Initializer(w, type, false) : w.build.InitExpr(Wanted(w, type, DrawDepth(w))));
}

// T *p = &x; *p = …;
void WriteThroughPointer(Writer& w) {
  const TypeId type = WideType(w);
  const ExprId target = Target(w, type, Access::Update);
  if (!target || !MayTakeAddress(w, target)) return;
  const VarId pointer = DeclareLocal(w, w.program.types.Pointer(type), w.build.InitExpr(w.build.AddressOf(target)));
  const ExprId place = w.build.Deref(w.build.Var(pointer));
  AppendExpr(w, w.choices.Coin() ? Updated(w, place, 1) : w.build.Assign(place, Wanted(w, type, DrawDepth(w))));
}

// A new local of the type with the value.
VarId Fresh(Writer& w, TypeId type, ExprId value) { return DeclareLocal(w, type, w.build.InitExpr(value)); }
VarId FreshWord(Writer& w, TypeId word) { return Fresh(w, word, w.build.Cast(word, IntExpr(w, 1))); }

// Into an integer or a wide object, whichever is there.
void Deliver(Writer& w, ExprId value) {
  if (lang::IsWide(w.Kind(value)) && w.choices.Percent(70)) {
    if (const ExprId target = Target(w, WideType(w), Access::Write))
      return AppendExpr(w, w.build.Assign(target, value));
  }
  if (const ExprId target = IntLvalue(w, Access::Write)) AppendExpr(w, w.build.Assign(target, value));
}

ExprId High(Writer& w, ExprId value) { return w.build.Binary(BinaryOp::Shr, value, w.build.Int(64)); }

// The high word of a product.
void HighMultiply(Writer& w) {
  const bool is_signed = w.choices.Percent(35);
  const TypeId wide = w.program.types.Basic(is_signed ? TypeKind::Int128 : TypeKind::UInt128);
  const TypeId word = is_signed ? w.program.types.Basic(TypeKind::LLong) : Word(w);
  const VarId a = FreshWord(w, word), b = FreshWord(w, word);
  const ExprId product = w.build.Binary(BinaryOp::Mul, w.build.Cast(wide, w.build.Var(a)), w.build.Var(b));
  if (w.choices.Percent(60)) return Deliver(w, w.build.Cast(word, High(w, product)));
  const VarId whole = Fresh(w, wide, product);  // both halves
  Deliver(w, w.build.Binary(BinaryOp::BitXor, w.build.Cast(word, w.build.Var(whole)),
                            w.build.Cast(word, High(w, w.build.Var(whole)))));
}

// (low, high) += (c, d), the carry by a comparison.
void AddWithCarry(Writer& w) {
  const TypeId word = Word(w);
  const VarId a = FreshWord(w, word), b = FreshWord(w, word);
  const bool subtract = w.choices.Percent(35);
  const VarId low =
      Fresh(w, word, w.build.Binary(subtract ? BinaryOp::Sub : BinaryOp::Add, w.build.Var(a), w.build.Var(b)));
  const ExprId carry = subtract ? w.build.Binary(BinaryOp::Lt, w.build.Var(a), w.build.Var(b))
                                : w.build.Binary(BinaryOp::Lt, w.build.Var(low), w.build.Var(w.choices.Coin() ? a : b));
  const ExprId high =
      w.build.Binary(subtract ? BinaryOp::Sub : BinaryOp::Add, w.build.Cast(word, IntExpr(w, 1)), carry);
  const ExprId joined = w.build.Binary(
      BinaryOp::BitOr, w.build.Binary(BinaryOp::Shl, w.build.Cast(Bits(w), high), w.build.Int(64)), w.build.Var(low));
  Deliver(w, joined);
}

// Quotient or remainder of two words by one; a product modulo a word.
void DivideByWord(Writer& w) {
  const TypeId word = Word(w);
  const VarId divisor =
      Fresh(w, word, w.build.Binary(BinaryOp::BitOr, w.build.Cast(word, IntExpr(w, 1)), w.build.Int(1)));
  const Want want{.of = WriterClass::Wide, .type = Bits(w), .depth = 2};
  const VarId dividend = Fresh(w, Bits(w), w.choices.Coin() ? Join(w, want) : Product(w, want));
  const auto by = [&](BinaryOp op) {
    return w.build.Cast(word, w.build.Binary(op, w.build.Var(dividend), w.build.Var(divisor)));
  };
  if (w.choices.Coin()) Deliver(w, by(BinaryOp::Div));
  Deliver(w, by(BinaryOp::Rem));
}

// What a loop gathers wraps.
void Accumulate(Writer& w) {
  const TypeId word = Word(w);
  const VarId sum = Fresh(w, Bits(w), Wanted(w, Bits(w), 1)), factor = FreshWord(w, word);
  const uint32_t form = w.choices.Below(4);
  const int64_t turn = 1 + w.choices.Below(127);
  AppendCounting(w, 2 + w.choices.Below(14), [&](auto i) {
    const auto s = [&] { return w.build.Var(sum); };
    switch (form) {
      case 0: {  // sum += (T)factor * i
        const ExprId product = w.build.Binary(BinaryOp::Mul, w.build.Cast(Bits(w), w.build.Var(factor)), i());
        return w.build.CompoundAssign(w.choices.Coin() ? BinaryOp::Add : BinaryOp::Sub, s(), product);
      }
      case 1:  // sum = sum * factor + i
        return w.build.Assign(
            s(), w.build.Binary(BinaryOp::Add, w.build.Binary(BinaryOp::Mul, s(), w.build.Var(factor)), i()));
      case 2: {  // a rotation
        const ExprId up = w.build.Binary(BinaryOp::Shl, s(), w.build.Int(turn));
        const ExprId down = w.build.Binary(BinaryOp::Shr, s(), w.build.Int(128 - turn));
        return w.build.Assign(s(), w.build.Binary(BinaryOp::Add, w.build.Binary(BinaryOp::BitOr, up, down), i()));
      }
      default:  // sum ^= sum << i
        return w.build.CompoundAssign(w.choices.Coin() ? BinaryOp::BitXor : BinaryOp::Add, s(),
                                      w.build.Binary(w.choices.Coin() ? BinaryOp::Shl : BinaryOp::Shr, s(), i()));
    }
  });
  Deliver(w, w.choices.Coin() ? w.build.Var(sum) : High(w, w.build.Var(sum)));
}

// while (x) { n += x % base; x /= base; }
void Digits(Writer& w) {
  static constexpr int64_t kBases[] = {1 << 16, 4096, 1000, 10000, 256, 30000};
  const TypeId type = WideType(w);
  const int64_t base = kBases[w.choices.Below(std::size(kBases))];
  const VarId left = Fresh(w, type, Wanted(w, type, 2));
  const VarId count = Fresh(w, w.program.types.Basic(TypeKind::UInt), w.build.Int(w.choices.Below(5)));
  Stmt loop{.kind = StmtKind::While};
  loop.expr = w.choices.Coin() ? w.build.Var(left) : w.build.Binary(BinaryOp::Ne, w.build.Var(left), w.build.Int(0));
  loop.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  const ExprId digit = w.build.Binary(BinaryOp::Rem, w.build.Var(left), w.build.Int(base));
  const ExprId kept = w.build.Cast(w.program.types.Basic(TypeKind::UInt), digit);
  w.build.Append(loop.body, w.build.ExprStatement(w.build.CompoundAssign(
                                w.choices.Coin() ? BinaryOp::Add : BinaryOp::BitXor, w.build.Var(count), kept)));
  w.build.Append(loop.body,
                 w.build.ExprStatement(w.build.CompoundAssign(BinaryOp::Div, w.build.Var(left), w.build.Int(base))));
  Deliver(w, w.build.Var(count));
}

}  // namespace

void DrawWide(knobs::Knobs& knobs, const lang::Program& program, choice::Choices& choices) {
  if (knobs.wide_integers == 0) return;
  const bool has = choices.Percent(static_cast<uint32_t>(knobs.wide_integers)) && knobs.tokens >= kLeastTokens &&
                   program.Model().HasWide();
  if (!has) knobs.wide_integers = 0;
}

TypeId WideType(Writer& w) {
  return w.program.types.Basic(w.choices.Percent(45) ? TypeKind::Int128 : TypeKind::UInt128);
}

void MakeWideGlobals(Writer& w) {
  if (w.knobs.wide_integers == 0) return;
  const Meter meter(w.program);
  for (const TypeKind kind : {TypeKind::Int128, TypeKind::UInt128}) {  // each has one that may be written
    NewGlobal(w, w.program.types.Basic(kind));
    w.Measure();
  }
  const uint32_t more = w.choices.Below(4);
  for (uint32_t i = 0; i < more && w.Tokens() < w.token_target / 2; ++i) {
    TypeId type = WideType(w);
    switch (w.choices.Weighted({40, w.knobs.arrays > 0 ? 30u : 0u, w.knobs.structs > 0 ? 30u : 0u})) {
      case 0: break;
      case 1: type = w.program.types.Array(type, 2 + w.choices.Below(7)); break;
      default: type = WideRecord(w); break;
    }
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) continue;
    if (4 * meter.Check(type) > w.token_target) continue;
    const Room room(w, w.token_target / 24);
    const bool constant = w.choices.Percent(std::min(25, w.knobs.const_objects));
    NewGlobal(w, constant ? w.program.types.Qualified(type, lang::kConst) : type);
    w.Measure();
  }
}

ExprId WideValue(Writer& w, const Want& want) {
  if (want.depth == 0 || want.Exhausted(w) || w.choices.Percent(10 + 50 / (want.depth + 1)))
    return WriteRow(w, WriterId::WideLeaf, [&] { return Leaf(w, want); });
  std::array<uint32_t, kWides.size()> weights;
  std::copy_n(w.weights.begin() + kFirstWide, weights.size(), weights.begin());
  const WideRow& row = kWides[w.choices.Weighted(weights)];
  const ExprId e = WriteRow(w, row.kind, [&] { return row.write(w, want.Deeper()); });
  return e ? e : Leaf(w, want);
}

ExprId WideConstantFor(Writer& w, TypeId type) { return Constant(w, w.program.types.Unqualified(type)); }

ExprId IntegerOfWide(Writer& w, const Want& want) {
  if (!w.scope.function) return IntLeaf(w);
  const Want operand{.of = WriterClass::Wide, .depth = std::min(want.depth, 3u), .limit = want.limit};
  const TypeId type = WideType(w);
  switch (w.choices.Weighted({30, 22, 26, 8, 14})) {
    case 0: return w.build.Cast(w.choices.Percent(70) ? Word(w) : IntegerType(w), High(w, Value(w, type, operand)));
    case 1: return w.build.Cast(IntegerType(w), Value(w, type, operand));
    case 2: {
      const ExprId lhs = Value(w, type, operand.Share(w));
      const ExprId rhs =
          w.choices.Percent(40) ? Narrow(w, operand) : Value(w, w.choices.Percent(80) ? type : WideType(w), operand);
      return w.build.Binary(DrawComparison(w), lhs, rhs);
    }
    case 3: return w.build.Unary(UnaryOp::LogicalNot, Value(w, type, operand));
    default: {
      const ExprId product =
          Product(w, Want{.of = WriterClass::Wide, .type = Bits(w), .depth = operand.depth, .limit = want.limit});
      return w.build.Cast(Word(w), High(w, product));
    }
  }
}

// A number that the format holds exactly: some bits in a row, wherever they lie. In the mode `ieee` any.
ExprId FloatOfWide(Writer& w, const Want& want) {
  if (w.knobs.wide_integers == 0 || !w.scope.function) return {};
  const bool single = w.Kind(want.type) == TypeKind::Float;
  const TypeId type = single ? w.program.types.Basic(TypeKind::Int128) : WideType(w);
  const ExprId value = Wanted(w, type, std::min(want.depth, 2u));
  if (w.program.floats == FloatMode::Ieee) return w.build.Cast(want.type, value);
  const bool robust = w.program.floats == FloatMode::Robust;
  const uint64_t mask = (uint64_t{1} << (robust ? 1 + w.choices.Below(8) : 1 + w.choices.Below(single ? 24 : 53))) - 1;
  const uint32_t place = robust ? w.choices.Below(4) : w.choices.Below(100);
  const unsigned __int128 bits = static_cast<unsigned __int128>(mask) << place;
  return w.build.Cast(want.type, w.build.Binary(BinaryOp::BitAnd, value,
                                                w.build.Wide(w.Kind(type), static_cast<uint64_t>(bits),
                                                             static_cast<uint64_t>(bits >> 64))));
}

void WriteWide(Writer& w) {
  const TypeId type = WideType(w);
  switch (w.choices.Weighted({40, 26, 12, 8, 8, 6})) {
    case 0: {
      if (const ExprId target = Target(w, type, Access::Write))
        AppendExpr(w, w.build.Assign(target, Wanted(w, type, DrawDepth(w))));
      return;
    }
    case 1: {
      if (const ExprId target = Target(w, type, Access::Update)) AppendExpr(w, Updated(w, target, DrawDepth(w) - 1));
      return;
    }
    case 2: return WriteLocal(w);
    case 3: {
      const ExprId target = Target(w, Bits(w), Access::Update);
      if (target) AppendExpr(w, w.build.IncDec(static_cast<IncDecOp>(w.choices.Below(4)), target));
      return;
    }
    case 4: return WriteThroughPointer(w);
    default: {
      const ExprId target = IntLvalue(w, Access::Write);
      if (target) AppendExpr(w, w.build.Assign(target, Wanted(w, type, DrawDepth(w))));
      return;
    }
  }
}

void WriteWideIdiom(Writer& w) {
  switch (w.choices.Weighted({25, 18, 20, 25, 12})) {
    case 0: return HighMultiply(w);
    case 1: return AddWithCarry(w);
    case 2: return DivideByWord(w);
    case 3: return Accumulate(w);
    default: return Digits(w);
  }
}

void WriteWideCopy(Writer& w) {
  const TypeId type = WideType(w);
  if (w.choices.Percent(35) || w.knobs.unions == 0) {  // memcpy of a whole one
    const ExprId to = Target(w, type, Access::Write), from = Object(w, type);
    if (!to || !from || !MayTakeAddress(w, to) || !MayTakeAddress(w, from)) return;
    if (w.program.types[w.program.exprs[from].type].quals != 0 ||
        RootVariable(w.program, to) == RootVariable(w.program, from))
      return;
    const Builtin builtin = w.choices.Coin() ? Builtin::Memcpy : Builtin::Memmove;
    return AppendExpr(w, w.build.BuiltinCall(builtin, w.program.types.Basic(TypeKind::Void), type,
                                             std::array{w.build.AddressOf(to), w.build.AddressOf(from)}));
  }
  const TypeId record = WideUnion(w);
  const lang::Record shape = w.program.types.GetRecord(w.program.types[record].record);
  const TypeId whole = shape.members[0].type;
  const lang::Type array = w.program.types[shape.members[1].type];
  const VarId view = DeclareLocal(w, record, Initializer(w, record, false));
  const auto part = [&](ExprId index) { return w.build.Index(w.build.Member(w.build.Var(view), 1), index); };
  if (w.choices.Coin()) {
    AppendExpr(w, w.build.Assign(w.build.Member(w.build.Var(view), 0), Wanted(w, whole, 2)));
    if (const ExprId target = IntLvalue(w, Access::Write))
      AppendExpr(w, w.build.Assign(target, part(w.build.Int(w.choices.Below(array.length)))));
    return;
  }
  AppendCounting(w, array.length, [&](auto i) {
    return w.build.Assign(part(i()), w.build.Binary(BinaryOp::Add, i(), w.build.Int(w.choices.Below(200))));
  });
  Deliver(w, w.build.Member(w.build.Var(view), 0));
}

}  // namespace assay::gen
