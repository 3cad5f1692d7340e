#include "target/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "target/flag_knowledge.hpp"
#include "target/processor.hpp"

namespace assay::target {
namespace {

using testing::ElementsAre;

Target Compiler() {
  Target target;
  target.name = "cc";
  target.compile = {"cc", "-w", "{flags}", "{source}", "-o", "{output}", "-B{folder}/x"};
  return target;
}

std::vector<std::string> NamesOf(const std::vector<Configuration>& configurations) {
  std::vector<std::string> names;
  for (const Configuration& one : configurations) names.push_back(one.Name());
  return names;
}

TEST(ConfigurationTest, EveryOneHasANameOfItsOwn) {
  Target a, b;
  a.name = "cc";
  b.name = "cc -O1";
  std::set<std::string> names;
  const std::vector<Flags> flags = {{},           {""},         {"-O1"},  {"-O1 -g"},  {"-O1", "-g"}, {"'-O1", "-g'"},
                                    {"-O1\\ -g"}, {"'-O1 -g'"}, {"", ""}, {"-O1\n-g"}, {" "},         {"\""}};
  for (const Target* target : {&a, &b}) {
    for (const Flags& list : flags) names.insert(Configuration{target, list}.Name());
  }
  EXPECT_EQ(names.size(), 2 * flags.size());
  EXPECT_EQ((Configuration{&a, {"-O2", "-DX=it's"}}).Name(), "cc -O2 '-DX=it'\\''s'");
}

TEST(ConfigurationTest, ListsThenMatricesWithoutDuplicates) {
  Target target = Compiler();
  EXPECT_THAT(NamesOf(FixedConfigurations(target)), ElementsAre("cc"));
  target.flag_lists = {{"-O0"}, {"-O2", "-g"}};
  target.matrices = {{{{{"-O0"}, {"-O2"}}, {{}, {"-fPIC"}}}}};
  EXPECT_THAT(NamesOf(FixedConfigurations(target)),
              ElementsAre("cc -O0", "cc -O2 -g", "cc -O0 -fPIC", "cc -O2", "cc -O2 -fPIC"));
  Target only_pool = Compiler();
  only_pool.pools = {{.name = "p", .flags = {"-a"}}};
  EXPECT_TRUE(FixedConfigurations(only_pool).empty());
}

TEST(ConfigurationTest, DrawsAreSubsetsInOrderAndDependOnlyOnTheSeed) {
  Target target = Compiler();
  target.pools = {{.name = "p",
                   .bases = {{"-O1"}, {"-O2"}},
                   .flags = {"-a", "-b", "-c", "-d", "-e"},
                   .draw_min = 2,
                   .draw_max = 4}};
  FlagKnowledge nothing;
  std::set<std::string> names;
  std::set<size_t> sizes;
  std::set<std::string> flags;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    auto drawn = DrawConfiguration(target, target.pools[0], choice::Choices(seed), nothing);
    ASSERT_TRUE(drawn.has_value());
    EXPECT_TRUE(drawn->drawn);
    EXPECT_EQ(drawn, DrawConfiguration(target, target.pools[0], choice::Choices(seed), nothing));
    Flags rest(drawn->flags.begin() + 1, drawn->flags.end());
    EXPECT_TRUE(drawn->flags[0] == "-O1" || drawn->flags[0] == "-O2");
    EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end()));
    EXPECT_EQ(std::set<std::string>(rest.begin(), rest.end()).size(), rest.size());
    sizes.insert(rest.size());
    flags.insert(rest.begin(), rest.end());
    names.insert(drawn->Name());
  }
  EXPECT_THAT(sizes, ElementsAre(2u, 3u, 4u));
  EXPECT_EQ(flags.size(), 5u);
  EXPECT_GT(names.size(), 30u);
}

TEST(ConfigurationTest, NumbersAreDrawnFromTheirRange) {
  Target target = Compiler();
  target.pools = {{.name = "p", .flags = {"--param=x=<2,300>", "-m<5,5>", "-a<b"}, .draw_min = 3, .draw_max = 3}};
  std::map<int, int> seen;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const auto one = DrawConfiguration(target, target.pools[0], choice::Choices(seed), FlagKnowledge());
    ASSERT_EQ(one->flags.size(), 3u);
    ++seen[std::stoi(one->flags[0].substr(std::string("--param=x=").size()))];
    EXPECT_EQ(one->flags[1], "-m5");
    EXPECT_EQ(one->flags[2], "-a<b");
  }
  EXPECT_EQ(seen.begin()->first, 2);
  EXPECT_LE(seen.rbegin()->first, 300);
  EXPECT_GT(seen.rbegin()->first, 250);
  EXPECT_GT(seen[2], 10 * seen[200]) << "small ones more often";
}

