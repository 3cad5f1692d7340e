#include "campaign/tested.hpp"

#include <fmt/format.h>

namespace assay::campaign {
namespace {

// "40 unsupported, 2 inconclusive"; nothing if the target had no program.
std::string VerdictsOf(const std::vector<store::Tally>& tallies, const std::string& target) {
  std::string text;
  for (const store::Tally& tally : tallies) {
    if (tally.target != target) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", tally.amount, tally.verdict);
  }
  return text;
}

bool WasTested(const std::vector<store::Tally>& tallies, const std::string& target) {
  for (const store::Tally& tally : tallies) {
    auto verdict = oracle::VerdictNamed(tally.verdict);
    if (tally.target == target && verdict && oracle::SaysSomething(*verdict)) return true;
  }
  return false;
}

std::string Join(const std::vector<LeftOut>& targets) {
  std::string text;
  for (const LeftOut& one : targets) text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", one.target, one.why);
  return text;
}

std::string WhyNothing(const std::string& trouble, const Summary& summary) {
  const Status& status = summary.status;
  if (status.tests == 0) return "no test was completed: give more time (--time) or tests (--tests)";
  if (status.no_program == status.tests) return NoProgramText(status.tests, trouble);
  return fmt::format("none of {} programs told anything about a target: {}", status.tests, Join(summary.never_tested));
}

// Why this run of a campaign that has tests made none of its own. Nothing, if that may be: of processes that share a
// campaign on a server the last one may come too late.
std::string WhyNothingNow(const Options& options, const Status& status) {
  if (status.tests_here > 0) return {};
  if (status.tests < options.tests) return "no test was completed in this run: give it more time (--time)";
  if (store::Store::IsOnServer(options.folder)) return {};
  return fmt::format(
      "nothing was tested in this run: the campaign in {} had its {} tests before; give it more (--tests), or use "
      "another --dir",
      options.folder.string(), status.tests);
}

}  // namespace

std::string NoProgramText(int64_t seeds, const std::string& trouble) {
  return fmt::format("none of {} seeds gave a program{}{}", seeds, trouble.empty() ? "" : ": ", trouble);
}

void SayWhatWasTested(const Options& options, const std::vector<store::Tally>& tallies,
                      const std::vector<target::Target>& targets, const std::map<std::string, std::string>& lost,
                      const std::string& trouble, Summary& summary) {
  std::vector<LeftOut> missing;  // of those asked for
  for (const target::Target& target : targets) {
    const auto gone = lost.find(target.name);
    if (gone != lost.end()) missing.push_back({target.name, "lost: " + gone->second});
    if (WasTested(tallies, target.name)) continue;
    const std::string verdicts = VerdictsOf(tallies, target.name);
    summary.never_tested.push_back({target.name, verdicts.empty() ? "no program was for it" : verdicts});
    if (gone == lost.end() && options.demanded.contains(target.name)) missing.push_back(summary.never_tested.back());
  }
  const std::string nothing_now = WhyNothingNow(options, summary.status);
  if (summary.status.tested == 0) {
    summary.untested = WhyNothing(trouble, summary);
  } else if (!nothing_now.empty()) {
    summary.untested = nothing_now;
  } else if (summary.status.tested < options.min_tests) {
    summary.untested =
        fmt::format("{} programs were tested, fewer than --min-tests {}", summary.status.tested, options.min_tests);
  } else if (!missing.empty()) {
    summary.untested = "not all targets were tested to the end: " + Join(missing);
  }
}

}  // namespace assay::campaign
