// Generation by executing: extending open blocks and repairing traps while the program runs.
#include <functional>

#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

struct Scripted : Author {
  std::function<bool(BlockId)> extend = [](BlockId) { return false; };
  std::function<bool(const machine::Trap&)> repair = [](const machine::Trap&) { return false; };
  std::vector<machine::Trap> traps;
  bool Extend(BlockId block) override { return extend(block); }
  bool Repair(const machine::Trap& trap) override {
    traps.push_back(trap);
    return repair(trap);
  }
};

// Runs with the author, then cleanly; both must agree.
RunResult RunBoth(Tiny& t, Scripted& author, Options options = {}, Machine** during = nullptr) {
  options.author = &author;
  RunResult first;
  {
    Machine machine(t.p, options);
    if (during != nullptr) *during = &machine;
    first = machine.Run();
  }
  const RunResult clean = t.Run();
  EXPECT_EQ(Info(clean.trap.kind).name, "none");
  EXPECT_EQ(first.finals.size(), clean.finals.size());
  for (size_t i = 0; i < first.finals.size() && i < clean.finals.size(); ++i) {
    EXPECT_EQ(first.finals[i].value, clean.finals[i].value) << "final " << i;
  }
  return first;
}

ExprId MoveAway(Tiny& t, Machine* machine, ExprId id) {
  ExprId moved = t.p.exprs.Add(t.p.exprs[id]);
  machine->Moved(id, moved);
  return moved;
}

// c++ < K ? the trapping node : otherwise, with K the executions before this one. Returns where the node is now.
ExprId PutCounterInFront(Tiny& t, Machine* machine, const machine::Trap& trap, int otherwise) {
  VarId counter = t.Global(t.Basic(TypeKind::UInt));
  t.p.vars[counter].role = VarRole::Counter;
  machine->Define(counter, trap.prior_executions);
  ExprId moved = MoveAway(t, machine, trap.expr);
  t.p.exprs[trap.expr] = t.p.exprs[t.b.Guard(moved, t.I(otherwise), counter, trap.prior_executions)];
  return moved;
}

TEST(Author, ExtendsAnOpenBlock) {
  Tiny t;
  VarId g = t.GlobalInt();
  t.p.blocks[t.block].open = true;
  Scripted author;
  int written = 0;
  author.extend = [&](BlockId block) {
    if (written == 3) {
      t.p.blocks[block].open = false;
      return false;
    }
    ++written;
    t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(g), t.I(written)));
    return true;
  };
  const RunResult r = RunBoth(t, author);
  EXPECT_EQ(FinalOf(r, g), 6);
}

TEST(Author, RepairsOverflowWithoutEvaluatingOperandsAgain) {
  Tiny t;
  VarId g = t.GlobalInt(2147483647), calls = t.GlobalInt(), r = t.GlobalInt();
  FunctionId one = t.Function(t.Int(), {}, [&](FunctionId) {
    t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(calls)));
    t.Return(t.I(1));
  });
  ExprId sum = t.b.Binary(BinaryOp::Add, t.V(g), t.Call(one));
  t.Set(r, sum);
  Scripted author;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::SignedOverflow);
    EXPECT_EQ(trap.expr, sum);
    EXPECT_EQ(trap.operands.size(), 2u);
    EXPECT_EQ(trap.operands[1].value, 1u);
    const TypeId u = t.Basic(TypeKind::UInt);
    const Expr old = t.p.exprs[trap.expr];
    Expr cast;
    cast.kind = ExprKind::Cast;
    cast.type = t.Int();
    cast.lhs = t.b.Binary(BinaryOp::Add, t.b.Cast(u, old.lhs), t.b.Cast(u, old.rhs));
    t.p.exprs[trap.expr] = cast;
    return true;
  };
  const RunResult result = RunBoth(t, author);
  EXPECT_EQ(author.traps.size(), 1u);
  EXPECT_EQ(FinalOf(result, calls), 1);
  EXPECT_EQ(FinalOf(result, r), -2147483647 - 1);
}

