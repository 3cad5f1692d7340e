// Statements away, or control statements to what they control.
#include "lang/builder.hpp"
#include "reduce/families.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

const Stmt* Get(const Case& subject, uint32_t node) {
  return subject.program.stmts.Contains(StmtId(node)) ? &subject.program[StmtId(node)] : nullptr;
}

// Where a statement stands; the position is -1 if it is in no block.
struct Position {
  BlockId block;
  std::ptrdiff_t index = -1;
};

Position Find(const Program& program, StmtId wanted) {
  Position result;
  ForEachStmt(program, [&](StmtId id, BlockId block, uint32_t) {
    if (id != wanted) return;
    const auto& stmts = program[block].stmts;
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (stmts[i] == id) result = {block, static_cast<std::ptrdiff_t>(i)};
    }
  });
  return result;
}

bool Contains(const Program& program, ExprId tree, ExprId wanted) {
  if (tree == wanted) return true;
  bool found = false;
  ForEachChild(program, program[tree], [&](ExprId child) { found = found || Contains(program, child, wanted); });
  return found;
}

bool HasLabels(const Program& program, BlockId block) {
  for (StmtId id : program[block].stmts) {
    const Stmt& stmt = program[id];
    if (stmt.kind == StmtKind::Label) return true;
    if (stmt.body && HasLabels(program, stmt.body)) return true;
    if (stmt.other && HasLabels(program, stmt.other)) return true;
  }
  return false;
}

bool HasDeclarations(const Program& program, BlockId block) {
  for (StmtId id : program[block].stmts) {
    const Stmt& stmt = program[id];
    if (stmt.var) return true;
    if (stmt.body && HasDeclarations(program, stmt.body)) return true;
    if (stmt.other && HasDeclarations(program, stmt.other)) return true;
  }
  return false;
}

StmtId CopyStatement(Builder& builder, FunctionId function, StmtId id);

BlockId CopyBlock(Builder& builder, FunctionId function, BlockId block) {
  const BlockId copy = builder.NewBlock(function);
  const std::vector<StmtId> stmts = builder.Get()[block].stmts;
  for (StmtId stmt : stmts) builder.Append(copy, CopyStatement(builder, function, stmt));
  return copy;
}

StmtId CopyStatement(Builder& builder, FunctionId function, StmtId id) {
  Stmt stmt = builder.Get()[id];
  for (ExprId* expr : {&stmt.expr, &stmt.init, &stmt.step}) {
    if (*expr) *expr = builder.CopyTree(*expr);
  }
  if (stmt.body) stmt.body = CopyBlock(builder, function, stmt.body);
  if (stmt.other) stmt.other = CopyBlock(builder, function, stmt.other);
  return builder.Statement(stmt);
}

// The expression that a control statement or the declaration of an automatic variable evaluates.
ExprId ExpressionIn(const Program& program, const Stmt& stmt) {
  if (stmt.kind != StmtKind::Decl) return stmt.expr;
  const Variable& var = program[stmt.var];
  const bool evaluated = !var.IsStatic() && var.init && program.inits[var.init].kind == InitKind::Expr;
  return evaluated ? program.inits[var.init].expr : ExprId();
}

}  // namespace

bool AppliesRemoveStatement(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->kind != StmtKind::Empty;
}
void ApplyRemoveStatement(Case& subject, const Edit& edit) { subject.program.stmts[StmtId(edit.node)] = {}; }

bool AppliesTakeBody(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  if (stmt == nullptr || stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Switch) return false;
  return edit.other == 0 ? stmt->body.Valid() : stmt->other.Valid();
}
void ApplyTakeBody(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const Stmt old = program[StmtId(edit.node)];
  Stmt block;
  block.kind = StmtKind::Block;
  block.body = edit.other == 0 ? old.body : old.other;
  if (old.kind == StmtKind::For && (old.var || old.init)) {
    block.body = builder.NewBlock(program[old.body].function);
    if (old.var) builder.Append(block.body, builder.Decl(old.var));
    if (old.init) builder.Append(block.body, builder.ExprStatement(old.init));
    const std::vector<StmtId> stmts = program[old.body].stmts;
    for (StmtId stmt : stmts) builder.Append(block.body, stmt);
  }
  program.stmts[StmtId(edit.node)] = block;
}

bool AppliesKeepCondition(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->kind != StmtKind::Expr && ExpressionIn(subject.program, *stmt);
}
void ApplyKeepCondition(Case& subject, const Edit& edit) {
  Stmt& stmt = subject.program.stmts[StmtId(edit.node)];
  const ExprId expr = ExpressionIn(subject.program, stmt);
  stmt = {};
  stmt.kind = StmtKind::Expr;
  stmt.expr = expr;
}

