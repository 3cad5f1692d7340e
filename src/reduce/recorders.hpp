// Where the compiled program first goes wrong, by writing every value down.
//
// A copy of the program stores the value of every integer expression it executes in a global of its
// own, (recorder = e). The machine says what each recorder must hold at the end, one compile and one run
// of the failing configuration say what it holds. An expression with a wrong value whose operands
// are all right is where the compiler went wrong: a culprit. Only the last value of each expression
// is kept, so a culprit may be wrong; and the recorders may hide the bug. Whoever asks has to try.
#pragma once

#include <vector>

#include "reduce/edit.hpp"
#include "reduce/oracle.hpp"

namespace assay::reduce {

struct Culprit {
  lang::ExprId expr;
  enum class Role : uint8_t {
    Operation,  // an operator with operands that are right
    Store,      // an assignment whose right side is right
    Call,       // its arguments are right
    Read,       // of an object that no culprit store has written
  } role = Role::Operation;
  uint64_t executions = 0;
};

// The most promising first; none if the bug does not show with the recorders.
Result<std::vector<Culprit>> FindCulprits(const Case& subject, const MachineRun& run, Judge& judge,
                                          const machine::Options& options);

// Programs in which `expr` is also stored in a new global, which becomes the one checked: one, or of a wide integer one
// for each half.
std::vector<Case> WithRecorder(const Case& subject, lang::ExprId expr);

}  // namespace assay::reduce
