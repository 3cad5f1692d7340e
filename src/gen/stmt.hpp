// Statements: the choice among them, and the simple ones.
#pragma once

#include "gen/writer.hpp"

namespace assay::gen {

// Appends at least one statement to the current block (writer.scope).
void WriteStatement(Writer& w);
StatementWeights StatementDraw(const Writer& w);
// Lets the row append to the current block, counts, and notes what is new. False if it appended nothing.
bool WriteStatementRow(Writer& w, WriterId by, void (*write)(Writer&));
// Appends `return …;` for the current function.
void WriteReturn(Writer& w);
// Appends a declaration of a new automatic variable with the initialiser and returns it.
VarId DeclareLocal(Writer& w, TypeId type, InitId init, lang::Storage storage = lang::Storage::Auto);
void AppendExpr(Writer& w, ExprId expr);
// if (condition) statement; with a closed body.
void AppendIf(Writer& w, ExprId condition, lang::Stmt then);
uint32_t DrawDepth(Writer& w);  // of the expression of a statement

}  // namespace assay::gen
