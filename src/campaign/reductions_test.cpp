#include "campaign/reductions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaign/same_bug.hpp"
#include "campaign/test_support.hpp"
#include "campaign/triage_bug.hpp"
#include "report/bundle.hpp"
#include "report/words.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

// A campaign with one bug: the compiler "bad" prints 1 where a program has a marked line.
class ReductionsTest : public testing::Test {
 protected:
  ReductionsTest() {
    options_.folder = folder_.Path() / "campaign";
    options_.seed = 100;
    options_.jobs = 2;
    options_.tests = 5;  // the first one has the mark
    options_.tick_seconds = 0.05;
    std::string trouble = "if grep -q mark $source; then sed -i 's/echo/echo 1/' $source; fi";
    for (const char* name : {"good", "bad"}) {
      std::string body = CopyingCompiler(name == std::string("bad") ? trouble : "");
      targets_.push_back(ScriptTarget(name, WriteScript(folder_.Path() / name, body), {"-O0"}));
    }
    source_.reduce = [](const ReduceRequest&) -> Result<SmallProgram> { return Small("mark"); };
  }

  // A program that prints 7, with a comment.
  static SmallProgram Small(const std::string& comment) {
    return {.file = {"reduced.sh", "#!/bin/sh\necho 7 # " + comment + "\n"},
            .expected = "7\n",
            .model = "small model",
            .note = "2 lines"};
  }

  Summary Run() {
    exec::Executor executor;
    listener_.reduced.clear();
    auto summary = RunCampaign(options_, source_, targets_, executor, listener_, interrupted_);
    EXPECT_TRUE(summary.Ok()) << summary.GetError().message;
    return summary ? *summary : Summary{};
  }

  store::Bug TheBug() {
    auto store = std::move(store::Store::Open(options_.folder.string())).Value();
    auto bugs = store->Bugs(true).Value();
    std::erase_if(bugs, [](const store::Bug& bug) { return !bug.IsEntry(); });
    EXPECT_THAT(bugs, SizeIs(1));
    return bugs.empty() ? store::Bug{} : bugs[0];
  }

  int Script(const std::string& name) {
    fs::path script = report::BundleFolder(options_.folder, TheBug()) / name;
    return WEXITSTATUS(std::system(("sh " + script.string() + " >/dev/null 2>&1").c_str()));
  }

  TestFolder folder_;
  Options options_;
  std::vector<target::Target> targets_;
  PrintingSource source_{5};
  Listener listener_;
  std::atomic<bool> interrupted_ = false;
};

TEST_F(ReductionsTest, ANewBugIsReducedAndItsFolderShowsTheSmallProgram) {
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::TestsDone);
  EXPECT_EQ(summary.status.not_reduced, 0);
  ASSERT_THAT(listener_.reduced, SizeIs(1));
  store::Bug bug = TheBug();
  EXPECT_EQ(bug.reduction->state, "done") << bug.reduction->note;
  EXPECT_EQ(bug.reduction->note, "2 lines");
  EXPECT_THAT(bug.reduction->compile_command, HasSubstr("reduced.sh"));
  EXPECT_EQ(Script("repro.sh"), 0);
  EXPECT_EQ(Script("repro-original.sh"), 0);
  fs::path folder = report::BundleFolder(options_.folder, bug);
  EXPECT_THAT(support::ReadFile(folder / "reduced.sh").Value(), HasSubstr("echo 7"));
  EXPECT_THAT(support::ReadFile(folder / "bug.md").Value(), HasSubstr("echo 7 # mark"));
  EXPECT_FALSE(fs::exists(options_.folder / "reducing"));
  // The compiler is repaired: both scripts see it.
  WriteScript(folder_.Path() / "bad", CopyingCompiler());
  EXPECT_EQ(Script("repro.sh"), 1);
  EXPECT_EQ(Script("repro-original.sh"), 1);
}

