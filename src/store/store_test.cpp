#include "store/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "store/owner.hpp"
#include "store/test_support.hpp"
#include "store/text.hpp"

namespace assay::store {
namespace {

namespace fs = std::filesystem;

TEST(StoreTest, TheFirstProcessNamesTheCampaignAndLaterOnesResumeIt) {
  Folder folder;
  EXPECT_FALSE(Store::Exists(folder.Path()));
  OpenCampaign(folder.Path());
  EXPECT_TRUE(Store::Exists(folder.Path()));
  auto again = Store::Open(folder.Path());
  ASSERT_TRUE(again.Ok());
  auto info = (*again)->Begin({.seed = 7, .source = "other", .created_ms = 9});
  ASSERT_TRUE(info.Ok());
  EXPECT_EQ(info->seed, 1000);
  EXPECT_EQ(info->source, "c");
}

TEST(StoreTest, RangesFollowEachOtherUpToTheLimit) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  auto a = store->Take("a", 4, 6), b = store->Take("b", 4, 6), c = store->Take("c", 4, 6);
  ASSERT_TRUE(a->lease && b->lease);
  EXPECT_EQ(a->lease->first, 0);
  EXPECT_EQ(b->lease->first, 4);
  EXPECT_EQ(b->lease->count, 2);
  EXPECT_FALSE(c->lease);
  EXPECT_TRUE(c->wait) << "the others' tests are not done yet";
}

TEST(StoreTest, ATestIsRecordedOnceAndOnlyByTheHolder) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 4)->lease;
  Lease copy = lease, stolen = lease;
  stolen.owner = "b";
  EXPECT_TRUE(store->Record(lease, {.seed = 1000})->accepted);
  EXPECT_FALSE(store->Record(copy, {.seed = 1000})->accepted) << "number 0 again";
  EXPECT_FALSE(store->Record(stolen, {.seed = 1000})->accepted);
  EXPECT_EQ(store->Totals()->tests, 1);
}

TEST(StoreTest, WhatIsGivenBackIsTakenFirst) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 4)->lease;
  ASSERT_TRUE(store->Record(lease, {.seed = 1000})->accepted);
  EXPECT_EQ(store->Take("b", 4)->lease->first, 4);
  ASSERT_TRUE(store->Release("a").Ok());
  Lease rest = *store->Take("b", 4)->lease;
  EXPECT_EQ(rest.Next(), 1);
  EXPECT_FALSE(store->Record(lease, {.seed = 1001})->accepted) << "a lost its lease";
  EXPECT_TRUE(store->Record(rest, {.seed = 1001})->accepted);
}

TEST(StoreTest, FindsOfOneBugAreCountedAndItsFilesStoredOnce) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 4)->lease;
  TestRecord first{.seed = 1000, .counters = {{"compiles", 3}}, .finds = {SomeBug("one"), SomeBug("two")}};
  TestRecord second{.seed = 1001, .counters = {{"compiles", 2}}, .finds = {SomeBug("one")}};
  EXPECT_THAT(store->Record(lease, first)->new_bugs, testing::ElementsAre("one", "two"));
  EXPECT_THAT(store->Record(lease, second)->new_bugs, testing::IsEmpty());
  auto bugs = store->Bugs(true);
  ASSERT_EQ(bugs->size(), 2u);
  EXPECT_EQ((*bugs)[0].count, 2);
  EXPECT_EQ((*bugs)[0].first_seed, 1000);
  EXPECT_EQ((*bugs)[0].files.size(), 2u);
  EXPECT_EQ((*bugs)[0].files[0].content, "int main(void) { return 0; }\n");
  EXPECT_EQ(store->Finds()->size(), 3u);
  EXPECT_EQ(store->Totals()->finds, 3);
  EXPECT_EQ(store->Totals()->bugs, 2);
}

