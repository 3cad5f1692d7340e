// A dialect says how a program is spelled: the words that differ between languages and compilers, and what there is no
// word for. It is a value that the printer and the assembler of files are given; nothing else in this room knows which
// language it writes.
//
// One row per dialect. C++17 becomes a row here; what it has no syntax for (designators out of order, compound
// literals) becomes a column, and the printer asks it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lang/program.hpp"
#include "support/table.hpp"

namespace assay::emit {

enum class DialectKind : uint8_t { GnuC, C11, kCount };

struct Dialect {
  DialectKind kind;
  std::string_view name;
  std::string_view extension;  // of the files that are compiled
  bool has_gnu_builtins;       // what needs Availability::Gnu, under the name of its row
  std::string_view restrict_word;
  std::string_view alignas_word;
  std::string_view packed;      // what ends the definition of a packed record; empty: no record can be packed
  std::string_view attributes;  // defines ATTRIBUTE(x), which stands before functions; empty: they have no attributes
  std::string_view argument_header;  // what the words for variable arguments need
  std::string_view va_list, va_start, va_end, va_arg;
  std::string_view abort, abort_prototype;

  std::string_view Spelling(lang::TypeKind kind) const;
  std::string_view Spelling(lang::Builtin builtin) const;
};

// What all compilers under test take: attributes only where __GNUC__ is defined, the builtins that need no header.
inline constexpr std::string_view kAttributeMacro =
    "\n#ifdef __GNUC__\n#define ATTRIBUTE(x) __attribute__((x))\n#else\n#define ATTRIBUTE(x)\n#endif\n";

inline constexpr std::array kDialects = {
    Dialect{.kind = DialectKind::GnuC,
            .name = "gnu-c",
            .extension = ".c",
            .has_gnu_builtins = true,
            .restrict_word = "__restrict",
            .alignas_word = "_Alignas",
            .packed = " __attribute__((packed))",
            .attributes = kAttributeMacro,
            .argument_header = "",
            .va_list = "__builtin_va_list",
            .va_start = "__builtin_va_start",
            .va_end = "__builtin_va_end",
            .va_arg = "__builtin_va_arg",
            .abort = "__builtin_abort()",
            .abort_prototype = ""},
    Dialect{.kind = DialectKind::C11,
            .name = "c11",
            .extension = ".c",
            .has_gnu_builtins = false,
            .restrict_word = "restrict",
            .alignas_word = "_Alignas",
            .packed = "",
            .attributes = "",
            .argument_header = "#include <stdarg.h>\n",
            .va_list = "va_list",
            .va_start = "va_start",
            .va_end = "va_end",
            .va_arg = "va_arg",
            .abort = "abort()",
            .abort_prototype = "void abort(void);\n"},
};
static_assert(support::InEnumOrder(kDialects, DialectKind::kCount));

constexpr const Dialect& Info(DialectKind kind) { return kDialects[static_cast<size_t>(kind)]; }
inline constexpr const Dialect& kGnuC = kDialects[static_cast<size_t>(DialectKind::GnuC)];
inline constexpr const Dialect& kC11 = kDialects[static_cast<size_t>(DialectKind::C11)];

// Why the program cannot be written in the dialect; empty if it can.
std::string WhyNotIn(const Dialect& dialect, const lang::Program& program);

}  // namespace assay::emit
