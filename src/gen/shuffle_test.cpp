#include "gen/shuffle.hpp"

#include <gtest/gtest.h>

#include <set>

namespace assay::gen {
namespace {

using knobs::Knobs;

TEST(ShuffleTest, WithoutShufflingNothingChanges) {
  Knobs knobs;
  knobs.shuffle = 0;
  choice::Choices choices(1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Shuffled(knobs, choices), knobs);
}

TEST(ShuffleTest, SomeProgramsHaveTheCharacterOfAProfile) {
  Knobs knobs;
  choice::Choices choices(4);
  int own = 0, orange = 0;
  for (int i = 0; i < 400; ++i) {
    const Knobs mixed = Mixed(knobs, choices);
    EXPECT_EQ(mixed.tokens, knobs.tokens);
    own += mixed == knobs;
    orange += mixed.structs == 0 && mixed.stmt_switch == 0;
  }
  EXPECT_NEAR(own, 200, 40);
  EXPECT_NEAR(orange, 50, 25);
  knobs.structs = 77;  // what was asked for stays
  knobs.mix = 100;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Mixed(knobs, choices).structs, 77);
  knobs.mix = 0;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Mixed(knobs, choices), knobs);
}

TEST(ShuffleTest, WeightsMoveFarAndReachZero) {
  const Knobs knobs;
  choice::Choices choices(1);
  std::set<int32_t> seen;
  for (int i = 0; i < 300; ++i) seen.insert(Shuffled(knobs, choices).stmt_for);
  EXPECT_TRUE(seen.contains(0));
  EXPECT_TRUE(seen.contains(knobs.stmt_for));
  EXPECT_TRUE(seen.contains(knobs.stmt_for * 4));
}

TEST(ShuffleTest, WhatIsOffStaysOffAndLimitsStay) {
  Knobs knobs;
  knobs.stmt_while = 0;
  choice::Choices choices(2);
  for (int i = 0; i < 200; ++i) {
    const Knobs own = Shuffled(knobs, choices);
    EXPECT_EQ(own.stmt_while, 0);
    EXPECT_EQ(own.tokens, knobs.tokens);
    EXPECT_EQ(own.steps_per_token, knobs.steps_per_token);
    EXPECT_EQ(own.pointer_depth, knobs.pointer_depth);
    for (const knobs::KnobRow& row : knobs::Rows()) {
      EXPECT_GE(own.*(row.field), row.low) << row.name;
      EXPECT_LE(own.*(row.field), row.high) << row.name;
    }
  }
}

TEST(ShuffleTest, SomeProgramsHaveFewIntegerTypesAndAllHaveOne) {
  const Knobs knobs;
  choice::Choices choices(3);
  int few = 0;
  for (int i = 0; i < 300; ++i) {
    const Knobs own = Shuffled(knobs, choices);
    int types = 0;
    for (int32_t weight : {own.type_bool, own.type_char, own.type_short, own.type_int, own.type_long,
                           own.type_long_long, own.type_fixed, own.type_enum})
      types += weight > 0;
    EXPECT_GE(types, 1);
    few += types <= 3;
  }
  EXPECT_GT(few, 25);
  EXPECT_LT(few, 120);
}

}  // namespace
}  // namespace assay::gen
