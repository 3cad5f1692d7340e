#include "gen/access.hpp"

#include <algorithm>
#include <bit>

#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/gnu.hpp"
#include "gen/types.hpp"
#include "gen/want.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Storage;
using lang::TypeClass;
using machine::PointerView;

constexpr uint32_t kMostIndexDepth = 4;  // of subscripts inside subscripts
constexpr int32_t kFloatBytes = 4;       // floating objects are read by their bytes so many times as often as integers

// A variable to start from; invalid if nothing is visible.
VarId PickVariable(Writer& w, Access access) {
  const bool locals = !w.scope.locals.empty() && w.scope.function;
  if (locals && w.choices.Percent(access == Access::Read ? 45 : 35)) return w.choices.Pick(w.scope.locals);
  return w.program.globals.empty() ? VarId{} : w.choices.Pick(w.program.globals);
}

bool Usable(Writer& w, VarId var, Access access) {
  const lang::Variable& v = w.program.vars[var];
  if (v.role != lang::VarRole::Plain || w.Kind(v.type) == TypeKind::VaList) return false;
  return MayAccess(w, var, access) && (access == Access::Read || !IsProtected(w, var));
}

uint32_t VlaLength(const Writer& w, VarId var) {
  // The length is written (e & mask) + n: at least n, see memory.cpp.
  const lang::Expr& length = w.program.exprs[w.program.vars[var].vla_length];
  return static_cast<uint32_t>(w.program.exprs[length.rhs].value);
}

uint32_t PickMember(Writer& w, const lang::Record& record) {
  for (int i = 0; i < 6; ++i) {
    const uint32_t index = w.choices.Below(static_cast<uint32_t>(record.members.size()));
    if (record.members[index].named) return index;
  }
  for (uint32_t i = 0; i < record.members.size(); ++i) {
    if (record.members[i].named) return i;
  }
  CHECK_MSG(false, "a record without a named member");
  return 0;
}

// Whether the pointer value may be dereferenced now as an object of the type; the number of elements it may move up.
std::optional<uint32_t> ElementsAt(Writer& w, ExprId pointer, TypeId element) {
  const std::optional<machine::Value> value = w.Probe(pointer);
  if (!value) return std::nullopt;
  const PointerView view = w.machine->View(*value);
  const uint32_t size = w.layouts.SizeOf(element);
  if (view.kind != PointerView::Kind::Object || !view.live || size == 0 || view.offset + size > view.high)
    return std::nullopt;
  return (view.high - view.offset) / size;
}

ExprId Subscript(Writer& w, ExprId base, ExprId index) {
  return w.build.Index(base, index, w.choices.Percent(w.knobs.swapped_index));
}

// The index of a loop as the index of an array that has room for all its values: i, i + k, or backwards, k - i.
ExprId ByLoop(Writer& w, const LoopIndex& index, uint32_t length) {
  const int64_t last = static_cast<int64_t>(length) - 1;
  const ExprId i = w.build.CopyTree(index.lvalue);
  if (w.choices.Percent(12)) {
    return w.build.Binary(BinaryOp::Sub, w.build.Int(w.choices.Between(index.high, last + index.low)), i);
  }
  if (index.low >= 0 && index.high <= last && w.choices.Percent(70)) return i;
  const int64_t distance = w.choices.Between(-index.low, last - index.high);
  if (distance == 0) return i;
  return distance > 0 ? w.build.Binary(BinaryOp::Add, i, w.build.Int(distance))
                      : w.build.Binary(BinaryOp::Sub, i, w.build.Int(-distance));
}

