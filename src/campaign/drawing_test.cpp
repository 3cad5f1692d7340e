#include "campaign/drawing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::campaign {
namespace {

using testing::SizeIs;

// Two targets with three levels each, one of them with a pool.
std::vector<target::Target> TwoTargets() {
  std::vector<target::Target> targets(2);
  for (size_t i = 0; i < 2; ++i) {
    targets[i].name = i == 0 ? "a" : "b";
    targets[i].flag_lists = {{"-O0"}, {"-O1"}, {"-O2"}};
  }
  targets[1].pools = {{.name = "p", .flags = {"-x", "-y"}, .draw_min = 1, .draw_max = 2}};
  return targets;
}

bool Anyone(const target::Target&, const target::FlagPool*) { return true; }

std::vector<oracle::Outcome> Took(const Drawing::Choice& choice, double seconds) {
  std::vector<oracle::Outcome> outcomes;
  for (const auto& configuration : choice.configurations) {
    outcomes.push_back({.configuration = configuration});
    outcomes.back().compile = exec::Observation{.cpu_seconds = seconds};
  }
  return outcomes;
}

TEST(DrawingTest, AllMeansAll) {
  const auto targets = TwoTargets();
  const target::FlagKnowledge flags;
  Drawing all(targets, 0, true), few(targets, 2, true);
  EXPECT_THAT(all.Draw(1, false, flags, Anyone).configurations, SizeIs(7));
  EXPECT_THAT(few.Draw(1, true, flags, Anyone).configurations, SizeIs(7)) << "without an expectation";
  EXPECT_THAT(all.Draw(1, false, flags, [](const auto& t, const auto*) { return t.name == "a"; }).configurations,
              SizeIs(3));
}

TEST(DrawingTest, ByTurnsEveryConfigurationOnceInARow) {
  const auto targets = TwoTargets();
  const target::FlagKnowledge flags;
  Drawing drawing(targets, 2, false), other(targets, 2, false);
  std::set<std::vector<size_t>> orders;
  for (int64_t row = 0; row < 20; ++row) {
    std::multiset<size_t> met;
    std::vector<size_t> order;
    for (int64_t seed = row * 4; seed < row * 4 + 4; ++seed) {
      const auto choice = drawing.Draw(seed, false, flags, Anyone);
      ASSERT_THAT(choice.configurations, SizeIs(2));
      EXPECT_EQ(choice.configurations, other.Draw(seed, false, flags, Anyone).configurations);
      met.insert(choice.arms.begin(), choice.arms.end());
      order.insert(order.end(), choice.arms.begin(), choice.arms.end());
    }
    EXPECT_EQ(std::set<size_t>(met.begin(), met.end()).size(), 7u);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10u) << "each row has an order of its own";
}

TEST(DrawingTest, TheFirstProgramGoesToEveryTarget) {
  const auto targets = TwoTargets();
  const target::FlagKnowledge flags;
  Drawing drawing(targets, 1, true);
  const auto first = drawing.Draw(7, false, flags, Anyone);
  ASSERT_THAT(first.configurations, SizeIs(2));
  EXPECT_NE(first.configurations[0].target, first.configurations[1].target);
  EXPECT_THAT(drawing.Draw(8, false, flags, Anyone).configurations, SizeIs(1));
}

TEST(DrawingTest, WhatFindsMoreForItsTimeIsDrawnMoreOftenAndNothingIsForgotten) {
  const auto targets = TwoTargets();
  const target::FlagKnowledge flags;
  Drawing drawing(targets, 2, true);
  constexpr int kPrograms = 2000;
  std::vector<int> drawn(7, 0);
  for (int64_t seed = 0; seed < kPrograms; ++seed) {
    const auto choice = drawing.Draw(seed, false, flags, Anyone);
    std::vector<bool> paid;
    for (size_t arm : choice.arms) {
      ++drawn[arm];
      paid.push_back(arm == 4 && seed % 10 == 0);
    }
    drawing.Learn(choice, Took(choice, 0.1), paid);
  }
  for (size_t arm = 0; arm < 7; ++arm) {
    EXPECT_GT(drawn[arm], kPrograms / 100) << arm;
    if (arm != 4) EXPECT_GT(drawn[4], 2 * drawn[arm]) << arm;
  }
}

TEST(DrawingTest, WhatIsCheapIsDrawnMoreOften) {
  const auto targets = TwoTargets();
  const target::FlagKnowledge flags;
  Drawing drawing(targets, 1, true);
  std::vector<int> drawn(7, 0);
  for (int64_t seed = 0; seed < 2000; ++seed) {
    const auto choice = drawing.Draw(seed, false, flags, Anyone);
    for (size_t arm : choice.arms) ++drawn[arm];
    auto outcomes = Took(choice, 0);
    for (size_t i = 0; i < outcomes.size(); ++i) outcomes[i].compile->cpu_seconds = choice.arms[i] < 3 ? 0.01 : 0.1;
    drawing.Learn(choice, outcomes, std::vector<bool>(outcomes.size(), false));
  }
  EXPECT_GT(drawn[0] + drawn[1] + drawn[2], 2 * (drawn[3] + drawn[4] + drawn[5] + drawn[6]));
}

}  // namespace
}  // namespace assay::campaign
