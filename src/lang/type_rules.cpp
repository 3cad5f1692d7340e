#include "lang/type_rules.hpp"

#include <algorithm>

#include "lang/constraints.hpp"
#include "lang/typing.hpp"

namespace assay::lang {
namespace {

class TypeChecker {
 public:
  TypeChecker(const Program& program, const std::function<void(std::string_view)>& report)
      : program_(program),
        types_(program.types),
        report_(report),
        state_(types_.RecordCount()),
        vectors_(types_.RecordCount()),
        wide_(types_.RecordCount()),
        bytes_(types_.RecordCount()) {}

  void Run() {
    for (uint32_t i = 0; i < types_.EnumCount(); ++i) {
      const std::vector<int32_t>& values = types_.GetEnum(EnumId(i)).values;
      Require(std::any_of(values.begin(), values.end(), [](int32_t v) { return v < 0; }),
              "an enum without a negative value");
      const IntegerInfo type_int = IntegerInfoOf(TypeKind::Int, program_.Model());
      Require(std::all_of(values.begin(), values.end(),
                          [&](int64_t v) { return v >= type_int.Min() && v <= static_cast<int64_t>(type_int.Max()); }),
              "an enumerator that is not an int");
    }
    // The first ones stand for the kinds and are no types themselves.
    for (uint32_t i = 0; i < types_.RecordCount(); ++i) RecordRules(RecordId(i));
    for (uint32_t i = static_cast<uint32_t>(TypeKind::kCount); i < types_.Size(); ++i) TypeRules(TypeId(i));
  }

 private:
  // Sizes are numbers of 32 bits, here and in the machine.
  static constexpr uint64_t kMostBytes = uint64_t{1} << 28;
  static constexpr uint64_t kMostPadding = kMostVectorBytes;  // before a member; also at least the size of every scalar

  bool Require(bool condition, std::string_view message) {
    if (!condition) report_(message);
    return condition;
  }

  bool IsRestrict(TypeId id) const { return (types_[id].quals & kRestrict) != 0; }

  // At least the size of the type, whose records are known already.
  uint64_t MostBytes(TypeId id) const {
    const Type& type = types_[id];
    if (type.kind == TypeKind::Array) {
      const uint64_t element = MostBytes(type.element);
      return element > kMostBytes ? element : element * type.length;
    }
    return IsRecord(type.kind) ? bytes_[type.record.index] : kMostPadding;
  }

  // Of types whose records are known already.
  bool HasVector(TypeId id) const {
    while (IsArray(types_.Kind(id))) id = types_[id].element;
    const Type& type = types_[id];
    return IsVector(type.kind) || (IsRecord(type.kind) && vectors_[type.record.index] != 0);
  }

  // As HasVector.
  bool HasWide(TypeId id) const {
    while (IsArray(types_.Kind(id))) id = types_[id].element;
    const Type& type = types_[id];
    return IsWide(type.kind) || (IsRecord(type.kind) && wide_[type.record.index] != 0);
  }

  void TypeRules(TypeId id) {
    const Type& type = types_[id];
    const bool wide = IsWide(type.kind) || (type.element && IsWide(types_.Kind(type.element)));
    Require(!wide || program_.Model().HasWide(), kNoWide);
    Require(MostBytes(id) <= kMostBytes, "a type that is too large");
    if (type.quals & kRestrict) {  // 6.7.3p2
      Require(type.kind == TypeKind::Pointer && types_.Kind(type.element) != TypeKind::Function,
              "restrict on something not a pointer to an object");
    }
    // What the machine follows are restrict-qualified variables; of other objects it does not know when they end.
    if (type.kind == TypeKind::Pointer || IsArray(type.kind) || type.kind == TypeKind::Function) {
      Require(!IsRestrict(type.element), "restrict inside another type");
    }
    if (IsArray(type.kind)) {  // 6.7.6.2p1
      Require(IsObjectType(program_, type.element) && types_.Kind(type.element) != TypeKind::VaList,
              "an array of an incomplete type");
      Require(type.kind == TypeKind::Vla || type.length > 0, "an array without elements");
      Require(type.quals == 0, "qualifiers on an array instead of its elements");
    }
    if (type.kind == TypeKind::Pointer) {
      Require(types_.Kind(type.element) != TypeKind::Vla, "a pointer to an array of unknown length");
    }
    if (IsVector(type.kind)) {
      const Type& lane = types_[type.element];
      Require(lane.quals == 0 && IsVectorType(program_, lane.kind, type.length), "a vector of a type that has none");
    }
    // How many accesses an operation on one would be is up to the compiler.
    if (type.quals & kVolatile) {
      Require(!HasVector(id), "a volatile vector");
      Require(!HasWide(id), "a volatile wide integer");
    }
    if (type.kind == TypeKind::Function) FunctionRules(type);
  }

