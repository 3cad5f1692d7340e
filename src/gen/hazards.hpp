// What would be undefined if it were executed, for places that never are. A compiler that moves such code to where it
// runs, or believes it where it must not, makes a wrong program. (CsmithEdge: relaxed rules find bugs; here only where
// control never comes, so that the program stays valid.)
//
// Each kind is a row with a rate that is drawn per program; some are off. All are counted as writers.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Draws the rates of this program (Writer::weights).
void DrawHazardRates(Writer& w);
// Appends a hazard to the current block, which control never reached; nothing if none of them fits.
void WriteHazard(Writer& w);
// The same for the body of a branch that WriteBait wrote.
void WriteBaitedHazard(Writer& w, const Bait& bait);

// if (c) …, where c is false now and most likely stays so: often what makes the hazard inside one, as in
// if (i >= n) a[i] = e; The body is open. Should control come there after all, it is written as any other block; else
// it is a dead place with a hazard for certain.
void WriteBait(Writer& w);

}  // namespace assay::gen
