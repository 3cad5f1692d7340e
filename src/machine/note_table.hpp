// The notes of stored floating values (machine/float_note.hpp), by address. Most bytes have none, and nearly every
// store and every new object asks: so a bit for each byte of the arena says where a note begins.
#pragma once

#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/float_note.hpp"

namespace assay::machine {

class NoteTable {
 public:
  struct Stored {
    FloatNote note;
    uint32_t bytes = 0;  // of the value
  };

  // Of the value that begins there; null: none.
  const Stored* Find(uint32_t address) const { return Begins(address) ? &notes_.find(address)->second : nullptr; }

  // No note overlaps the value's bytes: see Forget.
  void Put(uint32_t address, Stored note) {
    if (address / 64 >= begins_.size()) begins_.resize(address / 64 + 1);
    begins_[address / 64] |= uint64_t{1} << address % 64;
    notes_[address] = note;
  }

  // Other bytes are there now: no value that lies in them, even in part, has a note any more.
  void Forget(uint32_t address, uint32_t bytes) {
    constexpr uint32_t kMost = 8;  // of a value
    const uint32_t first = address < kMost ? 0 : address - kMost + 1;
    ForEach(first, address + bytes, [&](uint32_t at) {
      const auto found = notes_.find(at);
      if (at + found->second.bytes <= address) return;
      notes_.erase(found);
      begins_[at / 64] &= ~(uint64_t{1} << at % 64);
    });
  }

  // The bytes from `from` are now also at `to`; the two may overlap.
  void Copy(uint32_t to, uint32_t from, uint32_t bytes) {
    std::vector<std::pair<uint32_t, Stored>> copied;
    ForEach(from, from + bytes, [&](uint32_t at) {
      const Stored& stored = notes_.find(at)->second;
      if (at + stored.bytes <= from + bytes) copied.emplace_back(at - from + to, stored);
    });
    Forget(to, bytes);
    for (const auto& [address, stored] : copied) Put(address, stored);
  }

 private:
  bool Begins(uint32_t address) const {
    return address / 64 < begins_.size() && (begins_[address / 64] >> address % 64 & 1) != 0;
  }

  // Every address in [begin, end) where a note begins.
  template <typename Visit>
  void ForEach(uint32_t begin, uint32_t end, const Visit& visit) {
    for (uint32_t word = begin / 64; word < begins_.size() && word * 64 < end; ++word) {
      for (uint64_t left = begins_[word]; left != 0; left &= left - 1) {
        const uint32_t at = word * 64 + static_cast<uint32_t>(std::countr_zero(left));
        if (at >= begin && at < end) visit(at);
      }
    }
  }

  std::vector<uint64_t> begins_;
  std::unordered_map<uint32_t, Stored> notes_;
};

}  // namespace assay::machine
