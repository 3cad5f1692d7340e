// repro.sh: a standalone script that shows a bug with nothing but the compiler. It runs in a
// temporary folder of its own and exits with 0 if the bug shows, 1 if it does not, 3 if the script
// cannot run here (no such compiler).
#pragma once

#include <string>
#include <string_view>

#include "store/records.hpp"

namespace assay::report {

// What the script says of a program that goes wrong in another way than the one that was found: it is not the bug (exit
// code 1); or that does the same kind of wrong, but not the same: it may be the bug (exit code 0).
inline constexpr std::string_view kSomethingElse = "but something else is wrong";
inline constexpr std::string_view kNotAsFound = "though not as when it was found";

// Which program of a bug to show.
enum class Form { Original, Reduced };

// The script for the bug as it was found or, if that is done, for its reduced program.
std::string ReproScript(const store::Bug& bug, Form form);

// The bug with the commands, the program and the expected output of its reduced form in the place
// of the original ones. Only when it has one.
store::Bug ReducedView(const store::Bug& bug);

// Has the bug a reduced program?
bool IsReduced(const store::Bug& bug);

// The program that a command of a bug starts; empty: none.
std::string ToolOf(const std::string& command);

// `text` as one word of the shell.
std::string ShellQuote(std::string_view text);

}  // namespace assay::report
