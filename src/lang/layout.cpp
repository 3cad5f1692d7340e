#include "lang/layout.hpp"

#include <algorithm>

#include "lang/typing.hpp"

namespace assay::lang {
namespace {

uint32_t RoundUp(uint32_t value, uint32_t align) { return (value + align - 1) / align * align; }

// Of an integer of so many bytes.
uint32_t AlignmentOf(uint32_t bytes, const ModelProperties& model) {
  return bytes == 16  ? model.align16
         : bytes == 8 ? model.align8
         : bytes == 4 ? model.align4
         : bytes == 2 ? model.align2
                      : 1;
}

}  // namespace

const TypeLayout& Layouts::Of(TypeId id) {
  if (id.index < types_.size() && types_[id.index].size != 0) return types_[id.index];
  const Type type = program_->types[id];
  const DataModel& model = program_->Model();
  TypeLayout layout;
  switch (ClassOf(type.kind)) {
    case TypeClass::Void:
    case TypeClass::Function: break;
    case TypeClass::Pointer: layout = {model.Properties().pointer_bytes, model.Properties().pointer_align}; break;
    case TypeClass::VaList:
      layout = {24, 8};  // never inside another object, never observed
      break;
    case TypeClass::Array: {
      if (type.kind == TypeKind::Vla) break;
      const TypeLayout element = Of(type.element);
      layout = {element.size * type.length, element.align};
      break;
    }
    case TypeClass::Record: layout = OfRecord(type.record).layout; break;
    case TypeClass::Integer: {
      const IntegerInfo info = IntegerInfoOf(type.kind, model);
      const uint32_t bytes = info.bits < 8 ? 1 : info.bits / 8;
      layout = {bytes, AlignmentOf(bytes, model.Properties())};
      break;
    }
    case TypeClass::Float: {
      const uint32_t bytes = FormatOf(type.kind).bytes;  // aligned as integers of the size are, on all that we know
      layout = {bytes, AlignmentOf(bytes, model.Properties())};
      break;
    }
    case TypeClass::Wide: layout = {16, model.Properties().align16}; break;
    case TypeClass::Vector: {
      // Not what an ABI says, which may align less: the text asks for this one (Printer::VectorDefinition).
      const uint32_t bytes = Of(type.element).size * type.length;
      layout = {bytes, bytes};
      break;
    }
    case TypeClass::Complex:
    case TypeClass::kCount: CHECK_MSG(false, "no layout of kind {}", Info(type.kind).name);
  }
  if (id.index >= types_.size()) types_.resize(std::max<size_t>(id.index + 1, program_->types.Size()));
  types_[id.index] = layout;
  return types_[id.index];
}

// Bit-fields (System V): a field of declared type T and width w goes to the next free bit if it then lies inside one
// aligned unit of T's size; otherwise it starts the next unit of T. A zero width closes the unit. Packed
// records ignore the unit rule. Unnamed fields do not raise the record's alignment. (On some machines they do: no
// program that is valid for us can tell, see the deliberate limits in docs/architecture.md.)
const Layouts::RecordLayout& Layouts::OfRecord(RecordId id) {
  if (id.index < records_.size() && records_[id.index].done) return records_[id.index];
  const Record& record = program_->types.GetRecord(id);
  RecordLayout result;
  uint32_t align = 1;
  uint64_t bit = 0;   // the next free bit
  uint32_t size = 0;  // union: the largest member
  for (const Member& member : record.members) {
    const TypeLayout type = Of(member.type);
    const uint32_t member_align = record.packed ? 1 : type.align;
    if (record.is_union) bit = 0;
    MemberLayout place;
    if (!member.IsBitField()) {
      bit = static_cast<uint64_t>(RoundUp(static_cast<uint32_t>((bit + 7) / 8), member_align)) * 8;
      place.offset = static_cast<uint32_t>(bit / 8);
      bit += static_cast<uint64_t>(type.size) * 8;
      align = std::max(align, member_align);
    } else {
      const uint64_t unit = static_cast<uint64_t>(type.size) * 8;
      const uint64_t unit_align = static_cast<uint64_t>(type.align) * 8;
      const uint64_t width = static_cast<uint64_t>(member.bit_width);
      if (width == 0) {
        bit = (bit + unit_align - 1) / unit_align * unit_align;
      } else {
        // The unit that would hold the field starts at the aligned position at or before its first bit.
        if (!record.packed && bit / unit_align * unit_align + unit < bit + width) {
          bit = (bit + unit_align - 1) / unit_align * unit_align;
        }
        if (member.named) align = std::max(align, member_align);
      }
      place.offset = static_cast<uint32_t>(bit / 8);
      place.bit_offset = static_cast<uint8_t>(bit % 8);
      bit += width;
    }
    result.members.push_back(place);
    size = std::max(size, static_cast<uint32_t>((bit + 7) / 8));
  }
  result.layout = {RoundUp(std::max<uint32_t>(size, 1), align), align};
  result.done = true;
  if (id.index >= records_.size()) records_.resize(std::max<size_t>(id.index + 1, program_->types.RecordCount()));
  records_[id.index] = std::move(result);
  return records_[id.index];
}

const MemberLayout& Layouts::OfMember(RecordId record, uint32_t member) { return OfRecord(record).members[member]; }

bool Layouts::HasPadding(TypeId id) {
  const Type type = program_->types[id];
  if (type.kind == TypeKind::Array) return HasPadding(type.element);
  if (!IsRecord(type.kind)) return false;
  const Record& record = program_->types.GetRecord(type.record);
  uint64_t used = 0;
  for (const Member& member : record.members) {
    if (member.IsBitField()) {
      if (!member.named) return true;
      used += static_cast<uint64_t>(member.bit_width);
      continue;
    }
    if (HasPadding(member.type)) return true;
    const uint64_t bits = static_cast<uint64_t>(SizeOf(member.type)) * 8;
    if (record.is_union && bits != static_cast<uint64_t>(SizeOf(id)) * 8) return true;
    used += bits;
  }
  return !record.is_union && used != static_cast<uint64_t>(SizeOf(id)) * 8;
}

}  // namespace assay::lang
