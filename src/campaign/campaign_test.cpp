#include "campaign/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <thread>

#include "campaign/describe.hpp"
#include "campaign/replay.hpp"
#include "campaign/test_support.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CampaignTest : public testing::Test {
 protected:
  CampaignTest() {
    options_.folder = folder_.Path() / "campaign";
    options_.seed = 100;
    options_.jobs = 2;
    options_.tests = 20;
    options_.tick_seconds = 0.05;
  }

  void AddCompiler(const std::string& name, const std::string& trouble = "",
                   const std::vector<std::string>& flags = {"-O0", "-O2"}) {
    std::string script = WriteScript(folder_.Path() / name, CopyingCompiler(trouble));
    targets_.push_back(ScriptTarget(name, script, flags));
  }

  Summary Run() {
    exec::Executor executor;
    listener_.found.clear();
    listener_.folders.clear();
    auto summary = RunCampaign(options_, source_, targets_, executor, listener_, interrupted_);
    EXPECT_TRUE(summary.Ok()) << summary.GetError().message;
    return summary ? *summary : Summary{};
  }

  std::unique_ptr<store::Store> Stored() { return std::move(store::Store::Open(options_.folder.string())).Value(); }

  std::vector<store::Bug> Bugs() { return Stored()->Bugs(true).Value(); }

  static int RunRepro(const fs::path& folder) {
    return WEXITSTATUS(std::system(("sh " + (folder / "repro.sh").string() + " >/dev/null 2>&1").c_str()));
  }

  TestFolder folder_;
  Options options_;
  std::vector<target::Target> targets_;
  PrintingSource source_{5};
  Listener listener_;
  std::atomic<bool> interrupted_ = false;
};

TEST_F(CampaignTest, GoodCompilersHaveNoBugsAndIdenticalBinariesRunOnce) {
  AddCompiler("good");
  AddCompiler("fine");
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::TestsDone);
  EXPECT_EQ(summary.status.tests, 20);
  EXPECT_EQ(summary.status.bugs, 0);
  EXPECT_THAT(Bugs(), IsEmpty());
  EXPECT_EQ(summary.status.compiles_here, 80);
  EXPECT_EQ(summary.status.runs_here, 20);
  EXPECT_EQ(summary.status.runs_saved_here, 60);
  EXPECT_GT(summary.status.target_cpu_seconds, 0);
}

// As emcc does it: the output only loads what stands beside it.
TEST_F(CampaignTest, OutputsThatAreIdenticalAndStartSomethingElseAreRun) {
  AddCompiler("good");
  AddCompiler("loader",
              "case $flags in *-O2*) sed -i 's/echo \\([0-9]*\\) # mark/echo 1/' $source ;; esac\n"
              "cp $source payload; echo '#!/bin/sh\nsh ./payload' >$output; chmod +x $output; exit 0");
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].configuration, "loader -O2");
}

TEST_F(CampaignTest, WrongOutputIsOneBugWithCountBundleAndRepro) {
  AddCompiler("good");
  AddCompiler("bad",
              "case $flags in *-O2*) if grep -q mark $source; then sed -i 's/echo/echo 1/' "
              "$source; fi;; esac");
  Summary summary = Run();
  EXPECT_EQ(summary.status.bugs, 1);
  EXPECT_EQ(summary.status.finds, 4) << "seeds 100, 105, 110, 115";
  auto bugs = Bugs();
  ASSERT_THAT(bugs, SizeIs(1));
  EXPECT_EQ(bugs[0].kind, "wrong-output");
  EXPECT_EQ(bugs[0].target, "bad");
  EXPECT_EQ(bugs[0].failing, "bad -O2");
  EXPECT_EQ(bugs[0].count, 4);
  ASSERT_THAT(listener_.folders, SizeIs(1));
  EXPECT_EQ(RunRepro(listener_.folders[0]), 0);
  // The compiler is repaired: the script and the replay see it.
  exec::Executor executor;
  auto lab = std::move(Lab::Make(executor)).Value();
  EXPECT_EQ(Replay(lab, bugs[0], targets_[1])->result, Replayed::StillFailing);
  WriteScript(folder_.Path() / "bad", CopyingCompiler());
  EXPECT_EQ(RunRepro(listener_.folders[0]), 1);
  EXPECT_EQ(Replay(lab, bugs[0], targets_[1])->result, Replayed::Fixed);
  WriteScript(folder_.Path() / "bad", CopyingCompiler("echo 'internal compiler error: x' >&2; exit 4"));
  EXPECT_EQ(Replay(lab, bugs[0], targets_[1])->result, Replayed::Changed);
}

