// The buffer of common subexpressions: what was written before in a function, to be written again. It lives as long as
// the function is written; what a place does not see, or has side effects, is left out there.
#pragma once

#include "gen/want.hpp"

namespace assay::gen {

// Notes an expression of the statement being written; it can be copied from the next statement on, rarely before.
void NoteExpression(Writer& w, ExprId e, uint32_t nodes);
void NoteCondition(Writer& w, ExprId e);
// A new statement begins: what the last one wrote is now in its function's buffer.
void FlushNotes(Writer& w);

// A copy of an earlier expression or condition that is pure, has a value now, and fits; invalid if there is none.
ExprId CopyOfExpression(Writer& w, const Want& want);
ExprId CopyOfCondition(Writer& w, const Want& want);

}  // namespace assay::gen
