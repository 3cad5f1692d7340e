// Where to edit statements.
#include <algorithm>

#include "reduce/collect.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce::collect {

using namespace lang;  // NOLINT: the model's names

namespace {

// Statements that may go, outer ones first: large pieces are next to each other.
Edits RemovableStatements(const Survey& survey, bool dead_only) {
  const Program& program = survey.subject.program;
  const Mentions mentions = CountMentions(program);
  std::vector<std::pair<uint32_t, StmtId>> found;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t depth) {
    const Stmt& stmt = program[id];
    if (stmt.kind == StmtKind::Decl && mentions.vars[stmt.var.index] > 0) return;
    if (stmt.kind == StmtKind::Label && mentions.labels[stmt.label.index] > 0) return;
    if (dead_only && survey.run.machine->Executions(id) > 0) return;
    found.emplace_back(depth, id);
  });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Edits edits;
  for (const auto& [depth, id] : found) edits.push_back(Make(EditKind::RemoveStatement, id));
  return edits;
}

}  // namespace

Edits DeadCode(const Survey& survey) {
  Edits edits = RemovableStatements(survey, true);
  const Program& program = survey.subject.program;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (!stmt.other) return;
    const auto ran = [&](BlockId block) {
      return !program[block].stmts.empty() && survey.run.machine->Executions(program[block].stmts[0]) > 0;
    };
    if (!ran(stmt.other)) edits.push_back(Make(EditKind::DropElse, id));
  });
  return edits;
}

Edits Statements(const Survey& survey) { return RemovableStatements(survey, false); }

// Later statements first: what comes last is most often needed by nothing.
Edits Bodies(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (!stmt.body || stmt.kind == StmtKind::Block || stmt.kind == StmtKind::Switch) return;
    const auto ran = [&](BlockId block) {
      return block && !program[block].stmts.empty() && survey.run.machine->Executions(program[block].stmts[0]) > 0;
    };
    edits.push_back(Make(EditKind::TakeBody, id, !ran(stmt.body) && ran(stmt.other) ? 1 : 0));
  });
  return edits;
}

Edits Conditions(const Survey& survey) {
  const Program& program = survey.subject.program;
  const Mentions mentions = CountMentions(program);
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.other) edits.push_back(Make(EditKind::DropElse, id));
    const bool unused = stmt.kind == StmtKind::Decl && mentions.vars[stmt.var.index] == 0;
    if (unused || (stmt.expr && stmt.body)) edits.push_back(Make(EditKind::KeepCondition, id));
  });
  return edits;
}

Edits Cases(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.span > 0) edits.push_back(Make(EditKind::NarrowCase, id));
    for (uint32_t i = 0; i < stmt.labels.count; ++i) edits.push_back(Make(EditKind::TakeLabel, id, i));
    if (stmt.kind != StmtKind::Switch) return;
    const std::vector<StmtId>& body = program[stmt.body].stmts;
    for (uint32_t i = 0; i < body.size(); ++i) {
      const bool ran = survey.run.machine->Executions(body[i]) > 0;
      if (!ran || program[body[i]].kind == StmtKind::Decl) continue;
      edits.push_back(Make(EditKind::TakeCase, id, i));
      break;
    }
  });
  return edits;
}

Edits FlattenBlocks(const Survey& survey) {
  Edits edits;
  ForEachStmt(survey.subject.program, [&](StmtId id, BlockId, uint32_t) {
    if (survey.subject.program[id].kind == StmtKind::Block) edits.push_back(Make(EditKind::Flatten, id));
  });
  return edits;
}

Edits Loops(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    if (!Info(program[id].kind).loop) return;
    for (uint32_t count = 1; count <= 3; ++count) edits.push_back(Make(EditKind::UnrollLoop, id, count));
  });
  return edits;
}

Edits Effects(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    const ExprKind kind = program[place.id].kind;
    if (!place.parent || !place.stmt || place.unevaluated) return;
    if (kind == ExprKind::Assign || kind == ExprKind::CompoundAssign || kind == ExprKind::Comma) {
      edits.push_back(Make(EditKind::SplitEffect, place.id, place.stmt.index));
    }
  });
  return edits;
}

}  // namespace assay::reduce::collect
