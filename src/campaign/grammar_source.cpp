#include "campaign/grammar_source.hpp"

#include "campaign/forked.hpp"

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

Result<std::optional<TestCase>> GrammarSource::Make(int64_t seed) {
  auto made = RunForked(
      [&] {
        auto text = generator_->Generate(static_cast<uint64_t>(seed));
        return text ? std::vector<std::string>{std::move(text).Value()}
                    : std::vector<std::string>{};
      },
      kGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->texts || made->texts->empty()) return std::optional<TestCase>();
  TestCase test{.seed = seed,
                .language = Language(),
                .files = {{"program." + Language(), std::move(made->texts->front())}}};
  if (Language() == "c") test.extra_flags = {kCompileOnly};
  return std::optional<TestCase>(std::move(test));
}

}  // namespace assay::campaign
