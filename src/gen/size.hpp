// The size of a program in tokens of its C text. Generation does not print, so this is an estimate from the nodes, by
// the rules of emit: a few percent off (tests/size_test.cpp compares it with the text).
#pragma once

#include "lang/program.hpp"

namespace assay::gen {

// What is printed whatever the program does: printf, the mixing functions, main.
inline constexpr uint32_t kFrameTokens = 170;

class Meter {
 public:
  explicit Meter(const lang::Program& program) : program_(program) {}

  // An expression, where parentheses are needed around what binds less tightly than `precedence`.
  uint32_t Expression(lang::ExprId id, int precedence = 0) const;
  uint32_t Initialiser(lang::InitId id) const;
  uint32_t Declaration(lang::VarId var) const;   // with the initialiser, without the semicolon
  uint32_t Statement(lang::StmtId stmt) const;   // with what stands in its blocks now
  uint32_t Block(lang::BlockId block) const;     // the statements in it
  uint32_t Global(lang::VarId var) const;        // its definition, and its check at the end
  uint32_t Function(lang::FunctionId id) const;  // prototype, definition, and what stands in it now
  uint32_t Record(lang::RecordId id) const;      // its definition
  uint32_t TypeName(lang::TypeId type) const;    // specifiers and declarator without a name
  // The check of a global of the type at the end: its scalars, one by one or in loops. `path` is the tokens of its
  // name.
  uint32_t Check(lang::TypeId type, uint32_t path = 1) const;

 private:
  bool MayDiffer(lang::TypeId type) const;  // whether elements of the type may have different checks
  const lang::Program& program_;
};

}  // namespace assay::gen
