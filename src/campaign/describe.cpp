#include "campaign/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "campaign/same_bug.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"
#include "target/service.hpp"
#include "triage/signature.hpp"

namespace assay::campaign {
namespace {

using oracle::Outcome;
using oracle::Verdict;

// The outcome to hold against the one shown, of the same data model if there is one: one whose
// behaviour was taken as right; where no majority was, any that printed something else.
const Outcome* Reference(const std::vector<Outcome>& outcomes, const std::vector<oracle::Judgement>& judgements,
                         const Outcome& shown) {
  const Outcome* other = nullptr;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& one = outcomes[i];
    if (!one.run || one.configuration.target->data_model != shown.configuration.target->data_model) {
      continue;
    }
    if (judgements[i].verdict == Verdict::Ok) return &one;
    if (other == nullptr && shown.run && judgements[i].verdict == Verdict::WrongOutput &&
        one.run->stdout_text != shown.run->stdout_text) {
      other = &one;
    }
  }
  return other;
}

std::string NamesOf(const std::vector<Outcome>& outcomes, const std::vector<size_t>& which) {
  std::string names;
  for (size_t i : which) names += (names.empty() ? "" : "\n") + outcomes[i].configuration.Name();
  return names;
}

// The names of temporary files, and positions in them ("/tmp/ccAbC12.s:17: "), say nothing to a reader and differ every
// time.
std::string WithoutTemporaryNames(const std::string& text) {
  static const std::regex kName("(/[A-Za-z0-9_.-]+)*/(tmp|shm|scratch)/[^ :'\"]*(:[0-9]+)*(: *)?");
  constexpr size_t kLongest = 1000;  // an expression takes stack for every character
  return std::regex_replace(std::string(support::Beginning(text, kLongest)), kName, "");
}

// The bound on each process's address space (see exec/spawn.cpp): wider than that on memory.
int64_t AddressSpace(const exec::Limits& limits) {
  if (!limits.limit_address_space || limits.memory_bytes == 0) return 0;
  return static_cast<int64_t>(limits.memory_bytes * 2 + (512u << 20));
}

void AddLimits(const exec::Limits& limits, store::Bug& bug) {
  bug.timeout_ms = static_cast<int64_t>(limits.wall_seconds * 1000);
  bug.cpu_ms = static_cast<int64_t>(limits.cpu_seconds * 1000);
  bug.memory_bytes = static_cast<int64_t>(limits.memory_bytes);
  bug.address_bytes = AddressSpace(limits);
  bug.file_bytes = static_cast<int64_t>(limits.file_bytes);
  bug.output_bytes = static_cast<int64_t>(limits.output_bytes);
  bug.processes = limits.processes;
}

// Known to the target's recipe.
bool IsKnown(const store::Bug& bug, const TestCase& test, const target::Target& target) {
  return std::any_of(target.known.begin(), target.known.end(), [&](const auto& entry) {
    return std::any_of(test.files.begin(), test.files.end(),
                       [&](const SourceFile& file) { return entry.Is(bug.signature, target.version, file.text); });
  });
}

}  // namespace

std::string BugName(const std::string& family, Verdict verdict, const std::string& key) {
  return report::SafeName(fmt::format("{}-{}-{:08x}", family, oracle::Name(verdict),
                                      static_cast<uint32_t>(support::Mix64(support::HashText(key)))));
}

// Long lists of flags are in the report; in a title they would leave no room for what happened.
std::string TitleName(const target::Configuration& configuration) {
  constexpr size_t kLongest = 100;
  return support::OneLine(configuration.Name(), kLongest);
}

std::string TitleMark(Verdict verdict) {
  std::string kind(oracle::Name(verdict));
  std::replace(kind.begin(), kind.end(), '-', ' ');
  return ": " + kind;
}

std::string Title(const target::Configuration& configuration, Verdict verdict, const std::string& detail) {
  std::string title = TitleName(configuration) + TitleMark(verdict);
  // The checksum of a program that is not small yet says nothing to a reader; the output is in the report.
  const bool checksum =
      detail.starts_with("printed 'checksum = ") && detail.find("must print 'checksum = ") != detail.npos;
  if (!detail.empty()) title += ": " + (checksum ? "the final values are wrong" : WithoutTemporaryNames(detail));
  return support::OneLine(title);
}

