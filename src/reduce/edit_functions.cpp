// Functions: bodies, parameters, results, calls.
#include <algorithm>

#include "emit/emit.hpp"
#include "lang/builder.hpp"
#include "reduce/families.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

const Function* Get(const Case& subject, uint32_t node) {
  const Program& program = subject.program;
  const auto& order = program.function_order;
  if (std::find(order.begin(), order.end(), FunctionId(node)) == order.end()) return nullptr;
  return &program[FunctionId(node)];
}

// Calls visit with the id of every call of the function by name; false if it is also mentioned
// otherwise.
template <typename Visit>
bool ForEachCall(const Program& program, FunctionId function, Visit&& visit) {
  bool only_calls = true;
  std::vector<Place> calls;
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind == ExprKind::Function && e.Func() == function) {
      const bool called = place.parent && place.operand == 0 && program[place.parent].kind == ExprKind::Call;
      only_calls = only_calls && called;
    }
    if (e.kind == ExprKind::Call && program[e.lhs].kind == ExprKind::Function && program[e.lhs].Func() == function) {
      calls.push_back(place);
    }
  });
  for (const Place& place : calls) visit(place);
  return only_calls;
}

void SetType(Program& program, FunctionId function, TypeId result, std::vector<TypeId> params, bool variadic) {
  program.functions[function].type = program.types.Function(result, std::move(params), variadic);
}

// The only call of a function, as a statement or as the value a statement assigns.
struct OnlyCall {
  FunctionId function;
  ExprId call;
};
std::optional<OnlyCall> CallIn(const Program& program, StmtId id) {
  if (!program.stmts.Contains(id) || program[id].kind != StmtKind::Expr) return std::nullopt;
  ExprId call = program[id].expr;
  if (program[call].kind == ExprKind::Assign) call = program[call].rhs;
  const Expr& e = program[call];
  if (e.kind != ExprKind::Call || program[e.lhs].kind != ExprKind::Function) return std::nullopt;
  return OnlyCall{program[e.lhs].Func(), call};
}

uint32_t CountReturns(const Program& program, BlockId block) {
  uint32_t count = 0;
  for (StmtId id : program[block].stmts) {
    const Stmt& stmt = program[id];
    count += stmt.kind == StmtKind::Return;
    if (stmt.body) count += CountReturns(program, stmt.body);
    if (stmt.other) count += CountReturns(program, stmt.other);
  }
  return count;
}

}  // namespace

bool AppliesEmptyFunction(const Case& subject, const Edit& edit) {
  const Function* function = Get(subject, edit.node);
  if (function == nullptr || FunctionId(edit.node) == subject.program.entry) return false;
  const TypeKind result = subject.program.types.Kind(subject.program.types[function->type].element);
  return (result == TypeKind::Void || IsScalar(result) || IsVector(result)) &&
         subject.program[function->body].stmts.size() > 1;
}
void ApplyEmptyFunction(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const FunctionId id(edit.node);
  const TypeId result = program.types.Unqualified(program.types[program[id].type].element);
  std::vector<StmtId> stmts;
  if (program.types.Kind(result) != TypeKind::Void) {
    Stmt stmt;
    stmt.kind = StmtKind::Return;
    switch (ClassOf(program.types.Kind(result))) {
      case TypeClass::Pointer: stmt.expr = builder.NullPointer(result); break;
      case TypeClass::Vector: stmt.expr = builder.CompoundLiteral(builder.Local(id, result, Storage::Literal)); break;
      case TypeClass::Integer:
      case TypeClass::Float:
      case TypeClass::Wide:
      case TypeClass::Complex:
      case TypeClass::Record:
      case TypeClass::Array:
      case TypeClass::Function:
      case TypeClass::Void:
      case TypeClass::VaList:
      case TypeClass::kCount: stmt.expr = builder.Int(0); break;
    }
    stmts.push_back(builder.Statement(stmt));
  }
  program.blocks[program[id].body].stmts = stmts;
  program.functions[id].attrs &= ~uint32_t{kFnReturnsNonNull};
}