bool AppliesTakeCase(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->kind == StmtKind::Switch && edit.other < subject.program[stmt->body].stmts.size();
}
void ApplyTakeCase(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Stmt& stmt = program.stmts[StmtId(edit.node)];
  const std::vector<StmtId> stmts = program[stmt.body].stmts;
  std::vector<StmtId> kept;
  for (size_t i = 0; i < stmts.size(); ++i) {
    const StmtKind kind = program[stmts[i]].kind;
    if (i >= edit.other && kind == StmtKind::Break) break;
    if (kind == StmtKind::Case || kind == StmtKind::Default) continue;
    if (i >= edit.other || kind == StmtKind::Decl) kept.push_back(stmts[i]);
  }
  program.blocks[stmt.body].stmts = kept;
  stmt.kind = StmtKind::Block;
  stmt.expr = {};
}

bool AppliesFlatten(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->kind == StmtKind::Block && Find(subject.program, StmtId(edit.node)).index >= 0;
}
void ApplyFlatten(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const Position at = Find(program, StmtId(edit.node));
  const std::vector<StmtId> inner = program[program[StmtId(edit.node)].body].stmts;
  std::vector<StmtId>& stmts = program.blocks[at.block].stmts;
  stmts.erase(stmts.begin() + at.index);
  stmts.insert(stmts.begin() + at.index, inner.begin(), inner.end());
}

bool AppliesDropElse(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->other.Valid();
}
void ApplyDropElse(Case& subject, const Edit& edit) { subject.program.stmts[StmtId(edit.node)].other = {}; }

bool AppliesTakeLabel(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->kind == StmtKind::GotoTable && edit.other < stmt->labels.count;
}
void ApplyTakeLabel(Case& subject, const Edit& edit) {
  Stmt& stmt = subject.program.stmts[StmtId(edit.node)];
  const LabelId label = subject.program.LabelOf(stmt, edit.other);
  stmt = {};
  stmt.kind = StmtKind::Goto;
  stmt.label = label;
}

bool AppliesNarrowCase(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && stmt->span > 0;
}
void ApplyNarrowCase(Case& subject, const Edit& edit) { subject.program.stmts[StmtId(edit.node)].span = 0; }

bool AppliesUnrollLoop(const Case& subject, const Edit& edit) {
  const Stmt* stmt = Get(subject, edit.node);
  return stmt != nullptr && Info(stmt->kind).loop && edit.other >= 1 && edit.other <= 8 &&
         !HasLabels(subject.program, stmt->body) && !HasDeclarations(subject.program, stmt->body);
}
void ApplyUnrollLoop(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const Stmt old = program[StmtId(edit.node)];
  const FunctionId function = program[old.body].function;
  Stmt block;
  block.kind = StmtKind::Block;
  block.body = builder.NewBlock(function);
  if (old.var) builder.Append(block.body, builder.Decl(old.var));
  if (old.init) builder.Append(block.body, builder.ExprStatement(old.init));
  const std::vector<StmtId> stmts = program[old.body].stmts;
  for (uint32_t i = 0; i < edit.other; ++i) {
    for (StmtId stmt : stmts) builder.Append(block.body, CopyStatement(builder, function, stmt));
    if (old.step) builder.Append(block.body, builder.ExprStatement(builder.CopyTree(old.step)));
  }
  program.stmts[StmtId(edit.node)] = block;
}

// An expression with an effect moves out of its statement: f(x = 1) becomes x = 1; f(x).
bool AppliesSplitEffect(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Stmt* stmt = Get(subject, edit.other);
  if (stmt == nullptr || (stmt->kind != StmtKind::Expr && stmt->kind != StmtKind::If &&
                          stmt->kind != StmtKind::Switch && stmt->kind != StmtKind::Return)) {
    return false;
  }
  const ExprId node(edit.node);
  if (!stmt->expr || stmt->expr == node || !Contains(program, stmt->expr, node)) return false;
  const ExprKind kind = program[node].kind;
  return (kind == ExprKind::Assign || kind == ExprKind::CompoundAssign || kind == ExprKind::Comma) &&
         Find(program, StmtId(edit.other)).index >= 0;
}
void ApplySplitEffect(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const Position at = Find(program, StmtId(edit.other));
  const Expr e = program[ExprId(edit.node)];
  const bool comma = e.kind == ExprKind::Comma;
  const ExprId moved = comma ? e.lhs : program.exprs.Add(e);
  const ExprId rest = comma ? e.rhs : builder.CopyTree(e.lhs);
  program.exprs[ExprId(edit.node)] = Expr(program[rest]);
  builder.Insert(at.block, static_cast<size_t>(at.index), builder.ExprStatement(moved));
}

}  // namespace assay::reduce