// An index around that of a loop, in range in every iteration: a[i + k], a[k - i], a[i * 2 + k], a[i / 2].
ExprId AroundLoopIndex(Writer& w, const LoopIndex& index, uint32_t length) {
  const int64_t last = static_cast<int64_t>(length) - 1, span = index.high - index.low;
  if (span < 0 || span > last) return {};
  switch (w.choices.Weighted({55, 27, 18})) {
    case 0: return ByLoop(w, index, length);
    case 1: {
      const int64_t most = span == 0 ? 4 : std::min<int64_t>(last / span, 4);
      if (most < 2) return {};
      const int64_t scale = w.choices.Between(2, most);
      const int64_t offset = w.choices.Between(-index.low * scale, last - index.high * scale);
      const ExprId scaled =
          w.build.Binary(BinaryOp::Mul, AsOperand(w, w.build.CopyTree(index.lvalue)), w.build.Int(scale));
      if (offset == 0) return scaled;
      return w.build.Binary(offset > 0 ? BinaryOp::Add : BinaryOp::Sub, scaled, w.build.Int(std::abs(offset)));
    }
    default: {
      if (index.low < 0 || index.high > last) return {};
      static constexpr BinaryOp kShrinking[] = {BinaryOp::Div, BinaryOp::Shr, BinaryOp::Rem, BinaryOp::BitAnd};
      return w.build.Binary(kShrinking[w.choices.Below(4)], AsOperand(w, w.build.CopyTree(index.lvalue)),
                            w.build.Int(1 + w.choices.Below(3)));
    }
  }
}

bool InRange(Writer& w, ExprId index, uint32_t length) {
  const std::optional<machine::Value> value = w.Probe(index);
  return value && *value < length;  // a negative one is large
}

constexpr int64_t kMostOffset = 40;

// An index that is computed from variables without a check: x + k, x - y, b[i]. In range now; where it will not be, the
// machine asks for a repair. Invalid if nothing was found.
ExprId RawIndex(Writer& w, uint32_t length) {
  if (!w.scope.indices.empty() && w.choices.Percent(60)) {
    if (const ExprId e = AroundLoopIndex(w, w.choices.Pick(w.scope.indices), length)) return e;
  }
  const ExprId x = IntLvalue(w, Access::Read);
  if (!x || !IsPure(w.program, x)) return {};
  const ExprId operand = AsOperand(w, x);
  const bool two = w.choices.Percent(35);
  if (!w.Live()) {
    const ExprId y = two ? IntLvalue(w, Access::Read) : ExprId{};
    const BinaryOp op = w.choices.Coin() ? BinaryOp::Add : BinaryOp::Sub;
    return w.build.Binary(op, operand, y ? AsOperand(w, y) : w.build.Int(1 + w.choices.Below(length)));
  }
  const std::optional<machine::Value> value = w.Probe(operand);
  if (!value) return {};
  if (two) {
    static constexpr BinaryOp kOps[] = {BinaryOp::Sub, BinaryOp::Add, BinaryOp::BitXor, BinaryOp::BitAnd,
                                        BinaryOp::Sub};
    const ExprId y = IntLvalue(w, Access::Read);
    if (!y || !IsPure(w.program, y)) return {};
    const ExprId e = w.build.Binary(kOps[w.choices.Below(5)], operand, AsOperand(w, y));
    return InRange(w, e, length) ? e : ExprId{};
  }
  const int64_t wanted = w.choices.Below(length);
  const auto distance = static_cast<int64_t>(static_cast<uint64_t>(wanted) - *value);  // may wrap: far away either way
  if (distance == 0) return operand;
  if (distance < -kMostOffset || distance > kMostOffset) return {};
  const ExprId e = distance < 0 && w.choices.Percent(80)
                       ? w.build.Binary(BinaryOp::Sub, operand, w.build.Int(-distance))
                       : w.build.Binary(BinaryOp::Add, operand, w.build.Int(distance));
  return InRange(w, e, length) ? e : ExprId{};
}

ExprId ByteOf(Writer& w, ExprId e, Access access);

