// A node of the derivation tree as rules see it: an identity, and the only source of randomness.
// `this` and child names used as values are Nodes.
#pragma once

#include <cstdint>

#include "arena.hpp"
#include "list.hpp"
#include "string.hpp"

namespace lala {

struct Node {
  // Given by the engine; 0 is nil. Depends only on the draws made so far, never on addresses or
  // threads.
  uint64_t id = 0;

  friend bool operator==(Node a, Node b) { return a.id == b.id; }
};

// 64 bits that depend on the program's seed and the node only: asking twice gives the same.
inline uint64_t RandomOf(Node node) {
  uint64_t seed = detail::MixBits(Session::Current().seed() + 0x9e3779b97f4a7c15u);
  return detail::MixBits(seed ^ (node.id * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du));
}

// A number of this node between 1 and `most`, both included; requires most > 0.
inline int64_t OneTo(int64_t most, Node node) {
  return static_cast<int64_t>(1 + RandomOf(node) % static_cast<uint64_t>(most));
}

// A stream of draws for one node, for a function that needs more than one.
class Random {
 public:
  explicit Random(Node node) : state_(RandomOf(node)) {}

  uint64_t Bits() {
    state_ += 0x9e3779b97f4a7c15u;
    return detail::MixBits(state_);
  }
  // Uniform in [0, bound); requires bound > 0.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(((Bits() >> 32) * bound) >> 32); }
  // Uniform in [low, high], both included; requires high - low < 2^32.
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint32_t>(high - low + 1)));
  }
  bool Percent(uint32_t percent) { return Below(100) < percent; }
  // Requires that the list is not empty.
  template <typename T>
  const T& Pick(const List<T>& items) {
    return items[Below(items.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace lala
