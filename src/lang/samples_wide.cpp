// Integers of 128 bits: all that gcc and clang have of them but the builtins.
#include "lang/sample_maker.hpp"

namespace assay::lang {
namespace {

using Bits = unsigned __int128;

constexpr Bits Of(uint64_t high, uint64_t low) { return static_cast<Bits>(high) << 64 | low; }

class WideMaker : public Maker {
 public:
  explicit WideMaker(std::string name) : Maker(std::move(name)) {}

  ExprId Literal(TypeKind kind, Bits value) {
    return b.Wide(kind, static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64));
  }
  VarId Object(TypeKind kind, Bits value) {
    const VarId var = b.Local(entry, Basic(kind), Storage::Auto, b.InitExpr(Literal(kind, value)));
    b.Append(body, b.Decl(var));
    return var;
  }
  void ExpectWide(VarId var, std::vector<uint32_t> path, Bits value) {
    path.push_back(0);
    Expect(var, path, static_cast<int64_t>(static_cast<uint64_t>(value)));
    path.back() = 1;
    Expect(var, path, static_cast<int64_t>(static_cast<uint64_t>(value >> 64)));
  }
  // A new global that gets the value, which is a wide one.
  void Check(ExprId value, Bits expected) {
    const VarId var = b.Global(types().Unqualified(program()[value].type));
    Do(b.Assign(b.Var(var), value));
    ExpectWide(var, {}, expected);
  }
};

// As the compiler of these lines has it; no operand makes it undefined.
template <typename T>
T ByHand(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::Mul: return a * b;
    case BinaryOp::Div: return a / b;
    case BinaryOp::Rem: return a % b;
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    case BinaryOp::Shl: return a << b;
    case BinaryOp::Shr: return a >> b;
    case BinaryOp::Lt: return a < b;
    case BinaryOp::Gt: return a > b;
    case BinaryOp::Le: return a <= b;
    case BinaryOp::Ge: return a >= b;
    case BinaryOp::Eq: return a == b;
    case BinaryOp::Ne: return a != b;
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  return 0;
}

template <typename T>
void Operators(WideMaker& m, TypeKind kind) {
  struct Pair {
    Bits a, b;
  };
  constexpr std::array kPairs = {
      Pair{Of(5, 0x123456789abcdef0), 7},
      Pair{Of(0, ~uint64_t{0}), Of(0, 3)},
      Pair{Of(0x7fffff, 0), Of(1, 1)},
      Pair{Of(~uint64_t{0} - 2, 77), 0x10001},  // negative, if there are negative ones
      Pair{1234567, Of(~uint64_t{0}, ~uint64_t{0} - 4)},
  };
  const bool is_signed = Info(kind).sign == Sign::Signed;
  Builder& b = m.b;
  for (const Pair& pair : kPairs) {
    const bool negative = is_signed && (pair.a >> 127) != 0;
    for (const BinaryOpInfo& row : kBinaryOps) {
      if (row.shape != OperatorShape::Infix) continue;
      if (negative && row.kind == BinaryOp::Shl) continue;
      if (row.kind == BinaryOp::Mul && is_signed && (pair.b >> 64) == 1) continue;  // too large
      const Bits right =
          IsShift(row.kind) ? (pair.a >> 127 != 0 ? 100 : 66 - static_cast<Bits>(pair.a >> 64) % 64) : pair.b;
      const Bits count = row.kind == BinaryOp::Shl && is_signed ? 2 : right;
      const T expected = ByHand<T>(row.kind, static_cast<T>(pair.a), static_cast<T>(IsShift(row.kind) ? count : right));
      const auto lhs = [&] { return b.Var(m.Object(kind, pair.a)); };
      // A count of shifts in an int or a wide integer.
      const bool narrow = IsShift(row.kind) && (pair.a & 1) != 0;
      const auto rhs = [&] {
        return narrow ? b.Var(m.IntLocal(static_cast<int64_t>(count)))
                      : b.Var(m.Object(kind, IsShift(row.kind) ? count : right));
      };
      const ExprId value = b.Binary(row.kind, lhs(), rhs());
      if (IsComparison(row.kind)) {
        m.StoreInt(value, expected != 0);
        continue;
      }
      m.Check(value, static_cast<Bits>(expected));
      const VarId target = m.Object(kind, pair.a);
      m.Check(b.CompoundAssign(row.kind, b.Var(target), rhs()), static_cast<Bits>(expected));
      m.Check(b.Var(target), static_cast<Bits>(expected));
    }
    const VarId object = m.Object(kind, pair.a);
    m.Check(b.Unary(UnaryOp::Minus, b.Var(object)), 0 - pair.a);
    m.Check(b.Unary(UnaryOp::Plus, b.Var(object)), pair.a);
    m.Check(b.Unary(UnaryOp::BitNot, b.Var(object)), ~pair.a);
    m.StoreInt(b.Unary(UnaryOp::LogicalNot, b.Var(object)), 0);
    m.Check(b.IncDec(IncDecOp::PostInc, b.Var(object)), pair.a);
    m.Check(b.IncDec(IncDecOp::PreInc, b.Var(object)), pair.a + 2);
    m.Check(b.IncDec(IncDecOp::PostDec, b.Var(object)), pair.a + 2);
    m.Check(b.IncDec(IncDecOp::PreDec, b.Var(object)), pair.a);
  }
  // 2^64 is not 0, though its low half is.
  m.StoreInt(b.Unary(UnaryOp::LogicalNot, b.Var(m.Object(kind, Of(1, 0)))), 0);
  m.StoreInt(b.Unary(UnaryOp::LogicalNot, b.Var(m.Object(kind, 0))), 1);
}

}  // namespace

