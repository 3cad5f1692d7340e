#include "machine/float_note.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay::machine {

FloatNote NoteOfValue(ScalarType type, Value value) {
  const double number = type.bits == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value)))
                                        : std::bit_cast<double>(value);
  FloatNote note;
  if (number == 0) return note;
  note.bound = std::max(1.0, std::fabs(number));
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);  // 0.1b...
  const auto digits = static_cast<uint64_t>(std::ldexp(std::fabs(fraction), 53));
  note.grain = std::min(0, exponent - 53 + std::countr_zero(digits));
  return note;
}

FloatNote NoteOfResult(lang::BinaryOp op, FloatNote lhs, FloatNote rhs) {
  using lang::BinaryOp;
  if (op == BinaryOp::Mul) return {lhs.bound * rhs.bound, lhs.grain + rhs.grain};
  // By a power of two, whose factors may divide one after the other.
  if (op == BinaryOp::Div) return {std::ldexp(lhs.bound, -rhs.grain), lhs.grain - std::ilogb(rhs.bound) - 1};
  return {lhs.bound + rhs.bound, std::min(lhs.grain, rhs.grain)};
}

// A compiler may look through all of these: floor(x) is x where x is an integer, fmin(x, y) one of the two, fma(x, y,
// z) is x * y + z. No result of a rounding is larger than its argument by more than 1.
FloatNote NoteOfMath(lang::Builtin function, std::span<const FloatNote> arguments, int64_t power) {
  using lang::BinaryOp;
  using lang::Builtin;
  const FloatNote first = arguments[0];
  if (function == Builtin::Fabs || function == Builtin::CopySign) return first;
  if (function == Builtin::Fmin || function == Builtin::Fmax) return Wider(first, arguments[1]);
  if (function == Builtin::Fma)
    return NoteOfResult(BinaryOp::Add, NoteOfResult(BinaryOp::Mul, first, arguments[1]), arguments[2]);
  if (function == Builtin::Ldexp || function == Builtin::Scalbn) {
    const int shift = static_cast<int>(std::clamp<int64_t>(power, -200, 200));  // beyond, nothing is robust
    return {std::ldexp(first.bound, std::max(shift, 0)), first.grain + std::min(shift, 0)};
  }
  return {first.bound + 1, first.grain};
}

bool IsRobust(ScalarType type, FloatNote note) {
  return std::ldexp(note.bound, -note.grain) <= (type.bits == 32 ? 0x1p24 : 0x1p53);
}

FloatNote Wider(FloatNote a, FloatNote b) { return {std::max(a.bound, b.bound), std::min(a.grain, b.grain)}; }

}  // namespace assay::machine