// for (i = 0; i < 5; i++) r = 10 / (3 - i): traps in the fourth iteration; a Guard keeps the first three.
TEST(Author, GuardKeepsEarlierExecutions) {
  Tiny t;
  VarId r = t.GlobalInt(), i = t.GlobalInt(), sum = t.GlobalInt();
  ExprId division = t.b.Binary(BinaryOp::Div, t.I(10), t.b.Binary(BinaryOp::Sub, t.I(3), t.V(i)));
  BlockId body = t.NewBlock();
  t.In(body, [&] {
    t.Set(r, division);
    t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(sum), t.V(r)));
    t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(i)));
  });
  t.Add(StmtKind::While, t.b.Binary(BinaryOp::Lt, t.V(i), t.I(5)), body);
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::DivisionByZero);
    EXPECT_EQ(trap.prior_executions, 3u);
    EXPECT_FALSE(trap.reentered);
    const ExprId moved = PutCounterInFront(t, machine, trap, 7);
    EXPECT_EQ(machine->Executions(moved), 3u);
    return true;
  };
  const RunResult result = RunBoth(t, author, {}, &machine);
  EXPECT_EQ(FinalOf(result, sum), 3 + 5 + 10 + 7 + 7);
}

// int f(int n) { if (n == 0) { g = g + 10; return 1; } return g + f(n - 1); }: the innermost sum is put in order while
// the outer ones are still at their operands. They go on in the new tree.
TEST(Author, ExecutionsUnderWayFollowARepairOfTheOrder) {
  Tiny t;
  VarId g = t.GlobalInt(5), r = t.GlobalInt();
  FunctionId f = t.Function(t.Int(), {t.Int()}, [&](FunctionId self) {
    BlockId last = t.NewBlock();
    t.In(last, [&] {
      t.Set(g, t.b.Binary(BinaryOp::Add, t.V(g), t.I(10)));
      t.Return(t.I(1));
    });
    t.Add(StmtKind::If, t.b.Binary(BinaryOp::Eq, t.V(t.Param(self, 0)), t.I(0)), last);
    t.Return(
        t.b.Binary(BinaryOp::Add, t.V(g), t.Call(self, {t.b.Binary(BinaryOp::Sub, t.V(t.Param(self, 0)), t.I(1))})));
  });
  t.Set(r, t.Call(f, {t.I(3)}));
  Scripted author;
  Machine* machine = nullptr;
  ExprId operation_id;
  author.repair = [&](const machine::Trap& trap) {
    const Expr e = t.p.exprs[trap.expr];
    EXPECT_EQ(trap.kind, TrapKind::OrderDependent);
    EXPECT_EQ(trap.prior_executions, 2u) << "two outer executions are under way";
    EXPECT_EQ(trap.completed_executions, 0u);
    const VarId temporary = t.b.Temporary(trap.function, t.Int());
    Expr operation = e;
    operation.lhs = t.V(temporary);
    const ExprId moved = t.p.exprs.Add(operation);
    machine->Moved(trap.expr, moved);
    EXPECT_EQ(machine->Executions(moved), 0u);
    Expr comma = t.p.exprs[t.b.Comma(t.b.Assign(t.V(temporary), e.lhs), moved)];
    comma.repaired = true;
    t.p.exprs[trap.expr] = comma;
    operation_id = moved;
    return true;
  };
  Options options;
  options.author = &author;
  Machine writing(t.p, options);
  machine = &writing;
  EXPECT_EQ(FinalOf(writing.Run(), r), 5 + 5 + 5 + 1);
  EXPECT_EQ(author.traps.size(), 1u) << "one repair of the order serves all three executions";
  EXPECT_EQ(writing.Executions(operation_id), 3u) << "the outer executions ran the operation in its new place";
  EXPECT_EQ(FinalOf(t.Run(), r), 5 + 5 + 5 + 1);
}

