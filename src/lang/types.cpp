#include "lang/types.hpp"

#include "support/hash.hpp"

namespace assay::lang {
namespace {

uint64_t HashOf(const Type& type) {
  using support::Mix64;
  const uint64_t hash =
      Mix64(static_cast<uint64_t>(type.element.index) << 16 | static_cast<uint64_t>(type.kind) << 8 | type.quals);
  // At most one of the others is set.
  const uint32_t other = type.record.index ^ type.enumeration.index ^ type.signature.index;
  return Mix64(hash ^ (static_cast<uint64_t>(type.length) << 32 | other));
}

}  // namespace

TypeTable::TypeTable() {
  // Every kind's slot exists, so that Basic() is an index; slots of derived kinds are placeholders.
  for (const TypeKindInfo& row : kTypeKinds) {
    Type type;
    type.kind = row.kind;
    Add(type, last_of_bucket_[HashOf(type) % last_of_bucket_.size()]);
  }
}

TypeId TypeTable::Intern(const Type& type) {
  TypeId& last = last_of_bucket_[HashOf(type) % last_of_bucket_.size()];
  for (TypeId id = last; id; id = previous_[id.index]) {
    if (types_[id] == type) return id;
  }
  return Add(type, last);
}

TypeId TypeTable::Add(const Type& type, TypeId& last) {
  previous_.push_back(last);
  return last = types_.Add(type);
}

SignatureId TypeTable::InternSignature(Signature signature) {
  for (uint32_t i = 0; i < signatures_.Size(); ++i) {
    if (signatures_[SignatureId(i)] == signature) return SignatureId(i);
  }
  return signatures_.Add(std::move(signature));
}

TypeId TypeTable::Pointer(TypeId pointee, uint8_t quals) {
  if (quals != 0) return Intern({.kind = TypeKind::Pointer, .quals = quals, .element = pointee});
  TypeId& known = Memo(pointers_, pointee);
  if (!known) known = Intern({.kind = TypeKind::Pointer, .element = pointee});
  return known;
}

TypeId TypeTable::Array(TypeId element, uint32_t length) {
  CHECK(length > 0);
  return Intern({.kind = TypeKind::Array, .element = element, .length = length});
}

TypeId TypeTable::Vla(TypeId element) { return Intern({.kind = TypeKind::Vla, .element = element}); }

TypeId TypeTable::Vector(TypeId element, uint32_t lanes) {
  return Intern({.kind = TypeKind::Vector, .element = element, .length = lanes});
}

TypeId TypeTable::OfRecord(RecordId record, uint8_t quals) {
  TypeKind kind = records_[record].is_union ? TypeKind::Union : TypeKind::Struct;
  return Intern({.kind = kind, .quals = quals, .record = record});
}

TypeId TypeTable::OfEnum(EnumId enumeration) { return Intern({.kind = TypeKind::Enum, .enumeration = enumeration}); }

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

TypeId TypeTable::FindUnqualified(TypeId id) {
  Type type = types_[id];
  if (TypeId known = Memo(unqualified_, id)) return known;
  if (IsArray(type.kind)) {
    type.element = Unqualified(type.element);
  } else {
    type.quals = 0;
  }
  return Memo(unqualified_, id) = Intern(type);
}

TypeId& TypeTable::Memo(std::vector<TypeId>& memo, TypeId id) {
  if (id.index >= memo.size()) memo.resize(types_.Size());
  return memo[id.index];
}

}  // namespace assay::lang
