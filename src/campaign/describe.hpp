// A find as the store keeps it: the bug with everything its report needs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "campaign/confirm.hpp"
#include "store/records.hpp"

namespace assay::campaign {

// `known` holds signatures and bug names of a file of known bugs.
store::Bug Describe(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                    const std::vector<oracle::Judgement>& judgements, const Find& find,
                    const std::set<std::string>& known);

// "tcc-wrong-output-1a2b3c4d": readable, unique by its key, a folder's name.
std::string BugName(const std::string& family, oracle::Verdict verdict, const std::string& key);

// A command as shell text, to be run in the folder of the program.
std::string ShellText(const exec::Command& command);

}  // namespace assay::campaign
