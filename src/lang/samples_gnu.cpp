// What GNU C adds to builtins, statements and functions.
#include "lang/attributes.hpp"
#include "lang/sample_maker.hpp"

namespace assay::lang {
namespace {

ExprId Use(Maker& m, Builtin builtin, TypeId type, std::initializer_list<ExprId> arguments, TypeId ref_type = {}) {
  return m.b.BuiltinCall(builtin, type, ref_type, std::span<const ExprId>(arguments.begin(), arguments.size()));
}

ExprId LLong(Maker& m, int64_t value) { return m.b.Constant(TypeKind::LLong, static_cast<uint64_t>(value)); }

// Whether it fits, and what is stored.
void Checked(Maker& m) {
  const TypeId truth = m.Basic(TypeKind::Bool);
  const auto check = [&](Builtin builtin, ExprId a, ExprId b, TypeKind kind, bool beyond, int64_t kept) {
    const VarId place = m.b.Global(m.Basic(kind));
    m.Expect(place, {}, kept);
    m.StoreInt(Use(m, builtin, truth, {a, b, m.b.AddressOf(m.b.Var(place))}), beyond);
  };
  check(Builtin::AddOverflow, m.b.Int(100), m.b.Int(27), TypeKind::SChar, false, 127);
  check(Builtin::AddOverflow, m.b.Int(100), m.b.Int(28), TypeKind::SChar, true, -128);
  check(Builtin::AddOverflow, LLong(m, INT64_MAX), m.b.Int(1), TypeKind::ULLong, false, INT64_MIN);
  check(Builtin::AddOverflow, m.b.Constant(TypeKind::ULLong, ~uint64_t{0}), m.b.Int(-1), TypeKind::Int, true, -2);
  check(Builtin::SubOverflow, m.b.Int(1), m.b.Int(2), TypeKind::UInt, true, 0xffffffff);
  check(Builtin::SubOverflow, m.b.Constant(TypeKind::UInt, 1), m.b.Constant(TypeKind::UInt, 2), TypeKind::Int, false,
        -1);
  check(Builtin::MulOverflow, LLong(m, INT64_MIN), m.b.Int(-1), TypeKind::LLong, true, INT64_MIN);
  const auto most = [&] { return m.b.Constant(TypeKind::ULLong, ~uint64_t{0}); };
  check(Builtin::MulOverflow, most(), most(), TypeKind::ULLong, true, 1);
  check(Builtin::MulOverflow, m.b.Int(-7), m.b.Int(6), TypeKind::Short, false, -42);
}

// A switch with a range of cases, for values around it.
void CaseRange(Maker& m) {
  Builder& b = m.b;
  for (int value : {-4, -3, 2, 3}) {
    const VarId chosen = b.Global(m.Basic(TypeKind::Int));
    m.Expect(chosen, {}, value >= -3 && value <= 2 ? 1 : 0);
    Stmt stmt = m.Of(StmtKind::Switch);
    stmt.expr = b.Int(value);
    stmt.body = b.NewBlock(m.entry);
    b.Append(m.body, b.Statement(stmt));
    Stmt label = m.Of(StmtKind::Case);
    label.value = -3;
    label.span = 5;
    b.Append(stmt.body, b.Statement(label));
    b.Append(stmt.body, b.ExprStatement(b.Assign(b.Var(chosen), b.Int(1))));
  }
}

}  // namespace

Sample GnuBuiltinSample() {
  Maker m("gnu builtins");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int), long_type = m.Basic(TypeKind::Long),
               pointer = types.Pointer(int_type);
  Checked(m);
  const VarId x = m.IntLocal(13);
  m.StoreInt(Use(m, Builtin::Expect, long_type, {b.Var(x), b.Int(0)}), 13);
  m.StoreInt(b.SizeofExpr(Use(m, Builtin::Expect, long_type, {b.Var(x), b.Int(0)})), 8);
  m.StoreInt(Use(m, Builtin::ExpectProbability, long_type, {b.Var(x), b.Int(1), b.Int(5)}), 13);
  m.StoreInt(Use(m, Builtin::ExpectProbability, long_type, {b.Var(x), b.Int(1), b.Int(100)}), 13);
  const ExprId aligned = Use(m, Builtin::AssumeAligned, pointer, {b.AddressOf(b.Var(x)), b.Int(4)}, int_type);
  m.StoreInt(b.Deref(aligned), 13);
  const auto twice = [&] { return b.Binary(BinaryOp::Add, b.Var(x), b.Var(x)); };
  const auto doubled = [&] { return b.Binary(BinaryOp::Mul, b.Var(x), b.Int(2)); };
  m.StoreInt(Use(m, Builtin::ConstantP, int_type, {b.Var(x), twice(), doubled()}), 26);
  m.StoreInt(b.Binary(BinaryOp::Add, Use(m, Builtin::ObjectSize, int_type, {b.AddressOf(b.Var(x)), twice(), doubled()}),
                      b.Int(1)),
             27);
  const BlockId never = b.NewBlock(m.entry);
  Stmt branch = m.Of(StmtKind::If);
  branch.expr = b.Binary(BinaryOp::Gt, b.Var(x), b.Int(13));
  branch.body = never;
  b.Append(m.body, b.Statement(branch));
  b.Append(never, b.ExprStatement(Use(m, Builtin::Trap, m.Basic(TypeKind::Void), {})));
  b.Append(never, b.ExprStatement(Use(m, Builtin::Unreachable, m.Basic(TypeKind::Void), {})));
  for (const BarrierInfo& row : kBarriers) {
    Stmt barrier = m.Of(StmtKind::Barrier);
    barrier.value = static_cast<int64_t>(row.kind);
    if (row.kind != BarrierKind::Memory) barrier.expr = b.Var(x);
    b.Append(m.body, b.Statement(barrier));
  }
  m.StoreInt(b.Var(x), 13);
  CaseRange(m);
  // Every attribute that promises nothing, on a function of its own.
  for (const FunctionAttrInfo& row : kFunctionAttrs) {
    if (row.attr <= kFnPure) continue;
    const FunctionId f = b.Function(types.Function(int_type, {}));
    m.program().functions[f].attrs = row.attr | ((row.attr & (kFnWeak | kFnHidden)) != 0 ? 0u : uint32_t{kFnStatic});
    Stmt ret = m.Of(StmtKind::Return);
    ret.expr = b.Int(7);
    b.Append(m.program().functions[f].body, b.Statement(ret));
    m.StoreInt(Call(b, f, {}), 7);
  }
  return std::move(m.sample);
}

Sample OverflowTestSample() {
  Maker m("gnu overflow tests");
  const TypeId truth = m.Basic(TypeKind::Bool);
  const auto check = [&](Builtin builtin, ExprId a, ExprId b, TypeKind kind, bool beyond) {
    m.StoreInt(Use(m, builtin, truth, {a, b, m.b.Cast(m.Basic(kind), m.b.Int(0))}), beyond);
  };
  check(Builtin::AddOverflowP, m.b.Int(100), m.b.Int(27), TypeKind::SChar, false);
  check(Builtin::AddOverflowP, m.b.Int(100), m.b.Int(28), TypeKind::SChar, true);
  check(Builtin::SubOverflowP, m.b.Int(1), m.b.Int(2), TypeKind::UInt, true);
  check(Builtin::SubOverflowP, m.b.Int(1), m.b.Int(2), TypeKind::LLong, false);
  check(Builtin::MulOverflowP, m.b.Int(256), m.b.Int(256), TypeKind::UShort, true);
  check(Builtin::MulOverflowP, m.b.Int(256), m.b.Int(256), TypeKind::UInt, false);
  return std::move(m.sample);
}

}  // namespace assay::lang
