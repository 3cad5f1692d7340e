// Variables, labels and initialisers.
#include <algorithm>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "reduce/families.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

const Variable* Get(const Case& subject, uint32_t node) {
  return subject.program.vars.Contains(VarId(node)) ? &subject.program[VarId(node)] : nullptr;
}

bool IsChecked(const Case& subject, VarId var) { return subject.check && subject.check->var == var; }

// The zero of a scalar type as an initialiser; an empty list for the others.
InitId ZeroInit(Builder& builder, TypeId type) {
  const TypeKind kind = builder.Get().types.Kind(type);
  if (IsAnyInteger(kind)) return builder.InitExpr(builder.Int(0));
  if (IsFloat(kind)) return builder.InitExpr(builder.Constant(kind, 0));
  if (kind == TypeKind::Pointer) {
    return builder.InitExpr(builder.NullPointer(builder.Get().types.Unqualified(type)));
  }
  if (kind == TypeKind::Array || IsVector(kind)) {
    return builder.InitList({{0, ZeroInit(builder, builder.Get().types[type].element)}});
  }
  const std::vector<Member> members = builder.Get().types.GetRecord(builder.Get().types[type].record).members;
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (members[i].named) return builder.InitList({{i, ZeroInit(builder, members[i].type)}}, i > 0);
  }
  return {};
}

// x of x = ..., x.m = ..., x[i] = ..., memcpy(&x, ...) and the like; none of p->m = ....
VarId Overwritten(const Program& program, const Expr& e) {
  if (e.kind == ExprKind::Assign) return BaseVariable(program, e.lhs);
  if (e.kind != ExprKind::Builtin) return {};
  if (!Info(e.GetBuiltin()).overwrites) return {};
  const Expr& target = program[program.Arg(e, 0)];
  return target.kind == ExprKind::AddressOf ? BaseVariable(program, target.lhs) : VarId();
}

// Whether anything but a store mentions the variable.
bool IsRead(const Program& program, VarId var) {
  int64_t reads = 0;
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind == ExprKind::Variable && e.Var() == var) ++reads;
    if (Overwritten(program, e) == var) --reads;
  });
  return reads > 0;
}

}  // namespace

// Mentions are counted once per collection of edits, not here: a removal that is wrong does not
// pass Mend.
bool AppliesRemoveVariable(const Case& subject, const Edit& edit) {
  const Variable* var = Get(subject, edit.node);
  return var != nullptr && !IsChecked(subject, VarId(edit.node)) && var->storage != Storage::Param &&
         var->storage != Storage::Literal;
}
void ApplyRemoveVariable(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const VarId id(edit.node);
  const Variable var = program[id];
  if (var.storage == Storage::Global) {
    std::erase(program.globals, id);
    return;
  }
  if (var.role == VarRole::Temporary) {
    std::erase(program.functions[var.function].temporaries, id);
    return;
  }
  ForEachStmt(program, [&](StmtId stmt, BlockId, uint32_t) {
    Stmt& s = program.stmts[stmt];
    if (s.var != id) return;
    if (s.kind == StmtKind::Decl) s = {};
    s.var = {};
  });
}

bool AppliesRemoveLabel(const Case& subject, const Edit& edit) {
  const StmtId id(edit.node);
  if (!subject.program.stmts.Contains(id)) return false;
  const StmtKind kind = subject.program[id].kind;
  return kind == StmtKind::Label || kind == StmtKind::Case || kind == StmtKind::Default;
}
void ApplyRemoveLabel(Case& subject, const Edit& edit) { subject.program.stmts[StmtId(edit.node)] = {}; }

bool AppliesGiveInitialiser(const Case& subject, const Edit& edit) {
  const Variable* var = Get(subject, edit.node);
  if (var == nullptr || var->init || var->IsStatic() || var->storage == Storage::Param) return false;
  if (var->storage == Storage::Literal || var->role == VarRole::Temporary) return false;
  const TypeKind kind = subject.program.types.Kind(var->type);
  return IsScalar(kind) || kind == TypeKind::Array || IsRecord(kind) || IsVector(kind);
}
void ApplyGiveInitialiser(Case& subject, const Edit& edit) {
  Builder builder(subject.program);
  const InitId init = ZeroInit(builder, subject.program[VarId(edit.node)].type);
  subject.program.vars[VarId(edit.node)].init = init;
}

bool AppliesDropInitialiser(const Case& subject, const Edit& edit) {
  const Variable* var = Get(subject, edit.node);
  return var != nullptr && var->init && var->storage != Storage::Literal;
}
void ApplyDropInitialiser(Case& subject, const Edit& edit) { subject.program.vars[VarId(edit.node)].init = {}; }

// Without designators the items after it go too.
bool AppliesDropInitItem(const Case& subject, const Edit& edit) {
  const InitId id(edit.node);
  if (!subject.program.inits.Contains(id)) return false;
  const Init& init = subject.program.inits[id];
  return edit.other < init.items.size() && init.items.size() > 1 && (init.designated || edit.other > 0);
}
void ApplyDropInitItem(Case& subject, const Edit& edit) {
  Init& init = subject.program.inits[InitId(edit.node)];
  const auto begin = init.items.begin() + edit.other;
  init.items.erase(begin, init.designated ? begin + 1 : init.items.end());
}

// a = wrong(); if (a) b = 1;  if (b != 1) abort();  becomes  ...  if (a != 5) abort();
// Only from a variable that is written and never read to one that is read, so that it is never done and undone.
bool AppliesLookAt(const Case& subject, const Edit& edit) {
  const Variable* var = Get(subject, edit.node);
  const VarId id(edit.node);
  if (!subject.check || var == nullptr || var->storage != Storage::Global || IsChecked(subject, id)) return false;
  return IsRead(subject.program, id) && !IsRead(subject.program, subject.check->var);
}
void ApplyLookAt(Case& subject, const Edit& edit) {
  subject.check = Check{VarId(edit.node), {}};
  for (uint32_t i = 0; i < edit.other; ++i)
    subject.check->path.push_back(static_cast<uint32_t>(edit.value >> (32 * i)));
}

}  // namespace assay::reduce
