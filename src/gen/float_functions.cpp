// The functions of <math.h>: calls, the shapes in which optimisers look for them, and tests of numbers.
#include <cmath>

#include "gen/access.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::Builtin;
using lang::FloatMode;
using lang::UnaryOp;

constexpr Builtin kRoundings[] = {Builtin::Floor, Builtin::Ceil,      Builtin::Trunc,
                                  Builtin::Rint,  Builtin::NearbyInt, Builtin::Round};
constexpr Builtin kClasses[] = {Builtin::IsNaN, Builtin::IsInf, Builtin::IsFinite, Builtin::SignBit};
constexpr Builtin kOrders[] = {Builtin::IsGreater,   Builtin::IsGreaterEqual, Builtin::IsLess,
                               Builtin::IsLessEqual, Builtin::IsLessGreater,  Builtin::IsUnordered};

template <size_t N>
Builtin OneOf(Writer& w, const Builtin (&builtins)[N]) {
  return builtins[w.choices.Below(N)];
}

ExprId Math(Writer& w, Builtin function, TypeId type, std::initializer_list<ExprId> arguments) {
  return w.build.BuiltinCall(function, type, type, std::vector<ExprId>(arguments));
}

ExprId Test(Writer& w, Builtin function, std::initializer_list<ExprId> arguments) {
  const TypeId type = w.program.types.Basic(TypeKind::Int);
  return w.build.BuiltinCall(function, type, {}, std::vector<ExprId>(arguments));
}

ExprId Argument(Writer& w, const Want& want) { return FittingFloat(w, w.Kind(want.type), Expression(w, want)); }

// With something behind the point.
ExprId Fraction(Writer& w, const Want& want) {
  const ExprId whole = Argument(w, want);
  if (w.choices.Percent(45)) return whole;
  static constexpr double kFactors[] = {0.5, 0.25, -0.5, 1.5, 0.125};
  return w.build.Binary(BinaryOp::Mul, whole, FloatLiteral(w, w.Kind(want.type), kFactors[w.choices.Below(5)]));
}

ExprId SmallPower(Writer& w) {
  const bool ieee = w.program.floats == FloatMode::Ieee;
  if (ieee && w.choices.Percent(30)) return w.build.Int(w.choices.Between(-1100, 1100));
  if (w.choices.Percent(60)) return w.build.Int(w.choices.Between(-3, 4));
  return w.build.Binary(BinaryOp::BitAnd, AsOperand(w, IntLeaf(w)), w.build.Int(w.choices.Coin() ? 3 : 1));
}

// A number whose root is one, if the mode wants that.
ExprId Square(Writer& w, const Want& want) {
  const TypeKind kind = w.Kind(want.type);
  if (w.program.floats == FloatMode::Ieee && w.choices.Percent(60)) return Argument(w, want);
  if (w.choices.Percent(60)) {
    const ExprId place = w.choices.Coin() ? FloatLvalue(w, Access::Read) : IntLvalue(w, Access::Read);
    if (place && IsPure(w.program, place)) {
      const bool integer = lang::IsInteger(w.Kind(place));
      ExprId value = place;
      if (integer) value = w.build.Cast(w.program.types.Basic(TypeKind::SChar), value);
      value = w.build.Binary(BinaryOp::Mul, value, w.build.CopyTree(value));
      return integer ? w.build.Cast(want.type, value) : FittingFloat(w, kind, value);
    }
  }
  const double root = static_cast<double>(w.choices.Below(40)) / static_cast<double>(1 << w.choices.Below(3));
  return FloatLiteral(w, kind, root * root);
}

// Two objects that may be read again and again; the second may be a constant. Invalid: there are none.
struct Operands {
  TypeId type;
  ExprId x, y;
};
Operands DrawOperands(Writer& w) {
  Operands made;
  const auto draw = [&] {
    const ExprId place = FloatLvalue(w, Access::Read);
    return place && IsPure(w.program, place) ? place : ExprId{};
  };
  made.x = draw();
  if (!made.x) return made;
  const TypeKind kind = w.Kind(made.x);
  made.type = w.program.types.Basic(kind);
  if (w.choices.Percent(65)) made.y = draw();
  made.y = made.y ? FittingFloat(w, kind, made.y)
                  : FloatLiteral(w, kind, static_cast<double>(w.choices.Between(-12, 12)) / 4);
  return made;
}

}  // namespace

ExprId FloatFunction(Writer& w, const Want& want) {
  const TypeId type = want.type;
  const bool robust = w.program.floats == FloatMode::Robust;
  switch (w.choices.Weighted({14, 12, 30, 20, robust ? 0u : 12u, 12, 12})) {
    case 0: return Math(w, Builtin::Fabs, type, {Argument(w, want)});
    case 1: {
      const ExprId size = Argument(w, want.Share(w));
      return Math(w, Builtin::CopySign, type, {size, Argument(w, want)});
    }
    case 2: return Math(w, OneOf(w, kRoundings), type, {Fraction(w, want)});
    case 3: {
      const ExprId first = Argument(w, want.Share(w));
      const ExprId second = Argument(w, want);
      return Math(w, w.choices.Coin() ? Builtin::Fmin : Builtin::Fmax, type, {first, second});
    }
    case 4: return Math(w, Builtin::Sqrt, type, {Square(w, want)});
    case 5: {
      const TypeKind kind = w.Kind(type);
      const ExprId first = Argument(w, want.Share(w));
      const ExprId second = w.choices.Percent(60)
                                ? FloatLiteral(w, kind, static_cast<double>(w.choices.Between(-6, 8)) / 2)
                                : Argument(w, want.Share(w));
      return Math(w, Builtin::Fma, type, {first, second, Argument(w, want)});
    }
    default: {
      const ExprId value = Argument(w, want);
      return Math(w, w.choices.Coin() ? Builtin::Ldexp : Builtin::Scalbn, type, {value, SmallPower(w)});
    }
  }
}

