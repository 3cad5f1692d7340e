#include "campaign/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

using oracle::Judgement;
using oracle::Outcome;
using oracle::Verdict;

constexpr int kSanitizedPerKey = 3;
constexpr int kWitnessedPerKey = 3;
constexpr size_t kMostAgainstUs = 3;
constexpr int kMostTriedAgain = 4;  // of the configurations that fail in the same way

// The observation that a verdict is about.
const exec::Observation& Seen(const Outcome& outcome, Verdict verdict) {
  CHECK(outcome.run || outcome.compile);
  if (outcome.run && (IsAboutRun(verdict) || !outcome.compile)) return *outcome.run;
  return outcome.compile ? *outcome.compile : *outcome.run;
}

// Names a set of failing configurations so that the next test can fail with the same set: flags
// drawn at random are only called that.
std::string NameSet(const std::vector<Outcome>& outcomes, const std::vector<size_t>& failing) {
  std::set<std::string> names;
  bool any_fixed = false;
  for (size_t i : failing) any_fixed |= !outcomes[i].configuration.drawn;
  for (size_t i : failing) {
    const target::Configuration& configuration = outcomes[i].configuration;
    if (!configuration.drawn) names.insert(configuration.Name());
    if (configuration.drawn && !any_fixed) names.insert(configuration.target->name + " with drawn flags");
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The outcome that is easiest to show: fixed before drawn, fewer flags first.
size_t EasiestToShow(const std::vector<Outcome>& outcomes, const std::vector<size_t>& failing) {
  auto cost = [&](size_t i) {
    const target::Configuration& configuration = outcomes[i].configuration;
    return std::pair(configuration.drawn, configuration.flags.size());
  };
  return *std::min_element(failing.begin(), failing.end(), [&](size_t a, size_t b) { return cost(a) < cost(b); });
}

// Chooses the configuration that the find is told by, and what it is called after it.
void Show(const std::vector<Outcome>& outcomes, const std::vector<Judgement>& judgements, Find& find) {
  find.shown = EasiestToShow(outcomes, find.failing);
  find.detail = judgements[find.shown].detail;
  if (!IsAboutRun(find.verdict)) return;
  const Outcome& shown = outcomes[find.shown];
  find.key = triage::FindKey(*shown.configuration.target, find.verdict, Seen(shown, find.verdict),
                             NameSet(outcomes, find.failing));
}

// One group per family of targets, verdict and, for the compiler's own failures, signature.
std::vector<Find> Group(const std::vector<Outcome>& outcomes, const std::vector<Judgement>& judgements) {
  std::map<std::string, Find> groups;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    Verdict verdict = judgements[i].verdict;
    if (!oracle::IsFind(verdict) && verdict != Verdict::Suspect) continue;
    const target::Target& target = *outcomes[i].configuration.target;
    std::string key = verdict == Verdict::Suspect ? std::string("suspect: all agree against the expectation")
                                                  : triage::FindKey(target, verdict, Seen(outcomes[i], verdict), "");
    // The key of what a program did does not name the family.
    Find& find = groups[IsAboutRun(verdict) ? key + target.family : key];
    find.verdict = verdict;
    find.key = key;
    find.failing.push_back(i);
  }
  std::vector<Find> finds;
  for (auto& [key, find] : groups) {
    Show(outcomes, judgements, find);
    finds.push_back(std::move(find));
  }
  return finds;
}

// What the oracle says of an outcome when no other is there.
Judgement JudgeAlone(const TestCase& test, const Outcome& outcome) {
  return oracle::Judge(test.expectations, std::span(&outcome, 1)).front();
}

struct Families {
  std::set<std::string> rejecting, accepting;
};

Families FamiliesOf(const std::vector<Outcome>& outcomes, const std::vector<Judgement>& judgements) {
  Families families;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const std::string& family = target::KinOf(*outcomes[i].configuration.target);
    if (judgements[i].verdict == Verdict::RejectedValid) families.rejecting.insert(family);
    if (outcomes[i].run || judgements[i].verdict == Verdict::Ok) families.accepting.insert(family);
  }
  return families;
}

// True if several families reject the program, and fewer accept it.
bool AreMostRejecting(const Families& families) {
  return families.rejecting.size() >= 2 && families.rejecting.size() > families.accepting.size();
}

// The plainest of those who reject it.
size_t Rejecting(const std::vector<Outcome>& outcomes, const std::vector<Judgement>& judgements) {
  std::vector<size_t> rejecting;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (judgements[i].verdict == Verdict::RejectedValid) rejecting.push_back(i);
  }
  return EasiestToShow(outcomes, rejecting);
}

