#include "campaign/grammar_source.hpp"

#include "campaign/forked.hpp"
#include "campaign/grammar_reduce.hpp"
#include "exec/wire.hpp"
#include "grammar/derivation_text.hpp"
#include "support/hash.hpp"

namespace assay::campaign {
namespace {

constexpr int kGeneratorSeconds = 60;
constexpr int kBatch = 8;
constexpr size_t kMostReady = 256;
constexpr uint64_t kFingerprintSeeds = 8;

}  // namespace

Result<std::unique_ptr<ProgramSource>> GrammarSource::Make(const std::string& language) {
  ASSIGN_OR_RETURN(auto generator, grammar::Generator::Load(language));
  auto source = std::make_unique<GrammarSource>();
  source->generator_ = std::move(generator);
  source->language_ = language;
  ASSIGN_OR_RETURN(source->fingerprint_, source->Fingerprint());
  return std::unique_ptr<ProgramSource>(std::move(source));
}

std::string GrammarSource::Description() const { return fmt::format("grammar {} ({:016x})", language_, fingerprint_); }

Result<uint64_t> GrammarSource::Fingerprint() {
  ASSIGN_OR_RETURN(auto texts, InChild([&] {
                     std::vector<std::string> made;
                     for (uint64_t seed = 1; seed <= kFingerprintSeeds; ++seed) {
                       auto text = generator_->Generate(seed);
                       made.push_back(text ? std::move(text).Value() : "");
                     }
                     return made;
                   }));
  uint64_t hash = support::HashText("");
  for (const std::string& text : texts) hash = support::HashText(text, hash);
  return hash;
}

Result<std::vector<std::string>> GrammarSource::InChild(const Work& work) {
  auto encoded = [&] {
    exec::WireWriter out;
    out.Put(work());
    return out.Bytes();
  };
  ASSIGN_OR_RETURN(auto made, RunForked(encoded, kGeneratorSeconds));
  cpu_seconds_ += made.cpu_seconds;
  std::vector<std::string> texts;
  if (made.bytes) exec::WireReader(*made.bytes).Get(texts);
  return texts;
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
  auto test = [&](std::string text) { return std::optional(GrammarTest(seed, Language(), std::move(text))); };
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

Result<SmallProgram> GrammarSource::Reduce(const ReduceRequest& request, exec::Executor& executor) const {
  return ReduceGrammarProgram(*generator_, language_, request, executor);
}

}  // namespace assay::campaign
