// assay replay: are the bugs of a campaign still there?
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/replay.hpp"
#include "cli/commands.hpp"
#include "cli/vocabulary.hpp"
#include "store/store.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using campaign::Replayed;
using campaign::ReplayResult;
using support::ExitCode;
using support::Result;

struct ReplayFlags {
  std::string folder;
  std::string new_target;
  std::string targets_file;
  std::string only;
  bool json = false;
};

const campaign::ReplayedInfo& Info(Replayed result) { return campaign::kReplayed[static_cast<size_t>(result)]; }

void PrintJson(const nlohmann::ordered_json& event) {
  Say("{}\n", event.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  FlushOutput();
}

void PrintOne(const ReplayResult& result, bool json) {
  if (json) {
    PrintJson({{"event", "replayed"},
               {"bug", result.bug},
               {"configuration", result.configuration},
               {"result", Info(result.result).name},
               {"detail", result.detail}});
    return;
  }
  Say("{:<14} {}{}{}\n", Info(result.result).words, support::OneLine(result.bug), result.detail.empty() ? "" : ": ",
      support::OneLine(result.detail));
  FlushOutput();
}

using Counts = std::map<Replayed, int>;

void PrintSummary(Counts& counts, bool json) {
  if (json) {
    PrintJson({{"event", "end"},
               {"fixed", counts[Replayed::Fixed]},
               {"still_failing", counts[Replayed::StillFailing]},
               {"changed", counts[Replayed::Changed]},
               {"cannot_run", counts[Replayed::CannotRun]}});
    return;
  }
  Say("{} fixed, {} still failing, {} changed, {} cannot run\n", counts[Replayed::Fixed],
      counts[Replayed::StillFailing], counts[Replayed::Changed], counts[Replayed::CannotRun]);
}

// The bugs to run again: those of the campaign, or the one asked for.
Result<std::vector<store::Bug>> ChooseBugs(const ReplayFlags& flags, std::vector<store::Bug> bugs) {
  std::erase_if(bugs, [](const store::Bug& bug) { return bug.known || !store::IsBugKind(bug.kind); });
  if (bugs.empty()) {
    return support::EnvironmentError(fmt::format("nothing was replayed: the campaign in {} has no bugs", flags.folder));
  }
  if (flags.only.empty()) return bugs;
  std::string names;
  for (const store::Bug& bug : bugs) names += (names.empty() ? "" : ", ") + bug.name;
  std::erase_if(bugs, [&](const store::Bug& bug) { return bug.name != flags.only; });
  if (!bugs.empty()) return bugs;
  return support::UsageError(fmt::format("there is no bug '{}' in {}; there are: {}", flags.only, flags.folder, names));
}

// The targets that the bugs need, by name, in the form of --targets.
std::string TargetsOf(const std::vector<store::Bug>& bugs) {
  std::set<std::string> names;
  for (const store::Bug& bug : bugs) names.insert(bug.target);
  return fmt::format("{}", fmt::join(names, ","));
}

const target::FoundTarget* TargetNamed(const std::vector<target::FoundTarget>& found, const std::string& name) {
  auto at = std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.target.name == name; });
  return at == found.end() ? nullptr : &*at;
}

// The data model that each target of the campaign had.
using Models = std::map<std::string, std::string>;

Result<Models> ModelsOf(store::Store& store) {
  Models models;
  ASSIGN_OR_RETURN(auto configurations, store.Configurations());
  for (const store::Configuration& one : configurations) models[one.target] = one.data_model;
  return models;
}

Result<ReplayResult> ReplayOne(campaign::Lab& lab, const std::vector<target::FoundTarget>& found, const Models& models,
                               const store::Bug& bug, const std::string& target) {
  ReplayResult result{.bug = bug.name, .configuration = bug.configuration};
  const target::FoundTarget* on = TargetNamed(found, target);
  if (on != nullptr && on->works) {
    // What a program must print, and whether it is valid, depends on the data model.
    const auto model = models.find(bug.target);
    if (model == models.end() || model->second == on->target.data_model) return campaign::Replay(lab, bug, on->target);
    result.detail = fmt::format("its program is for {}, {} is {}", model->second, target, on->target.data_model);
    return result;
  }
  result.detail = on == nullptr ? target + " is not on this machine" : target + " does not work: " + on->problem;
  return result;
}