TEST(StoreTest, KnownBugsAreCountedButNotStoredAndSuspectsAreNotFinds) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 4)->lease;
  Bug known = SomeBug("known"), suspect = SomeBug("suspect");
  known.known = 1;
  suspect.kind = "suspect";
  ASSERT_TRUE(store->Record(lease, {.seed = 1000, .finds = {known, suspect}})->accepted);
  EXPECT_EQ(store->Totals()->bugs, 0);
  EXPECT_EQ(store->Totals()->finds, 1);
  auto bugs = store->Bugs(true);
  for (const Bug& bug : *bugs) EXPECT_EQ(bug.files.empty(), bug.name == "known");
}

TEST(StoreTest, BytesThatAreNotTextAreKeptReadable) {
  EXPECT_EQ(CleanText(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(CleanText("\xff\xc3\xa4\xed\xa0\x80"), "\\xff\xc3\xa4\\xed\\xa0\\x80");
}

TEST(StoreTest, SamplesRunsAndConfigurationsComeBack) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  ASSERT_TRUE(store->AddSample().Ok());
  ASSERT_TRUE(store->SaveRun({.owner = "me", .started_ms = 1, .jobs = 2}).Ok());
  ASSERT_TRUE(store->SaveRun({.owner = "me", .started_ms = 1, .ended_ms = 9, .jobs = 2, .tests = 5}).Ok());
  ASSERT_TRUE(store->SaveConfigurations({{"tcc -O0", "tcc", "0.9.27", "-O0", "LP64"}}).Ok());
  EXPECT_EQ(store->Samples()->size(), 1u);
  ASSERT_EQ(store->Runs()->size(), 1u);
  EXPECT_EQ(store->Runs()->front().tests, 5);
  EXPECT_EQ(store->Configurations()->front().version, "0.9.27");
}

TEST(StoreTest, ADeadOwnerIsRecognisedAndALiveOneIsNot) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t pid = Fork([&] {
    std::string name = NewOwner();
    if (write(ends[1], name.data(), name.size()) < 0) _exit(1);
    pause();
  });
  char name[256] = {};
  ASSERT_GT(read(ends[0], name, sizeof name - 1), 0);
  EXPECT_FALSE(OwnerIsGone(name));
  EXPECT_FALSE(OwnerIsGone(NewOwner()));
  EXPECT_FALSE(OwnerIsGone("elsewhere 0 pid:[1] 1 1 1")) << "another machine: only the heartbeat tells";
  kill(pid, SIGKILL);
  Wait(pid);
  EXPECT_TRUE(OwnerIsGone(name));
}

TEST(StoreTest, ProcessesThatAreKilledLoseNothingAndRepeatNothing) {
  constexpr int64_t kTests = 300;
  Folder folder;
  OpenCampaign(folder.Path());
  auto worker = [&] {
    auto store = OpenCampaign(folder.Path());
    WorkUntilDone(*store, NewOwner(), kTests, 500);
  };
  for (int round = 0; round < 20; ++round) {
    pid_t a = Fork(worker), b = Fork(worker);
    usleep(3000 + round * 1700);
    kill(a, SIGKILL);
    kill(b, SIGKILL);
    Wait(a);
    Wait(b);
  }
  pid_t a = Fork(worker), b = Fork(worker);
  EXPECT_EQ(Wait(a), 0);
  EXPECT_EQ(Wait(b), 0);
  auto store = OpenCampaign(folder.Path());
  EXPECT_EQ(store->Totals()->tests, kTests);
  EXPECT_EQ(store->Totals()->finds, kTests / 10);
  std::set<int64_t> seeds;
  auto finds = store->Finds();
  for (const Find& find : *finds) seeds.insert(find.seed);
  EXPECT_EQ(seeds.size(), static_cast<size_t>(kTests / 10));
  EXPECT_EQ(store->Bugs(false)->front().count, kTests / 10);
  int64_t next = 0;
  auto ranges = store->Ranges();
  for (const Lease& range : *ranges) {
    EXPECT_EQ(range.first, next);
    EXPECT_TRUE(range.Finished());
    next = range.first + range.count;
  }
  EXPECT_EQ(next, kTests);
}

