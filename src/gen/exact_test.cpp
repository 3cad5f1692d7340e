#include "gen/exact.hpp"

#include <gtest/gtest.h>

#include "gen/generate.hpp"

namespace assay::gen {
namespace {

using lang::DataModelKind;

// Only statements of exactly so many operators.
knobs::Knobs Only(int32_t operators, int32_t depth) {
  knobs::Knobs knobs;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.group == "statements") knobs.*(row.field) = 0;
  }
  knobs.shuffle = knobs.swarm = knobs.byte_accesses = knobs.raw_indices = 0;
  knobs.mix = 0;
  knobs.stmt_exact = 100;
  knobs.exact_operators = operators;
  knobs.exact_depth = depth;
  knobs.tokens = 3000;
  knobs.unions = knobs.pointers = knobs.structs = knobs.function_pointers = 0;
  return knobs;
}

struct Measured {
  uint32_t operators = 0, depth = 0, constants = 0;
  bool repaired = false;  // with a counter or a call inside
};

Measured Measure(const lang::Program& program, lang::ExprId id) {
  const lang::Expr& e = program.exprs[id];
  Measured sum;
  switch (e.kind) {
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional: break;
    case ExprKind::Constant: return {.constants = 1};
    case ExprKind::Cast: return Measure(program, e.lhs);
    case ExprKind::Variable:
    case ExprKind::Index: return {};
    default: return {.repaired = true};
  }
  lang::ForEachChild(program, e, [&](lang::ExprId child) {
    const Measured m = Measure(program, child);
    sum.operators += m.operators;
    sum.depth = std::max(sum.depth, m.depth);
    sum.constants += m.constants;
    sum.repaired = sum.repaired || m.repaired;
  });
  ++sum.operators;
  ++sum.depth;
  return sum;
}

// The right sides of the assignments to globals.
std::vector<Measured> Expressions(const lang::Program& program) {
  std::vector<Measured> found;
  for (const lang::Stmt& stmt : program.stmts) {
    if (stmt.kind != StmtKind::Expr || program.exprs[stmt.expr].kind != ExprKind::Assign) continue;
    const Measured measured = Measure(program, program.exprs[stmt.expr].rhs);
    if (!measured.repaired) found.push_back(measured);
  }
  return found;
}

TEST(ExactTest, ExpressionsHaveAsManyOperatorsAsAskedFor) {
  for (const auto& [operators, depth] : {std::pair{1, 0}, {5, 5}, {16, 0}, {40, 12}, {200, 0}, {200, 30}}) {
    knobs::Knobs knobs = Only(operators, depth);
    knobs.insert_variables = 100;
    uint32_t all = 0, exact = 0, inserted = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      for (const Measured& m : Expressions(Generate(seed, knobs, DataModelKind::Lp64).program)) {
        ++all;
        exact += m.operators == static_cast<uint32_t>(operators);
        inserted += m.operators - static_cast<uint32_t>(operators);
        EXPECT_GE(m.operators, static_cast<uint32_t>(operators));
        EXPECT_GE(m.depth, ExactDepth(knobs)) << operators;
        EXPECT_EQ(m.constants, 0u);
      }
    }
    EXPECT_GT(all, 5u) << operators;
    EXPECT_LT(inserted, all * static_cast<uint32_t>(operators) / 8 + 5) << operators;  // flips come first
    if (operators < 20) EXPECT_GT(exact * 4, all) << operators;
  }
}

TEST(ExactTest, TenThousandOperators) {
  const std::vector<Measured> found = Expressions(Generate(1, Only(10000, 0), DataModelKind::Lp64).program);
  ASSERT_FALSE(found.empty());
  EXPECT_GE(found.front().operators, 10000u);
  EXPECT_LT(found.front().operators, 11500u);
}

TEST(ExactTest, BranchesOnlyIfAskedFor) {
  for (int32_t percent : {0, 50}) {
    knobs::Knobs knobs = Only(100, 0);
    knobs.exact_branches = percent;
    uint32_t branches = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const lang::Program program = Generate(seed, knobs, DataModelKind::Lp64).program;
      for (const lang::Stmt& stmt : program.stmts) {
        if (stmt.kind != StmtKind::Expr) continue;
        lang::Walk(program, stmt.expr, [&](const lang::Expr& e) {
          branches +=
              e.kind == ExprKind::LogicalAnd || e.kind == ExprKind::LogicalOr || e.kind == ExprKind::Conditional;
          return lang::Visited::Descend;
        });
      }
    }
    EXPECT_EQ(branches > 20, percent > 0);
  }
}

}  // namespace
}  // namespace assay::gen
