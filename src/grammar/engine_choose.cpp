// Which production a node gets, and making its children.
#include <algorithm>
#include <cstring>

#include "grammar/engine.hpp"
#include "support/check.hpp"

namespace assay::grammar {

bool Engine::Allowed(NodeId id, uint32_t production) {
  const runtime::Node& node = tree_[id];
  const runtime::ProductionRow& row = plan_.Row(production);
  if (row.weight == 0) return false;
  if (row.recursive && row.min_height > node.height) {
    choice_too_high_ = true;
    return false;
  }
  return plan_.productions[production].list_child == runtime::kNone || node.list_length < tree_.ClassOf(id).list_limit;
}

bool Engine::EarlyGuardsHold(NodeId id, uint32_t production) {
  const ProductionPlan& plan = plan_.productions[production];
  if (plan.early_guards.empty()) return true;
  const runtime::ProductionRow& row = plan_.Row(production);
  const runtime::ClassRow& owner = tree_.ClassOf(id);
  std::memset(scratch_.data() + row.flags_offset, 0, row.flags_count);
  runtime::Context context{tree_[id].slots, scratch_.data(), uint64_t{tree_[id].serial} + 1, nullptr};
  at_production_ = production;
  for (uint32_t r : plan.early_guards) {
    const runtime::RuleRow& rule = row.rules[r];
    ++statistics_.evaluated;
    at_line_ = rule.line;
    at_rule_ = &rule;
    if (rule.evaluate) {
      rule.evaluate(context);
    } else {
      std::memcpy(context.self + rule.to, context.self + rule.from, rule.size);
    }
    bool holds = false;
    std::memcpy(&holds, context.self + owner.attributes[rule.attribute].offset, 1);
    if (!holds) return false;
  }
  return true;
}

bool Engine::ChooseValue(NodeId node, const std::vector<Patterns::Part>& active, uint32_t& value) {
  uint32_t production = tree_.ClassOf(node).first_production;
  const std::vector<uint32_t>& draw = plan_.productions[production].value_draw;
  auto size = static_cast<uint32_t>(draw.size());
  value = draw[choices_.Below(size)];
  if (active.empty()) return true;
  auto forbidden = [&](uint32_t candidate) {
    return std::ranges::any_of(
        active, [&](Patterns::Part part) { return part == kWildcard || patterns_.ValueOf(part) == candidate; });
  };
  for (int tries = 0; tries < 4 && forbidden(value); ++tries) value = draw[choices_.Below(size)];
  if (!forbidden(value)) return true;
  uint32_t count = plan_.Row(production).value_count;
  uint32_t start = choices_.Below(count);
  for (uint32_t i = 0; i < count; ++i) {
    value = (start + i) % count;
    if (!forbidden(value)) return true;
  }
  return false;
}

bool Engine::Choose(Frame& frame, NodeId node, const std::vector<Patterns::Part>& active, uint32_t& production,
                    uint32_t& value) {
  const runtime::ClassRow& row = tree_.ClassOf(node);
  choice_too_high_ = false;
  production = row.first_production;
  value = runtime::kNone;
  if (script_ && active.empty() && FollowScript(frame, node, production, value)) return true;
  if (script_ && !script_->rederive && ScriptOf(node) != runtime::kNone) return false;
  production = row.first_production;
  if (row.literal) return ChooseValue(node, active, value);
  for (Patterns::Part part : active) {
    if (part == kWildcard) return false;
  }
  constexpr uint32_t kMost = 256;
  CHECK(row.production_count <= kMost);
  bool root = node == frame.root;
  std::array<uint32_t, kMost> candidates;
  uint32_t count = 0;
  uint32_t total = 0;
  uint32_t rooted = runtime::kNone;  // the first that roots a pattern but can still avoid it
  for (uint32_t i = 0; i < row.production_count; ++i) {
    uint32_t p = row.first_production + i;
    if (root && ((frame.excluded[i / 64] >> (i % 64)) & 1)) continue;
    if (!Allowed(node, p)) continue;
    bool roots = false;
    bool closed = false;
    for (Patterns::Part part : active) {
      if (patterns_.ProductionOf(part) != p) continue;
      roots = true;
      closed |= patterns_.Closed(part);
    }
    if (closed) continue;
    if (roots) {
      if (rooted == runtime::kNone && (!root || EarlyGuardsHold(node, p))) rooted = p;
      continue;
    }
    candidates[count++] = p;
    total += plan_.Row(p).weight;
  }
  if (root && choice_too_high_) frame.too_high = true;
  // While rebuilding, what is new is as small as can be.
  if (script_) {
    std::stable_sort(candidates.begin(), candidates.begin() + count,
                     [&](uint32_t a, uint32_t b) { return plan_.Row(a).min_height < plan_.Row(b).min_height; });
  }
  while (total > 0) {
    uint32_t at = 0;
    if (count > 1 && !script_) {
      uint32_t draw = choices_.Below(total);
      while (draw >= plan_.Row(candidates[at]).weight) draw -= plan_.Row(candidates[at++]).weight;
    }
    production = candidates[at];
    if (!root || EarlyGuardsHold(node, production)) return true;
    uint32_t index = production - row.first_production;
    frame.excluded[index / 64] |= uint64_t{1} << (index % 64);
    total -= plan_.Row(production).weight;
    std::copy(candidates.begin() + at + 1, candidates.begin() + count, candidates.begin() + at);
    --count;
  }
  production = rooted;
  return rooted != runtime::kNone;
}

bool Engine::ExpandNext(Frame& frame) {
  NodeHandle handle = expand_.back();
  expand_.pop_back();
  if (!tree_.Alive(handle) || tree_[handle.id].production != runtime::kNone) return true;
  active_.clear();
  if (patterns_.Count() > frame.first_pattern) {
    patterns_.ActiveAt(frame.first_pattern, frame.root, handle.id, active_);
  }
  uint32_t production = 0;
  uint32_t value = 0;
  if (!Choose(frame, handle.id, active_, production, value)) {
    expand_.push_back(handle);  // still to be done, once its surroundings have changed
    failed_ = handle.id;
    return false;
  }
  Apply(handle.id, production, value);
  Propagate();
  return true;
}

uint16_t Engine::ChildHeight(NodeId node, uint32_t production, uint32_t child) const {
  const runtime::ProductionRow& row = plan_.Row(production);
  uint32_t height = runtime::kUnlimited;
  if (row.recursive) {
    height = tree_[node].height;
    if (height == runtime::kUnlimited) {
      height = options_.max_height;
    } else if (child != plan_.productions[production].list_child) {
      --height;
    }
  }
  return static_cast<uint16_t>(std::min(height, plan_.ClassRow(row.children[child].class_id).max_height));
}

void Engine::Apply(NodeId id, uint32_t production, uint32_t value) {
  const runtime::ProductionRow& row = plan_.Row(production);
  const ProductionPlan& plan = plan_.productions[production];
  ++statistics_.created;
  tree_.Expand(id, production);
  tree_[id].value = value;
  if (script_) PassScript(id);
  if (row.values) {
    std::memcpy(tree_[id].slots + row.value_offset,
                static_cast<const std::byte*>(row.values) + size_t{value} * row.value_size, row.value_size);
    tree_[id].known |= 1;
    Gained(id, 0);
  }
  for (uint32_t r : plan.early_guards) tree_[id].known |= uint64_t{1} << row.rules[r].attribute;
  for (uint32_t r : plan.initial) {
    const runtime::RuleRow& rule = row.rules[r];
    uint64_t sources = rule.source_count > 0 ? rule.sources[0].attributes : 0;
    if ((tree_[id].known & sources) != sources) continue;
    Evaluate(id, rule);
    if (rule.node == 0) {
      tree_[id].known |= uint64_t{1} << rule.attribute;
      Gained(id, rule.attribute);
    } else {
      tree_[tree_[id].first_child + rule.node - 1].known |= uint64_t{1} << rule.attribute;
    }
  }
  bool free = patterns_.Count() == frames_.back().first_pattern;  // no pattern to avoid
  NodeId first = tree_[id].first_child;
  for (uint32_t c = row.child_count; c-- > 0;) {
    NodeId child = first + c;
    tree_[child].height = ChildHeight(id, production, c);
    if (tree_.ClassPlanOf(child).sub_problem) continue;
    if (free && tree_.ClassOf(child).literal) {
      uint32_t drawn = 0;
      uint32_t ignored = 0;
      active_.clear();
      if (!script_ || !FollowScript(frames_.back(), child, ignored, drawn)) ChooseValue(child, active_, drawn);
      Apply(child, tree_.ClassOf(child).first_production, drawn);
    } else {
      expand_.push_back(tree_.HandleOf(child));
    }
  }
  for (uint32_t c = 0; c < row.child_count; ++c) {
    NodeId child = first + c;
    if (tree_.ClassPlanOf(child).sub_problem && tree_[child].production == runtime::kNone && InheritedKnown(child)) {
      PushReady(child);
    }
  }
  if (!row.values) Propagate();
}

}  // namespace assay::grammar
