// What happens at a trap. At the first execution of an operation it is rewritten (rewrites.hpp); at a later one it is
// repaired: changed so that it gives the same result for every earlier execution. The last resort, a counter around the
// operation, always applies, so that repair always succeeds.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Rewrites or repairs the program at the trap. False only if the trap cannot be repaired (the machine then gives up)
// or, for a soft step budget, if nothing needs to be done.
bool RepairTrap(Writer& w, const machine::Trap& trap);

}  // namespace assay::gen