// int f(int n) { return n == 0 ? 0 : 6 / f(n - 1); }: the innermost division gets a counter while the outer ones are at
// their operands. The middle one ends behind the counter; the outermost, which traps as well, must know of it.
TEST(Author, ExecutionsUnderWayAreCountedBehindACounter) {
  Tiny t;
  VarId r = t.GlobalInt();
  FunctionId f = t.Function(t.Int(), {t.Int()}, [&](FunctionId self) {
    BlockId last = t.NewBlock();
    t.In(last, [&] { t.Return(t.I(0)); });
    t.Add(StmtKind::If, t.b.Binary(BinaryOp::Eq, t.V(t.Param(self, 0)), t.I(0)), last);
    t.Return(
        t.b.Binary(BinaryOp::Div, t.I(6), t.Call(self, {t.b.Binary(BinaryOp::Sub, t.V(t.Param(self, 0)), t.I(1))})));
  });
  t.Set(r, t.Call(f, {t.I(3)}));
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::DivisionByZero);
    if (author.traps.size() > 1) {
      EXPECT_EQ(trap.completed_executions, 1u);
      t.p.exprs[trap.expr].op = static_cast<uint8_t>(BinaryOp::BitOr);
      return true;
    }
    EXPECT_EQ(trap.prior_executions, 2u);
    EXPECT_EQ(trap.completed_executions, 0u);
    PutCounterInFront(t, machine, trap, 7);
    return true;
  };
  Options options;
  options.author = &author;
  Machine writing(t.p, options);
  machine = &writing;
  EXPECT_EQ(FinalOf(writing.Run(), r), 6);
  EXPECT_EQ(author.traps.size(), 2u);
}

TEST(Author, HoistsAConflict) {
  Tiny t;
  VarId x = t.GlobalInt(5), r = t.GlobalInt();
  ExprId sum = t.b.Binary(BinaryOp::Add, t.b.IncDec(IncDecOp::PostInc, t.V(x)), t.V(x));
  t.Set(r, sum);
  Scripted author;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::Unsequenced);
    VarId temporary = t.b.Temporary(t.entry, t.Int());
    const Expr old = t.p.exprs[trap.expr];
    ExprId first = t.b.Assign(t.V(temporary), old.lhs);
    ExprId second = t.b.Binary(BinaryOp::Add, t.V(temporary), old.rhs);
    t.p.exprs[trap.expr] = t.p.exprs[t.b.Comma(first, second)];
    return true;
  };
  const RunResult result = RunBoth(t, author);
  EXPECT_EQ(FinalOf(result, r), 11);
  EXPECT_EQ(FinalOf(result, x), 6);
}

TEST(Author, RepairsAnLvalue) {
  Tiny t;
  VarId a = t.Global(t.T().Array(t.Int(), 4)), i = t.GlobalInt(6);
  ExprId element = t.b.Index(t.V(a), t.V(i));
  t.Do(t.b.Assign(element, t.I(9)));
  Scripted author;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::OutOfBounds);
    EXPECT_TRUE(trap.lvalue);
    EXPECT_TRUE(trap.operands[0].is_lvalue);
    t.p.exprs[trap.expr].rhs = t.b.Binary(BinaryOp::BitAnd, t.p.exprs[trap.expr].rhs, t.I(3));
    return true;
  };
  const RunResult result = RunBoth(t, author);
  EXPECT_EQ(FinalOf(result, a, 2), 9);
}

TEST(Author, InitialisesWithoutChangingTheNode) {
  Tiny t;
  VarId g = t.GlobalInt();
  VarId x = t.Local(t.Int());
  t.Set(g, t.V(x));
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::UninitializedRead);
    t.p.vars[x].init = t.InitInt(8);
    machine->Define(x, 8);
    return true;
  };
  const RunResult result = RunBoth(t, author, {}, &machine);
  EXPECT_EQ(FinalOf(result, g), 8);
}

