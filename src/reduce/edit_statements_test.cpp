#include <functional>

#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

TEST(RemoveStatement, TakesTheEffectAway) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(1);
  const StmtId set = tiny.Set(g, tiny.I(2));
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::RemoveStatement, set.index}), g), 1);
  EXPECT_FALSE(Applies(tiny, {EditKind::RemoveStatement, 999}));
}

TEST(TakeBody, EitherSideOfAnIf) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(1);
  const BlockId yes = tiny.NewBlock(), no = tiny.NewBlock();
  tiny.In(yes, [&] { tiny.Set(g, tiny.I(2)); });
  tiny.In(no, [&] { tiny.Set(g, tiny.I(3)); });
  const StmtId choice = tiny.Add(StmtKind::If, tiny.V(g), yes, no);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeBody, choice.index, 0}), g), 2);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeBody, choice.index, 1}), g), 3);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::KeepCondition, choice.index}), g), 1);
}

TEST(TakeLabel, OneOfTheTable) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt();
  const std::array labels = {tiny.b.NewLabel(), tiny.b.NewLabel()};
  const StmtId jump = tiny.Add(StmtKind::GotoTable, tiny.I(1));
  tiny.p.stmts[jump].labels = tiny.b.Labels(labels);
  const auto mark = [&](LabelId label) {
    Stmt stmt;
    stmt.kind = StmtKind::Label;
    stmt.label = label;
    tiny.Do(tiny.b.Statement(stmt));
  };
  mark(labels[0]);
  tiny.Do(tiny.b.CompoundAssign(BinaryOp::Add, tiny.V(g), tiny.I(2)));
  mark(labels[1]);
  tiny.Do(tiny.b.CompoundAssign(BinaryOp::Add, tiny.V(g), tiny.I(5)));
  EXPECT_EQ(FinalOf(tiny.Run(), g), 5);
  EXPECT_FALSE(Applies(tiny, {EditKind::TakeLabel, jump.index, 2}));
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeLabel, jump.index, 0}), g), 7);
}

TEST(NarrowCase, OnlyWhereThereIsARange) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt();
  const BlockId body = tiny.NewBlock();
  StmtId range, plain;
  tiny.In(body, [&] {
    range = tiny.Add(StmtKind::Case);
    tiny.p.stmts[range].span = 4;  // case 0 ... 4
    tiny.Set(g, tiny.I(1));
    plain = tiny.Add(StmtKind::Case);
    tiny.p.stmts[plain].value = 7;
  });
  tiny.Add(StmtKind::Switch, tiny.I(3), body);
  EXPECT_FALSE(Applies(tiny, {EditKind::NarrowCase, plain.index}));
  EXPECT_EQ(FinalOf(tiny.Run(), g), 1);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::NarrowCase, range.index}), g), 0);
}

TEST(DropElse, OnlyWhereThereIsOne) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const BlockId yes = tiny.NewBlock(), no = tiny.NewBlock();
  tiny.In(no, [&] { tiny.Set(g, tiny.I(3)); });
  const StmtId choice = tiny.Add(StmtKind::If, tiny.V(g), yes, no);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::DropElse, choice.index}), g), 0);
  const StmtId plain = tiny.Set(g, tiny.I(0));
  EXPECT_FALSE(Applies(tiny, {EditKind::DropElse, plain.index}));
  EXPECT_FALSE(Applies(tiny, {EditKind::TakeBody, plain.index}));
}

TEST(UnrollLoop, AsManyTimesAsAsked) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const BlockId body = tiny.NewBlock();
  tiny.In(body, [&] { tiny.Do(tiny.b.CompoundAssign(BinaryOp::Add, tiny.V(g), tiny.I(5))); });
  const StmtId loop = tiny.Add(StmtKind::While, tiny.b.Binary(BinaryOp::Lt, tiny.V(g), tiny.I(100)), body);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::UnrollLoop, loop.index, 3}), g), 15);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeBody, loop.index}), g), 5);
  EXPECT_FALSE(Applies(tiny, {EditKind::UnrollLoop, loop.index, 0}));
}

TEST(TakeCase, FromTheMarkerToTheBreak) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const BlockId body = tiny.NewBlock();
  tiny.In(body, [&] {
    tiny.Add(StmtKind::Default);
    tiny.Set(g, tiny.I(1));
    tiny.Add(StmtKind::Break);
    tiny.Add(StmtKind::Case);
    tiny.Set(g, tiny.I(2));
  });
  const StmtId choice = tiny.Add(StmtKind::Switch, tiny.I(0), body);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeCase, choice.index, 1}), g), 1);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::TakeCase, choice.index, 4}), g), 2);
  EXPECT_FALSE(Applies(tiny, {EditKind::TakeCase, choice.index, 5}));
}

TEST(Flatten, KeepsTheStatements) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const BlockId body = tiny.NewBlock();
  tiny.In(body, [&] { tiny.Set(g, tiny.I(4)); });
  const StmtId block = tiny.Add(StmtKind::Block, {}, body);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::Flatten, block.index}), g), 4);
}

