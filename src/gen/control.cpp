#include "gen/control.hpp"

#include <algorithm>
#include <set>

#include "gen/access.hpp"
#include "gen/budget.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/integers.hpp"
#include "gen/loops.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::IncDecOp;
using lang::Stmt;

void AppendLabel(Writer& w, BlockId block, LabelId label) {
  Stmt stmt{.kind = StmtKind::Label};
  stmt.label = label;
  w.build.Append(block, w.build.Statement(stmt));
}

Stmt GotoStmt(LabelId label) {
  Stmt stmt{.kind = StmtKind::Goto};
  stmt.label = label;
  return stmt;
}

BlockId AppendOpenBlock(Writer& w, BlockId where, uint32_t planned) {
  Stmt stmt{.kind = StmtKind::Block};
  stmt.body = OpenBlock(w, planned);
  if (where != w.scope.block) {
    w.Plan(stmt.body).outer_decls = 0;  // `where` is a new block without declarations of its own
    w.Plan(stmt.body).depth = static_cast<uint16_t>(w.scope.depth + 2);
  }
  w.build.Append(where, w.build.Statement(stmt));
  return stmt.body;
}

}  // namespace

namespace {

// How far a range of cases may go, up to `most`: no other case in it, and not beyond the type. Its values are taken.
uint64_t FreeSpan(std::set<int64_t>& seen, int64_t value, lang::IntegerInfo info, uint32_t most) {
  uint64_t span = 0;
  while (span < most) {
    const auto next = static_cast<int64_t>(Canonical(static_cast<uint64_t>(value) + span + 1, info));
    const bool wrapped = info.is_signed ? next < value : static_cast<uint64_t>(next) < static_cast<uint64_t>(value);
    if (wrapped || !seen.insert(next).second) break;
    ++span;
  }
  return span;
}

}  // namespace

uint32_t DrawLength(Writer& w) { return 1 + w.choices.Below(static_cast<uint32_t>(w.knobs.block_statements)); }

void WriteIf(Writer& w) {
  Stmt stmt{.kind = StmtKind::If};
  const bool floating = w.knobs.floats > 0 && w.choices.Percent(6);
  stmt.expr = floating ? FloatTruth(w, 1) : Condition(w, w.choices.Percent(85));
  stmt.body = OpenBlock(w, DrawLength(w));
  if (w.choices.Percent(25)) stmt.other = OpenBlock(w, DrawLength(w));
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

void WriteSwitch(Writer& w) {
  Stmt stmt{.kind = StmtKind::Switch};
  stmt.expr = IntExpr(w, 2);
  const TypeKind kind = lang::PromotedKind(w.program, stmt.expr);
  const lang::IntegerInfo info = w.IntInfo(kind);
  int64_t centre = w.choices.Between(0, 5);
  if (w.Live() && IsPure(w.program, stmt.expr)) {
    if (const std::optional<machine::Value> value = w.Probe(stmt.expr)) centre = static_cast<int64_t>(*value);
  }
  std::set<int64_t> seen;
  const uint32_t sections = 2 + w.choices.Below(3);
  const uint32_t default_at = w.choices.Percent(70) ? w.choices.Below(sections) : sections;
  stmt.body = w.build.NewBlock(w.scope.function);
  w.Plan(stmt.body).depth = static_cast<uint16_t>(w.scope.depth + 1);
  w.Plan(stmt.body).outer_decls = static_cast<uint16_t>(w.Plan(w.scope.block).decls.size());
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  for (uint32_t i = 0; i < sections; ++i) {
    if (i == default_at) w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Default}));
    const uint32_t labels = w.choices.Percent(15) ? 2 : 1;
    bool labelled = i == default_at;
    for (uint32_t j = 0; j < labels; ++j) {
      int64_t value =
          i == 0 && j == 0
              ? centre
              : static_cast<int64_t>(static_cast<uint64_t>(centre) + static_cast<uint64_t>(w.choices.Between(-8, 8)));
      value = static_cast<int64_t>(Canonical(static_cast<uint64_t>(value), info));
      if (!seen.insert(value).second) continue;
      Stmt label{.kind = StmtKind::Case};
      label.value = value;
      if (w.choices.Percent(w.knobs.case_ranges)) label.span = FreeSpan(seen, value, info, w.choices.Below(12));
      w.build.Append(stmt.body, w.build.Statement(label));
      labelled = true;
    }
    if (!labelled) continue;
    const BlockId section = AppendOpenBlock(w, stmt.body, 1 + w.choices.Below(4));
    w.Plan(section).switch_section = true;
    if (w.choices.Percent(75)) w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Break}));
  }
}

