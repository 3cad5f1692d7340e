// Branches and jumps. Each appends one construct, with its preparation, to the current block.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

uint32_t DrawLength(Writer& w);  // of a block, in statements

void WriteIf(Writer& w);
void WriteSwitch(Writer& w);
void WriteBlock(Writer& w);
void WriteGotoForward(Writer& w);
void WriteGotoBackward(Writer& w);
void WriteGotoInto(Writer& w);
void WriteGotoTable(Writer& w);  // goto *table[e & 3]
void WriteBreak(Writer& w);
void WriteContinue(Writer& w);
void WriteEarlyReturn(Writer& w);

}  // namespace assay::gen
