// Shapes of one loop over rows of elements.
#include "gen/nest_shapes.hpp"
#include "gen/types.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;

void ReadAt(Nest& n, ArrayId array, LoopId loop, int64_t offset = 0, int64_t scale = 1) {
  n.Read(array, [&n, array, loop, offset, scale] { return n.At(array, {n.Index(loop, offset, scale)}); });
}

auto PlaceAt(Nest& n, ArrayId array, LoopId loop, int64_t offset = 0, int64_t scale = 1) {
  return [&n, array, loop, offset, scale] { return n.At(array, {n.Index(loop, offset, scale)}); };
}

std::vector<ArrayId> PlanSome(Nest& n, uint32_t count, uint32_t length, bool written, TypeId type = {}) {
  std::vector<ArrayId> made;
  for (uint32_t i = 0; i < count; ++i) made.push_back(n.PlanArray({length}, written, type));
  return made;
}

// a[i] = f(b[i], c[i], i, invariants), some times.
bool ElementwiseOf(Nest& n, uint32_t statements, bool other_widths) {
  const uint32_t trips = n.DrawTrips(1, statements);
  std::vector<ArrayId> to, from;
  for (uint32_t i = 0; i < statements; ++i)
    to.push_back(n.PlanArray({trips}, true, other_widths ? n.OtherElement() : TypeId{}));
  const uint32_t inputs = 1 + n.Below(2);
  for (uint32_t i = 0; i < inputs; ++i)
    from.push_back(n.PlanArray({trips}, false, other_widths ? n.OtherElement() : TypeId{}));
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  n.Open(loop);
  for (ArrayId a : from) ReadAt(n, a, loop);
  if (n.Percent(40)) n.ReadIndex(loop);
  if (n.Percent(30)) ReadAt(n, to[0], loop);
  for (ArrayId a : to) n.Assign(PlaceAt(n, a, loop), n.Depth());
  n.Close(loop);
  return true;
}

}  // namespace

bool Elementwise(Nest& n) { return ElementwiseOf(n, 1, false); }

// Independent statements in one loop, often beside one that needs the iteration
// before.
bool Distribution(Nest& n) {
  if (n.Percent(40)) return ElementwiseOf(n, 2 + n.Below(2), false);
  const uint32_t trips = n.DrawTrips(1, 2), others = 1 + n.Below(2);
  const ArrayId chain = n.PlanArray({trips + 1}, true), links = n.PlanArray({trips}, false);
  const std::vector<ArrayId> to = PlanSome(n, others, trips, true), from = PlanSome(n, others, trips, false);
  const LoopId loop = n.PlanLoop(trips, 0, 1, true);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor, BinaryOp::Mul};
  const Ranged before = n.Of(n.At(chain, {n.Index(loop)})), link = n.Of(n.At(links, {n.Index(loop)}));
  n.Append(n.w.build.Assign(n.At(chain, {n.Index(loop, 1)}), n.Combine(kOps[n.Below(4)], before, link).expr));
  const size_t invariants = n.leaves.size();
  for (uint32_t i = 0; i < others; ++i) {
    ReadAt(n, from[i], loop);
    n.Append(n.w.build.Assign(n.At(to[i], {n.Index(loop)}), n.Value(1 + n.Below(2), false).expr));
    n.leaves.resize(invariants);
  }
  n.Close(loop);
  return true;
}

// a[2 * i] = b[i]; a[2 * i + 1] = c[i]; or the other way round.
bool Interleave(Nest& n) {
  const uint32_t parts = n.Percent(70) ? 2 : 3 + n.Below(2), trips = n.DrawTrips(1, parts);
  const bool together = n.Percent(50);
  const ArrayId whole = n.PlanArray({trips * parts}, together);
  const std::vector<ArrayId> part = PlanSome(n, parts, trips, !together, n.arrays[whole].least.element);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  for (uint32_t k = 0; k < parts; ++k) {
    const ExprId one = n.At(whole, {n.Index(loop, k, parts)}), other = n.At(part[k], {n.Index(loop)});
    Ranged value = n.Of(together ? other : one);
    if (n.Percent(40)) value = n.Combine(n.Percent(50) ? BinaryOp::Add : BinaryOp::BitXor, value, n.DrawnLeaf());
    n.Append(n.w.build.Assign(together ? one : other, value.expr));
  }
  n.Close(loop);
  return true;
}
bool Widths(Nest& n) { return ElementwiseOf(n, 1 + n.Below(2), true); }

