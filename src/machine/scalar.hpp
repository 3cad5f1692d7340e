// Scalar values and what operators do with them (C17 6.3, 6.5). Pure: knows nothing of programs or memory. Shares
// nothing with the generator, whose rewrites it has to judge.
//
// A Value is 64 bits; its type's class says how they are read, and each class has a file:
//   Integer  canonical in its type: sign- or zero-extended to 64 bits     scalar_integer.cpp
//   Pointer  a handle (machine/pointers.hpp); 0 is null                    the evaluator's pointer_ops.cpp; here only !
//   Float    the bits of a float (zero-extended) or double                scalar_float.cpp
//   Vector   a handle of its lanes (machine/wide.hpp)                      the evaluator's vectors.cpp
//   Wide     a handle of its two words, the low one first                  scalar_wide.cpp, the evaluator's wide.cpp
// What else does not fit (complex numbers) becomes a handle, too; its operators are a loop over the parts, each by
// Apply in the ScalarType of a part.
#pragma once

#include <cstdint>
#include <span>

#include "lang/float_kinds.hpp"
#include "lang/ops.hpp"
#include "lang/type_kinds.hpp"
#include "machine/trap.hpp"
#include "machine/wide.hpp"

namespace assay::machine {

struct alignas(4) ScalarType {  // so that it is handed on in one register
  uint8_t bits = 0;             // Integer: including the sign; 1 for _Bool and for nothing else
  bool is_signed = false;
  lang::TypeClass type_class = lang::TypeClass::Void;
  lang::FloatMode mode = lang::FloatMode::Exact;  // Float: what the program promises; the others have the first
  static constexpr ScalarType Integer(uint8_t bits, bool is_signed) {
    return {bits, is_signed, lang::TypeClass::Integer};
  }
  static constexpr ScalarType Float(uint8_t bits, lang::FloatMode mode) {
    return {bits, false, lang::TypeClass::Float, mode};
  }
  static constexpr ScalarType Wide(bool is_signed) { return {128, is_signed, lang::TypeClass::Wide}; }
  friend bool operator==(ScalarType, ScalarType) = default;
};

struct ScalarResult {
  Value value = 0;
  TrapKind trap = TrapKind::None;
};

// --- integers

// The canonical form of the low bits of `value` in `type`. This is the conversion between integer types except to _Bool
// (out-of-range to signed wraps: implementation-defined, the same in all targets), and what a bit-field of type.bits
// keeps of a value.
inline Value Wrap(ScalarType type, Value value) {
  // Without a branch: which of the two it is, is as good as random.
  const unsigned unused = 64u - type.bits;
  const Value extended = static_cast<Value>(static_cast<int64_t>(value << unused) >> unused);
  const Value sign_bits = 0 - static_cast<Value>(type.is_signed);
  return extended & (sign_bits | ~static_cast<Value>(0) >> unused);
}

inline bool Fits(ScalarType type, Value value) { return Wrap(type, value) == value; }

ScalarResult ApplyInteger(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs);
ScalarResult ApplyInteger(lang::UnaryOp op, ScalarType type, Value operand);

// --- floating numbers

// A conversion where one of the types is floating and the other a number. Traps where C leaves it undefined, and on
// what the mode does not promise.
ScalarResult ConvertFloat(ScalarType from, ScalarType to, Value value);
ScalarResult ApplyFloat(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs);
ScalarResult ApplyFloat(lang::UnaryOp op, ScalarType type, Value operand);
// A function of <math.h> (lang::IsMath) on arguments of the type; the second one of ldexp and scalbn is an int.
ScalarResult ApplyMath(lang::Builtin function, ScalarType type, std::span<const Value> arguments);
bool IsNaN(ScalarType type, Value value);
inline bool IsFloatZero(ScalarType type, Value value) { return (value << (64 - type.bits)) << 1 == 0; }
// What may be seen of the bits of a number: of a NaN that it is one, of a zero its sign only where the mode has it.
Value SeenBits(ScalarType type, Value value);
// Whether a number that was read from memory may be one of the program: exact modes have no infinities and NaNs, none
// has signalling NaNs.
bool IsAllowed(ScalarType type, Value value);

// --- wide integers: their 128 bits, of signed ones in two's complement

using WideBits = unsigned __int128;
constexpr Value LowWord(WideBits bits) { return static_cast<Value>(bits); }
constexpr Value HighWord(WideBits bits) { return static_cast<Value>(bits >> 64); }
constexpr WideBits WideOf(Value low, Value high) { return static_cast<WideBits>(high) << 64 | low; }
// The conversion of a value that is canonical in the integer type; what an integer type but _Bool keeps of a wide one
// is Wrap of its low word.
constexpr WideBits WideOf(ScalarType from, Value value) {
  return WideOf(value, from.is_signed && static_cast<int64_t>(value) < 0 ? ~Value{0} : 0);
}
struct WideResult {
  WideBits bits = 0;
  TrapKind trap = TrapKind::None;
};
// lhs op rhs, no comparison and no shift, both operands of the type.
WideResult ApplyWide(lang::BinaryOp op, bool is_signed, WideBits lhs, WideBits rhs);
// A count is one of 64 bits, as of other shifts: one that is negative or does not fit is a very large one.
WideResult ShiftWide(lang::BinaryOp op, bool is_signed, WideBits lhs, Value count);
bool CompareWide(lang::BinaryOp op, bool is_signed, WideBits lhs, WideBits rhs);
// + - and ~.
WideResult ApplyWide(lang::UnaryOp op, bool is_signed, WideBits operand);
// To a floating type, and from one.
ScalarResult FloatOfWide(bool is_signed, ScalarType to, WideBits value);
WideResult WideOfFloat(ScalarType from, bool is_signed, Value value);

// --- all classes

// Whether a scalar that is not 0 may be false all the same, if its type is a floating or a wide one: a zero with a
// sign, or a handle.
inline bool MayBeFalse(Value value) { return value - kFirstHandle < kMostHandles || value == Value{1} << 31; }
// Whether a scalar compares unequal to 0.
inline bool IsTrue(ScalarType type, Value value) {
  return value != 0 && (type.type_class != lang::TypeClass::Float || !IsFloatZero(type, value));
}

[[gnu::cold]] Value ConvertOther(ScalarType from, ScalarType to, Value value);
[[gnu::cold]] ScalarResult ApplyOther(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs);
[[gnu::cold]] ScalarResult ApplyOther(lang::UnaryOp op, ScalarType type, Value operand);

// The value, canonical in `from`, as if assigned to an object of type `to`; a conversion that cannot trap
// (lang::ConvertsExactly).
inline Value Convert(ScalarType from, ScalarType to, Value value) {
  if (from.type_class != lang::TypeClass::Integer || to.type_class != lang::TypeClass::Integer) [[unlikely]] {
    return ConvertOther(from, to, value);
  }
  return to.bits == 1 ? value != 0 : Wrap(to, value);
}

// lhs op rhs in `type`, the one the operator computes in (lang::BinaryOpInfo::computes); both operands are canonical in
// it, but the right operand of a shift is in its own promoted type (a negative count is then a very large one).
// Comparisons give 0 or 1.
inline ScalarResult Apply(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs) {
  if (type.type_class != lang::TypeClass::Integer) [[unlikely]]
    return ApplyOther(op, type, lhs, rhs);
  return ApplyInteger(op, type, lhs, rhs);
}

// The operand is canonical in `type`, the one the operator computes in.
inline ScalarResult Apply(lang::UnaryOp op, ScalarType type, Value operand) {
  if (type.type_class != lang::TypeClass::Integer) [[unlikely]]
    return ApplyOther(op, type, operand);
  return ApplyInteger(op, type, operand);
}

}  // namespace assay::machine