TEST_F(CampaignTest, WrongOutputOfTwoFamiliesInOneTestIsTwoBugs) {
  AddCompiler("good");
  std::string trouble = "if grep -q mark $source; then sed -i 's/echo/echo 1/' $source; fi";
  AddCompiler("bad", trouble);
  AddCompiler("worse", trouble);
  EXPECT_EQ(Run().status.bugs, 2);
  auto bugs = Bugs();
  for (const store::Bug& bug : bugs) {
    EXPECT_EQ(bug.failing, bug.target + " -O0\n" + bug.target + " -O2");
  }
}

TEST_F(CampaignTest, CrashesOfTheCompilerAreKeyedByTheirSignature) {
  AddCompiler("good");
  AddCompiler("ices",
              "if grep -q mark $source; then echo \"$source:1: internal compiler error: in foo, at "
              "bar.c:17\" >&2; exit 4; fi");
  AddCompiler("dies", "if grep -q mark $source; then kill -SEGV $$; fi");
  Summary summary = Run();
  auto bugs = Bugs();
  ASSERT_THAT(bugs, SizeIs(2)) << "one per compiler, whatever the flags";
  for (const store::Bug& bug : bugs) {
    EXPECT_EQ(bug.kind, "compiler-crash") << bug.signature;
    EXPECT_EQ(bug.count, 4);
  }
  for (const fs::path& folder : listener_.folders) EXPECT_EQ(RunRepro(folder), 0) << folder;
}

TEST_F(CampaignTest, SuccessWithoutAProgramIsACrash) {
  AddCompiler("good");
  AddCompiler("lazy", "if grep -q mark $source; then exit 0; fi");
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "compiler-crash");
  EXPECT_THAT(Bugs()[0].signature, HasSubstr("success without a program"));
  EXPECT_EQ(RunRepro(listener_.folders.at(0)), 0);
  WriteScript(folder_.Path() / "lazy", CopyingCompiler());
  EXPECT_EQ(RunRepro(listener_.folders.at(0)), 1);
}

// Nor may anyone wait for what the other end of the pipe writes.
TEST_F(CampaignTest, APipeOrAFolderIsNoProgram) {
  AddCompiler("good");
  AddCompiler("pipe", "if grep -q mark $source; then mkfifo $output; exit 0; fi");
  AddCompiler("folder", "if grep -q mark $source; then mkdir $output; exit 0; fi");
  Run();
  ASSERT_THAT(Bugs(), SizeIs(2));
  for (const store::Bug& bug : Bugs()) {
    EXPECT_THAT(bug.signature, HasSubstr("success without a program")) << bug.name;
  }
  for (const fs::path& folder : listener_.folders) EXPECT_EQ(RunRepro(folder), 0) << folder;
}