// b[i] = a[i - 1] + a[i] + a[i + 1], or in place.
bool Stencil(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2), radius = 1 + n.Below(2);
  const bool in_place = n.Percent(20);
  const ArrayId from = n.PlanArray({trips + 2 * radius}, in_place);
  const ArrayId to = in_place ? from : n.PlanArray({trips + 2 * radius}, true, n.arrays[from].least.element);
  const LoopId loop = n.PlanLoop(trips, radius);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  Ranged sum = n.Of(n.At(from, {n.Index(loop, -static_cast<int64_t>(radius))}));
  for (int64_t d = 1 - static_cast<int64_t>(radius); d <= static_cast<int64_t>(radius); ++d) {
    Ranged term = n.Of(n.At(from, {n.Index(loop, d)}));
    if (n.Percent(30)) term = n.Combine(BinaryOp::Mul, term, n.Int(1 + n.Below(6)));
    static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor};
    sum = n.Combine(kOps[n.Below(4)], sum, term);
  }
  if (n.Percent(30)) sum = n.Combine(BinaryOp::Shr, sum, n.Int(1 + n.Below(3)));
  ReadAt(n, from, loop);
  if (n.Percent(30)) sum = n.Combine(n.Percent(50) ? BinaryOp::Add : BinaryOp::BitXor, sum, n.Value(1));
  n.Append(n.Store(n.At(to, {n.Index(loop)}), sum));
  n.Close(loop);
  return true;
}

// a[2 * i] = b[3 * i + 1], or the same with the step in the header, or with a stride from an invariant.
bool Stride(Nest& n) {
  const uint32_t stride = 2 + n.Below(4), trips = n.DrawTrips(1, 1), offset = n.Below(stride);
  const bool in_header = n.Percent(40), read_strided = n.Percent(60);
  const uint32_t far = stride * trips + offset;
  const ArrayId to = n.PlanArray({in_header || !read_strided ? far : trips}, true);
  const ArrayId from = n.PlanArray({in_header || read_strided ? far : trips}, false);
  const LoopId loop = n.PlanLoop(trips, 0, in_header ? stride : 1);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  const int64_t scale = in_header ? 1 : stride;
  VarId run_time;
  if (!in_header && n.Percent(50) && !n.invariants.empty()) {
    // The stride is only known at run time: (x & 1) + 1.
    const TypeId type = n.w.program.types.Basic(TypeKind::Int);
    const ExprId bit = n.w.build.Binary(BinaryOp::BitAnd, n.w.build.Var(n.invariants[0]), n.w.build.Int(1));
    run_time = n.Local(type, n.w.build.Binary(BinaryOp::Add, bit, n.w.build.Int(stride - 1)));
  }
  const auto at = [&](ArrayId array, bool strided) {
    return [&n, array, loop, strided, scale, offset, run_time] {
      if (!strided) return n.At(array, {n.Index(loop)});
      if (!run_time) return n.At(array, {n.Index(loop, offset, scale)});
      return n.At(array, {n.w.build.Binary(BinaryOp::Mul, n.Index(loop), n.w.build.Var(run_time))});
    };
  };
  n.Open(loop);
  n.Read(from, at(from, read_strided || in_header));
  if (n.Percent(30)) n.ReadIndex(loop);
  n.Assign(at(to, !read_strided || in_header), n.Depth());
  n.Close(loop);
  return true;
}

