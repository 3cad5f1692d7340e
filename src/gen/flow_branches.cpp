#include <algorithm>
#include <set>

#include "gen/access.hpp"
#include "gen/budget.hpp"
#include "gen/expr.hpp"
#include "gen/flow.hpp"
#include "gen/integers.hpp"
#include "gen/reuse.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::Stmt;
using lang::UnaryOp;

constexpr uint64_t kStepsPerRound = 25;  // of a state machine, about

// The value that a chain or switch looks at: small, so that some case holds.
ExprId Selector(Writer& w) {
  const ExprId e = PureOperand(w, Want::Integer(1));
  if (!e) return {};
  switch (w.choices.Weighted({35, 35, 20, 10})) {
    case 0: return e;
    case 1: return w.build.Binary(BinaryOp::BitAnd, e, w.build.Int((2 << w.choices.Below(5)) - 1));
    case 2: {
      const ExprId wide = w.build.Cast(w.program.types.Basic(TypeKind::UInt), e);
      return w.build.Binary(BinaryOp::Rem, wide, w.build.Int(3 + w.choices.Below(20)));
    }
    default: return w.build.Cast(w.program.types.Basic(TypeKind::UChar), e);
  }
}

// The constants of a chain or switch over a value of the kind, each once; one of them is what the value is now.
std::vector<int64_t> Cases(Writer& w, ExprId selector, uint32_t count) {
  const lang::IntegerInfo info = w.IntInfo(lang::PromotedKind(w.program, selector));
  const std::optional<machine::Value> now = w.Probe(selector);
  const uint64_t start = now ? *now - w.choices.Below(count) : 0;
  const uint32_t style = w.choices.Below(4);  // dense twice, with gaps, anywhere
  std::vector<int64_t> values;
  std::set<int64_t> seen;
  uint64_t next = start;
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t value = static_cast<int64_t>(Canonical(next, info));
    if (seen.insert(value).second) values.push_back(value);
    next += style < 2 ? 1 : style == 2 ? 1 + w.choices.Below(4) : 1 + w.choices.Below(1000);
  }
  if (now && seen.insert(static_cast<int64_t>(*now)).second) values.push_back(static_cast<int64_t>(*now));
  return values;
}

ExprId ConstantLike(Writer& w, ExprId e, int64_t value) {
  const TypeKind kind = lang::PromotedKind(w.program, e);
  return LiteralOf(w, kind, Canonical(static_cast<uint64_t>(value), w.IntInfo(kind)));
}

// Where a chain or switch puts its results: an object, or a local that is handed on afterwards. (Only what is in a
// register is made a table by compilers.) Invalid: there is no object.
struct ResultPlace {
  ExprId target;
  VarId local;

  explicit ResultPlace(Writer& w) {
    if (w.choices.Percent(60)) {
      local = NewLocal(w);
      target = w.build.Var(local);
    } else {
      target = StorePlace(w);
    }
  }
};

// The values that a table gives: equal, linear, of two kinds, any.
class Results {
 public:
  explicit Results(Writer& w) : w_(w), style_(w.choices.Below(4)) {
    first_ = ConstantValue(w);
    step_ = style_ == 0 ? 0 : w.choices.Below(9);
  }
  ExprId Next(TypeId type) {
    const uint64_t value = style_ < 2                         ? first_ + step_ * at_
                           : style_ == 2 && w_.choices.Coin() ? first_
                                                              : ConstantValue(w_);
    ++at_;
    const TypeKind kind = lang::Promote(w_.Kind(type), w_.program.Model());
    return LiteralOf(w_, kind, Canonical(value, w_.IntInfo(w_.Kind(type))));
  }

 private:
  Writer& w_;
  uint32_t style_;
  uint64_t first_, step_, at_ = 0;
};

}  // namespace

