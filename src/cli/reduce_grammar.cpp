#include "cli/reduce_grammar.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "campaign/grammar_reduce.hpp"
#include "campaign/replay.hpp"
#include "cli/output.hpp"
#include "cli/vocabulary.hpp"
#include "exec/scratch.hpp"
#include "grammar/derivation_text.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"

namespace assay::cli {
namespace {

using support::Result;
using support::UsageError;

constexpr const char* kDerivation = "derivation.txt";

// A configuration that bug.json names by its parts.
Result<target::Configuration> StoredConfiguration(const std::vector<target::Target>& targets, const nlohmann::json& bug,
                                                  const std::string& target, const std::string& flags,
                                                  const std::string& name) {
  auto text = [&](const std::string& key) { return bug.value(key, std::string()); };
  auto found = campaign::FindConfiguration(targets, text(target), text(flags), text(name));
  if (found) return *found;
  return UsageError(fmt::format("'{}' is not on this machine, or does not work", text(name)));
}

}  // namespace

bool IsGrammarBug(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / kDerivation, ignored);
}

Result<support::ExitCode> ReduceGrammarBug(const GrammarReduction& wanted) {
  auto model = support::ReadFile(wanted.folder / kDerivation);
  if (!model) return model.GetError();
  ASSIGN_OR_RETURN(auto described, support::ReadFile(wanted.folder / "bug.json"));
  const auto bug = nlohmann::json::parse(described, nullptr, false);
  auto verdict = bug.is_discarded() ? std::nullopt : oracle::VerdictNamed(bug.value("kind", std::string()));
  if (!verdict) return UsageError(wanted.folder.string() + "/bug.json is damaged");

  ASSIGN_OR_RETURN(auto language, grammar::DerivationLanguage(*model));
  ASSIGN_OR_RETURN(auto generator, grammar::Generator::Load(language));
  exec::Executor executor;
  target::Services services;
  ASSIGN_OR_RETURN(auto found, target::DetectTargets(executor, {.language = (generator)->Extension(),
                                                                .targets_file = wanted.targets_file,
                                                                .vocabulary = TargetVocabulary(),
                                                                .services = &services}));
  std::vector<target::Target> targets;
  for (target::FoundTarget& one : found) {
    if (one.works) targets.push_back(std::move(one.target));
  }
  ASSIGN_OR_RETURN(auto failing, StoredConfiguration(targets, bug, "target", "flags", "configuration"));
  auto reference = StoredConfiguration(targets, bug, "reference_target", "reference_flags", "reference");
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());

  campaign::ReduceRequest request{.model = *model,
                                  .configuration = failing,
                                  .reference = reference ? std::optional(*reference) : std::nullopt,
                                  .verdict = *verdict,
                                  .folder = scratch.Path(),
                                  .seconds = wanted.seconds};
  ASSIGN_OR_RETURN(auto small, campaign::ReduceGrammarProgram(*generator, language, request, executor));
  Warn("{}{}\n", small.note, small.finished ? "" : "; the time was up");
  if (wanted.out.empty()) {
    Say("{}", small.file.text);
    return support::ExitCode::BugsFound;
  }
  RETURN_IF_ERROR(support::MakeFolder(wanted.out));
  auto written = support::WriteFile(wanted.out / small.file.name, small.file.text);
  if (written) written = support::WriteFile(wanted.out / kDerivation, small.model);
  if (!written) return written.GetError();
  return support::ExitCode::BugsFound;
}

}  // namespace assay::cli
