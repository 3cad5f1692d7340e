// Speed of the derivation engine, in CPU time of one thread. Run it in the source folder:
//   grammar_bench [SECONDS_PER_LANGUAGE [speed|size|patterns [LANGUAGE_OF_SIZE]]]
// speed: nodes per second for every shipped language; size: time against size, up to a million
// nodes; patterns: generalised against specific fail patterns.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grammar/generator.hpp"
#include "grammar/shipped.hpp"
#include "support/files.hpp"

namespace {

using namespace assay;
using namespace assay::grammar;

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The part of it that the kernel took, to provide memory that was not used before.
double KernelSeconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_stime.tv_sec) + static_cast<double>(usage.ru_stime.tv_usec) * 1e-6;
}

struct Sum {
  uint64_t programs = 0;
  uint64_t nodes = 0;
  uint64_t bytes = 0;
  uint64_t failures = 0;
  uint64_t restarts = 0;
  double build = 0;
  double kernel = 0;  // part of build
  double again = 0;   // the same programs built a second time, in memory that is there already
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
  fmt::print("{:<16} {:>9} {:>12} {:>11} {:>13} {:>13} {:>10} {:>9}\n", "language", "programs", "nodes/prog", "ms/prog",
             "Mnodes/s", "with text", "failures/k", "restarts");
  for (const ShippedLanguage& language : ShippedLanguages()) {
    auto generator = Generator::Load(std::string(language.name));
    if (!generator) continue;
    Sum sum = Measure(**generator, seconds);
    auto nodes = static_cast<double>(sum.nodes);
    auto programs = static_cast<double>(std::max<uint64_t>(sum.programs, 1));
    fmt::print("{:<16} {:>9} {:>12.0f} {:>11.2f} {:>13.2f} {:>13.2f} {:>10.2f} {:>9}\n", language.name, sum.programs,
               nodes / programs, 1e3 * sum.build / programs, nodes / sum.build / 1e6,
               nodes / (sum.build + sum.print) / 1e6, 1e3 * static_cast<double>(sum.failures) / nodes, sum.restarts);
  }
}

// A shipped specification whose outermost list is made some twenty to a hundred times as long.
struct Enlargement {
  const char* language;
  const char* file;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, std::string>> changes;
};

support::Result<std::unique_ptr<Generator>> LoadEnlarged(const Enlargement& enlargement,
                                                         const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const fs::path original = enlargement.file;
  auto text = support::ReadFile(original);
  if (!text) return text.GetError();
  for (const auto& [from, to] : enlargement.changes) {
    size_t at = text->find(from);
    if (at == std::string::npos) {
      return support::UsageError(fmt::format("{} has no {}", enlargement.file, from));
    }
    text->replace(at, from.size(), to);
  }
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(original.parent_path())) {
    if (entry.path().extension() != ".hpp") continue;
    fs::copy_file(entry, folder / entry.path().filename(), fs::copy_options::overwrite_existing);
  }
  const fs::path file = folder / original.filename();
  if (auto written = support::WriteFile(file, *text); !written) return written.GetError();
  GeneratorOptions options;
  options.features = enlargement.features;
  return Generator::Load(file.string(), options);
}

void TimeAgainstSize(const std::string& name, const std::vector<const Generator*>& generators, double seconds) {
  std::map<uint64_t, Sum> sizes;  // by the upper end
  for (const Generator* generator : generators) {
    Generator::Lease engine(*generator);
    double spent = 0;
    for (uint64_t seed = 1; spent < 4 * seconds; ++seed) {
      double start = CpuSeconds();
      double kernel = KernelSeconds();
      bool good = engine->Build(seed, generator->Options()).Ok();
      double time = CpuSeconds() - start;
      kernel = KernelSeconds() - kernel;
      spent += time;
      if (!good) continue;
      start = CpuSeconds();
      (void)engine->Build(seed, generator->Options());
      double again = CpuSeconds() - start;
      uint64_t nodes = engine->Statistics().nodes;
      uint64_t end = 8'000;
      while (end < nodes) end *= 4;
      Sum& sum = sizes[end];
      ++sum.programs;
      sum.nodes += nodes;
      sum.build += time;
      sum.kernel += kernel;
      sum.again += again;
    }
  }
  for (const auto& [end, sum] : sizes) {
    auto programs = static_cast<double>(sum.programs);
    auto nodes = static_cast<double>(sum.nodes);
    fmt::print("{:<16} {:>9} {:>12.0f} {:>12.2f} {:>12.1f} {:>14.1f} {:>14.1f}\n", name, sum.programs, nodes / programs,
               1e3 * sum.build / programs, 1e9 * sum.build / nodes, 1e9 * sum.kernel / nodes, 1e9 * sum.again / nodes);
  }
}

