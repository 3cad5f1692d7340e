#include "target/recipe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::target {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RecipeTest, EverythingATargetFileCanSay) {
  auto recipes = ReadRecipes(R"(
[[target]]
name = "mycc"
family = "my"
compile = "mycc --quiet '-DX=a b' {flags} {source} -o {output}"
run = ["{output}", "--fast mode"]
run_prefix = "qemu -L /x"
data_model = "ilp32"
environment = ["A=b"]
writable = ["/var/cache/my"]
flags = ["", "-O2 -g", ["-x", "a b"]]
matrix = [["-O1", "-O2"], ["", "-fPIC"]]
missing_knobs = ["vla"]
unsupported = ["not yet"]
crashes = ["oops"]
compile_limits = { cpu_seconds = 1.5, memory_mb = 100, processes = 5, shared_tmp = true, local_sockets = true }
run_limits = { wall_seconds = 2, output_mb = 1, file_mb = 2, limit_address_space = false, network = true }
[[target.pool]]
name = "p"
bases = ["-O1", "-O2"]
flags = ["-a", "-b"]
draw_min = 0
draw_max = 2
[[target]]
name = "other"
kind = "interpreter"
language = "lua"
run = "lua {source}"
)",
                             "my.toml");
  ASSERT_TRUE(recipes.Ok()) << recipes.GetError().message;
  ASSERT_EQ(recipes->size(), 2u);
  const Target& target = (*recipes)[0].target;
  EXPECT_EQ(target.name, "mycc");
  EXPECT_EQ(target.family, "my");
  EXPECT_THAT(target.compile, ElementsAre("mycc", "--quiet", "-DX=a b", "{flags}", "{source}", "-o", "{output}"));
  EXPECT_THAT(target.run, ElementsAre("{output}", "--fast mode"));
  EXPECT_THAT(target.run_prefix, ElementsAre("qemu", "-L", "/x"));
  EXPECT_EQ(target.data_model, "ilp32");
  EXPECT_THAT(target.flag_lists, ElementsAre(Flags{}, Flags{"-O2", "-g"}, Flags{"-x", "a b"}));
  EXPECT_EQ(FixedConfigurations(target).size(), 7u);
  EXPECT_THAT(target.missing_knobs, ElementsAre("vla"));
  EXPECT_THAT(target.unsupported_diagnostics, ElementsAre("not yet"));
  EXPECT_THAT(target.crash_diagnostics, ElementsAre("oops"));
  EXPECT_EQ(target.compile_limits.cpu_seconds, 1.5);
  EXPECT_EQ(target.compile_limits.memory_bytes, 100u << 20);
  EXPECT_EQ(target.compile_limits.processes, 5u);
  EXPECT_TRUE(target.compile_limits.shared_tmp && target.compile_limits.local_sockets);
  EXPECT_FALSE(target.run_limits.shared_tmp || target.run_limits.local_sockets);
  EXPECT_THAT(target.writable, ElementsAre("/var/cache/my"));
  EXPECT_EQ(target.run_limits.wall_seconds, 2);
  EXPECT_FALSE(target.run_limits.limit_address_space);
  EXPECT_TRUE(target.run_limits.network);
  ASSERT_EQ(target.pools.size(), 1u);
  EXPECT_EQ(target.pools[0].bases.size(), 2u);
  EXPECT_EQ(target.pools[0].draw_max, 2u);
  EXPECT_EQ((*recipes)[1].target.kind, Kind::Interpreter);
  EXPECT_EQ((*recipes)[1].target.language, "lua");
}

struct BadFile {
  std::string text, place, message;
};

class BadFileTest : public testing::TestWithParam<BadFile> {};

