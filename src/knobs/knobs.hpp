// The knobs of the generator: one row each in knobs.def; this is the only place that knows their forms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace assay::knobs {

struct Knobs {
#define KNOB(name, value, low, high, group, help) int32_t name = value;
#include "knobs/knobs.def"
#undef KNOB
  friend bool operator==(const Knobs&, const Knobs&) = default;
};

struct KnobRow {
  std::string_view name;
  int32_t Knobs::*field;
  int32_t value;  // the default
  int32_t low, high;
  std::string_view group, help;
};

std::span<const KnobRow> Rows();
const KnobRow* Find(std::string_view name);  // "stmt_if" and "stmt-if" are the same knob; null if unknown

// Sets one knob; an error names the knob, its range, and the nearest name if it is unknown.
support::Result<void> Set(Knobs& knobs, std::string_view name, int64_t value);
// The knobs that differ from the defaults, "name=value name=value", in table order; and back (on top of `knobs`).
std::string Serialize(const Knobs& knobs);
support::Result<Knobs> Parse(std::string_view text, Knobs knobs = {});
// A TOML file: keys at the top level or in tables (the tables' names do not matter); `where` names the file in errors.
support::Result<Knobs> ParseToml(std::string_view text, std::string_view where, Knobs knobs = {});
// Named settings: mixed (the defaults), csmith, yarpgen, orange, edge.
support::Result<Knobs> Profile(std::string_view name);
std::span<const std::string_view> ProfileNames();

}  // namespace assay::knobs
