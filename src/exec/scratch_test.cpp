#include "exec/scratch.hpp"

#include <gtest/gtest.h>
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
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(Names(root->Path()).size(), 4u);
  EXPECT_EQ(SweepStaleScratch(root->Path()), 1);
  EXPECT_EQ(SweepStaleScratch(root->Path()), 0);
  EXPECT_EQ(Names(root->Path()).size(), 3u);
  EXPECT_TRUE(fs::exists(living->Path()));
}

}  // namespace
}  // namespace assay::exec