// Extends an lvalue of any type towards a number of the class. Invalid if it leads nowhere.
ExprId TowardsNumber(Writer& w, ExprId e, VarId root, Access access, TypeClass wanted) {
  bool probe = false;  // whether readability must be asked for
  const lang::Variable& variable = w.program.vars[root];
  if (!variable.IsStatic() && variable.storage != Storage::Param && !IsProtected(w, root)) probe = true;
  for (int steps = 0; steps < 10; ++steps) {
    const TypeId type = w.program.exprs[e].type;
    const lang::Type t = w.program.types[type];
    switch (lang::ClassOf(t.kind)) {
      case TypeClass::Array:
        e = t.kind == TypeKind::Vla ? w.build.Index(e, IndexExpr(w, VlaLength(w, root)))
                                    : Subscript(w, e, IndexExpr(w, t.length));
        continue;
      case TypeClass::Record:
        e = w.build.Member(e, PickMember(w, w.program.types.GetRecord(t.record)));
        probe = probe || t.kind == TypeKind::Union;
        continue;
      case TypeClass::Pointer: {
        const TypeKind pointee = w.Kind(t.element);
        if (pointee == TypeKind::Function || pointee == TypeKind::Void) return {};
        uint32_t elements = 1;
        if (w.Live()) {
          if (!IsPure(w.program, e)) return {};
          const std::optional<uint32_t> room = ElementsAt(w, e, t.element);
          if (!room) return {};
          elements = *room;
        }
        probe = true;
        if (elements > 1 && w.choices.Percent(50)) {
          const uint32_t most = std::min<uint32_t>(elements, 64);
          e = Subscript(w, e, w.choices.Coin() ? IndexExpr(w, most) : w.build.Int(w.choices.Below(most)));
        } else {
          e = w.build.Deref(e);
        }
        continue;
      }
      case TypeClass::Vector: e = LaneOf(w, e); continue;
      case TypeClass::Integer:
        if (wanted != TypeClass::Integer) return {};
        break;
      case TypeClass::Float:
        if (wanted == TypeClass::Float) break;
        return access == Access::Read &&
                       w.choices.Percent(static_cast<uint32_t>(std::min(100, kFloatBytes * w.knobs.byte_accesses)))
                   ? ByteOf(w, e, access)
                   : ExprId{};
      case TypeClass::Wide:
      case TypeClass::Complex:
      case TypeClass::Function:
      case TypeClass::Void:
      case TypeClass::VaList:
      case TypeClass::kCount: return {};
    }
    if (access != Access::Read) return (t.quals & lang::kConst) != 0 ? ExprId{} : e;
    if (probe && w.Live() && IsPure(w.program, e) && !w.Probe(e)) return {};
    return e;
  }
  return {};
}

// A byte of a number by a character pointer, ((unsigned char *)&x)[k]; invalid if that is not possible.
ExprId ByteOf(Writer& w, ExprId e, Access access) {
  const lang::Type type = w.program.types[w.program.exprs[e].type];
  if ((type.quals & lang::kVolatile) != 0 || !MayTakeAddress(w, e) || !IsPure(w.program, e)) return {};
  // Not every byte is one of a _Bool. And a whole value must be there before a part of it changes.
  if (access != Access::Read && (type.kind == TypeKind::Bool || (w.Live() && !w.Probe(e)))) return {};
  static constexpr TypeKind kBytes[] = {TypeKind::UChar, TypeKind::UChar, TypeKind::SChar, TypeKind::Char};
  const TypeId byte = w.program.types.Qualified(w.program.types.Basic(kBytes[w.choices.Below(4)]), type.quals);
  const uint32_t size = w.layouts.SizeOf(w.program.exprs[e].type);
  const ExprId bytes = w.build.Cast(w.program.types.Pointer(byte), w.build.AddressOf(e));
  return w.build.Index(bytes, w.build.Int(w.choices.Below(size)));
}

// Whether an object of the type contains (or is) an addressable object of the target type, unqualified.
bool Contains(Writer& w, TypeId type, TypeId target) {
  type = w.program.types.Unqualified(type);
  if (type == target) return true;
  const TypeKind kind = w.Kind(type);
  if (kind == TypeKind::Array) return Contains(w, w.program.types[type].element, target);
  if (kind != TypeKind::Struct) return false;
  const lang::Record& record = w.program.types.GetRecord(w.program.types[type].record);
  if (record.packed) return false;
  for (const lang::Member& member : record.members) {
    if (!member.IsBitField() && Contains(w, member.type, target)) return true;
  }
  return false;
}

