// Loops over arrays of floating numbers. The elements that are read are integers, and nobody but nests writes what they
// store, so that every sum and product is exact, in any order: nothing here ever traps.
#include "gen/floats.hpp"
#include "gen/nest_shapes.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;

constexpr int64_t kRead = 100;            // the largest element of an array that is read
constexpr int64_t kStored = 1 << 20;      // and of one that is written, which has fractions, too
constexpr uint32_t kMostProducts = 1000;  // that a float adds up exactly: 1000 * 100 * 100 < 2^24

TypeKind DrawKind(Nest& n) {
  return n.Percent(static_cast<uint32_t>(n.w.knobs.float_single)) ? TypeKind::Float : TypeKind::Double;
}
TypeId Type(Nest& n, TypeKind kind) { return n.w.program.types.Basic(kind); }

ArrayId PlanFloats(Nest& n, std::initializer_list<uint32_t> lengths, bool written, TypeKind kind) {
  const ArrayId id = n.PlanArray(lengths, written, Type(n, kind));
  SharedArray& least = n.arrays[id].least;
  least.kept = true;
  least.high = written ? kStored : kRead;
  least.low = -least.high;
  return id;
}

ExprId Element(Nest& n, ArrayId array, LoopId loop, int64_t offset = 0) { return n.At(array, {n.Index(loop, offset)}); }

// A factor with at most two bits behind the point.
ExprId Factor(Nest& n, TypeKind kind) {
  static constexpr double kFactors[] = {2, 0.5, 3, -1, 0.25, 4, 1.5, -2};
  return FloatLiteral(n.w, kind, kFactors[n.Below(8)]);
}
ExprId Whole(Nest& n, TypeKind kind, int64_t low, int64_t high) {
  return FloatLiteral(n.w, kind, static_cast<double>(n.w.choices.Between(low, high)));
}

ExprId Math(Nest& n, lang::Builtin function, TypeKind kind, std::initializer_list<ExprId> arguments) {
  const TypeId type = Type(n, kind);
  return n.w.build.BuiltinCall(function, type, type, std::vector<ExprId>(arguments));
}

// Now and then a call of <math.h> that never traps: an element may be a zero of any sign.
bool CallsMath(Nest& n) { return n.w.knobs.expr_math > 0 && n.Percent(40); }

// Of two elements; at most 100 * 100 or 8 * 100 + 100.
ExprId Combined(Nest& n, TypeKind kind, const std::function<ExprId()>& a, const std::function<ExprId()>& b) {
  lang::Builder& build = n.w.build;
  switch (n.Below(8)) {
    case 0: return build.Binary(BinaryOp::Add, build.Binary(BinaryOp::Mul, a(), Factor(n, kind)), b());
    case 1: return build.Binary(BinaryOp::Sub, a(), build.Binary(BinaryOp::Mul, Factor(n, kind), b()));
    case 2: return build.Binary(BinaryOp::Mul, a(), b());
    case 3: return build.Binary(BinaryOp::Div, build.Binary(BinaryOp::Add, a(), b()), Whole(n, kind, 2, 2));
    case 4:
      if (CallsMath(n)) {
        const ExprId limit = FloatLiteral(n.w, kind, static_cast<double>(n.w.choices.Between(1, 60)));
        return Math(n, n.Percent(50) ? lang::Builtin::Fmin : lang::Builtin::Fmax, kind, {a(), limit});
      }
      return build.Conditional(build.Binary(n.Percent(50) ? BinaryOp::Lt : BinaryOp::Ge, a(), b()), a(), b());
    case 5: {
      if (CallsMath(n)) return Math(n, lang::Builtin::Fabs, kind, {a()});
      const ExprId negative = build.Binary(BinaryOp::Lt, a(), Whole(n, kind, 0, 0));
      return build.Conditional(negative, build.Unary(lang::UnaryOp::Minus, a()), a());
    }
    case 6:
      if (CallsMath(n)) {
        static constexpr lang::Builtin kRoundings[] = {lang::Builtin::Floor,     lang::Builtin::Ceil,
                                                       lang::Builtin::Trunc,     lang::Builtin::Rint,
                                                       lang::Builtin::NearbyInt, lang::Builtin::Round};
        return Math(n, kRoundings[n.Below(6)], kind, {build.Binary(BinaryOp::Mul, a(), Factor(n, kind))});
      }
      return build.Cast(Type(n, kind),
                        build.Cast(Type(n, TypeKind::Int), build.Binary(BinaryOp::Mul, a(), Factor(n, kind))));
    default: return build.Binary(BinaryOp::Add, build.Unary(lang::UnaryOp::Minus, a()), Whole(n, kind, -50, 50));
  }
}

}  // namespace

// sum += a[i], sum += a[i] * b[i], if (a[i] > k) sum -= a[i]
bool FloatSum(Nest& n) {
  const TypeKind kind = DrawKind(n), wide = n.Percent(25) ? TypeKind::Double : kind;
  const uint32_t trips = n.DrawTrips(1, 1);
  const ArrayId a = PlanFloats(n, {trips}, false, kind), b = PlanFloats(n, {trips}, false, kind);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanResult(wide);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const VarId sum = n.Local(Type(n, wide), Whole(n, wide, 0, 9));
  n.Open(loop);
  const bool product = trips <= kMostProducts && n.Percent(55);
  const auto term = [&] {
    const ExprId x = Element(n, a, loop);
    return product ? build.Binary(BinaryOp::Mul, x, Element(n, b, loop)) : x;
  };
  const auto add = [&](ExprId value) {
    const BinaryOp op = n.Percent(70) ? BinaryOp::Add : BinaryOp::Sub;
    n.Append(n.Percent(65) ? build.CompoundAssign(op, build.Var(sum), value)
                           : build.Assign(build.Var(sum), build.Binary(op, build.Var(sum), value)));
  };
  if (n.Percent(70)) {
    add(term());
  } else {
    n.If(build.Binary(n.Percent(50) ? BinaryOp::Gt : BinaryOp::Le, Element(n, a, loop), Whole(n, kind, -20, 20)),
         [&] { add(term()); });
  }
  n.Close(loop);
  n.Deliver(sum);
  return true;
}

