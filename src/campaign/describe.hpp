// A find as the store keeps it: the bug with everything its report needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "campaign/confirm.hpp"
#include "store/records.hpp"
#include "triage/known.hpp"

namespace assay::campaign {

// `known` holds signatures and bug names of a file of known bugs; the target has its own.
store::Bug Describe(const TestCase& test, const std::vector<oracle::Outcome>& outcomes,
                    const std::vector<oracle::Judgement>& judgements, const Find& find, const triage::KnownBugs& known);

// "tcc-wrong-output-1a2b3c4d": readable, unique by its key, a folder's name.
std::string BugName(const std::string& family, oracle::Verdict verdict, const std::string& key);

// The beginning of a title, which says who, and what stands behind it: "gcc-12 -O2", ": wrong output".
std::string TitleName(const target::Configuration& configuration);
std::string TitleMark(oracle::Verdict verdict);

// One line: who does what.
std::string Title(const target::Configuration& configuration, oracle::Verdict verdict, const std::string& detail);

// The commands of a report, as shell text: compile (empty for interpreters), and run if the bug is
// about the run. The folder of the target's service is {service}.
std::pair<std::string, std::string> CommandsText(const TestCase& test, const target::Configuration& configuration,
                                                 bool about_run);

// The line of the diagnostics to recognise a failing compile by; empty when there is none that
// names the failure.
std::string Evidence(const target::Target& target, const exec::Observation& compile);

// A command as shell text, to be run in the folder of the program.
std::string ShellText(const exec::Command& command);

}  // namespace assay::campaign
