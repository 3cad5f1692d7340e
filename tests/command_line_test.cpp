// The command line as a stranger uses it: output that cannot be written, files with nonsense in them, words that are
// none. No input ends in an abort, and no write is lost without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choice/choices.hpp"
#include "shell.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class CommandLineTest : public ShellTest {
 protected:
  Finished Targets(const std::string& text, const std::string& command = "targets --lang c") {
    Write("t.toml", text);
    return Assay(command + " --targets-file t.toml", "PATH=/nowhere");
  }
};

constexpr const char* kTarget = "[[target]]\nname = 'x'\ncompile = 'x {flags} {source} -o {output}'\n";

TEST_F(CommandLineTest, EveryWriteToStandardOutputIsChecked) {
  ASSERT_EQ(Assay("gen --seed 3 --tokens 300 --out 3.c").code, 0);
  Write("g.lala", "class program { p1: \"x\"; }\n");
  for (const char* command :
       {"gen --seed 7", "gen --seed 7 --tokens 300", "gen --form model --tokens 300", "gen --knobs", "gen --lang lua",
        "gen --census --count 2", "check 3.c", "check 3.c --trace", "targets --lang lua", "targets --lang lua --json",
        "--help", "--version", "fuzz --help", "grammar list", "grammar check g.lala", "grammar sample lua --count 2",
        "fuzz --dir c --targets gcc-12 --seed 1 --tests 1",
        "fuzz --dir j --targets gcc-12 --seed 1 --tests 1 --json"}) {
    const Finished seen = Assay(std::string(command) + " >/dev/full");
    EXPECT_EQ(seen.code, 3) << command << ": " << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("cannot write to standard output: No space left on device")) << command;
  }
}

// One rule for all commands: what is named and is not there is wrong usage.
TEST_F(CommandLineTest, AFileThatIsNotThereIsWrongUsage) {
  fs::create_directory(folder_ / "empty");
  for (const char* name : {"none", "empty"}) {
    for (const char* command :
         {"check ", "report ", "replay ", "reduce --target gcc ", "gen --knobs-file ", "targets --targets-file ",
          "fuzz --dir d --tests 1 --targets-file ", "fuzz --dir d --tests 1 --known ", "grammar check "}) {
      const Finished seen = Assay(std::string(command) + name);
      EXPECT_EQ(seen.code, 2) << command << name << ": " << seen.err;
      EXPECT_THAT(seen.err, HasSubstr(name)) << command;
    }
  }
}

// Other users of the machine can read it, and without namespaces the compilers under test.
TEST_F(CommandLineTest, NoPasswordIsInTheCommandLine) {
  const std::string look = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -a 'postgresql://.*[g]eheim'";
  // While the compiler has its smoke test, it and the shell beside look at all command lines.
  Script("cc", look + " >&2\n: >" + Path("asked") + "\nuntil [ -e " + Path("looked") +
                   " ]; do sleep 0.05; done\nexec gcc \"$@\"");
  Write("t.toml", "[[target]]\nname = 'x'\ncompile = '" + Path("cc") + " {flags} {source} -o {output}'\nwritable = ['" +
                      folder_.string() + "']\n");
  Write("url", "postgresql://u:geheim@localhost:1/d");
  const Finished seen = Assay(
      "fuzz --dir d --tests 1 --targets x --targets-file t.toml --database \"$(cat url)\" & "
      "until [ -e asked ]; do sleep 0.05; done; " +
      look + "; : >looked; wait");
  EXPECT_THAT(seen.out + seen.err, Not(HasSubstr("geheim")));
  EXPECT_THAT(seen.err, HasSubstr("cannot open the campaign's database in postgresql://u@localhost:1/d"));
}

// The first file that is opened would get the number of standard output, and all that is said.
TEST_F(CommandLineTest, AClosedStandardOutputIsSeen) {
  for (const char* command :
       {"gen --seed 7", "--version", "targets --lang lua", "fuzz --dir c --targets gcc-12 --tests 1",
        "fuzz --dir j --targets gcc-12 --tests 1 --json"}) {
    const Finished seen = Assay(std::string(command) + " >&-");
    EXPECT_EQ(seen.code, 3) << command << ": " << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("cannot write to standard output")) << command;
  }
  EXPECT_EQ(Assay("fuzz --dir e --targets gcc-12 --seed 1 --tests 1 --no-reduce --knobs tokens=300 2>&- <&-").code, 0);
}

