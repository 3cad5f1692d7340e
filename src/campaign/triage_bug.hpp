// What a reduced bug needs to happen: its flags, the guilty pass, the versions that have it. Asked of the targets with
// the small program (triage/culprit.hpp says how).
#pragma once

#include <functional>

#include "campaign/lab.hpp"
#include "store/records.hpp"
#include "triage/culprit.hpp"

namespace assay::campaign {

struct TriageLimits {
  double seconds = 30;              // for one bug
  std::function<bool()> must_stop;  // the campaign ends; empty: never
};

// What is learned about targets on the way; one for all bugs.
using TriageMemory = triage::Indispensable;

inline constexpr const char* kNotShown = "the small program does not show the bug";
inline constexpr const char* kShownSometimes =
    "it happens only sometimes: nothing can be said of flags, versions and passes";

// Looks at the bug, which is reduced, on the target it was found on and the others of its family among `targets`. What
// cannot be found out is said in the note. An Error only when the campaign cannot go on.
Result<store::Triage> TriageBug(Lab& lab, const std::vector<target::Target>& targets, const store::Bug& bug,
                                TriageMemory& memory, const TriageLimits& limits);

// Gives the bug what was found now. A compiler that has been mended has nothing to say of flags and passes: what is
// known of them stays, or else different bugs would look alike. So it does where the time was up.
void TakeTriage(store::Bug& bug, store::Triage found);

}  // namespace assay::campaign
