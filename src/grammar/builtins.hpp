// The built-in functions of LaLa, one row each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/table.hpp"

namespace assay::grammar {

enum class Builtin : uint8_t {
  And,
  Or,
  Not,
  IsNil,
  If,
  Int,
  Add,
  Subtract,
  Multiply,
  Divide,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Equals,
  Max,
  Min,
  Len,
  kCount
};

// How arguments and result are typed.
enum class BuiltinShape : uint8_t {
  Logic,       // Booleans to Boolean
  Test,        // anything to Boolean
  Choose,      // Boolean, T, T to T
  ToInteger,   // anything to Integer
  Arithmetic,  // Integers to Integer
  Compare,     // two of one type to Boolean
};

struct BuiltinInfo {
  Builtin kind;
  std::string_view name;
  BuiltinShape shape;
  uint32_t least;
  uint32_t most;
};

inline constexpr uint32_t kAnyNumber = 0xffffffffu;

inline constexpr std::array kBuiltins = {
    BuiltinInfo{Builtin::And, "and", BuiltinShape::Logic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Or, "or", BuiltinShape::Logic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Not, "not", BuiltinShape::Logic, 1, 1},
    BuiltinInfo{Builtin::IsNil, "isNil", BuiltinShape::Test, 1, 1},
    BuiltinInfo{Builtin::If, "if", BuiltinShape::Choose, 3, 3},
    BuiltinInfo{Builtin::Int, "int", BuiltinShape::ToInteger, 1, 1},
    BuiltinInfo{Builtin::Add, "+", BuiltinShape::Arithmetic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Subtract, "-", BuiltinShape::Arithmetic, 1, kAnyNumber},
    BuiltinInfo{Builtin::Multiply, "*", BuiltinShape::Arithmetic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Divide, "/", BuiltinShape::Arithmetic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Equal, "==", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::NotEqual, "!=", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::Less, "<", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::Greater, ">", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::LessEqual, "<=", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::GreaterEqual, ">=", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::Equals, "equals", BuiltinShape::Compare, 2, 2},
    BuiltinInfo{Builtin::Max, "max", BuiltinShape::Arithmetic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Min, "min", BuiltinShape::Arithmetic, 2, kAnyNumber},
    BuiltinInfo{Builtin::Len, "len", BuiltinShape::ToInteger, 1, 1},
};
static_assert(support::InEnumOrder(kBuiltins, Builtin::kCount));

constexpr const BuiltinInfo& InfoOf(Builtin builtin) { return kBuiltins[static_cast<size_t>(builtin)]; }

// kCount if there is none of this name.
constexpr Builtin FindBuiltin(std::string_view name) {
  for (const BuiltinInfo& info : kBuiltins) {
    if (info.name == name) return info.kind;
  }
  return Builtin::kCount;
}

}  // namespace assay::grammar