// Has another family than the accused one had the program right in this very test?
bool OthersAreRight(const std::vector<Outcome>& outcomes, const std::vector<Judgement>& judgements, const Find& find) {
  const target::Target& accused = *outcomes[find.shown].configuration.target;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const target::Target& other = *outcomes[i].configuration.target;
    if (target::KinOf(other) == target::KinOf(accused) || other.data_model != accused.data_model) continue;
    const bool accepted = find.verdict == Verdict::RejectedValid && outcomes[i].run;
    if (accepted || judgements[i].verdict == Verdict::Ok) return true;
  }
  return false;
}

bool CouldNotStart(const Outcome& outcome) {
  return oracle::JudgeCompile(outcome).verdict == Verdict::Unavailable ||
         (!outcome.compile && outcome.run && outcome.run->ending == exec::Ending::NotStarted);
}

bool WasStarved(const Outcome& outcome) {
  const auto starved = [](const std::optional<exec::Observation>& seen) {
    return seen && seen->ending == exec::Ending::Starved;
  };
  return starved(outcome.compile) || starved(outcome.run);
}

bool HappensAgain(const TestCase& test, const Outcome& outcome, const Outcome& again, Verdict verdict) {
  const target::Target& target = *outcome.configuration.target;
  if (!IsAboutRun(verdict) && outcome.compile) {
    return again.compile && oracle::JudgeCompile(again).verdict == verdict &&
           triage::CompileSignature(target, *again.compile) == triage::CompileSignature(target, *outcome.compile);
  }
  if (verdict == Verdict::CompilerCrash && again.run && outcome.run) {  // of an interpreter, whatever it has printed
    return triage::FindKey(target, verdict, *again.run, "") == triage::FindKey(target, verdict, *outcome.run, "");
  }
  if (!again.run || !outcome.run) return again.run.has_value() == outcome.run.has_value();
  const oracle::Expectation* expected = test.expectations.For(target.data_model);
  if (expected != nullptr) return oracle::IsFind(oracle::JudgeRun(*expected, *again.run).verdict);
  return SameBehaviour(*again.run, *outcome.run);
}

}  // namespace

bool IsAboutRun(Verdict verdict) {
  return verdict == Verdict::WrongOutput || verdict == Verdict::ProgramCrash || verdict == Verdict::ProgramHang;
}

bool SameBehaviour(const exec::Observation& a, const exec::Observation& b) {
  return a.ending == b.ending && a.exit_code == b.exit_code && a.signal == b.signal &&
         (a.HitLimit() || a.stdout_text == b.stdout_text);
}

Result<std::vector<Judgement>> JudgeWithOthers(Lab& lab, Witnesses& witnesses, const TestCase& test,
                                               const std::vector<Outcome>& outcomes) {
  std::vector<Judgement> judgements = oracle::Judge(test.expectations, outcomes);
  if (test.has_expectation || test.language != "c" || test.CompileOnly()) return judgements;
  std::map<std::string, std::map<std::string, std::set<std::string>>> camps;  // of models that disagree: who did what
  std::set<std::string> disagree;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].run || oracle::JudgeCompile(outcomes[i]).verdict != Verdict::Ok) continue;
    const target::Target& target = *outcomes[i].configuration.target;
    if (IsAboutRun(judgements[i].verdict)) disagree.insert(target.data_model);
    camps[target.data_model][exec::Describe(*outcomes[i].run) + "\n" + outcomes[i].run->stdout_text].insert(
        target::KinOf(target));
  }
  std::vector<Outcome> all = outcomes;
  for (const std::string& model : disagree) {
    std::set<std::string> families;
    size_t most = 0, second = 0;
    for (const auto& [what, kin] : camps[model]) {
      families.insert(kin.begin(), kin.end());
      second = std::max(second, std::min(most, kin.size()));
      most = std::max(most, kin.size());
    }
    if (most > second && families.size() > 1) continue;
    ASSIGN_OR_RETURN(auto others, witnesses.Runs(lab, test, model, families));
    for (Outcome& other : others) all.push_back(std::move(other));
  }
  if (all.size() == outcomes.size()) return judgements;
  judgements = oracle::Judge(test.expectations, all);
  judgements.resize(outcomes.size());
  return judgements;
}

bool Experience::WantsSanitizer(const std::string& key) {
  std::lock_guard lock(mutex_);
  return clean_[key] < kSanitizedPerKey;
}

void Experience::SanitizerWasClean(const std::string& key) {
  std::lock_guard lock(mutex_);
  ++clean_[key];
}

bool Experience::WantsWitness(const std::string& key) {
  std::lock_guard lock(mutex_);
  return witnessed_[key] < kWitnessedPerKey;
}

