// A vector of a few numbers or ids that needs no memory of its own until there are more than N of them. For lists that
// are short, made often and copied with the struct they are in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::support {

template <typename T, uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> items) { Assign(items.begin(), static_cast<uint32_t>(items.size())); }
  SmallVector(const std::vector<T>& items) { Assign(items.data(), static_cast<uint32_t>(items.size())); }
  SmallVector(const SmallVector& other) { Assign(other.data(), other.size_); }
  SmallVector(SmallVector&& other) noexcept { *this = std::move(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) Assign(other.data(), other.size_);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (!other.many_) return *this = static_cast<const SmallVector&>(other);
    many_ = std::move(other.many_);
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, N);
    return *this;
  }

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return many_ ? many_.get() : few_; }
  const T* data() const { return many_ ? many_.get() : few_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(T item) {
    if (size_ == room_) Grow(room_ * 2);
    data()[size_++] = item;
  }
  void pop_back() { --size_; }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void Assign(const T* items, uint32_t count) {
    size_ = 0;
    if (count > room_) Grow(count);
    if (count > 0) std::memcpy(data(), items, count * sizeof(T));
    size_ = count;
  }
  void Grow(uint32_t room) {
    std::unique_ptr<T[]> bigger(new T[room]);
    if (size_ > 0) std::memcpy(bigger.get(), data(), size_ * sizeof(T));
    many_ = std::move(bigger);
    room_ = room;
  }

  uint32_t size_ = 0, room_ = N;
  T few_[N];  // in use while many_ is empty
  std::unique_ptr<T[]> many_;
};

}  // namespace assay::support
