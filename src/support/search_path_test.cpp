#include "support/search_path.hpp"

#include <gmock/gmock.h>

namespace assay::support {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SearchPathTest, OnlyAbsoluteFolders) {
  EXPECT_THAT(FoldersOf(".::/usr/bin:bin:~/bin:/bin/:"), ElementsAre("/usr/bin", "/bin/"));
  EXPECT_THAT(FoldersOf(""), IsEmpty());
}

}  // namespace
}  // namespace assay::support
