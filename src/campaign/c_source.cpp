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

}  // namespace

Result<std::unique_ptr<ProgramSource>> CSource::Make(const SourceOptions& options,
                                                     const std::vector<target::Target>& targets) {
  auto source = std::make_unique<CSource>();
  ASSIGN_OR_RETURN(auto knobs, KnobsOf(options));
  source->description_ = fmt::format("assay c {} {}", gen::ProgramVersion(), knobs::Serialize(knobs));
  while (source->description_.ends_with(' ')) source->description_.pop_back();
  source->knobs_ = knobs;

  for (const target::Target& target : targets) {
    auto wanted = lang::ParseDataModel(target.data_model);
    if (!wanted) {
      return support::UsageError(fmt::format("target {}: {}; no program can be written for it, leave it out",
                                             target.name, wanted.GetError().message));
    }
    auto family = std::ranges::find(source->families_, *wanted, &Family::model);
    if (family == source->families_.end()) family = source->families_.insert(family, {.model = *wanted, .kinds = {}});
    RETURN_IF_ERROR(source->AddKindsFor(*family, target));
  }
  if (source->families_.empty()) return support::UsageError("no target; see `assay targets`");
  for (Family& family : source->families_) {
    std::set<std::string> all;
    for (const ProgramKind& kind : family.kinds) all.insert(kind.missing.begin(), kind.missing.end());
    RETURN_IF_ERROR(source->AddKind(family, std::move(all)));
    std::ranges::stable_sort(family.kinds, {}, [](const ProgramKind& kind) { return kind.missing.size(); });
  }
  return std::unique_ptr<ProgramSource>(std::move(source));
}

Result<void> CSource::AddKindsFor(Family& family, const target::Target& target) const {
  const std::set<std::string> missing = MissingKnobs(target);
  if (target.pools.empty() || !target.flag_lists.empty() || !target.matrices.empty()) {
    RETURN_IF_ERROR(AddKind(family, missing));
  }
  for (const target::FlagPool& pool : target.pools) {
    std::set<std::string> of_pool = missing;
    of_pool.insert(pool.missing_knobs.begin(), pool.missing_knobs.end());
    RETURN_IF_ERROR(AddKind(family, std::move(of_pool)));
  }
  return {};
}

Result<void> CSource::AddKind(Family& family, std::set<std::string> missing) const {
  if (std::ranges::find(family.kinds, missing, &ProgramKind::missing) != family.kinds.end()) return {};
  knobs::Knobs knobs = knobs_;
  for (const std::string& knob : missing) RETURN_IF_ERROR(knobs::Set(knobs, knob, 0));
  family.kinds.push_back({std::move(missing), knobs});
  return {};
}

CSource::Draw CSource::DrawFor(int64_t seed) const {
  choice::Choices choices = choice::Choices(static_cast<uint64_t>(seed)).Derive("campaign");
  Draw draw{.family = &families_.front(), .kind = nullptr, .split = false};
  if (families_.size() > 1 && choices.Percent(kPercentOtherModels)) {
    draw.family = &families_[1 + choices.Below(static_cast<uint32_t>(families_.size() - 1))];
  }
  const std::vector<ProgramKind>& kinds = draw.family->kinds;
  draw.kind = &kinds.front();
  if (kinds.size() > 1 && choices.Coin()) {
    draw.kind = &kinds[1 + choices.Below(static_cast<uint32_t>(kinds.size() - 1))];
  }
  draw.split = choices.Percent(kPercentSplit);
  return draw;
}

std::set<std::string> CSource::DoesWithout(const Draw& draw) {
  std::set<std::string> without;
  for (const ProgramKind& kind : draw.family->kinds) {
    for (const std::string& knob : kind.missing) {
      if (draw.kind->knobs.*knobs::Find(knob)->field == 0) without.insert(knob);
    }
  }
  return without;
}

CSource::Texts CSource::Write(int64_t seed) const {
  const Draw draw = DrawFor(seed);
  const emit::EmitOptions form{.form = draw.split ? emit::Form::Split : emit::Form::Single};
  gen::Generated made = gen::Generate(static_cast<uint64_t>(seed), draw.kind->knobs, draw.family->model);
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
  const std::string name = draw.family->model.Name();
  TestCase test{.seed = seed, .data_model = name, .does_without = DoesWithout(draw)};
  test.knobs = knobs::Serialize(draw.kind->knobs);

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
        gen::Generated made = gen::Generate(static_cast<uint64_t>(seed), draw.kind->knobs, draw.family->model);
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