// The lvalue of a sub-object of exactly the target type (unqualified) inside `e`, which Contains says is there.
ExprId PathTo(Writer& w, ExprId e, TypeId target, bool constant_only) {
  for (;;) {
    const TypeId type = w.program.exprs[e].type;
    if (w.program.types.Unqualified(type) == target) return e;
    const lang::Type t = w.program.types[type];
    if (t.kind == TypeKind::Array) {
      const ExprId index = constant_only ? w.build.Int(w.choices.Below(t.length)) : IndexExpr(w, t.length);
      e = w.build.Index(e, index);
      continue;
    }
    const lang::Record& record = w.program.types.GetRecord(t.record);
    const uint32_t start = w.choices.Below(static_cast<uint32_t>(record.members.size()));
    for (uint32_t i = 0; i < record.members.size(); ++i) {
      const uint32_t index = (start + i) % static_cast<uint32_t>(record.members.size());
      const lang::Member& member = record.members[index];
      if (member.IsBitField() || !Contains(w, member.type, target)) continue;
      e = w.build.Member(e, index);
      break;
    }
  }
}

uint8_t QualifiersOf(Writer& w, TypeId type) {
  lang::Type t = w.program.types[type];
  while (lang::IsArray(t.kind)) t = w.program.types[t.element];
  return t.quals;
}

// Whether a pointer with these qualifiers of its pointee may point at the variable: what is never written only through
// const, what is never read and what steers loops by none.
bool MayPointAt(const Writer& w, VarId var, uint8_t quals) {
  switch (w.Use(var)) {
    case VarUse::Mixed: return true;
    case VarUse::Input: return (quals & lang::kConst) != 0;
    case VarUse::Output:
    case VarUse::Index: return false;
    case VarUse::kCount: break;
  }
  return false;
}

enum class Where : uint8_t { Globals, Locals, Anywhere };

// A visible object that contains the target type with no more than the given qualifiers; `accept` decides on the
// variable.
template <typename Accept>
VarId FindObject(Writer& w, TypeId target, Where where, Accept&& accept) {
  const size_t globals = w.program.globals.size();
  const size_t first = where == Where::Locals ? globals : 0;
  const size_t total = globals + (where == Where::Globals ? 0 : w.scope.locals.size()) - first;
  if (total == 0) return {};
  const size_t start = w.choices.Below(static_cast<uint32_t>(total));
  for (size_t i = 0; i < total; ++i) {
    const size_t at = first + (start + i) % total;
    const VarId var = at < globals ? w.program.globals[at] : w.scope.locals[at - globals];
    const lang::Variable& v = w.program.vars[var];
    if (v.role != lang::VarRole::Plain || v.storage == Storage::Register || (at >= globals && IsProtected(w, var)))
      continue;
    if (!Contains(w, v.type, target) || !accept(var)) continue;
    return var;
  }
  return {};
}

bool SubsetOf(uint8_t a, uint8_t b) { return (a & ~b & (lang::kConst | lang::kVolatile)) == 0; }

ExprId FunctionAddress(Writer& w, TypeId function_type) {
  std::vector<FunctionId> candidates;
  for (FunctionId id : w.program.function_order) {
    if (w.program.functions[id].type == function_type && !w.Plan(id).helper && !w.Plan(id).own)
      candidates.push_back(id);
  }
  const FunctionId chosen = candidates.empty() ? NewFunction(w, function_type) : w.choices.Pick(candidates);
  const ExprId designator = w.build.Func(chosen);
  return w.choices.Coin() ? w.build.AddressOf(designator) : designator;
}

