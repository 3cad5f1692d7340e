// The programs behind bench/reduce_bench.py: finds failing ones, writes them for other reducers.
//
//   reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]
//     one model per seed and target that fails: FOLDER/<target>-<seed>.txt
//   reduce_bench export TARGET MODEL OUTFOLDER
//     the program as C that prints its checksum (program.c) and the careful user's test for it
//     (test.sh)
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "reduce/foreign.hpp"
#include "reduce/mend.hpp"
#include "reduce/reduce.hpp"
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
    if (!reduce::Mend(subject)) fmt::print("seed {}: MEND REJECTS\n", seed);
    for (const target::Target& target : *targets) {
      reduce::Judge judge(executor, {&target, {}});
      auto seen = judge.Observe({made.program, std::nullopt}, made.result, reduce::Look::Checksum);
      if (!seen) return 3;
      fmt::print("seed {} {}: {} {} {}\n", seed, target.name, oracle::Name(seen->verdict), seen->signature,
                 seen->detail);
      std::fflush(stdout);
      if (!oracle::IsFind(seen->verdict)) continue;
      std::ofstream(fmt::format("{}/{}-{}.txt", folder, target.name, seed)) << lang::Save(made.program);
    }
  }
  return 0;
}

int Export(const std::string& name, const std::string& file, const std::string& out) {
  exec::Executor executor;
  auto found = target::DetectTargets(executor, {.language = "c"});
  if (!found) return 3;
  auto targets = target::SelectTargets(*found, name);
  auto text = support::ReadFile(file);
  if (!targets || !text) return 3;
  auto subject = reduce::LoadCase(*text);
  if (!subject || !reduce::Mend(*subject)) return 3;
  machine::Machine machine(subject->program, {});
  const machine::RunResult result = machine.Run();
  const target::Configuration configuration{&targets->front(), {}};
  auto seen = reduce::Judge(executor, configuration).ObserveRuns(*subject, result, reduce::Look::Checksum, 8);
  if (!seen) return 3;
  const auto failed =
      std::find_if(seen->begin(), seen->end(), [](const reduce::Seen& one) { return oracle::IsFind(one.verdict); });
  if (failed == seen->end()) return 1;
  std::ofstream(out + "/program.c") << reduce::TextOf(*subject, result, reduce::Look::Checksum);
  std::ofstream(out + "/test.sh") << reduce::InterestingnessTest(configuration, "program.c", failed->verdict);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 4 && words[0] == "find") {
    return Find(words[1], std::stoull(words[2]), words[3], words.size() > 4 ? std::stoull(words[4]) : 1,
                words.size() > 5 ? words[5] : "");
  }
  if (words.size() == 4 && words[0] == "export") return Export(words[1], words[2], words[3]);
  fmt::print(stderr,
             "usage: reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]\n"
             "       reduce_bench export TARGET MODEL OUTFOLDER\n");
  return 2;
}
