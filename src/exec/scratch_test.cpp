#include "exec/scratch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "exec/test_support.hpp"

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

TEST(ScratchTest, IsEmptyPrivateAndGoneAtTheEnd) {
  fs::path path;
  {
    auto scratch = Scratch::Make();
    ASSERT_TRUE(scratch.Ok());
    path = scratch->Path();
    EXPECT_TRUE(fs::is_empty(path));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(path / "a/b/c");
    std::ofstream(path / "a/b/file") << "text";
    fs::permissions(path / "a/b", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchTest, EmptyKeepsTheFolder) {
  auto scratch = Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  std::ofstream(scratch->Path() / "file") << "text";
  scratch->Empty();
  EXPECT_TRUE(fs::is_empty(scratch->Path()));
}

TEST(ScratchTest, MoveHandsTheFolderOver) {
  auto first = Scratch::Make();
  ASSERT_TRUE(first.Ok());
  const fs::path path = first->Path();
  {
    Scratch second = std::move(*first);
    EXPECT_EQ(second.Path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchTest, NamesDiffer) {
  auto one = Scratch::Make(), two = Scratch::Make();
  EXPECT_NE(one->Path(), two->Path());
}

TEST(ScratchTest, AFolderThatCannotBeMadeIsAnError) {
  auto scratch = Scratch::Make("/nonexistent/place");
  ASSERT_FALSE(scratch.Ok());
  EXPECT_NE(scratch.GetError().message.find("/nonexistent/place"), std::string::npos);
}

TEST(ScratchTest, IsMadeWhereTheUserWantsIt) {
  auto root = Scratch::Make();
  ::setenv("ASSAY_SCRATCH", root->Path().c_str(), 1);
  auto inside = Scratch::Make();
  EXPECT_EQ(inside->Path().parent_path(), root->Path());
  ::setenv("ASSAY_SCRATCH", "/nosuch", 1);
  auto nowhere = Scratch::Make();
  ::unsetenv("ASSAY_SCRATCH");
  ASSERT_FALSE(nowhere.Ok());
  EXPECT_NE(nowhere.GetError().message.find("/nosuch"), std::string::npos);
}

TEST(SweepTest, TakesTheDeadAndLeavesTheLivingAndTheForeign) {
  auto root = Scratch::Make();
  ASSERT_TRUE(root.Ok());
  auto living = Scratch::Make(root->Path());
  fs::create_directory(root->Path() / "assay-notes");
  fs::create_directory(root->Path() / "assay-1-2-3-keep");
  pid_t child = ::fork();
  if (child == 0) {
    auto dead = Scratch::Make(root->Path());
    std::ofstream(dead->Path() / "file") << "text";
    ::_exit(0);  // without cleaning up
  }
  ASSERT_GT(child, 0);
  siginfo_t ended;  // a zombie for now: who ends it may take a while, and its folder does not wait for that
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(Names(root->Path()).size(), 4u);
  EXPECT_EQ(SweepStaleScratch(root->Path()), 1);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(SweepStaleScratch(root->Path()), 0);
  EXPECT_EQ(Names(root->Path()).size(), 3u);
  EXPECT_TRUE(fs::exists(living->Path()));
}

// Folders deeper than a path can be long, closed, or marked: all go, and quickly.
TEST(RemoveTreeTest, WhateverAProgramHasMade) {
  auto scratch = Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  const fs::path folder = scratch->Path() / "made";
  const std::string f = folder.string();
  ASSERT_EQ(std::system(("mkdir -p " + f + "/a/b/c " + f + "/closed/x; echo 1 > " + f + "/a/b/file; ln -s /etc " + f +
                         "/link; mkfifo " + f + "/pipe; chmod 0 " + f + "/closed/x " + f + "/closed; touch " + f +
                         "/fixed; chattr +i " + f + "/fixed 2>/dev/null; true")
                            .c_str()),
            0);
  int deepest = ::open(f.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(::mkdirat(deepest, "deeper", 0700), 0);
    const int next = ::openat(deepest, "deeper", O_RDONLY | O_DIRECTORY);
    ::close(deepest);
    deepest = next;
  }
  ::close(deepest);
  EXPECT_TRUE(RemoveTree(folder));
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder)));
  EXPECT_TRUE(fs::exists("/etc/passwd"));
  EXPECT_TRUE(RemoveTree(folder)) << "what is not there is gone";
}

TEST(ScratchTest, TheScratchFolderAPathIsIn) {
  EXPECT_EQ(EnclosingScratch("/dev/shm/assay-12-345-6/c0"), "/dev/shm/assay-12-345-6");
  EXPECT_EQ(EnclosingScratch("/dev/shm/assay-12-345-6"), "/dev/shm/assay-12-345-6");
  EXPECT_EQ(EnclosingScratch("/home/me/assay-campaign/reducing"), "/home/me/assay-campaign/reducing");
  EXPECT_EQ(EnclosingScratch(""), "");
}

}  // namespace
}  // namespace assay::exec