// a[i] = b[last - i].
bool Reverse(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1, false);
  const ArrayId to = n.PlanArray({trips}, true), from = n.PlanArray({trips}, false);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  const auto mirrored = [&n, loop, trips](ArrayId array) {
    return [&n, array, loop, trips] {
      return n.At(array, {n.w.build.Binary(BinaryOp::Sub, n.w.build.Int(trips - 1), n.Index(loop))});
    };
  };
  const bool mirror_from = n.Percent(70);
  if (mirror_from) {
    n.Read(from, mirrored(from));
  } else {
    ReadAt(n, from, loop);
  }
  if (n.Percent(70) || !mirror_from) {
    n.Assign(mirror_from ? std::function<ExprId()>(PlaceAt(n, to, loop)) : mirrored(to), n.Depth());
  } else {
    n.Append(n.w.build.Assign(n.At(to, {n.Index(loop)}), n.DrawnLeaf(false).expr));
  }
  n.Close(loop);
  return true;
}

namespace {

// The subscript of an element that another array names: one that holds nothing else, or anything, masked.
ExprId Named(Nest& n, ArrayId index, LoopId loop, uint32_t length) {
  const ExprId at = n.At(index, {n.Index(loop)});
  if (n.arrays[index].object.kept) return at;
  return n.w.build.Binary(BinaryOp::BitAnd, at, n.w.build.Int(length - 1));
}

ArrayId PlanNames(Nest& n, uint32_t trips, uint32_t length) {
  return n.Percent(60) ? n.PlanKept(trips, false, 0, length - 1) : n.PlanArray({trips}, false);
}

}  // namespace

// a[i] = b[x[i]]
bool Gather(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2), length = 4u << n.Below(4);
  const ArrayId to = n.PlanArray({trips}, true), from = n.PlanArray({length}, false);
  const ArrayId index = PlanNames(n, trips, length);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  n.Read(from, [&n, from, index, loop, length] { return n.At(from, {Named(n, index, loop, length)}); });
  if (n.Percent(30)) n.ReadIndex(loop);
  n.Assign(PlaceAt(n, to, loop), n.Depth());
  n.Close(loop);
  return true;
}

// a[x[i]] = b[i], or a histogram: a[x[i]]++.
bool Scatter(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2), length = 4u << n.Below(4);
  const ArrayId to = n.PlanArray({length}, true), from = n.PlanArray({trips}, false);
  const ArrayId index = PlanNames(n, trips, length);
  const LoopId loop = n.PlanLoop(trips);
  if (!n.Begin()) return false;
  n.Open(loop);
  ReadAt(n, from, loop);
  const auto place = [&] { return n.At(to, {Named(n, index, loop, length)}); };
  if (n.Percent(40)) {
    n.Append(n.Update(BinaryOp::Add, place(), n.Percent(50) ? n.Int(1) : n.DrawnLeaf()));
  } else {
    n.Append(n.Store(place(), n.Value(1)));
  }
  n.Close(loop);
  return true;
}

// Groups of 2, 3, 4 or 8 in each iteration: for the vectoriser of straight-line code.
bool Groups(Nest& n) {
  static constexpr uint32_t kSizes[] = {2, 3, 4, 8};
  const uint32_t size = kSizes[n.Below(4)], trips = n.DrawTrips(1, size);
  const ArrayId to = n.PlanArray({trips * size}, true);
  const ArrayId from = n.PlanArray({trips * size}, false, n.Percent(80) ? n.arrays[to].least.element : TypeId{});
  const bool in_header = n.Percent(50);
  const LoopId loop = n.PlanLoop(trips, 0, in_header ? size : 1);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::BitAnd};
  const BinaryOp op = kOps[n.Below(5)];
  const bool alternate = n.Percent(25), swap = n.Percent(25), constants = n.Percent(50), update = n.Percent(40);
  const int64_t scale = in_header ? 1 : size;
  for (uint32_t k = 0; k < size; ++k) {
    const uint32_t source = swap ? k ^ 1 : k;
    Ranged value = n.Of(n.At(from, {n.Index(loop, source < size ? source : k, scale)}));
    Ranged other = constants || n.invariants.empty() ? n.Int(1 + n.Below(9)) : n.Of(n.w.build.Var(n.invariants[0]));
    if (update) other = n.Of(n.At(to, {n.Index(loop, k, scale)}));
    value = n.Combine(alternate && k % 2 == 1 ? BinaryOp::Sub : op, value, other);
    n.Append(n.w.build.Assign(n.At(to, {n.Index(loop, k, scale)}), value.expr));
  }
  n.Close(loop);
  return true;
}

