// Finds failing programs and reduces them: the programs behind bench/reduce_bench.sh.
//
//   reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]
//     one model per seed and target that fails: FOLDER/<target>-<seed>.txt
//   reduce_bench reduce TARGET MODEL OUTFOLDER
//     reduces it; prints one line: seconds, tokens, lines, compilations
//   reduce_bench export TARGET MODEL OUTFOLDER
//     the program as C that prints its checksum (program.c) and the careful user's test for it
//     (test.sh)
#include <fmt/format.h>

#include <fstream>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "reduce/foreign.hpp"
#include "reduce/reduce.hpp"
#include "reduce/settle.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"

using namespace assay;

namespace {

int Find(const std::string& names, uint64_t count, const std::string& folder, uint64_t first,
         const std::string& knob_text) {
  exec::Executor executor;
  auto found = target::DetectTargets(executor, {.language = "c"});
  if (!found) return 3;
  auto targets = target::SelectTargets(*found, names);
  if (!targets) {
    fmt::print(stderr, "{}\n", targets.GetError().message);
    return 2;
  }
  auto knobs = knobs::Parse(knob_text);
  if (!knobs) return 2;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    gen::Generated made = gen::Generate(seed, *knobs, lang::DataModelKind::Lp64);
    reduce::Case subject{made.program, std::nullopt};
    if (!reduce::Settle(subject)) fmt::print("seed {}: SETTLE REJECTS\n", seed);
    for (const target::Target& target : *targets) {
      reduce::Judge judge(executor, {&target, {}});
      auto seen = judge.Observe({made.program, std::nullopt}, made.result, reduce::Look::Checksum);
      if (!seen) return 3;
      fmt::print("seed {} {}: {} {} {}\n", seed, target.name, oracle::Name(seen->verdict),
                 seen->signature, seen->detail);
      std::fflush(stdout);
      if (!oracle::IsFind(seen->verdict)) continue;
      std::ofstream(fmt::format("{}/{}-{}.txt", folder, target.name, seed))
          << lang::Save(made.program);
    }
  }
  return 0;
}

struct Loaded {
  reduce::Case subject;
  std::vector<target::Target> targets;
};

std::optional<Loaded> Load(exec::Executor& executor, const std::string& name,
                           const std::string& file) {
  auto found = target::DetectTargets(executor, {.language = "c"});
  if (!found) return std::nullopt;
  auto targets = target::SelectTargets(*found, name);
  auto text = support::ReadFile(file);
  if (!targets || !text) return std::nullopt;
  auto subject = reduce::LoadCase(*text);
  if (!subject) return std::nullopt;
  return Loaded{std::move(subject).Value(), std::move(targets).Value()};
}

int Reduce(const std::string& name, const std::string& file, const std::string& out) {
  exec::Executor executor;
  auto loaded = Load(executor, name, file);
  if (!loaded) return 3;
  reduce::ReduceOptions options;
  options.search.folder = out;
  if (std::getenv("VERBOSE") != nullptr) {
    options.search.progress = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  }
  auto reduced =
      reduce::ReduceFrom(loaded->subject, {&loaded->targets.front(), {}}, executor, options);
  if (!reduced) {
    fmt::print("{}: {}\n", file, reduced.GetError().message);
    return 1;
  }
  std::ofstream(out + "/reduced.c") << reduced->source;
  const reduce::SearchStats& stats = reduced->stats;
  fmt::print(
      "{} {} seconds {:.1f} tokens {} -> {} lines {} compilations {} candidates {} malformed {} "
      "cached {} invalid {} kept {}\n",
      file, oracle::Name(reduced->bug.verdict), stats.seconds, reduced->tokens_before,
      reduced->tokens, reduced->lines, stats.compilations, stats.candidates, stats.malformed,
      stats.cached, stats.invalid, stats.accepted);
  if (std::getenv("VERBOSE") != nullptr) {
    for (const auto& [pass, counts] : stats.passes)
      fmt::print(stderr, "  {:<16} tried {:5} kept {:4}\n", pass, counts.tried, counts.accepted);
  }
  return 0;
}

int Export(const std::string& name, const std::string& file, const std::string& out) {
  exec::Executor executor;
  auto loaded = Load(executor, name, file);
  if (!loaded || !reduce::Settle(loaded->subject)) return 3;
  machine::Machine machine(loaded->subject.program, {});
  const machine::RunResult result = machine.Run();
  std::ofstream(out + "/program.c")
      << reduce::TextOf(loaded->subject, result, reduce::Look::Checksum);
  std::ofstream(out + "/test.sh") << reduce::InterestingnessTest({&loaded->targets.front(), {}},
                                                                 "program.c");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 4 && words[0] == "find") {
    return Find(words[1], std::stoull(words[2]), words[3],
                words.size() > 4 ? std::stoull(words[4]) : 1, words.size() > 5 ? words[5] : "");
  }
  if (words.size() == 4 && words[0] == "reduce") return Reduce(words[1], words[2], words[3]);
  if (words.size() == 4 && words[0] == "export") return Export(words[1], words[2], words[3]);
  fmt::print(stderr, "usage: reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]\n");
  return 2;
}
