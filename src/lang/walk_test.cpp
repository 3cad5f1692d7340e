// Walk visits what a plain recursion over ForEachChild visits, in the same order, however deep and wide the tree is.
#include <gtest/gtest.h>

#include "lang/builder.hpp"
#include "lang/samples.hpp"

namespace assay::lang {
namespace {

using Nodes = std::vector<const Expr*>;

void Collect(const Program& program, ExprId id, Nodes& nodes) {
  nodes.push_back(&program.exprs[id]);
  ForEachChild(program, program.exprs[id], [&](ExprId child) { Collect(program, child, nodes); });
}

Nodes Walked(const Program& program, ExprId id) {
  Nodes nodes;
  EXPECT_TRUE(Walk(program, id, [&](const Expr& e) {
    nodes.push_back(&e);
    return Visited::Descend;
  }));
  return nodes;
}

void ExpectSame(const Program& program, ExprId id) {
  Nodes expected;
  Collect(program, id, expected);
  EXPECT_EQ(Walked(program, id), expected);
}

TEST(WalkTest, TheSamples) {
  for (const Sample& sample : AllSamples()) {
    for (uint32_t i = 0; i < sample.program.exprs.Size(); ++i) ExpectSame(sample.program, ExprId(i));
  }
}

TEST(WalkTest, DeepTreesOnBothSides) {
  for (bool left : {true, false}) {
    Program program;
    Builder build(program);
    ExprId tree = build.Int(0);
    for (int i = 1; i < 200; ++i) {
      const ExprId leaf = i % 3 == 0 ? build.Conditional(build.Int(i), build.Int(i), build.Int(i)) : build.Int(i);
      tree = build.Binary(BinaryOp::Add, left ? tree : leaf, left ? leaf : tree);
    }
    ExpectSame(program, tree);
  }
}

TEST(WalkTest, AVisitorPassesAndStops) {
  Program program;
  Builder build(program);
  const ExprId skipped = build.Unary(UnaryOp::Minus, build.Int(1));
  const ExprId tree = build.Binary(BinaryOp::Add, skipped, build.Unary(UnaryOp::Plus, build.Int(2)));
  Nodes nodes;
  const auto visit = [&](Visited at_plus) {
    nodes.clear();
    return Walk(program, tree, [&](const Expr& e) {
      nodes.push_back(&e);
      if (e.kind != ExprKind::Unary) return Visited::Descend;
      return e.Unary() == UnaryOp::Minus ? Visited::Pass : at_plus;
    });
  };
  EXPECT_TRUE(visit(Visited::Descend));
  EXPECT_EQ(nodes.size(), 4u) << "not what is below -";
  EXPECT_FALSE(visit(Visited::Stop));
  EXPECT_EQ(nodes.size(), 3u) << "nothing after +";
}

}  // namespace
}  // namespace assay::lang
