// Vectors in programs: as often as the knob says, of types that the mode and the data model have, and rarely repaired.
#include "gen/vectors.hpp"

#include <gtest/gtest.h>

#include "gen/census.hpp"
#include "gen/generate.hpp"
#include "lang/constraints.hpp"
#include "lang/usage.hpp"
#include "lang/verify.hpp"

namespace assay::gen {
namespace {

knobs::Knobs Heavy() {
  knobs::Knobs knobs;
  knobs.mix = knobs.swarm = knobs.shuffle = 0;
  knobs.tokens = 3000;
  knobs.vectors = 100;
  knobs.stmt_vector = 400;
  knobs.stmt_vector_loop = knobs.stmt_vector_copy = 80;
  knobs.expr_vector = 60;
  return knobs;
}

bool HasVectors(const lang::Program& program) { return !lang::UsageOf(program).vectors.empty(); }

TEST(VectorsTest, AThirdOfTheProgramsHasThem) {
  int with = 0;
  constexpr int kPrograms = 150;
  for (uint64_t seed = 1; seed <= kPrograms; ++seed) {
    knobs::Knobs knobs;
    knobs.tokens = 1000;
    with += HasVectors(Generate(seed, knobs, lang::DataModelKind::Lp64).program);
  }
  EXPECT_GT(with, kPrograms / 4);
  EXPECT_LT(with, kPrograms / 2);
}

TEST(VectorsTest, NoneWithoutTheKnobAndNoneWhereTheModelHasNone) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    knobs::Knobs knobs = Heavy();
    EXPECT_FALSE(HasVectors(Generate(seed, knobs, lang::DataModelKind::Ip16).program));
    EXPECT_TRUE(HasVectors(Generate(seed, knobs, lang::DataModelKind::Ilp32).program));
    knobs.vectors = 0;
    EXPECT_FALSE(HasVectors(Generate(seed, knobs, lang::DataModelKind::Lp64).program));
  }
}

TEST(VectorsTest, EveryFloatingModeHasTypesOfItsOwn) {
  for (lang::FloatMode mode : {lang::FloatMode::Exact, lang::FloatMode::Robust, lang::FloatMode::Ieee}) {
    int floating = 0;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
      knobs::Knobs knobs = Heavy();
      knobs.float_exact = mode == lang::FloatMode::Exact ? 100 : 0;
      knobs.float_robust = mode == lang::FloatMode::Robust ? 100 : 0;
      knobs.float_ieee = mode == lang::FloatMode::Ieee ? 100 : 0;
      Generated made = Generate(seed, knobs, lang::DataModelKind::Lp64);
      EXPECT_TRUE(lang::Verify(made.program).empty()) << seed;
      for (lang::TypeId type : lang::UsageOf(made.program).vectors)
        floating += lang::IsFloat(made.program.types.Kind(made.program.types[type].element));
    }
    if (mode == lang::FloatMode::Robust) {
      EXPECT_EQ(floating, 0);
    } else {
      EXPECT_GT(floating, 3);
    }
  }
}

// What is written is valid by itself: rewrites and repairs of vector expressions are the exception.
TEST(VectorsTest, FewAreRepaired) {
  uint64_t written = 0, repaired = 0, attempts = 0;
  constexpr uint64_t kPrograms = 30;
  for (uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const Generated made = Generate(seed, Heavy(), lang::DataModelKind::Lp64);
    attempts += made.attempts;
    for (size_t i = 0; i < kWriterCount; ++i) {
      if (kWriters[i].of != WriterClass::Vector) continue;
      written += made.counters.writers[i].written;
      repaired += made.counters.writers[i].repaired;
    }
  }
  EXPECT_GT(written, 1000u);
  EXPECT_LT(repaired * 20, written);
  EXPECT_LE(attempts, kPrograms + kPrograms / 10);
}

}  // namespace
}  // namespace assay::gen
