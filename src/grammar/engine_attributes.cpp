// Attribute values: computed as soon as their sources are known, dropped as soon as one of these is
// gone.
#include <cstring>

#include "grammar/engine.hpp"

namespace assay::grammar {

void Engine::Evaluate(NodeId id, const runtime::RuleRow& rule) {
  const runtime::Node& node = tree_[id];
  ++statistics_.evaluated;
  if (!rule.evaluate) {
    std::memcpy((rule.to_block ? node.block : node.slots) + rule.to,
                (rule.from_block ? node.block : node.slots) + rule.from, rule.size);
    return;
  }
  at_production_ = node.production;
  at_line_ = rule.line;
  at_rule_ = &rule;
  rule.evaluate(tree_.ContextOf(id));
}

void Engine::TryRule(NodeId id, uint32_t index) {
  const runtime::Node& node = tree_[id];
  const runtime::RuleRow& rule = plan_.Row(node.production).rules[index];
  NodeId target = rule.node == 0 ? id : node.first_child + rule.node - 1;
  uint64_t bit = uint64_t{1} << rule.attribute;
  if (tree_[target].known & bit) return;
  for (uint32_t s = 0; s < rule.source_count; ++s) {
    const runtime::SourceRow& source = rule.sources[s];
    NodeId from = source.node == 0 ? id : node.first_child + source.node - 1;
    if ((tree_[from].known & source.attributes) != source.attributes) return;
    // What a sub-problem synthesizes counts only when it is solved.
    if (source.node != 0 && !tree_[from].done && tree_.ClassPlanOf(from).sub_problem) return;
  }
  Evaluate(id, rule);
  tree_[target].known |= bit;
  Gained(target, rule.attribute);
}

void Engine::Propagate() {
  while (!gained_.empty()) {
    auto [id, attribute] = gained_.back();
    gained_.pop_back();
    const runtime::Node& node = tree_[id];
    switch (tree_.ClassOf(id).attributes[attribute].kind) {
      case runtime::AttributeKind::Inherited:
        if (node.production == runtime::kNone) {
          if (tree_.ClassPlanOf(id).sub_problem && InheritedKnown(id)) PushReady(id);
        } else {
          for (uint32_t rule : plan_.productions[node.production].Dependents(0, attribute)) TryRule(id, rule);
        }
        break;
      case runtime::AttributeKind::Synthesized:
        if (id != frames_.back().root) {
          uint32_t production = tree_[node.parent].production;
          for (uint32_t rule : plan_.productions[production].Dependents(node.place + 1u, attribute)) {
            TryRule(node.parent, rule);
          }
        }
        break;
      case runtime::AttributeKind::Guard: {
        bool holds = false;
        std::memcpy(&holds, node.slots + tree_.ClassOf(id).attributes[attribute].offset, 1);
        if (!holds && id == frames_.back().root) {
          frames_.back().guard_failed = true;
          frames_.back().failed_guard = plan_.productions[node.production].RuleOf(0, attribute);
        }
        break;
      }
    }
  }
}

void Engine::PushReady(NodeId node) { ready_.push_back(tree_.HandleOf(node)); }

// Takes the node's production away, and every value that depended on what it synthesized.
void Engine::Deconstruct(NodeId id) {
  uint64_t synthesized = tree_[id].known & tree_.ClassPlanOf(id).synthesized;
  tree_.Collapse(id);
  DropScript(id);
  if (id == frames_.back().root) return;
  for (uint32_t a = 0; synthesized >> a; ++a) {
    if ((synthesized >> a) & 1) lost_.push_back({id, a});
  }
  if (tree_.ClassPlanOf(id).sub_problem && InheritedKnown(id)) PushReady(id);
}

void Engine::PropagateLosses() {
  while (!lost_.empty()) {
    auto [id, attribute] = lost_.back();
    lost_.pop_back();
    if (tree_.ClassOf(id).attributes[attribute].kind == runtime::AttributeKind::Inherited) {
      LoseUsers(id, 0, attribute);
    } else {
      LoseUsers(tree_[id].parent, tree_[id].place + 1u, attribute);
    }
  }
}

// Drops what the rules of `id` computed from this attribute of its node number `as`.
void Engine::LoseUsers(NodeId id, uint32_t as, uint32_t attribute) {
  if (tree_[id].production == runtime::kNone) return;
  uint32_t production = tree_[id].production;
  tree_.ForgetLocals(id);
  for (uint32_t index : plan_.productions[production].Dependents(as, attribute)) {
    const runtime::RuleRow& rule = plan_.Row(production).rules[index];
    NodeId target = rule.node == 0 ? id : tree_[id].first_child + rule.node - 1;
    uint64_t bit = uint64_t{1} << rule.attribute;
    if (!(tree_[target].known & bit)) continue;
    tree_[target].known &= ~bit;
    if (rule.node == 0) {
      if (id != frames_.back().root) lost_.push_back({id, rule.attribute});
    } else if (tree_.ClassPlanOf(target).sub_problem) {
      if (tree_[target].production != runtime::kNone) Deconstruct(target);
    } else {
      lost_.push_back({target, rule.attribute});
    }
  }
}

}  // namespace assay::grammar
