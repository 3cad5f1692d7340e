// Shapes of two and three loops.
#include "gen/nest_shapes.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;

// The place a[i][j], or with the loops swapped.
auto At2(Nest& n, ArrayId array, LoopId i, LoopId j, int64_t di = 0, int64_t dj = 0) {
  return [&n, array, i, j, di, dj] { return n.At(array, {n.Index(i, di), n.Index(j, dj)}); };
}

struct Two {
  uint32_t rows = 0, columns = 0;
  LoopId i = 0, j = 0;
};

// Two loops; the inner one gets more than the outer.
Two PlanTwo(Nest& n, uint32_t statements, int64_t first = 0, bool plain = false) {
  Two two;
  two.columns = n.DrawTrips(1, statements, false);
  const uint64_t cost = 14 + 24ull * statements;
  const uint64_t most = n.steps / (cost * std::max(1u, two.columns));
  if (most < 2) {
    two.columns = n.DrawTrips(2, statements, false);
    two.rows = n.DrawTrips(2, statements, false);
  } else {
    two.rows = 1 + n.Below(static_cast<uint32_t>(std::min<uint64_t>(most, 24)));
  }
  if (two.columns > 130) two.columns = 130;
  if (two.rows * two.columns > 1000) two.rows = 1000 / two.columns;
  if (n.Percent(25)) std::swap(two.rows, two.columns);
  two.i = n.PlanLoop(two.rows, first, 1, plain);
  two.j = n.PlanLoop(two.columns, first, 1, plain);
  return two;
}

// a[i][j] = f(b[i][j], c[j], d[i]); the loops in this order or the other.
bool Both(Nest& n, bool columns_first, uint32_t statements) {
  const Two two = PlanTwo(n, statements);
  const ArrayId to = n.PlanArray({two.rows, two.columns}, true);
  const ArrayId from = n.PlanArray({two.rows, two.columns}, false, n.arrays[to].least.element);
  const bool with_row = n.Percent(40), with_column = n.Percent(40);
  const ArrayId row = with_row ? n.PlanArray({two.columns}, false) : from;
  const ArrayId column = with_column ? n.PlanArray({two.rows}, false) : from;
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const LoopId outer = columns_first ? two.j : two.i, inner = columns_first ? two.i : two.j;
  n.Open(outer);
  n.Open(inner);
  n.Read(from, At2(n, from, two.i, two.j));
  if (with_row) n.Read(row, [&n, row, two] { return n.At(row, {n.Index(two.j)}); });
  if (with_column) n.Read(column, [&n, column, two] { return n.At(column, {n.Index(two.i)}); });
  if (n.Percent(30)) n.ReadIndex(two.i);
  if (n.Percent(30)) n.ReadIndex(two.j);
  for (uint32_t s = 0; s < statements; ++s) n.Assign(At2(n, to, two.i, two.j), n.Depth());
  n.Close(inner);
  n.Close(outer);
  return true;
}

}  // namespace

bool Rows(Nest& n) { return Both(n, false, 1 + n.Below(2)); }
bool Columns(Nest& n) { return Both(n, true, 1); }

// a[j][i] = b[i][j].
bool Transpose(Nest& n) {
  const Two two = PlanTwo(n, 1);
  const ArrayId to = n.PlanArray({two.columns, two.rows}, true);
  const ArrayId from = n.PlanArray({two.rows, two.columns}, false, n.arrays[to].least.element);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(two.i);
  n.Open(two.j);
  n.Read(from, At2(n, from, two.i, two.j));
  if (n.Percent(50)) {
    n.Append(n.w.build.Assign(n.At(to, {n.Index(two.j), n.Index(two.i)}), n.DrawnLeaf(false).expr));
  } else {
    n.Assign(At2(n, to, two.j, two.i), n.Depth());
  }
  n.Close(two.j);
  n.Close(two.i);
  return true;
}