// A global pointer to the function, or an array of pointers with one to it; the lvalue that points at it.
ExprId NewFunctionTable(Writer& w, FunctionId id) {
  const TypeId function_type = w.program.functions[id].type;
  TypeId type = w.program.types.Pointer(function_type);
  if (w.choices.Percent(std::min(100, 3 * w.knobs.const_objects))) type = w.program.types.Qualified(type, lang::kConst);
  if (w.knobs.arrays == 0 || w.choices.Coin())
    return w.build.Var(NewGlobal(w, type, w.build.InitExpr(w.build.Func(id))));
  const uint32_t length = 2 + w.choices.Below(3), at = w.choices.Below(length);
  std::vector<lang::InitItem> items;
  for (uint32_t i = 0; i < length; ++i)
    items.push_back({i, w.build.InitExpr(i == at ? w.build.Func(id) : FunctionAddress(w, function_type))});
  const VarId table = NewGlobal(w, w.program.types.Array(type, length), w.build.InitList(std::move(items), false));
  return w.build.Index(w.build.Var(table), w.build.Int(at));
}

// The rows of pointers. Each answers or leaves it to the next.

ExprId NullAt(Writer& w, const Want& want, uint32_t percent) {
  return want.may_be_null && w.choices.Percent(percent) ? w.build.NullPointer(want.type) : ExprId{};
}

ExprId ToFunction(Writer& w, const Want& want) {
  const TypeId pointee = w.program.types[want.type].element;
  return w.Kind(pointee) == TypeKind::Function ? FunctionAddress(w, pointee) : ExprId{};
}

ExprId ToString(Writer& w, const Want& want) {
  const TypeId pointee = w.program.types[want.type].element;
  if (w.program.types.Unqualified(pointee) != w.program.types.Basic(TypeKind::Char)) return {};
  if ((QualifiersOf(w, pointee) & lang::kConst) == 0) return {};
  if (!w.choices.Percent(std::min(80, w.knobs.string_literals * 8))) return {};
  return w.build.String(RandomString(w, 20));
}

// Whether the object that a pointer points at now lives at least as long as the holder.
bool TargetOutlives(Writer& w, const PointerView& view, VarId holder) {
  if (!holder) return true;
  if (!view.var) return false;  // the heap, a string
  const lang::Variable& target = w.program.vars[view.var];
  if (target.IsStatic()) return true;
  if (w.program.vars[holder].IsStatic() || target.storage == Storage::Literal) return false;
  // Of another function: that of a caller, since it is alive.
  return target.function != w.scope.function || Outlives(w, view.var, holder);
}

// The value another pointer has, or one some elements from it.
ExprId LikeOther(Writer& w, const Want& want) {
  if (!w.Live() || !w.choices.Percent(30)) return {};
  const ExprId other = LvalueOfType(w, want.type, Access::Read);
  if (!other || !IsPure(w.program, other)) return {};
  const std::optional<machine::Value> value = w.Probe(other);
  const PointerView view = value ? w.machine->View(*value) : PointerView{};
  if (view.kind != PointerView::Kind::Object || !view.live || !TargetOutlives(w, view, want.holder)) return {};
  const uint32_t size = w.layouts.SizeOf(w.program.types[want.type].element);
  if (size > 0 && w.choices.Percent(40) && view.offset + size <= view.high) {
    const int64_t low = -static_cast<int64_t>((view.offset - view.low) / size);
    const int64_t high = static_cast<int64_t>((view.high - view.offset) / size) - 1;
    if (low <= high) return w.build.Binary(BinaryOp::Add, other, w.build.Int(w.choices.Between(low, high)));
  }
  return other;
}

// What a function returns: the address of a static object, or null.
ExprId FromCall(Writer& w, const Want& want) {
  return w.scope.function && w.choices.Percent(30) ? CallForPointer(w, want.type, want.depth) : ExprId{};
}

// An object with the pointee type somewhere inside; with `constant` as a constant expression, but for the object.
template <typename Accept>
ExprId ToObject(Writer& w, const Want& want, Where where, bool constant, Accept&& accept) {
  const TypeId pointee = w.program.types[want.type].element;
  const TypeId target = w.program.types.Unqualified(pointee);
  const uint8_t quals = QualifiersOf(w, pointee);
  const VarId var = FindObject(w, target, where, [&](VarId v) {
    return MayPointAt(w, v, quals) && SubsetOf(QualifiersOf(w, w.program.vars[v].type), quals) && accept(v);
  });
  if (!var) return {};
  const ExprId path = PathTo(w, w.build.Var(var), target, constant);
  if (!SubsetOf(QualifiersOf(w, w.program.exprs[path].type), quals)) return {};
  return w.build.AddressOf(path);
}

