#include "campaign/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/forked.hpp"
#include "choice/choices.hpp"
#include "emit/emit.hpp"
#include "exec/wire.hpp"
#include "gen/generate.hpp"
#include "reduce/explain.hpp"
#include "reduce/reduce.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

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

// Whether its programs may call functions of <math.h>, which compilers that do not optimise leave to the library.
bool LinksMath(const target::Target& target) {
  return std::any_of(target.compile.begin(), target.compile.end(),
                     [](const std::string& word) { return word == "-lm" || word == "-c" || word == "-S"; });
}

}  // namespace

Result<std::unique_ptr<ProgramSource>> CSource::Make(const SourceOptions& options,
                                                     const std::vector<target::Target>& targets) {
  auto source = std::make_unique<CSource>();
  ASSIGN_OR_RETURN(auto knobs, KnobsOf(options));
  source->description_ = fmt::format("assay c {} {}", gen::ProgramVersion(), knobs::Serialize(knobs));
  while (source->description_.ends_with(' ')) source->description_.pop_back();
  const bool none_links = std::none_of(targets.begin(), targets.end(), LinksMath);
  if (none_links) knobs.expr_math = 0;
  source->knobs_ = knobs;

  for (const target::Target& target : targets) {
    auto wanted = lang::ParseDataModel(target.data_model);
    if (!wanted) {
      return support::UsageError(fmt::format("target {}: {}; no program can be written for it, leave it out",
                                             target.name, wanted.GetError().message));
    }
    auto model = std::find_if(source->models_.begin(), source->models_.end(),
                              [&](const Limits& other) { return other.model == *wanted; });
    if (model == source->models_.end()) {
      model = source->models_.insert(model, {.model = *wanted, .common = knobs});
    }
    for (const std::string& knob : target.missing_knobs) {
      RETURN_IF_ERROR(knobs::Set(model->common, knob, 0));
    }
    const bool links = LinksMath(target) || none_links;
    if (!links) model->common.expr_math = 0;
    if (!target.missing_knobs.empty() || !links) model->limited.push_back(target.name);
  }
  if (source->models_.empty()) return support::UsageError("no target; see `assay targets`");
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

const knobs::Knobs& CSource::KnobsFor(const Draw& draw) const { return draw.for_all ? draw.limits->common : knobs_; }

CSource::Texts CSource::Write(int64_t seed) const {
  const Draw draw = DrawFor(seed);
  const emit::EmitOptions form{.form = draw.split ? emit::Form::Split : emit::Form::Single};
  gen::Generated made = gen::Generate(static_cast<uint64_t>(seed), KnobsFor(draw), draw.limits->model);
  Texts texts = {emit::ExpectedOutput(made.program, made.result, form), gen::ExecutedWriters(made.counters.writers)};
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
  auto make = [&](int64_t count) {
    return RunForked(
        [&, count] {
          std::vector<Texts> all;
          for (int64_t i = 0; i < count; ++i) all.push_back(Write(seed + i));
          exec::WireWriter out;
          out.Put(all);
          return out.Bytes();
        },
        kCGeneratorSeconds);
  };
  auto made = make(kProgramsAtOnce);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->bytes) {  // another seed's fault, perhaps
    made = make(1);
    if (!made) return made.GetError();
    cpu_seconds_ += made->cpu_seconds;
  }
  if (!made->bytes) return std::optional<Texts>();
  std::vector<Texts> programs;
  exec::WireReader(*made->bytes).Get(programs);
  KeepReady(seed, std::move(programs));
  return TakeReady(seed);
}

void CSource::KeepReady(int64_t seed, std::vector<Texts> programs) {
  std::lock_guard lock(ready_mutex_);
  // Those that nobody came for: a worker's range ended.
  while (ready_.size() > kMostPrograms) ready_.erase(ready_.begin());
  for (Texts& texts : programs) ready_[seed++] = std::move(texts);
}

Result<std::optional<TestCase>> CSource::Make(int64_t seed) {
  const Draw draw = DrawFor(seed);
  const std::string name = draw.limits->model.Name();
  TestCase test{.seed = seed, .data_model = name, .knobs = knobs::Serialize(KnobsFor(draw))};
  if (!draw.for_all) test.excluded_targets = draw.limits->limited;

  ASSIGN_OR_RETURN(auto made, TextsOf(seed));
  if (!made) return std::optional<TestCase>();
  Texts& texts = *made;
  test.expectations.Add(name, {texts[0], 0});
  test.has_expectation = true;
  test.writers = std::move(texts[1]);
  for (size_t i = 2; i + 1 < texts.size(); i += 2) {
    bool compiled = !texts[i].ends_with(".h");
    test.files.push_back({std::move(texts[i]), std::move(texts[i + 1]), compiled});
  }
  return std::optional<TestCase>(std::move(test));
}

Result<std::optional<SourceFile>> CSource::Model(int64_t seed) {
  const Draw draw = DrawFor(seed);
  auto made = RunForked(
      [&] {
        gen::Generated made = gen::Generate(static_cast<uint64_t>(seed), KnobsFor(draw), draw.limits->model);
        return reduce::SaveCase({made.program, std::nullopt});
      },
      kCGeneratorSeconds);
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (!made->bytes) return std::optional<SourceFile>();
  return std::optional(SourceFile{"model.txt", std::move(*made->bytes), false});
}

namespace {

// Where the reduced program first goes wrong, in one line; empty when that does not show.
Result<std::string> ExplanationOf(const reduce::Reduced& reduced, const target::Configuration& configuration,
                                  exec::Executor& executor, const machine::Options& options) {
  if (!reduced.subject.check) return std::string();
  reduce::Judge judge(executor, configuration);
  ASSIGN_OR_RETURN(auto why, reduce::Explain(reduced.subject, judge, options));
  if (why.statement.empty()) return std::string();
  return fmt::format("{} is first wrong after `{}`: must be {}, is {}", why.variable, why.statement, why.expected,
                     why.actual);
}

}  // namespace

Result<SmallProgram> CSource::Reduce(const ReduceRequest& request, exec::Executor& executor) const {
  std::string model = request.model;
  if (auto best = support::ReadFile(request.folder / "best.case")) model = std::move(*best);
  ASSIGN_OR_RETURN(auto subject, reduce::LoadCase(model));
  reduce::ReduceOptions options;
  options.verdict = request.verdict;
  options.search.seconds = request.seconds;
  options.search.threads = request.threads;
  options.search.folder = request.folder;
  ASSIGN_OR_RETURN(auto reduced, reduce::ReduceFrom(std::move(subject), request.configuration, executor, options));
  const reduce::SearchStats& stats = reduced.stats;
  auto explanation = ExplanationOf(reduced, request.configuration, executor, options.search.machine);
  const bool wrong = request.verdict == oracle::Verdict::WrongOutput && !reduced.expected.empty();
  return SmallProgram{.file = {"reduced.c", reduced.source},
                      .expected = reduce::ExpectedOf(reduced.subject, reduced.result, reduced.look),
                      .model = reduce::SaveCase(reduced.subject),
                      .note = fmt::format("{} lines, {} tokens; {} compilations in {:.1f} s", reduced.lines,
                                          reduced.tokens, stats.compilations, stats.seconds),
                      .finished = stats.finished,
                      .explanation = explanation ? *explanation : "",
                      .detail = wrong ? fmt::format("a value is {}, must be {}", support::OneLine(reduced.actual, 60),
                                                    support::OneLine(reduced.expected, 60))
                                      : ""};
}

}  // namespace assay::campaign
