// Every rewrite is proven on all 4-bit operands, signed and unsigned, against an evaluator written here: the machine's
// arithmetic is not used, so that a shared mistake cannot hide.
#include "gen/rewrites.hpp"

#include <gtest/gtest.h>

namespace assay::gen {
namespace {

using lang::BinaryOp;
using lang::IntegerInfo;
using machine::TrapKind;

bool Fits(int64_t value, IntegerInfo type) { return value >= type.Min() && value <= static_cast<int64_t>(type.Max()); }

int64_t Wrap(int64_t value, IntegerInfo type) { return type.is_signed ? value : value & 15; }

// The trap of `a op b`, from the text of the standard, for 4-bit types.
TrapKind Reference(BinaryOp op, int64_t a, int64_t b, IntegerInfo type) {
  auto overflow = [&](int64_t value) {
    return type.is_signed && !Fits(value, type) ? TrapKind::SignedOverflow : TrapKind::None;
  };
  if (lang::Info(op).hazards == lang::kNoHazard) return TrapKind::None;  // machine/scalar_test.cpp proves it
  switch (op) {
    case BinaryOp::Add: return overflow(a + b);
    case BinaryOp::Sub: return overflow(a - b);
    case BinaryOp::Mul: return overflow(a * b);
    case BinaryOp::Div:
    case BinaryOp::Rem:
      if (b == 0) return TrapKind::DivisionByZero;
      return type.is_signed && a == type.Min() && b == -1 ? TrapKind::DivisionOverflow : TrapKind::None;
    case BinaryOp::Shl:
      if (b < 0 || b >= 4) return TrapKind::ShiftCount;
      if (type.is_signed && (a < 0 || !Fits(a << b, type))) return TrapKind::ShiftSign;
      return TrapKind::None;
    case BinaryOp::Shr: return b < 0 || b >= 4 ? TrapKind::ShiftCount : TrapKind::None;
    default: ADD_FAILURE() << "Reference does not know when " << lang::Info(op).spelling << " traps";
  }
  return TrapKind::None;
}

TEST(RewritesTest, EveryRewriteIsDefinedForAllFourBitOperands) {
  choice::Choices choices(11);
  int rewritten = 0;
  for (bool left_signed : {true, false}) {
    for (bool right_signed : {true, false}) {
      const IntegerInfo left{4, left_signed}, right{4, right_signed};
      for (const lang::BinaryOpInfo& row : lang::kBinaryOps) {
        const BinaryOp op = row.kind;
        if (!lang::IsShift(op) && left_signed != right_signed) continue;  // converted to a common type
        for (int64_t a = left.Min(); a <= static_cast<int64_t>(left.Max()); ++a) {
          for (int64_t b = right.Min(); b <= static_cast<int64_t>(right.Max()); ++b) {
            const TrapKind trap = Reference(op, a, b, left);
            if (trap == TrapKind::None) continue;
            for (int repeat = 0; repeat < 30; ++repeat) {
              const Rewrite r = RewriteBinary(op, trap, left, right, a, b, choices);
              ++rewritten;
              BinaryOp new_op = op;
              int64_t x = a, y = b;
              switch (r.shape) {
                case Rewrite::Shape::KeepLeft: continue;
                case Rewrite::Shape::Flip: new_op = r.op; break;
                case Rewrite::Shape::AdjustLeft:
                  ASSERT_TRUE(!left_signed || Fits(r.constant, left)) << r.constant;
                  x = Wrap(a + r.constant, left);
                  break;
                case Rewrite::Shape::AdjustRight:
                  ASSERT_TRUE(!right_signed || Fits(r.constant, right)) << r.constant;
                  y = Wrap(b + r.constant, right);
                  break;
              }
              ASSERT_TRUE(Fits(x, left)) << x;
              ASSERT_TRUE(Fits(y, right)) << y;
              ASSERT_EQ(Reference(new_op, x, y, left), TrapKind::None)
                  << a << ' ' << lang::Info(op).spelling << ' ' << b << " became " << x << ' '
                  << lang::Info(new_op).spelling << ' ' << y;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(rewritten, 10000);
}

}  // namespace
}  // namespace assay::gen
