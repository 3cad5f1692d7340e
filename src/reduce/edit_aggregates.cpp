// Arrays, structs and unions: shorter, fewer members, or a variable for each part.
#include <algorithm>
#include <map>
#include <set>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
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

// Its parts have one type.
bool HasElements(TypeKind kind) { return kind == TypeKind::Array || IsVector(kind); }

TypeId PartType(Program& program, TypeId id, uint32_t index) {
  const Type type = program.types[id];
  if (HasElements(type.kind)) return program.types.Qualified(type.element, type.quals);
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
    if (IsWide(t.kind)) break;  // the step into a half
    if (IsRecord(t.kind) && t.record == record) steps.push_back(i);
    type = HasElements(t.kind) ? t.element : types.GetRecord(t.record).members[subject.check->path[i]].type;
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
        HasElements(type.kind) ? type.element : program.types.GetRecord(type.record).members[item.index].type;
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

namespace {

bool IsHalved(const Program& program, const Type& type, uint32_t bytes) {
  return IsVector(type.kind) && type.length > 1 &&
         type.length * LaneBytes(program, program.types.Kind(type.element)) > bytes;
}

// The lanes that are no more.
void HalveInit(Program& program, InitId id, TypeId type_id, uint32_t bytes) {
  if (program.inits[id].kind != InitKind::List) return;
  const Type type = program.types[type_id];
  if (IsHalved(program, type, bytes)) {
    std::vector<InitItem>& items = program.inits[id].items;
    if (items.size() > type.length / 2) items.resize(type.length / 2);
  }
  for (const InitItem& item : std::vector(program.inits[id].items)) {
    const bool elements = HasElements(type.kind);
    HalveInit(program, item.init,
              elements ? type.element : program.types.GetRecord(type.record).members[item.index].type, bytes);
  }
}

}  // namespace

// Constants that number lanes are taken modulo what is left.
bool AppliesHalveVectors(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  for (const Variable& var : program.vars) {
    TypeId type = var.type;
    while (IsArray(program.types.Kind(type))) type = program.types[type].element;
    if (IsHalved(program, program.types[type], edit.other)) return true;
  }
  return false;
}
void ApplyHalveVectors(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const uint32_t bytes = edit.other;
  if (subject.check) {
    TypeId type = program[subject.check->var].type;
    for (uint32_t& index : subject.check->path) {
      const Type t = program.types[type];
      if (IsWide(t.kind)) break;
      if (IsHalved(program, t, bytes)) index %= t.length / 2;
      type = HasElements(t.kind) ? t.element : program.types.GetRecord(t.record).members[index].type;
    }
  }
  for (const Variable& var : program.vars) {
    if (var.init) HalveInit(program, var.init, var.type, bytes);
  }
  for (uint32_t i = 0; i < program.exprs.Size(); ++i) {
    Expr e = program[ExprId(i)];
    if (e.kind == ExprKind::Index) {
      const Type type = program.types[program[e.lhs].type];
      Expr& index = program.exprs[e.rhs];
      if (index.kind == ExprKind::Constant && IsHalved(program, type, bytes)) index.value %= type.length / 2;
    }
    if (e.kind != ExprKind::Builtin || !EndsInConstants(e.GetBuiltin())) continue;
    const Type to = program.types[e.type], from = program.types[program[program.Arg(e, 0)].type];
    const uint32_t left = IsHalved(program, from, bytes) ? from.length / 2 : from.length;
    for (uint32_t k = 2; k < e.args.count; ++k) program.exprs[program.Arg(e, k)].value %= 2 * left;
    if (IsHalved(program, to, bytes)) program.exprs[ExprId(i)].args.count = 2 + to.length / 2;
  }
  TypeMap(program, [&](Type& type) {
    if (IsHalved(program, type, bytes)) type.length /= 2;
  }).MapProgram();
}

bool AppliesSplitAggregate(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Variable* var = Get(subject, edit.node);
  if (var == nullptr || var->storage == Storage::Param || var->storage == Storage::Literal) return false;
  if (var->role != VarRole::Plain) return false;
  const Type& type = program.types[var->type];
  if (!HasElements(type.kind) && !IsRecord(type.kind)) return false;
  if (var->init && program.inits[var->init].kind != InitKind::List) return false;
  const auto parts = PartsUsed(subject, VarId(edit.node));
  if (!parts || parts->empty() || parts->size() > (type.kind == TypeKind::Union ? 1 : 4)) return false;
  const uint32_t count =
      HasElements(type.kind) ? type.length : static_cast<uint32_t>(program.types.GetRecord(type.record).members.size());
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
    if (whole.init && !init && !whole.IsStatic() && IsAnyInteger(program.types.Kind(type))) {
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
        HasElements(type.kind) ? type.element : program.types.GetRecord(type.record).members[item.index].type;
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
