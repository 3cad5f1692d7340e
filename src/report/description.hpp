// What a bug's folder says about it: bug.json for machines, bug.md for the compiler's bug tracker.
#pragma once

#include <string>

#include "store/records.hpp"

namespace assay::report {

// The bug as it is shown to people: by its small program as soon as there is one.
store::Bug ShownForm(const store::Bug& bug);

// The commands by hand, one a line; empty when there are none.
std::string CommandsByHand(const store::Bug& bug);

std::string BugJson(const store::Bug& bug);
std::string BugMarkdown(const store::Bug& bug);

}  // namespace assay::report
