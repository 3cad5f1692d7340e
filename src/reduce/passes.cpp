#include "reduce/passes.hpp"

#include <algorithm>

#include "lang/typing.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

using Edits = std::vector<Edit>;
constexpr uint32_t kEverywhere = 0xffffffffu;

template <typename Id>
Edit Make(EditKind kind, Id node, uint32_t other = 0, uint64_t value = 0) {
  return {kind, node.index, other, value};
}

// --- statements
// --------------------------------------------------------------------------------------------------

// Statements that may go, outer ones first: large pieces are next to each other.
Edits RemovableStatements(const Survey& survey, bool dead_only) {
  const Program& program = survey.subject.program;
  const Mentions mentions = CountMentions(program);
  std::vector<std::pair<uint32_t, StmtId>> found;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t depth) {
    const Stmt& stmt = program[id];
    if (stmt.kind == StmtKind::Decl && mentions.vars[stmt.var.index] > 0) return;
    if (stmt.kind == StmtKind::Label && mentions.labels[stmt.label.index] > 0) return;
    if (dead_only && survey.profile.machine->Executions(id) > 0) return;
    found.emplace_back(depth, id);
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Edits edits;
  for (const auto& [depth, id] : found) edits.push_back(Make(EditKind::RemoveStatement, id));
  return edits;
}

Edits DeadCode(const Survey& survey) {
  Edits edits = RemovableStatements(survey, true);
  const Program& program = survey.subject.program;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (!stmt.other) return;
    const auto ran = [&](BlockId block) {
      return !program[block].stmts.empty() &&
             survey.profile.machine->Executions(program[block].stmts[0]) > 0;
    };
    if (!ran(stmt.other)) edits.push_back(Make(EditKind::DropElse, id));
  });
  return edits;
}

Edits Statements(const Survey& survey) {
  return RemovableStatements(survey, false);
}

// Later statements first: what comes last is most often needed by nothing.
Edits Bodies(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (!stmt.body || stmt.kind == StmtKind::Block || stmt.kind == StmtKind::Switch) return;
    const auto ran = [&](BlockId block) {
      return block && !program[block].stmts.empty() &&
             survey.profile.machine->Executions(program[block].stmts[0]) > 0;
    };
    edits.push_back(Make(EditKind::TakeBody, id, !ran(stmt.body) && ran(stmt.other) ? 1 : 0));
  });
  return edits;
}

Edits Conditions(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.other) edits.push_back(Make(EditKind::DropElse, id));
    if (stmt.expr && stmt.body) edits.push_back(Make(EditKind::KeepCondition, id));
  });
  return edits;
}

Edits Cases(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    const Stmt& stmt = program[id];
    if (stmt.kind != StmtKind::Switch) return;
    const std::vector<StmtId>& body = program[stmt.body].stmts;
    for (uint32_t i = 0; i < body.size(); ++i) {
      const bool ran = survey.profile.machine->Executions(body[i]) > 0;
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
    if (survey.subject.program[id].kind == StmtKind::Block)
      edits.push_back(Make(EditKind::Flatten, id));
  });
  return edits;
}

Edits Loops(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    if (!Info(program[id].kind).loop) return;
    for (uint32_t count = 1; count <= 3; ++count)
      edits.push_back(Make(EditKind::UnrollLoop, id, count));
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

// --- functions and variables
// -------------------------------------------------------------------------------------

Edits EmptyFunctions(const Survey& survey) {
  Edits edits;
  for (FunctionId id : survey.subject.program.function_order)
    edits.push_back(Make(EditKind::EmptyFunction, id));
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
    if (stmt.var && mentions.vars[stmt.var.index] == 0)
      edits.push_back(Make(EditKind::RemoveVariable, stmt.var));
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
      const uint64_t value = survey.profile.machine->Observed(program.Arg(e, i));
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

void ItemsOf(const Program& program, InitId id, Edits& edits) {
  const Init& init = program.inits[id];
  for (size_t i = init.items.size(); i-- > 0;) {
    edits.push_back(Make(EditKind::DropInitItem, id, static_cast<uint32_t>(i)));
    ItemsOf(program, init.items[i].init, edits);
  }
}

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
  edits.insert(edits.end(), items.begin(), items.end());
  return edits;
}

// --- expressions
// -------------------------------------------------------------------------------------------------

bool IsConstantForm(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (e.kind == ExprKind::Cast) return IsConstantForm(program, e.lhs);
  return e.kind == ExprKind::Constant;
}

Edits Constants(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.lvalue || place.discarded || place.unevaluated || place.constant) return;
    const Expr& e = program[place.id];
    const TypeKind kind = program.types.Kind(e.type);
    if (e.kind == ExprKind::Constant || e.kind == ExprKind::Function) return;
    if (IsInteger(kind)) {
      edits.push_back(
          Make(EditKind::ToConstant, place.id, 0, survey.profile.machine->Observed(place.id)));
    } else if (kind == TypeKind::Pointer && !IsConstantForm(program, place.id)) {
      edits.push_back(Make(EditKind::ToConstant, place.id));
    }
  });
  return edits;
}

