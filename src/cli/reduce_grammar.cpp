#include "cli/reduce_grammar.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "campaign/grammar_reduce.hpp"
#include "exec/scratch.hpp"
#include "grammar/derivation_text.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using support::Result;
using support::UsageError;

constexpr const char* kDerivation = "derivation.txt";

// "luajit -O1" among the targets found.
Result<target::Configuration> ConfigurationNamed(const std::vector<target::FoundTarget>& found,
                                                 const std::string& name) {
  auto words = campaign::SplitWords(name);
  if (!words) return words.GetError();
  for (const target::FoundTarget& one : found) {
    if (words->empty() || one.target.name != words->front()) continue;
    if (!one.works) return UsageError(fmt::format("{} does not work: {}", name, one.problem));
    return target::Configuration{&one.target, target::Flags(words->begin() + 1, words->end())};
  }
  return UsageError(fmt::format("'{}' is not on this machine", name));
}

// The first of the configurations that were right whose target is another one than the failing.
std::optional<target::Configuration> Reference(const std::vector<target::FoundTarget>& found,
                                               const nlohmann::json& bug,
                                               const target::Configuration& failing) {
  for (const auto& name : bug.value("passing", nlohmann::json::array())) {
    auto one = ConfigurationNamed(found, name.get<std::string>());
    if (one && one->target != failing.target) return *one;
  }
  return std::nullopt;
}

}  // namespace

bool IsGrammarBug(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kDerivation);
}

Result<support::ExitCode> ReduceGrammarBug(const GrammarReduction& wanted) {
  auto model = support::ReadFile(wanted.folder / kDerivation);
  if (!model) return model.GetError();
  auto described = support::ReadFile(wanted.folder / "bug.json");
  if (!described) return described.GetError();
  const auto bug = nlohmann::json::parse(*described, nullptr, false);
  auto verdict =
      bug.is_discarded() ? std::nullopt : oracle::VerdictNamed(bug.value("kind", std::string()));
  if (!verdict) return UsageError(wanted.folder.string() + "/bug.json is damaged");

  auto language = grammar::DerivationLanguage(*model);
  if (!language) return language.GetError();
  auto generator = grammar::Generator::Load(*language);
  if (!generator) return generator.GetError();
  exec::Executor executor;
  target::Services services;
  auto found = target::DetectTargets(executor, {.language = (*generator)->Extension(),
                                                .targets_file = wanted.targets_file,
                                                .services = &services});
  if (!found) return found.GetError();
  auto failing = ConfigurationNamed(*found, bug.value("configuration", std::string()));
  if (!failing) return failing.GetError();
  auto scratch = exec::Scratch::Make();
  if (!scratch) return scratch.GetError();

  campaign::ReduceRequest request{.model = *model,
                                  .configuration = *failing,
                                  .reference = Reference(*found, bug, *failing),
                                  .verdict = *verdict,
                                  .folder = scratch->Path(),
                                  .seconds = wanted.seconds};
  auto small = campaign::ReduceGrammarProgram(**generator, *language, request, executor);
  if (!small) return small.GetError();
  fmt::print(stderr, "{}{}\n", small->note, small->finished ? "" : "; the time was up");
  if (wanted.out.empty()) {
    fmt::print("{}", small->file.text);
    return support::ExitCode::BugsFound;
  }
  if (auto made = support::MakeFolder(wanted.out); !made) return made.GetError();
  auto written = support::WriteFile(wanted.out / small->file.name, small->file.text);
  if (written) written = support::WriteFile(wanted.out / kDerivation, small->model);
  if (!written) return written.GetError();
  return support::ExitCode::BugsFound;
}

}  // namespace assay::cli