// What a team has reported is counted from the moment on in which the small program tells that it is this bug. In a
// version that is said to have it fixed it is a bug, and says where it was reported.
TEST_F(ReductionsTest, AKnownBugIsRecognisedWhenItIsSmall) {
  Run();
  triage::KnownBug known{.kind = "wrong-output", .portrait = PortraitOf(TheBug()), .tracker = "https://bugs.example/1"};
  const auto run_again = [&](const std::string& fixed_in, const std::string& folder) {
    known.fixed_in = fixed_in;
    options_.known = {};
    options_.known.Add(known);
    options_.folder = folder_.Path() / folder;
    listener_.found.clear();
    return Run();
  };
  for (target::Target& target : targets_) target.version = "bad 12.2.0";
  EXPECT_EQ(run_again("", "second").status.bugs, 0);
  ASSERT_THAT(listener_.recognised, SizeIs(1));
  EXPECT_EQ(listener_.recognised[0].tracked, "https://bugs.example/1");
  EXPECT_THAT(listener_.reduced, SizeIs(0));
  EXPECT_EQ(TheBug().known, 1);
  EXPECT_EQ(TheBug().count, 1);
  EXPECT_FALSE(fs::exists(options_.folder / "bugs")) << "its folder goes when it is recognised";

  EXPECT_EQ(run_again("12.3", "third").status.bugs, 0);
  EXPECT_EQ(run_again("12.2", "fourth").status.bugs, 1) << "it is back";
  EXPECT_EQ(TheBug().known, 0);
  EXPECT_THAT(support::ReadFile(report::BundleFolder(options_.folder, TheBug()) / "bug.md").Value(),
              HasSubstr("back:** https://bugs.example/1, said to be fixed in 12.2"));
}

// The entry was wrong, and is taken out of the file: the bug is there again.
TEST_F(ReductionsTest, WhatWasRecognisedIsHeldAgainstTheFileOfToday) {
  Run();
  options_.known.Add({.kind = "wrong-output", .portrait = PortraitOf(TheBug())});
  options_.folder = folder_.Path() / "second";
  EXPECT_EQ(Run().status.bugs, 0);
  EXPECT_EQ(Run().status.bugs, 0);
  options_.known = {};
  EXPECT_EQ(Run().status.bugs, 1);
  EXPECT_EQ(TheBug().known, 0);
  EXPECT_EQ(TheBug().tracked, "");
  EXPECT_EQ(Script("repro.sh"), 0);
}

TEST_F(ReductionsTest, AProgramThatDoesNotShowTheBugIsNotBelieved) {
  source_.reduce = [](const ReduceRequest&) -> Result<SmallProgram> { return Small("nothing"); };
  EXPECT_EQ(Run().status.bugs, 1);
  EXPECT_EQ(TheBug().reduction->state, "failed");
  EXPECT_THAT(TheBug().reduction->note, HasSubstr("does not show"));
  EXPECT_EQ(Script("repro.sh"), 0) << "the original";
}

TEST_F(ReductionsTest, AMistakeOfTheReducerCostsOneReduction) {
  source_.reduce = [](const ReduceRequest&) -> Result<SmallProgram> {
    close(2);  // the message of the abort is no news for the log
    CHECK(false);
    return Small("mark");
  };
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::TestsDone) << summary.trouble;
  EXPECT_EQ(summary.status.bugs, 1);
  EXPECT_THAT(TheBug().reduction->note, HasSubstr("died"));
}

TEST_F(ReductionsTest, WhatTheReducerSaysIsKept) {
  source_.reduce = [](const ReduceRequest&) -> Result<SmallProgram> {
    return support::Error{"only shows in three files", support::ExitCode::Nothing};
  };
  Run();
  EXPECT_EQ(TheBug().reduction->state, "failed");
  EXPECT_EQ(TheBug().reduction->note, "only shows in three files");
}

TEST_F(ReductionsTest, WithoutReductionTheBugWaitsForARunWithIt) {
  options_.reduce = false;
  EXPECT_EQ(Run().status.not_reduced, 1);
  EXPECT_EQ(TheBug().reduction->state, "open");
  options_.reduce = true;
  EXPECT_EQ(Run().status.not_reduced, 0);
  EXPECT_EQ(TheBug().reduction->state, "done");
}

