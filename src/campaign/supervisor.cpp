#include "campaign/supervisor.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "campaign/tested.hpp"
#include "report/page.hpp"
#include "support/text.hpp"

namespace assay::campaign {
namespace {

constexpr double kGraceSeconds = 3;  // for tests still running when the time is up
constexpr double kHeartbeatSeconds = 5;
constexpr double kPageSeconds = 10;

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double OwnCpuSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return Seconds(used.ru_utime) + Seconds(used.ru_stime);
}

double ServicesCpuSeconds(const Shared& shared) {
  return shared.options.services == nullptr ? 0 : shared.options.services->CpuSeconds();
}

}  // namespace

Supervisor::Supervisor(Shared& shared)
    : shared_(shared),
      started_ms_(store::NowMs()),
      own_cpu_at_start_(OwnCpuSeconds()),
      services_cpu_at_start_(ServicesCpuSeconds(shared)) {}

void Supervisor::Watch(const std::atomic<int>& working, const std::atomic<bool>& interrupted) {
  Budget& budget = shared_.budget;
  double next_tick = 0;
  bool executor_stopped = false;
  while (working > 0) {
    if (interrupted) budget.Stop(Ending::Interrupted);
    double now = budget.Elapsed();
    if (budget.Left() == 0.0) budget.Stop(Ending::TimeUp);
    bool overdue = budget.Left() && now > shared_.options.seconds + kGraceSeconds;
    bool at_once = budget.Stopped() && (budget.Reason() == Ending::Interrupted || budget.Reason() == Ending::Failed);
    if (!executor_stopped && (overdue || at_once)) {
      // Tests in progress are given up: not recorded, so the next run does them again.
      shared_.executor.Stop();
      executor_stopped = true;
    }
    if (now >= next_tick && !executor_stopped) {
      next_tick = now + shared_.options.tick_seconds;
      if (auto done = Tick(); !done) budget.Stop(Ending::Failed, done.GetError().message);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<void> Supervisor::Tick() {
  ASSIGN_OR_RETURN(auto status, CurrentStatus());
  if (status.seconds_here >= next_heartbeat_) {
    next_heartbeat_ = status.seconds_here + kHeartbeatSeconds;
    RETURN_IF_ERROR(shared_.store.Heartbeat(shared_.owner));
    RETURN_IF_ERROR(SaveProgress(status, false));
  }
  RefreshPage(status.seconds_here);
  std::lock_guard lock(shared_.books_mutex);
  shared_.observer.Progress(status);
  return {};
}

// The page of a running campaign is a convenience: it may cost a hundredth of the time, and may fail.
void Supervisor::RefreshPage(double now) {
  if (now < next_page_) return;
  (void)report::WriteReport(shared_.options.folder, shared_.store, true);
  const double took = shared_.budget.Elapsed() - now;
  next_page_ = now + std::max(kPageSeconds, 100 * took);
}

Summary Supervisor::Finish() {
  Summary summary{.ending = shared_.budget.Reason(), .trouble = shared_.budget.Trouble()};
  auto fail = [&](const support::Error& error) {
    if (summary.ending != Ending::Failed) summary.trouble = error.message;
    summary.ending = Ending::Failed;
  };
  if (auto status = CurrentStatus()) {
    summary.status = *status;
    if (auto saved = SaveProgress(*status, true); !saved) fail(saved.GetError());
    if (auto tallies = shared_.store.Tallies()) {
      SayWhatWasTested(shared_.options, shared_.before, *tallies, shared_.targets, shared_.experience.Lost(),
                       shared_.experience.flags.AllLeftOut(), shared_.source.LastTrouble(), summary);
    } else {
      fail(tallies.GetError());
    }
  } else {
    fail(status.GetError());
    summary.status = last_;
    AddBooks(summary.status);
  }
  if (auto released = shared_.store.Release(shared_.owner); !released) fail(released.GetError());
  return summary;
}

Result<Status> Supervisor::CurrentStatus() {
  ASSIGN_OR_RETURN(auto totals, shared_.store.Totals());
  ASSIGN_OR_RETURN(auto kinds, shared_.store.BugsByKind());
  ASSIGN_OR_RETURN(auto counters, shared_.store.Counters());
  ASSIGN_OR_RETURN(auto not_reduced, shared_.store.OpenReductions());
  Status status{.tests = totals.tests,
                .bugs_by_kind = kinds,
                .bugs = totals.bugs,
                .finds = totals.finds,
                .no_program = totals.no_program,
                .not_reduced = not_reduced};
  for (const store::Counter& counter : counters) {
    if (counter.name == kTested) status.tested = counter.amount;
  }
  AddBooks(status);
  last_ = status;
  return status;
}

void Supervisor::AddBooks(Status& status) {
  status.seconds_here = shared_.budget.Elapsed();
  status.seconds_left = shared_.budget.Left();
  std::lock_guard lock(shared_.books_mutex);
  status.tests_here = shared_.tests;
  status.compiles_here = shared_.usage.compiles;
  status.runs_here = shared_.usage.runs;
  status.runs_saved_here = shared_.usage.runs_saved;
  status.target_cpu_seconds = shared_.usage.child_seconds + ServicesCpuSeconds(shared_) - services_cpu_at_start_;
  status.generator_cpu_seconds = shared_.generator_seconds + shared_.source.ChildCpuSeconds();
  status.reducer_cpu_seconds = shared_.reducer_seconds;
  double own = OwnCpuSeconds() - own_cpu_at_start_ - shared_.generator_seconds;
  status.harness_cpu_seconds = std::max(0.0, own) + shared_.usage.harness_seconds;
}

Result<void> Supervisor::SaveExperience() {
  for (const auto& [target, combinations] : shared_.experience.flags.All()) {
    for (const target::Flags& flags : combinations) {
      std::string text = JoinWords(flags);
      if (!saved_flags_.insert({target, text}).second) continue;
      RETURN_IF_ERROR(shared_.store.SaveRejectedFlags({target, text}));
    }
  }
  return {};
}

Result<void> Supervisor::SaveProgress(const Status& status, bool ended) {
  RETURN_IF_ERROR(shared_.store.AddSample());
  RETURN_IF_ERROR(SaveExperience());
  std::string lost;
  for (const auto& [target, why] : shared_.experience.Lost()) lost += target + ": " + support::OneLine(why) + "\n";
  double own = status.harness_cpu_seconds + status.generator_cpu_seconds + status.reducer_cpu_seconds;
  return shared_.store.SaveRun({.owner = shared_.owner,
                                .started_ms = started_ms_,
                                .ended_ms = ended ? store::NowMs() : 0,
                                .jobs = shared_.options.jobs,
                                .tests = status.tests_here,
                                .own_cpu_us = static_cast<int64_t>(own * 1e6),
                                .child_cpu_us = static_cast<int64_t>(status.target_cpu_seconds * 1e6),
                                .lost = lost});
}

}  // namespace assay::campaign
