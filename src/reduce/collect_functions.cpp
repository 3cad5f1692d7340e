// Where to edit functions and variables.
#include <algorithm>

#include "reduce/collect.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce::collect {

using namespace lang;  // NOLINT: the model's names

Edits EmptyFunctions(const Survey& survey) {
  Edits edits;
  for (FunctionId id : survey.subject.program.function_order) edits.push_back(Make(EditKind::EmptyFunction, id));
  return edits;
}

Edits UnusedFunctions(const Survey& survey) {
  const std::vector<bool> reached = ReachableFunctions(survey.subject.program);
  Edits edits;
  for (FunctionId id : survey.subject.program.function_order) {
    if (!reached[id.index]) edits.push_back(Make(EditKind::RemoveFunction, id));
  }
  return edits;
}

Edits UnusedVariables(const Survey& survey) {
  const Program& program = survey.subject.program;
  const Mentions mentions = CountMentions(program);
  Edits edits;
  for (VarId id : program.globals) {
    if (mentions.vars[id.index] == 0) edits.push_back(Make(EditKind::RemoveVariable, id));
  }
  for (FunctionId function : program.function_order) {
    for (VarId id : program[function].temporaries) {
      if (mentions.vars[id.index] == 0) edits.push_back(Make(EditKind::RemoveVariable, id));
    }
  }
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.var && mentions.vars[stmt.var.index] == 0) edits.push_back(Make(EditKind::RemoveVariable, stmt.var));
    if (stmt.kind == StmtKind::Label && mentions.labels[stmt.label.index] == 0) {
      edits.push_back(Make(EditKind::RemoveLabel, id));
    }
  });
  return edits;
}

Edits Inline(const Survey& survey) {
  Edits edits;
  ForEachStmt(survey.subject.program, [&](StmtId id, BlockId, uint32_t) {
    const Edit edit = Make(EditKind::InlineCall, id);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  });
  for (FunctionId id : survey.subject.program.function_order) {
    const Edit edit = Make(EditKind::EnterCallee, id);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  }
  edits.push_back({EditKind::StandInMain, 0, 0, 0});
  return edits;
}

// The first values that are not zero: with many globals there is coarser work to do.
Edits Looks(const Survey& survey) {
  constexpr size_t kMost = 8;
  Edits edits;
  for (const machine::FinalScalar& scalar : survey.run.result.finals) {
    using State = machine::FinalScalar::State;
    const machine::Path& path = scalar.path;
    if (edits.size() == kMost) break;
    if (path.size() > 2 || scalar.state != State::Value || scalar.value == 0) continue;
    uint64_t steps = path.empty() ? 0 : path[0];
    if (path.size() == 2) steps |= uint64_t{path[1]} << 32;
    const Edit edit = Make(EditKind::LookAt, scalar.var, static_cast<uint32_t>(path.size()), steps);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  }
  return edits;
}

Edits Parameters(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  for (FunctionId id : program.function_order) {
    const auto count = static_cast<uint32_t>(program[id].params.size());
    for (uint32_t i = count; i-- > 0;) edits.push_back(Make(EditKind::DropParameter, id, i));
    edits.push_back(Make(EditKind::DropResult, id));
  }
  // The value each integer parameter had in the last call.
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind != ExprKind::Call || program[e.lhs].kind != ExprKind::Function) return;
    for (uint32_t i = e.args.count; i-- > 0;) {
      const Function& callee = program[program[e.lhs].Func()];
      if (i >= callee.params.size()) continue;
      const TypeKind kind = program.types.Kind(program[callee.params[i]].type);
      if (!IsInteger(kind) || program.types.Kind(program[program.Arg(e, i)].type) != kind) continue;
      const uint64_t value = survey.run.machine->Observed(program.Arg(e, i));
      edits.push_back(Make(EditKind::FixParameter, program[e.lhs].Func(), i, value));
    }
  });
  return edits;
}

Edits Initialise(const Survey& survey) {
  Edits edits;
  ForEachStmt(survey.subject.program, [&](StmtId id, BlockId, uint32_t) {
    const VarId var = survey.subject.program[id].var;
    if (var) edits.push_back(Make(EditKind::GiveInitialiser, var));
  });
  return edits;
}

namespace {

void ItemsOf(const Program& program, InitId id, Edits& edits) {
  const Init& init = program.inits[id];
  for (size_t i = init.items.size(); i-- > 0;) {
    edits.push_back(Make(EditKind::DropInitItem, id, static_cast<uint32_t>(i)));
    ItemsOf(program, init.items[i].init, edits);
  }
}

}  // namespace

Edits Initialisers(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits, items;
  const auto add = [&](VarId var) {
    if (!program[var].init) return;
    edits.push_back(Make(EditKind::DropInitialiser, var));
    ItemsOf(program, program[var].init, items);
  };
  for (VarId var : program.globals) add(var);
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    if (program[id].var) add(program[id].var);
  });
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind == ExprKind::CompoundLiteral && program[e.Var()].init) {
      ItemsOf(program, program[e.Var()].init, items);
    }
  });
  edits.insert(edits.end(), items.begin(), items.end());
  return edits;
}

}  // namespace assay::reduce::collect
