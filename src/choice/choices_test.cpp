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

TEST(ChoicesTest, WeightsGiveTheDrawsOfWeighted) {
  for (const std::array<uint32_t, 5>& weights : {std::array<uint32_t, 5>{0, 3, 0, 7, 0},
                                                 {5, 0, 0, 0, 0},
                                                 {0, 0, 0, 0, 9},
                                                 {1, 2, 3, 4, 5},
                                                 {1000000, 1, 0, 1, 2000000}}) {
    Choices a(5), b(5);
    const Weights<5> table(weights);
    EXPECT_FALSE(table.Empty());
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(table.Draw(a), b.Weighted(weights));
    EXPECT_EQ(a.Bits(), b.Bits());
  }
  EXPECT_TRUE((Weights<3>(std::array<uint32_t, 3>{}).Empty()));
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
