#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

ExprId FloatNumber(Tiny& t, TypeKind kind, double value) { return t.C(kind, FloatBits(kind, value)); }
VarId FloatGlobal(Tiny& t, TypeKind kind, double value) {
  return t.Global(t.Basic(kind), t.b.InitExpr(FloatNumber(t, kind, value)));
}

// r = a op b
TrapCase OnFloats(TrapKind trap, std::string name, TypeKind kind, BinaryOp op, double lhs, double bad, double good,
                  FloatMode mode = FloatMode::Exact) {
  return {trap, std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = mode;
            const VarId a = FloatGlobal(t, kind, lhs), b = FloatGlobal(t, kind, traps ? bad : good);
            t.Set(FloatGlobal(t, kind, 0), t.b.Binary(op, t.V(a), t.V(b)));
          }};
}

// r = (to)a
TrapCase Conversion(TrapKind trap, std::string name, TypeKind from, TypeKind to, double bad, double good,
                    FloatMode mode = FloatMode::Exact) {
  return {trap, std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = mode;
            const double value = traps ? bad : good;
            const VarId a =
                IsFloat(from)
                    ? FloatGlobal(t, from, value)
                    : t.Global(t.Basic(from),
                               t.b.InitExpr(t.C(TypeKind::LLong, static_cast<uint64_t>(static_cast<int64_t>(value)))));
            const VarId r = t.Global(t.Basic(to));
            t.Set(r, t.b.Cast(t.Basic(to), t.V(a)));
          }};
}

// (a op b) op2 c on floats, all of them exact.
TrapCase Twice(std::string name, BinaryOp op, BinaryOp op2, double lhs, double bad, double good) {
  return {TrapKind::FloatInexact, std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = FloatMode::Robust;
            const double right = traps ? bad : good;
            const VarId a = FloatGlobal(t, TypeKind::Float, lhs), b = FloatGlobal(t, TypeKind::Float, right);
            const VarId r = FloatGlobal(t, TypeKind::Float, 0);
            t.Set(r, t.b.Binary(op, t.V(a), t.V(b)));  // seen through
            t.Set(r, t.b.Binary(op2, t.V(r), t.V(b)));
          }};
}

// x / c or x /= c in `robust`; bad: with another constant, or with a variable.
TrapCase Quotient(std::string name, bool assigns, double bad, double good, bool constant) {
  return {TrapKind::FloatInexact, std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = FloatMode::Robust;
            const double value = traps ? bad : good;
            const ExprId x = t.V(FloatGlobal(t, TypeKind::Float, 9));
            const ExprId divisor = !traps || constant ? FloatNumber(t, TypeKind::Float, value)
                                                      : t.V(FloatGlobal(t, TypeKind::Float, value));
            if (assigns) {
              t.Do(t.b.CompoundAssign(BinaryOp::Div, x, divisor));
            } else {
              t.Set(FloatGlobal(t, TypeKind::Float, 0), t.b.Binary(BinaryOp::Div, x, divisor));
            }
          }};
}

// An integer member of a union is read after a floating one was stored.
TrapCase Bits(std::string name, FloatMode mode, BinaryOp op, double a, double bad, double good) {
  return {TrapKind::InvalidRepresentation, std::move(name), [=](Tiny& t, bool traps) {
            t.p.floats = mode;
            Record record;
            record.is_union = true;
            record.members = {{t.Basic(TypeKind::Double)}, {t.Basic(TypeKind::ULLong)}};
            const VarId u = t.Local(t.p.types.OfRecord(t.p.types.AddRecord(record)));
            const VarId x = FloatGlobal(t, TypeKind::Double, a);
            const VarId y = FloatGlobal(t, TypeKind::Double, traps ? bad : good);
            t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.b.Binary(op, t.V(x), t.V(y))));
            const VarId r = t.Global(t.Basic(TypeKind::ULLong));
            t.Set(r, t.b.Member(t.V(u), 1));
          }};
}

// r = f(a, ...), the last number of which is bad or good; the power of ldexp is an int.
TrapCase OfMath(TrapKind trap, std::string name, TypeKind kind, Builtin function, std::vector<double> others,
                double bad, double good, FloatMode mode = FloatMode::Exact) {
  return {
      trap, std::move(name), [=](Tiny& t, bool traps) {
        t.p.floats = mode;
        const BuiltinInfo& row = Info(function);
        const TypeId type = t.Basic(kind);
        std::vector<double> numbers = others;
        numbers.push_back(traps ? bad : good);
        std::vector<ExprId> arguments;
        for (double number : numbers) {
          const bool power = row.operands == BuiltinOperands::Scaled && arguments.size() == 1;
          arguments.push_back(power ? t.V(t.GlobalInt(static_cast<int>(number))) : t.V(FloatGlobal(t, kind, number)));
        }
        const bool number = row.result == BuiltinResult::Floating;
        const TypeId result = number ? type : t.Int();
        t.Set(t.Global(result), t.b.BuiltinCall(function, result, number ? type : TypeId(), arguments));
      }};
}

}  // namespace

