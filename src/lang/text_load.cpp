// Reading the text form. A reader walks over the text; the first error is kept with its line, and
// from then on every read returns a harmless default, so that the code below needs no checks of its
// own except in loops.
#include <charconv>
#include <limits>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "lang/text.hpp"
#include "lang/text_words.hpp"

namespace assay::lang {
namespace {

constexpr int kMaxDepth = 2000;             // of expressions, types, initialisers and blocks
constexpr uint64_t kMaxBytes = 64u << 20;   // of one type
constexpr uint64_t kMaxCount = 10'000'000;  // of anything numbered

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Failed() const { return failed_; }
  const std::string& Error() const { return error_; }
  void Fail(std::string_view what) {
    if (failed_) return;
    failed_ = true;
    error_ = fmt::format("line {}: {}", line_, what);
  }

  bool AtEnd() {
    SkipSpace();
    return failed_ || at_ == text_.size();
  }
  bool AtLineEnd() {
    SkipSpace();
    return failed_ || at_ == text_.size() || text_[at_] == '\n';
  }
  void EndLine() {
    if (!AtLineEnd()) Fail(fmt::format("unexpected '{}'", Clip(Word())));
    if (!failed_ && at_ < text_.size()) {
      ++at_;
      ++line_;
    }
  }

  // The next word, without taking it: up to a space or the end of the line; parentheses are words
  // of their own.
  std::string_view Word() {
    SkipSpace();
    if (failed_ || at_ == text_.size() || text_[at_] == '\n') return {};
    if (text_[at_] == '(' || text_[at_] == ')') return text_.substr(at_, 1);
    size_t end = at_;
    while (end < text_.size() && !IsBreak(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view Take() {
    const std::string_view word = Word();
    if (word.empty()) Fail("the line ends too early");
    at_ += word.size();
    return word;
  }
  bool TakeIf(std::string_view word) {
    if (failed_ || Word() != word) return false;
    at_ += word.size();
    return true;
  }
  void Expect(std::string_view word) {
    if (!TakeIf(word)) Fail(fmt::format("expected '{}', found '{}'", word, Clip(Word())));
  }

  uint64_t Unsigned(uint64_t limit = std::numeric_limits<uint64_t>::max()) {
    const std::string_view word = Take();
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed_) return 0;
    if (error != std::errc() || end != word.data() + word.size() || value > limit) {
      Fail(fmt::format("'{}' is not a number that can stand here", Clip(word)));
      return 0;
    }
    return value;
  }
  int64_t Signed() {
    const std::string_view word = Take();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed_) return 0;
    if (error != std::errc() || end != word.data() + word.size()) {
      Fail(fmt::format("'{}' is not a number that can stand here", Clip(word)));
      return 0;
    }
    return value;
  }
  // A number below `count`.
  uint32_t Ref(size_t count, std::string_view what) {
    const std::string_view word = Word();
    const uint64_t value = Unsigned();
    if (!failed_ && value >= count) Fail(fmt::format("there is no {} {}", what, Clip(word)));
    return failed_ ? 0 : static_cast<uint32_t>(value);
  }
  // The number of a new thing, which must be the next one.
  void Next(size_t count, std::string_view what) {
    const uint64_t value = Unsigned();
    if (!failed_ && value != count)
      Fail(fmt::format("expected {} {}, found {}", what, count, value));
    if (count > kMaxCount) Fail("too many");
  }
  std::string Quoted() {
    SkipSpace();
    std::string result;
    if (failed_ || at_ == text_.size() || text_[at_] != '"') {
      Fail("expected a string");
      return result;
    }
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] != '\\') {
        result += text_[at_++];
        continue;
      }
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\\')) {
        result += text_[at_++];
        continue;
      }
      unsigned value = 0;
      const char* begin = text_.data() + at_;
      if (at_ + 2 > text_.size() || std::from_chars(begin, begin + 2, value, 16).ptr != begin + 2) {
        Fail("wrong escape in a string");
        return result;
      }
      result += static_cast<char>(value);
      at_ += 2;
    }
    if (at_ == text_.size() || text_[at_] != '"') {
      Fail("a string does not end");
    } else {
      ++at_;
    }
    return result;
  }

  static std::string Clip(std::string_view word) {  // printable and short
    std::string text;
    for (char c : word.substr(0, 30)) text += c > 31 && c < 127 ? c : '?';
    return word.size() > 30 ? text + "..." : text;
  }

 private:
  static bool IsBreak(char c) { return c == ' ' || c == '\n' || c == '(' || c == ')'; }
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool failed_ = false;
  std::string error_;
};

