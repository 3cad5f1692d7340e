#include "gen/memory.hpp"

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

using lang::Builtin;
using lang::IncDecOp;
using lang::Stmt;

ExprId BuiltinExpr(Writer& w, Builtin builtin, TypeId type, TypeId ref_type, std::initializer_list<ExprId> arguments) {
  return w.build.BuiltinCall(builtin, type, ref_type, std::vector<ExprId>(arguments));
}

// for (index = 0; index < count; index++) base[index] = value; as a closed loop. `base` makes the array or pointer
// anew.
template <typename Base>
void AppendFill(Writer& w, uint32_t count, TypeId element, Base&& base) {
  const VarId index = w.build.Temporary(w.scope.function, w.program.types.Basic(TypeKind::Int));
  Stmt loop{.kind = StmtKind::For};
  loop.init = w.build.Assign(w.build.Var(index), w.build.Int(0));
  loop.expr = w.build.Binary(BinaryOp::Lt, w.build.Var(index), w.build.Int(count));
  loop.step = w.build.IncDec(IncDecOp::PostInc, w.build.Var(index));
  loop.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  const ExprId target = w.build.Index(base(), w.build.Var(index));
  // Also a floating element's: the sum of a constant of its type and what converts to it.
  const TypeId added = lang::IsFloat(w.Kind(element)) ? element : w.program.types.Basic(TypeKind::UInt);
  const ExprId value = w.build.Binary(BinaryOp::Add, ConstantFor(w, element), w.build.Cast(added, w.build.Var(index)));
  w.build.Append(loop.body, w.build.ExprStatement(w.build.Assign(target, value)));
}

// Whether every scalar in the type is an integer (and not _Bool, whose bytes are not all valid).
bool IntegersOnly(Writer& w, TypeId type) {
  const lang::Type t = w.program.types[type];
  if (t.kind == TypeKind::Bool || (t.quals & lang::kVolatile) != 0) return false;
  if (lang::IsInteger(t.kind)) return true;
  if (t.kind == TypeKind::Array) return IntegersOnly(w, t.element);
  if (!lang::IsRecord(t.kind)) return false;
  for (const lang::Member& member : w.program.types.GetRecord(t.record).members) {
    if (member.named && !IntegersOnly(w, member.type)) return false;
  }
  return true;
}

// Where a bit-field lies in its bytes is up to the compiler.
bool HasBitFields(Writer& w, TypeId type) {
  const lang::Type t = w.program.types[type];
  if (t.kind == TypeKind::Array) return HasBitFields(w, t.element);
  if (!lang::IsRecord(t.kind)) return false;
  for (const lang::Member& member : w.program.types.GetRecord(t.record).members) {
    if (member.IsBitField() || HasBitFields(w, member.type)) return true;
  }
  return false;
}

// A whole array or record variable (a plain name), not const, not volatile, whose type the filter accepts.
template <typename Filter>
VarId PickAggregate(Writer& w, Filter&& filter) {
  std::vector<VarId> candidates;
  auto consider = [&](VarId var) {
    const lang::Variable& v = w.program.vars[var];
    const TypeKind kind = w.Kind(v.type);
    if (v.role != lang::VarRole::Plain || v.storage == lang::Storage::Register || w.Use(var) != VarUse::Mixed) return;
    if (kind != TypeKind::Array && !lang::IsRecord(kind)) return;
    if (lang::HasQualifier(w.program, v.type, lang::kConst | lang::kVolatile) || !filter(var)) return;
    candidates.push_back(var);
  };
  for (VarId var : w.program.globals) consider(var);
  for (VarId var : w.scope.locals) consider(var);
  return candidates.empty() ? VarId{} : w.choices.Pick(candidates);
}

ExprId AddressOfVar(Writer& w, VarId var) { return w.build.AddressOf(w.build.Var(var)); }

