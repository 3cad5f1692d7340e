#include "campaign/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/forked.hpp"
#include "choice/choices.hpp"
#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "reduce/reduce.hpp"
#include "support/files.hpp"

namespace assay::campaign {
namespace {

constexpr uint32_t kPercentOtherModels = 25;  // of the programs, when targets have several models
constexpr int kCGeneratorSeconds = 60;
constexpr int64_t kProgramsAtOnce = 8;
constexpr size_t kMostPrograms = 256;
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
                              [&](const Limits& other) { return other.kind == *kind; });
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

CSource::Draw CSource::DrawFor(int64_t seed) const {
  choice::Choices choices = choice::Choices(static_cast<uint64_t>(seed)).Derive("campaign");
  Draw draw{.limits = &models_.front(), .for_all = true, .split = false};
  if (models_.size() > 1 && choices.Percent(kPercentOtherModels)) {
    draw.limits = &models_[1 + choices.Below(static_cast<uint32_t>(models_.size() - 1))];
  }
  draw.for_all = draw.limits->limited.empty() || choices.Coin();
  draw.split = choices.Percent(kPercentSplit);
  return draw;
}

const knobs::Knobs& CSource::KnobsFor(const Draw& draw) const {
  return draw.for_all ? draw.limits->common : knobs_;
}

CSource::Texts CSource::Write(int64_t seed) const {
  const Draw draw = DrawFor(seed);
  const emit::EmitOptions form{.form = draw.split ? emit::Form::Split : emit::Form::Single};
  gen::Generated made =
      gen::Generate(static_cast<uint64_t>(seed), KnobsFor(draw), draw.limits->kind);
  Texts texts = {emit::ExpectedOutput(made.program, made.result, form)};
  emit::Source source = emit::Emit(made.program, made.result, form);
  for (emit::File& file : source.files) {
    texts.push_back(std::move(file.name));
    texts.push_back(std::move(file.text));
  }
  return texts;
}

std::optional<CSource::Texts> CSource::TakeReady(int64_t seed) {
  std::lock_guard lock(ready_mutex_);
  auto found = ready_.find(seed);
  if (found == ready_.end()) return std::nullopt;
  Texts texts = std::move(found->second);
  ready_.erase(found);
  return texts;
}

Result<std::optional<CSource::Texts>> CSource::TextsOf(int64_t seed) {
  if (auto ready = TakeReady(seed)) return ready;
  // The way between the processes is one list: before each program the number of its texts.
  auto make = [&](int64_t count) {
    return RunForked(
        [&, count] {
          Texts all;
          for (int64_t i = 0; i < count; ++i) {
            Texts texts = Write(seed + i);
            all.push_back(std::to_string(texts.size()));
            for (std::string& text : texts) all.push_back(std::move(text));
          }
          return all;
        },
        kCGeneratorSeconds);
  };
  auto made = make(kProgramsAtOnce);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->texts) {  // another seed's fault, perhaps
    made = make(1);
    if (!made) return made.GetError();
    cpu_seconds_ += made->cpu_seconds;
  }
  if (!made->texts) return std::optional<Texts>();
  KeepReady(seed, std::move(*made->texts));
  return TakeReady(seed);
}

void CSource::KeepReady(int64_t seed, Texts all) {
  std::lock_guard lock(ready_mutex_);
  // Those that nobody came for: a worker's range ended.
  while (ready_.size() > kMostPrograms) ready_.erase(ready_.begin());
  for (auto next = all.begin(); next != all.end(); ++seed) {
    const auto end = next + 1 + std::stol(*next);
    ready_[seed] = Texts(std::move_iterator(next + 1), std::move_iterator(end));
    next = end;
  }
}

Result<std::optional<TestCase>> CSource::Make(int64_t seed) {
  const Draw draw = DrawFor(seed);
  std::string name(lang::Info(draw.limits->kind).name);
  TestCase test{.seed = seed, .data_model = name, .knobs = knobs::Serialize(KnobsFor(draw))};
  if (!draw.for_all) test.excluded_targets = draw.limits->limited;

  auto made = TextsOf(seed);
  if (!made) return made.GetError();
  if (!*made) return std::optional<TestCase>();
  Texts& texts = **made;
  test.expectations.Add(name, {texts[0], 0});
  test.has_expectation = true;
  for (size_t i = 1; i + 1 < texts.size(); i += 2) {
    bool compiled = !texts[i].ends_with(".h");
    test.files.push_back({std::move(texts[i]), std::move(texts[i + 1]), compiled});
  }
  return std::optional<TestCase>(std::move(test));
}

Result<std::optional<SourceFile>> CSource::Model(int64_t seed) {
  const Draw draw = DrawFor(seed);
  auto made = RunForked(
      [&] {
        gen::Generated made =
            gen::Generate(static_cast<uint64_t>(seed), KnobsFor(draw), draw.limits->kind);
        return std::vector{reduce::SaveCase({made.program, std::nullopt})};
      },
      kCGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->texts) return std::optional<SourceFile>();
  return std::optional(SourceFile{"model.txt", std::move(made->texts->front()), false});
}

Result<SmallProgram> CSource::Reduce(const ReduceRequest& request, exec::Executor& executor) const {
  std::string model = request.model;
  if (auto best = support::ReadFile(request.folder / "best.case")) model = std::move(*best);
  auto subject = reduce::LoadCase(model);
  if (!subject) return subject.GetError();
  reduce::ReduceOptions options;
  options.verdict = request.verdict;
  options.search.seconds = request.seconds;
  options.search.threads = request.threads;
  options.search.folder = request.folder;
  auto reduced = reduce::ReduceFrom(std::move(*subject), request.configuration, executor, options);
  if (!reduced) return reduced.GetError();
  const reduce::SearchStats& stats = reduced->stats;
  return SmallProgram{
      .file = {"reduced.c", reduced->source},
      .expected = reduce::ExpectedOf(reduced->subject, reduced->result, reduced->look),
      .model = reduce::SaveCase(reduced->subject),
      .note = fmt::format("{} lines, {} tokens; {} compilations in {:.1f} s", reduced->lines,
                          reduced->tokens, stats.compilations, stats.seconds),
      .finished = stats.finished};
}

}  // namespace assay::campaign
