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
  const Lvalue lvalue = Info(e.kind).lvalue;
  // A lane is an lvalue if its vector is one.
  if (e.kind == ExprKind::Index && IsVector(program.types.Kind(program.exprs[e.lhs].type))) {
    return IsLvalue(program, e.lhs);
  }
  return lvalue == Lvalue::AsOperand ? IsLvalue(program, e.lhs) : lvalue == Lvalue::Yes;
}

}  // namespace assay::lang
