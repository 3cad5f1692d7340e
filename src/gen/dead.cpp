#include "gen/dead.hpp"

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::Stmt;

// A statement that would be undefined if it were executed.
void WriteHazard(Writer& w) {
  const ExprId target = IntLvalue(w, Access::Update);
  if (!target) return;
  ExprId value;
  switch (w.choices.Below(6)) {
    case 0: value = w.build.Deref(w.build.NullPointer(w.program.types.Pointer(IntegerType(w)))); break;
    case 1: {
      const BinaryOp op = w.choices.Coin() ? BinaryOp::Div : BinaryOp::Rem;
      value = w.build.Binary(op, IntLeaf(w), w.build.Int(0));
      break;
    }
    case 2: {
      const VarId var = w.choices.Pick(w.program.globals);
      const lang::Type type = w.program.types[w.program.vars[var].type];
      if (type.kind != TypeKind::Array || !lang::IsInteger(w.Kind(type.element))) return;
      value = w.build.Index(w.build.Var(var), w.build.Int(static_cast<int64_t>(type.length) + w.choices.Below(5)));
      break;
    }
    case 3: {
      const ExprId shifted = IntLeaf(w);
      value = w.build.Binary(BinaryOp::Shl, shifted, w.build.Int(64 + w.choices.Below(100)));
      break;
    }
    case 4: {
      const VarId var = DeclareLocal(w, w.program.types.Basic(TypeKind::Int), {});
      value = w.build.Binary(BinaryOp::Add, w.build.Var(var), IntLeaf(w));
      break;
    }
    default: {
      if (w.program.exprs[target].kind != ExprKind::Variable || w.Kind(target) == TypeKind::Bool) return;
      const VarId var = w.program.exprs[target].Var();
      const ExprId left = w.build.IncDec(lang::IncDecOp::PostInc, w.build.Var(var));
      value = w.build.Binary(BinaryOp::Add, left, w.build.IncDec(lang::IncDecOp::PreInc, w.build.Var(var)));
      break;
    }
  }
  AppendExpr(w, w.build.Assign(target, value));
}

bool IsBody(const Writer& w, BlockId block) { return !w.program.blocks[block].outer; }

}  // namespace

void FillDeadPlaces(Writer& w) {
  CHECK(!w.Live());
  // Filling may open further blocks; they come at the end of the store and are filled in their turn, ever shorter.
  const uint32_t written = w.program.blocks.Size();
  for (uint32_t i = 0; i < w.program.blocks.Size(); ++i) {
    const BlockId block(i);
    if (!w.program.blocks[block].open) continue;
    EnterScope(w, block);
    uint32_t statements = 0;
    if (w.program.blocks[block].stmts.empty() && w.Tokens() < w.DeadEnd()) {
      statements = i < written && w.choices.Percent(20) ? 2 : 1;
    }
    for (uint32_t n = 0; n < statements; ++n) {
      if (w.choices.Percent(w.knobs.dead_hazards)) {
        DrawStatementPolicy(w);
        WriteStatementRow(w, WriterId::Hazard, WriteHazard);
      }
      WriteStatement(w);
    }
    if (IsBody(w, block)) WriteReturn(w);  // draws its own policy
    w.program.blocks[block].open = false;
  }
}

}  // namespace assay::gen
