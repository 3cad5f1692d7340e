#include "gen/hazards.hpp"

#include <algorithm>
#include <array>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/gnu.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Builtin;
using lang::IncDecOp;
using lang::Stmt;
using lang::Storage;
using lang::UnaryOp;
using K = knobs::Knobs;

TypeId Basic(Writer& w, TypeKind kind) { return w.program.types.Basic(kind); }

// target = value, for some visible object; or value alone.
void Keep(Writer& w, ExprId value) {
  if (lang::IsFloat(w.Kind(value))) value = w.build.Cast(w.program.types.Basic(TypeKind::Int), value);
  const ExprId target = IntLvalue(w, Access::Write);
  AppendExpr(w, target ? w.build.Assign(target, value) : value);
}

void AppendStatement(Writer& w, BlockId block, ExprId expr) { w.build.Append(block, w.build.ExprStatement(expr)); }

// An object of ours to play with.
VarId Fresh(Writer& w, TypeId type, ExprId value) { return DeclareLocal(w, type, w.build.InitExpr(value)); }
VarId FreshInteger(Writer& w) {
  const TypeId type = IntegerType(w);
  return Fresh(w, type, ConstantFor(w, type));
}

ExprId Read(Writer& w, ExprId lvalue) { return AsOperand(w, lvalue); }

// *p = e; or target = *p;
void Touch(Writer& w, ExprId lvalue) {
  if (w.choices.Percent(65)) {
    const TypeId type = w.program.types.Unqualified(w.program.exprs[lvalue].type);
    AppendExpr(w, w.build.Assign(lvalue, lang::IsFloat(w.Kind(type)) ? ConstantFor(w, type) : IntLeaf(w)));
  } else {
    Keep(w, Read(w, lvalue));
  }
}

// An array lvalue with integers that may be stored to, of a visible object; invalid if none was found.
ExprId IntegerArray(Writer& w, uint32_t* length) {
  for (int tries = 0; tries < 12; ++tries) {
    const bool local = !w.scope.locals.empty() && w.choices.Percent(50);
    const VarId var = w.choices.Pick(local ? w.scope.locals : w.program.globals);
    ExprId e = w.build.Var(var);
    lang::Type type = w.program.types[w.program.vars[var].type];
    if (type.kind != TypeKind::Array || w.program.vars[var].role != lang::VarRole::Plain ||
        !MayAccess(w, var, Access::Update))
      continue;
    while (w.Kind(type.element) == TypeKind::Array) {
      e = w.build.Index(e, w.build.Int(0));
      type = w.program.types[type.element];
    }
    const lang::Type element = w.program.types[type.element];
    if (!lang::IsInteger(element.kind) || (element.quals & lang::kConst) != 0) continue;
    *length = type.length;
    return e;
  }
  return {};
}

// A block of its own, closed.
BlockId AppendBlock(Writer& w) {
  Stmt stmt{.kind = StmtKind::Block};
  stmt.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(stmt));
  return stmt.body;
}

// --- The rows
// ---------------------------------------------------------------------------------------------------------

void NullAccess(Writer& w) {
  const TypeId type = IntegerType(w), pointer = w.program.types.Pointer(type);
  const VarId p = Fresh(w, pointer, w.build.NullPointer(pointer));
  Touch(w, w.choices.Coin() ? w.build.Deref(w.build.Var(p)) : w.build.Index(w.build.Var(p), IntLeaf(w)));
}

// T *p; { T x = e; p = &x; } *p = e;
void DanglingAccess(Writer& w) {
  const TypeId type = IntegerType(w);
  const VarId p = DeclareLocal(w, w.program.types.Pointer(type), {});
  const BlockId block = AppendBlock(w);
  const VarId x = w.build.Local(w.scope.function, type, Storage::Auto, w.build.InitExpr(ConstantFor(w, type)));
  w.build.Append(block, w.build.Decl(x));
  AppendStatement(w, block, w.build.Assign(w.build.Var(p), w.build.AddressOf(w.build.Var(x))));
  Touch(w, w.build.Deref(w.build.Var(p)));
}

void WildPointer(Writer& w) {
  const VarId p = DeclareLocal(w, w.program.types.Pointer(IntegerType(w)), {});
  Touch(w, w.build.Deref(w.build.Var(p)));
}

