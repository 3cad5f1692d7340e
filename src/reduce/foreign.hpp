// Programs that are not ours: C-Vise or C-Reduce does the work, under the C-Reduce convention. The
// test is a script that exits with 0 when the files in its working folder are interesting.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "oracle/verdict.hpp"
#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::reduce {

struct ForeignOptions {
  std::string tool;  // "cvise" or "creduce"; empty: the first one that is installed
  unsigned threads = 0;
  double seconds = 0;
};

// "cvise" or "creduce", the first one that is installed; empty: neither.
std::string InstalledTool();

// Runs the script once in a fresh folder with copies of the files, as the tool will. An Error says
// what to change when the files are not interesting there.
support::Result<void> SanityCheck(const std::filesystem::path& script, const std::vector<std::filesystem::path>& files,
                                  exec::Executor& executor);

// Sanity check, then the tool; the files are reduced in place, the originals kept beside them as
// FILE.orig. Returns the name of the tool.
support::Result<std::string> ReduceForeign(const std::filesystem::path& script,
                                           const std::vector<std::filesystem::path>& files,
                                           const ForeignOptions& options, exec::Executor& executor);

// What a configuration gets wrong about a C file: its verdict against gcc -O0. An Error when gcc
// does not accept the file, the program fails there too, or there is nothing wrong.
struct ForeignFind {
  oracle::Verdict verdict;
  std::string pattern;   // for crashes and rejections: what the compiler said
  std::string expected;  // what the program prints when gcc compiles it
};
support::Result<ForeignFind> JudgeForeign(const target::Configuration& configuration, const std::filesystem::path& file,
                                          exec::Executor& executor);

// The interestingness test that a careful user would write for a C file that a configuration gets
// wrong. The cheap questions come first: does gcc accept it, does the configuration still show the
// verdict? Then what keeps a reducer of text out of undefined behaviour: no warning that points at
// it, and the same output from clang with AddressSanitizer and UndefinedBehaviorSanitizer.
// `pattern` is a text the compiler's diagnostics must contain, for crashes and rejections; empty:
// anything. Verdicts: WrongOutput, ProgramCrash, CompilerCrash, RejectedValid.
std::string InterestingnessTest(const target::Configuration& configuration, const std::string& file,
                                oracle::Verdict verdict, const std::string& pattern = {});
// The same as an executable script. An Error for verdicts that have no test.
support::Result<void> WriteInterestingnessTest(const target::Configuration& configuration,
                                               const std::filesystem::path& file, const ForeignFind& find,
                                               const std::filesystem::path& script);

}  // namespace assay::reduce
