#include "oracle/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace assay::oracle {
namespace {

using exec::Ending;
using exec::Observation;

bool ContainsAny(const std::string& text, std::span<const std::string> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

// What compilers say when a limit of ours, not a bug of theirs, stopped one of their steps.
bool SaysOutOfResources(const std::string& text) {
  static const std::array<std::string, 6> kTexts = {"File size limit exceeded", "CPU time limit exceeded",
                                                    "virtual memory exhausted", "out of memory",
                                                    "memory exhausted",         "No space left on device"};
  return ContainsAny(text, kTexts);
}

// What stands behind a caret, as chibicc says it: a line of the program, then "    ^ not a constant".
std::string BehindCaret(const std::string& line) {
  size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos || line[at] != '^') return {};
  at = line.find_first_not_of(' ', at + 1);
  const bool speaks = at != std::string::npos && std::isalpha(static_cast<unsigned char>(line[at])) != 0;
  return speaks ? line.substr(at) : std::string();
}

// The first line that has something to say, for people; shortened.
std::string FirstTelling(const std::string& text) {
  constexpr size_t kLongest = 160;
  size_t begin = 0;
  std::string first;
  while (begin < text.size()) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    // Last words tell nothing that has not been said before.
    if (!first.empty() && (line.find("terminated with status") != std::string::npos ||
                           line.find("cannot recover from earlier errors") != std::string::npos)) {
      break;
    }
    if (std::string said = BehindCaret(line); !said.empty()) {
      first = said;
      break;
    }
    if (first.empty()) first = line;
    static const std::array<std::string, 3> kErrors = {"error", "Error", "ERROR"};
    if (ContainsAny(line, kErrors)) {
      first = line;
      break;
    }
  }
  if (first.size() > kLongest) first.resize(kLongest);
  return first;
}

// Output for a detail line: quoted, one line, shortened.
std::string Quoted(const std::string& text) {
  constexpr size_t kLongest = 60;
  std::string quoted = "'";
  for (char c : text.substr(0, kLongest)) {
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += static_cast<unsigned char>(c) < 32 ? '?' : c;
    }
  }
  return quoted + (text.size() > kLongest ? "'..." : "'");
}

// How the run ended, if otherwise than it must: ", exit 1 instead of 0 (ERROR 1105: Unknown error)".
std::string WrongEnd(const Expectation& expectation, const Observation& run) {
  if (run.exit_code == expectation.exit_code) return {};
  const std::string said = FirstTelling(run.stderr_text);
  return fmt::format(", exit {} instead of {}{}", run.exit_code, expectation.exit_code,
                     said.empty() ? "" : " (" + said + ")");
}

// What a run did, as far as it can be compared: how much was printed before a limit is a matter of
// luck.
using Behaviour = std::tuple<Ending, int, int, std::string>;

Behaviour BehaviourOf(const Observation& run) {
  if (run.HitLimit()) return {run.ending, 0, 0, ""};
  return {run.ending, run.exit_code, run.signal, run.stdout_text};
}

// The runs of one data model, by index into the outcomes.
using Group = std::vector<size_t>;

size_t DistinctTargets(const Group& group, std::span<const Outcome> outcomes) {
  std::set<std::string> names;
  for (size_t i : group) names.insert(outcomes[i].configuration.target->name);
  return names.size();
}

// Versions and options of one compiler share its mistakes: only families are independent of each other.
size_t DistinctFamilies(const Group& group, std::span<const Outcome> outcomes) {
  std::set<std::string> families;
  for (size_t i : group) families.insert(target::KinOf(*outcomes[i].configuration.target));
  return families.size();
}

void JudgeByExpectation(const Expectation& expectation, const Group& group, std::span<const Outcome> outcomes,
                        std::vector<Judgement>& judgements) {
  std::set<Behaviour> behaviours;
  bool any_right = false;
  for (size_t i : group) {
    judgements[i] = JudgeRun(expectation, *outcomes[i].run);
    any_right = any_right || judgements[i].verdict == Verdict::Ok;
    behaviours.insert(BehaviourOf(*outcomes[i].run));
  }
  if (any_right || behaviours.size() != 1 || DistinctFamilies(group, outcomes) < 2) return;
  for (size_t i : group) {
    if (!IsFind(judgements[i].verdict)) continue;
    judgements[i] = {Verdict::Suspect, "every configuration agrees: " + judgements[i].detail};
  }
}