class Loader {
 public:
  explicit Loader(std::string_view text) : in_(text), builder_(program_), types_(program_.types) {}

  support::Result<Program> Run() {
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

 private:
  // Counts the nesting of recursive functions; Entered() is false, with an error, when it is too
  // deep.
  class Nesting {
   public:
    explicit Nesting(Loader& loader) : loader_(loader) {
      if (++loader_.depth_ > kMaxDepth) loader_.in_.Fail("nested too deeply");
    }
    ~Nesting() { --loader_.depth_; }
    bool Entered() const { return !loader_.in_.Failed(); }

   private:
    Loader& loader_;
  };

  void Head() {
    in_.Expect("assay-program");
    const uint64_t version = in_.Unsigned();
    if (!in_.Failed() && version != kTextVersion) {
      in_.Fail(fmt::format("the format has version {}; this program reads version {}", version,
                           kTextVersion));
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
    if (const auto model = FindDataModel(name)) {
      program_.model = *model;
    } else {
      in_.Fail(fmt::format("there is no data model '{}'", Reader::Clip(name)));
    }
    in_.EndLine();
  }

  // --- types
  // ------------------------------------------------------------------------------------------------------
  void TypeSection() {
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
        if (value < INT32_MIN || value > INT32_MAX)
          in_.Fail("the value of an enumerator is not an int");
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

  // A record may contain only records with smaller numbers; pointers to any.
  void Members(RecordId id) {
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

  void CheckMember(const Member& member) {
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

  static bool StartsSection(std::string_view word) {
    for (std::string_view start :
         {"members", "global", "function", "entry", "length", "init", "body"}) {
      if (word == start) return true;
    }
    return false;
  }

  bool IsObject(TypeId type) const { return IsObjectType(program_, type); }

  // An upper bound of the size, with alignment.
  uint64_t Bytes(TypeId id) const {
    const Type& type = types_[id];
    if (type.kind == TypeKind::Array) return Bytes(type.element) * type.length;
    return IsRecord(type.kind) ? record_bytes_[type.record.index] : 24;
  }

  TypeId ReadType() {
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
    } else if (word == "vla") {
      type.kind = TypeKind::Vla;
      type.element = ReadElement();
    } else if (word == "record") {
      type.record = RecordId(in_.Ref(types_.RecordCount(), "record"));
      if (in_.Failed()) return types_.Basic(TypeKind::Int);
      if (pointer_depth_ == 0 && type.record.index >= complete_records_)
        in_.Fail("a record contains a later one");
      type.kind = types_.GetRecord(type.record).is_union ? TypeKind::Union : TypeKind::Struct;
    } else if (word == "enum") {
      type.kind = TypeKind::Enum;
      type.enumeration = EnumId(in_.Ref(types_.EnumCount(), "enum"));
    } else if (word == "fn") {
      FunctionType(type);
    } else {
      const size_t kind = words::kTypes.Find(word);
      if (word.empty() || kind == words::kTypes.kSize) {
        in_.Fail(fmt::format("'{}' is not a type", Reader::Clip(word)));
        return types_.Basic(TypeKind::Int);
      }
      type.kind = static_cast<TypeKind>(kind);
    }
    const bool derived = type.kind == TypeKind::Array || type.kind == TypeKind::Vla ||
                         type.kind == TypeKind::Function;
    if (derived && type.quals != 0) in_.Fail("qualifiers of an array belong to its elements");
    if ((type.quals & kRestrict) && type.kind != TypeKind::Pointer)
      in_.Fail("restrict on something not a pointer");
    return in_.Failed() ? types_.Basic(TypeKind::Int) : types_.Intern(type);
  }

  TypeId ReadElement() {
    const TypeId element = ReadType();
    if (!in_.Failed() && (!IsObject(element) || types_.Kind(element) == TypeKind::VaList)) {
      in_.Fail("no element can have the type");
    }
    return element;
  }

  void FunctionType(Type& type) {
    ++pointer_depth_;  // a function type may mention incomplete records
    type.kind = TypeKind::Function;
    type.element = ReadType();
    const auto is_value = [&](TypeId id) {
      const TypeKind kind = types_.Kind(id);
      return IsScalar(kind) || IsRecord(kind);
    };
    if (!is_value(type.element) && types_.Kind(type.element) != TypeKind::Void)
      in_.Fail("no function returns the type");
    Signature signature;
    in_.Expect("(");
    while (!in_.Failed() && in_.Word() != ")" && in_.Word() != "...") {
      signature.params.push_back(ReadType());
      if (!is_value(signature.params.back())) in_.Fail("no parameter can have the type");
    }
    signature.variadic = in_.TakeIf("...");
    if (signature.variadic && signature.params.empty())
      in_.Fail("a variadic function without parameters");
    in_.Expect(")");
    type.signature = types_.InternSignature(std::move(signature));
    --pointer_depth_;
  }

  // --- declarations
  // -----------------------------------------------------------------------------------------------
  VarId Declaration(Storage storage, FunctionId function) {
    Variable var;
    var.storage = storage;
    var.function = function;
    in_.Next(program_.vars.Size(), "variable");
    if (in_.TakeIf("counter")) var.role = VarRole::Counter;
    if (in_.TakeIf("temporary")) var.role = VarRole::Temporary;
    var.internal_linkage = in_.TakeIf("internal");
    if (in_.TakeIf("align")) {
      var.align = static_cast<uint8_t>(in_.Unsigned(128));
      if (var.align == 0 || (var.align & (var.align - 1)) != 0)
        in_.Fail("an alignment is a power of two");
    }
    var.type = ReadType();
    in_.EndLine();
    const TypeKind kind = types_.Kind(var.type);
    const bool vla = kind == TypeKind::Vla && storage == Storage::Auto;
    if (!vla && !IsObject(var.type)) in_.Fail("no such variable can have the type");
    return program_.vars.Add(std::move(var));
  }

  void Declarations() {
    while (in_.TakeIf("global")) program_.globals.push_back(Declaration(Storage::Global, {}));
    while (in_.TakeIf("function")) FunctionHead();
    if (in_.TakeIf("entry")) {
      program_.entry = FunctionId(in_.Ref(program_.functions.Size(), "function"));
      in_.EndLine();
    }
    has_body_.assign(program_.functions.Size(), false);
  }

  void FunctionHead() {
    in_.Next(program_.functions.Size(), "function");
    Function function;
    function.attrs = 0;
    for (size_t i = 0; i < words::kAttributes.size(); ++i) {
      if (in_.TakeIf(words::kAttributes[i])) function.attrs |= static_cast<uint8_t>(1u << i);
    }
    function.type = ReadType();
    in_.EndLine();
    if (in_.Failed()) return;
    if (types_.Kind(function.type) != TypeKind::Function)
      return in_.Fail("a function without a function type");
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
        if (function.params.size() != function.locals.size())
          return in_.Fail("a parameter after other variables");
        function.params.push_back(var);
      }
      if (variable.storage == Storage::StaticLocal) continue;
      variable.slot = static_cast<uint32_t>(function.locals.size());
      function.locals.push_back(var);
    }
    if (function.params.size() != signature.params.size())
      return in_.Fail("the parameters do not match the type");
    for (size_t i = 0; i < function.params.size(); ++i) {
      if (types_.Unqualified(program_.vars[function.params[i]].type) !=
          types_.Unqualified(signature.params[i])) {
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

  // --- values
  // -----------------------------------------------------------------------------------------------------
  VarId VarRef() { return VarId(in_.Ref(program_.vars.Size(), "variable")); }

  void Values() {
    while (!in_.Failed()) {
      if (in_.TakeIf("length")) {
        const VarId var = VarRef();
        const ExprId length = Expression();
        if (in_.Failed()) return;
        if (types_.Kind(program_.vars[var].type) != TypeKind::Vla)
          return in_.Fail("a length of something not a VLA");
        if (!IsInteger(types_.Kind(program_[length].type)))
          return in_.Fail("a length that is not an integer");
        program_.vars[var].vla_length = length;
      } else if (in_.TakeIf("init")) {
        const VarId var = VarRef();
        if (in_.Failed()) return;
        if (program_.vars[var].init) return in_.Fail("a second initialiser");
        const InitId init = Initialiser(program_.vars[var].type);
        program_.vars[var].init = init;
      } else {
        return;
      }
      in_.EndLine();
    }
  }

  InitId Initialiser(TypeId id) {
    const Nesting nesting(*this);
    if (!nesting.Entered()) return {};
    const Type type = types_[id];
    if (in_.TakeIf("str")) {
      const StringId string(in_.Ref(program_.strings.Size(), "string"));
      if (in_.Failed()) return {};
      if (type.kind != TypeKind::Array || !IsCharacter(types_.Kind(type.element)) ||
          type.length <= program_.strings[string].size()) {
        in_.Fail("the string does not fit what it initialises");
      }
      return builder_.InitString(string);
    }
    if (!in_.TakeIf("{")) {
      const ExprId value = Expression();
      if (!in_.Failed() && !IsAssignable(program_, id, value))
        in_.Fail("the value does not fit what it initialises");
      return in_.Failed() ? InitId() : builder_.InitExpr(value);
    }
    if (type.kind != TypeKind::Array && !IsRecord(type.kind)) in_.Fail("a list for a scalar");
    const bool designated = in_.TakeIf("designated");
    std::vector<InitItem> items;
    while (!in_.Failed() && !in_.TakeIf("}")) {
      const uint32_t index =
          in_.Ref(type.kind == TypeKind::Array ? type.length : MemberCount(type), "part");
      in_.Expect(":");
      if (in_.Failed()) break;
      TypeId part = type.element;
      if (IsRecord(type.kind)) {
        const Member& member = types_.GetRecord(type.record).members[index];
        if (!member.named) in_.Fail("an initialiser for an unnamed member");
        part = member.type;
      }
      items.push_back({index, Initialiser(part)});
    }
    return builder_.InitList(std::move(items), designated);
  }

  size_t MemberCount(const Type& type) const {
    return IsRecord(type.kind) ? types_.GetRecord(type.record).members.size() : 0;
  }

  template <typename Table>
  uint8_t Find(const Table& table, std::string_view what) {
    const std::string_view word = in_.Take();
    const size_t found = table.Find(word);
    if (found == table.kSize) {
      in_.Fail(fmt::format("'{}' is not {}", Reader::Clip(word), what));
      return 0;
    }
    return static_cast<uint8_t>(found);
  }

  template <typename Rows>
  uint8_t FindSpelling(const Rows& rows, std::string_view what) {
    const std::string_view word = in_.Take();
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].spelling == word) return static_cast<uint8_t>(i);
    }
    in_.Fail(fmt::format("'{}' is not {}", Reader::Clip(word), what));
    return 0;
  }

  void Details(Expr& e) {
    switch (e.kind) {
      case ExprKind::Constant:
        e.type = ReadType();
        e.value =
            in_.Word().starts_with('-') ? static_cast<uint64_t>(in_.Signed()) : in_.Unsigned();
        e.detail = Find(words::kSpellings, "a spelling of constants");
        return;
      case ExprKind::EnumConstant:
        e.ref = in_.Ref(types_.EnumCount(), "enum");
        e.value = in_.Unsigned();
        return;
      case ExprKind::String:
        e.ref = in_.Ref(program_.strings.Size(), "string");
        return;
      case ExprKind::Variable:
      case ExprKind::CompoundLiteral:
        e.ref = VarRef().index;
        return;
      case ExprKind::Function:
        e.ref = in_.Ref(program_.functions.Size(), "function");
        return;
      case ExprKind::Unary:
        e.op = FindSpelling(kUnaryOps, "a unary operator");
        return;
      case ExprKind::Binary:
      case ExprKind::CompoundAssign:
        e.op = FindSpelling(kBinaryOps, "a binary operator");
        return;
      case ExprKind::IncDec:
        e.op = Find(words::kIncDec, "an increment");
        return;
      case ExprKind::Cast:
        e.type = ReadType();
        return;
      case ExprKind::Index:
        e.detail = in_.TakeIf("swapped") ? 1 : 0;
        return;
      case ExprKind::Member:
        e.ref = static_cast<uint32_t>(in_.Unsigned(kMaxCount));
        return;
      case ExprKind::SizeofType:
        e.ref = ReadType().index;
        return;
      case ExprKind::Builtin:
        e.op = FindSpelling(kBuiltins, "a builtin");
        e.type = ReadType();
        e.ref = in_.TakeIf("none") ? TypeId().index : ReadType().index;
        return;
      case ExprKind::Guard:
        e.type = ReadType();
        e.ref = VarRef().index;
        e.value = in_.Unsigned();
        return;
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Assign:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
        return;
      case ExprKind::Known:
      case ExprKind::kCount:
        in_.Fail("not an expression of a finished program");
    }
  }

  ExprId Expression() {
    const Nesting nesting(*this);
    in_.Expect("(");
    std::string_view word = in_.Take();
    if (!nesting.Entered()) return {};
    Expr e;
    if (word.ends_with('!')) {
      e.repaired = true;
      word.remove_suffix(1);
    }
    size_t kind = 0;
    while (kind < kExprKinds.size() && kExprKinds[kind].name != word) ++kind;
    if (kind == kExprKinds.size()) {
      in_.Fail(fmt::format("'{}' is not a kind of expression", Reader::Clip(word)));
      return {};
    }
    e.kind = static_cast<ExprKind>(kind);
    Details(e);
    const ExprKindInfo& info = Info(e.kind);
    if (info.children > 0) e.lhs = Expression();
    if (info.children > 1) e.rhs = Expression();
    if (e.kind == ExprKind::Guard && in_.Word() == "(") e.detail = 1;
    if (info.children > 2 || (e.kind == ExprKind::Guard && e.detail == 1)) e.third = Expression();
    if (info.has_args) {
      std::vector<ExprId> arguments;
      while (!in_.Failed() && in_.Word() == "(") arguments.push_back(Expression());
      e.args = {static_cast<uint32_t>(program_.args.size()),
                static_cast<uint32_t>(arguments.size())};
      program_.args.insert(program_.args.end(), arguments.begin(), arguments.end());
    }
    in_.Expect(")");
    if (in_.Failed()) return {};
    if (const std::string_view problem = OperandProblem(program_, e); !problem.empty()) {
      in_.Fail(fmt::format("{}: {}", info.name, problem));
      return {};
    }
    return builder_.Add(e);
  }

  // --- statements
  // -------------------------------------------------------------------------------------------------
  void Body() {
    in_.Expect("body");
    function_ = FunctionId(in_.Ref(program_.functions.Size(), "function"));
    in_.EndLine();
    if (in_.Failed()) return;
    if (has_body_[function_.index]) return in_.Fail("a second body");
    has_body_[function_.index] = true;
    Statements(program_.functions[function_].body, "end");
    Relink(program_);
  }

  void Statements(BlockId block, std::string_view end) {
    const Nesting nesting(*this);
    while (nesting.Entered() && !in_.Failed() && !in_.TakeIf(end)) Statement(block);
    in_.EndLine();
  }

  BlockId Braces() {
    in_.Expect("{");
    in_.EndLine();
    const BlockId block = builder_.NewBlock(function_);
    Statements(block, "}");
    return block;
  }

  LabelId LabelRef() {
    const uint32_t number = in_.Ref(program_.labels.Size() + 1, "label");
    if (!in_.Failed() && number == program_.labels.Size()) builder_.NewLabel();
    return LabelId(number);
  }

  void Statement(BlockId block) {
    const std::string_view word = in_.Take();
    size_t kind = 0;
    while (kind < kStmtKinds.size() && kStmtKinds[kind].name != word) ++kind;
    if (kind == kStmtKinds.size())
      return in_.Fail(fmt::format("'{}' is not a statement", Reader::Clip(word)));
    Stmt stmt;
    stmt.kind = static_cast<StmtKind>(kind);
    bool body = false;
    switch (stmt.kind) {
      case StmtKind::Empty:
      case StmtKind::Break:
      case StmtKind::Continue:
      case StmtKind::Default:
        break;
      case StmtKind::Expr:
        stmt.expr = Expression();
        break;
      case StmtKind::Decl:
        stmt.var = VarRef();
        break;
      case StmtKind::Block:
        body = true;
        break;
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::DoWhile:
      case StmtKind::Switch:
        stmt.expr = Expression();
        body = true;
        break;
      case StmtKind::For:
        if (in_.TakeIf("var")) stmt.var = VarRef();
        if (in_.TakeIf("init")) stmt.init = Expression();
        if (in_.TakeIf("while")) stmt.expr = Expression();
        if (in_.TakeIf("step")) stmt.step = Expression();
        body = true;
        break;
      case StmtKind::Case:
        stmt.value = in_.Signed();
        break;
      case StmtKind::Label:
      case StmtKind::Goto:
        stmt.label = LabelRef();
        break;
      case StmtKind::Return:
        if (!in_.AtLineEnd()) stmt.expr = Expression();
        break;
      case StmtKind::kCount:
        break;
    }
    in_.EndLine();
    if (body && !in_.Failed()) stmt.body = Braces();
    if (stmt.kind == StmtKind::If && in_.TakeIf("else")) {
      in_.EndLine();
      stmt.other = Braces();
    }
    if (in_.Failed()) return;
    if (stmt.kind == StmtKind::Label && program_.labels[stmt.label].block)
      return in_.Fail("a label for the second time");
    builder_.Append(block, builder_.Statement(stmt));
  }

  Reader in_;
  Program program_;
  Builder builder_;
  TypeTable& types_;
  int depth_ = 0;
  int pointer_depth_ = 0;  // inside a pointer, records need not be complete
  uint32_t complete_records_ = 0;
  std::vector<uint64_t> record_bytes_;
  std::vector<bool> has_body_;
  FunctionId function_;
};

}  // namespace

support::Result<Program> Load(std::string_view text) {
  return Loader(text).Run();
}

}  // namespace assay::lang
