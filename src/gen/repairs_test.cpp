// Every row of the repair tables is proven three ways: it applies, it does not apply, and it keeps the value, on all
// 4-bit operands (repairs_testing.hpp).
#include <fmt/format.h>

#include <functional>
#include <set>

#include "gen/repairs_testing.hpp"
#include "support/files.hpp"

namespace assay::gen {
namespace {

using Build = std::function<void(Bench&)>;

enum class Proof : uint8_t {
  Always,  // keeps the value for ever after, and takes the trap away
  Counts,  // keeps the value of the executions before the trap; from then on anything defined
  Again,   // keeps the value for ever after; what it leaves traps again and is repaired again
  First,   // a rewrite: at the operands that trapped it is defined, and has the operands' side effects
};

struct Shape {
  TypeKind left = TypeKind::Int, right = TypeKind::Int;
  Build build;
};

struct Case {
  std::string_view table, row;
  Proof proof;
  std::vector<Shape> fits, others;  // where the row applies, and where it does not
};

struct Table {
  std::string_view name;
  std::span<const RepairRow> rows;
};
std::vector<Table> Tables() {
  return {{"rewrite", ArithmeticRewrites()},   {"binary", BinaryRepairs()}, {"unary", UnaryRepairs()},
          {"assignment", AssignmentRepairs()}, {"index", IndexRepairs()},   {"pointer", PointerRepairs()},
          {"value", ValueRepairs()},           {"read", ReadRepairs()},     {"order", OrderRepairs()},
          {"budget", BudgetRepairs()}};
}

RepairPlace PlaceOf(const Case& c, Bench& bench) {
  return c.table == "pointer" ? PointerPlace(bench.w, bench.trap) : RepairPlace{bench.trap};
}

const RepairRow& RowOf(const Case& c) {
  for (const Table& table : Tables()) {
    for (const RepairRow& row : table.rows) {
      if (table.name == c.table && row.name == c.row) return row;
    }
  }
  ADD_FAILURE() << "no row " << c.table << '/' << c.row;
  return BinaryRepairs().front();
}

void ProveRepair(const Case& c, const Shape& shape) {
  Bench bench(shape.left, shape.right);
  shape.build(bench);
  struct Execution {
    int64_t x, y;
    Outcome before;
  };
  std::vector<Execution> clean, trapping;
  ForAllInputs(bench, [&](int64_t x, int64_t y) {
    const Outcome outcome = Run(bench, x, y);
    if (outcome.trap == TrapKind::None) clean.push_back({x, y, outcome});
    if (outcome.trap == bench.trap.kind) trapping.push_back({x, y, outcome});
  });
  ASSERT_FALSE(clean.empty());
  bench.trap.prior_executions = bench.trap.completed_executions = clean.size();
  const RepairPlace place = PlaceOf(c, bench);
  ASSERT_TRUE(RowOf(c).applies(bench.w, place));
  ASSERT_TRUE(RowOf(c).apply(bench.w, place));
  Memory kept;
  const auto again = [&](bool backwards) {
    for (const Execution& execution : clean) {
      const Outcome now = Run(bench, execution.x, execution.y, &kept, backwards);
      ASSERT_EQ(now.trap, TrapKind::None) << execution.x << ", " << execution.y;
      ASSERT_EQ(now.value, execution.before.value) << execution.x << ", " << execution.y;
      ASSERT_EQ(now.effects, execution.before.effects) << execution.x << ", " << execution.y;
    }
  };
  again(false);
  if (c.proof == Proof::Counts) {  // whatever comes now
    const Outcome now = Run(bench, clean.front().x, clean.front().y, &kept);
    EXPECT_EQ(now.trap, TrapKind::None);
    if (!bench.trap.expr) {
      EXPECT_EQ(now.value, 0);  // the loop ends
    }
  }
  for (const Execution& execution : trapping) {
    const Outcome now = Run(bench, execution.x, execution.y, &kept);
    if (c.proof != Proof::Again) {
      EXPECT_NE(now.trap, bench.trap.kind) << execution.x << ", " << execution.y;
    }
    if (c.proof == Proof::Counts) {
      EXPECT_EQ(now.trap, TrapKind::None) << execution.x << ", " << execution.y;
    }
  }
  if (c.proof != Proof::Counts) again(false);
  if (c.table == "order") again(true);  // the order is the program's now
}

// What the evaluator knows nothing of: these traps are taken as given for all inputs.
bool IsGiven(TrapKind kind) {
  return kind == TrapKind::Unsequenced || kind == TrapKind::RecursionDepth || kind == TrapKind::StepBudget;
}

void ProveRewrite(const Case& c, const Shape& shape) {
  int proven = 0;
  ForAllInputs(Bench(shape.left, shape.right), [&](int64_t x, int64_t y) {
    for (uint64_t repeat = 0; repeat < 4; ++repeat) {
      Bench bench(shape.left, shape.right);
      shape.build(bench);
      if (!IsGiven(bench.trap.kind) && Run(bench, x, y).trap != bench.trap.kind) return;
      ++proven;
      bench.w.choices = choice::Choices(repeat);
      if (c.table == "rewrite") {  // looks at the operands' values
        Memory memory = bench.Inputs(x, y);
        for (machine::Operand& operand : bench.trap.operands) {
          operand.value = static_cast<uint64_t>(Evaluator(bench.program, memory).Value(operand.expr));
        }
      }
      const RepairPlace place = PlaceOf(c, bench);
      ASSERT_TRUE(RowOf(c).applies(bench.w, place));
      ASSERT_TRUE(RowOf(c).apply(bench.w, place));
      const Outcome now = Run(bench, x, y);
      EXPECT_EQ(now.trap, TrapKind::None) << x << ", " << y;
      EXPECT_EQ(now.effects[2], bench.counted) << x << ", " << y;  // n
    }
  });
  EXPECT_GT(proven, 0);
}

// Builders of places.

Build Operation(BinaryOp op, TrapKind kind, bool count_left = false, bool count_right = false) {
  return [=](Bench& t) {
    const ExprId l = count_left ? t.Counted(t.Var(t.a)) : t.Var(t.a);
    const ExprId r = count_right ? t.Counted(t.Var(t.b)) : t.Var(t.b);
    t.At(t.w.build.Binary(op, l, r), {l, r}, kind);
  };
}
Build Later(Build build) {
  return [=](Bench& t) {
    build(t);
    t.trap.prior_executions = t.trap.completed_executions = 5;
  };
}

using Shapes = std::vector<Shape>;
Shapes operator+(Shapes a, const Shapes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

enum class Operands : uint8_t { Pure, Effects };  // Effects: one or both of them have side effects

// op for each op, with operands of each pair of types.
Shapes All(std::initializer_list<BinaryOp> ops, TrapKind kind,
           std::initializer_list<std::pair<TypeKind, TypeKind>> types, Operands operands) {
  Shapes shapes;
  for (BinaryOp op : ops) {
    for (auto [left, right] : types) {
      if (operands == Operands::Pure) {
        shapes.push_back({left, right, Operation(op, kind)});
        continue;
      }
      shapes.push_back({left, right, Operation(op, kind, true, false)});
      shapes.push_back({left, right, Operation(op, kind, false, true)});
      shapes.push_back({left, right, Operation(op, kind, true, true)});
    }
  }
  return shapes;
}

constexpr TypeKind I = TypeKind::Int, U = TypeKind::UInt;

Shapes Overflows(Operands operands) {
  return All({BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}, TrapKind::SignedOverflow, {{I, I}}, operands);
}
Shapes ByZero(Operands operands) {
  return All({BinaryOp::Div, BinaryOp::Rem}, TrapKind::DivisionByZero, {{I, I}, {I, U}, {U, I}, {U, U}}, operands);
}
Shapes DivisionOverflows(Operands operands) {
  return All({BinaryOp::Div, BinaryOp::Rem}, TrapKind::DivisionOverflow, {{I, I}}, operands);
}
Shapes Counts(Operands operands) {
  return All({BinaryOp::Shl, BinaryOp::Shr}, TrapKind::ShiftCount, {{I, I}, {I, U}, {U, I}, {U, U}}, operands);
}
Shapes Signs(Operands operands) { return All({BinaryOp::Shl}, TrapKind::ShiftSign, {{I, I}, {I, U}}, operands); }
Shapes Everything(Operands operands) {
  return Overflows(operands) + ByZero(operands) + DivisionOverflows(operands) + Counts(operands) + Signs(operands);
}

Shape Negation(bool counted = false) {
  return {.build = [=](Bench& t) {
    const ExprId operand = counted ? t.Counted(t.Var(t.a)) : t.Var(t.a);
    t.At(t.w.build.Unary(UnaryOp::Minus, operand), {operand}, TrapKind::SignedOverflow);
  }};
}

Shape UnaryPlace(UnaryOp op, TrapKind kind, TypeKind type, bool counted) {
  return {type, I, [=](Bench& t) {
            const ExprId operand = counted ? t.Counted(t.Var(t.a)) : t.Var(t.a);
            t.At(t.w.build.Unary(op, operand), {operand}, kind);
          }};
}
Shape Absolute(bool counted = false) { return UnaryPlace(UnaryOp::Abs, TrapKind::SignedOverflow, I, counted); }
Shapes FirstBits() {
  Shapes shapes;
  for (UnaryOp op : {UnaryOp::Clz, UnaryOp::Ctz}) {
    for (TypeKind type : {I, U}) {
      for (bool counted : {false, true}) shapes.push_back(UnaryPlace(op, TrapKind::BitOfZero, type, counted));
    }
  }
  return shapes;
}

Shapes Steps(VarId Bench::*target, TrapKind kind) {
  Shapes shapes;
  for (IncDecOp op : {IncDecOp::PreInc, IncDecOp::PreDec, IncDecOp::PostInc, IncDecOp::PostDec}) {
    shapes.push_back({.build = [=](Bench& t) {
      const ExprId place = t.Var(t.*target);
      t.At(t.w.build.IncDec(op, place), {place}, kind);
    }});
  }
  return shapes;
}

// target op= b
Shape Compound(BinaryOp op, TrapKind kind, std::function<ExprId(Bench&)> target, bool counted = false) {
  return {.build = [=](Bench& t) {
    const ExprId place = target(t);
    const ExprId value = counted ? t.Counted(t.Var(t.b)) : t.Var(t.b);
    t.At(t.w.build.CompoundAssign(op, place, value), {place, value}, kind);
  }};
}
Shapes Compounds(std::function<ExprId(Bench&)> target) {
  Shapes shapes;
  for (bool counted : {false, true}) {
    for (BinaryOp op : {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}) {
      shapes.push_back(Compound(op, TrapKind::SignedOverflow, target, counted));
    }
    for (BinaryOp op : {BinaryOp::Div, BinaryOp::Rem}) {
      shapes.push_back(Compound(op, TrapKind::DivisionByZero, target, counted));
    }
    for (BinaryOp op : {BinaryOp::Shl, BinaryOp::Shr}) {
      shapes.push_back(Compound(op, TrapKind::ShiftCount, target, counted));
    }
    shapes.push_back(Compound(BinaryOp::Shl, TrapKind::ShiftSign, target, counted));
  }
  return shapes;
}
ExprId A(Bench& t) { return t.Var(t.a); }
ExprId ElementByCondition(Bench& t) {  // four[a > 0 ? 0 : 1]: no side effects, but not to be copied
  lang::Builder& build = t.w.build;
  const ExprId condition = build.Binary(BinaryOp::Gt, t.Var(t.a), build.Int(0));
  return build.Index(t.Var(t.four), build.Conditional(condition, build.Int(0), build.Int(1)));
}
ExprId ElementOfFour(Bench& t) {  // four[a & 3]
  return t.w.build.Index(t.Var(t.four), t.w.build.Binary(BinaryOp::BitAnd, t.Var(t.a), t.w.build.Int(3)));
}
ExprId Pointee(Bench& t) { return t.w.build.Deref(t.Var(t.p)); }

// array[a], or &array[a]
Shape Element(VarId Bench::*array, TypeKind index, bool address = false) {
  return {index, I, [=](Bench& t) {
            const ExprId base = t.Var(t.*array), at = t.Var(t.a);
            const ExprId element = t.w.build.Index(base, at);
            t.At(element, {base, at}, TrapKind::OutOfBounds);
            t.trap.address = address;
            if (address) t.root = t.w.build.AddressOf(element);
          }};
}
Shape VlaElement() {
  return {.build = [](Bench& t) {
    t.vla = t.w.build.Local(t.function, t.program.types.Vla(t.program.types.Basic(I)));
    const ExprId base = t.Var(t.vla), at = t.Counted(t.Var(t.a));
    t.At(t.w.build.Index(base, at), {base, at}, TrapKind::OutOfBounds);
  }};
}

// *p or p[1]
Shape Dereference(TrapKind kind, bool subscript = false, bool counted = false) {
  return {.build = [=](Bench& t) {
    const ExprId pointer = counted ? t.Counted(t.Var(t.p)) : t.Var(t.p);
    if (subscript) {
      const ExprId one = t.w.build.Int(1);
      t.At(t.w.build.Index(pointer, one), {pointer, one}, kind);
    } else {
      t.At(t.w.build.Deref(pointer), {pointer}, kind);
    }
  }};
}

Shape Comparison(bool counted = false) {  // p < q
  return {.build = [=](Bench& t) {
    const ExprId l = counted ? t.Counted(t.Var(t.p)) : t.Var(t.p), r = t.Var(t.q);
    t.At(t.w.build.Binary(BinaryOp::Lt, l, r), {l, r}, TrapKind::PointerCompare);
  }};
}

Shape ReadOfU() {
  return {.build = [](Bench& t) { t.At(t.Var(t.u), {}, TrapKind::UninitializedRead); }};
}
Shape CompoundOfU() {
  return Compound(BinaryOp::BitXor, TrapKind::UninitializedRead, [](Bench& t) { return t.Var(t.u); });
}

Shape Store(std::function<ExprId(Bench&)> target, bool compound = false) {  // target = (n++, p = four, a = b)
  return {.build = [=](Bench& t) {
    lang::Builder& build = t.w.build;
    const ExprId other = build.Comma(build.Assign(t.Var(t.p), t.Var(t.four)), build.Assign(t.Var(t.a), t.Var(t.b)));
    const ExprId place = target(t), value = t.Counted(other);
    t.At(compound ? t.w.build.CompoundAssign(BinaryOp::BitXor, place, value) : t.w.build.Assign(place, value),
         {place, value}, TrapKind::Unsequenced);
  }};
}
Build Conflict(BinaryOp op) {  // a op (n++, a = b)
  return [=](Bench& t) {
    const ExprId l = t.Var(t.a), r = t.Counted(t.w.build.Assign(t.Var(t.a), t.Var(t.b)));
    t.At(t.w.build.Binary(op, l, r), {l, r}, TrapKind::Unsequenced);
  };
}
ExprId BitField(Bench& t) {  // records[a & 1].field
  lang::Record record;
  record.members.push_back({t.program.types.Basic(I), 3});
  const TypeId type = t.program.types.OfRecord(t.program.types.AddRecord(std::move(record)));
  const VarId records = t.w.build.Global(t.program.types.Array(type, 2));
  const ExprId index = t.w.build.Binary(BinaryOp::BitAnd, t.Var(t.a), t.w.build.Int(1));
  return t.w.build.Member(t.w.build.Index(t.Var(records), index), 0);
}

Shape CallOf(TrapKind kind, bool counted, bool helper = false) {  // function(a, b)
  return {.build = [=](Bench& t) {
    const ExprId callee = t.w.build.Func(t.function);
    const ExprId second = counted ? t.Counted(t.w.build.Assign(t.Var(t.a), t.Var(t.b))) : t.Var(t.b);
    const std::array arguments = {t.Var(t.a), second};  // a, (n++, a = b)
    t.At(t.w.build.Call(callee, arguments), {callee, arguments[0], arguments[1]}, kind);
    if (kind != TrapKind::Unsequenced) t.trap.operands = {};  // budgets are asked before anything is evaluated
    t.w.Plan(t.function).helper = helper;
  }};
}
// while (a < b) with an empty body, or one statement in it.
Shape Loop(bool guarded = false, bool filled = false) {
  return {.build = [=](Bench& t) {
    ExprId condition = t.w.build.Binary(BinaryOp::Lt, t.Var(t.a), t.Var(t.b));
    if (guarded) condition = t.w.build.Guard(condition, t.w.build.Int(0), t.n, 3);
    lang::Stmt loop{.kind = StmtKind::While, .expr = condition};
    loop.body = t.w.build.NewBlock(t.function);
    t.trap.stmt = t.w.build.Statement(loop);
    if (filled) t.w.build.Append(loop.body, t.w.build.Statement({.kind = StmtKind::Empty}));
    t.trap.kind = TrapKind::StepBudget;
    t.root = condition;
  }};
}

Shapes Late(const Shapes& shapes) {
  Shapes late;
  for (const Shape& shape : shapes) late.push_back({shape.left, shape.right, Later(shape.build)});
  return late;
}
Shape Reentered(Shape shape) {
  return {shape.left, shape.right, [=](Bench& t) {
            shape.build(t);
            t.trap.reentered = true;
          }};
}

constexpr auto kPure = Operands::Pure, kEffects = Operands::Effects;

std::vector<Case> Cases() {
  const Shape uncopyable = Compound(BinaryOp::Add, TrapKind::SignedOverflow, ElementByCondition);
  return {
      {"rewrite",
       "+ instead of -",
       Proof::First,
       {Negation(), Negation(true)},
       Overflows(kPure) + Late({Negation()}) + FirstBits() + Shapes{Absolute()}},
      {"rewrite",
       "a cast instead of abs",
       Proof::First,
       {Absolute(), Absolute(true)},
       Shapes{Negation()} + Late({Absolute()}) + FirstBits()},
      {"rewrite", "a bit that is set", Proof::First, FirstBits(), Shapes{Negation(), Absolute()} + Late(FirstBits())},
      {"rewrite", "a step the other way", Proof::First, Steps(&Bench::a, TrapKind::SignedOverflow), {Negation()}},
      {"rewrite", "another operation", Proof::First, Everything(kPure) + Everything(kEffects),
       Compounds(A) + Late(Overflows(kPure))},
      {"rewrite", "another operation before =", Proof::First, Compounds(A), Overflows(kPure) + Late(Compounds(A))},

      {"binary", "unsigned form", Proof::Always,
       Overflows(kPure) + Overflows(kEffects) + Signs(kPure) + Signs(kEffects), ByZero(kPure) + Counts(kPure)},
      {"binary", "wrapper", Proof::Always,
       Overflows(kPure) + Overflows(kEffects) + ByZero(kPure) + ByZero(kEffects) + DivisionOverflows(kPure) +
           DivisionOverflows(kEffects),
       Counts(kPure) + Signs(kPure)},
      {"binary", "mask of the count", Proof::Always, Counts(kPure) + Counts(kEffects), Overflows(kPure) + Signs(kPure)},
      {"binary", "conditional", Proof::Always, ByZero(kPure), ByZero(kEffects) + DivisionOverflows(kPure)},
      {"binary", "wrapper in place", Proof::Always, Overflows(kPure) + ByZero(kPure) + DivisionOverflows(kPure),
       Overflows(kEffects) + Counts(kPure)},
      {"binary", "counter", Proof::Counts, Everything(kPure), Everything(kEffects)},

      {"unary", "counter", Proof::Counts, {Negation(), Absolute()}, {Negation(true), Absolute(true)}},
      {"unary", "unsigned form", Proof::Always, {Negation(), Negation(true)}, Shapes{Absolute()} + FirstBits()},
      {"unary", "a bit that is set", Proof::Always, FirstBits(), {Negation(), Absolute()}},

      {"assignment", "counter around ++", Proof::Counts, Steps(&Bench::a, TrapKind::SignedOverflow), Compounds(A)},
      {"assignment", "x = x op e", Proof::Again, Compounds(A) + Compounds(ElementOfFour),
       Steps(&Bench::a, TrapKind::SignedOverflow) + Shapes{uncopyable}},
      {"assignment", "counter around op=", Proof::Counts, {uncopyable}, Compounds(A)},

      {"index", "counter around the index", Proof::Counts, {VlaElement()}, {Element(&Bench::four, I)}},
      {"index",
       "i % n",
       Proof::Always,
       {Element(&Bench::four, I), Element(&Bench::three, I), Element(&Bench::three, U), Element(&Bench::four, I, true),
        Element(&Bench::three, U, true)},
       {VlaElement()}},
      {"index",
       "i & (n - 1)",
       Proof::Always,
       {Element(&Bench::four, I), Element(&Bench::four, U)},
       {Element(&Bench::three, I), Element(&Bench::four, I, true), VlaElement()}},

      {"pointer",
       "a global",
       Proof::First,
       {Dereference(TrapKind::NullDereference), Dereference(TrapKind::NullDereference, true),
        Dereference(TrapKind::OutOfBounds, true)},
       Shapes{Dereference(TrapKind::NullDereference, false, true)} + Late({Dereference(TrapKind::NullDereference)})},
      {"pointer",
       "a global after the pointer's side effects",
       Proof::First,
       {Dereference(TrapKind::NullDereference, false, true)},
       {Dereference(TrapKind::NullDereference)}},
      {"pointer",
       "p ? p : global",
       Proof::Always,
       {Dereference(TrapKind::NullDereference)},
       Shapes{Dereference(TrapKind::NullDereference)} +
           Late({Dereference(TrapKind::NullDereference, true), Dereference(TrapKind::NullDereference, false, true),
                 Dereference(TrapKind::DanglingPointer)})},
      {"pointer",
       "counter around the pointer",
       Proof::Counts,
       {Dereference(TrapKind::NullDereference), Dereference(TrapKind::NullDereference, false, true)},
       {Dereference(TrapKind::NullDereference)}},

      {"value", "plain value", Proof::First, {Comparison(), Comparison(true)}, Late({Comparison()})},
      {"value", "counter", Proof::Counts, {Comparison()}, Shapes{Comparison()} + Late({Comparison(true)})},
      {"value",
       "counter after the operands",
       Proof::Counts,
       {Comparison(true)},
       Late({Comparison(), Reentered(Comparison(true))})},

      {"read", "= instead of op=", Proof::First, {CompoundOfU()}, Shapes{ReadOfU()} + Late({CompoundOfU()})},
      {"read", "= 0 instead of ++", Proof::First, Steps(&Bench::u, TrapKind::UninitializedRead), {CompoundOfU()}},
      {"read", "plain value", Proof::First, {ReadOfU()}, Shapes{CompoundOfU()} + Late({ReadOfU()})},
      {"read", "counter", Proof::Counts, {ReadOfU()}, {ReadOfU()}},

      {"order",
       "left operand first",
       Proof::Always,
       {{I, I, Conflict(BinaryOp::BitXor)}, {U, I, Conflict(BinaryOp::Lt)}},
       {Store(A)}},
      {"order",
       "base first",
       Proof::Always,
       {{.build = [](Bench& t) { t.At(ElementOfFour(t), {}, TrapKind::Unsequenced); }},
        {.build =
             [](Bench& t) {  // p[(p = three, 1)]
               lang::Builder& build = t.w.build;
               const ExprId index = build.Comma(build.Assign(t.Var(t.p), t.Var(t.three)), build.Int(1));
               t.At(build.Index(t.Var(t.p), t.Counted(index)), {}, TrapKind::Unsequenced);
             }}},
       {Store(A)}},
      {"order", "value first", Proof::Always, {Store(A), Store(A, true)}, {Store(Pointee), Store(ElementOfFour)}},
      {"order",
       "address and value first",
       Proof::Always,
       {Store(Pointee), Store(Pointee, true), Store(ElementOfFour), Store(ElementOfFour, true)},
       {Store(A), Store(BitField)}},
      {"order", "plain value", Proof::First, {Store(BitField)}, Shapes{Store(Pointee)} + Late({Store(BitField)})},
      {"order", "arguments first", Proof::Always, {CallOf(TrapKind::Unsequenced, true)}, {Store(A)}},

      {"budget",
       "counter around the condition",
       Proof::Counts,
       {Loop()},
       Shapes{Loop(true), Loop(), CallOf(TrapKind::StepBudget, false)} + Late({Loop(false, true)})},
      {"budget",
       "plain value",
       Proof::First,
       {CallOf(TrapKind::RecursionDepth, false), CallOf(TrapKind::StepBudget, false)},
       Shapes{CallOf(TrapKind::RecursionDepth, false, true), Loop()} + Late({CallOf(TrapKind::RecursionDepth, false)})},
      {"budget",
       "counter around the call",
       Proof::Counts,
       {CallOf(TrapKind::StepBudget, false), CallOf(TrapKind::RecursionDepth, false)},
       Shapes{CallOf(TrapKind::RecursionDepth, false), CallOf(TrapKind::StepBudget, false)} +
           Late({CallOf(TrapKind::StepBudget, false, true)})},
  };
}

// What these change is not one expression but how often a loop runs: proven on whole programs, below.
const std::set<std::string> kProvenByRuns = {"budget/a lower bound", "budget/break after the iterations so far"};

std::string NameOf(std::string_view table, std::string_view row) { return fmt::format("{}/{}", table, row); }

TEST(RepairsTest, EveryRowIsProvenHere) {
  std::set<std::string> rows, proven;
  for (const Table& table : Tables()) {
    for (const RepairRow& row : table.rows) EXPECT_TRUE(rows.insert(NameOf(table.name, row.name)).second) << row.name;
  }
  for (const Case& c : Cases()) proven.insert(NameOf(c.table, c.row));
  proven.insert(kProvenByRuns.begin(), kProvenByRuns.end());
  EXPECT_EQ(rows, proven);
}

TEST(RepairsTest, EveryTableIsLookedAtHere) {
  auto header = support::ReadFile(ASSAY_SOURCE_DIR "/src/gen/repair_tools.hpp");
  ASSERT_TRUE(header.Ok());
  size_t declared = 0;
  for (size_t at = 0; (at = header->find("\nstd::span<const RepairRow> ", at)) != std::string::npos; ++at) ++declared;
  constexpr size_t kFloatTables = 2;  // float_repairs_test.cpp
  EXPECT_EQ(Tables().size() + kFloatTables, declared) << "a table of repair_tools.hpp is missing in Tables()";
}

TEST(RepairsTest, EveryRowAppliesAndKeepsTheValueForAllFourBitOperands) {
  for (const Case& c : Cases()) {
    ASSERT_FALSE(c.fits.empty());
    for (size_t i = 0; i < c.fits.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}/{}, place {}", c.table, c.row, i));
      c.proof == Proof::First ? ProveRewrite(c, c.fits[i]) : ProveRepair(c, c.fits[i]);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(RepairsTest, EveryRowHasPlacesWhereItDoesNotApply) {
  for (const Case& c : Cases()) {
    EXPECT_FALSE(c.others.empty()) << NameOf(c.table, c.row);
    for (size_t i = 0; i < c.others.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}/{}, place {}", c.table, c.row, i));
      Bench bench(c.others[i].left, c.others[i].right);
      c.others[i].build(bench);
      EXPECT_FALSE(RowOf(c).applies(bench.w, PlaceOf(c, bench)));
    }
  }
}

// A program with one loop, as loops.cpp writes it: index = first; while (index op bound) { index += step; sum += index;
// }
struct OneLoop {
  OneLoop(BinaryOp op, int64_t first, int64_t step, int64_t bound, bool alone) : w(program, {}, choice::Choices(7)) {
    lang::TypeTable& types = program.types;
    const TypeId integer = types.Basic(TypeKind::Int);
    index = w.build.Global(integer);
    sum = w.build.Global(integer);
    program.entry = w.build.Function(types.Function(types.Basic(TypeKind::Void), {}));
    const BlockId body = program.functions[program.entry].body;
    const auto add = [&](VarId to, ExprId value) {
      return w.build.ExprStatement(w.build.CompoundAssign(BinaryOp::Add, w.build.Var(to), value));
    };
    w.build.Append(body, w.build.ExprStatement(w.build.Assign(w.build.Var(index), w.build.Int(first))));
    lang::Stmt stmt{.kind = StmtKind::While};
    stmt.expr = w.build.Binary(op, w.build.Var(index), w.build.Int(bound));
    stmt.body = w.build.NewBlock(program.entry);
    loop = w.build.Statement(stmt);
    w.build.Append(body, loop);
    w.build.Append(stmt.body, add(index, w.build.Int(step)));
    w.build.Append(stmt.body, add(sum, w.build.Var(index)));
    LoopPlan& plan = w.Plan(loop);
    plan.deadline = 40;
    if (alone) plan = {plan.deadline, stmt.expr, w.build.Var(index), first, step};
  }

  machine::RunResult Run(machine::Author* author) {
    machine::Options options;
    options.author = author;
    machine::Machine machine(program, options);
    w.machine = author == nullptr ? nullptr : &machine;
    machine::RunResult result = machine.Run();
    w.machine = nullptr;
    return result;
  }

  lang::Program program;
  Writer w;
  VarId index, sum;
  StmtId loop;
};

// The run in which the loop was ended, and a clean run of what it became, end in the same state.
TEST(RepairsTest, ALoopThatRunsLongIsTrimmedOrLeftWithoutAChangeOfWhatHappened) {
  struct Head {
    BinaryOp op;
    int64_t first, step, bound;
  };
  for (const Head& head :
       {Head{BinaryOp::Lt, 0, 1, 1000}, Head{BinaryOp::Le, -5, 3, 1000}, Head{BinaryOp::Gt, 9, -2, -1000},
        Head{BinaryOp::Ge, 9, -1, -1000}, Head{BinaryOp::Ne, 0, 4, 1000}}) {
    for (const bool alone : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {} {}", lang::Info(head.op).spelling, head.step, alone));
      OneLoop bench(head.op, head.first, head.step, head.bound, alone);
      const machine::RunResult written = bench.Run(&bench.w);
      ASSERT_EQ(written.trap.kind, TrapKind::None);
      EXPECT_LT(written.steps, 200u);
      EXPECT_EQ(bench.w.Plan(bench.loop).cut, !alone);
      EXPECT_EQ(bench.program.exprs[bench.program.stmts[bench.loop].expr].kind, ExprKind::Binary)
          << "no counter in the head";
      const machine::RunResult clean = bench.Run(nullptr);
      ASSERT_EQ(clean.trap.kind, TrapKind::None);
      ASSERT_EQ(written.finals.size(), clean.finals.size());
      for (size_t i = 0; i < clean.finals.size(); ++i) EXPECT_EQ(written.finals[i].value, clean.finals[i].value) << i;
      EXPECT_NE(clean.finals[1].value, 0u) << "it has run";
    }
  }
}

// An assignment to the index that could not be made is a plain value: then the values that were planned are not seen,
// even where one is met by chance.
TEST(RepairsTest, ALoopWhoseIndexStandsStillIsNotTrimmed) {
  for (const int stands : {0, 1}) {
    SCOPED_TRACE(stands);
    OneLoop bench(BinaryOp::Lt, 0, 1, 1000, true);
    bench.w.Plan(bench.loop).deadline = 8;  // after an iteration or two
    const lang::BlockId body = bench.program.stmts[bench.loop].body;
    const StmtId begin = bench.program.blocks[bench.program.functions[bench.program.entry].body].stmts.front();
    const StmtId step = bench.program.blocks[body].stmts.front();
    bench.program.stmts[begin].expr = bench.w.build.Int(1);
    bench.program.stmts[step].expr = bench.w.build.Int(0);
    bench.program.vars[bench.index].init = bench.w.build.InitExpr(bench.w.build.Int(stands));
    bench.w.Plan(bench.loop).writes = {bench.program.stmts[begin].expr, bench.program.stmts[step].expr};
    bench.w.build.Append(body, bench.w.build.ExprStatement(bench.w.build.CompoundAssign(
                                   BinaryOp::Add, bench.w.build.Var(bench.sum), bench.w.build.Int(1))));
    const machine::RunResult written = bench.Run(&bench.w), clean = bench.Run(nullptr);
    ASSERT_EQ(written.trap.kind, TrapKind::None);
    ASSERT_EQ(clean.trap.kind, TrapKind::None);
    EXPECT_EQ(written.finals[1].value, clean.finals[1].value);
    EXPECT_NE(clean.finals[1].value, 0u) << "it has run";
  }
}

// A counter cannot count executions that overlap, and is not an lvalue.
TEST(RepairsTest, ACounterIsGivenUpWhereItCannotCount) {
  Bench reentered, lvalue;
  Comparison().build(reentered);
  reentered.trap.reentered = true;
  EXPECT_FALSE(GuardWhole(reentered.w, reentered.trap));
  Comparison().build(lvalue);
  lvalue.trap.lvalue = true;
  EXPECT_FALSE(GuardWhole(lvalue.w, lvalue.trap));
}

}  // namespace
}  // namespace assay::gen
