// assay targets: what was found on this machine, versions, data models, and whether each works.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/containment_note.hpp"
#include "cli/vocabulary.hpp"
#include "exec/executor.hpp"
#include "exec/scratch.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

struct TargetsOptions {
  target::DetectOptions detect;
  bool json = false;
};

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

nlohmann::json AsJson(const target::FoundTarget& found) {
  const target::Target& target = found.target;
  nlohmann::json configurations = nlohmann::json::array();
  for (const auto& configuration : target::FixedConfigurations(target)) {
    configurations.push_back(configuration.Name());
  }
  nlohmann::json pools = nlohmann::json::object();
  for (const auto& pool : target.pools) pools[pool.name] = pool.flags.size();
  return {{"name", target.name},
          {"family", target.family},
          {"language", target.language},
          {"kind", target::kKinds[static_cast<size_t>(target.kind)].name},
          {"version", target.version},
          {"path", found.path},
          {"data_model", target.language == "c" ? target.data_model : ""},
          {"run_prefix", Join(target.run_prefix)},
          {"configurations", configurations},
          {"pools", pools},
          {"works", found.works},
          {"problem", found.problem},
          {"lacks", found.lacks}};
}

void PrintTable(const std::vector<target::FoundTarget>& all) {
  size_t name_width = 6, model_width = 10;
  for (const auto& found : all) {
    name_width = std::max(name_width, found.target.name.size());
    model_width = std::max(model_width, found.target.data_model.size());
  }
  Say("{:<{}}  {:<4}  {:<{}}  {:<6}  {:>7}  {}\n", "target", name_width, "lang", "data model", model_width, "works",
      "configs", "version");
  for (const auto& found : all) {
    const target::Target& target = found.target;
    const size_t configurations = FixedConfigurations(target).size() + target.pools.size();
    Say("{:<{}}  {:<4}  {:<{}}  {:<6}  {:>7}  {}\n", support::OneLine(target.name), name_width, target.language,
        target.language == "c" ? target.data_model : "-", model_width, found.works ? "yes" : "NO", configurations,
        support::OneLine(found.works ? target.version : found.problem, 1000));
  }
}

int RunTargets(const TargetsOptions& options) {
  exec::SweepStaleScratch();
  exec::Executor executor;
  target::Services services;
  target::DetectOptions detect = options.detect;
  detect.services = &services;
  detect.vocabulary = TargetVocabulary();
  auto found = target::DetectTargets(executor, detect);
  if (!found) return Fail(found.GetError());
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& one : *found) list.push_back(AsJson(one));
    auto containment = executor.Describe();
    nlohmann::json answer = {{"targets", list}};
    if (containment) {
      answer["containment"] = {{"process_namespace", containment->process_namespace},
                               {"network_namespace", containment->network_namespace},
                               {"process_limit_group", containment->process_group_limit},
                               {"private_tmp", containment->private_tmp},
                               {"read_only_files", containment->read_only_files},
                               {"landlock_version", containment->landlock_version},
                               {"syscall_filter", containment->syscall_filter},
                               {"full", containment->IsFull()}};
    }
    Say("{}\n", answer.dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
  } else {
    PrintTable(*found);
    for (const auto& one : *found) {
      for (const std::string& what : one.lacks) {
        if (one.works) Warn("assay: {}: {}\n", support::OneLine(one.target.name), support::OneLine(what));
      }
    }
    NoteContainment(executor);
  }
  const bool any = std::any_of(found->begin(), found->end(), [](auto& one) { return one.works; });
  if (!any) {
    return Fail(support::EnvironmentError(
        "no working target; install one (apt-get install gcc clang tcc) or see --targets-file"));
  }
  return 0;
}

}  // namespace

void AddTargets(CommandLine& line) {
  auto options = std::make_shared<TargetsOptions>();
  CLI::App* command =
      line.app.add_subcommand("targets", "What was found on this machine: versions, data models, whether each works");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--targets-file", options->detect.targets_file,
                      "TOML file with more targets; they replace detected ones of the same name");
  command->add_option("--lang", options->detect.language, "Only targets for this language (c, lua, sql, smt2)");
  command->callback([&line, options] { line.exit_code = RunTargets(*options); });
}

}  // namespace assay::cli