// for (i …) for (j = 0; j < i; …): below or above the diagonal.
bool Triangle(Nest& n) {
  const uint32_t size = std::min(n.DrawTrips(2, 1, false) + 2, 40u);
  const bool above = n.Percent(40), or_equal = n.Percent(40);
  const ArrayId to = n.PlanArray({size, size}, true);
  const ArrayId from = n.PlanArray({size, size}, false, n.arrays[to].least.element);
  const LoopId i = n.PlanLoop(size, 0, 1, true), j = n.PlanLoop(size, 0, 1, true);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  for (LoopId loop : {i, j}) {
    n.loops[loop].form = Nest::Form::Up;
    n.loops[loop].in_header = n.Percent(70);
  }
  n.loops[j].compare = or_equal && !above ? BinaryOp::Le : BinaryOp::Lt;
  n.Open(i);
  if (above) {  // from i, or from i + 1, to the end
    n.OpenFrom(j, n.Index(i, or_equal ? 0 : 1));
  } else {
    n.Open(j, [&] { return n.Index(i); });
  }
  n.Read(from, At2(n, from, i, j));
  if (n.Percent(30)) n.Read(from, At2(n, from, j, i));
  n.ReadIndex(j);
  n.Assign(n.Percent(75) ? std::function<ExprId()>(At2(n, to, i, j)) : At2(n, to, j, i), n.Depth());
  n.Close(j);
  n.Close(i);
  return true;
}

// c[i][j] += a[i][k] * b[k][j], the loops in any order; sometimes with a sum of its own.
bool MatrixProduct(Nest& n) {
  const uint32_t size = std::min(n.DrawTrips(3, 1, false), 16u), other = std::max(1u, size - n.Below(2));
  const ArrayId to = n.PlanArray({size, other}, true);
  const TypeId type = n.arrays[to].least.element;
  const ArrayId a = n.PlanArray({size, size}, false, type), b = n.PlanArray({size, other}, false, type);
  const LoopId i = n.PlanLoop(size), j = n.PlanLoop(other), k = n.PlanLoop(size);
  if (!n.Begin()) return false;
  std::array<LoopId, 3> order = {i, j, k};
  n.w.choices.Shuffle(order);
  if (n.Percent(40)) order = {i, j, k};
  const bool own_sum = order[2] == k && n.Percent(60);
  n.Open(order[0]);
  n.Open(order[1]);
  VarId sum;
  if (own_sum)
    sum = n.Local(n.w.program.types.Basic(n.Percent(50) ? TypeKind::UInt : TypeKind::ULong), n.w.build.Int(0));
  n.Open(order[2]);
  const Ranged left = n.Of(n.At(a, {n.Index(i), n.Index(k)})), right = n.Of(n.At(b, {n.Index(k), n.Index(j)}));
  const Ranged product = n.Combine(BinaryOp::Mul, left, right);
  n.Append(n.Update(n.Percent(85) ? BinaryOp::Add : BinaryOp::Sub,
                    own_sum ? n.w.build.Var(sum) : n.At(to, {n.Index(i), n.Index(j)}), product));
  n.Close(order[2]);
  if (own_sum) n.Append(n.w.build.Assign(n.At(to, {n.Index(i), n.Index(j)}), n.w.build.Var(sum)));
  n.Close(order[1]);
  n.Close(order[0]);
  return true;
}

// A stencil in two dimensions.
bool Plane(Nest& n) {
  const Two two = PlanTwo(n, 2, 1);
  const ArrayId to = n.PlanArray({two.rows + 2, two.columns + 2}, true);
  const ArrayId from = n.PlanArray({two.rows + 2, two.columns + 2}, n.Percent(15), n.arrays[to].least.element);
  if (!n.Begin()) return false;
  n.Open(two.i);
  n.Open(two.j);
  static constexpr int kNeighbours[][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}};
  Ranged sum = n.Of(At2(n, from, two.i, two.j)());
  const uint32_t count = 2 + n.Below(4), start = n.Below(3);
  for (uint32_t k = 0; k < count; ++k) {
    const int* d = kNeighbours[(k + start) % 6];
    sum = n.Combine(n.Percent(80) ? BinaryOp::Add : BinaryOp::Sub, sum, n.Of(At2(n, from, two.i, two.j, d[0], d[1])()));
  }
  if (n.Percent(40)) sum = n.Combine(BinaryOp::Div, sum, n.Int(2 + n.Below(5)));
  n.Append(n.Store(At2(n, to, two.i, two.j)(), sum));
  n.Close(two.j);
  n.Close(two.i);
  return true;
}

