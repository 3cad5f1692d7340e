#include "campaign/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/forked.hpp"
#include "choice/choices.hpp"
#include "emit/emit.hpp"
#include "gen/generate.hpp"

namespace assay::campaign {
namespace {

constexpr uint32_t kPercentOtherModels = 25;  // of the programs, when targets have several models
constexpr int kGeneratorSeconds = 60;
constexpr uint32_t kPercentSplit = 15;  // in several files, so that nothing is folded across

Result<knobs::Knobs> KnobsOf(const SourceOptions& options) {
  auto profile = knobs::Profile(options.profile);
  if (!profile) return profile;
  if (profile->tokens == knobs::Knobs{}.tokens) profile->tokens = kCampaignTokens;
  return knobs::Parse(options.knobs, *profile);
}

}  // namespace

Result<std::unique_ptr<ProgramSource>> CSource::Make(const SourceOptions& options,
                                                     const std::vector<target::Target>& targets) {
  auto source = std::make_unique<CSource>();
  auto knobs = KnobsOf(options);
  if (!knobs) return knobs.GetError();
  source->knobs_ = *knobs;
  source->description_ = fmt::format("assay c {} {}", gen::kVersion, knobs::Serialize(*knobs));
  while (source->description_.ends_with(' ')) source->description_.pop_back();

  for (const target::Target& target : targets) {
    auto kind = lang::FindDataModel(target.data_model);
    if (!kind) continue;
    auto model = std::find_if(source->models_.begin(), source->models_.end(),
                              [&](const Model& other) { return other.kind == *kind; });
    if (model == source->models_.end()) {
      model = source->models_.insert(model, {.kind = *kind, .common = *knobs});
    }
    for (const std::string& knob : target.missing_knobs) {
      if (auto set = knobs::Set(model->common, knob, 0); !set) return set.GetError();
    }
    if (!target.missing_knobs.empty()) model->limited.push_back(target.name);
  }
  if (source->models_.empty()) {
    return support::UsageError(
        "no target has a data model that the C generator knows; see `assay targets`");
  }
  return std::unique_ptr<ProgramSource>(std::move(source));
}

Result<std::optional<TestCase>> CSource::Make(int64_t seed) {
  choice::Choices choices = choice::Choices(static_cast<uint64_t>(seed)).Derive("campaign");
  const Model* model = &models_.front();
  if (models_.size() > 1 && choices.Percent(kPercentOtherModels)) {
    model = &models_[1 + choices.Below(static_cast<uint32_t>(models_.size() - 1))];
  }
  bool for_all = model->limited.empty() || choices.Coin();
  const knobs::Knobs& knobs = for_all ? model->common : knobs_;
  emit::EmitOptions form{.form = choices.Percent(kPercentSplit) ? emit::Form::Split
                                                                : emit::Form::Single};

  std::string name(lang::Info(model->kind).name);
  TestCase test{.seed = seed, .data_model = name, .knobs = knobs::Serialize(knobs)};
  if (!for_all) test.excluded_targets = model->limited;

  // What the program must print, then name and text of each file.
  auto made = RunForked(
      [&] {
        gen::Generated made = gen::Generate(static_cast<uint64_t>(seed), knobs, model->kind);
        std::vector<std::string> texts = {emit::ExpectedOutput(made.program, made.result, form)};
        emit::Source source = emit::Emit(made.program, made.result, form);
        for (emit::File& file : source.files) {
          texts.push_back(std::move(file.name));
          texts.push_back(std::move(file.text));
        }
        return texts;
      },
      kGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->texts) return std::optional<TestCase>();
  std::vector<std::string>& texts = *made->texts;
  test.expectations.Add(name, {texts[0], 0});
  test.has_expectation = true;
  for (size_t i = 1; i + 1 < texts.size(); i += 2) {
    bool compiled = !texts[i].ends_with(".h");
    test.files.push_back({std::move(texts[i]), std::move(texts[i + 1]), compiled});
  }
  return std::optional<TestCase>(std::move(test));
}

}  // namespace assay::campaign
