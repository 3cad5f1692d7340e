// Immutable sequences with O(1) index, tail and (amortised) append.
//
// A List is a window [begin, end) on a block in the arena. Append writes behind the window if
// nobody has written there yet and the block has room; other lists on the same block end before
// that place and cannot see it. A full block grows in place if it is the latest allocation;
// otherwise the window is copied to a block twice the size. So a list that grows by one element per
// statement costs O(1) each.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "arena.hpp"

namespace lala {

template <typename T>
class List {
 public:
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
  using value_type = T;

  List() = default;
  List(std::initializer_list<T> items) : List(items.begin(), static_cast<uint32_t>(items.size())) {}
  List(const T* items, uint32_t count) {
    if (count == 0) return;
    Reserve(count);
    std::memcpy(static_cast<void*>(data()), items, count * sizeof(T));
    end_ = block_->used = count;
  }

  uint32_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  const T& operator[](uint32_t i) const { return items()[Checked(i)]; }
  const T* begin() const { return items(); }
  const T* end() const { return items() + size(); }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[size() - 1]; }

  [[nodiscard]] List Append(const T& item) const {
    List result = *this;
    result.Push(item);
    return result;
  }
  // The same for a list that is being built: `*this` becomes the longer list.
  void Push(const T& item) {
    T copy = item;
    if (!block_ || block_->used != end_ || (block_->capacity == end_ && !GrowInPlace())) CopyOut();
    ::new (static_cast<void*>(data() + end_)) T(copy);
    block_->used = ++end_;
  }
  [[nodiscard]] List Tail() const {
    List result = *this;
    if (!empty()) ++result.begin_;
    return result;
  }
  [[nodiscard]] List Concat(const List& other) const {
    List result = *this;
    for (uint32_t i = 0; i < other.size(); ++i) result.Push(other[i]);
    return result;
  }
  bool Contains(const T& item) const {
    for (const T& have : *this) {
      if (have == item) return true;
    }
    return false;
  }
  template <typename Predicate>
  [[nodiscard]] List Filter(Predicate keep) const {
    List result;
    for (const T& item : *this) {
      if (keep(item)) result.Push(item);
    }
    result.Trim();
    return result;
  }
  // Gives memory back that was taken for further elements, if that is possible. For lists that are
  // complete.
  void Trim() {
    if (!block_ || block_->used != end_) return;
    if (Session::Current().arena().Resize(block_, Bytes(block_->capacity), Bytes(end_))) {
      block_->capacity = end_;
    }
  }
  // For values needed for a moment only: the memory of this list is used again by whatever is
  // allocated next, if the list was made since then and nothing after it.
  void Release(Arena::Mark since) const {
    if (block_) Session::Current().arena().FreeIfLatest(block_, Bytes(block_->capacity), since);
  }

  friend bool operator==(const List& a, const List& b) {
    if (a.size() != b.size()) return false;
    if (a.items() == b.items()) return true;
    for (uint32_t i = 0; i < a.size(); ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }

 private:
  struct Block {
    uint32_t used;
    uint32_t capacity;
  };

  static size_t Bytes(uint32_t capacity) { return sizeof(Block) + size_t{capacity} * sizeof(T); }
  uint32_t Checked(uint32_t i) const {
    if (i >= size()) {
      throw Error("list: no element " + std::to_string(i) + " in " + std::to_string(size()));
    }
    return i;
  }
  T* data() const { return reinterpret_cast<T*>(block_ + 1); }
  const T* items() const { return block_ ? data() + begin_ : nullptr; }
  void Reserve(uint32_t capacity) {
    void* memory = Allocate(Bytes(capacity));
    block_ = ::new (memory) Block{0, capacity};
    begin_ = end_ = 0;
  }
  static uint32_t Larger(uint32_t count) { return count < 4 ? 4 : count * 2; }
  bool GrowInPlace() {
    uint32_t capacity = Larger(block_->capacity);
    if (!Session::Current().arena().Resize(block_, Bytes(block_->capacity), Bytes(capacity))) return false;
    block_->capacity = capacity;
    return true;
  }
  // To a block of its own: because this one is full, or because another list goes on behind the
  // window. In the second case the list is old, and likely to get a few elements only.
  void CopyOut() {
    List old = *this;
    bool full = !block_ || block_->used == end_;
    Reserve(full ? Larger(old.size()) : old.size() + 4);
    if (!old.empty()) std::memcpy(static_cast<void*>(data()), old.items(), old.size() * sizeof(T));
    end_ = block_->used = old.size();
  }

  Block* block_ = nullptr;
  uint32_t begin_ = 0;
  uint32_t end_ = 0;
};

}  // namespace lala
