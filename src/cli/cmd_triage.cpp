// assay triage: what do the reduced bugs of a campaign need to happen, and which of them are the same?
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/same_bug.hpp"
#include "campaign/triage_bug.hpp"
#include "cli/commands.hpp"
#include "cli/vocabulary.hpp"
#include "report/bisect.hpp"
#include "report/bundle.hpp"
#include "report/page.hpp"
#include "report/words.hpp"
#include "store/store.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using support::ExitCode;
using support::Result;

struct TriageFlags {
  std::string folder;
  std::string database;
  std::string targets_file;
  std::string only;
  double seconds = 30;
  bool json = false;
  bool git = false;
};

void PrintOne(const store::Bug& bug, bool json) {
  const store::Triage& triage = *bug.triage;
  if (json) {
    Say("{}\n", nlohmann::ordered_json({{"event", "triaged"},
                                        {"bug", bug.name},
                                        {"flags", triage.flags},
                                        {"pass", triage.pass},
                                        {"place", triage.place},
                                        {"options", report::Lines(triage.options)},
                                        {"versions", report::Lines(triage.versions)},
                                        {"note", triage.note},
                                        {"same_as", bug.same_as},
                                        {"same_as_reason", triage.reason}})
                    .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  } else {
    std::string text = support::OneLine(bug.name) + ": needs " + (triage.flags.empty() ? "no flags" : triage.flags);
    if (!triage.pass.empty()) text += "; pass " + triage.pass + (triage.place.empty() ? "" : " on " + triage.place);
    for (const std::string& line : report::Lines(triage.versions)) text += "; " + line;
    if (!triage.note.empty()) text += "; " + triage.note;
    if (!bug.IsEntry()) text += "; the same as " + bug.same_as + " (" + triage.reason + ")";
    Say("{}\n", support::OneLine(text, 2000));
  }
  FlushOutput();
}

Result<std::vector<store::Bug>> ChooseBugs(const TriageFlags& flags, std::vector<store::Bug> bugs) {
  std::erase_if(bugs, [](const store::Bug& bug) {
    return bug.known != 0 || !store::IsBugKind(bug.kind) || !bug.reduction || !bug.reduction->Done();
  });
  if (bugs.empty()) {
    return support::EnvironmentError(fmt::format(
        "nothing to look at: no bug in {} is reduced (assay fuzz --dir {} goes on)", flags.folder, flags.folder));
  }
  if (flags.only.empty()) return bugs;
  std::vector<std::string> names;
  for (const store::Bug& bug : bugs) names.push_back(bug.name);
  std::erase_if(bugs, [&](const store::Bug& bug) { return bug.name != flags.only; });
  if (!bugs.empty()) return bugs;
  return support::UsageError(fmt::format("there is no reduced bug '{}' in {}; there are: {}", flags.only, flags.folder,
                                         fmt::join(names, ", ")));
}

// The working targets of the bugs' families on this machine.
Result<std::vector<target::Target>> TargetsFor(exec::Executor& executor, const TriageFlags& flags,
                                               target::Services& services, const std::vector<store::Bug>& bugs) {
  std::set<std::string> families, languages;
  for (const store::Bug& bug : bugs) {
    families.insert(bug.family);
    languages.insert(bug.language);
  }
  std::vector<target::Target> targets;
  for (const std::string& language : languages) {
    ASSIGN_OR_RETURN(auto found, target::DetectTargets(executor, {.language = language,
                                                                  .targets_file = flags.targets_file,
                                                                  .vocabulary = TargetVocabulary(),
                                                                  .services = &services}));
    for (target::FoundTarget& one : found) {
      if (one.works && families.contains(one.target.family)) targets.push_back(std::move(one.target));
    }
  }
  return targets;
}

// A script for `git bisect run` for every entry.
Result<void> WriteBisections(const TriageFlags& flags, const std::vector<store::Bug>& bugs) {
  for (const store::Bug& bug : bugs) {
    if (!bug.IsEntry()) continue;
    auto script = report::WriteBisection(report::BundleFolder(flags.folder, bug), bug);
    const std::string told = script ? script->string() : script.GetError().message;
    if (flags.json) {
      nlohmann::ordered_json event = {{"event", "bisection"}, {"bug", bug.name}};
      event[script ? "script" : "trouble"] = told;
      Say("{}\n", event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      Say("{}: {}\n", script ? "for git bisect run" : "no bisection", support::OneLine(told, 4096));
    }
    if (!script && script.GetError().code != ExitCode::Usage) return script.GetError();
  }
  return {};
}

Result<ExitCode> RunTriage(const TriageFlags& flags) {
  if (!store::Store::Exists(flags.folder)) return support::UsageError("no campaign in " + flags.folder);
  ASSIGN_OR_RETURN(auto store, store::Store::Open(flags.folder, flags.database));
  ASSIGN_OR_RETURN(auto all, store->Bugs(true));
  ASSIGN_OR_RETURN(auto bugs, ChooseBugs(flags, std::move(all)));
  exec::Executor executor;
  target::Services services;
  ASSIGN_OR_RETURN(auto targets, TargetsFor(executor, flags, services, bugs));
  ASSIGN_OR_RETURN(auto lab, campaign::Lab::Make(executor));
  campaign::TriageMemory memory;
  size_t looked_at = 0;
  std::set<std::string> entries;
  for (store::Bug& bug : bugs) {
    ASSIGN_OR_RETURN(auto triage, campaign::TriageBug(lab, targets, bug, memory, {.seconds = flags.seconds}));
    const bool here = std::any_of(targets.begin(), targets.end(), [&](const auto& t) { return t.name == bug.target; });
    if (here || !bug.triage) campaign::TakeTriage(bug, std::move(triage));  // or else what is known stays
    looked_at += here;
    RETURN_IF_ERROR(store->SaveTriage(bug, [&](const auto& others) { return campaign::LikeAnother(bug, others); }));
    PrintOne(bug, flags.json);
    if (bug.IsEntry()) entries.insert(bug.name);
  }
  RETURN_IF_ERROR(report::WriteEverything(flags.folder, *store));
  if (flags.git) RETURN_IF_ERROR(WriteBisections(flags, bugs));
  if (flags.json) {
    Say("{}\n", nlohmann::ordered_json({{"event", "end"}, {"bugs", bugs.size()}, {"entries", entries.size()}}).dump());
  } else {
    Say("{} reduced bugs, {} different\n", bugs.size(), entries.size());
  }
  if (looked_at > 0) return ExitCode::Nothing;
  return support::EnvironmentError("none of the bugs' targets is on this machine: nothing was tried");
}

}  // namespace

void AddTriage(CommandLine& line) {
  auto flags = std::make_shared<TriageFlags>();
  CLI::App* command = line.app.add_subcommand(
      "triage", "Look at the reduced bugs again: flags needed, guilty pass, versions; which are the same?");
  command->footer(
      "A campaign does this by itself with every bug that it has reduced. Here it is done again: with more compilers, "
      "for\n"
      "instance, or by a newer assay.\n\n"
      "Examples:\n"
      "  assay triage assay-campaign-20261118\n"
      "  assay triage night --bug gcc-wrong-output-1a2b3c4d --time-limit 300\n"
      "  assay triage night --bug gcc-wrong-output-1a2b3c4d --git\n\n"
      "Exit code 0: done. 2: wrong usage. 3: something outside failed, nothing is reduced, or no target is here.");
  AddFolder(*command, flags->folder);
  command->add_option("--database", flags->database, "postgresql:// URL with its password, if the campaign has one")
      ->check(NotEmpty());
  command->add_option("--targets-file", flags->targets_file, "TOML file with more targets")->check(NotEmpty());
  command->add_option("--bug", flags->only, "Only this bug")->check(NotEmpty());
  command->add_option("--time-limit", flags->seconds, "Seconds for one bug at most")
      ->check(Between(1, 86400))
      ->capture_default_str();
  command->add_flag("--git", flags->git,
                    "Also write a script for 'git bisect run' in a checkout of the compiler, beside each repro.sh");
  command->add_flag("--json", flags->json, "One JSON object a line");
  command->callback([&line, flags, command] {
    auto folder = RequireFolder(*command, flags->folder);
    auto code = folder ? RunTriage(*flags) : folder.GetError();
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
