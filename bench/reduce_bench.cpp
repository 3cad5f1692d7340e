// Finds failing programs and reduces them: the programs behind bench/reduce_bench.sh.
//
//   reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]
//     one model per seed and target that fails: FOLDER/<target>-<seed>.txt
#include <fmt/format.h>

#include <fstream>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "reduce/reduce.hpp"
#include "reduce/settle.hpp"
#include "target/detect.hpp"

using namespace assay;

namespace {

int Find(const std::string& names, uint64_t count, const std::string& folder, uint64_t first, const std::string& knob_text) {
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
      fmt::print("seed {} {}: {} {} {}\n", seed, target.name, oracle::Name(seen->verdict), seen->signature,
                 seen->detail);
      std::fflush(stdout);
      if (!oracle::IsFind(seen->verdict)) continue;
      std::ofstream(fmt::format("{}/{}-{}.txt", folder, target.name, seed)) << lang::Save(made.program);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 4 && words[0] == "find") {
    return Find(words[1], std::stoull(words[2]), words[3], words.size() > 4 ? std::stoull(words[4]) : 1,
                words.size() > 5 ? words[5] : "");
  }
  fmt::print(stderr, "usage: reduce_bench find TARGETS COUNT FOLDER [FIRST_SEED [KNOBS]]\n");
  return 2;
}
