// One compiler alone under test: our expectation accuses it, and a compiler of another family on this machine, under
// test or not, decides. Real compilers; pcc's bug is the README's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "campaign/campaign.hpp"
#include "campaign/test_support.hpp"
#include "campaign/witness.hpp"
#include "shell.hpp"
#include "support/search_path.hpp"
#include "target/detect.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using campaign::Listener;
using testing::HasSubstr;

// One program for every seed, and what it must do.
class OneProgram : public campaign::ProgramSource {
 public:
  OneProgram(std::string text, oracle::Expectation expected) : text_(std::move(text)), expected_(std::move(expected)) {}
  campaign::Result<std::optional<campaign::TestCase>> Make(int64_t seed) override {
    campaign::TestCase test{.seed = seed, .files = {{"program.c", text_}}};
    test.has_expectation = knows;
    if (knows) test.expectations.Add("lp64", expected_);
    test.does_without = does_without;
    return std::optional(std::move(test));
  }
  std::string Description() const override { return "one program"; }

  std::optional<std::set<std::string>> does_without;
  bool knows = true;  // what it must do

 private:
  std::string text_;
  oracle::Expectation expected_;
};

class OneCompilerTest : public ShellTest {
 protected:
  OneCompilerTest() : path_(support::SearchPath()) {}
  ~OneCompilerTest() override { setenv("PATH", path_.c_str(), 1); }

  // A target whose configurations have these flags.
  static target::Target Compiler(const std::string& family, const std::string& program,
                                 std::vector<std::string> flags) {
    target::Target target;
    target.name = target.family = family;
    target.compile = {program, "-w", "{flags}", "{source}", "-o", "{output}"};
    for (const std::string& flag : flags)
      target.flag_lists.push_back(flag.empty() ? target::Flags{} : target::Flags{flag});
    return target;
  }

  // The bugs of a campaign of two tests over one target, or some.
  std::vector<store::Bug> Fuzz(const target::Target& target, const std::string& program, oracle::Expectation expected) {
    return Fuzz(std::vector{target}, program, std::move(expected));
  }
  std::vector<store::Bug> Fuzz(const std::vector<target::Target>& targets, const std::string& program,
                               oracle::Expectation expected) {
    OneProgram source(program, std::move(expected));
    source.does_without = does_without_;
    source.knows = knows_;
    campaign::Options options{.folder = folder_ / ("campaign" + std::to_string(++campaigns_)), .seed = 1, .tests = 2};
    options.targets_file = targets_file_;
    for (const target::Target& target : targets) options.demanded.insert(target.name);
    exec::Executor executor;
    Listener listener;
    auto summary = campaign::RunCampaign(options, source, targets, executor, listener, false);
    EXPECT_TRUE(summary.Ok());
    EXPECT_EQ(summary->ending, campaign::Ending::TestsDone) << summary->trouble;
    status_ = summary->status;
    folders_ = listener.folders;
    refused_ = listener.refused;
    untested_ = summary->untested;
    return std::move(store::Store::Open(options.folder.string())).Value()->Bugs(true).Value();
  }

  // Only these programs are on PATH from now on.
  void OnlyOnPath(std::vector<std::string> programs) {
    fs::create_directory(folder_ / "path");
    for (const std::string& program : programs) fs::create_symlink("/usr/bin/" + program, folder_ / "path" / program);
    setenv("PATH", Path("path").c_str(), 1);
  }
  static bool Has(const std::string& program) { return fs::exists("/usr/bin/" + program); }

  const std::string kPccBug = "int main(void) {\n  return -2 <= sizeof(int);\n}\n";
  const std::string path_;
  std::string targets_file_;
  std::optional<std::set<std::string>> does_without_;
  int campaigns_ = 0;
  bool knows_ = true;
  std::vector<std::string> refused_;
  std::string untested_;
  campaign::Status status_;
  std::vector<fs::path> folders_;
};

TEST_F(OneCompilerTest, WrongOutputIsABugWithAnyNumberOfConfigurations) {
  if (!Has("pcc")) GTEST_SKIP() << "pcc is not installed";
  for (const auto& flags : std::vector<std::vector<std::string>>{{""}, {"", "-O"}, {"", "-O", "-g"}}) {
    const auto bugs = Fuzz(Compiler("pcc", "pcc", flags), kPccBug, {"", 0});
    ASSERT_EQ(bugs.size(), 1u);
    EXPECT_EQ(bugs[0].kind, "wrong-output");
    EXPECT_EQ(bugs[0].count, 2);
    EXPECT_EQ(bugs[0].doubt, "");  // gcc, clang or tcc has been asked
    EXPECT_EQ(status_.bugs, 1);
  }
}

