// Rewrites: at the first execution of an operation that would be undefined for its operands, the operation is changed
// into a defined one. Nothing ran here before, so nothing has to be preserved. (The rows unite the tables of
// the YARPGen and Orange papers; rewrites_test.cpp proves each on all 4-bit operands.)
#pragma once

#include <cstdint>
#include <optional>

#include "choice/choices.hpp"
#include "lang/ops.hpp"
#include "lang/typing.hpp"
#include "machine/trap.hpp"

namespace assay::gen {

// What to do with a binary operation `a op b`.
struct Rewrite {
  enum class Shape : uint8_t {
    Flip,         // a other b
    AdjustLeft,   // (a + constant) op b
    AdjustRight,  // a op (b + constant)
    KeepLeft,     // a
  };
  Shape shape = Shape::KeepLeft;
  lang::BinaryOp op = lang::BinaryOp::Add;  // Flip: the other operator
  int64_t constant = 0;                     // in the promoted type of the adjusted operand
};

// The operands as converted for the operation: `type` is that of the operation (of the left operand for shifts),
// `count_type` that of a shift's right operand. Requires that `a op b` traps with `trap`; the result never traps.
Rewrite RewriteBinary(lang::BinaryOp op, machine::TrapKind trap, lang::IntegerInfo type, lang::IntegerInfo count_type,
                      int64_t a, int64_t b, choice::Choices& choices);

}  // namespace assay::gen