ExprId FloatShape(Writer& w, const Want& want) {
  const Operands o = DrawOperands(w);
  if (!o.x) return {};
  const TypeKind kind = w.Kind(o.type);
  lang::Builder& b = w.build;
  const auto x = [&] { return b.CopyTree(o.x); };
  const auto y = [&] { return b.CopyTree(o.y); };
  const auto number = [&](double value) { return FloatLiteral(w, kind, value); };
  const auto of = [&](Builtin function, std::initializer_list<ExprId> arguments) {
    return Math(w, function, o.type, arguments);
  };
  const bool tests = w.knobs.expr_classify > 0;
  ExprId e;
  switch (w.choices.Below(tests ? 18 : 14)) {
    case 0: {  // clamp
      const ExprId low = of(Builtin::Fmax, {x(), number(static_cast<double>(w.choices.Between(-20, -1)))});
      e = of(Builtin::Fmin, {low, number(static_cast<double>(w.choices.Between(1, 40)))});
      break;
    }
    case 1: e = b.Binary(BinaryOp::Sub, x(), of(OneOf(w, kRoundings), {x()})); break;
    case 2: e = of(Builtin::CopySign, {of(Builtin::Fabs, {x()}), y()}); break;
    case 3: e = b.Binary(BinaryOp::Mul, of(Builtin::CopySign, {number(1), x()}), x()); break;
    case 4: e = of(Builtin::Floor, {b.Binary(BinaryOp::Add, x(), number(0.5))}); break;
    case 5: e = of(Builtin::Fma, {x(), y(), b.Unary(UnaryOp::Minus, x())}); break;
    case 6: e = of(Builtin::Fma, {b.Unary(UnaryOp::Minus, x()), number(2), y()}); break;
    case 7: {
      const int64_t power = w.choices.Between(1, 4);
      e = of(Builtin::Ldexp, {of(Builtin::Ldexp, {x(), b.Int(power)}), b.Int(-power)});
      break;
    }
    case 8:  // the same by a cast
      e = b.Conditional(b.Binary(BinaryOp::Eq, of(Builtin::Trunc, {x()}), x()), x(), of(Builtin::Ceil, {x()}));
      break;
    case 9: e = of(Builtin::Fmax, {x(), b.Unary(UnaryOp::Minus, x())}); break;
    case 10: e = b.Binary(BinaryOp::Add, of(Builtin::Fmin, {x(), y()}), of(Builtin::Fmax, {x(), y()})); break;
    case 11:
      e = b.Binary(BinaryOp::Mul, of(Builtin::Rint, {b.Binary(BinaryOp::Mul, x(), number(0.5))}), number(2));
      break;
    case 12: e = of(Builtin::Fabs, {b.Binary(BinaryOp::Sub, x(), y())}); break;
    case 13:
      e = w.program.floats == FloatMode::Robust ? of(Builtin::Fabs, {b.Unary(UnaryOp::Minus, x())})
                                                : of(Builtin::Sqrt, {b.Binary(BinaryOp::Mul, x(), x())});
      break;
    case 14: e = b.Conditional(Test(w, Builtin::SignBit, {x()}), b.Unary(UnaryOp::Minus, x()), x()); break;
    case 15: {
      const Builtin order = OneOf(w, kOrders);
      e = b.Conditional(Test(w, order, {x(), y()}), x(), y());
      break;
    }
    case 16: e = b.Conditional(Test(w, Builtin::IsNaN, {x()}), y(), x()); break;
    default: e = b.Conditional(Test(w, Builtin::IsFinite, {x()}), of(Builtin::Trunc, {x()}), y()); break;
  }
  return FittingFloat(w, w.Kind(want.type), e);
}

ExprId FloatClass(Writer& w, const Want& want) {
  Want operand{.of = WriterClass::Float, .depth = want.depth, .limit = want.limit};
  if (w.choices.Percent(45)) return Test(w, OneOf(w, kClasses), {Expression(w, operand)});
  const Builtin order = OneOf(w, kOrders);
  const ExprId lhs = Expression(w, operand.Share(w));
  operand.depth /= 2;
  return Test(w, order, {lhs, Expression(w, operand)});
}

ExprId FloatRounded(Writer& w, const Want& want) {
  const Want operand{.of = WriterClass::Float, .type = FloatType(w), .depth = want.depth, .limit = want.limit};
  switch (w.choices.Weighted({60, 20, 20})) {
    case 0: {
      const Builtin function = OneOf(w, kRoundings);
      return w.build.Cast(IntegerType(w), Math(w, function, operand.type, {Fraction(w, operand)}));
    }
    case 1: {
      const ExprId x = FloatLvalue(w, Access::Read);
      if (!x || !IsPure(w.program, x)) return FloatCondition(w, want);
      const Builtin function = OneOf(w, kRoundings);
      const ExprId rounded = Math(w, function, w.program.types.Basic(w.Kind(x)), {w.build.CopyTree(x)});
      return w.build.Binary(w.choices.Percent(70) ? BinaryOp::Eq : BinaryOp::Ne, rounded, x);
    }
    default: {
      const ExprId size = Math(w, Builtin::Fabs, operand.type, {Argument(w, operand)});
      const double limit = static_cast<double>(w.choices.Between(1, 64)) / 4;
      return w.build.Binary(w.choices.Coin() ? BinaryOp::Lt : BinaryOp::Ge, size,
                            FloatLiteral(w, w.Kind(operand.type), limit));
    }
  }
}

}  // namespace assay::gen
