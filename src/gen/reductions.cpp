// Reductions whose result lives on.
#include "gen/nest_shapes.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;

constexpr TypeKind kSums[] = {TypeKind::Int,   TypeKind::UInt,   TypeKind::Long,  TypeKind::ULong, TypeKind::UInt32,
                              TypeKind::LLong, TypeKind::ULLong, TypeKind::Int64, TypeKind::Short, TypeKind::UChar};

TypeKind DrawSum(Nest& n) { return kSums[n.Below(n.Percent(80) ? 8 : 10)]; }

auto At1(Nest& n, ArrayId array, LoopId loop) {
  return [&n, array, loop] { return n.At(array, {n.Index(loop)}); };
}

// sum op= term. Where so many terms cannot overflow it is written plainly, or else in an unsigned type.
ExprId Accumulate(Nest& n, BinaryOp op, const std::function<ExprId()>& sum, uint64_t times, Ranged term) {
  lang::Builder& build = n.w.build;
  const ExprId target = sum();
  const TypeKind kind = n.w.Kind(target);
  const int64_t count = static_cast<int64_t>(times) + 1, most = int64_t{1} << 40;
  const bool small = !term.range.above && term.range.low > -most && term.range.high < most && count < (1 << 20);
  const Interval total{small ? term.range.low * count - 1000 : 0, small ? term.range.high * count + 1000 : 0};
  const Interval both{std::min(total.low, -total.high), std::max(total.high, -total.low)};
  if ((op == BinaryOp::Add || op == BinaryOp::Sub) && small && n.Fits(both, kind) &&
      n.w.IntInfo(n.CommonKind(target, term.expr)).is_signed) {
    if (n.Percent(70)) return build.CompoundAssign(op, target, term.expr);
    return build.Assign(target, build.Binary(op, sum(), term.expr));
  }
  return n.Update(op, target, term);
}

auto Reader(Nest& n, VarId var) {
  return [&n, var] { return n.w.build.Var(var); };
}

VarId NewSum(Nest& n, int64_t value) { return n.Local(n.w.program.types.Basic(*n.result_kind), n.w.build.Int(value)); }

// A loop over some arrays, with a sum.
template <typename Body>
bool Over(Nest& n, uint32_t arrays, uint32_t statements, TypeId element, Body&& body) {
  const uint32_t trips = n.DrawTrips(1, statements);
  std::vector<ArrayId> from;
  for (uint32_t i = 0; i < arrays; ++i) from.push_back(n.PlanArray({trips}, false, element));
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  n.PlanResult(DrawSum(n));
  if (!n.Begin()) return false;
  const VarId sum = NewSum(n, n.Percent(70) ? 0 : n.Below(100));
  body(from, loop, trips, sum);
  n.Deliver(sum);
  return true;
}

// Small values: they add up without overflow.
Ranged Small(Nest& n, Ranged a) {
  if (!a.range.above && a.range.low >= -0x8000 && a.range.high <= 0xffff) return a;
  return n.Percent(60) ? n.Combine(BinaryOp::BitAnd, a, n.Int((1 << (4 + n.Below(8))) - 1)) : a;
}

}  // namespace

// One operator over everything: + * & | ^ -
bool Fold(Nest& n) {
  return Over(n, 1 + n.Below(2), 1, {}, [&](const std::vector<ArrayId>& from, LoopId loop, uint32_t trips, VarId sum) {
    static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Add,   BinaryOp::Sub,   BinaryOp::Mul,
                                        BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor};
    const BinaryOp op = kOps[n.Below(7)];
    n.Open(loop);
    for (ArrayId a : from) n.Read(a, At1(n, a, loop));
    if (n.Percent(25)) n.ReadIndex(loop);
    Ranged term = n.Percent(50) ? n.DrawnLeaf(false) : n.Value(n.Depth(), false);
    if (op == BinaryOp::Add) term = Small(n, term);
    if (op == BinaryOp::BitAnd) term = n.Combine(BinaryOp::BitOr, term, n.Int(1 << n.Below(6)));
    n.Append(Accumulate(n, op, Reader(n, sum), trips, term));
    n.Close(loop);
  });
}

// sum += a[i] * b[i], often of narrow elements into a wider sum.
bool Dot(Nest& n) {
  static constexpr TypeKind kNarrow[] = {TypeKind::Short, TypeKind::SChar, TypeKind::UChar, TypeKind::UShort,
                                         TypeKind::Int16, TypeKind::Int,   TypeKind::UInt8};
  const TypeId element = n.Percent(70) ? n.w.program.types.Basic(kNarrow[n.Below(7)]) : n.ElementType();
  return Over(n, 2, 1, element, [&](const std::vector<ArrayId>& from, LoopId loop, uint32_t trips, VarId sum) {
    n.Open(loop);
    Ranged a = n.Of(At1(n, from[0], loop)()), b = n.Of(At1(n, from[1], loop)());
    if (n.Percent(20)) a = n.Converted(*n.result_kind, a);
    const Ranged product = n.Combine(BinaryOp::Mul, a, b);
    n.Append(Accumulate(n, BinaryOp::Add, Reader(n, sum), trips, product));
    n.Close(loop);
  });
}