// if (a[i] > most) most = a[i];
bool FloatExtreme(Nest& n) {
  const TypeKind kind = DrawKind(n);
  const uint32_t trips = n.DrawTrips(1, 1, false);
  const ArrayId a = PlanFloats(n, {trips}, false, kind);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanResult(kind);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const VarId best = n.Local(Type(n, kind), n.At(a, {build.Int(0)}));
  n.Open(loop);
  const BinaryOp op = n.Percent(50) ? BinaryOp::Gt : BinaryOp::Lt;
  if (n.w.program.floats == lang::FloatMode::Robust && CallsMath(n)) {  // zeros have no sign there
    const lang::Builtin function = op == BinaryOp::Gt ? lang::Builtin::Fmax : lang::Builtin::Fmin;
    n.Append(build.Assign(build.Var(best), Math(n, function, kind, {build.Var(best), Element(n, a, loop)})));
  } else if (n.Percent(60)) {
    n.If(build.Binary(op, Element(n, a, loop), build.Var(best)),
         [&] { n.Append(build.Assign(build.Var(best), Element(n, a, loop))); });
  } else {
    const ExprId better = build.Binary(op, build.Var(best), Element(n, a, loop));
    n.Append(build.Assign(build.Var(best), build.Conditional(better, build.Var(best), Element(n, a, loop))));
  }
  n.Close(loop);
  n.Deliver(best);
  return true;
}

// c[i] = a[i] * 2 + b[i] and the like; to and from integers.
bool FloatMap(Nest& n) {
  const TypeKind kind = DrawKind(n);
  const uint32_t trips = n.DrawTrips(1, 2);
  const ArrayId a = PlanFloats(n, {trips}, false, kind), b = PlanFloats(n, {trips}, false, kind);
  const uint32_t form = n.w.choices.Weighted({60, 20, 20});
  const ArrayId to = form == 1 ? n.PlanArray({trips}, true) : PlanFloats(n, {trips}, true, kind);
  const ArrayId from = form == 2 ? n.PlanArray({trips}, false) : a;
  const LoopId loop = n.PlanLoop(trips);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  n.Open(loop);
  ExprId value = Combined(
      n, kind, [&] { return Element(n, a, loop); }, [&] { return Element(n, b, loop); });
  if (form == 1) value = build.Cast(Type(n, TypeKind::Int), value);
  if (form == 2) {
    const ExprId small = build.Binary(BinaryOp::BitAnd, Element(n, from, loop), build.Int(127));
    value = build.Binary(BinaryOp::Add, build.Cast(Type(n, kind), small), Element(n, a, loop));
  }
  n.Append(build.Assign(Element(n, to, loop), value));
  n.Close(loop);
  return true;
}

// c[i] = (a[i] + 2 * a[i + 1] + a[i + 2]) / 4
bool FloatStencil(Nest& n) {
  const TypeKind kind = DrawKind(n);
  const uint32_t trips = n.DrawTrips(1, 1);
  const ArrayId a = PlanFloats(n, {trips + 2}, false, kind), to = PlanFloats(n, {trips + 2}, true, kind);
  const LoopId loop = n.PlanLoop(trips);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  n.Open(loop);
  ExprId sum = build.Binary(BinaryOp::Add, Element(n, a, loop),
                            build.Binary(BinaryOp::Mul, Factor(n, kind), Element(n, a, loop, 1)));
  if (n.Percent(70)) sum = build.Binary(BinaryOp::Add, sum, Element(n, a, loop, 2));
  const bool divides = n.Percent(50);
  sum = build.Binary(divides ? BinaryOp::Div : BinaryOp::Mul, sum, FloatLiteral(n.w, kind, divides ? 4 : 0.25));
  n.Append(build.Assign(Element(n, to, loop, n.Below(3)), sum));
  n.Close(loop);
  return true;
}

// for each row: sum of m[i][j] * v[j]
bool FloatRows(Nest& n) {
  const TypeKind kind = DrawKind(n);
  const uint32_t rows = n.DrawTrips(2, 1), columns = std::min(n.DrawTrips(2, 1), 100u);
  const ArrayId m = PlanFloats(n, {rows, columns}, false, kind), v = PlanFloats(n, {columns}, false, kind);
  const ArrayId to = PlanFloats(n, {rows}, true, kind);
  const LoopId outer = n.PlanLoop(rows), inner = n.PlanLoop(columns);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  n.Open(outer);
  const VarId sum = n.Local(Type(n, kind), Whole(n, kind, 0, 0));
  n.Open(inner);
  const ExprId product = build.Binary(BinaryOp::Mul, n.At(m, {n.Index(outer), n.Index(inner)}), Element(n, v, inner));
  n.Append(build.CompoundAssign(BinaryOp::Add, build.Var(sum), product));
  n.Close(inner);
  n.Append(build.Assign(Element(n, to, outer), build.Var(sum)));
  n.Close(outer);
  return true;
}

}  // namespace assay::gen::shapes
