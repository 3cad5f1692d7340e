// Fail patterns: trees of productions, with wildcards, that a sub-problem must not contain at its
// root. Patterns of nested sub-problems form a stack and share one pool; what a sub-problem is
// given by the one around it are sub-patterns of the latter's.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/tree.hpp"

namespace assay::grammar {

inline constexpr uint32_t kWildcard = 0xfffffffeu;

class Patterns {
 public:
  Patterns(const Plan& plan, const Tree& tree) : plan_(plan), tree_(tree) {}

  // The state of the stack, to return to.
  struct Level {
    size_t patterns = 0;
    size_t pool = 0;
  };
  Level Now() const { return {patterns_.size(), pool_.size()}; }
  void Return(Level level) {
    patterns_.resize(level.patterns);
    pool_.resize(level.pool);
  }
  size_t Count() const { return patterns_.size(); }
  void Clear() { Return({}); }

  // A pattern or part of one: an index into the pool, or kWildcard.
  using Part = uint32_t;

  void Add(Part root) { patterns_.push_back({root, {}, 0, 0}); }
  Part RootOf(size_t pattern) const { return patterns_[pattern].root; }

  // What the patterns from `first` on demand not to be at `node`, given everything else below
  // `root`: the parts at `node` of those that match all around it. `active` receives the parts,
  // `which` (if given) the patterns.
  void ActiveAt(size_t first, NodeId root, NodeId node, std::vector<Part>& active,
                std::vector<size_t>* which = nullptr);

  // The parts at child `child` of `node`, of those in `active` (parts at `node`) that match the
  // other children.
  void Trim(const std::vector<Part>& active, NodeId node, uint32_t child, std::vector<Part>& out) const;

  // Is `part` matched whatever the children are?
  bool Closed(Part part) const;
  uint32_t ProductionOf(Part part) const { return part == kWildcard ? kWildcard : pool_[part].production; }
  uint32_t ValueOf(Part part) const { return pool_[part].value; }

  // --- making a new pattern: mark nodes, then Build. ---
  void BeginMarks();
  void Mark(NodeId node) {
    Room(node);
    marks_[node].epoch = epoch_;
  }
  bool Marked(NodeId node) const { return node < marks_.size() && marks_[node].epoch == epoch_; }
  // Remembers that these attributes of the node were visited; returns those that were not before.
  uint64_t Visit(NodeId node, uint64_t attributes);
  // Marks the nodes that are not wildcards in the pattern, which matches the tree at `root` around
  // `hole`.
  void MarkPattern(size_t pattern, NodeId root, NodeId hole);
  // The pattern of the marked nodes (root included; a marked node's parent is marked), all else
  // being wildcards.
  Part Build(NodeId root);

 private:
  struct PartNode {
    uint32_t production;  // kWildcard: anything
    uint32_t value;
    uint32_t children;  // the first of as many parts as the production has children
  };
  // `witness`: where the pattern did not match when last looked at, and what stood there.
  struct Pattern {
    Part root;
    NodeHandle witness;
    uint32_t production;
    uint32_t value;
  };
  struct MarkState {
    uint32_t epoch = 0;
    uint32_t visited_epoch = 0;
    uint64_t visited = 0;
  };

  bool SameHere(Part part, NodeId node) const {
    return pool_[part].production == tree_[node].production && pool_[part].value == tree_[node].value;
  }
  // kNone if it matches; otherwise a node at which it does not.
  NodeId Mismatch(Part part, NodeId node) const;
  NodeId MismatchAround(Part part, size_t path_end, Part& at) const;
  void Room(NodeId node) {
    if (node >= marks_.size()) marks_.resize(tree_.Size() + 1024);
  }

  const Plan& plan_;
  const Tree& tree_;
  std::vector<PartNode> pool_;
  std::vector<Pattern> patterns_;
  std::vector<MarkState> marks_;
  uint32_t epoch_ = 0;
  std::vector<NodeId> path_;
  mutable std::vector<std::pair<Part, NodeId>> work_;
};

}  // namespace assay::grammar