TEST_F(CampaignTest, AProgramThatCannotBeStartedIsACrash) {
  AddCompiler("good");
  AddCompiler("locked", "if grep -q mark $source; then cp $source $output; chmod 600 $output; exit 0; fi");
  AddCompiler("astray",
              "if grep -q mark $source; then echo '#!/no/such/loader' >$output; chmod +x $output; exit 0; fi");
  EXPECT_EQ(Run().status.bugs, 2);
  ASSERT_THAT(Bugs(), SizeIs(2));
  for (const store::Bug& bug : Bugs()) {
    EXPECT_EQ(bug.kind, "compiler-crash");
    EXPECT_THAT(bug.title, HasSubstr("made a program that cannot be started")) << bug.name;
    EXPECT_EQ(bug.count, 4);
  }
  for (const fs::path& folder : listener_.folders) EXPECT_EQ(RunRepro(folder), 0) << folder;
  for (const char* name : {"locked", "astray"}) WriteScript(folder_.Path() / name, CopyingCompiler());
  for (const fs::path& folder : listener_.folders) EXPECT_EQ(RunRepro(folder), 1) << folder;
}

TEST_F(CampaignTest, FlagsThatACompilerDoesNotTakeAreLearnedOnceAndKept) {
  AddCompiler("good");
  fs::path log = folder_.Path() / "rejections";
  AddCompiler("picky", "case $flags in *-fno-such*) echo x >>" + log.string() +
                           "; echo 'error: no such flag' >&2; exit 1;; esac");
  targets_[1].pools = {{.name = "pool", .bases = {}, .flags = {"-fno-such", "-fgood"}, .draw_min = 1, .draw_max = 2}};
  EXPECT_EQ(Run().status.bugs, 0);
  auto learned = Stored()->AllRejectedFlags().Value();
  ASSERT_THAT(learned, SizeIs(1));
  EXPECT_EQ(learned[0].target, "picky");
  EXPECT_EQ(learned[0].flags, "-fno-such");
  fs::remove(log);
  options_.tests = 40;
  EXPECT_EQ(Run().status.bugs, 0);
  EXPECT_FALSE(fs::exists(log)) << "drawn again after the resume";
}

TEST_F(CampaignTest, HangsOfCompilerAndProgramAreFound) {
  options_.tests = 2;
  AddCompiler("good", "", {"-O0"});
  AddCompiler("slow", "if grep -q mark $source; then sleep 100; fi", {"-O0"});
  AddCompiler("loops", "if grep -q mark $source; then sed -i 's/echo/sleep 100; echo/' $source; fi", {"-O0"});
  Run();
  std::set<std::string> kinds;
  for (const store::Bug& bug : Bugs()) kinds.insert(bug.kind);
  EXPECT_THAT(kinds, ElementsAre("compiler-hang", "program-hang"));
}

TEST_F(CampaignTest, ARejectionByOneIsABugAndByMostIsASuspect) {
  std::string reject = "if grep -q mark $source; then echo \"$source:1: error: no\" >&2; exit 1; fi";
  AddCompiler("good");
  AddCompiler("fine");
  AddCompiler("strict", reject);
  EXPECT_EQ(Run().status.bugs, 1);
  EXPECT_EQ(Bugs()[0].kind, "rejected-valid");
  EXPECT_EQ(RunRepro(listener_.folders.at(0)), 0);

  options_.folder = folder_.Path() / "second";
  WriteScript(folder_.Path() / "fine", CopyingCompiler(reject));
  EXPECT_EQ(Run().status.bugs, 0);
  for (const store::Bug& bug : Bugs()) EXPECT_EQ(bug.kind, "suspect");
  EXPECT_TRUE(fs::exists(options_.folder / "suspects"));
}

TEST_F(CampaignTest, AllAgainstTheExpectationIsOurOwnBug) {
  AddCompiler("good");
  AddCompiler("fine");
  source_.lie = 1;
  Summary summary = Run();
  EXPECT_EQ(summary.status.bugs, 0);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "suspect");
  EXPECT_EQ(Bugs()[0].count, 20);
}

TEST_F(CampaignTest, WhatDoesNotHappenAgainIsFlaky) {
  AddCompiler("good");
  AddCompiler("moody", "if grep -q mark $source && mkdir " + (folder_.Path() / "once").string() +
                           " 2>/dev/null; then echo 'internal compiler error: once' >&2; exit 4; fi");
  targets_.back().writable = {folder_.Path()};
  EXPECT_EQ(Run().status.bugs, 0);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "flaky");
}