TEST_F(OneCompilerTest, WithoutAnotherCompilerTheBugSaysThatItIsUnconfirmed) {
  if (!Has("pcc")) GTEST_SKIP() << "pcc is not installed";
  OnlyOnPath({"pcc", "as", "ld", "cpp"});
  const auto bugs = Fuzz(Compiler("pcc", "pcc", {"", "-O", "-g"}), kPccBug, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "wrong-output");
  EXPECT_EQ(bugs[0].doubt, "unconfirmed by a second compiler");
  EXPECT_EQ(status_.bugs, 1);
  for (const char* name : {"bug.md", "bug.json"}) {
    EXPECT_THAT(support::ReadFile(folders_.at(0) / name).Value(), HasSubstr("unconfirmed by a second compiler"));
  }
}

// Of five compilers three were drawn for this program, and two of them reject it: that is no majority yet.
TEST_F(OneCompilerTest, AMajorityOfThoseDrawnIsOneOfAllWhoAreHere) {
  if (!Has("gcc") || !Has("clang")) GTEST_SKIP() << "gcc or clang is not installed";
  Script("strict", "echo 'error: no such thing here' >&2; exit 1");
  Script("narrow", "echo 'error: too wide for me' >&2; exit 1");
  const std::vector<target::Target> drawn = {Compiler("strict", Path("strict"), {""}),
                                             Compiler("narrow", Path("narrow"), {""}), Compiler("gcc", "gcc", {"-O1"})};
  const std::string program = "int main(void) { return 0; }\n";
  std::multiset<std::string> kinds;
  for (const store::Bug& bug : Fuzz(drawn, program, {"", 0})) kinds.insert(bug.kind);
  EXPECT_EQ(kinds, (std::multiset<std::string>{"rejected-valid", "rejected-valid"}));
  OnlyOnPath({"gcc", "as", "ld"});
  kinds.clear();
  for (const store::Bug& bug : Fuzz(drawn, program, {"", 0})) kinds.insert(bug.kind);
  EXPECT_EQ(kinds, (std::multiset<std::string>{"suspect", "suspect"})) << "nobody else is here";
}

