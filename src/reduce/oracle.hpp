// Does a candidate still show the bug? One compile and one run by the failing configuration against
// the machine's newly computed expectation.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "exec/executor.hpp"
#include "oracle/verdict.hpp"
#include "reduce/case.hpp"
#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::reduce {

using support::Result;

// What main does with the result.
enum class Look : uint8_t {
  Checksum,  // prints the checksum of everything
  Print,     // prints the checked scalar
  Abort,     // calls __builtin_abort() when the checked scalar is wrong
  Status,    // returns 1 when it is wrong: for compilers without the builtin
  Nothing,   // only calls the entry function
};

// The bug to keep.
struct Bug {
  oracle::Verdict verdict = oracle::Verdict::WrongOutput;
  std::string signature;  // of the compile step, or the signal that ended the program
  bool any = false;       // --any-bug: every find will do
  int runs = 1;           // of the program, until the bug shows: more than one for flaky bugs
  bool steady = false;    // it shows in other surroundings, too, and shall go on doing so
};

// What one configuration did with one case.
struct Seen {
  oracle::Verdict verdict = oracle::Verdict::Ok;
  std::string signature;  // of a compile step that failed, or the signal of a program; empty otherwise
  std::string detail;     // one line for people
  std::string output;     // of the program
};

// A miscompiled program may read what happens to be on its stack. With another environment and with
// symbols resolved at the start, something else is there; what still shows there will show elsewhere.
enum class Surroundings : uint8_t { Usual, Other };

// Thread-safe. Configuration and executor must outlive it.
class Judge {
 public:
  Judge(exec::Executor& executor, target::Configuration configuration)
      : executor_(executor), configuration_(std::move(configuration)) {}

  // Before questions are asked from so many threads.
  void Prepare(unsigned threads) { executor_.Prepare(threads); }

  // Compiles once and runs the program. `result` is the clean run of the case. With an argument
  // the program in its checksum form prints every variable.
  Result<Seen> Observe(const Case& subject, const machine::RunResult& result, Look look, bool with_argument = false);
  // Compiles once and runs the program as often as it takes to see the bug, at most bug.runs times; a
  // steady bug must then show in other surroundings, too.
  Result<bool> Shows(const Bug& bug, const Case& subject, const machine::RunResult& result, Look look);
  // Compiles once and runs the program so many times, or until it hangs; one Seen if the compiler
  // fails.
  Result<std::vector<Seen>> ObserveRuns(const Case& subject, const machine::RunResult& result, Look look, int runs,
                                        Surroundings surroundings = Surroundings::Usual);
  // The final values (positions in result.finals) that the program, run with an argument, prints
  // wrongly.
  Result<std::vector<size_t>> WrongFinals(const Case& subject, const machine::RunResult& result);

  uint64_t Compilations() const { return compilations_; }
  uint64_t Runs() const { return runs_; }
  const target::Configuration& Configuration() const { return configuration_; }

 private:
  struct Compiled;  // a program in a folder of its own
  Result<Compiled> Compile(const Case& subject, const machine::RunResult& result, Look look);
  Result<Seen> Run(const Compiled& compiled, bool with_argument = false,
                   Surroundings surroundings = Surroundings::Usual);

  exec::Executor& executor_;
  target::Configuration configuration_;
  std::atomic<uint64_t> compilations_ = 0, runs_ = 0;
};

// Is it the bug?
bool Matches(const Bug& bug, const Seen& seen);

std::vector<std::string> Lines(const std::string& text);

// The text that is compiled; `comment` goes to its top.
std::string TextOf(const Case& subject, const machine::RunResult& result, Look look, const std::string& comment = {});

// What that program must print.
std::string ExpectedOf(const Case& subject, const machine::RunResult& result, Look look);

}  // namespace assay::reduce
