// Arrays, structs and unions: shorter, fewer members, or a variable for each part.
#include <algorithm>
#include <map>
#include <set>

#include "lang/builder.hpp"
#include "reduce/families.hpp"
#include "reduce/type_map.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

const Variable* Get(const Case& subject, uint32_t node) {
  return subject.program.vars.Contains(VarId(node)) ? &subject.program[VarId(node)] : nullptr;
}

// The parts of an aggregate that are used, each always by itself; nothing if the whole is used
// somewhere.
std::optional<std::set<uint32_t>> PartsUsed(const Case& subject, VarId id) {
  const Program& program = subject.program;
  std::set<uint32_t> parts;
  bool whole = false;
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind != ExprKind::Variable || e.Var() != id) return;
    if (!place.parent || place.operand != 0) {
      whole = true;
      return;
    }
    const Expr& parent = program[place.parent];
    if (parent.kind == ExprKind::Member) {
      parts.insert(parent.MemberIndex());
    } else if (parent.kind == ExprKind::Index && program[parent.rhs].kind == ExprKind::Constant) {
      parts.insert(static_cast<uint32_t>(program[parent.rhs].value));
    } else {
      whole = true;
    }
  });
  if (whole) return std::nullopt;
  if (subject.check && subject.check->var == id) parts.insert(subject.check->path[0]);
  return parts;
}

TypeId PartType(Program& program, TypeId id, uint32_t index) {
  const Type type = program.types[id];
  if (type.kind == TypeKind::Array) return type.element;
  return program.types.Qualified(program.types.GetRecord(type.record).members[index].type, type.quals);
}

// The positions in the check's path that are members of the record.
std::vector<size_t> StepsThrough(const Case& subject, RecordId record) {
  std::vector<size_t> steps;
  if (!subject.check) return steps;
  const TypeTable& types = subject.program.types;
  TypeId type = subject.program[subject.check->var].type;
  for (size_t i = 0; i < subject.check->path.size(); ++i) {
    const Type& t = types[type];
    if (IsRecord(t.kind) && t.record == record) steps.push_back(i);
    type = t.kind == TypeKind::Array ? t.element : types.GetRecord(t.record).members[subject.check->path[i]].type;
  }
  return steps;
}

// Takes member `index` out of every list that initialises the record.
bool DropItems(Program& program, InitId id, TypeId type_id, RecordId record, uint32_t index, bool apply) {
  Init& init = program.inits[id];
  if (init.kind != InitKind::List) return true;
  const Type type = program.types[type_id];
  const bool here = IsRecord(type.kind) && type.record == record;
  if (here && init.items.size() == 1 && init.items[0].index == index) return false;
  for (const InitItem& item : std::vector(init.items)) {
    const TypeId part =
        type.kind == TypeKind::Array ? type.element : program.types.GetRecord(type.record).members[item.index].type;
    if (!DropItems(program, item.init, part, record, index, apply)) return false;
  }
  if (!here || !apply) return true;
  std::vector<InitItem>& items = program.inits[id].items;
  std::erase_if(items, [&](const InitItem& item) { return item.index == index; });
  for (InitItem& item : items) item.index -= item.index > index;
  return true;
}

}  // namespace

bool AppliesShrinkArray(const Case& subject, const Edit& edit) {
  const Variable* var = Get(subject, edit.node);
  if (var == nullptr || edit.other == 0) return false;
  const Type& type = subject.program.types[var->type];
  if (type.kind != TypeKind::Array || edit.other >= type.length) return false;
  return !subject.check || subject.check->var != VarId(edit.node) || subject.check->path[0] < edit.other;
}
void ApplyShrinkArray(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Variable& var = program.vars[VarId(edit.node)];
  var.type = program.types.Array(program.types[var.type].element, edit.other);
  if (!var.init) return;
  Init& init = program.inits[var.init];
  std::erase_if(init.items, [&](const InitItem& item) { return item.index >= edit.other; });
  if (init.kind == InitKind::List && init.items.empty()) var.init = {};
}

bool AppliesSplitAggregate(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Variable* var = Get(subject, edit.node);
  if (var == nullptr || var->storage == Storage::Param || var->storage == Storage::Literal) return false;
  if (var->role != VarRole::Plain) return false;
  const Type& type = program.types[var->type];
  if (type.kind != TypeKind::Array && !IsRecord(type.kind)) return false;
  if (var->init && program.inits[var->init].kind != InitKind::List) return false;
  const auto parts = PartsUsed(subject, VarId(edit.node));
  if (!parts || parts->empty() || parts->size() > (type.kind == TypeKind::Union ? 1 : 4)) return false;
  const uint32_t count = type.kind == TypeKind::Array
                             ? type.length
                             : static_cast<uint32_t>(program.types.GetRecord(type.record).members.size());
  return *parts->rbegin() < count;
}
void ApplySplitAggregate(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const VarId old(edit.node);
  const Variable whole = program[old];
  std::map<uint32_t, VarId> parts;
  const std::set<uint32_t> used = *PartsUsed(subject, old);
  for (uint32_t index : used) {
    InitId init;
    if (whole.init) {
      for (const InitItem& item : program.inits[whole.init].items) {
        if (item.index == index) init = item.init;
      }
    }
    const TypeId type = PartType(program, whole.type, index);
    if (whole.init && !init && !whole.IsStatic() && IsInteger(program.types.Kind(type))) {
      init = builder.InitExpr(builder.Int(0));
    }
    VarId part;
    if (whole.storage == Storage::Global) {
      part = builder.Global(type, init);
      std::erase(program.globals, part);
      program.globals.insert(std::find(program.globals.begin(), program.globals.end(), old), part);
      program.vars[part].internal_linkage = whole.internal_linkage;
    } else {
      part = builder.Local(whole.function, type, whole.storage, init);
    }
    parts[index] = part;
  }
  std::vector<std::pair<ExprId, VarId>> uses;
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind != ExprKind::Variable || e.Var() != old) return;
    const Expr& parent = program[place.parent];
    const auto index =
        static_cast<uint32_t>(parent.kind == ExprKind::Member ? parent.MemberIndex() : program[parent.rhs].value);
    uses.emplace_back(place.parent, parts.at(index));
  });
  for (const auto& [expr, part] : uses) program.exprs[expr] = Expr(program[builder.Var(part)]);
  if (subject.check && subject.check->var == old) {
    subject.check->var = parts.at(subject.check->path[0]);
    subject.check->path.erase(subject.check->path.begin());
  }
  if (whole.storage == Storage::Global) {
    std::erase(program.globals, old);
    return;
  }
  for (uint32_t b = 0; b < program.blocks.Size(); ++b) {
    const std::vector<StmtId> stmts = program[BlockId(b)].stmts;
    for (size_t i = 0; i < stmts.size(); ++i) {
      if (program[stmts[i]].kind != StmtKind::Decl || program[stmts[i]].var != old) continue;
      program.stmts[stmts[i]] = {};
      for (const auto& [index, part] : parts) builder.Insert(BlockId(b), i, builder.Decl(part));
      return;
    }
  }
}