TEST(StoreTest, AFullDiskIsAnErrorThatLosesNothing) {
  Folder folder;
  if (mount("tmpfs", folder.Path().c_str(), "tmpfs", 0, "size=600k") != 0) {
    GTEST_SKIP() << "cannot mount a small tmpfs here (needs root): the full disk is not tested";
  }
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 1000)->lease;
  Bug big = SomeBug("big");
  big.files[0].content = std::string(20000, 'x');
  int64_t recorded = 0;
  std::string message;
  for (int i = 0; i < 100 && message.empty(); ++i) {
    big.name = "bug" + std::to_string(i);
    auto result = store->Record(lease, {.seed = 1000 + i, .finds = {big}});
    if (result.Ok()) {
      ++recorded;
    } else {
      message = result.GetError().message;
    }
  }
  EXPECT_GT(recorded, 0);
  EXPECT_THAT(message, testing::HasSubstr("full"));
  EXPECT_EQ(lease.done, recorded);
  ASSERT_EQ(mount("tmpfs", folder.Path().c_str(), "tmpfs", MS_REMOUNT, "size=8m"), 0);
  auto result = store->Record(lease, {.seed = 2000, .finds = {big}});
  ASSERT_TRUE(result.Ok()) << result.GetError().message;
  store.reset();
  store = OpenCampaign(folder.Path());
  EXPECT_EQ(store->Totals()->tests, recorded + 1);
  EXPECT_EQ(static_cast<int64_t>(store->Bugs(false)->size()), recorded + 1);
  store.reset();
  EXPECT_EQ(umount(folder.Path().c_str()), 0);
}

TEST(StoreTest, AReductionIsHeldByOneAndTakenOverFromTheDead) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 10)->lease;
  Bug bug = SomeBug("tcc-1");
  EXPECT_EQ(store->Record(lease, {.seed = 1, .finds = {bug}})->new_bugs.size(), 1u);
  EXPECT_EQ(store->OpenReductions().Value(), 0) << "no model: cannot be reduced";
  bug = SomeBug("tcc-2");
  bug.files.push_back({"model", "model.txt", "m"});
  ASSERT_TRUE(store->Record(lease, {.seed = 2, .finds = {bug}}).Ok());
  EXPECT_EQ(store->OpenReductions().Value(), 1);

  // A process that takes it and dies.
  EXPECT_EQ(Wait(Fork([&] {
              auto own = Store::Open(folder.Path());
              auto taken = (*own)->TakeReduction(NewOwner());
              _exit(taken.Ok() && *taken ? 7 : 1);
            })) >>
                8,
            7);
  std::string me = NewOwner();
  auto taken = store->TakeReduction(me);
  ASSERT_TRUE(taken.Ok() && taken->has_value());
  EXPECT_EQ((*taken)->name, "tcc-2");
  EXPECT_EQ((*taken)->files.size(), 3u);
  EXPECT_FALSE(store->TakeReduction(me)->has_value());
  EXPECT_FALSE(store->TakeReduction(NewOwner())->has_value()) << "we live";
  Bug reduced = **taken;
  reduced.reduction = Reduction{.state = "done", .compile_command = "cc reduced.c", .note = "3 lines"};
  EXPECT_FALSE(store->SaveReduction("other", reduced, NoneLike).Value());
  reduced.files.push_back({"reduced", "reduced.c", "x"});
  EXPECT_TRUE(store->SaveReduction(me, reduced, NoneLike).Value());
  EXPECT_EQ(store->OpenReductions().Value(), 0);
  auto bugs = store->Bugs(true).Value();
  for (const Bug& stored : bugs) {
    EXPECT_EQ(stored.reduction.has_value(), stored.name == "tcc-2");
    if (stored.reduction) {
      EXPECT_EQ(stored.reduction->compile_command, "cc reduced.c");
      EXPECT_EQ(stored.files.back().role, "reduced");
    }
  }
}

