#include "campaign/replay.hpp"

#include "campaign/confirm.hpp"
#include "report/words.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

constexpr int kTriesToBeFixed = 5;  // some bugs happen only sometimes

bool IsSameFailure(const store::Bug& bug, const target::Target& target, oracle::Verdict verdict,
                   const oracle::Outcome& outcome) {
  if (oracle::Name(verdict) != bug.kind) return false;
  if (IsAboutRun(verdict)) return true;
  return triage::FindKey(target, verdict, outcome.compile ? *outcome.compile : *outcome.run, "") == bug.signature;
}

// What can be said about a run of which nobody knows what it must print: whether it ends.
oracle::Judgement JudgeWithoutExpectation(const store::Bug& bug, const exec::Observation& run) {
  const oracle::Judgement seen = oracle::JudgeRun({run.stdout_text, run.exit_code}, run);
  if (seen.verdict != oracle::Verdict::Ok || bug.kind != oracle::Name(oracle::Verdict::WrongOutput)) return seen;
  return {oracle::Verdict::Inconclusive, "no output is stored to compare with"};
}

}  // namespace

std::optional<target::Configuration> FindConfiguration(std::span<const target::Target> targets,
                                                       const std::string& target, const std::string& flags,
                                                       const std::string& name) {
  auto words = SplitWords(flags);
  for (const target::Target& one : targets) {
    if (one.name != target || !words) continue;
    target::Configuration configuration{.target = &one, .flags = *words};
    std::string unquoted = one.name;  // as older campaigns have it
    for (const std::string& flag : *words) unquoted += " " + flag;
    if (configuration.Name() == name || unquoted == name) return configuration;
  }
  return {};
}

TestCase StoredProgram(const store::Bug& bug) {
  TestCase test{.seed = bug.first_seed, .language = bug.language, .knobs = bug.knobs};
  if (auto flags = SplitWords(bug.extra_flags)) test.extra_flags = *flags;
  for (const store::BugFile& file : bug.files) {
    if (file.role == "program" || file.role == "header") {
      test.files.push_back({report::SafeName(file.name), file.content, file.role == "program"});
    }
  }
  return test;
}

Result<ReplayResult> Replay(Lab& lab, const store::Bug& bug, const target::Target& target) {
  ReplayResult result{.bug = bug.name, .configuration = bug.configuration};
  target::Target found_on;  // only the name matters
  found_on.name = bug.target;
  auto stored = FindConfiguration(std::span(&found_on, 1), bug.target, bug.flags, bug.configuration);
  if (!stored) {
    result.detail = "it was stored without its flags";
    return result;
  }
  target::Configuration configuration{.target = &target, .flags = stored->flags};
  result.configuration = configuration.Name();
  TestCase test = StoredProgram(bug);
  for (const store::BugFile& file : bug.files) {
    if (file.role != "expected") continue;
    test.has_expectation = true;
    test.expectations.Add(target.data_model, {file.content, static_cast<int>(bug.expected_status)});
  }
  if (test.files.empty()) {
    result.detail = "no program is stored";
    return result;
  }
  const oracle::Expectation* expected = test.expectations.For(target.data_model);
  oracle::Outcome outcome;
  oracle::Judgement judgement;
  for (int tries = 0; tries < kTriesToBeFixed && judgement.verdict == oracle::Verdict::Ok; ++tries) {
    ASSIGN_OR_RETURN(outcome, lab.Try(test, configuration));
    judgement = oracle::JudgeCompile(outcome);
    if (judgement.verdict == oracle::Verdict::Ok && outcome.run) {
      judgement =
          expected != nullptr ? oracle::JudgeRun(*expected, *outcome.run) : JudgeWithoutExpectation(bug, *outcome.run);
    }
  }
  result.detail = judgement.detail;
  if (judgement.verdict == oracle::Verdict::Ok) {
    result.result = Replayed::Fixed;
  } else if (judgement.verdict == oracle::Verdict::Unavailable || judgement.verdict == oracle::Verdict::Inconclusive) {
    result.result = Replayed::CannotRun;
  } else if (IsSameFailure(bug, target, judgement.verdict, outcome)) {
    result.result = Replayed::StillFailing;
  } else {
    result.result = Replayed::Changed;
  }
  return result;
}

}  // namespace assay::campaign
