// What one Run costs beside a plain posix_spawn of the same program, in time and in Assay's own
// CPU; and what the harness costs beside a real compile.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "exec/executor.hpp"
#include "exec/scratch.hpp"

namespace {

using assay::exec::Command;
using assay::exec::Executor;
using assay::exec::Limits;
using assay::exec::Scratch;

double OwnCpuSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

void PlainSpawnOfTrue(benchmark::State& state) {
  char name[] = "/bin/true";
  char* argv[] = {name, nullptr};
  for (auto step : state) {
    pid_t pid = 0;
    if (::posix_spawn(&pid, name, nullptr, nullptr, argv, environ) != 0) std::abort();
    ::waitpid(pid, nullptr, 0);
  }
}
BENCHMARK(PlainSpawnOfTrue)->UseRealTime();

// Runs the command and reports Assay's own CPU (this process and the jail) per run and as a share
// of all CPU.
void Measure(benchmark::State& state, Executor& executor, const Command& command) {
  double harness = 0, tree = 0;
  const double before = OwnCpuSeconds();
  for (auto step : state) {
    auto seen = executor.Run(command, Limits{});
    if (!seen || !seen->Succeeded()) std::abort();
    harness += seen->harness_seconds;
    tree += seen->cpu_seconds;
  }
  harness += OwnCpuSeconds() - before;
  state.counters["harness_us"] = benchmark::Counter(harness * 1e6 / static_cast<double>(state.iterations()));
  state.counters["harness_percent"] = benchmark::Counter(100 * harness / (harness + tree));
}

void RunOfTrue(benchmark::State& state) {
  Executor executor;
  Measure(state, executor, {.argv = {"/bin/true"}});
}
BENCHMARK(RunOfTrue)->UseRealTime();

void RunOfACompile(benchmark::State& state, const char* compiler) {
  Executor executor;
  auto scratch = Scratch::Make();
  std::ofstream(scratch->Path() / "a.c")
      << "int printf(const char *, ...);\nint main(void) { return printf(\"hi\\n\") - 3; }\n";
  Measure(state, executor, {.argv = {compiler, "a.c", "-o", "a.out"}, .working_folder = scratch->Path()});
}
BENCHMARK_CAPTURE(RunOfACompile, gcc, "gcc")->UseRealTime();
BENCHMARK_CAPTURE(RunOfACompile, tcc, "tcc")->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
