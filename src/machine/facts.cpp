#include "machine/facts.hpp"

#include <algorithm>

namespace assay::machine {

using lang::TypeKind;

namespace {

ScalarType FromInfo(const lang::IntegerInfo& info) { return ScalarType::Integer(info.bits, info.is_signed); }

// What the values of a class that is no number are to the evaluator.
TypeClass ValueClass(TypeClass type_class) {
  switch (type_class) {
    case TypeClass::Array:
    case TypeClass::Function: return TypeClass::Pointer;
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Pointer:
    case TypeClass::Record:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: break;
  }
  return type_class;
}

// The bytes a bit-field touches, from the one that holds its first bit.
uint32_t FieldSize(const MemberFacts& field) {
  return static_cast<uint32_t>(field.bit_offset + field.bit_width + 7) / 8;
}

}  // namespace

// References to facts are held across calls of the author, which may add types: the tables never move.
constexpr size_t kRoomForTypes = 1 << 15;

Facts::Facts(lang::Program& program) : program_(program), layouts_(program) {
  types_.reserve(program.types.Size() + kRoomForTypes);
  value_bits_.reserve(program.types.Size() + kRoomForTypes);
  field_bytes_.reserve(program.types.Size() + kRoomForTypes);
  Sync();
}

void Facts::Sync() {
  if (types_.size() == program_.types.Size()) return;
  const uint32_t records = program_.types.RecordCount();
  const uint32_t first = static_cast<uint32_t>(types_.size());
  CHECK_MSG(program_.types.Size() <= types_.capacity(), "{} types", program_.types.Size());
  types_.resize(program_.types.Size());
  value_bits_.resize(types_.size());
  field_bytes_.resize(types_.size());
  for (uint32_t i = first; i < types_.size(); ++i) types_[i] = Compute(lang::TypeId(i));
  for (uint32_t i = static_cast<uint32_t>(records_.size()); i < records; ++i) LearnRecord(lang::RecordId(i));
}

TypeFacts Facts::Compute(lang::TypeId id) {
  const lang::Type type = program_.types[id];
  const lang::DataModel& model = program_.Model();
  TypeFacts facts;
  facts.kind = type.kind;
  facts.cls = lang::ClassOf(type.kind);
  facts.scalar.type_class = ValueClass(facts.cls);
  facts.quals = facts.part_quals = type.quals;
  facts.element = type.element;
  facts.length = type.length;
  facts.record = type.record;
  switch (facts.cls) {
    case TypeClass::Integer: {
      const TypeKind standard = lang::StandardKind(type.kind, model);
      facts.scalar = FromInfo(lang::IntegerInfoOf(type.kind, model));
      facts.promoted = FromInfo(lang::IntegerInfoOf(lang::Promote(type.kind, model), model));
      facts.character = standard == TypeKind::Char || standard == TypeKind::SChar || standard == TypeKind::UChar;
      facts.alias = 1 + static_cast<uint64_t>(lang::Info(standard).unsigned_kind);  // signedness does not matter
      facts.solid = true;
      break;
    }
    case TypeClass::Pointer:
      if (!type.element.Valid()) return facts;  // a placeholder
      facts.alias = (1ull << 32) + type.element.index;
      facts.plain = false;
      break;
    case TypeClass::Record:
      if (!type.record.Valid()) return facts;
      facts.alias = (2ull << 32) + type.record.index;
      for (const lang::Member& member : program_.types.GetRecord(type.record).members) {
        facts.part_quals |= types_[member.type.index].part_quals;
        facts.plain &= types_[member.type.index].plain;
      }
      if (type.kind == TypeKind::Union) facts.plain = false;
      break;
    case TypeClass::Array:
      if (!type.element.Valid()) return facts;
      facts.part_quals |= types_[type.element.index].part_quals;
      facts.plain = types_[type.element.index].plain;
      facts.solid = types_[type.element.index].solid;
      if (type.kind == TypeKind::Vla) return facts;
      break;
    case TypeClass::Function:
    case TypeClass::Void: return facts;
    case TypeClass::Float:
      facts.scalar = ScalarType::Float(static_cast<uint8_t>(8 * lang::FormatOf(type.kind).bytes), program_.floats);
      facts.promoted = facts.scalar;
      facts.alias = (4ull << 32) + static_cast<uint64_t>(type.kind);
      facts.solid = true;
      break;
    case TypeClass::Vector:
      if (!type.element.Valid()) return facts;
      facts.alias = (5ull << 32) + (static_cast<uint64_t>(type.length) << 16) + type.element.index;
      facts.solid = true;
      has_vectors_ = true;
      break;
    case TypeClass::Wide:
      facts.scalar = facts.promoted = ScalarType::Wide(lang::Info(type.kind).sign == lang::Sign::Signed);
      facts.length = 2;  // words of a value
      facts.alias = 1 + static_cast<uint64_t>(lang::Info(type.kind).unsigned_kind);
      facts.solid = true;
      break;
    case TypeClass::Complex:
    case TypeClass::kCount: CHECK_MSG(false, "the machine has no values of kind {}", lang::Info(type.kind).name);
    case TypeClass::VaList:
      facts.alias = 3ull << 32;
      facts.plain = false;
      break;
  }
  const lang::TypeLayout& layout = layouts_.Of(id);
  facts.size = layout.size;
  facts.align = layout.align;
  return facts;
}

void Facts::LearnRecord(lang::RecordId id) {
  std::vector<MemberFacts> members;
  const lang::Record& record = program_.types.GetRecord(id);
  for (uint32_t i = 0; i < record.members.size(); ++i) {
    const lang::MemberLayout layout = layouts_.OfMember(id, i);
    const lang::Member& member = record.members[i];
    members.push_back({member.type, layout.offset, member.bit_width, layout.bit_offset, member.named});
  }
  records_.push_back(std::move(members));
}

uint8_t Facts::FieldBits(uint32_t index, unsigned bit_offset, unsigned bit_width) const {
  // The field covers the bits [bit_offset, bit_offset + bit_width), counted from the first byte; in a byte as Memory
  // does it. Where they really are is up to the compiler, and no value depends on it.
  const int begin = static_cast<int>(bit_offset) - static_cast<int>(8 * index);
  const int end = begin + static_cast<int>(bit_width);
  uint8_t bits = 0;
  for (int i = std::max(begin, 0); i < std::min(end, 8); ++i) {
    bits |= static_cast<uint8_t>(program_.Model().Properties().big_endian ? 0x80 >> i : 1 << i);
  }
  return bits;
}

template <typename F>
void Facts::ForEachScalar(lang::TypeId id, uint32_t offset, F&& call) const {
  const TypeFacts& type = types_[id.index];
  if (type.cls == TypeClass::Array) {
    const uint32_t size = types_[type.element.index].size;
    for (uint32_t i = 0; i < type.length; ++i) ForEachScalar(type.element, offset + i * size, call);
  } else if (type.cls == TypeClass::Record) {
    for (const MemberFacts& member : records_[type.record.index]) {
      if (!member.named) continue;
      if (member.bit_width < 0) {
        ForEachScalar(member.type, offset + member.offset, call);
      } else {
        call(offset + member.offset, 0u, &member);
      }
    }
  } else {
    call(offset, type.size, static_cast<const MemberFacts*>(nullptr));
  }
}

const std::vector<uint8_t>& Facts::ValueBits(lang::TypeId type) const {
  std::vector<uint8_t>& bits = value_bits_[type.index];
  if (!bits.empty()) return bits;
  bits.resize(types_[type.index].size);
  ForEachScalar(type, 0, [&](uint32_t offset, uint32_t size, const MemberFacts* field) {
    for (uint32_t i = 0; i < size; ++i) bits[offset + i] = 0xff;
    if (field == nullptr) return;
    for (uint32_t i = 0; i < FieldSize(*field); ++i) {
      bits[offset + i] |= FieldBits(i, field->bit_offset, static_cast<unsigned>(field->bit_width));
    }
  });
  return bits;
}

const std::vector<uint8_t>& Facts::FieldBytes(lang::TypeId type) const {
  std::optional<std::vector<uint8_t>>& known = field_bytes_[type.index];
  if (known) return *known;
  std::vector<uint8_t> bytes(types_[type.index].size);
  bool any = false;
  ForEachScalar(type, 0, [&](uint32_t offset, uint32_t, const MemberFacts* field) {
    if (field == nullptr) return;
    any = true;
    for (uint32_t i = 0; i < FieldSize(*field); ++i) bytes[offset + i] = 1;
  });
  if (!any) bytes.clear();
  known = std::move(bytes);
  return *known;
}

bool Facts::MayAlias(lang::TypeId a, lang::TypeId b) const {
  if (a == b) return true;
  const TypeFacts& x = types_[a.index];
  const TypeFacts& y = types_[b.index];
  if (x.cls == TypeClass::Array && y.cls == TypeClass::Array) return x.size == y.size && MayAlias(x.element, y.element);
  return x.alias != 0 && x.alias == y.alias;
}

bool Facts::Compatible(lang::TypeId a, lang::TypeId b) const {
  if (!MayAlias(a, b)) return false;
  const TypeFacts& x = types_[a.index];
  const TypeFacts& y = types_[b.index];
  if (x.cls == TypeClass::Wide) return x.kind == y.kind;
  if (x.cls != TypeClass::Integer) return true;
  return lang::StandardKind(x.kind, program_.Model()) == lang::StandardKind(y.kind, program_.Model());
}

}  // namespace assay::machine
