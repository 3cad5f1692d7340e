// Integer kinds under a data model: width, sign, rank, promotion and the usual arithmetic conversions (C17 6.3.1).
// Generator and machine ask all the time, so the answers are rows that the model holds.
#pragma once

#include <array>

#include "lang/data_model.hpp"
#include "lang/types.hpp"

namespace assay::lang {

namespace integer_kinds {

// The bits of a width under the model.
constexpr uint8_t BitsOf(Width width, const ModelProperties& model) {
  switch (width) {
    case Width::None: break;
    case Width::Bool: return 1;
    case Width::Char: return 8;
    case Width::Short: return model.short_bytes * 8;
    case Width::Int: return model.int_bytes * 8;
    case Width::Long: return model.long_bytes * 8;
    case Width::LongLong: return model.long_long_bytes * 8;
    case Width::Exactly8: return 8;
    case Width::Exactly16: return 16;
    case Width::Exactly32: return 32;
    case Width::Exactly64: return 64;
    case Width::TwoWords: return 128;
  }
  return 0;
}

// Of a fixed-width kind, the standard kind that is so wide: int before the others.
constexpr TypeKind Standard(TypeKind kind, const ModelProperties& model) {
  const TypeKindInfo& own = Info(kind);
  if (kind == TypeKind::Enum) return TypeKind::Int;
  if (!IsFixedWidth(kind)) return kind;
  for (TypeKind standard : {TypeKind::Int, TypeKind::Long, TypeKind::LLong, TypeKind::Short, TypeKind::SChar}) {
    if (BitsOf(Info(standard).width, model) != BitsOf(own.width, model)) continue;
    return own.sign == Sign::Unsigned ? Info(standard).unsigned_kind : standard;
  }
  CHECK_MSG(false, "no standard kind is as wide as {}", own.name);
  return kind;
}

using Row = IntegerRow;

constexpr Row MakeRow(TypeKind kind, const ModelProperties& model) {
  Row row{.standard = Standard(kind, model)};
  const TypeKindInfo& standard = Info(row.standard);
  const bool is_signed = standard.sign == Sign::Model ? model.char_is_signed : standard.sign == Sign::Signed;
  row.rank = standard.rank;
  row.info = {BitsOf(standard.width, model), is_signed};
  const uint8_t int_bits = BitsOf(Width::Int, model);
  const bool fits_int = row.info.bits < int_bits + (row.info.is_signed ? 1 : 0);
  row.promoted = row.rank >= Info(TypeKind::Int).rank ? row.standard : fits_int ? TypeKind::Int : TypeKind::UInt;
  return row;
}

inline const Row& Of(TypeKind kind, const DataModel& model) {
  CHECK_MSG(IsInteger(kind), "not an integer kind: {}", static_cast<int>(kind));
  return model.Integer(kind);
}

}  // namespace integer_kinds

// The standard kind that a fixed-width kind or an enum stands for (Int64 -> Long on LP64, LLong on ILP32); others are
// their own.
inline TypeKind StandardKind(TypeKind kind, const DataModel& model) {
  return IsInteger(kind) ? integer_kinds::Of(kind, model).standard : kind;
}
inline IntegerInfo IntegerInfoOf(TypeKind kind, const DataModel& model) { return integer_kinds::Of(kind, model).info; }

// The signed kind that corresponds to a promoted kind.
constexpr TypeKind SignedKind(TypeKind kind) {
  for (const TypeKindInfo& row : kTypeKinds) {
    if (row.sign == Sign::Signed && row.unsigned_kind == Info(kind).unsigned_kind) return row.kind;
  }
  return kind;
}

// Integer promotion. For a bit-field of `bit_width` (>= 0) that fits int or unsigned the width decides (6.3.1.1p2), as
// in gcc and clang also for wider declared types; for wider fields see IsPromotionUnclear.
inline TypeKind Promote(TypeKind kind, const DataModel& model, int bit_width = -1) {
  if (IsWide(kind)) [[unlikely]]
    return kind;
  const integer_kinds::Row& row = integer_kinds::Of(kind, model);
  const int int_bits = model.Properties().int_bytes * 8;
  if (bit_width < 0 || bit_width > int_bits) return row.promoted;
  return bit_width < int_bits + (row.info.is_signed ? 1 : 0) ? TypeKind::Int : TypeKind::UInt;
}

// The same where one is wide: its rank is above all others, and it has their values (6.3.1.8).
constexpr TypeKind CommonWide(TypeKind a, TypeKind b) {
  if (!IsWide(a)) return b;
  return IsWide(b) ? Info(a).unsigned_kind : a;
}

// Usual arithmetic conversions, on promoted kinds of integers.
inline TypeKind CommonKind(TypeKind a, TypeKind b, const DataModel& model) {
  if (a == b) return a;
  if (IsWide(a) || IsWide(b)) [[unlikely]]
    return CommonWide(a, b);
  const integer_kinds::Row& left = integer_kinds::Of(a, model);
  const integer_kinds::Row& right = integer_kinds::Of(b, model);
  if (left.info.is_signed == right.info.is_signed) return left.rank >= right.rank ? a : b;
  const bool left_signed = left.info.is_signed;
  const integer_kinds::Row& u = left_signed ? right : left;
  const integer_kinds::Row& s = left_signed ? left : right;
  if (u.rank >= s.rank) return left_signed ? b : a;
  const TypeKind wider = left_signed ? a : b;
  if (s.info.bits > u.info.bits) return wider;
  return Info(wider).unsigned_kind;
}

}  // namespace assay::lang
