// Target files: TOML in, recipes out. A recipe is a Target with what detection needs: which
// programs on PATH it fits, how to ask their version, which emulator runs what they make. docs:
// targets/README.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::target {

// A pool whose flags the compiler itself lists.
struct ListedPool {
  FlagPool pool;                     // its name, bases and draws
  std::vector<std::string> command;  // prints the options, one per line, like gcc --help=optimizers
  std::vector<std::string> exclude;  // regular expressions of flags that change meaning or need more
};

struct Recipe {
  Target target;  // {program} in its commands stands for the program found
  // Regular expressions of names of programs on PATH, and what is added to a target's name; without
  // any, the recipe is one target as it stands.
  std::vector<std::string> detect;
  std::string name_suffix;
  std::vector<std::vector<std::string>> version_commands;  // the first that works tells
  std::vector<std::string> emulators;                      // names; the first on PATH becomes {emulator} in run_prefix
  std::vector<ListedPool> listed_pools;
  bool optional = false;  // not even listed when its smoke test fails
};

// Which names of other rooms a target file may use; a question that is not set is not asked.
struct Vocabulary {
  std::function<bool(std::string_view)> is_knob;
};

// The most configurations that one target may have: every program is compiled by all of them.
inline constexpr uint64_t kMostConfigurations = 4096;

// Reads a target file. Every problem names the file and the line: unknown keys, wrong types,
// missing commands, names that mean nothing or stand for two targets, too many configurations.
support::Result<std::vector<Recipe>> ReadRecipes(std::string_view text, const std::string& file_name,
                                                 const Vocabulary& vocabulary = {});

// The recipes that are part of Assay: targets/*.toml, in the order of their names.
std::vector<Recipe> BuiltInRecipes();

// Splits a command line at blanks; single and double quotes group, nothing else is special.
std::vector<std::string> SplitWords(std::string_view text);

// The flags in the listing of `gcc --help=optimizers` or `--help=params`: -fx and -fno-x for switches, one per value
// for enumerations, a range for parameters (FlagPool); without those that match one of `exclude` in full.
Flags FlagsInListing(std::string_view listing, const std::vector<std::string>& exclude);

}  // namespace assay::target
