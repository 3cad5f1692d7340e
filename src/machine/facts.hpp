// What the evaluator needs to know of each type, in flat arrays indexed by TypeId: computed once per type.
#pragma once

#include <optional>
#include <vector>

#include "lang/layout.hpp"
#include "lang/program.hpp"
#include "lang/typing.hpp"
#include "machine/scalar.hpp"

namespace assay::machine {

using lang::TypeClass;

struct TypeFacts {
  lang::TypeKind kind = lang::TypeKind::Void;
  TypeClass cls = TypeClass::Void;
  uint8_t quals = 0;
  uint8_t part_quals = 0;  // qualifiers of this type or of any part of it
  bool character = false;  // may access every object (6.5p7)
  bool plain = true;       // no pointer, union or va_list inside: all bits zero is its zero value
  bool solid = false;      // numbers only, no padding: every byte holds a value
  ScalarType scalar;       // of its values; arrays and functions have pointers
  ScalarType promoted;     // of numbers: after integer promotion (not of a bit-field)
  uint32_t size = 0;       // 0 for Void, Function, Vla
  uint32_t align = 1;
  lang::TypeId element;
  uint32_t length = 0;  // of elements; of words, where a value is a handle of them (machine/wide.hpp)
  lang::RecordId record;
  uint64_t alias = 0;  // equal exactly for the scalar and record types that may alias each other
};

struct MemberFacts {
  lang::TypeId type;
  uint32_t offset = 0;
  int16_t bit_width = -1;  // -1: not a bit-field
  uint8_t bit_offset = 0;  // see lang::MemberLayout
  bool named = true;
};

class Facts {
 public:
  explicit Facts(lang::Program& program);

  // Learns the types made since the last call. Must be called after anything may have added a type.
  void Sync();

  const TypeFacts& operator[](lang::TypeId type) const { return types_[type.index]; }
  bool HasVectors() const { return has_vectors_; }
  const std::vector<MemberFacts>& Members(lang::RecordId record) const { return records_[record.index]; }
  lang::Layouts& GetLayouts() { return layouts_; }

  // One byte per byte of the type: the bits that hold a value (of any member, in a union). The rest is padding.
  const std::vector<uint8_t>& ValueBits(lang::TypeId type) const;
  // One byte per byte of the type: 1 where it holds bit-fields. Empty if it has none.
  const std::vector<uint8_t>& FieldBytes(lang::TypeId type) const;
  // The bits of byte `index` of a bit-field that starts at bit_offset in its first byte.
  uint8_t FieldBits(uint32_t index, unsigned bit_offset, unsigned bit_width) const;

  // True if both types are the same up to qualifiers and, for integers, signedness.
  bool MayAlias(lang::TypeId a, lang::TypeId b) const;
  // Compatible (6.2.7) up to qualifiers; for scalars.
  bool Compatible(lang::TypeId a, lang::TypeId b) const;

 private:
  TypeFacts Compute(lang::TypeId id);
  void LearnRecord(lang::RecordId id);
  // Calls back for every scalar in the type, with its offset and, of a bit-field, the member.
  template <typename F>
  void ForEachScalar(lang::TypeId type, uint32_t offset, F&& call) const;

  lang::Program& program_;
  lang::Layouts layouts_;
  bool has_vectors_ = false;  // among the types
  std::vector<TypeFacts> types_;
  std::vector<std::vector<MemberFacts>> records_;
  // Empty until asked for.
  mutable std::vector<std::vector<uint8_t>> value_bits_;
  mutable std::vector<std::optional<std::vector<uint8_t>>> field_bytes_;
};

}  // namespace assay::machine
