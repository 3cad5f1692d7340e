#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

struct Expressions : ::testing::Test {
  Tiny tiny;
  VarId g = tiny.GlobalInt(7);

  bool Applies(const Edit& edit) { return testing::Applies(tiny, edit); }
  // The value of g after the edit.
  int64_t After(const Edit& edit) { return FinalOf(testing::After(tiny, edit), g); }
};

TEST_F(Expressions, ToOperand) {
  const ExprId sum = tiny.b.Binary(BinaryOp::Add, tiny.I(1), tiny.I(2));
  tiny.Set(g, sum);
  EXPECT_EQ(After({EditKind::ToOperand, sum.index, 0}), 1);
  EXPECT_EQ(After({EditKind::ToOperand, sum.index, 1}), 2);
  EXPECT_FALSE(Applies({EditKind::ToOperand, sum.index, 2}));
  EXPECT_FALSE(Applies({EditKind::ToOperand, 9999, 0}));
}

TEST_F(Expressions, ToOperandKeepsShape) {
  const VarId p = tiny.Global(tiny.Ptr(tiny.Int()));
  const ExprId moved = tiny.b.Binary(BinaryOp::Add, tiny.b.AddressOf(tiny.V(g)), tiny.I(0));
  tiny.Set(p, moved);
  EXPECT_EQ(After({EditKind::ToOperand, moved.index, 0}), 7);
  EXPECT_FALSE(Applies({EditKind::ToOperand, moved.index, 1}));
}

TEST_F(Expressions, ToConstant) {
  const ExprId sum = tiny.b.Binary(BinaryOp::Add, tiny.I(1), tiny.V(g));
  tiny.Set(g, sum);
  EXPECT_EQ(After({EditKind::ToConstant, sum.index, 0, 8}), 8);
  EXPECT_EQ(After({EditKind::ToConstant, sum.index, 0, static_cast<uint64_t>(-3)}), -3);
  const ExprId one = tiny.p[sum].lhs;
  EXPECT_FALSE(Applies({EditKind::ToConstant, one.index, 0, 1}));
}

TEST_F(Expressions, PointerToNullOnly) {
  const VarId p = tiny.Global(tiny.Ptr(tiny.Int()));
  const ExprId address = tiny.b.AddressOf(tiny.V(g));
  tiny.Set(p, address);
  EXPECT_EQ(After({EditKind::ToConstant, address.index}), 7);
  EXPECT_FALSE(Applies({EditKind::ToConstant, address.index, 0, 1}));
}

TEST_F(Expressions, PlainAssign) {
  const ExprId add = tiny.b.CompoundAssign(BinaryOp::Add, tiny.V(g), tiny.I(2));
  tiny.Do(add);
  EXPECT_EQ(After({EditKind::PlainAssign, add.index}), 2);
  EXPECT_FALSE(Applies({EditKind::PlainAssign, tiny.p[add].lhs.index}));
}

struct Vectors : Expressions {
  TypeId type = tiny.T().Vector(tiny.Int(), 8), wide = tiny.T().Vector(tiny.Basic(TypeKind::LLong), 4);
  ExprId Literal(TypeId of, std::vector<int64_t> lanes) {
    std::vector<InitItem> items;
    for (uint32_t i = 0; i < lanes.size(); ++i) items.push_back({i, tiny.InitInt(lanes[i])});
    return tiny.b.CompoundLiteral(tiny.b.Local(tiny.entry, of, Storage::Literal, tiny.b.InitList(items)));
  }
};

TEST_F(Vectors, ToOperand) {
  const ExprId sum = tiny.b.Binary(BinaryOp::Add, Literal(type, {1, 2}), Literal(type, {3, 4}));
  tiny.Set(g, tiny.b.Index(sum, tiny.I(1)));
  EXPECT_EQ(After({EditKind::ToOperand, sum.index, 0}), 2);
  EXPECT_EQ(After({EditKind::ToOperand, sum.index, 1}), 4);
  const ExprId cast = tiny.b.Cast(wide, Literal(type, {5}));
  tiny.Set(g, tiny.b.Cast(tiny.Int(), tiny.b.Index(cast, tiny.I(0))));
  EXPECT_EQ(After({EditKind::ToOperand, cast.index, 0}), 5) << "in a cast of its own";
  const ExprId lane = tiny.b.Index(Literal(type, {5}), tiny.I(1));
  tiny.Set(g, lane);
  EXPECT_FALSE(Applies({EditKind::ToOperand, lane.index, 0}));
  EXPECT_EQ(After({EditKind::ToOperand, lane.index, 1}), 1);
}

