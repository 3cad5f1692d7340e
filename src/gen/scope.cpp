#include "gen/scope.hpp"

#include <algorithm>

#include "gen/budget.hpp"
#include "gen/writer.hpp"

namespace assay::gen {

void EnterScope(Writer& w, BlockId block) {
  Scope& scope = w.scope;
  scope.function = w.program.blocks[block].function;
  scope.block = block;
  scope.depth = w.Plan(block).depth;
  scope.loop_depth = 0;
  scope.may_break = scope.may_continue = false;
  scope.locals.clear();
  scope.indices.clear();
  scope.kept.clear();
  scope.exits.clear();
  bool inside_switch = false, inside_loop = false;
  size_t visible = w.Plan(block).decls.size();
  for (BlockId b = block; b; b = w.program.blocks[b].outer) {
    const BlockPlan& plan = w.Plan(b);
    for (size_t i = 0; i < visible; ++i) scope.locals.push_back(plan.decls[i]);
    visible = plan.outer_decls;
    if (plan.index.var) scope.indices.push_back(plan.index);
    if (plan.kept) scope.kept.push_back(plan.kept);
    if (plan.exit) scope.exits.push_back(plan.exit);
    if (plan.switch_section && !inside_loop && !inside_switch) {
      scope.may_break = true;
      inside_switch = true;
    }
    if (plan.loop_body) {
      if (!inside_loop) scope.may_break = scope.may_continue = true;
      inside_loop = true;
      ++scope.loop_depth;
    }
  }
  for (VarId param : w.program.functions[scope.function].params) scope.locals.push_back(param);
}

void Declare(Writer& w, BlockId block, VarId var) {
  w.Plan(block).decls.push_back(var);
  w.BlockOf(var) = w.program.vars[var].IsStatic() ? BlockId{} : block;
  if (block == w.scope.block) w.scope.locals.push_back(var);
}

BlockId OpenBlock(Writer& w, uint32_t planned) {
  BlockId block = w.build.NewBlock(w.scope.function);
  w.program.blocks[block].open = true;
  w.program.blocks[block].outer = w.scope.block;
  BlockPlan plan;
  plan.planned = planned;
  plan.depth = static_cast<uint16_t>(w.scope.depth + 1);
  plan.outer_decls = static_cast<uint16_t>(w.Plan(w.scope.block).decls.size());
  plan.allowance = StepsLeft(w);
  w.Plan(block) = std::move(plan);
  return block;
}

bool IsProtected(const Writer& w, VarId var) {
  for (const LoopIndex& index : w.scope.indices) {
    if (index.var == var) return true;
  }
  if (std::find(w.scope.kept.begin(), w.scope.kept.end(), var) != w.scope.kept.end()) return true;
  const lang::Function& function = w.program.functions[w.scope.function];
  return w.functions[w.scope.function.index].recursive && !function.params.empty() && function.params.front() == var;
}

bool Outlives(Writer& w, VarId object, VarId holder) {
  const lang::Variable& o = w.program.vars[object];
  const lang::Variable& h = w.program.vars[holder];
  if (o.IsStatic()) return true;
  if (h.IsStatic()) return false;
  if (o.storage == lang::Storage::Param) return true;  // same function: both visible here
  if (h.storage == lang::Storage::Param) return false;
  for (BlockId b = w.BlockOf(holder); b; b = w.program.blocks[b].outer) {
    if (b == w.BlockOf(object)) return true;
  }
  return false;
}

}  // namespace assay::gen