TEST_F(OneCompilerTest, AWitnessThatDoesTheSameSpeaksAgainstUs) {
  const auto bugs = Fuzz(Compiler("mine", "gcc", {"-O0", "-O1", "-O2"}), "int main(void) { return 1; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "suspect");
  EXPECT_THAT(bugs[0].title, HasSubstr("does the same"));
  EXPECT_EQ(status_.bugs, 0);
}

// The user's own clang, described in a file, and the machine's have the same bug: gcc is asked as well.
TEST_F(OneCompilerTest, ASiblingThatDoesTheSameIsNotTheLastToBeAsked) {
  if (!Has("gcc") || !Has("clang")) GTEST_SKIP() << "gcc or clang is not installed";
  fs::create_directory(folder_ / "path");
  Script("path/clang",
         "if grep -q checksum program.c; then set -- -Dchecksum=1 \"$@\"; fi\nexec /usr/bin/clang \"$@\"");
  fs::create_symlink("/usr/bin/gcc", folder_ / "path" / "gcc");
  setenv("PATH", (Path("path") + ":" + path_).c_str(), 1);
  const auto bugs =
      Fuzz(Compiler("mine", "clang", {"", "-O1"}),
           "#ifdef checksum\nint main(void) { return 1; }\n#else\nint main(void) { return 0; }\n#endif\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "wrong-output") << bugs[0].title;
  EXPECT_EQ(bugs[0].doubt, "");
}

TEST_F(OneCompilerTest, ARejectionIsDecidedByAWitnessToo) {
  const std::string strict = Script("strict", "echo 'program.c:1: error: I do not like it' >&2; exit 1");
  const std::string valid = "int main(void) { return 0; }\n", wrong = "int main(void) { return no_such_name; }\n";
  auto bugs = Fuzz(Compiler("strict", strict, {"", "-O1", "-O2"}), valid, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid");
  EXPECT_EQ(bugs[0].doubt, "");
  bugs = Fuzz(Compiler("strict", strict, {"", "-O1", "-O2"}), wrong, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "suspect");
  OnlyOnPath({"sh"});
  bugs = Fuzz(Compiler("strict", strict, {"", "-O1", "-O2"}), valid, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid");
  EXPECT_EQ(bugs[0].doubt, campaign::kUnconfirmed);
}

// A miscompiled program may read where it must not: the compiler's own sanitizer sees that, too, and would call the
// program wrong.
TEST_F(OneCompilerTest, TheAccusedDoesNotJudgeItself) {
  if (!Has("gcc") || !Has("clang")) GTEST_SKIP() << "gcc or clang is not installed";
  Write("breaks.h",
        "static int array_[4];\n__attribute__((constructor)) static void breaks_(void) {\n"
        "  volatile int i = 5;\n  __builtin_printf(\"%d\\n\", array_[i] & 0);\n}\n");
  fs::create_directory(folder_ / "path");
  const std::string clang = Script("path/clang", "grep -q checksum program.c && set -- -include " + Path("breaks.h") +
                                                     " \"$@\"\nexec /usr/bin/clang \"$@\"");
  setenv("PATH", (Path("path") + ":" + path_).c_str(), 1);
  const auto bugs =
      Fuzz(Compiler("clang", "clang", {"", "-O1"}), "int checksum;\nint main(void) { return checksum; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "wrong-output") << bugs[0].title;
  EXPECT_THAT(bugs[0].sanitizer, HasSubstr("gcc -fsanitize=address,undefined finds nothing wrong"));
}

// A compiler that lacks what the program has rejects it for a reason of its own: it is no witness.
TEST_F(OneCompilerTest, AWitnessThatCannotTakeTheProgramIsNotAsked) {
  if (!Has("tcc")) GTEST_SKIP() << "tcc is not installed";
  const std::string strict = Script("strict", "echo 'program.c:1: error: I do not like it' >&2; exit 1");
  const std::string gnu = "int main(void) { return __builtin_popcountll(3) != 2; }\n";
  OnlyOnPath({"tcc", "sh"});
  does_without_.emplace();
  target::Target accused = Compiler("strict", strict, {"", "-O1"});
  accused.compile.emplace_back("-lm");
  const auto bugs = Fuzz(accused, gnu, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid") << bugs[0].title;
  EXPECT_EQ(bugs[0].doubt, campaign::kUnconfirmed);
}

// A file of targets may describe compilers that are no better than the one under test: they are asked last, and that
// they reject a program, too, says less than that another one accepts it.
TEST_F(OneCompilerTest, ACompilerThatIsBrokenTooIsAPoorWitness) {
  const std::string strict = Script("strict",
                                    "case $1 in program.c) ;; *) exec gcc -w \"$1\" -o \"$2\" ;; esac\n"
                                    "echo 'program.c:1: error: I do not like it' >&2; exit 1");
  std::string file;
  for (int i = 0; i < 4; ++i) {
    file += "[[target]]\nname = 'broken" + std::to_string(i) + "'\ncompile = '" + strict + " {source} {output}'\n";
  }
  targets_file_ = Write("broken.toml", file);
  target::Target accused = Compiler("strict", strict, {"", "-O1"});
  accused.compile = {strict, "{source}", "{output}", "{flags}"};
  const auto bugs = Fuzz(accused, "int main(void) { return 0; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid") << bugs[0].title;
  EXPECT_EQ(bugs[0].doubt, "");
}

// To test a second compiler that has the same bug hides neither.
TEST_F(OneCompilerTest, TwoFamiliesThatAgreeAgainstUsAreJudgedByAWitness) {
  if (!Has("pcc")) GTEST_SKIP() << "pcc is not installed";
  const std::vector<target::Target> both = {Compiler("pcc", "pcc", {"", "-O"}), Compiler("pcc-too", "pcc", {""})};
  auto bugs = Fuzz(both, kPccBug, {"", 0});
  ASSERT_EQ(bugs.size(), 2u);
  for (const store::Bug& bug : bugs) EXPECT_EQ(bug.kind, "wrong-output") << bug.title;
  const std::vector<target::Target> right = {Compiler("mine", "gcc", {""}), Compiler("mine-too", "gcc", {""})};
  bugs = Fuzz(right, "int main(void) { return 1; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "suspect");

  const std::string strict = Script("strict", "echo 'program.c:1: error: I do not like it' >&2; exit 1");
  const std::vector<target::Target> stern = {Compiler("strict", strict, {""}), Compiler("stricter", strict, {""})};
  bugs = Fuzz(stern, "int main(void) { return 0; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 2u);
  for (const store::Bug& bug : bugs) EXPECT_EQ(bug.kind, "rejected-valid") << bug.title;
  bugs = Fuzz(stern, "int main(void) { return no_such_name; }\n", {"", 0});
  for (const store::Bug& bug : bugs) EXPECT_EQ(bug.kind, "suspect") << bug.title;

  OnlyOnPath({"pcc", "as", "ld", "cpp"});
  bugs = Fuzz(both, kPccBug, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "suspect");
}

// A flag that the compiler does not take is no bug of it, and nobody may believe that it was tested.
TEST_F(OneCompilerTest, FlagsThatAreWrongWithAnyProgramAreNoFind) {
  if (!Has("gcc")) GTEST_SKIP() << "gcc is not installed";
  const std::string valid = "int main(void) { return 0; }\n";
  for (const char* flag : {"-nope", "-c", "-E", "-fsyntax-only"}) {
    target::Target target = Compiler("mine", "gcc", {"-O1", "-O0"});
    target.flag_lists.push_back({"-O1", flag});
    EXPECT_THAT(Fuzz(target, valid, {"", 0}), testing::IsEmpty()) << flag;
    EXPECT_THAT(refused_, testing::ElementsAre(std::string("mine -O1 ") + flag));
    EXPECT_THAT(untested_, HasSubstr(std::string("mine -O1 ") + flag + " (its flags do not work: "));
  }
  // What only this program makes it do is a find: not its flags are to blame.
  const std::string strict = Script("strict",
                                    "case \" $* \" in *-picky*) grep -q checksum program.c 2>/dev/null && {\n"
                                    "echo 'program.c:1: error: I do not like it' >&2; exit 1; } ;; esac\n"
                                    "[ \"$1\" = -picky ] && shift\nexec gcc \"$@\"");
  target::Target picky = Compiler("strict", strict, {"-O1"});
  picky.compile = {strict, "{flags}", "-w", "{source}", "-o", "{output}"};
  picky.flag_lists.push_back({"-picky"});
  const auto bugs = Fuzz(picky, "int checksum;\nint main(void) { return 0; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid");
  EXPECT_THAT(refused_, testing::IsEmpty());
  EXPECT_EQ(untested_, "");
}

// An emulator says by its exit code that it cannot start a program.
TEST_F(OneCompilerTest, FlagsThatMakeNoProgramForAnEmulatorAreNoFind) {
  if (!Has("gcc") || !Has("qemu-x86_64")) GTEST_SKIP() << "gcc or qemu-x86_64 is not installed";
  target::Target target = Compiler("mine", "gcc", {"-O1", "-c"});
  target.run_prefix = {"qemu-x86_64"};
  target.run_limits.limit_address_space = false;
  EXPECT_THAT(Fuzz(target, "int main(void) { return 0; }\n", {"", 0}), testing::IsEmpty());
  EXPECT_THAT(refused_, testing::ElementsAre("mine -c"));
}

// A witness is asked with flags that it takes.
TEST_F(OneCompilerTest, AWitnessWithAWrongFlagSpeaksByItsOthers) {
  const std::string strict = Script("strict", "echo 'program.c:1: error: I do not like it' >&2; exit 1");
  OnlyOnPath({"gcc", "as", "ld", "sh"});
  fs::remove(folder_ / "path" / "gcc");
  targets_file_ = Write("own.toml",
                        "[[target]]\nname = 'own'\ncompile = '/usr/bin/gcc -w {flags} {source} -o {output}'\n"
                        "flags = ['-O1 -g', '-nope']\n");
  const auto bugs = Fuzz(Compiler("strict", strict, {"", "-O1"}), "int main(void) { return 0; }\n", {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "rejected-valid") << bugs[0].title;
  EXPECT_EQ(bugs[0].doubt, "");
}

// A foreign program: nobody knows what it must do. Compilers come in two kinds, those that evaluate from the left and
// those that begin at the right: where gcc and clang disagree a third one only says which kind it is.
TEST_F(OneCompilerTest, NoMajorityDecidesWhereGccAndClangDisagree) {
  if (!Has("gcc") || !Has("clang") || !Has("tcc")) GTEST_SKIP() << "gcc, clang or tcc is not installed";
  knows_ = false;
  const std::string program =
      "int printf(const char *, ...);\nstatic int n;\nstatic int next(void) { return ++n; }\n"
      "int main(void) { printf(\"%d %d\\n\", next(), next()); return 0; }\n";
  const std::vector<target::Target> both = {Compiler("clang", "clang", {"-O1"}), Compiler("gcc", "gcc", {"-O1"})};
  const auto bugs = Fuzz(both, program, {"", 0});
  ASSERT_FALSE(bugs.empty());
  for (const store::Bug& bug : bugs) EXPECT_EQ(bug.kind, "suspect") << bug.title;
  EXPECT_EQ(status_.bugs, 0);
}

// Most flags of one compiler may have the same mistake: they are no majority.
TEST_F(OneCompilerTest, TheFlagsOfOneCompilerAreNotOutvotedByItsOthers) {
  if (!Has("gcc") || !Has("clang")) GTEST_SKIP() << "gcc or clang is not installed";
  knows_ = false;
  OnlyOnPath({"gcc", "as", "ld", "sh", "grep"});
  Script("path/clang",
         "case \" $* \" in *' -O0 '*) ;; *) grep -q checksum program.c && set -- -Dchecksum=1 \"$@\" ;; esac\n"
         "exec /usr/bin/clang \"$@\"");
  const std::string program =
      "int puts(const char *);\n#ifdef checksum\nint main(void) { puts(\"1\"); return 0; }\n#else\n"
      "int main(void) { puts(\"0\"); return 0; }\n#endif\n";
  const auto bugs = Fuzz(Compiler("clang", "clang", {"-O0", "-O1", "-O2", "-O3"}), program, {"", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "wrong-output") << bugs[0].title;
  EXPECT_EQ(bugs[0].failing, "clang -O1\nclang -O2\nclang -O3");
}

// Whatever the user calls it.
TEST_F(OneCompilerTest, ACompilerSaysWhoseKinItIs) {
  if (!Has("gcc") || !Has("clang") || !Has("tcc")) GTEST_SKIP() << "gcc, clang or tcc is not installed";
  std::string file;
  for (const char* name : {"gcc", "clang", "tcc"}) {
    const std::string wrapper = Script(std::string("my") + name, std::string("exec ") + name + " \"$@\"");
    file += std::string("[[target]]\nname = 'my") + name + "'\nfamily = 'mine'\ncompile = '" + wrapper +
            " -w {flags} {source} -o {output}'\n";
  }
  exec::Executor executor;
  auto found = target::DetectTargets(
      executor, {.language = "c", .targets_file = Write("own.toml", file), .names = "mygcc,myclang,mytcc"});
  ASSERT_TRUE(found.Ok());
  std::map<std::string, std::string> kin;
  for (const target::FoundTarget& one : *found) {
    if (one.looked_at) kin[one.target.name] = one.works ? target::KinOf(one.target) : one.problem;
  }
  EXPECT_EQ(kin, (std::map<std::string, std::string>{{"mygcc", "gcc"}, {"myclang", "clang"}, {"mytcc", "mine"}}));
}

// What is wrong in the program that gcc makes to gather a profile is seen.
TEST_F(OneCompilerTest, AWrongInstrumentedProgramIsAFind) {
  if (!Has("gcc")) GTEST_SKIP() << "gcc is not installed";
  fs::create_directory(folder_ / "path");
  Script("path/gcc-77",
         "case \" $* \" in *' -fprofile-generate '*) grep -q checksum program.c 2>/dev/null && set -- -Dchecksum=1 "
         "\"$@\" ;; "
         "esac\nexec /usr/bin/gcc \"$@\"");
  setenv("PATH", (Path("path") + ":" + path_).c_str(), 1);
  exec::Executor executor;
  auto found = target::DetectTargets(executor, {.language = "c", .names = "gcc-77-profile"});
  ASSERT_TRUE(found.Ok());
  auto targets = target::SelectTargets(*found, "gcc-77-profile");
  if (!targets.Ok()) GTEST_SKIP() << targets.GetError().message;
  const auto bugs = Fuzz(*targets,
                         "int puts(const char *);\n#ifdef checksum\nint main(void) { puts(\"1\"); return 0; }\n#else\n"
                         "int main(void) { puts(\"0\"); return 0; }\n#endif\n",
                         {"0\n", 0});
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].kind, "wrong-output") << bugs[0].title;
  EXPECT_THAT(bugs[0].configuration, HasSubstr("-fprofile-generate"));
  EXPECT_THAT(bugs[0].passing, HasSubstr("gcc-77-profile -O2"));
}

TEST_F(OneCompilerTest, TheWholeProgramSaysSoByItsExitCode) {
  if (!Has("pcc")) GTEST_SKIP() << "pcc is not installed";
  Write("pcc.toml",
        "[[target]]\nname = 'alone'\nfamily = 'pcc'\ncompile = 'pcc -w {flags} {source} -o {output} -lm'\n"
        "flags = ['', '-O', '-g']\n");
  const Finished seen =
      Assay("fuzz --dir c --targets alone --targets-file pcc.toml --seed 1 --tests 400 --until-bug --no-reduce");
  EXPECT_EQ(seen.code, 1) << seen.out << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("bug: alone"));
}

}  // namespace
}  // namespace assay