TEST_F(CommandLineTest, AReaderThatLeavesIsNoTrouble) {
  for (const char* ignore : {"", "trap '' PIPE;"}) {
    const Finished seen = Assay("grammar sample lua --count 2000 | head -c 10", ignore);
    EXPECT_EQ(seen.out.size(), 10u);
    EXPECT_EQ(seen.err, "") << ignore;
  }
}

TEST_F(CommandLineTest, AFullStandardErrorIsNoAbort) {
  EXPECT_EQ(Assay("gen --nonsense 2>/dev/full").code, 2);
  EXPECT_EQ(Assay("nosuch 2>/dev/full").code, 2);
}

TEST_F(CommandLineTest, TargetFilesThatMeanNothingAreRefusedWithTheirLine) {
  struct Row {
    std::string text, complaint;
  };
  const std::string target = kTarget;
  const std::vector<Row> rows = {
      {target + "[[target.pool]]\nlist_command = 'x --list'\nexclude = ['(']\n", "'exclude': '(' is not a regular"},
      {target + "[[target.pool]]\nflags = ['-a']\ndraw_max = 1e300\n", "'draw_max' must be a number"},
      {target + "[[target.pool]]\nflags = ['-a']\ndraw_max = 1.5\n", "'draw_max' must be a whole number"},
      {target + "run_limits = { memory_mb = inf }\n", "'memory_mb' must be a number"},
      {target + "missing_knobs = ['no_such_knob']\n", "'missing_knobs': there is no 'no_such_knob'"},
      {target + "data_model = 'klingon'\n", "t.toml:4: "},
      {target + target, "t.toml:4: there are two targets named 'x'"},
      {target + "environment = ['X']\n", "'X' is not NAME=value"},
      {"[[target]]\nname = 'a,b'\ncompile = 'x {source} {output}'\n", "'name' must be a name"},
      {"[[target]]\ndetect = ['" + std::string(2000, '(') + "']\ncompile = 'x {source} {output}'\n",
       "more than 1000 characters"},
  };
  for (const Row& row : rows) {
    const Finished seen = Targets(row.text);
    EXPECT_EQ(seen.code, 2) << row.text << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("t.toml:")) << row.text;
    EXPECT_THAT(seen.err, HasSubstr(row.complaint)) << row.text;
    EXPECT_EQ(Targets(row.text, "fuzz --tests 1 --targets x").code, 2) << row.text;
  }
}

TEST_F(CommandLineTest, TooManyConfigurationsAreCountedAndRefused) {
  std::string axis = "[";
  for (int i = 0; i < 10; ++i) axis += "'-D" + std::to_string(i) + "',";
  axis += "]";
  std::string matrix;
  for (int i = 0; i < 8; ++i) matrix += axis + ",";
  const Finished seen = Targets(std::string(kTarget) + "matrix = [" + matrix + "]\n");
  EXPECT_EQ(seen.code, 2);
  EXPECT_THAT(seen.err, HasSubstr("100000000 configurations are too many"));
  for (int i = 0; i < 20; ++i) matrix += axis + ",";
  EXPECT_THAT(Targets(std::string(kTarget) + "matrix = [" + matrix + "]\n").err, HasSubstr("are too many"));
}

TEST_F(CommandLineTest, NoMutationOfATargetFileEndsInAnAbort) {
  const std::string file = support::ReadFile(std::string(ASSAY_SOURCE_DIR) + "/targets/gcc.toml").Value();
  const std::string signs = "[]{}='\"\\\n.#,()*+-0e9\x01\xff";
  choice::Choices choices(7);
  for (int i = 0; i < 150; ++i) {
    std::string text = file;
    for (uint32_t n = 1 + choices.Below(8); n > 0; --n) {
      const size_t at = choices.Below(static_cast<uint32_t>(text.size()));
      const uint32_t how = choices.Below(3);
      if (how == 0) text[at] = signs[choices.Below(static_cast<uint32_t>(signs.size()))];
      if (how == 1) text.erase(at, choices.Below(20));
      if (how == 2) text.insert(at, text.substr(choices.Below(static_cast<uint32_t>(text.size())), choices.Below(40)));
    }
    const Finished seen = Targets(text, "targets --lang none");
    EXPECT_TRUE(seen.code == 2 || seen.code == 3) << seen.code << seen.err << text;
  }
}

