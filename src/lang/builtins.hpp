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
  VaStart,      // va_start(ap, last): args = {lvalue of type VaList}
  VaEnd,        // va_end(ap)
  VaArg,        // va_arg(ap, T): ref_type = T
  AddOverflow,  // __builtin_add_overflow(a, b, p): *p = a + b, wrapped; whether it does not fit. args = {a, b, p}
  SubOverflow,
  MulOverflow,
  AddOverflowP,  // __builtin_add_overflow_p(a, b, c): whether a + b does not fit the type of c, which is a constant
  SubOverflowP,
  MulOverflowP,
  Expect,             // __builtin_expect(e, c): e as a long; c is a constant
  ExpectProbability,  // __builtin_expect_with_probability(e, c, n / 100.0): args = {e, c, n}
  AssumeAligned,  // (T*)__builtin_assume_aligned(p, n): p, n a constant that the alignment of T fulfils; ref_type = T
  ConstantP,      // (__builtin_constant_p(x) ? a : b): args = {x, a, b}; x is not evaluated, a and b have one value
  ObjectSize,     // (__builtin_object_size(x, 0) > 16 ? a : b): the same, x a pointer
  Unreachable,    // __builtin_unreachable(): never executed
  Trap,           // __builtin_trap(): the same
  // In one thread the operations on one object in their order; the place is a pointer to an integer T.
  AtomicLoad,      // __atomic_load_n(p, order)
  AtomicStore,     // __atomic_store_n(p, v, order)
  AtomicExchange,  // __atomic_exchange_n(p, v, order): the old value
  AtomicFetchAdd,  // __atomic_fetch_add(p, v, order): the old value; it wraps, also where T is signed
  AtomicFetchSub,
  AtomicFetchAnd,
  AtomicFetchOr,
  AtomicFetchXor,
  AtomicFetchNand,
  AtomicAddFetch,  // __atomic_add_fetch(p, v, order): the new value
  AtomicXorFetch,
  SyncFetchAdd,  // __sync_fetch_and_add(p, v)
  SyncFetchSub,
  SyncSwap,         // __sync_lock_test_and_set(p, v)
  SyncCompareSwap,  // __sync_val_compare_and_swap(p, old, new)
  // Of strings: pointers to char, with a zero in the array.
  Strlen,   // strlen(s)
  Strcmp,   // strcmp(s, t): result normalised by the emitted text to -1, 0, 1
  Strncmp,  // strncmp(s, t, n): the same
  Strchr,   // strchr(s, c)
  Memchr,   // memchr(s, c, n), n characters that are there
  Strcpy,   // strcpy(s, t)
  Strcat,   // strcat(s, t)
  // Of floating numbers, of the type T: docs/floating-point.md.
  Fabs,       // __builtin_fabs(x); for a float it is __builtin_fabsf, as all of these
  CopySign,   // __builtin_copysign(x, y)
  Floor,      // __builtin_floor(x)
  Ceil,       // __builtin_ceil(x)
  Trunc,      // __builtin_trunc(x)
  Rint,       // __builtin_rint(x): to even, the only rounding there is
  NearbyInt,  // __builtin_nearbyint(x): the same
  Round,      // __builtin_round(x): halves away from zero
  Fmin,       // __builtin_fmin(x, y)
  Fmax,       // __builtin_fmax(x, y)
  Sqrt,       // __builtin_sqrt(x)
  Fma,        // __builtin_fma(x, y, z)
  Ldexp,      // __builtin_ldexp(x, n), n an int
  Scalbn,     // __builtin_scalbn(x, n): the same
  // Of one or two floating numbers of any type. What is not 0 for true becomes 1 in the text.
  IsNaN,           // (__builtin_isnan(x) != 0)
  IsInf,           // (__builtin_isinf(x) != 0)
  IsFinite,        // (__builtin_isfinite(x) != 0)
  SignBit,         // (__builtin_signbit(x) != 0)
  IsGreater,       // __builtin_isgreater(x, y)
  IsGreaterEqual,  // __builtin_isgreaterequal(x, y)
  IsLess,          // __builtin_isless(x, y)
  IsLessEqual,     // __builtin_islessequal(x, y)
  IsLessGreater,   // __builtin_islessgreater(x, y)
  IsUnordered,     // __builtin_isunordered(x, y)
  // Of vectors.
  ConvertVector,  // __builtin_convertvector(v, T): every lane converted
  Shuffle,        // __builtin_shuffle(v, w, mask): lane i is lane mask[i] of v and w, modulo their number
  ShuffleVector,  // __builtin_shufflevector(v, w, i, j, ...): the same of constants, as many as T has lanes
  kCount
};

