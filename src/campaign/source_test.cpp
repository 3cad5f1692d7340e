#include "campaign/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/compiler_facts.hpp"
#include "campaign/describe.hpp"
#include "campaign/replay.hpp"
#include "campaign/test_support.hpp"

namespace assay::campaign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWordsTest, QuotesAndBackslashes) {
  EXPECT_THAT(SplitWords("csmith  --seed {seed}").Value(), ElementsAre("csmith", "--seed", "{seed}"));
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

TEST(CommandSourceTest, APathIsFromTheUsersFolder) {
  TestFolder folder;
  WriteScript(folder.Path() / "make", "echo program $1\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.Path());
  exec::Executor executor;
  auto source = MakeSource({.command = "./make {seed}"}, executor, {});
  auto made = (*source)->Make(7);
  std::filesystem::current_path(before);
  ASSERT_TRUE(made.Ok()) << made.GetError().message;
  ASSERT_TRUE(made->has_value());
  EXPECT_EQ((*made)->files[0].text, "program 7\n");
  EXPECT_EQ((*source)->Description(), "command: ./make {seed}");
}

TEST(DescribeTest, NamesAreReadableAndCommandsAreShellText) {
  EXPECT_EQ(BugName("tcc", oracle::Verdict::WrongOutput, "x").substr(0, 17), "tcc-wrong-output-");
  EXPECT_NE(BugName("tcc", oracle::Verdict::WrongOutput, "x"), BugName("tcc", oracle::Verdict::WrongOutput, "y"));
  EXPECT_EQ(ShellText({.argv = {"cc", "-DX=a b", "p.c"}, .environment = {"A=1"}}), "env 'A=1' cc '-DX=a b' p.c");
}

TEST(DescribeTest, ANameIsOneFolder) {
  for (const char* family : {"../../x", "/etc/x", "a/b"}) {
    EXPECT_EQ(BugName(family, oracle::Verdict::WrongOutput, "x").find('/'), std::string::npos) << family;
  }
}

TEST(DescribeTest, TitlesAreOneLineWithoutTemporaryNames) {
  target::Target target{.name = "cc"};
  target::Configuration configuration{.target = &target};
  auto title = [&](const char* detail) { return Title(configuration, oracle::Verdict::RejectedValid, detail); };
  EXPECT_EQ(title("/tmp/chibicc-x7:4025: Error: bad operand"), "cc: rejected valid: Error: bad operand");
  EXPECT_EQ(title("/dev/shm/assay/1/c0/ccAb.s: Assembler messages"), "cc: rejected valid: Assembler messages");
  EXPECT_EQ(title("printed 'checksum = 1\\n', must print 'checksum = 2\\n'"),
            "cc: rejected valid: the final values are wrong");
  EXPECT_EQ(title("a\nb\x1b[2J"), "cc: rejected valid: a b\\x1b[2J");
  configuration.flags = {"-O2", std::string(300, 'x')};
  EXPECT_EQ(title("no"), "cc -O2 " + std::string(93, 'x') + "...: rejected valid: no");
}

// A database may be shared with machines that one does not own: what it calls a file stays in the test's folder.
TEST(ReplayTest, StoredNamesStayInTheFolder) {
  store::Bug bug;
  bug.files = {{"program", "../../../../tmp/out.c", "1"}, {"header", "/tmp/out.h", "2"}, {"program", "program.c", "3"}};
  const TestCase test = StoredProgram(bug);
  ASSERT_EQ(test.files.size(), 3u);
  EXPECT_EQ(test.files[0].name.find('/'), std::string::npos) << test.files[0].name;
  EXPECT_EQ(test.files[1].name.find('/'), std::string::npos) << test.files[1].name;
  EXPECT_EQ(test.files[2].name, "program.c");
}

TEST(CompilerFactsTest, ACompilerIsAskedAboutItself) {
  exec::Executor executor;
  FactBook book;
  auto gcc = book.Of(executor, {.name = "gcc", .compile = {"gcc", "{flags}", "{source}"}});
  ASSERT_TRUE(gcc.Ok()) << gcc.GetError().message;
  EXPECT_NE(gcc->triple.find("-linux-"), std::string::npos) << gcc->triple;
  EXPECT_NE(gcc->about.find("gcc version"), std::string::npos) << gcc->about;
  // One that does not understand the question, and one that is not there.
  EXPECT_EQ(book.Of(executor, {.name = "false", .compile = {"false", "{source}"}})->about, "");
  EXPECT_EQ(book.Of(executor, {.name = "none", .compile = {"/no/such/cc", "{source}"}})->triple, "");
  EXPECT_NE(Platform().find("Linux"), std::string::npos);
}

TEST(WordsTest, AreGivenBackWhateverIsInThem) {
  const std::vector<std::string> words = {"-O2", "a b", "it's", "\"", "\\", "a\nb", "$x `y`", "-DX='\"'"};
  EXPECT_EQ(SplitWords(JoinWords(words)).Value(), words);
  EXPECT_EQ(JoinWords({}), "");
}

}  // namespace
}  // namespace assay::campaign
