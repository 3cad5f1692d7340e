// What the engine precomputes from a specification's tables, once: masks of attributes, which rules
// wait for which attribute, which rule computes it. Read-only afterwards, shared between threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/runtime.hpp"

namespace assay::grammar {

struct ClassPlan {
  uint64_t inherited = 0;
  uint64_t synthesized = 0;
  uint64_t guards = 0;
  bool sub_problem = false;
};

struct ProductionPlan {
  // For attribute a of node n of the production: the rules that use it are dependents[first[base[n]
  // + a] .. first[base[n] + a + 1]), the rule that computes it is rule_of[base[n] + a] (kNone:
  // another production does).
  std::vector<uint32_t> base;
  std::vector<uint32_t> first;
  std::vector<uint32_t> dependents;
  std::vector<uint32_t> rule_of;
  std::vector<uint32_t> initial;       // rules that need nothing but inherited attributes of the node; no early guards
  std::vector<uint32_t> early_guards;  // guards of that kind: decided before the production is used
  std::vector<uint32_t> value_draw;    // literals: each value as often as it weighs
  uint32_t list_child = runtime::kNone;  // in list classes: the child that is the rest of the list

  std::span<const uint32_t> Dependents(uint32_t node, uint32_t attribute) const {
    uint32_t at = base[node] + attribute;
    return {dependents.data() + first[at], dependents.data() + first[at + 1]};
  }
  uint32_t RuleOf(uint32_t node, uint32_t attribute) const { return rule_of[base[node] + attribute]; }
};

struct Plan {
  explicit Plan(const runtime::Table& source);

  const runtime::Table& table;
  std::vector<ClassPlan> classes;
  std::vector<ProductionPlan> productions;
  uint32_t largest_block = 0;

  const runtime::ClassRow& ClassRow(uint32_t index) const { return table.classes[index]; }
  const runtime::ProductionRow& Row(uint32_t production) const { return table.productions[production]; }
};

}  // namespace assay::grammar