Edits Operands(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.unevaluated) return;
    const Expr& e = program[place.id];
    const ExprKindInfo& info = Info(e.kind);
    const uint32_t count = info.children == 0 && !info.has_args ? 0
                           : info.has_args                      ? 3 + e.args.count
                                                                : info.children;
    for (uint32_t i = 0; i < count; ++i) {
      const Edit edit = Make(EditKind::ToOperand, place.id, i, place.discarded ? 1 : 0);
      if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
    }
  });
  return edits;
}

Edits Targets(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.unevaluated || place.constant || place.discarded) return;
    const Expr& e = program[place.id];
    const bool deref = e.kind == ExprKind::Deref;
    if (!deref && (place.lvalue || program.types.Kind(e.type) != TypeKind::Pointer)) return;
    const ExprId pointer = deref ? e.lhs : place.id;
    if (program.types.Kind(program[pointer].type) != TypeKind::Pointer) return;
    if (survey.profile.machine->Executions(pointer) == 0) return;
    const machine::PointerView view =
        survey.profile.machine->View(survey.profile.machine->Observed(pointer));
    if (view.kind != machine::PointerView::Kind::Object || !view.var) return;
    const Edit edit = Make(EditKind::ToTarget, place.id, view.var.index, view.offset);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  });
  return edits;
}

template <typename Wanted>
Edits OfConstants(const Survey& survey, Wanted&& wanted) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (program[place.id].kind == ExprKind::Constant) wanted(place.id, program[place.id], edits);
  });
  return edits;
}

Edits Zeros(const Survey& survey) {
  return OfConstants(survey, [](ExprId id, const Expr& e, Edits& edits) {
    if (e.value != 0) edits.push_back(Make(EditKind::ToConstant, id, 1, 0));
  });
}

Edits Ones(const Survey& survey) {
  return OfConstants(survey, [](ExprId id, const Expr& e, Edits& edits) {
    if (e.value > 1) edits.push_back(Make(EditKind::ToConstant, id, 1, 1));
  });
}

Edits SmallConstants(const Survey& survey) {
  const TypeTable& types = survey.subject.program.types;
  return OfConstants(survey, [&](ExprId id, const Expr& e, Edits& edits) {
    const auto value = static_cast<int64_t>(e.value);
    if (types.Kind(e.type) != TypeKind::Int)
      edits.push_back(Make(EditKind::ToConstant, id, 1, e.value));
    if (value > 9 || value < -9) {
      edits.push_back(Make(EditKind::ToConstant, id, 1, static_cast<uint64_t>(value / 2)));
    }
    if (value < 0)
      edits.push_back(Make(EditKind::ToConstant, id, 1, static_cast<uint64_t>(-(value + 1) + 1)));
  });
}

Edits Spelling(const Survey& survey) {
  return OfConstants(survey, [](ExprId id, const Expr& e, Edits& edits) {
    if (e.detail != static_cast<uint8_t>(ConstantSpelling::Decimal))
      edits.push_back(Make(EditKind::PlainConstant, id));
  });
}

Edits Assignments(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (program[place.id].kind == ExprKind::CompoundAssign)
      edits.push_back(Make(EditKind::PlainAssign, place.id));
  });
  return edits;
}

// --- types
// -------------------------------------------------------------------------------------------------------

template <typename Visit>
void ForEachVariable(const Program& program, Visit&& visit) {
  for (VarId var : program.globals) visit(var);
  for (FunctionId function : program.function_order) {
    for (VarId var : program[function].params) visit(var);
    for (VarId var : program[function].temporaries) visit(var);
  }
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    if (program[id].var) visit(program[id].var);
  });
}

Edits Aggregates(const Survey& survey) {
  Edits edits;
  ForEachVariable(survey.subject.program, [&](VarId var) {
    const Edit edit = Make(EditKind::SplitAggregate, var);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  });
  return edits;
}

Edits Arrays(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachVariable(program, [&](VarId var) {
    const Type& type = program.types[program[var].type];
    if (type.kind != TypeKind::Array) return;
    for (uint32_t length : {1u, type.length / 2, type.length - 1}) {
      if (length >= 1 && length < type.length)
        edits.push_back(Make(EditKind::ShrinkArray, var, length));
    }
  });
  return edits;
}

Edits Members(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  for (uint32_t r = 0; r < program.types.RecordCount(); ++r) {
    const Record& record = program.types.GetRecord(RecordId(r));
    for (auto m = static_cast<uint32_t>(record.members.size()); m-- > 0;) {
      edits.push_back({EditKind::DropMember, r, m, 0});
      edits.push_back({EditKind::PlainMember, r, m, 0});
    }
    edits.push_back({EditKind::DissolveRecord, r, 0, 0});
    edits.push_back({EditKind::UnpackRecord, r, 0, 0});
  }
  return edits;
}

