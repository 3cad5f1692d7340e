#include "gen/shuffle.hpp"

#include <algorithm>
#include <array>

namespace assay::gen {
namespace {

using knobs::Knobs;
using Field = int32_t Knobs::*;

// In quarters of the value.
struct Factor {
  int32_t quarters;
  uint32_t weight;
};
constexpr Factor kFactors[] = {{0, 8}, {1, 17}, {2, 25}, {4, 20}, {8, 17}, {16, 13}};
constexpr Factor kSizeFactors[] = {{2, 20}, {3, 25}, {4, 20}, {6, 20}, {8, 15}};

// Sizes that say how programs look, not how large they are.
constexpr Field kShapes[] = {&Knobs::globals,          &Knobs::records,     &Knobs::expression_depth,
                             &Knobs::block_statements, &Knobs::block_depth, &Knobs::array_length,
                             &Knobs::trip_count,       &Knobs::parameters};
// Counts, limits, and what shuffles.
constexpr Field kFixed[] = {&Knobs::array_dimensions, &Knobs::pointer_depth, &Knobs::functions,
                            &Knobs::shuffle,          &Knobs::mix,           &Knobs::swarm,
                            &Knobs::wrapper_style};

constexpr std::array kIntegerTypes = {&Knobs::type_bool, &Knobs::type_char,      &Knobs::type_short, &Knobs::type_int,
                                      &Knobs::type_long, &Knobs::type_long_long, &Knobs::type_fixed, &Knobs::type_enum};
#define KNOB(name, ...) +std::string_view(#name).starts_with("type_")
static_assert(kIntegerTypes.size() == size_t{0}
#include "knobs/knobs.def"
              ,
              "kIntegerTypes has every knob type_... of knobs.def");
#undef KNOB
constexpr uint32_t kFewTypes = 15;  // percent of programs that have one to three of them

template <size_t N>
bool IsOneOf(const Field (&fields)[N], Field field) {
  return std::find(std::begin(fields), std::end(fields), field) != std::end(fields);
}

template <size_t N>
int32_t DrawQuarters(const Factor (&factors)[N], choice::Choices& choices) {
  std::array<uint32_t, N> weights;
  for (size_t i = 0; i < N; ++i) weights[i] = factors[i].weight;
  return factors[choices.Weighted(weights)].quarters;
}

void KeepFewTypes(Knobs& knobs, choice::Choices& choices) {
  std::array<size_t, kIntegerTypes.size()> order;
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  choices.Shuffle(order);
  uint32_t kept = 1 + choices.Below(3);
  for (size_t i : order) {
    int32_t& weight = knobs.*kIntegerTypes[i];
    if (weight > 0 && kept > 0) {
      --kept;
    } else {
      weight = 0;
    }
  }
}

}  // namespace

Knobs Mixed(const Knobs& knobs, choice::Choices& choices) {
  if (!choices.Percent(static_cast<uint32_t>(knobs.mix))) return knobs;
  const std::span<const std::string_view> names = knobs::ProfileNames().subspan(1);  // the first is the defaults
  const Knobs profile = knobs::Profile(names[choices.Below(static_cast<uint32_t>(names.size()))]).Value();
  Knobs result = knobs;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.group == "size" && !IsOneOf(kShapes, row.field)) continue;
    if (knobs.*(row.field) == row.value) result.*(row.field) = profile.*(row.field);
  }
  return result;
}

Knobs Shuffled(const Knobs& knobs, choice::Choices& choices) {
  Knobs result = knobs;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    const int32_t value = knobs.*(row.field);
    const bool shape = IsOneOf(kShapes, row.field);
    if (value == 0 || IsOneOf(kFixed, row.field) || (row.group == "size" && !shape)) continue;
    if (!choices.Percent(static_cast<uint32_t>(knobs.shuffle))) continue;
    const int64_t quarters = shape ? DrawQuarters(kSizeFactors, choices) : DrawQuarters(kFactors, choices);
    result.*(row.field) = static_cast<int32_t>(std::clamp<int64_t>((value * quarters + 2) / 4, row.low, row.high));
  }
  if (knobs.shuffle > 0 && choices.Percent(kFewTypes)) KeepFewTypes(result, choices);
  const bool some_type =
      std::any_of(kIntegerTypes.begin(), kIntegerTypes.end(), [&](Field type) { return result.*type > 0; });
  if (!some_type) {  // all of them drawn away
    for (Field type : kIntegerTypes) result.*type = knobs.*type;
  }
  return result;
}

}  // namespace assay::gen
