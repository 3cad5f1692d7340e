#include "cli/lang_gen.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "grammar/generator.hpp"
#include "support/files.hpp"

namespace assay::cli {

support::Result<void> GenerateLanguage(const LanguageRequest& request) {
  grammar::GeneratorOptions options;
  options.max_height = request.max_height;
  options.features = request.features;
  ASSIGN_OR_RETURN(auto generator, grammar::Generator::Load(request.language, options));
  if (!request.folder.empty()) {
    RETURN_IF_ERROR(support::MakeFolder(request.folder));
  }
  for (uint64_t i = 0; i < request.count; ++i) {
    uint64_t seed = request.seed + i;
    ASSIGN_OR_RETURN(auto text, (generator)->Generate(seed));
    if (request.folder.empty()) {
      SayText(text);
      continue;
    }
    std::filesystem::path file = request.folder / fmt::format("{}.{}", seed, (generator)->Extension());
    RETURN_IF_ERROR(support::WriteFile(file, text));
  }
  return {};
}

}  // namespace assay::cli
