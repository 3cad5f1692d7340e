// Clean programs: what they compute.
#include "machine/expectation.hpp"
#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

TEST(Run, Assignment) {
  Tiny t;
  VarId g = t.GlobalInt(3);
  t.Set(g, t.b.Binary(BinaryOp::Add, t.V(g), t.I(4)));
  RunResult r = t.Run();
  EXPECT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g), 7);
  EXPECT_EQ(ExpectedOutput(r).substr(0, 11), "checksum = ");
}

TEST(Run, ForLoopSums) {
  Tiny t;
  VarId g = t.GlobalInt(0);
  VarId i = t.b.Local(t.entry, t.Int(), Storage::Auto, t.InitInt(0));
  BlockId body = t.NewBlock();
  t.In(body, [&] { t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.V(i))); });
  Stmt loop;
  loop.kind = StmtKind::For;
  loop.var = i;
  loop.expr = t.b.Binary(BinaryOp::Lt, t.V(i), t.I(10));
  loop.step = t.b.IncDec(IncDecOp::PostInc, t.V(i));
  loop.body = body;
  t.Do(t.b.Statement(loop));
  RunResult r = t.Run();
  EXPECT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g), 45);
}

TEST(Run, RecursionFactorial) {
  Tiny t;
  VarId g = t.GlobalInt(0);
  FunctionId f = t.Function(t.Int(), {t.Int()}, [&](FunctionId self) {
    BlockId yes = t.NewBlock();
    t.In(yes, [&] { t.Return(t.I(1)); });
    t.Add(StmtKind::If, t.b.Binary(BinaryOp::Le, t.V(t.Param(self, 0)), t.I(1)), yes);
    t.Return(t.b.Binary(BinaryOp::Mul, t.V(t.Param(self, 0)),
                        t.Call(self, {t.b.Binary(BinaryOp::Sub, t.V(t.Param(self, 0)), t.I(1))})));
  });
  t.Set(g, t.Call(f, {t.I(10)}));
  RunResult r = t.Run();
  EXPECT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g), 3628800);
}

TEST(Run, StructsByValue) {
  Tiny t;
  RecordId record = t.Struct({{t.Int()}, {t.Basic(TypeKind::Char)}, {t.Basic(TypeKind::UInt), 5}});
  TypeId type = t.T().OfRecord(record);
  VarId g = t.Global(type);
  FunctionId f = t.Function(type, {type}, [&](FunctionId self) {
    t.Do(t.b.Assign(t.b.Member(t.V(t.Param(self, 0)), 0), t.I(42)));
    t.Do(t.b.Assign(t.b.Member(t.V(t.Param(self, 0)), 2), t.I(33)));
    t.Return(t.V(t.Param(self, 0)));
  });
  t.Set(g, t.Call(f, {t.V(g)}));
  RunResult r = t.Run();
  ASSERT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g, 0), 42);
  EXPECT_EQ(FinalOf(r, g, 1), 0);
  EXPECT_EQ(FinalOf(r, g, 2), 1);  // 33 modulo 32
}

TEST(Run, GotoBackwardAndIntoBlock) {
  Tiny t;
  VarId g = t.GlobalInt(0);
  LabelId again = t.b.NewLabel(), inside = t.b.NewLabel();
  const auto label = [&](LabelId id, StmtKind kind) {
    Stmt s;
    s.kind = kind;
    s.label = id;
    return t.b.Statement(s);
  };
  t.Do(label(inside, StmtKind::Goto));
  t.Do(label(again, StmtKind::Label));
  BlockId body = t.NewBlock();
  t.Add(StmtKind::Block, {}, body);
  t.In(body, [&] {
    t.Set(g, t.I(1000));  // jumped over at first
    t.Do(label(inside, StmtKind::Label));
    t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.I(1)));
  });
  BlockId yes = t.NewBlock();
  t.Add(StmtKind::If, t.b.Binary(BinaryOp::Lt, t.V(g), t.I(500)), yes);
  t.In(yes, [&] { t.Do(label(again, StmtKind::Goto)); });
  RunResult r = t.Run();
  EXPECT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g), 1001);
}

TEST(Run, SwitchFallsThrough) {
  for (int value : {1, 2, 3, 9}) {
    Tiny t;
    VarId g = t.GlobalInt(0);
    BlockId body = t.NewBlock();
    const auto marker = [&](StmtKind kind, int64_t v) {
      Stmt s;
      s.kind = kind;
      s.value = v;
      t.Do(t.b.Statement(s));
    };
    t.In(body, [&] {
      marker(StmtKind::Case, 1);
      t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.I(1)));
      marker(StmtKind::Case, 2);
      t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.I(10)));
      t.Add(StmtKind::Break);
      marker(StmtKind::Default, 0);
      t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.I(100)));
    });
    t.Add(StmtKind::Switch, t.I(value), body);
    RunResult r = t.Run();
    EXPECT_EQ(r.trap.kind, TrapKind::None);
    EXPECT_EQ(FinalOf(r, g), value == 1 ? 11 : value == 2 ? 10 : 100);
  }
}

TEST(Run, PointersIntoArrays) {
  Tiny t;
  TypeId array = t.T().Array(t.Int(), 4);
  VarId a = t.Global(array);
  VarId p = t.Global(t.Ptr(t.Int()));
  t.Set(p, t.b.AddressOf(t.b.Index(t.V(a), t.I(1))));
  t.Do(t.b.Assign(t.b.Deref(t.b.Binary(BinaryOp::Add, t.V(p), t.I(2))), t.I(5)));
  t.Do(t.b.Assign(t.b.Index(t.V(p), t.I(-1)), t.I(6)));
  t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(p), t.I(1)));
  RunResult r = t.Run();
  ASSERT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, a, 3), 5);
  EXPECT_EQ(FinalOf(r, a, 0), 6);
  const FinalScalar& pointer = r.finals.back();
  EXPECT_EQ(pointer.state, FinalScalar::State::Pointer);
  EXPECT_EQ(pointer.target, a);
  EXPECT_EQ(pointer.target_path, std::vector<uint32_t>{2});
}

}  // namespace
}  // namespace assay::machine::testing
