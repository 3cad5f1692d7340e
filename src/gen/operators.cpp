#include "gen/operators.hpp"

namespace assay::gen {
namespace {

using knobs::Knobs;
using lang::Builtin;
using lang::IncDecOp;
using lang::UnaryOp;
using F = OperatorContext;

constexpr uint8_t kAdditive = Families({F::Additive, F::AdditiveMultiplicative});
constexpr uint8_t kTimes = Families({F::Multiplicative, F::AdditiveMultiplicative});
constexpr uint8_t kDivision = Families({F::Multiplicative});
constexpr uint8_t kShift = Families({F::Shift});
constexpr uint8_t kBitwise = Families({F::Bitwise, F::Shift});
constexpr uint8_t kLogical = Families({F::Logical});

ROWS_BEGIN
constexpr std::array kBinaryRows = {
    BinaryOpDraw{BinaryOp::Add, &Knobs::op_add, kAdditive, Construct::Add},
    BinaryOpDraw{BinaryOp::Sub, &Knobs::op_sub, kAdditive, Construct::Sub},
    BinaryOpDraw{BinaryOp::Mul, &Knobs::op_mul, kTimes, Construct::Mul},
    BinaryOpDraw{BinaryOp::Div, &Knobs::op_div, kDivision, Construct::Div},
    BinaryOpDraw{BinaryOp::Rem, &Knobs::op_rem, kDivision, Construct::Rem},
    BinaryOpDraw{BinaryOp::Shl, &Knobs::op_shl, kShift, Construct::Shl},
    BinaryOpDraw{BinaryOp::Shr, &Knobs::op_shr, kShift, Construct::Shr},
    BinaryOpDraw{BinaryOp::BitAnd, &Knobs::op_bit_and, kBitwise, Construct::BitAnd},
    BinaryOpDraw{BinaryOp::BitOr, &Knobs::op_bit_or, kBitwise, Construct::BitOr},
    BinaryOpDraw{BinaryOp::BitXor, &Knobs::op_bit_xor, kBitwise, Construct::BitXor},
    BinaryOpDraw{BinaryOp::Lt, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::Gt, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::Le, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::Ge, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::Eq, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::Ne, &Knobs::op_compare, kLogical, Construct::Compare},
    BinaryOpDraw{BinaryOp::RotateLeft, &Knobs::op_rotate, kShift, Construct::Rotate},
};

constexpr std::array kUnaryRows = {
    UnaryOpDraw{UnaryOp::Minus, 35u, kAdditive, Construct::UnaryMinus},
    UnaryOpDraw{UnaryOp::BitNot, 35u, kBitwise, Construct::BitNot},
    UnaryOpDraw{UnaryOp::LogicalNot, 22u, kLogical, Construct::LogicalNot},
    UnaryOpDraw{UnaryOp::Plus, 8u, kAdditive, Construct::UnaryPlus},
    UnaryOpDraw{UnaryOp::Popcount, &Knobs::op_popcount, kBitwise, Construct::Popcount},
    UnaryOpDraw{UnaryOp::Parity, &Knobs::op_parity, kBitwise, Construct::Parity},
    UnaryOpDraw{UnaryOp::Ffs, &Knobs::op_ffs, kBitwise, Construct::Ffs},
    UnaryOpDraw{UnaryOp::Clz, &Knobs::op_clz, kBitwise, Construct::Clz},
    UnaryOpDraw{UnaryOp::Ctz, &Knobs::op_ctz, kBitwise, Construct::Ctz},
    UnaryOpDraw{UnaryOp::Clrsb, &Knobs::op_clrsb, kBitwise, Construct::Clrsb},
    UnaryOpDraw{UnaryOp::Abs, &Knobs::op_abs, kAdditive, Construct::Abs},
    UnaryOpDraw{UnaryOp::Bswap16, &Knobs::op_bswap, kBitwise, Construct::Bswap},
    UnaryOpDraw{UnaryOp::Bswap32, &Knobs::op_bswap, kBitwise, Construct::Bswap},
    UnaryOpDraw{UnaryOp::Bswap64, &Knobs::op_bswap, kBitwise, Construct::Bswap},
};

constexpr std::array kBuiltinRows = {
    BuiltinUse{Builtin::Malloc, Construct::Heap},
    BuiltinUse{Builtin::Calloc, Construct::Heap},
    BuiltinUse{Builtin::Free, Construct::Heap},
    BuiltinUse{Builtin::Memcpy, Construct::Memcpy},
    BuiltinUse{Builtin::Memmove, Construct::Memmove},
    BuiltinUse{Builtin::Memset, Construct::Memset},
    BuiltinUse{Builtin::Memcmp, Construct::Memcmp},
    BuiltinUse{Builtin::VaStart, Construct::Variadic},
    BuiltinUse{Builtin::VaEnd, Construct::Variadic},
    BuiltinUse{Builtin::VaArg, Construct::Variadic},
    BuiltinUse{Builtin::AddOverflow, Construct::Overflow},
    BuiltinUse{Builtin::SubOverflow, Construct::Overflow},
    BuiltinUse{Builtin::MulOverflow, Construct::Overflow},
    BuiltinUse{Builtin::AddOverflowP, Construct::OverflowTest},
    BuiltinUse{Builtin::SubOverflowP, Construct::OverflowTest},
    BuiltinUse{Builtin::MulOverflowP, Construct::OverflowTest},
    BuiltinUse{Builtin::Expect, Construct::Expect},
    BuiltinUse{Builtin::ExpectProbability, Construct::Expect},
    BuiltinUse{Builtin::AssumeAligned, Construct::AssumeAligned},
    BuiltinUse{Builtin::ConstantP, Construct::EitherWay},
    BuiltinUse{Builtin::ObjectSize, Construct::EitherWay},
    BuiltinUse{Builtin::Unreachable, Construct::Unreachable},
    BuiltinUse{Builtin::Trap, Construct::Unreachable},
    BuiltinUse{Builtin::AtomicLoad, Construct::Atomic},
    BuiltinUse{Builtin::AtomicStore, Construct::Atomic},
    BuiltinUse{Builtin::AtomicExchange, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchAdd, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchSub, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchAnd, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchOr, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchXor, Construct::Atomic},
    BuiltinUse{Builtin::AtomicFetchNand, Construct::Atomic},
    BuiltinUse{Builtin::AtomicAddFetch, Construct::Atomic},
    BuiltinUse{Builtin::AtomicXorFetch, Construct::Atomic},
    BuiltinUse{Builtin::SyncFetchAdd, Construct::Atomic},
    BuiltinUse{Builtin::SyncFetchSub, Construct::Atomic},
    BuiltinUse{Builtin::SyncSwap, Construct::Atomic},
    BuiltinUse{Builtin::SyncCompareSwap, Construct::Atomic},
    BuiltinUse{Builtin::Strlen, Construct::StringFunction},
    BuiltinUse{Builtin::Strcmp, Construct::StringFunction},
    BuiltinUse{Builtin::Strncmp, Construct::StringFunction},
    BuiltinUse{Builtin::Strchr, Construct::StringFunction},
    BuiltinUse{Builtin::Memchr, Construct::StringFunction},
    BuiltinUse{Builtin::Strcpy, Construct::StringFunction},
    BuiltinUse{Builtin::Strcat, Construct::StringFunction},
    BuiltinUse{Builtin::Fabs, Construct::MathSign},
    BuiltinUse{Builtin::CopySign, Construct::MathSign},
    BuiltinUse{Builtin::Floor, Construct::MathRounding},
    BuiltinUse{Builtin::Ceil, Construct::MathRounding},
    BuiltinUse{Builtin::Trunc, Construct::MathRounding},
    BuiltinUse{Builtin::Rint, Construct::MathRounding},
    BuiltinUse{Builtin::NearbyInt, Construct::MathRounding},
    BuiltinUse{Builtin::Round, Construct::MathRounding},
    BuiltinUse{Builtin::Fmin, Construct::MathExtreme},
    BuiltinUse{Builtin::Fmax, Construct::MathExtreme},
    BuiltinUse{Builtin::Sqrt, Construct::MathRoot},
    BuiltinUse{Builtin::Fma, Construct::MathFused},
    BuiltinUse{Builtin::Ldexp, Construct::MathScaled},
    BuiltinUse{Builtin::Scalbn, Construct::MathScaled},
    BuiltinUse{Builtin::IsNaN, Construct::FloatClassified},
    BuiltinUse{Builtin::IsInf, Construct::FloatClassified},
    BuiltinUse{Builtin::IsFinite, Construct::FloatClassified},
    BuiltinUse{Builtin::SignBit, Construct::FloatClassified},
    BuiltinUse{Builtin::IsGreater, Construct::FloatOrdered},
    BuiltinUse{Builtin::IsGreaterEqual, Construct::FloatOrdered},
    BuiltinUse{Builtin::IsLess, Construct::FloatOrdered},
    BuiltinUse{Builtin::IsLessEqual, Construct::FloatOrdered},
    BuiltinUse{Builtin::IsLessGreater, Construct::FloatOrdered},
    BuiltinUse{Builtin::IsUnordered, Construct::FloatOrdered},
    BuiltinUse{Builtin::ConvertVector, Construct::VectorConversion},
    BuiltinUse{Builtin::Shuffle, Construct::VectorShuffle},
    BuiltinUse{Builtin::ShuffleVector, Construct::VectorShuffle},
};

constexpr std::array kTypeRows = {
    TypeKindDraw{TypeKind::Bool, &Knobs::type_bool, 0, Construct::Bool},
    TypeKindDraw{TypeKind::Char, &Knobs::type_char, 0, Construct::Char},
    TypeKindDraw{TypeKind::SChar, &Knobs::type_char, 0, Construct::Char},
    TypeKindDraw{TypeKind::UChar, &Knobs::type_char, 0, Construct::Char},
    TypeKindDraw{TypeKind::Short, &Knobs::type_short, 0, Construct::Short},
    TypeKindDraw{TypeKind::UShort, &Knobs::type_short, 0, Construct::Short},
    TypeKindDraw{TypeKind::Int, &Knobs::type_int, 50, Construct::Int},
    TypeKindDraw{TypeKind::UInt, &Knobs::type_int, 14, Construct::Int},
    TypeKindDraw{TypeKind::Long, &Knobs::type_long, 10, Construct::Long},
    TypeKindDraw{TypeKind::ULong, &Knobs::type_long, 10, Construct::Long},
    TypeKindDraw{TypeKind::LLong, &Knobs::type_long_long, 8, Construct::LongLong},
    TypeKindDraw{TypeKind::ULLong, &Knobs::type_long_long, 8, Construct::LongLong},
    TypeKindDraw{TypeKind::Int8, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::UInt8, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::Int16, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::UInt16, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::Int32, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::UInt32, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::Int64, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::UInt64, &Knobs::type_fixed, 0, Construct::FixedWidth},
    TypeKindDraw{TypeKind::Enum, &Knobs::type_enum, 0, Construct::Enum},
    TypeKindDraw{TypeKind::Float, nullptr, 0, Construct::Float},
    TypeKindDraw{TypeKind::Double, nullptr, 0, Construct::Double},
    TypeKindDraw{TypeKind::Void, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Pointer, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Array, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Vla, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Struct, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Union, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Function, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::VaList, nullptr, 0, Construct::kCount},
    TypeKindDraw{TypeKind::Vector, nullptr, 0, Construct::Vector},
    TypeKindDraw{TypeKind::Int128, nullptr, 0, Construct::Wide},
    TypeKindDraw{TypeKind::UInt128, nullptr, 0, Construct::Wide},
};
ROWS_END

static_assert(support::InEnumOrder(kBinaryRows, BinaryOp::kCount), "a row of every binary operator");
static_assert(support::InEnumOrder(kUnaryRows, UnaryOp::kCount), "a row of every unary operator");
static_assert(support::InEnumOrder(kBuiltinRows, Builtin::kCount), "a row of every builtin");
static_assert(support::InEnumOrder(kTypeRows, TypeKind::kCount), "a row of every kind of type");

// Of rows with one knob: how many follow, counted at the first of them; 0 at the others, and where there is no knob.
template <typename Row, size_t N>
constexpr std::array<uint32_t, N> GroupsOf(const std::array<Row, N>& rows) {
  std::array<uint32_t, N> sizes{};
  size_t first = 0;
  for (size_t i = 0; i < N; ++i) {
    if (rows[i].knob == nullptr) continue;
    if (i == 0 || rows[i].knob != rows[i - 1].knob) first = i;
    ++sizes[first];
  }
  return sizes;
}

// Operators with one knob may share a construct, others do not: the census would not miss them.
constexpr bool ConstructsDiffer() {
  for (size_t i = 0; i < kUnaryRows.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool together = kUnaryRows[i].weight.Knob() != nullptr && kUnaryRows[i].weight == kUnaryRows[j].weight;
      if (kUnaryRows[i].construct == kUnaryRows[j].construct && !together) return false;
    }
    for (const BinaryOpDraw& row : kBinaryRows) {
      if (kUnaryRows[i].construct == row.construct) return false;
    }
  }
  for (const BinaryOpDraw& a : kBinaryRows) {
    for (const BinaryOpDraw& b : kBinaryRows) {
      if (a.knob != b.knob && a.construct == b.construct) return false;
    }
  }
  return true;
}
static_assert(ConstructsDiffer(), "an operator has a construct of its own: gen/census.hpp and gen/census_table.cpp");

// Not every compiler has a call.
constexpr bool CallsHaveKnobs() {
  for (const UnaryOpDraw& row : kUnaryRows) {
    if (lang::IsCall(lang::Info(row.kind).shape) && row.weight.Knob() == nullptr) return false;
  }
  return true;
}
static_assert(CallsHaveKnobs(), "an operator that is a call can be switched off by a knob: knobs/knobs.def");

template <typename Row, size_t N>
constexpr bool GroupsStandTogether(const std::array<Row, N>& rows, const std::array<uint32_t, N>& groups) {
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (groups[i] > 0 && groups[j] > 0 && rows[i].knob == rows[j].knob) return false;
    }
  }
  return true;
}

