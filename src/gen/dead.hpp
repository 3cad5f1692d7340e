// Places that were never executed: known exactly once the program has run. They are filled freely, and may hold what
// would be undefined if it ran.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Closes every block that is still open, after writing something into those that control never reached.
void FillDeadPlaces(Writer& w);

}  // namespace assay::gen
