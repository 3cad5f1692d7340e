// The output of the stage: C source text in one or several files, and the choices of its form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/dialect.hpp"
#include "support/table.hpp"

namespace assay::emit {

struct File {
  std::string name;
  std::string text;
  bool IsHeader() const { return name.ends_with(".h"); }
};

// The files of Form::Split, in this order.
inline constexpr std::array<std::string_view, 4> kSplitFiles = {"program.h", "driver.c", "data.c", "functions.c"};

// The files to compile are those that are not headers, in this order.
struct Source {
  std::vector<File> files;
};

enum class Form : uint8_t {
  Single,     // one file that prints the checksum; with an argument, also every variable
  Split,      // the same, as driver, data and functions with a header
  SelfCheck,  // one file with the expected values embedded: aborts on the first wrong one, prints
              // nothing
  Report,     // one file for a bug report: main calls the entry function and looks at one scalar or
              // none
  kCount
};

struct FormInfo {
  Form kind;
  std::string_view name;  // as in --form
  std::string_view help;
};
inline constexpr std::array kForms = {
    FormInfo{Form::Single, "single", "one file that prints a checksum"},
    FormInfo{Form::Split, "split", "driver, data, functions and a header; prints a checksum"},
    FormInfo{Form::SelfCheck, "self-check", "one file that aborts when a final value is wrong"},
    FormInfo{Form::Report, "report", "one file without checksum that checks one value"},
};
static_assert(support::InEnumOrder(kForms, Form::kCount));

constexpr const FormInfo& Info(Form form) { return kForms[static_cast<size_t>(form)]; }

constexpr std::optional<Form> FindForm(std::string_view name) {
  for (const FormInfo& form : kForms) {
    if (form.name == name) return form.kind;
  }
  return std::nullopt;
}

// How the main of a report tells what it has seen.
enum class Tell : uint8_t {
  Abort,   // it aborts if the scalar is wrong
  Print,   // it prints the scalar
  Status,  // it returns 1 if the scalar is wrong
};

struct EmitOptions {
  Form form = Form::Single;
  Dialect dialect = kGnuC;   // one that the program can be written in: WhyNotIn
  bool short_names = false;  // a, b, fn1 … instead of g_1, l_2, f_1 …
  // Report: the index in RunResult::finals of the scalar that main looks at; none: main only calls
  // the entry function.
  std::optional<size_t> report_final;
  // Report: the body of the entry function stands in main (only if CanStandInMain).
  bool report_inlines = false;
  // Report: main looks at what the last statement of that body would assign to the variable, which
  // is not there (only if CanLookDirectly).
  bool report_direct = false;
  Tell report_tells = Tell::Abort;
  bool report_returns = true;  // Report: main ends with return 0, which is implied since C99
  std::string comment;         // Report: the lines of the header comment, instead of the provenance
};

}  // namespace assay::emit
