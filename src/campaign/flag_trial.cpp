#include "campaign/flag_trial.hpp"

namespace assay::campaign {
namespace {

using oracle::Outcome;
using oracle::Verdict;

// Could the flags be to blame for what the configuration did?
bool IsDoubtful(const TestCase& test, const Outcome& outcome) {
  const target::Target& target = *outcome.configuration.target;
  if (target.kind == target::Kind::Interpreter) return outcome.run.has_value();
  if (!outcome.compile) return false;
  const Verdict compiled = oracle::JudgeCompile(outcome).verdict;
  if (compiled == Verdict::RejectedValid || compiled == Verdict::Unsupported) return true;
  // Nothing was made, or nothing that can be started; an emulator says that by its exit code.
  if (compiled == Verdict::CompilerCrash) return outcome.compile->Succeeded();
  const bool failed = outcome.run && outcome.run->ending == exec::Ending::Exited && !outcome.run->Succeeded();
  return compiled == Verdict::Ok && failed && !target.run_prefix.empty() && !test.CompileOnly();
}

}  // namespace

Result<std::vector<RefusedFlags>> SetAsideRefusedFlags(Lab& lab, const TestCase& test, target::FlagKnowledge& known,
                                                       std::vector<Outcome>& outcomes) {
  std::vector<RefusedFlags> news;
  for (Outcome& outcome : outcomes) {
    const target::Configuration& configuration = outcome.configuration;
    if (configuration.flags.empty()) continue;
    if (!configuration.drawn && known.IsProven(configuration)) continue;
    if (!IsDoubtful(test, outcome)) continue;
    if (configuration.drawn) {
      if (test.may_be_declined) continue;  // so many are, and none is a find
      ASSIGN_OR_RETURN(outcome.flags_refused, known.BlameFlags(lab.Executor(), configuration, test.extra_flags));
    } else {
      ASSIGN_OR_RETURN(const auto proof, known.Prove(lab.Executor(), configuration, test.extra_flags));
      outcome.flags_refused = !proof.why.empty();
      if (proof.is_news) news.push_back({configuration.Name(), proof.why});
    }
    if (!outcome.flags_refused) continue;
    outcome.run.reset();
    outcome.made_nothing = false;
  }
  return news;
}

}  // namespace assay::campaign
