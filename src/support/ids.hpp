// Strong ids into stores. An Id<Tag> is an index into one vector; ids of different stores do not convert.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "support/check.hpp"

namespace assay::support {

template <typename Tag>
struct Id {
  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : index(value) {}
  constexpr bool Valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return Valid(); }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A vector addressed by one kind of id. Builds with ASSAY_CHECKED_STORES (the presets debug and asan) stop at an id
// that is not in the store.
template <typename IdType, typename T>
class Store {
 public:
  IdType Add(T value) {
    items_.push_back(std::move(value));
    return IdType(static_cast<uint32_t>(items_.size() - 1));
  }
  T& operator[](IdType id) {
    CheckId(id);
    return items_[id.index];
  }
  const T& operator[](IdType id) const {
    CheckId(id);
    return items_[id.index];
  }
  bool Contains(IdType id) const { return id.index < items_.size(); }
  uint32_t Size() const { return static_cast<uint32_t>(items_.size()); }
  bool Empty() const { return items_.empty(); }
  void Clear() { items_.clear(); }
  void Reserve(size_t count) { items_.reserve(count); }
  void Resize(size_t count) { items_.resize(count); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  std::vector<T>& Items() { return items_; }
  const std::vector<T>& Items() const { return items_; }

 private:
  void CheckId([[maybe_unused]] IdType id) const {
#ifdef ASSAY_CHECKED_STORES
    CHECK_MSG(Contains(id), "id {} in a store of {}", id.index, items_.size());
#endif
  }

  std::vector<T> items_;
};

}  // namespace assay::support

template <typename Tag>
struct std::hash<assay::support::Id<Tag>> {
  size_t operator()(assay::support::Id<Tag> id) const noexcept { return id.index; }
};
