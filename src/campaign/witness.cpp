#include "campaign/witness.hpp"

#include <algorithm>

#include "campaign/confirm.hpp"
#include "target/detect.hpp"

namespace assay::campaign {
namespace {

using oracle::Verdict;
using Side = Opinion::Side;

constexpr int kMostAsked = 3;  // that answered and had nothing to say

// The configuration that the smoke test has tried: others may have flags that the witness does not take, and then its
// rejection says nothing of the program.
target::Configuration ProvenOf(const target::Target& target) {
  const auto all = target::FixedConfigurations(target);
  return all.empty() ? target::Configuration{&target, {}} : all.front();
}

Side SideOf(const TestCase& test, const oracle::Outcome& accused, Verdict verdict, const oracle::Outcome& witness) {
  const Verdict compiled = oracle::JudgeCompile(witness).verdict;
  if (verdict == Verdict::RejectedValid) {
    if (compiled == Verdict::Ok) return Side::AgainstTheTarget;
    return compiled == verdict ? Side::AgainstUs : Side::None;
  }
  const oracle::Expectation* expected = test.expectations.For(accused.configuration.target->data_model);
  if (compiled != Verdict::Ok || !witness.run || !accused.run || expected == nullptr) return Side::None;
  if (oracle::JudgeRun(*expected, *witness.run).verdict == Verdict::Ok) return Side::AgainstTheTarget;
  return SameBehaviour(*witness.run, *accused.run) ? Side::AgainstUs : Side::None;
}

}  // namespace

Result<const std::vector<target::Target>*> Witnesses::All(exec::Executor& executor) {
  std::lock_guard lock(mutex_);
  if (!all_) {
    ASSIGN_OR_RETURN(auto found,
                     target::DetectTargets(executor, {.language = language_, .targets_file = targets_file_}));
    // What the user has described may be as new as what is under test.
    std::stable_sort(found.begin(), found.end(), [](const target::FoundTarget& a, const target::FoundTarget& b) {
      const auto cost = [](const auto& one) { return std::pair(one.from_file, !one.target.run_prefix.empty()); };
      return cost(a) < cost(b);
    });
    all_.emplace();
    for (target::FoundTarget& one : found) {
      if (one.works) all_->push_back(std::move(one.target));
    }
  }
  return &*all_;
}

Result<Opinion> Witnesses::Ask(Lab& lab, const TestCase& test, const oracle::Outcome& accused, Verdict verdict,
                               const std::set<std::string>& families) {
  const target::Target& target = *accused.configuration.target;
  ASSIGN_OR_RETURN(auto all, All(lab.Executor()));
  int asked = 0;
  for (const target::Target& witness : *all) {
    if (families.contains(target::KinOf(witness)) || witness.data_model != target.data_model) continue;
    if (!test.IsFor(witness)) continue;  // it lacks what the program has
    if (asked++ == kMostAsked) break;
    const target::Configuration configuration = ProvenOf(witness);
    ASSIGN_OR_RETURN(auto outcome, lab.Try(test, configuration));
    const Side side = SideOf(test, accused, verdict, outcome);
    if (side != Side::None) return Opinion{side, configuration.Name(), target::KinOf(witness)};
  }
  return Opinion{};
}

Result<std::vector<oracle::Outcome>> Witnesses::Runs(Lab& lab, const TestCase& test, const std::string& data_model,
                                                     const std::set<std::string>& families) {
  ASSIGN_OR_RETURN(auto all, All(lab.Executor()));
  std::vector<oracle::Outcome> runs;
  std::set<std::string> heard = families;
  for (const target::Target& witness : *all) {
    if (heard.contains(target::KinOf(witness)) || witness.data_model != data_model || !test.IsFor(witness)) continue;
    if (runs.size() == static_cast<size_t>(kMostAsked)) break;
    ASSIGN_OR_RETURN(auto outcome, lab.Try(test, ProvenOf(witness)));
    if (oracle::JudgeCompile(outcome).verdict != Verdict::Ok || !outcome.run || outcome.run->HitLimit()) continue;
    heard.insert(target::KinOf(witness));
    runs.push_back(std::move(outcome));
  }
  return runs;
}

}  // namespace assay::campaign
