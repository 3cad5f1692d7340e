#include "campaign/triage_bug.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "campaign/replay.hpp"
#include "campaign/same_bug.hpp"

namespace assay::campaign {
namespace {

using triage::Behaviour;
using Clock = std::chrono::steady_clock;

constexpr int kTimesToBeSure = 3;

// The small program of a bug in a lab, under changing flags.
class LabTrial : public triage::Trial {
 public:
  LabTrial(Lab& lab, const store::Bug& bug, TestCase test, TriageMemory& memory, const TriageLimits& limits)
      : Trial(memory), lab_(lab), bug_(bug), test_(std::move(test)), limits_(limits), start_(Clock::now()) {}

  Result<triage::Attempt> Try(const target::Target& target, const target::Flags& flags) override {
    ASSIGN_OR_RETURN(auto outcome, lab_.Try(test_, {.target = &target, .flags = flags}));
    triage::Attempt attempt;
    if (ShowsSame(bug_, test_, outcome)) {
      attempt.behaviour = Behaviour::Fails;
    } else if (IsRight(bug_, test_, outcome)) {
      attempt.behaviour = Behaviour::IsRight;
    }
    if (outcome.compile) attempt.said = outcome.compile->stdout_text + outcome.compile->stderr_text;
    return attempt;
  }

  bool TimeIsUp() const override {
    const std::chrono::duration<double> spent = Clock::now() - start_;
    return spent.count() > limits_.seconds || (limits_.must_stop && limits_.must_stop());
  }

 private:
  Lab& lab_;
  const store::Bug& bug_;
  const TestCase test_;
  const TriageLimits& limits_;
  const Clock::time_point start_;
};

std::string Lines(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, "\n")); }

std::string_view Words(Behaviour behaviour) {
  switch (behaviour) {
    case Behaviour::Fails: return "fails";
    case Behaviour::IsRight: return "right";
    case Behaviour::Otherwise: return "fails in another way";
  }
  return {};
}

}  // namespace

Result<store::Triage> TriageBug(Lab& lab, const std::vector<target::Target>& targets, const store::Bug& bug,
                                TriageMemory& memory, const TriageLimits& limits) {
  const std::set<std::string> constructs = PortraitOf(bug).constructs;
  store::Triage found{.flags = bug.flags, .constructs = Lines({constructs.begin(), constructs.end()})};
  const auto configuration = FindConfiguration(targets, bug.target, bug.flags, bug.configuration);
  if (!configuration) {
    found.note = bug.target + " is not here";
    return found;
  }
  const target::Target& target = *configuration->target;
  auto test = ReducedProgram(bug, target.data_model);
  if (!test) {
    found.note = "there is no small program";
    return found;
  }
  LabTrial trial(lab, bug, std::move(*test), memory, limits);
  // What happens by chance would make each question below a matter of chance.
  int shown = 0, tries = 0;
  while (tries < kTimesToBeSure && (tries == 0 || !trial.TimeIsUp())) {
    ASSIGN_OR_RETURN(auto attempt, trial.Try(target, configuration->flags));
    shown += attempt.behaviour == Behaviour::Fails;
    ++tries;
  }
  if (shown < tries) {
    found.note = shown == 0 ? kNotShown : kShownSometimes;
    return found;
  }
  ASSIGN_OR_RETURN(auto needed, triage::NeededFlags(trial, target, configuration->flags));
  found.flags = JoinWords(needed);
  ASSIGN_OR_RETURN(auto versions, triage::SeenInVersions(trial, target, needed, targets));
  if (versions.size() > 1) {
    std::vector<std::string> lines;
    for (const triage::VersionSeen& one : versions)
      lines.push_back(one.target + ": " + std::string(Words(one.behaviour)));
    found.versions = Lines(lines);
  }
  ASSIGN_OR_RETURN(auto culprit, triage::FindCulprit(trial, target, needed));
  found.pass = culprit.pass;
  found.place = culprit.where;
  found.others = Lines(culprit.others);
  found.options = Lines(culprit.options);
  found.words = culprit.words;
  found.before = culprit.code.before;
  found.after = culprit.code.after;
  found.note = culprit.note;
  return found;
}

void TakeTriage(store::Bug& bug, store::Triage found) {
  const bool knew_more = bug.triage && found.pass.empty() && !bug.triage->pass.empty();
  if (bug.triage && (found.note == kNotShown || (knew_more && found.note.starts_with(triage::kTimeWasUp)))) {
    bug.triage->note = std::move(found.note);
  } else {
    bug.triage = std::move(found);
  }
}

}  // namespace assay::campaign
