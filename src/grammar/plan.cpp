#include "grammar/plan.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace assay::grammar {

namespace {

ClassPlan PlanClass(const runtime::ClassRow& row) {
  ClassPlan plan;
  for (uint32_t a = 0; a < row.attribute_count; ++a) {
    uint64_t bit = uint64_t{1} << a;
    switch (row.attributes[a].kind) {
      case runtime::AttributeKind::Inherited: plan.inherited |= bit; break;
      case runtime::AttributeKind::Synthesized: plan.synthesized |= bit; break;
      case runtime::AttributeKind::Guard: plan.guards |= bit; break;
    }
  }
  plan.sub_problem = row.sub_problem && !row.literal;
  return plan;
}

ProductionPlan PlanProduction(const runtime::Table& table, const runtime::ProductionRow& row) {
  ProductionPlan plan;
  const runtime::ClassRow& owner = table.classes[row.class_id];
  plan.base.push_back(0);
  uint32_t total = owner.attribute_count;
  for (uint32_t c = 0; c < row.child_count; ++c) {
    plan.base.push_back(total);
    total += table.classes[row.children[c].class_id].attribute_count;
    if (owner.list && row.children[c].class_id == row.class_id) plan.list_child = c;
  }
  std::vector<std::vector<uint32_t>> users(total);
  plan.rule_of.assign(total, runtime::kNone);
  for (uint32_t r = 0; r < row.rule_count; ++r) {
    const runtime::RuleRow& rule = row.rules[r];
    plan.rule_of[plan.base[rule.node] + rule.attribute] = r;
    bool only_inherited = true;
    for (uint32_t s = 0; s < rule.source_count; ++s) {
      const runtime::SourceRow& source = rule.sources[s];
      only_inherited &= source.node == 0;
      for (uint32_t a = 0; a < 64; ++a) {
        if ((source.attributes >> a) & 1) users[plan.base[source.node] + a].push_back(r);
      }
    }
    if (!only_inherited) continue;
    bool guard = rule.node == 0 && owner.attributes[rule.attribute].kind == runtime::AttributeKind::Guard;
    // A generator's guards depend on the value chosen.
    (guard && !owner.generator ? plan.early_guards : plan.initial).push_back(r);
  }
  for (uint32_t v = 0; owner.literal && v < row.value_count; ++v) {
    plan.value_draw.insert(plan.value_draw.end(), row.value_weights[v], v);
  }
  plan.first.push_back(0);
  for (const std::vector<uint32_t>& list : users) {
    plan.dependents.insert(plan.dependents.end(), list.begin(), list.end());
    plan.first.push_back(static_cast<uint32_t>(plan.dependents.size()));
  }
  return plan;
}

}  // namespace

Plan::Plan(const runtime::Table& source) : table(source) {
  CHECK(table.version == runtime::kInterfaceVersion);
  for (uint32_t i = 0; i < table.class_count; ++i) classes.push_back(PlanClass(table.classes[i]));
  for (uint32_t i = 0; i < table.production_count; ++i) {
    productions.push_back(PlanProduction(table, table.productions[i]));
    largest_block = std::max(largest_block, table.productions[i].block_bytes);
  }
}

}  // namespace assay::grammar
