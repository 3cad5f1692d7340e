#include "lang/program.hpp"

namespace assay::lang {
namespace {

void LinkBlock(Program& program, BlockId block, BlockId outer, StmtId owner, FunctionId function) {
  program.blocks[block].outer = outer;
  program.blocks[block].owner = owner;
  program.blocks[block].function = function;
  for (StmtId id : program.blocks[block].stmts) {
    const Stmt& stmt = program.stmts[id];
    if (stmt.kind == StmtKind::Label) program.labels[stmt.label].block = block;
    if (stmt.body) LinkBlock(program, stmt.body, block, id, function);
    if (stmt.other) LinkBlock(program, stmt.other, block, id, function);
  }
}

}  // namespace

void Relink(Program& program) {
  for (FunctionId id : program.function_order) {
    if (program.functions[id].body) LinkBlock(program, program.functions[id].body, {}, {}, id);
  }
}

bool IsLvalue(const Program& program, ExprId id) {
  const Expr& e = program.exprs[id];
  switch (e.kind) {
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::CompoundLiteral: return true;
    case ExprKind::Member: return IsLvalue(program, e.lhs);
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: return false;
  }
  return false;
}

}  // namespace assay::lang