void Uninitialized(Writer& w) {
  const VarId var = DeclareLocal(w, IntegerType(w), {});
  Keep(w, w.build.Binary(BinaryOp::Add, w.build.Var(var), IntLeaf(w)));
}

// memcpy and memset of far more than is there.
void OversizedCopy(Writer& w) {
  const TypeId bytes = w.program.types.Array(Basic(w, TypeKind::UChar), 64 + w.choices.Below(60000));
  const TypeId pointer = w.program.types.Pointer(bytes), nothing = Basic(w, TypeKind::Void);
  const ExprId to = w.build.Cast(pointer, w.build.AddressOf(w.build.Var(FreshInteger(w))));
  if (w.choices.Percent(40)) {
    const std::array arguments = {to, w.build.Int(w.choices.Below(256))};
    AppendExpr(w, w.build.BuiltinCall(Builtin::Memset, nothing, bytes, arguments));
    return;
  }
  const ExprId from = w.build.Cast(pointer, w.build.AddressOf(w.build.Var(FreshInteger(w))));
  const std::array arguments = {to, from};
  AppendExpr(w, w.build.BuiltinCall(w.choices.Coin() ? Builtin::Memcpy : Builtin::Memmove, nothing, bytes, arguments));
}

// a[x], a[x * 1000003], a[-1 - (x & 3)]
void WildIndex(Writer& w) {
  uint32_t length = 0;
  const ExprId array = IntegerArray(w, &length);
  if (!array) return;
  ExprId index = IntLeaf(w);
  switch (w.choices.Below(4)) {
    case 0: index = w.build.Binary(BinaryOp::Mul, index, w.build.Int(1000003)); break;
    case 1:
      index = w.build.Binary(BinaryOp::Sub, w.build.Int(-1), w.build.Binary(BinaryOp::BitAnd, index, w.build.Int(3)));
      break;
    case 2:
      index = w.build.Binary(BinaryOp::Add, w.build.Binary(BinaryOp::BitAnd, index, w.build.Int(7)),
                             w.build.Int(static_cast<int64_t>(length)));
      break;
    default: break;
  }
  Touch(w, w.build.Index(array, index));
}

// for (i = 0; i <= n; i++) a[i] = e;
void OnePastLoop(Writer& w) {
  uint32_t length = 0;
  const ExprId array = IntegerArray(w, &length);
  if (!array) return;
  Stmt loop{.kind = StmtKind::For};
  loop.var = w.build.Local(w.scope.function, Basic(w, TypeKind::Int), Storage::Auto, w.build.InitExpr(w.build.Int(0)));
  w.BlockOf(loop.var) = w.scope.block;
  loop.expr = w.build.Binary(BinaryOp::Le, w.build.Var(loop.var), w.build.Int(static_cast<int64_t>(length)));
  loop.step = w.build.IncDec(IncDecOp::PostInc, w.build.Var(loop.var));
  loop.body = w.build.NewBlock(w.scope.function);
  const ExprId element = w.build.Index(array, w.build.Var(loop.var));
  const ExprId value = IntLeaf(w);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  AppendStatement(w, loop.body, w.build.Assign(element, value));
}

void ZeroDivisor(Writer& w) {
  const BinaryOp op = w.choices.Coin() ? BinaryOp::Div : BinaryOp::Rem;
  const ExprId dividend = IntLeaf(w);
  ExprId zero;
  switch (w.choices.Below(3)) {
    case 0: zero = w.build.Var(Fresh(w, Basic(w, TypeKind::Int), w.build.Int(0))); break;
    case 1: zero = w.build.Binary(BinaryOp::BitAnd, IntLeaf(w), w.build.Int(0)); break;
    default: {
      const VarId x = FreshInteger(w);
      zero = w.build.Binary(BinaryOp::Sub, w.build.Var(x), w.build.Var(x));
    }
  }
  Keep(w, w.build.Binary(op, dividend, zero));
}

void WildShift(Writer& w) {
  const ExprId shifted = IntLeaf(w);
  const VarId count =
      Fresh(w, Basic(w, TypeKind::Int), w.build.Int(w.choices.Coin() ? w.choices.Between(64, 163) : -1));
  Keep(w, w.build.Binary(w.choices.Coin() ? BinaryOp::Shl : BinaryOp::Shr, shifted, w.build.Var(count)));
}

