// Speed of the abstract machine: simple node evaluations per second on typical code.
#include <benchmark/benchmark.h>

#include "lang/builder.hpp"
#include "machine/machine.hpp"

namespace {

using namespace assay::lang;
using assay::machine::Machine;
using assay::machine::Options;
using assay::machine::RunResult;
using assay::machine::TrapKind;

struct Loop {
  Program p;
  Builder b{p};
  FunctionId entry;
  BlockId body;
  VarId i;

  explicit Loop(int64_t count) {
    entry = b.Function(p.types.Function(p.types.Basic(TypeKind::Void), {}));
    p.entry = entry;
    i = b.Local(entry, p.types.Basic(TypeKind::Int), Storage::Auto, b.InitExpr(b.Int(0)));
    body = b.NewBlock(entry);
    Stmt loop;
    loop.kind = StmtKind::For;
    loop.var = i;
    loop.expr = b.Binary(BinaryOp::Lt, b.Var(i), b.Int(count));
    loop.step = b.IncDec(IncDecOp::PostInc, b.Var(i));
    loop.body = body;
    b.Append(p.functions[entry].body, b.Statement(loop));
  }
  void Do(ExprId e) { b.Append(body, b.ExprStatement(e)); }

  void Measure(benchmark::State& state) {
    uint64_t steps = 0;
    for (auto _ : state) {
      Machine machine(p, Options{.step_budget = 1ull << 40});
      const RunResult result = machine.Run();
      if (result.trap.kind != TrapKind::None) state.SkipWithError("trapped");
      steps += result.steps;
    }
    state.counters["steps/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  }
};

void Arithmetic(benchmark::State& state) {
  Loop l(20000);
  TypeId u = l.p.types.Basic(TypeKind::UInt);
  VarId x = l.b.Global(u), y = l.b.Global(u);
  for (int k = 0; k < 5; ++k) {
    l.Do(l.b.Assign(l.b.Var(x), l.b.Binary(BinaryOp::Add, l.b.Binary(BinaryOp::Mul, l.b.Var(x), l.b.Int(3 + k)),
                                           l.b.Binary(BinaryOp::BitXor, l.b.Var(y), l.b.Var(l.i)))));
    l.Do(l.b.CompoundAssign(BinaryOp::Sub, l.b.Var(y), l.b.Var(x)));
  }
  l.Measure(state);
}
BENCHMARK(Arithmetic);

void Arrays(benchmark::State& state) {
  Loop l(20000);
  TypeId u = l.p.types.Basic(TypeKind::UInt);
  VarId a = l.b.Global(l.p.types.Array(u, 64)),
        p = l.b.Global(l.p.types.Pointer(u), l.b.InitExpr(l.b.AddressOf(l.b.Index(l.b.Var(a), l.b.Int(0)))));
  const auto at = [&](int k) {
    return l.b.Binary(BinaryOp::BitAnd, l.b.Binary(BinaryOp::Add, l.b.Var(l.i), l.b.Int(k)), l.b.Int(63));
  };
  for (int k = 0; k < 4; ++k) {
    l.Do(l.b.CompoundAssign(BinaryOp::Add, l.b.Index(l.b.Var(a), at(k)), l.b.Index(l.b.Var(p), at(k * 3))));
    l.Do(l.b.Assign(l.b.Deref(l.b.Binary(BinaryOp::Add, l.b.Var(p), at(k + 7))), l.b.Var(l.i)));
  }
  l.Measure(state);
}
BENCHMARK(Arrays);

void Calls(benchmark::State& state) {
  Loop l(20000);
  TypeId u = l.p.types.Basic(TypeKind::UInt);
  VarId g = l.b.Global(u);
  FunctionId f = l.b.Function(l.p.types.Function(u, {u, u}));
  VarId local = l.b.Local(f, u, Storage::Auto,
                          l.b.InitExpr(l.b.Binary(BinaryOp::Add, l.b.Var(l.p.functions[f].params[0]), l.b.Int(1))));
  BlockId body = l.p.functions[f].body;
  l.b.Append(body, l.b.Decl(local));
  Stmt result;
  result.kind = StmtKind::Return;
  result.expr = l.b.Binary(BinaryOp::BitXor, l.b.Var(local), l.b.Var(l.p.functions[f].params[1]));
  l.b.Append(body, l.b.Statement(result));
  const auto call = [&] {
    const ExprId args[] = {l.b.Var(g), l.b.Var(l.i)};
    return l.b.Call(f, args);
  };
  l.Do(l.b.Assign(l.b.Var(g), call()));
  l.Do(l.b.Assign(l.b.Var(g), l.b.Binary(BinaryOp::Add, call(), call())));
  l.Measure(state);
}
BENCHMARK(Calls);

}  // namespace

BENCHMARK_MAIN();
