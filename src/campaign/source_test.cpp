#include "campaign/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/describe.hpp"

namespace assay::campaign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWordsTest, QuotesAndBackslashes) {
  EXPECT_THAT(SplitWords("csmith  --seed {seed}").Value(),
              ElementsAre("csmith", "--seed", "{seed}"));
  EXPECT_THAT(SplitWords("sh -c 'echo \"a b\"' \"c d\" e\\ f ''").Value(),
              ElementsAre("sh", "-c", "echo \"a b\"", "c d", "e f", ""));
  EXPECT_THAT(SplitWords("  ").Value(), IsEmpty());
  EXPECT_FALSE(SplitWords("sh -c 'open").Ok());
}

TEST(CommandSourceTest, TheSeedIsPutIn) {
  exec::Executor executor;
  SourceOptions options{.command = "sh -c 'echo program {seed} {seed}'", .flags = "-I/x"};
  auto source = MakeSource(options, executor, {});
  ASSERT_TRUE(source.Ok());
  auto test = (*source)->Make(17);
  ASSERT_TRUE(test.Ok() && test->has_value());
  EXPECT_EQ((**test).files.at(0).text, "program 17 17\n");
  EXPECT_EQ((**test).files.at(0).name, "program.c");
  EXPECT_THAT((**test).extra_flags, ElementsAre("-I/x"));
  EXPECT_FALSE((**test).has_expectation);
}

TEST(CommandSourceTest, AFailingSeedHasNoProgramAndAMissingCommandIsAnError) {
  exec::Executor executor;
  auto failing = MakeSource({.command = "sh -c 'exit 1'"}, executor, {});
  auto none = (*failing)->Make(1);
  ASSERT_TRUE(none.Ok());
  EXPECT_FALSE(none->has_value());
  auto missing = MakeSource({.command = "/no/such/generator {seed}"}, executor, {});
  EXPECT_FALSE((*missing)->Make(1).Ok());
  EXPECT_FALSE(MakeSource({.command = " "}, executor, {}).Ok());
}

TEST(DescribeTest, NamesAreReadableAndCommandsAreShellText) {
  EXPECT_EQ(BugName("tcc", oracle::Verdict::WrongOutput, "x").substr(0, 17), "tcc-wrong-output-");
  EXPECT_NE(BugName("tcc", oracle::Verdict::WrongOutput, "x"),
            BugName("tcc", oracle::Verdict::WrongOutput, "y"));
  EXPECT_EQ(ShellText({.argv = {"cc", "-DX=a b", "p.c"}, .environment = {"A=1"}}),
            "env A=1 cc '-DX=a b' p.c");
}

}  // namespace
}  // namespace assay::campaign
