// A derivation tree in arenas. The children of a node are consecutive nodes, their slots one block;
// both are reused, by production, when a node loses its children. Nodes are named by index; indices
// stay valid, references do not.
#pragma once

#include <cstdint>
#include <lala/arena.hpp>
#include <utility>
#include <vector>

#include "grammar/nodes.hpp"
#include "grammar/plan.hpp"

namespace assay::grammar {

using NodeId = uint32_t;

// An index and the generation it was taken in: tells whether the node still exists.
struct NodeHandle {
  NodeId id = runtime::kNone;
  uint32_t generation = 0;
};

class Tree {
 public:
  explicit Tree(const Plan& plan);

  // Forgets all nodes, keeps the memory, makes the root.
  void Reset();

  NodeId Root() const { return 0; }
  runtime::Node& operator[](NodeId id) { return nodes_[id]; }
  const runtime::Node& operator[](NodeId id) const { return nodes_[id]; }
  size_t Size() const { return nodes_.Size(); }
  size_t Expanded() const { return expanded_; }  // nodes that have a production

  NodeHandle HandleOf(NodeId id) const { return {id, nodes_[id].generation}; }
  bool Alive(NodeHandle handle) const { return nodes_[handle.id].generation == handle.generation; }

  const runtime::ClassRow& ClassOf(NodeId id) const { return plan_.ClassRow(nodes_[id].class_id); }
  const ClassPlan& ClassPlanOf(NodeId id) const { return plan_.classes[nodes_[id].class_id]; }

  // Gives the node this production and makes its children: not expanded, no attribute known.
  void Expand(NodeId id, uint32_t production);
  // Takes production and children (and theirs) away; the node itself and its inherited attributes
  // stay.
  void Collapse(NodeId id);
  // The children of `id`, expanded as `production`, replace those it has; kept[i] (kNone: none)
  // says which old child becomes child i, with everything below it. The others are freed.
  void Exchange(NodeId id, uint32_t production, const std::vector<uint32_t>& kept);

  runtime::Context ContextOf(NodeId id) const {
    const runtime::Node& node = nodes_[id];
    return {node.slots, node.block, uint64_t{node.serial} + 1,
            node.first_child == runtime::kNone ? nullptr : &nodes_[node.first_child]};
  }

  // Forgets which locals of the node are computed.
  void ForgetLocals(NodeId id) const;

  uint32_t next_serial = 0;  // given to the next node

 private:
  struct Run {
    NodeId first;
    std::byte* block;
  };
  Run Take(uint32_t production);
  void Give(uint32_t production, Run run);
  std::byte* AllocateSlots(size_t bytes);
  void InitChildren(NodeId id, uint32_t production, Run run);

  const Plan& plan_;
  Nodes nodes_;
  std::vector<std::vector<Run>> free_;
  lala::Arena slots_;
  size_t expanded_ = 0;
  std::vector<NodeId> work_;
  std::vector<std::pair<uint32_t, Run>> pending_;
};

}  // namespace assay::grammar