void Overflow(Writer& w) {
  const TypeKind kind = w.choices.Coin() ? TypeKind::Int : TypeKind::Long;
  const VarId x = Fresh(w, Basic(w, kind), w.build.Constant(kind, w.IntInfo(kind).Max()));
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Mul, BinaryOp::Shl};
  const ExprId other = w.choices.Coin() ? w.build.Int(2) : w.build.Binary(BinaryOp::BitOr, IntLeaf(w), w.build.Int(2));
  Keep(w, w.build.Binary(kOps[w.choices.Below(3)], w.build.Var(x), other));
}

void EndlessLoop(Writer& w) {
  Stmt loop{.kind = StmtKind::For};
  if (w.knobs.stmt_while > 0 && w.choices.Coin()) loop.kind = StmtKind::While;
  const ExprId target = IntLvalue(w, Access::Write);
  const VarId same = w.choices.Coin() ? FreshInteger(w) : VarId{};  // a condition that never changes, or 1
  loop.expr = same ? w.build.Binary(BinaryOp::Eq, w.build.Var(same), w.build.Var(same)) : w.build.Int(1);
  loop.body = w.build.NewBlock(w.scope.function);
  w.build.Append(w.scope.block, w.build.Statement(loop));
  if (target && w.choices.Percent(70)) AppendStatement(w, loop.body, w.build.Assign(target, IntLeaf(w)));
}

// The function calls itself with its own parameters.
void EndlessRecursion(Writer& w) {
  const lang::Function function = w.program.functions[w.scope.function];
  const lang::Type type = w.program.types[function.type];
  if (w.scope.function == w.program.entry || (function.attrs & lang::kFnAlwaysInline) != 0 ||
      w.program.types.GetSignature(type.signature).variadic)
    return;
  std::vector<ExprId> arguments;
  for (VarId param : function.params) arguments.push_back(w.build.Var(param));
  const ExprId call = w.build.Call(w.scope.function, arguments);
  if (lang::IsInteger(w.Kind(type.element))) {
    Keep(w, call);
  } else {
    AppendExpr(w, call);
  }
}

// *(U *)&x = e;
void WrongType(Writer& w) {
  static constexpr TypeKind kKinds[] = {TypeKind::Short, TypeKind::LLong, TypeKind::Int, TypeKind::ULong};
  ExprId object = IntLvalue(w, Access::Write);
  if (!object || !MayTakeAddress(w, object) || w.program.types[w.program.exprs[object].type].quals != 0)
    object = w.build.Var(FreshInteger(w));
  const TypeId other = Basic(w, kKinds[w.choices.Below(4)]);
  Touch(w, w.build.Deref(w.build.Cast(w.program.types.Pointer(other), w.build.AddressOf(object))));
}

// *(T *)((char *)&x + 1) = e;
void Misaligned(Writer& w) {
  const TypeId type = Basic(w, w.choices.Coin() ? TypeKind::Int : TypeKind::LLong);
  const VarId x = Fresh(w, type, ConstantFor(w, type));
  const ExprId bytes =
      w.build.Cast(w.program.types.Pointer(Basic(w, TypeKind::Char)), w.build.AddressOf(w.build.Var(x)));
  const ExprId odd = w.build.Binary(BinaryOp::Add, bytes, w.build.Int(1 + w.choices.Below(3)));
  Touch(w, w.build.Deref(w.build.Cast(w.program.types.Pointer(type), odd)));
}

// x = x++ + ++x; and arguments that change one object.
void Unsequenced(Writer& w) {
  VarId x = FreshInteger(w);
  if (w.Kind(w.program.vars[x].type) == TypeKind::Bool) x = Fresh(w, Basic(w, TypeKind::Int), w.build.Int(1));
  const ExprId left = w.build.IncDec(IncDecOp::PostInc, w.build.Var(x));
  const ExprId right =
      w.choices.Coin() ? w.build.IncDec(IncDecOp::PreDec, w.build.Var(x)) : w.build.Assign(w.build.Var(x), IntLeaf(w));
  for (FunctionId id : w.program.function_order) {
    const lang::Function& function = w.program.functions[id];
    const lang::Type type = w.program.types[function.type];
    const std::vector<TypeId>& params = w.program.types.GetSignature(type.signature).params;
    if (id == w.program.entry || id == w.scope.function || w.Plan(id).helper || params.size() != 2) continue;
    if ((function.attrs & lang::kFnAlwaysInline) != 0 || !lang::IsInteger(w.Kind(params[0])) ||
        !lang::IsInteger(w.Kind(params[1])) || !w.choices.Coin())
      continue;
    const std::array arguments = {left, right};
    AppendExpr(w, w.build.Call(id, arguments));
    return;
  }
  AppendExpr(w, w.build.Assign(w.build.Var(x), w.build.Binary(BinaryOp::Add, left, right)));
}

