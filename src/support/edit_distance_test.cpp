#include "support/edit_distance.hpp"

#include <gtest/gtest.h>

namespace assay::support {
namespace {

TEST(EditDistanceTest, CountsInsertionsRemovalsAndReplacements) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("token", "token"), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("tokens", "token"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("sitting", "kitten"), 3u);
}

}  // namespace
}  // namespace assay::support
