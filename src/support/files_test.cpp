#include "support/files.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace assay::support {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("assay-files-test-{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(FilesTest, WritesWholeFilesAndLeavesNothingElse) {
  ASSERT_TRUE(WriteFile(folder_ / "a", "one").Ok());
  ASSERT_TRUE(WriteFile(folder_ / "a", "two").Ok());
  EXPECT_EQ(ReadFile(folder_ / "a").Value(), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(FilesTest, FollowsLinks) {
  ASSERT_TRUE(WriteFile(folder_ / "target", "old").Ok());
  fs::create_symlink(folder_ / "target", folder_ / "link");
  ASSERT_TRUE(WriteFile(folder_ / "link", "new").Ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(ReadFile(folder_ / "target").Value(), "new");
}

TEST_F(FilesTest, NeverReplacesADevice) {
  // A link to the device: if the rule were broken, the link would be replaced and not the machine's /dev/null.
  fs::create_symlink("/dev/null", folder_ / "null");
  ASSERT_TRUE(WriteFile(folder_ / "null", "text").Ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, RemovesWhatAKilledWriterLeft) {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
  fs::create_directory(folder_ / "inner");
  const fs::path left = folder_ / "inner" / fmt::format("report.html.tmp{}", dead);
  const fs::path ours = folder_ / fmt::format("report.html.tmp{}", ::getpid());
  const fs::path other = folder_ / "notes.tmp7x";
  for (const fs::path& path : {left, ours, other}) ASSERT_TRUE(WriteFile(path, "half").Ok());
  RemoveStaleTemporaries(folder_);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(ours)) << "its writer lives";
  EXPECT_TRUE(fs::exists(other)) << "not a name of ours";
  RemoveStaleTemporaries(folder_ / "missing");
}

TEST_F(FilesTest, SaysWhatCannotBeDone) {
  const Result<void> result = WriteFile(folder_ / "missing" / "file", "x");
  ASSERT_FALSE(result.Ok());
  EXPECT_EQ(result.GetError().code, ExitCode::Environment);
  for (const fs::path& no_file : {folder_ / "none", folder_, fs::path("/dev/null/x")}) {
    EXPECT_EQ(ReadFile(no_file).GetError().code, ExitCode::Usage) << no_file;
  }
  EXPECT_EQ(ReadFile("/proc/self/mem").GetError().code, ExitCode::Environment);
}

TEST_F(FilesTest, AFileWithoutEndIsNotRead) {
  std::ofstream(folder_ / "sparse") << "x";
  fs::resize_file(folder_ / "sparse", uintmax_t{1} << 40);
  for (const fs::path& endless : {folder_ / "sparse", fs::path("/dev/zero")}) {
    const Result<std::string> text = ReadFile(endless);
    ASSERT_FALSE(text.Ok());
    EXPECT_EQ(text.GetError().code, ExitCode::Environment);
    EXPECT_NE(text.GetError().message.find("larger than 256 MiB"), std::string::npos) << text.GetError().message;
  }
}

}  // namespace
}  // namespace assay::support
