#include "grammar/patterns.hpp"

#include "support/check.hpp"

namespace assay::grammar {

NodeId Patterns::Mismatch(Part part, NodeId node) const {
  work_.clear();
  work_.push_back({part, node});
  while (!work_.empty()) {
    auto [want, have] = work_.back();
    work_.pop_back();
    if (want == kWildcard || pool_[want].production == kWildcard) continue;
    if (!SameHere(want, have)) return have;
    uint32_t count = plan_.Row(pool_[want].production).child_count;
    for (uint32_t c = 0; c < count; ++c) {
      if (pool_[pool_[want].children + c].production == kWildcard) continue;
      work_.push_back({pool_[want].children + c, tree_[have].first_child + c});
    }
  }
  return runtime::kNone;
}

// path_[0 .. path_end] leads from the hole (0) up to the root.
NodeId Patterns::MismatchAround(Part part, size_t path_end, Part& at) const {
  for (size_t i = path_end; i > 0; --i) {
    if (part == kWildcard || pool_[part].production == kWildcard) {
      at = kWildcard;
      return runtime::kNone;
    }
    NodeId node = path_[i];
    if (!SameHere(part, node)) return node;
    uint32_t down = tree_[path_[i - 1]].place;
    uint32_t count = plan_.Row(pool_[part].production).child_count;
    for (uint32_t c = 0; c < count; ++c) {
      if (c == down) continue;
      NodeId where = Mismatch(pool_[part].children + c, tree_[node].first_child + c);
      if (where != runtime::kNone) return where;
    }
    part = pool_[part].children + down;
  }
  at = part != kWildcard && pool_[part].production == kWildcard ? kWildcard : part;
  return runtime::kNone;
}

void Patterns::ActiveAt(size_t first, NodeId root, NodeId node, std::vector<Part>& active, std::vector<size_t>* which) {
  active.clear();
  if (which) which->clear();
  path_.clear();
  bool leaf = tree_[node].production == runtime::kNone;  // otherwise a witness may be below it
  for (size_t p = first; p < patterns_.size(); ++p) {
    Pattern& pattern = patterns_[p];
    if (leaf && pattern.witness.id != runtime::kNone && pattern.witness.id != node && tree_.Alive(pattern.witness)) {
      const runtime::Node& witness = tree_[pattern.witness.id];
      if (witness.production == pattern.production && witness.value == pattern.value) continue;
    }
    if (path_.empty()) {
      for (NodeId at = node; at != root; at = tree_[at].parent) path_.push_back(at);
      path_.push_back(root);
    }
    Part at = kWildcard;
    NodeId where = MismatchAround(pattern.root, path_.size() - 1, at);
    if (where == runtime::kNone) {
      active.push_back(at);
      if (which) which->push_back(p);
    } else {
      pattern.witness = tree_.HandleOf(where);
      pattern.production = tree_[where].production;
      pattern.value = tree_[where].value;
    }
  }
}

void Patterns::Trim(const std::vector<Part>& active, NodeId node, uint32_t child, std::vector<Part>& out) const {
  out.clear();
  for (Part part : active) {
    if (part == kWildcard) {
      out.push_back(kWildcard);
      continue;
    }
    if (!SameHere(part, node)) continue;
    uint32_t count = plan_.Row(pool_[part].production).child_count;
    bool matches = true;
    for (uint32_t c = 0; c < count && matches; ++c) {
      if (c == child) continue;
      matches = Mismatch(pool_[part].children + c, tree_[node].first_child + c) == runtime::kNone;
    }
    if (!matches) continue;
    Part below = pool_[part].children + child;
    out.push_back(pool_[below].production == kWildcard ? kWildcard : below);
  }
}

bool Patterns::Closed(Part part) const {
  if (part == kWildcard) return true;
  uint32_t count = plan_.Row(pool_[part].production).child_count;
  for (uint32_t c = 0; c < count; ++c) {
    if (pool_[pool_[part].children + c].production != kWildcard) return false;
  }
  return true;
}

void Patterns::BeginMarks() { ++epoch_; }

uint64_t Patterns::Visit(NodeId node, uint64_t attributes) {
  Room(node);
  MarkState& state = marks_[node];
  if (state.visited_epoch != epoch_) {
    state.visited_epoch = epoch_;
    state.visited = 0;
  }
  uint64_t fresh = attributes & ~state.visited;
  state.visited |= attributes;
  return fresh;
}

void Patterns::MarkPattern(size_t pattern, NodeId root, NodeId hole) {
  std::vector<std::pair<Part, NodeId>> work = {{patterns_[pattern].root, root}};
  while (!work.empty()) {
    auto [part, node] = work.back();
    work.pop_back();
    if (node == hole || part == kWildcard || pool_[part].production == kWildcard) continue;
    CHECK(SameHere(part, node));
    Mark(node);
    uint32_t count = plan_.Row(pool_[part].production).child_count;
    for (uint32_t c = 0; c < count; ++c) {
      if (pool_[pool_[part].children + c].production == kWildcard) continue;
      work.push_back({pool_[part].children + c, tree_[node].first_child + c});
    }
  }
}

Patterns::Part Patterns::Build(NodeId root) {
  CHECK(Marked(root));
  auto part = static_cast<Part>(pool_.size());
  pool_.push_back({});
  work_.clear();
  work_.push_back({part, root});
  while (!work_.empty()) {
    auto [at, node] = work_.back();
    work_.pop_back();
    const runtime::Node& have = tree_[node];
    auto children = static_cast<uint32_t>(pool_.size());
    pool_[at] = {have.production, have.value, children};
    uint32_t count = plan_.Row(have.production).child_count;
    pool_.resize(pool_.size() + count, {kWildcard, runtime::kNone, 0});
    for (uint32_t c = 0; c < count; ++c) {
      if (Marked(have.first_child + c)) work_.push_back({children + c, have.first_child + c});
    }
  }
  return part;
}

}  // namespace assay::grammar