constexpr auto kOperatorGroups = GroupsOf(kBinaryRows);
constexpr auto kIntegerGroups = GroupsOf(kTypeRows);
static_assert(GroupsStandTogether(kBinaryRows, kOperatorGroups) && GroupsStandTogether(kTypeRows, kIntegerGroups),
              "rows with one knob stand side by side");

constexpr bool ConstructsNamed() {
  for (const BinaryOpDraw& row : kBinaryRows) {
    if (row.knob == nullptr || row.construct == Construct::kCount) return false;
  }
  for (const UnaryOpDraw& row : kUnaryRows) {
    if (row.construct == Construct::kCount) return false;
  }
  for (const BuiltinUse& row : kBuiltinRows) {
    if (row.construct == Construct::kCount) return false;
  }
  for (const TypeKindDraw& row : kTypeRows) {
    const bool integer = lang::IsInteger(row.kind);
    const bool counted = lang::IsArithmetic(row.kind) || lang::IsVector(row.kind);
    if (integer != (row.knob != nullptr) || counted != (row.construct != Construct::kCount)) return false;
    if ((row.literals > 0) != (integer && lang::HasLiterals(row.kind))) return false;
  }
  return true;
}
static_assert(
    ConstructsNamed(),
    "every operator, builtin and arithmetic kind has a construct, and all but unary ones and floating kinds a knob");