void WriteIfChain(Writer& w) {
  if (!RoomFor(w, 60)) return;
  const ExprId selector = Selector(w);
  if (!selector) return;
  const ResultPlace place(w);
  const ExprId target = place.target;
  if (!target) return;
  const std::vector<int64_t> values = Cases(w, selector, 3 + w.choices.Below(6));
  const bool one_target = w.choices.Percent(70), separate = w.choices.Percent(25);
  const BinaryOp op = w.choices.Percent(80) ? BinaryOp::Eq : BinaryOp::Lt;
  BlockId block = w.scope.block;
  for (size_t i = 0; i < values.size() && !w.Full(); ++i) {
    Stmt link{.kind = StmtKind::If};
    link.expr = w.build.Binary(op, w.build.CopyTree(selector), ConstantLike(w, selector, values[i]));
    if (w.choices.Percent(10)) {
      const ExprId other = w.build.Binary(op, w.build.CopyTree(selector), ConstantLike(w, selector, values[i] + 1));
      link.expr = w.build.LogicalOr(link.expr, other);
    }
    link.body = w.build.NewBlock(w.scope.function);
    const bool last = i + 1 == values.size() && !w.choices.Coin();
    if (!separate && !last) link.other = w.build.NewBlock(w.scope.function);
    w.build.Append(block, w.build.Statement(link));
    w.build.Append(link.body, one_target ? SimpleStore(w, w.build.CopyTree(target)) : SimpleStore(w));
    if (separate || last) continue;
    block = link.other;
  }
  if (block != w.scope.block && w.program.blocks[block].stmts.empty())
    w.build.Append(block, SimpleStore(w, w.build.CopyTree(target)));
  if (place.local) Publish(w, place.local);
}

void WriteValueSwitch(Writer& w) {
  if (w.knobs.stmt_switch == 0 || !RoomFor(w, 100)) return;
  const ExprId selector = Selector(w);
  if (!selector) return;
  const ResultPlace place(w);
  const ExprId target = place.target;
  if (!target) return;
  const uint32_t room = w.StatementRoom() / 8;
  const std::vector<int64_t> values = Cases(w, selector, std::clamp(6 + w.choices.Below(26), 6u, std::max(6u, room)));
  Stmt stmt{.kind = StmtKind::Switch, .expr = selector};
  stmt.body = w.build.NewBlock(w.scope.function);
  w.Plan(stmt.body).depth = static_cast<uint16_t>(w.scope.depth + 1);
  w.Plan(stmt.body).outer_decls = static_cast<uint16_t>(w.Plan(w.scope.block).decls.size());
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  const TypeId type = w.program.types.Unqualified(w.program.exprs[target].type);
  Results results(w);
  // In clusters many labels share a result: bit tests.
  const bool clusters = w.choices.Percent(35);
  const uint32_t distinct = 2 + w.choices.Below(2);
  const auto give = [&] {
    w.build.Append(stmt.body, w.build.ExprStatement(w.build.Assign(w.build.CopyTree(target), results.Next(type))));
    w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Break}));
  };
  const auto label = [&](int64_t value) {
    Stmt marker{.kind = StmtKind::Case};
    marker.value = value;
    w.build.Append(stmt.body, w.build.Statement(marker));
  };
  if (clusters) {
    std::vector<std::vector<int64_t>> groups(distinct);
    for (int64_t value : values) groups[w.choices.Below(distinct)].push_back(value);
    for (const std::vector<int64_t>& group : groups) {
      if (group.empty()) continue;
      for (int64_t value : group) label(value);
      give();
    }
  } else {
    for (int64_t value : values) {
      label(value);
      if (!w.choices.Percent(8)) give();
    }
  }
  if (w.choices.Percent(75)) {
    w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Default}));
    w.build.Append(stmt.body, w.build.ExprStatement(w.build.Assign(w.build.CopyTree(target), results.Next(type))));
  }
  if (w.program.stmts[w.program.blocks[stmt.body].stmts.back()].kind == StmtKind::Case)
    w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Empty}));
  if (place.local) Publish(w, place.local);
}

