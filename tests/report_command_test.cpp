// What a campaign leaves for people, with the real program: names and texts from outside, counts, folders that cannot
// be written, a database server that goes and comes back. The compilers are small shell scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <regex>
#include <thread>

#include "report/repro.hpp"
#include "store/test_support.hpp"
#include "support/files.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using report::ShellQuote;
using testing::HasSubstr;
using testing::Not;

// Crashes on every second program, and says it with an escape sequence.
constexpr const char* kBad =
    "#!/bin/sh\nif grep -q mark \"$2\"; then printf 'internal compiler error: in \\033]0;owned\\007foo <script>' >&2; "
    "exit 4; fi\n"
    "cp \"$2\" \"$3\" && chmod +x \"$3\"\n";
constexpr const char* kGood = "#!/bin/sh\ncp \"$2\" \"$3\" && chmod +x \"$3\"\n";
constexpr const char* kMake =
    "#!/bin/sh\nprintf '#!/bin/sh\\necho %s\\n' \"$1\"\nif [ $(($1 % 2)) = 0 ]; then echo '# mark'; fi\n";

class ReportCommandTest : public testing::Test {
 protected:
  ReportCommandTest() { WriteTargets("good", "bad"); }

  void WriteScript(const std::string& name, const std::string& text) {
    ASSERT_TRUE(support::WriteFile(Path() / name, text).Ok());
    fs::permissions(Path() / name, fs::perms::owner_all);
  }
  void WriteTargets(const std::string& good, const std::string& bad) {
    WriteScript("good", kGood);
    WriteScript("bad", kBad);
    WriteScript("make", kMake);
    std::string targets;
    for (const auto& [name, file] : {std::pair(good, "good"), std::pair(bad, "bad")}) {
      targets += "[[target]]\nname = '" + name + "'\nfamily = '" + name + "'\nlanguage = \"sh\"\ncompile = \"" +
                 (Path() / file).string() +
                 " {flags} {source} {output}\"\nflags = [\"-O0\"]\ncrashes = [\"internal compiler error\"]\n"
                 "smoke_program = \"#!/bin/sh\\necho 42\\n\"\nsmoke_output = \"42\\n\"\n";
    }
    ASSERT_TRUE(support::WriteFile(Path() / "targets.toml", targets).Ok());
  }

  // Runs the command by a shell; its output is then in log_.
  int Run(const std::string& command) {
    int status = std::system(("cd " + Path().string() + " && " + command + " >log 2>&1").c_str());
    log_ = support::ReadFile(Path() / "log").Value();
    return WEXITSTATUS(status);
  }
  // The same, interrupted as soon as there is a file `enough`.
  int RunUntilEnough(const std::string& command) {
    fs::remove(Path() / "enough");
    return Run("{ " + command + " & until [ -e enough ]; do sleep 0.02; done; kill -INT $!; wait $!; }");
  }
  // What the running command has said so far.
  std::string LogSoFar() const {
    auto text = support::ReadFile(Path() / "log");
    return text ? *text : "";
  }
  // False when the condition did not come true in two minutes.
  template <typename Condition>
  static bool WaitUntil(Condition condition) {
    for (int i = 0; i < 12000 && !condition(); ++i) usleep(10000);
    return condition();
  }
  std::string Fuzz(const std::string& folder, const std::string& more) const {
    return std::string(ASSAY_PROGRAM) + " fuzz --dir " + ShellQuote(folder) + " --lang sh --targets-file targets.toml" +
           " --source-cmd '" + (Path() / "make").string() + " {seed}' --seed 0 --jobs 2 " + more;
  }
  fs::path Path() const { return folder_.Path(); }
  // The one bug's folder.
  fs::path BugFolder(const std::string& campaign) {
    for (const auto& entry : fs::directory_iterator(Path() / campaign / "bugs")) return entry.path();
    return {};
  }

  store::Folder folder_;
  std::string log_;
};

