#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

TEST(RemoveVariable, NotTheOneThatIsChecked) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(1), h = tiny.GlobalInt(2);
  Case subject{tiny.p, Check{g, {}}};
  EXPECT_FALSE(Applies(subject, {EditKind::RemoveVariable, g.index}));
  EXPECT_EQ(After(subject, {EditKind::RemoveVariable, h.index}).finals.size(), 1u);
}

TEST(RemoveVariable, OneInUseIsNoProgramAfterwards) {
  Tiny tiny;
  const VarId local = tiny.LocalInt(1);
  tiny.Set(local, tiny.I(2));
  Case subject{tiny.p, std::nullopt};
  EXPECT_TRUE(ApplyEdit(subject, {EditKind::RemoveVariable, local.index}));
  EXPECT_FALSE(Mend(subject));
}

TEST(RemoveLabel, OnlyMarkers) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  Stmt marker;
  marker.kind = StmtKind::Label;
  marker.label = tiny.b.NewLabel();
  const StmtId label = tiny.Do(tiny.b.Statement(marker));
  const StmtId set = tiny.Set(g, tiny.I(3));
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::RemoveLabel, label.index}), g), 3);
  EXPECT_FALSE(Applies(tiny, {EditKind::RemoveLabel, set.index}));
}

TEST(GiveInitialiser, ZeroForLocalsWithout) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(7);
  const VarId local = tiny.Local(tiny.Int());
  tiny.Set(g, tiny.V(local));
  EXPECT_NE(tiny.Trap(), machine::TrapKind::None);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::GiveInitialiser, local.index}), g), 0);
  EXPECT_FALSE(Applies(tiny, {EditKind::GiveInitialiser, g.index}));
}

TEST(DropInitialiser, GlobalsAreZeroThen) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(7), h = tiny.Global(tiny.Int());
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::DropInitialiser, g.index}), g), 0);
  EXPECT_FALSE(Applies(tiny, {EditKind::DropInitialiser, h.index}));
}

TEST(DropInitItem, AndThoseAfterIt) {
  Tiny tiny;
  const InitId list = tiny.b.InitList({{0, tiny.InitInt(4)}, {1, tiny.InitInt(5)}, {2, tiny.InitInt(6)}});
  const VarId array = tiny.Global(tiny.T().Array(tiny.Int(), 3), list);
  const machine::RunResult result = After(tiny, {EditKind::DropInitItem, list.index, 1});
  EXPECT_EQ(FinalOf(result, array, 0), 4);
  EXPECT_EQ(FinalOf(result, array, 1), 0);
  EXPECT_EQ(FinalOf(result, array, 2), 0);
  EXPECT_FALSE(Applies(tiny, {EditKind::DropInitItem, list.index, 0})) << "nothing would be left";
  EXPECT_FALSE(Applies(tiny, {EditKind::DropInitItem, list.index, 3}));
}

TEST(DropInitItem, AloneIfItHasADesignator) {
  Tiny tiny;
  const InitId list = tiny.b.InitList({{0, tiny.InitInt(4)}, {1, tiny.InitInt(5)}}, true);
  const VarId array = tiny.Global(tiny.T().Array(tiny.Int(), 2), list);
  const machine::RunResult result = After(tiny, {EditKind::DropInitItem, list.index, 0});
  EXPECT_EQ(FinalOf(result, array, 0), 0);
  EXPECT_EQ(FinalOf(result, array, 1), 5);
}

TEST(LookAt, WhatTheCheckedValueDependsOn) {
  Tiny tiny;
  const VarId a = tiny.GlobalInt(0), b = tiny.GlobalInt(0), idle = tiny.GlobalInt(0);
  tiny.Set(a, tiny.I(5));
  tiny.Set(b, tiny.V(a));
  Case subject{tiny.p, Check{b, {}}};
  EXPECT_FALSE(Applies(subject, {EditKind::LookAt, b.index})) << "it does already";
  EXPECT_FALSE(Applies(subject, {EditKind::LookAt, idle.index})) << "nothing depends on it";
  const machine::RunResult result = After(subject, {EditKind::LookAt, a.index});
  EXPECT_EQ(subject.check, (Check{a, {}}));
  EXPECT_EQ(result.finals[*FindChecked(subject, result)].value, 5u);
  EXPECT_FALSE(Applies(subject, {EditKind::LookAt, b.index})) << "not back again";
  const VarId array = tiny.Global(tiny.T().Array(tiny.T().Array(tiny.Int(), 2), 3));
  tiny.Set(b, tiny.b.Index(tiny.b.Index(tiny.V(array), tiny.I(2)), tiny.I(1)));
  Case element{tiny.p, Check{b, {}}};
  After(element, {EditKind::LookAt, array.index, 2, uint64_t{1} << 32 | 2});
  EXPECT_EQ(element.check, (Check{array, {2, 1}}));
  const TypeId pair = tiny.T().Array(tiny.Int(), 2);
  const VarId copy = tiny.Global(pair), source = tiny.Global(pair);
  const ExprId arguments[] = {tiny.b.AddressOf(tiny.V(copy)), tiny.b.AddressOf(tiny.V(source))};
  tiny.Do(tiny.b.BuiltinCall(Builtin::Memcpy, tiny.Ptr(tiny.Void()), pair, arguments));
  EXPECT_TRUE(Applies(Case{tiny.p, Check{copy, {1}}}, {EditKind::LookAt, source.index, 1, 1}));
  EXPECT_FALSE(Applies(Case{tiny.p, Check{source, {1}}}, {EditKind::LookAt, copy.index, 1, 1}));
  Case nowhere{tiny.p, std::nullopt};
  EXPECT_FALSE(Applies(nowhere, {EditKind::LookAt, a.index})) << "it looks at nothing";
}

}  // namespace
}  // namespace assay::reduce