std::vector<TrapCase> FloatCases() {
  using enum TypeKind;
  constexpr TrapKind kRange = TrapKind::FloatConversion, kInexact = TrapKind::FloatInexact, kSign = TrapKind::FloatSign;
  return {
      Conversion(kRange, "double to int", Double, Int, 2147483648.0, 2147483647.75),
      Conversion(kRange, "double to int, below", Double, Int, -2147483649.0, -2147483648.75),
      Conversion(kRange, "float to unsigned char", TypeKind::Float, UChar, 256, 255.5),
      Conversion(kRange, "negative to unsigned", TypeKind::Float, UInt, -1, -0.5),
      Conversion(kRange, "double to long long", Double, LLong, 0x1p63, -0x1p63),
      Conversion(kRange, "double to unsigned long long", Double, ULLong, 0x1p64, 0x1.8p63),
      Conversion(kInexact, "int to float", Int, TypeKind::Float, 16777217, 16777218),
      {kInexact, "long long to double",
       [](Tiny& t, bool traps) {
         const VarId a = t.Global(t.Basic(LLong), t.b.InitExpr(t.C(LLong, (uint64_t{1} << 53) + (traps ? 1 : 2))));
         t.Set(FloatGlobal(t, Double, 0), t.b.Cast(t.Basic(Double), t.V(a)));
       }},
      Conversion(kInexact, "double to float", Double, TypeKind::Float, 0.1, 0.125),
      Conversion(kInexact, "double to float, too large", Double, TypeKind::Float, 0x1p128, 0x1p127),
      Conversion(kInexact, "double to float, too small", Double, TypeKind::Float, 0x1p-150, 0x1p-149),
      OnFloats(kInexact, "float +", TypeKind::Float, BinaryOp::Add, 1, 0x1p-24, 0x1p-23),
      OnFloats(kInexact, "double -", Double, BinaryOp::Sub, 1, 0x1p-54, 0x1p-53),
      OnFloats(kInexact, "float *", TypeKind::Float, BinaryOp::Mul, 4097, 4097, 4094),
      OnFloats(kInexact, "double *, too large", Double, BinaryOp::Mul, 0x1p1000, 0x1p24, 0x1p23),
      OnFloats(kInexact, "double *, too small", Double, BinaryOp::Mul, 0x1p-1000, 0x1p-75, 0x1p-74),
      OnFloats(kInexact, "double /", Double, BinaryOp::Div, 1, 3, 8),
      OnFloats(TrapKind::DivisionByZero, "double / 0", Double, BinaryOp::Div, 1, 0, 1),
      {kInexact, "float ++",
       [](Tiny& t, bool traps) {
         t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(FloatGlobal(t, TypeKind::Float, traps ? 16777216 : 16777215))));
       }},
      {kInexact, "float += double",
       [](Tiny& t, bool traps) {
         const VarId a = FloatGlobal(t, TypeKind::Float, 1);
         t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(a), FloatNumber(t, Double, traps ? 0x1p-30 : 0x1p-20)));
       }},
      {kRange, "int *= double",
       [](Tiny& t, bool traps) {
         t.Do(t.b.CompoundAssign(BinaryOp::Mul, t.V(t.GlobalInt(1 << 30)), FloatNumber(t, Double, traps ? 2 : 1.5)));
       }},
      {kInexact, "int < float",
       [](Tiny& t, bool traps) {
         const VarId a = t.GlobalInt(traps ? 16777217 : 16777216), b = FloatGlobal(t, TypeKind::Float, 3);
         t.Set(t.GlobalInt(), t.b.Binary(BinaryOp::Lt, t.V(a), t.V(b)));
       }},
      // Exact as they stand, but not in every order.
      Twice("sums regrouped", BinaryOp::Add, BinaryOp::Sub, 0x1p23, 0x1p23, 0x1p22),
      Twice("products regrouped", BinaryOp::Mul, BinaryOp::Mul, 0x1p-8, 0x1p-9, 0x1p-8),
      Quotient("division by no power of two", false, 3, 4, true),
      Quotient("division by a variable", false, 4, 4, false),
      Quotient("/= a variable", true, 4, 4, false),
      Conversion(kInexact, "an integer with many bits", Int, TypeKind::Float, 0x1p25, 0x1p24, FloatMode::Robust),
      Conversion(kRange, "NaN-free ieee to int", Double, Int, 1e10, 1e9, FloatMode::Ieee),
      OfMath(kInexact, "sqrt", Double, Builtin::Sqrt, {}, 2, 2.25),
      OfMath(kInexact, "sqrt of a negative number", TypeKind::Float, Builtin::Sqrt, {}, -4, 4),
      OfMath(kInexact, "fma", Double, Builtin::Fma, {0x1.0000001p0, 0x1.0000001p0}, 0, -0x1.0000002p0),
      OfMath(kInexact, "fma, not in every order", TypeKind::Float, Builtin::Fma, {2048, 4096}, 0x1p24, 5,
             FloatMode::Robust),
      OfMath(kInexact, "ldexp, too large", TypeKind::Float, Builtin::Ldexp, {3}, 127, 126),
      OfMath(kInexact, "scalbn, too small", Double, Builtin::Scalbn, {3}, -1075, -1074),
      OfMath(kInexact, "ldexp, not in every order", TypeKind::Float, Builtin::Ldexp, {3}, 24, 20, FloatMode::Robust),
      OfMath(kInexact, "a rounding, not in every order", TypeKind::Float, Builtin::Floor, {}, 0x1p24, 0x1p23,
             FloatMode::Robust),
      {kInexact, "sqrt in robust",
       [](Tiny& t, bool traps) {
         t.p.floats = FloatMode::Robust;
         const TypeId type = t.Basic(Double);
         const Builtin function = traps ? Builtin::Sqrt : Builtin::Fabs;
         const std::vector<ExprId> argument = {FloatNumber(t, Double, 4)};
         t.Set(FloatGlobal(t, Double, 0), t.b.BuiltinCall(function, type, type, argument));
       }},
      OfMath(kSign, "copysign from zero", Double, Builtin::CopySign, {3}, 0, -1),
      OfMath(kSign, "copysign from minus zero, robust", TypeKind::Float, Builtin::CopySign, {3}, -0.0, 1,
             FloatMode::Robust),
      OfMath(kSign, "signbit of zero", TypeKind::Float, Builtin::SignBit, {}, 0, -3),
      OfMath(kSign, "signbit of zero, robust", Double, Builtin::SignBit, {}, 0, 3, FloatMode::Robust),
      OfMath(kSign, "fmin of two zeros", Double, Builtin::Fmin, {0}, -0.0, 0),
      OfMath(kSign, "fmax of two zeros", TypeKind::Float, Builtin::Fmax, {-0.0}, 0, -0.0),
      OfMath(kSign, "fmax of two zeros, ieee", Double, Builtin::Fmax, {-0.0}, 0, -0.0, FloatMode::Ieee),
      {kSign, "signbit of a NaN",
       [](Tiny& t, bool traps) {
         t.p.floats = FloatMode::Ieee;
         const ExprId quotient =
             t.b.Binary(BinaryOp::Div, t.V(FloatGlobal(t, Double, 0)), t.V(FloatGlobal(t, Double, traps ? 0 : -1)));
         const std::vector<ExprId> argument = {quotient};
         t.Set(t.GlobalInt(), t.b.BuiltinCall(Builtin::SignBit, t.Int(), {}, argument));
       }},
      {TrapKind::InvalidRepresentation, "a signalling NaN",
       [](Tiny& t, bool traps) {
         t.p.floats = FloatMode::Ieee;
         Record record;
         record.is_union = true;
         record.members = {{t.Basic(TypeKind::Float)}, {t.Basic(UInt)}};
         const VarId u = t.Local(t.p.types.OfRecord(t.p.types.AddRecord(record)));
         t.Do(t.b.Assign(t.b.Member(t.V(u), 1), t.C(UInt, traps ? 0x7f800001 : 0x7fc00001)));
         t.Set(FloatGlobal(t, TypeKind::Float, 0), t.b.Member(t.V(u), 0));
       }},
      Bits("the sign of zero", FloatMode::Exact, BinaryOp::Mul, 0, -1, 1),
      Bits("the sign of zero, robust", FloatMode::Robust, BinaryOp::Mul, 3, 0, 1),
      Bits("the bits of a NaN", FloatMode::Ieee, BinaryOp::Div, 0, 0, 3),
  };
}

}  // namespace assay::machine::testing
