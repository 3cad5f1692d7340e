// The order in which a person looks at bugs: the first shows the most finds, and each next one is the most different
// from all before it. Who stops in the middle has seen the widest choice.
#pragma once

#include <vector>

#include "store/records.hpp"

namespace assay::report {

// Two bugs differ by what is known of them: family, kind, guilty pass, constructs of the small program.
void MostDifferentFirst(std::vector<const store::Bug*>& bugs);

}  // namespace assay::report
