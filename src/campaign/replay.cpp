#include "campaign/replay.hpp"

#include "campaign/confirm.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

// The flags in a configuration's name: all words after the target's.
target::Flags FlagsOf(const store::Bug& bug) {
  if (bug.configuration.size() <= bug.target.size()) return {};
  auto words = SplitWords(std::string_view(bug.configuration).substr(bug.target.size()));
  return words ? *words : target::Flags{};
}

bool IsSameFailure(const store::Bug& bug, const target::Target& target, oracle::Verdict verdict,
                   const oracle::Outcome& outcome) {
  if (oracle::Name(verdict) != bug.kind) return false;
  if (IsAboutRun(verdict) || !outcome.compile) return true;
  return triage::FindKey(target, verdict, *outcome.compile, "") == bug.signature;
}

}  // namespace

TestCase StoredProgram(const store::Bug& bug) {
  TestCase test{.seed = bug.first_seed, .language = bug.language, .knobs = bug.knobs};
  if (auto flags = SplitWords(bug.extra_flags)) test.extra_flags = *flags;
  for (const store::BugFile& file : bug.files) {
    if (file.role == "program" || file.role == "header") {
      test.files.push_back({file.name, file.content, file.role == "program"});
    }
  }
  return test;
}

Result<ReplayResult> Replay(Lab& lab, const store::Bug& bug, const target::Target& target) {
  target::Configuration configuration{.target = &target, .flags = FlagsOf(bug)};
  ReplayResult result{.bug = bug.name, .configuration = configuration.Name()};
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
  auto outcome = lab.Try(test, configuration);
  if (!outcome) return outcome.GetError();

  oracle::Judgement judgement = oracle::JudgeCompile(*outcome);
  const oracle::Expectation* expected = test.expectations.For(target.data_model);
  if (judgement.verdict == oracle::Verdict::Ok && outcome->run && expected != nullptr) {
    judgement = oracle::JudgeRun(*expected, *outcome->run);
  }
  result.detail = judgement.detail;
  if (judgement.verdict == oracle::Verdict::Ok) {
    result.result = Replayed::Fixed;
  } else if (judgement.verdict == oracle::Verdict::Unavailable) {
    result.result = Replayed::CannotRun;
  } else if (IsSameFailure(bug, target, judgement.verdict, *outcome)) {
    result.result = Replayed::StillFailing;
  } else {
    result.result = Replayed::Changed;
  }
  return result;
}

}  // namespace assay::campaign
