// Statements for optimisers of control flow and memory: each writes a whole group with closed blocks, made of simple
// statements, so that what the optimiser looks for stands together. flow_branches.cpp: branches that say something of
// each other; flow_values.cpp: values and stores that are redundant, partly dead, or can be merged.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// flow_branches.cpp
void WriteIfChain(Writer& w);       // if (x == 1) … else if (x == 2) …
void WriteValueSwitch(Writer& w);   // a switch that only gives values: dense, sparse, in clusters
void WriteThreads(Writer& w);       // flags set in branches and tested later
void WriteStateMachine(Writer& w);  // a loop around a switch on a state
void WriteBitTests(Writer& w);      // nested tests of the bits of one value, or of neighbours
// flow_values.cpp
void WriteClamp(Writer& w);      // m = a; if (b < m) m = b; …
void WriteRedundant(Writer& w);  // one expression before, in and after branches
void WriteStores(Writer& w);     // stores that are read, overwritten, partly dead
void WriteStoreRun(Writer& w);   // stores to neighbours
void WriteRecursion(Writer& w);  // a call of a function that calls itself last, with an accumulator
void WriteVerdict(Writer& w);    // a call of a small function with many returns

// What the groups are made of.
// Whether there is room for a group of about so many tokens.
bool RoomFor(const Writer& w, uint32_t tokens);
// A simple place to store to: pure, not volatile, an ordinary operand. Invalid if none was found.
ExprId StorePlace(Writer& w);
// A new automatic integer of some type, with a small initialiser.
VarId NewLocal(Writer& w);
ExprId SmallValue(Writer& w);                  // a leaf, or an operator over leaves
StmtId SimpleStore(Writer& w);                 // to some place
StmtId SimpleStore(Writer& w, ExprId target);  // target = …; target op= …; `target` is used once
// if (condition) then; else otherwise; with closed blocks, appended to `block`. Without `otherwise` no else.
void AppendBranch(Writer& w, BlockId block, ExprId condition, StmtId then, StmtId otherwise = {});
// Mixes the value of the local into some other place, so that it is not dead.
void Publish(Writer& w, VarId local);

}  // namespace assay::gen