void Free(Writer& w, ExprId pointer) {
  const std::array arguments = {pointer};
  AppendExpr(w, w.build.BuiltinCall(Builtin::Free, Basic(w, TypeKind::Void), {}, arguments));
}

void FreeLocal(Writer& w) { Free(w, w.build.AddressOf(w.build.Var(FreshInteger(w)))); }

// free(p); and again, or p is used.
void UseAfterFree(Writer& w) {
  const TypeId element = IntegerType(w), pointer = w.program.types.Pointer(element);
  const std::array arguments = {w.build.Int(1 + w.choices.Below(8))};
  const VarId p = Fresh(w, pointer, w.build.BuiltinCall(Builtin::Malloc, pointer, element, arguments));
  Free(w, w.build.Var(p));
  if (w.choices.Coin()) {
    Free(w, w.build.Var(p));
  } else {
    Touch(w, w.build.Deref(w.build.Var(p)));
  }
}

// goto L; int x = e; L: target = x;
void PastInitializer(Writer& w) {
  Stmt jump{.kind = StmtKind::Goto};
  jump.label = w.build.NewLabel();
  w.build.Append(w.scope.block, w.build.Statement(jump));
  const VarId x = FreshInteger(w);
  Stmt label{.kind = StmtKind::Label};
  label.label = jump.label;
  w.build.Append(w.scope.block, w.build.Statement(label));
  Keep(w, w.build.Binary(BinaryOp::BitXor, w.build.Var(x), IntLeaf(w)));
}

void StringStore(Writer& w) {
  const lang::StringId text = w.program.strings.Add("assay");
  AppendExpr(w, w.build.Assign(w.build.Index(w.build.String(text), w.build.Int(w.choices.Below(5))), IntLeaf(w)));
}

// *(T *)&x = e; with x const.
void ConstStore(Writer& w) {
  const TypeId type = IntegerType(w);
  const VarId x = Fresh(w, w.program.types.Qualified(type, lang::kConst), ConstantFor(w, type));
  const ExprId pointer = w.build.Cast(w.program.types.Pointer(type), w.build.AddressOf(w.build.Var(x)));
  AppendExpr(w, w.build.Assign(w.build.Deref(pointer), IntLeaf(w)));
}

// A call through a null pointer.
void NullCall(Writer& w) {
  if (w.signatures.empty()) return;
  const TypeId type = w.choices.Pick(w.signatures), pointer = w.program.types.Pointer(type);
  const VarId p = Fresh(w, pointer, w.build.NullPointer(pointer));
  const std::vector<TypeId> params = w.program.types.GetSignature(w.program.types[type].signature).params;
  std::vector<ExprId> arguments;
  for (TypeId param : params) arguments.push_back(ConstantFor(w, param));
  Keep(w, w.build.Call(w.build.Var(p), arguments));
}

// &x < &y, &x - &y, &x + 1000
void ForeignPointers(Writer& w) {
  const TypeId type = IntegerType(w);
  const VarId x = Fresh(w, type, ConstantFor(w, type)), y = Fresh(w, type, ConstantFor(w, type));
  const ExprId first = w.build.AddressOf(w.build.Var(x));
  switch (w.choices.Below(3)) {
    case 0: Keep(w, w.build.Binary(BinaryOp::Lt, first, w.build.AddressOf(w.build.Var(y)))); break;
    case 1: Keep(w, w.build.Binary(BinaryOp::Sub, first, w.build.AddressOf(w.build.Var(y)))); break;
    default: Touch(w, w.build.Deref(w.build.Binary(BinaryOp::Add, first, IntLeaf(w))));
  }
}

struct HazardRow {
  WriterId kind;
  void (*write)(Writer& w);
  int32_t K::*needs = nullptr;  // off if this knob is 0
};

