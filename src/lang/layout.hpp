// Sizes, alignments and offsets of types under a data model (System V rules; bit-fields as gcc and clang lay them out).
#pragma once

#include <cstdint>
#include <vector>

#include "lang/program.hpp"

namespace assay::lang {

struct MemberLayout {
  uint32_t offset = 0;     // bytes; for a bit-field, of the byte that holds its first bit
  uint8_t bit_offset = 0;  // bit-fields: position of the lowest bit (little-endian numbering) from `offset`
};

struct TypeLayout {
  uint32_t size = 0;  // 0 for Void, Function, Vla
  uint32_t align = 1;
};

// Layouts of all types of one program, computed on demand. Grows with the program's type table.
class Layouts {
 public:
  explicit Layouts(const Program& program) : program_(&program) {}
  const TypeLayout& Of(TypeId type);
  const MemberLayout& OfMember(RecordId record, uint32_t member);
  uint32_t SizeOf(TypeId type) { return Of(type).size; }
  // True if the type has bytes or bits that belong to no member (padding), so that its bytes must not be compared.
  bool HasPadding(TypeId type);

 private:
  struct RecordLayout {
    bool done = false;
    TypeLayout layout;
    std::vector<MemberLayout> members;
  };
  const RecordLayout& OfRecord(RecordId record);
  const Program* program_;
  std::vector<TypeLayout> types_;
  std::vector<RecordLayout> records_;
};

}  // namespace assay::lang
