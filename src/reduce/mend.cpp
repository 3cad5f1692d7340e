#include "reduce/mend.hpp"

#include <algorithm>

#include "lang/verify.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

void DropEmpty(Program& program, BlockId block) {
  std::vector<StmtId>& stmts = program.blocks[block].stmts;
  std::erase_if(stmts, [&](StmtId id) { return program[id].kind == StmtKind::Empty; });
  for (StmtId id : std::vector(stmts)) {
    const Stmt stmt = program[id];
    if (stmt.body) DropEmpty(program, stmt.body);
    if (stmt.other) {
      DropEmpty(program, stmt.other);
      if (program[stmt.other].stmts.empty()) program.stmts[id].other = {};
    }
  }
}

}  // namespace

bool Mend(Case& subject) {
  Program& program = subject.program;
  for (FunctionId function : program.function_order) {
    if (program[function].body) DropEmpty(program, program[function].body);
  }
  if (subject.check &&
      std::find(program.globals.begin(), program.globals.end(), subject.check->var) == program.globals.end()) {
    return false;
  }
  Relink(program);
  return !Retype(program).has_value();
}

}  // namespace assay::reduce
