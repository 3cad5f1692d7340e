// `assay gen` and `assay check` as a user runs them: files, forms, and what they say to bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "exec/executor.hpp"
#include "exec/test_support.hpp"
#include "support/files.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

exec::Observation Assay(std::vector<std::string> arguments) {
  exec::Executor executor;
  exec::Command command;
  for (const std::string& word : arguments) {
    if (word.starts_with("/dev/shm/") || word.starts_with("/tmp/"))
      command.writable.push_back(exec::EnclosingScratch(word));
  }
  arguments.insert(arguments.begin(), ASSAY_PROGRAM);
  command.argv = std::move(arguments);
  auto seen = executor.Run(command, exec::Limits{.limit_address_space = false});
  EXPECT_TRUE(seen.Ok());
  return *seen;
}

class GenCommandTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) { return (shop_.Folder() / name).string(); }
  exec::Workshop shop_;
};

// `fuzz` takes that, `gen` has a flag per knob: it must not look as if it had been understood.
TEST_F(GenCommandTest, ListOfKnobsWithWordsThatMeanNothing) {
  const exec::Observation seen = Assay({"gen", "--knobs", "tokens=500"});
  EXPECT_EQ(seen.exit_code, 2);
  EXPECT_THAT(seen.stderr_text, HasSubstr("'tokens=500' is neither a flag nor a knob"));
  EXPECT_EQ(Assay({"gen", "--knobs"}).exit_code, 0);
}

TEST_F(GenCommandTest, FileFolderAndStandardOutputHoldTheSameProgram) {
  const exec::Observation printed = Assay({"gen", "--seed", "7", "--tokens", "400"});
  ASSERT_EQ(printed.exit_code, 0) << printed.stderr_text;
  EXPECT_EQ(Assay({"gen", "--seed", "7", "--tokens", "400", "--out", "-"}).stdout_text, printed.stdout_text);
  ASSERT_EQ(Assay({"gen", "--seed", "7", "--tokens=400", "--out", Path("7.c")}).exit_code, 0);
  ASSERT_EQ(Assay({"gen", "--seed", "6", "--count", "2", "--tokens", "400", "--out", Path("many")}).exit_code, 0);
  EXPECT_EQ(support::ReadFile(Path("7.c")).Value(), printed.stdout_text);
  EXPECT_EQ(support::ReadFile(Path("many/7.c")).Value(), printed.stdout_text);
  EXPECT_THAT(support::ReadFile(Path("many/6.expected")).Value(), StartsWith("checksum = "));
}

