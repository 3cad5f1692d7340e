// Has the campaign tested anything? A green result says so only where programs told something about the targets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "target/flag_knowledge.hpp"

namespace assay::campaign {

// The counter of the store: programs that told something about at least one target.
inline constexpr const char* kTested = "tested";

// "none of 100 seeds gave a program: ..."
std::string NoProgramText(int64_t seeds, const std::string& trouble);

// The figures of a campaign when a run of it begins: what earlier runs have tested may be another thing by now.
struct Before {
  std::vector<store::Tally> tallies;
  int64_t tested = 0, no_program = 0;
};
Result<Before> FiguresBefore(store::Store& store);

// Fills in Summary::untested and Summary::never_tested from the figures of the campaign, now and before this run.
// `lost` are the targets that could not be started any more, and why; `refused`
// the configurations whose flags they do not take; `trouble` is the source's.
void SayWhatWasTested(const Options& options, const Before& before, const std::vector<store::Tally>& tallies,
                      const std::vector<target::Target>& targets, const std::map<std::string, std::string>& lost,
                      const std::vector<target::FlagKnowledge::LeftOutConfiguration>& refused,
                      const std::string& trouble, Summary& summary);

}  // namespace assay::campaign
