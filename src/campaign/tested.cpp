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

// What has come to the tallies since then.
std::vector<store::Tally> Since(const std::vector<store::Tally>& before, std::vector<store::Tally> tallies) {
  for (store::Tally& tally : tallies) {
    for (const store::Tally& earlier : before) {
      if (earlier.target == tally.target && earlier.verdict == tally.verdict) tally.amount -= earlier.amount;
    }
  }
  std::erase_if(tallies, [](const store::Tally& tally) { return tally.amount <= 0; });
  return tallies;
}

std::string WhyNothing(int64_t tests, int64_t no_program, const std::string& trouble,
                       const std::vector<LeftOut>& never_tested) {
  if (no_program == tests) return NoProgramText(tests, trouble);
  return fmt::format("none of {} programs told anything about a target: {}", tests, Join(never_tested));
}

// Why this run of a campaign that has tests made none of its own. Nothing, if that may be: of processes that share a
// campaign on a server the last one may come too late.
std::string WhyNothingNow(const Options& options, const Before& before, const std::string& trouble,
                          const Summary& summary) {
  const Status& status = summary.status;
  if (status.tests_here > 0) {
    if (status.tested > before.tested) return {};
    return WhyNothing(status.tests_here, status.no_program - before.no_program, trouble, summary.never_tested);
  }
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

Result<Before> FiguresBefore(store::Store& store) {
  Before before;
  ASSIGN_OR_RETURN(before.tallies, store.Tallies());
  ASSIGN_OR_RETURN(auto counters, store.Counters());
  for (const store::Counter& counter : counters) {
    if (counter.name == kTested) before.tested = counter.amount;
    if (counter.name == "no_program") before.no_program = counter.amount;
  }
  return before;
}

void SayWhatWasTested(const Options& options, const Before& before, const std::vector<store::Tally>& tallies,
                      const std::vector<target::Target>& targets, const std::map<std::string, std::string>& lost,
                      const std::vector<target::FlagKnowledge::LeftOutConfiguration>& refused,
                      const std::string& trouble, Summary& summary) {
  const std::vector<store::Tally> now = Since(before.tallies, tallies);
  std::vector<LeftOut> missing;  // of those asked for
  for (const target::Target& target : targets) {
    const auto gone = lost.find(target.name);
    if (gone != lost.end()) missing.push_back({target.name, "lost: " + gone->second});
    // In a run of few tests no program may have been for it: then the runs before count.
    const std::string verdicts = VerdictsOf(now, target.name);
    if (WasTested(verdicts.empty() ? tallies : now, target.name)) continue;
    const std::string all = verdicts.empty() ? VerdictsOf(tallies, target.name) : verdicts;
    summary.never_tested.push_back({target.name, all.empty() ? "no program was for it" : all});
    if (gone == lost.end() && options.demanded.contains(target.name)) missing.push_back(summary.never_tested.back());
  }
  for (const auto& one : refused) {
    if (options.demanded.contains(one.target)) missing.push_back({one.name, "its flags do not work: " + one.why});
  }
  const std::string nothing_now = WhyNothingNow(options, before, trouble, summary);
  const Status& status = summary.status;
  if (status.tests == 0) {
    summary.untested = "no test was completed: give more time (--time) or tests (--tests)";
  } else if (status.tested == 0) {
    summary.untested = WhyNothing(status.tests, status.no_program, trouble, summary.never_tested);
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
