// After an edit: puts the program in order and says whether it is still a program.
//
// An edit changes nodes in place and need not care about what follows from it. Settle removes empty
// statements, links blocks again, computes all types anew from the leaves up, and checks every rule
// a compiler would diagnose: operands (lang/constraints.hpp), scopes, labels, jumps, cases,
// initialisers, returns. What passes can be saved, run by the machine and emitted. Whether it is
// *valid* (no undefined behaviour) is the machine's business.
#pragma once

#include "reduce/case.hpp"

namespace assay::reduce {

// False if the program is not well formed; it must then be thrown away.
bool Settle(Case& subject);

}  // namespace assay::reduce
