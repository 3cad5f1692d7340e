#include "gen/control.hpp"

#include <algorithm>
#include <set>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/integers.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::IncDecOp;
using lang::Stmt;

uint32_t DrawLength(Writer& w) { return 1 + w.choices.Below(static_cast<uint32_t>(w.knobs.block_statements)); }

// A type for a loop index that counts to `limit` and a step beyond.
TypeId IndexType(Writer& w, uint32_t limit) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,    TypeKind::UInt,  TypeKind::Long,   TypeKind::ULong,
                                        TypeKind::Int64,  TypeKind::Int32, TypeKind::UInt32, TypeKind::Short,
                                        TypeKind::UShort, TypeKind::SChar, TypeKind::UInt8};
  return w.program.types.Basic(kKinds[w.choices.Below(limit < 100 ? 11 : limit < 30000 ? 9 : 7)]);
}

bool IsSigned(Writer& w, TypeId type) { return w.IntInfo(w.Kind(type)).is_signed; }

// How often a loop should run: the length of a visible array, or any small number.
uint32_t DrawTrips(Writer& w) {
  const uint32_t most = static_cast<uint32_t>(w.knobs.trip_count);
  uint32_t trips = 1 + w.choices.Below(most);
  if (w.choices.Percent(w.knobs.array_loops) && !w.program.globals.empty()) {
    for (int tries = 0; tries < 6; ++tries) {
      const lang::Type& type = w.program.types[w.program.vars[w.choices.Pick(w.program.globals)].type];
      if (type.kind == TypeKind::Array && type.length > 1) {
        trips = std::min(type.length, most);
        break;
      }
    }
  }
  if (w.Live()) {  // keep an eye on the steps: a loop in a loop in a loop is expensive
    const uint64_t used = w.machine->Steps(), left = w.soft_budget > used ? w.soft_budget - used : 0;
    if (w.scope.loop_depth >= 1) trips = std::min<uint32_t>(trips, 5);
    if (w.scope.loop_depth >= 2) trips = std::min<uint32_t>(trips, 2);
    if (left < 200ull * trips) trips = std::min<uint32_t>(trips, 2);
  }
  return trips;
}

BlockId LoopBody(Writer& w, LoopIndex index) {
  const BlockId body = OpenBlock(w, DrawLength(w));
  w.Plan(body).loop_body = true;
  w.Plan(body).index = index;
  return body;
}

ExprId StepOf(Writer& w, VarId index, uint32_t stride, bool down) {
  const ExprId var = w.build.Var(index);
  if (stride == 1) {
    const bool pre = w.choices.Coin();
    return w.build.IncDec(
        down ? (pre ? IncDecOp::PreDec : IncDecOp::PostDec) : (pre ? IncDecOp::PreInc : IncDecOp::PostInc), var);
  }
  if (w.choices.Percent(70))
    return w.build.CompoundAssign(down ? BinaryOp::Sub : BinaryOp::Add, var, w.build.Int(stride));
  return w.build.Assign(var,
                        w.build.Binary(down ? BinaryOp::Sub : BinaryOp::Add, w.build.Var(index), w.build.Int(stride)));
}

// An upper bound: a literal, or a variable that has a small value now.
ExprId Bound(Writer& w, uint32_t* trips) {
  if (w.Live() && w.choices.Percent(20)) {
    const ExprId lvalue = IntLvalue(w, Access::Read);
    if (lvalue && IsPure(w.program, lvalue) && !lang::IsPromotionUnclear(w.program, lvalue)) {
      const std::optional<machine::Value> value = w.Probe(lvalue);
      if (value && *value >= 1 && *value <= *trips) {
        *trips = static_cast<uint32_t>(*value);
        return lvalue;
      }
    }
  }
  return w.build.Int(*trips);
}

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

void WriteIf(Writer& w) {
  Stmt stmt{.kind = StmtKind::If};
  stmt.expr = Condition(w, w.choices.Percent(85));
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
      w.build.Append(stmt.body, w.build.Statement(label));
      labelled = true;
    }
    if (!labelled) continue;
    const BlockId section = AppendOpenBlock(w, stmt.body, 1 + w.choices.Below(4));
    w.Plan(section).switch_section = true;
    if (w.choices.Percent(75)) w.build.Append(stmt.body, w.build.Statement({.kind = StmtKind::Break}));
  }
}

