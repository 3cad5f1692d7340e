#include "gen/rewrites.hpp"

#include <bit>

namespace assay::gen {
namespace {

using lang::BinaryOp;
using lang::IntegerInfo;
using machine::TrapKind;
using Shape = Rewrite::Shape;

Rewrite FlipTo(BinaryOp op) { return {Shape::Flip, op, 0}; }

// The position after the highest set bit of a non-negative value.
int BitLength(int64_t value) { return 64 - std::countl_zero(static_cast<uint64_t>(value)); }

// A count that is right for `a op count`: any for >>, one that does not reach the sign bit for signed <<.
int64_t GoodCount(BinaryOp op, IntegerInfo type, int64_t a, choice::Choices& choices) {
  int64_t most = type.bits - 1;
  if (op == BinaryOp::Shl && type.is_signed) most = type.bits - 1 - BitLength(a);
  return choices.Between(0, most);
}

Rewrite RewriteShift(BinaryOp op, TrapKind trap, IntegerInfo type, IntegerInfo count_type, int64_t a, int64_t b,
                     choice::Choices& choices) {
  const bool left_negative = type.is_signed && a < 0;
  if (trap == TrapKind::ShiftSign) {
    // The count is in range. A negative value is moved up to a small one that survives the count, or shifted right.
    if (!left_negative || a == type.Min() || choices.Coin()) {
      if (!left_negative && choices.Coin()) return {Shape::AdjustRight, op, GoodCount(op, type, a, choices) - b};
      return FlipTo(BinaryOp::Shr);
    }
    const int room = type.bits - 1 - static_cast<int>(b);  // bits that stay below the sign
    const int64_t target = room <= 0 ? 0 : choices.Between(0, (int64_t{1} << std::min(room, 16)) - 1);
    if (target > 0 && static_cast<uint64_t>(target) > type.Max() + static_cast<uint64_t>(a)) {
      return FlipTo(BinaryOp::Shr);  // the constant target - a would not fit
    }
    return {Shape::AdjustLeft, op, target - a};
  }
  // The count is out of range.
  if (count_type.is_signed && b == count_type.Min()) return {Shape::KeepLeft, op, 0};
  if (op == BinaryOp::Shl && left_negative) return {Shape::KeepLeft, op, 0};
  const int64_t count = GoodCount(op, type, a, choices);
  if (!count_type.is_signed) {
    return {Shape::AdjustRight, op, static_cast<int64_t>(static_cast<uint64_t>(count) - static_cast<uint64_t>(b))};
  }
  if (b < 0 && static_cast<uint64_t>(count) > count_type.Max() + static_cast<uint64_t>(b)) {
    return {Shape::AdjustRight, op, -b};  // count - b would not fit: use count 0
  }
  return {Shape::AdjustRight, op, count - b};
}

}  // namespace

Rewrite RewriteBinary(BinaryOp op, TrapKind trap, IntegerInfo type, IntegerInfo count_type, int64_t a, int64_t b,
                      choice::Choices& choices) {
  const uint8_t hazards = lang::Info(op).hazards;
  CHECK_MSG(hazards != lang::kNoHazard, "operator {} does not trap", lang::Info(op).spelling);
  if (hazards & (lang::kCountRange | lang::kShiftSign)) {
    return RewriteShift(op, trap, type, count_type, a, b, choices);
  }
  if (trap == TrapKind::DivisionOverflow) return FlipTo(BinaryOp::Sub);
  if (trap == TrapKind::DivisionByZero) {
    if (choices.Coin()) return FlipTo(BinaryOp::Mul);
    return {Shape::AdjustRight, op, choices.Between(1, std::min<uint64_t>(type.Max(), 100))};
  }
  if (op == BinaryOp::Mul) {
    if (a == type.Min() && b == -1) return FlipTo(BinaryOp::Sub);
    return FlipTo(choices.Percent(60) ? BinaryOp::Div : BinaryOp::BitAnd);
  }
  const bool plus = op == BinaryOp::Add, minus = op == BinaryOp::Sub;
  if ((plus || minus) && choices.Percent(70)) return FlipTo(plus ? BinaryOp::Sub : BinaryOp::Add);
  return FlipTo(BinaryOp::BitXor);  // which never traps
}

}  // namespace assay::gen
