#include "gen/gnu.hpp"

#include "gen/access.hpp"
#include "gen/control.hpp"
#include "gen/expr.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::BarrierKind;
using lang::Builtin;
using lang::Stmt;
using lang::UnaryOp;

TypeId Basic(Writer& w, TypeKind kind) { return w.program.types.Basic(kind); }

ExprId Call(Writer& w, Builtin builtin, TypeId type, std::initializer_list<ExprId> arguments, TypeId ref_type = {}) {
  return w.build.BuiltinCall(builtin, type, ref_type, std::vector<ExprId>(arguments));
}

// An integer that is neither _Bool nor an enum.
bool IsPlainKind(TypeKind kind) { return lang::IsInteger(kind) && kind != TypeKind::Bool && kind != TypeKind::Enum; }

// An integer object that a builtin may store into.
ExprId ResultPlace(Writer& w, Access access) {
  for (int tries = 0; tries < 6; ++tries) {
    const ExprId place = IntLvalue(w, access);
    if (!place || !MayTakeAddress(w, place) || !IsPlainKind(w.Kind(place))) continue;
    if (!lang::HasQualifier(w.program, w.program.exprs[place].type, lang::kVolatile | lang::kConst)) return place;
  }
  return {};
}

ExprId Operand(Writer& w, const Want& want) { return AsOperand(w, Expression(w, want)); }

ExprId Expected(Writer& w, ExprId value, int64_t expected) {
  const TypeId type = Basic(w, TypeKind::Long);
  const ExprId constant = w.build.Int(expected);
  if (w.choices.Percent(75)) return Call(w, Builtin::Expect, type, {value, constant});
  static constexpr uint32_t kPercents[] = {0, 1, 10, 50, 75, 90, 99, 100};
  const ExprId percent = w.build.Int(kPercents[w.choices.Below(std::size(kPercents))]);
  return Call(w, Builtin::ExpectProbability, type, {value, constant, percent});
}

// A global that holds an integer for ever: reading it never fails.
VarId IntegerGlobal(Writer& w) {
  for (int tries = 0; tries < 10; ++tries) {
    const VarId var = w.choices.Pick(w.program.globals);
    const lang::Type type = w.program.types[w.program.vars[var].type];
    if (!lang::IsInteger(type.kind) || type.quals != 0 || w.program.vars[var].role != lang::VarRole::Plain) continue;
    if (MayAccess(w, var, Access::Read)) return var;
  }
  return {};
}

// The same value in other words; mostly, and where it is not the machine says so (TrapKind::EitherWay).
ExprId InOtherWords(Writer& w, BinaryOp op, ExprId a, ExprId b) {
  const auto copy = [&](ExprId e) { return w.build.CopyTree(e); };
  const auto whole = [&] { return w.build.Binary(op, copy(a), copy(b)); };
  const auto inverse = [&](ExprId e) { return w.build.Unary(UnaryOp::BitNot, e); };
  switch (w.choices.Weighted({30, 25, 25, 20})) {
    case 1: return inverse(inverse(whole()));
    case 2: {
      const ExprId constant = w.build.Int(static_cast<int64_t>(w.choices.Below(1000)));
      return w.build.Binary(BinaryOp::BitXor, w.build.Binary(BinaryOp::BitXor, whole(), constant), copy(constant));
    }
    case 3:
      if (op == BinaryOp::BitXor) return w.build.Binary(op, copy(b), copy(a));
      return inverse(w.build.Binary(op == BinaryOp::BitAnd ? BinaryOp::BitOr : BinaryOp::BitAnd, inverse(copy(a)),
                                    inverse(copy(b))));
    default: return whole();
  }
}

}  // namespace

void WriteChecked(Writer& w) {
  static constexpr Builtin kBuiltins[] = {Builtin::AddOverflow, Builtin::SubOverflow, Builtin::MulOverflow};
  const ExprId place = ResultPlace(w, Access::Write);
  if (!place) return;
  const Want want = Want::Integer(DrawDepth(w) - 1);
  const ExprId a = Operand(w, want), b = Operand(w, want);
  const ExprId call = Call(w, kBuiltins[w.choices.Below(std::size(kBuiltins))], Basic(w, TypeKind::Bool),
                           {a, b, w.build.AddressOf(place)});
  if (w.choices.Percent(40)) {
    Stmt stmt{.kind = lang::StmtKind::If, .expr = call};
    stmt.body = OpenBlock(w, DrawLength(w));
    w.build.Append(w.scope.block, w.build.Statement(stmt));
    return;
  }
  const ExprId target = w.choices.Percent(75) ? IntLvalue(w, Access::Write) : ExprId();
  AppendExpr(w, target ? w.build.Assign(target, call) : call);
}

