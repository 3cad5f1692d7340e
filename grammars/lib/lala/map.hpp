// Immutable ordered maps and sets: O(log n) find, put, remove and At (by rank); older versions stay
// valid and share all but the changed path. Iteration is in key order, so it does not depend on how
// a map came to be.
//
// A Map is a treap whose priorities are a hash of the key. The shape therefore depends on the keys
// alone: two maps with equal keys have equal trees, and equality stops at every shared subtree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "arena.hpp"
#include "list.hpp"
#include "string.hpp"

namespace lala {

inline uint32_t HashOf(String key) { return key.hash() * 0x9e3779b1u; }
inline uint32_t HashOf(int64_t key) {
  return static_cast<uint32_t>(detail::MixBits(static_cast<uint64_t>(key) + 0x9e3779b97f4a7c15u));
}

// K needs operator<, operator== and HashOf (found by argument-dependent lookup).
template <typename K, typename V>
class Map {
 public:
  static_assert(std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>);
  struct Entry {
    K key;
    V value;
  };

  Map() = default;

  uint32_t size() const { return Size(root_); }
  bool empty() const { return !root_; }
  // Are these the same version? (Cheaper than ==; false says nothing.)
  bool SameAs(const Map& other) const { return root_ == other.root_; }

  // Null if absent; the pointer lives as long as the session.
  const V* Find(const K& key) const { return FindIn(root_, key); }
  bool Contains(const K& key) const { return Find(key) != nullptr; }
  // The value, or V's nil.
  V Get(const K& key) const {
    const V* found = Find(key);
    return found ? *found : V{};
  }

  [[nodiscard]] Map Put(const K& key, const V& value) const {
    if (const V* have = Find(key)) {
      if (*have == value) return *this;
      return Map(Replace(root_, key, value));
    }
    return Map(Insert(root_, key, value, HashOf(key)));
  }
  [[nodiscard]] Map Remove(const K& key) const { return Contains(key) ? Map(Erase(root_, key)) : *this; }
  // This map with every entry of `other` put into it.
  [[nodiscard]] Map PutAll(const Map& other) const {
    Map result = *this;
    other.Each([&](const Entry& e) { result = result.Put(e.key, e.value); });
    return result;
  }

  // The entries that `keep(const Entry&)` wants; O(n), without intermediate versions.
  template <typename Keep>
  [[nodiscard]] Map Filter(Keep keep) const {
    std::vector<Entry> kept;
    Each([&](const Entry& e) {
      if (keep(e)) kept.push_back(e);
    });
    return kept.size() == size() ? *this : FromSorted(kept);
  }
  // The map of these entries, whose keys ascend; O(n).
  static Map FromSorted(std::span<const Entry> entries) {
    // The nodes on the way from the root to the last key: the one above has the higher priority.
    std::vector<Item*> spine;
    const Item* below = nullptr;
    for (const Entry& entry : entries) {
      uint32_t priority = HashOf(entry.key);
      below = nullptr;
      while (!spine.empty() && Above(priority, entry.key, spine.back())) below = Counted(spine);
      Item* item = New<Item>(entry, below, nullptr, priority, 0u);
      if (!spine.empty()) spine.back()->right = item;
      spine.push_back(item);
    }
    while (!spine.empty()) below = Counted(spine);
    return Map(below);
  }

  // The entry of this rank, in key order.
  const Entry& At(uint32_t rank) const {
    if (rank >= size()) throw Error("map: no entry of rank " + std::to_string(rank));
    const Item* at = root_;
    for (;;) {
      uint32_t before = Size(at->left);
      if (rank == before) return at->entry;
      if (rank < before) {
        at = at->left;
      } else {
        rank -= before + 1;
        at = at->right;
      }
    }
  }

  // visit(const Entry&) in key order.
  template <typename Visit>
  void Each(Visit visit) const {
    Walk(root_, visit);
  }
  // visit(const Entry&, const V* other) in key order, for every entry that has another value in
  // `other`, or none (null). Where the two share their memory nothing is looked at: for a map made
  // from this one by k changes, O(k log n).
  template <typename Visit>
  void EachChanged(const Map& other, Visit visit) const {
    Compare(root_, other.root_, visit);
  }
  List<K> Keys() const {
    List<K> result;
    Each([&](const Entry& e) { result.Push(e.key); });
    return result;
  }
  List<V> Values() const {
    List<V> result;
    Each([&](const Entry& e) { result.Push(e.value); });
    return result;
  }

  friend bool operator==(const Map& a, const Map& b) { return Equal(a.root_, b.root_); }

 private:
  struct Item {
    Entry entry;
    const Item* left;
    const Item* right;
    uint32_t priority;
    uint32_t size;
  };
  struct Halves {
    const Item* below;
    const Item* above;
  };

  explicit Map(const Item* root) : root_(root) {}

