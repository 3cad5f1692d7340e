// assay reduce for the bugs of grammar-made programs: their folder holds a derivation.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.hpp"

namespace assay::cli {

struct GrammarReduction {
  std::filesystem::path folder;  // of the bug
  std::string targets_file;
  std::filesystem::path out;  // empty: print the program
  double seconds = 0;
};

bool IsGrammarBug(const std::filesystem::path& folder);

support::Result<support::ExitCode> ReduceGrammarBug(const GrammarReduction& wanted);

}  // namespace assay::cli
