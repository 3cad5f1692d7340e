// Shapes of control in a loop (conditions, exits, calls) and of induction (pointers, narrow and several indices).
#include "gen/nest_shapes.hpp"
#include "gen/stmt.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;

void ReadAt(Nest& n, ArrayId array, LoopId loop) {
  n.Read(array, [&n, array, loop] { return n.At(array, {n.Index(loop)}); });
}

auto PlaceAt(Nest& n, ArrayId array, LoopId loop) {
  return [&n, array, loop] { return n.At(array, {n.Index(loop)}); };
}

// One loop that reads and writes; what stands in it is given.
template <typename Body>
bool OneLoop(Nest& n, uint32_t statements, Body&& body, uint32_t invariants = 2, bool plain = false) {
  const uint32_t trips = n.DrawTrips(1, statements);
  const ArrayId to = n.PlanArray({trips}, true), from = n.PlanArray({trips}, false);
  const LoopId loop = n.PlanLoop(trips, 0, 1, plain);
  n.PlanInvariants(invariants);
  if (!n.Begin()) return false;
  n.Open(loop);
  ReadAt(n, from, loop);
  body(to, from, loop, trips);
  n.Close(loop);
  return true;
}

}  // namespace

// if (c[i] > k) a[i] = …; else …
bool ConditionalStore(Nest& n) {
  return OneLoop(n, 2, [&](ArrayId to, ArrayId, LoopId loop, uint32_t) {
    if (n.Percent(40)) ReadAt(n, to, loop);
    if (n.Percent(30)) n.ReadIndex(loop);
    const std::function<void()> other = [&] { n.Append(n.Store(n.At(to, {n.Index(loop)}), n.Value(1))); };
    n.If(
        n.Condition(), [&] { n.Assign(PlaceAt(n, to, loop), n.Depth()); }, n.Percent(40) ? other : nullptr);
    if (n.Percent(25)) n.If(n.Condition(0), other);
  });
}

// for (…) { if (a[i] == x) break; … }
bool EarlyExit(Nest& n) {
  return OneLoop(n, 2, [&](ArrayId to, ArrayId from, LoopId loop, uint32_t) {
    if (n.Percent(60)) {
      const Ranged found = n.Of(n.At(from, {n.Index(loop)}));
      n.If(n.Combine(n.Percent(60) ? BinaryOp::Eq : BinaryOp::Gt, found, n.DrawnLeaf()).expr,
           [&] { n.Leave(StmtKind::Break); });
    } else {
      n.If(n.Condition(), [&] { n.Leave(StmtKind::Break); });
    }
    n.Assign(PlaceAt(n, to, loop), n.Depth());
  });
}

bool SeveralExits(Nest& n) {
  return OneLoop(n, 3, [&](ArrayId to, ArrayId, LoopId loop, uint32_t) {
    n.ReadIndex(loop);
    n.If(n.Condition(0), [&] { n.Leave(StmtKind::Break); });
    n.Assign(PlaceAt(n, to, loop), 1);
    n.If(n.Condition(1), [&] {
      if (n.Percent(50)) n.Append(n.Store(n.At(to, {n.w.build.Int(0)}), n.Value(1)));
      n.Leave(StmtKind::Break);
    });
    if (n.Percent(50)) n.Assign(PlaceAt(n, to, loop), 1);
  });
}

// a[i] = f(b[i], x): a small function, inlined or not.
bool Calls(Nest& n) {
  return OneLoop(n, 3, [&](ArrayId to, ArrayId, LoopId loop, uint32_t) {
    n.ReadIndex(loop);
    const Ranged called = n.CallHelper();
    const Ranged value =
        n.Percent(50) ? called : n.Combine(n.Percent(50) ? BinaryOp::Add : BinaryOp::BitXor, called, n.DrawnLeaf());
    n.Append(n.Store(n.At(to, {n.Index(loop)}), value));
  });
}