// a[0] = …; a[1] = …; without a loop.
bool StraightGroups(Nest& n) {
  static constexpr uint32_t kSizes[] = {2, 4, 4, 8, 16};
  const uint32_t size = kSizes[n.Below(5)], start = n.Below(3);
  const ArrayId to = n.PlanArray({size + start}, true);
  const ArrayId from = n.PlanArray({size}, false, n.Percent(80) ? n.arrays[to].least.element : TypeId{});
  const bool two = n.Percent(50);
  const ArrayId second = two ? n.PlanArray({size}, false, n.arrays[to].least.element) : from;
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::BitOr};
  const BinaryOp op = kOps[n.Below(5)];
  const bool backwards = n.Percent(15);
  const uint32_t shift = n.Percent(20) ? 1 + n.Below(5) : 0;
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t k = backwards ? size - 1 - i : i;
    const Ranged a = n.Of(n.At(from, {n.w.build.Int(k)}));
    const Ranged b = two                    ? n.Of(n.At(second, {n.w.build.Int(k)}))
                     : n.invariants.empty() ? n.Int(3 + k)
                                            : n.Of(n.w.build.Var(n.invariants[0]));
    Ranged value = n.Combine(op, a, b);
    if (shift > 0) value = n.Combine(BinaryOp::Shr, value, n.Int(shift));
    n.Append(n.w.build.Assign(n.At(to, {n.w.build.Int(k + start)}), value.expr));
  }
  return true;
}

// An array of structures, or a structure of arrays.
bool Records(Nest& n) {
  if (n.w.knobs.structs == 0) return false;
  lang::TypeTable& types = n.w.program.types;
  const uint32_t trips = n.DrawTrips(1, 2), members = 2 + n.Below(3);
  const bool of_arrays = n.Percent(40);
  if (n.w.static_bytes + trips * 8 * members > static_cast<uint32_t>(n.w.knobs.static_bytes) / 2) return false;
  if (n.w.nests.array_bytes + trips * 8 * members > static_cast<uint32_t>(n.w.knobs.static_bytes) / 2) return false;
  lang::Record record;
  for (uint32_t i = 0; i < members; ++i) {
    const TypeId scalar = n.ElementType();
    record.members.push_back({of_arrays ? types.Array(scalar, std::max(1u, trips)) : scalar});
  }
  const LoopId loop = n.PlanLoop(trips);
  const ArrayId plain = n.PlanArray({trips}, n.Percent(30));
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const TypeId type = types.OfRecord(types.AddRecord(record));
  n.w.Wrote(Meter(n.w.program).Record(types[type].record));
  const TypeId whole = of_arrays ? type : types.Array(type, std::max(1u, trips));
  const VarId object = NewGlobal(n.w, whole);
  n.w.nests.array_bytes += n.w.layouts.SizeOf(whole);
  const auto at = [&n, object, of_arrays, loop](uint32_t member) {
    return [&n, object, of_arrays, loop, member] {
      const ExprId base = n.w.build.Var(object);
      if (of_arrays) return n.w.build.Index(n.w.build.Member(base, member), n.Index(loop));
      return n.w.build.Member(n.w.build.Index(base, n.Index(loop)), member);
    };
  };
  n.Open(loop);
  for (uint32_t i = 0; i < members; ++i) {
    const TypeId scalar = of_arrays ? types[record.members[i].type].element : record.members[i].type;
    n.leaves.push_back({at(i), n.RangeOf(n.w.Kind(scalar)), 2});
  }
  ReadAt(n, plain, loop);
  const uint32_t written = 1 + n.Below(members);
  for (uint32_t i = 0; i < written; ++i) n.Assign(at(i), n.Depth());
  if (n.arrays[plain].written) n.Assign(PlaceAt(n, plain, loop), 1);
  n.Close(loop);
  return true;
}

