// Parameter shuffling: the distributions of a program are drawn themselves, so that not every program looks like every
// other.
#pragma once

#include "choice/choices.hpp"
#include "knobs/knobs.hpp"

namespace assay::gen {

// The knobs with which one program is written: in `mix` percent of programs the settings of a profile, drawn evenly,
// stand in for those knobs that have their default values. Sizes stay.
knobs::Knobs Mixed(const knobs::Knobs& knobs, choice::Choices& choices);

// The knobs of one program. What a knob switches off stays off; limits that keep programs small stay as they are.
knobs::Knobs Shuffled(const knobs::Knobs& knobs, choice::Choices& choices);

}  // namespace assay::gen
