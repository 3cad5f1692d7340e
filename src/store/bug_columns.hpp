// The columns of the table of bugs, one row each; the statements that make, fill and read the table
// come from here. Internal to the store.
#pragma once

#include <array>
#include <string>

#include "store/records.hpp"

namespace assay::store {

struct TextColumn {
  const char* name;
  std::string Bug::*member;
};
struct NumberColumn {
  const char* name;
  int64_t Bug::*member;
};

inline constexpr std::array kBugTexts = {
    TextColumn{"name", &Bug::name},
    TextColumn{"signature", &Bug::signature},
    TextColumn{"kind", &Bug::kind},
    TextColumn{"title", &Bug::title},
    TextColumn{"doubt", &Bug::doubt},
    TextColumn{"family", &Bug::family},
    TextColumn{"target", &Bug::target},
    TextColumn{"version", &Bug::version},
    TextColumn{"configuration", &Bug::configuration},
    TextColumn{"flags", &Bug::flags},
    TextColumn{"failing", &Bug::failing},
    TextColumn{"passing", &Bug::passing},
    TextColumn{"compile_command", &Bug::compile_command},
    TextColumn{"run_command", &Bug::run_command},
    TextColumn{"reference", &Bug::reference},
    TextColumn{"reference_target", &Bug::reference_target},
    TextColumn{"reference_flags", &Bug::reference_flags},
    TextColumn{"ending", &Bug::ending},
    TextColumn{"evidence", &Bug::evidence},
    TextColumn{"language", &Bug::language},
    TextColumn{"knobs", &Bug::knobs},
    TextColumn{"writers", &Bug::writers},
    TextColumn{"extra_flags", &Bug::extra_flags},
    TextColumn{"ended_by", &Bug::ended_by},
    TextColumn{"service_start", &Bug::service_start},
    TextColumn{"service_ready", &Bug::service_ready},
    TextColumn{"sanitizer", &Bug::sanitizer},
    TextColumn{"triple", &Bug::triple},
    TextColumn{"platform", &Bug::platform},
    TextColumn{"same_as", &Bug::same_as},
    TextColumn{"tracker", &Bug::tracker},
    TextColumn{"tracked", &Bug::tracked},
};

inline constexpr std::array kBugNumbers = {
    NumberColumn{"timeout_ms", &Bug::timeout_ms},
    NumberColumn{"cpu_ms", &Bug::cpu_ms},
    NumberColumn{"memory_bytes", &Bug::memory_bytes},
    NumberColumn{"address_bytes", &Bug::address_bytes},
    NumberColumn{"file_bytes", &Bug::file_bytes},
    NumberColumn{"output_bytes", &Bug::output_bytes},
    NumberColumn{"processes", &Bug::processes},
    NumberColumn{"expected_status", &Bug::expected_status},
    NumberColumn{"known", &Bug::known},
    NumberColumn{"count", &Bug::count},
    NumberColumn{"first_seed", &Bug::first_seed},
    NumberColumn{"first_seen_ms", &Bug::first_seen_ms},
    NumberColumn{"last_seen_ms", &Bug::last_seen_ms},
};

struct TriageColumn {
  const char* name;
  std::string Triage::*member;
};

inline constexpr std::array kTriageTexts = {
    TriageColumn{"flags", &Triage::flags},        TriageColumn{"pass", &Triage::pass},
    TriageColumn{"place", &Triage::place},        TriageColumn{"others", &Triage::others},
    TriageColumn{"options", &Triage::options},    TriageColumn{"words", &Triage::words},
    TriageColumn{"versions", &Triage::versions},  TriageColumn{"note", &Triage::note},
    TriageColumn{"reason", &Triage::reason},      TriageColumn{"constructs", &Triage::constructs},
    TriageColumn{"code_before", &Triage::before}, TriageColumn{"code_after", &Triage::after},
};

// Every column's name through `form`, joined by commas: "name, signature, ..." or ":name,
// :signature, ...".
template <typename Form>
std::string BugColumns(Form form) {
  std::string list;
  for (const TextColumn& column : kBugTexts) list += (list.empty() ? "" : ", ") + form(column.name, "TEXT");
  for (const NumberColumn& column : kBugNumbers) list += ", " + form(column.name, "BIGINT");
  return list;
}

inline std::string BugColumnNames() {
  return BugColumns([](std::string name, const char*) { return name; });
}

// "flags, pass, ..." or ":flags, :pass, ...".
template <typename Form>
std::string TriageColumns(Form form) {
  std::string list;
  for (const TriageColumn& column : kTriageTexts) list += (list.empty() ? "" : ", ") + form(column.name);
  return list;
}

}  // namespace assay::store
