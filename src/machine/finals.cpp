// The final value of every global, scalar by scalar.
#include "machine/impl.hpp"

namespace assay::machine {

void Machine::Impl::CollectFinals(std::vector<FinalScalar>& finals) {
  for (const lang::VarId var : program_.globals) {
    if (program_.vars[var].role != lang::VarRole::Plain) continue;
    FinalScalar at;
    at.var = var;
    FinalsOf(at, VariableLvalue(var, program_.vars[var].type), finals);
  }
}

// Of a union, the member stored last, or else the first one that can be read as a whole.
void Machine::Impl::FinalsOf(FinalScalar& at, const LValue& lvalue, std::vector<FinalScalar>& finals) {
  const TypeFacts& type = facts_[lvalue.Type()];
  if (type.cls == TypeClass::Array || type.cls == TypeClass::Vector) {  // a lane is an element
    const uint32_t size = facts_[type.element].size;
    LValue element = lvalue;
    element.type_index = type.element.index;
    at.path.push_back(0);
    for (uint32_t i = 0; i < type.length; ++i) {
      at.path.back() = i;
      element.offset = lvalue.offset + i * size;
      FinalsOf(at, element, finals);
    }
    at.path.pop_back();
    return;
  }
  if (type.cls == TypeClass::Wide) {  // its halves, the low one first
    at.path.push_back(0);
    for (const bool high : {false, true}) {
      at.path.back() = high ? 1 : 0;
      FinalsOf(at, HalfOf(lvalue, high), finals);
    }
    at.path.pop_back();
    return;
  }
  if (type.cls == TypeClass::Record) {
    const std::vector<MemberFacts>& members = facts_.Members(type.record);
    const bool is_union = type.kind == lang::TypeKind::Union;
    uint32_t only = static_cast<uint32_t>(members.size());
    if (is_union) {
      const auto active = active_members_.find(UnionKey(lvalue.object, lvalue.offset, lvalue.offset + type.size));
      if (active != active_members_.end() && active->second < members.size() && members[active->second].named &&
          ReadableThroughout(MemberOf(lvalue, active->second))) {
        only = active->second;
      }
    }
    const bool any = only == members.size();
    at.path.push_back(0);
    for (uint32_t i = 0; i < members.size(); ++i) {
      if (!members[i].named || (!any && i != only)) continue;
      const LValue member = MemberOf(lvalue, i);
      if (is_union && !ReadableThroughout(member)) continue;
      at.path.back() = i;
      FinalsOf(at, member, finals);
      if (is_union) break;
    }
    at.path.pop_back();
    return;
  }
  at.type = lvalue.Type();
  at.bit_width = lvalue.bit_width;
  finals.push_back(at);
  FinalScalar& scalar = finals.back();
  Value value = 0;
  if (LoadScalar(lvalue, value) != TrapKind::None) {
    scalar.state = FinalScalar::State::Unreadable;
  } else if (type.cls == TypeClass::Pointer) {
    FinalPointer(scalar, value);
  } else {
    CHECK_MSG(type.cls == TypeClass::Integer || type.cls == TypeClass::Float, "a final of class {}",
              static_cast<int>(type.cls));
    scalar.value = type.cls == TypeClass::Float ? SeenBits(type.scalar, value) : value;
  }
}

bool Machine::Impl::ReadableThroughout(const LValue& lvalue) const {
  const TypeFacts& type = facts_[lvalue.Type()];
  if (type.cls == TypeClass::Array || type.cls == TypeClass::Vector) {
    LValue element = lvalue;
    element.type_index = type.element.index;
    for (uint32_t i = 0; i < type.length; ++i) {
      element.offset = lvalue.offset + i * facts_[type.element].size;
      if (!ReadableThroughout(element)) return false;
    }
    return true;
  }
  if (type.cls == TypeClass::Wide) {
    return ReadableThroughout(HalfOf(lvalue, false)) && ReadableThroughout(HalfOf(lvalue, true));
  }
  if (type.cls == TypeClass::Record) {
    const std::vector<MemberFacts>& members = facts_.Members(type.record);
    const bool is_union = type.kind == lang::TypeKind::Union;
    for (uint32_t i = 0; i < members.size(); ++i) {
      if (members[i].named && ReadableThroughout(MemberOf(lvalue, i)) == is_union) return is_union;
    }
    return !is_union;
  }
  Value value = 0;
  return LoadScalar(lvalue, value) == TrapKind::None;
}

void Machine::Impl::FinalPointer(FinalScalar& scalar, Value pointer) const {
  using State = FinalScalar::State;
  if (pointer == 0) {
    scalar.state = State::NullPointer;
    return;
  }
  const Pointer& p = pointers_[static_cast<PointerHandle>(pointer)];
  if (p.object == kNoObject) {
    scalar.state = State::FunctionPointer;
    scalar.target_function = p.function;
    return;
  }
  scalar.state = State::Unreadable;
  const Object& object = memory_[p.object];
  const lang::TypeId element = facts_[scalar.type].element;
  if (object.serial != p.serial || !object.var.Valid()) return;
  if (program_.vars[object.var].storage != lang::Storage::Global) return;
  if (facts_[element].size == 0 || p.offset + facts_[element].size > p.high) return;
  if (!FindPath(object.type, p.offset, element, scalar.target_path)) return;
  scalar.state = State::Pointer;
  scalar.target = object.var;
}

// The members and elements from the type `whole` down to the part of exactly the type `part` (up to qualifiers).
bool Machine::Impl::FindPath(lang::TypeId whole_id, uint32_t offset, lang::TypeId part, Path& path) const {
  const TypeFacts& whole = facts_[whole_id];
  if (offset == 0 && facts_.MayAlias(whole_id, part) && whole.kind == facts_[part].kind) return true;
  if (whole.cls == TypeClass::Array) {
    const uint32_t size = facts_[whole.element].size;
    if (offset >= whole.size) return false;
    path.push_back(offset / size);
    if (FindPath(whole.element, offset % size, part, path)) return true;
    path.pop_back();
    return false;
  }
  if (whole.cls != TypeClass::Record) return false;
  const std::vector<MemberFacts>& members = facts_.Members(whole.record);
  for (uint32_t i = 0; i < members.size(); ++i) {
    const MemberFacts& member = members[i];
    if (!member.named || member.bit_width >= 0 || offset < member.offset) continue;
    if (offset - member.offset >= facts_[member.type].size) continue;
    path.push_back(i);
    if (FindPath(member.type, offset - member.offset, part, path)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace assay::machine