Sample WideOperatorSample() {
  WideMaker m("gnu wide operators");
  Operators<__int128>(m, TypeKind::Int128);
  Operators<unsigned __int128>(m, TypeKind::UInt128);
  return std::move(m.sample);
}

Sample WideSample() {
  WideMaker m("gnu wide integers");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId wide = m.Basic(TypeKind::Int128), bits = m.Basic(TypeKind::UInt128);
  const Bits minus = Of(~uint64_t{0} - 8, 5);  // -(9 << 64) + 5

  // Objects, with and without an initialiser: alone, in arrays, structs beside bit-fields, unions.
  m.ExpectWide(b.Global(wide), {}, 0);
  const VarId known = b.Global(types.Qualified(wide, kConst), b.InitExpr(m.Literal(TypeKind::Int128, minus)));
  m.ExpectWide(known, {}, minus);
  const VarId mask = b.Global(bits, b.InitExpr(m.Literal(TypeKind::UInt128, Of(0xff00ff00, 0xf0f0))));
  m.ExpectWide(mask, {}, Of(0xff00ff00, 0xf0f0));
  const VarId table =
      b.Global(types.Array(wide, 3),
               b.InitList({{0, b.InitExpr(b.Int(-1))}, {2, b.InitExpr(m.Literal(TypeKind::Int128, Of(4, 2)))}}, true));
  Record record;
  record.members = {{m.Basic(TypeKind::Int), 5}, {bits}, {m.Basic(TypeKind::UInt), 3}, {types.Array(wide, 2)}};
  const TypeId record_type = types.OfRecord(types.AddRecord(record));
  const VarId object = b.Global(
      record_type, b.InitList({{0, b.InitExpr(b.Int(-3))}, {1, b.InitExpr(b.Int(-2))}, {2, b.InitExpr(b.Int(5))}}));
  Record either;
  either.is_union = true;
  either.members = {{wide}, {types.Array(m.Basic(TypeKind::ULLong), 2)}};
  const VarId view = b.Global(types.OfRecord(types.AddRecord(either)));
  const VarId kept =
      b.Local(m.entry, wide, Storage::StaticLocal, b.InitExpr(m.Literal(TypeKind::Int128, Of(~uint64_t{0}, 1))));
  b.Append(m.body, b.Decl(kept));
  const VarId in_register = b.Local(m.entry, bits, Storage::Register, b.InitExpr(b.Int(-7)));
  b.Append(m.body, b.Decl(in_register));
  m.Check(b.Var(in_register), Of(~uint64_t{0}, ~uint64_t{0} - 6));
  m.Check(b.Var(kept), Of(~uint64_t{0}, 1));
  m.ExpectWide(table, {0}, Of(~uint64_t{0}, ~uint64_t{0}));
  m.ExpectWide(table, {1}, minus);
  m.ExpectWide(table, {2}, Of(4, 2));
  m.Do(b.Assign(b.Index(b.Var(table), b.Int(1)), b.Var(known)));
  m.Expect(object, {0}, -3);
  m.ExpectWide(object, {1}, Of(~uint64_t{0}, ~uint64_t{0} - 1));
  m.Expect(object, {2}, 5);
  m.ExpectWide(object, {3, 0}, 0);
  m.ExpectWide(object, {3, 1}, Of(4, 2) + minus);
  m.Do(b.Assign(b.Index(b.Member(b.Var(object), 3), b.Int(1)),
                b.Binary(BinaryOp::Add, b.Index(b.Var(table), b.Int(2)), b.Index(b.Var(table), b.Int(1)))));
  m.Do(b.Assign(b.Member(b.Var(view), 0), m.Literal(TypeKind::Int128, Of(11, 22))));
  m.Store(TypeKind::ULLong, b.Index(b.Member(b.Var(view), 1), b.Int(0)), 22);
  m.Store(TypeKind::ULLong, b.Index(b.Member(b.Var(view), 1), b.Int(1)), 11);
  m.StoreInt(b.SizeofType(types.Array(wide, 3)), 48);
  m.StoreInt(b.SizeofExpr(b.Binary(BinaryOp::Add, b.Int(1), b.Var(kept))), 16);

  // By a pointer, by memcpy, as a compound literal.
  const VarId pointer =
      b.Local(m.entry, types.Pointer(wide), Storage::Auto, b.InitExpr(b.AddressOf(b.Index(b.Var(table), b.Int(2)))));
  b.Append(m.body, b.Decl(pointer));
  m.Check(b.Deref(b.Var(pointer)), Of(4, 2));
  m.Check(b.Index(b.Var(pointer), b.Int(-2)), Of(~uint64_t{0}, ~uint64_t{0}));
  const VarId copy = b.Global(wide);
  const std::array copied = {b.AddressOf(b.Var(copy)), b.AddressOf(b.Var(known))};
  m.Do(b.BuiltinCall(Builtin::Memcpy, m.Basic(TypeKind::Void), wide, copied));
  m.ExpectWide(copy, {}, minus);
  m.Check(b.CompoundLiteral(b.Local(m.entry, bits, Storage::Literal, b.InitExpr(b.Int(9)))), 9);

  // Conversions: from and to integers, enums, _Bool and floating numbers.
  const EnumId enumeration = types.AddEnum({{-3, 5}});
  m.Check(b.Cast(wide, b.EnumConstant(enumeration, 0)), Of(~uint64_t{0}, ~uint64_t{0} - 2));
  m.Check(b.Cast(bits, b.Constant(TypeKind::ULLong, ~uint64_t{0})), ~uint64_t{0});
  m.Check(b.Cast(bits, b.Var(kept)), Of(~uint64_t{0}, 1));
  m.Check(b.Cast(wide, b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, -0x1p100))),
          0 - Of(uint64_t{1} << 36, 0));
  m.Check(b.Cast(bits, b.Constant(TypeKind::Float, FloatBits(TypeKind::Float, 0x1.8p120))), Of(uint64_t{3} << 55, 0));
  m.Store(TypeKind::Int, b.Cast(m.Basic(TypeKind::Int), b.Var(known)), 5);
  m.Store(TypeKind::SChar, b.Cast(m.Basic(TypeKind::SChar), b.Var(mask)), -16);
  m.Store(TypeKind::ULong, b.Binary(BinaryOp::Shr, b.Var(mask), b.Int(64)), 0xff00ff00);
  m.Store(TypeKind::Bool, m.Literal(TypeKind::Int128, Of(1, 0)), 1);
  const auto exact = [](double value) { return static_cast<int64_t>(FloatBits(TypeKind::Double, value)); };
  m.Store(TypeKind::Double, b.Cast(m.Basic(TypeKind::Double), m.Literal(TypeKind::Int128, 0 - Of(6, 0))),
          exact(-6 * 0x1p64));
  m.Store(TypeKind::Float, b.Cast(m.Basic(TypeKind::Float), m.Literal(TypeKind::UInt128, Of(uint64_t{1} << 63, 0))),
          static_cast<int64_t>(FloatBits(TypeKind::Float, 0x1p127)));
  // Beside other integers: the rank is above all of theirs.
  m.StoreInt(b.Binary(BinaryOp::Lt, b.Int(-1), b.Cast(bits, b.Int(1))), 0);
  m.StoreInt(b.Binary(BinaryOp::Lt, b.Cast(wide, b.Int(-1)), b.Constant(TypeKind::ULLong, 1)), 1);
  m.Check(b.Binary(BinaryOp::Mul, b.Cast(bits, b.Constant(TypeKind::ULLong, ~uint64_t{0})),
                   b.Constant(TypeKind::ULLong, ~uint64_t{0})),
          Of(~uint64_t{0} - 1, 1));
  const VarId number = m.IntLocal(3);
  m.StoreInt(b.CompoundAssign(BinaryOp::Add, b.Var(number), m.Literal(TypeKind::Int128, Of(8, 4))), 7);
  m.StoreInt(b.CompoundAssign(BinaryOp::Shl, b.Var(number), m.Literal(TypeKind::UInt128, 2)), 28);
  m.StoreInt(b.Binary(BinaryOp::Shr, b.Int(1000), m.Literal(TypeKind::Int128, 3)), 125);

  // Conditions.
  const auto top = [&] { return m.Literal(TypeKind::UInt128, Of(1, 0)); };
  m.StoreInt(b.LogicalAnd(top(), b.Int(1)), 1);
  m.StoreInt(b.LogicalOr(b.Cast(wide, b.Int(0)), b.Int(0)), 0);
  m.StoreInt(b.Conditional(top(), b.Int(4), b.Int(5)), 4);
  m.Check(b.Conditional(b.Var(number), b.Var(known), b.Int(1)), minus);
  m.Check(b.Conditional(b.Cast(bits, b.Int(0)), b.Var(known), b.Cast(bits, b.Int(-1))), ~Bits{0});
  m.Check(b.Comma(b.Var(number), b.Var(known)), minus);

  // Through calls; as variable arguments; in a loop.
  const FunctionId twice = b.Function(types.Function(bits, {bits, m.Basic(TypeKind::Int)}));
  Stmt ret = m.Of(StmtKind::Return);
  ret.expr = b.Binary(BinaryOp::Shl, b.Var(m.program()[twice].params[0]), b.Var(m.program()[twice].params[1]));
  b.Append(m.program()[twice].body, b.Statement(ret));
  m.Check(Call(b, twice, {m.Literal(TypeKind::Int128, Of(3, 9)), b.Int(1)}), Of(6, 18));
  const FunctionId last = b.Function(types.Function(wide, {m.Basic(TypeKind::Int)}, true));
  const BlockId body = m.program()[last].body;
  const VarId list = b.Local(last, m.Basic(TypeKind::VaList));
  const auto of_list = [&](Builtin builtin, TypeId type) {
    const std::array arguments = {b.Var(list)};
    return b.BuiltinCall(builtin, type, builtin == Builtin::VaArg ? type : TypeId(), arguments);
  };
  const VarId sum = b.Local(last, wide);
  b.Append(body, b.Decl(list));
  b.Append(body, b.Decl(sum));
  b.Append(body, b.ExprStatement(of_list(Builtin::VaStart, m.Basic(TypeKind::Void))));
  b.Append(body, b.ExprStatement(b.Assign(b.Var(sum), of_list(Builtin::VaArg, wide))));
  b.Append(body, b.ExprStatement(b.CompoundAssign(BinaryOp::Add, b.Var(sum), of_list(Builtin::VaArg, wide))));
  b.Append(body, b.ExprStatement(of_list(Builtin::VaEnd, m.Basic(TypeKind::Void))));
  Stmt result = m.Of(StmtKind::Return);
  result.expr = b.Var(sum);
  b.Append(body, b.Statement(result));
  m.Check(Call(b, last, {b.Int(1), b.Var(known), m.Literal(TypeKind::Int128, Of(2, 2))}), minus + Of(2, 2));
  const VarId left = m.Object(TypeKind::UInt128, Of(3, 0)), steps = m.IntLocal(0);
  Stmt loop = m.Of(StmtKind::While);
  loop.expr = b.Var(left);
  loop.body = b.NewBlock(m.entry);
  b.Append(m.body, b.Statement(loop));
  b.Append(loop.body, b.ExprStatement(b.CompoundAssign(BinaryOp::Shr, b.Var(left), b.Int(1))));
  b.Append(loop.body, b.ExprStatement(b.IncDec(IncDecOp::PostInc, b.Var(steps))));
  m.StoreInt(b.Var(steps), 66);
  return std::move(m.sample);
}

}  // namespace assay::lang
