// Library functions and compiler builtins that the machine knows, one row each; ExprKind::Builtin (expr.hpp) calls
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/table.hpp"

namespace assay::lang {

enum class Builtin : uint8_t {
  Malloc,   // (T*)malloc(count * sizeof(T)): args = {count}; ref_type = T. Never fails. Contents indeterminate.
  Calloc,   // (T*)calloc(count, sizeof(T)): args = {count}; contents zero
  Free,     // free(p)
  Memcpy,   // memcpy(&a, &b, sizeof(T)): args = {pointer to T, pointer to T}; ref_type = T; whole objects only
  Memmove,  // the same, may overlap
  Memset,   // memset(&a, byte, sizeof(T)): args = {pointer, int}; ref_type = T
  Memcmp,  // memcmp(&a, &b, sizeof(T)): result normalised by the emitted text to -1, 0, 1; ref_type = T without padding
  VaStart,  // va_start(ap, last): args = {lvalue of type VaList}
  VaEnd,    // va_end(ap)
  VaArg,    // va_arg(ap, T): ref_type = T
  kCount
};

// What the arguments must be (lang/constraints).
enum class BuiltinOperands : uint8_t {
  Count,         // an integer: how many T
  Freed,         // a pointer to what may be written
  Filled,        // a pointer to what may be written, and an integer
  Copied,        // a pointer to a T that may be written, and a pointer to T
  Compared,      // two pointers to T
  ArgumentList,  // an lvalue of type VaList
};

enum class BuiltinResult : uint8_t { PointerToType, Nothing, Int, Argument };  // Argument: T, as an argument has it

// How the call is written.
enum class BuiltinShape : uint8_t {
  Product,        // (T *)f(argument * sizeof(T))
  Counted,        // (T *)f(argument, sizeof(T))
  Sized,          // f(arguments, sizeof(T))
  Plain,          // f(arguments)
  LastParameter,  // f(arguments, the function's last parameter)
  Typed,          // f(arguments, T)
};

// Which compilers have it.
enum class Availability : uint8_t { Everywhere, Gnu };

struct BuiltinInfo {
  Builtin kind;
  std::string_view spelling;  // in C and in the text form
  uint8_t arguments;
  BuiltinOperands operands;
  BuiltinResult result;
  BuiltinShape shape;
  Availability needs;
  // The prototype with its result and parameters, % for size_t: "void *(%)". Empty: needs none.
  std::string_view returns, parameters;
  bool overwrites;  // all that it does is to store into its first argument's object: the reducer may drop it with that
};

inline constexpr uint8_t kMostBuiltinArguments = 2;

ROWS_BEGIN
// clang-format off
inline constexpr std::array kBuiltins = {
    BuiltinInfo{Builtin::Malloc, "malloc", 1, BuiltinOperands::Count, BuiltinResult::PointerToType,
                BuiltinShape::Product, Availability::Everywhere, "void *", "%", false},
    BuiltinInfo{Builtin::Calloc, "calloc", 1, BuiltinOperands::Count, BuiltinResult::PointerToType,
                BuiltinShape::Counted, Availability::Everywhere, "void *", "%, %", false},
    BuiltinInfo{Builtin::Free, "free", 1, BuiltinOperands::Freed, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Everywhere, "void ", "void *", false},
    BuiltinInfo{Builtin::Memcpy, "memcpy", 2, BuiltinOperands::Copied, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, const void *, %", true},
    BuiltinInfo{Builtin::Memmove, "memmove", 2, BuiltinOperands::Copied, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, const void *, %", true},
    BuiltinInfo{Builtin::Memset, "memset", 2, BuiltinOperands::Filled, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, int, %", true},
    BuiltinInfo{Builtin::Memcmp, "memcmp", 2, BuiltinOperands::Compared, BuiltinResult::Int,
                BuiltinShape::Sized, Availability::Everywhere, "int ", "const void *, const void *, %", false},
    BuiltinInfo{Builtin::VaStart, "__builtin_va_start", 1, BuiltinOperands::ArgumentList, BuiltinResult::Nothing,
                BuiltinShape::LastParameter, Availability::Gnu, "", "", false},
    BuiltinInfo{Builtin::VaEnd, "__builtin_va_end", 1, BuiltinOperands::ArgumentList, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Gnu, "", "", false},
    BuiltinInfo{Builtin::VaArg, "__builtin_va_arg", 1, BuiltinOperands::ArgumentList, BuiltinResult::Argument,
                BuiltinShape::Typed, Availability::Gnu, "", "", false},
};
// clang-format on
ROWS_END
static_assert(support::InEnumOrder(kBuiltins, Builtin::kCount));

constexpr const BuiltinInfo& Info(Builtin builtin) { return kBuiltins[static_cast<size_t>(builtin)]; }

// The type T stands in the call: ref_type must be one of objects.
constexpr bool IsSized(Builtin builtin) {
  switch (Info(builtin).shape) {
    case BuiltinShape::Product:
    case BuiltinShape::Counted:
    case BuiltinShape::Sized: return true;
    case BuiltinShape::Plain:
    case BuiltinShape::LastParameter:
    case BuiltinShape::Typed: return false;
  }
  return false;
}
// The first argument is an lvalue and is not read as a value.
constexpr bool TakesLvalue(Builtin builtin) { return Info(builtin).operands == BuiltinOperands::ArgumentList; }

constexpr bool ArgumentsFit() {
  for (const BuiltinInfo& row : kBuiltins) {
    if (row.arguments == 0 || row.arguments > kMostBuiltinArguments) return false;
  }
  return true;
}
static_assert(ArgumentsFit(), "the machine keeps kMostBuiltinArguments arguments, and looks at the first");

}  // namespace assay::lang