// One of the group that begins at the row.
template <size_t N>
size_t DrawOf(Writer& w, const std::array<uint32_t, N>& groups, size_t first) {
  return first + (groups[first] > 1 ? w.choices.Below(groups[first]) : 0);
}

// Those that are drawn evenly where a comparison is wanted.
constexpr size_t kFirstComparison = [] {
  size_t first = 0;
  while (!lang::IsComparison(kBinaryRows[first].kind)) ++first;
  return first;
}();
static_assert([] {
  for (size_t i = 0; i < kBinaryRows.size(); ++i) {
    const bool inside = i >= kFirstComparison && i < kFirstComparison + kOperatorGroups[kFirstComparison];
    if (inside != lang::IsComparison(kBinaryRows[i].kind)) return false;
  }
  return true;
}());

constexpr size_t kLiteralKindCount = [] {
  size_t count = 0;
  for (const TypeKindDraw& row : kTypeRows) count += row.literals > 0;
  return count;
}();
constexpr std::array<TypeKind, kLiteralKindCount> kLiteralKinds = [] {
  std::array<TypeKind, kLiteralKindCount> kinds{};
  size_t at = 0;
  for (const TypeKindDraw& row : kTypeRows) {
    if (row.literals > 0) kinds[at++] = row.kind;
  }
  return kinds;
}();
constexpr choice::Weights<kLiteralKindCount> kLiteralWeights = [] {
  std::array<uint32_t, kLiteralKindCount> weights{};
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = kTypeRows[static_cast<size_t>(kLiteralKinds[i])].literals;
  return choice::Weights(weights);
}();

}  // namespace

