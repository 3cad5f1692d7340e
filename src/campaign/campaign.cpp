#include "campaign/campaign.hpp"

#include <fmt/format.h>

#include <thread>

#include "campaign/budget.hpp"
#include "campaign/reductions.hpp"
#include "campaign/same_bug.hpp"
#include "campaign/supervisor.hpp"
#include "campaign/worker.hpp"
#include "exec/scratch.hpp"
#include "report/bundle.hpp"
#include "store/owner.hpp"
#include "support/files.hpp"

namespace assay::campaign {
namespace {

// A seed nobody has asked for: the time. It is stored and printed, so the campaign can be repeated.
int64_t FreshSeed() { return store::NowMs() % 1000000000000; }

// A new campaign, or the one in the folder: then it must be the same.
Result<std::unique_ptr<store::Store>> OpenStore(const Options& options, const ProgramSource& source, Plan& plan) {
  plan.resumed = store::Store::Exists(options.folder);
  if (!options.database.empty()) {
    RETURN_IF_ERROR(store::Store::UseServer(options.folder, options.database));
  }
  auto store = store::Store::Open(options.folder.string(), options.database);
  if (!store) return store;
  ASSIGN_OR_RETURN(auto info, (*store)->Begin({.seed = options.seed.value_or(FreshSeed()),
                                               .source = source.Description(),
                                               .created_ms = store::NowMs()}));
  std::string folder = options.folder.string();
  if (info.source != source.Description()) {
    return support::UsageError(fmt::format(
        "the campaign in {} tests other programs ({}): use that source or another --dir", folder, info.source));
  }
  if (options.seed && *options.seed != info.seed) {
    return support::UsageError(fmt::format(
        "the campaign in {} began with --seed {}: leave --seed out or use another --dir", folder, info.seed));
  }
  plan.seed = info.seed;
  plan.source = info.source;
  return store;
}

// Removes and completes what processes left that were killed.
Result<void> Repair(const Options& options, store::Store& store) {
  exec::SweepStaleScratch();
  report::RemovePartialBundles(options.folder);
  support::RemoveStaleTemporaries(options.folder);
  ASSIGN_OR_RETURN(auto bugs, store.Bugs(true));
  for (const store::Bug& bug : bugs) {
    if (bug.known || !report::HasBundle(bug) || report::BundleIsComplete(options.folder, bug)) continue;
    RETURN_IF_ERROR(report::WriteBundle(options.folder, bug));
  }
  return {};
}

// The file of known bugs may have changed, and so may what it says: what was known once may not be any more, and what
// was a bug may be known now. Gives those back that have been recognised.
Result<std::vector<store::Bug>> AskAgainWhatIsKnown(const Options& options, store::Store& store) {
  std::vector<store::Bug> recognised;
  ASSIGN_OR_RETURN(auto bugs, store.Bugs(true));
  for (store::Bug& bug : bugs) {
    if (!store::IsBugKind(bug.kind)) continue;
    const bool was_known = bug.known != 0;
    // Known from the beginning, or to the recipe of its target: then nothing more is stored, and a find brings it back.
    if (was_known && bug.files.empty()) continue;
    const std::string said = bug.tracked;
    bug.known = 0;
    bug.tracked.clear();
    Recognise(options.known, bug);
    if (was_known == (bug.known != 0) && said == bug.tracked) continue;
    RETURN_IF_ERROR(store.SaveTriage(bug, [&](const auto& entries) { return LikeAnother(bug, entries); }));
    RETURN_IF_ERROR(report::WriteBundle(options.folder, bug));
    if (!was_known && bug.known != 0 && bug.IsEntry()) recognised.push_back(std::move(bug));
  }
  return recognised;
}

Result<void> SaveConfigurations(store::Store& store, const std::vector<target::Configuration>& configurations) {
  std::vector<store::Configuration> rows;
  for (const target::Configuration& configuration : configurations) {
    const target::Target& target = *configuration.target;
    rows.push_back(
        {configuration.Name(), target.name, target.version, JoinWords(configuration.flags), target.data_model});
  }
  return store.SaveConfigurations(rows);
}

// What earlier runs have learned.
Result<void> LoadExperience(store::Store& store, Experience& experience) {
  ASSIGN_OR_RETURN(auto rejected, store.AllRejectedFlags());
  for (const auto& [target, flags] : rejected) {
    if (auto words = SplitWords(flags)) experience.flags.Learn(target, *words);
  }
  return {};
}

// While the database's server cannot be reached: wait, and say so once, until the user, the time or
// patience puts an end to it.
class Patience {
 public:
  Patience(Shared& shared, const std::atomic<bool>& interrupted) : shared_(shared), interrupted_(interrupted) {}