namespace {

// A store that costs little: a path with more than a few statements between two tests is not copied. Never to a flag:
// then a test would say nothing of the next one.
StmtId SmallEffect(Writer& w, const std::vector<VarId>& flags) {
  ExprId target;
  for (int tries = 0; tries < 4; ++tries) {
    target = StorePlace(w);
    if (!target) break;
    const lang::Expr& place = w.program.exprs[target];
    if (place.kind != lang::ExprKind::Variable || std::find(flags.begin(), flags.end(), place.Var()) == flags.end())
      break;
    target = {};
  }
  if (!target) return w.build.Statement({.kind = StmtKind::Empty});
  if (w.choices.Percent(20)) return SimpleStore(w, target);
  const TypeId kind = w.program.types.Unqualified(w.program.exprs[target].type);
  return w.build.ExprStatement(w.build.Assign(target, ConstantFor(w, kind)));
}

// What a flag is set to: mostly a comparison of something that changes. A fact would leave nothing to find out later.
ExprId FlagValue(Writer& w) {
  const ExprId a = w.choices.Percent(85) ? PureOperand(w, Want::Integer(0)) : ExprId{};
  if (!a) return Condition(w, w.choices.Coin(), 1);
  if (w.choices.Percent(20)) return w.build.Binary(BinaryOp::BitAnd, a, w.build.Int(1 << w.choices.Below(6)));
  static constexpr BinaryOp kCompare[] = {BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le,
                                          BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne};
  const BinaryOp op = kCompare[w.choices.Below(6)];
  if (w.choices.Percent(30)) {
    if (const ExprId b = PureOperand(w, Want::Integer(0))) return w.build.Binary(op, a, b);
  }
  const std::optional<machine::Value> now = w.Probe(a);
  return w.build.Binary(op, a, ConstantLike(w, a, static_cast<int64_t>((now ? *now : 0) + w.choices.Below(3))));
}

// A few flags, and branches on one that set another: what one block decides is known many blocks later.
void WriteFlags(Writer& w) {
  const TypeId type = w.program.types.Basic(w.choices.Percent(70) ? TypeKind::Int : TruthKind(w));
  std::vector<VarId> flags(2 + w.choices.Below(3));
  for (VarId& flag : flags) flag = DeclareLocal(w, type, w.build.InitExpr(FlagValue(w)));
  const uint32_t count = static_cast<uint32_t>(flags.size()), tests = 16 + w.choices.Below(48);
  for (uint32_t i = 0; i < tests && !w.Full(); ++i) {
    const uint32_t tested = w.choices.Below(count), set = (tested + 1 + w.choices.Below(count - 1)) % count;
    const auto other = [&] { return w.build.Var(flags[set]); };
    ExprId test = w.build.Var(flags[tested]);
    if (w.choices.Percent(20)) test = w.build.Unary(UnaryOp::LogicalNot, test);
    StmtId then;
    switch (w.choices.Weighted({55, 12, 33})) {
      case 0: then = w.build.ExprStatement(w.build.Assign(other(), w.build.Int(w.choices.Below(2)))); break;
      case 1: then = w.build.ExprStatement(w.build.Assign(other(), w.build.Unary(UnaryOp::LogicalNot, other()))); break;
      default: then = SmallEffect(w, flags); break;
    }
    AppendBranch(w, w.scope.block, test, then);
  }
  for (VarId flag : flags) NoteCondition(w, w.build.Var(flag));
}

}  // namespace