// A variadic function: folds its arguments of one promoted type into an unsigned number.
FunctionId NewVariadic(Writer& w, TypeKind kind) {
  lang::TypeTable& types = w.program.types;
  const TypeId result = types.Basic(TypeKind::ULong), argument = types.Basic(kind),
               integer = types.Basic(TypeKind::Int);
  const FunctionId id = w.build.Function(types.Function(result, {integer}, true));
  w.Plan(id).done = w.Plan(id).entered = true;
  w.Plan(id).va_type = argument;
  const BlockId body = w.program.functions[id].body;
  const VarId count = w.program.functions[id].params.front();
  const VarId list = w.build.Local(id, types.Basic(TypeKind::VaList));
  const VarId sum = w.build.Local(id, result, lang::Storage::Auto,
                                  w.build.InitExpr(w.build.Int(static_cast<int64_t>(w.choices.Below(100)))));
  w.build.Append(body, w.build.Decl(list));
  w.build.Append(body, w.build.Decl(sum));
  const TypeId nothing = types.Basic(TypeKind::Void);
  w.build.Append(body, w.build.ExprStatement(BuiltinExpr(w, Builtin::VaStart, nothing, {}, {w.build.Var(list)})));
  Stmt loop{.kind = StmtKind::For};
  loop.expr = w.build.Binary(BinaryOp::Gt, w.build.IncDec(IncDecOp::PostDec, w.build.Var(count)), w.build.Int(0));
  loop.body = w.build.NewBlock(id);
  w.build.Append(body, w.build.Statement(loop));
  const ExprId next = BuiltinExpr(w, Builtin::VaArg, argument, argument, {w.build.Var(list)});
  static constexpr BinaryOp kFolds[] = {BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub};
  const ExprId scaled = w.build.Binary(BinaryOp::Mul, w.build.Var(sum), w.build.Constant(TypeKind::ULong, 3));
  const BinaryOp fold = kFolds[w.choices.Below(3)];
  // A double becomes an integer first; the arguments are small.
  const ExprId term = kind == TypeKind::Double ? w.build.Cast(types.Basic(TypeKind::LLong), next) : next;
  const ExprId folded = w.build.Binary(fold, scaled, term);
  w.build.Append(loop.body, w.build.ExprStatement(w.build.Assign(w.build.Var(sum), folded)));
  w.build.Append(body, w.build.ExprStatement(BuiltinExpr(w, Builtin::VaEnd, nothing, {}, {w.build.Var(list)})));
  Stmt stmt{.kind = StmtKind::Return};
  stmt.expr = w.build.Var(sum);
  w.build.Append(body, w.build.Statement(stmt));
  return id;
}

}  // namespace

void WriteHeap(Writer& w) {
  const TypeId element = NumberType(w);
  const TypeId pointer = w.program.types.Pointer(element);
  const uint32_t count = 1 + w.choices.Below(8);
  const bool zeroed = w.choices.Coin();
  const ExprId allocation =
      BuiltinExpr(w, zeroed ? Builtin::Calloc : Builtin::Malloc, pointer, element, {w.build.Int(count)});
  const VarId var = DeclareLocal(w, pointer, w.build.InitExpr(allocation));
  if (!zeroed) AppendFill(w, count, element, [&] { return w.build.Var(var); });
  Stmt stmt{.kind = StmtKind::Block};
  stmt.body = OpenBlock(w, 1 + w.choices.Below(4));
  w.Plan(stmt.body).kept = var;
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  // An element goes to an object that stays, so that the heap matters.
  const ExprId target =
      lang::IsFloat(w.Kind(element)) ? LvalueOfType(w, element, Access::Write) : IntLvalue(w, Access::Write);
  if (target) {
    AppendExpr(w, w.build.Assign(target, w.build.Index(w.build.Var(var), w.build.Int(w.choices.Below(count)))));
  }
  const TypeId nothing = w.program.types.Basic(TypeKind::Void);
  AppendExpr(w, BuiltinExpr(w, Builtin::Free, nothing, {}, {w.build.Var(var)}));
  AppendExpr(w, w.build.Assign(w.build.Var(var), w.build.NullPointer(pointer)));
}

