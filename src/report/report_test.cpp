#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/description.hpp"
#include "report/page.hpp"
#include "report/ranking.hpp"
#include "report/test_support.hpp"
#include "report/words.hpp"
#include "report/writers.hpp"

// Counted instead of done, also where the code under test calls it.
static std::atomic<int> g_syncs = 0;
extern "C" int fsync(int) {
  ++g_syncs;
  return 0;
}

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(ReportTest, BundleHasEverything) {
  store::Bug bug = RunBug("wrong-output", "echo 2");
  bug.writers = "assign\nkernel";
  ASSERT_TRUE(WriteBundle(folder_, bug).Ok());
  fs::path bundle = folder_ / "bugs" / "fake-wrong-output";
  for (const char* name : {"program.c", "expected.txt", "actual.txt", "repro.sh", "bug.json", "bug.md"}) {
    EXPECT_TRUE(fs::exists(bundle / name)) << name;
  }
  auto json = nlohmann::json::parse(support::ReadFile(bundle / "bug.json").Value());
  EXPECT_EQ(json["seed"], 42);
  EXPECT_EQ(json["signature"], "sig");
  EXPECT_EQ(json["failing"].size(), 2u);
  EXPECT_EQ(json["writers"], (std::vector<std::string>{"assign", "kernel"}));
}

