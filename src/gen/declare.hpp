// Declarations that are more than a new object: pointers to the locals that are visible, and declarations that a goto
// passes.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// T *p = &x; T *a[2][3] = {{&x, &y[1], …}, …}; T **q = &p; of locals that live at least as long.
void WriteLocalPointer(Writer& w);
// if (c) goto L; int x = e; L: what follows may find x without a value.
void WriteGotoOver(Writer& w);

}  // namespace assay::gen