  // 6.7.6.3p1 and p4; an array as a parameter would be a pointer (p7).
  void FunctionRules(const Type& type) {
    const auto passes = [&](TypeId id) {
      return IsScalar(types_.Kind(id)) || IsRecord(types_.Kind(id)) || IsVector(types_.Kind(id));
    };
    Require(types_.Kind(type.element) == TypeKind::Void || passes(type.element),
            "a function that returns what cannot be returned");
    const Signature& signature = types_.GetSignature(type.signature);
    Require(std::all_of(signature.params.begin(), signature.params.end(), passes),
            "a parameter of a type that cannot be passed");
    Require(program_.Model().HasWide() || std::none_of(signature.params.begin(), signature.params.end(),
                                                       [&](TypeId param) { return IsWide(types_.Kind(param)); }),
            kNoWide);
    Require(!signature.variadic || !signature.params.empty(), "a variadic function without a parameter");
    Require(type.quals == 0, "a qualified function");
  }

  // In state_: 0 not seen, 1 inside, 2 done.
  void RecordRules(RecordId id) {
    if (state_[id.index] == 2) return;
    if (!Require(state_[id.index] == 0, "a record contains itself")) return;
    state_[id.index] = 1;
    bool any_named = false;
    for (const Member& member : types_.GetRecord(id).members) {
      const TypeKind kind = types_.Kind(member.type);
      any_named |= member.named;
      Require(IsObjectType(program_, member.type) && kind != TypeKind::VaList, "a member of an incomplete type");
      Require(!IsRestrict(member.type), "restrict inside another type");
      if (member.IsBitField()) {
        Require(IsInteger(kind) && member.bit_width <= IntegerInfoOf(kind, program_.Model()).bits,
                "the width does not fit the type of the bit-field");
        Require(member.bit_width > 0 || !member.named, "a bit-field of width 0 with a name");
      } else {
        Require(member.named, "a member without a name that is not a bit-field");
      }
      TypeId part = member.type;
      while (IsArray(types_.Kind(part))) part = types_[part].element;
      if (IsRecord(types_.Kind(part))) RecordRules(types_[part].record);
      if (HasVector(part)) {
        Require(!types_.GetRecord(id).packed, "a vector in a packed record");
        vectors_[id.index] = 1;
      }
      if (HasWide(part)) {
        Require(program_.Model().HasWide(), kNoWide);
        wide_[id.index] = 1;
      }
    }
    Require(any_named, "a record without named members");
    for (const Member& member : types_.GetRecord(id).members) bytes_[id.index] += MostBytes(member.type) + kMostPadding;
    Require(bytes_[id.index] <= kMostBytes, "a type that is too large");
    state_[id.index] = 2;
  }

  const Program& program_;
  const TypeTable& types_;
  const std::function<void(std::string_view)>& report_;
  std::vector<uint8_t> state_, vectors_, wide_;  // by RecordId: vectors_ and wide_, whether it has one
  std::vector<uint64_t> bytes_;                  // by RecordId: at least its size
};

}  // namespace

void CheckTypes(const Program& program, const std::function<void(std::string_view)>& report) {
  TypeChecker(program, report).Run();
}

}  // namespace assay::lang
