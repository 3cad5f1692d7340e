#include "gen/types.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/operators.hpp"
#include "gen/vectors.hpp"
#include "gen/wide.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Member;
using lang::Record;

// With a percentage of the knobs, or several times as many up to a limit.
uint8_t RandomQualifiers(Writer& w, int32_t times = 1) {
  const auto percent = [&](int32_t knob) { return static_cast<uint32_t>(std::max(knob, std::min(60, times * knob))); };
  uint8_t quals = 0;
  if (w.choices.Percent(percent(w.knobs.const_objects))) quals |= lang::kConst;
  if (w.choices.Percent(percent(w.knobs.volatile_objects))) quals |= lang::kVolatile;
  return quals;
}

// Of an object. There are fewer arrays than scalars, and nests have arrays of their own without qualifiers.
uint8_t ObjectQualifiers(Writer& w, TypeId type) { return RandomQualifiers(w, lang::IsArray(w.Kind(type)) ? 2 : 1); }

// The qualifiers of the members of one record. What overlaps in a union must not differ: a store to a member is one to
// a const member beside it, and an access to a volatile one is volatile.
struct MemberQualifiers {
  bool some = false;  // this record has them
  bool alike = false;
  uint8_t all = 0;

  MemberQualifiers(Writer& w, bool is_union) : some(w.choices.Percent(w.knobs.qualified_members)), alike(is_union) {
    if (some && alike) all = w.choices.Percent(25) ? lang::kConst : lang::kVolatile;
  }
  uint8_t Draw(Writer& w) const {
    if (!some || alike) return all;
    static constexpr uint8_t kSome[] = {0, lang::kConst, lang::kVolatile, lang::kConst | lang::kVolatile};
    return kSome[w.choices.Weighted({34, 28, 27, 11})];
  }
};

// Bit-fields: _Bool, int and unsigned are standard; the others are accepted by all compilers under test.
Member BitField(Writer& w, bool padding, uint8_t quals) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::UInt,   TypeKind::Int,
                                        TypeKind::UInt,  TypeKind::UChar,  TypeKind::SChar,
                                        TypeKind::Short, TypeKind::UShort, TypeKind::Bool};
  static constexpr TypeKind kWide[] = {TypeKind::Long, TypeKind::ULong, TypeKind::LLong, TypeKind::ULLong};
  const bool wide = w.choices.Percent(w.knobs.wide_bit_fields);
  const TypeKind kind = wide ? kWide[w.choices.Below(4)] : kKinds[w.choices.Below(9)];
  const int bits = w.IntInfo(kind).bits;
  Member member;
  member.type = w.program.types.Basic(kind);
  member.bit_width = static_cast<int16_t>(w.choices.Between(1, bits));
  if (padding && w.choices.Percent(12)) {
    member.named = false;
    if (w.choices.Percent(40)) member.bit_width = 0;
  } else {
    member.type = w.program.types.Qualified(member.type, quals);
  }
  return member;
}

TypeId ArrayOf(Writer& w, TypeId element) {
  const uint32_t dimensions =
      1 + w.choices.Weighted({50, w.knobs.array_dimensions > 1 ? 26u : 0u, w.knobs.array_dimensions > 2 ? 24u : 0u});
  for (uint32_t i = 0; i < dimensions; ++i) {
    const uint32_t most = std::max<uint32_t>(1, static_cast<uint32_t>(w.knobs.array_length) / dimensions);
    uint32_t length = 1 + w.choices.Below(most);
    if (w.choices.Percent(40)) length = std::min<uint32_t>(1u << w.choices.Below(5), most);
    length = std::min(length, std::max(1u, static_cast<uint32_t>(w.knobs.static_bytes) / w.layouts.SizeOf(element)));
    element = w.program.types.Array(element, length);
  }
  return element;
}

TypeId MemberType(Writer& w) {
  const uint32_t record_weight = w.record_types.empty() ? 0 : 10;
  switch (w.choices.Weighted({70, record_weight, w.knobs.arrays > 0 ? 12u : 0u, w.knobs.pointers > 0 ? 8u : 0u,
                              w.signatures.empty() ? 0u : 4u})) {
    case 4: return w.program.types.Pointer(w.choices.Pick(w.signatures));
    case 1: return w.choices.Pick(w.record_types);
    case 2: return ArrayOf(w, NumberType(w));
    case 3: return w.program.types.Pointer(NumberType(w));
    default: return NumberType(w);
  }
}

// The tokens that one global may cost at the end, where each of its scalars goes into the checksum.
uint32_t MostChecks(const Writer& w) { return std::max(30u, w.token_target / 8); }