void WriteAtomic(Writer& w) {
  static constexpr Builtin kBuiltins[] = {Builtin::AtomicLoad,     Builtin::AtomicStore,    Builtin::AtomicExchange,
                                          Builtin::AtomicFetchAdd, Builtin::AtomicFetchSub, Builtin::AtomicFetchAnd,
                                          Builtin::AtomicFetchOr,  Builtin::AtomicFetchXor, Builtin::AtomicFetchNand,
                                          Builtin::AtomicAddFetch, Builtin::AtomicXorFetch, Builtin::SyncFetchAdd,
                                          Builtin::SyncFetchSub,   Builtin::SyncSwap,       Builtin::SyncCompareSwap};
  const ExprId place = ResultPlace(w, Access::Update);
  if (!place) return;
  const TypeId type = w.program.types.Unqualified(w.program.exprs[place].type);
  if (w.layouts.SizeOf(type) > w.layouts.SizeOf(w.program.types.Pointer(type))) return;
  const Builtin builtin = kBuiltins[w.choices.Below(std::size(kBuiltins))];
  const uint32_t count = lang::Info(builtin).arguments;
  std::vector<ExprId> arguments = {ExprId()};
  for (uint32_t i = 1; i < count; ++i) {
    // What is compared with is often what is there.
    const bool same = builtin == Builtin::SyncCompareSwap && i == 1 && w.choices.Coin();
    arguments.push_back(same ? w.build.CopyTree(place) : Operand(w, Want::Integer(DrawDepth(w) - 1)));
  }
  arguments.front() = w.build.AddressOf(place);
  const bool value = lang::Info(builtin).result == lang::BuiltinResult::Pointee;
  const ExprId call = w.build.BuiltinCall(builtin, value ? type : Basic(w, TypeKind::Void), {}, arguments);
  const ExprId target = value && w.choices.Percent(75) ? IntLvalue(w, Access::Write) : ExprId();
  AppendExpr(w, target ? w.build.Assign(target, call) : call);
}

void WriteBarrier(Writer& w) {
  const auto kind = static_cast<BarrierKind>(w.choices.Weighted({15, 25, 10, 15, 8, 10, 7, 10}));
  Stmt stmt{.kind = lang::StmtKind::Barrier};
  stmt.value = static_cast<int64_t>(kind);
  if (kind != BarrierKind::Memory) {
    const ExprId place = w.choices.Percent(30) ? PointerLvalue(w, false) : IntLvalue(w, Access::Update);
    if (!place || lang::BitWidthOf(w.program, place) >= 0 || IsLane(w.program, place)) return;
    const TypeId type = w.program.exprs[place].type;
    if (w.program.types[type].quals != 0 || (w.Live() && !w.Probe(place))) return;
    if (lang::NeedsPlace(kind) && !MayTakeAddress(w, place)) return;
    if (lang::NeedsRegister(kind) && w.layouts.SizeOf(type) > w.layouts.SizeOf(w.program.types.Pointer(type))) return;
    stmt.expr = place;
  }
  w.build.Append(w.scope.block, w.build.Statement(stmt));
}

ExprId OverflowTest(Writer& w, const Want& want) {
  static constexpr Builtin kBuiltins[] = {Builtin::AddOverflowP, Builtin::SubOverflowP, Builtin::MulOverflowP};
  const ExprId a = Operand(w, want.Share(w)), b = Operand(w, want);
  TypeId type = IntegerType(w);
  if (!IsPlainKind(w.Kind(type))) type = Basic(w, TypeKind::Int);
  return Call(w, kBuiltins[w.choices.Below(std::size(kBuiltins))], Basic(w, TypeKind::Bool),
              {a, b, w.build.Cast(type, w.build.Int(0))});
}

ExprId ExpectedValue(Writer& w, const Want& want) { return Expected(w, Operand(w, want), w.choices.Between(-2, 10)); }

ExprId ExpectedCondition(Writer& w, const Want& want) {
  Want inner = Want::Condition(want.truth, want.depth);
  inner.limit = want.limit;
  const ExprId condition = Expression(w, inner);
  return lang::IsInteger(w.Kind(condition)) ? Expected(w, AsOperand(w, condition), w.choices.Below(2)) : condition;
}

ExprId EitherValue(Writer& w, const Want&) {
  const VarId x = IntegerGlobal(w), y = IntegerGlobal(w);
  if (!x || !y) return IntLeaf(w);
  static constexpr BinaryOp kOps[] = {BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor};
  const BinaryOp op = kOps[w.choices.Below(std::size(kOps))];
  const ExprId a = w.build.Var(x), b = w.choices.Percent(60) ? w.build.Var(y) : w.build.Int(w.choices.Between(-9, 99));
  const ExprId other = InOtherWords(w, op, a, b), value = w.build.Binary(op, a, b);
  const TypeId type = Basic(w, lang::PromotedKind(w.program, value));
  if (w.choices.Percent(70)) {
    const ExprId asked = w.choices.Coin() ? w.build.CopyTree(value) : w.build.Var(x);
    return Call(w, Builtin::ConstantP, type, {asked, value, other});
  }
  return Call(w, Builtin::ObjectSize, type, {w.build.AddressOf(w.build.Var(y)), value, other});
}

ExprId MaybeAligned(Writer& w, ExprId pointer) {
  if (!w.choices.Percent(w.knobs.assume_aligned)) return pointer;
  const lang::Type type = w.program.types[w.program.exprs[pointer].type];
  if (type.kind != TypeKind::Pointer || !lang::IsObjectType(w.program, type.element)) return pointer;
  uint32_t alignment = w.layouts.Of(type.element).align;
  while (alignment > 1 && w.choices.Percent(25)) alignment /= 2;
  const TypeId result = w.program.types.Pointer(type.element);
  return Call(w, Builtin::AssumeAligned, result, {pointer, w.build.Int(alignment)}, type.element);
}

void WriteUnreachable(Writer& w) {
  AppendExpr(w, Call(w, w.choices.Percent(80) ? Builtin::Unreachable : Builtin::Trap, Basic(w, TypeKind::Void), {}));
}

}  // namespace assay::gen
