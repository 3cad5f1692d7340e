// Scalar values and what operators do with them (C17 6.3, 6.5). Pure: knows nothing of programs or memory. Shares
// nothing with the generator, whose rewrites it has to judge.
//
// A Value is 64 bits; its type's class says how they are read, and each class has a file:
//   Integer  canonical in its type: sign- or zero-extended to 64 bits     scalar_integer.cpp
//   Pointer  a handle (machine/pointers.hpp); 0 is null                    the evaluator's pointer_ops.cpp; here only !
//   Float    comes with scalar_float.cpp: add its cases to Convert and Apply, where they are CHECKs now
// What does not fit (128-bit integers, complex numbers, vectors) becomes a handle of an object, as a record's value is
// (Impl::RecordHandle); its operators are a loop over the parts, each by Apply in the ScalarType of a part.
#pragma once

#include <cstdint>

#include "lang/ops.hpp"
#include "lang/type_kinds.hpp"
#include "machine/trap.hpp"

namespace assay::machine {

struct alignas(4) ScalarType {  // so that it is handed on in one register
  uint8_t bits = 0;             // Integer: including the sign; 1 for _Bool and for nothing else
  bool is_signed = false;
  lang::TypeClass type_class = lang::TypeClass::Void;
  static constexpr ScalarType Integer(uint8_t bits, bool is_signed) {
    return {bits, is_signed, lang::TypeClass::Integer};
  }
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

// --- all classes

[[gnu::cold]] Value ConvertOther(ScalarType from, ScalarType to, Value value);
[[gnu::cold]] ScalarResult ApplyOther(lang::BinaryOp op, ScalarType type, Value lhs, Value rhs);
[[gnu::cold]] ScalarResult ApplyOther(lang::UnaryOp op, ScalarType type, Value operand);

// The value, canonical in `from`, as if assigned to an object of type `to`.
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
