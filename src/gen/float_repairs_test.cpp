// Every row of the rewrites and repairs of floating numbers, as repairs_test.cpp does it for the others: it applies,
// and the executions before the trap keep their value and side effects. The values come from the arithmetic of this
// test.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "gen/float_rewrites.hpp"
#include "gen/floats.hpp"
#include "gen/repair_tools.hpp"
#include "lang/verify.hpp"

namespace assay::gen {
namespace {

using lang::Builtin;
using lang::FloatMode;
using lang::IncDecOp;
using lang::UnaryOp;
using machine::TrapKind;

// x and y get the inputs one after the other, and r[i] the value of the place that traps at one of them.
struct Bench {
  Bench(TypeKind left, TypeKind right, TypeKind result, uint64_t seed)
      : w(program, {}, choice::Choices(seed)), x(Global(left)), y(Global(right)), n(Global(TypeKind::Int)) {
    results = result;
    entry = w.build.Function(program.types.Function(program.types.Basic(TypeKind::Void), {}));
    program.entry = entry;
  }
  VarId Global(TypeKind kind) { return w.build.Global(program.types.Basic(kind)); }
  ExprId X() { return w.build.Var(x); }
  ExprId Y() { return w.build.Var(y); }
  ExprId Counted(ExprId e) { return w.build.Comma(w.build.IncDec(IncDecOp::PostInc, w.build.Var(n)), e); }
  ExprId Number(TypeKind kind, double value) {
    if (lang::IsFloat(kind)) return w.build.Constant(kind, lang::FloatBits(kind, value));
    return w.build.Constant(TypeKind::LLong, static_cast<uint64_t>(static_cast<int64_t>(value)));
  }

  lang::Program program;
  Writer w;
  VarId x, y, n;
  FunctionId entry;
  TypeKind results;
};

class RowAuthor : public machine::Author {
 public:
  RowAuthor(Writer& w, const RepairRow& row) : w_(w), row_(row) {}
  bool Extend(BlockId) override { return false; }
  bool Repair(const machine::Trap& trap) override {
    const RepairPlace place{trap};
    const bool mine = trap.kind == TrapKind::FloatInexact || trap.kind == TrapKind::FloatConversion ||
                      trap.kind == TrapKind::DivisionByZero || trap.kind == TrapKind::FloatSign;
    if (!mine || !row_.applies(w_, place)) return w_.Repair(trap);
    ++applied;
    return row_.apply(w_, place);
  }
  int applied = 0;

