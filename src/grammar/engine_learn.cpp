// Learning from failures, and the smallest change that avoids them.
#include <cstring>

#include "grammar/engine.hpp"
#include "support/check.hpp"

namespace assay::grammar {

// --- fail patterns ---

void Engine::TraceRule(NodeId id, const runtime::RuleRow& rule) {
  for (uint32_t s = 0; s < rule.source_count; ++s) {
    const runtime::SourceRow& source = rule.sources[s];
    traced_.push_back({source.node == 0 ? id : tree_[id].first_child + source.node - 1, source.attributes});
  }
}

// Marks every node whose production had a part in these attributes' values.
void Engine::Trace(NodeId root, NodeId start, uint64_t attributes) {
  if (start != runtime::kNone) traced_.push_back({start, attributes});
  while (!traced_.empty()) {
    auto [id, mask] = traced_.back();
    traced_.pop_back();
    uint64_t fresh = patterns_.Visit(id, mask);
    const ClassPlan& plan = tree_.ClassPlanOf(id);
    const runtime::Node& node = tree_[id];
    for (uint32_t a = 0; fresh >> a; ++a) {
      if (!((fresh >> a) & 1)) continue;
      if ((plan.inherited >> a) & 1) {
        if (id == root) continue;
        patterns_.Mark(node.parent);
        uint32_t production = tree_[node.parent].production;
        uint32_t rule = plan_.productions[production].RuleOf(node.place + 1u, a);
        TraceRule(node.parent, plan_.Row(production).rules[rule]);
      } else {
        patterns_.Mark(id);
        const runtime::ProductionRow& row = plan_.Row(node.production);
        uint32_t rule = plan_.productions[node.production].RuleOf(0, a);
        if (rule != runtime::kNone) TraceRule(id, row.rules[rule]);
        if (row.generate) traced_.push_back({id, row.generator_sources});
      }
    }
  }
}

void Engine::MarkAll(NodeId root) {
  std::vector<NodeId> work = {root};
  while (!work.empty()) {
    NodeId id = work.back();
    work.pop_back();
    const runtime::Node& node = tree_[id];
    if (node.production == runtime::kNone) continue;
    patterns_.Mark(id);
    for (uint32_t c = 0; c < plan_.Row(node.production).child_count; ++c) work.push_back(node.first_child + c);
  }
}

void Engine::LearnFailure(Frame& frame, NodeId failed, Outcome outcome) {
  ++statistics_.patterns;
  failed_ = failed;
  patterns_.BeginMarks();
  NodeId at = failed;
  while (at != frame.root) {
    at = tree_[at].parent;
    patterns_.Mark(at);
  }
  if (outcome == Outcome::TooHigh) frame.too_high = true;
  if (!options_.generalise) {
    MarkAll(frame.root);
  } else if (outcome == Outcome::Failed) {
    const ClassPlan& plan = tree_.ClassPlanOf(failed);
    if (plan.sub_problem) Trace(frame.root, failed, plan.inherited);
    // What was passed down to it: a change there may give it more freedom.
    patterns_.ActiveAt(frame.first_pattern, frame.root, failed, active_, &which_);
    for (size_t pattern : which_) patterns_.MarkPattern(pattern, frame.root, failed);
  }
  patterns_.Add(patterns_.Build(frame.root));
}

void Engine::LearnGuard(Frame& frame) {
  ++statistics_.patterns;
  failed_ = runtime::kNone;
  patterns_.BeginMarks();
  patterns_.Mark(frame.root);
  if (options_.generalise) {
    TraceRule(frame.root, plan_.Row(tree_[frame.root].production).rules[frame.failed_guard]);
    Trace(frame.root, runtime::kNone, 0);
  } else {
    MarkAll(frame.root);
  }
  patterns_.Add(patterns_.Build(frame.root));
  frame.guard_failed = false;
}

// --- alternatives ---

// Finds the smallest change after which no pattern matches: depth first, children before their
// parents, and those that no sibling depends on first.
bool Engine::Alternative(Frame& frame) {
  struct Visit {
    NodeId node;
    uint32_t next;
  };
  std::vector<Visit> stack;
  auto enter = [&](NodeId node) { stack.push_back({node, 0}); };
  if (levels_.empty()) levels_.resize(64);
  levels_[0].clear();
  for (size_t p = frame.first_pattern; p < patterns_.Count(); ++p) levels_[0].push_back(patterns_.RootOf(p));
  enter(frame.root);
  while (!stack.empty()) {
    Visit& visit = stack.back();
    size_t depth = stack.size() - 1;
    NodeId node = visit.node;
    const std::vector<Patterns::Part>& active = levels_[depth];
    if (visit.next == 0) {
      bool hopeless = false;
      for (Patterns::Part part : active) hopeless |= patterns_.ProductionOf(part) == kWildcard;
      if (hopeless || tree_[node].production == runtime::kNone) {
        stack.pop_back();
        continue;
      }
      if (node != frame.root && tree_.ClassPlanOf(node).sub_problem) {
        Deconstruct(node);
        PropagateLosses();
        return true;
      }
      if (ShrinkList(frame, node)) return true;
    }
    const runtime::ProductionRow& row = plan_.Row(tree_[node].production);
    if (visit.next < row.child_count) {
      uint32_t child = row.alternative_order[visit.next++];
      if (levels_.size() <= depth + 1) levels_.resize(levels_.size() * 2);
      patterns_.Trim(levels_[depth], node, child, levels_[depth + 1]);
      enter(tree_[node].first_child + child);
      continue;
    }
    if (Replace(frame, node, levels_[depth])) return true;
    stack.pop_back();
  }
  return false;
}

bool Engine::Replace(Frame& frame, NodeId node, const std::vector<Patterns::Part>& active) {
  uint32_t production = 0;
  uint32_t value = 0;
  if (!Choose(frame, node, active, production, value)) {
    frame.too_high |= choice_too_high_;  // there was one more, but it does not fit
    return false;
  }
  Deconstruct(node);
  PropagateLosses();
  Apply(node, production, value);
  Propagate();
  return true;
}

// --- lists ---

// If the failed node is in this list and elements before it are built, ends the list after those.
bool Engine::ShrinkList(Frame& frame, NodeId list) {
  if (failed_ == runtime::kNone || !tree_.ClassOf(list).list) return false;
  auto continues = [&](NodeId at) {  // is it the rest of the list its parent belongs to?
    const runtime::Node& node = tree_[at];
    return at != frame.root && plan_.productions[tree_[node.parent].production].list_child == node.place;
  };
  if (continues(list)) return false;  // not the beginning
  NodeId below = failed_;
  NodeId at = failed_;
  NodeId element = runtime::kNone;  // the part of the list that has the failed node in its element
  while (at != list) {
    if (at == frame.root) return false;
    NodeId parent = tree_[at].parent;
    // From the list on, everything above must be the list itself.
    if (!continues(at)) {
      element = parent;
    } else if (element == runtime::kNone) {
      element = at;
    }
    below = at;
    at = parent;
  }
  (void)below;
  if (element == runtime::kNone) return false;
  for (NodeId up = element; up != list; up = tree_[up].parent) {
    if (!continues(up)) return false;
  }
  if (element != failed_ && EndListAt(frame, element, false)) return true;
  return element != list && EndListAt(frame, tree_[element].parent, true);
}

bool Engine::EndListAt(Frame& frame, NodeId id, bool keep_children) {
  const runtime::ClassRow& row = tree_.ClassOf(id);
  const runtime::ProductionRow& old = plan_.Row(tree_[id].production);
  patterns_.ActiveAt(frame.first_pattern, frame.root, id, active_);
  for (uint32_t i = 0; i < row.production_count; ++i) {
    uint32_t p = row.first_production + i;
    const runtime::ProductionRow& candidate = plan_.Row(p);
    if (plan_.productions[p].list_child != runtime::kNone || !Allowed(id, p)) continue;
    if (!keep_children && candidate.child_count > 0) continue;
    if (id == frame.root && (((frame.excluded[i / 64] >> (i % 64)) & 1) || !EarlyGuardsHold(id, p))) continue;
    bool forbidden = false;
    for (Patterns::Part part : active_) {
      forbidden |= part == kWildcard || patterns_.ProductionOf(part) == p;
    }
    if (forbidden) continue;
    std::vector<uint32_t> kept;
    std::vector<bool> used(old.child_count);
    for (uint32_t c = 0; c < candidate.child_count; ++c) {
      uint32_t found = runtime::kNone;
      for (uint32_t o = 0; o < old.child_count; ++o) {
        if (used[o] || old.children[o].class_id != candidate.children[c].class_id) continue;
        bool same_name = std::strcmp(old.children[o].name, candidate.children[c].name) == 0;
        if (found == runtime::kNone || same_name) found = o;
        if (same_name) break;
      }
      if (found == runtime::kNone) break;
      used[found] = true;
      kept.push_back(found);
    }
    if (kept.size() < candidate.child_count) continue;
    KeepChildren(frame, id, p, kept);
    ++statistics_.shrunk;
    return true;
  }
  return false;
}

// Gives the node another production whose children are some of those it has. A child stays as it is
// if its inherited attributes come out the same.
void Engine::KeepChildren(Frame& frame, NodeId id, uint32_t production, const std::vector<uint32_t>& kept) {
  const ClassPlan& plan = tree_.ClassPlanOf(id);
  uint64_t lost = tree_[id].known & plan.synthesized;
  tree_[id].known &= plan.inherited;
  tree_.Exchange(id, production, kept);
  if (id != frame.root) {
    for (uint32_t a = 0; lost >> a; ++a) {
      if ((lost >> a) & 1) lost_.push_back({id, a});
    }
    PropagateLosses();
  }
  const runtime::ProductionRow& row = plan_.Row(production);
  for (uint32_t r : plan_.productions[production].early_guards) {
    tree_[id].known |= uint64_t{1} << row.rules[r].attribute;
  }
  std::vector<std::byte> before;
  for (uint32_t c = 0; c < row.child_count; ++c) {
    NodeId child = tree_[id].first_child + c;
    const runtime::ClassRow& owner = tree_.ClassOf(child);
    before.assign(tree_[child].slots, tree_[child].slots + owner.slot_bytes);
    uint64_t inherited = tree_.ClassPlanOf(child).inherited;
    tree_[child].known &= ~inherited;
    bool same = true;
    for (uint32_t a = 0; a < owner.attribute_count; ++a) {
      if (!((inherited >> a) & 1)) continue;
      uint32_t rule = plan_.productions[production].RuleOf(c + 1, a);
      TryRule(id, rule);
      const runtime::AttributeRow& attribute = owner.attributes[a];
      same &= ((tree_[child].known >> a) & 1) &&
              std::memcmp(before.data() + attribute.offset, tree_[child].slots + attribute.offset, attribute.size) == 0;
    }
    gained_.clear();
    if (same) continue;
    if (tree_[child].production != runtime::kNone) tree_.Collapse(child);
    if (!tree_.ClassPlanOf(child).sub_problem) {
      expand_.push_back(tree_.HandleOf(child));
    } else if (InheritedKnown(child)) {
      PushReady(child);
    }
  }
  for (uint32_t r = 0; r < row.rule_count; ++r) TryRule(id, r);
  Propagate();
}

}  // namespace assay::grammar
