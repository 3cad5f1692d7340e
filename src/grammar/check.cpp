#include "grammar/check.hpp"

#include <fmt/format.h>

#include <set>

#include "grammar/parser.hpp"
#include "support/files.hpp"

namespace assay::grammar {

void Check(Specification& specification, const CheckOptions& options, Modules& modules, Diagnostics& diagnostics) {
  bool all_found = true;
  std::set<std::string> seen;
  for (const Use& use : specification.uses) {
    if (!seen.insert(use.name).second) {
      diagnostics.Add(DiagnosticKind::DuplicateUse, use.place, fmt::format("module {} is used twice", use.name),
                      "remove one of the two");
      continue;
    }
    if (modules.Find(use.name) || modules.Load(use.name, options.module_folders)) continue;
    all_found = false;
    std::string places;
    for (const std::filesystem::path& folder : options.module_folders) {
      places += (places.empty() ? "" : ", ") + folder.string();
    }
    diagnostics.Add(DiagnosticKind::ModuleNotFound, use.place, fmt::format("there is no {}.hpp", use.name),
                    fmt::format("its calls and types are not checked, and the specification cannot be "
                                "translated; searched: {}",
                                places.empty() ? "nowhere" : places));
  }
  CheckAnnotations(specification, options, diagnostics);
  ResolveNames(specification, diagnostics);
  CheckTypes(specification, modules, all_found, diagnostics);
  if (specification.damaged) return;  // the rest looks at the whole
  CheckCycles(specification, diagnostics);
  CheckHeights(specification, diagnostics);
  CheckEffects(specification, diagnostics);
}

Checked ReadAndCheckText(std::string file, std::string source, const CheckOptions& options) {
  Checked result;
  result.file = std::move(file);
  result.source = std::move(source);
  result.specification = Parse(result.source, result.diagnostics);
  Check(result.specification, options, result.modules, result.diagnostics);
  return result;
}

support::Result<Checked> ReadAndCheck(const std::filesystem::path& file, CheckOptions options) {
  ASSIGN_OR_RETURN(auto source, support::ReadFile(file));
  options.module_folders.insert(options.module_folders.begin(), file.has_parent_path() ? file.parent_path() : ".");
  return ReadAndCheckText(file.string(), std::move(source), options);
}

}  // namespace assay::grammar