Edits Kinds(const Survey&) {
  Edits edits;
  for (uint32_t kind = 0; kind <= static_cast<uint32_t>(TypeKind::Enum); ++kind) {
    if (kind != static_cast<uint32_t>(TypeKind::Int))
      edits.push_back({EditKind::KindToInt, kind, 0, 0});
  }
  return edits;
}

Edits Qualifiers(const Survey& survey) {
  Edits edits;
  for (uint32_t qualifier : {kRestrict, kVolatile, kConst}) {
    edits.push_back({EditKind::DropQualifier, qualifier, kEverywhere, 0});
  }
  for (uint32_t qualifier : {kRestrict, kVolatile, kConst}) {
    ForEachVariable(survey.subject.program, [&](VarId var) {
      edits.push_back({EditKind::DropQualifier, qualifier, var.index, 0});
    });
  }
  return edits;
}

Edits Variables(const Survey& survey) {
  Edits edits;
  ForEachVariable(survey.subject.program,
                  [&](VarId var) { edits.push_back(Make(EditKind::VariableToInt, var)); });
  return edits;
}

Edits Attributes(const Survey& survey) {
  Edits edits;
  for (FunctionId id : survey.subject.program.function_order) {
    edits.push_back(Make(EditKind::DropAttributes, id, 0xff));
    for (uint32_t bit = 1; bit <= kFnPure; bit <<= 1)
      edits.push_back(Make(EditKind::DropAttributes, id, bit));
  }
  ForEachVariable(survey.subject.program,
                  [&](VarId var) { edits.push_back(Make(EditKind::PlainStorage, var)); });
  return edits;
}

}  // namespace

constexpr std::array kRows = {
    PassInfo{PassKind::DeadCode, "dead-code", 0, false, false, DeadCode},
    PassInfo{PassKind::EmptyFunctions, "empty-functions", 0, false, false, EmptyFunctions},
    PassInfo{PassKind::Initialise, "initialise", 0, false, true, Initialise},
    PassInfo{PassKind::Statements, "statements", 0, false, false, Statements},
    PassInfo{PassKind::Bodies, "bodies", 0, false, false, Bodies},
    PassInfo{PassKind::UnusedFunctions, "unused-functions", 0, false, false, UnusedFunctions},
    PassInfo{PassKind::UnusedVariables, "unused-variables", 0, false, false, UnusedVariables},
    PassInfo{PassKind::Cases, "cases", 1, false, false, Cases},
    PassInfo{PassKind::Conditions, "conditions", 1, false, false, Conditions},
    PassInfo{PassKind::Constants, "constants", 1, false, false, Constants},
    PassInfo{PassKind::Operands, "operands", 1, false, false, Operands},
    PassInfo{PassKind::Targets, "targets", 1, false, false, Targets},
    PassInfo{PassKind::Flatten, "flatten", 1, false, false, FlattenBlocks},
    PassInfo{PassKind::Loops, "loops", 2, false, true, Loops},
    PassInfo{PassKind::Inline, "inline", 1, true, false, Inline},
    PassInfo{PassKind::Effects, "effects", 2, true, false, Effects},
    PassInfo{PassKind::Parameters, "parameters", 2, true, false, Parameters},
    PassInfo{PassKind::Assignments, "assignments", 2, false, false, Assignments},
    PassInfo{PassKind::Aggregates, "aggregates", 2, true, false, Aggregates},
    PassInfo{PassKind::Arrays, "arrays", 2, true, false, Arrays},
    PassInfo{PassKind::Members, "members", 2, true, false, Members},
    PassInfo{PassKind::Kinds, "kinds", 2, true, false, Kinds},
    PassInfo{PassKind::Qualifiers, "qualifiers", 2, true, false, Qualifiers},
    PassInfo{PassKind::Variables, "variables", 2, true, false, Variables},
    PassInfo{PassKind::Attributes, "attributes", 2, false, false, Attributes},
    PassInfo{PassKind::Initialisers, "initialisers", 2, true, false, Initialisers},
    PassInfo{PassKind::Zeros, "zeros", 2, false, false, Zeros},
    PassInfo{PassKind::Ones, "ones", 2, false, false, Ones},
    PassInfo{PassKind::SmallConstants, "small-constants", 2, false, false, SmallConstants},
    PassInfo{PassKind::Spelling, "spelling", 2, false, false, Spelling},
};
static_assert(support::InEnumOrder(kRows, PassKind::kCount));
const std::array<PassInfo, static_cast<size_t>(PassKind::kCount)> kPasses = kRows;

}  // namespace assay::reduce
