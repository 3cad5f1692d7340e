#include "campaign/grammar_source.hpp"

#include "campaign/forked.hpp"
#include "campaign/grammar_reduce.hpp"
#include "grammar/derivation_text.hpp"

namespace assay::campaign {
namespace {

constexpr int kGeneratorSeconds = 60;
constexpr int kBatch = 8;
constexpr size_t kMostReady = 256;

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

Result<std::vector<std::string>> GrammarSource::InChild(const Work& work) {
  auto made = RunForked(work, kGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  return made->texts.value_or(std::vector<std::string>());
}

std::optional<std::string> GrammarSource::TakeReady(int64_t seed) {
  std::lock_guard lock(ready_mutex_);
  auto found = ready_.find(seed);
  if (found == ready_.end()) return std::nullopt;
  std::string text = std::move(found->second);
  ready_.erase(found);
  return text;
}

Result<std::optional<TestCase>> GrammarSource::Make(int64_t seed) {
  auto test = [&](std::string text) {
    return std::optional(GrammarTest(seed, Language(), std::move(text)));
  };
  if (auto text = TakeReady(seed)) return test(std::move(*text));
  // Texts in the order of their seeds; a failure ends the list.
  auto generate = [&](int count) {
    return InChild([&, count] {
      std::vector<std::string> texts;
      for (int i = 0; i < count; ++i) {
        auto text = generator_->Generate(static_cast<uint64_t>(seed + i));
        if (!text) break;
        texts.push_back(std::move(text).Value());
      }
      return texts;
    });
  };
  auto texts = generate(kBatch);
  if (texts && texts->empty()) texts = generate(1);  // another seed's fault, perhaps
  if (!texts) return texts.GetError();
  if (texts->empty()) return std::optional<TestCase>();
  std::lock_guard lock(ready_mutex_);
  for (size_t i = 1; i < texts->size(); ++i) {
    ready_[seed + static_cast<int64_t>(i)] = std::move((*texts)[i]);
  }
  // Those that nobody came for: a worker's range ended.
  while (ready_.size() > kMostReady) ready_.erase(ready_.begin());
  return test(std::move(texts->front()));
}

Result<std::optional<SourceFile>> GrammarSource::Model(int64_t seed) {
  auto texts = InChild([&] {
    auto derivation = grammar::Derive(*generator_, static_cast<uint64_t>(seed));
    if (!derivation) return std::vector<std::string>();
    return std::vector{grammar::SaveDerivation(*derivation, generator_->GetPlan(), language_)};
  });
  if (!texts) return texts.GetError();
  if (texts->empty()) return std::optional<SourceFile>();
  return std::optional(SourceFile{"derivation.txt", std::move(texts->front()), false});
}

Result<SmallProgram> GrammarSource::Reduce(const ReduceRequest& request,
                                           exec::Executor& executor) const {
  return ReduceGrammarProgram(*generator_, language_, request, executor);
}

}  // namespace assay::campaign
