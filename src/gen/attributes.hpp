// Function attributes that must be true: pure and const where the body proves it, always_inline only where every
// compiler can inline.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

void SettleAttributes(Writer& w);

}  // namespace assay::gen