// for (p = a; p != a + n; p++) *p = f(*q++);
bool PointerWalk(Nest& n) {
  const uint32_t stride = n.Percent(70) ? 1 : 1 + n.Below(3), trips = n.DrawTrips(1, 1);
  const ArrayId to = n.PlanArray({trips * stride}, true), from = n.PlanArray({trips * stride}, false);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const bool down = n.Percent(30), second = n.Percent(50), end_first = n.Percent(40);
  const TypeId pointer = n.w.program.types.Pointer(n.arrays[to].object.element);
  const TypeId reader =
      n.w.program.types.Pointer(n.w.program.types.Qualified(n.arrays[from].object.element, lang::kConst));
  const auto end = [&] { return build.Binary(BinaryOp::Add, build.Var(n.arrays[to].base), build.Int(trips * stride)); };
  const VarId stop = end_first ? n.Local(pointer, down ? build.Var(n.arrays[to].base) : end()) : VarId{};
  const VarId q = second ? n.Local(reader, build.Var(n.arrays[from].base)) : VarId{};
  lang::Stmt stmt{.kind = StmtKind::For};
  const VarId p = build.Local(n.function, pointer, lang::Storage::Auto,
                              build.InitExpr(down ? end() : build.Var(n.arrays[to].base)));
  stmt.var = p;
  const ExprId limit = stop ? build.Var(stop) : down ? build.Var(n.arrays[to].base) : end();
  stmt.expr = build.Binary(n.Percent(50) ? BinaryOp::Ne : down ? BinaryOp::Gt : BinaryOp::Lt, build.Var(p), limit);
  const auto step = [&] {
    if (stride != 1) return build.CompoundAssign(down ? BinaryOp::Sub : BinaryOp::Add, build.Var(p), build.Int(stride));
    return build.IncDec(down ? lang::IncDecOp::PreDec : lang::IncDecOp::PostInc, build.Var(p));
  };
  stmt.step = step();
  stmt.body = build.NewBlock(n.function);
  n.Append(build.Statement(stmt));
  const BlockId outer = n.block;
  n.block = stmt.body;
  const auto place = [&] {
    return down ? build.Index(build.Var(p), build.Int(-1 - static_cast<int64_t>(n.Below(stride))))
                : build.Deref(build.Var(p));
  };
  const Interval range = n.RangeOf(n.w.Kind(n.arrays[to].object.element));
  n.leaves.push_back({place, range, 2});
  if (q)
    n.leaves.push_back(
        {[&build, q] { return build.Deref(build.Var(q)); }, n.RangeOf(n.w.Kind(n.arrays[from].object.element)), 2});
  n.Assign(place, n.Depth());
  if (q) n.Append(build.IncDec(lang::IncDecOp::PostInc, build.Var(q)));
  n.block = outer;
  n.leaves.clear();
  return true;
}

// for (unsigned char i = 250; i < 10 || i >= 250; i++), or an index that wraps on its way into the array.
bool NarrowIndex(Nest& n) {
  static constexpr TypeKind kKinds[] = {TypeKind::UChar, TypeKind::SChar, TypeKind::UShort, TypeKind::Short,
                                        TypeKind::UInt8};
  const TypeKind kind = kKinds[n.Below(5)];
  const uint32_t trips = std::min(n.DrawTrips(1, 1), 100u);
  const ArrayId to = n.PlanArray({trips}, true), from = n.PlanArray({64}, false);
  const LoopId loop = n.PlanLoop(trips, 0, 1, true);
  n.loops[loop].kind = kind;
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  // A second index that wraps around: (unsigned char)(j += k) & 63.
  const TypeId narrow = n.w.program.types.Basic(n.Percent(70) ? TypeKind::UChar : TypeKind::UShort);
  const VarId second = n.Local(narrow, build.Int(n.Below(250)));
  n.Open(loop);
  n.Read(from, [&n, from, second] {
    return n.At(from, {n.w.build.Binary(BinaryOp::BitAnd, n.w.build.Var(second), n.w.build.Int(63))});
  });
  n.ReadVar(second);
  n.ReadIndex(loop);
  n.Assign(PlaceAt(n, to, loop), n.Depth());
  n.Append(n.Percent(50) ? build.IncDec(lang::IncDecOp::PostInc, build.Var(second))
                         : build.CompoundAssign(n.Percent(70) ? BinaryOp::Add : BinaryOp::Sub, build.Var(second),
                                                build.Int(1 + n.Below(40))));
  n.Close(loop);
  n.leaves.clear();
  return true;
}

