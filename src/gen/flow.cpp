#include "gen/flow.hpp"

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {

using lang::Stmt;

bool RoomFor(const Writer& w, uint32_t tokens) { return w.StatementRoom() >= tokens; }

ExprId StorePlace(Writer& w) {
  for (int tries = 0; tries < 4; ++tries) {
    const ExprId e = IntLvalue(w, Access::Write);
    if (!e || !IsPure(w.program, e) || lang::IsPromotionUnclear(w.program, e)) continue;
    const VarId root = RootVariable(w.program, e);  // it is read as well
    if (root && w.Use(root) != VarUse::Mixed) continue;
    return e;
  }
  return {};
}

VarId NewLocal(Writer& w) {
  TypeId type = IntegerType(w);
  if (w.Kind(type) == TypeKind::Bool) type = w.program.types.Basic(TypeKind::Int);
  return DeclareLocal(w, type, w.build.InitExpr(SmallValue(w)));
}

ExprId SmallValue(Writer& w) {
  if (w.choices.Percent(55)) return IntLeaf(w);
  static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Sub,   BinaryOp::BitXor,
                                      BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::Mul};
  const BinaryOp op = kOps[w.choices.Below(6)];
  const ExprId lhs = IntLeaf(w);
  return w.build.Binary(op, lhs, IntLeaf(w));
}

StmtId SimpleStore(Writer& w, ExprId target) {
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor, BinaryOp::BitOr};
  switch (w.choices.Weighted({45, 35, 20})) {
    case 1: {
      const BinaryOp op = kOps[w.choices.Below(4)];
      return w.build.ExprStatement(w.build.CompoundAssign(op, target, IntLeaf(w)));
    }
    case 2:
      if (CanStep(w, target)) {
        const lang::IncDecOp op = w.choices.Coin() ? lang::IncDecOp::PostInc : lang::IncDecOp::PostDec;
        return w.build.ExprStatement(w.build.IncDec(op, target));
      }
      [[fallthrough]];
    default: return w.build.ExprStatement(w.build.Assign(target, SmallValue(w)));
  }
}

StmtId SimpleStore(Writer& w) {
  const ExprId target = StorePlace(w);
  return target ? SimpleStore(w, target) : w.build.Statement({.kind = StmtKind::Empty});
}

void AppendBranch(Writer& w, BlockId block, ExprId condition, StmtId then, StmtId otherwise) {
  Stmt stmt{.kind = StmtKind::If, .expr = condition};
  stmt.body = w.build.NewBlock(w.scope.function);
  if (otherwise) stmt.other = w.build.NewBlock(w.scope.function);
  w.build.Append(block, w.build.Statement(stmt));
  w.build.Append(stmt.body, then);
  if (otherwise) w.build.Append(stmt.other, otherwise);
}

void Publish(Writer& w, VarId local) {
  const ExprId target = StorePlace(w);
  if (!target) return;
  const BinaryOp op = w.choices.Coin() ? BinaryOp::BitXor : BinaryOp::Add;
  AppendExpr(w, w.build.CompoundAssign(op, target, w.build.Var(local)));
}

}  // namespace assay::gen