bool AppliesRemoveFunction(const Case& subject, const Edit& edit) {
  return Get(subject, edit.node) != nullptr && !ReachableFunctions(subject.program)[edit.node];
}
void ApplyRemoveFunction(Case& subject, const Edit& edit) {
  std::erase(subject.program.function_order, FunctionId(edit.node));
}

bool AppliesDropParameter(const Case& subject, const Edit& edit) {
  const Function* function = Get(subject, edit.node);
  if (function == nullptr || edit.other >= function->params.size()) return false;
  if (subject.program.types.GetSignature(subject.program.types[function->type].signature).variadic) return false;
  if (CountMentions(subject.program).vars[function->params[edit.other].index] > 0) return false;
  return ForEachCall(subject.program, FunctionId(edit.node), [](const Place&) {});
}
void ApplyDropParameter(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const FunctionId id(edit.node);
  ForEachCall(program, id, [&](const Place& place) {
    Expr e = program[place.id];
    std::vector<ExprId> arguments;
    for (uint32_t i = 0; i < e.args.count; ++i) {
      if (i != edit.other) arguments.push_back(program.Arg(e, i));
    }
    e.args = {static_cast<uint32_t>(program.args.size()), static_cast<uint32_t>(arguments.size())};
    program.args.insert(program.args.end(), arguments.begin(), arguments.end());
    program.exprs[place.id] = e;
  });
  Function& function = program.functions[id];
  const VarId var = function.params[edit.other];
  function.params.erase(function.params.begin() + edit.other);
  std::erase(function.locals, var);
  for (uint32_t i = 0; i < function.locals.size(); ++i) program.vars[function.locals[i]].slot = i;
  Signature signature = program.types.GetSignature(program.types[function.type].signature);
  signature.params.erase(signature.params.begin() + edit.other);
  SetType(program, id, program.types[function.type].element, signature.params, false);
}

bool AppliesFixParameter(const Case& subject, const Edit& edit) {
  const Function* function = Get(subject, edit.node);
  if (function == nullptr || edit.other >= function->params.size()) return false;
  if (subject.program.types.GetSignature(subject.program.types[function->type].signature).variadic) return false;
  if (!IsInteger(subject.program.types.Kind(subject.program[function->params[edit.other]].type))) return false;
  return ForEachCall(subject.program, FunctionId(edit.node), [](const Place&) {});
}
void ApplyFixParameter(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const FunctionId id(edit.node);
  const VarId param = program[id].params[edit.other];
  const TypeId type = program[param].type;
  const TypeKind kind = Promote(program.types.Kind(type), program.Model());
  const VarId local = builder.Local(id, type, Storage::Auto, builder.InitExpr(builder.Constant(kind, edit.value)));
  ForEachPlace(program, [&](const Place& place) {
    Expr& e = program.exprs[place.id];
    if (e.kind == ExprKind::Variable && e.Var() == param) e.ref = local.index;
  });
  builder.Insert(program[id].body, 0, builder.Decl(local));
  ApplyDropParameter(subject, edit);
}

bool AppliesDropResult(const Case& subject, const Edit& edit) {
  const Function* function = Get(subject, edit.node);
  if (function == nullptr) return false;
  if (subject.program.types.Kind(subject.program.types[function->type].element) == TypeKind::Void) return false;
  bool used = false;
  const bool only_calls =
      ForEachCall(subject.program, FunctionId(edit.node), [&](const Place& place) { used |= !place.discarded; });
  return only_calls && !used;
}
void ApplyDropResult(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const FunctionId id(edit.node);
  const Type type = program.types[program[id].type];
  const Signature signature = program.types.GetSignature(type.signature);
  SetType(program, id, program.types.Basic(TypeKind::Void), signature.params, signature.variadic);
  program.functions[id].attrs &= ~uint32_t{kFnReturnsNonNull | kFnAssumeAligned};
  ForEachStmt(program, [&](StmtId stmt, BlockId block, uint32_t) {
    if (program[block].function == id && program[stmt].kind == StmtKind::Return) program.stmts[stmt].expr = {};
  });
}

