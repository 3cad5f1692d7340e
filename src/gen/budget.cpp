#include "gen/budget.hpp"

#include <algorithm>

namespace assay::gen {
namespace {

constexpr uint64_t kDeadSteps = 4000;
constexpr uint64_t kStatementTokens = 250;  // about what a loop with its body takes

// Of a function that is entered for the first time. What no call has left anything for may spend a small part of what
// is left of the program's steps.
uint64_t AllowanceOf(Writer& w, FunctionId function) {
  const uint64_t used = w.machine->Steps();
  const uint64_t left = w.planned_steps > used ? w.planned_steps - used : 0;
  if (function == w.program.entry) return left;
  const uint64_t allowance = w.Plan(function).allowance;
  return allowance > 0 ? allowance : left / 16;
}

}  // namespace

uint64_t StepsLeft(const Writer& w) {
  if (!w.Live()) return kDeadSteps;
  const BlockPlan& plan = w.blocks[w.scope.block.index];
  const uint64_t used = w.machine->Steps() - plan.started_at;
  return plan.allowance > used ? plan.allowance - used : 0;
}

// What is left is spread over what may still be written in the block.
uint64_t StepsHere(const Writer& w) {
  const uint64_t left = StepsLeft(w);
  if (!w.Live()) return left;
  const FunctionPlan& function = w.functions[w.scope.function.index];
  const uint64_t program = w.token_end > w.Tokens() ? w.token_end - w.Tokens() : 1;
  const uint64_t own = function.token_limit > function.tokens ? function.token_limit - function.tokens : 1;
  const uint64_t to_come = std::min(program, own);
  const uint64_t parts = std::clamp<uint64_t>(to_come / kStatementTokens, 2, 12);
  const BlockPlan& plan = w.blocks[w.scope.block.index];
  return w.program.blocks[w.scope.block].outer
             ? left / std::clamp<uint64_t>(plan.planned - std::min(plan.planned, plan.written) + 1, 1, 3)
             : left / parts;
}

// An execution of the block is another one than the last time if its first statement has run again since. (What that
// took is then not counted; the block was left early before, which is rare.)
void BeginExecution(Writer& w, BlockId block) {
  BlockPlan& plan = w.Plan(block);
  const lang::Block& b = w.program.blocks[block];
  const uint64_t executions = b.stmts.empty() ? 0 : w.machine->Executions(b.stmts.front());
  if (plan.written > 0 && executions == plan.execution) return;
  if (!b.outer && plan.allowance == 0) plan.allowance = AllowanceOf(w, b.function);
  plan.started_at = w.machine->Steps();
  plan.execution = b.stmts.empty() ? 1 : executions;  // what is written now runs at once
}

}  // namespace assay::gen