const std::array<BinaryOpDraw, static_cast<size_t>(BinaryOp::kCount)> kBinaryOpDraws = kBinaryRows;
const std::array<UnaryOpDraw, static_cast<size_t>(UnaryOp::kCount)> kUnaryOpDraws = kUnaryRows;
const std::array<BuiltinUse, static_cast<size_t>(Builtin::kCount)> kBuiltinUses = kBuiltinRows;
const std::array<TypeKindDraw, static_cast<size_t>(TypeKind::kCount)> kTypeKindDraws = kTypeRows;

OperatorWeights OperatorDraw(const Knobs& knobs) {
  OperatorWeights draw;
  for (size_t context = 0; context < draw.binary.size(); ++context) {
    std::array<uint32_t, kBinaryRows.size()> weights{};
    for (size_t i = 0; i < weights.size(); ++i) {
      const bool wanted = kOperatorGroups[i] > 0 && ((kBinaryRows[i].families >> context) & 1) != 0;
      if (wanted) weights[i] = static_cast<uint32_t>(knobs.*(kBinaryRows[i].knob));
    }
    draw.binary[context] = choice::Weights(weights);
  }
  std::array<uint32_t, kTypeRows.size()> weights{};
  for (size_t i = 0; i < weights.size(); ++i) {
    if (kIntegerGroups[i] > 0) weights[i] = static_cast<uint32_t>(knobs.*(kTypeRows[i].knob));
  }
  draw.types = choice::Weights(weights);
  weights[static_cast<size_t>(TypeKind::Enum)] = 0;
  draw.types_without_enums = choice::Weights(weights);
  return draw;
}

