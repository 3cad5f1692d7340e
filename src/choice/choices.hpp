// All randomness of Assay. A Choices is a stream of draws that depends only on its seed and its name, the same on
// every machine and standard library. Stages derive their own streams, so that a new draw in one stage does not
// change what another makes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "support/check.hpp"
#include "support/hash.hpp"

namespace assay::choice {

class Choices {
 public:
  explicit Choices(uint64_t seed) : root_(seed), state_(support::Mix64(seed ^ 0x41737361794b6579u)) {}

  // An independent stream for one stage. Derived from the seed and the name only, not from the draws made so far.
  Choices Derive(std::string_view stage) const { return Choices(support::Mix64(root_ ^ support::HashText(stage))); }

  // 64 uniform bits (splitmix64).
  uint64_t Bits() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound). Multiply-shift: the bias is below 2^-32 for the bounds used here. Requires bound > 0.
  uint32_t Below(uint32_t bound) {
    CHECK(bound > 0);
    return static_cast<uint32_t>(((Bits() >> 32) * bound) >> 32);
  }

  // Uniform in [low, high], both included.
  int64_t Between(int64_t low, int64_t high) {
    CHECK(low <= high);
    uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    if (span == 0) return static_cast<int64_t>(Bits());
    if (span <= 0xffffffffu) {
      return low + static_cast<int64_t>(Below(static_cast<uint32_t>(span)));
    }
    return static_cast<int64_t>(static_cast<uint64_t>(low) + Bits() % span);
  }

  // True with a probability of percent/100: 0 never, 100 always.
  bool Percent(uint32_t percent) { return Below(100) < percent; }
  // True with a probability of permille/1000.
  bool Permille(uint32_t permille) { return Below(1000) < permille; }
  bool Coin() { return (Bits() >> 63) != 0; }

  // An index, drawn by weight; at least one weight must be positive.
  uint32_t Weighted(std::span<const uint32_t> weights) {
    uint64_t total = 0;
    for (uint32_t w : weights) total += w;
    CHECK(total > 0 && total <= 0xffffffffu);
    const uint32_t draw = Below(static_cast<uint32_t>(total));
    // Counts the rows before it to the end, because no processor guesses where a draw would stop.
    uint32_t index = 0, sum = 0;
    for (uint32_t w : weights) {
      sum += w;
      index += draw >= sum;
    }
    return index;
  }
  uint32_t Weighted(std::initializer_list<uint32_t> weights) {
    return Weighted(std::span<const uint32_t>(weights.begin(), weights.size()));
  }

  template <typename Container>
  auto& Pick(Container& items) {
    return items[Below(static_cast<uint32_t>(items.size()))];
  }

  template <typename Container>
  void Shuffle(Container& items) {
    for (size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[Below(static_cast<uint32_t>(i))]);
    }
  }

 private:
  uint64_t root_;
  uint64_t state_;
};

// Weights that are drawn from again and again: summed up once.
template <size_t N>
class Weights {
 public:
  constexpr Weights() = default;
  constexpr explicit Weights(const std::array<uint32_t, N>& weights) {
    uint64_t sum = 0;
    for (size_t i = 0; i < N; ++i) ends_[i] = static_cast<uint32_t>(sum += weights[i]);
    CHECK(sum <= 0xffffffffu);
  }

  bool Empty() const { return ends_[N - 1] == 0; }  // all are 0
  // The draw of Choices::Weighted. Requires !Empty().
  uint32_t Draw(Choices& choices) const {
    const uint32_t draw = choices.Below(ends_[N - 1]);
    uint32_t index = 0;
    for (size_t i = 0; i + 1 < N; ++i) index += draw >= ends_[i];
    return index;
  }

 private:
  std::array<uint32_t, N> ends_{};  // of the share of each
};

}  // namespace assay::choice