// What the arguments must be (lang/constraints).
enum class BuiltinOperands : uint8_t {
  Count,                // an integer: how many T
  Freed,                // a pointer to what may be written
  Filled,               // a pointer to what may be written, and an integer
  Copied,               // a pointer to a T that may be written, and a pointer to T
  Compared,             // two pointers to T
  ArgumentList,         // an lvalue of type VaList
  Checked,              // two integers and a pointer to an integer that may be written
  CheckedType,          // two integers and a constant
  Expected,             // an integer and a constant; for a probability another, from 0 to 100
  Aligned,              // a pointer to T and a power of two
  Choice,               // anything without side effects, and two integers of one type without side effects
  ChoiceOfSize,         // a pointer without side effects, and the same
  Atomic,               // a pointer to T, an integer that may be written, and an integer; or two; or none
  String,               // a pointer to char; more of them
  StringCount,          // two pointers to char and an integer
  Character,            // a pointer to char and an integer; for memchr another
  Overwritten,          // a pointer to char that may be written, and one to char
  Floating,             // numbers that convert to the floating type T
  Scaled,               // one, and an integer
  Classified,           // floating numbers of any type
  None,                 // there are none
  Vector,               // a vector with as many lanes as T
  Shuffled,             // two vectors T, and a mask: one with signed integers as wide
  ShuffledByConstants,  // two vectors with the lanes that T has, and as many constants as those are
};

// Argument: T, as an argument has it. Pointee: T, what the first argument points at. Choice: the promoted type of both
// values. Floating: T, a floating type.
enum class BuiltinResult : uint8_t {
  PointerToType,
  Nothing,
  Int,
  Argument,
  Bool,
  Long,
  Choice,
  Pointee,
  Size,
  CharPointer,
  Floating,
  Vector  // T
};

// How the call is written.
enum class BuiltinShape : uint8_t {
  Product,        // (T *)f(argument * sizeof(T))
  Counted,        // (T *)f(argument, sizeof(T))
  Sized,          // f(arguments, sizeof(T))
  Plain,          // f(arguments)
  LastParameter,  // f(arguments, the function's last parameter)
  Typed,          // f(arguments, T)
  Ordered,        // f(arguments, __ATOMIC_SEQ_CST)
  Probability,    // f(arguments, the last one as a fraction of 100)
  Choice,         // (f(first) ? second : third)
  ChoiceOfSize,   // (f(first, 0) > 16 ? second : third)
  OfKind,         // f(arguments), for a float ff(arguments)
  Truth,          // (f(arguments) != 0)
  Shuffle,        // a function of ours, which is named after T: clang has no such builtin
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
  bool pure = false;  // no side effects of its own, and it reads no object
  bool overwrites =
      false;  // all that it does is to store into its first argument's object: the reducer may drop it with that
};

inline constexpr uint8_t kMostBuiltinArguments = 3;

