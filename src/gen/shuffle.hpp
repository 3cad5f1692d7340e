// Parameter shuffling: the distributions of a program are drawn themselves, so that not every program looks like every
// other.
#pragma once

#include "choice/choices.hpp"
#include "knobs/knobs.hpp"

namespace assay::gen {

// The knobs of one program. What a knob switches off stays off; limits that keep programs small stay as they are.
knobs::Knobs Shuffled(const knobs::Knobs& knobs, choice::Choices& choices);

}  // namespace assay::gen
