#include "reduce/oracle.hpp"
#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

// int f(int x, int y) { h = 9; return x; }  g = f(3, 4);
struct Calling {
  Tiny tiny;
  VarId g = tiny.GlobalInt(0), h = tiny.GlobalInt(0);
  StmtId call;
  FunctionId f = tiny.Function(tiny.Int(), {tiny.Int(), tiny.Int()}, [&](FunctionId id) {
    tiny.Set(h, tiny.I(9));
    tiny.Return(tiny.V(tiny.Param(id, 0)));
  });
  Calling() { call = tiny.Set(g, tiny.Call(f, {tiny.I(3), tiny.I(4)})); }
};

TEST(EmptyFunction, ReturnsZeroAndDoesNothing) {
  Calling c;
  const machine::RunResult result = After(c.tiny, {EditKind::EmptyFunction, c.f.index});
  EXPECT_EQ(FinalOf(result, c.g), 0);
  EXPECT_EQ(FinalOf(result, c.h), 0);
  EXPECT_FALSE(Applies(c.tiny, {EditKind::EmptyFunction, c.tiny.entry.index}));
}

TEST(RemoveFunction, OnlyWhenNothingReachesIt) {
  Calling c;
  EXPECT_FALSE(Applies(c.tiny, {EditKind::RemoveFunction, c.f.index}));
  Case subject{c.tiny.p, std::nullopt};
  After(subject, {EditKind::RemoveStatement, c.call.index});
  After(subject, {EditKind::RemoveFunction, c.f.index});
  EXPECT_EQ(subject.program.function_order.size(), 1u);
}

TEST(DropParameter, OnlyWhenItIsNotUsed) {
  Calling c;
  EXPECT_FALSE(Applies(c.tiny, {EditKind::DropParameter, c.f.index, 0}));
  EXPECT_FALSE(Applies(c.tiny, {EditKind::DropParameter, c.f.index, 2}));
  Case subject{c.tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::DropParameter, c.f.index, 1}), c.g), 3);
  EXPECT_EQ(subject.program[c.f].params.size(), 1u);
}

TEST(FixParameter, BecomesALocalWithTheValue) {
  Calling c;
  Case subject{c.tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::FixParameter, c.f.index, 0, 8}), c.g), 8);
  EXPECT_EQ(subject.program[c.f].params.size(), 1u);
  EXPECT_FALSE(Applies(subject, {EditKind::FixParameter, c.f.index, 1}));
}

TEST(DropResult, OnlyWhenNobodyUsesIt) {
  Calling c;
  EXPECT_FALSE(Applies(c.tiny, {EditKind::DropResult, c.f.index}));
  Case subject{c.tiny.p, std::nullopt};
  const ExprId assign = c.tiny.p[c.call].expr;
  After(subject, {EditKind::ToOperand, assign.index, 1, 1});
  EXPECT_EQ(FinalOf(After(subject, {EditKind::DropResult, c.f.index}), c.h), 9);
}

TEST(InlineCall, BodyAndResult) {
  Calling c;
  Case subject{c.tiny.p, std::nullopt};
  const machine::RunResult result = After(subject, {EditKind::InlineCall, c.call.index});
  EXPECT_EQ(FinalOf(result, c.g), 3);
  EXPECT_EQ(FinalOf(result, c.h), 9);
  EXPECT_EQ(subject.program.function_order.size(), 1u);
  c.tiny.Set(c.g, c.tiny.Call(c.f, {c.tiny.I(1), c.tiny.I(2)}));
  EXPECT_FALSE(Applies(c.tiny, {EditKind::InlineCall, c.call.index})) << "called twice";
}

TEST(EnterCallee, WhenTheEntryOnlyCallsIt) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const FunctionId f = tiny.Function(tiny.Void(), {}, [&](FunctionId) { tiny.Set(g, tiny.I(5)); });
  tiny.Do(tiny.Call(f));
  Case subject{tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::EnterCallee, f.index}), g), 5);
  EXPECT_EQ(subject.program.function_order.size(), 1u);
  tiny.Set(g, tiny.I(6));
  EXPECT_FALSE(Applies(tiny, {EditKind::EnterCallee, f.index})) << "the entry does more";
}

TEST(StandInMain, WhenTheEntryReturnsNowhere) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  tiny.Set(g, tiny.I(5));
  Case subject{tiny.p, std::nullopt};
  const machine::RunResult result = After(subject, {EditKind::StandInMain});
  EXPECT_EQ(FinalOf(result, g), 5);
  EXPECT_TRUE(subject.in_main);
  EXPECT_FALSE(Applies(subject, {EditKind::StandInMain})) << "it does already";
  const std::string text = TextOf(subject, result, Look::Nothing);
  EXPECT_NE(text.find("int main(void) {\n  a = 5;\n  return 0;\n}"), std::string::npos) << text;
  EXPECT_EQ(text.find("fn1"), std::string::npos) << text;
  auto again = LoadCase(SaveCase(subject));
  ASSERT_TRUE(again.Ok());
  EXPECT_TRUE(again->in_main);

  tiny.Return();
  EXPECT_FALSE(Applies(tiny, {EditKind::StandInMain})) << "main cannot return nothing";
}

TEST(Case, RemembersHowMainLooks) {
  Tiny tiny;
  tiny.Set(tiny.GlobalInt(0), tiny.I(5));
  Case subject{.program = tiny.p, .in_main = true, .direct = true, .returns = false};
  auto again = LoadCase(SaveCase(Compact(subject)));
  ASSERT_TRUE(again.Ok());
  EXPECT_TRUE(again->in_main);
  EXPECT_TRUE(again->direct);
  EXPECT_FALSE(again->returns);
  machine::Machine machine(again->program, {});
  const std::string text = TextOf(*again, machine.Run(), Look::Nothing);
  EXPECT_NE(text.find("int main(void) {\n  a = 5;\n}"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::reduce