// The targets of which all configurations in the group are in the camp: one that contradicts
// itself is a poor witness.
size_t WholeTargets(const Group& camp, const Group& group, std::span<const Outcome> outcomes) {
  std::map<std::string, std::pair<size_t, size_t>> counts;  // in the camp, in the group
  for (size_t i : camp) ++counts[outcomes[i].configuration.target->name].first;
  for (size_t i : group) ++counts[outcomes[i].configuration.target->name].second;
  return static_cast<size_t>(std::count_if(
      counts.begin(), counts.end(), [](const auto& entry) { return entry.second.first == entry.second.second; }));
}

void JudgeByVote(const Group& group, std::span<const Outcome> outcomes, std::vector<Judgement>& judgements) {
  std::map<Behaviour, Group> camps;
  for (size_t i : group) camps[BehaviourOf(*outcomes[i].run)].push_back(i);
  auto votes = [&](const Group& camp) {
    return std::tuple(DistinctFamilies(camp, outcomes), DistinctTargets(camp, outcomes),
                      WholeTargets(camp, group, outcomes), camp.size());
  };
  const Group* winner = nullptr;
  bool tie = false;
  for (const auto& [behaviour, camp] : camps) {
    if (winner == nullptr || votes(camp) > votes(*winner)) {
      winner = &camp;
      tie = false;
    } else if (votes(camp) == votes(*winner)) {
      tie = true;
    }
  }
  const Observation& right = *outcomes[winner->front()].run;
  if (group.size() < 2 || (!tie && right.HitLimit())) {
    for (size_t i : group) judgements[i] = {Verdict::Inconclusive, "nothing to compare with"};
    return;
  }
  const Expectation agreed{right.stdout_text, right.exit_code};
  for (const auto& [behaviour, camp] : camps) {
    for (size_t i : camp) {
      const Observation& run = *outcomes[i].run;
      if (tie) {
        judgements[i] = {run.HitLimit() ? Verdict::Inconclusive : Verdict::WrongOutput,
                         "configurations disagree without a majority: " + Quoted(run.stdout_text)};
      } else if (&camp == winner) {
        judgements[i] = {};
      } else if (right.ending != Ending::Exited) {
        judgements[i] = {Verdict::WrongOutput, "the others end otherwise: " + exec::Describe(right)};
      } else {
        judgements[i] = JudgeRun(agreed, run);
      }
    }
  }
}

}  // namespace

std::optional<Verdict> VerdictNamed(std::string_view name) {
  for (const VerdictInfo& row : kVerdicts) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

void Expectations::Add(std::string data_model, Expectation expectation) {
  by_model_.emplace_back(std::move(data_model), std::move(expectation));
}

const Expectation* Expectations::For(std::string_view data_model) const {
  for (const auto& [name, expectation] : by_model_) {
    if (name == data_model) return &expectation;
  }
  return nullptr;
}

std::string WithoutWarnings(const std::string& text) {
  std::string kept;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end;
    bool warns = false;
    for (std::string_view word : {"warning: ", "note: ", "NOTE: "}) warns = warns || line.find(word) != line.npos;
    warns = warns && line.find("error") == line.npos;
    if (!warns) kept += line;
  }
  return kept.find_first_not_of(" \t\r\n") == kept.npos ? text : kept;
}

Judgement JudgeCompile(const target::Target& target, const Observation& compile) {
  if (compile.Succeeded()) return {};
  if (compile.ending == Ending::NotStarted) return {Verdict::Unavailable, compile.stderr_text};
  if (compile.ending == Ending::Signaled) return {Verdict::CompilerCrash, Describe(compile)};
  if (compile.ending == Ending::Starved) return {Verdict::Inconclusive, Describe(compile)};
  if (compile.HitLimit()) return {Verdict::CompilerHang, Describe(compile)};
  const std::string text = compile.stderr_text + compile.stdout_text, reason = WithoutWarnings(text);
  const std::string telling = FirstTelling(reason);
  if (SaysOutOfResources(text)) return {Verdict::CompilerHang, telling};
  if (ContainsAny(text, target.crash_diagnostics)) return {Verdict::CompilerCrash, telling};
  // As a shell says it of a signal; 255 is what some exit with that have seen an error.
  if (compile.exit_code > 128 && compile.exit_code <= 128 + 64) return {Verdict::CompilerCrash, Describe(compile)};
  if (ContainsAny(reason, target.unsupported_diagnostics)) return {Verdict::Unsupported, telling};
  // A driver whose compiler proper died may fail in silence.
  if (telling.empty()) {
    return {Verdict::CompilerCrash, Describe(compile) + " without a diagnostic"};
  }
  return {Verdict::RejectedValid, telling};
}

