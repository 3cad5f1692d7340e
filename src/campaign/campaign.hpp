// The main job: workers that make, compile, run, judge, confirm and record, until the budget is
// used up, a bug is found (when asked for), the user stops it, or something outside fails. Composes
// the other stages; knows no compiler.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/source.hpp"
#include "exec/executor.hpp"
#include "store/store.hpp"
#include "support/table.hpp"
#include "target/service.hpp"
#include "target/target.hpp"
#include "triage/known.hpp"

namespace assay::campaign {

// A target that is not tested, or not any more, and why.
struct LeftOut {
  std::string target;
  std::string why;
};

struct Options {
  std::filesystem::path folder;
  std::string database;         // postgresql:// URL, when several machines share the campaign
  std::optional<int64_t> seed;  // of a new campaign; one that is resumed keeps its own
  int jobs = 1;
  double seconds = 0;                          // of this run; 0: no limit
  int64_t tests = store::kNoLimit;             // of the whole campaign, over all its runs
  int64_t min_tests = 0;                       // fewer tested programs at the end say nothing
  int configurations = 0;                      // for each program that knows its answer (drawing.hpp); 0: all
  bool learn = true;                           // draw more often what has found more per second
  bool until_bug = false;                      // stop at the first new bug
  bool reduce = true;                          // make new bugs small
  double reduce_seconds = 60;                  // for one bug at most
  double triage_seconds = 30;                  // for one bug at most, once it is small
  std::string targets_file;                    // where more witnesses may be (witness.hpp); empty: only on PATH
  triage::KnownBugs known;                     // bugs that are only counted
  double tick_seconds = 0.5;                   // how often the observer hears of progress
  std::set<std::string> demanded;              // targets asked for by name: each must be tested
  std::vector<LeftOut> left_out;               // targets that are not tested, to be told
  std::vector<LeftOut> lacking;                // what of tested targets is not tested, to be told
  const target::Services* services = nullptr;  // of the targets, whose CPU time theirs is
};

// How far a campaign is. Totals over all its runs, except where `here` says this one.
struct Status {
  int64_t tests = 0;
  int64_t tests_here = 0;
  int64_t tested = 0;  // programs that told something about at least one target
  double seconds_here = 0;
  std::optional<double> seconds_left;
  std::map<std::string, int64_t> bugs_by_kind;  // different bugs; flaky and suspect too
  int64_t bugs = 0;                             // without flaky, suspect and known ones
  int64_t finds = 0;
  int64_t no_program = 0;  // seeds for which the source had none
  int64_t compiles_here = 0;
  int64_t runs_here = 0;
  int64_t runs_saved_here = 0;
  double target_cpu_seconds = 0;     // here: in compilers and programs
  double generator_cpu_seconds = 0;  // here: making programs
  double reducer_cpu_seconds = 0;    // here: making bugs small
  double harness_cpu_seconds = 0;    // here: everything else
  int64_t not_reduced = 0;           // bugs that still wait for it

  double TestsPerSecond() const;
  // The part of all CPU time that went to compilers and programs; 1 when nothing was measured.
  double TargetShare() const;
};

enum class Ending { TestsDone, TimeUp, BugFound, Interrupted, Failed, kCount };

struct EndingInfo {
  Ending kind;
  std::string_view name;   // stable: in --json
  std::string_view words;  // for people
};
inline constexpr std::array kEndings = {
    EndingInfo{Ending::TestsDone, "tests-done", "all tests are done"},
    EndingInfo{Ending::TimeUp, "time-up", "the time is up"},
    EndingInfo{Ending::BugFound, "bug-found", "a bug was found"},
    EndingInfo{Ending::Interrupted, "interrupted", "interrupted"},
    EndingInfo{Ending::Failed, "failed", "stopped by a problem"},
};
static_assert(support::InEnumOrder(kEndings, Ending::kCount));
constexpr const EndingInfo& Info(Ending ending) { return kEndings[static_cast<size_t>(ending)]; }

struct Summary {
  Ending ending = Ending::TestsDone;
  std::string trouble;  // when Failed: what to do
  // Why the campaign says less than it was asked for (nothing, or nothing about one of the targets); empty: it does
  // not.
  std::string untested;
  std::vector<LeftOut> never_tested;  // targets that no program told anything about
  Status status;
};

// What a campaign began with.
struct Plan {
  std::filesystem::path folder;
  bool resumed = false;
  int64_t seed = 0;
  std::string source;
  std::string sanitizer;  // the compiler of the lazy check, or empty
  std::vector<target::Target> targets;
  std::vector<LeftOut> left_out, lacking;
  std::vector<std::string> configurations;
  int jobs = 1;
};

// Hears of a campaign while it runs. Called from one thread at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void Started(const Plan& plan) = 0;
  virtual void Progress(const Status& status) = 0;
  virtual void Found(const store::Bug& bug, const std::filesystem::path& folder) = 0;
  // A reduction has ended, or has got as far as the time allowed.
  virtual void Reduced(const store::Bug& bug, const std::filesystem::path& folder) = 0;
  // Now that it is small the bug is recognised as one of the file of known bugs.
  virtual void Recognised(const store::Bug& bug) = 0;
  // A target cannot be started any more; the others go on without it.
  virtual void Lost(const std::string& target, const std::string& why) = 0;
  // A configuration whose flags its target does not take: the others go on without it.
  virtual void Refused(const std::string& configuration, const std::string& why) = 0;
  // The server of the campaign's database cannot be reached; everybody waits for it.
  virtual void Waiting(const std::string& why) = 0;
};

// Runs (or resumes) the campaign in options.folder. An Error means that it could not begin; what
// goes wrong later is in the Summary, with everything recorded so far safe in the store. Leaves no
// process and no temporary file.
Result<Summary> RunCampaign(const Options& options, ProgramSource& source, const std::vector<target::Target>& targets,
                            exec::Executor& executor, Observer& observer, const std::atomic<bool>& interrupted);

}  // namespace assay::campaign