TEST_F(ReductionsTest, AnInterruptedReductionGoesOnFromItsBest) {
  // Writes its best and then takes for ever, the first time.
  source_.reduce = [](const ReduceRequest& request) -> Result<SmallProgram> {
    if (fs::exists(request.folder / "best")) return Small("mark, from the best");
    CHECK(support::WriteFile(request.folder / "best", "x").Ok());
    for (;;) usleep(1000);
  };
  listener_.on_progress = [&] {
    if (!fs::exists(options_.folder / "reducing")) return;
    for (const auto& entry : fs::directory_iterator(options_.folder / "reducing")) {
      if (fs::exists(entry.path() / "best")) interrupted_ = true;
    }
  };
  Summary first = Run();
  EXPECT_EQ(first.ending, Ending::Interrupted);
  EXPECT_EQ(first.status.not_reduced, 1);
  listener_.on_progress = nullptr;
  interrupted_ = false;
  EXPECT_EQ(Run().status.not_reduced, 0);
  EXPECT_EQ(TheBug().reduction->state, "done");
  EXPECT_FALSE(fs::exists(options_.folder / "reducing"));
}

TEST_F(ReductionsTest, OutOfTimeTheBestIsShownAndTheRestWaits) {
  source_.reduce = [](const ReduceRequest& request) -> Result<SmallProgram> {
    SmallProgram small = Small("mark");
    small.finished = request.seconds > 30;
    small.note = request.model;
    return small;
  };
  options_.seconds = 20;
  Summary first = Run();
  EXPECT_EQ(first.status.not_reduced, 1);
  EXPECT_EQ(Script("repro.sh"), 0);
  EXPECT_EQ(TheBug().reduction->note, "model of 100; not finished");
  options_.seconds = 0;
  EXPECT_EQ(Run().status.not_reduced, 0);
  EXPECT_EQ(TheBug().reduction->note, "small model") << "went on from what was stored";
}

TEST_F(ReductionsTest, TestingGoesOnWhileABugIsReduced) {
  // Ends when other tests have been recorded meanwhile: a worker that waited for it would not record them.
  const fs::path enough = folder_.Path() / "enough";
  source_.reduce = [&](const ReduceRequest&) -> Result<SmallProgram> {
    for (int i = 0; i < 30000 && !fs::exists(enough); ++i) usleep(1000);
    return Small("mark");
  };
  options_.tests = 40;
  int64_t tests_before = -1;
  listener_.on_progress = [&] {
    if (!fs::exists(options_.folder / "reducing") || fs::exists(enough)) return;
    auto store = std::move(store::Store::Open(options_.folder.string())).Value();
    const int64_t tests = store->Totals()->tests;
    if (tests_before < 0) tests_before = tests;
    if (tests > tests_before || tests == options_.tests) CHECK(support::WriteFile(enough, "").Ok());
  };
  Run();
  EXPECT_TRUE(fs::exists(enough)) << "the other worker waited";
  EXPECT_EQ(TheBug().reduction->state, "done");
}

// Six finds with one signature. The first two are one bug when they are small, the third is another.
TEST_F(ReductionsTest, FindsOfOneSignatureAreMergedWhenTheyAreSmallAndNotBefore) {
  source_.reduce = [](const ReduceRequest& request) -> Result<SmallProgram> {
    return Small(request.model == "model of 110" ? "mark and more" : "mark");
  };
  options_.tests = 30;
  options_.jobs = 1;
  const Summary summary = Run();
  EXPECT_EQ(summary.status.bugs, 2);
  EXPECT_EQ(summary.status.finds, 6);
  EXPECT_EQ(summary.status.not_reduced, 0);
  EXPECT_THAT(listener_.found, SizeIs(2)) << "the second is told of when it has turned out to be one";
  EXPECT_THAT(listener_.reduced, SizeIs(2));
  auto store = std::move(store::Store::Open(options_.folder.string())).Value();
  int64_t seen = 0, in_other_folder = 0;
  for (const store::Bug& bug : store->Bugs(true).Value()) {
    if (bug.IsEntry()) seen += report::TotalCount(bug);
    const fs::path folder = report::BundleFolder(options_.folder, bug);
    EXPECT_EQ(fs::exists(folder / "bug.md"), report::HasBundle(bug)) << bug.name;
    in_other_folder += folder.parent_path().filename() == "same";
    if (bug.IsEntry()) continue;
    EXPECT_THAT(bug.triage->reason, HasSubstr("the same constructs"));
    EXPECT_THAT(support::ReadFile(folder / "bug.md").Value(), HasSubstr("The same bug as:** `" + bug.same_as));
  }
  EXPECT_EQ(seen, 6) << "every find is counted once";
  EXPECT_GE(in_other_folder, 1);
}

