// Builds a program from its text form (text.hpp describes it): types and declarations in
// text_load.cpp, values and statements in text_load_body.cpp.
#pragma once

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "lang/text.hpp"
#include "lang/text_reader.hpp"
#include "lang/text_words.hpp"

namespace assay::lang {

class TextLoader {
 public:
  static constexpr int kMaxDepth = 2000;            // of expressions, types, initialisers and blocks
  static constexpr uint64_t kMaxBytes = 64u << 20;  // of one type

  explicit TextLoader(std::string_view text) : in_(text), builder_(program_), types_(program_.types) {}
  support::Result<Program> Run();

 private:
  // Counts the nesting of recursive functions; Entered() is false, with an error, when it is too
  // deep.
  class Nesting {
   public:
    explicit Nesting(TextLoader& loader) : loader_(loader) {
      if (++loader_.depth_ > kMaxDepth) loader_.in_.Fail("nested too deeply");
    }
    ~Nesting() { --loader_.depth_; }
    bool Entered() const { return !loader_.in_.Failed(); }

   private:
    TextLoader& loader_;
  };

  void Head();

  // --- types
  void TypeSection();
  // A record may contain only records with smaller numbers; pointers to any.
  void Members(RecordId id);
  void CheckMember(const Member& member);
  static bool StartsSection(std::string_view word);
  bool IsObject(TypeId type) const { return IsObjectType(program_, type); }
  // An upper bound of the size, with alignment.
  uint64_t Bytes(TypeId id) const;
  TypeId ReadType();
  TypeId ReadElement();
  void FunctionType(Type& type);

  // --- declarations
  VarId Declaration(Storage storage, FunctionId function);
  void Declarations();
  void FunctionHead();

  // --- values
  VarId VarRef() { return VarId(in_.Ref(program_.vars.Size(), "variable")); }
  void Values();
  InitId Initialiser(TypeId id);
  size_t MemberCount(const Type& type) const;
  template <typename Table>
  uint8_t Find(const Table& table, std::string_view what) {
    const std::string_view word = in_.Take();
    const size_t found = table.Find(word);
    if (found == table.kSize) {
      in_.Fail(fmt::format("'{}' is not {}", TextReader::Clip(word), what));
      return 0;
    }
    return static_cast<uint8_t>(found);
  }
  template <typename Rows>
  uint8_t FindSpelling(const Rows& rows, std::string_view what) {
    const std::string_view word = in_.Take();
    for (const auto& row : rows) {
      if (row.spelling == word) return static_cast<uint8_t>(row.kind);
    }
    in_.Fail(fmt::format("'{}' is not {}", TextReader::Clip(word), what));
    return 0;
  }
  void Details(Expr& e);
  ExprId Expression();

  // --- statements
  void Body();
  void Statements(BlockId block, std::string_view end);
  BlockId Braces();
  LabelId LabelRef();
  void Statement(BlockId block);

  TextReader in_;
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

}  // namespace assay::lang