// i, and j and k that go along with it: a[i] = b[j] + k; j += 2; k = k * 3 + 1;
bool SeveralInductions(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 3), step = 1 + n.Below(3), start = n.Below(3);
  const ArrayId to = n.PlanArray({trips}, true), from = n.PlanArray({start + trips * step}, false);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const VarId j = n.Local(n.w.program.types.Basic(n.Percent(60) ? TypeKind::Int : TypeKind::ULong), build.Int(start));
  static constexpr TypeKind kKinds[] = {TypeKind::UInt, TypeKind::ULong, TypeKind::UShort, TypeKind::UChar};
  const VarId k = n.Local(n.w.program.types.Basic(kKinds[n.Below(4)]), build.Int(n.Below(100)));
  const bool geometric = n.Percent(40);
  n.Open(loop);
  n.Read(from, [&n, from, j] { return n.At(from, {n.w.build.Var(j)}); });
  n.ReadVar(k, 3);
  n.ReadIndex(loop);
  n.Assign(PlaceAt(n, to, loop), n.Depth());
  if (geometric) n.Append(n.Update(BinaryOp::Mul, build.Var(k), n.Int(3 + 2 * n.Below(4))));
  n.Append(n.Update(n.Percent(75) ? BinaryOp::Add : BinaryOp::Sub, build.Var(k),
                    n.Percent(70) ? n.Int(1 + n.Below(9)) : n.DrawnLeaf()));
  n.Append(step == 1 ? build.IncDec(lang::IncDecOp::PostInc, build.Var(j))
                     : build.CompoundAssign(BinaryOp::Add, build.Var(j), build.Int(step)));
  n.Close(loop);
  n.leaves.clear();
  return true;
}

// if (x > k) inside the loop, where x does not change: one, two or three of them, over little: a compiler writes the
// loop once for each answer, if it is short.
bool Unswitch(Nest& n) {
  const uint32_t conditions = n.Percent(12) ? 1 : n.Percent(35) ? 2 : 3, trips = n.DrawTrips(1, 1 + conditions);
  const bool one = n.Percent(40), sum = n.Percent(20), small = n.Percent(75);
  std::vector<ArrayId> to;
  for (uint32_t i = 0; i < (one ? 1 : conditions); ++i) to.push_back(n.PlanArray({trips}, true));
  const ArrayId from = n.PlanArray({trips}, false);
  const LoopId loop = n.PlanLoop(trips);
  n.loops[loop].own_index = n.Percent(60);
  n.PlanInvariants(3, conditions);
  if (!n.Begin()) return false;
  n.leaves.clear();
  const TypeId type = n.w.program.types.Basic(TypeKind::UInt);
  const VarId total = sum ? n.Local(type, n.w.build.Int(0)) : VarId{};
  n.Open(loop);
  ReadAt(n, from, loop);
  if (n.Percent(30)) n.ReadIndex(loop);
  // Stores to one place in both branches would become one store of a conditional value; a store after another one would
  // make that one dead.
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub, BinaryOp::BitOr};
  const auto value = [&] { return small ? n.DrawnLeaf() : n.Value(1); };
  const auto effect = [&](ArrayId array) {
    if (sum && n.Percent(50)) return n.Append(n.Update(kOps[n.Below(3)], n.w.build.Var(total), value()));
    const ExprId place = n.At(array, {n.Index(loop)});
    n.Append(one || n.Percent(30) ? n.Update(kOps[n.Below(4)], place, value()) : n.w.build.Assign(place, value().expr));
  };
  for (uint32_t i = 0; i < conditions; ++i) {
    const std::function<void()> other = [&] { effect(to[(i + 1) % to.size()]); };
    const ExprId condition = n.InvariantCondition();
    n.If(
        condition, [&] { effect(to[i % to.size()]); }, to.size() > 1 && n.Percent(25) ? other : nullptr);
  }
  n.Close(loop);
  if (sum) n.Append(n.Update(BinaryOp::BitXor, n.At(to[0], {n.w.build.Int(0)}), n.Of(n.w.build.Var(total))));
  return true;
}

