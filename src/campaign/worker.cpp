#include "campaign/worker.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "campaign/describe.hpp"
#include "campaign/flag_trial.hpp"
#include "campaign/same_bug.hpp"
#include "campaign/tested.hpp"
#include "choice/choices.hpp"
#include "report/bundle.hpp"

namespace assay::campaign {
namespace {

constexpr int64_t kLargestRange = 16;
// A target that cannot be started may be in the middle of an upgrade.
constexpr int kTriesForAMissingTarget = 3;
constexpr std::chrono::milliseconds kBetweenTries{1000};

// After so many seeds without a single program there is no hope for the next.
constexpr int64_t kMostWithoutProgram = 100;

bool SaysSomething(const store::TestRecord& record) {
  return std::any_of(record.tallies.begin(), record.tallies.end(), [](const store::Tally& tally) {
    auto verdict = oracle::VerdictNamed(tally.verdict);
    return verdict && oracle::SaysSomething(*verdict);
  });
}

bool CanBeReduced(const store::Bug& bug) {
  return std::any_of(bug.files.begin(), bug.files.end(), [](const auto& file) { return file.role == "model"; });
}

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// How often each target got each verdict.
std::vector<store::Tally> CountVerdicts(const std::vector<oracle::Outcome>& outcomes,
                                        const std::vector<oracle::Judgement>& judgements) {
  std::map<std::pair<std::string, std::string>, int64_t> counts;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    std::string verdict(oracle::Name(judgements[i].verdict));
    ++counts[{outcomes[i].configuration.target->name, verdict}];
  }
  std::vector<store::Tally> tallies;
  for (const auto& [key, count] : counts) tallies.push_back({key.first, key.second, count});
  return tallies;
}

// The targets that could not be started, and why.
std::map<std::string, std::string> MissingTargets(const std::vector<oracle::Outcome>& outcomes,
                                                  const std::vector<oracle::Judgement>& judgements) {
  std::map<std::string, std::string> missing;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (judgements[i].verdict == oracle::Verdict::Unavailable) {
      missing.emplace(outcomes[i].configuration.target->name, judgements[i].detail);
    }
  }
  return missing;
}

std::vector<store::Counter> CountersOf(const Usage& used) {
  return {{"compiles", used.compiles},
          {"runs", used.runs},
          {"runs_saved", used.runs_saved},
          {"target_cpu_us", static_cast<int64_t>(used.child_seconds * 1e6)}};
}

}  // namespace

Worker::Worker(Shared& shared, Lab lab) : shared_(shared), lab_(std::move(lab)) {}

void Worker::Work() {
  auto done = TestUntilDone();
  for (bool more = true; done && more;) {
    auto reduced = ReduceOne(false);
    if (!reduced) done = reduced.GetError();
    more = reduced && *reduced;
  }
  if (!done) shared_.budget.Stop(Ending::Failed, done.GetError().message);
}

Result<void> Worker::TestUntilDone() {
  while (shared_.budget.MayBegin()) {
    ASSIGN_OR_RETURN(auto lease, NextLease());
    if (!lease) return {};
    store::Lease& range = *lease;
    bool held = true;
    while (held && !range.Finished() && range.Next() < shared_.options.tests && shared_.budget.MayBegin()) {
      ASSIGN_OR_RETURN(auto done, DoTest(range));
      held = done;
      RETURN_IF_ERROR(ReduceOne(true));
    }
  }
  return {};
}

Result<bool> Worker::ReduceOne(bool tests_left) {
  ASSIGN_OR_RETURN(auto waiting, shared_.reductions.Take(tests_left));
  if (!waiting) return false;
  double start = shared_.budget.Elapsed();
  Usage before = lab_.Used();
  auto outcome = ReduceBug(lab_, shared_.source, shared_.targets, shared_.sanitizer, shared_.options, shared_.budget,
                           shared_.triage_memory, shared_.reductions.Threads(tests_left), *waiting);
  shared_.reductions.Done(shared_.budget.Elapsed() - start);
  if (!outcome) return outcome.GetError();
  {
    std::lock_guard lock(shared_.books_mutex);
    shared_.reducer_seconds += outcome->reducer_seconds;
    // Compilations and runs are counted for tests only, as in the store.
    Usage used = lab_.Used() - before;
    shared_.usage.child_seconds += used.child_seconds + outcome->target_seconds;
    shared_.usage.harness_seconds += used.harness_seconds;
  }
  if (outcome->is_for_others) {
    shared_.reductions.LeaveToOthers(waiting->name);
    ASSIGN_OR_RETURN(auto given_back, shared_.store.SaveReduction(shared_.owner, outcome->bug,
                                                                  [](const auto&) { return std::nullopt; }));
    return given_back;
  }
  if (!outcome->progress) return true;  // held until this run ends
  store::Bug& bug = outcome->bug;
  const std::string supposed = bug.same_as;
  Recognise(shared_.options.known, bug);
  ASSIGN_OR_RETURN(auto saved, shared_.store.SaveReduction(
                                   shared_.owner, bug, [&](const auto& entries) { return LikeAnother(bug, entries); }));
  if (!saved) return true;  // lost to another holder, who will do the rest
  RETURN_IF_ERROR(report::WriteBundle(shared_.options.folder, bug));
  if (!bug.IsEntry()) return true;
  std::lock_guard lock(shared_.books_mutex);
  if (bug.known != 0) {
    if (supposed.empty()) shared_.observer.Recognised(bug);  // or else nobody has heard of it
    return true;
  }
  const auto folder = report::BundleFolder(shared_.options.folder, bug);
  if (!supposed.empty()) shared_.observer.Found(bug, folder);  // it is another bug after all
  shared_.observer.Reduced(bug, folder);
  return true;
}