ExprId ToVisible(Writer& w, const Want& want) {
  const bool escape = want.holder && w.choices.Percent(1);
  const auto accept = [&](VarId v) { return !want.holder || escape || Outlives(w, v, want.holder); };
  if (w.choices.Percent(w.knobs.local_addresses)) {
    if (const ExprId local = ToObject(w, want, Where::Locals, false, accept)) return local;
  }
  return ToObject(w, want, Where::Anywhere, false, accept);
}

ExprId ToGlobal(Writer& w, const Want& want) { return FallbackAddress(w, want.type); }

constexpr OrderedRow kPointers[] = {
    {WriterId::Null, [](Writer& w, const Want& want) { return NullAt(w, want, 5); }},
    {WriterId::FunctionAddress, ToFunction},
    {WriterId::StringLiteral, ToString},
    {WriterId::OtherPointer, FromCall},
    {WriterId::OtherPointer, LikeOther},
    {WriterId::ObjectAddress, ToVisible},
    {WriterId::Null, [](Writer& w, const Want& want) { return NullAt(w, want, 20); }},
    {WriterId::GlobalAddress, ToGlobal},
};

// The same for constant expressions. Where there is nothing to point at yet it is made, all the way down for pointers
// to pointers.
constexpr OrderedRow kAddresses[] = {
    {WriterId::FunctionAddress, ToFunction},
    {WriterId::Null, [](Writer& w, const Want& want) { return NullAt(w, want, 10); }},
    {WriterId::ObjectAddress,
     [](Writer& w, const Want& want) { return ToObject(w, want, Where::Globals, true, [](VarId) { return true; }); }},
    {WriterId::Null, [](Writer& w, const Want& want) { return NullAt(w, want, 40); }},
    {WriterId::GlobalAddress, ToGlobal},
};

}  // namespace

bool MayAccess(const Writer& w, VarId var, Access access) {
  switch (w.Use(var)) {
    case VarUse::Mixed: return true;
    case VarUse::Input:
    case VarUse::Index: return access == Access::Read;
    case VarUse::Output: return access == Access::Write;
    case VarUse::kCount: break;
  }
  return false;
}

ExprId PointerAt(Writer& w, FunctionId id) {
  const ExprId known = LvalueOfType(w, w.program.types.Pointer(w.program.functions[id].type), Access::Read);
  if (known && IsPure(w.program, known)) {
    const std::optional<machine::Value> value = w.Probe(known);
    const PointerView view = value ? w.machine->View(*value) : PointerView{};
    if (view.kind == PointerView::Kind::Function && view.function == id) return known;
  }
  if (w.function_tables >= 1 + static_cast<uint32_t>(w.knobs.functions) / 3) return {};
  ++w.function_tables;
  return NewFunctionTable(w, id);
}

ExprId IntLvalue(Writer& w, Access access) {
  for (int tries = 0; tries < 5; ++tries) {
    const VarId var = PickVariable(w, access);
    if (!var || !Usable(w, var, access)) continue;
    const ExprId e = TowardsNumber(w, w.build.Var(var), var, access, TypeClass::Integer);
    if (!e) continue;
    if (w.choices.Percent(w.knobs.byte_accesses)) {
      if (const ExprId byte = ByteOf(w, e, access)) return byte;
    }
    return e;
  }
  return {};
}

ExprId FloatLvalue(Writer& w, Access access) {
  for (int tries = 0; tries < 4; ++tries) {
    const VarId var = PickVariable(w, access);
    if (!var || !Usable(w, var, access)) continue;
    if (const ExprId e = TowardsNumber(w, w.build.Var(var), var, access, TypeClass::Float)) return e;
  }
  // There may be few of them: each kind is looked for everywhere.
  TypeKind kind = w.choices.Percent(w.knobs.float_single) ? TypeKind::Float : TypeKind::Double;
  for (int i = 0; i < 2; ++i) {
    const ExprId e = LvalueOfType(w, w.program.types.Basic(kind), access);
    if (e && (!w.Live() || access == Access::Write || (IsPure(w.program, e) && w.Probe(e)))) return e;
    kind = kind == TypeKind::Float ? TypeKind::Double : TypeKind::Float;
  }
  return {};
}

