// A worker takes ranges of tests from the store and does one test after the other; between tests it
// may make a new bug small.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/campaign.hpp"
#include "campaign/compiler_facts.hpp"
#include "campaign/confirm.hpp"
#include "campaign/drawing.hpp"
#include "campaign/lab.hpp"
#include "campaign/reductions.hpp"
#include "campaign/tested.hpp"
#include "store/store.hpp"

namespace assay::campaign {

// What the workers of one process share.
struct Shared {
  const Options& options;
  ProgramSource& source;
  const std::vector<target::Target>& targets;
  exec::Executor& executor;
  store::Store& store;
  Observer& observer;
  Budget& budget;
  ReductionQueue& reductions;
  Sanitizer sanitizer;
  Witnesses& witnesses;
  std::string owner;
  int64_t seed = 0;  // of test number 0
  Before before;
  Drawing drawing;
  Experience experience;
  FactBook facts;
  TriageMemory triage_memory;

  // What the workers did in this run.
  std::mutex books_mutex;
  Usage usage;
  int64_t tests = 0;
  int64_t no_program = 0;
  double generator_seconds = 0;
  double reducer_seconds = 0;
};

class Worker {
 public:
  Worker(Shared& shared, Lab lab);

  // Returns when the budget is used up or no test is left. A failure stops the whole campaign
  // through the budget.
  void Work();

 private:
  Result<void> TestUntilDone();
  // Reduces a bug if one waits and it is the time for it. False: there was nothing to do.
  Result<bool> ReduceOne(bool tests_left);
  // A lease, or nothing when there is no more to do. Waits for ranges held by others.
  Result<std::optional<store::Lease>> NextLease();
  // Does and records test number lease.Next(). False: the lease was lost, or
  // the campaign has to stop first.
  Result<bool> DoTest(store::Lease& lease);
  // Tries the program until no target is missing. Nothing when the campaign has to stop before.
  Result<std::optional<store::TestRecord>> TryProgram(const TestCase& test);
  struct Tried {
    store::TestRecord record;
    std::map<std::string, std::string> missing;  // targets that could not be started, and why
  };
  Result<Tried> TryOnce(const TestCase& test);
  // Gives up targets that stay missing.
  Result<void> Lose(const std::map<std::string, std::string>& missing);
  // The bug with its model, if it is to be reduced: the first of its signature, and some of the later ones, which may
  // be other bugs and get a name of their own. True if it is one of them.
  Result<bool> AddModel(const TestCase& test, store::Bug& bug);
  // What a report says beyond the find itself.
  Result<void> AddFacts(const TestCase& test, store::Bug& bug);
  Result<void> ShowNewBugs(const store::TestRecord& record, const std::vector<std::string>& new_bugs);
  Drawing::Choice ConfigurationsFor(const TestCase& test) const;
  // An Error when no seed at all has a program.
  Result<void> AddToBooks(double generator_seconds, const Usage& used, bool had_program);

  Shared& shared_;
  Lab lab_;
};

}  // namespace assay::campaign