std::string ShellText(const exec::Command& command) {
  std::string text;
  for (const std::string& setting : command.environment) text += report::ShellQuote(setting) + " ";
  if (!text.empty()) text = "env " + text;
  for (const std::string& word : command.argv) text += report::ShellQuote(word) + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

std::string Evidence(const target::Target& target, const exec::Observation& compile) {
  // Where it failed, so that another failure is not taken for this one.
  for (const std::string* text : {&compile.stderr_text, &compile.stdout_text}) {
    if (std::string place = triage::PlaceAsPrinted(*text); !place.empty()) return place;
  }
  // A whole line would hold temporary names, so the part after the position.
  for (const std::string& mark : target.crash_diagnostics) {
    if (compile.stderr_text.find(mark) != std::string::npos) return mark;
    if (compile.stdout_text.find(mark) != std::string::npos) return mark;
  }
  size_t at = compile.stderr_text.find("error: ");
  if (at == std::string::npos) return {};
  return compile.stderr_text.substr(at, compile.stderr_text.find('\n', at) - at);
}

namespace {

std::string ReplaceAll(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The service of a target ends with the campaign: a report starts one of its own, in a folder of its own.
void ForgetServiceFolder(exec::Command& command, const target::Target& target) {
  for (const std::string& setting : target.environment) {
    std::string_view mark = target::kServiceFolderVariable;
    if (!setting.starts_with(mark)) continue;
    std::string folder = setting.substr(mark.size());
    for (auto* words : {&command.argv, &command.environment}) {
      for (std::string& word : *words) word = ReplaceAll(std::move(word), folder, "{service}");
    }
  }
}

}  // namespace

std::pair<std::string, std::string> CommandsText(const TestCase& test, const target::Configuration& configuration,
                                                 bool about_run) {
  std::pair<std::string, std::string> commands;
  auto names = test.CompiledNames();
  const target::Target& target = *configuration.target;
  auto text = [&](exec::Command command) {
    ForgetServiceFolder(command, target);
    return ShellText(command);
  };
  if (target.kind == target::Kind::Compiler) {
    commands.first = text(target::CompileCommand(configuration, names, kBinaryName, "", test.extra_flags));
  }
  if (about_run || commands.first.empty()) {
    commands.second = text(target::RunCommand(configuration, names, kBinaryName, "", test.extra_flags));
    if (target.source_on_stdin && !names.empty()) commands.second += " <" + report::ShellQuote(names.front());
  }
  return commands;
}

namespace {

// The find as it is in one of the configurations that fail.
store::Bug DescribeShown(const TestCase& test, const std::vector<Outcome>& outcomes,
                         const std::vector<oracle::Judgement>& judgements, const Find& find, size_t shown_index,
                         const triage::KnownBugs& known) {
  const Outcome& shown = outcomes[shown_index];
  const target::Target& target = *shown.configuration.target;
  bool about_run = shown.run.has_value();
  store::Bug bug;
  bug.name = BugName(target.family, find.verdict, find.key);
  bug.signature = find.key;
  bug.kind = oracle::Name(find.verdict);
  bug.title = Title(shown.configuration, find.verdict,
                    shown_index == find.shown ? find.detail : judgements[shown_index].detail);
  bug.doubt = find.doubt;
  bug.family = target.family;
  bug.target = target.name;
  bug.version = target.version;
  bug.tracker = target.tracker;
  bug.configuration = shown.configuration.Name();
  bug.flags = JoinWords(shown.configuration.flags);
  bug.failing = NamesOf(outcomes, find.failing);
  std::vector<size_t> passing;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (judgements[i].verdict == Verdict::Ok) passing.push_back(i);
  }
  bug.passing = NamesOf(outcomes, passing);
  std::tie(bug.compile_command, bug.run_command) = CommandsText(test, shown.configuration, about_run);
  bug.language = test.language;
  bug.knobs = test.knobs;
  bug.writers = test.writers;
  bug.extra_flags = JoinWords(test.extra_flags);
  AddLimits(about_run ? target.run_limits : target.compile_limits, bug);
  if (!target.service.start.empty()) {
    bug.service_start = ShellText({.argv = target.service.start});
    bug.service_ready = ShellText({.argv = target.service.ready});
  }
  bug.known = IsKnown(bug, test, target) ? 1 : 0;
  if (bug.known == 0) Recognise(known, bug);

  for (const SourceFile& file : test.files) {
    bug.files.push_back({file.compiled ? "program" : "header", file.name, file.text});
  }
  if (const oracle::Expectation* expected = test.expectations.For(target.data_model)) {
    bug.files.push_back({"expected", "expected.txt", expected->output});
    bug.expected_status = expected->exit_code;
  } else if (const Outcome* reference = Reference(outcomes, judgements, shown)) {
    bug.files.push_back({"expected", "expected.txt", reference->run->stdout_text});
    bug.expected_status = reference->run->exit_code;
    bug.reference = reference->configuration.Name();
    bug.reference_target = reference->configuration.target->name;
    bug.reference_flags = JoinWords(reference->configuration.flags);
  }
  if (about_run) {
    bug.files.push_back({"actual", "actual.txt", shown.run->stdout_text});
    bug.ending = exec::Describe(*shown.run);
    bug.ended_by = exec::Name(shown.run->ending);
    if (find.verdict == Verdict::CompilerCrash) bug.evidence = Evidence(target, *shown.run);
  } else if (shown.compile) {
    bug.evidence = Evidence(target, *shown.compile);
    bug.ending = exec::Describe(*shown.compile);
    bug.ended_by = exec::Name(shown.compile->ending);
    bug.files.push_back({"diagnostics", "diagnostics.txt", shown.compile->stdout_text + shown.compile->stderr_text});
  }
  return bug;
}

}  // namespace

store::Bug Describe(const TestCase& test, const std::vector<Outcome>& outcomes,
                    const std::vector<oracle::Judgement>& judgements, const Find& find,
                    const triage::KnownBugs& known) {
  store::Bug bug = DescribeShown(test, outcomes, judgements, find, find.shown, known);
  std::set<std::string> asked = {bug.target};
  for (size_t i : find.failing) {
    if (bug.known == 0) break;
    // What is known of one version may be back in another.
    if (!asked.insert(outcomes[i].configuration.target->name).second) continue;
    store::Bug other = DescribeShown(test, outcomes, judgements, find, i, known);
    if (other.known == 0) return other;
  }
  return bug;
}

}  // namespace assay::campaign
