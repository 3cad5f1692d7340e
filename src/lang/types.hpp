// The types of a program: interned, so that two TypeIds are equal exactly when the types are the same.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lang/ids.hpp"
#include "lang/type_kinds.hpp"

namespace assay::lang {

// Qualifiers, as a bit set.
enum Qualifier : uint8_t { kNoQualifier = 0, kConst = 1, kVolatile = 2, kRestrict = 4 };

struct Type {
  TypeKind kind = TypeKind::Int;
  uint8_t quals = 0;      // on this level; an array's qualifiers are on its element type
  TypeId element;         // Pointer: pointee. Array, Vla: element. Function: return type. Vector: unqualified lane.
  uint32_t length = 0;    // Array: number of elements. Vector: of lanes.
  RecordId record;        // Struct, Union
  EnumId enumeration;     // Enum
  SignatureId signature;  // Function
  friend bool operator==(const Type&, const Type&) = default;
};

struct Member {
  TypeId type;
  int16_t bit_width = -1;  // -1: not a bit-field. 0 and widths of unnamed fields: padding only.
  bool named = true;       // unnamed bit-fields have no value and cannot be referenced
  bool IsBitField() const { return bit_width >= 0; }
};

struct Record {
  bool is_union = false;
  bool packed = false;
  std::vector<Member> members;
};

struct Enumeration {
  std::vector<int32_t> values;  // at least one is negative
};

struct Signature {
  std::vector<TypeId> params;
  bool variadic = false;
  friend bool operator==(const Signature&, const Signature&) = default;
};

class TypeTable {
 public:
  TypeTable();

  TypeId Basic(TypeKind kind) const { return TypeId(static_cast<uint32_t>(kind)); }  // Bool … UInt64, Void, VaList
  TypeId Pointer(TypeId pointee, uint8_t quals = 0);
  TypeId Array(TypeId element, uint32_t length);
  TypeId Vla(TypeId element);
  TypeId Vector(TypeId element, uint32_t lanes);
  TypeId OfRecord(RecordId record, uint8_t quals = 0);
  TypeId OfEnum(EnumId enumeration);
  TypeId Function(TypeId result, std::vector<TypeId> params, bool variadic = false);
  TypeId Qualified(TypeId type, uint8_t quals);  // adds the qualifiers (to the element, for arrays)
  TypeId Unqualified(TypeId type) {              // without the qualifiers of this level (for arrays: of the element)
    return types_[type].quals == 0 && !IsArray(types_[type].kind) ? type : FindUnqualified(type);
  }

  RecordId AddRecord(Record record) { return records_.Add(std::move(record)); }
  EnumId AddEnum(Enumeration enumeration) { return enums_.Add(std::move(enumeration)); }

  const Type& operator[](TypeId id) const { return types_[id]; }
  TypeKind Kind(TypeId id) const { return types_[id].kind; }
  const Record& GetRecord(RecordId id) const { return records_[id]; }
  Record& GetRecord(RecordId id) { return records_[id]; }
  const Enumeration& GetEnum(EnumId id) const { return enums_[id]; }
  const Signature& GetSignature(SignatureId id) const { return signatures_[id]; }

  uint32_t Size() const { return types_.Size(); }
  uint32_t RecordCount() const { return records_.Size(); }
  uint32_t EnumCount() const { return enums_.Size(); }

  // For the text form and the reducer: interns an arbitrary type whose parts exist already.
  TypeId Intern(const Type& type);
  SignatureId InternSignature(Signature signature);

 private:
  support::Store<TypeId, Type> types_;
  support::Store<RecordId, Record> records_;
  support::Store<EnumId, Enumeration> enums_;
  support::Store<SignatureId, Signature> signatures_;
  // All types by a hash of what they are: the last of each bucket, and before each type another of its bucket.
  std::array<TypeId, 128> last_of_bucket_;
  std::vector<TypeId> previous_;

  TypeId Add(const Type& type, TypeId& last);
  TypeId FindUnqualified(TypeId type);
  // By TypeId: what Pointer and Unqualified found out before; none: not asked yet.
  TypeId& Memo(std::vector<TypeId>& memo, TypeId id);
  std::vector<TypeId> pointers_, unqualified_;
};

}  // namespace assay::lang
