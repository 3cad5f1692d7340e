#include "grammar/tree.hpp"

#include <cstring>

#include "support/check.hpp"

namespace assay::grammar {

Tree::Tree(const Plan& plan) : plan_(plan), free_(plan.productions.size()) { Reset(); }

void Tree::Reset() {
  nodes_.Clear();
  slots_.Reset();
  for (std::vector<Run>& runs : free_) runs.clear();
  expanded_ = 0;
  next_serial = 1;
  nodes_.Add(1);
  nodes_[0] = {};
  nodes_[0].list_length = 1;
  nodes_[0].slots = AllocateSlots(plan_.ClassRow(0).slot_bytes);
}

// Aligned for whatever C++ puts into a struct.
std::byte* Tree::AllocateSlots(size_t bytes) {
  return static_cast<std::byte*>(slots_.Allocate((bytes + 15) & ~size_t{15}));
}

Tree::Run Tree::Take(uint32_t production) {
  if (!free_[production].empty()) {
    Run run = free_[production].back();
    free_[production].pop_back();
    return run;
  }
  const runtime::ProductionRow& row = plan_.Row(production);
  Run run{runtime::kNone, nullptr};
  if (row.child_count > 0) {
    run.first = static_cast<NodeId>(nodes_.Size());
    nodes_.Add(row.child_count);
  }
  if (row.block_bytes > 0) run.block = AllocateSlots(row.block_bytes);
  return run;
}

void Tree::Give(uint32_t production, Run run) {
  const runtime::ProductionRow& row = plan_.Row(production);
  for (uint32_t c = 0; c < row.child_count; ++c) {
    runtime::Node& child = nodes_[run.first + c];
    ++child.generation;
    child.production = runtime::kNone;
  }
  if (row.child_count > 0 || run.block) free_[production].push_back(run);
}

void Tree::InitChildren(NodeId id, uint32_t production, Run run) {
  const runtime::ProductionRow& row = plan_.Row(production);
  uint32_t list_child = plan_.productions[production].list_child;
  for (uint32_t c = 0; c < row.child_count; ++c) {
    runtime::Node& child = nodes_[run.first + c];
    child.known = 0;
    child.slots = run.block + row.children[c].offset;
    child.block = nullptr;
    child.parent = id;
    child.first_child = runtime::kNone;
    child.production = runtime::kNone;
    child.value = runtime::kNone;
    child.serial = next_serial++;
    child.list_length = c == list_child ? nodes_[id].list_length + 1 : 1;
    child.class_id = static_cast<uint16_t>(row.children[c].class_id);
    child.place = static_cast<uint16_t>(c);
    child.height = runtime::kUnlimited;
    child.done = false;
  }
  if (row.flags_count > 0) std::memset(run.block + row.flags_offset, 0, row.flags_count);
}

void Tree::Expand(NodeId id, uint32_t production) {
  ++expanded_;
  Run run = Take(production);
  InitChildren(id, production, run);
  runtime::Node& node = nodes_[id];
  node.production = production;
  node.first_child = run.first;
  node.block = run.block;
}

void Tree::Collapse(NodeId id) {
  work_.clear();
  work_.push_back(id);
  while (!work_.empty()) {
    NodeId at = work_.back();
    work_.pop_back();
    runtime::Node& node = nodes_[at];
    if (node.production == runtime::kNone) continue;
    uint32_t production = node.production;
    const runtime::ProductionRow& row = plan_.Row(production);
    Run run{node.first_child, node.block};
    node.production = runtime::kNone;
    node.first_child = runtime::kNone;
    node.block = nullptr;
    node.value = runtime::kNone;
    node.done = false;
    for (uint32_t c = 0; c < row.child_count; ++c) {
      if (nodes_[run.first + c].production != runtime::kNone) work_.push_back(run.first + c);
    }
    --expanded_;
    pending_.push_back({production, run});
  }
  // Given back at the end: nodes in work_ must not be marked free while they are still to be
  // visited.
  for (const auto& [production, run] : pending_) Give(production, run);
  pending_.clear();
  nodes_[id].known &= plan_.classes[nodes_[id].class_id].inherited;
}

void Tree::Exchange(NodeId id, uint32_t production, const std::vector<uint32_t>& kept) {
  uint32_t old_production = nodes_[id].production;
  const runtime::ProductionRow& old_row = plan_.Row(old_production);
  Run old_run{nodes_[id].first_child, nodes_[id].block};
  Run run = Take(production);
  InitChildren(id, production, run);
  std::vector<bool> moved(old_row.child_count);
  for (uint32_t c = 0; c < kept.size(); ++c) {
    if (kept[c] == runtime::kNone) continue;
    moved[kept[c]] = true;
    const runtime::Node& from = nodes_[old_run.first + kept[c]];
    runtime::Node& to = nodes_[run.first + c];
    std::memcpy(to.slots, from.slots, plan_.ClassRow(from.class_id).slot_bytes);
    to.known = from.known;
    to.block = from.block;
    to.first_child = from.first_child;
    to.production = from.production;
    to.value = from.value;
    to.serial = from.serial;
    to.height = from.height;
    to.done = from.done;
    if (to.production == runtime::kNone) continue;
    for (uint32_t g = 0; g < plan_.Row(to.production).child_count; ++g) {
      nodes_[to.first_child + g].parent = run.first + c;
    }
  }
  for (uint32_t c = 0; c < old_row.child_count; ++c) {
    if (!moved[c]) Collapse(old_run.first + c);
  }
  Give(old_production, old_run);
  runtime::Node& node = nodes_[id];
  node.production = production;
  node.first_child = run.first;
  node.block = run.block;
}

void Tree::ForgetLocals(NodeId id) const {
  const runtime::Node& node = nodes_[id];
  const runtime::ProductionRow& row = plan_.Row(node.production);
  if (row.flags_count > 0) std::memset(node.block + row.flags_offset, 0, row.flags_count);
}

}  // namespace assay::grammar
