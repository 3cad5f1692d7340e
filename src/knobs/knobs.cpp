#include "knobs/knobs.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/edit_distance.hpp"

namespace assay::knobs {
namespace {

using support::Result;
using support::UsageError;

constexpr std::array kRows = {
#define KNOB(name, value, low, high, group, help) KnobRow{#name, &Knobs::name, value, low, high, group, help},
#include "knobs/knobs.def"
#undef KNOB
};

constexpr bool DefaultsInRange() {
  for (const KnobRow& row : kRows) {
    if (row.value < row.low || row.value > row.high) return false;
  }
  return true;
}
static_assert(DefaultsInRange());

std::string Normalized(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

std::string_view Nearest(std::string_view name) {
  return std::min_element(kRows.begin(), kRows.end(),
                          [&](const KnobRow& a, const KnobRow& b) {
                            return support::EditDistance(name, a.name) < support::EditDistance(name, b.name);
                          })
      ->name;
}

struct ProfileRow {
  std::string_view name;
  std::string_view settings;
};

constexpr std::array kProfiles = {
    ProfileRow{"mixed", ""},  // the defaults: some of everything, and of the other profiles
    // Breadth of C: addresses of locals, records, loops steered by anything; most operators have a check around them,
    // no hazards, nothing written for one optimisation.
    ProfileRow{"csmith",
               "mix=0 vectors=0 wide_integers=0 floats=0 expression_depth=5 operator_contexts=0 constant_policies=0 "
               "common_subexpressions=0 "
               "known_values=0 array_loops=20 dead_hazards=0 volatile_objects=10 expr_safe=60 expr_binary=30 "
               "expr_pattern=0 expr_logic=0 condition_pattern=0 condition_opaque=0 structs=24 pointers=36 "
               "stmt_local_pointer=60 stmt_pointer=20 stmt_for=30 stmt_nest=12 stmt_reduction=0 stmt_idiom=0 "
               "stmt_exact=0 stmt_bait=0 stmt_threads=2 stmt_clamp=0 stmt_redundant=0 stmt_stores=0 stmt_if_chain=0"},
    // Arithmetic in arrays and loop nests, over inputs into outputs, by families of operators and of constants; no
    // pointers, no jumps.
    ProfileRow{"yarpgen",
               "mix=0 vectors=0 wide_integers=0 floats=0 operator_contexts=90 constant_policies=40 "
               "common_subexpressions=30 array_loops=90 "
               "dead_hazards=0 "
               "input_variables=25 output_variables=20 unions=0 arrays=60 pointers=0 function_pointers=0 heap=0 vla=0 "
               "stmt_local_pointer=0 stmt_pointer=0 stmt_call=4 stmt_for=24 stmt_nest=240 stmt_reduction=40 "
               "stmt_while=0 stmt_do=0 stmt_switch=0 stmt_goto_forward=0 stmt_goto_backward=0 stmt_goto_into=0 "
               "stmt_goto_over=0 stmt_bait=0 stmt_exact=0 stmt_memory=0 stmt_variadic=0 expr_call=1 expr_incdec=0 "
               "expr_assign=0 expr_comma=0"},
    // Assignments of expressions with very many operators over scalar variables, each to a variable of its own.
    ProfileRow{"orange",
               "mix=0 vectors=0 wide_integers=0 floats=30 expression_depth=14 dead_hazards=0 structs=0 unions=0 "
               "arrays=0 pointers=0 "
               "function_pointers=0 "
               "vla=0 heap=0 const_objects=25 volatile_objects=15 exact_operators=60 stmt_exact=400 stmt_nest=4 "
               "stmt_reduction=2 stmt_idiom=2 stmt_threads=4 stmt_clamp=4 stmt_local_pointer=0 stmt_pointer=0 "
               "stmt_if=4 stmt_for=3 stmt_while=0 stmt_do=0 stmt_switch=0 stmt_goto_forward=0 stmt_goto_backward=0 "
               "stmt_goto_into=0 stmt_goto_over=0 stmt_memory=0 stmt_variadic=0"},
    // As few checks as possible, hazards wherever control never comes, and places made for them.
    ProfileRow{"edge",
               "mix=0 dead_hazards=80 uninitialized=50 expr_safe=0 stmt_if=30 stmt_switch=8 stmt_bait=40 "
               "raw_indices=60 byte_accesses=4"},
};

constexpr std::array kProfileNames = [] {
  std::array<std::string_view, kProfiles.size()> names;
  for (size_t i = 0; i < kProfiles.size(); ++i) names[i] = kProfiles[i].name;
  return names;
}();

}  // namespace

std::span<const KnobRow> Rows() { return kRows; }

const KnobRow* Find(std::string_view name) {
  const std::string wanted = Normalized(name);
  for (const KnobRow& row : kRows) {
    if (row.name == wanted) return &row;
  }
  return nullptr;
}

Result<void> Set(Knobs& knobs, std::string_view name, int64_t value) {
  const KnobRow* row = Find(name);
  if (row == nullptr) {
    return UsageError(fmt::format("there is no knob '{}'; did you mean '{}'? 'assay gen --knobs' lists them all", name,
                                  Nearest(Normalized(name))));
  }
  if (value < row->low || value > row->high) {
    return UsageError(
        fmt::format("knob '{}' takes values from {} to {}, not {}", row->name, row->low, row->high, value));
  }
  knobs.*(row->field) = static_cast<int32_t>(value);
  return {};
}

std::string Serialize(const Knobs& knobs) {
  std::string text;
  for (const KnobRow& row : kRows) {
    if (knobs.*(row.field) == row.value) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", row.name, knobs.*(row.field));
  }
  return text;
}

Result<Knobs> Parse(std::string_view text, Knobs knobs) {
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    size_t equals = word.find('=');
    if (equals == std::string_view::npos) return UsageError(fmt::format("'{}' is not of the form knob=value", word));
    std::string number(word.substr(equals + 1));
    char* rest = nullptr;
    long long value = std::strtoll(number.c_str(), &rest, 10);
    if (number.empty() || *rest != '\0') return UsageError(fmt::format("'{}' is not a number (in '{}')", number, word));
    RETURN_IF_ERROR(Set(knobs, word.substr(0, equals), value));
  }
  return knobs;
}

Result<Knobs> ParseToml(std::string_view text, std::string_view where, Knobs knobs) {
  std::optional<support::Error> error;
  auto read_table = [&](auto&& self, const toml::table& table) -> void {
    for (auto&& [key, node] : table) {
      if (error) return;
      if (const toml::table* inner = node.as_table()) {
        self(self, *inner);
        continue;
      }
      if (const toml::value<int64_t>* value = node.as_integer()) {
        if (Result<void> set = Set(knobs, key.str(), value->get()); !set) error = set.GetError();
      } else {
        error = UsageError(fmt::format("knob '{}' must be an integer", key.str()));
      }
      if (error) error->message = fmt::format("{}:{}: {}", where, node.source().begin.line, error->message);
    }
  };
  try {
    const toml::table table = toml::parse(text);
    read_table(read_table, table);
  } catch (const toml::parse_error& failure) {
    return UsageError(fmt::format("{}:{}: {}", where, failure.source().begin.line, failure.description()));
  }
  if (error) return *error;
  return knobs;
}

Result<Knobs> Profile(std::string_view name) {
  for (const ProfileRow& row : kProfiles) {
    if (row.name == name) return Parse(row.settings);
  }
  return UsageError(fmt::format("there is no profile '{}'; the profiles are {}", name, fmt::join(kProfileNames, ", ")));
}

std::span<const std::string_view> ProfileNames() { return kProfileNames; }

}  // namespace assay::knobs
