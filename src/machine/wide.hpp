// Values that 64 bits do not hold: integers of 128 bits, vectors, complex numbers. Their Value is a handle: where their
// words begin. A word is a Value itself: half of an integer (the low one first), a lane, a part. Words never change
// once they are made, so that handles may be copied, kept as known operands, and compared word by word.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/trap.hpp"

namespace assay::machine {

// Handles are large numbers, so that few values of other types need a second look (MayBeFalse in scalar.hpp).
inline constexpr Value kFirstHandle = Value{1} << 63, kMostHandles = Value{1} << 32;

class WideValues {
 public:
  // The value 0, which stands for one that could not be computed while probing, is a handle of as many zeros.
  static constexpr size_t kZeros = 64;
  WideValues() : words_(kZeros) {}

  Value Make(std::span<const Value> words) {
    const Value handle = kFirstHandle + words_.size();
    words_.insert(words_.end(), words.begin(), words.end());
    return handle;
  }
  // Valid until the next Make: copy what is needed longer.
  std::span<const Value> Words(Value handle, size_t count) const {
    return std::span(words_).subspan(handle == 0 ? 0 : handle - kFirstHandle, count);
  }

  // Everything made since the mark is forgotten: at the end of a statement nobody holds it any more, but for the value
  // that a `return` gives, which its caller makes anew.
  size_t Mark() const { return words_.size(); }
  void Forget(size_t mark) { words_.resize(mark); }

 private:
  std::vector<Value> words_;
};

}  // namespace assay::machine
