// Arithmetic, comparison, conversion and dereference of pointers, each under the rules of
// C17 6.5.3.2, 6.5.6, 6.5.8, 6.5.9.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::BinaryOp;

bool Machine::Impl::Dangles(Value pointer) const {
  if (pointer == 0) return false;
  const Pointer& p = pointers_[static_cast<PointerHandle>(pointer)];
  return p.object != kNoObject && !memory_.Live(p.object, p.serial);
}

Value Machine::Impl::PointerTo(const LValue& lvalue) {
  return pointers_.Intern(
      {lvalue.object, memory_[lvalue.object].serial, lvalue.offset, lvalue.low, lvalue.high, lvalue.tag, 0, {}});
}

Value Machine::Impl::Decay(const LValue& array) {
  LValue element = array;
  element.low = array.offset;
  element.high = array.offset + SizeOf(array);
  return PointerTo(element);
}

// The lvalue *pointer of the given type. Unless only its address is wanted, it must be inside the bounds, suitably
// aligned, and of a type by which the object there may be accessed.
TrapKind Machine::Impl::FromPointer(Value pointer, lang::TypeId type_id, bool for_address, LValue& out) {
  if (pointer == 0) return TrapKind::NullDereference;
  const Pointer p = pointers_[static_cast<PointerHandle>(pointer)];
  if (p.object == kNoObject) return TrapKind::StrictAliasing;  // a function as an object
  const Object& object = memory_[p.object];
  if (object.serial != p.serial) return TrapKind::DanglingPointer;
  out = LValue::At(p.object, p.offset, p.low, p.high, type_id);
  out.tag = p.tag;
  if (for_address) return TrapKind::None;
  const TypeFacts& type = facts_[type_id];
  if (type.size == 0 || p.offset < p.low || p.offset + type.size > p.high) return TrapKind::OutOfBounds;
  if (object.type == type_id && p.offset == 0) return TrapKind::None;  // most common
  if (p.offset % type.align != 0 || type.align > object.align) return TrapKind::Misaligned;
  if (HasSubobject(object.type, p.offset, type_id)) return TrapKind::None;
  if (!type.character) return TrapKind::StrictAliasing;
  out.view = true;
  return TrapKind::None;
}

// Whether the type `whole` has, at this offset, a part of the type `part` that a pointer may access. Parts of unions
// are accessed through the union only.
bool Machine::Impl::HasSubobject(lang::TypeId whole_id, uint32_t offset, lang::TypeId part) const {
  for (;;) {
    const TypeFacts& whole = facts_[whole_id];
    if (whole.cls == TypeClass::Array) {
      if (offset == 0 && facts_[part].cls == TypeClass::Array && facts_.MayAlias(whole_id, part)) return true;
      const uint32_t size = facts_[whole.element].size;
      if (size == 0) return false;
      offset %= size;
      whole_id = whole.element;
      continue;
    }
    // Arrays on the heap: each element has the type it is accessed by (6.5p6).
    if (whole.cls == TypeClass::Record && offset >= whole.size) offset %= whole.size;
    if (whole.cls == TypeClass::Integer || whole.cls == TypeClass::Pointer || whole.cls == TypeClass::Float ||
        whole.cls == TypeClass::Vector || whole.cls == TypeClass::Wide) {
      offset %= whole.size;
    }
    if (offset == 0 && facts_.MayAlias(whole_id, part)) return true;
    if (whole.kind != lang::TypeKind::Struct) return false;
    const MemberFacts* found = nullptr;
    for (const MemberFacts& member : facts_.Members(whole.record)) {
      if (member.bit_width >= 0 || offset < member.offset) continue;
      if (offset - member.offset < facts_[member.type].size) found = &member;
    }
    if (found == nullptr) return false;
    offset -= found->offset;
    whole_id = found->type;
  }
}

TrapKind Machine::Impl::Advance(Value pointer, lang::TypeId element, Value index, bool index_signed, bool subtract,
                                Value& out) {
  if (pointer == 0) return TrapKind::NullDereference;
  Pointer p = pointers_[static_cast<PointerHandle>(pointer)];
  if (p.object == kNoObject) return TrapKind::PointerArithmetic;
  if (!memory_.Live(p.object, p.serial)) return TrapKind::DanglingPointer;
  const __int128 steps =
      index_signed ? static_cast<__int128>(static_cast<int64_t>(index)) : static_cast<__int128>(index);
  const __int128 distance = (subtract ? -steps : steps) * facts_[element].size;
  const __int128 target = static_cast<__int128>(p.offset) + distance;
  if (target < p.low || target > p.high) return TrapKind::PointerArithmetic;
  p.offset = static_cast<uint32_t>(target);
  out = pointers_.Intern(p);
  return TrapKind::None;
}

