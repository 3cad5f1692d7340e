#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/memory.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::IncDecOp;
using lang::Stmt;

// A global array of integers, neither const nor volatile, other than `not_this`, of the element type if one is given.
VarId PickArray(Writer& w, TypeId element, VarId not_this) {
  std::vector<VarId> candidates;
  for (VarId var : w.program.globals) {
    const lang::Type array = w.program.types[w.program.vars[var].type];
    if (var == not_this || w.Use(var) != VarUse::Mixed || array.kind != TypeKind::Array || array.length < 2) continue;
    const lang::Type of = w.program.types[array.element];
    if (!lang::IsInteger(of.kind) || of.kind == TypeKind::Bool || of.quals != 0) continue;
    if (element && array.element != element) continue;
    candidates.push_back(var);
  }
  return candidates.empty() ? VarId{} : w.choices.Pick(candidates);
}

// static void f(T *restrict a, const T *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = a[i] op b[i] op c; }
FunctionId NewKernel(Writer& w, TypeId element) {
  lang::TypeTable& types = w.program.types;
  const TypeId to = types.Pointer(element, lang::kRestrict);
  const TypeId from = types.Pointer(types.Qualified(element, lang::kConst), lang::kRestrict);
  const TypeId integer = types.Basic(TypeKind::Int);
  const FunctionId id = w.build.Function(types.Function(types.Basic(TypeKind::Void), {to, from, integer}));
  w.Plan(id).helper = w.Plan(id).entered = w.Plan(id).done = true;
  const lang::Function function = w.program.functions[id];
  const VarId index = w.build.Local(id, integer, lang::Storage::Auto, w.build.InitExpr(w.build.Int(0)));
  Stmt loop{.kind = StmtKind::For};
  loop.var = index;
  loop.expr = w.build.Binary(BinaryOp::Lt, w.build.Var(index), w.build.Var(function.params[2]));
  loop.step = w.build.IncDec(IncDecOp::PostInc, w.build.Var(index));
  loop.body = w.build.NewBlock(id);
  w.build.Append(function.body, w.build.Statement(loop));
  auto at = [&](size_t param) { return w.build.Index(w.build.Var(function.params[param]), w.build.Var(index)); };
  static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Sub,   BinaryOp::BitXor,
                                      BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::Mul};
  const BinaryOp op = kOps[w.choices.Below(6)];
  const ExprId first = at(w.choices.Coin() ? 0 : 1);
  ExprId value = w.build.Binary(op, first, at(1));
  if (w.choices.Percent(60)) {
    const BinaryOp second = kOps[w.choices.Below(5)];
    value = w.build.Binary(second, value, ConstantFor(w, element));
  }
  w.build.Append(loop.body, w.build.ExprStatement(w.build.Assign(at(0), value)));
  return id;
}

// for (T *p = a; p < a + n; p += s) *p = *p op e;   or downwards:   for (T *p = a + n; p > a; p -= s) p[-1] = …
void WriteWalk(Writer& w, VarId array, TypeId element, uint32_t length) {
  const bool down = w.choices.Percent(30);
  const uint32_t stride = w.choices.Percent(60) ? 1 : 1 + w.choices.Below(3);
  const uint32_t count = (1 + w.choices.Below(length / stride > 0 ? length / stride : 1)) * stride;
  if (count > length) return;
  const auto end = [&] { return w.build.Binary(BinaryOp::Add, w.build.Var(array), w.build.Int(count)); };
  const TypeId pointer = w.program.types.Pointer(element);
  const VarId p = w.build.Local(w.scope.function, pointer, lang::Storage::Auto,
                                w.build.InitExpr(down ? end() : w.build.Var(array)));
  const auto at = [&] { return down ? w.build.Index(w.build.Var(p), w.build.Int(-1)) : w.build.Deref(w.build.Var(p)); };
  Stmt loop{.kind = StmtKind::For};
  loop.var = p;
  loop.expr = down ? w.build.Binary(BinaryOp::Gt, w.build.Var(p), w.build.Var(array))
                   : w.build.Binary(BinaryOp::Lt, w.build.Var(p), end());
  if (stride == 1) {
    loop.step = w.build.IncDec(down ? IncDecOp::PreDec : IncDecOp::PostInc, w.build.Var(p));
  } else {
    loop.step = w.build.CompoundAssign(down ? BinaryOp::Sub : BinaryOp::Add, w.build.Var(p), w.build.Int(stride));
  }
  loop.body = w.build.NewBlock(w.scope.function);
  const BinaryOp op = CompoundOperator(w);
  const ExprId value = IntLeaf(w);
  const ExprId update = w.choices.Coin() ? w.build.CompoundAssign(op, at(), value)
                                         : w.build.Assign(at(), w.build.Binary(op, at(), value));
  w.build.Append(loop.body, w.build.ExprStatement(update));
  w.build.Append(w.scope.block, w.build.Statement(loop));
}

}  // namespace

void WriteKernel(Writer& w) {
  const VarId to = PickArray(w, {}, {});
  if (!to) return;
  const lang::Type array = w.program.types[w.program.vars[to].type];
  if (w.choices.Percent(40)) return WriteWalk(w, to, array.element, array.length);
  VarId from = PickArray(w, array.element, to);
  if (!from) {
    const TypeId type = w.program.vars[to].type;
    if (w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes)) return;
    from = NewGlobal(w, type);
  }
  const uint32_t length = std::min(array.length, w.program.types[w.program.vars[from].type].length);
  const uint32_t count = 1 + w.choices.Below(length);
  const std::array<ExprId, 3> arguments = {w.build.Var(to), w.build.Var(from), w.build.Int(count)};
  const FunctionId kernel = NewKernel(w, array.element);
  AppendExpr(w, w.build.Call(kernel, arguments));
}

}  // namespace assay::gen