namespace {

// An interpreter is its own compiler: did it fail, decline or give up? Ok when its output is to be
// compared.
Judgement JudgeInterpreter(const target::Target& target, const Observation& run) {
  if (run.ending == Ending::Signaled) return {Verdict::CompilerCrash, Describe(run)};
  if (run.ending == Ending::Starved) return {Verdict::Inconclusive, Describe(run)};
  if (!target.undecided.empty() && run.HitLimit()) return {Verdict::Inconclusive, Describe(run)};
  const std::string lines = "\n" + run.stdout_text;
  for (const std::string& text : target.undecided) {
    const bool said = lines.find("\n" + text + "\n") != std::string::npos;
    const bool complained = run.stderr_text.find(text) != std::string::npos;
    if (said || (complained && !run.Succeeded())) return {Verdict::Inconclusive, text};
  }
  if (run.Succeeded() || run.HitLimit()) return {};
  const std::string text = run.stderr_text + run.stdout_text;
  if (ContainsAny(text, target.crash_diagnostics)) {
    return {Verdict::CompilerCrash, FirstTelling(text)};
  }
  if (ContainsAny(text, target.unsupported_diagnostics)) {
    return {Verdict::Unsupported, FirstTelling(text)};
  }
  return {};
}

}  // namespace

Judgement JudgeCompile(const Outcome& outcome) {
  const target::Target& target = *outcome.configuration.target;
  if (outcome.flags_refused) return {Verdict::Unsupported, "flags that the target does not take"};
  if (target.kind == target::Kind::Interpreter)
    return outcome.run ? JudgeInterpreter(target, *outcome.run) : Judgement{};
  if (!outcome.compile) return {};
  if (outcome.made_nothing && outcome.compile->Succeeded()) {
    return {Verdict::CompilerCrash, "reported success but made no program"};
  }
  // Without an emulator between, it is the program itself that could not be started.
  if (outcome.run && outcome.run->ending == Ending::NotStarted && target.run_prefix.empty()) {
    return {Verdict::CompilerCrash, "made a program that cannot be started"};
  }
  return JudgeCompile(target, *outcome.compile);
}

Judgement JudgeRun(const Expectation& expectation, const Observation& run) {
  if (run.ending == Ending::NotStarted) return {Verdict::Unavailable, run.stderr_text};
  if (run.ending == Ending::Signaled) return {Verdict::ProgramCrash, Describe(run)};
  if (run.ending == Ending::Starved) return {Verdict::Inconclusive, Describe(run)};
  if (run.HitLimit()) return {Verdict::ProgramHang, Describe(run)};
  if (run.stdout_text != expectation.output) {
    return {Verdict::WrongOutput, fmt::format("printed {}, must print {}{}", Quoted(run.stdout_text),
                                              Quoted(expectation.output), WrongEnd(expectation, run))};
  }
  if (run.exit_code != expectation.exit_code) {
    return {Verdict::WrongOutput, "printed what it must" + WrongEnd(expectation, run)};
  }
  return {};
}

std::vector<Judgement> Judge(const Expectations& expectations, std::span<const Outcome> outcomes) {
  std::vector<Judgement> judgements(outcomes.size());
  std::map<std::string, Group> by_model;
  Group rejected;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    const target::Target& target = *outcome.configuration.target;
    judgements[i] = JudgeCompile(outcome);
    if (judgements[i].verdict == Verdict::RejectedValid) rejected.push_back(i);
    if (judgements[i].verdict != Verdict::Ok) continue;
    if (!outcome.run) {
      judgements[i] = {Verdict::Inconclusive, "was not run"};
    } else if (outcome.run->ending == Ending::Starved) {
      judgements[i] = {Verdict::Inconclusive, Describe(*outcome.run)};
    } else if (outcome.run->ending == Ending::NotStarted) {
      judgements[i] = {Verdict::Unavailable, outcome.run->stderr_text};
    } else {
      by_model[target.data_model].push_back(i);
    }
  }
  for (const auto& [model, group] : by_model) {
    if (const Expectation* expectation = expectations.For(model)) {
      JudgeByExpectation(*expectation, group, outcomes, judgements);
    } else {
      JudgeByVote(group, outcomes, judgements);
    }
  }
  if (rejected.size() == outcomes.size() && DistinctFamilies(rejected, outcomes) >= 2) {
    for (size_t i : rejected) {
      judgements[i] = {Verdict::Suspect, "every compiler rejects it: " + judgements[i].detail};
    }
  }
  return judgements;
}

}  // namespace assay::oracle
