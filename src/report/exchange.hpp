// A campaign's bugs for other programs: SARIF for code hosts, JUnit for CI. Entries only, known ones left out.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace assay::report {

// SARIF 2.1.0: one result per bug, in its small program; `version` is Assay's.
std::string Sarif(const std::vector<store::Bug>& bugs, const std::string& version);

// Targets that were lost in the last run, or in one at the same time, and why.
std::map<std::string, std::string> LostLately(const std::vector<store::Run>& runs);

// JUnit: a test case per target, failed with its bugs. A target of which no verdict tells anything (`tells`: does this
// one?) is skipped, and where there is no other and no bug an error says that nothing was tested. A target of `lost`
// has an error that says so, whatever was tested before.
std::string JUnit(const std::vector<store::Bug>& bugs, const std::vector<store::Tally>& tallies,
                  const std::function<bool(const std::string& verdict)>& tells,
                  const std::map<std::string, std::string>& lost = {});

}  // namespace assay::report
