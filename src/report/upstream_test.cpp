#include "report/upstream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/description.hpp"
#include "report/exchange.hpp"

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

bool IsOk(const std::string& verdict) { return verdict == "ok"; }

store::Bug ReducedBug(const std::string& tracker) {
  store::Bug bug{.name = "gcc-wrong-output-1", .kind = "wrong-output", .family = "gcc", .target = "gcc-12"};
  bug.version = "gcc-12 (Debian) 12.2.0";
  bug.triple = "x86_64-linux-gnu";
  bug.tracker = tracker;
  bug.count = 3;
  bug.files = {{"program", "1.c", "int x;\n"},
               {"reduced", "reduced.c", "int main(void) { return 1; }\n"},
               {"reduced-expected", "reduced_expected.txt", ""},
               {"reduced-actual", "reduced_actual.txt", ""},
               {"compiler", "compiler.txt", "Using built-in specs.\n"}};
  bug.reduction =
      store::Reduction{.state = "done", .compile_command = "gcc-12 -O2 reduced.c", .run_command = "./a.out"};
  bug.reduction->ending = "signal 6 (SIGABRT)";
  bug.reduction->title = "gcc-12 -O2 (pass tree-vrp1): wrong output: a is 3, must be 4";
  bug.triage = store::Triage{.flags = "-O2", .pass = "tree-vrp1", .options = "-fno-tree-vrp"};
  bug.triage->versions = "gcc-11: right\ngcc-12: fails";
  return bug;
}

TEST(UpstreamTest, BugzillaHasWhatItAsksFor) {
  const UpstreamReport report = ReportFor(ReducedBug("gcc-bugzilla"));
  EXPECT_EQ(report.file, "bugzilla.txt");
  EXPECT_THAT(report.text, StartsWith("Summary: wrong code at -O2 (tree-vrp1): a is 3, must be 4\n"));
  for (const char* part : {"Component: tree-optimization\n", "Keywords: wrong-code\n", "Known to work: gcc-11\n",
                           "Known to fail: gcc-12\n", "int main(void) { return 1; }", "$ gcc-12 -O2 reduced.c\n",
                           "SIGABRT", "does not happen with -fno-tree-vrp", "Using built-in specs."}) {
    EXPECT_THAT(report.text, HasSubstr(part));
  }
}

TEST(UpstreamTest, GithubHasTheBisectionAndALinkWithTheProgram) {
  store::Bug bug = ReducedBug("llvm-github");
  bug.triage->pass = "InstCombinePass";
  bug.triage->place = "main";
  const UpstreamReport report = ReportFor(bug);
  EXPECT_EQ(report.file, "github.md");
  EXPECT_THAT(report.text, HasSubstr("Labels: miscompilation"));
  EXPECT_THAT(report.text, HasSubstr("points at `InstCombinePass` on main"));
  // The JSON {"sessions":[{"compilers":... in base 64.
  EXPECT_THAT(report.text, HasSubstr("https://godbolt.org/clientstate/eyJzZXNzaW9ucyI6W3siY29tcGlsZXJzIjpb"));
}

TEST(UpstreamTest, TheCodeOfThePassIsThere) {
  store::Bug bug = ReducedBug("gcc-bugzilla");
  bug.triage->after = "<bb 2> :\n_1 = 3;\n";
  EXPECT_THAT(ReportFor(bug).text, HasSubstr("The dump of tree-vrp1 (-fdump-tree-vrp1-details):\n<bb 2> :\n_1 = 3;\n"));
  bug.tracker = "llvm-github";
  bug.triage->before = "define i32 @f() {\n  ret i32 1 ; </details> ```\n}\n";
  const std::string text = ReportFor(bug).text;
  EXPECT_THAT(text, HasSubstr("<details><summary>IR before tree-vrp1</summary>\n\n````llvm\ndefine i32"));
  EXPECT_THAT(text, HasSubstr("<details><summary>IR after tree-vrp1</summary>"));
  EXPECT_THAT(BugMarkdown(bug), HasSubstr("## Before the pass `tree-vrp1`"));
}

TEST(UpstreamTest, OthersGetMail) {
  store::Bug bug = ReducedBug("");
  bug.triage.reset();
  bug.kind = "compiler-crash";
  const UpstreamReport report = ReportFor(bug);
  EXPECT_EQ(report.file, "mail.txt");
  EXPECT_THAT(report.text, StartsWith("Subject: gcc-12: ICE"));
  EXPECT_THAT(report.text, HasSubstr("int main(void) { return 1; }"));
}

TEST(ExchangeTest, SarifHasEntriesOnly) {
  store::Bug same = ReducedBug(""), known = ReducedBug(""), flaky = ReducedBug("");
  same.same_as = "gcc-wrong-output-1";
  known.known = 1;
  flaky.kind = "flaky";
  const auto sarif = nlohmann::json::parse(Sarif({ReducedBug(""), same, known, flaky}, "1.2"));
  ASSERT_EQ(sarif["runs"][0]["results"].size(), 1u);
  const auto& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "wrong-output");
  EXPECT_EQ(result["occurrenceCount"], 3);
  EXPECT_EQ(result["properties"]["pass"], "tree-vrp1");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bugs/gcc-wrong-output-1/reduced.c");
  EXPECT_EQ(nlohmann::json::parse(Sarif({}, "1"))["runs"][0]["results"].size(), 0u);
}

