// The first divergence: which variable, and which statement makes it wrong.
//
// The program is cut off after its first, second, … statement and each beginning is tried by
// itself: the machine says what the variable must be there, the compiler what it is. The first
// beginning that is wrong ends with the statement to look at; if that is a call or a block, its own
// statements are cut in the same way. Works when the bug survives the cutting.
#pragma once

#include "reduce/oracle.hpp"

namespace assay::reduce {

struct Divergence {
  std::string variable;          // as in the text of the case
  std::string statement;         // first line of the C text; empty: the bug does not survive the cutting
  std::string expected, actual;  // the variable's value after it
};

// The case checks one scalar (Look::Print). An Error only from the outside world.
Result<Divergence> Explain(const Case& subject, Judge& judge, const machine::Options& options);

}  // namespace assay::reduce
