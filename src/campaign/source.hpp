// Where programs come from. A ProgramSource turns a seed into a TestCase; the campaign treats our C
// generator, a grammar and a foreign command alike. To add a source: implement ProgramSource in its
// own file, and give it a line in MakeSource (sources.cpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "oracle/verdict.hpp"
#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::campaign {

using support::Result;

struct SourceFile {
  std::string name;
  std::string text;
  bool compiled = true;  // false: a header, only written beside the others
};

// Among the extra flags of a program: no compiler is to make more than an object file of it.
inline constexpr const char* kCompileOnly = "-c";

// The knobs of our generator that a target cannot take: those its recipe names, and functions of <math.h> where the
// library is not linked; compilers that do not optimise leave them to it.
std::set<std::string> MissingKnobs(const target::Target& target);

// A program to test: its files and, when its maker knows, what it must print under each data model.
struct TestCase {
  int64_t seed = 0;
  std::string language = "c";
  std::vector<SourceFile> files;
  oracle::Expectations expectations;
  bool has_expectation = false;
  std::string data_model;  // the one it is written for; empty: any
  // Of the knobs that some target or pool of flags cannot take: those that are 0 in this program. Without a value
  // nothing is known of what the program has.
  std::optional<std::set<std::string>> does_without;
  bool may_be_declined = false;  // it has what only some compilers know: a rejection of it is no find
  std::string knobs;
  std::string writers;        // of our generator: whose code the program runs (gen/writers.hpp), one a line
  target::Flags extra_flags;  // for every compiler: include paths, for instance

  std::vector<std::string> CompiledNames() const;
  // Is the program only for compilers, and not to be run?
  bool CompileOnly() const;
  // May the target be given this program, with flags of the pool if there is one? A program of which nothing is known
  // is for every target, but for no pool that cannot take everything.
  bool IsFor(const target::Target& target, const target::FlagPool* pool = nullptr) const;
};

// A find to be made small.
struct ReduceRequest {
  std::string model;                                       // as Model made it, or as an interrupted reduction left it
  target::Configuration configuration;                     // the one that fails
  std::optional<target::Configuration> reference;          // without an expectation: one that is right
  oracle::Verdict verdict = oracle::Verdict::WrongOutput;  // the find's
  std::filesystem::path folder;                            // exists; the best so far is kept here, and found here again
  double seconds = 0;                                      // then stop with the best so far
  unsigned threads = 1;
};

// A program that shows the bug and nothing else.
struct SmallProgram {
  SourceFile file;
  std::string expected;     // its output, when it is right; the exit code is then 0
  std::string model;        // to go on from
  std::string note;         // one line for people: how small, what it took
  bool finished = true;     // false: the time was up first
  std::string explanation;  // which variable first goes wrong where; empty: not known
  std::string detail;       // for wrong output, one line: what is wrong; empty: its output says it
};

class ProgramSource {
 public:
  virtual ~ProgramSource() = default;

  // The program of a seed; nothing when the source has none for this seed (a foreign generator that
  // failed or took too long). The same seed gives the same program. Called from many threads at
  // once.
  virtual Result<std::optional<TestCase>> Make(int64_t seed) = 0;
  // Why there was no program the last time that there was none; one line, or empty.
  virtual std::string LastTrouble() const { return {}; }

  // The program of a seed in the form that Reduce works on, stored with every new bug; nothing when
  // the source cannot reduce. This pair is all that a source needs for its finds to be reduced.
  virtual Result<std::optional<SourceFile>> Model(int64_t /*seed*/) { return std::optional<SourceFile>(); }
  // Called in a process of its own, which has nothing but `executor`: a mistake in it costs one
  // reduction. An Error says why there is no small program.
  virtual Result<SmallProgram> Reduce(const ReduceRequest& /*request*/, exec::Executor&) const {
    return support::Error{"programs of this source cannot be reduced", support::ExitCode::Nothing};
  }

  // Are the processes that Reduce starts mostly reducers, and not compilers and programs?
  virtual bool ReducesByOtherTools() const { return false; }

  // Names the source in the store: a campaign is resumed with the same source only.
  virtual std::string Description() const = 0;
  virtual std::string Language() const { return "c"; }

  // CPU time spent in other processes to make programs.
  virtual double ChildCpuSeconds() const { return 0; }
};

// What `assay fuzz` was asked for.
struct SourceOptions {
  std::string command;            // --source-cmd; empty: our own generator
  std::string flags;              // --source-flags: words put with the flags of every compiler
  std::string language = "c";     // "c": our C generator; else a grammar, by name or path. With
                                  // `command`: the language of the targets
  std::string profile = "mixed";  // of our generator
  std::string knobs;              // "name=value name=value", on top of the profile
};

// The language of the targets that such programs are for: "c" for c-crash, "smt2" for smt2-fp.
Result<std::string> TargetLanguage(const SourceOptions& options);

// The source for the options. `targets` are the ones under test: their data models need
// expectations, their missing knobs restrict our generator. Executor and targets must outlive the
// source.
Result<std::unique_ptr<ProgramSource>> MakeSource(const SourceOptions& options, exec::Executor& executor,
                                                  const std::vector<target::Target>& targets);

// Splits a command line into words as the shell would, with quotes and backslashes but no
// expansions.
Result<std::vector<std::string>> SplitWords(std::string_view line);
// The other way: SplitWords gives these words back, whatever is in them.
std::string JoinWords(const std::vector<std::string>& words);

}  // namespace assay::campaign
