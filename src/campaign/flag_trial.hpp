// A failure may be the fault of the flags that the target was given, and not the program's nor the compiler's: every
// configuration that fails has to show once that it works with a trivial program.
#pragma once

#include <string>
#include <vector>

#include "campaign/lab.hpp"
#include "target/flag_knowledge.hpp"

namespace assay::campaign {

// A configuration that was found not to work, and what it does with the trivial program.
struct RefusedFlags {
  std::string configuration, why;
};

// Marks the outcomes of configurations whose flags the target refuses (Outcome::flags_refused) and takes away what they
// did. Those that are news are given back: people have to hear of fixed configurations that are not tested.
Result<std::vector<RefusedFlags>> SetAsideRefusedFlags(Lab& lab, const TestCase& test, target::FlagKnowledge& known,
                                                       std::vector<oracle::Outcome>& outcomes);

}  // namespace assay::campaign
