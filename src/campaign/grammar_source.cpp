#include "campaign/grammar_source.hpp"

#include "campaign/forked.hpp"
#include "campaign/grammar_reduce.hpp"
#include "grammar/derivation_text.hpp"

namespace assay::campaign {
namespace {

constexpr int kGeneratorSeconds = 60;

}  // namespace

Result<std::unique_ptr<ProgramSource>> GrammarSource::Make(const std::string& language) {
  auto generator = grammar::Generator::Load(language);
  if (!generator) return generator.GetError();
  auto source = std::make_unique<GrammarSource>();
  source->generator_ = std::move(generator).Value();
  source->language_ = language;
  return std::unique_ptr<ProgramSource>(std::move(source));
}

std::string GrammarSource::Description() const {
  return "grammar " + language_;
}

template <typename Work>
Result<std::optional<std::string>> GrammarSource::InChild(const Work& work) {
  auto made = RunForked(
      [&] {
        Result<std::string> text = work();
        return text ? std::vector{std::move(text).Value()} : std::vector<std::string>{};
      },
      kGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->texts || made->texts->empty()) return std::optional<std::string>();
  return std::optional(std::move(made->texts->front()));
}

Result<std::optional<TestCase>> GrammarSource::Make(int64_t seed) {
  auto text = InChild([&] { return generator_->Generate(static_cast<uint64_t>(seed)); });
  if (!text) return text.GetError();
  if (!*text) return std::optional<TestCase>();
  return std::optional(GrammarTest(seed, Language(), std::move(**text)));
}

Result<std::optional<SourceFile>> GrammarSource::Model(int64_t seed) {
  auto text = InChild([&]() -> Result<std::string> {
    auto derivation = grammar::Derive(*generator_, static_cast<uint64_t>(seed));
    if (!derivation) return derivation.GetError();
    return grammar::SaveDerivation(*derivation, generator_->GetPlan(), language_);
  });
  if (!text) return text.GetError();
  if (!*text) return std::optional<SourceFile>();
  return std::optional(SourceFile{"derivation.txt", std::move(**text), false});
}

Result<SmallProgram> GrammarSource::Reduce(const ReduceRequest& request,
                                           exec::Executor& executor) const {
  return ReduceGrammarProgram(*generator_, language_, request, executor);
}

}  // namespace assay::campaign