ExprId LvalueOfType(Writer& w, TypeId type, Access access) {
  const TypeId target = w.program.types.Unqualified(type);
  const VarId var = FindObject(w, target, Where::Anywhere, [&](VarId v) {
    return MayAccess(w, v, access) &&
           (access == Access::Read ||
            (!IsProtected(w, v) && (QualifiersOf(w, w.program.vars[v].type) & lang::kConst) == 0));
  });
  if (!var) return {};
  const ExprId e = PathTo(w, w.build.Var(var), target, false);
  if (access != Access::Read && !lang::IsModifiable(w.program, w.program.exprs[e].type)) return {};
  return e;
}

ExprId PointerLvalue(Writer& w, bool to_function) {
  for (int tries = 0; tries < 8; ++tries) {
    const VarId var = PickVariable(w, Access::Update);
    if (!var || !Usable(w, var, Access::Update)) continue;
    TypeId type = w.program.vars[var].type;
    ExprId e = w.build.Var(var);
    while (lang::IsArray(w.Kind(type)) || w.Kind(type) == TypeKind::Struct) {
      const lang::Type t = w.program.types[type];
      if (t.kind == TypeKind::Struct) {
        const lang::Record& record = w.program.types.GetRecord(t.record);
        e = w.build.Member(e, PickMember(w, record));
      } else {
        e = w.build.Index(e, IndexExpr(w, t.kind == TypeKind::Vla ? VlaLength(w, var) : t.length));
      }
      type = w.program.exprs[e].type;
    }
    if (w.Kind(type) != TypeKind::Pointer) continue;
    // Sometimes through a pointer to the pointer.
    const lang::Type t = w.program.types[type];
    if (w.Kind(t.element) == TypeKind::Pointer && w.Live() && w.choices.Percent(40) && IsPure(w.program, e) &&
        ElementsAt(w, e, t.element)) {
      e = w.build.Deref(e);
    }
    const lang::Type final_type = w.program.types[w.program.exprs[e].type];
    if ((final_type.quals & lang::kConst) != 0) continue;
    if ((w.Kind(final_type.element) == TypeKind::Function) != to_function) continue;
    return e;
  }
  return {};
}

VarId RootVariable(const lang::Program& program, ExprId lvalue) {
  for (;;) {
    const lang::Expr& e = program.exprs[lvalue];
    if (e.kind == ExprKind::Variable) return e.Var();
    const TypeKind base = e.kind == ExprKind::Index ? program.types.Kind(program.exprs[e.lhs].type) : TypeKind::Array;
    if (!lang::IsArray(base) && !lang::IsVector(base)) return {};
    if (e.kind != ExprKind::Member && e.kind != ExprKind::Index) return {};
    lvalue = e.lhs;
  }
}

ExprId PointerValue(Writer& w, const Want& want) { return MaybeAligned(w, FirstOf(w, kPointers, want)); }
ExprId AddressValue(Writer& w, const Want& want) { return FirstOf(w, kAddresses, want); }

ExprId AutomaticAddress(Writer& w, TypeId pointer_type) {
  const Want want = Want::Pointer(w.program.types.Unqualified(pointer_type), {}, true);
  const bool function = w.Kind(w.program.types[want.type].element) == TypeKind::Function;
  if (!function && w.choices.Percent(w.knobs.local_addresses)) {
    const ExprId local = WriteRow(w, WriterId::ObjectAddress,
                                  [&] { return ToObject(w, want, Where::Locals, true, [](VarId) { return true; }); });
    if (local) return local;
  }
  return StaticAddress(w, want.type);
}

ExprId AddressInside(Writer& w, VarId object, TypeId pointee) {
  return w.build.AddressOf(PathTo(w, w.build.Var(object), w.program.types.Unqualified(pointee), true));
}

