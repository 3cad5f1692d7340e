#include "gen/swarm.hpp"

#include <gtest/gtest.h>

#include "gen/census.hpp"
#include "gen/generate.hpp"

namespace assay::gen {
namespace {

TEST(SwarmTest, NeverAtZeroPercent) {
  knobs::Knobs knobs;
  knobs.swarm = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    choice::Choices choices(seed);
    EXPECT_EQ(knobs::Serialize(Swarm(knobs, choices)), knobs::Serialize(knobs));
  }
}

TEST(SwarmTest, SwitchesEveryFeatureOffNowAndThenAndRaisesSome) {
  knobs::Knobs knobs;
  knobs.swarm = 100;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    uint32_t off = 0, raised = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      choice::Choices choices(seed);
      const knobs::Knobs own = Swarm(knobs, choices);
      off += own.*(row.field) == 0;
      raised += own.*(row.field) > knobs.*(row.field);
      EXPECT_LE(own.*(row.field), row.high) << row.name;
    }
    if (IsFeature(row) && row.value > 0) {
      EXPECT_GT(off, 20u) << row.name;
      EXPECT_LT(off, 120u) << row.name;
      EXPECT_TRUE(raised > 0 || row.value >= 80) << row.name;
    } else {
      EXPECT_EQ(raised, 0u) << row.name;
    }
  }
}

TEST(SwarmTest, ASwitchedOffKnobStaysOff) {
  knobs::Knobs knobs;
  knobs.swarm = 100;
  knobs.vla = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    choice::Choices choices(seed);
    EXPECT_EQ(Swarm(knobs, choices).vla, 0);
  }
}

TEST(SwarmTest, WhateverIsOffThereIsAProgram) {
  knobs::Knobs knobs;
  knobs.tokens = 1500;
  knobs.swarm = 100;
  Census census;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Generated made = Generate(seed, knobs, lang::DataModelKind::Lp64);
    EXPECT_EQ(made.result.trap.kind, machine::TrapKind::None) << seed;
    census.Add(TakeCensus(made), 0);
  }
  // Nothing is in all of them that is a feature.
  EXPECT_LT(census.Share(Construct::Switch), 90);
  EXPECT_LT(census.Share(Construct::Struct), 90);
}

}  // namespace
}  // namespace assay::gen