TEST(ExchangeTest, JUnitHasATestCasePerTarget) {
  store::Bug bug = ReducedBug("");
  bug.reduction->title = "gcc-12: wrong output: <a> & \"b\"";
  const std::string xml = JUnit({bug}, {{"gcc-12", "ok", 7}, {"tcc", "ok", 9}}, IsOk);
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("&lt;a&gt; &amp; &quot;b&quot;"));
  EXPECT_THAT(xml, HasSubstr("name=\"tcc\""));
}

// A test case that is there and has no failure is green wherever it is shown.
TEST(ExchangeTest, WhatWasNotTestedIsNotGreen) {
  const std::string some = JUnit({}, {{"gcc-12", "ok", 7}, {"tcc", "unsupported", 4}, {"tcc", "suspect", 1}}, IsOk);
  EXPECT_THAT(some, HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(some, HasSubstr("name=\"tcc\">\n    <skipped message=\"never tested: 4 unsupported, 1 suspect\"/>"));
  EXPECT_THAT(some, HasSubstr("<system-out>7 compilations judged</system-out>"));
  const std::string none = JUnit({}, {{"tcc", "unsupported", 4}}, IsOk);
  EXPECT_THAT(none, HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(none, HasSubstr("<error message=\"nothing was tested\"/>"));
  EXPECT_THAT(JUnit({}, {}, IsOk), HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""));
}

// What has been tested until it was gone is not all that was asked for.
TEST(ExchangeTest, ATargetThatWasLostIsAnError) {
  const std::vector<store::Run> runs = {
      {.owner = "a", .started_ms = 1, .ended_ms = 5, .lost = "old: long mended\n"},
      {.owner = "b", .started_ms = 6, .ended_ms = 0, .lost = "killed: yesterday\n"},
      {.owner = "c", .started_ms = 10, .ended_ms = 30, .lost = "pcc: <no such file>: it is gone\n"},
      {.owner = "d", .started_ms = 20, .ended_ms = 25, .lost = "tcc: exit 127\n"}};
  const auto lost = LostLately(runs);
  EXPECT_EQ(lost, (std::map<std::string, std::string>{{"pcc", "<no such file>: it is gone"}, {"tcc", "exit 127"}}));
  const std::string xml = JUnit({}, {{"gcc-12", "ok", 7}, {"tcc", "ok", 4}}, IsOk, lost);
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"0\" errors=\"2\" skipped=\"0\""));
  EXPECT_THAT(
      xml, HasSubstr("name=\"tcc\">\n    <error message=\"lost in mid-campaign, not tested to the end: exit 127\"/>"));
  EXPECT_THAT(xml, HasSubstr("&lt;no such file&gt;"));
  EXPECT_TRUE(LostLately({}).empty());
}

// XML has no way to write U+FFFE and U+FFFF: with one of them in it no reader takes the file.
TEST(ExchangeTest, WhatXmlCannotSayIsNotInIt) {
  store::Bug bug = ReducedBug("");
  bug.reduction->title = "gcc-12: \xef\xbf\xbe\xef\xbf\xbf\x01\xff";
  const std::string xml = JUnit({bug}, {{"gcc-12", "ok", 7}}, IsOk);
  EXPECT_THAT(xml, HasSubstr("\\ufffe\\uffff\\x01\\xff"));
  EXPECT_THAT(xml, testing::Not(HasSubstr("\xef\xbf\xbf")));
}

TEST(ExchangeTest, AddressesAreAddresses) {
  store::Bug bug = ReducedBug("");
  bug.name = "my cc#1?%-wrong";
  const auto sarif = nlohmann::json::parse(Sarif({bug}, "1"));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "bugs/my%20cc%231%3F%25-wrong/reduced.c");
}

// Whoever reads them reads them in a terminal.
TEST(UpstreamTest, WhatTheCompilerSaysIsShownAndNotObeyed) {
  for (const char* tracker : {"gcc-bugzilla", "llvm-github", ""}) {
    store::Bug bug = ReducedBug(tracker);
    const std::string evil =
        "\033]0;owned\007\xc2\x9b"
        "2J\xe2\x80\xaegnp\r";
    bug.version = bug.triple = "v " + evil;
    bug.reduction->title = "gcc-12: wrong output: " + evil;
    bug.triage->words = bug.triage->options = bug.triage->place = bug.triage->pass = evil;
    bug.files.push_back({"compiler", "compiler.txt", evil});
    bug.files.push_back({"reduced-actual", "reduced_actual.txt", evil});
    const std::string text = ReportFor(bug).text;
    for (const char* bad : {"\033", "\007", "\xc2\x9b", "\xe2\x80\xae", "\r"}) {
      EXPECT_THAT(text, testing::Not(HasSubstr(bad))) << tracker;
    }
    EXPECT_THAT(text, HasSubstr("owned"));
  }
}

}  // namespace
}  // namespace assay::report
