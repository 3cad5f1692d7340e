// Crash signatures: what two crashes of the same bug have in common, as one line of text. No
// addresses, temporary paths, process ids, or names and positions of the input are in it; it is
// stable across programs and machines.
#pragma once

#include <string>
#include <string_view>

#include "exec/process.hpp"
#include "oracle/verdict.hpp"
#include "target/target.hpp"

namespace assay::triage {

// The signature of a failing compile (or interpreter) step, e.g.
//   "ICE: in verify_gimple_in_cfg, at tree-cfg.cc:5581"
//   "assertion: Ops[0]->getType() == Ops[1]->getType() in getAddExpr"
//   "signal SIGSEGV: foo::bar < baz < qux"         with the top frames of a printed backtrace
//   "error: internal compiler error: newstring"    and so on.
// Never empty. For a rejection: the normalised text of the first error.
std::string CompileSignature(const target::Target& target, const exec::Observation& compile);

// What a crashed compiler prints of where it failed, word for word but without file and line, which move from one
// version to the next: "in verify_gimple_in_cfg, at " or "Assertion `n > 0' failed". For scripts that look for it.
// Empty if it says no such thing.
std::string PlaceAsPrinted(const std::string& text);

// The key of a find until something better is known: the verdict's name, the target's family, and
// for a crash, hang or rejection its compile signature; for wrong output, a program crash or a
// program hang `failing`, the set of failing configurations of this test as the caller names it.
std::string FindKey(const target::Target& target, oracle::Verdict verdict, const exec::Observation& observation,
                    std::string_view failing);

// Does a key say where or of what a compiler failed, and not only how it ended? "compiler-hang gcc timed-out" is the
// same for many bugs.
bool SaysWhere(std::string_view key);

// Takes from a line of a diagnostic what differs from one program to the next: paths, positions,
// addresses, numbers, quoted names of the input.
std::string Normalise(std::string_view line);

}  // namespace assay::triage