void Sizes(double seconds, const std::string& language) {
  static const std::vector<Enlargement> kEnlargements = {
      {"c-crash",
       "grammars/c/c.lala",
       {},
       {{"@list(60)\nclass Functions", "@list\nclass Functions"},
        {"@weight(30)\n  more(\"${f : Function}", "@weight(500)\n  more(\"${f : Function}"}}},
      {"lua", "grammars/lua/lua.lala", {}, {{"@weight(280)", "@weight(5000)"}}},
      {"sql", "grammars/sql/sql.lala", {"wrapped"}, {{"@weight(90)", "@weight(3000)"}}},
      {"smt2",
       "grammars/smt2/qf_ufbv.lala",
       {},
       {{"@list(60)\nclass Commands", "@list\nclass Commands"}, {"@weight(35)", "@weight(5000)"}}}};
  fmt::print("\n{:<16} {:>9} {:>12} {:>12} {:>12} {:>14} {:>14}\n", "size", "programs", "nodes/prog", "ms/prog",
             "ns/node", "of them kernel", "ns/node again");
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "assay_grammar_bench";
  for (const Enlargement& enlargement : kEnlargements) {
    if (!language.empty() && language != enlargement.language) continue;
    auto generator = LoadEnlarged(enlargement, folder / enlargement.language);
    if (generator) {
      std::vector<const Generator*> both = {generator->get()};
      auto shipped = Generator::Load(enlargement.language);
      if (shipped) both.push_back(shipped->get());
      TimeAgainstSize(enlargement.language, both, seconds);
    } else {
      fmt::print("{}: {}\n", enlargement.language, generator.GetError().message);
    }
  }
  std::filesystem::remove_all(folder);
  if (auto generator = Generator::Load("bench/linear.lala")) {
    TimeAgainstSize("linear.lala", {generator->get()}, seconds);
  }
}

// How many of the first programs are finished within a budget of alternatives, and at what price.
void Ablation(const std::string& name, double seconds) {
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
    for (uint64_t seed = 1; seed <= kPrograms && CpuSeconds() - start < 2 * seconds; ++seed) {
      bool good = engine->Build(seed, engine_options).Ok();
      finished += good;
      nodes += good ? engine->Statistics().nodes : 0;
      alternatives += engine->Statistics().alternatives;
    }
    double time = CpuSeconds() - start;
    fmt::print("{:<24} {:<12} {:>4} of {} {:>12} {:>10.3f} {:>14.0f}\n", name, generalise ? "generalised" : "specific",
               finished, kPrograms, alternatives, time, static_cast<double>(nodes) / time);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  std::string only = argc > 2 ? argv[2] : "";
  if (only.empty() || only == "speed") Languages(seconds);
  if (only.empty() || only == "size") Sizes(seconds, argc > 3 ? argv[3] : "");
  if (!only.empty() && only != "patterns") return 0;
  fmt::print("\n{:<24} {:<12} {:>10} {:>12} {:>10} {:>14}\n", "patterns", "", "finished", "alternatives", "seconds",
             "nodes/s");
  for (const ShippedLanguage& language : ShippedLanguages()) {
    // The dialects of SQL differ in their first lines only.
    if (language.name.starts_with("sql-") && language.name != "sql-arithmetic") continue;
    Ablation(std::string(language.name), seconds);
  }
  Ablation("docs/toy/calc.txt.lala", seconds);
  Ablation("bench/guards.lala", seconds);
  return 0;
}
