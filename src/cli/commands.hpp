// The subcommands of `assay`, one file each. Add* declares a command's flags on the program and installs a
// callback that stores the command's exit code in `exit_code`.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "support/result.hpp"

namespace assay::cli {

struct CommandLine {
  CLI::App app{"Assay finds bugs in compilers: random programs that know their own answer."};
  int exit_code = 0;
};

// A command failed: prints "assay: message" on stderr; returns the process's exit code.
inline int Fail(const support::Error& error) {
  fmt::print(stderr, "assay: {}\n", error.message);
  return static_cast<int>(error.code);
}

void AddGen(CommandLine& line);
void AddCheck(CommandLine& line);
void AddFuzz(CommandLine& line);
void AddGrammar(CommandLine& line);
void AddReduce(CommandLine& line);
void AddReplay(CommandLine& line);
void AddReport(CommandLine& line);
void AddTargets(CommandLine& line);

}  // namespace assay::cli