constexpr std::array kHazards = {
    HazardRow{WriterId::NullAccess, NullAccess},
    HazardRow{WriterId::DanglingAccess, DanglingAccess},
    HazardRow{WriterId::WildPointer, WildPointer},
    HazardRow{WriterId::Uninitialized, Uninitialized},
    HazardRow{WriterId::OversizedCopy, OversizedCopy, &K::stmt_memory},
    HazardRow{WriterId::WildIndex, WildIndex},
    HazardRow{WriterId::OnePastLoop, OnePastLoop, &K::stmt_for},
    HazardRow{WriterId::ZeroDivisor, ZeroDivisor},
    HazardRow{WriterId::WildShift, WildShift},
    HazardRow{WriterId::Overflow, Overflow},
    HazardRow{WriterId::EndlessLoop, EndlessLoop, &K::stmt_for},
    HazardRow{WriterId::EndlessRecursion, EndlessRecursion, &K::recursion},
    HazardRow{WriterId::WrongType, WrongType},
    HazardRow{WriterId::MisalignedAccess, Misaligned},
    HazardRow{WriterId::UnsequencedStores, Unsequenced},
    HazardRow{WriterId::FreeLocal, FreeLocal, &K::heap},
    HazardRow{WriterId::UseAfterFree, UseAfterFree, &K::heap},
    HazardRow{WriterId::PastInitializer, PastInitializer, &K::stmt_goto_over},
    HazardRow{WriterId::StringStore, StringStore, &K::string_literals},
    HazardRow{WriterId::ConstStore, ConstStore, &K::const_objects},
    HazardRow{WriterId::NullCall, NullCall, &K::function_pointers},
    HazardRow{WriterId::ForeignPointers, ForeignPointers},
    HazardRow{WriterId::Unreachable, WriteUnreachable, &K::unreachable},
};
constexpr size_t kFirstHazard = static_cast<size_t>(kHazards.front().kind);
static_assert(AreInARow(kHazards));

// The hazards of bait: of the variables in its condition.

void BaitedIndex(Writer& w, const Bait& bait) {
  Touch(w, w.build.Index(w.build.Var(bait.array), w.build.Var(bait.var)));
}
void BaitedNull(Writer& w, const Bait& bait) { Touch(w, w.build.Deref(w.build.Var(bait.var))); }
void BaitedDivisor(Writer& w, const Bait& bait) {
  const BinaryOp op = w.choices.Coin() ? BinaryOp::Div : BinaryOp::Rem;
  Keep(w, w.build.Binary(op, IntLeaf(w), w.build.Var(bait.var)));
}
void BaitedShift(Writer& w, const Bait& bait) {
  Keep(w, w.build.Binary(w.choices.Coin() ? BinaryOp::Shl : BinaryOp::Shr, IntLeaf(w), w.build.Var(bait.var)));
}

bool IsPlainInteger(const Writer& w, VarId var) {
  const lang::Type type = w.program.types[w.program.vars[var].type];
  return lang::IsInteger(type.kind) && type.quals == 0 && w.program.vars[var].role == lang::VarRole::Plain &&
         MayAccess(w, var, Access::Read);
}

// A visible variable that the filter accepts.
template <typename Filter>
VarId PickVar(Writer& w, Filter&& filter) {
  for (int tries = 0; tries < 6; ++tries) {
    const bool local = !w.scope.locals.empty() && w.choices.Percent(60);
    const VarId var = w.choices.Pick(local ? w.scope.locals : w.program.globals);
    if (filter(var)) return var;
  }
  return {};
}

