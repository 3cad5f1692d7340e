#include "gen/declare.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Stmt;
using lang::Storage;

// What the pointers point at: the type inside the arrays.
TypeId TargetType(const Writer& w, VarId var) {
  TypeId type = w.program.vars[var].type;
  while (w.Kind(type) == TypeKind::Array) type = w.program.types[type].element;
  return type;
}

uint32_t PointerLevels(const Writer& w, TypeId type) {
  uint32_t levels = 0;
  for (; w.Kind(type) == TypeKind::Pointer; type = w.program.types[type].element) ++levels;
  return w.Kind(type) == TypeKind::Function ? 100 : levels;  // none to pointers to functions
}

bool MayPointAt(Writer& w, VarId var) {
  const lang::Variable& v = w.program.vars[var];
  if (v.role != lang::VarRole::Plain || v.storage == Storage::Register || IsProtected(w, var) ||
      w.Use(var) != VarUse::Mixed)
    return false;
  const TypeId type = TargetType(w, var);
  const TypeKind kind = w.Kind(type);
  if (kind == TypeKind::Vla || kind == TypeKind::VaList) return false;
  return PointerLevels(w, type) < static_cast<uint32_t>(w.knobs.pointer_depth);
}

// One to three dimensions, a few dozen elements at most.
TypeId ArrayOfPointers(Writer& w, TypeId pointer) {
  static constexpr uint32_t kLongest[] = {48, 14, 6};
  const uint32_t dimensions =
      std::min<uint32_t>(static_cast<uint32_t>(w.knobs.array_dimensions), 1 + w.choices.Weighted({40, 30, 30}));
  const uint32_t most = std::min(kLongest[dimensions - 1], 4 * static_cast<uint32_t>(w.knobs.array_length));
  for (uint32_t i = 0; i < dimensions; ++i)
    pointer = w.program.types.Array(pointer, 1 + most / 4 + w.choices.Below(most));
  return pointer;
}

// The same places over and over, as in tables: sets of few targets are what points-to analysis is about.
ExprId Item(Writer& w, TypeId pointer, VarId target) {
  const TypeId plain = w.program.types.Unqualified(pointer);
  switch (w.choices.Weighted({80, 13, 7})) {
    case 0: return AddressInside(w, target, w.program.types[plain].element);
    case 1: return AutomaticAddress(w, plain);
    default: return w.build.NullPointer(plain);
  }
}

InitId ListOf(Writer& w, TypeId type, VarId target) {
  const lang::Type t = w.program.types[type];
  if (t.kind != TypeKind::Array) return w.build.InitExpr(Item(w, type, target));
  std::vector<lang::InitItem> items;
  for (uint32_t i = 0; i < t.length && !(w.Full() && i > 0); ++i) items.push_back({i, ListOf(w, t.element, target)});
  return w.build.InitList(std::move(items), false);
}

}  // namespace

void WriteLocalPointer(Writer& w) {
  if (w.knobs.pointers == 0) return;
  std::vector<VarId> targets;
  for (VarId var : w.scope.locals) {
    if (MayPointAt(w, var)) targets.push_back(var);
  }
  if (targets.empty() || w.choices.Percent(10)) {
    const TypeId type = NumberType(w);
    targets.push_back(DeclareLocal(w, type, w.build.InitExpr(ValueFor(w, type, {}, 1))));
  }
  const VarId target = w.choices.Pick(targets);
  TypeId type = w.program.types.Pointer(TargetType(w, target));
  if (w.choices.Percent(w.knobs.const_objects)) type = w.program.types.Qualified(type, lang::kConst);
  const TypeId pointee = TargetType(w, target);
  const bool volatiles = !lang::HasVector(w.program, pointee) && !lang::HasWide(w.program, pointee);
  if (w.choices.Percent(w.knobs.volatile_objects / 2) && volatiles)
    type = w.program.types.Qualified(type, lang::kVolatile);
  if (w.knobs.arrays > 0 && w.choices.Percent(75)) {
    type = ArrayOfPointers(w, type);
    DeclareLocal(w, type, ListOf(w, type, target));
    return;
  }
  const VarId pointer = DeclareLocal(w, type, w.build.InitExpr(AddressInside(w, target, TargetType(w, target))));
  // And a pointer to it, sometimes.
  if (w.choices.Percent(25) && MayPointAt(w, pointer))
    DeclareLocal(w, w.program.types.Pointer(type), w.build.InitExpr(w.build.AddressOf(w.build.Var(pointer))));
}

void WriteGotoOver(Writer& w) {
  const LabelId label = w.build.NewLabel();
  Stmt jump{.kind = StmtKind::Goto};
  jump.label = label;
  AppendIf(w, Condition(w, w.choices.Percent(40)), jump);
  const uint32_t count = 1 + w.choices.Below(3);
  for (uint32_t i = 0; i < count; ++i) {
    const TypeId type = w.choices.Percent(70) ? NumberType(w) : ObjectType(w);
    if (w.layouts.SizeOf(type) > 256) continue;
    const bool number = lang::IsArithmetic(w.Kind(type));
    DeclareLocal(w, type, number ? w.build.InitExpr(ValueFor(w, type, {}, 1)) : Initializer(w, type, false));
  }
  Stmt stmt{.kind = StmtKind::Label};
  stmt.label = label;
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

}  // namespace assay::gen
