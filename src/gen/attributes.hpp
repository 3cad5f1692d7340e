// Function attributes that must be true: pure and const where the body proves it, always_inline only where every
// compiler can inline (lang/effects.hpp).
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

void WriteAttributes(Writer& w);

// After late repairs: takes away those that are true no longer.
void DropUntrueAttributes(lang::Program& program);

}  // namespace assay::gen
