#include "campaign/same_bug.hpp"

#include <csignal>

#include "campaign/confirm.hpp"
#include "campaign/replay.hpp"
#include "triage/likeness.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

using oracle::Verdict;

constexpr int64_t kLooksPerEntry = 4;
constexpr int64_t kMostWaiting = 3;  // of one class

// What happens, where that tells bugs apart. Of a wrong output only which configurations have it is known, and that
// depends on the test.
std::string FailureOf(const store::Bug& bug) {
  const std::optional<Verdict> verdict = oracle::VerdictNamed(bug.kind);
  if (verdict && !IsAboutRun(*verdict)) return bug.signature;
  return verdict == Verdict::ProgramCrash && bug.reduction ? bug.reduction->ending : std::string();
}

}  // namespace

triage::Portrait PortraitOf(const store::Bug& bug) {
  const store::BugFile* reduced = FileOf(bug, "reduced");
  triage::Portrait portrait{
      .constructs = triage::ConstructsOf(bug.language, reduced != nullptr ? reduced->content : std::string()),
      .failure = FailureOf(bug)};
  if (bug.triage) {
    portrait.pass = bug.triage->pass;
    portrait.versions = bug.triage->versions;
    portrait.flags = bug.triage->flags;
  }
  return portrait;
}

void Recognise(const triage::KnownBugs& known, store::Bug& bug) {
  std::optional<triage::Portrait> portrait;
  if (bug.reduction && bug.reduction->Done()) portrait = PortraitOf(bug);
  const auto found = known.Find({.name = bug.name,
                                 .signature = bug.signature,
                                 .family = bug.family,
                                 .kind = bug.kind,
                                 .version = bug.version,
                                 .portrait = portrait ? &*portrait : nullptr});
  if (!found) return;
  bug.known = found->is_back ? 0 : 1;
  bug.tracked = found->bug->Told();
}

const store::BugFile* FileOf(const store::Bug& bug, std::string_view role) {
  for (const store::BugFile& file : bug.files) {
    if (file.role == role) return &file;
  }
  return nullptr;
}

bool ShowsSame(const store::Bug& bug, const TestCase& small, const oracle::Outcome& outcome) {
  const target::Target& target = *outcome.configuration.target;
  std::optional<Verdict> wanted = oracle::VerdictNamed(bug.kind);
  if (!wanted) return false;
  if (!IsAboutRun(*wanted)) {
    const auto& seen = outcome.compile ? outcome.compile : outcome.run;  // an interpreter only runs
    return seen && oracle::JudgeCompile(outcome).verdict == *wanted &&
           triage::FindKey(target, *wanted, *seen, "") == bug.signature;
  }
  if (!outcome.run) return false;
  Verdict seen = oracle::JudgeRun(*small.expectations.For(target.data_model), *outcome.run).verdict;
  bool aborts = outcome.run->ending == exec::Ending::Signaled && outcome.run->signal == SIGABRT;
  return seen == *wanted || (*wanted == Verdict::WrongOutput && aborts);
}

bool IsRight(const store::Bug& bug, const TestCase& test, const oracle::Outcome& outcome) {
  if (oracle::JudgeCompile(outcome).verdict != Verdict::Ok) return false;
  std::optional<Verdict> wanted = oracle::VerdictNamed(bug.kind);
  if (!wanted || !IsAboutRun(*wanted)) return true;
  const oracle::Expectation* expected = test.expectations.For(outcome.configuration.target->data_model);
  return outcome.run && expected != nullptr && oracle::JudgeRun(*expected, *outcome.run).verdict == Verdict::Ok;
}

std::optional<TestCase> ReducedProgram(const store::Bug& bug, const std::string& data_model) {
  const store::BugFile* reduced = FileOf(bug, "reduced");
  const store::BugFile* expected = FileOf(bug, "reduced-expected");
  if (reduced == nullptr || expected == nullptr) return {};
  TestCase test = StoredProgram(bug);
  test.files = {{reduced->name, reduced->content}};
  test.data_model = data_model;
  test.expectations.Add(data_model, {expected->content, 0});
  test.has_expectation = true;
  return test;
}

std::optional<store::Store::Likeness> LikeAnother(const store::Bug& bug, const std::vector<store::Bug>& entries) {
  const triage::Portrait own = PortraitOf(bug);
  for (const store::Bug& entry : entries) {
    // What is back, or not known for another reason, is not hidden behind what is known.
    if (entry.known != 0 && bug.known == 0) continue;
    if (auto why = triage::WhySame(own, PortraitOf(entry))) return store::Store::Likeness{entry.name, *why};
  }
  return {};
}

bool IsWorthALook(const store::Store::Class& seen, bool reduction_is_cheap) {
  if (seen.waiting >= (reduction_is_cheap ? kMostWaiting : 1)) return false;
  const bool is_power_of_two = (seen.finds & (seen.finds - 1)) == 0;
  return seen.members <= kLooksPerEntry * seen.entries || is_power_of_two;
}

}  // namespace assay::campaign