TEST(Author, ANodeThatIsNeverRepairedEndsTheRun) {
  Tiny t;
  VarId x = t.Local(t.Int());
  t.Do(t.V(x));
  Scripted author;
  author.repair = [&](const machine::Trap&) { return true; };
  Options options;
  options.author = &author;
  EXPECT_EQ(t.Trap(options), TrapKind::UninitializedRead);
  EXPECT_LT(author.traps.size(), 10u);
}

TEST(Author, WrapsAReturnedAddress) {
  Tiny t;
  VarId p = t.Global(t.Ptr(t.Int()));
  FunctionId f = t.Function(t.Ptr(t.Int()), {}, [&](FunctionId) {
    VarId x = t.LocalInt(1);
    t.Return(t.b.AddressOf(t.V(x)));
  });
  t.Set(p, t.Call(f));
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::DanglingPointer);
    EXPECT_EQ(trap.operands.size(), 1u);
    EXPECT_EQ(trap.operands[0].expr, trap.expr);
    EXPECT_EQ(machine->View(trap.operands[0].value).kind, PointerView::Kind::Object);
    ExprId moved = MoveAway(t, machine, trap.expr);
    t.p.exprs[trap.expr] = t.p.exprs[t.b.Comma(moved, t.b.NullPointer(t.Ptr(t.Int())))];
    return true;
  };
  const RunResult result = RunBoth(t, author, {}, &machine);
  EXPECT_EQ(result.finals.back().state, FinalScalar::State::NullPointer);
}

// An endless loop and an endless recursion end by guards once the soft budget is reached.
TEST(Author, SoftBudgetTrimsLoops) {
  Tiny t;
  VarId n = t.GlobalInt();
  BlockId body = t.NewBlock();
  t.In(body, [&] { t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(n))); });
  StmtId loop = t.Add(StmtKind::While, t.I(1), body);
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::StepBudget);
    EXPECT_EQ(trap.stmt, loop);
    VarId counter = t.Global(t.Basic(TypeKind::UInt));
    t.p.vars[counter].role = VarRole::Counter;
    const ExprId condition = t.p.stmts[loop].expr;
    EXPECT_EQ(machine->Executions(condition), trap.prior_executions);
    machine->Define(counter, trap.prior_executions);
    t.p.stmts[loop].expr = t.b.Guard(condition, t.I(0), counter, trap.prior_executions);
    return true;
  };
  Options options;
  options.soft_budget = 200;
  const RunResult result = RunBoth(t, author, options, &machine);
  EXPECT_EQ(author.traps.size(), 1u);
  EXPECT_GT(FinalOf(result, n), 10);
}

TEST(Author, RecursionDepthIsGuardedBeforeTheArguments) {
  Tiny t;
  VarId n = t.GlobalInt(), evaluated = t.GlobalInt();
  ExprId recursive;
  FunctionId f = t.Function(t.Int(), {t.Int()}, [&](FunctionId self) {
    t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(n)));
    recursive = t.Call(self, {t.b.IncDec(IncDecOp::PreInc, t.V(evaluated))});
    t.Return(recursive);
  });
  t.Do(t.Call(f, {t.I(0)}));
  Scripted author;
  Machine* machine = nullptr;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::RecursionDepth);
    EXPECT_EQ(trap.expr, recursive);
    EXPECT_TRUE(trap.operands.empty());
    PutCounterInFront(t, machine, trap, 3);
    return true;
  };
  Options options;
  options.recursion_depth = 10;
  const RunResult result = RunBoth(t, author, options, &machine);
  EXPECT_EQ(FinalOf(result, n), FinalOf(result, evaluated) + 1);
}

