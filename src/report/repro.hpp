// repro.sh: a standalone script that shows a bug with nothing but the compiler. It runs in a
// temporary folder of its own and exits with 0 if the bug shows, 1 if it does not, 3 if the script
// cannot run here (no such compiler).
#pragma once

#include <string>
#include <string_view>

#include "store/records.hpp"

namespace assay::report {

std::string ReproScript(const store::Bug& bug);

// `text` as one word of the shell.
std::string ShellQuote(std::string_view text);

}  // namespace assay::report