// The configuration that is easiest to show is not always the one that fails each time.
TEST_F(CampaignTest, ASteadyConfigurationStandsForAMoodyOne) {
  AddCompiler("good");
  AddCompiler("moody", "if grep -q mark $source; then\n  case $flags in\n  *-O2*) bad=1 ;;\n  *) bad=; mkdir " +
                           (folder_.Path() / "once").string() +
                           "_$(sed -n 's/^echo \\([0-9]*\\).*/\\1/p' $source) 2>/dev/null && bad=1 ;;\n  esac\n"
                           "  if [ -n \"$bad\" ]; then sed -i 's/echo \\([0-9]*\\) # mark/echo 1/' $source; fi\nfi");
  targets_.back().writable = {folder_.Path()};
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "wrong-output");
  EXPECT_EQ(Bugs()[0].configuration, "moody -O2");
  EXPECT_EQ(Bugs()[0].failing, "moody -O2");
  EXPECT_EQ(Bugs()[0].count, 4);
}

// What it prints before may be another thing each time: addresses, process numbers.
TEST_F(CampaignTest, AnInterpreterThatPrintsAndDiesIsNotFlaky) {
  for (const char* name : {"good", "fine", "dies"}) {
    target::Target target = ScriptTarget(name, "", {""});
    const std::string trouble = "if grep -q mark $1; then echo $$; kill -SEGV $$; fi\n";
    target.kind = target::Kind::Interpreter;
    target.compile = {};
    target.run = {WriteScript(folder_.Path() / name, (name == std::string("dies") ? trouble : "") + "sh $1\n"),
                  "{source}"};
    targets_.push_back(target);
  }
  source_.know_nothing = true;
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "compiler-crash");
}

TEST_F(CampaignTest, WithoutAnExpectationTheMajorityIsRight) {
  AddCompiler("good");
  AddCompiler("fine");
  AddCompiler("bad", "sed -i 's/echo \\([0-9]*\\) # mark/echo 1/' $source");
  source_.know_nothing = true;
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].target, "bad");
  EXPECT_EQ(Bugs()[0].count, 4);
  EXPECT_EQ(RunRepro(listener_.folders.at(0)), 0);
}

TEST_F(CampaignTest, KnownBugsAreOnlyCounted) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  Run();
  options_.known.Add({.signature = Bugs().at(0).signature});
  options_.folder = folder_.Path() / "second";
  EXPECT_EQ(Run().status.bugs, 0);
  EXPECT_THAT(listener_.found, IsEmpty());
  EXPECT_EQ(Bugs().at(0).count, 4);
  EXPECT_FALSE(fs::exists(options_.folder / "bugs"));
}

TEST_F(CampaignTest, KnownBugsOfTheTargetAreOnlyCounted) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  targets_.back().known = {{.signature = "in foo", .reason = "a test"}};
  EXPECT_EQ(Run().status.bugs, 0);
  EXPECT_EQ(Bugs().at(0).count, 4);
}

// Which find of a signature comes first is chance: a known one must not swallow those that are not.
TEST_F(CampaignTest, AKnownFindHidesNoOtherOfItsSignature) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  targets_.back().known = {{.signature = "in foo", .program = "echo 100", .reason = "a test"}};
  options_.jobs = 1;
  options_.reduce = false;
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].known, 0);
  EXPECT_EQ(Bugs()[0].count, 4);
  EXPECT_EQ(Bugs()[0].first_seed, 105);
  ASSERT_THAT(listener_.found, SizeIs(1));
  EXPECT_EQ(RunRepro(listener_.folders.at(0)), 0);
}

