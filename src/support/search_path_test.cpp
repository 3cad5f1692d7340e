#include "support/search_path.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

namespace assay::support {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SearchPathTest, OnlyAbsoluteFolders) {
  EXPECT_THAT(FoldersOf(".::/usr/bin:bin:~/bin:/bin/:"), ElementsAre("/usr/bin", "/bin/"));
  EXPECT_THAT(FoldersOf(""), IsEmpty());
}

TEST(SearchPathTest, TheFolderOfMoreCompilersComesLastIfItIsThere) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "assay-compilers";
  std::filesystem::create_directories(folder / "bin");
  setenv("ASSAY_COMPILERS", folder.c_str(), 1);
  EXPECT_EQ(FoldersOf(SearchPath()).back(), folder / "bin");
  std::filesystem::remove_all(folder);
  EXPECT_NE(FoldersOf(SearchPath()).back(), folder / "bin");
  unsetenv("ASSAY_COMPILERS");
}

}  // namespace
}  // namespace assay::support