// The one target of --new-target; the bugs of other families are taken out.
Result<std::string> NewTarget(const std::vector<target::FoundTarget>& found, const std::string& name,
                              std::vector<store::Bug>& bugs) {
  ASSIGN_OR_RETURN(auto targets, target::SelectTargets(found, name));
  if (targets.size() > 1) {
    return support::UsageError(
        fmt::format("--new-target {} is more than one: {}, {}", name, targets[0].name, targets[1].name));
  }
  const target::Target& target = targets.front();
  std::set<std::string> families;
  for (const store::Bug& bug : bugs) families.insert(bug.family);
  std::erase_if(bugs, [&](const store::Bug& bug) { return bug.family != target.family; });
  if (!bugs.empty()) return target.name;
  return support::EnvironmentError(fmt::format("nothing was replayed: {} is of the family {}, the bugs are of {}",
                                               target.name, target.family, fmt::join(families, ", ")));
}

Result<ExitCode> RunReplay(const ReplayFlags& flags) {
  ASSIGN_OR_RETURN(auto store, store::Store::OpenToRead(flags.folder));
  ASSIGN_OR_RETURN(auto all, store->Bugs(true));
  ASSIGN_OR_RETURN(auto bugs, ChooseBugs(flags, std::move(all)));
  exec::Executor executor;
  target::Services services;
  ASSIGN_OR_RETURN(auto found, target::DetectTargets(
                                   executor, {.targets_file = flags.targets_file,
                                              .vocabulary = TargetVocabulary(),
                                              .names = flags.new_target.empty() ? TargetsOf(bugs) : flags.new_target,
                                              .services = &services}));
  std::string new_target;
  if (!flags.new_target.empty()) {
    ASSIGN_OR_RETURN(new_target, NewTarget(found, flags.new_target, bugs));
  }
  ASSIGN_OR_RETURN(auto lab, campaign::Lab::Make(executor));
  ASSIGN_OR_RETURN(auto models, ModelsOf(*store));
  Counts counts;
  for (const store::Bug& bug : bugs) {
    ASSIGN_OR_RETURN(auto result, ReplayOne(lab, found, models, bug, new_target.empty() ? bug.target : new_target));
    PrintOne(result, flags.json);
    ++counts[result.result];
  }
  PrintSummary(counts, flags.json);
  if (counts[Replayed::StillFailing] + counts[Replayed::Changed] > 0) return ExitCode::BugsFound;
  if (counts[Replayed::CannotRun] == 0) return ExitCode::Nothing;
  return support::EnvironmentError(fmt::format("{} of {} bugs could not be run here: nothing is known about them",
                                               counts[Replayed::CannotRun], bugs.size()));
}

}  // namespace

void AddReplay(CommandLine& line) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command = line.app.add_subcommand("replay", "Run the stored bugs again: fixed, changed or still failing?");
  command->footer(
      "Exit code 0: all are fixed. 1: some still fail, or fail otherwise. 2: wrong usage. 3: something outside failed, "
      "or\n"
      "bugs could not be run: no compiler, no bug, none of the target's family.");
  AddFolder(*command, flags->folder);
  command->add_option("--new-target", flags->new_target, "Use this target (a new version) for the bugs of its family")
      ->check(Names());
  command->add_option("--targets-file", flags->targets_file, "TOML file with more targets")->check(NotEmpty());
  command->add_option("--bug", flags->only, "Only this bug")->check(NotEmpty());
  command->add_flag("--json", flags->json, "One JSON object a line");
  command->callback([&line, flags, command] {
    auto folder = RequireFolder(*command, flags->folder);
    auto code = folder ? RunReplay(*flags) : folder.GetError();
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
