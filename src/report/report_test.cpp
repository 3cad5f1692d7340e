#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/bundle.hpp"
#include "report/page.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/files.hpp"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ReportTest : public testing::Test {
 protected:
  ReportTest() {
    char name[] = "/tmp/assay_report_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~ReportTest() override { fs::remove_all(folder_); }

  // Writes the bug's folder and runs its script; returns the exit code.
  int Reproduce(const store::Bug& bug) {
    auto written = WriteBundle(folder_, bug);
    EXPECT_TRUE(written.Ok()) << written.GetError().message;
    std::string script = (BundleFolder(folder_, bug) / "repro.sh").string();
    int status =
        std::system(("cd / && sh " + script + " >" + folder_.string() + "/log 2>&1").c_str());
    log_ = support::ReadFile(folder_ / "log").Value();
    return WEXITSTATUS(status);
  }

  fs::path folder_;
  std::string log_;
};

// A bug of a "compiler" that is a shell script in the bug's own folder.
store::Bug ScriptBug(const std::string& kind, const std::string& compiler) {
  return {.name = "fake-" + kind,
          .signature = "sig",
          .kind = kind,
          .title = "fake: something <is> wrong",
          .family = "fake",
          .target = "fake",
          .version = "1.0",
          .configuration = "fake -O1",
          .failing = "fake -O1\nfake -O2",
          .passing = "fake",
          .compile_command = "sh compiler.sh program.c -o ./program",
          .language = "c",
          .timeout_ms = 1000,
          .files = {{"program", "program.c", "int main(void) { return 0; }\n"},
                    {"header", "compiler.sh", compiler}},
          .count = 3,
          .first_seed = 42};
}

store::Bug RunBug(const std::string& kind, const std::string& program) {
  store::Bug bug =
      ScriptBug(kind, "printf '#!/bin/sh\\n" + program + "\\n' >program; chmod +x program\n");
  bug.run_command = "./program";
  bug.files.push_back({"expected", "expected.txt", "1\n"});
  bug.files.push_back({"actual", "actual.txt", "2\n"});
  return bug;
}

TEST_F(ReportTest, ScriptTellsAWrongOutputFromARightOne) {
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 2")), 0) << log_;
  fs::remove_all(folder_ / "bugs");
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 1")), 1) << log_;
}

TEST_F(ReportTest, ScriptSeesAWrongExitCode) {
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 1; exit 7")), 0) << log_;
  EXPECT_THAT(log_, HasSubstr("exit code is 7"));
}

TEST_F(ReportTest, ScriptSeesAProgramThatDiesOrHangs) {
  EXPECT_EQ(Reproduce(RunBug("program-crash", "kill -SEGV $$")), 0) << log_;
  EXPECT_EQ(Reproduce(RunBug("program-hang", "sleep 60")), 0) << log_;
}

TEST_F(ReportTest, ScriptSeesWhatTheCompilerDoes) {
  store::Bug ice =
      ScriptBug("compiler-crash", "echo 'internal compiler error: in foo' >&2; exit 4\n");
  ice.evidence = "internal compiler error";
  EXPECT_EQ(Reproduce(ice), 0) << log_;
  ice.name = "other", ice.files[1].content = "exit 1\n";
  EXPECT_EQ(Reproduce(ice), 1) << "fails in another way";
  EXPECT_EQ(Reproduce(ScriptBug("compiler-crash", "kill -SEGV $$\n")), 0) << log_;
  store::Bug silent = ScriptBug("compiler-crash", "exit 1\n");
  silent.name = "silent";
  EXPECT_EQ(Reproduce(silent), 0) << log_;
  EXPECT_EQ(Reproduce(ScriptBug("compiler-hang", "sleep 60\n")), 0) << log_;
  EXPECT_EQ(Reproduce(ScriptBug("rejected-valid", "echo no >&2; exit 1\n")), 0) << log_;
}

TEST_F(ReportTest, ScriptWithoutItsCompilerSaysSo) {
  store::Bug bug = ScriptBug("rejected-valid", "");
  bug.compile_command = "no-such-compiler program.c";
  EXPECT_EQ(Reproduce(bug), 3);
  EXPECT_THAT(log_, HasSubstr("not installed: no-such-compiler"));
}

