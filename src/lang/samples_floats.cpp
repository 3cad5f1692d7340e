// Floating numbers: every kind, operator, conversion and spelling, worked out by hand. All results are exact.
#include "lang/sample_maker.hpp"

namespace assay::lang {

Sample FloatSample() {
  Maker m("floats");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId single = m.Basic(TypeKind::Float), full = m.Basic(TypeKind::Double), int_type = m.Basic(TypeKind::Int);
  const auto number = [&](TypeKind kind, double value, ConstantSpelling spelling = ConstantSpelling::Decimal) {
    return b.Constant(kind, FloatBits(kind, value), spelling);
  };
  const auto whole = [&](ExprId value) { return b.Cast(int_type, value); };

  for (size_t s = 0; s < static_cast<size_t>(ConstantSpelling::kCount); ++s) {
    const auto spelling = static_cast<ConstantSpelling>(s);
    for (TypeKind kind : {TypeKind::Float, TypeKind::Double}) {
      m.StoreInt(whole(b.Binary(BinaryOp::Mul, number(kind, 1.625, spelling), number(kind, 1024, spelling))), 1664);
      m.StoreInt(whole(b.Binary(BinaryOp::Add, number(kind, -0.5, spelling), number(kind, 7.75, spelling))), 7);
      m.StoreInt(whole(number(kind, 0, spelling)), 0);
      // A large and a tiny one: their product is 2^-4.
      m.StoreInt(whole(b.Binary(BinaryOp::Mul, number(kind, 0x1p100, spelling),
                                b.Binary(BinaryOp::Mul, number(kind, 0x1p-104, spelling), number(kind, 48, spelling)))),
                 3);
      m.Store(TypeKind::LLong, b.SizeofExpr(number(kind, 1, spelling)), kind == TypeKind::Float ? 4 : 8);
    }
  }

  for (TypeId type : {single, full}) {
    const TypeKind kind = types.Kind(type);
    const VarId x = b.Local(m.entry, type, Storage::Auto, b.InitExpr(number(kind, 6.5)));
    const VarId y = b.Local(m.entry, type, Storage::Auto, b.InitExpr(number(kind, -2)));
    b.Append(m.body, b.Decl(x));
    b.Append(m.body, b.Decl(y));
    const auto X = [&] { return b.Var(x); };
    const auto Y = [&] { return b.Var(y); };
    const auto times8 = [&](ExprId value) { return whole(b.Binary(BinaryOp::Mul, value, b.Int(8))); };
    m.StoreInt(times8(b.Binary(BinaryOp::Add, X(), Y())), 36);
    m.StoreInt(times8(b.Binary(BinaryOp::Sub, X(), Y())), 68);
    m.StoreInt(times8(b.Binary(BinaryOp::Mul, X(), Y())), -104);
    m.StoreInt(times8(b.Binary(BinaryOp::Div, X(), Y())), -26);
    m.StoreInt(times8(b.Unary(UnaryOp::Minus, b.Unary(UnaryOp::Minus, X()))), 52);
    m.StoreInt(times8(b.Unary(UnaryOp::Plus, Y())), -16);
    m.StoreInt(b.Unary(UnaryOp::LogicalNot, X()), 0);
    m.StoreInt(b.Unary(UnaryOp::LogicalNot, b.Binary(BinaryOp::Add, Y(), b.Int(2))), 1);
    // Minus zero is false, and equal to zero.
    const auto minus_zero = [&] { return b.Unary(UnaryOp::Minus, b.Binary(BinaryOp::Mul, X(), b.Int(0))); };
    m.StoreInt(b.Conditional(minus_zero(), b.Int(1), b.Int(2)), 2);
    m.StoreInt(b.LogicalOr(minus_zero(), b.LogicalAnd(X(), minus_zero())), 0);
    m.StoreInt(b.Binary(BinaryOp::Eq, minus_zero(), b.Int(0)), 1);
    m.Store(TypeKind::Bool, b.Cast(m.Basic(TypeKind::Bool), minus_zero()), 0);
    m.Store(TypeKind::Bool, b.Cast(m.Basic(TypeKind::Bool), number(kind, 0.25)), 1);
    m.StoreInt(b.Binary(BinaryOp::Lt, X(), Y()), 0);
    m.StoreInt(b.Binary(BinaryOp::Gt, X(), Y()), 1);
    m.StoreInt(b.Binary(BinaryOp::Le, X(), X()), 1);
    m.StoreInt(b.Binary(BinaryOp::Ge, Y(), X()), 0);
    m.StoreInt(b.Binary(BinaryOp::Eq, X(), number(kind, 6.5)), 1);
    m.StoreInt(b.Binary(BinaryOp::Ne, Y(), b.Int(-2)), 0);
    m.StoreInt(times8(b.Conditional(b.Int(1), X(), Y())), 52);
    m.StoreInt(times8(b.Assign(X(), b.Binary(BinaryOp::Sub, Y(), number(kind, 1.25)))), -26);
    m.Do(b.CompoundAssign(BinaryOp::Add, X(), number(kind, 10)));
    m.StoreInt(times8(X()), 54);
    m.Do(b.CompoundAssign(BinaryOp::Mul, X(), b.Int(4)));
    m.StoreInt(times8(b.IncDec(IncDecOp::PostInc, X())), 216);
    m.StoreInt(times8(b.IncDec(IncDecOp::PreInc, X())), 232);
    m.StoreInt(times8(b.IncDec(IncDecOp::PostDec, X())), 232);
    m.StoreInt(times8(b.IncDec(IncDecOp::PreDec, X())), 216);
    m.StoreInt(times8(b.Comma(X(), Y())), -16);
    // Conversions: towards zero, and from and to every integer.
    m.StoreInt(whole(number(kind, -3.75)), -3);
    for (const TypeKindInfo& row : kTypeKinds) {
      if (!IsInteger(row.kind) || row.kind == TypeKind::Enum || row.kind == TypeKind::Bool) continue;
      m.Store(row.kind, b.Cast(m.Basic(row.kind), number(kind, 100.5)), 100);
      const VarId i = b.Local(m.entry, m.Basic(row.kind), Storage::Auto, b.InitExpr(b.Int(77)));
      b.Append(m.body, b.Decl(i));
      m.StoreInt(times8(b.Cast(type, b.Var(i))), 616);
      m.StoreInt(times8(b.Binary(BinaryOp::Add, b.Var(i), number(kind, 0.125))), 617);
    }
    // An integer op= a floating number.
    const VarId n = m.IntLocal(10);
    m.StoreInt(b.CompoundAssign(BinaryOp::Mul, b.Var(n), number(kind, 2.75)), 27);
  }
  m.StoreInt(whole(b.Cast(single, b.Binary(BinaryOp::Mul, number(TypeKind::Double, 0.125), b.Int(80)))), 10);
  // A float and a double meet in double: 1 + 2^-30 is not 1.
  const ExprId sum = b.Binary(BinaryOp::Add, number(TypeKind::Float, 1), number(TypeKind::Double, 0x1p-30));
  m.StoreInt(b.Binary(BinaryOp::Eq, sum, number(TypeKind::Double, 1)), 0);
  m.Store(TypeKind::LLong, b.SizeofExpr(b.Binary(BinaryOp::Add, number(TypeKind::Float, 1), b.Int(1))), 4);

  // Globals, members, arrays; the bits of 1.5F and of 2.0 in a union with integers.
  const VarId table =
      b.Global(types.Array(single, 3), b.InitList({{1, b.InitExpr(number(TypeKind::Float, 2.5))}}, true));
  m.StoreInt(whole(b.Binary(BinaryOp::Mul, b.Index(b.Var(table), b.Int(1)), b.Int(2))), 5);
  Record record;
  record.members = {{m.Basic(TypeKind::Char)}, {full}, {single}};
  const VarId object = b.Global(types.OfRecord(types.AddRecord(record)));
  m.Do(b.Assign(b.Member(b.Var(object), 1), number(TypeKind::Double, -8)));
  m.Do(b.Assign(b.Member(b.Var(object), 2), b.Cast(single, b.Member(b.Var(object), 1))));
  m.StoreInt(whole(b.Binary(BinaryOp::Sub, b.Member(b.Var(object), 2), b.Int(1))), -9);
  Record both;
  both.is_union = true;
  both.members = {{single}, {m.Basic(TypeKind::UInt)}, {full}, {m.Basic(TypeKind::LLong)}};
  const VarId seen = b.Local(m.entry, types.OfRecord(types.AddRecord(both)));
  b.Append(m.body, b.Decl(seen));
  m.Do(b.Assign(b.Member(b.Var(seen), 0), number(TypeKind::Float, 1.5)));
  m.Store(TypeKind::UInt, b.Member(b.Var(seen), 1), 0x3fc00000);
  m.Do(b.Assign(b.Member(b.Var(seen), 2), number(TypeKind::Double, 2)));
  m.Store(TypeKind::LLong, b.Member(b.Var(seen), 3), int64_t{1} << 62);
  m.Do(b.Assign(b.Member(b.Var(seen), 1), b.Constant(TypeKind::UInt, 0xc0800000)));
  m.StoreInt(whole(b.Member(b.Var(seen), 0)), -4);

  // Parameters and results, and the promotion of a variable argument.
  const FunctionId half = b.Function(types.Function(single, {full, single}));
  Stmt ret = m.Of(StmtKind::Return);
  const auto param = [&](FunctionId f, size_t i) { return b.Var(m.program().functions[f].params[i]); };
  ret.expr = b.Cast(single, b.Binary(BinaryOp::Div, b.Binary(BinaryOp::Add, param(half, 0), param(half, 1)), b.Int(2)));
  b.Append(m.program().functions[half].body, b.Statement(ret));
  m.StoreInt(
      whole(b.Binary(BinaryOp::Mul, Call(b, half, {number(TypeKind::Float, 3), number(TypeKind::Float, 2)}), b.Int(4))),
      10);
  return std::move(m.sample);
}

}  // namespace assay::lang
