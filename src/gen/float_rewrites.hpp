// What a floating operation that is not exact becomes at its first execution. Pure, so that it can be proven on its own
// (float_repairs_test.cpp).
#pragma once

#include "choice/choices.hpp"
#include "lang/float_kinds.hpp"
#include "lang/ops.hpp"

namespace assay::gen {

struct FloatRewrite {
  lang::BinaryOp op;
  bool keeps_right;     // a op b
  double constant = 0;  // otherwise a op constant
};

// For operands that `kind` holds. What comes out is exact, also for every order of evaluation if a is.
FloatRewrite RewriteFloat(lang::FloatMode mode, lang::TypeKind kind, double a, double b, choice::Choices& choices);

// Whether an operation on two values of the kind is exact. (The machine has its own answer.)
bool IsExactFloat(lang::BinaryOp op, lang::TypeKind kind, double a, double b);

}  // namespace assay::gen