void Experience::WitnessConfirmed(const std::string& key) {
  std::lock_guard lock(mutex_);
  ++witnessed_[key];
}

void Experience::Lose(const std::string& target, const std::string& why) {
  std::lock_guard lock(mutex_);
  lost_.emplace(target, why);
}

std::map<std::string, std::string> Experience::Lost() {
  std::lock_guard lock(mutex_);
  return lost_;
}

bool Experience::IsLost(const std::string& target) {
  std::lock_guard lock(mutex_);
  return lost_.contains(target);
}

size_t Experience::LostCount() {
  std::lock_guard lock(mutex_);
  return lost_.size();
}

Result<std::vector<Find>> Confirmer::Confirm(const TestCase& test, const std::vector<Outcome>& outcomes,
                                             std::vector<Judgement>& judgements) {
  ASSIGN_OR_RETURN(auto program_is_right, HearWitnessForUs(test, outcomes, judgements));
  bool program_is_wrong = false;
  if (!program_is_right) {
    ASSIGN_OR_RETURN(program_is_wrong, MostReject(test, outcomes, judgements));
  }
  std::vector<Find> finds = Group(outcomes, judgements);
  for (Find& find : finds) {
    if (find.verdict == Verdict::Suspect) continue;
    if (find.verdict == Verdict::RejectedValid && program_is_wrong) {
      find.verdict = Verdict::Suspect;
      find.key = "suspect: most targets reject: " + find.key;
      continue;
    }
    RETURN_IF_ERROR(ShowWhatHappensAgain(test, outcomes, judgements, find));
  }
  RETURN_IF_ERROR(CheckMeaning(test, outcomes, finds));
  for (Find& find : finds) RETURN_IF_ERROR(AskWitness(test, outcomes, judgements, find));
  for (const Find& find : finds) {
    for (size_t i : find.failing) judgements[i].verdict = find.verdict;
  }
  return finds;
}

Result<Opinion> Confirmer::AskForUs(const TestCase& test, const Outcome& accused, Verdict verdict,
                                    std::set<std::string> heard) {
  std::vector<Opinion> against;
  const size_t most = !test.has_expectation ? 0 : verdict == Verdict::RejectedValid ? 1 : kMostAgainstUs;
  for (;;) {
    ASSIGN_OR_RETURN(auto opinion, witnesses_.Ask(lab_, test, accused, verdict, heard));
    if (opinion.side == Opinion::Side::AgainstTheTarget) return opinion;
    if (opinion.side == Opinion::Side::AgainstUs) against.push_back(opinion);
    if (opinion.side == Opinion::Side::None || against.size() > most) {
      return against.empty() ? opinion : against.front();
    }
    heard.insert(opinion.family);
  }
}

Result<bool> Confirmer::HearWitnessForUs(const TestCase& test, const std::vector<Outcome>& outcomes,
                                         std::vector<Judgement>& judgements) {
  if (!test.has_expectation) return false;  // then they have voted
  std::map<std::pair<bool, std::string>, std::vector<size_t>> camps;
  const bool nobody_accepts = FamiliesOf(outcomes, judgements).accepting.empty();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const std::string& model = outcomes[i].configuration.target->data_model;
    const bool rejected = JudgeAlone(test, outcomes[i]).verdict == Verdict::RejectedValid;
    const bool still_rejected = judgements[i].verdict == Verdict::RejectedValid && nobody_accepts;
    if (judgements[i].verdict == Verdict::Suspect || still_rejected) camps[{rejected, model}].push_back(i);
  }
  bool accepted = false;
  for (const auto& [key, camp] : camps) {
    std::set<std::string> families;
    for (size_t i : camp) families.insert(target::KinOf(*outcomes[i].configuration.target));
    if (families.size() < 2) continue;
    const Outcome& shown = outcomes[EasiestToShow(outcomes, camp)];
    ASSIGN_OR_RETURN(auto opinion, AskForUs(test, shown, JudgeAlone(test, shown).verdict, families));
    if (opinion.side != Opinion::Side::AgainstTheTarget) continue;
    for (size_t i : camp) judgements[i] = JudgeAlone(test, outcomes[i]);
    accepted = accepted || key.first;
  }
  return accepted;
}

Result<bool> Confirmer::MostReject(const TestCase& test, const std::vector<Outcome>& outcomes,
                                   const std::vector<Judgement>& judgements) {
  Families families = FamiliesOf(outcomes, judgements);
  while (AreMostRejecting(families)) {
    std::set<std::string> heard = families.rejecting;
    heard.insert(families.accepting.begin(), families.accepting.end());
    const Outcome& shown = outcomes[Rejecting(outcomes, judgements)];
    ASSIGN_OR_RETURN(auto opinion, witnesses_.Ask(lab_, test, shown, Verdict::RejectedValid, heard));
    if (opinion.side == Opinion::Side::None) return true;
    (opinion.side == Opinion::Side::AgainstTheTarget ? families.accepting : families.rejecting).insert(opinion.family);
  }
  return false;
}