 private:
  Writer& w_;
  const RepairRow& row_;
};

struct Input {
  double x, y;
};
struct Case {
  std::string_view row;
  TypeKind left, right, result;
  std::function<ExprId(Bench&)> place;
  std::function<double(double, double)> value;
  std::vector<Input> clean;  // executions before the trap; none: a rewrite
  Input bad;
  int effects = 0;  // of one execution
  FloatMode mode = FloatMode::Exact;
};

constexpr TypeKind D = TypeKind::Double, F = TypeKind::Float, I = TypeKind::Int, L = TypeKind::LLong;

std::function<ExprId(Bench&)> Binary(BinaryOp op, bool counted = false) {
  return [=](Bench& t) {
    return t.w.build.Binary(op, counted ? t.Counted(t.X()) : t.X(), counted ? t.Counted(t.Y()) : t.Y());
  };
}
ExprId CountedQuarter(Bench& t) {
  return t.w.build.Binary(BinaryOp::Div, t.Counted(t.X()), t.Number(TypeKind::Float, 4));
}
double Quarter(double a, double) { return a / 4; }
std::function<ExprId(Bench&)> CastOf(TypeKind kind, bool counted = false) {
  return [=](Bench& t) { return t.w.build.Cast(t.program.types.Basic(kind), counted ? t.Counted(t.X()) : t.X()); };
}
std::function<ExprId(Bench&)> Update(BinaryOp op, bool counted = false) {
  return [=](Bench& t) { return t.w.build.CompoundAssign(op, t.X(), counted ? t.Counted(t.Y()) : t.Y()); };
}
std::function<ExprId(Bench&)> Step(IncDecOp op) {
  return [=](Bench& t) { return t.w.build.IncDec(op, t.X()); };
}

std::function<ExprId(Bench&)> Function(lang::Builtin function, TypeKind kind, bool counted = false) {
  return [=](Bench& t) {
    const lang::BuiltinInfo& row = lang::Info(function);
    std::vector<ExprId> arguments = {counted ? t.Counted(t.X()) : t.X()};
    if (row.arguments > 1) arguments.push_back(t.Y());
    if (row.arguments > 2) arguments.push_back(t.Number(kind, 0));
    const bool number = row.result == lang::BuiltinResult::Floating;
    const TypeId type = t.program.types.Basic(kind);
    return t.w.build.BuiltinCall(function, number ? type : t.program.types.Basic(I), number ? type : TypeId(),
                                 arguments);
  };
}

double Plus(double a, double b) { return a + b; }
double Times(double a, double b) { return a * b; }
double Over(double a, double b) { return a / b; }
double Whole(double a, double) { return std::trunc(a); }
double Same(double a, double) { return a; }
double Signed(double a, double b) { return std::copysign(a, b); }
double IsNegative(double a, double) { return a < 0; }
double Root(double a, double) { return std::sqrt(a); }
double Least(double a, double b) { return std::fmin(a, b); }
double Scaled(double a, double b) { return std::ldexp(a, static_cast<int>(b)); }

std::vector<Case> Cases() {
  const std::vector<Input> small = {{3, 4}, {0.5, 8}, {-1.25, 2}};
  const double fine = 1 + 0x1p-40;
  return {
      {"small integers", I, F, F, Binary(BinaryOp::Add), Plus, {}, {16777217, 0.5}},
      {"small integers", I, F, I, Binary(BinaryOp::Lt), Plus, {}, {16777217, 0.5}},
      {"another floating operation", D, D, D, Binary(BinaryOp::Mul), Times, {}, {fine, fine}},
      {"another floating operation", D, D, D, Binary(BinaryOp::Div, true), Over, {}, {1, 3}, 2},
      {"another floating operation", F, D, D, Binary(BinaryOp::Add), Plus, {}, {1, 0x1p-60}},
      {"another floating operation", F, F, F, Binary(BinaryOp::Div), Over, {}, {1, 0}},
      {"another floating operation", F, F, F, Binary(BinaryOp::Mul), Times, {}, {4097, 4097}, 0, FloatMode::Robust},
      {"another function", D, D, D, Function(Builtin::Sqrt, D), Same, {}, {2, 0}},
      {"another function", D, D, D, Function(Builtin::Sqrt, D, true), Same, {}, {-2, 0}, 1},
      {"another function", D, D, D, Function(Builtin::Fma, D, true), Times, {}, {fine, fine}, 1},
      {"another function", F, F, F, Function(Builtin::Fma, F), Times, {}, {4097, 4097}, 0, FloatMode::Robust},
      {"another function", F, I, F, Function(Builtin::Ldexp, F, true), Plus, {}, {3, 200}, 1},
      {"another function", F, F, F, Function(Builtin::Floor, F), Same, {}, {0x1p24, 0}, 0, FloatMode::Robust},
      {"another function", D, D, D, Function(Builtin::Sqrt, D, true), Same, {}, {4, 0}, 1, FloatMode::Robust},
      {"an argument with a sign", D, D, D, Function(Builtin::CopySign, D, true), Same, {}, {3, 0}, 1},
      {"an argument with a sign", F, I, F, Function(Builtin::CopySign, F, true), Same, {}, {3, 0}, 1},
      {"an argument with a sign", F, F, I, Function(Builtin::SignBit, F, true), Same, {}, {0, 0}, 1, FloatMode::Robust},
      {"an argument with a sign", D, D, D, Function(Builtin::Fmin, D), Same, {}, {0, -0.0}},
      {"an argument with a sign", D, D, D, Function(Builtin::Fmax, D, true), Same, {}, {-0.0, 0}, 1, FloatMode::Ieee},
      {"another update", D, D, D, Update(BinaryOp::Mul), Times, {}, {fine, fine}},
      {"another update", F, D, F, Update(BinaryOp::Add, true), Plus, {}, {1, 0x1p-40}, 1},
      {"another update", I, D, I, Update(BinaryOp::Mul), Times, {}, {1000, 1e9}},
      {"another update", D, D, D, Step(IncDecOp::PostInc), Same, {}, {0x1p53, 0}},
      {"a small integer converted", I, I, F, CastOf(F), Same, {}, {16777217, 0}},
      {"a constant converted", D, D, F, CastOf(F, true), Same, {}, {0.1, 0}, 1},
      {"a constant converted",
       D,
       D,
       I,
       [](Bench& t) { return t.w.build.Cast(t.program.types.Basic(I), t.Number(D, 1e12)); },
       Same,
       {},
       {0, 0}},
      {"a range check from the start", D, D, I, CastOf(I), Whole, {}, {1e12, 0}},
      {"a range check from the start", D, D, I, CastOf(I, true), Whole, {}, {-1e12, 0}, 1},

      {"range check", D, D, I, CastOf(I), Whole, {{-2147483648.5, 0}, {2147483647.5, 0}, {3, 0}}, {2147483648.0, 0}},
      {"range check", D, D, I, CastOf(I), Whole, {{-2147483648.5, 0}, {7.75, 0}}, {-2147483649.0, 0}},
      {"range check", F, D, I, CastOf(TypeKind::Short, true), Whole, {{-32768.5, 0}, {32767.5, 0}}, {40000, 0}, 1},
      {"range check", F, D, I, CastOf(TypeKind::UChar), Whole, {{-0.5, 0}, {255.5, 0}}, {-1, 0}},
      {"range check", F, D, L, CastOf(L), Whole, {{-0x1p63, 0}, {0x1p62, 0}}, {0x1p63, 0}},
      {"divisor check", D, D, D, Binary(BinaryOp::Div), Over, {{6, 3}, {1, 4}}, {1, 0}},
      {"sign check", D, D, D, Function(Builtin::CopySign, D), Signed, {{3, -1}, {-2, 4}, {0, 5}}, {3, 0}},
      {"sign check",
       F,
       F,
       I,
       Function(Builtin::SignBit, F),
       IsNegative,
       {{3, 0}, {-2, 0}},
       {0, 0},
       0,
       FloatMode::Robust},
      {"counter around the operation", D, D, D, Function(Builtin::Sqrt, D), Root, {{4, 0}, {2.25, 0}}, {2, 0}},
      {"counter around the operation", D, D, D, Function(Builtin::Fmin, D), Least, small, {0, -0.0}},
      {"counter around the operation", D, D, D, Function(Builtin::Fma, D), Times, small, {fine, fine}},
      {"counter after its operands",
       F,
       I,
       F,
       Function(Builtin::Ldexp, F, true),
       Scaled,
       {{3, 4}, {0.5, -8}},
       {3, 200},
       1},
      {"counter after its operands",
       D,
       D,
       D,
       Function(Builtin::CopySign, D, true),
       Signed,
       {{3, -1}, {-2, 4}},
       {3, 0},
       1},
      {"counter around the operation", D, D, D, Binary(BinaryOp::Mul), Times, small, {fine, fine}},
      {"counter around the operation", F, D, D, Binary(BinaryOp::Add), Plus, small, {1, 0x1p-60}},
      {"counter around the operation", F, F, F, Binary(BinaryOp::Div), Over, {{6, 3}, {1, 4}}, {1, 3}},
      {"counter around the operation", D, D, F, CastOf(F), Same, small, {0.1, 0}},
      {"counter around the operation", F, F, F, Binary(BinaryOp::Add), Plus, small, {0x1p24, 1}, 0, FloatMode::Robust},
      {"counter after its operands", D, D, D, Binary(BinaryOp::Mul, true), Times, small, {fine, fine}, 2},
      {"counter after its operands", D, D, F, CastOf(F, true), Same, small, {0.1, 0}, 1},
      {"counter after its operands", F, F, F, CountedQuarter, Quarter, small, {0x1p-24, 0}, 1, FloatMode::Robust},
      {"x = (T)(x op e)", D, D, D, Update(BinaryOp::Mul), Times, small, {fine, fine}},
      {"x = (T)(x op e)", F, D, F, Update(BinaryOp::Add, true), Plus, small, {1, 0x1p-40}, 1},
      {"x = (T)(x op e)",
       I,
       D,
       I,
       Update(BinaryOp::Mul),
       [](double a, double b) { return std::trunc(a * b); },
       {{3, 1.5}, {10, 2.75}},
       {1000, 1e9}},
      {"counter around the update", D, D, D, Step(IncDecOp::PostInc), Same, {{1, 0}, {0.5, 0}}, {0x1p53, 0}},
      {"counter around the update",
       F,
       D,
       F,
       Step(IncDecOp::PreDec),
       [](double a, double) { return a - 1; },
       {{1, 0}, {0.5, 0}},
       {0x1p-40, 0}},
  };
}

const RepairRow& RowOf(std::string_view name) {
  for (const auto& rows : {FloatRewrites(), FloatRepairs()}) {
    for (const RepairRow& row : rows) {
      if (row.name == name) return row;
    }
  }
  ADD_FAILURE() << "no row " << name;
  return FloatRewrites().front();
}

void Prove(const Case& c, uint64_t seed) {
  Bench t(c.left, c.right, c.result, seed);
  t.program.floats = c.mode;
  std::vector<Input> inputs = c.clean;
  inputs.push_back(c.bad);
  inputs.insert(inputs.end(), c.clean.begin(), c.clean.end());  // whatever comes then is defined
  const auto count = static_cast<uint32_t>(inputs.size());
  lang::TypeTable& types = t.program.types;
  const auto table = [&](TypeKind kind, auto&& of) {
    std::vector<lang::InitItem> items;
    for (uint32_t i = 0; i < count; ++i) items.push_back({i, t.w.build.InitExpr(t.Number(kind, of(inputs[i])))});
    return t.w.build.Global(types.Array(types.Basic(kind), count), t.w.build.InitList(std::move(items), false));
  };
  const VarId xs = table(c.left, [](const Input& i) { return i.x; });
  const VarId ys = table(c.right, [](const Input& i) { return i.y; });
  const VarId r = t.w.build.Global(types.Array(types.Basic(c.result), count));
  const VarId i = t.Global(TypeKind::Int);
  lang::Stmt loop{.kind = StmtKind::For};
  loop.init = t.w.build.Assign(t.w.build.Var(i), t.w.build.Int(0));
  loop.expr = t.w.build.Binary(BinaryOp::Lt, t.w.build.Var(i), t.w.build.Int(count));
  loop.step = t.w.build.IncDec(IncDecOp::PostInc, t.w.build.Var(i));
  loop.body = t.w.build.NewBlock(t.entry);
  t.w.build.Append(t.program.functions[t.entry].body, t.w.build.Statement(loop));
  const auto at = [&](VarId array) { return t.w.build.Index(t.w.build.Var(array), t.w.build.Var(i)); };
  const auto append = [&](ExprId e) { t.w.build.Append(loop.body, t.w.build.ExprStatement(e)); };
  append(t.w.build.Assign(t.X(), at(xs)));
  append(t.w.build.Assign(t.Y(), at(ys)));
  append(t.w.build.Assign(at(r), c.place(t)));

  const RepairRow& row = RowOf(c.row);
  RowAuthor author(t.w, row);
  machine::RunResult written;
  {
    machine::Options options;
    options.author = &author;
    machine::Machine machine(t.program, options);
    t.w.machine = &machine;
    written = machine.Run();
    t.w.machine = nullptr;
  }
  ASSERT_EQ(machine::Info(written.trap.kind).name, "none") << c.row;
  EXPECT_GE(author.applied, 1) << c.row;
  const std::vector<lang::Problem> problems = lang::Verify(t.program);
  ASSERT_TRUE(problems.empty()) << c.row << ": " << lang::Describe(problems.front());
  const machine::RunResult clean = machine::Machine(t.program, {}).Run();
  ASSERT_EQ(machine::Info(clean.trap.kind).name, "none") << c.row;
  for (const machine::FinalScalar& final : clean.finals) {
    if (final.var == t.n) {
      EXPECT_EQ(static_cast<int64_t>(final.value), c.effects * static_cast<int64_t>(count)) << c.row;
    }
    if (final.var != r || final.path[0] >= c.clean.size()) continue;
    const Input& input = c.clean[final.path[0]];
    const double expected = c.value(input.x, input.y);
    const double value = lang::IsFloat(c.result) ? lang::FloatValue(c.result, final.value)
                                                 : static_cast<double>(static_cast<int64_t>(final.value));
    EXPECT_EQ(value, expected) << c.row << " input " << final.path[0];
  }
  for (const machine::FinalScalar& final : written.finals) {
    for (const machine::FinalScalar& other : clean.finals) {
      if (final.var != other.var || final.path != other.path) continue;
      EXPECT_EQ(final.value, other.value) << c.row;
    }
  }
}

TEST(FloatRepairs, EveryRowAppliesAndKeepsTheValue) {
  for (const Case& c : Cases()) {
    for (uint64_t seed = 0; seed < 12; ++seed) Prove(c, seed);
  }
}

TEST(FloatRepairs, EveryRowIsProvenHere) {
  std::set<std::string_view> proven;
  for (const Case& c : Cases()) proven.insert(c.row);
  for (const auto& rows : {FloatRewrites(), FloatRepairs()}) {
    for (const RepairRow& row : rows) EXPECT_TRUE(proven.contains(row.name)) << row.name;
  }
}

// double f(int n) { if (n == 0) return 1; return f(n - 1) / 3; } and the same with ldexp(f(n - 1), -2000): the
// innermost operation traps when three have begun and none has ended. A counter behind the operands steps for the first
// time there.
TEST(FloatRepairs, ACounterAfterItsOperandsCountsWhatHasEnded) {
  for (const bool call : {false, true}) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      Bench t(D, D, D, seed);
      lang::Builder& b = t.w.build;
      lang::TypeTable& types = t.program.types;
      const TypeId number = types.Basic(D);
      const FunctionId f = b.Function(types.Function(number, {types.Basic(I)}));
      const ExprId depth = b.Var(t.program.functions[f].params[0]), one = b.Int(1);
      const ExprId inner = b.Call(f, std::vector{b.Binary(BinaryOp::Sub, depth, one)});
      const ExprId operation = call ? b.BuiltinCall(Builtin::Ldexp, number, number, std::vector{inner, b.Int(-2000)})
                                    : b.Binary(BinaryOp::Div, inner, t.Number(D, 3));
      lang::Stmt last{.kind = lang::StmtKind::Return}, result = last, stop{.kind = lang::StmtKind::If};
      last.expr = t.Number(D, 1);
      result.expr = operation;
      stop.expr = b.Binary(BinaryOp::Eq, b.CopyTree(depth), b.Int(0));
      stop.body = b.NewBlock(f);
      b.Append(stop.body, b.Statement(last));
      b.Append(t.program.functions[f].body, b.Statement(stop));
      b.Append(t.program.functions[f].body, b.Statement(result));
      b.Append(t.program.functions[t.entry].body, b.ExprStatement(b.Assign(t.X(), b.Call(f, std::vector{b.Int(3)}))));

      RowAuthor author(t.w, RowOf("counter after its operands"));
      machine::Options options;
      options.author = &author;
      machine::Machine machine(t.program, options);
      t.w.machine = &machine;
      const machine::RunResult written = machine.Run();
      t.w.machine = nullptr;
      ASSERT_EQ(machine::Info(written.trap.kind).name, "none");
      EXPECT_GE(author.applied, 1);
      const machine::RunResult clean = machine::Machine(t.program, {}).Run();
      ASSERT_EQ(machine::Info(clean.trap.kind).name, "none") << "seed " << seed;
      ASSERT_EQ(clean.finals.size(), written.finals.size());
      for (size_t i = 0; i < clean.finals.size(); ++i) EXPECT_EQ(clean.finals[i].value, written.finals[i].value);
    }
  }
}