// Two versions of a compiler in one campaign: what is back in one of them is not hidden by the other, which has it
// still.
TEST_F(CampaignTest, ABugThatIsBackInOneVersionIsNotHiddenByAnother) {
  AddCompiler("good");
  for (const char* name : {"ices-12", "ices-13"}) {
    AddCompiler(name, "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
    targets_.back().family = "ices";
  }
  targets_[1].version = "ices 12.2";
  targets_[2].version = "ices 13.1";
  options_.known.Add({.signature = "compiler-crash ices ICE: in foo", .tracker = "PR 1", .fixed_in = "13"});
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].target, "ices-13");
  EXPECT_THAT(Bugs()[0].tracked, HasSubstr("PR 1"));
  EXPECT_EQ(Bugs()[0].count, 4);
  // The same where they never have the same program.
  options_.folder = folder_.Path() / "second";
  options_.configurations = 1;
  options_.tests = 100;
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].target, "ices-13");
}

TEST_F(CampaignTest, WhatIsNotKnownAnyMoreIsFoundAgain) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  options_.known.Add({.signature = "compiler-crash ices ICE: in foo"});
  options_.tests = 10;
  EXPECT_EQ(Run().status.bugs, 0);
  EXPECT_EQ(Bugs().at(0).known, 1);
  options_.known = {};
  options_.tests = 20;
  EXPECT_EQ(Run().status.bugs, 1);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].known, 0);
  EXPECT_EQ(Bugs()[0].count, 4) << "those that were known are counted too";
  EXPECT_THAT(listener_.found, SizeIs(1));
}

// The team has reported them meanwhile: a folder that is used every night is green again.
TEST_F(CampaignTest, BugsOfEarlierRunsAreRecognisedWhenTheCampaignIsResumed) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  options_.tests = 10;
  EXPECT_EQ(Run().status.bugs, 1);
  const fs::path folder = listener_.folders.at(0);
  EXPECT_TRUE(fs::exists(folder));
  options_.known.Add({.signature = "compiler-crash ices ICE: in foo", .tracker = "PR 1"});
  options_.tests = 20;
  EXPECT_EQ(Run().status.bugs, 0);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].known, 1);
  EXPECT_EQ(Bugs()[0].count, 4);
  EXPECT_EQ(Bugs()[0].tracked, "PR 1");
  EXPECT_THAT(listener_.recognised, SizeIs(1));
  EXPECT_FALSE(fs::exists(folder));
  options_.known = {};
  options_.tests = 21;
  EXPECT_EQ(Run().status.bugs, 1) << "it is not hidden for ever";
}

TEST_F(CampaignTest, StopsAtTheFirstBugAndResumesToTheEnd) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  options_.until_bug = true;
  Summary first = Run();
  EXPECT_EQ(first.ending, Ending::BugFound);
  EXPECT_LT(first.status.tests, 20);
  options_.until_bug = false;
  options_.seed.reset();
  Summary second = Run();
  EXPECT_TRUE(listener_.plan.resumed);
  EXPECT_EQ(listener_.plan.seed, 100);
  EXPECT_EQ(second.ending, Ending::TestsDone);
  EXPECT_EQ(second.status.tests, 20);
  EXPECT_EQ(second.status.tests_here, 20 - first.status.tests);
  EXPECT_EQ(Bugs().at(0).count, 4);
  EXPECT_EQ(Run().status.tests_here, 0) << "nothing left";
}

TEST_F(CampaignTest, TimeAndInterruptsEndItSoon) {
  AddCompiler("slow", "sleep 0.2");
  options_.tests = store::kNoLimit;
  options_.seconds = 0.5;
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::TimeUp);
  EXPECT_LT(summary.status.seconds_here, 120) << "without the limit it would go on for ever";
  options_.seconds = 0;
  listener_.on_progress = [&] { interrupted_ = true; };
  EXPECT_EQ(Run().ending, Ending::Interrupted);
}

