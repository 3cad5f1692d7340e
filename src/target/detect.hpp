// What is on this machine: every program on PATH that a built-in profile (targets/*.toml) knows,
// without aliases, each with its version and the result of a smoke test that also measures its data
// model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "support/result.hpp"
#include "target/service.hpp"
#include "target/target.hpp"

namespace assay::target {

// What a compiled program says about itself. Sizes and alignments in bytes.
struct DataModelFacts {
  int short_size = 0, int_size = 0, long_size = 0, long_long_size = 0, pointer_size = 0;
  int long_long_alignment = 0, double_alignment = 0;
  bool char_signed = true;
  bool big_endian = false;
  friend bool operator==(const DataModelFacts&, const DataModelFacts&) = default;
};

// The name that src/lang gives the data model: "lp64", "ilp32" (as on i386), "llp64", "ip16",
// "lp64-be", "ilp32-be". One that differs in a detail has the detail in its name and no model
// there:
// "-uchar" or "-schar" for the other signedness of plain char, "-align8" or "-align4" for the other
// alignment of long long. "unknown" for other sizes.
std::string DataModelName(const DataModelFacts& facts);

// A target on this machine.
struct FoundTarget {
  Target target;
  std::string path;                         // of the program
  bool works = false;                       // the smoke test passed
  std::string problem;                      // why not
  bool optional = false;                    // not worth a word when it does not work
  std::string smoke_program, smoke_output;  // empty: the C program
  std::optional<DataModelFacts> facts;      // of C compilers that work
};

struct DetectOptions {
  std::string language;      // only targets for this language; empty: all
  std::string targets_file;  // TOML; its targets replace detected ones of the same name
  std::string search_path;   // like PATH; empty: the environment's
  bool smoke_test = true;    // false: `works` is assumed, nothing but version commands is run
  // Keeps the services of targets running. Without it, targets that need one do not work.
  Services* services = nullptr;
};

// All targets, in a stable order: profile by profile, then by name in version order. An Error only
// for a bad targets file; a target that does not work is listed with its problem.
support::Result<std::vector<FoundTarget>> DetectTargets(exec::Executor& executor,
                                                        const DetectOptions& options);

// Compiles and runs (or interprets) a small program of the target's language and compares its
// output. Sets `works`, `problem`, `facts` and, from the facts, target.data_model.
void SmokeTest(exec::Executor& executor, FoundTarget& found);

// The targets that `--targets tcc,gcc-12,clang*` names, in that order; every working one for an
// empty list. A name that matches nothing, or only targets that do not work, is a usage Error that
// lists what there is.
support::Result<std::vector<Target>> SelectTargets(const std::vector<FoundTarget>& found,
                                                   const std::string& names);

}  // namespace assay::target
