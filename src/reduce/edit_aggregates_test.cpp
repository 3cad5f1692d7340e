#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

// struct S { int a, b, c; } s = {1, 2, 3};  g = s.c;
struct OneStruct {
  Tiny tiny;
  VarId g = tiny.GlobalInt(0);
  RecordId record = tiny.Struct({{tiny.Int()}, {tiny.Int()}, {tiny.Int()}});
  VarId s = tiny.Global(tiny.T().OfRecord(record),
                        tiny.b.InitList({{0, tiny.InitInt(1)}, {1, tiny.InitInt(2)}, {2, tiny.InitInt(3)}}));
  OneStruct() { tiny.Set(g, tiny.b.Member(tiny.V(s), 2)); }
};

TEST(DropMember, OthersMoveUpInUsesInitialisersAndTheCheck) {
  OneStruct one;
  Case subject{one.tiny.p, Check{one.s, {2}}};
  EXPECT_FALSE(Applies(subject, {EditKind::DropMember, one.record.index, 2})) << "is used";
  EXPECT_FALSE(Applies(subject, {EditKind::DropMember, one.record.index, 3}));
  const machine::RunResult result = After(subject, {EditKind::DropMember, one.record.index, 0});
  EXPECT_EQ(FinalOf(result, one.g), 3);
  EXPECT_EQ(subject.check->path, std::vector<uint32_t>{1});
  ASSERT_TRUE(FindChecked(subject, result).has_value());
  EXPECT_EQ(result.finals[*FindChecked(subject, result)].value, 3u);
}

TEST(DropMember, NotTheOneThatIsChecked) {
  OneStruct one;
  Case subject{one.tiny.p, Check{one.s, {1}}};
  EXPECT_FALSE(Applies(subject, {EditKind::DropMember, one.record.index, 1}));
  EXPECT_TRUE(Applies(subject, {EditKind::DropMember, one.record.index, 0}));
}

TEST(SplitAggregate, AVariableForEachMemberInUse) {
  OneStruct one;
  Case subject{one.tiny.p, Check{one.s, {2}}};
  const machine::RunResult result = After(subject, {EditKind::SplitAggregate, one.s.index});
  EXPECT_EQ(FinalOf(result, one.g), 3);
  EXPECT_TRUE(subject.check->path.empty());
  EXPECT_NE(subject.check->var, one.s);
  EXPECT_FALSE(Applies(one.tiny, {EditKind::SplitAggregate, one.g.index}));
  one.tiny.Do(one.tiny.b.Assign(one.tiny.V(one.s), one.tiny.V(one.s)));
  EXPECT_FALSE(Applies(one.tiny, {EditKind::SplitAggregate, one.s.index})) << "used as a whole";
}

TEST(ShrinkArray, WithItsInitialiser) {
  Tiny tiny;
  const VarId array = tiny.Global(tiny.T().Array(tiny.Int(), 3),
                                  tiny.b.InitList({{0, tiny.InitInt(4)}, {1, tiny.InitInt(5)}, {2, tiny.InitInt(6)}}));
  Case subject{tiny.p, Check{array, {1}}};
  EXPECT_FALSE(Applies(subject, {EditKind::ShrinkArray, array.index, 1})) << "is checked";
  EXPECT_FALSE(Applies(subject, {EditKind::ShrinkArray, array.index, 3})) << "is no shorter";
  EXPECT_FALSE(Applies(subject, {EditKind::ShrinkArray, array.index, 0}));
  EXPECT_EQ(After(subject, {EditKind::ShrinkArray, array.index, 2}).finals.size(), 2u);
}

TEST(DissolveRecord, OneMemberBecomesTheVariable) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const RecordId record = tiny.Struct({{tiny.Int()}}), two = tiny.Struct({{tiny.Int()}, {tiny.Int()}});
  const VarId s = tiny.Global(tiny.T().OfRecord(record), tiny.b.InitList({{0, tiny.InitInt(6)}}));
  tiny.Set(g, tiny.b.Member(tiny.V(s), 0));
  Case subject{tiny.p, Check{s, {0}}};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::DissolveRecord, record.index}), g), 6);
  EXPECT_TRUE(subject.check->path.empty());
  EXPECT_FALSE(Applies(tiny, {EditKind::DissolveRecord, two.index}));
}

}  // namespace
}  // namespace assay::reduce
