// Loops: what steers them and how often they run. Each appends one loop, with its preparation, to the current block.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

void WriteFor(Writer& w);
void WriteWhile(Writer& w);
void WriteDo(Writer& w);

// How often a loop written here should run: as the loop optimisers like it, or the length of an array, as far as the
// steps that are left go. 0: there are none for a loop.
uint32_t DrawTrips(Writer& w);

}  // namespace assay::gen