TEST(StoreTest, ABugThatIsRecognisedWhenItIsReducedIsNotCountedAnyMore) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  const std::string me = NewOwner();
  Lease lease = *store->Take(me, 1, 1)->lease;
  Bug bug = SomeBug("one");
  bug.files.push_back({"model", "model.txt", "m"});
  ASSERT_TRUE(store->Record(lease, {.seed = 0, .finds = {bug}}).Ok());
  EXPECT_EQ(store->Totals()->bugs, 1);
  bug = *store->TakeReduction(me).Value();
  bug.reduction->state = "done";
  bug.known = 1;
  bug.tracked = "PR 1";
  EXPECT_TRUE(store->SaveReduction(me, bug, NoneLike).Value());
  EXPECT_EQ(store->Totals()->bugs, 0);
  EXPECT_EQ(store->BugsByKind()->count("wrong-output"), 0u);
  EXPECT_EQ(store->BugNamed("one").Value()->tracked, "PR 1");
  EXPECT_TRUE(store->SaveTriage(bug, NoneLike).Ok());
  EXPECT_EQ(store->Totals()->bugs, 0) << "counted off once";
}

// Of three finds with one signature the second turns out to be the first, the third to be another bug.
TEST(StoreTest, AFindIsHeldAgainstTheOthersWhenItIsReduced) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  const std::string me = NewOwner();
  Lease lease = *store->Take(me, 3, 3)->lease;
  for (int i = 0; i < 3; ++i) {
    Bug bug = SomeBug(i == 0 ? "one" : "one-s" + std::to_string(i));
    bug.signature = "sig one";
    if (i > 0) bug.same_as = "one";
    bug.files.push_back({"model", "model.txt", "m"});
    ASSERT_TRUE(store->Record(lease, {.seed = i, .finds = {bug}}).Ok());
  }
  EXPECT_EQ(store->Totals()->bugs, 1) << "what is only supposed to be another is not counted as a bug";
  EXPECT_EQ(store->BugsByKind()->at("wrong-output"), 1);
  auto reduce = [&](const std::string& name, const Store::FindLike& find_like) {
    Bug bug = *store->TakeReduction(me).Value();
    EXPECT_EQ(bug.name, name);
    bug.reduction->state = "done";
    bug.triage = Triage{.flags = "-O2", .pass = "tree-vrp", .note = "n"};
    bug.files.push_back({"reduced", "reduced.c", name});
    EXPECT_TRUE(store->SaveReduction(me, bug, find_like).Value());
    return bug;
  };
  Bug other = SomeBug("one");
  other.family = "pcc";
  EXPECT_EQ(store->ClassOf(other)->waiting, 0) << "of another family";
  EXPECT_EQ(store->ClassOf(*store->BugNamed("one").Value())->waiting, 3);
  EXPECT_TRUE(reduce("one", NoneLike).IsEntry());
  Bug second = reduce("one-s1", [&](const std::vector<Bug>& entries) {
    EXPECT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries.at(0).files.back().content, "one");
    return Store::Likeness{entries.at(0).name, "they look the same"};
  });
  EXPECT_EQ(second.same_as, "one");
  EXPECT_TRUE(reduce("one-s2", NoneLike).IsEntry());
  EXPECT_EQ(store->Totals()->bugs, 2);
  const Store::Class all = store->ClassOf(second).Value();
  EXPECT_EQ(all.members, 3);
  EXPECT_EQ(all.entries, 2);
  EXPECT_EQ(all.waiting, 0);
  EXPECT_EQ(all.finds, 3);
  for (const Bug& bug : store->Bugs(false).Value()) {
    ASSERT_TRUE(bug.triage.has_value());
    EXPECT_EQ(bug.triage->pass, "tree-vrp");
    EXPECT_EQ(bug.twins.size(), bug.name == "one" ? 1u : 0u);
    if (bug.name == "one") EXPECT_EQ(bug.twins.at(0).reason, "they look the same");
  }
  // Looked at again, the first is the third: who was taken for it goes with it.
  Bug first = *store->BugNamed("one").Value();
  ASSERT_TRUE(store->SaveTriage(first, [](const auto&) { return Store::Likeness{"one-s2", "so it seems"}; }).Ok());
  EXPECT_EQ(store->Totals()->bugs, 1);
  EXPECT_EQ(store->BugNamed("one-s2").Value()->twins.size(), 2u);
}