// Three loops over a[i][j][k].
bool Cube(Nest& n) {
  const uint32_t inner = std::min(std::max(n.DrawTrips(3, 1, false), 4u) * (1 + n.Below(3)), 40u);
  const uint32_t middle = 1 + n.Below(4), outer = 1 + n.Below(4);
  if (static_cast<uint64_t>(inner) * middle * outer * 40 > n.steps) return false;
  const ArrayId to = n.PlanArray({outer, middle, inner}, true);
  const ArrayId from = n.PlanArray({outer, middle, inner}, false, n.arrays[to].least.element);
  const bool with_flat = n.Percent(50);
  const ArrayId flat = with_flat ? n.PlanArray({middle, inner}, false) : from;
  const LoopId i = n.PlanLoop(outer), j = n.PlanLoop(middle), k = n.PlanLoop(inner);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  std::array<LoopId, 3> order = {i, j, k};
  if (n.Percent(35)) n.w.choices.Shuffle(order);
  for (LoopId loop : order) n.Open(loop);
  n.Read(from, [&] { return n.At(from, {n.Index(i), n.Index(j), n.Index(k)}); });
  if (with_flat) n.Read(flat, [&] { return n.At(flat, {n.Index(j), n.Index(k)}); });
  if (n.Percent(30)) n.ReadIndex(k);
  n.Assign([&] { return n.At(to, {n.Index(i), n.Index(j), n.Index(k)}); }, n.Depth());
  for (size_t level = order.size(); level-- > 0;) n.Close(order[level]);
  return true;
}

// Statements before and after the inner loop.
bool Imperfect(Nest& n) {
  const Two two = PlanTwo(n, 2);
  const ArrayId to = n.PlanArray({two.rows, two.columns}, true), column = n.PlanArray({two.rows}, true);
  const ArrayId from = n.PlanArray({two.columns}, false);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const size_t before = n.leaves.size();
  n.Open(two.i);
  const auto at_column = [&n, column, two] { return n.At(column, {n.Index(two.i)}); };
  n.Read(column, at_column);
  n.ReadIndex(two.i);
  n.Assign(at_column, n.Depth());
  n.Open(two.j);
  n.Read(from, [&n, from, two] { return n.At(from, {n.Index(two.j)}); });
  if (n.Percent(50)) n.Read(to, At2(n, to, two.i, two.j));
  n.Assign(At2(n, to, two.i, two.j), n.Depth());
  if (n.Percent(40)) n.Append(n.Update(BinaryOp::Add, at_column(), n.Of(At2(n, to, two.i, two.j)())));
  n.Close(two.j);
  n.leaves.resize(before);
  n.Read(column, at_column);
  if (n.Percent(60)) n.Assign(at_column, 1);
  n.Close(two.i);
  return true;
}

// if (c[i]) for (j …) …
bool GuardedInner(Nest& n) {
  const Two two = PlanTwo(n, 1);
  const ArrayId to = n.PlanArray({two.rows, two.columns}, true), guard = n.PlanArray({two.rows}, false);
  const ArrayId from = n.PlanArray({two.columns}, false);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  n.Open(two.i);
  n.Read(guard, [&n, guard, two] { return n.At(guard, {n.Index(two.i)}); });
  n.ReadIndex(two.i);
  const ExprId condition = n.Percent(50) ? n.InvariantCondition() : n.Condition();
  n.If(condition, [&] {
    n.Open(two.j);
    n.Read(from, [&n, from, two] { return n.At(from, {n.Index(two.j)}); });
    n.Assign(At2(n, to, two.i, two.j), n.Depth());
    n.Close(two.j);
  });
  n.Close(two.i);
  return true;
}

// What one iteration of the outer loop reads the next reads again: x[j] += y[j]
// * t[i], a[i][j] = a[i - 1][j] + b[j].
bool Reuse(Nest& n) {
  const bool rows = n.Percent(50);
  const Two two = PlanTwo(n, 1, rows ? 1 : 0);
  const ArrayId to = rows ? n.PlanArray({two.rows + 1, two.columns + 1}, true) : n.PlanArray({two.columns}, true);
  const ArrayId along = n.PlanArray({two.columns + 1}, false, n.arrays[to].least.element);
  const ArrayId across = n.PlanArray({two.rows + 1}, false, n.arrays[to].least.element);
  if (!n.Begin()) return false;
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor, BinaryOp::Mul};
  const BinaryOp op = kOps[n.Below(5)];
  n.Open(two.i);
  n.Open(two.j);
  const Ranged first = n.Of(n.At(along, {n.Index(two.j)})), second = n.Of(n.At(across, {n.Index(two.i)}));
  if (rows) {
    const Ranged above = n.Of(At2(n, to, two.i, two.j, -1, 0)());
    const Ranged other = n.Percent(50) ? first : n.Combine(BinaryOp::Mul, first, second);
    n.Append(n.w.build.Assign(At2(n, to, two.i, two.j)(), n.Combine(op, above, other).expr));
  } else {
    n.Append(n.Update(op, n.At(to, {n.Index(two.j)}), n.Combine(BinaryOp::Mul, first, second)));
  }
  n.Close(two.j);
  n.Close(two.i);
  return true;
}

}  // namespace assay::gen::shapes
