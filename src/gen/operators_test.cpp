// The rows of operators, kinds and builtins are complete and do what they say.
#include "gen/operators.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gen/generate.hpp"
#include "lang/samples.hpp"

namespace assay::gen {
namespace {

using knobs::Knobs;
using Knob = int32_t Knobs::*;

constexpr int kDraws = 4000;

template <typename Draw>
auto Drawn(const Knobs& knobs, OperatorContext context, Draw draw) {
  lang::Program program;
  Writer w(program, knobs, choice::Choices(5));
  w.context = context;
  w.enums.push_back(program.types.AddEnum({{-1, 5}}));
  std::set<decltype(draw(w))> result;
  for (int i = 0; i < kDraws; ++i) result.insert(draw(w));
  return result;
}

std::set<BinaryOp> Operators(const Knobs& knobs, OperatorContext context = OperatorContext::All) {
  return Drawn(knobs, context, [](Writer& w) { return DrawOperator(w); });
}
std::set<lang::UnaryOp> UnaryOperators(const Knobs& knobs) {
  return Drawn(knobs, OperatorContext::All, [](Writer& w) { return DrawUnary(w); });
}
std::set<TypeKind> Kinds(const Knobs& knobs) {
  return Drawn(knobs, OperatorContext::All, [](Writer& w) { return w.Kind(DrawIntegerType(w)); });
}

std::string_view NameOf(Knob knob) {
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.field == knob) return row.name;
  }
  return "no knob";
}

// Every knob of the rows at 0, and the given one as high as it goes.
template <typename Rows>
Knobs Only(const Rows& rows, Knob wanted) {
  Knobs knobs;
  for (const auto& row : rows) {
    if (row.knob != nullptr) knobs.*(row.knob) = 0;
  }
  knobs.*wanted = 100;
  return knobs;
}

TEST(OperatorsTest, AKnobSwitchesItsBinaryOperatorsOffAndOn) {
  for (const BinaryOpDraw& row : kBinaryOpDraws) {
    Knobs off;
    off.*(row.knob) = 0;
    EXPECT_FALSE(Operators(off).contains(row.kind)) << lang::Info(row.kind).spelling << " with " << NameOf(row.knob);
    const std::set<BinaryOp> drawn = Operators(Only(kBinaryOpDraws, row.knob));
    EXPECT_TRUE(drawn.contains(row.kind)) << lang::Info(row.kind).spelling << " with " << NameOf(row.knob);
    for (BinaryOp op : drawn) {
      EXPECT_EQ(NameOf(kBinaryOpDraws[static_cast<size_t>(op)].knob), NameOf(row.knob)) << lang::Info(op).spelling;
    }
  }
}

TEST(OperatorsTest, AFamilyDrawsItsOwnOperators) {
  for (size_t context = 0; context < static_cast<size_t>(OperatorContext::kCount); ++context) {
    std::set<BinaryOp> family;
    for (const BinaryOpDraw& row : kBinaryOpDraws) {
      if ((row.families >> context) & 1) family.insert(row.kind);
    }
    EXPECT_EQ(Operators({}, static_cast<OperatorContext>(context)), family) << "context " << context;
  }
}

TEST(OperatorsTest, WithoutAnyKnobThereIsStillAnOperator) {
  Knobs knobs;
  for (const BinaryOpDraw& row : kBinaryOpDraws) knobs.*(row.knob) = 0;
  EXPECT_EQ(Operators(knobs), std::set{BinaryOp::BitXor});
}

TEST(OperatorsTest, EveryUnaryOperatorIsDrawnUnlessItsKnobIsZero) {
  for (const UnaryOpDraw& row : kUnaryOpDraws) {
    Knobs knobs;
    const std::string_view spelling = lang::Info(row.kind).spelling;
    if (row.weight.Knob() != nullptr) {
      knobs.*row.weight.Knob() = 0;
      EXPECT_FALSE(UnaryOperators(knobs).contains(row.kind)) << spelling << " with " << NameOf(row.weight.Knob());
      knobs.*row.weight.Knob() = 100;
    }
    EXPECT_TRUE(UnaryOperators(knobs).contains(row.kind)) << spelling;
  }
}

TEST(OperatorsTest, AKnobSwitchesItsIntegerKindsOffAndOn) {
  for (const TypeKindDraw& row : kTypeKindDraws) {
    if (row.knob == nullptr) continue;
    Knobs off;
    off.*(row.knob) = 0;
    EXPECT_FALSE(Kinds(off).contains(row.kind)) << static_cast<int>(row.kind) << " with " << NameOf(row.knob);
    EXPECT_TRUE(Kinds(Only(kTypeKindDraws, row.knob)).contains(row.kind)) << static_cast<int>(row.kind);
  }
}

// A knob that is said to be of an operator or type, and no row has it, does nothing.
TEST(OperatorsTest, EveryKnobOfOperatorsAndTypesHasARow) {
  std::set<std::string_view> used;
  for (const BinaryOpDraw& row : kBinaryOpDraws) used.insert(NameOf(row.knob));
  for (const UnaryOpDraw& row : kUnaryOpDraws) used.insert(NameOf(row.weight.Knob()));
  for (const TypeKindDraw& row : kTypeKindDraws) used.insert(NameOf(row.knob));
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (!row.name.starts_with("op_") && !row.name.starts_with("type_")) continue;
    EXPECT_TRUE(used.contains(row.name)) << "no row of gen/operators.cpp has the knob " << row.name;
  }
}

// The samples use everything; the census must see all of it.
TEST(OperatorsTest, TheCensusSeesEveryRow) {
  ConstructSet seen;
  for (const lang::Sample& sample : lang::AllSamples()) {
    Generated made;
    made.program = sample.program;
    seen |= TakeCensus(made).uses;
  }
  const auto expect = [&](Construct construct, std::string_view what) {
    EXPECT_TRUE(seen.test(static_cast<size_t>(construct)))
        << what << " is counted as " << kConstructs[static_cast<size_t>(construct)].name << ", which no sample has";
  };
  for (const BinaryOpDraw& row : kBinaryOpDraws) expect(row.construct, lang::Info(row.kind).spelling);
  for (const UnaryOpDraw& row : kUnaryOpDraws) expect(row.construct, lang::Info(row.kind).spelling);
  for (const BuiltinUse& row : kBuiltinUses) expect(row.construct, lang::Info(row.kind).spelling);
  for (const TypeKindDraw& row : kTypeKindDraws) {
    if (row.construct != Construct::kCount) expect(row.construct, lang::Info(row.kind).spelling);
  }
}

// Two operators of one construct hide each other: only those that share a knob may.
TEST(OperatorsTest, OperatorsWithKnobsOfTheirOwnHaveConstructsOfTheirOwn) {
  std::set<std::pair<Construct, std::string_view>> pairs;
  std::set<Construct> constructs;
  for (const BinaryOpDraw& row : kBinaryOpDraws) pairs.insert({row.construct, NameOf(row.knob)});
  for (const auto& [construct, knob] : pairs) {
    EXPECT_TRUE(constructs.insert(construct).second)
        << kConstructs[static_cast<size_t>(construct)].name << ", " << knob;
  }
  Knob before = nullptr;  // those that share one stand together
  for (const UnaryOpDraw& row : kUnaryOpDraws) {
    const bool shared = row.weight.Knob() != nullptr && row.weight.Knob() == before;
    EXPECT_EQ(constructs.insert(row.construct).second, !shared) << lang::Info(row.kind).spelling;
    before = row.weight.Knob();
  }
}

}  // namespace
}  // namespace assay::gen
