#include "choice/choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace assay::choice {
namespace {

TEST(ChoicesTest, TheStreamOfASeedIsFixedForever) {
  Choices choices(1);
  EXPECT_EQ(choices.Bits(), 6876848263614056737ull) << "changing this changes every program";
}

TEST(ChoicesTest, DerivedStreamsDoNotDependOnDrawsMade) {
  Choices a(7), b(7);
  a.Bits();
  EXPECT_EQ(a.Derive("x").Bits(), b.Derive("x").Bits());
  EXPECT_NE(a.Derive("x").Bits(), b.Derive("y").Bits());
}

TEST(ChoicesTest, PercentHoldsAtBothEnds) {
  Choices choices(3);
  for (int i = 0; i < 10000; ++i) {
    EXPECT_FALSE(choices.Percent(0));
    EXPECT_TRUE(choices.Percent(100));
  }
}

TEST(ChoicesTest, BetweenReachesBothEndsAndNothingElse) {
  Choices choices(4);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    int64_t x = choices.Between(-3, 3);
    ASSERT_GE(x, -3);
    ASSERT_LE(x, 3);
    low |= x == -3;
    high |= x == 3;
  }
  EXPECT_TRUE(low && high);
  choices.Between(INT64_MIN, INT64_MAX);
}

TEST(ChoicesTest, WeightedFollowsTheWeights) {
  Choices choices(5);
  std::array<int, 3> count{};
  for (int i = 0; i < 30000; ++i) ++count[choices.Weighted({1, 0, 2})];
  EXPECT_EQ(count[1], 0);
  EXPECT_NEAR(count[0], 10000, 500);
}

TEST(ChoicesTest, ShuffleKeepsTheItems) {
  Choices choices(6);
  std::vector<int> items{1, 2, 3, 4, 5};
  choices.Shuffle(items);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace assay::choice