void WriteVla(Writer& w) {
  const TypeId element = NumberType(w);
  const uint32_t least = 1 + w.choices.Below(8);
  const VarId var = w.build.Local(w.scope.function, w.program.types.Vla(element));
  // Written as (e & mask) + least: access.cpp reads `least` back from the tree.
  w.program.vars[var].vla_length =
      w.build.Binary(BinaryOp::Add, w.build.Binary(BinaryOp::BitAnd, IntLeaf(w), w.build.Int(3)), w.build.Int(least));
  w.build.Append(w.scope.block, w.build.Decl(var));
  AppendFill(w, least, element, [&] { return w.build.Var(var); });
  Declare(w, w.scope.block, var);
}

bool WriteMemory(Writer& w) {
  const TypeId nothing = w.program.types.Basic(TypeKind::Void);
  const TypeId integer = w.program.types.Basic(TypeKind::Int);
  const uint32_t choice = w.choices.Weighted({40, 15, 30, 15});
  if (choice == 2) {
    const VarId var = PickAggregate(w, [&](VarId v) { return IntegersOnly(w, w.program.vars[v].type); });
    if (!var) return false;
    const TypeId type = w.program.vars[var].type;
    uint32_t value = w.choices.Percent(50) ? 0 : w.choices.Below(256);
    if (value != 0 && HasBitFields(w, type)) value = 255;
    const ExprId byte = w.build.Int(value);
    AppendExpr(w, BuiltinExpr(w, Builtin::Memset, nothing, type, {AddressOfVar(w, var), byte}));
    return true;
  }
  const VarId a = PickAggregate(w, [&](VarId v) {
    return choice != 3 || (IntegersOnly(w, w.program.vars[v].type) && !HasBitFields(w, w.program.vars[v].type) &&
                           !w.layouts.HasPadding(w.program.vars[v].type));
  });
  if (!a) return false;
  const TypeId type = w.program.vars[a].type;
  VarId b = PickAggregate(w, [&](VarId v) { return v != a && w.program.vars[v].type == type; });
  if (!b) {
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) return false;
    if (4 * Meter(w.program).Check(type) > w.TokensLeft()) return false;
    b = NewGlobal(w, type);
  }
  if (choice == 3) {
    const ExprId target = IntLvalue(w, Access::Write);
    if (!target) return false;
    AppendExpr(w, w.build.Assign(target, BuiltinExpr(w, Builtin::Memcmp, integer, type,
                                                     {AddressOfVar(w, a), AddressOfVar(w, b)})));
    return true;
  }
  AppendExpr(w, BuiltinExpr(w, choice == 0 ? Builtin::Memcpy : Builtin::Memmove, nothing, type,
                            {AddressOfVar(w, a), AddressOfVar(w, b)}));
  return true;
}

void WriteVariadic(Writer& w) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,   TypeKind::UInt,  TypeKind::Long,
                                        TypeKind::ULong, TypeKind::LLong, TypeKind::ULLong};
  std::vector<FunctionId> existing;
  for (FunctionId id : w.program.function_order) {
    const lang::Type type = w.program.types[w.program.functions[id].type];
    if (w.program.types.GetSignature(type.signature).variadic) existing.push_back(id);
  }
  const bool floating = w.knobs.floats > 0 && w.choices.Percent(25);
  const TypeKind kind = floating ? TypeKind::Double : kKinds[w.choices.Below(6)];
  const FunctionId id = existing.size() < 2 && w.choices.Percent(60) ? NewVariadic(w, kind)
                        : existing.empty()                           ? FunctionId{}
                                                                     : w.choices.Pick(existing);
  const ExprId target = IntLvalue(w, Access::Write);
  if (!id || !target) return;
  const TypeId argument = w.Plan(id).va_type;
  const uint32_t count = w.choices.Below(6);
  std::vector<ExprId> arguments = {w.build.Int(count)};
  for (uint32_t i = 0; i < count; ++i)
    arguments.push_back(lang::IsFloat(w.Kind(argument)) ? SmallFloat(w, 1) : w.build.Cast(argument, IntExpr(w, 1)));
  AppendExpr(w, w.build.Assign(target, w.build.Call(id, arguments)));
}

}  // namespace assay::gen
