#include "gen/hazards.hpp"

#include <gtest/gtest.h>

#include "gen/generate.hpp"
#include "lang/verify.hpp"

namespace assay::gen {
namespace {

knobs::Knobs With(int32_t dead_hazards) {
  knobs::Knobs knobs;
  knobs.tokens = 4000;
  knobs.dead_hazards = dead_hazards;
  knobs.stmt_bait = 30;
  return knobs;
}

TEST(HazardsTest, EveryKindIsWrittenAndNoneIsEverExecuted) {
  WriterTable sum{};
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    for (lang::DataModelKind model : {lang::DataModelKind::Lp64, lang::DataModelKind::Ilp32}) {
      Generated made = Generate(seed, With(100), model);
      for (const lang::Problem& problem : lang::Verify(made.program)) ADD_FAILURE() << lang::Describe(problem);
      Add(sum, made.counters.writers);
    }
  }
  for (const WriterRow& row : kWriters) {
    if (!IsHazard(row.kind)) continue;
    EXPECT_GT(sum[static_cast<size_t>(row.kind)].written, 0u) << row.name;
    EXPECT_EQ(sum[static_cast<size_t>(row.kind)].executed, 0u) << row.name;
  }
}

TEST(HazardsTest, NoneAtZeroPercent) {
  WriterTable sum{};
  for (uint64_t seed = 1; seed <= 20; ++seed)
    Add(sum, Generate(seed, With(0), lang::DataModelKind::Lp64).counters.writers);
  for (const WriterRow& row : kWriters) {
    // What makes a place unreachable has a share of its own: the knob `unreachable`.
    if (IsHazard(row.kind) && row.kind != WriterId::Unreachable)
      EXPECT_EQ(sum[static_cast<size_t>(row.kind)].tried, 0u) << row.name;
  }
}

// Some kinds are off in each program, others are common.
TEST(HazardsTest, EachProgramHasRatesOfItsOwn) {
  uint32_t off = 0, on = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Generated made = Generate(seed, With(100), lang::DataModelKind::Lp64);
    uint64_t all = 0;
    for (const WriterRow& row : kWriters) {
      if (IsHazard(row.kind)) all += made.counters.writers[static_cast<size_t>(row.kind)].written;
    }
    if (all < 10) continue;
    for (const WriterRow& row : kWriters) {
      if (!IsHazard(row.kind) || row.kind == WriterId::BaitedHazard) continue;
      const uint64_t written = made.counters.writers[static_cast<size_t>(row.kind)].written;
      off += written == 0;
      on += written * 12 > all;
    }
  }
  EXPECT_GT(off, 50u);
  EXPECT_GT(on, 10u);
}

}  // namespace
}  // namespace assay::gen