Result<Verdict> Confirmer::TryAgain(const TestCase& test, const Outcome& outcome, Verdict verdict) {
  ASSIGN_OR_RETURN(auto again, lab_.Try(test, outcome.configuration));
  if (CouldNotStart(again)) return Verdict::Unavailable;
  if (HappensAgain(test, outcome, again, verdict)) return verdict;
  // A script that is removed after the kernel has opened it ends with an error of its shell: only
  // the next start shows that it is gone.
  ASSIGN_OR_RETURN(auto once_more, lab_.Try(test, outcome.configuration));
  if (CouldNotStart(once_more)) return Verdict::Unavailable;
  const bool again_says_nothing = WasStarved(again);
  return again_says_nothing && HappensAgain(test, outcome, once_more, verdict) ? verdict : Verdict::Flaky;
}

Result<void> Confirmer::ShowWhatHappensAgain(const TestCase& test, const std::vector<Outcome>& outcomes,
                                             std::vector<Judgement>& judgements, Find& find) {
  const Find all = find;
  for (int tries = 1;; ++tries) {
    ASSIGN_OR_RETURN(auto again, TryAgain(test, outcomes[find.shown], find.verdict));
    if (again != Verdict::Flaky) {
      find.verdict = again;
      return {};
    }
    if (find.failing.size() == 1 || tries == kMostTriedAgain) break;
    judgements[find.shown].verdict = Verdict::Flaky;
    std::erase(find.failing, find.shown);
    Show(outcomes, judgements, find);
  }
  find = all;
  find.key = "flaky: " + find.key;
  find.verdict = Verdict::Flaky;
  return {};
}

Result<void> Confirmer::CheckMeaning(const TestCase& test, const std::vector<Outcome>& outcomes,
                                     std::vector<Find>& finds) {
  bool wanted = std::any_of(finds.begin(), finds.end(), [&](const Find& find) {
    return IsAboutRun(find.verdict) && experience_.WantsSanitizer(find.key);
  });
  if (!wanted) return {};
  std::map<std::string, std::optional<std::string>> complaints;  // by the accused family
  for (Find& find : finds) {
    if (!IsAboutRun(find.verdict)) continue;
    const target::Target& accused = *outcomes[find.shown].configuration.target;
    auto [asked, is_new] = complaints.try_emplace(accused.family);
    if (is_new) {
      ASSIGN_OR_RETURN(asked->second, sanitizer_.Complaint(lab_, test, &accused));
    }
    const std::optional<std::string>& complaint = asked->second;
    if (!complaint) {
      experience_.SanitizerWasClean(find.key);
      continue;
    }
    find.verdict = Verdict::Suspect;
    find.key = "suspect: the sanitizer complains: " + triage::Normalise(*complaint);
    find.detail = *complaint;
  }
  return {};
}

// Without an expectation the runs have voted, and a rejected program may well be wrong.
Result<void> Confirmer::AskWitness(const TestCase& test, const std::vector<Outcome>& outcomes,
                                   const std::vector<Judgement>& judgements, Find& find) {
  const bool rejected = find.verdict == Verdict::RejectedValid;
  if (!rejected && !(IsAboutRun(find.verdict) && test.has_expectation)) return {};
  if (OthersAreRight(outcomes, judgements, find) || !experience_.WantsWitness(find.key)) return {};
  std::set<std::string> failing = {target::KinOf(*outcomes[find.shown].configuration.target)};  // they have been heard
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (oracle::IsFind(judgements[i].verdict)) failing.insert(target::KinOf(*outcomes[i].configuration.target));
  }
  ASSIGN_OR_RETURN(auto opinion, AskForUs(test, outcomes[find.shown], find.verdict, std::move(failing)));
  switch (opinion.side) {
    case Opinion::Side::AgainstTheTarget: experience_.WitnessConfirmed(find.key); return {};
    case Opinion::Side::AgainstUs:
      find.verdict = Verdict::Suspect;
      find.key = "suspect: a compiler of another family does the same: " + find.key;
      find.detail = opinion.witness + " does the same: " + find.detail;
      return {};
    case Opinion::Side::None: break;
  }
  if (test.has_expectation) {
    find.doubt = kUnconfirmed;
  } else {
    find.verdict = Verdict::Suspect;
    find.key = "suspect: nobody else has seen it: " + find.key;
  }
  return {};
}

}  // namespace assay::campaign
