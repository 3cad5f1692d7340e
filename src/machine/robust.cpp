// The mode `robust`: where the notes of floating values come from and where they go (machine/float_note.hpp).
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;

void Machine::Impl::NoteConversion(ScalarType from, ScalarType to, Value converted) {
  if (to.type_class == TypeClass::Float && from.type_class != TypeClass::Float) note_ = NoteOfValue(to, converted);
}

// What was stored as a floating number has the note it had then; other bytes have only their value.
TrapKind Machine::Impl::NoteLoad(const LValue& from, Value value) {
  const ScalarType type = facts_[from.Type()].scalar;
  if (type.type_class != TypeClass::Float) return TrapKind::None;
  const NoteTable::Stored* const found = notes_.Find(memory_[from.object].base + from.offset);
  const bool stored = found != nullptr && found->bytes * 8 == type.bits;
  note_ = stored ? found->note : NoteOfValue(type, value);
  return IsRobust(type, note_) ? TrapKind::None : TrapKind::InvalidRepresentation;
}

void Machine::Impl::NoteStore(const LValue& to) {
  const TypeFacts& type = facts_[to.Type()];
  const uint32_t address = memory_[to.object].base + to.offset;
  notes_.Forget(address, SizeOf(to));
  if (type.cls == TypeClass::Float) notes_.Put(address, {note_, type.size});
}

// With -ffast-math vectorisers multiply by the processor's estimate of 1 / x and improve that; the result is not exact
// even where x is a power of two. A constant one becomes an exact factor before.
TrapKind Machine::Impl::CheckDivisor(const Expr& e) const {
  if (e.Binary() != lang::BinaryOp::Div || program_.exprs[e.rhs].kind == lang::ExprKind::Constant)
    return TrapKind::None;
  const bool floats = FactsOf(e.lhs).cls == TypeClass::Float || FactsOf(e.rhs).cls == TypeClass::Float;
  return floats ? TrapKind::FloatInexact : TrapKind::None;
}

TrapKind Machine::Impl::ComputeFloat(lang::BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b, Value& out) {
  const ScalarType type = Common(lhs, rhs);
  const ScalarResult left = ConvertFloat(lhs, type, a), right = ConvertFloat(rhs, type, b);
  if (left.trap != TrapKind::None) return left.trap;
  if (right.trap != TrapKind::None) return right.trap;
  const ScalarResult result = Apply(op, type, left.value, right.value);
  out = result.value;
  if (!robust_ || result.trap != TrapKind::None) return result.trap;
  const FloatNote x = lhs.type_class == TypeClass::Float ? left_note_ : NoteOfValue(type, left.value);
  const FloatNote y = rhs.type_class == TypeClass::Float ? right_note_ : NoteOfValue(type, right.value);
  if (!IsRobust(type, x) || !IsRobust(type, y)) return TrapKind::FloatInexact;
  if (lang::IsComparison(op)) return TrapKind::None;
  note_ = NoteOfResult(op, x, y);
  return IsRobust(type, note_) ? TrapKind::None : TrapKind::FloatInexact;
}

}  // namespace assay::machine
