// The kinds of types, one row each: everything else asks the row, nothing the position in the enum.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/table.hpp"

namespace assay::lang {

// The order means nothing. A fixed-width kind is a typedef of a standard kind that depends on the data model
// (lang/integer_kinds.hpp, StandardKind).
enum class TypeKind : uint8_t {
  Bool,
  Char,
  SChar,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  LLong,
  ULLong,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Enum,  // the compatible integer type is always int: every enum has a negative enumerator
  Float,
  Double,
  Void,
  Pointer,
  Array,
  Vla,
  Struct,
  Union,
  Function,
  VaList,
  Vector,  // of GNU C: as many lanes as Type::length says, of the integer or floating type Type::element
  Int128,  // of GNU C, on machines whose pointers have 64 bits
  UInt128,
  kCount
};

// What the values of a kind are, whatever their width. Constraints, machine, checks and printer decide by the class. No
// kind has the class Complex yet: what has to be written for it says so where it is due.
enum class TypeClass : uint8_t {
  Integer,  // of 64 bits at most
  Float,
  Complex,
  Vector,
  Wide,  // an integer of two words
  Pointer,
  Record,
  Array,
  Function,
  Void,
  VaList,  // an object that only the va_ builtins touch
  kCount
};

// How wide an integer kind is: the data model knows how many bits that is. Exactly: a typedef of the standard kind that
// is so wide.
enum class Width : uint8_t {
  None,
  Bool,
  Char,
  Short,
  Int,
  Long,
  LongLong,
  Exactly8,
  Exactly16,
  Exactly32,
  Exactly64,
  TwoWords
};

enum class Sign : uint8_t { None, Signed, Unsigned, Model };  // Model: as the data model says

inline constexpr int8_t kNoRank = -1, kRankOfStandard = -2;
inline constexpr std::string_view kNoLiteral = "-";

struct TypeKindInfo {
  TypeKind kind;
  std::string_view name;          // in the text form; empty: a derived kind, which has a form of its own there
  std::string_view spelling;      // as a declaration specifier of C; empty: a derived kind
  std::string_view cxx_spelling;  // of C++, where it is another one
  std::string_view suffix;        // of constants of the kind; kNoLiteral: there are none (C17 6.4.4.1, 6.4.4.2)
  TypeClass type_class;
  Width width;             // integers
  Sign sign;               // integers
  int8_t rank;             // integers: conversion rank (6.3.1.1); kRankOfStandard: of the standard kind it stands for
  TypeKind unsigned_kind;  // integers: the corresponding unsigned kind; others: itself
};

namespace type_kinds {
using K = TypeKind;
using C = TypeClass;
using W = Width;
using S = Sign;
using Row = TypeKindInfo;
constexpr std::string_view kNo = kNoLiteral;
constexpr int8_t kNone = kNoRank, kStd = kRankOfStandard;

ROWS_BEGIN
// clang-format off
inline constexpr std::array kRows = {
    // kind          name      spelling              C++     suffix class        width         sign         rank   unsigned kind
    Row{K::Bool,     "bool",   "_Bool",              "bool", kNo,   C::Integer,  W::Bool,      S::Unsigned, 0,     K::Bool},
    Row{K::Char,     "char",   "char",               "",     kNo,   C::Integer,  W::Char,      S::Model,    1,     K::UChar},
    Row{K::SChar,    "schar",  "signed char",        "",     kNo,   C::Integer,  W::Char,      S::Signed,   1,     K::UChar},
    Row{K::UChar,    "uchar",  "unsigned char",      "",     kNo,   C::Integer,  W::Char,      S::Unsigned, 1,     K::UChar},
    Row{K::Short,    "short",  "short",              "",     kNo,   C::Integer,  W::Short,     S::Signed,   2,     K::UShort},
    Row{K::UShort,   "ushort", "unsigned short",     "",     kNo,   C::Integer,  W::Short,     S::Unsigned, 2,     K::UShort},
    Row{K::Int,      "int",    "int",                "",     "",    C::Integer,  W::Int,       S::Signed,   3,     K::UInt},
    Row{K::UInt,     "uint",   "unsigned int",       "",     "U",   C::Integer,  W::Int,       S::Unsigned, 3,     K::UInt},
    Row{K::Long,     "long",   "long",               "",     "L",   C::Integer,  W::Long,      S::Signed,   4,     K::ULong},
    Row{K::ULong,    "ulong",  "unsigned long",      "",     "UL",  C::Integer,  W::Long,      S::Unsigned, 4,     K::ULong},
    Row{K::LLong,    "llong",  "long long",          "",     "LL",  C::Integer,  W::LongLong,  S::Signed,   5,     K::ULLong},
    Row{K::ULLong,   "ullong", "unsigned long long", "",     "ULL", C::Integer,  W::LongLong,  S::Unsigned, 5,     K::ULLong},
    Row{K::Int8,     "int8",   "int8_t",             "",     kNo,   C::Integer,  W::Exactly8,  S::Signed,   kStd,  K::UInt8},
    Row{K::UInt8,    "uint8",  "uint8_t",            "",     kNo,   C::Integer,  W::Exactly8,  S::Unsigned, kStd,  K::UInt8},
    Row{K::Int16,    "int16",  "int16_t",            "",     kNo,   C::Integer,  W::Exactly16, S::Signed,   kStd,  K::UInt16},
    Row{K::UInt16,   "uint16", "uint16_t",           "",     kNo,   C::Integer,  W::Exactly16, S::Unsigned, kStd,  K::UInt16},
    Row{K::Int32,    "int32",  "int32_t",            "",     kNo,   C::Integer,  W::Exactly32, S::Signed,   kStd,  K::UInt32},
    Row{K::UInt32,   "uint32", "uint32_t",           "",     kNo,   C::Integer,  W::Exactly32, S::Unsigned, kStd,  K::UInt32},
    Row{K::Int64,    "int64",  "int64_t",            "",     kNo,   C::Integer,  W::Exactly64, S::Signed,   kStd,  K::UInt64},
    Row{K::UInt64,   "uint64", "uint64_t",           "",     kNo,   C::Integer,  W::Exactly64, S::Unsigned, kStd,  K::UInt64},
    Row{K::Enum,     "",       "",                   "",     kNo,   C::Integer,  W::Int,       S::Signed,   3,     K::UInt},
    Row{K::Float,    "float",  "float",              "",     "F",   C::Float,    W::None,      S::None,     kNone, K::Float},
    Row{K::Double,   "double", "double",             "",     "",    C::Float,    W::None,      S::None,     kNone, K::Double},
    Row{K::Void,     "void",   "void",               "",     kNo,   C::Void,     W::None,      S::None,     kNone, K::Void},
    Row{K::Pointer,  "",       "",                   "",     kNo,   C::Pointer,  W::None,      S::None,     kNone, K::Pointer},
    Row{K::Array,    "",       "",                   "",     kNo,   C::Array,    W::None,      S::None,     kNone, K::Array},
    Row{K::Vla,      "",       "",                   "",     kNo,   C::Array,    W::None,      S::None,     kNone, K::Vla},
    Row{K::Struct,   "",       "",                   "",     kNo,   C::Record,   W::None,      S::None,     kNone, K::Struct},
    Row{K::Union,    "",       "",                   "",     kNo,   C::Record,   W::None,      S::None,     kNone, K::Union},
    Row{K::Function, "",       "",                   "",     kNo,   C::Function, W::None,      S::None,     kNone, K::Function},
    Row{K::VaList,   "valist", "__builtin_va_list",  "",     kNo,   C::VaList,   W::None,      S::None,     kNone, K::VaList},
    Row{K::Vector,   "",       "",                   "",     kNo,   C::Vector,   W::None,      S::None,     kNone, K::Vector},
    Row{K::Int128,   "int128", "__int128",           "",     kNo,   C::Wide,     W::TwoWords,  S::Signed,   6,     K::UInt128},
    Row{K::UInt128,  "uint128","unsigned __int128",  "",     kNo,   C::Wide,     W::TwoWords,  S::Unsigned, 6,     K::UInt128},
};
// clang-format on
ROWS_END
}  // namespace type_kinds

inline constexpr auto& kTypeKinds = type_kinds::kRows;
static_assert(support::InEnumOrder(kTypeKinds, TypeKind::kCount));

constexpr const TypeKindInfo& Info(TypeKind kind) { return kTypeKinds[static_cast<size_t>(kind)]; }

// The columns of integers are filled for integers and for nothing else, and the unsigned kinds are unsigned.
constexpr bool IntegerColumnsAgree() {
  for (const TypeKindInfo& row : kTypeKinds) {
    const bool integer = row.type_class == TypeClass::Integer || row.type_class == TypeClass::Wide;
    if (row.type_class == TypeClass::kCount || integer != (row.width != Width::None) ||
        integer != (row.sign != Sign::None) || integer != (row.rank != kNoRank)) {
      return false;
    }
    const TypeKindInfo& other = Info(row.unsigned_kind);
    if (integer ? other.sign != Sign::Unsigned || other.rank != row.rank : other.kind != row.kind) return false;
    if (!integer && row.type_class != TypeClass::Float && row.suffix != kNoLiteral) return false;
  }
  return true;
}
static_assert(IntegerColumnsAgree());

inline constexpr auto kClassOfKind =
    support::PackColumn(kTypeKinds, [](const TypeKindInfo& row) { return row.type_class; });

constexpr TypeClass ClassOf(TypeKind kind) { return kClassOfKind[static_cast<size_t>(kind)]; }
constexpr bool IsInteger(TypeKind kind) { return ClassOf(kind) == TypeClass::Integer; }
constexpr bool IsFloat(TypeKind kind) { return ClassOf(kind) == TypeClass::Float; }
constexpr bool IsWide(TypeKind kind) { return ClassOf(kind) == TypeClass::Wide; }
constexpr bool IsAnyInteger(TypeKind kind) { return IsInteger(kind) || IsWide(kind); }
constexpr bool IsArithmetic(TypeKind kind) { return IsAnyInteger(kind) || IsFloat(kind); }  // 6.2.5p18
constexpr bool IsRecord(TypeKind kind) { return ClassOf(kind) == TypeClass::Record; }
constexpr bool IsArray(TypeKind kind) { return ClassOf(kind) == TypeClass::Array; }
constexpr bool IsVector(TypeKind kind) { return ClassOf(kind) == TypeClass::Vector; }
// A typedef of a standard kind, by its width.
constexpr bool IsFixedWidth(TypeKind kind) { return Info(kind).rank == kRankOfStandard; }
constexpr bool HasLiterals(TypeKind kind) { return Info(kind).suffix != kNoLiteral; }
// One value, not a record or array of them (C17 6.2.5p21).
constexpr bool IsScalar(TypeKind kind) {
  switch (ClassOf(kind)) {
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Wide:
    case TypeClass::Pointer: return true;
    case TypeClass::Vector:
    case TypeClass::Record:
    case TypeClass::Array:
    case TypeClass::Function:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: return false;
  }
  return false;
}

}  // namespace assay::lang