TEST(StoreTest, RejectedFlagsAreKept) {
  Folder folder;
  auto store = OpenCampaign(folder.Path());
  EXPECT_TRUE(store->SaveRejectedFlags({"gcc-12", "-fa -fb"}).Ok());
  EXPECT_TRUE(store->SaveRejectedFlags({"gcc-12", "-fa -fb"}).Ok());
  store.reset();
  auto stored = OpenCampaign(folder.Path())->AllRejectedFlags().Value();
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].flags, "-fa -fb");
}

TEST(StoreTest, TheSameStoreSpeaksToPostgreSql) {
  Server server;
  if (!server.Start()) GTEST_SKIP() << "PostgreSQL's server is not installed here";
  Folder folder;
  ASSERT_TRUE(Store::UseServer(folder.Path(), server.Url()).Ok());
  EXPECT_TRUE(Store::Exists(folder.Path()));
  EXPECT_FALSE(Store::UseServer(folder.Path(), "postgresql://dbname=other").Ok());
  auto store = OpenCampaign(folder.Path());
  Lease lease = *store->Take("a", 4, 6)->lease;
  TestRecord test{.seed = 1000, .tallies = {{"tcc", "ok", 2}}, .finds = {SomeBug("one")}};
  EXPECT_THAT(store->Record(lease, test)->new_bugs, testing::ElementsAre("one"));
  Lease copy = lease;
  EXPECT_THAT(store->Record(lease, test)->new_bugs, testing::IsEmpty());
  EXPECT_FALSE(store->Record(copy, test)->accepted);
  EXPECT_TRUE(store->Heartbeat("a").Ok() && store->AddSample().Ok() && store->Release("a").Ok());
  EXPECT_TRUE(store->SaveRun({.owner = "me"}).Ok());
  EXPECT_TRUE(store->SaveConfigurations({{"tcc", "tcc", "1", "", "lp64"}}).Ok());
  EXPECT_EQ(store->Totals()->tests, 2);
  EXPECT_EQ(store->Bugs(true)->front().count, 2);
  EXPECT_EQ(store->Bugs(true)->front().files.size(), 2u);
  EXPECT_EQ(store->Tallies()->front().amount, 4);
  EXPECT_EQ(store->Take("b", 4, 6)->lease->Next(), 2);
  // Reductions and what was learned.
  Bug bug = SomeBug("two");
  bug.files.push_back({"model", "model.txt", "m"});
  Lease other = *store->Take("c", 4, 60)->lease;
  ASSERT_TRUE(store->Record(other, {.seed = 9, .finds = {bug}}).Ok());
  EXPECT_EQ(store->OpenReductions().Value(), 1);
  bug = *store->TakeReduction("c").Value();
  EXPECT_EQ(bug.name, "two");
  bug.reduction->state = "done";
  bug.triage = Triage{.pass = "tree-vrp"};
  bug.files.push_back({"reduced", "reduced.c", "x"});
  EXPECT_TRUE(store->SaveReduction("c", bug, NoneLike).Value());
  EXPECT_EQ(store->BugNamed("two").Value()->triage->pass, "tree-vrp");
  EXPECT_EQ(store->ClassOf(bug)->members, 1);
  EXPECT_TRUE(store->SaveTriage(bug, NoneLike).Ok());
  EXPECT_EQ(store->OpenReductions().Value(), 0);
  EXPECT_TRUE(store->SaveRejectedFlags({"gcc", "-fx"}).Ok());
  EXPECT_EQ(store->AllRejectedFlags()->size(), 1u);
  // Several processes at once: nothing twice, nothing lost.
  EXPECT_TRUE(store->Release("b").Ok() && store->Release("c").Ok());
  std::vector<pid_t> workers;
  for (int i = 0; i < 3; ++i) {
    workers.push_back(Fork([&] {
      auto own = Store::Open(folder.Path());
      if (!own.Ok()) _exit(2);
      WorkUntilDone(**own, NewOwner(), 60);
    }));
  }
  for (pid_t pid : workers) EXPECT_EQ(Wait(pid), 0);
  EXPECT_EQ(store->Totals()->tests, 60);
}

}  // namespace
}  // namespace assay::store
