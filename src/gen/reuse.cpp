#include "gen/reuse.hpp"

#include <algorithm>

#include "gen/expr.hpp"

namespace assay::gen {
namespace {

constexpr uint32_t kMostEarlier = 24, kMostConditions = 12;
constexpr uint32_t kLeastNodes = 2, kMostNodes = 24;  // of what is worth a copy

void Put(std::vector<ExprId>& buffer, uint32_t& at, uint32_t most, ExprId e) {
  if (buffer.size() < most) {
    buffer.push_back(e);
    return;
  }
  buffer[at] = e;
  at = (at + 1) % most;
}

// Whether this place sees all the objects, nothing has side effects, and there is something that can vary.
bool MayStandHere(const Writer& w, ExprId tree) {
  bool varies = false, visible = true;
  const bool pure = IsPure(w.program, tree);
  if (!pure) return false;
  lang::Walk(w.program, tree, [&](const lang::Expr& e) {
    if (e.kind != ExprKind::Variable) return lang::Visited::Descend;
    varies = true;
    const lang::Variable& variable = w.program.vars[e.Var()];
    if (variable.storage == lang::Storage::Global && variable.role == lang::VarRole::Plain) return lang::Visited::Pass;
    const bool seen = variable.role == lang::VarRole::Plain &&
                      std::find(w.scope.locals.begin(), w.scope.locals.end(), e.Var()) != w.scope.locals.end();
    visible = visible && seen;
    return seen ? lang::Visited::Pass : lang::Visited::Stop;
  });
  return varies && visible;
}

bool Fits(const Writer& w, const Want& want, ExprId tree) {
  const uint32_t end = std::min(want.limit, w.node_limit), now = w.program.exprs.Size();
  uint32_t room = end > now ? end - now : 0;
  return lang::Walk(w.program, tree,
                    [&](const lang::Expr&) { return room-- > 0 ? lang::Visited::Descend : lang::Visited::Stop; });
}

ExprId CopyFrom(Writer& w, const Want& want, const std::vector<ExprId>& buffer) {
  for (int tries = 0; tries < 3 && !buffer.empty(); ++tries) {
    const ExprId e = buffer[w.choices.Below(static_cast<uint32_t>(buffer.size()))];
    if (!MayStandHere(w, e) || !Fits(w, want, e)) continue;
    if (w.Live() && !w.Probe(e)) continue;
    return w.build.CopyTree(e);
  }
  return {};
}

}  // namespace

void NoteExpression(Writer& w, ExprId e, uint32_t nodes) {
  if (nodes >= kLeastNodes && nodes <= kMostNodes) w.pending.push_back(e);
}

void NoteCondition(Writer& w, ExprId e) {
  if (!w.scope.function) return;
  FunctionPlan& plan = w.Plan(w.scope.function);
  Put(plan.conditions, plan.conditions_at, kMostConditions, e);
}

void FlushNotes(Writer& w) {
  if (w.pending_function) {
    FunctionPlan& plan = w.Plan(w.pending_function);
    // Of a long statement the last: the largest come after their parts.
    const size_t first = w.pending.size() > 6 ? w.pending.size() - 6 : 0;
    for (size_t i = first; i < w.pending.size(); ++i) Put(plan.earlier, plan.earlier_at, kMostEarlier, w.pending[i]);
  }
  w.pending.clear();
  w.pending_function = w.scope.function;
}

ExprId CopyOfExpression(Writer& w, const Want& want) {
  if (!w.scope.function) return {};
  const std::vector<ExprId>& earlier = w.Plan(w.scope.function).earlier;
  const bool same = !w.pending.empty() && (earlier.empty() || w.choices.Percent(20));
  return CopyFrom(w, want, same ? w.pending : earlier);
}

ExprId CopyOfCondition(Writer& w, const Want& want) {
  return w.scope.function ? CopyFrom(w, want, w.Plan(w.scope.function).conditions) : ExprId{};
}

}  // namespace assay::gen