void WriteBlock(Writer& w) {
  const BlockId block = AppendOpenBlock(w, w.scope.block, DrawLength(w));
  if (w.choices.Percent(50)) {
    const LabelId label = w.build.NewLabel();
    w.Plan(block).exit = label;
    AppendLabel(w, w.scope.block, label);
  }
}

void WriteGotoForward(Writer& w) {
  if (!w.scope.exits.empty() && w.choices.Percent(60)) {
    const ExprId condition = Condition(w, w.choices.Percent(20));
    AppendIf(w, condition, GotoStmt(w.choices.Pick(w.scope.exits)));
    return;
  }
  const LabelId label = w.build.NewLabel();
  AppendIf(w, Condition(w, w.choices.Percent(25)), GotoStmt(label));
  const BlockId block = AppendOpenBlock(w, w.scope.block, 1 + w.choices.Below(4));
  w.Plan(block).exit = label;
  AppendLabel(w, w.scope.block, label);
}

void WriteGotoBackward(Writer& w) {
  const uint32_t trips = std::min<uint32_t>(DrawTrips(w), 5);
  if (trips == 0) return;
  const VarId counter = w.build.Temporary(w.scope.function, w.program.types.Basic(TypeKind::Int));
  AppendExpr(w, w.build.Assign(w.build.Var(counter), w.build.Int(0)));
  const LabelId label = w.build.NewLabel();
  AppendLabel(w, w.scope.block, label);
  const BlockId block = AppendOpenBlock(w, w.scope.block, DrawLength(w));
  w.Plan(block).allowance = StepsHere(w) / (trips + 1);
  w.Plan(block).index = {counter, w.build.Var(counter), 0, trips};
  const ExprId step = w.build.IncDec(IncDecOp::PostInc, w.build.Var(counter));
  AppendIf(w, w.build.Binary(BinaryOp::Lt, step, w.build.Int(trips)), GotoStmt(label));
}

void WriteGotoInto(Writer& w) {
  const LabelId label = w.build.NewLabel();
  AppendIf(w, Condition(w, w.choices.Percent(60)), GotoStmt(label));
  Stmt stmt{.kind = w.choices.Coin() ? StmtKind::Block : StmtKind::If};
  if (stmt.kind == StmtKind::If) stmt.expr = Condition(w, w.choices.Coin());
  stmt.body = OpenBlock(w, 0);
  w.program.blocks[stmt.body].open = false;
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  AppendOpenBlock(w, stmt.body, 1 + w.choices.Below(2));
  AppendLabel(w, stmt.body, label);
  AppendOpenBlock(w, stmt.body, 1 + w.choices.Below(4));
}

void WriteGotoTable(Writer& w) {
  const auto& locals = w.scope.locals;
  const auto is_vla = [&w](VarId var) { return w.Kind(w.program.vars[var].type) == TypeKind::Vla; };
  if (std::any_of(locals.begin(), locals.end(), is_vla)) return;
  const uint32_t count = w.choices.Coin() ? 2 : 4;
  std::vector<LabelId> labels;
  for (uint32_t i = 0; i < count; ++i) labels.push_back(w.build.NewLabel());
  const LabelId end = w.build.NewLabel();
  Stmt stmt{.kind = StmtKind::GotoTable};
  stmt.value = w.choices.Percent(70) ? 1 : 0;
  stmt.expr = w.build.Binary(BinaryOp::BitAnd, IntExpr(w, 2), w.build.Int(count - 1));
  if (w.choices.Percent(30)) std::swap(labels.front(), labels.back());
  stmt.labels = w.build.Labels(labels);
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  for (uint32_t i = 0; i < count; ++i) {
    AppendLabel(w, w.scope.block, labels[i]);
    const BlockId block = AppendOpenBlock(w, w.scope.block, 1 + w.choices.Below(3));
    w.Plan(block).exit = end;
    if (w.choices.Percent(70)) w.build.Append(w.scope.block, w.build.Statement(GotoStmt(end)));
  }
  AppendLabel(w, w.scope.block, end);
}

void WriteBreak(Writer& w) {
  if (!w.scope.may_break) return;
  AppendIf(w, Condition(w, w.choices.Percent(15)), {.kind = StmtKind::Break});
}

void WriteContinue(Writer& w) {
  if (!w.scope.may_continue) return;
  AppendIf(w, Condition(w, w.choices.Percent(15)), {.kind = StmtKind::Continue});
}

void WriteEarlyReturn(Writer& w) {
  if (w.scope.function == w.program.entry) return;  // would end the program
  Stmt stmt{.kind = StmtKind::Return};
  const ExprId condition = Condition(w, w.choices.Percent(5));
  stmt.expr = ReturnValue(w);
  AppendIf(w, condition, stmt);
}

}  // namespace assay::gen
