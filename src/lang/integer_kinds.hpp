// Integer kinds under a data model: width, sign, rank, promotion and the usual arithmetic conversions (C17 6.3.1). Generator and
// machine ask all the time, so the answers are tables made at compile time.
#pragma once

#include <array>

#include "lang/data_model.hpp"
#include "lang/types.hpp"

namespace assay::lang {

// What the machine and the generator need to know of an integer type.
struct IntegerInfo {
  uint8_t bits = 32;        // value bits including the sign; 1 for _Bool
  bool is_signed = true;
  constexpr int64_t Min() const {
    return is_signed ? static_cast<int64_t>(~static_cast<uint64_t>(0) << (bits - 1)) : 0;
  }
  constexpr uint64_t Max() const {
    return is_signed ? (static_cast<uint64_t>(1) << (bits - 1)) - 1
                     : (bits == 64 ? ~static_cast<uint64_t>(0) : (static_cast<uint64_t>(1) << bits) - 1);
  }
};

namespace integer_kinds {

constexpr TypeKind Standard(TypeKind kind, const DataModel& model) {
  switch (kind) {
    case TypeKind::Int8: return TypeKind::SChar;
    case TypeKind::UInt8: return TypeKind::UChar;
    case TypeKind::Int16: return model.int_bytes == 2 ? TypeKind::Int : TypeKind::Short;
    case TypeKind::UInt16: return model.int_bytes == 2 ? TypeKind::UInt : TypeKind::UShort;
    case TypeKind::Int32: return model.int_bytes == 4 ? TypeKind::Int : TypeKind::Long;
    case TypeKind::UInt32: return model.int_bytes == 4 ? TypeKind::UInt : TypeKind::ULong;
    case TypeKind::Int64: return model.long_bytes == 8 ? TypeKind::Long : TypeKind::LLong;
    case TypeKind::UInt64: return model.long_bytes == 8 ? TypeKind::ULong : TypeKind::ULLong;
    case TypeKind::Enum: return TypeKind::Int;
    default: return kind;
  }
}

struct Row {
  TypeKind standard = TypeKind::Int;
  TypeKind promoted = TypeKind::Int;
  int8_t rank = 0;
  IntegerInfo info;
};

constexpr Row MakeRow(TypeKind kind, const DataModel& model) {
  const uint8_t int_bits = model.int_bytes * 8, long_bits = model.long_bytes * 8;
  Row row{.standard = Standard(kind, model)};
  switch (row.standard) {
    case TypeKind::Bool: row.rank = 0; row.info = {1, false}; break;
    case TypeKind::Char: row.rank = 1; row.info = {8, model.char_is_signed}; break;
    case TypeKind::SChar: row.rank = 1; row.info = {8, true}; break;
    case TypeKind::UChar: row.rank = 1; row.info = {8, false}; break;
    case TypeKind::Short: row.rank = 2; row.info = {16, true}; break;
    case TypeKind::UShort: row.rank = 2; row.info = {16, false}; break;
    case TypeKind::Int: row.rank = 3; row.info = {int_bits, true}; break;
    case TypeKind::UInt: row.rank = 3; row.info = {int_bits, false}; break;
    case TypeKind::Long: row.rank = 4; row.info = {long_bits, true}; break;
    case TypeKind::ULong: row.rank = 4; row.info = {long_bits, false}; break;
    case TypeKind::LLong: row.rank = 5; row.info = {64, true}; break;
    case TypeKind::ULLong: row.rank = 5; row.info = {64, false}; break;
    default: break;
  }
  const bool fits_int = row.info.bits < int_bits + (row.info.is_signed ? 1 : 0);
  row.promoted = row.rank >= 3 ? row.standard : fits_int ? TypeKind::Int : TypeKind::UInt;
  return row;
}

inline constexpr size_t kKinds = static_cast<size_t>(TypeKind::Enum) + 1;

inline constexpr auto kRows = [] {
  std::array<std::array<Row, kKinds>, kDataModels.size()> rows{};
  for (size_t model = 0; model < kDataModels.size(); ++model) {
    for (size_t kind = 0; kind < kKinds; ++kind) rows[model][kind] = MakeRow(static_cast<TypeKind>(kind), kDataModels[model]);
  }
  return rows;
}();

constexpr const Row& Of(TypeKind kind, const DataModel& model) {
  CHECK_MSG(IsInteger(kind), "not an integer kind: {}", static_cast<int>(kind));
  return kRows[static_cast<size_t>(model.kind)][static_cast<size_t>(kind)];
}

}  // namespace integer_kinds

// The standard kind that a fixed-width kind or an enum stands for (Int64 -> Long on LP64, LLong on ILP32); others are their own.
constexpr TypeKind StandardKind(TypeKind kind, const DataModel& model) {
  return IsInteger(kind) ? integer_kinds::Of(kind, model).standard : kind;
}
constexpr IntegerInfo IntegerInfoOf(TypeKind kind, const DataModel& model) { return integer_kinds::Of(kind, model).info; }

// Integer promotion. For a bit-field of `bit_width` (>= 0) that fits int or unsigned the width decides (6.3.1.1p2), as
// in gcc and clang also for wider declared types; for wider fields see IsPromotionUnclear.
constexpr TypeKind Promote(TypeKind kind, const DataModel& model, int bit_width = -1) {
  const integer_kinds::Row& row = integer_kinds::Of(kind, model);
  const int int_bits = model.int_bytes * 8;
  if (bit_width < 0 || bit_width > int_bits) return row.promoted;
  return bit_width < int_bits + (row.info.is_signed ? 1 : 0) ? TypeKind::Int : TypeKind::UInt;
}

// Usual arithmetic conversions, on promoted kinds.
constexpr TypeKind CommonKind(TypeKind a, TypeKind b, const DataModel& model) {
  if (a == b) return a;
  const integer_kinds::Row& left = integer_kinds::Of(a, model);
  const integer_kinds::Row& right = integer_kinds::Of(b, model);
  if (left.info.is_signed == right.info.is_signed) return left.rank >= right.rank ? a : b;
  const bool left_signed = left.info.is_signed;
  const integer_kinds::Row& u = left_signed ? right : left;
  const integer_kinds::Row& s = left_signed ? left : right;
  if (u.rank >= s.rank) return left_signed ? b : a;
  const TypeKind wider = left_signed ? a : b;
  if (s.info.bits > u.info.bits) return wider;
  return static_cast<TypeKind>(static_cast<int>(wider) + 1);  // the unsigned type of s
}

}  // namespace assay::lang