// a[i] = f(a[i - d]): each iteration needs the one d before it.
bool Distance(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1), distance = n.Percent(60) ? 1 + n.Below(4) : 4 + n.Below(14);
  const bool forward = n.Percent(30);  // a[i] = f(a[i + d])
  const ArrayId to = n.PlanArray({trips + distance}, true), from = n.PlanArray({trips + distance}, false);
  const LoopId loop = n.PlanLoop(trips, forward ? 0 : distance);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  ReadAt(n, from, loop);
  const Ranged before = n.Of(n.At(to, {n.Index(loop, forward ? distance : -static_cast<int64_t>(distance))}));
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitXor, BinaryOp::Mul};
  n.Append(n.w.build.Assign(n.At(to, {n.Index(loop)}), n.Combine(kOps[n.Below(4)], before, n.Value(1)).expr));
  n.Close(loop);
  return true;
}

// Two or three adjacent loops with the same header, each reading what the one before wrote.
bool Fusion(Nest& n) {
  const uint32_t count = 2 + n.Below(2), trips = n.DrawTrips(1, count);
  std::vector<ArrayId> rows = PlanSome(n, count + 1, trips, true);
  const LoopId first = n.PlanLoop(trips);
  for (uint32_t i = 1; i < count; ++i) {
    Nest::Loop same = n.loops[first];
    same.bound = Nest::BoundKind::Literal;
    n.loops.push_back(same);
  }
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const size_t before = n.leaves.size();
  for (uint32_t i = 0; i < count; ++i) {
    const LoopId loop = first + i;
    if (i > 0) {
      n.loops[loop].limit = n.loops[first].limit;
      n.loops[loop].member = n.loops[first].member;
    }
    n.Open(loop);
    ReadAt(n, rows[i], loop);
    if (n.Percent(30)) n.ReadIndex(loop);
    n.Assign(PlaceAt(n, rows[i + 1], loop), n.Depth());
    n.Close(loop);
    n.leaves.resize(before);
  }
  return true;
}

// An array of the function: filled, changed, read.
bool LocalArray(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 3, false);
  if (trips > 256) return false;
  const ArrayId from = n.PlanArray({trips}, false), to = n.PlanArray({trips}, true);
  std::vector<LoopId> loops;
  for (int i = 0; i < 3; ++i) loops.push_back(n.PlanLoop(trips, 0, 1, true));
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  const TypeId type = n.ElementType();
  const VarId local = n.w.build.Local(n.function, n.w.program.types.Array(type, trips));
  n.w.build.Append(n.block, n.w.build.Decl(local));
  const auto at = [&n, local](LoopId loop) {
    return [&n, local, loop] { return n.w.build.Index(n.w.build.Var(local), n.Index(loop)); };
  };
  const size_t before = n.leaves.size();
  n.Open(loops[0]);
  ReadAt(n, from, loops[0]);
  n.ReadIndex(loops[0]);
  n.Append(n.w.build.Assign(at(loops[0])(), n.Value(n.Depth(), false).expr));
  n.Close(loops[0]);
  n.leaves.resize(before);
  if (n.Percent(50)) {
    n.Open(loops[1]);
    n.leaves.push_back({at(loops[1]), n.RangeOf(n.w.Kind(type)), 3});
    n.Assign(at(loops[1]), n.Depth());
    n.Close(loops[1]);
    n.leaves.resize(before);
  }
  n.Open(loops[2]);
  n.leaves.push_back({at(loops[2]), n.RangeOf(n.w.Kind(type)), 4});
  ReadAt(n, from, loops[2]);
  n.Assign(PlaceAt(n, to, loops[2]), n.Depth());
  n.Close(loops[2]);
  return true;
}

}  // namespace assay::gen::shapes
