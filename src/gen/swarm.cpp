#include "gen/swarm.hpp"

#include <algorithm>

namespace assay::gen {
namespace {

using K = knobs::Knobs;

// Without these a program says nothing, or nothing of any size.
constexpr int32_t K::*kNeeded[] = {&K::stmt_assign, &K::expr_binary, &K::auto_locals};
// Policies that steer others, and counts.
constexpr int32_t K::*kNoFeatures[] = {&K::swarm, &K::shuffle, &K::mix, &K::parameters, &K::wrapper_style};

constexpr uint32_t kRaised = 12;  // percent of features
constexpr int32_t kRaise = 4;     // times

template <size_t N>
bool IsOneOf(int32_t K::*field, int32_t K::*const (&fields)[N]) {
  return std::find(std::begin(fields), std::end(fields), field) != std::end(fields);
}

}  // namespace

bool IsFeature(const knobs::KnobRow& row) {
  return row.group != "size" && row.low == 0 && !IsOneOf(row.field, kNeeded) && !IsOneOf(row.field, kNoFeatures);
}

knobs::Knobs Swarm(const knobs::Knobs& knobs, choice::Choices& choices) {
  if (!choices.Percent(static_cast<uint32_t>(knobs.swarm))) return knobs;
  static constexpr uint32_t kOff[] = {15, 30, 50};
  const uint32_t off = kOff[choices.Below(3)];
  knobs::Knobs result = knobs;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    int32_t& value = result.*(row.field);
    if (!IsFeature(row) || value == 0) continue;
    const uint32_t draw = choices.Below(100);
    if (draw < off) {
      value = 0;
    } else if (draw >= 100 - kRaised) {
      value =
          std::clamp(value * kRaise, value, std::max(value, std::min(row.high, row.group == "policy" ? 80 : row.high)));
    }
  }
  return result;
}

}  // namespace assay::gen