// The callee's body moves to the place of the call: its parameters become locals, its return at the
// end the value.
bool AppliesInlineCall(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const std::optional<OnlyCall> only = CallIn(program, StmtId(edit.node));
  if (!only || only->function == program.entry || Get(subject, only->function.index) == nullptr) return false;
  const Function& function = program[only->function];
  if (program.types.GetSignature(program.types[function.type].signature).variadic) return false;
  if (CountMentions(program).functions[only->function.index] != 1 || !function.temporaries.empty()) return false;
  const std::vector<StmtId>& stmts = program[function.body].stmts;
  const uint32_t returns = CountReturns(program, function.body);
  const bool at_end = !stmts.empty() && program[stmts.back()].kind == StmtKind::Return;
  if (returns > (at_end ? 1u : 0u)) return false;
  bool found = false;
  ForEachStmt(program, [&](StmtId id, BlockId block, uint32_t) {
    found |= id == StmtId(edit.node) && program[block].function != only->function;
  });
  return found && (program[program[StmtId(edit.node)].expr].kind != ExprKind::Assign || at_end);
}
void ApplyInlineCall(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const StmtId id(edit.node);
  const OnlyCall only = *CallIn(program, id);
  const Function callee = program[only.function];
  FunctionId caller;
  ForEachStmt(program, [&](StmtId stmt, BlockId block, uint32_t) {
    if (stmt == id) caller = program[block].function;
  });
  const Expr call = program[only.call];
  const std::vector<StmtId> stmts = program[callee.body].stmts;
  const BlockId body = builder.NewBlock(caller);
  const auto adopt = [&](VarId var) {
    Variable& variable = program.vars[var];
    variable.function = caller;
    if (variable.storage == Storage::StaticLocal) return;
    variable.slot = static_cast<uint32_t>(program[caller].locals.size());
    program.functions[caller].locals.push_back(var);
  };
  for (uint32_t i = 0; i < callee.params.size(); ++i) {
    const InitId init = builder.InitExpr(program.Arg(call, i));
    program.vars[callee.params[i]].storage = Storage::Auto;
    program.vars[callee.params[i]].attrs = 0;
    program.vars[callee.params[i]].init = init;
    builder.Append(body, builder.Decl(callee.params[i]));
  }
  for (VarId var : callee.locals) adopt(var);
  ForEachStmt(program, [&](StmtId stmt, BlockId block, uint32_t) {
    const VarId var = program[stmt].var;
    if (program[block].function == only.function && var && program[var].storage == Storage::StaticLocal) adopt(var);
  });
  for (StmtId stmt : stmts) {
    const Stmt s = program[stmt];
    if (s.kind != StmtKind::Return) {
      builder.Append(body, stmt);
      continue;
    }
    if (!s.expr) continue;
    const ExprId root = program[id].expr;
    if (root == only.call) {
      builder.Append(body, builder.ExprStatement(s.expr));
    } else {
      program.exprs[root].rhs = s.expr;
      builder.Append(body, builder.ExprStatement(root));
    }
  }
  Stmt block;
  block.kind = StmtKind::Block;
  block.body = body;
  program.stmts[id] = block;
  std::erase(program.function_order, only.function);
}

// void f(void) { g(); }  with f the entry: g becomes the entry.
bool AppliesEnterCallee(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Function* callee = Get(subject, edit.node);
  if (callee == nullptr || FunctionId(edit.node) == program.entry || !callee->params.empty()) return false;
  if (program.types.Kind(program.types[callee->type].element) != TypeKind::Void) return false;
  const std::vector<StmtId>& stmts = program[program[program.entry].body].stmts;
  if (stmts.size() != 1) return false;
  const std::optional<OnlyCall> only = CallIn(program, stmts.front());
  return only && only->function == FunctionId(edit.node) && only->call == program[stmts.front()].expr;
}
void ApplyEnterCallee(Case& subject, const Edit& edit) {
  std::erase(subject.program.function_order, subject.program.entry);
  subject.program.entry = FunctionId(edit.node);
}

// void f(void) { x; }  int main(void) { f(); }  becomes  int main(void) { x; }
bool AppliesStandInMain(const Case& subject, const Edit&) {
  return !subject.in_main && emit::CanStandInMain(subject.program);
}
void ApplyStandInMain(Case& subject, const Edit&) { subject.in_main = true; }

}  // namespace assay::reduce