ROWS_BEGIN
// clang-format off
inline constexpr std::array kBuiltins = {
    BuiltinInfo{Builtin::Malloc, "malloc", 1, BuiltinOperands::Count, BuiltinResult::PointerToType,
                BuiltinShape::Product, Availability::Everywhere, "void *", "%", false, false},
    BuiltinInfo{Builtin::Calloc, "calloc", 1, BuiltinOperands::Count, BuiltinResult::PointerToType,
                BuiltinShape::Counted, Availability::Everywhere, "void *", "%, %", false, false},
    BuiltinInfo{Builtin::Free, "free", 1, BuiltinOperands::Freed, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Everywhere, "void ", "void *", false, false},
    BuiltinInfo{Builtin::Memcpy, "memcpy", 2, BuiltinOperands::Copied, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, const void *, %", false, true},
    BuiltinInfo{Builtin::Memmove, "memmove", 2, BuiltinOperands::Copied, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, const void *, %", false, true},
    BuiltinInfo{Builtin::Memset, "memset", 2, BuiltinOperands::Filled, BuiltinResult::Nothing,
                BuiltinShape::Sized, Availability::Everywhere, "void *", "void *, int, %", false, true},
    BuiltinInfo{Builtin::Memcmp, "memcmp", 2, BuiltinOperands::Compared, BuiltinResult::Int,
                BuiltinShape::Sized, Availability::Everywhere, "int ", "const void *, const void *, %", false, false},
    BuiltinInfo{Builtin::VaStart, "__builtin_va_start", 1, BuiltinOperands::ArgumentList, BuiltinResult::Nothing,
                BuiltinShape::LastParameter, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::VaEnd, "__builtin_va_end", 1, BuiltinOperands::ArgumentList, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::VaArg, "__builtin_va_arg", 1, BuiltinOperands::ArgumentList, BuiltinResult::Argument,
                BuiltinShape::Typed, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AddOverflow, "__builtin_add_overflow", 3, BuiltinOperands::Checked, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::SubOverflow, "__builtin_sub_overflow", 3, BuiltinOperands::Checked, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::MulOverflow, "__builtin_mul_overflow", 3, BuiltinOperands::Checked, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AddOverflowP, "__builtin_add_overflow_p", 3, BuiltinOperands::CheckedType, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::SubOverflowP, "__builtin_sub_overflow_p", 3, BuiltinOperands::CheckedType, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::MulOverflowP, "__builtin_mul_overflow_p", 3, BuiltinOperands::CheckedType, BuiltinResult::Bool,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Expect, "__builtin_expect", 2, BuiltinOperands::Expected, BuiltinResult::Long,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::ExpectProbability, "__builtin_expect_with_probability", 3, BuiltinOperands::Expected, BuiltinResult::Long,
                BuiltinShape::Probability, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::AssumeAligned, "__builtin_assume_aligned", 2, BuiltinOperands::Aligned, BuiltinResult::PointerToType,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::ConstantP, "__builtin_constant_p", 3, BuiltinOperands::Choice, BuiltinResult::Choice,
                BuiltinShape::Choice, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::ObjectSize, "__builtin_object_size", 3, BuiltinOperands::ChoiceOfSize, BuiltinResult::Choice,
                BuiltinShape::ChoiceOfSize, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Unreachable, "__builtin_unreachable", 0, BuiltinOperands::None, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::Trap, "__builtin_trap", 0, BuiltinOperands::None, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicLoad, "__atomic_load_n", 1, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicStore, "__atomic_store_n", 2, BuiltinOperands::Atomic, BuiltinResult::Nothing,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicExchange, "__atomic_exchange_n", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchAdd, "__atomic_fetch_add", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchSub, "__atomic_fetch_sub", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchAnd, "__atomic_fetch_and", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchOr, "__atomic_fetch_or", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchXor, "__atomic_fetch_xor", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicFetchNand, "__atomic_fetch_nand", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicAddFetch, "__atomic_add_fetch", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::AtomicXorFetch, "__atomic_xor_fetch", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Ordered, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::SyncFetchAdd, "__sync_fetch_and_add", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::SyncFetchSub, "__sync_fetch_and_sub", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::SyncSwap, "__sync_lock_test_and_set", 2, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::SyncCompareSwap, "__sync_val_compare_and_swap", 3, BuiltinOperands::Atomic, BuiltinResult::Pointee,
                BuiltinShape::Plain, Availability::Gnu, "", "", false, false},
    BuiltinInfo{Builtin::Strlen, "strlen", 1, BuiltinOperands::String, BuiltinResult::Size,
                BuiltinShape::Plain, Availability::Everywhere, "% ", "const char *", false, false},
    BuiltinInfo{Builtin::Strcmp, "strcmp", 2, BuiltinOperands::String, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Everywhere, "int ", "const char *, const char *", false, false},
    BuiltinInfo{Builtin::Strncmp, "strncmp", 3, BuiltinOperands::StringCount, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Everywhere, "int ", "const char *, const char *, %", false, false},
    BuiltinInfo{Builtin::Strchr, "strchr", 2, BuiltinOperands::Character, BuiltinResult::CharPointer,
                BuiltinShape::Plain, Availability::Everywhere, "char *", "const char *, int", false, false},
    BuiltinInfo{Builtin::Memchr, "memchr", 3, BuiltinOperands::Character, BuiltinResult::CharPointer,
                BuiltinShape::Plain, Availability::Everywhere, "void *", "const void *, int, %", false, false},
    BuiltinInfo{Builtin::Strcpy, "strcpy", 2, BuiltinOperands::Overwritten, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Everywhere, "char *", "char *, const char *", false, false},
    BuiltinInfo{Builtin::Strcat, "strcat", 2, BuiltinOperands::Overwritten, BuiltinResult::Nothing,
                BuiltinShape::Plain, Availability::Everywhere, "char *", "char *, const char *", false, false},
    BuiltinInfo{Builtin::Fabs, "__builtin_fabs", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::CopySign, "__builtin_copysign", 2, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Floor, "__builtin_floor", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Ceil, "__builtin_ceil", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Trunc, "__builtin_trunc", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Rint, "__builtin_rint", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::NearbyInt, "__builtin_nearbyint", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Round, "__builtin_round", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Fmin, "__builtin_fmin", 2, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Fmax, "__builtin_fmax", 2, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Sqrt, "__builtin_sqrt", 1, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Fma, "__builtin_fma", 3, BuiltinOperands::Floating, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Ldexp, "__builtin_ldexp", 2, BuiltinOperands::Scaled, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Scalbn, "__builtin_scalbn", 2, BuiltinOperands::Scaled, BuiltinResult::Floating,
                BuiltinShape::OfKind, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsNaN, "__builtin_isnan", 1, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Truth, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsInf, "__builtin_isinf", 1, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Truth, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsFinite, "__builtin_isfinite", 1, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Truth, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::SignBit, "__builtin_signbit", 1, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Truth, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsGreater, "__builtin_isgreater", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsGreaterEqual, "__builtin_isgreaterequal", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsLess, "__builtin_isless", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsLessEqual, "__builtin_islessequal", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsLessGreater, "__builtin_islessgreater", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::IsUnordered, "__builtin_isunordered", 2, BuiltinOperands::Classified, BuiltinResult::Int,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::ConvertVector, "__builtin_convertvector", 1, BuiltinOperands::Vector, BuiltinResult::Vector,
                BuiltinShape::Typed, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::Shuffle, "__builtin_shuffle", 3, BuiltinOperands::Shuffled, BuiltinResult::Vector,
                BuiltinShape::Shuffle, Availability::Gnu, "", "", true, false},
    BuiltinInfo{Builtin::ShuffleVector, "__builtin_shufflevector", 3, BuiltinOperands::ShuffledByConstants, BuiltinResult::Vector,
                BuiltinShape::Plain, Availability::Gnu, "", "", true, false},
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
    case BuiltinShape::Typed:
    case BuiltinShape::Ordered:
    case BuiltinShape::Probability:
    case BuiltinShape::Choice:
    case BuiltinShape::ChoiceOfSize:
    case BuiltinShape::Shuffle:
    case BuiltinShape::OfKind:
    case BuiltinShape::Truth: return false;
  }
  return false;
}
// The first argument is an lvalue and is not read as a value.
constexpr bool TakesLvalue(Builtin builtin) { return Info(builtin).operands == BuiltinOperands::ArgumentList; }

// The last ones are constants, which are part of the builtin and are not evaluated; their number varies.
constexpr bool EndsInConstants(Builtin builtin) {
  return Info(builtin).operands == BuiltinOperands::ShuffledByConstants;
}
constexpr bool TakesArguments(Builtin builtin, uint64_t count) {
  return EndsInConstants(builtin) ? count >= Info(builtin).arguments : count == Info(builtin).arguments;
}

// The first argument is not evaluated, and of the others the compiler takes one.
constexpr bool IsEitherWay(Builtin builtin) { return Info(builtin).result == BuiltinResult::Choice; }

// A function of floating numbers (machine/scalar_math.cpp).
constexpr bool IsMath(Builtin builtin) {
  const BuiltinOperands operands = Info(builtin).operands;
  return operands == BuiltinOperands::Floating || operands == BuiltinOperands::Scaled ||
         operands == BuiltinOperands::Classified;
}

// The text calls a function of its own, with what the library gives as -1, 0 or 1.
constexpr bool ComparesBytes(Builtin builtin) {
  return builtin == Builtin::Memcmp || builtin == Builtin::Strcmp || builtin == Builtin::Strncmp;
}

constexpr bool ArgumentsFit() {
  for (const BuiltinInfo& row : kBuiltins) {
    if ((row.arguments == 0) != (row.operands == BuiltinOperands::None)) return false;
    if (row.arguments > kMostBuiltinArguments) return false;
  }
  return true;
}
static_assert(ArgumentsFit(), "the machine keeps kMostBuiltinArguments arguments, and looks at the first");

}  // namespace assay::lang