BinaryOp DrawOperator(Writer& w) {
  const auto& weights = w.operator_draw.binary[static_cast<size_t>(w.context)];
  if (weights.Empty()) return BinaryOp::BitXor;
  return kBinaryRows[DrawOf(w, kOperatorGroups, weights.Draw(w.choices))].kind;
}

BinaryOp DrawComparison(Writer& w) { return kBinaryRows[DrawOf(w, kOperatorGroups, kFirstComparison)].kind; }

UnaryOp DrawUnary(Writer& w) {
  std::array<uint32_t, kUnaryRows.size()> weights;
  uint32_t total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const bool wanted = ((kUnaryRows[i].families >> static_cast<uint8_t>(w.context)) & 1) != 0;
    total += weights[i] = wanted ? kUnaryRows[i].weight.Of(w.knobs) : 0;
  }
  if (total == 0) return UnaryOp::Minus;  // of the multiplicative family
  return kUnaryRows[w.choices.Weighted(weights)].kind;
}

IncDecOp DrawIncDec(Writer& w) { return lang::kIncDecOps[w.choices.Below(lang::kIncDecOps.size())].kind; }

TypeId DrawIntegerType(Writer& w) {
  const auto& weights = w.enums.empty() ? w.operator_draw.types_without_enums : w.operator_draw.types;
  if (weights.Empty()) return w.program.types.Basic(TypeKind::Int);
  const TypeKind kind = kTypeRows[DrawOf(w, kIntegerGroups, weights.Draw(w.choices))].kind;
  return kind == TypeKind::Enum ? w.program.types.OfEnum(w.choices.Pick(w.enums)) : w.program.types.Basic(kind);
}

TypeKind DrawLiteralKind(Writer& w) { return kLiteralKinds[kLiteralWeights.Draw(w.choices)]; }

TypeKind DrawLiteralKindEvenly(Writer& w) { return kLiteralKinds[w.choices.Below(kLiteralKinds.size())]; }

}  // namespace assay::gen
