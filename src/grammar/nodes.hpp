// An array of nodes that grows at its end. Like a std::vector, but a large one is moved by the
// kernel (realloc) instead of being copied, and new nodes are not written twice.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "grammar/runtime.hpp"

namespace assay::grammar {

class Nodes {
 public:
  static_assert(std::is_trivially_copyable_v<runtime::Node>);

  Nodes() = default;
  ~Nodes() { std::free(nodes_); }
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;

  runtime::Node& operator[](size_t i) { return nodes_[i]; }
  const runtime::Node& operator[](size_t i) const { return nodes_[i]; }
  size_t Size() const { return size_; }

  void Clear() { size_ = 0; }
  // More nodes at the end, of generation 0; the caller sets all else.
  void Add(size_t count) {
    if (size_ + count > capacity_) Grow(size_ + count);
    for (size_t i = 0; i < count; ++i) nodes_[size_ + i].generation = 0;
    size_ += count;
  }

 private:
  void Grow(size_t least) {
    size_t capacity = capacity_ * 2;
    if (capacity < 1024) capacity = 1024;
    if (capacity < least) capacity = least;
    void* memory = std::realloc(static_cast<void*>(nodes_), capacity * sizeof(runtime::Node));
    if (!memory) throw std::bad_alloc();
    nodes_ = static_cast<runtime::Node*>(memory);
    capacity_ = capacity;
    AskForHugePages();
  }
  // What is larger than one of them should be made of them (see lala::Arena); only a wish.
  void AskForHugePages() const {
    constexpr uintptr_t kHugePage = 2 * 1024 * 1024;
    auto begin = (reinterpret_cast<uintptr_t>(nodes_) + kHugePage - 1) & ~(kHugePage - 1);
    auto end = reinterpret_cast<uintptr_t>(nodes_ + capacity_) & ~(kHugePage - 1);
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }

  runtime::Node* nodes_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace assay::grammar