// sum += |a[i] - b[i]|
bool Differences(Nest& n) {
  static constexpr TypeKind kNarrow[] = {TypeKind::UChar, TypeKind::UChar,  TypeKind::SChar,
                                         TypeKind::Short, TypeKind::UShort, TypeKind::Int};
  const TypeId element = n.w.program.types.Basic(kNarrow[n.Below(6)]);
  return Over(n, 2, 2, element, [&](const std::vector<ArrayId>& from, LoopId loop, uint32_t trips, VarId sum) {
    n.Open(loop);
    const Ranged difference = n.Combine(BinaryOp::Sub, n.Of(At1(n, from[0], loop)()), n.Of(At1(n, from[1], loop)()));
    Ranged term = difference;
    if (n.Percent(50)) {
      const TypeId type = n.w.program.types.Basic(lang::PromotedKind(n.w.program, difference.expr));
      const VarId d = n.Local(type, difference.expr);
      term = {n.w.build.Var(d), difference.range};
    }
    n.Append(Accumulate(n, BinaryOp::Add, Reader(n, sum), trips, n.Absolute(term)));
    n.Close(loop);
  });
}

// Two to four sums side by side, together at the end.
bool SeveralSums(Nest& n) {
  const uint32_t more = 1 + n.Below(3);
  return Over(n, 2, 1 + more, {}, [&](const std::vector<ArrayId>& from, LoopId loop, uint32_t trips, VarId sum) {
    static constexpr BinaryOp kOps[] = {BinaryOp::Add,   BinaryOp::Add, BinaryOp::BitXor,
                                        BinaryOp::BitOr, BinaryOp::Mul, BinaryOp::Sub};
    std::vector<VarId> sums = {sum};
    const bool same = n.Percent(60);
    for (uint32_t i = 0; i < more; ++i)
      sums.push_back(n.Local(n.w.program.types.Basic(same ? *n.result_kind : DrawSum(n)), n.w.build.Int(n.Below(9))));
    const BinaryOp op = kOps[n.Below(6)];
    n.Open(loop);
    for (ArrayId a : from) n.Read(a, At1(n, a, loop));
    for (VarId s : sums)
      n.Append(Accumulate(n, n.Percent(75) ? op : kOps[n.Below(6)], Reader(n, s), trips, Small(n, n.Value(1, false))));
    n.Close(loop);
    for (size_t i = 1; i < sums.size(); ++i) {
      n.Append(
          n.Update(n.Percent(50) ? BinaryOp::BitXor : BinaryOp::Add, n.w.build.Var(sum), n.Of(n.w.build.Var(sums[i]))));
    }
  });
}

// if (a[i] > k) { sum += b[i]; count++; }
bool ConditionalSum(Nest& n) {
  return Over(n, 2, 2, {}, [&](const std::vector<ArrayId>& from, LoopId loop, uint32_t trips, VarId sum) {
    n.Open(loop);
    for (ArrayId a : from) n.Read(a, At1(n, a, loop));
    if (n.Percent(60)) {
      n.If(n.Condition(), [&] {
        const bool count = n.Percent(40);
        n.Append(Accumulate(n, BinaryOp::Add, Reader(n, sum), trips, count ? n.Int(1) : Small(n, n.Value(1, false))));
      });
    } else {
      const ExprId condition = n.Condition();
      n.Append(Accumulate(n, BinaryOp::Add, Reader(n, sum), trips,
                          n.Select(condition, Small(n, n.DrawnLeaf(false)), n.Int(0))));
    }
    n.Close(loop);
  });
}

// The greatest or the least.
bool Extreme(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2);
  const ArrayId from = n.PlanArray({trips}, false);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanResult(n.w.Kind(n.arrays[from].least.element));
  if (!n.Begin()) return false;
  const bool greatest = n.Percent(50);
  const ExprId first = n.Percent(60) ? n.At(from, {n.w.build.Int(0)}) : n.w.build.Int(n.Below(100));
  const VarId best = n.Local(n.w.program.types.Basic(*n.result_kind), first);
  const bool both = n.Percent(30);
  const VarId other = both ? n.Local(n.w.program.types.Basic(*n.result_kind), n.w.build.Int(0)) : VarId{};
  n.Open(loop);
  const auto element = [&] { return n.Of(n.At(from, {n.Index(loop)})); };
  const auto keep = [&](VarId var, bool most) {
    if (n.Percent(50)) {
      n.Append(n.w.build.Assign(n.w.build.Var(var), n.Extreme(most, n.Of(n.w.build.Var(var)), element()).expr));
    } else {
      const ExprId less = n.w.build.Binary(most ? BinaryOp::Gt : BinaryOp::Lt, element().expr, n.w.build.Var(var));
      n.If(less, [&] { n.Append(n.w.build.Assign(n.w.build.Var(var), element().expr)); });
    }
  };
  keep(best, greatest);
  if (both) keep(other, !greatest);
  n.Close(loop);
  if (both) n.Append(n.Update(BinaryOp::BitXor, n.w.build.Var(best), n.Of(n.w.build.Var(other))));
  n.Deliver(best);
  return true;
}