// Two assertions that fail on programs of one shape are two bugs; so are two signals.
TEST(LikeAnotherTest, OtherFailuresAreOtherBugs) {
  store::Bug bug{.name = "one", .signature = "compiler-crash cc ICE: in foo", .kind = "compiler-crash", .family = "cc"};
  bug.language = "c";
  bug.files = {{"reduced", "reduced.c", "int main(void) { return 1 << 2; }\n"}};
  bug.reduction = store::Reduction{.state = "done", .ending = "exit 1"};
  store::Bug other = bug;
  other.name = "two";
  EXPECT_TRUE(LikeAnother(other, {bug}));
  for (const char* kind : {"compiler-crash", "rejected-valid", "compiler-hang"}) {
    bug.kind = other.kind = kind;
    other.signature = "compiler-crash cc ICE: in bar";
    EXPECT_FALSE(LikeAnother(other, {bug})) << kind;
  }
  bug.kind = other.kind = "wrong-output";
  EXPECT_TRUE(LikeAnother(other, {bug})) << "a signature is only which configurations fail";
  bug.kind = other.kind = "program-crash";
  other.reduction->ending = "signal 8 (SIGFPE)";
  EXPECT_FALSE(LikeAnother(other, {bug}));
  bug.kind = other.kind = "wrong-output";
  bug.known = 1;
  EXPECT_FALSE(LikeAnother(other, {bug})) << "it is back";
  other.known = 1;
  EXPECT_TRUE(LikeAnother(other, {bug}));
  bug.known = other.known = 0;
  bug.triage = other.triage = store::Triage{};
  other.triage->flags = "-O2";
  EXPECT_FALSE(LikeAnother(other, {bug}));
}

// The compiler was mended: nothing is to be seen of what told its bugs apart.
TEST(LikeAnotherTest, WhatIsKnownOfABugOutlivesIt) {
  store::Bug bug{.name = "one", .kind = "wrong-output"};
  TakeTriage(bug, {.flags = "-O2", .pass = "tree-vrp1", .note = "n"});
  EXPECT_EQ(bug.triage->pass, "tree-vrp1");
  TakeTriage(bug, {.note = kNotShown});
  EXPECT_EQ(bug.triage->pass, "tree-vrp1");
  EXPECT_EQ(bug.triage->flags, "-O2");
  EXPECT_EQ(bug.triage->note, kNotShown);
  TakeTriage(bug, {.flags = "-O3"});
  EXPECT_EQ(bug.triage->pass, "");
  EXPECT_EQ(bug.triage->flags, "-O3");
}

TEST(IsWorthALookTest, TheFirstFewAndMoreWhereThereIsMoreToFind) {
  EXPECT_TRUE(IsWorthALook({.members = 1, .entries = 1, .finds = 1}, true));
  EXPECT_TRUE(IsWorthALook({.members = 4, .entries = 1, .finds = 40}, true));
  EXPECT_FALSE(IsWorthALook({.members = 5, .entries = 1, .finds = 40}, true));
  EXPECT_TRUE(IsWorthALook({.members = 5, .entries = 2, .finds = 40}, true)) << "it was two bugs: there may be three";
  EXPECT_TRUE(IsWorthALook({.members = 5, .entries = 1, .finds = 64}, true)) << "never none";
  EXPECT_FALSE(IsWorthALook({.members = 2, .entries = 1, .waiting = 3, .finds = 2}, true)) << "those first";
  EXPECT_TRUE(IsWorthALook({.members = 2, .entries = 1, .waiting = 1, .finds = 2}, true));
  EXPECT_FALSE(IsWorthALook({.members = 2, .entries = 1, .waiting = 1, .finds = 2}, false)) << "it takes minutes";
}

TEST_F(ReductionsTest, StoppingAtTheFirstBugReducesIt) {
  options_.until_bug = true;
  options_.tests = store::kNoLimit;
  Summary summary = Run();
  EXPECT_EQ(summary.ending, Ending::BugFound);
  EXPECT_EQ(summary.status.not_reduced, 0);
  EXPECT_EQ(TheBug().reduction->state, "done");
}

}  // namespace
}  // namespace assay::campaign
