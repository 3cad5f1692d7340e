// bisect.sh, run by a real git over the history of a made-up compiler.
#include "report/bisect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_support.hpp"

namespace assay::report {
namespace {

using testing::HasSubstr;

class BisectTest : public ReportTest {
 protected:
  // A history of seven versions: the third cannot be built, the fifth brings the bug in.
  void SetUp() override { MakeHistory("1"); }

  // `before`: what the versions from the second to the fourth print.
  void MakeHistory(const std::string& before) {
    std::filesystem::remove_all(folder_ / "the compiler's");
    const std::string history = "before=" + ShellQuote(before) + R"sh(
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
      mkdir "the compiler's" && cd "the compiler's"
      git init -q -b main .
      for version in 1 2 3 4 5 6 7; do
        printed=$before; [ $version -lt 5 ] || printed=2
        [ $version -ne 1 ] || printed=1
        printf '#!/bin/sh\n[ "$1" = -B. ] || exit 9\nprintf "#!/bin/sh\\necho %s\\n" >program; chmod +x program # %s\n' "$printed" $version >cc.in
        echo 'cp cc.in cc && chmod +x cc' >build.sh
        [ $version -ne 3 ] || echo 'echo no such thing; exit 2' >build.sh
        git add cc.in build.sh
        git commit -q -m "version $version"
      done
    )sh";
    ASSERT_EQ(Shell(history), 0) << log_;
  }

  int Shell(const std::string& script) {
    EXPECT_TRUE(support::WriteFile(folder_ / "script.sh", script, support::Durability::Process).Ok());
    const int status = std::system(("cd " + folder_.string() + " && sh ./script.sh >log 2>&1 </dev/null").c_str());
    log_ = support::ReadFile(folder_ / "log").Value();
    return WEXITSTATUS(status);
  }

  store::Bug Bug(const std::string& compiler) {
    store::Bug bug = RunBug("wrong-output", "");
    std::erase_if(bug.files, [](const auto& file) { return file.name == "compiler.sh"; });
    bug.compile_command = compiler + " program.c -o ./program";
    return bug;
  }

  std::string Bisect(const store::Bug& bug) {
    EXPECT_TRUE(WriteBundle(folder_, bug).Ok());
    auto script = WriteBisection(BundleFolder(folder_, bug), bug);
    EXPECT_TRUE(script.Ok()) << script.GetError().message;
    if (!script) return {};
    EXPECT_EQ(Shell("export GIT_CONFIG_GLOBAL=/dev/null\ncd the* && git bisect start main main~6 && git bisect run " +
                    ShellQuote(script->string()) + " 'sh ./build.sh' '\"$checkout/cc\" -B.'; git bisect reset"),
              0);
    return log_;
  }
};

TEST_F(BisectTest, FindsTheCommitThatBroughtTheBug) {
  EXPECT_THAT(Bisect(Bug("fakecc-12")), testing::AllOf(HasSubstr("is the first bad commit"), HasSubstr("version 5")));
}

// Other bugs that the program has met are not the one that is looked for.
TEST_F(BisectTest, DoesNotStopAtAnotherBug) {
  store::Bug bug = Bug("fakecc-12");
  bug.ending = "exit 0";
  for (const char* before : {"7", "2; kill -SEGV \\$\\$"}) {
    MakeHistory(before);
    EXPECT_THAT(Bisect(bug), testing::AllOf(HasSubstr("only 'skip'ped commits left to test"),
                                            testing::Not(HasSubstr("is the first bad commit"))));
  }
}

TEST_F(BisectTest, TheCompilerMayHaveBeenNamedByItsPath) {
  EXPECT_THAT(Bisect(Bug("'/opt/my compiler/bin/cc'")), HasSubstr("version 5"));
}

TEST_F(BisectTest, ItsNameMayStandInTheEnvironment) {
  EXPECT_THAT(Bisect(Bug("env 'FLAGS_OF=/opt/fakecc-12/x y' fakecc-12")),
              testing::AllOf(HasSubstr("is the first bad commit"), HasSubstr("version 5")));
}

TEST_F(BisectTest, ACompilerBehindAShellIsNotReplaced) {
  const store::Bug bug = ScriptBug("compiler-crash", "");
  EXPECT_TRUE(WriteBundle(folder_, bug).Ok());
  auto script = WriteBisection(BundleFolder(folder_, bug), bug);
  ASSERT_FALSE(script.Ok());
  EXPECT_THAT(script.GetError().message, HasSubstr("by hand"));
}

TEST_F(BisectTest, ShellcheckHasNothingToSay) {
  const store::Bug bug = Bug("fakecc-12");
  EXPECT_TRUE(WriteBundle(folder_, bug).Ok());
  ASSERT_TRUE(WriteBisection(BundleFolder(folder_, bug), bug).Ok());
  EXPECT_EQ(Shell("command -v shellcheck >/dev/null || exit 0; shellcheck " +
                  ShellQuote((BundleFolder(folder_, bug) / "bisect.sh").string())),
            0)
      << log_;
}

}  // namespace
}  // namespace assay::report