// The condition of bait, false now; invalid if it is not.
ExprId BaitCondition(Writer& w, Bait& bait) {
  const auto small = [&w](uint32_t value) { return w.build.Int(static_cast<int64_t>(value)); };
  const auto integer = [&w](VarId var) { return IsPlainInteger(w, var); };
  bait.kind = static_cast<Bait::Kind>(1 + w.choices.Weighted({30, 30, 20, 12, 8}));
  switch (bait.kind) {
    case Bait::Kind::Index: {
      bait.array = PickVar(w, [&w](VarId var) {
        const lang::Type type = w.program.types[w.program.vars[var].type];
        return type.kind == TypeKind::Array && lang::IsInteger(w.Kind(type.element)) &&
               MayAccess(w, var, Access::Update) && (w.program.types[type.element].quals & lang::kConst) == 0;
      });
      const bool loop = !w.scope.indices.empty() && w.choices.Percent(75);
      bait.var = loop ? w.choices.Pick(w.scope.indices).var : PickVar(w, integer);
      if (!bait.array || !bait.var || !IsPlainInteger(w, bait.var)) return {};
      const uint32_t length = w.program.types[w.program.vars[bait.array].type].length;
      if (w.choices.Percent(30)) return w.build.Binary(BinaryOp::Gt, w.build.Var(bait.var), small(length - 1));
      return w.build.Binary(BinaryOp::Ge, w.build.Var(bait.var), small(length));
    }
    case Bait::Kind::Null: {
      bait.var = PickVar(w, [&w](VarId var) {
        const lang::Type type = w.program.types[w.program.vars[var].type];
        if (type.kind != TypeKind::Pointer || type.quals != 0 || !MayAccess(w, var, Access::Read)) return false;
        const lang::Type pointee = w.program.types[type.element];
        return lang::IsInteger(pointee.kind) && (pointee.quals & lang::kConst) == 0;
      });
      if (!bait.var) return {};
      if (w.choices.Coin()) return w.build.Unary(UnaryOp::LogicalNot, w.build.Var(bait.var));
      return w.build.Binary(BinaryOp::Eq, w.build.Var(bait.var),
                            w.build.NullPointer(w.program.types.Unqualified(w.program.vars[bait.var].type)));
    }
    case Bait::Kind::Divisor:
      bait.var = PickVar(w, integer);
      if (!bait.var) return {};
      return w.choices.Coin() ? w.build.Unary(UnaryOp::LogicalNot, w.build.Var(bait.var))
                              : w.build.Binary(BinaryOp::Eq, w.build.Var(bait.var), w.build.Int(0));
    case Bait::Kind::Shift:
      bait.var = PickVar(w, integer);
      if (!bait.var) return {};
      return w.build.Binary(BinaryOp::Gt, w.build.Var(bait.var), small(w.choices.Coin() ? 63 : 31));
    case Bait::Kind::Any:
    case Bait::Kind::None: break;
  }
  return Condition(w, false);
}

}  // namespace

void DrawHazardRates(Writer& w) {
  for (const HazardRow& row : kHazards) {
    const bool off = w.choices.Percent(30) || (row.needs != nullptr && w.knobs.*(row.needs) == 0);
    w.weights[static_cast<size_t>(row.kind)] = off ? 0 : 1 + w.choices.Below(100);
  }
}

void WriteHazard(Writer& w) {
  std::array<uint32_t, kHazards.size()> weights;
  uint32_t total = 0;
  for (size_t i = 0; i < weights.size(); ++i) total += weights[i] = w.weights[kFirstHazard + i];
  if (total == 0) return;
  for (int tries = 0; tries < 4; ++tries) {
    DrawStatementPolicy(w);
    const HazardRow& row = kHazards[w.choices.Weighted(weights)];
    if (WriteStatementRow(w, row.kind, row.write)) return;
  }
}

void WriteBaitedHazard(Writer& w, const Bait& bait) {
  switch (bait.kind) {
    case Bait::Kind::Index: return BaitedIndex(w, bait);
    case Bait::Kind::Null: return BaitedNull(w, bait);
    case Bait::Kind::Divisor: return BaitedDivisor(w, bait);
    case Bait::Kind::Shift: return BaitedShift(w, bait);
    case Bait::Kind::Any:
    case Bait::Kind::None: return WriteHazard(w);
  }
}

void WriteBait(Writer& w) {
  if (w.knobs.dead_hazards == 0) return;
  Bait bait;
  Stmt stmt{.kind = StmtKind::If};
  stmt.expr = BaitCondition(w, bait);
  if (!stmt.expr) return;
  if (w.Live()) {
    const std::optional<machine::Value> value = IsPure(w.program, stmt.expr) ? w.Probe(stmt.expr) : std::nullopt;
    if (!value || *value != 0) return;
  }
  stmt.body = OpenBlock(w, 1 + w.choices.Below(2));
  w.Plan(stmt.body).bait = bait;
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

}  // namespace assay::gen