TEST_F(CampaignTest, TwoCampaignsShareAFolder) {
  AddCompiler("good");
  AddCompiler("ices", "if grep -q mark $source; then echo 'internal compiler error: in foo' >&2; exit 4; fi");
  options_.tests = 40;
  PrintingSource other_source(5);
  Listener other_listener;
  std::thread other([&] {
    exec::Executor executor;
    auto summary = RunCampaign(options_, other_source, targets_, executor, other_listener, interrupted_);
    EXPECT_TRUE(summary.Ok());
  });
  Run();
  other.join();
  std::multiset<int64_t> all = source_.made;
  all.insert(other_source.made.begin(), other_source.made.end());
  EXPECT_EQ(all.size(), 40u);
  EXPECT_EQ((std::set<int64_t>(all.begin(), all.end())).size(), 40u) << "no seed twice";
  EXPECT_EQ(Stored()->Totals()->tests, 40);
  EXPECT_EQ(Bugs().at(0).count, 8);
}

TEST_F(CampaignTest, AMissingCompilerEndsWithAClearMessage) {
  targets_.push_back(ScriptTarget("gone", "/nonexistent/compiler"));
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::Failed);
  EXPECT_THAT(summary.trouble, HasSubstr("none of the targets can be started"));
}

TEST_F(CampaignTest, ATargetThatStaysMissingIsLeftOut) {
  AddCompiler("good");
  targets_.push_back(ScriptTarget("gone", "/nonexistent/compiler"));
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::TestsDone);
  EXPECT_EQ(summary.status.tests, 20);
  EXPECT_THAT(listener_.lost, ElementsAre("gone"));
  EXPECT_THAT(Bugs(), IsEmpty());
}

TEST_F(CampaignTest, AnotherSourceOrSeedIsRefused) {
  AddCompiler("good");
  options_.tests = 1;
  Run();
  options_.seed = 7;
  exec::Executor executor;
  auto again = RunCampaign(options_, source_, targets_, executor, listener_, interrupted_);
  ASSERT_FALSE(again.Ok());
  EXPECT_EQ(again.GetError().code, support::ExitCode::Usage);
}

TEST_F(CampaignTest, ASanitizerComplaintMakesItASuspect) {
  // Real C: reads an uninitialised pointer's target only in the eyes of the "bad" compiler and of
  // the sanitizer.
  class Undefined : public ProgramSource {
    Result<std::optional<TestCase>> Make(int64_t seed) override {
      TestCase test{.seed = seed};
      test.files = {{"program.c",
                     "#include <stdio.h>\n#include <limits.h>\nint x = INT_MAX;\n"
                     "int main(void) {\n#ifdef "
                     "BAD\nputs(\"2\");\n#else\nputs(\"1\");\n#endif\nreturn x + 1 == 0; }\n"}};
      test.expectations.Add("lp64", {"1\n", 0});
      test.has_expectation = true;
      return std::optional<TestCase>(std::move(test));
    }
    std::string Description() const override { return "undefined"; }
  } source;
  for (const char* name : {"plain", "bad"}) {
    target::Target target;
    target.name = target.family = name;
    target.compile = {"gcc", "-w", "{flags}", "{source}", "-o", "{output}"};
    target.flag_lists = {{name == std::string("bad") ? "-DBAD" : "-O0"}};
    targets_.push_back(target);
  }
  options_.tests = 1;
  exec::Executor executor;
  auto summary = RunCampaign(options_, source, targets_, executor, listener_, interrupted_);
  ASSERT_TRUE(summary.Ok());
  if (listener_.plan.sanitizer.empty()) GTEST_SKIP() << "no compiler here makes sanitized programs";
  EXPECT_EQ(summary->status.bugs, 0);
  ASSERT_THAT(Bugs(), SizeIs(1));
  EXPECT_EQ(Bugs()[0].kind, "suspect");
  EXPECT_THAT(Bugs()[0].signature, HasSubstr("sanitizer"));
}

}  // namespace
}  // namespace assay::campaign