TEST_F(Vectors, ToLanes) {
  const ExprId sum = tiny.b.Binary(BinaryOp::Add, Literal(type, {1, 2}), Literal(type, {3, 4}));
  tiny.Set(g, tiny.b.Index(sum, tiny.I(1)));
  Edit edit{EditKind::ToLanes, sum.index, tiny.entry.index, 0, {1, static_cast<uint64_t>(-7), 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(After(edit), -7);
  edit.lanes.pop_back();
  EXPECT_FALSE(Applies(edit));
  EXPECT_FALSE(Applies({EditKind::ToLanes, tiny.V(g).index, tiny.entry.index, 0, {1}}));
}

TEST_F(Vectors, HalveVectors) {
  const VarId object = tiny.Global(type, tiny.b.InitList({{0, tiny.InitInt(3)}, {1, tiny.InitInt(4)}}));
  const ExprId arguments[] = {tiny.V(object), Literal(type, {10, 11, 12, 13, 14, 15, 16, 17}),
                              tiny.I(15),     tiny.I(1),
                              tiny.I(2),      tiny.I(3),
                              tiny.I(4),      tiny.I(5),
                              tiny.I(6),      tiny.I(7)};
  const ExprId shuffled = tiny.b.BuiltinCall(Builtin::ShuffleVector, type, type, arguments);
  tiny.Set(g, tiny.b.Binary(BinaryOp::Add, tiny.b.Index(shuffled, tiny.I(4)), tiny.b.Index(tiny.V(object), tiny.I(5))));
  EXPECT_EQ(FinalOf(tiny.Run(), g), 0);
  // {13, 4, 0, 0} of the first four lanes of both.
  EXPECT_EQ(After({EditKind::HalveVectors, 0, 16}), 17);
  EXPECT_FALSE(Applies({EditKind::HalveVectors, 0, 32}));
}

struct Wides : Expressions {
  TypeId type = tiny.Basic(TypeKind::Int128);
  VarId w = tiny.Global(type, tiny.b.InitExpr(tiny.b.Wide(TypeKind::Int128, 5, 3)));
  ExprId sum = tiny.b.Binary(BinaryOp::Add, tiny.V(w), tiny.V(w));
  ExprId High(ExprId value) { return tiny.b.Cast(tiny.Int(), tiny.b.Binary(BinaryOp::Shr, value, tiny.I(64))); }
};

TEST_F(Wides, ToConstant) {
  tiny.Set(g, High(sum));
  EXPECT_EQ(FinalOf(tiny.Run(), g), 6);
  EXPECT_EQ(After({EditKind::ToConstant, sum.index, 0, 0, {0, 77}}), 77);
  EXPECT_EQ(After({EditKind::ToConstant, sum.index, 0, 0, {1, static_cast<uint64_t>(-9)}}), -9);
  EXPECT_FALSE(Applies({EditKind::ToConstant, sum.index, 0, 5})) << "without its words";
  const ExprId constant = tiny.p[sum].lhs;
  tiny.p.exprs[constant] = Expr(tiny.p[tiny.b.Wide(TypeKind::Int128, 5, 3)]);
  EXPECT_FALSE(Applies({EditKind::ToConstant, constant.index, 0, 0, {5, 3}})) << "it is one already";
}

TEST_F(Wides, ToOperand) {
  tiny.Set(g, High(sum));
  EXPECT_EQ(After({EditKind::ToOperand, sum.index, 1}), 3);
}

// What is checked is half of a wide integer, and then an int.
TEST_F(Wides, ToIntWithItsCheck) {
  for (const Edit& edit : {Edit{EditKind::KindToInt, static_cast<uint32_t>(TypeKind::Int128), 0, 0},
                           Edit{EditKind::VariableToInt, w.index, 0, 0}}) {
    tiny.p.vars[w].init = tiny.InitInt(9);
    Case subject{tiny.p, Check{w, {0}}};
    ASSERT_TRUE(Info(edit.kind).applies(subject, edit));
    Info(edit.kind).apply(subject, edit);
    ASSERT_TRUE(Mend(subject));
    EXPECT_TRUE(subject.check->path.empty());
    EXPECT_EQ(FinalOf(machine::Machine(subject.program, {}).Run(), w), 9);
  }
}

TEST_F(Expressions, PlainConstant) {
  const ExprId hex = tiny.b.Constant(TypeKind::Int, 9, ConstantSpelling::Hex);
  const ExprId decimal = tiny.I(9);
  tiny.Set(g, hex);
  EXPECT_EQ(After({EditKind::PlainConstant, hex.index}), 9);
  EXPECT_FALSE(Applies({EditKind::PlainConstant, decimal.index}));
}

TEST_F(Expressions, ToTargetOfADereference) {
  const VarId a = tiny.Global(tiny.T().Array(tiny.Int(), 3));
  const VarId p = tiny.Global(tiny.Ptr(tiny.Int()));
  tiny.Set(p, tiny.b.AddressOf(tiny.b.Index(tiny.V(a), tiny.I(2))));
  const ExprId place = tiny.b.Deref(tiny.V(p));
  tiny.Do(tiny.b.Assign(place, tiny.I(4)));
  tiny.Set(g, tiny.b.Index(tiny.V(a), tiny.I(2)));
  EXPECT_EQ(After({EditKind::ToTarget, place.index, a.index, 8}), 4);
  EXPECT_FALSE(Applies({EditKind::ToTarget, place.index, a.index, 6}));   // not at an element
  EXPECT_FALSE(Applies({EditKind::ToTarget, place.index, a.index, 12}));  // behind the end
}

}  // namespace
}  // namespace assay::reduce
