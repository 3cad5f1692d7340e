// The mode `robust`: where the notes of floating values come from and where they go (machine/float_note.hpp).
#include "machine/impl.hpp"

namespace assay::machine {

void Machine::Impl::NoteConversion(ScalarType from, ScalarType to, Value converted) {
  if (to.type_class == TypeClass::Float && from.type_class != TypeClass::Float) note_ = NoteOfValue(to, converted);
}

// What was stored as a floating number has the note it had then. Bytes that were stored otherwise since have only their
// value; the wider of both is right for either.
TrapKind Machine::Impl::NoteLoad(const LValue& from, Value value) {
  const ScalarType type = facts_[from.Type()].scalar;
  if (type.type_class != TypeClass::Float) return TrapKind::None;
  note_ = NoteOfValue(type, value);
  const auto found = notes_.find(memory_[from.object].base + from.offset);
  if (found != notes_.end()) note_ = Wider(note_, found->second);
  return IsRobust(type, note_) ? TrapKind::None : TrapKind::InvalidRepresentation;
}

void Machine::Impl::NoteStore(const LValue& to) {
  if (facts_[to.Type()].cls == TypeClass::Float) notes_[memory_[to.object].base + to.offset] = note_;
}

void Machine::Impl::CopyNotes(uint32_t to, uint32_t from, uint32_t bytes) {
  std::vector<std::pair<uint32_t, FloatNote>> copied;
  for (uint32_t i = 0; i < bytes; ++i) {
    if (const auto found = notes_.find(from + i); found != notes_.end()) copied.emplace_back(to + i, found->second);
  }
  for (uint32_t i = 0; i < bytes; ++i) notes_.erase(to + i);
  for (const auto& [address, note] : copied) notes_[address] = note;
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
