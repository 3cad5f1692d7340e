// Which writers of our generator (gen/writers.hpp) stand behind the finds of a campaign.
#pragma once

#include <string>
#include <vector>

#include "store/records.hpp"

namespace assay::report {

// A line for each writer whose code ran in a program that showed a bug: in how many finds, of how many different bugs.
// The most finds first. Known bugs, and what is no bug, do not count.
std::string FindsPerWriter(const std::vector<store::Bug>& bugs, const std::vector<store::Find>& finds);

}  // namespace assay::report
