// One worker's place to try programs: compiles and runs, each in a folder of its own on tmpfs, and
// keeps the books.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "campaign/source.hpp"
#include "exec/executor.hpp"
#include "exec/scratch.hpp"
#include "oracle/verdict.hpp"
#include "target/target.hpp"

namespace assay::campaign {

// What a worker has done and what it cost.
struct Usage {
  int64_t compiles = 0;
  int64_t runs = 0;
  int64_t runs_saved = 0;    // the binary was identical to one already run in this test
  double child_seconds = 0;  // CPU of compilers and programs
  double harness_seconds = 0;

  Usage& operator+=(const Usage& other);
  Usage operator-(const Usage& other) const;
};

class Lab {
 public:
  static Result<Lab> Make(exec::Executor& executor);

  // Compiles the program by every configuration, then runs each binary, except those byte-identical
  // to one already run. One outcome per configuration, in order.
  Result<std::vector<oracle::Outcome>> Try(const TestCase& test, std::span<const target::Configuration> configurations);
  Result<oracle::Outcome> Try(const TestCase& test, const target::Configuration& configuration);

  const Usage& Used() const { return usage_; }
  exec::Executor& Executor() { return *executor_; }

 private:
  Lab(exec::Executor& executor, exec::Scratch scratch) : executor_(&executor), scratch_(std::move(scratch)) {}

  // Binaries run so far in a test -> the outcome that has their observation.
  using RunBinaries = std::map<std::string, size_t>;
  Result<oracle::Outcome> Compile(const TestCase& test, const target::Configuration& configuration,
                                  const std::filesystem::path& folder);
  Result<exec::Observation> Run(const TestCase& test, const target::Configuration& configuration,
                                const std::filesystem::path& folder);
  Result<exec::Observation> Observe(const exec::Command& command, const exec::Limits& limits);

  exec::Executor* executor_;
  exec::Scratch scratch_;
  Usage usage_;
};

// The names used inside a test's folder, and so in the commands of a report.
inline constexpr const char* kBinaryName = "./program";

}  // namespace assay::campaign
