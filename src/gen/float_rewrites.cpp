#include "gen/float_rewrites.hpp"

#include <array>
#include <cmath>

namespace assay::gen {
namespace {

using lang::BinaryOp;
using lang::FloatMode;
using lang::TypeKind;

// The error of a rounded sum or product is a number again, which says whether there is one.
template <typename F>
bool IsExact(BinaryOp op, F a, F b) {
  constexpr F kTiny = std::is_same_v<F, float> ? F(0x1p-80) : F(0x1p-900);  // errors below are lost
  const auto negligible = [](F x) { return x != 0 && std::fabs(x) < kTiny; };
  if (op == BinaryOp::Sub) b = -b;
  if (op == BinaryOp::Add || op == BinaryOp::Sub) {
    const F sum = a + b;
    return std::isfinite(sum) && sum - a == b && sum - b == a;
  }
  if (op == BinaryOp::Mul) {
    const F product = a * b;
    if (a == 0 || b == 0) return true;
    return std::isfinite(product) && product != 0 && !negligible(product) && std::fma(a, b, -product) == 0;
  }
  if (op != BinaryOp::Div || b == 0) return false;
  const F quotient = a / b;
  if (a == 0) return true;
  return std::isfinite(quotient) && !negligible(quotient) && !negligible(a) && std::fma(quotient, b, -a) == 0;
}

}  // namespace

bool IsExactFloat(BinaryOp op, TypeKind kind, double a, double b) {
  if (kind == TypeKind::Float) return IsExact(op, static_cast<float>(a), static_cast<float>(b));
  return IsExact(op, a, b);
}

FloatRewrite RewriteFloat(FloatMode mode, TypeKind kind, double a, double b, choice::Choices& choices) {
  static constexpr std::array kOps = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div};
  static constexpr std::array kConstants = {2.0, 0.5, 3.0, 1.0, 4.0, 0.25, 10.0, -1.0, 8.0};
  if (mode == FloatMode::Robust) return {BinaryOp::Mul, false, choices.Percent(30) ? -1.0 : 1.0};
  // The other operators first, then other operands.
  const uint32_t start = choices.Below(4);
  for (uint32_t i = 0; i < 4 && choices.Percent(85); ++i) {
    const BinaryOp op = kOps[(start + i) % 4];
    if (IsExactFloat(op, kind, a, b)) return {op, true};
  }
  for (int tries = 0; tries < 4; ++tries) {
    const BinaryOp op = kOps[choices.Below(4)];
    const double constant = kConstants[choices.Below(kConstants.size())];
    if (IsExactFloat(op, kind, a, constant)) return {op, false, constant};
  }
  return {BinaryOp::Mul, false, choices.Percent(30) ? -1.0 : 1.0};
}

}  // namespace assay::gen