void WriteFor(Writer& w) {
  uint32_t trips = DrawTrips(w);
  const uint32_t stride = w.choices.Percent(75) ? 1 : 1 + w.choices.Below(3);
  const TypeId type = IndexType(w, trips + stride);
  const bool down = w.choices.Percent(25);
  const bool declared = w.choices.Percent(40);
  Stmt stmt{.kind = StmtKind::For};
  const VarId index = w.build.Local(w.scope.function, type);
  ExprId first;
  LoopIndex range{index, trips};
  if (down) {
    first = w.build.Int(static_cast<int64_t>(trips) - 1);
    // A signed index runs to 0; an unsigned one stops above it.
    const bool to_zero = IsSigned(w, type);
    if (!to_zero) range.limit = trips;
    stmt.expr = w.build.Binary(to_zero ? BinaryOp::Ge : BinaryOp::Gt, w.build.Var(index), w.build.Int(0));
    if (!to_zero && stride > 1) {
      stmt.expr = w.build.Binary(BinaryOp::Ge, w.build.Var(index), w.build.Int(stride));
    }
  } else {
    first = w.build.Int(0);
    const ExprId bound = Bound(w, &trips);
    range.limit = trips;
    stmt.expr = w.build.Binary(stride == 1 && w.choices.Percent(15) && w.program.exprs[bound].kind == ExprKind::Constant
                                   ? BinaryOp::Ne
                                   : BinaryOp::Lt,
                               w.build.Var(index), bound);
  }
  stmt.step = StepOf(w, index, stride, down);
  if (declared) {
    stmt.var = index;
    w.program.vars[index].init = w.build.InitExpr(first);
    w.BlockOf(index) = w.scope.block;
  } else {
    w.build.Append(w.scope.block, w.build.Decl(index));
    Declare(w, w.scope.block, index);
    stmt.init = w.build.Assign(w.build.Var(index), first);
  }
  stmt.body = LoopBody(w, range);
  if (declared) w.Plan(stmt.body).decls.push_back(index);  // visible in the body only
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

void WriteWhile(Writer& w) {
  const uint32_t trips = DrawTrips(w);
  const TypeId type = IndexType(w, trips + 1);
  const bool down = w.choices.Coin() && IsSigned(w, type);
  const VarId index = DeclareLocal(w, type, w.build.InitExpr(w.build.Int(down ? trips : 0)));
  Stmt stmt{.kind = StmtKind::While};
  const ExprId step = w.build.IncDec(down ? IncDecOp::PostDec : IncDecOp::PostInc, w.build.Var(index));
  stmt.expr = w.build.Binary(down ? BinaryOp::Gt : BinaryOp::Lt, step, w.build.Int(down ? 0 : trips));
  stmt.body = LoopBody(w, {index, down ? trips : trips + 1});
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

void WriteDo(Writer& w) {
  const uint32_t trips = DrawTrips(w);
  const TypeId type = IndexType(w, trips + 1);
  const VarId index = DeclareLocal(w, type, w.build.InitExpr(w.build.Int(0)));
  Stmt stmt{.kind = StmtKind::DoWhile};
  stmt.expr = w.build.Binary(BinaryOp::Lt, w.build.IncDec(IncDecOp::PreInc, w.build.Var(index)), w.build.Int(trips));
  stmt.body = LoopBody(w, {index, trips});
  w.build.Append(w.scope.block, w.build.Statement(stmt));
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
  const VarId counter = w.build.Temporary(w.scope.function, w.program.types.Basic(TypeKind::Int));
  AppendExpr(w, w.build.Assign(w.build.Var(counter), w.build.Int(0)));
  const LabelId label = w.build.NewLabel();
  AppendLabel(w, w.scope.block, label);
  const BlockId block = AppendOpenBlock(w, w.scope.block, DrawLength(w));
  w.Plan(block).index = {counter, trips + 1};
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