TEST_F(GenCommandTest, TellsItsVersion) {
  const exec::Observation version = Assay({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.stdout_text, StartsWith("assay 0."));
}

TEST_F(GenCommandTest, CheckSaysWhatEveryFormMustPrint) {
  ASSERT_EQ(Assay({"gen", "--seed", "3", "--tokens", "600", "--out", Path("p/")}).exit_code, 0);
  const std::string expected = support::ReadFile(Path("p/3.expected")).Value();
  const exec::Observation single = Assay({"check", Path("p/3.c")});
  EXPECT_EQ(single.exit_code, 0) << single.stderr_text;
  EXPECT_THAT(single.stdout_text, StartsWith("valid: yes\nsteps: "));
  EXPECT_THAT(single.stdout_text, HasSubstr("expected output:\n" + expected));
  EXPECT_THAT(single.stdout_text, testing::ContainsRegex("calls: +1 static void f_[0-9]+\\(void\\)"));

  ASSERT_EQ(Assay({"gen", "--seed", "3", "--tokens", "600", "--form", "split", "--out", Path("split/")}).exit_code, 0);
  EXPECT_EQ(Assay({"check", Path("split/3")}).stdout_text, single.stdout_text);

  ASSERT_EQ(Assay({"gen", "--seed", "3", "--tokens", "600", "--form", "model", "--out", Path("3.txt")}).exit_code, 0);
  EXPECT_EQ(Assay({"check", Path("3.txt")}).stdout_text, single.stdout_text);

  ASSERT_EQ(Assay({"gen", "--seed", "3", "--tokens", "600", "--form", "self-check", "--out", Path("s.c")}).exit_code,
            0);
  EXPECT_THAT(Assay({"check", Path("s.c")}).stdout_text, testing::EndsWith("expected output:\n"));
}

TEST_F(GenCommandTest, CheckFindsTheTrapInAnEditedModel) {
  ASSERT_EQ(Assay({"gen", "--seed", "3", "--tokens", "300", "--form", "model", "--out", Path("m.txt")}).exit_code, 0);
  std::string model = support::ReadFile(Path("m.txt")).Value();
  // The entry function begins with a division by zero.
  const std::string entry = model.substr(model.find("\nentry ") + 7,
                                         model.find('\n', model.find("\nentry ") + 7) - model.find("\nentry ") - 7);
  const size_t body = model.find("\nbody " + entry + "\n");
  ASSERT_NE(body, std::string::npos);
  model.insert(model.find('\n', body + 1) + 1, "  expr (binary / (const int 7 dec) (const int 0 dec))\n");
  std::ofstream(Path("m.txt")) << model;
  const exec::Observation seen = Assay({"check", Path("m.txt")});
  EXPECT_EQ(seen.exit_code, 1) << seen.stderr_text;
  EXPECT_THAT(seen.stdout_text, StartsWith("valid: no\ntrap: division-by-zero"));
  EXPECT_THAT(seen.stdout_text, testing::ContainsRegex("at: 7 / 0\nin: static void f_[0-9]+\\(void\\)\n"));
  EXPECT_THAT(seen.stdout_text, Not(HasSubstr("expected output")));
}

TEST_F(GenCommandTest, TraceShowsStatementsAndValuesOfAnyProgram) {
  for (int seed = 1; seed <= 30; ++seed) {
    const std::string file = Path(std::to_string(seed) + ".c");
    ASSERT_EQ(Assay({"gen", "--seed", std::to_string(seed), "--tokens", "3000", "--out", file}).exit_code, 0);
    const exec::Observation seen = Assay({"check", "--trace", file});
    EXPECT_EQ(seen.exit_code, 0) << seed << seen.stderr_text;
    EXPECT_NE(seen.stdout_text.find(" = "), std::string::npos) << seed;
    EXPECT_NE(seen.stdout_text.find("\nvalid: yes\n"), std::string::npos) << seed;
  }
}

TEST_F(GenCommandTest, BadInputIsOneClearErrorAndNothingHalfWritten) {
  const struct {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  } cases[] = {
      {{"gen", "--nonsense", "3"}, 2, "'--nonsense' is neither a flag nor a knob"},
      {{"gen", "--sed", "3"}, 2, "did you mean --seed?"},
      {{"gen", "--token", "300"}, 2, "did you mean --tokens?"},
      {{"gen", "--tokens", "many"}, 2, "--tokens needs a whole number, not 'many'"},
      {{"gen", "--tokens"}, 2, "--tokens needs a whole number, not ''"},
      {{"gen", "--tokens", "1"}, 2, "takes values from 250 to 200000, not 1"},
      {{"gen", "--seed", "x"}, 2, "--seed"},
      {{"gen", "--count", "0"}, 2, "--count must be at least 1"},
      {{"gen", "--count", "2"}, 2, "several programs need --out FOLDER"},
      {{"gen", "--form", "round"}, 2, "there is no form 'round'"},
      {{"gen", "--data-model", "lp65"}, 2, "there is no data model 'lp65'"},
      {{"gen", "--form", "split", "--out", Path("x.c")}, 2, "give --out a folder"},
      {{"gen", "--census", "--out", Path("x/")}, 2, "leave out --out"},
      {{"gen", "--lang", "lua", "--tokens", "300"}, 2, "knobs shape C programs"},
      {{"gen", "--knobs-file", Path("none.toml")}, 2, "none.toml"},
      {{"gen", "--out", "/proc/nowhere/x.c"}, 3, "/proc/nowhere/x.c"},
      {{"check", Path("none.c")}, 2, "none.c"},
  };
  for (const auto& bad : cases) {
    const exec::Observation seen = Assay(bad.arguments);
    EXPECT_EQ(seen.exit_code, bad.code) << bad.message << seen.stdout_text;
    EXPECT_THAT(seen.stderr_text, HasSubstr(bad.message));
    EXPECT_THAT(seen.stdout_text, IsEmpty());
  }
  EXPECT_TRUE(fs::is_empty(shop_.Folder()));
}

TEST_F(GenCommandTest, CheckRefusesWhatIsNotOurs) {
  std::ofstream(Path("foreign.c")) << "int main(void) { return 0; }\n";
  EXPECT_THAT(Assay({"check", Path("foreign.c")}).stderr_text, HasSubstr("is not a program of ours"));
  ASSERT_EQ(Assay({"gen", "--seed", "1", "--tokens", "300", "--out", Path("1.c")}).exit_code, 0);
  std::ofstream(Path("1.c"), std::ios::app) << "/* edited */\n";
  const exec::Observation edited = Assay({"check", Path("1.c")});
  EXPECT_EQ(edited.exit_code, 2);
  EXPECT_THAT(edited.stderr_text, HasSubstr("it was edited"));
  std::ofstream(Path("broken.txt")) << "assay-program 1\nseed x\n";
  const exec::Observation broken = Assay({"check", Path("broken.txt")});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.stderr_text, HasSubstr("line 2: expected 'version'"));
}

}  // namespace
}  // namespace assay