// Equal string literals and const-qualified compound literals may be one object (6.4.5p7, 6.5.2.5p7).
bool Machine::Impl::MayBeShared(const Object& object) const {
  if (object.flags & kObjectString) return true;
  return object.var.Valid() && program_.vars[object.var].storage == lang::Storage::Literal &&
         (object.part_quals & lang::kConst) != 0;
}

TrapKind Machine::Impl::ComparePointers(BinaryOp op, Value a, Value b, Value& out) const {
  const bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  if (Dangles(a) || Dangles(b)) return TrapKind::DanglingPointer;
  if (!equality && (a == 0 || b == 0)) return TrapKind::PointerCompare;
  const Pointer& x = pointers_[static_cast<PointerHandle>(a)];
  const Pointer& y = pointers_[static_cast<PointerHandle>(b)];
  if (a == 0 || b == 0 || x.object == kNoObject || y.object == kNoObject) {
    if (!equality) return TrapKind::PointerCompare;
    const bool same = a == 0 || b == 0 ? a == b : x.object == y.object && x.function == y.function;
    out = same == (op == BinaryOp::Eq);
    return TrapKind::None;
  }
  if (x.object != y.object) {
    if (!equality) return TrapKind::PointerCompare;
    const Object& first = memory_[x.object];
    const Object& second = memory_[y.object];
    // One past an object may or may not be where the other one starts.
    if ((x.offset >= first.size && y.offset == 0) || (y.offset >= second.size && x.offset == 0)) {
      return TrapKind::PointerCompare;
    }
    if (MayBeShared(first) && MayBeShared(second)) return TrapKind::PointerCompare;
    out = op == BinaryOp::Ne;
    return TrapKind::None;
  }
  // One past an inner array may or may not be taken for the start of what follows it.
  if (equality && x.offset == y.offset && (x.offset == x.high) != (y.offset == y.high)) return TrapKind::PointerCompare;
  // Two members have an order (6.5.8p5), but what lies in or behind one of them has none with what is in another.
  const bool one_array = x.low == y.low && x.high == y.high;
  if (!equality && !one_array && (x.offset != x.low || y.offset != y.low)) return TrapKind::PointerCompare;
  out = Apply(op, ScalarType::Integer(64, false), x.offset, y.offset).value;
  return TrapKind::None;
}

TrapKind Machine::Impl::SubtractPointers(lang::TypeId element, Value a, Value b, Value& out) const {
  if (a == 0 || b == 0) return TrapKind::NullDereference;
  if (Dangles(a) || Dangles(b)) return TrapKind::DanglingPointer;
  const Pointer& x = pointers_[static_cast<PointerHandle>(a)];
  const Pointer& y = pointers_[static_cast<PointerHandle>(b)];
  const uint32_t size = facts_[element].size;
  if (x.object == kNoObject || x.object != y.object || x.low != y.low || x.high != y.high || size == 0) {
    return TrapKind::PointerSubtract;
  }
  const int64_t distance = static_cast<int64_t>(x.offset) - static_cast<int64_t>(y.offset);
  if (distance % size != 0) return TrapKind::PointerSubtract;
  out = static_cast<Value>(distance / static_cast<int64_t>(size));
  return TrapKind::None;
}

TrapKind Machine::Impl::CastPointer(Value pointer, lang::TypeId from, lang::TypeId to, Value& out) {
  out = pointer;
  if (pointer == 0) return TrapKind::None;
  Pointer p = pointers_[static_cast<PointerHandle>(pointer)];
  if (p.object == kNoObject) return TrapKind::None;
  const lang::TypeId target = facts_[to].element, source = facts_[from].element;
  const TypeFacts& type = facts_[target];
  if (target == source) return TrapKind::None;
  // The bytes of an object are those of the one object pointed at, not of the array around it (6.3.2.3p7).
  const uint32_t unit = std::exchange(p.unit, 0) + facts_[source].size;
  if (type.size == 0) {
    p.unit = unit;
  } else if (type.character && unit > 1) {
    p.low = p.offset;
    p.high = std::min(p.high, p.offset + unit);
  }
  out = pointers_.Intern(p);
  if (type.size == 0 || type.character) return TrapKind::None;
  const Object& object = memory_[p.object];
  if (p.offset % type.align != 0 || type.align > object.align) return TrapKind::Misaligned;
  // A pointer to another type than before points at one such object, not into an array of them.
  if (facts_[source].size != 0 && !facts_.MayAlias(source, target) && p.offset + type.size <= p.high) {
    p.low = p.offset;
    p.high = p.offset + type.size;
    out = pointers_.Intern(p);
  }
  return TrapKind::None;
}

}  // namespace assay::machine
