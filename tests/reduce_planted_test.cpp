// Planted bugs: a wrapper that is gcc, except that it miscompiles, crashes on or rejects a given
// pattern. Every reduction must end with the same bug, valid and small.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "exec/scratch.hpp"
#include "gen/generate.hpp"
#include "lang/verify.hpp"
#include "reduce/reduce.hpp"

namespace assay {
namespace {

struct Planted {
  const char* name;
  const char* action;  // shell: may change $source (a copy) or end the script
  oracle::Verdict verdict;
};

std::ostream& operator<<(std::ostream& out, const Planted& planted) {
  return out << planted.name;
}

constexpr Planted kPlanted[] = {
    {"RemainderBecomesQuotient", "sed -i 's| % | / |g' $source", oracle::Verdict::WrongOutput},
    {"ShiftRightBecomesLeft", "sed -i 's/ >> / << /g' $source", oracle::Verdict::WrongOutput},
    {"MinusBecomesPlus", "sed -i 's/\\([a-z0-9)]\\) - \\([a-z0-9(]\\)/\\1 + \\2/g' $source",
     oracle::Verdict::WrongOutput},
    {"LessBecomesGreater", "sed -i 's/ < \\([a-z]\\)/ > \\1/g' $source",
     oracle::Verdict::WrongOutput},
    {"CrashOnSwitch",
     "grep -q 'switch (' $source && { echo 'internal compiler error: in expand_case, at "
     "stmt.cc:1047' >&2; exit 1; }",
     oracle::Verdict::CompilerCrash},
    {"CrashOnUnion",
     "grep -q '^union' $source && { echo 'internal compiler error: in layout_union, at "
     "stor-layout.cc:7' >&2; exit 1; }",
     oracle::Verdict::CompilerCrash},
    {"RejectsGoto",
     "grep -q 'goto ' $source && { echo 'program.c:3:1: error: what is a goto?' >&2; exit 1; }",
     oracle::Verdict::RejectedValid},
};

class PlantedBug : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBug, ReducesToTheSameBug) {
  const Planted& planted = GetParam();
  auto scratch = exec::Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  const std::filesystem::path folder = scratch->Path();
  const std::string wrapper = (folder / "cc").string();
  std::ofstream(wrapper) << "#!/bin/sh\nsource=changed.c\ncp \"$1\" $source\n"
                         << planted.action << "\nexec gcc -w -O0 $source -o \"$2\"\n";
  std::filesystem::permissions(wrapper, std::filesystem::perms::all);
  target::Target target;
  target.name = target.family = "planted";
  target.compile = {wrapper, "{source}", "{output}"};
  target.crash_diagnostics = {"internal compiler error"};

  knobs::Knobs knobs;
  knobs.tokens = 1500;
  knobs.globals = 8;
  exec::Executor executor;
  int reduced_count = 0;
  for (uint64_t seed = 1; seed <= 12 && reduced_count < 1; ++seed) {
    const gen::Generated made = gen::Generate(seed, knobs, lang::DataModelKind::Lp64);
    reduce::ReduceOptions options;
    options.verdict = planted.verdict;
    options.tries = 1;
    auto reduced = reduce::ReduceCase(made.program, {&target, {}}, executor, options);
    if (!reduced) continue;  // this program does not have the pattern
    ++reduced_count;
    EXPECT_TRUE(reduced->stats.finished);
    EXPECT_EQ(reduced->bug.verdict, planted.verdict);
    EXPECT_LE(reduced->lines, 30u) << reduced->source;
    EXPECT_TRUE(lang::Verify(reduced->subject.program).empty());
    machine::Machine machine(reduced->subject.program, {});
    EXPECT_EQ(machine.Run().trap.kind, machine::TrapKind::None);
    // The bug is the wrapper's alone: the real compiler with sanitizers has nothing to say.
    const std::string file = (folder / "reduced.c").string(), program = (folder / "sane").string();
    std::ofstream(file) << reduced->source;
    EXPECT_EQ(std::system(("gcc -w -fsanitize=address,undefined -fno-sanitize-recover=all " + file +
                           " -o " + program + " && " + program + " > /dev/null")
                              .c_str()),
              0)
        << reduced->source;
  }
  EXPECT_EQ(reduced_count, 1) << "no program had the pattern";
}

INSTANTIATE_TEST_SUITE_P(Planted, PlantedBug, testing::ValuesIn(kPlanted),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace assay
