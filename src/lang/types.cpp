#include "lang/types.hpp"

#include "support/hash.hpp"

namespace assay::lang {
namespace {

uint64_t HashOf(const Type& type) {
  using support::Mix64;
  uint64_t hash = Mix64(static_cast<uint64_t>(type.kind) << 8 | type.quals);
  hash = Mix64(hash ^ type.element.index);
  hash = Mix64(hash ^ type.length);
  hash = Mix64(hash ^ (static_cast<uint64_t>(type.record.index) << 32 | type.enumeration.index));
  return Mix64(hash ^ type.signature.index);
}

}  // namespace

TypeTable::TypeTable() {
  // Every kind's slot exists, so that Basic() is an index; slots of derived kinds are placeholders.
  for (size_t i = 0; i < static_cast<size_t>(TypeKind::kCount); ++i) {
    Type type;
    type.kind = static_cast<TypeKind>(i);
    interned_.emplace(HashOf(type), types_.Add(type));
  }
}

TypeId TypeTable::Intern(const Type& type) {
  uint64_t hash = HashOf(type);
  auto [begin, end] = interned_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (types_[it->second] == type) return it->second;
  }
  TypeId id = types_.Add(type);
  interned_.emplace(hash, id);
  return id;
}

SignatureId TypeTable::InternSignature(Signature signature) {
  for (uint32_t i = 0; i < signatures_.Size(); ++i) {
    if (signatures_[SignatureId(i)] == signature) return SignatureId(i);
  }
  return signatures_.Add(std::move(signature));
}

TypeId TypeTable::Pointer(TypeId pointee, uint8_t quals) {
  return Intern({.kind = TypeKind::Pointer, .quals = quals, .element = pointee});
}

TypeId TypeTable::Array(TypeId element, uint32_t length) {
  CHECK(length > 0);
  return Intern({.kind = TypeKind::Array, .element = element, .length = length});
}

TypeId TypeTable::Vla(TypeId element) { return Intern({.kind = TypeKind::Vla, .element = element}); }

TypeId TypeTable::OfRecord(RecordId record, uint8_t quals) {
  TypeKind kind = records_[record].is_union ? TypeKind::Union : TypeKind::Struct;
  return Intern({.kind = kind, .quals = quals, .record = record});
}

TypeId TypeTable::OfEnum(EnumId enumeration) {
  return Intern({.kind = TypeKind::Enum, .enumeration = enumeration});
}

TypeId TypeTable::Function(TypeId result, std::vector<TypeId> params, bool variadic) {
  SignatureId signature = InternSignature({std::move(params), variadic});
  return Intern({.kind = TypeKind::Function, .element = result, .signature = signature});
}

TypeId TypeTable::Qualified(TypeId id, uint8_t quals) {
  if (quals == 0) return id;
  Type type = types_[id];
  if (IsArray(type.kind)) {
    type.element = Qualified(type.element, quals);
  } else {
    type.quals |= quals;
  }
  return Intern(type);
}

TypeId TypeTable::Unqualified(TypeId id) {
  if (types_[id].quals == 0 && !IsArray(types_[id].kind)) return id;
  Type type = types_[id];
  if (IsArray(type.kind)) {
    TypeId element = Unqualified(type.element);
    if (element == type.element) return id;
    type.element = element;
  } else {
    if (type.quals == 0) return id;
    type.quals = 0;
  }
  return Intern(type);
}

}  // namespace assay::lang