// The bytes of one member: a global of any record type may have to be made.
uint32_t MostBytes(const Writer& w) { return static_cast<uint32_t>(w.knobs.static_bytes) / 32; }

void MakeRecord(Writer& w, bool is_union) {
  Record record;
  record.is_union = is_union;
  record.packed = !is_union && w.choices.Percent(w.knobs.packed);
  const uint32_t count = 1 + w.choices.Below(is_union ? 4 : 7);
  const MemberQualifiers qualifiers(w, is_union);
  // Bit-fields only, in some structs; a union has fewer of them.
  const uint32_t fields = static_cast<uint32_t>(w.knobs.bit_fields);
  const uint32_t field_percent = is_union ? fields / 2 : w.choices.Percent(fields / 2) ? 100 : fields;
  const Meter meter(w.program);
  uint32_t checks = 0;  // tokens that a global of the type costs at the end
  for (uint32_t i = 0; i < count; ++i) {
    if (w.choices.Percent(field_percent)) {
      record.members.push_back(BitField(w, !is_union, qualifiers.Draw(w)));
      continue;
    }
    Member member;
    member.type = is_union && w.choices.Percent(80) ? NumberType(w) : MemberType(w);
    if (checks + meter.Check(member.type) > MostChecks(w) || w.layouts.SizeOf(member.type) > MostBytes(w))
      member.type = IntegerType(w);
    checks += meter.Check(member.type);
    member.type = w.program.types.Qualified(member.type, qualifiers.Draw(w));
    record.members.push_back(member);
  }
  const bool any_named =
      std::any_of(record.members.begin(), record.members.end(), [](const Member& m) { return m.named; });
  if (!any_named || record.members.front().bit_width == 0) {
    record.members.insert(record.members.begin(), Member{IntegerType(w)});
  }
  RecordId id = w.program.types.AddRecord(std::move(record));
  w.record_types.push_back(w.program.types.OfRecord(id));
  w.Wrote(meter.Record(id));
}

void MakeEnum(Writer& w) {
  lang::Enumeration enumeration;
  const uint32_t count = 2 + w.choices.Below(5);
  int32_t value = -1 - static_cast<int32_t>(w.choices.Below(20));
  for (uint32_t i = 0; i < count; ++i) {
    enumeration.values.push_back(value);
    value += 1 + static_cast<int32_t>(w.choices.Percent(60) ? 0 : w.choices.Below(100));
  }
  w.Wrote(4 + 4 * count);
  w.enums.push_back(w.program.types.AddEnum(std::move(enumeration)));
}

InitId RecordInitializer(Writer& w, TypeId type, bool is_static) {
  const lang::RecordId id = w.program.types[type].record;
  const Record& record = w.program.types.GetRecord(id);
  const bool is_union = record.is_union;
  std::vector<uint32_t> order;
  order.reserve(record.members.size());
  for (uint32_t i = 0; i < record.members.size(); ++i) {
    if (record.members[i].named) order.push_back(i);
  }
  bool designated = w.choices.Percent(w.knobs.designated);
  if (is_union) order = {designated ? w.choices.Pick(order) : order.front()};
  if (designated && w.choices.Percent(30)) w.choices.Shuffle(order);
  const auto member = [&](uint32_t index) {  // not by the reference: an initialiser may make types
    return Initializer(w, w.program.types.GetRecord(id).members[index].type, is_static);
  };
  std::vector<lang::InitItem> items;
  items.reserve(order.size());
  for (uint32_t index : order) {
    if (w.Full() && !items.empty()) break;
    if (designated && !is_union && w.choices.Percent(20)) continue;
    items.push_back({index, member(index)});
  }
  if (items.empty()) items.push_back({order.front(), member(order.front())});
  return w.build.InitList(std::move(items), designated);
}

InitId ArrayInitializer(Writer& w, TypeId type, bool is_static) {
  const lang::Type array = w.program.types[type];
  const TypeKind element = w.Kind(array.element);
  if (lang::Info(element).width == lang::Width::Char && array.length > 1 &&
      w.choices.Percent(std::min(90, w.knobs.string_literals * 8))) {
    return w.build.InitString(RandomString(w, array.length - 1));
  }
  std::vector<lang::InitItem> items;
  const bool designated = w.choices.Percent(w.knobs.designated / 2);
  uint32_t count = array.length;
  if (!designated && w.choices.Percent(15)) count = w.choices.Below(array.length + 1);
  items.reserve(count);
  for (uint32_t i = 0; i < count && !(w.Full() && !items.empty()); ++i) {
    if (designated && w.choices.Percent(60)) continue;
    const InitId init = Initializer(w, array.element, is_static);
    items.push_back({i, init});
  }
  if (items.empty()) items.push_back({0, Initializer(w, array.element, is_static)});
  return w.build.InitList(std::move(items), designated);
}

}  // namespace

