// Integers of 128 bits in the evaluator: a value is a handle of its words (machine/wide.hpp), in memory it is its two
// halves, in the order of the bytes.
#include "machine/impl.hpp"

namespace assay::machine {

LValue Machine::Impl::HalfOf(const LValue& wide, bool high) const {
  LValue half = wide;
  half.type_index = program_.types.Basic(lang::TypeKind::UInt64).index;
  if (high != program_.Model().Properties().big_endian) half.offset += 8;
  return half;
}

TrapKind Machine::Impl::LoadWide(const LValue& from, WideBits& out) const {
  Value words[2];
  for (const bool high : {false, true}) {
    const TrapKind trap = LoadScalar(HalfOf(from, high), words[high ? 1 : 0]);
    if (trap != TrapKind::None) return trap;
  }
  out = WideOf(words[0], words[1]);
  return TrapKind::None;
}

TrapKind Machine::Impl::StoreWide(const LValue& to, Value value) {
  const WideBits bits = WideBitsOf(value);
  for (const bool high : {false, true}) {
    const TrapKind trap = StoreScalar(HalfOf(to, high), high ? HighWord(bits) : LowWord(bits));
    if (trap != TrapKind::None) return trap;
  }
  return TrapKind::None;
}

TrapKind Machine::Impl::CombineWide(lang::BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b, Value& out) {
  WideResult result;
  if (lang::IsShift(op)) {
    Value count = b;
    if (rhs.type_class == TypeClass::Wide) {
      const WideBits bits = WideBitsOf(b);
      count = HighWord(bits) != 0 ? ~Value{0} : LowWord(bits);
    }
    if (lhs.type_class != TypeClass::Wide) {
      const ScalarResult narrow = Apply(op, lhs, a, count);
      out = narrow.value;
      return narrow.trap;
    }
    result = ShiftWide(op, lhs.is_signed, WideBitsOf(a), count);
  } else {
    const bool is_signed = Common(lhs, rhs).is_signed;
    const WideBits x = Widened(lhs, a), y = Widened(rhs, b);
    if (lang::IsComparison(op)) {
      out = CompareWide(op, is_signed, x, y);
      return TrapKind::None;
    }
    result = ApplyWide(op, is_signed, x, y);
  }
  if (result.trap == TrapKind::None) out = MakeWide(result.bits);
  return result.trap;
}

TrapKind Machine::Impl::ApplyToWide(lang::UnaryOp op, ScalarType type, Value operand, Value& out) {
  const WideBits bits = WideBitsOf(operand);
  if (op == lang::UnaryOp::LogicalNot) {
    out = bits == 0;
    return TrapKind::None;
  }
  const WideResult result = ApplyWide(op, type.is_signed, bits);
  if (result.trap == TrapKind::None) out = MakeWide(result.bits);
  return result.trap;
}

ScalarResult Machine::Impl::ConvertWide(ScalarType from, ScalarType to, Value value) {
  if (to.type_class == TypeClass::Void) return {value};
  if (to.type_class != TypeClass::Wide) {
    const WideBits bits = WideBitsOf(value);
    if (to.type_class == TypeClass::Float) return FloatOfWide(from.is_signed, to, bits);
    return {to.bits == 1 ? bits != 0 : Wrap(to, LowWord(bits))};
  }
  if (from.type_class == TypeClass::Wide) return {value};  // of the other sign: the bits are the same
  if (from.type_class == TypeClass::Integer) return {MakeWide(WideOf(from, value))};
  const WideResult result = WideOfFloat(from, to.is_signed, value);
  return {result.trap == TrapKind::None ? MakeWide(result.bits) : 0, result.trap};
}

}  // namespace assay::machine
