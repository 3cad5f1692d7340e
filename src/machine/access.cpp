// Loads and stores, with the rules on what may be read and written: initialisation, representation, qualifiers,
// overlap.
#include "machine/impl.hpp"
#include "support/hash.hpp"

namespace assay::machine {

using lang::kConst;
using lang::kVolatile;

uint8_t Machine::Impl::QualifiersAt(lang::TypeId whole_id, uint32_t offset, uint32_t bytes, uint8_t wanted) const {
  const TypeFacts& whole = facts_[whole_id];
  if ((whole.part_quals & wanted) == 0) return 0;
  if (whole.quals & wanted) return whole.quals & wanted;
  if (whole.cls == TypeClass::Array) {
    const uint32_t size = facts_[whole.element].size;
    if (bytes > size) return facts_[whole.element].part_quals & wanted;
    return QualifiersAt(whole.element, offset % size, bytes, wanted);
  }
  if (whole.cls != TypeClass::Record) return 0;
  if (offset >= whole.size) offset %= whole.size;
  uint8_t found = 0;
  for (const MemberFacts& member : facts_.Members(whole.record)) {
    const uint32_t size = facts_[member.type].size;
    if (offset >= member.offset + size || member.offset >= offset + bytes) continue;
    const uint32_t inside = offset > member.offset ? offset - member.offset : 0;
    found |= QualifiersAt(member.type, inside, bytes, wanted);
  }
  return found;
}

TrapKind Machine::Impl::CheckVolatile(const LValue& lvalue) const {
  if (facts_[lvalue.Type()].part_quals & kVolatile) return TrapKind::None;
  const Object& object = memory_[lvalue.object];
  if (QualifiersAt(object.type, lvalue.offset, SizeOf(lvalue), kVolatile) == 0) return TrapKind::None;
  return TrapKind::VolatileAccess;
}

void Machine::Impl::TraceVolatile(const LValue& lvalue, bool write, Value value) {
  if (probing_) return;
  log_.AddVolatile(depth_, write);
  if (!options_.trace_volatile) return;
  const Object& object = memory_[lvalue.object];
  const ScalarType scalar = facts_[lvalue.Type()].scalar;
  if (scalar.type_class == TypeClass::Float) {
    value = SeenBits(scalar, value);
  } else if (scalar.type_class != TypeClass::Integer) {
    value = 0;
  }
  volatile_hash_ = support::Mix64(volatile_hash_ ^ value);
  volatile_hash_ = support::Mix64(volatile_hash_ ^ (static_cast<uint64_t>(object.var.index) << 32 | lvalue.offset << 1 |
                                                    static_cast<uint64_t>(write)));
  if (volatile_trace_.size() < 10'000) volatile_trace_.push_back({object.var, lvalue.offset, write, value});
}

TrapKind Machine::Impl::Load(const LValue& from, Value& out) {
  const TypeFacts& type = facts_[from.Type()];
  if (type.cls == TypeClass::Array) {
    out = Decay(from);
    return TrapKind::None;
  }
  const Object& object = memory_[from.object];
  if (object.part_quals & kVolatile) {
    const TrapKind trap = CheckVolatile(from);
    if (trap != TrapKind::None) return trap;
  }
  if (!restricts_.empty()) {
    const TrapKind trap = CheckRestrict(from, false);
    if (trap != TrapKind::None) return trap;
  }
  LogAccess(from, false);
  TrapKind trap = TrapKind::None;
  if (type.cls == TypeClass::Record) {
    if (!memory_.AnyInitialized(object.base + from.offset, type.size)) trap = TrapKind::UninitializedRead;
    out = RecordHandle(from.object, from.offset);
  } else if (type.cls == TypeClass::Vector) [[unlikely]] {
    trap = LoadVector(from, out);
  } else if (type.cls == TypeClass::Wide) [[unlikely]] {
    WideBits bits = 0;
    trap = LoadWide(from, bits);
    if (trap == TrapKind::None) out = MakeWide(bits);
  } else {
    trap = LoadScalar(from, out);
    if (robust_ && trap == TrapKind::None) trap = NoteLoad(from, out);
  }
  if (trap == TrapKind::None && (type.part_quals & kVolatile)) TraceVolatile(from, false, out);
  return trap;
}

TrapKind Machine::Impl::LoadScalar(const LValue& from, Value& out) const {
  const TypeFacts& type = facts_[from.Type()];
  const uint32_t address = memory_[from.object].base + from.offset;
  Readable readable;
  if (type.cls == TypeClass::Pointer) {
    PointerHandle handle = 0;
    readable = memory_.LoadPointer(address, type.size, handle);
    out = handle;
    if (readable == Readable::Yes) return Dangles(out) ? TrapKind::DanglingPointer : TrapKind::None;
    return Unreadable(from, readable);
  }
  if (type.cls == TypeClass::Float) [[unlikely]] {
    readable = memory_.LoadFloat(address, type.size, out);
    if (readable != Readable::Yes) return Unreadable(from, readable);
    return IsAllowed(type.scalar, out) ? TrapKind::None : TrapKind::InvalidRepresentation;
  }
  ScalarType integer = type.scalar;
  if (from.bit_width >= 0) {
    integer.bits = static_cast<uint8_t>(from.bit_width);
    readable = memory_.LoadField(address, from.bit_offset, integer.bits, out);
  } else {
    readable = memory_.Load(address, type.size, out);
  }
  if (readable != Readable::Yes) return Unreadable(from, readable);
  if (type.kind == lang::TypeKind::Bool && out > 1) return TrapKind::InvalidRepresentation;
  out = Wrap(integer, out);
  return TrapKind::None;
}

TrapKind Machine::Impl::Unreadable(const LValue& from, Readable why) const {
  if (why == Readable::Fragment) return TrapKind::InvalidRepresentation;
  const Object& object = memory_[from.object];
  if (from.view && IsPadding(object.type, from.offset)) return TrapKind::PaddingObserved;
  if (from.unions > 0) {
    const LValue::UnionScope& scope = from.scopes[from.unions - 1];
    if (memory_.AnyInitialized(object.base + scope.begin, scope.end - scope.begin)) {
      return TrapKind::InvalidRepresentation;
    }
  }
  return facts_[from.Type()].cls == TypeClass::Pointer ? TrapKind::IndeterminatePointer : TrapKind::UninitializedRead;
}

bool Machine::Impl::IsPadding(lang::TypeId whole, uint32_t offset) const {
  const std::vector<uint8_t>& bits = facts_.ValueBits(whole);
  return !bits.empty() && bits[offset % bits.size()] != 0xff;
}

TrapKind Machine::Impl::CheckStore(const LValue& to) const {
  const Object& object = memory_[to.object];
  if (object.flags & kObjectString) return TrapKind::StringModified;
  if (object.flags & kObjectTemporary) return TrapKind::ConstModified;  // 6.2.4p8
  if (facts_[to.Type()].part_quals & kConst) return TrapKind::ConstModified;
  if (QualifiersAt(object.type, to.offset, SizeOf(to), kConst) != 0) return TrapKind::ConstModified;
  return TrapKind::None;
}

TrapKind Machine::Impl::Store(const LValue& to, Value value) {
  const TypeFacts& type = facts_[to.Type()];
  const Object& object = memory_[to.object];
  if (((object.part_quals | type.part_quals) & (kConst | kVolatile)) ||
      (object.flags & (kObjectString | kObjectTemporary)) || to.view) [[unlikely]] {
    TrapKind trap = CheckStore(to);
    if (trap == TrapKind::None) trap = CheckVolatile(to);
    if (trap == TrapKind::None && to.view && IsPadding(object.type, to.offset)) trap = TrapKind::PaddingObserved;
    if (trap != TrapKind::None) return trap;
  }
  if (!restricts_.empty()) {
    const TrapKind trap = CheckRestrict(to, true);
    if (trap != TrapKind::None) return trap;
  }
  if (type.cls == TypeClass::Record) {
    const LValue from = FromRecordHandle(value, to.Type());
    if (from.object == to.object && from.offset != to.offset && from.offset < to.offset + type.size &&
        to.offset < from.offset + type.size) {
      return TrapKind::Overlap;
    }
  }
  LogAccess(to, true);
  const TrapKind trap = StoreScalar(to, value);
  if (trap == TrapKind::None && (type.part_quals & kVolatile)) TraceVolatile(to, true, value);
  return trap;
}

// Stores without checks; also records.
TrapKind Machine::Impl::StoreScalar(const LValue& to, Value value) {
  const TypeFacts& type = facts_[to.Type()];
  if (type.cls == TypeClass::Vector) [[unlikely]]
    return StoreVector(to, value);
  if (type.cls == TypeClass::Wide) [[unlikely]]
    return StoreWide(to, value);
  const uint32_t base = memory_[to.object].base;
  const uint32_t address = base + to.offset;
  if (options_.tracer != nullptr) [[unlikely]]
    options_.tracer->OnStore(memory_[to.object].var, to.offset, to.Type(), value);
  if (type.cls == TypeClass::Record) {
    const LValue from = FromRecordHandle(value, to.Type());
    memory_.Copy(address, memory_[from.object].base + from.offset, type.size);
    if (robust_) notes_.Copy(address, memory_[from.object].base + from.offset, type.size);
    if (!type.solid) memory_.Shape(address, facts_.ValueBits(to.Type()), {});  // padding is not copied (6.2.6.1p6)
  } else if (type.cls == TypeClass::Pointer) {
    if (!memory_.StorePointer(address, type.size, static_cast<PointerHandle>(value))) return TrapKind::StepBudget;
  } else if (type.cls == TypeClass::Float) {
    memory_.StoreFloat(address, type.size, value, HiddenIn(type.scalar, value));
  } else if (to.bit_width >= 0) {
    memory_.StoreField(address, to.bit_offset, static_cast<unsigned>(to.bit_width), value);
  } else {
    memory_.Store(address, type.size, value);
  }
  if (robust_ && type.cls != TypeClass::Record) [[unlikely]]
    NoteStore(to);
  if (to.unions > 0) [[unlikely]]
    LeaveUnions(to);
  return TrapKind::None;
}

// The bytes of a union that are not of the member stored to (6.2.6.1p7), and the padding of a struct on the way
// (6.2.6.1p6).
void Machine::Impl::LeaveUnions(const LValue& to) {
  const uint32_t base = memory_[to.object].base;
  for (uint8_t i = 0; i < to.unions; ++i) {
    const LValue::UnionScope& scope = to.scopes[i];
    if (memory_[to.object].flags & kObjectStatic) {
      active_members_[UnionKey(to.object, scope.begin, scope.end)] = scope.member;
    }
    memory_.Forget(base + scope.begin, scope.member_begin - scope.begin);
    memory_.Forget(base + scope.member_end, scope.end - scope.member_end);
    const lang::TypeId member(scope.member_type);
    const TypeFacts& type = facts_[member];
    if (!type.solid && (type.cls == TypeClass::Record || type.cls == TypeClass::Array)) {
      memory_.Shape(base + scope.member_begin, facts_.ValueBits(member), {});
    }
    if (to.bit_width >= 0 &&
        type.cls == TypeClass::Integer) {  // the member is the bit-field: nothing else of its bytes
      std::vector<uint8_t> bits;
      for (uint32_t byte = 0; byte < scope.member_end - scope.member_begin; ++byte)
        bits.push_back(facts_.FieldBits(byte, to.bit_offset, static_cast<unsigned>(to.bit_width)));
      memory_.Shape(base + scope.member_begin, bits, {});
    }
  }
}

// A pointer is stored to a restrict-qualified object: from now on, until the frame ends, what is accessed through it
// must not be accessed otherwise if it is written. Conservative: C17 6.7.3.1 allows a little more.
Value Machine::Impl::Retag(Value pointer, const TypeFacts& type) {
  if (pointer == 0) return 0;
  Pointer p = pointers_[static_cast<PointerHandle>(pointer)];
  p.tag = next_tag_++;
  const bool to_const = (facts_[type.element].quals & kConst) != 0;
  restricts_.push_back({p.tag, static_cast<uint32_t>(restrict_log_.size()), to_const});
  return pointers_.Intern(p);
}

// Based on a restrict-qualified pointer of this call, so that none of the same block may get its value (6.7.3.1p4). An
// inner block's could, but blocks are not told apart.
bool Machine::Impl::IsRestrictedHere(Value pointer) const {
  if (pointer == 0) return false;
  const uint32_t tag = pointers_[static_cast<PointerHandle>(pointer)].tag;
  const auto mine = restricts_.begin() + frame_.restrict_base;
  return std::any_of(mine, restricts_.end(), [tag](const RestrictPointer& other) { return other.tag == tag; });
}

TrapKind Machine::Impl::CheckRestrict(const LValue& lvalue, bool write) {
  const auto live = [this](uint32_t tag) -> const RestrictPointer* {
    for (const RestrictPointer& pointer : restricts_) {
      if (pointer.tag == tag) return &pointer;
    }
    return nullptr;
  };
  const uint32_t serial = memory_[lvalue.object].serial;
  const uint32_t begin = lvalue.offset, end = lvalue.offset + std::max(1u, SizeOf(lvalue));
  const RestrictPointer* mine = live(lvalue.tag);
  if (write && mine != nullptr && mine->to_const) return TrapKind::Restrict;
  // Bytes that were accessed so before, in the lifetime of the youngest pointer: whatever could conflict with that
  // was compared when the later of the two came. Loops access the same bytes again and again.
  uint32_t& recent = restrict_recent_[(begin / 8 + lvalue.tag * 5 + serial * 3 + (write ? 1 : 0)) % kRestrictRecent];
  if (recent < restrict_log_.size() && recent >= restricts_.back().start) {
    const RestrictAccess& known = restrict_log_[recent];
    if (known.serial == serial && known.tag == lvalue.tag && known.write == write && known.begin <= begin &&
        end <= known.end)
      return TrapKind::None;
  }
  RestrictAccess* same = nullptr;
  for (size_t i = 0; i < restrict_log_.size(); ++i) {
    RestrictAccess& other = restrict_log_[i];
    if (other.serial != serial) continue;
    if (other.tag == lvalue.tag) {
      if (other.write == write && other.begin <= end && begin <= other.end) same = &other;
      continue;
    }
    if (other.begin >= end || begin >= other.end || !(write || other.write)) continue;
    if ((mine != nullptr && i >= mine->start) || live(other.tag) != nullptr) return TrapKind::Restrict;
  }
  // An entry may only grow within the lifetime of the youngest restrict-qualified pointer.
  if (same != nullptr && static_cast<size_t>(same - restrict_log_.data()) >= restricts_.back().start) {
    same->begin = std::min(same->begin, begin);
    same->end = std::max(same->end, end);
    recent = static_cast<uint32_t>(same - restrict_log_.data());
  } else {
    recent = static_cast<uint32_t>(restrict_log_.size());
    restrict_log_.push_back({serial, begin, end, lvalue.tag, write});
  }
  return TrapKind::None;
}

}  // namespace assay::machine
