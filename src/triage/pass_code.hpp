// What a guilty pass did to the code, taken from what a compiler prints when it is told to show its passes.
#pragma once

#include <string>
#include <string_view>

namespace assay::triage {

struct PassCode {
  std::string before, after;  // before is empty where the compiler prints no more than one of them
};

// LLVM's -print-changed: a dump after every pass that changed something. Of the last one, if it is this pass's: the
// functions that it changed, before and after. Everything else: what is printed is what the pass says. Cut to what a
// person reads.
PassCode CodeOfPass(std::string_view pass, std::string_view printed);

}  // namespace assay::triage
