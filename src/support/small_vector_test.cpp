#include "support/small_vector.hpp"

#include <gtest/gtest.h>

namespace assay::support {
namespace {

using Few = SmallVector<uint32_t, 2>;

Few Filled(uint32_t count) {
  Few items;
  for (uint32_t i = 0; i < count; ++i) items.push_back(i * 10);
  return items;
}

TEST(SmallVector, HoldsAsManyAsAVector) {
  for (uint32_t count = 0; count < 20; ++count) {
    const Few items = Filled(count);
    ASSERT_EQ(items.size(), count);
    for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(items[i], i * 10);
    EXPECT_EQ(static_cast<uint32_t>(items.end() - items.begin()), count);
  }
}

TEST(SmallVector, CopiesShareNothing) {
  for (uint32_t count : {1u, 2u, 3u, 9u}) {
    const Few original = Filled(count);
    Few copy = original;
    EXPECT_EQ(copy, original);
    copy.back() = 7;
    EXPECT_NE(copy, original);
    EXPECT_EQ(original, Filled(count));
    copy = original;
    EXPECT_EQ(copy, original);
  }
}

TEST(SmallVector, WhatWasMovedFromCanBeUsedAgain) {
  for (uint32_t count : {1u, 2u, 3u, 9u}) {
    Few from = Filled(count);
    Few to = std::move(from);
    EXPECT_EQ(to, Filled(count));
    from = Filled(5);
    EXPECT_EQ(from, Filled(5));
    to = std::move(from);
    EXPECT_EQ(to, Filled(5));
    from = Filled(1);
    from.push_back(10);
    from.push_back(20);
    EXPECT_EQ(from, Filled(3));
  }
}

TEST(SmallVector, ShrinksAndGrowsAgain) {
  Few items = Filled(5);
  while (!items.empty()) items.pop_back();
  EXPECT_EQ(items, Few{});
  items.push_back(1);
  EXPECT_EQ(items, (Few{1}));
  EXPECT_EQ(Few(std::vector<uint32_t>{1, 2, 3}), (Few{1, 2, 3}));
}

}  // namespace
}  // namespace assay::support