TEST_F(CommandLineTest, NoOddNumberEndsInAnAbort) {
  for (const char* number : {"-1", "0", "1e9", "99999999999999999999", "nan", "inf", "x", "''", "0x10", "1.5", " 7",
                             "-9223372036854775808", "18446744073709551615"}) {
    for (const char* command :
         {"gen --tokens 300 --seed=", "gen --count 1 --tokens=", "gen --census --tokens 300 --no-such-flag --count=",
          "gen --expression-depth=", "fuzz --targets none --tests=", "fuzz --targets none --min-tests=",
          "fuzz --targets none --jobs=", "fuzz --targets none --seed=", "fuzz --targets none --time=",
          "fuzz --targets none --reduce-time=", "fuzz --targets none --knobs tokens=",
          "reduce nothing --target x --threads=", "reduce nothing --tries=", "reduce nothing --seconds=",
          "grammar sample lua --max-height="}) {
      const Finished one = Assay(std::string(command) + number);
      EXPECT_LE(one.code, 3) << command << number << one.err;
    }
  }
}

TEST_F(CommandLineTest, WhatIsNoCommandIsNamed) {
  const Finished seen = Assay("nosuch");
  EXPECT_EQ(seen.code, 2);
  EXPECT_THAT(seen.err, HasSubstr("there is no command 'nosuch'; the commands are fuzz, "));
  EXPECT_THAT(Assay("fuz").err, HasSubstr("did you mean fuzz?"));
  EXPECT_EQ(Assay("").code, 2);
  const Finished none = Assay("fuzz --tests 0");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--tests: '0': give a whole number of at least 1"));
  EXPECT_THAT(Assay("fuzz --time 1e300h --targets none").err, HasSubstr("give a time like 90s"));
}

TEST_F(CommandLineTest, HelpNamesOnlyWhatThereIs) {
  EXPECT_THAT(Assay("gen --help").out, HasSubstr("assay grammar list"));
  const Finished list = Assay("grammar list");
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* language : {"lua", "sql", "smt2", "c-crash"}) EXPECT_THAT(list.out, HasSubstr(language));
  for (const std::string command : {"report", "replay"}) {
    const std::string help = Assay(command + " --help").out;
    EXPECT_THAT(help, Not(HasSubstr("REQUIRED")));
    EXPECT_THAT(help, HasSubstr("folder"));
    const Finished without = Assay(command);
    EXPECT_EQ(without.code, 2);
    EXPECT_THAT(without.err, HasSubstr("assay " + command + " FOLDER"));
    EXPECT_EQ(Assay(command + " nowhere").code, 2);
    EXPECT_THAT(Assay(command + " --dir nowhere").err, HasSubstr("no campaign in nowhere"));
  }
}

TEST_F(CommandLineTest, OnlyTheTargetsAskedForAreStarted) {
  std::string text;
  for (const char* name : {"first", "second"}) {
    text += std::string("[[target]]\nname = '") + name +
            "'\nkind = 'interpreter'\nlanguage = 'sh'\nrun = 'sh {source}'\n" + "writable = ['" + folder_.string() +
            "']\nversion = 'touch " + Path(name + std::string(".asked")) + "'\n" +
            "smoke_program = 'echo 42'\nsmoke_output = \"42\\n\"\n" + "service = { start = 'sh -c \"touch " +
            Path(name + std::string(".started")) + "; sleep 1000\"', ready = 'test -e " +
            Path(name + std::string(".started")) + "' }\n";
  }
  Write("s.toml", text);
  const Finished seen =
      Assay("fuzz --lang sh --dir c --targets first --targets-file s.toml --source-cmd 'echo true' --tests 1 --seed 1");
  EXPECT_EQ(seen.code, 3) << seen.err;  // one interpreter alone has nothing to compare with
  EXPECT_TRUE(fs::exists(folder_ / "first.started")) << seen.out << seen.err;
  EXPECT_FALSE(fs::exists(folder_ / "second.started"));
  EXPECT_FALSE(fs::exists(folder_ / "second.asked"));
  const Finished typo =
      Assay("fuzz --lang sh --targets frist --targets-file s.toml --source-cmd 'echo true' --tests 1");
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.err, HasSubstr("targets here: first, second"));
  EXPECT_FALSE(fs::exists(folder_ / "second.started"));
}

