// Expressions of exactly so many operators (knobs exact_operators, exact_depth).
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// The depth that expressions have under these knobs: the one asked for, or what the operators need.
uint32_t ExactDepth(const knobs::Knobs& knobs);
// t = …; with a new global t. Nothing where it does not fit.
void WriteExact(Writer& w);

}  // namespace assay::gen