// The first, the last or the first k iterations are special.
bool Peel(Nest& n) {
  return OneLoop(
      n, 3,
      [&](ArrayId to, ArrayId, LoopId loop, uint32_t trips) {
        lang::Builder& build = n.w.build;
        const int64_t last = std::max<int64_t>(1, trips) - 1;
        ExprId special;
        const ExprId index = n.IndexOf(loop);
        switch (n.w.choices.Weighted({20, 15, 45, 20})) {
          case 0: special = build.Binary(n.Percent(50) ? BinaryOp::Eq : BinaryOp::Gt, index, build.Int(0)); break;
          case 1: special = build.Binary(n.Percent(50) ? BinaryOp::Eq : BinaryOp::Lt, index, build.Int(last)); break;
          case 2: {
            const int64_t at = n.Below(static_cast<uint32_t>(last) + 1);
            special = build.Binary(n.Percent(60) ? BinaryOp::Lt : BinaryOp::Ge, index, build.Int(at));
            break;
          }
          default: {
            const Ranged bound = n.invariants.empty() ? n.Constant() : n.Of(build.Var(n.invariants[0]));
            special = n.Combine(BinaryOp::Lt, {index, n.IndexRange(loop)}, bound).expr;
            break;
          }
        }
        const std::function<void()> other = [&] { n.Assign(PlaceAt(n, to, loop), n.Depth()); };
        n.If(
            special, [&] { n.Assign(PlaceAt(n, to, loop), n.Depth()); }, n.Percent(60) ? other : nullptr);
        if (n.Percent(40)) n.Assign(PlaceAt(n, to, loop), 1);
      },
      2, n.Percent(75));
}

// A function made of a nest before, with other arguments: other arrays, the same twice, parts of one.
bool CallAgain(Nest& n) {
  Writer& w = n.w;
  if (w.nests.functions.empty()) return false;
  const NestFunction again = w.choices.Pick(w.nests.functions);
  if (again.cost > n.steps || again.function == w.scope.function) return false;
  std::vector<ExprId> arguments;
  std::vector<VarId> used, changed;
  for (const NestFunction::Param& param : again.params) {
    switch (param.kind) {
      case NestFunction::Param::Kind::Array: {
        std::vector<SharedArray> candidates;
        for (const SharedArray& shared : w.nests.arrays) {
          if (shared.dimensions != param.array.dimensions || shared.element != param.array.element) continue;
          bool fits = shared.lengths[0] >= param.array.lengths[0];
          for (uint32_t i = 1; i < shared.dimensions; ++i) fits = fits && shared.lengths[i] == param.array.lengths[i];
          const auto in = [&](const std::vector<VarId>& list) {
            return std::find(list.begin(), list.end(), shared.var) != list.end();
          };
          if (again.restricted && (in(changed) || (param.written && in(used)))) fits = false;
          if (param.array.kept && (!shared.kept || shared.low < param.array.low || shared.high > param.array.high))
            fits = false;
          if (param.written && (shared.kept != param.array.kept || shared.high != param.array.high)) fits = false;
          if (fits) candidates.push_back(shared);
        }
        if (candidates.empty()) return false;
        const SharedArray chosen = w.choices.Pick(candidates);
        used.push_back(chosen.var);
        if (param.written) changed.push_back(chosen.var);
        const uint32_t room = chosen.lengths[0] - param.array.lengths[0];
        const uint32_t offset = room > 0 && n.Percent(50) ? 1 + n.Below(std::min(room, 8u)) : 0;
        const ExprId base = w.build.Var(chosen.var);
        arguments.push_back(offset == 0     ? base
                            : n.Percent(50) ? w.build.Binary(BinaryOp::Add, base, w.build.Int(offset))
                                            : w.build.AddressOf(w.build.Index(base, w.build.Int(offset))));
        break;
      }
      case NestFunction::Param::Kind::Bound:
        arguments.push_back(w.build.Int(n.Percent(50) ? param.high : w.choices.Between(param.low, param.high)));
        break;
      case NestFunction::Param::Kind::Invariant: arguments.push_back(n.DrawnInvariant()); break;
    }
  }
  AppendExpr(w, w.build.Call(again.function, arguments));
  return true;
}

}  // namespace assay::gen::shapes
