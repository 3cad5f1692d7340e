#include "machine/pointers.hpp"

#include "support/hash.hpp"

namespace assay::machine {
namespace {

uint64_t HashOf(const Pointer& p) {
  uint64_t hash = (static_cast<uint64_t>(p.serial) << 32 | p.offset) * 0x9e3779b97f4a7c15u;
  hash ^= (static_cast<uint64_t>(p.low) << 32 | p.high) * 0xc2b2ae3d27d4eb4fu;
  hash ^= (static_cast<uint64_t>(p.tag) << 32 | p.function.index) * 0x165667b19e3779f9u;
  return hash ^ (hash >> 29) ^ (hash >> 47);
}

}  // namespace

PointerTable::PointerTable() : entries_(1), buckets_(256, 0) {}

PointerHandle PointerTable::Intern(const Pointer& pointer) {
  if (entries_.size() * 2 > buckets_.size()) Grow();
  const size_t mask = buckets_.size() - 1;
  size_t at = HashOf(pointer) & mask;
  while (buckets_[at] != 0) {
    if (entries_[buckets_[at]] == pointer) return buckets_[at];
    at = (at + 1) & mask;
  }
  entries_.push_back(pointer);
  return buckets_[at] = static_cast<PointerHandle>(entries_.size() - 1);
}

void PointerTable::Grow() {
  buckets_.assign(buckets_.size() * 4, 0);
  const size_t mask = buckets_.size() - 1;
  for (size_t i = 1; i < entries_.size(); ++i) {
    size_t at = HashOf(entries_[i]) & mask;
    while (buckets_[at] != 0) at = (at + 1) & mask;
    buckets_[at] = static_cast<PointerHandle>(i);
  }
}

}  // namespace assay::machine