// Where something is: the first, the last, or that of the greatest.
bool FindIndex(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2);
  const ArrayId from = n.PlanArray({trips}, false);
  const LoopId loop = n.PlanLoop(trips, 0, 1, true);
  n.PlanInvariants(1);
  n.PlanResult(n.Percent(70) ? TypeKind::Int : TypeKind::Long);
  if (!n.Begin()) return false;
  const VarId found = n.Local(n.w.program.types.Basic(*n.result_kind), n.w.build.Int(-1));
  const bool extreme = n.Percent(40), first = n.Percent(50);
  const VarId best = extreme ? n.Local(n.arrays[from].object.element, n.At(from, {n.w.build.Int(0)})) : VarId{};
  n.Open(loop);
  n.Read(from, At1(n, from, loop));
  const auto element = [&] { return n.At(from, {n.Index(loop)}); };
  if (extreme) {
    n.If(n.w.build.Binary(n.Percent(50) ? BinaryOp::Gt : BinaryOp::Le, element(), n.w.build.Var(best)), [&] {
      n.Append(n.w.build.Assign(n.w.build.Var(best), element()));
      n.Append(n.w.build.Assign(n.w.build.Var(found), n.Index(loop)));
    });
  } else {
    n.If(n.Condition(n.Below(2)), [&] {
      n.Append(n.w.build.Assign(n.w.build.Var(found), n.Index(loop)));
      if (first) n.Leave(StmtKind::Break);
    });
  }
  n.Close(loop);
  n.Deliver(found);
  return true;
}

// r[i] = sum of row i, or r[j] += a[i][j].
bool RowSums(Nest& n) {
  const uint32_t rows = 1 + n.Below(12), columns = std::min(n.DrawTrips(1, 1, false), 64u);
  if (static_cast<uint64_t>(rows) * columns * 36 > n.steps) return false;
  const bool by_column = n.Percent(40), own = n.Percent(60);
  const ArrayId from = n.PlanArray({rows, columns}, false);
  const ArrayId to = n.PlanArray({by_column ? columns : rows}, true);
  const LoopId i = n.PlanLoop(rows), j = n.PlanLoop(columns);
  if (!n.Begin()) return false;
  const bool swapped = n.Percent(30);
  const LoopId outer = swapped ? j : i, inner = swapped ? i : j;
  const auto place = [&] { return n.At(to, {n.Index(by_column ? j : i)}); };
  n.Open(outer);
  const bool with_sum = own && by_column == swapped;
  const VarId sum = with_sum ? n.Local(n.w.program.types.Basic(DrawSum(n)), n.w.build.Int(0)) : VarId{};
  n.Open(inner);
  const Ranged term = n.Of(n.At(from, {n.Index(i), n.Index(j)}));
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Mul};
  const std::function<ExprId()> target = with_sum ? std::function<ExprId()>(Reader(n, sum)) : place;
  n.Append(n.Update(kOps[n.Below(4)], target(), Small(n, term)));
  n.Close(inner);
  if (with_sum) n.Append(n.Store(place(), n.Of(n.w.build.Var(sum))));
  n.Close(outer);
  return true;
}

// The sum is an element or a global all along: a store that may move out of the loop.
bool GlobalSum(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1);
  const ArrayId from = n.PlanArray({trips}, false), to = n.PlanArray({4}, true);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const uint32_t at = n.Below(4);
  VarId global;
  for (int tries = 0; tries < 6 && !global; ++tries) {
    const VarId var = n.w.choices.Pick(n.w.program.globals);
    const lang::Type& type = n.w.program.types[n.w.program.vars[var].type];
    if (lang::IsInteger(type.kind) && type.kind != TypeKind::Bool && type.kind != TypeKind::Enum && type.quals == 0 &&
        n.MayWrite(var))
      global = var;
  }
  const bool element = !global || n.Percent(40);
  n.Open(loop);
  n.Read(from, At1(n, from, loop));
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::Sub, BinaryOp::Mul};
  const ExprId target = element ? n.At(to, {n.w.build.Int(at)}) : n.w.build.Var(global);
  const auto update = [&] { n.Append(n.Update(kOps[n.Below(5)], target, n.Value(1, false))); };
  if (n.Percent(30)) {
    n.If(n.Condition(0), update);
  } else {
    update();
  }
  n.Close(loop);
  return true;
}

}  // namespace assay::gen::shapes
