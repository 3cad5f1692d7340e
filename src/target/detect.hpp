// What is on this machine: every program on PATH that a built-in recipe (targets/*.toml) knows,
// without aliases, each with its version and the result of a smoke test that also measures its data
// model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "lang/data_model.hpp"
#include "support/result.hpp"
#include "target/recipe.hpp"
#include "target/service.hpp"
#include "target/target.hpp"

namespace assay::target {

// A target on this machine.
struct FoundTarget {
  Target target;
  std::string path;                            // of the program
  bool from_file = false;                      // it is of DetectOptions::targets_file
  bool looked_at = true;                       // false: not among DetectOptions::names
  bool works = false;                          // the smoke test passed
  std::string problem;                         // why not
  std::vector<std::string> lacks;              // what of it is not tested though it works: a pool without flags
  bool optional = false;                       // not worth a word when it does not work
  bool no_programs = false;                    // why it does not work: our C generator has none for its data model
  bool lacks_emulator = false;                 // why it does not work: what it makes cannot run here
  std::optional<lang::ModelProperties> model;  // of C compilers that work, or lack an emulator
};

struct DetectOptions {
  std::string language;      // only targets for this language; empty: all
  std::string targets_file;  // TOML; its targets replace detected ones of the same name
  Vocabulary vocabulary;     // of the targets file
  std::string names;         // `--targets`: nothing is run, and no service started, for the others; empty: all
  std::string search_path;   // like PATH; empty: the environment's
  bool smoke_test = true;    // false: `works` is assumed, nothing but version commands is run
  // Keeps the services of targets running. Without it, targets that need one do not work.
  Services* services = nullptr;
};

// All targets, in a stable order: recipe by recipe, then by name in version order. An Error only
// for a bad targets file; a target that does not work is listed with its problem.
support::Result<std::vector<FoundTarget>> DetectTargets(exec::Executor& executor, const DetectOptions& options);

// Compiles and runs (or interprets) a small program of the target's language and compares its
// output. Sets `works` and `problem`; for C also `model` and target.data_model, its text. A C compiler works only if
// programs can be written for its model, and if none of its configurations has another one.
void SmokeTest(exec::Executor& executor, FoundTarget& found);

// The patterns of a list as --targets takes it, without the blanks around them.
std::vector<std::string> PatternsIn(const std::string& list);

// The targets that `--targets tcc,gcc-12,clang*` names, in that order; every working one for an
// empty list. A name that matches nothing is a usage Error that lists what there is; one of targets
// that do not work is the environment's.
support::Result<std::vector<Target>> SelectTargets(const std::vector<FoundTarget>& found, const std::string& names);

}  // namespace assay::target