void WriteThreads(Writer& w) {
  if (!RoomFor(w, 100)) return;
  if (w.choices.Percent(45)) return WriteFlags(w);
  const TypeKind kinds[] = {TypeKind::Int,  TypeKind::UInt, TruthKind(w),
                            TypeKind::Char, TypeKind::Long, TypeKind::UShort};
  TypeId type = w.program.types.Basic(kinds[w.choices.Below(6)]);
  const bool several = w.choices.Percent(25) && w.Kind(type) != TypeKind::Bool;  // more than two values
  const bool fixed = !several && w.choices.Percent(60);                          // never changed
  if (fixed) type = w.program.types.Qualified(type, lang::kConst);
  const ExprId first = fixed || w.choices.Percent(40) ? FlagValue(w) : w.build.Int(w.choices.Below(2));
  const VarId flag = DeclareLocal(w, type, w.build.InitExpr(first));
  const auto var = [&] { return w.build.Var(flag); };
  if (!fixed) {
    const uint32_t values = several ? 4 : 2;
    const auto set = [&] { return w.build.ExprStatement(w.build.Assign(var(), w.build.Int(w.choices.Below(values)))); };
    const ExprId condition = FlagValue(w);
    const StmtId then = set();
    AppendBranch(w, w.scope.block, condition, then, w.choices.Percent(60) ? set() : StmtId{});
    if (several) {
      const ExprId second = FlagValue(w);
      AppendBranch(w, w.scope.block, second, set());
    }
  }
  for (int i = 0; i < 2; ++i) NoteCondition(w, var());  // conditions of later statements, more often than others
  const auto test = [&]() -> ExprId {
    if (several) {
      const BinaryOp op = w.choices.Percent(70) ? BinaryOp::Eq : w.choices.Coin() ? BinaryOp::Ne : BinaryOp::Gt;
      return w.build.Binary(op, var(), w.build.Int(w.choices.Below(4)));
    }
    switch (w.choices.Weighted({80, 12, 6, 2})) {
      case 1: return w.build.Unary(UnaryOp::LogicalNot, var());
      case 2: return w.build.Binary(BinaryOp::Eq, var(), w.build.Int(1));
      case 3: return w.build.LogicalAnd(var(), Condition(w, true, 1));
      default: return var();
    }
  };
  const uint32_t tests = 12 + w.choices.Below(48);
  for (uint32_t i = 0; i < tests && !w.Full(); ++i) {
    if (w.choices.Percent(12)) w.build.Append(w.scope.block, SmallEffect(w, {flag}));
    if (!fixed && w.choices.Percent(8)) {
      const StmtId change = w.build.ExprStatement(w.build.Assign(var(), w.build.Int(w.choices.Below(several ? 4 : 2))));
      AppendBranch(w, w.scope.block, FlagValue(w), change);
      continue;
    }
    const ExprId condition = test();
    const StmtId then = SmallEffect(w, {flag});
    AppendBranch(w, w.scope.block, condition, then, w.choices.Percent(35) ? SmallEffect(w, {flag}) : StmtId{});
  }
}