// The inner execution repairs the node that the outer one is still evaluating.
TEST(Author, ANodeRepairedUnderneathIsNotRepairedAgain) {
  Tiny t;
  VarId depth = t.GlobalInt(), r = t.GlobalInt();
  ExprId sum;
  FunctionId f = t.Function(t.Int(), {}, [&](FunctionId self) {
    BlockId stop = t.NewBlock();
    t.Add(StmtKind::If, t.b.Binary(BinaryOp::Ge, t.b.IncDec(IncDecOp::PreInc, t.V(depth)), t.I(3)), stop);
    t.In(stop, [&] { t.Return(t.I(2147483647)); });
    sum = t.b.Binary(BinaryOp::Add, t.I(2147483647), t.Call(self));
    t.Return(sum);
  });
  t.Set(r, t.Call(f));
  Scripted author;
  author.repair = [&](const machine::Trap& trap) {
    const TypeId u = t.Basic(TypeKind::UInt);
    const Expr old = t.p.exprs[trap.expr];
    EXPECT_EQ(old.kind, ExprKind::Binary);
    EXPECT_TRUE(!trap.reentered);
    Expr cast;
    cast.kind = ExprKind::Cast;
    cast.type = t.Int();
    cast.lhs = t.b.Binary(BinaryOp::Sub, t.b.Cast(u, old.lhs), t.b.Cast(u, old.rhs));
    t.p.exprs[trap.expr] = cast;
    return true;
  };
  const RunResult result = RunBoth(t, author);
  EXPECT_EQ(author.traps.size(), 1u);
  EXPECT_EQ(FinalOf(result, r), 2147483647);
}

TEST(Author, ProbeAndPeekHaveNoEffect) {
  Tiny t;
  VarId g = t.GlobalInt(4);
  VarId x = t.LocalInt(5);
  t.p.blocks[t.block].open = true;
  Scripted author;
  Machine* machine = nullptr;
  author.extend = [&](BlockId block) {
    t.p.blocks[block].open = false;
    ExprId good = t.b.Binary(BinaryOp::Mul, t.V(g), t.V(x)), bad = t.b.Binary(BinaryOp::Div, t.V(g), t.I(0));
    EXPECT_EQ(machine->Probe(good), 20u);
    EXPECT_EQ(machine->Probe(bad), std::nullopt);
    EXPECT_EQ(machine->Executions(good), 0u);
    EXPECT_EQ(machine->Peek(x, 0, t.Int()), 5u);
    EXPECT_EQ(machine->Peek(x, 0, t.Basic(TypeKind::Long)), std::nullopt);
    return false;
  };
  RunBoth(t, author, {}, &machine);
}

// The author may look at what it has just declared. If that made the object, it would still have its value in the next
// iteration, where a goto passes the declaration.
TEST(Author, ProbeOfWhatIsNotDeclaredYetMakesNoObject) {
  Tiny t;
  const VarId x = t.b.Local(t.p.entry, t.Int(), lang::Storage::Auto, t.b.InitExpr(t.I(5)));
  t.p.blocks[t.block].open = true;
  Scripted author;
  Machine* machine = nullptr;
  author.extend = [&](BlockId block) {
    t.p.blocks[block].open = false;
    const ExprId value = t.V(x), address = t.b.AddressOf(t.V(x));
    EXPECT_EQ(machine->Probe(value), std::nullopt);
    EXPECT_EQ(machine->Probe(address), std::nullopt);
    EXPECT_EQ(machine->Peek(x, 0, t.Int()), std::nullopt);
    return false;
  };
  RunBoth(t, author, {}, &machine);
}

TEST(Author, AppendsAMissingReturn) {
  Tiny t;
  VarId g = t.GlobalInt();
  FunctionId f = t.Function(t.Int(), {}, [&](FunctionId) {});
  t.Set(g, t.Call(f));
  Scripted author;
  author.repair = [&](const machine::Trap& trap) {
    EXPECT_EQ(trap.kind, TrapKind::MissingReturn);
    EXPECT_EQ(trap.function, f);
    t.In(t.p.functions[f].body, [&] { t.Return(t.I(6)); });
    return true;
  };
  EXPECT_EQ(FinalOf(RunBoth(t, author), g), 6);
}

}  // namespace
}  // namespace assay::machine::testing
