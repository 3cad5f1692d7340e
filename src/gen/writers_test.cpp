#include "gen/writers.hpp"

#include <gtest/gtest.h>

#include "gen/generate.hpp"

namespace assay::gen {
namespace {

WriterTable SumOf(const knobs::Knobs& knobs, uint64_t seeds) {
  WriterTable sum{};
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    Add(sum, Generate(seed, knobs, lang::DataModelKind::Lp64).counters.writers);
  }
  return sum;
}

TEST(WritersTest, DefaultProgramsUseEveryWriter) {
  WriterTable sum = SumOf({}, 500);
  knobs::Knobs strings;  // few programs have a pointer to const char
  strings.type_char = strings.const_objects = strings.string_literals = 60;
  Add(sum, SumOf(strings, 40));
  for (const WriterRow& row : kWriters) {
    SCOPED_TRACE(row.name);
    const WriterCounters& c = sum[static_cast<size_t>(row.kind)];
    EXPECT_LE(c.written, c.tried);
    EXPECT_LE(c.executed, c.written);
    if (row.kind == WriterId::Empty) continue;  // only where no other statement fits
    EXPECT_GT(c.written, 0u);
    if (IsHazard(row.kind)) {
      EXPECT_EQ(c.executed, 0u);  // it would be undefined
    } else {
      EXPECT_GT(c.executed, 0u);
    }
  }
}

TEST(WritersTest, ARowWithoutWeightIsNeverTried) {
  for (const WriterRow& row : kWriters) {
    if (row.weight == nullptr) continue;
    knobs::Knobs knobs;
    knobs.tokens = 1500;
    knobs.*(row.weight) = 0;
    EXPECT_EQ(SumOf(knobs, 3)[static_cast<size_t>(row.kind)].tried, 0u) << row.name;
  }
}

TEST(WritersTest, RepairsAreCountedWhereTheyWereNeeded) {
  uint64_t repairs = 0, traced = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Counters counters = Generate(seed, {}, lang::DataModelKind::Lp64).counters;
    repairs += counters.rewrites + counters.repairs;
    for (const WriterRow& row : kWriters) {
      if (row.of == WriterClass::Statement) traced += counters.writers[static_cast<size_t>(row.kind)].repaired;
    }
  }
  EXPECT_GT(traced, repairs * 8 / 10);  // the rest is in initialisers, and in what repairs wrote
  EXPECT_LE(traced, repairs);
}

TEST(WritersTest, AnExpressionBelongsToTheInnermostRowThatMadeIt) {
  WrittenLog log;  // an assignment of 10 + (11, 12): nodes 1 2 | 3 | 4..6 | 7
  log.Add({2, 3, 2, WriterId::Constant});
  log.Add({3, 4, 3, WriterId::Object});
  log.Add({4, 6, 5, WriterId::Comma});
  log.Add({2, 8, 7, WriterId::Binary});
  log.Add({1, 9, 0, WriterId::Assign});
  log.Add({12, 13, 1, WriterId::IncDec});
  const auto expect = [&](uint32_t node, WriterId expression, WriterId statement) {
    const WrittenLog::Origin origin = log.OriginOf(lang::ExprId(node));
    EXPECT_EQ(origin.expression, expression) << node;
    EXPECT_EQ(origin.statement, statement) << node;
  };
  expect(0, WriterId::kCount, WriterId::kCount);
  expect(1, WriterId::kCount, WriterId::Assign);
  expect(2, WriterId::Constant, WriterId::Assign);
  expect(3, WriterId::Object, WriterId::Assign);
  expect(5, WriterId::Comma, WriterId::Assign);
  expect(6, WriterId::Binary, WriterId::Assign);
  expect(8, WriterId::kCount, WriterId::Assign);
  expect(9, WriterId::kCount, WriterId::kCount);  // made by a repair
  expect(12, WriterId::kCount, WriterId::IncDec);
  expect(13, WriterId::kCount, WriterId::kCount);
}

}  // namespace
}  // namespace assay::gen
