#include "grammar/generator.hpp"

#include <fmt/format.h>

#include "grammar/diagnostics.hpp"
#include "grammar/shipped.hpp"

namespace assay::grammar {

support::Result<std::unique_ptr<Generator>> Generator::Load(const std::string& language,
                                                            const GeneratorOptions& options) {
  std::unique_ptr<Generator> generator(new Generator());
  generator->options_.generalise = options.generalise;
  generator->name_ = language;
  const runtime::Table* table = nullptr;
  if (language.find('/') != std::string::npos || language.ends_with(".lala") || language.ends_with(".ls")) {
    ASSIGN_OR_RETURN(auto loaded, CompileAndLoad(language, {options.features, {}, "c++"}));
    generator->loaded_ = loaded;
    table = &generator->loaded_->Table();
    // toy.lua.lala makes .lua files.
    std::filesystem::path path(language);
    generator->name_ = path.stem().stem().string();
    std::string inner = path.stem().extension().string();
    generator->extension_ = inner.size() > 1 ? inner.substr(1) : "txt";
  } else {
    std::vector<std::string> names;
    for (const ShippedLanguage& shipped : ShippedLanguages()) {
      names.emplace_back(shipped.name);
      if (shipped.name != language) continue;
      table = shipped.table();
      generator->extension_ = shipped.extension;
      generator->options_.max_height = shipped.max_height;
    }
    if (!table) {
      std::string known;
      for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
      return support::UsageError(
          fmt::format("there is no language {}; known are {}, or give the path of a "
                      ".lala file. {}",
                      language, known, DidYouMean(language, names)));
    }
    if (!options.features.empty()) {
      return support::UsageError(
          fmt::format("the features of {} were fixed when assay was built; give the path of "
                      "its specification instead",
                      language));
    }
  }
  if (options.max_height) generator->options_.max_height = *options.max_height;
  generator->plan_ = std::make_unique<Plan>(*table);
  return generator;
}

std::unique_ptr<Engine> Generator::Take() const {
  std::lock_guard lock(mutex_);
  if (engines_.empty()) return std::make_unique<Engine>(*plan_);
  std::unique_ptr<Engine> engine = std::move(engines_.back());
  engines_.pop_back();
  return engine;
}

void Generator::Give(std::unique_ptr<Engine> engine) const {
  std::lock_guard lock(mutex_);
  engines_.push_back(std::move(engine));
}

support::Result<std::string> Generator::Generate(uint64_t seed, EngineStatistics* statistics) const {
  Lease engine(*this);
  support::Result<void> built = engine->Build(seed, options_);
  if (statistics) *statistics = engine->Statistics();
  if (!built) return built.GetError();
  std::string text;
  RETURN_IF_ERROR(engine->Print(text));
  return text;
}

}  // namespace assay::grammar
