// The text being written. Does what std::string does, but appending costs a few instructions and no call: a program is
// some 20,000 pieces.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "support/check.hpp"

namespace assay::emit {

class Text {
 public:
  Text() = default;
  explicit Text(std::string_view start) { *this += start; }

  Text& operator+=(char c) {
    if (size_ == room_) [[unlikely]]
      Grow(1);
    data_[size_++] = c;
    return *this;
  }
  Text& operator+=(std::string_view piece) {
    if (!piece.empty()) Append(piece.data(), piece.size());
    return *this;
  }
  // A literal: its length is known when compiling.
  template <size_t N>
  Text& operator+=(const char (&piece)[N]) {
    static_assert(N > 1);
    Append(piece, N - 1);
    return *this;
  }
  Text& operator+=(const Text& other) { return *this += other.View(); }

  // At least one byte.
  [[gnu::always_inline]] void Append(const char* piece, size_t count) {
    if (room_ - size_ < count) [[unlikely]]
      Grow(count);
    std::memcpy(data_.get() + size_, piece, count);
    size_ += count;
  }
  // So many bytes at once, of which only the first `count` stay: the copy of a small piece has a constant size.
  template <size_t N>
  void AppendFirst(const char (&piece)[N], size_t count) {
    if (room_ - size_ < N) [[unlikely]]
      Grow(N);
    std::memcpy(data_.get() + size_, piece, N);
    size_ += count;
  }
  void AppendRepeated(size_t count, char c) {
    if (count == 0) return;
    if (room_ - size_ < count) [[unlikely]]
      Grow(count);
    std::memset(data_.get() + size_, c, count);
    size_ += count;
  }
  void Insert(size_t at, std::string_view piece) {
    CHECK(at <= size_);
    if (piece.empty()) return;
    if (room_ - size_ < piece.size()) Grow(piece.size());
    char* const place = data_.get() + at;
    std::memmove(place + piece.size(), place, size_ - at);
    std::memcpy(place, piece.data(), piece.size());
    size_ += piece.size();
  }
  void RemoveLast() { --size_; }
  void Clear() { size_ = 0; }
  void Reserve(size_t room) {
    if (room > room_) Grow(room - size_);
  }

  size_t Size() const { return size_; }
  bool Empty() const { return size_ == 0; }
  char operator[](size_t at) const { return data_[at]; }
  char Last() const { return data_[size_ - 1]; }
  std::string_view View() const { return {data_.get(), size_}; }
  std::string String() const { return std::string(View()); }

 private:
  [[gnu::cold, gnu::noinline]] void Grow(size_t more) {
    const size_t room = std::max(room_ * 2, size_ + more + 256);
    std::unique_ptr<char[]> bigger(new char[room]);
    if (size_ > 0) std::memcpy(bigger.get(), data_.get(), size_);
    data_ = std::move(bigger);
    room_ = room;
  }

  std::unique_ptr<char[]> data_;
  size_t size_ = 0, room_ = 0;
};

}  // namespace assay::emit