TEST_F(ReportTest, FindsAreCountedByWriter) {
  const std::vector<store::Bug> bugs = {{.name = "a", .kind = "wrong-output"},
                                        {.name = "b", .kind = "compiler-crash"},
                                        {.name = "known", .kind = "compiler-crash", .known = 1},
                                        {.name = "odd", .kind = "flaky"}};
  const std::vector<store::Find> finds = {{.bug = "a", .seed = 1, .writers = "for\ngoto forward"},
                                          {.bug = "a", .seed = 2, .writers = "for\nif"},
                                          {.bug = "b", .seed = 3, .writers = "for\nif\ngoto forward"},
                                          {.bug = "b", .seed = 4, .writers = "if"},
                                          {.bug = "b", .seed = 5},  // of another source
                                          {.bug = "known", .seed = 6, .writers = "for\nwhile"},
                                          {.bug = "odd", .seed = 7, .writers = "for"}};
  EXPECT_EQ(FindsPerWriter(bugs, finds),
            "writer                    finds   of all     bugs\n"
            "for                           3     75 %        2\n"
            "if                            3     75 %        2\n"
            "goto forward                  2     50 %        2\n");
  EXPECT_THAT(FindsPerWriter(bugs, {finds.back()}), HasSubstr("no find"));
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
  data.runs = {{.owner = "me", .started_ms = 0, .ended_ms = 3600000, .own_cpu_us = 1, .child_cpu_us = 99}};
  for (int64_t i = 0; i <= 1000; ++i) data.samples.push_back({.time_ms = 3600 * i, .tests = i});
  std::string page = RenderPage(data);
  EXPECT_THAT(page, HasSubstr("something &lt;is&gt; wrong"));
  EXPECT_THAT(page, HasSubstr("1,234"));
  EXPECT_THAT(page, HasSubstr("99.0 %"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

// At 390 px: a table that is too wide is moved sideways in its own frame, and no number is broken.
TEST_F(ReportTest, NumbersStayWholeOnAPhone) {
  PageData data;
  data.tallies = {{"gcc", "ok", 1234567}, {"gcc", "wrong-output", 12}};
  data.configurations = {{.name = "gcc -O2", .target = "gcc"}};
  data.bugs.resize(1);
  data.bugs[0].name = "a-bug";
  data.bugs[0].kind = "wrong-output";
  data.bugs[0].target = "aarch64-linux-gnu-gcc-12";
  const std::string page = RenderPage(data);
  EXPECT_THAT(page, HasSubstr("<title>aarch64-linux-gnu-gcc-12</title>aarch64-linu…</text>"));
  EXPECT_THAT(page, HasSubstr("<meta name=\"viewport\" content=\"width=device-width"));
  EXPECT_THAT(page, HasSubstr(".wide { overflow-x: auto; }"));
  EXPECT_THAT(page, HasSubstr("td.n { white-space: nowrap; }"));
  EXPECT_THAT(page, HasSubstr("<td class=\"n\">1,234,567</td>"));
  const std::string frame = "<div class=\"wide\">";
  int tables = 0;
  for (size_t at = page.find("<table"); at != std::string::npos; at = page.find("<table", at + 1), ++tables) {
    EXPECT_EQ(page.substr(at - frame.size(), frame.size()), frame);
  }
  EXPECT_EQ(tables, 2);
}

// They can be written again from the store at any time.
TEST_F(ReportTest, FoldersOfBugsAreNotSynced) {
  ASSERT_TRUE(support::WriteFile(folder_ / "synced", "x").Ok());
  EXPECT_EQ(g_syncs.exchange(0), 1) << "the counter counts";
  for (int i = 0; i < 20; ++i) {
    store::Bug bug = RunBug("wrong-output", "echo 2");
    bug.name += std::to_string(i);
    ASSERT_TRUE(WriteBundle(folder_, bug).Ok());
    bug.count = 2;
    ASSERT_TRUE(WriteBundle(folder_, bug).Ok());
  }
  EXPECT_EQ(g_syncs, 0);
}

TEST_F(ReportTest, StoredNamesStayInTheCampaignsFolder) {
  for (const char* name : {"../outside", "/tmp/assay_outside", "a/../../b", "..", ".", "", "x\ny", "a/b"}) {
    store::Bug bug = RunBug("wrong-output", "echo 2");
    bug.name = name;
    bug.files.push_back({"header", name, "stored under a strange name\n"});
    fs::path campaign = folder_ / "campaign";
    ASSERT_TRUE(WriteBundle(campaign, bug).Ok()) << name;
    EXPECT_EQ(BundleFolder(campaign, bug).parent_path(), campaign / "bugs") << name;
    EXPECT_TRUE(fs::exists(BundleFolder(campaign, bug) / "repro.sh")) << name;
    EXPECT_TRUE(BundleIsComplete(campaign, bug)) << name;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << name;
  }
  EXPECT_FALSE(fs::exists("/tmp/assay_outside"));
  EXPECT_EQ(SafeName("tcc-wrong-output-1a2b"), "tcc-wrong-output-1a2b");
  EXPECT_NE(SafeName("a/b"), SafeName("a_b"));
  EXPECT_NE(SafeName("a/b"), SafeName("a//b"));
}

TEST_F(ReportTest, LinksAreEscapedAndOnlyWhereTheFolderIs) {
  PageData data;
  data.bugs = {RunBug("wrong-output", "echo 2"), RunBug("program-crash", "x")};
  data.bugs[0].name = "c# 100%?&\"<";
  data.bugs[1].name = "elsewhere";
  data.folders_here = {data.bugs[0].name};
  std::string page = RenderPage(data);
  EXPECT_THAT(page, HasSubstr("href=\"bugs/c%23%20100%25%3F%26%22%3C/bug.md\""));
  EXPECT_THAT(page, HasSubstr("href=\"bugs/c%23%20100%25%3F%26%22%3C/repro.sh\""));
  EXPECT_THAT(page, HasSubstr("href=\"bugs/c%23%20100%25%3F%26%22%3C/program.c\""));
  EXPECT_THAT(page, HasSubstr("bugs/elsewhere"));
  EXPECT_THAT(page, Not(HasSubstr("href=\"bugs/elsewhere")));
  EXPECT_EQ(Link("javascript:alert(1)"), "./javascript%3Aalert%281%29");
}

TEST_F(ReportTest, OnlyThePageOfARunningCampaignLoadsItselfAgain) {
  PageData data;
  EXPECT_THAT(RenderPage(data), Not(HasSubstr("http-equiv")));
  data.running = true;
  EXPECT_THAT(RenderPage(data), HasSubstr("<meta http-equiv=\"refresh\""));
}

TEST_F(ReportTest, TextFromOutsideIsShownAndNotObeyed) {
  store::Bug bug = ScriptBug("rejected-valid", "");
  const std::string evil = "<script>alert(1)</script> [x](javascript:y) `code` \033[2J *b* _i_\n# heading";
  bug.title = bug.version = bug.configuration = bug.signature = bug.ending = bug.knobs = evil;
  bug.failing = "```\n<b>";
  bug.files.push_back({"diagnostics", "diagnostics.txt", "```\n<script>\n\033[31m"});
  std::string text = BugMarkdown(bug);
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(text, Not(HasSubstr("\n# heading")));
  std::string heading = text.substr(0, text.find('\n'));
  EXPECT_THAT(heading, HasSubstr("&lt;script>"));
  EXPECT_THAT(heading, Not(HasSubstr("<script>")));
  EXPECT_THAT(heading, HasSubstr("\\[x\\]"));
  EXPECT_THAT(text, HasSubstr("````\n```\n<script>")) << "in a longer fence";
  PageData data;
  data.bugs = {bug};
  data.campaign.source = evil;
  data.configurations = {{evil, evil, evil, evil, evil}};
  data.tallies = {{evil, evil, 1}};
  std::string page = RenderPage(data);
  EXPECT_THAT(page, Not(HasSubstr("\033")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(ReportTest, LongTextsAreCutAndSayWhereTheRestIs) {
  store::Bug bug = ScriptBug("rejected-valid", "");
  bug.title = std::string(100000, 't');
  bug.signature = std::string(100000, 's');
  for (int i = 0; i < 5000; ++i) bug.failing += "\nflag";
  const std::string line(4200000, 'd');
  bug.files.push_back({"diagnostics", "diagnostics.txt", line});
  bug.files[0].content = line;
  std::string text = BugMarkdown(bug);
  EXPECT_LT(text.size(), 10000u);
  EXPECT_THAT(text, HasSubstr("all of it is in diagnostics.txt"));
  EXPECT_THAT(text, HasSubstr("see bug.json"));
  PageData data;
  data.bugs = {bug};
  EXPECT_LT(RenderPage(data).size(), 30000u);
  ASSERT_TRUE(WriteBundle(folder_, bug).Ok());
  EXPECT_EQ(support::ReadFile(BundleFolder(folder_, bug) / "diagnostics.txt").Value(), line);
}

TEST_F(ReportTest, AReducedBugSpeaksOfItsSmallProgramOnly) {
  store::Bug bug = ScriptBug("rejected-valid", "");
  bug.title = "fake: error: in /tmp/ccXYZ.s line 4711";
  bug.triple = "x86_64-linux-gnu";
  bug.platform = "Linux 6.1, x86_64";
  bug.files.push_back({"diagnostics", "diagnostics.txt", "of the large program\n"});
  bug.files.push_back({"compiler", "compiler.txt", "fake version 7 (built with love)\n"});
  bug.files.push_back({"reduced", "reduced.c", "int small;\n"});
  bug.files.push_back({"reduced-diagnostics", "reduced_diagnostics.txt", "reduced.c:1: error: small\n"});
  bug.reduction = store::Reduction{.state = "done",
                                   .compile_command = "fake reduced.c",
                                   .note = "1 line",
                                   .title = "fake: rejected valid: error: small",
                                   .sanitizer = "clang finds nothing wrong",
                                   .explanation = "g is first wrong after `g = 1;`"};
  for (const std::string& text : {BugMarkdown(bug), RenderPage({.bugs = {bug}})}) {
    EXPECT_THAT(text, HasSubstr("fake: rejected valid: error: small"));
    EXPECT_THAT(text, HasSubstr("reduced.c:1: error: small"));
    EXPECT_THAT(text, HasSubstr("g is first wrong after"));
    EXPECT_THAT(text, Not(HasSubstr("of the large program")));
    EXPECT_THAT(text, Not(HasSubstr("ccXYZ")));
  }
  std::string text = BugMarkdown(bug);
  EXPECT_THAT(text, HasSubstr("`x86_64-linux-gnu`"));
  EXPECT_THAT(text, HasSubstr("Linux 6.1"));
  EXPECT_THAT(text, HasSubstr("built with love"));
  EXPECT_THAT(text, HasSubstr("clang finds nothing wrong"));
}

TEST_F(ReportTest, AnEmptyCampaignHasAPage) { EXPECT_THAT(RenderPage({}), HasSubstr("Assay campaign")); }

// The most frequent one, then what has nothing in common with it, then the rest.
TEST(RankingTest, TheMostDifferentComesFirst) {
  const auto bug = [](const char* name, const char* family, int64_t count, const char* pass, const char* constructs) {
    store::Bug one{.name = name, .kind = "wrong-output", .family = family, .count = count};
    one.triage = store::Triage{.pass = pass, .constructs = constructs};
    return one;
  };
  const std::vector<store::Bug> all = {
      bug("rare", "gcc", 1, "vrp", "loop\nshift"), bug("near", "gcc", 5, "vrp", "loop\nshift\ncall"),
      bug("often", "gcc", 9, "vrp", "loop\nshift"), bug("far", "tcc", 1, "", "union\nbit-field"),
      bug("halfway", "gcc", 2, "dse", "loop\nunion")};
  std::vector<const store::Bug*> order;
  for (const store::Bug& one : all) order.push_back(&one);
  MostDifferentFirst(order);
  std::string names;
  for (const store::Bug* one : order) names += one->name + " ";
  EXPECT_EQ(names, "often far halfway near rare ");
  std::vector<const store::Bug*> none;
  MostDifferentFirst(none);
  EXPECT_TRUE(none.empty());
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
