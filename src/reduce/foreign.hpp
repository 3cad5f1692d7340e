// Programs that are not ours: C-Vise or C-Reduce does the work, under the C-Reduce convention. The
// test is a script that exits with 0 when the files in its working folder are interesting.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::reduce {

struct ForeignOptions {
  std::string tool;  // "cvise" or "creduce"; empty: the first one that is installed
  unsigned threads = 0;
  double seconds = 0;
};

// Runs the script once in a fresh folder with copies of the files, as the tool will. An Error says
// what to change when the files are not interesting there.
support::Result<void> SanityCheck(const std::filesystem::path& script,
                                  const std::vector<std::filesystem::path>& files,
                                  exec::Executor& executor);

// Sanity check, then the tool; the files are reduced in place, the originals kept beside them as
// FILE.orig. Returns the name of the tool.
support::Result<std::string> ReduceForeign(const std::filesystem::path& script,
                                           const std::vector<std::filesystem::path>& files,
                                           const ForeignOptions& options, exec::Executor& executor);

// The interestingness test that a careful user would write for a C file whose output is wrong under
// a configuration: warnings that point at undefined behaviour are errors, the reference compiler's
// sanitizers find nothing, and the configuration's output differs from the reference's.
std::string InterestingnessTest(const target::Configuration& configuration,
                                const std::string& file);

}  // namespace assay::reduce
