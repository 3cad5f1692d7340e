// The text form: head, types and declarations.
#include <algorithm>

#include "lang/attributes.hpp"
#include "lang/text_loader.hpp"

namespace assay::lang {

support::Result<Program> TextLoader::Run() {
  Head();
  TypeSection();
  Declarations();
  Values();
  while (!in_.AtEnd()) Body();
  for (size_t i = 0; i < has_body_.size() && !in_.Failed(); ++i) {
    if (!has_body_[i]) in_.Fail(fmt::format("function {} has no body", i));
  }
  for (uint32_t i = 0; i < program_.labels.Size() && !in_.Failed(); ++i) {
    if (!program_.labels[LabelId(i)].block) in_.Fail(fmt::format("label {} is nowhere", i));
  }
  if (in_.Failed()) return support::UsageError("cannot load the program: " + in_.Error());
  return std::move(program_);
}

void TextLoader::Head() {
  in_.Expect("assay-program");
  const uint64_t version = in_.Unsigned();
  if (!in_.Failed() && version != kTextVersion) {
    in_.Fail(fmt::format("the format has version {}; this program reads version {}", version, kTextVersion));
  }
  in_.EndLine();
  in_.Expect("version");
  program_.provenance.version = in_.Quoted();
  in_.EndLine();
  in_.Expect("seed");
  program_.provenance.seed = in_.Unsigned();
  in_.EndLine();
  in_.Expect("knobs");
  program_.provenance.knobs = in_.Quoted();
  in_.EndLine();
  in_.Expect("model");
  const std::string_view name = in_.Take();
  if (auto model = ParseDataModel(name)) {
    program_.model = *model;
  } else {
    in_.Fail(fmt::format("there is no data model '{}'", TextReader::Clip(name)));
  }
  for (const FloatModeInfo& row : kFloatModes) {
    if (in_.TakeIf(row.name)) program_.floats = row.kind;
  }
  in_.EndLine();
}

void TextLoader::TypeSection() {
  while (in_.TakeIf("string")) {
    in_.Next(program_.strings.Size(), "string");
    program_.strings.Add(in_.Quoted());
    in_.EndLine();
  }
  while (in_.TakeIf("enum")) {
    in_.Next(types_.EnumCount(), "enum");
    Enumeration enumeration;
    while (!in_.AtLineEnd()) {
      const int64_t value = in_.Signed();
      if (value < INT32_MIN || value > INT32_MAX) in_.Fail("the value of an enumerator is not an int");
      enumeration.values.push_back(static_cast<int32_t>(value));
    }
    types_.AddEnum(std::move(enumeration));
    in_.EndLine();
  }
  while (in_.TakeIf("record")) {
    in_.Next(types_.RecordCount(), "record");
    Record record;
    record.is_union = in_.TakeIf("union");
    if (!record.is_union) in_.Expect("struct");
    record.packed = in_.TakeIf("packed");
    types_.AddRecord(std::move(record));
    in_.EndLine();
  }
  record_bytes_.assign(types_.RecordCount(), 0);
  for (uint32_t i = 0; i < types_.RecordCount() && !in_.Failed(); ++i) Members(RecordId(i));
  complete_records_ = types_.RecordCount();
}

void TextLoader::Members(RecordId id) {
  complete_records_ = id.index;
  in_.Expect("members");
  in_.Next(id.index, "the members of record");
  in_.EndLine();
  std::vector<Member> members;
  uint64_t bytes = 0;
  while (!in_.AtEnd() && !StartsSection(in_.Word())) {
    Member member;
    member.type = ReadType();
    if (in_.TakeIf(":")) member.bit_width = static_cast<int16_t>(in_.Unsigned(64));
    if (in_.TakeIf("unnamed")) member.named = false;
    in_.EndLine();
    if (in_.Failed()) return;
    CheckMember(member);
    bytes += Bytes(member.type) + 16;
    members.push_back(member);
  }
  if (bytes > kMaxBytes) in_.Fail("the type is too large");
  record_bytes_[id.index] = bytes;
  types_.GetRecord(id).members = std::move(members);
}

void TextLoader::CheckMember(const Member& member) {
  const TypeKind kind = types_.Kind(member.type);
  if (!IsObject(member.type) || kind == TypeKind::VaList) in_.Fail("no member can have the type");
  if (!member.IsBitField()) {
    if (!member.named) in_.Fail("a member without a name that is not a bit-field");
    return;
  }
  if (!IsInteger(kind) || member.bit_width > IntegerInfoOf(kind, program_.Model()).bits) {
    in_.Fail("the width does not fit the type of the bit-field");
  }
  if (member.bit_width == 0 && member.named) in_.Fail("a bit-field of width 0 has no name");
}

bool TextLoader::StartsSection(std::string_view word) {
  for (std::string_view start : {"members", "global", "function", "entry", "length", "init", "body"}) {
    if (word == start) return true;
  }
  return false;
}

uint64_t TextLoader::Bytes(TypeId id) const {
  const Type& type = types_[id];
  if (type.kind == TypeKind::Array) return Bytes(type.element) * type.length;
  if (IsVector(type.kind)) return 2 * kMostVectorBytes;
  return IsRecord(type.kind) ? record_bytes_[type.record.index] : 24;
}

TypeId TextLoader::ReadType() {
  const Nesting nesting(*this);
  if (!nesting.Entered()) return types_.Basic(TypeKind::Int);
  Type type;
  for (size_t i = 0; i < words::kQualifiers.size(); ++i) {
    if (in_.TakeIf(words::kQualifiers[i])) type.quals |= static_cast<uint8_t>(1u << i);
  }
  const std::string_view word = in_.Take();
  if (word == "ptr") {
    type.kind = TypeKind::Pointer;
    pointer_depth_++;
    type.element = ReadType();
    pointer_depth_--;
  } else if (word == "array") {
    type.kind = TypeKind::Array;
    type.length = static_cast<uint32_t>(in_.Unsigned(kMaxBytes));
    type.element = ReadElement();
    if (type.length == 0) in_.Fail("an array without elements");
    if (!in_.Failed() && pointer_depth_ == 0 && Bytes(type.element) * type.length > kMaxBytes) {
      in_.Fail("the type is too large");
    }
  } else if (word == "vector") {
    type.kind = TypeKind::Vector;
    type.length = static_cast<uint32_t>(in_.Unsigned(kMostVectorBytes));
    type.element = ReadType();
    const Type& lane = types_[type.element];
    if (lane.quals != 0 || !IsVectorType(program_, lane.kind, type.length)) in_.Fail("there is no such vector");
  } else if (word == "vla") {
    type.kind = TypeKind::Vla;
    type.element = ReadElement();
  } else if (word == "record") {
    type.record = RecordId(in_.Ref(types_.RecordCount(), "record"));
    if (in_.Failed()) return types_.Basic(TypeKind::Int);
    if (pointer_depth_ == 0 && type.record.index >= complete_records_) in_.Fail("a record contains a later one");
    type.kind = types_.GetRecord(type.record).is_union ? TypeKind::Union : TypeKind::Struct;
  } else if (word == "enum") {
    type.kind = TypeKind::Enum;
    type.enumeration = EnumId(in_.Ref(types_.EnumCount(), "enum"));
  } else if (word == "fn") {
    FunctionType(type);
  } else {
    const auto row = std::find_if(kTypeKinds.begin(), kTypeKinds.end(),
                                  [&](const TypeKindInfo& info) { return !word.empty() && info.name == word; });
    if (row == kTypeKinds.end()) {
      in_.Fail(fmt::format("'{}' is not a type", TextReader::Clip(word)));
      return types_.Basic(TypeKind::Int);
    }
    type.kind = row->kind;
  }
  const bool derived = type.kind == TypeKind::Array || type.kind == TypeKind::Vla || type.kind == TypeKind::Function;
  if (derived && type.quals != 0) in_.Fail("qualifiers of an array belong to its elements");
  if ((type.quals & kRestrict) && type.kind != TypeKind::Pointer) in_.Fail("restrict on something not a pointer");
  return in_.Failed() ? types_.Basic(TypeKind::Int) : types_.Intern(type);
}

TypeId TextLoader::ReadElement() {
  const TypeId element = ReadType();
  if (!in_.Failed() && (!IsObject(element) || types_.Kind(element) == TypeKind::VaList)) {
    in_.Fail("no element can have the type");
  }
  return element;
}

void TextLoader::FunctionType(Type& type) {
  ++pointer_depth_;  // a function type may mention incomplete records
  type.kind = TypeKind::Function;
  type.element = ReadType();
  const auto is_value = [&](TypeId id) {
    const TypeKind kind = types_.Kind(id);
    return IsScalar(kind) || IsRecord(kind) || IsVector(kind);
  };
  if (!is_value(type.element) && types_.Kind(type.element) != TypeKind::Void) in_.Fail("no function returns the type");
  Signature signature;
  in_.Expect("(");
  while (!in_.Failed() && in_.Word() != ")" && in_.Word() != "...") {
    signature.params.push_back(ReadType());
    if (!is_value(signature.params.back())) in_.Fail("no parameter can have the type");
  }
  signature.variadic = in_.TakeIf("...");
  if (signature.variadic && signature.params.empty()) in_.Fail("a variadic function without parameters");
  in_.Expect(")");
  type.signature = types_.InternSignature(std::move(signature));
  --pointer_depth_;
}

VarId TextLoader::Declaration(Storage storage, FunctionId function) {
  Variable var;
  var.storage = storage;
  var.function = function;
  in_.Next(program_.vars.Size(), "variable");
  if (in_.TakeIf("counter")) var.role = VarRole::Counter;
  if (in_.TakeIf("temporary")) var.role = VarRole::Temporary;
  var.internal_linkage = in_.TakeIf("internal");
  for (const VariableAttrInfo& row : kVariableAttrs) {
    if (in_.TakeIf(row.name)) var.attrs |= row.attr;
  }
  if (in_.TakeIf("align")) {
    var.align = static_cast<uint8_t>(in_.Unsigned(128));
    if (var.align == 0 || (var.align & (var.align - 1)) != 0) in_.Fail("an alignment is a power of two");
  }
  var.type = ReadType();
  in_.EndLine();
  const TypeKind kind = types_.Kind(var.type);
  const bool vla = kind == TypeKind::Vla && storage == Storage::Auto;
  if (!vla && !IsObject(var.type)) in_.Fail("no such variable can have the type");
  return program_.vars.Add(var);
}

void TextLoader::Declarations() {
  while (in_.TakeIf("global")) program_.globals.push_back(Declaration(Storage::Global, {}));
  while (in_.TakeIf("function")) FunctionHead();
  if (in_.TakeIf("entry")) {
    program_.entry = FunctionId(in_.Ref(program_.functions.Size(), "function"));
    in_.EndLine();
  }
  has_body_.assign(program_.functions.Size(), false);
}

void TextLoader::FunctionHead() {
  in_.Next(program_.functions.Size(), "function");
  Function function;
  function.attrs = 0;
  for (const FunctionAttrInfo& row : kFunctionAttrs) {
    if (in_.TakeIf(row.name)) function.attrs |= row.attr;
  }
  function.type = ReadType();
  in_.EndLine();
  if (in_.Failed()) return;
  if (types_.Kind(function.type) != TypeKind::Function) return in_.Fail("a function without a function type");
  const FunctionId id(program_.functions.Size());
  const Signature signature = types_.GetSignature(types_[function.type].signature);
  const uint32_t first = program_.vars.Size();
  while (!in_.Failed()) {
    const std::string_view word = in_.Word();
    const size_t storage = words::kStorage.Find(word);
    if (storage == 0 || storage == words::kStorage.kSize) break;
    in_.Take();
    const VarId var = Declaration(static_cast<Storage>(storage), id);
    if (in_.Failed()) return;
    Variable& variable = program_.vars[var];
    if (variable.storage == Storage::Param) {
      if (function.params.size() != function.locals.size()) return in_.Fail("a parameter after other variables");
      function.params.push_back(var);
    }
    if (variable.storage == Storage::StaticLocal) continue;
    variable.slot = static_cast<uint32_t>(function.locals.size());
    function.locals.push_back(var);
  }
  if (function.params.size() != signature.params.size()) return in_.Fail("the parameters do not match the type");
  for (size_t i = 0; i < function.params.size(); ++i) {
    if (types_.Unqualified(program_.vars[function.params[i]].type) != types_.Unqualified(signature.params[i])) {
      return in_.Fail("the parameters do not match the type");
    }
  }
  if (in_.TakeIf("temporaries")) {
    while (!in_.AtLineEnd()) {
      const VarId var(in_.Ref(program_.vars.Size(), "variable"));
      if (!in_.Failed() && var.index < first) in_.Fail("a temporary of another function");
      function.temporaries.push_back(var);
    }
    in_.EndLine();
  }
  function.body = builder_.NewBlock(id);
  program_.functions.Add(std::move(function));
  program_.function_order.push_back(id);
}

support::Result<Program> Load(std::string_view text) { return TextLoader(text).Run(); }

}  // namespace assay::lang