TEST(ProcessorTest, HasWhatLinuxSays) {
  EXPECT_TRUE(ProcessorHas({}));
  EXPECT_FALSE(ProcessorHas({"a-feature-that-nobody-has"}));
}

TEST(ConfigurationTest, KnownRejectionsAreNotDrawn) {
  Target target = Compiler();
  target.pools = {{.name = "p", .flags = {"-a", "-b", "-c"}, .draw_min = 1, .draw_max = 2}};
  FlagKnowledge known;
  known.Learn("cc", {"-a", "-b"});
  known.Learn("other", {"-c"});
  int with_a = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    if (const auto one = DrawConfiguration(target, target.pools[0], choice::Choices(seed), known)) {
      EXPECT_NE(one->flags, (Flags{"-a", "-b"}));
      with_a += one->flags[0] == "-a" ? 1 : 0;
    }
  }
  EXPECT_GT(with_a, 5);
  known.Learn("cc", {"-a"});
  known.Learn("cc", {"-b"});
  known.Learn("cc", {"-c"});
  EXPECT_FALSE(DrawConfiguration(target, target.pools[0], choice::Choices(1), known).has_value());
}

TEST(CommandTest, PlaceholdersOfCompilers) {
  Target target = Compiler();
  target.run_prefix = {"qemu", "-L", "/lib"};
  target.environment = {"A=b"};
  Configuration configuration{&target, {"-O2", "-g"}};
  exec::Command compile = CompileCommand(configuration, {"a.c", "b.c"}, "a.out", "/work", {"-I/x"});
  EXPECT_THAT(compile.argv, ElementsAre("cc", "-w", "-O2", "-g", "-I/x", "a.c", "b.c", "-o", "a.out", "-B/work/x"));
  EXPECT_EQ(compile.working_folder, "/work");
  EXPECT_THAT(compile.environment, ElementsAre("A=b"));
  EXPECT_THAT(RunCommand(configuration, {"a.c"}, "a.out", "/work").argv, ElementsAre("qemu", "-L", "/lib", "./a.out"));
  EXPECT_THAT(RunCommand(configuration, {"a.c"}, "/t/a.out", "/work").argv,
              ElementsAre("qemu", "-L", "/lib", "/t/a.out"));
}

TEST(CommandTest, PlaceholdersOfInterpreters) {
  Target target;
  target.name = "sqlite3";
  target.kind = Kind::Interpreter;
  target.run = {"sqlite3", "{flags}", ":memory:", ".read {source}"};
  EXPECT_THAT(RunCommand({&target, {"-batch"}}, {"a.sql"}, "", "/work").argv,
              ElementsAre("sqlite3", "-batch", ":memory:", ".read a.sql"));
}

TEST(CommandTest, AFlagMayBeTwoWords) {
  Target target;
  target.compile = {"cc", "{flags}", "{source}"};
  target.split_flags = {"-mllvm="};
  EXPECT_THAT(CompileCommand({&target, {"-O2", "-mllvm=-a=b", "-mllvmx"}}, {"x.c"}, "out", "").argv,
              ElementsAre("cc", "-O2", "-mllvm", "-a=b", "-mllvmx", "x.c"));
}

TEST(CommandTest, ObjectFilesAreNotLinked) {
  Target target;
  target.compile = {"cc", "{flags}", "{source}", "-o", "{output}", "-lm"};
  Configuration configuration{&target, {"-O1"}};
  EXPECT_EQ(CompileCommand(configuration, {"p.c"}, "p", "", {"-c"}).argv,
            (std::vector<std::string>{"cc", "-O1", "-c", "p.c", "-o", "p"}));
  EXPECT_EQ(CompileCommand(configuration, {"p.c"}, "p", "").argv.back(), "-lm");
}

}  // namespace
}  // namespace assay::target