TEST_F(ReportTest, BundleHasEverything) {
  store::Bug bug = RunBug("wrong-output", "echo 2");
  ASSERT_TRUE(WriteBundle(folder_, bug).Ok());
  fs::path bundle = folder_ / "bugs" / "fake-wrong-output";
  for (const char* name :
       {"program.c", "expected.txt", "actual.txt", "repro.sh", "bug.json", "bug.md"}) {
    EXPECT_TRUE(fs::exists(bundle / name)) << name;
  }
  auto json = nlohmann::json::parse(support::ReadFile(bundle / "bug.json").Value());
  EXPECT_EQ(json["seed"], 42);
  EXPECT_EQ(json["signature"], "sig");
  EXPECT_EQ(json["failing"].size(), 2u);
}

TEST_F(ReportTest, AReductionComesIntoAFolderThatIsThere) {
  store::Bug bug = RunBug("wrong-output", "echo 2");
  bug.reduction = store::Reduction{.state = "open"};
  EXPECT_EQ(Reproduce(bug), 0) << log_;
  EXPECT_TRUE(BundleIsComplete(folder_, bug));
  bug.reduction = store::Reduction{.state = "done",
                                   .compile_command = "sh compiler.sh reduced.c -o ./program",
                                   .run_command = "./program",
                                   .note = "1 line"};
  bug.files.push_back({"reduced", "reduced.c", "int main(void) { return 7; }\n"});
  bug.files.push_back({"reduced-expected", "reduced_expected.txt", "3\n"});
  EXPECT_FALSE(BundleIsComplete(folder_, bug));
  EXPECT_EQ(Reproduce(bug), 0) << log_;
  EXPECT_THAT(log_, HasSubstr("< 3"));
  EXPECT_TRUE(BundleIsComplete(folder_, bug));
  fs::path folder = BundleFolder(folder_, bug);
  EXPECT_TRUE(fs::exists(folder / "repro-original.sh"));
  std::string text = support::ReadFile(folder / "bug.md").Value();
  EXPECT_THAT(text, HasSubstr("return 7"));
  EXPECT_THAT(text, HasSubstr("sh compiler.sh reduced.c"));
  EXPECT_THAT(text, Not(HasSubstr("return 0")));
}

TEST_F(ReportTest, HalfWrittenBundlesOfDeadProcessesAreRemoved) {
  fs::create_directories(folder_ / "partial" / "bug.999999999");
  RemovePartialBundles(folder_);
  EXPECT_FALSE(fs::exists(folder_ / "partial"));
}

TEST_F(ReportTest, SuspectsAndFlakyFindsStandApart) {
  EXPECT_EQ(BundleFolder("c", {.name = "n", .kind = "suspect"}), "c/suspects/n");
  EXPECT_EQ(BundleFolder("c", {.name = "n", .kind = "flaky"}), "c/flaky/n");
}

TEST_F(ReportTest, PageIsSelfContainedAndEscapes) {
  PageData data;
  data.bugs = {RunBug("wrong-output", "echo 2")};
  data.totals = {.time_ms = 3600000, .tests = 1234, .finds = 3, .bugs = 1};
  data.runs = {
      {.owner = "me", .started_ms = 0, .ended_ms = 3600000, .own_cpu_us = 1, .child_cpu_us = 99}};
  for (int64_t i = 0; i <= 1000; ++i) data.samples.push_back({.time_ms = 3600 * i, .tests = i});
  std::string page = RenderPage(data);
  EXPECT_THAT(page, HasSubstr("something &lt;is&gt; wrong"));
  EXPECT_THAT(page, HasSubstr("1,234"));
  EXPECT_THAT(page, HasSubstr("99.0 %"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(ReportTest, AnEmptyCampaignHasAPage) {
  EXPECT_THAT(RenderPage({}), HasSubstr("Assay campaign"));
}

TEST(WordsTest, NumbersTimesAndQuotes) {
  EXPECT_EQ(Thousands(1234567), "1,234,567");
  EXPECT_EQ(Thousands(-123), "-123");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(IsoTime(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(Lines("a\nb\n").size(), 2u);
  EXPECT_EQ(ShellQuote("-O2"), "-O2");
  EXPECT_EQ(ShellQuote("it's $x"), "'it'\\''s $x'");
}

}  // namespace
}  // namespace assay::report