TEST_P(BadFileTest, IsRefusedWithFileLineAndReason) {
  auto recipes = ReadRecipes(GetParam().text, "bad.toml");
  ASSERT_FALSE(recipes.Ok());
  EXPECT_EQ(recipes.GetError().code, support::ExitCode::Usage);
  EXPECT_THAT(recipes.GetError().message, HasSubstr("bad.toml:" + GetParam().place + ":"));
  EXPECT_THAT(recipes.GetError().message, HasSubstr(GetParam().message));
}

const std::string kGood = "[[target]]\nname = 'x'\ncompile = 'cc {source} -o {output}'\n";

INSTANTIATE_TEST_SUITE_P(
    , BadFileTest,
    testing::Values(BadFile{"[[target]\n", "1", "]"}, BadFile{"x = 1\n", "1", "unknown key 'x'"},
                    BadFile{kGood + "compil = 'cc'\n", "4", "unknown key 'compil' in a target"},
                    BadFile{kGood + "flags = '-O2'\n", "4", "'flags' must be a list"},
                    BadFile{kGood + "flags = [1]\n", "4", "must be a list"},
                    BadFile{kGood + "kind = 'robot'\n", "4", "compiler"},
                    BadFile{kGood + "optional = 1\n", "4", "true or false"},
                    BadFile{kGood + "run_limits = { cpu_seconds = -1 }\n", "4", "must be a number from 0 to"},
                    BadFile{kGood + "run_limits = { cpu = 1 }\n", "4", "unknown key 'cpu' in limits"},
                    BadFile{kGood + "[[target.pool]]\nname = 'p'\n", "4", "list_command"},
                    BadFile{kGood + "[[target.pool]]\nflags = ['-a']\ndraw_min = 9\n", "4", "larger"},
                    BadFile{kGood + "detect = ['(']\n", "4", "regular expression"},
                    BadFile{kGood + "[[target.pool]]\nlist_command = 'x'\nexclude = ['(']\n", "6",
                            "regular expression"},
                    BadFile{kGood + "version = ''\n", "4", "'version' is an empty command"},
                    BadFile{kGood + "version = ['cc -v', '  ']\n", "4", "'version' is an empty command"},
                    BadFile{kGood + "run = []\n", "4", "'run' is an empty command"},
                    BadFile{kGood + "run = ['', '{output}']\n", "4", "'run' is an empty command"},
                    BadFile{kGood + "[[target.pool]]\nlist_command = ' '\n", "5", "is an empty command"},
                    BadFile{kGood + "service = { start = '', ready = 'true' }\n", "4", "'start' is an empty command"},
                    BadFile{kGood + "unsupported = ['']\n", "4", "in every message"},
                    BadFile{kGood + "undecided = [' ']\n", "4", "in every message"},
                    BadFile{kGood + "crashes = ['x', '']\n", "4", "in every message"},
                    BadFile{kGood + "writable = ['cache']\n", "4", "not a path from the root"},
                    BadFile{kGood + "flags = [\"-a\\u0000b\"]\n", "4", "has a character 0"},
                    BadFile{"[[target]]\nname = 'x'\n", "1", "needs 'compile'"},
                    BadFile{"[[target]]\ncompile = 'cc {source} {output}'\n", "1", "needs a 'name'"},
                    BadFile{"[[target]]\nname = 'x'\ncompile = 'cc {output}'\n", "1", "{source}"},
                    BadFile{"[[target]]\nname = 'x'\ncompile = 'cc {source}'\n", "1", "{output}"},
                    BadFile{"[[target]]\nname = 'x'\nkind = 'interpreter'\n", "1", "source_on_stdin"}),
    [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST(RecipeTest, BuiltInRecipesAreSoundAndComplete) {
  std::set<std::string> families;
  for (const Recipe& recipe : BuiltInRecipes()) {
    families.insert(recipe.target.family);
    EXPECT_FALSE(recipe.detect.empty());
    EXPECT_FALSE(recipe.version_commands.empty()) << recipe.target.family;
    EXPECT_EQ(recipe.target.smoke_program.empty(), recipe.target.language == "c");
    EXPECT_EQ(recipe.emulators.empty(), recipe.target.run_prefix.empty());
  }
  for (std::string family : {"gcc", "clang", "tcc", "pcc", "chibicc", "lua", "sqlite", "postgresql", "mariadb", "z3"}) {
    EXPECT_TRUE(families.contains(family)) << family;
  }
}

TEST(RecipeTest, KnownBugsNeedAReason) {
  const std::string target = "[[target]]\nname = 'cc'\ncompile = 'cc {source} -o {output}'\n[[target.known]]\n";
  auto good = ReadRecipes(target + "signature = 'in f'\nversion = '12'\nreason = 'PR 1'\n", "t");
  ASSERT_TRUE(good.Ok()) << good.GetError().message;
  const KnownBug& bug = good->front().target.known.at(0);
  EXPECT_TRUE(bug.Is("ICE: in f, at g.cc", "gcc 12.2.0", "int main;"));
  EXPECT_FALSE(bug.Is("ICE: in f, at g.cc", "gcc 13.1.0", "int main;"));
  EXPECT_FALSE(bug.Is("ICE: in h, at g.cc", "gcc 12.2.0", "int main;"));
  EXPECT_FALSE(ReadRecipes(target + "signature = 'in f'\n", "t").Ok());
  EXPECT_FALSE(ReadRecipes(target + "reason = 'PR 1'\n", "t").Ok());
}

TEST(SplitWordsTest, BlanksAndQuotes) {
  EXPECT_THAT(SplitWords("  a  b\tc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitWords("a 'b c'd \"e 'f\" ''"), ElementsAre("a", "b cd", "e 'f", ""));
  EXPECT_TRUE(SplitWords("").empty());
}

TEST(FlagsInListingTest, SwitchesAndEnumerationsWithoutTheExcluded) {
  const std::string listing =
      "The following options control optimizations:\n"
      "  -O<number>                  Set optimization level to <number>.\n"
      "  -faggressive-loop-optimizations Aggressively optimize loops using language\n"
      "                              constraints.\n"
      "  -falign-functions=          This option lacks documentation.\n"
      "  -fgcse                      Perform global common subexpression elimination.\n"
      "  -fassociative-math          Allow optimization for floating-point arithmetic\n"
      "  -fno-threadsafe-statics     Do not generate thread-safe code.\n"
      "  -fira-region=[one|all|mixed] Set regions for IRA.\n"
      "  -flifetime-dse=<0,2>        This option lacks documentation.\n";
  EXPECT_THAT(
      FlagsInListing(listing, {"-f(no-)?associative-math"}),
      ElementsAre("-faggressive-loop-optimizations", "-fno-aggressive-loop-optimizations", "-fgcse", "-fno-gcse",
                  "-fno-threadsafe-statics", "-fira-region=one", "-fira-region=all", "-fira-region=mixed"));
  EXPECT_THAT(FlagsInListing("  --param=align-threshold=<1,65536> Select a\n  --param=max-unroll-times= The\n"
                             "  --param=ggc-min-heapsize= M\n  --param=dse-max-alias-queries-per-store=<0,9>\n",
                             {"--param=ggc-.*"}),
              ElementsAre("--param=align-threshold=<1,300>", "--param=max-unroll-times=<0,300>",
                          "--param=dse-max-alias-queries-per-store=<0,9>"));
  EXPECT_THAT(FlagsInListing(listing, {}), Contains("-fassociative-math"));
  EXPECT_TRUE(FlagsInListing("", {}).empty());
}

TEST(FlagsInListingTest, ALineWithoutEndIsPassedOver) {
  EXPECT_THAT(FlagsInListing("  -f" + std::string(3 << 20, 'a') + " x\n  -fgood  Good.\n", {}),
              ElementsAre("-fgood", "-fno-good"));
}

}  // namespace
}  // namespace assay::target
