// Walks over everything reachable in a program, with what an edit needs to know about each place.
#pragma once

#include <functional>
#include <vector>

#include "lang/program.hpp"

namespace assay::reduce {

// An expression and where it stands.
struct Place {
  lang::ExprId id;
  lang::ExprId parent;  // none: the root of a statement's or initialiser's expression
  uint8_t operand = 0;  // which child of the parent: 0 lhs, 1 rhs, 2 third, 3 + i argument i
  lang::StmtId stmt;    // none in an initialiser of a global
  lang::FunctionId function;
  bool lvalue = false;       // must stay an lvalue
  bool discarded = false;    // its value is not used
  bool constant = false;     // must stay a constant expression
  bool unevaluated = false;  // inside sizeof
};

// Every expression once, parents first: initialisers of globals, then function by function in order
// of the text.
void ForEachPlace(const lang::Program& program, const std::function<void(const Place&)>& visit);

// Every statement that is in a block, in order of the text; `depth` is the nesting of blocks.
void ForEachStmt(const lang::Program& program,
                 const std::function<void(lang::StmtId, lang::BlockId, uint32_t depth)>& visit);

// How often things are mentioned.
struct Mentions {
  std::vector<uint32_t> vars;       // by VarId: Variable, CompoundLiteral and Guard nodes
  std::vector<uint32_t> functions;  // by FunctionId: Function nodes
  std::vector<uint32_t> addresses;  // by FunctionId: Function nodes that are not the callee of a call
  std::vector<uint32_t> labels;     // by LabelId: gotos
};
Mentions CountMentions(const lang::Program& program);

// By FunctionId: can be called or pointed at from the entry function or an initialiser of a global.
std::vector<bool> ReachableFunctions(const lang::Program& program);

}  // namespace assay::reduce
