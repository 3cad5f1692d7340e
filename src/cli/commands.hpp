// The subcommands of `assay`, one file each. Add* declares a command's flags on the program and installs a
// callback that stores the command's exit code in `exit_code`.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/output.hpp"
#include "support/result.hpp"
#include "support/text.hpp"

namespace assay::cli {

struct CommandLine {
  CLI::App app{"Assay finds bugs in compilers: random programs that know their own answer."};
  int exit_code = 0;
};

// A command failed: prints "assay: message" on stderr; returns the process's exit code.
inline int Fail(const support::Error& error) {
  Warn("assay: {}\n", support::Printable(error.message));
  return static_cast<int>(error.code);
}

// A whole number of at least 1.
inline CLI::Validator AtLeastOne() {
  return CLI::Validator(
      [](std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        const bool zero = text.find_first_not_of('0') == std::string::npos;
        return digits && !zero ? std::string() : "'" + text + "': give a whole number of at least 1";
      },
      "N >= 1");
}

// A number in the range; "nan" is in every range that only compares.
inline CLI::Validator Between(double least, double most) {
  return CLI::Validator(
      [least, most](std::string& text) -> std::string {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool fits = !text.empty() && *end == '\0' && value >= least && value <= most;
        return fits ? "" : fmt::format("'{}': give a number from {} to {}", text, least, most);
      },
      fmt::format("[{} - {}]", least, most));
}

// Not "", which is what a variable of a shell is that was never set: it would mean the default.
inline CLI::Validator NotEmpty() {
  return CLI::Validator([](std::string& text) { return text.empty() ? "there is nothing after it" : std::string(); },
                        "");
}

// The same for a list: "tcc,$OURS" must not become "tcc".
inline CLI::Validator Names() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        if (text.empty()) return "there is nothing after it";
        std::string list = "," + text + ",";
        std::erase_if(list, [](char c) { return c == ' ' || c == '\t'; });
        return list.find(",,") == std::string::npos ? "" : "a name is missing in '" + text + "'";
      },
      "");
}

// The campaign's folder: the first word of the command, or --dir.
void AddFolder(CLI::App& command, std::string& folder);
support::Result<void> RequireFolder(const CLI::App& command, const std::string& folder);

void AddGen(CommandLine& line);
void AddCheck(CommandLine& line);
void AddFuzz(CommandLine& line);
void AddGrammar(CommandLine& line);
void AddReduce(CommandLine& line);
void AddReplay(CommandLine& line);
void AddReport(CommandLine& line);
void AddTargets(CommandLine& line);
void AddTriage(CommandLine& line);

}  // namespace assay::cli
