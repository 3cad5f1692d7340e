// Well-formedness of a whole program: the constraints of C and the invariants of the model. What
// Verify accepts, emit can print, compilers accept and the machine can run (it may still trap:
// behaviour is the machine's matter).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/program.hpp"

namespace assay::lang {

// One broken rule and where; the ids that do not apply are invalid.
struct Problem {
  std::string_view message;
  FunctionId function;
  StmtId stmt;
  ExprId expr;
  VarId var;
};

// Every broken rule found; empty for a well-formed program. Nothing but the table of types may
// change (types of expressions are computed anew and compared).
std::vector<Problem> Verify(Program& program);

// For a program whose nodes were changed: computes the types of all expressions anew, from the leaves up, and verifies
// on the way. Ends at the first broken rule and gives it; the types are then partly old.
std::optional<Problem> Retype(Program& program);

// "function 1, statement 5, expression 17: target is not an lvalue", with the ids of the stores.
std::string Describe(const Problem& problem);

}  // namespace assay::lang
