// After an edit: puts the program in order.
//
// An edit changes nodes in place and need not care about what follows from it. Mend removes empty statements, links
// blocks again and computes all types anew from the leaves up. What it makes is verified by lang/verify.hpp, the one
// place that knows the rules, which ends at the first broken one: most candidates break some. What passes can be saved,
// run by the machine and emitted. Whether it is *valid* (no undefined behaviour) is the machine's business.
#pragma once

#include "reduce/case.hpp"

namespace assay::reduce {

// False if the program is not well formed; it must then be thrown away.
bool Mend(Case& subject);

}  // namespace assay::reduce
