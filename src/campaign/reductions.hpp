// New bugs made small while the campaign goes on.
//
// A new bug whose source can reduce waits in the store. Between two tests a worker asks for such a
// bug and gets one unless testing would suffer: at most half of the workers reduce at a time, and
// at most half of all time so far is spent on it. When no test is left, all workers reduce. The
// work itself is done in a process of its own with a time limit; its best program so far is on
// disk, so a campaign that is killed goes on from there. What comes back is believed only after the
// failing configuration has been seen to fail on it here, in the same way, and a sanitizer has
// found nothing wrong with it.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "campaign/budget.hpp"
#include "campaign/campaign.hpp"
#include "campaign/lab.hpp"
#include "campaign/sanitizer.hpp"
#include "campaign/triage_bug.hpp"
#include "store/store.hpp"

namespace assay::campaign {

// Decides who may reduce what and when. Thread-safe.
class ReductionQueue {
 public:
  ReductionQueue(store::Store& store, const Options& options, const Budget& budget, std::string owner);

  // How many bugs waited when the campaign began, or have come since.
  void Add(int64_t bugs);

  // A bug for the caller, who must call Done afterwards; nothing when none waits or it is better to
  // go on testing (`tests_left`).
  Result<std::optional<store::Bug>> Take(bool tests_left);
  void Done(double seconds);
  // The bug is not for this process, whoever else shares the campaign: it does not take it again.
  void LeaveToOthers(const std::string& bug);

  // For how many threads there is room in one reduction.
  unsigned Threads(bool tests_left);

 private:
  store::Store& store_;
  const Options& options_;
  const Budget& budget_;
  const std::string owner_;
  std::mutex mutex_;
  std::set<std::string> for_others_;
  int64_t waiting_ = 0;
  int active_ = 0;
  double spent_seconds_ = 0;
};

struct ReductionOutcome {
  bool progress = false;       // false: stopped, or not for this run; the bug is as it was
  bool is_for_others = false;  // this process does not have the compiler that it was found with
  store::Bug bug;              // with its reduction and the files of it
  double target_seconds = 0;   // CPU of compilers and programs
  double reducer_seconds = 0;  // CPU of the reducer itself
};

// Reduces one bug, without storing anything. A reduction that the budget ended is "open" again,
// with the best so far. An Error only when the campaign cannot go on.
Result<ReductionOutcome> ReduceBug(Lab& lab, const ProgramSource& source, const std::vector<target::Target>& targets,
                                   const Sanitizer& sanitizer, const Options& options, const Budget& budget,
                                   TriageMemory& memory, unsigned threads, const store::Bug& bug);

}  // namespace assay::campaign
