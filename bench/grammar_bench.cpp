// Speed of the derivation engine, in CPU time of one thread:
//   grammar_bench [SECONDS_PER_LANGUAGE]
// 1. nodes per second for every shipped language; 2. time against size; 3. generalised against
// specific fail patterns.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <vector>

#include "grammar/generator.hpp"
#include "grammar/shipped.hpp"

namespace {

using namespace assay;
using namespace assay::grammar;

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Sum {
  uint64_t programs = 0;
  uint64_t nodes = 0;
  uint64_t bytes = 0;
  uint64_t failures = 0;
  uint64_t restarts = 0;
  double build = 0;
  double print = 0;
};

Sum Measure(const Generator& generator, double seconds) {
  Sum sum;
  Generator::Lease engine(generator);
  for (uint64_t seed = 1; sum.build < seconds; ++seed) {
    double start = CpuSeconds();
    support::Result<void> built = engine->Build(seed, generator.Options());
    double middle = CpuSeconds();
    if (!built) {
      fmt::print("{}: {}\n", generator.Name(), built.GetError().message);
      break;
    }
    std::string text;
    (void)engine->Print(text);
    sum.build += middle - start;
    sum.print += CpuSeconds() - middle;
    ++sum.programs;
    sum.nodes += engine->Statistics().nodes;
    sum.failures += engine->Statistics().failures;
    sum.restarts += engine->Statistics().restarts;
    sum.bytes += text.size();
  }
  return sum;
}

void Languages(double seconds) {
  fmt::print("{:<16} {:>9} {:>12} {:>11} {:>13} {:>13} {:>10} {:>9}\n", "language", "programs",
             "nodes/prog", "ms/prog", "Mnodes/s", "with text", "failures/k", "restarts");
  for (const ShippedLanguage& language : ShippedLanguages()) {
    auto generator = Generator::Load(std::string(language.name));
    if (!generator) continue;
    Sum sum = Measure(**generator, seconds);
    auto nodes = static_cast<double>(sum.nodes);
    auto programs = static_cast<double>(std::max<uint64_t>(sum.programs, 1));
    fmt::print("{:<16} {:>9} {:>12.0f} {:>11.2f} {:>13.2f} {:>13.2f} {:>10.2f} {:>9}\n",
               language.name, sum.programs, nodes / programs, 1e3 * sum.build / programs,
               nodes / sum.build / 1e6, nodes / (sum.build + sum.print) / 1e6,
               1e3 * static_cast<double>(sum.failures) / nodes, sum.restarts);
  }
}

void Linearity() {
  auto generator = Generator::Load("bench/linear.lala");
  if (!generator) {
    fmt::print("\n(run in the source folder for time against size: {})\n",
               generator.GetError().message);
    return;
  }
  std::map<uint64_t, Sum> sizes;
  Generator::Lease engine(**generator);
  for (uint64_t seed = 1; seed < 40; ++seed) {
    double start = CpuSeconds();
    if (!engine->Build(seed, (*generator)->Options())) continue;
    double time = CpuSeconds() - start;
    uint64_t nodes = engine->Statistics().nodes;
    Sum& sum = sizes[nodes < 50'000 ? 0 : nodes < 500'000 ? 1 : 2];
    ++sum.programs;
    sum.nodes += nodes;
    sum.build += time;
  }
  fmt::print("\n{:>12} {:>12} {:>12}\n", "nodes/prog", "ms/prog", "ns/node");
  for (const auto& [size, sum] : sizes) {
    auto programs = static_cast<double>(sum.programs);
    fmt::print("{:>12.0f} {:>12.2f} {:>12.1f}\n", static_cast<double>(sum.nodes) / programs,
               1e3 * sum.build / programs, 1e9 * sum.build / static_cast<double>(sum.nodes));
  }
}

// How many of the first programs are finished within a budget of alternatives, and at what price.
void Ablation(const std::string& name) {
  constexpr uint64_t kPrograms = 20;
  constexpr uint64_t kBudget = 20'000;
  for (bool generalise : {true, false}) {
    GeneratorOptions options;
    options.generalise = generalise;
    auto generator = Generator::Load(name, options);
    if (!generator) return;
    EngineOptions engine_options = (*generator)->Options();
    engine_options.give_up = kBudget;
    Generator::Lease engine(**generator);
    uint64_t finished = 0;
    uint64_t nodes = 0;
    uint64_t alternatives = 0;
    double start = CpuSeconds();
    for (uint64_t seed = 1; seed <= kPrograms && CpuSeconds() - start < 20; ++seed) {
      bool good = engine->Build(seed, engine_options).Ok();
      finished += good;
      nodes += good ? engine->Statistics().nodes : 0;
      alternatives += engine->Statistics().alternatives;
    }
    double time = CpuSeconds() - start;
    fmt::print("{:<24} {:<12} {:>4} of {} {:>12} {:>10.3f} {:>14.0f}\n", name,
               generalise ? "generalised" : "specific", finished, kPrograms, alternatives, time,
               static_cast<double>(nodes) / time);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  Languages(seconds);
  Linearity();
  fmt::print("\n{:<24} {:<12} {:>10} {:>12} {:>10} {:>14}\n", "language", "patterns", "finished",
             "alternatives", "seconds", "nodes/s");
  for (const ShippedLanguage& language : ShippedLanguages()) Ablation(std::string(language.name));
  Ablation("docs/toy/calc.txt.lala");
  Ablation("bench/guards.lala");
  return 0;
}
