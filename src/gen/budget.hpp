// Steps are planned, not cut. The program has a number of steps it may take; the entry function's body may spend all of
// them. Whatever is written in a block may spend what the block has left: a branch as much as its block, an iteration
// of a loop its part, a new function what its first call has left for it. So a loop is written only where its
// iterations fit, and what costs too much nonetheless (a function called again, a branch that opens late) is the
// exception that the machine's budget traps are for (repairs.cpp).
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Steps of the machine that one statement written here may take in one execution, calls included. In a dead place:
// as many as a small program may take.
uint64_t StepsHere(const Writer& w);

// Steps that the whole block being written has left in this execution.
uint64_t StepsLeft(const Writer& w);

// Control has reached the end of the open block: notes when this execution of it began, as far as that can be known.
void BeginExecution(Writer& w, BlockId block);

}  // namespace assay::gen
