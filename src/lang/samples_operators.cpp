// Every operator, by its row here: what it gives and of which type, worked out by hand.
#include "lang/sample_maker.hpp"

namespace assay::lang {
namespace {

// Of 13 and of -5, which are of type int; the result as an int.
struct UnarySample {
  UnaryOp kind;
  int64_t of_13, of_minus_5;
  TypeKind type;
};
// Of 13 and `right`, both of type int: -5, or 5 for shifts and others that need a small right operand.
struct BinarySample {
  BinaryOp kind;
  int32_t right;
  int64_t value;
  TypeKind type;
};
ROWS_BEGIN
constexpr std::array kUnarySamples = {
    UnarySample{UnaryOp::Minus, -13, 5, TypeKind::Int},
    UnarySample{UnaryOp::BitNot, -14, 4, TypeKind::Int},
    UnarySample{UnaryOp::LogicalNot, 0, 0, TypeKind::Int},
    UnarySample{UnaryOp::Plus, 13, -5, TypeKind::Int},
    UnarySample{UnaryOp::Popcount, 3, 31, TypeKind::Int},
    UnarySample{UnaryOp::Parity, 1, 1, TypeKind::Int},
    UnarySample{UnaryOp::Ffs, 1, 1, TypeKind::Int},
    UnarySample{UnaryOp::Clz, 28, 0, TypeKind::Int},
    UnarySample{UnaryOp::Ctz, 0, 0, TypeKind::Int},
    UnarySample{UnaryOp::Clrsb, 27, 28, TypeKind::Int},
    UnarySample{UnaryOp::Abs, 13, 5, TypeKind::Int},
    UnarySample{UnaryOp::Bswap16, 0x0d00, 0xfbff, TypeKind::UInt16},
    UnarySample{UnaryOp::Bswap32, 0x0d000000, -0x04000001, TypeKind::UInt32},
    UnarySample{UnaryOp::Bswap64, 0, -1, TypeKind::UInt64},
};
constexpr std::array kBinarySamples = {
    BinarySample{BinaryOp::Add, -5, 8, TypeKind::Int},
    BinarySample{BinaryOp::Sub, -5, 18, TypeKind::Int},
    BinarySample{BinaryOp::Mul, -5, -65, TypeKind::Int},
    BinarySample{BinaryOp::Div, -5, -2, TypeKind::Int},
    BinarySample{BinaryOp::Rem, -5, 3, TypeKind::Int},
    BinarySample{BinaryOp::Shl, 5, 13 << 5, TypeKind::Int},
    BinarySample{BinaryOp::Shr, 5, 0, TypeKind::Int},
    BinarySample{BinaryOp::BitAnd, -5, 9, TypeKind::Int},
    BinarySample{BinaryOp::BitOr, -5, -1, TypeKind::Int},
    BinarySample{BinaryOp::BitXor, -5, -10, TypeKind::Int},
    BinarySample{BinaryOp::Lt, -5, 0, TypeKind::Int},
    BinarySample{BinaryOp::Gt, -5, 1, TypeKind::Int},
    BinarySample{BinaryOp::Le, -5, 0, TypeKind::Int},
    BinarySample{BinaryOp::Ge, -5, 1, TypeKind::Int},
    BinarySample{BinaryOp::Eq, -5, 0, TypeKind::Int},
    BinarySample{BinaryOp::Ne, -5, 1, TypeKind::Int},
    BinarySample{BinaryOp::RotateLeft, 5, 13 << 5, TypeKind::ULLong},
};
ROWS_END
static_assert(support::InEnumOrder(kUnarySamples, UnaryOp::kCount), "a sample of every unary operator");
static_assert(support::InEnumOrder(kBinarySamples, BinaryOp::kCount), "a sample of every binary operator");

// What nested operators give, as an oracle, where both operands are small.
int Compute(BinaryOp op, int a, int c) {
  switch (op) {
    case BinaryOp::Add: return a + c;
    case BinaryOp::Sub: return a - c;
    case BinaryOp::Mul: return a * c;
    case BinaryOp::Div: return c == 0 ? 0 : a / c;
    case BinaryOp::Rem: return c == 0 ? 0 : a % c;
    case BinaryOp::Shl: return a << c;
    case BinaryOp::Shr: return a >> c;
    case BinaryOp::BitAnd: return a & c;
    case BinaryOp::BitOr: return a | c;
    case BinaryOp::BitXor: return a ^ c;
    case BinaryOp::Lt: return a < c;
    case BinaryOp::Gt: return a > c;
    case BinaryOp::Le: return a <= c;
    case BinaryOp::Ge: return a >= c;
    case BinaryOp::Eq: return a == c;
    case BinaryOp::Ne: return a != c;
    case BinaryOp::RotateLeft: return static_cast<int>(c % 64 < 32 ? static_cast<uint64_t>(a) << (c % 64) : 0);
    case BinaryOp::kCount: break;
  }
  return 0;
}

// The type shows: how large it is, and whether something with all bits set is less than 0 (as that of a type that
// promotes is).
template <typename Make>
void ExpectType(Maker& m, TypeKind type, Make make) {
  const IntegerInfo info = IntegerInfoOf(type, m.program().Model());
  m.Store(TypeKind::LLong, m.b.SizeofExpr(make()), info.bits / 8);
  const bool negative = info.is_signed || Promote(type, m.program().Model()) == TypeKind::Int;
  m.StoreInt(m.b.Binary(BinaryOp::Lt, m.b.Binary(BinaryOp::BitOr, make(), m.b.Int(-1)), m.b.Int(0)), negative);
}

// Those that every compiler has, or those that need GNU C: together with the others, so that they are nested.
Sample OperatorsOf(std::string name, Availability needs) {
  Maker m(std::move(name));
  Builder& b = m.b;
  const VarId x = m.IntLocal(13), y = m.IntLocal(-5);
  const auto X = [&] { return b.Var(x); };
  const auto Y = [&] { return b.Var(y); };
  for (const UnarySample& row : kUnarySamples) {
    if (Info(row.kind).needs != needs) continue;
    m.StoreInt(b.Unary(row.kind, X()), row.of_13);
    m.StoreInt(b.Unary(row.kind, Y()), row.of_minus_5);
    ExpectType(m, row.type, [&] { return b.Unary(row.kind, X()); });
    if (Info(row.kind).constant) {
      m.Expect(b.Global(m.Basic(TypeKind::Int), b.InitExpr(b.Unary(row.kind, b.Int(13)))), {}, row.of_13);
    }
  }
  for (const BinarySample& row : kBinarySamples) {
    if (Info(row.kind).needs != needs) continue;
    const auto right = [&] { return row.right == -5 ? Y() : b.Int(row.right); };
    m.StoreInt(b.Binary(row.kind, X(), right()), row.value);
    ExpectType(m, row.type, [&] { return b.Binary(row.kind, X(), right()); });
    if (Info(row.kind).constant) {
      // Not with -5: chibicc divides and compares as if it were unsigned there.
      const ExprId constant = b.Binary(row.kind, b.Int(13), b.Int(5));
      m.Expect(b.Global(m.Basic(TypeKind::Int), b.InitExpr(constant)), {}, Compute(row.kind, 13, 5));
    }
    if (!Info(row.kind).compound) continue;
    const VarId z = b.Global(m.Basic(TypeKind::Int), b.InitExpr(b.Int(13)));
    m.Expect(z, {}, row.value);
    m.Do(b.CompoundAssign(row.kind, b.Var(z), right()));
  }
  // Precedence: every combination of two binary operators, both ways of nesting, (11 op 2) op 3 and 11 op (4 op 3).
  const auto divides = [](BinaryOp op) { return (Info(op).hazards & kZeroDivisor) != 0; };
  for (const BinaryOpInfo& outer : kBinaryOps) {
    for (const BinaryOpInfo& inner : kBinaryOps) {
      if (std::max(outer.needs, inner.needs) != needs) continue;
      const BinaryOp op1 = outer.kind, op2 = inner.kind;
      m.StoreInt(b.Binary(op2, b.Binary(op1, b.Int(11), b.Int(2)), b.Int(3)), Compute(op2, Compute(op1, 11, 2), 3));
      const int right = Compute(op2, 4, 3);
      if ((divides(op1) && right == 0) || (IsShift(op1) && right > 15)) continue;
      m.StoreInt(b.Binary(op1, b.Int(11), b.Binary(op2, b.Int(4), b.Int(3))), Compute(op1, 11, right));
    }
  }
  return std::move(m.sample);
}

}  // namespace

Sample OperatorSample() { return OperatorsOf("operators", Availability::Everywhere); }

Sample GnuOperatorSample() { return OperatorsOf("gnu operators", Availability::Gnu); }

}  // namespace assay::lang
