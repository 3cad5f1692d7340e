#include "machine/sequence.hpp"

#include <algorithm>
#include <tuple>

namespace assay::machine {

void AccessLog::Grow() {
  room_ *= 2;
  entries_.resize(room_);
}

TrapKind AccessLog::Compare(Mark a, Mark a_end, Mark b, Mark b_end, uint32_t depth) const {
  TrapKind worst = TrapKind::None;
  for (Mark i = a; i < a_end; ++i) {
    const Access& x = entries_[i];
    for (Mark j = b; j < b_end; ++j) {
      const Access& y = entries_[j];
      if (x.serial != y.serial || !(x.write | y.write) || x.begin >= y.end || y.begin >= x.end) continue;
      if (x.depth <= depth && y.depth <= depth) return TrapKind::Unsequenced;
      worst = TrapKind::OrderDependent;
    }
  }
  return worst;
}

bool AccessLog::HasWrite(Mark mark, uint32_t serial, uint32_t begin_bit, uint32_t end_bit, uint32_t depth) const {
  for (Mark i = mark; i < size_; ++i) {
    const Access& x = entries_[i];
    if (x.write && !x.complete && x.depth <= depth && x.serial == serial && x.begin < end_bit && begin_bit < x.end) {
      return true;
    }
  }
  return false;
}

void AccessLog::Fold(Mark mark, Mark call, uint32_t first_serial) {
  Mark kept = mark;
  Mark last_write = std::min(last_write_, mark);
  for (Mark i = mark; i < size_; ++i) {
    const Access x = entries_[i];
    if (x.serial >= first_serial) continue;
    Mark& hint = recent_[(x.serial * 2 + x.write) % kRecent];
    if (hint >= call && hint < kept) {
      Access& y = entries_[hint];
      if (y.serial == x.serial && y.write == x.write && x.begin <= y.end && y.begin <= x.end) {
        y.begin = std::min(y.begin, x.begin);
        y.end = std::max(y.end, x.end);
        continue;
      }
    }
    hint = kept;
    entries_[kept++] = x;
    if (x.write) last_write = kept;
  }
  size_ = kept;
  last_write_ = last_write;
}

void AccessLog::Compact(Mark mark, uint32_t first_serial, uint32_t depth) {
  const auto begin = entries_.begin() + mark;
  auto end = std::remove_if(begin, entries_.begin() + size_, [&](const Access& x) { return x.serial >= first_serial; });
  if (end - begin > 64) {
    // For the caller only the call as a whole counts: accesses of adjoining bits become one.
    const auto key = [](const Access& x) { return std::tuple(x.serial, static_cast<uint32_t>(x.write), x.begin); };
    std::sort(begin, end, [&](const Access& x, const Access& y) { return key(x) < key(y); });
    auto last = begin;
    for (auto next = begin + 1; next != end; ++next) {
      if (next->serial == last->serial && next->write == last->write && next->begin <= last->end) {
        last->end = std::max(last->end, next->end);
      } else {
        *++last = *next;
      }
    }
    end = last + 1;
    for (auto it = begin; it != end; ++it) it->depth = depth;
  }
  size_ = static_cast<Mark>(end - entries_.begin());
  last_write_ = mark;
  for (Mark i = mark; i < size_; ++i) {
    if (entries_[i].write) last_write_ = i + 1;
  }
}

}  // namespace assay::machine