void WriteStateMachine(Writer& w) {
  if (w.knobs.stmt_switch == 0 || !RoomFor(w, 120)) return;
  const ExprId input = PureOperand(w, Want::Integer(1));
  const ExprId target = StorePlace(w);
  if (!input || !target) return;
  const uint32_t states = 3 + w.choices.Below(5), rounds = 4 + w.choices.Below(16);
  if (StepsHere(w) < rounds * kStepsPerRound) return;
  const TypeId type = w.program.types.Basic(w.choices.Coin() ? TypeKind::Int : TypeKind::UChar);
  const VarId state = DeclareLocal(w, type, w.build.InitExpr(w.build.Int(w.choices.Below(states))));
  Stmt loop{.kind = StmtKind::For};
  loop.var = w.build.Local(w.scope.function, w.program.types.Basic(TypeKind::Int), lang::Storage::Auto,
                           w.build.InitExpr(w.build.Int(0)));
  w.BlockOf(loop.var) = w.scope.block;
  const auto count = [&] { return w.build.Var(loop.var); };
  loop.expr = w.build.Binary(BinaryOp::Lt, count(), w.build.Int(rounds));
  if (w.choices.Percent(60))
    loop.expr = w.build.LogicalAnd(
        loop.expr, w.build.Binary(BinaryOp::Ne, w.build.Var(state), w.build.Int(static_cast<int64_t>(states) - 1)));
  loop.step = w.build.IncDec(lang::IncDecOp::PostInc, count());
  loop.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  Stmt table{.kind = StmtKind::Switch, .expr = w.build.Var(state)};
  table.body = w.build.NewBlock(w.scope.function);
  w.build.Append(loop.body, w.build.Statement(table));
  const auto go = [&](ExprId next) { return w.build.ExprStatement(w.build.Assign(w.build.Var(state), next)); };
  const auto any = [&] { return w.build.Int(w.choices.Below(states)); };
  for (uint32_t i = 0; i < states; ++i) {
    if (i + 1 == states && w.choices.Coin()) {
      w.build.Append(table.body, w.build.Statement({.kind = StmtKind::Default}));
    } else {
      Stmt label{.kind = StmtKind::Case};
      label.value = i;
      w.build.Append(table.body, w.build.Statement(label));
    }
    w.build.Append(table.body, w.choices.Percent(70)
                                   ? SimpleStore(w, w.build.CopyTree(target))
                                   : w.build.ExprStatement(w.build.Assign(w.build.CopyTree(target), count())));
    switch (w.choices.Weighted({45, 30, 25})) {
      case 0: w.build.Append(table.body, go(any())); break;
      case 1: {
        const ExprId bit =
            w.build.Binary(BinaryOp::BitAnd, w.build.CopyTree(input), w.build.Int(1 << w.choices.Below(6)));
        const ExprId yes = any();
        w.build.Append(table.body, go(w.build.Conditional(bit, yes, any())));
        break;
      }
      default: {
        const ExprId odd = w.build.Binary(BinaryOp::BitAnd, count(), w.build.Int(1 << w.choices.Below(3)));
        const StmtId then = go(any());
        AppendBranch(w, table.body, odd, then, go(any()));
        break;
      }
    }
    if (!w.choices.Percent(10)) w.build.Append(table.body, w.build.Statement({.kind = StmtKind::Break}));
  }
  Publish(w, state);
}

void WriteBitTests(Writer& w) {
  if (!RoomFor(w, 50)) return;
  const ExprId value = PureOperand(w, Want::Integer(0)), target = StorePlace(w);
  if (!value || !target) return;
  const uint32_t first = w.choices.Below(4);
  const auto bit = [&](uint32_t i) {
    const ExprId masked = w.build.Binary(BinaryOp::BitAnd, w.build.CopyTree(value), w.build.Int(1 << (first + i)));
    switch (w.choices.Below(3)) {
      case 0: return masked;
      case 1: return w.build.Binary(BinaryOp::Eq, masked, w.build.Int(0));
      default: return w.build.Binary(BinaryOp::Ne, masked, w.build.Int(0));
    }
  };
  const uint32_t count = 2 + w.choices.Below(4);
  if (w.choices.Coin()) {  // one inside the other
    BlockId block = w.scope.block;
    for (uint32_t i = 0; i < count; ++i) {
      Stmt stmt{.kind = StmtKind::If, .expr = bit(i)};
      stmt.body = w.build.NewBlock(w.scope.function);
      w.build.Append(block, w.build.Statement(stmt));
      block = stmt.body;
    }
    w.build.Append(block, SimpleStore(w, w.build.CopyTree(target)));
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {  // one after the other, with the same effect or with bits set
    const ExprId condition = bit(i);
    const ExprId mask = w.build.Int(1 << w.choices.Below(8));
    const ExprId effect = w.build.CompoundAssign(BinaryOp::BitOr, w.build.CopyTree(target), mask);
    AppendBranch(w, w.scope.block, condition, w.build.ExprStatement(effect));
  }
}

}  // namespace assay::gen