bool MayTakeAddress(const Writer& w, ExprId lvalue) {
  for (;;) {
    const lang::Expr& e = w.program.exprs[lvalue];
    if (e.kind == ExprKind::Variable) return w.program.vars[e.Var()].storage != Storage::Register;
    if (e.kind == ExprKind::Deref) return true;
    if (e.kind == ExprKind::Index) {
      if (w.Kind(e.lhs) == TypeKind::Pointer) return true;
      if (lang::IsVector(w.Kind(e.lhs))) return false;
    } else if (e.kind == ExprKind::Member) {
      const lang::Record& record = w.program.types.GetRecord(w.program.types[w.program.exprs[e.lhs].type].record);
      if (record.packed || record.is_union || record.members[e.MemberIndex()].IsBitField()) return false;
    } else {
      return false;
    }
    lvalue = e.lhs;
  }
}

ExprId FallbackAddress(Writer& w, TypeId pointer_type) {
  const TypeId pointee = w.program.types[pointer_type].element;
  if (w.Kind(pointee) == TypeKind::Function) return FunctionAddress(w, pointee);
  const TypeId target = w.program.types.Unqualified(pointee);
  VarId var = FindObject(w, target, Where::Globals, [&](VarId v) {
    return w.Use(v) == VarUse::Mixed && w.program.types.Unqualified(w.program.vars[v].type) == target &&
           QualifiersOf(w, w.program.vars[v].type) == 0;
  });
  if (!var) var = NewGlobal(w, target);
  return w.build.AddressOf(w.build.Var(var));
}

// clang 14 at -O0 takes the index `true` for -1, in every program that has one: docs/found-bugs.md.
ExprId LaneOf(Writer& w, ExprId vector) {
  const ExprId index = IndexExpr(w, w.program.types[w.program.exprs[vector].type].length);
  const bool truth = w.Kind(index) == TypeKind::Bool;
  return w.build.Index(vector, truth ? w.build.Cast(w.program.types.Basic(TypeKind::Int), index) : index);
}

ExprId IndexExpr(Writer& w, uint32_t length) {
  // The index may hold array elements with indices of their own: without a limit, for ever where most objects are
  // arrays.
  struct Level {
    explicit Level(uint32_t& depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
    uint32_t& depth;
  } level(w.index_depth);
  if (w.index_depth > kMostIndexDepth || w.Full()) return w.build.Int(w.choices.Below(length));
  if (length == 1 && w.choices.Percent(70)) return w.build.Int(0);
  if (w.choices.Percent(w.knobs.raw_indices)) {
    if (const ExprId e = RawIndex(w, length)) return e;
  }
  for (const LoopIndex& index : w.scope.indices) {
    if (index.high - index.low < static_cast<int64_t>(length) && w.choices.Percent(55)) return ByLoop(w, index, length);
  }
  switch (w.choices.Weighted({50, 20, 15, 15})) {
    case 1:
      if (std::has_single_bit(length)) {
        return w.build.Binary(BinaryOp::BitAnd, IntLeaf(w), w.build.Int(static_cast<int64_t>(length) - 1));
      }
      [[fallthrough]];
    case 2: {
      const TypeKind kind = w.choices.Coin() ? TypeKind::UInt : TypeKind::ULong;
      const ExprId dividend = w.build.Cast(w.program.types.Basic(kind), IntLeaf(w));
      return w.build.Binary(BinaryOp::Rem, dividend,
                            w.build.Constant(w.choices.Coin() ? TypeKind::UInt : TypeKind::Int, length));
    }
    case 3: {  // a variable that happens to be in range
      if (!w.Live() || w.scope.locals.empty()) break;
      const VarId var = w.choices.Pick(w.scope.locals);
      if (!lang::IsInteger(w.Kind(w.program.vars[var].type))) break;
      const ExprId e = w.build.Var(var);
      if (!IsPure(w.program, e)) break;
      const std::optional<machine::Value> value = w.Probe(e);
      if (value && *value < length) return e;
      break;
    }
    default: break;
  }
  return w.build.Int(w.choices.Below(length));
}

}  // namespace assay::gen
