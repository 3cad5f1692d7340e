// Swarm testing (Groce et al., ISSTA 2012): a program that lacks features goes deeper into those it has, and reaches
// what the features it lacks would hide.
#pragma once

#include "choice/choices.hpp"
#include "knobs/knobs.hpp"

namespace assay::gen {

// Whether swarm may switch the knob off: a weight or a share of some construct, not a size, a count or a limit.
bool IsFeature(const knobs::KnobRow& row);

// The knobs of one program. In `swarm` percent of programs each feature is off with a probability drawn for the
// program, and some are raised; the others have the knobs as they are.
knobs::Knobs Swarm(const knobs::Knobs& knobs, choice::Choices& choices);

}  // namespace assay::gen