TEST_F(ReportCommandTest, CountsAgreeAndEscapeSequencesReachNobody) {
  EXPECT_EQ(Run(Fuzz("campaign", "--tests 40")), 1) << log_;
  EXPECT_THAT(log_, Not(HasSubstr("\033")));
  std::smatch compiles;
  ASSERT_TRUE(std::regex_search(log_, compiles, std::regex("compiles ([0-9,]*[0-9]), runs ([0-9,]*[0-9])"))) << log_;
  std::string page = support::ReadFile(Path() / "campaign" / "report.html").Value();
  EXPECT_THAT(page, HasSubstr("<b>" + compiles[1].str() + "</b>compiles"));
  EXPECT_THAT(page, HasSubstr("<b>" + compiles[2].str() + "</b>runs"));
  EXPECT_THAT(page, Not(HasSubstr("http-equiv")));
  EXPECT_THAT(page, Not(HasSubstr("\033")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  std::string text = support::ReadFile(BugFolder("campaign") / "bug.md").Value();
  EXPECT_THAT(text, HasSubstr("**Seen:** 20 times")) << "as it is at the end";
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  // Every command that shows what is stored.
  for (const char* command :
       {"report campaign", "report campaign --writers", "replay campaign --targets-file targets.toml"}) {
    Run(std::string(ASSAY_PROGRAM) + " " + command);
    EXPECT_THAT(log_, Not(HasSubstr("\033"))) << command;
  }
}

// A small program of which nothing is left to tell, although the guilty pass is known.
TEST_F(ReportCommandTest, WhatIsWrittenAsKnownIsTakenAsKnown) {
  if (Run("command -v sqlite3") != 0) GTEST_SKIP() << "sqlite3 is not installed";
  WriteScript("bad", "#!/bin/sh\nif grep -q mark \"$2\"; then exit 1; fi\ncp \"$2\" \"$3\" && chmod +x \"$3\"\n");
  ASSERT_EQ(Run(Fuzz("campaign", "--tests 2 --no-reduce")), 1) << log_;
  ASSERT_EQ(
      Run("sqlite3 campaign/campaign.db \"INSERT INTO reductions (bug, state, owner, heartbeat_ms, "
          "compile_command, run_command, ending, evidence, note) SELECT name, 'done', '', 0, '', '', '', '', '' "
          "FROM bugs; INSERT INTO files (bug, position, role, name, content) SELECT name, 99, 'reduced', "
          "'reduced.c', '1' FROM bugs; INSERT INTO triage (bug, flags, pass, place, others, options, words, versions, "
          "note, reason) SELECT name, '', 'tree-vrp1', '', '', '', '', '', '', '' FROM bugs\""),
      0)
      << log_;
  ASSERT_EQ(Run(std::string(ASSAY_PROGRAM) + " report campaign --known known.toml"), 0) << log_;
  EXPECT_EQ(Run(Fuzz("again", "--tests 2 --no-reduce --known known.toml")), 0) << log_;
}

TEST_F(ReportCommandTest, ThePageIsThereWhileTheCampaignRuns) {
  std::thread campaign([&] { RunUntilEnough(Fuzz("campaign", "--time 10m")); });
  EXPECT_TRUE(WaitUntil([&] {
    auto page = support::ReadFile(Path() / "campaign" / "report.html");
    return page && page->find("http-equiv=\"refresh\"") != std::string::npos;
  }));
  EXPECT_TRUE(support::WriteFile(Path() / "enough", "").Ok());
  campaign.join();
  EXPECT_THAT(support::ReadFile(Path() / "campaign" / "report.html").Value(), Not(HasSubstr("http-equiv")));
}

TEST_F(ReportCommandTest, NothingIsWrittenOutsideTheCampaign) {
  WriteTargets("good", "../../bad");
  auto before = std::distance(fs::directory_iterator(Path()), fs::directory_iterator());
  int code = Run(Fuzz("x\" y", "--tests 4"));
  EXPECT_TRUE(code == 1 || code == 2) << log_;  // found, or the name was refused
  EXPECT_LE(std::distance(fs::directory_iterator(Path()), fs::directory_iterator()), before + 2)
      << "the folder and the log";
  EXPECT_FALSE(fs::exists(Path().parent_path() / "bad"));
  WriteTargets("good", "bad #1?%41");
  EXPECT_EQ(Run(Fuzz("x\" y", "--tests 8")), 1) << log_;
  EXPECT_TRUE(fs::exists(Path() / "x\" y" / "campaign.db"));
  std::string page = support::ReadFile(Path() / "x\" y" / "report.html").Value();
  EXPECT_THAT(page, HasSubstr("href=\"bugs/bad%20%231%3F%2541-"));
}

TEST_F(ReportCommandTest, AReadOnlyCampaignIsReportedElsewhere) {
  ASSERT_EQ(Run(Fuzz("campaign", "--tests 4")), 1) << log_;
  fs::path mounted = Path() / "mounted";
  fs::create_directories(mounted);
  if (::mount("none", mounted.c_str(), "tmpfs", 0, "size=16m") != 0) {
    GTEST_SKIP() << "cannot mount a tmpfs here (needs root): a read-only folder is not tested";
  }
  fs::copy(Path() / "campaign", mounted, fs::copy_options::recursive);
  ASSERT_EQ(::mount(nullptr, mounted.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_EQ(Run(std::string(ASSAY_PROGRAM) + " report mounted"), 3) << log_;
  EXPECT_EQ(Run(std::string(ASSAY_PROGRAM) + " report mounted --out out"), 0) << log_;
  EXPECT_TRUE(fs::exists(Path() / "out" / "report.html"));
  EXPECT_TRUE(fs::exists(Path() / "out" / "bugs" / BugFolder("campaign").filename() / "repro.sh"));
  EXPECT_EQ(Run(std::string(ASSAY_PROGRAM) + " replay mounted --targets-file targets.toml"), 1) << log_;
  ::umount(mounted.c_str());
}

TEST_F(ReportCommandTest, WhatIsNoCampaignOfOursIsRefused) {
  fs::create_directories(Path() / "empty");
  ASSERT_TRUE(support::WriteFile(Path() / "empty" / "campaign.db", "").Ok());
  for (const char* command : {"report", "replay"}) {
    EXPECT_EQ(Run(std::string(ASSAY_PROGRAM) + " " + command + " empty"), 2) << log_;
    EXPECT_EQ(Run(std::string(ASSAY_PROGRAM) + " " + command + " nothing"), 2) << log_;
    EXPECT_FALSE(fs::exists(Path() / "nothing"));
  }
}

TEST_F(ReportCommandTest, AServerThatIsGoneForAWhileCostsNothing) {
  store::Server server;
  if (!server.Start("ge heim")) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  unsetenv("PGPASSWORD");
  constexpr int64_t kTests = 600;
  const std::string url = server.Url() + " password='ge heim'";
  std::thread campaign([&] {
    EXPECT_EQ(Run(Fuzz("campaign", "--tests " + std::to_string(kTests) + " --database " + ShellQuote(url))), 1) << log_;
  });
  // A test has been recorded when its bug has a folder.
  EXPECT_TRUE(WaitUntil([&] { return fs::exists(Path() / "campaign" / "bugs"); }));
  ASSERT_TRUE(server.Stop());
  EXPECT_TRUE(WaitUntil([&] { return LogSoFar().find("cannot be reached, waiting for it") != std::string::npos; }));
  ASSERT_TRUE(server.StartAgain());
  campaign.join();
  EXPECT_THAT(log_, HasSubstr("database cannot be reached, waiting for it"));
  EXPECT_THAT(log_, HasSubstr("campaign total 600 tests"));
  EXPECT_THAT(log_, Not(HasSubstr("heim")));
  EXPECT_THAT(log_, Not(HasSubstr("NOTICE")));
  EXPECT_THAT(log_, Not(HasSubstr("WARNING")));
  for (const auto& entry : fs::recursive_directory_iterator(Path() / "campaign")) {
    if (entry.is_regular_file()) {
      EXPECT_THAT(support::ReadFile(entry.path()).Value(), Not(HasSubstr("ge heim"))) << entry.path();
    }
  }
  auto store = store::Store::Open(url);
  ASSERT_TRUE(store.Ok()) << store.GetError().message;
  EXPECT_EQ((*store)->Totals()->tests, kTests);
  EXPECT_EQ((*store)->Bugs(false)->front().count, kTests / 2);
  EXPECT_EQ((*store)->Finds()->size(), static_cast<size_t>(kTests / 2));
  // Another machine: its page has folders of its own for what others have found.
  EXPECT_EQ(Run(Fuzz("other", "--tests " + std::to_string(kTests) + " --database " + ShellQuote(url))), 1) << log_;
  EXPECT_TRUE(fs::exists(Path() / "other" / "bugs" / BugFolder("campaign").filename() / "repro.sh"));
  // A server that stays away: the summary is shown all the same.
  std::thread last([&] { EXPECT_EQ(Run(Fuzz("other", "--time 20s --database " + ShellQuote(url))), 3) << log_; });
  auto before = (*store)->Totals()->tests;
  EXPECT_TRUE(WaitUntil([&] { return (*store)->Totals()->tests > before; }));
  ASSERT_TRUE(server.Stop());
  last.join();
  EXPECT_THAT(log_, HasSubstr("compiles "));
  EXPECT_THAT(log_, HasSubstr("cannot be reached"));
  EXPECT_THAT(log_, Not(HasSubstr("heim")));
  ASSERT_TRUE(server.StartAgain());
}

}  // namespace
}  // namespace assay