// What RewriteFloat says is exact is so by the machine, too.
TEST(FloatRepairs, RewritesAreExact) {
  choice::Choices choices(5);
  for (int round = 0; round < 20000; ++round) {
    const TypeKind kind = choices.Coin() ? F : D;
    const auto draw = [&] {
      if (choices.Coin()) return static_cast<double>(choices.Between(-2000, 2000)) / 16;
      for (;;) {
        const uint64_t bits = choices.Bits() >> (kind == F ? 32 : 0);
        if (lang::IsFinite(kind, bits)) return lang::FloatValue(kind, bits);
      }
    };
    const double a = draw(), b = draw();
    const FloatRewrite rewrite = RewriteFloat(FloatMode::Exact, kind, a, b, choices);
    lang::Program program;
    lang::Builder build(program);
    const FunctionId entry = build.Function(program.types.Function(program.types.Basic(TypeKind::Void), {}));
    program.entry = entry;
    const auto number = [&](double v) { return build.Constant(kind, lang::FloatBits(kind, v)); };
    const ExprId e = build.Binary(rewrite.op, number(a), number(rewrite.keeps_right ? b : rewrite.constant));
    build.Append(program.functions[entry].body, build.ExprStatement(e));
    ASSERT_EQ(machine::Info(machine::Machine(program, {}).Run().trap.kind).name, "none")
        << a << ' ' << lang::Info(rewrite.op).spelling << ' ' << b;
  }
}

}  // namespace
}  // namespace assay::gen
