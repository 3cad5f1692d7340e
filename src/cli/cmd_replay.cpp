// assay replay: are the bugs of a campaign still there?
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/replay.hpp"
#include "cli/commands.hpp"
#include "store/store.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using campaign::Replayed;
using support::ExitCode;

struct ReplayFlags {
  std::string folder;
  std::string new_target;
  std::string targets_file;
  std::string only;
  bool json = false;
};

std::string_view Words(Replayed result) {
  switch (result) {
    case Replayed::Fixed:
      return "fixed";
    case Replayed::StillFailing:
      return "still failing";
    case Replayed::Changed:
      return "changed";
    case Replayed::CannotRun:
      return "cannot run";
  }
  return "";
}

const target::Target* TargetNamed(const std::vector<target::FoundTarget>& found,
                                  const std::string& name) {
  for (const target::FoundTarget& candidate : found) {
    if (candidate.target.name == name && candidate.works) return &candidate.target;
  }
  return nullptr;
}

void Print(const campaign::ReplayResult& result, bool json) {
  if (json) {
    nlohmann::ordered_json line = {{"bug", result.bug},
                                   {"configuration", result.configuration},
                                   {"result", Words(result.result)},
                                   {"detail", result.detail}};
    fmt::print("{}\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{:<14} {}{}{}\n", Words(result.result), result.bug,
               result.detail.empty() ? "" : ": ", result.detail);
  }
  std::fflush(stdout);
}

support::Result<ExitCode> RunReplay(const ReplayFlags& flags) {
  if (!store::Store::Exists(flags.folder)) {
    return support::UsageError(fmt::format("no campaign in {}", flags.folder));
  }
  auto store = store::Store::Open(flags.folder);
  if (!store) return store.GetError();
  auto bugs = (*store)->Bugs(true);
  if (!bugs) return bugs.GetError();
  exec::Executor executor;
  auto found = target::DetectTargets(executor, {.targets_file = flags.targets_file});
  if (!found) return found.GetError();
  if (!flags.new_target.empty()) {
    auto selected = target::SelectTargets(*found, flags.new_target);
    if (!selected) return selected.GetError();
  }
  auto lab = campaign::Lab::Make(executor);
  if (!lab) return lab.GetError();

  std::map<Replayed, int> counts;
  for (const store::Bug& bug : *bugs) {
    if (bug.known || !store::IsBugKind(bug.kind)) continue;
    if (!flags.only.empty() && bug.name != flags.only) continue;
    campaign::ReplayResult result{.bug = bug.name, .detail = "its target is not here"};
    const target::Target* target =
        TargetNamed(*found, flags.new_target.empty() ? bug.target : flags.new_target);
    if (target != nullptr) {
      if (target->family != bug.family) continue;
      auto replayed = campaign::Replay(*lab, bug, *target);
      if (!replayed) return replayed.GetError();
      result = *replayed;
    }
    Print(result, flags.json);
    ++counts[result.result];
  }
  if (!flags.json) {
    fmt::print("{} fixed, {} still failing, {} changed, {} cannot run\n", counts[Replayed::Fixed],
               counts[Replayed::StillFailing], counts[Replayed::Changed],
               counts[Replayed::CannotRun]);
  }
  bool failing = counts[Replayed::StillFailing] + counts[Replayed::Changed] > 0;
  return failing ? ExitCode::BugsFound : ExitCode::Nothing;
}

}  // namespace

void AddReplay(CommandLine& line) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command = line.app.add_subcommand(
      "replay", "Run the stored bugs again: fixed, changed or still failing?");
  command->add_option("folder,--dir", flags->folder, "The campaign's folder")->required();
  command->add_option("--new-target", flags->new_target,
                      "Use this target (a new version) for the bugs of its family");
  command->add_option("--targets-file", flags->targets_file, "TOML file with more targets");
  command->add_option("--bug", flags->only, "Only this bug");
  command->add_flag("--json", flags->json, "One JSON object a line");
  command->callback([&line, flags] {
    auto code = RunReplay(*flags);
    line.exit_code = code ? static_cast<int>(*code) : Fail(code.GetError());
  });
}

}  // namespace assay::cli