bool AppliesDropMember(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const RecordId id(edit.node);
  if (edit.node >= program.types.RecordCount()) return false;
  const std::vector<Member>& members = program.types.GetRecord(id).members;
  if (edit.other >= members.size()) return false;
  size_t named = 0;
  for (const Member& member : members) named += member.named;
  if (members[edit.other].named && named < 2) return false;
  bool mentioned = false;
  for (size_t step : StepsThrough(subject, id)) mentioned |= subject.check->path[step] == edit.other;
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind != ExprKind::Member || e.MemberIndex() != edit.other) return;
    mentioned |= program.types[program[e.lhs].type].record == id;
  });
  if (mentioned) return false;
  Program& unchanged = const_cast<Program&>(program);  // DropItems changes nothing without `apply`
  for (const Variable& var : program.vars) {
    if (var.init && !DropItems(unchanged, var.init, var.type, id, edit.other, false)) return false;
  }
  return true;
}
void ApplyDropMember(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const RecordId id(edit.node);
  for (size_t step : StepsThrough(subject, id)) {
    uint32_t& index = subject.check->path[step];
    index -= index > edit.other;
  }
  for (const Variable& var : program.vars) {
    if (var.init) DropItems(program, var.init, var.type, id, edit.other, true);
  }
  for (uint32_t i = 0; i < program.exprs.Size(); ++i) {
    Expr& e = program.exprs[ExprId(i)];
    if (e.kind != ExprKind::Member || e.MemberIndex() <= edit.other) continue;
    const Type& type = program.types[program[e.lhs].type];
    if (IsRecord(type.kind) && type.record == id) --e.ref;
  }
  std::vector<Member>& members = program.types.GetRecord(id).members;
  members.erase(members.begin() + edit.other);
}

// struct { int a; } x = {1}; x.a = 2;  becomes  int x = 1; x = 2;
namespace {

// The lists that initialise the record become the initialiser of its member.
bool DissolveInit(Program& program, InitId id, TypeId type_id, RecordId record, bool apply) {
  const Init init = program.inits[id];
  if (init.kind != InitKind::List) return true;
  const Type type = program.types[type_id];
  const bool here = IsRecord(type.kind) && type.record == record;
  if (here && init.items.size() != 1) return false;
  for (const InitItem& item : init.items) {
    const TypeId part =
        type.kind == TypeKind::Array ? type.element : program.types.GetRecord(type.record).members[item.index].type;
    if (!DissolveInit(program, item.init, part, record, apply)) return false;
  }
  if (here && apply) program.inits[id] = Init(program.inits[init.items[0].init]);
  return true;
}

}  // namespace

bool AppliesDissolveRecord(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  if (edit.node >= program.types.RecordCount()) return false;
  const Record& record = program.types.GetRecord(RecordId(edit.node));
  if (record.members.size() != 1 || !IsScalar(program.types.Kind(record.members[0].type))) return false;
  Program& unchanged = const_cast<Program&>(program);  // DissolveInit changes nothing without `apply`
  for (const Variable& var : program.vars) {
    if (var.init && !DissolveInit(unchanged, var.init, var.type, RecordId(edit.node), false)) return false;
  }
  return true;
}
void ApplyDissolveRecord(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const RecordId id(edit.node);
  const TypeId member = program.types.Unqualified(program.types.GetRecord(id).members[0].type);
  const std::vector<size_t> steps = StepsThrough(subject, id);
  for (size_t i = steps.size(); i-- > 0;) {
    std::vector<uint32_t>& path = subject.check->path;
    path.erase(path.begin() + static_cast<std::ptrdiff_t>(steps[i]));
  }
  for (const Variable& var : program.vars) {
    if (var.init) DissolveInit(program, var.init, var.type, id, true);
  }
  std::vector<ExprId> accesses;  // parents first; inner ones keep their node
  ForEachPlace(program, [&](const Place& place) {
    const Expr& e = program[place.id];
    if (e.kind == ExprKind::Member && program.types[program[e.lhs].type].record == id) accesses.push_back(place.id);
  });
  for (ExprId access : accesses) program.exprs[access] = Expr(program[program[access].lhs]);
  const Type plain = program.types[member];
  TypeMap(program, [&](Type& type) {
    if (!IsRecord(type.kind) || type.record != id) return;
    const uint8_t quals = type.quals;
    type = plain;
    type.quals = quals;
  }).MapProgram();
}

}  // namespace assay::reduce
