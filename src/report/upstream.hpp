// A reduced bug as the developers of its compiler want to be told of it: title, test case, how to see it, what is
// known. To be read once and pasted.
#pragma once

#include <string>

#include "store/records.hpp"

namespace assay::report {

struct UpstreamReport {
  std::string file;  // in the bug's folder
  std::string text;
};

// In the form of the bug's tracker; a mail for a tracker that nobody knows. The bug is reduced.
UpstreamReport ReportFor(const store::Bug& bug);

}  // namespace assay::report