TypeId IntegerType(Writer& w) { return DrawIntegerType(w); }

TypeId PointerTypeTo(Writer& w) {
  if (w.choices.Percent(w.knobs.string_literals)) {
    const TypeId character = w.program.types.Basic(TypeKind::Char);
    return w.program.types.Pointer(w.program.types.Qualified(character, lang::kConst));
  }
  TypeId target = NumberType(w);
  const bool local = w.scope.function && !w.scope.locals.empty() && w.choices.Percent(w.knobs.local_addresses);
  if (local || (!w.program.globals.empty() && w.choices.Percent(80))) {
    TypeId type = w.program.vars[w.choices.Pick(local ? w.scope.locals : w.program.globals)].type;
    while (lang::IsArray(w.Kind(type))) type = w.program.types[type].element;
    TypeId bottom = type;
    while (w.Kind(bottom) == TypeKind::Pointer) bottom = w.program.types[bottom].element;
    const bool object = w.Kind(bottom) != TypeKind::Function && w.Kind(bottom) != TypeKind::VaList;
    if (object && w.Kind(type) != TypeKind::Pointer) target = type;
  }
  const uint32_t depth =
      std::min<uint32_t>(1 + w.choices.Weighted({62, 22, 10, 6}), static_cast<uint32_t>(w.knobs.pointer_depth));
  for (uint32_t i = 0; i < depth; ++i) {
    uint8_t quals = RandomQualifiers(w);
    if (lang::HasVector(w.program, target) || lang::HasWide(w.program, target))
      quals &= static_cast<uint8_t>(~lang::kVolatile);
    target = w.program.types.Pointer(w.program.types.Qualified(target, quals));
  }
  return target;
}

TypeId ScalarOrRecordType(Writer& w, bool pointers) {
  const uint32_t record_weight = w.record_types.empty() ? 0 : static_cast<uint32_t>(w.knobs.structs + w.knobs.unions);
  const uint32_t pointer_weight = pointers ? static_cast<uint32_t>(w.knobs.pointers) : 0;
  const uint32_t function_weight =
      pointers && !w.signatures.empty() ? static_cast<uint32_t>(w.knobs.function_pointers) : 0;
  switch (w.choices.Weighted({50, record_weight, pointer_weight, function_weight})) {
    case 1: return w.choices.Pick(w.record_types);
    case 2: return PointerTypeTo(w);
    case 3: return w.program.types.Pointer(w.choices.Pick(w.signatures));
    default: return NumberType(w);
  }
}

TypeId ObjectType(Writer& w, bool pointers) {
  const TypeId type = ScalarOrRecordType(w, pointers);
  const int32_t percent = w.Kind(type) == TypeKind::Pointer ? std::min(60, 2 * w.knobs.arrays) : w.knobs.arrays;
  return w.choices.Percent(static_cast<uint32_t>(percent)) ? ArrayOf(w, type) : type;
}

TypeId NewRecordType(Writer& w, lang::Record record) {
  const lang::RecordId id = w.program.types.AddRecord(std::move(record));
  w.Wrote(Meter(w.program).Record(id));
  return w.program.types.OfRecord(id);
}

void MakeEnums(Writer& w) {
  if (w.knobs.type_enum == 0) return;
  const uint32_t enums = 1 + w.choices.Below(2);
  for (uint32_t i = 0; i < enums; ++i) MakeEnum(w);
}

void MakeRecords(Writer& w) {
  const uint32_t weights = static_cast<uint32_t>(w.knobs.structs + w.knobs.unions);
  if (weights == 0) return;
  const uint32_t records = std::min(
      w.knobs.records == 0 ? 0 : 1 + w.choices.Below(static_cast<uint32_t>(w.knobs.records)), 1 + w.token_target / 150);
  for (uint32_t i = 0; i < records; ++i) {
    MakeRecord(w, w.choices.Below(weights) < static_cast<uint32_t>(w.knobs.unions));
  }
}

VarId NewGlobal(Writer& w, TypeId type) {
  const bool initialized = w.choices.Percent(90) || w.Kind(type) == TypeKind::Pointer;
  return NewGlobal(w, type, initialized ? Initializer(w, type, true) : InitId{});
}

VarId NewGlobal(Writer& w, TypeId type, InitId init) {
  const VarId var = w.build.Global(type, init);
  w.program.vars[var].internal_linkage = w.choices.Percent(70);
  if (w.choices.Percent(w.knobs.aligned)) {
    const auto align = static_cast<uint8_t>(8u << w.choices.Below(3));
    if (!lang::HasVector(w.program, type) && !lang::HasWide(w.program, type))
      w.program.vars[var].align = align;  // it might be less than they have
  }
  w.static_bytes += w.layouts.SizeOf(type);
  return var;
}

