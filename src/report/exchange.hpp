// A campaign's bugs for other programs: SARIF for code hosts, JUnit for CI. Entries only, known ones left out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace assay::report {

// SARIF 2.1.0: one result per bug, in its small program; `version` is Assay's.
std::string Sarif(const std::vector<store::Bug>& bugs, const std::string& version);

// JUnit: a test case per target, failed with its bugs. A target of which no verdict tells anything (`tells`: does this
// one?) is skipped, and where there is no other and no bug an error says that nothing was tested.
std::string JUnit(const std::vector<store::Bug>& bugs, const std::vector<store::Tally>& tallies,
                  const std::function<bool(const std::string& verdict)>& tells);

}  // namespace assay::report