TEST(SplitEffect, MovesAnAssignmentBeforeItsStatement) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0), h = tiny.GlobalInt(0);
  const ExprId inner = tiny.b.Assign(tiny.V(g), tiny.I(4));
  const StmtId outer = tiny.Set(h, tiny.b.Binary(BinaryOp::Add, inner, tiny.I(1)));
  const machine::RunResult result = After(tiny, {EditKind::SplitEffect, inner.index, outer.index});
  EXPECT_EQ(FinalOf(result, g), 4);
  EXPECT_EQ(FinalOf(result, h), 5);
  EXPECT_FALSE(Applies(tiny, {EditKind::SplitEffect, tiny.p[outer].expr.index, outer.index}));

  Case later{tiny.p, std::nullopt};
  After(later, {EditKind::ToOperand, tiny.p[tiny.p[outer].expr].rhs.index, 1});  // h = 1
  EXPECT_FALSE(Applies(later, {EditKind::SplitEffect, inner.index, outer.index})) << "it is not there any more";
}

TEST(Mend, RejectsWhatIsNotAProgram) {
  Tiny tiny;
  const VarId local = tiny.LocalInt(1);
  const StmtId declaration = tiny.p[tiny.block].stmts.back();
  tiny.Set(local, tiny.I(2));
  Case subject{tiny.p, std::nullopt};
  EXPECT_TRUE(Mend(subject));
  EXPECT_TRUE(ApplyEdit(subject, {EditKind::RemoveStatement, declaration.index}));
  EXPECT_FALSE(Mend(subject));

  Tiny jumping;
  jumping.Add(StmtKind::Break);
  Case outside{jumping.p, std::nullopt};
  EXPECT_FALSE(Mend(outside));
}

// Where the reducer once had rules of its own, and other ones.
TEST(Mend, HasTheRulesOfTheVerifier) {
  const auto mends = [](const std::function<void(Tiny&)>& build) {
    Tiny tiny;
    build(tiny);
    Case subject{tiny.p, std::nullopt};
    return Mend(subject);
  };
  EXPECT_TRUE(mends([](Tiny& t) {  // int8_t is a character type (6.7.9p14)
    t.Global(t.T().Array(t.Basic(TypeKind::Int8), 4), t.b.InitString(t.p.strings.Add("abc")));
  }));
  EXPECT_FALSE(mends([](Tiny& t) {  // equal after the conversion to unsigned int (6.8.4.2p3, p5)
    const BlockId body = t.NewBlock();
    t.Add(StmtKind::Switch, t.C(TypeKind::UInt, 1), body);
    t.In(body, [&] {
      for (const int64_t value : {int64_t{-1}, int64_t{4294967295}}) {
        Stmt marker;
        marker.kind = StmtKind::Case;
        marker.value = value;
        t.Do(t.b.Statement(marker));
      }
    });
  }));
  EXPECT_FALSE(mends([](Tiny& t) {  // nothing can be done with its elements (6.3.2.1p3)
    t.Local(t.T().Array(t.Int(), 2), {}, Storage::Register);
  }));
  EXPECT_FALSE(mends([](Tiny& t) {
    const VarId g = t.GlobalInt();
    const FunctionId f = t.Function(t.Int(), {}, [&](FunctionId) { t.Return(t.b.IncDec(IncDecOp::PreInc, t.V(g))); });
    t.p.functions[f].attrs |= kFnPure;
  }));
}

TEST(Mend, NoJumpIntoTheScopeOfAVariableLengthArray) {
  Tiny tiny;
  const LabelId label = tiny.b.NewLabel();
  const auto add = [&](StmtKind kind) {
    Stmt stmt;
    stmt.kind = kind;
    stmt.label = label;
    return tiny.Do(tiny.b.Statement(stmt));
  };
  add(StmtKind::Goto);
  const BlockId inner = tiny.NewBlock();
  tiny.In(inner, [&] {
    const VarId array = tiny.Local(tiny.T().Vla(tiny.Int()));
    tiny.p.vars[array].vla_length = tiny.I(2);
  });
  const StmtId block = tiny.Add(StmtKind::Block, {}, inner);
  add(StmtKind::Label);
  Case subject{tiny.p, std::nullopt};
  EXPECT_TRUE(Mend(subject)) << "past the scope";
  EXPECT_TRUE(ApplyEdit(subject, {EditKind::Flatten, block.index}));
  EXPECT_FALSE(Mend(subject));
}

TEST(KeepCondition, OfADeclarationTheInitialiser) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(0);
  const VarId local = tiny.Local(tiny.Int(), tiny.b.InitExpr(tiny.b.Assign(tiny.V(g), tiny.I(3))));
  const StmtId declaration = tiny.p.blocks[tiny.block].stmts.back();
  Case subject{tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::KeepCondition, declaration.index}), g), 3);
  EXPECT_EQ(subject.program[declaration].var, VarId()) << "the variable " << local.index << " is gone";
  tiny.Local(tiny.Int());
  EXPECT_FALSE(Applies(tiny, {EditKind::KeepCondition, tiny.p.blocks[tiny.block].stmts.back().index})) << "it has none";
  tiny.Local(tiny.Int(), tiny.InitInt(1), Storage::StaticLocal);
  EXPECT_FALSE(Applies(tiny, {EditKind::KeepCondition, tiny.p.blocks[tiny.block].stmts.back().index}))
      << "not evaluated there";
}

}  // namespace
}  // namespace assay::reduce