TEST_F(CommandLineTest, TheFileOfKnownBugsMayComeFromAnotherSystem) {
  Write("t.toml", "[[target]]\nname = 'bad'\ncompile = '" +
                      Script("bad",
                             "case $(cat \"$1\") in *smoke* | *step*) exec gcc -w \"$1\" -o \"$2\";; esac\n"
                             "echo 'internal compiler error: in foo' >&2; exit 4") +
                      " {source} {output}'\ncrashes = ['internal compiler error']\n");
  const std::string fuzz =
      "fuzz --targets bad --targets-file t.toml --seed 1 --tests 2 --no-reduce --knobs tokens=300 ";
  ASSERT_EQ(Assay(fuzz + "--dir a").code, 1);
  std::string name;
  for (const auto& entry : fs::directory_iterator(folder_ / "a" / "bugs")) name = entry.path().filename();
  Write("known.txt", "# ours\r\n\r\n  " + name + " \t\r\n");
  const Finished seen = Assay(fuzz + "--dir b --known known.txt");
  EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
  EXPECT_THAT(seen.out, HasSubstr(name + " (known)"));
}

TEST_F(CommandLineTest, ReductionsThatCannotBeAreSaidAtOnce) {
  fs::create_directory(folder_ / "path");
  for (const char* program : {"gcc", "as", "ld", "sh", "echo"}) {
    fs::create_symlink(std::string("/usr/bin/") + program, folder_ / "path" / program);
  }
  Write("t.toml",
        "[[target]]\nname = 'one'\ncompile = 'gcc -w -O0 {source} -o {output}'\n"
        "[[target]]\nname = 'two'\ncompile = 'gcc -w -O1 {source} -o {output}'\n");
  const std::string fuzz =
      "fuzz --targets one,two --targets-file t.toml --tests 1 --source-cmd 'echo int main(void){return 0;}' --dir ";
  EXPECT_THAT(Assay(fuzz + "a", "PATH=" + Path("path")).err, HasSubstr("apt-get install cvise"));
  EXPECT_THAT(Assay(fuzz + "b --no-reduce", "PATH=" + Path("path")).err, Not(HasSubstr("cvise")));
}

// Without --dir each campaign has a folder of its own, also of those that begin in the same second.
TEST_F(CommandLineTest, CampaignsWithoutANameDoNotShareAFolder) {
  if (!fs::exists("/usr/bin/tcc")) GTEST_SKIP() << "tcc is not installed";
  const std::string fuzz = std::string(ASSAY_PROGRAM) + " fuzz --targets tcc --tests 1 --no-reduce & ";
  Assay("--version", fuzz + fuzz + fuzz + fuzz + "wait;");
  int campaigns = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    campaigns += entry.is_directory() && fs::exists(entry.path() / "campaign.db");
  }
  EXPECT_EQ(campaigns, 4);
}

TEST_F(CommandLineTest, APragmaThatACompilerDoesNotTakeIsNoBug) {
  if (!fs::exists("/usr/bin/tcc")) GTEST_SKIP() << "tcc is not installed";
  // As csmith prints its packed structures.
  Script("make",
         "cat <<END\n#pragma pack(push)\n#pragma pack(1)\nstruct S { char a; int b; };\n#pragma pack(pop)\n"
         "int main(void) { return sizeof(struct S) != 5; }\nEND");
  const Finished seen =
      Assay("fuzz --targets tcc,gcc-12 --seed 1 --tests 2 --no-reduce --dir c --source-cmd '" + Path("make") + "'");
  EXPECT_THAT(seen.out, HasSubstr("bugs 0, finds 0\n"));
  EXPECT_THAT(seen.out, Not(HasSubstr("bug:")));
}

}  // namespace
}  // namespace assay
