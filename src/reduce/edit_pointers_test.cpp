#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

TEST(ToTarget, TheObjectInPlaceOfTheDereference) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const VarId array =
      tiny.Global(tiny.T().Array(tiny.Int(), 2), tiny.b.InitList({{0, tiny.InitInt(4)}, {1, tiny.InitInt(5)}}));
  const VarId p =
      tiny.Global(tiny.Ptr(tiny.Int()), tiny.b.InitExpr(tiny.b.AddressOf(tiny.b.Index(tiny.V(array), tiny.I(1)))));
  const ExprId read = tiny.b.Deref(tiny.V(p));
  tiny.Set(g, read);
  Case subject{tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::ToTarget, read.index, array.index, 4}), g), 5);
  EXPECT_EQ(subject.program[read].kind, ExprKind::Index);
  EXPECT_FALSE(Applies(tiny, {EditKind::ToTarget, read.index, array.index, 2})) << "no int there";
  EXPECT_FALSE(Applies(tiny, {EditKind::ToTarget, read.index, 999, 0}));
}

}  // namespace
}  // namespace assay::reduce
