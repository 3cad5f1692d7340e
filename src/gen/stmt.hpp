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
// Appends for (i = 0; i < count; i++) with an index of its own. The body is an expression; it gets a function that
// reads the index.
template <typename Body>
void AppendCounting(Writer& w, uint32_t count, Body&& body) {
  const VarId index = w.build.Temporary(
      w.scope.function, w.program.types.Basic(w.choices.Coin() ? lang::TypeKind::Int : lang::TypeKind::UInt));
  const auto i = [&] { return w.build.Var(index); };
  lang::Stmt loop{.kind = lang::StmtKind::For};
  loop.init = w.build.Assign(i(), w.build.Int(0));
  loop.expr = w.build.Binary(lang::BinaryOp::Lt, i(), w.build.Int(count));
  loop.step = w.build.IncDec(lang::IncDecOp::PostInc, i());
  loop.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  w.build.Append(loop.body, w.build.ExprStatement(body(i)));
}
uint32_t DrawDepth(Writer& w);  // of the expression of a statement

}  // namespace assay::gen