  bool KeepTrying(const std::string& why, double seconds) {
    constexpr double kSeconds = 600, kSecondsAtTheEnd = 20;
    if (!told_.exchange(true)) {
      std::lock_guard lock(shared_.books_mutex);
      shared_.observer.Waiting(why);
    }
    bool at_the_end = shared_.budget.Stopped() || shared_.budget.Left() == 0.0;
    bool enough = interrupted_ || gave_up_ || seconds > (at_the_end ? kSecondsAtTheEnd : kSeconds);
    if (enough) gave_up_ = true;
    return !enough;
  }
  // The server answers.
  void Reset() { told_ = false; }

 private:
  Shared& shared_;
  const std::atomic<bool>& interrupted_;
  std::atomic<bool> told_ = false, gave_up_ = false;
};

// Workers, watched until all have ended.
Summary Work(Shared& shared, std::vector<Lab> labs, const std::atomic<bool>& interrupted) {
  Supervisor supervisor(shared);
  std::atomic<int> working = static_cast<int>(labs.size());
  std::vector<std::thread> threads;
  shared.executor.Prepare(labs.size());
  for (Lab& lab : labs) {
    threads.emplace_back([&] {
      Worker(shared, std::move(lab)).Work();
      --working;
    });
  }
  supervisor.Watch(working, interrupted);
  for (std::thread& thread : threads) thread.join();
  exec::SweepStaleScratch();  // of processes that were killed meanwhile
  report::RemovePartialBundles(shared.options.folder);
  return supervisor.Finish();
}

}  // namespace

double Status::TestsPerSecond() const { return seconds_here > 0 ? static_cast<double>(tests_here) / seconds_here : 0; }

double Status::TargetShare() const {
  double all = target_cpu_seconds + generator_cpu_seconds + reducer_cpu_seconds + harness_cpu_seconds;
  return all > 0 ? target_cpu_seconds / all : 1;
}

Result<Summary> RunCampaign(const Options& options, ProgramSource& source, const std::vector<target::Target>& targets,
                            exec::Executor& executor, Observer& observer, const std::atomic<bool>& interrupted) {
  Plan plan{.folder = options.folder,
            .targets = targets,
            .left_out = options.left_out,
            .lacking = options.lacking,
            .jobs = options.jobs};
  auto store = OpenStore(options, source, plan);
  if (!store) return store.GetError();
  RETURN_IF_ERROR(Repair(options, **store));
  ASSIGN_OR_RETURN(const auto recognised, AskAgainWhatIsKnown(options, **store));

  std::vector<Lab> labs;
  for (int i = 0; i < options.jobs; ++i) {
    auto lab = Lab::Make(executor);
    if (!lab) return lab.GetError();
    labs.push_back(std::move(lab).Value());
  }
  auto sanitizer = Sanitizer::Find(labs.front(), source.Language());
  if (!sanitizer) return sanitizer.GetError();
  plan.sanitizer = sanitizer->Compiler();

  Budget budget(options.seconds);
  std::string owner = store::NewOwner();
  ReductionQueue reductions(**store, options, budget, owner);
  ASSIGN_OR_RETURN(auto waiting, (*store)->OpenReductions());
  reductions.Add(waiting);
  Witnesses witnesses(source.Language(), options.targets_file);
  ASSIGN_OR_RETURN(auto before, FiguresBefore(**store));
  Shared shared{options,
                source,
                targets,
                executor,
                **store,
                observer,
                budget,
                reductions,
                *sanitizer,
                witnesses,
                owner,
                plan.seed,
                std::move(before),
                Drawing(targets, options.configurations, options.learn)};
  std::vector<target::Configuration> fixed;
  for (const target::Target& target : targets) {
    for (const target::Configuration& configuration : target::FixedConfigurations(target)) {
      fixed.push_back(configuration);
      plan.configurations.push_back(configuration.Name());
    }
  }
  RETURN_IF_ERROR(LoadExperience(**store, shared.experience));
  RETURN_IF_ERROR(SaveConfigurations(**store, fixed));

  Patience patience(shared, interrupted);
  (*store)->WhenUnreachable(
      {.keep_trying = [&](const std::string& why, double seconds) { return patience.KeepTrying(why, seconds); },
       .reached = [&] { patience.Reset(); }});
  observer.Started(plan);
  for (const store::Bug& bug : recognised) observer.Recognised(bug);
  return Work(shared, std::move(labs), interrupted);
}

}  // namespace assay::campaign
