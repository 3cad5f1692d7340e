// Derivations taken from a tree, and trees built after a derivation.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grammar/engine.hpp"
#include "support/check.hpp"

namespace assay::grammar {

Derivation Engine::Capture() {
  Derivation derivation;
  derivation.session_seed = session_seed_;
  derivation.next_serial = tree_.next_serial;
  plan_.table.bind_session(session_);
  std::vector<NodeId> nodes = {tree_.Root()};
  derivation.entries.emplace_back();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const runtime::Node& node = tree_[nodes[i]];
    const runtime::ProductionRow& row = plan_.Row(node.production);
    Derivation::Entry& entry = derivation.entries[i];
    entry.production = node.production;
    entry.value = node.value;
    entry.serial = node.serial;
    entry.first_child = static_cast<uint32_t>(derivation.entries.size());
    if (row.generate) row.parts[row.part_count - 1].print(tree_.ContextOf(nodes[i]), entry.text, 0);
    for (uint32_t c = 0; c < row.child_count; ++c) nodes.push_back(node.first_child + c);
    derivation.entries.resize(nodes.size());  // invalidates entry
  }
  plan_.table.bind_session(nullptr);
  for (size_t i = derivation.entries.size(); i-- > 0;) {
    Derivation::Entry& entry = derivation.entries[i];
    for (uint32_t c = 0; c < plan_.Row(entry.production).child_count; ++c) {
      entry.size += derivation.entries[entry.first_child + c].size;
    }
  }
  return derivation;
}

support::Result<void> Engine::Rebuild(const Script& script, const EngineOptions& options) {
  script_ = &script;
  session_seed_ = script.base->session_seed;
  support::Result<void> result = Run(0, options);
  script_ = nullptr;
  return result;
}

// Follows hoists; kNone: derive anew.
uint32_t Engine::Redirect(uint32_t entry) const {
  for (;;) {
    auto edit = script_->edits.find(entry);
    if (edit == script_->edits.end()) return entry;
    if (edit->second.kind == Edit::Kind::Derive) return runtime::kNone;
    if (edit->second.kind != Edit::Kind::Hoist) return entry;
    entry = edit->second.other;
  }
}

uint32_t Engine::ScriptOf(NodeId node) const {
  return script_ && node < script_at_.size() ? script_at_[node] : runtime::kNone;
}

void Engine::SetScript(NodeId node, uint32_t entry) {
  if (script_at_.size() < tree_.Size()) script_at_.resize(tree_.Size() + 256, runtime::kNone);
  script_at_[node] = entry;
  if (entry != runtime::kNone) tree_[node].serial = script_->base->entries[entry].serial;
}

void Engine::DropScript(NodeId node) {
  if (script_ && node < script_at_.size()) script_at_[node] = runtime::kNone;
}

// What the script says of this node; false: nothing, or nothing that is possible.
bool Engine::FollowScript(const Frame& frame, NodeId node, uint32_t& production, uint32_t& value) {
  uint32_t at = ScriptOf(node);
  if (at == runtime::kNone) return false;
  const Derivation::Entry& entry = script_->base->entries[at];
  production = entry.production;
  value = entry.value;
  auto edit = script_->edits.find(at);
  if (edit != script_->edits.end()) {
    if (edit->second.kind == Edit::Kind::Switch) production = edit->second.other;
    if (edit->second.kind == Edit::Kind::Value) value = edit->second.other;
  }
  CHECK(plan_.Row(production).class_id == tree_[node].class_id);
  return node != frame.root || EarlyGuardsHold(node, production);
}

// Hands the script on to the children of a node that was just expanded.
void Engine::PassScript(NodeId node) {
  const runtime::ProductionRow& row = plan_.Row(tree_[node].production);
  NodeId first = tree_[node].first_child;
  uint32_t at = ScriptOf(node);
  const std::vector<uint32_t>* kept = nullptr;
  if (at != runtime::kNone) {
    // It got the production that the script has for it, or else the script says nothing of its
    // children.
    uint32_t expected = script_->base->entries[at].production;
    auto edit = script_->edits.find(at);
    if (edit != script_->edits.end() && edit->second.kind == Edit::Kind::Switch) {
      expected = edit->second.other;
      kept = &edit->second.kept;
    }
    if (expected != tree_[node].production) at = runtime::kNone;
  }
  for (uint32_t c = 0; c < row.child_count; ++c) {
    uint32_t child = runtime::kNone;
    uint32_t from = at == runtime::kNone ? runtime::kNone : kept ? (*kept)[c] : c;
    if (from != runtime::kNone) child = Redirect(script_->base->entries[at].first_child + from);
    SetScript(first + c, child);
  }
}

// The index of the value whose text the script has; kNone: there is none.
uint32_t Engine::ScriptedValue(NodeId node, const runtime::ProductionRow& row, const void* values, uint32_t count) {
  uint32_t at = ScriptOf(node);
  if (at == runtime::kNone || count == 0) return runtime::kNone;
  const Derivation::Entry& entry = script_->base->entries[at];
  if (row.class_id != plan_.Row(entry.production).class_id) return runtime::kNone;
  runtime::Context context{tree_[node].slots, scratch_.data(), uint64_t{tree_[node].serial} + 1, nullptr};
  auto fits = [&](uint32_t value) {
    std::memcpy(context.self + row.value_offset, static_cast<const std::byte*>(values) + size_t{value} * row.value_size,
                row.value_size);
    std::string text;
    row.parts[row.part_count - 1].print(context, text, 0);
    return text == entry.text;
  };
  if (entry.value < count && fits(entry.value)) return entry.value;
  for (uint32_t value = 0; value < count; ++value) {
    if (fits(value)) return value;
  }
  return runtime::kNone;
}

}  // namespace assay::grammar
