// The subcommands of `assay`, one file each. Add* declares a command's flags on the program and installs a
// callback that stores the command's exit code in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

namespace assay::cli {

// A command failed: prints "assay: message" on stderr; returns the process's exit code.
struct CommandLine {
  CLI::App app{"Assay finds bugs in compilers: random programs that know their own answer."};
  int exit_code = 0;
};

}  // namespace assay::cli
