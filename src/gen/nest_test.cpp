#include "gen/nest.hpp"

#include <gtest/gtest.h>

#include "gen/generate.hpp"

namespace assay::gen {
namespace {

ShapeTable SumOf(const knobs::Knobs& knobs, uint64_t seeds) {
  ShapeTable sum{};
  for (uint64_t seed = 1; seed <= seeds; ++seed)
    Add(sum, Generate(seed, knobs, lang::DataModelKind::Lp64).counters.shapes);
  return sum;
}

uint64_t WrittenOf(const ShapeTable& table, WriterId of) {
  uint64_t written = 0;
  for (const ShapeRow& row : kShapes) written += row.of == of ? table[static_cast<size_t>(row.kind)].written : 0;
  return written;
}

TEST(NestTest, DefaultProgramsUseEveryShape) {
  const ShapeTable sum = SumOf({}, 1200);
  for (const ShapeRow& row : kShapes) {
    SCOPED_TRACE(row.name);
    const ShapeCounters& c = sum[static_cast<size_t>(row.kind)];
    EXPECT_LE(c.written, c.tried);
    EXPECT_GT(c.executed, 0u);
    EXPECT_TRUE(c.looped > 0 || !row.loops);
  }
}

TEST(NestTest, AStatementWithoutWeightHasNoShapes) {
  for (WriterId of : {WriterId::Nest, WriterId::Reduction, WriterId::Idiom}) {
    knobs::Knobs knobs;
    knobs.tokens = 2500;
    knobs.swarm = 0;
    knobs.*(Info(of).weight) = 0;
    EXPECT_EQ(WrittenOf(SumOf(knobs, 10), of), 0u) << Info(of).name;
    knobs.*(Info(of).weight) = 200;
    EXPECT_GT(WrittenOf(SumOf(knobs, 20), of), 20u) << Info(of).name;
  }
}

bool HasRepair(const lang::Program& program, lang::ExprId id) {
  return !lang::Walk(program, id,
                     [](const lang::Expr& e) { return e.repaired ? lang::Visited::Stop : lang::Visited::Descend; });
}

bool HasRepair(const lang::Program& program, lang::StmtId id) {
  const lang::Stmt& stmt = program.stmts[id];
  for (lang::ExprId e : {stmt.expr, stmt.init, stmt.step}) {
    if (e && HasRepair(program, e)) return true;
  }
  for (lang::BlockId body : {stmt.body, stmt.other}) {
    if (!body) continue;
    for (lang::StmtId inner : program.blocks[body].stmts) {
      if (HasRepair(program, inner)) return true;
    }
  }
  return false;
}

// What is in a loop of a nest never traps: its values have known ranges. What is left is the budget of steps.
TEST(NestTest, LoopsOfNestsNeedNoRepair) {
  knobs::Knobs knobs;
  knobs.stmt_nest = 220;
  knobs.stmt_reduction = knobs.stmt_idiom = 50;
  uint32_t loops = 0, repaired = 0;
  for (uint64_t seed = 1; seed <= 90; ++seed) {
    const Generated made = Generate(seed, knobs, lang::DataModelKind::Lp64);
    for (const WrittenShape& shape : made.shapes) {
      for (uint32_t i = shape.first_made; i < shape.end_made; ++i) {
        if (!lang::Info(made.program.stmts[StmtId(i)].kind).loop) continue;
        ++loops;
        repaired += HasRepair(made.program, StmtId(i));
      }
    }
  }
  EXPECT_GT(loops, 1000u);
  EXPECT_LE(repaired * 500, loops);  // a pointer that was set to something else after all
}

}  // namespace
}  // namespace assay::gen