Result<std::optional<store::Lease>> Worker::NextLease() {
  int64_t size = kLargestRange;
  if (shared_.options.tests != store::kNoLimit) {
    // Small ranges for small campaigns, so that all workers end at about the same time.
    size = std::clamp<int64_t>(shared_.options.tests / (8 * shared_.options.jobs), 1, size);
  }
  while (shared_.budget.MayBegin()) {
    ASSIGN_OR_RETURN(auto taken, shared_.store.Take(shared_.owner, size, shared_.options.tests));
    if (taken.lease || !taken.wait) return std::move(taken.lease);
    ASSIGN_OR_RETURN(auto reduced, ReduceOne(false));
    if (!reduced) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return std::optional<store::Lease>();
}

Result<bool> Worker::DoTest(store::Lease& lease) {
  int64_t seed = shared_.seed + lease.Next();
  Usage before = lab_.Used();
  double start = ThreadCpuSeconds();
  ASSIGN_OR_RETURN(auto test, shared_.source.Make(seed));
  double generator_seconds = ThreadCpuSeconds() - start;

  store::TestRecord record;
  if (test) {
    ASSIGN_OR_RETURN(auto tried, TryProgram(*test));
    if (!tried) return false;
    record = std::move(*tried);
  }
  Usage used = lab_.Used() - before;
  record.seed = seed;
  record.counters = CountersOf(used);
  if (!test) record.counters.push_back({"no_program", 1});
  if (SaysSomething(record)) record.counters.push_back({kTested, 1});

  ASSIGN_OR_RETURN(auto recorded, shared_.store.Record(lease, record));
  if (!recorded.accepted) return false;
  RETURN_IF_ERROR(AddToBooks(generator_seconds, used, test.has_value()));
  RETURN_IF_ERROR(ShowNewBugs(record, recorded.new_bugs));
  return true;
}

// A test counts when every target has had the program: a compiler that vanishes in its middle must
// not cost a find, nor turn one into a flaky one.
Result<std::optional<store::TestRecord>> Worker::TryProgram(const TestCase& test) {
  for (int tries = 1;; ++tries) {
    ASSIGN_OR_RETURN(auto tried, TryOnce(test));
    if (tried.missing.empty()) return std::optional(std::move(tried.record));
    if (tries % kTriesForAMissingTarget == 0) {
      RETURN_IF_ERROR(Lose(tried.missing));
    } else {
      std::this_thread::sleep_for(kBetweenTries);
    }
    if (!shared_.budget.MayBegin()) return std::optional<store::TestRecord>();
  }
}

Result<void> Worker::Lose(const std::map<std::string, std::string>& missing) {
  std::lock_guard lock(shared_.books_mutex);
  for (const auto& [target, why] : missing) {
    if (shared_.experience.IsLost(target)) continue;
    shared_.experience.Lose(target, why);
    shared_.observer.Lost(target, why);
  }
  if (shared_.experience.LostCount() < shared_.targets.size()) return {};
  return support::EnvironmentError("none of the targets can be started any more: " + missing.begin()->second);
}

Result<Worker::Tried> Worker::TryOnce(const TestCase& test) {
  const Drawing::Choice choice = ConfigurationsFor(test);
  ASSIGN_OR_RETURN(auto outcomes, lab_.Try(test, choice.configurations));
  ASSIGN_OR_RETURN(const auto refused, SetAsideRefusedFlags(lab_, test, shared_.experience.flags, outcomes));
  for (const RefusedFlags& one : refused) {
    std::lock_guard lock(shared_.books_mutex);
    shared_.observer.Refused(one.configuration, one.why);
  }
  ASSIGN_OR_RETURN(auto judgements, JudgeWithOthers(lab_, shared_.witnesses, test, outcomes));
  for (size_t i = 0; i < judgements.size(); ++i) {
    oracle::Judgement& judgement = judgements[i];
    // Compiled, and nothing more was asked.
    const bool compiled = oracle::JudgeCompile(outcomes[i]).verdict == oracle::Verdict::Ok;
    if (test.CompileOnly() && compiled && judgement.verdict == oracle::Verdict::Inconclusive) judgement = {};
    if (test.may_be_declined && judgement.verdict == oracle::Verdict::RejectedValid) {
      judgement.verdict = oracle::Verdict::Unsupported;
    }
  }
  Tried tried{.missing = MissingTargets(outcomes, judgements)};
  if (!tried.missing.empty()) return tried;
  Confirmer confirmer(lab_, shared_.sanitizer, shared_.witnesses, shared_.experience);
  ASSIGN_OR_RETURN(auto finds, confirmer.Confirm(test, outcomes, judgements));

  tried.missing = MissingTargets(outcomes, judgements);
  if (!tried.missing.empty()) return tried;

  tried.record.tallies = CountVerdicts(outcomes, judgements);
  std::vector<bool> paid(outcomes.size(), false);
  for (const Find& find : finds) {
    store::Bug bug = Describe(test, outcomes, judgements, find, shared_.options.known);
    ASSIGN_OR_RETURN(bool is_looked_at, AddModel(test, bug));
    for (size_t i : find.failing) paid[i] = paid[i] || is_looked_at;
    tried.record.finds.push_back(std::move(bug));
  }
  shared_.drawing.Learn(choice, outcomes, paid);
  return tried;
}

Result<bool> Worker::AddModel(const TestCase& test, store::Bug& bug) {
  if (!store::IsBugKind(bug.kind) || bug.known) return false;
  ASSIGN_OR_RETURN(auto seen, shared_.store.ClassOf(bug));
  const bool is_first = seen.members == 0;
  if (!is_first && !(shared_.options.reduce && IsWorthALook(seen, !shared_.source.ReducesByOtherTools()))) return false;
  ASSIGN_OR_RETURN(auto model, shared_.source.Model(test.seed));
  if (model) bug.files.push_back({"model", model->name, std::move(model->text)});
  if (!is_first) {
    if (!model) return false;  // nobody could look closer
    bug.same_as = bug.name;
    bug.name += fmt::format("-s{}", test.seed);
  }
  RETURN_IF_ERROR(AddFacts(test, bug));
  return true;
}

Result<void> Worker::AddFacts(const TestCase& test, store::Bug& bug) {
  bug.platform = Platform();
  const target::Target* accused = nullptr;
  for (const target::Target& target : shared_.targets) {
    if (target.name != bug.target) continue;
    accused = &target;
    ASSIGN_OR_RETURN(auto facts, shared_.facts.Of(lab_.Executor(), target));
    bug.triple = facts.triple;
    if (!facts.about.empty()) bug.files.push_back({"compiler", "compiler.txt", facts.about});
  }
  ASSIGN_OR_RETURN(bug.sanitizer, shared_.sanitizer.Statement(lab_, test, accused));
  return {};
}

Result<void> Worker::ShowNewBugs(const store::TestRecord& record, const std::vector<std::string>& new_bugs) {
  for (store::Bug bug : record.finds) {
    bool is_new = std::find(new_bugs.begin(), new_bugs.end(), bug.name) != new_bugs.end();
    if (!is_new || bug.known) continue;
    if (!bug.IsEntry()) {  // nobody hears of it before it has turned out to be one
      shared_.reductions.Add(1);
      continue;
    }
    bug.count = 1;
    bug.first_seed = record.seed;
    bug.first_seen_ms = bug.last_seen_ms = store::NowMs();
    if (CanBeReduced(bug)) bug.reduction = store::Reduction{.state = "open"};
    RETURN_IF_ERROR(report::WriteBundle(shared_.options.folder, bug));
    if (bug.reduction) shared_.reductions.Add(1);
    std::lock_guard lock(shared_.books_mutex);
    shared_.observer.Found(bug, report::BundleFolder(shared_.options.folder, bug));
    if (shared_.options.until_bug && store::IsBugKind(bug.kind)) {
      shared_.budget.Stop(Ending::BugFound);
    }
  }
  return {};
}

// Without an expectation configurations are compared with each other: all are needed.
Drawing::Choice Worker::ConfigurationsFor(const TestCase& test) const {
  return shared_.drawing.Draw(test.seed, !test.has_expectation, shared_.experience.flags,
                              [&](const target::Target& target, const target::FlagPool* pool) {
                                return test.IsFor(target, pool) && !shared_.experience.IsLost(target.name);
                              });
}

Result<void> Worker::AddToBooks(double generator_seconds, const Usage& used, bool had_program) {
  std::lock_guard lock(shared_.books_mutex);
  ++shared_.tests;
  shared_.no_program += !had_program;
  shared_.generator_seconds += generator_seconds;
  shared_.usage += used;
  if (shared_.no_program < kMostWithoutProgram || shared_.no_program < shared_.tests) return {};
  return support::EnvironmentError(NoProgramText(shared_.no_program, shared_.source.LastTrouble()));
}

}  // namespace assay::campaign
