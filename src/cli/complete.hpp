// `assay complete WORD...`: for shells (packaging/completion), not listed in --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

// `words` are what follows `assay` on a command line, the last one the word that is being typed ("" for a new one). The
// words it may become: subcommands, options, knobs, or values of the option before it. None: the shell offers files.
std::vector<std::string> Complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace assay::cli