// Small numbers that nobody writes, of external linkage: the compiler does not know them, we do.
void MakeInputs(Writer& w) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::Int,    TypeKind::UInt,  TypeKind::Long,
                                        TypeKind::Short, TypeKind::UShort, TypeKind::ULong, TypeKind::SChar};
  const uint32_t count = w.knobs.input_variables == 0 ? 0 : 1 + w.choices.Below(3);
  for (uint32_t i = 0; i < count; ++i) {
    const TypeKind kind = kKinds[w.choices.Below(8)];
    const int64_t value = w.choices.Between(0, w.choices.Percent(60) ? 20 : 100);
    const VarId var = NewGlobal(w, w.program.types.Basic(kind), w.build.InitExpr(w.build.Int(value)));
    w.program.vars[var].internal_linkage = false;
    w.SetUse(var, VarUse::Input);
    w.inputs.push_back({var, value});
  }
}

VarUse DrawUse(Writer& w) {
  const uint32_t inputs = static_cast<uint32_t>(w.knobs.input_variables),
                 outputs = static_cast<uint32_t>(w.knobs.output_variables);
  switch (w.choices.Weighted({inputs, outputs, 100 - std::min(99u, inputs + outputs)})) {
    case 0: return VarUse::Input;
    case 1: return VarUse::Output;
    default: return VarUse::Mixed;
  }
}

// Tables that nobody writes, and arrays as devices have them: most programs have some.
void MakeQualifiedArrays(Writer& w) {
  if (w.knobs.arrays == 0) return;
  const auto make = [&](int32_t percent, uint8_t quals) {
    if (!w.choices.Percent(static_cast<uint32_t>(std::min(95, percent)))) return;
    if (w.Tokens() >= w.token_target / 5 * 2) return;  // a small program has no room for them
    const Room room(w, w.token_target / 24);
    const TypeId type = ArrayOf(w, NumberType(w));
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) return;
    NewGlobal(w, w.program.types.Qualified(type, quals));
    w.Measure();
  };
  make(16 * w.knobs.const_objects, lang::kConst);
  make(26 * w.knobs.volatile_objects, lang::kVolatile);
}

void MakeGlobals(Writer& w) {
  // The count follows the program's size, at half its slope: large programs get more state, not only more code.
  const uint64_t median = 8000, wanted = static_cast<uint64_t>(w.knobs.globals);
  uint32_t count =
      static_cast<uint32_t>(wanted / 2 + wanted * std::min<uint64_t>(w.token_target, 8 * median) / median / 2);
  const uint32_t least = std::clamp(w.token_target / 60, 4u, 12u);  // however much of the program they are
  count = count * (70 + w.choices.Below(60)) / 100;
  for (uint32_t i = 0; i < std::max(count, least); ++i) {
    if (i >= least && w.Tokens() >= w.token_target / 5 * 2) break;
    const Room room(w, w.token_target / 16);
    TypeId type = i < 4 ? IntegerType(w) : i < 10 ? NumberType(w) : ObjectType(w);
    // Most of the records have a global of their own, whatever is drawn.
    if (i >= 10 && i - 10 < w.record_types.size() && w.choices.Percent(65)) type = w.record_types[i - 10];
    if (i >= 10) type = w.program.types.Qualified(type, ObjectQualifiers(w, type));
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) continue;
    if (Meter(w.program).Check(type) > MostChecks(w)) type = IntegerType(w);
    const VarId var = NewGlobal(w, type);
    if (i >= 4) w.SetUse(var, DrawUse(w));  // some are there for anything
    w.Measure();
  }
  MakeQualifiedArrays(w);
  MakeVectorGlobals(w);
  MakeWideGlobals(w);
  MakeInputs(w);
}

InitId Initializer(Writer& w, TypeId type, bool is_static) {
  const TypeKind kind = w.Kind(type);
  if (lang::IsRecord(kind)) return RecordInitializer(w, type, is_static);
  if (kind == TypeKind::Array) return ArrayInitializer(w, type, is_static);
  if (lang::IsVector(kind)) return VectorInitializer(w, type);
  if (kind == TypeKind::Pointer) {
    const bool automatic = !is_static && w.scope.function;
    return w.build.InitExpr(automatic ? AutomaticAddress(w, type) : StaticAddress(w, type));
  }
  return w.build.InitExpr(ConstantFor(w, type));
}

}  // namespace assay::gen