  static uint32_t Size(const Item* item) { return item ? item->size : 0; }
  static const Item* Make(const Entry& entry, uint32_t priority, const Item* left, const Item* right) {
    return New<Item>(entry, left, right, priority, Size(left) + Size(right) + 1);
  }
  // Ties of priority are broken by key, so that the shape stays unique.
  static bool Above(uint32_t priority, const K& key, const Item* item) {
    if (priority != item->priority) return priority > item->priority;
    return key < item->entry.key;
  }
  // The last of these nodes, whose subtrees are complete now, is taken off.
  static const Item* Counted(std::vector<Item*>& spine) {
    Item* item = spine.back();
    spine.pop_back();
    item->size = Size(item->left) + Size(item->right) + 1;
    return item;
  }
  static Halves Split(const Item* at, const K& key) {
    if (!at) return {nullptr, nullptr};
    if (key < at->entry.key) {
      Halves halves = Split(at->left, key);
      return {halves.below, Make(at->entry, at->priority, halves.above, at->right)};
    }
    Halves halves = Split(at->right, key);
    return {Make(at->entry, at->priority, at->left, halves.below), halves.above};
  }
  static const Item* Insert(const Item* at, const K& key, const V& value, uint32_t priority) {
    if (!at || Above(priority, key, at)) {
      Halves halves = Split(at, key);
      return Make(Entry{key, value}, priority, halves.below, halves.above);
    }
    if (key < at->entry.key) {
      return Make(at->entry, at->priority, Insert(at->left, key, value, priority), at->right);
    }
    return Make(at->entry, at->priority, at->left, Insert(at->right, key, value, priority));
  }
  static const Item* Replace(const Item* at, const K& key, const V& value) {
    if (key == at->entry.key) return Make(Entry{key, value}, at->priority, at->left, at->right);
    if (key < at->entry.key) return Make(at->entry, at->priority, Replace(at->left, key, value), at->right);
    return Make(at->entry, at->priority, at->left, Replace(at->right, key, value));
  }
  static const Item* Merge(const Item* below, const Item* above) {
    if (!below) return above;
    if (!above) return below;
    if (Above(below->priority, below->entry.key, above)) {
      return Make(below->entry, below->priority, below->left, Merge(below->right, above));
    }
    return Make(above->entry, above->priority, Merge(below, above->left), above->right);
  }
  static const Item* Erase(const Item* at, const K& key) {
    if (key == at->entry.key) return Merge(at->left, at->right);
    if (key < at->entry.key) return Make(at->entry, at->priority, Erase(at->left, key), at->right);
    return Make(at->entry, at->priority, at->left, Erase(at->right, key));
  }
  template <typename Visit>
  static void Walk(const Item* at, Visit& visit) {
    for (; at; at = at->right) {
      Walk(at->left, visit);
      visit(at->entry);
    }
  }
  static const V* FindIn(const Item* at, const K& key) {
    while (at) {
      if (key == at->entry.key) return &at->entry.value;
      at = key < at->entry.key ? at->left : at->right;
    }
    return nullptr;
  }
  // `other` has everything that its map has in the range of keys of `at`.
  template <typename Visit>
  static void Compare(const Item* at, const Item* other, Visit& visit) {
    if (!at || at == other) return;
    const K& key = at->entry.key;
    const Item* below = other;
    while (below && !(below->entry.key < key)) below = below->left;
    Compare(at->left, below, visit);
    const V* value = FindIn(other, key);
    if (!value || !(*value == at->entry.value)) visit(at->entry, value);
    const Item* above = other;
    while (above && !(key < above->entry.key)) above = above->right;
    Compare(at->right, above, visit);
  }
  static bool Equal(const Item* a, const Item* b) {
    if (a == b) return true;
    if (!a || !b || a->size != b->size) return false;
    return a->entry.key == b->entry.key && a->entry.value == b->entry.value && Equal(a->left, b->left) &&
           Equal(a->right, b->right);
  }

  const Item* root_ = nullptr;
};

template <typename K>
class Set {
 public:
  Set() = default;

  uint32_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  bool Contains(const K& key) const { return map_.Contains(key); }
  [[nodiscard]] Set Add(const K& key) const { return Set(map_.Put(key, true)); }
  [[nodiscard]] Set Remove(const K& key) const { return Set(map_.Remove(key)); }
  [[nodiscard]] Set Union(const Set& other) const { return Set(map_.PutAll(other.map_)); }
  const K& At(uint32_t rank) const { return map_.At(rank).key; }
  List<K> Keys() const { return map_.Keys(); }
  template <typename Visit>
  void Each(Visit visit) const {
    map_.Each([&](const auto& entry) { visit(entry.key); });
  }
  friend bool operator==(const Set& a, const Set& b) { return a.map_ == b.map_; }

 private:
  explicit Set(Map<K, bool> map) : map_(map) {}
  Map<K, bool> map_;
};

}  // namespace lala
