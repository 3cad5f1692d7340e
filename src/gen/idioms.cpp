// Loops that compilers recognise as a whole and replace.
#include "gen/nest_shapes.hpp"

namespace assay::gen::shapes {
namespace {

using ArrayId = Nest::ArrayId;
using LoopId = Nest::LoopId;
using lang::UnaryOp;

constexpr TypeKind kUnsigned[] = {TypeKind::UInt,   TypeKind::ULong,  TypeKind::ULLong,
                                  TypeKind::UInt32, TypeKind::UShort, TypeKind::UChar};

auto At1(Nest& n, ArrayId array, LoopId loop) {
  return [&n, array, loop] { return n.At(array, {n.Index(loop)}); };
}

}  // namespace

// memset, or a row of numbers.
bool Fill(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1), start = n.Percent(30) ? n.Below(4) : 0;
  // Half of the arrays that only nests write hold indices.
  const bool kept = n.Percent(40);
  const int64_t high = n.Percent(50) ? (4 << n.Below(4)) - 1 : 100 + n.Below(900);
  const ArrayId to = kept ? n.PlanKept(trips + start, true, 0, high) : n.PlanArray({trips + start}, true);
  const LoopId loop = n.PlanLoop(trips, start);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  ExprId value;
  if (kept) {
    n.ReadIndex(loop, 6);
    const int64_t most = n.arrays[to].object.high;
    const Ranged any = n.Value(2, false);
    const bool mask = (most & (most + 1)) == 0 && n.Percent(60);
    const TypeKind wide = lang::Info(lang::PromotedKind(n.w.program, any.expr)).unsigned_kind;
    const Ranged number = mask || any.range.low >= 0 ? any : n.Converted(wide, any);
    value = n.Combine(mask ? BinaryOp::BitAnd : BinaryOp::Rem, number, n.Int(mask ? most : most + 1)).expr;
    n.Append(n.w.build.Assign(n.At(to, {n.Index(loop)}), value));
    n.Close(loop);
    return true;
  }
  switch (n.Below(4)) {
    case 0: value = n.w.build.Int(n.Percent(50) ? 0 : -1); break;
    case 1: value = n.DrawnLeaf().expr; break;
    case 2: value = n.Index(loop); break;
    default:
      n.ReadIndex(loop, 4);
      value = n.Value(2, false).expr;
      break;
  }
  n.Append(n.w.build.Assign(n.At(to, {n.Index(loop)}), value));
  n.Close(loop);
  return true;
}

// memcpy and memmove.
bool CopyLoop(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1), shift = n.Below(4);
  const bool within = n.Percent(35), up = n.Percent(50);
  const ArrayId to = n.PlanArray({trips + shift}, true);
  const ArrayId from = within ? to : n.PlanArray({trips + shift}, false, n.arrays[to].least.element);
  const LoopId loop = n.PlanLoop(trips);
  if (!n.Begin()) return false;
  n.Open(loop);
  const ExprId source = n.At(from, {n.Index(loop, up ? shift : 0)});
  n.Append(n.w.build.Assign(n.At(to, {n.Index(loop, up ? 0 : shift)}), source));
  n.Close(loop);
  return true;
}

// s[k] = 0; for (length = 0; s[length] != 0; length++) ;
bool StringLength(Nest& n) {
  static constexpr TypeKind kKinds[] = {TypeKind::Char, TypeKind::Char, TypeKind::UChar, TypeKind::Short,
                                        TypeKind::Int};
  const uint32_t most = std::min(n.DrawTrips(1, 1, false), 200u);
  const ArrayId text = n.PlanArray({most}, true, n.w.program.types.Basic(kKinds[n.Below(5)]));
  n.PlanResult(n.Percent(60) ? TypeKind::Int : TypeKind::ULong);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  n.Append(build.Assign(n.At(text, {build.Int(most - 1)}), build.Int(0)));
  const VarId length = n.Local(n.w.program.types.Basic(*n.result_kind), build.Int(0));
  const ExprId at = n.At(text, {build.Var(length)});
  lang::Stmt stmt{.kind = n.OpenLoopKind(), .expr = n.Percent(50) ? at : build.Binary(BinaryOp::Ne, at, build.Int(0))};
  stmt.body = build.NewBlock(n.function);
  n.Append(build.Statement(stmt));
  build.Append(stmt.body, build.ExprStatement(build.IncDec(
                              n.Percent(50) ? lang::IncDecOp::PreInc : lang::IncDecOp::PostInc, build.Var(length))));
  n.Deliver(length);
  return true;
}

// while (x) { x &= x - 1; count++; } and its relatives.
bool PopCount(Nest& n) {
  if (n.steps < 64 * 12) return false;
  const ArrayId from = n.PlanArray({1}, false);
  n.PlanInvariants(1);
  n.PlanResult(TypeKind::Int);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const TypeId type = n.w.program.types.Basic(kUnsigned[n.Below(6)]);
  n.Read(from, [&] { return n.At(from, {build.Int(0)}); });
  const VarId x = n.Local(type, n.DrawnLeaf(false).expr),
              count = n.Local(n.w.program.types.Basic(TypeKind::Int), build.Int(0));
  lang::Stmt stmt{.kind = n.OpenLoopKind()};
  stmt.body = build.NewBlock(n.function);
  const BlockId outer = n.block;
  const auto variable = [&] { return build.Var(x); };
  const auto body = [&](ExprId e) { build.Append(stmt.body, build.ExprStatement(e)); };
  switch (n.Below(3)) {
    case 0:  // population count
      stmt.expr = n.Percent(50) ? variable() : build.Binary(BinaryOp::Ne, variable(), build.Int(0));
      body(build.CompoundAssign(BinaryOp::BitAnd, variable(), build.Binary(BinaryOp::Sub, variable(), build.Int(1))));
      body(build.IncDec(lang::IncDecOp::PostInc, build.Var(count)));
      break;
    case 1:  // the same bit by bit
      stmt.expr = variable();
      body(build.CompoundAssign(BinaryOp::Add, build.Var(count),
                                build.Cast(n.w.program.types.Basic(TypeKind::Int),
                                           build.Binary(BinaryOp::BitAnd, variable(), build.Int(1)))));
      body(build.CompoundAssign(BinaryOp::Shr, variable(), build.Int(1)));
      break;
    default:  // the position of the highest bit
      stmt.expr = build.Binary(BinaryOp::Gt, variable(), build.Int(1));
      body(build.CompoundAssign(BinaryOp::Shr, variable(), build.Int(1)));
      body(build.IncDec(lang::IncDecOp::PreInc, build.Var(count)));
      break;
  }
  n.block = outer;
  n.Append(build.Statement(stmt));
  n.Deliver(count);
  return true;
}

// for (i = 0; i < n && a[i] != x; i++) ; and i lives on.
bool FindFirst(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1);
  const ArrayId from = n.PlanArray({trips}, false);
  n.PlanInvariants(1);
  n.PlanResult(n.Percent(60) ? TypeKind::Int : TypeKind::ULong);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const VarId i = n.Local(n.w.program.types.Basic(*n.result_kind), build.Int(0));
  const ExprId in_range = build.Binary(BinaryOp::Lt, build.Var(i), build.Int(trips));
  const ExprId at = n.At(from, {build.Var(i)});
  const ExprId other = n.Combine(n.Percent(70) ? BinaryOp::Ne : BinaryOp::Lt, n.Of(at), n.DrawnLeaf()).expr;
  lang::Stmt stmt{.kind = n.Percent(50) ? n.OpenLoopKind() : StmtKind::For, .expr = build.LogicalAnd(in_range, other)};
  stmt.body = build.NewBlock(n.function);
  const ExprId step = build.IncDec(lang::IncDecOp::PostInc, build.Var(i));
  if (stmt.kind == StmtKind::For) {
    stmt.step = step;
  } else {
    build.Append(stmt.body, build.ExprStatement(step));
  }
  n.Append(build.Statement(stmt));
  n.Deliver(i);
  return true;
}

bool Crc(Nest& n) {
  const uint32_t trips = std::max(1u, n.DrawTrips(1, 1) / 6);
  if (trips * 8 * 24 > n.steps) return false;
  static constexpr TypeKind kKinds[] = {TypeKind::UInt, TypeKind::UShort, TypeKind::UInt32, TypeKind::ULong,
                                        TypeKind::UChar};
  const ArrayId from = n.PlanArray({trips}, false, n.Percent(70) ? n.w.program.types.Basic(TypeKind::UChar) : TypeId{});
  const LoopId i = n.PlanLoop(trips), bit = n.PlanLoop(8, 0, 1, true);
  n.PlanResult(kKinds[n.Below(5)]);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  static constexpr uint64_t kPolynomials[] = {0xedb88320, 0xa001, 0x8408, 0x82f63b78, 0x8c};
  const VarId crc = n.Local(n.w.program.types.Basic(*n.result_kind), build.Int(-1));
  const auto value = [&] { return n.Of(build.Var(crc)); };
  const uint64_t polynomial = kPolynomials[n.Below(5)];
  const bool up = n.Percent(30);  // the highest bit first
  n.Open(i);
  n.Append(n.Update(BinaryOp::BitXor, build.Var(crc), n.Of(n.At(from, {n.Index(i)}))));
  n.Open(bit);
  const BinaryOp shift = up ? BinaryOp::Shl : BinaryOp::Shr;
  const Ranged tested =
      n.Combine(BinaryOp::BitAnd, up ? n.Combine(BinaryOp::Shr, value(), n.Int(7)) : value(), n.Int(1));
  const Ranged with = n.Combine(BinaryOp::BitXor, n.Combine(shift, value(), n.Int(1)),
                                {build.Constant(TypeKind::ULong, polynomial), {0, static_cast<int64_t>(polynomial)}});
  if (n.Percent(60)) {
    n.Append(build.Assign(build.Var(crc), n.Select(tested.expr, with, n.Combine(shift, value(), n.Int(1))).expr));
  } else {
    n.If(
        tested.expr, [&] { n.Append(build.Assign(build.Var(crc), with.expr)); },
        [&] { n.Append(build.Assign(build.Var(crc), n.Combine(shift, value(), n.Int(1)).expr)); });
  }
  n.Close(bit);
  n.Close(i);
  n.Deliver(crc);
  return true;
}

// a[i] = b[i] + c[i], not above or below a limit.
bool Saturate(Nest& n) {
  static constexpr TypeKind kKinds[] = {TypeKind::UChar, TypeKind::SChar, TypeKind::Short, TypeKind::UShort};
  const TypeKind kind = kKinds[n.Below(4)];
  const TypeId type = n.w.program.types.Basic(kind);
  const uint32_t trips = n.DrawTrips(1, 2);
  const ArrayId to = n.PlanArray({trips}, true, type), a = n.PlanArray({trips}, false, type),
                b = n.PlanArray({trips}, false, type);
  const LoopId loop = n.PlanLoop(trips);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const Interval limits = n.RangeOf(kind);
  n.Open(loop);
  const Ranged sum =
      n.Combine(n.Percent(60) ? BinaryOp::Add : BinaryOp::Sub, n.Of(At1(n, a, loop)()), n.Of(At1(n, b, loop)()));
  const VarId v = n.Local(n.w.program.types.Basic(lang::PromotedKind(n.w.program, sum.expr)), sum.expr);
  const auto value = [&] { return Ranged{build.Var(v), sum.range}; };
  const auto limit = [&](int64_t bound) {
    return Ranged{build.Constant(n.w.IntInfo(TypeKind::Int).bits > 16 ? TypeKind::Int : TypeKind::Long,
                                 static_cast<uint64_t>(bound)),
                  {bound, bound}};
  };
  const Ranged low =
      n.Select(build.Binary(BinaryOp::Lt, value().expr, limit(limits.low).expr), limit(limits.low), value());
  const Ranged both =
      n.Select(build.Binary(BinaryOp::Gt, value().expr, limit(limits.high).expr), limit(limits.high), low);
  n.Append(build.Assign(n.At(to, {n.Index(loop)}), both.expr));
  n.Close(loop);
  return true;
}

// Sums and products that have a formula: of i, of i * i, of a constant, x = x * 3 + 1.
bool ClosedForm(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 1);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(2);
  n.PlanResult(kUnsigned[n.Below(6)]);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const VarId sum = n.Local(n.w.program.types.Basic(*n.result_kind), build.Int(n.Below(5)));
  const auto index = [&] { return Ranged{n.Index(loop), n.IndexRange(loop)}; };
  n.Open(loop);
  switch (n.Below(5)) {
    case 0: n.Append(n.Update(BinaryOp::Add, build.Var(sum), index())); break;
    case 1: n.Append(n.Update(BinaryOp::Add, build.Var(sum), n.Combine(BinaryOp::Mul, index(), index()))); break;
    case 2: n.Append(n.Update(n.Percent(50) ? BinaryOp::Add : BinaryOp::Sub, build.Var(sum), n.DrawnLeaf())); break;
    case 3:
      n.Append(n.Update(BinaryOp::Mul, build.Var(sum), n.Int(2 + n.Below(9))));
      n.Append(n.Update(BinaryOp::Add, build.Var(sum), n.Int(n.Below(9))));
      break;
    default: n.Append(n.Update(BinaryOp::BitXor, build.Var(sum), n.DrawnLeaf())); break;
  }
  n.Close(loop);
  n.Deliver(sum);
  return true;
}

// Minima, maxima, absolute values and clamps, as conditionals.
bool Clamp(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2);
  const ArrayId to = n.PlanArray({trips}, true), a = n.PlanArray({trips}, false, n.arrays[to].least.element);
  const ArrayId b = n.PlanArray({trips}, false, n.arrays[to].least.element);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  n.Open(loop);
  const auto first = [&] { return n.Of(At1(n, a, loop)()); };
  const auto second = [&] { return n.Of(At1(n, b, loop)()); };
  Ranged value;
  switch (n.Below(4)) {
    case 0: value = n.Extreme(n.Percent(50), first(), second()); break;
    case 1: value = n.Absolute(n.Percent(50) ? first() : n.Combine(BinaryOp::Sub, first(), second())); break;
    case 2:
      value = n.Extreme(false, n.Extreme(true, first(), n.Int(n.w.choices.Between(-20, 10))), n.Int(11 + n.Below(90)));
      break;
    default: value = n.Extreme(n.Percent(50), first(), n.DrawnLeaf()); break;
  }
  n.Append(n.Store(n.At(to, {n.Index(loop)}), value));
  n.Close(loop);
  return true;
}

// Bytes that make a number, in one order or the other, and a number taken apart
// into bytes.
bool Bytes(Nest& n) {
  const TypeId byte = n.w.program.types.Basic(n.Percent(70) ? TypeKind::UChar : TypeKind::UInt8);
  const uint32_t count = n.Percent(60) ? 4 : n.Percent(50) ? 2 : 8, start = n.Below(4);
  const bool apart = n.Percent(40), backwards = n.Percent(50);
  const ArrayId bytes = n.PlanArray({count + start}, apart, byte);
  const TypeKind kind = count == 8 ? TypeKind::ULLong : count == 4 ? TypeKind::UInt32 : TypeKind::UShort;
  if (!apart) n.PlanResult(kind);
  n.PlanInvariants(2);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const TypeId type = n.w.program.types.Basic(kind);
  const auto place = [&](uint32_t k) { return n.At(bytes, {build.Int(k + start)}); };
  const auto shift = [&](uint32_t k) { return static_cast<int64_t>(8 * (backwards ? count - 1 - k : k)); };
  if (apart) {
    const VarId x = n.Local(type, n.Unknown().expr);
    for (uint32_t k = 0; k < count; ++k) {
      const Ranged part = n.Of(build.Var(x));
      n.Append(
          build.Assign(place(k), shift(k) == 0 ? part.expr : n.Combine(BinaryOp::Shr, part, n.Int(shift(k))).expr));
    }
    return true;
  }
  Ranged all;
  for (uint32_t k = 0; k < count; ++k) {
    Ranged part = n.Of(place(k));
    if (shift(k) >= 16 || count == 8 || n.Percent(50)) part = n.Converted(kind, part);
    if (shift(k) != 0) part = n.Combine(BinaryOp::Shl, part, n.Int(shift(k)));
    all = k == 0 ? part : n.Combine(n.Percent(90) ? BinaryOp::BitOr : BinaryOp::Add, all, part);
  }
  n.Deliver(n.Local(type, all.expr));
  return true;
}

// x << k | x >> (bits - k), and the four bytes of a number the other way round.
bool Rotate(Nest& n) {
  const uint32_t trips = n.DrawTrips(1, 2);
  static constexpr TypeKind kKinds[] = {TypeKind::UInt32, TypeKind::UInt64, TypeKind::UInt, TypeKind::UShort,
                                        TypeKind::UInt8};
  const TypeKind kind = kKinds[n.Below(5)];
  const TypeId type = n.w.program.types.Basic(kind);
  const ArrayId to = n.PlanArray({trips}, true, type), from = n.PlanArray({trips}, false, type);
  const LoopId loop = n.PlanLoop(trips);
  n.PlanInvariants(1);
  if (!n.Begin()) return false;
  n.Open(loop);
  const auto x = [&] { return n.Of(n.At(from, {n.Index(loop)})); };
  const int64_t bits = n.w.IntInfo(kind).bits;
  Ranged value;
  if (bits == 32 && n.Percent(50)) {
    const Ranged high = n.Combine(BinaryOp::BitAnd, n.Combine(BinaryOp::Shr, x(), n.Int(8)), n.Int(0xff00));
    const Ranged low = n.Combine(BinaryOp::BitAnd, n.Combine(BinaryOp::Shl, x(), n.Int(8)),
                                 {n.w.build.Constant(TypeKind::ULong, 0xff0000), {0, 0xff0000}});
    const Ranged ends =
        n.Combine(BinaryOp::BitOr, n.Combine(BinaryOp::Shl, x(), n.Int(24)), n.Combine(BinaryOp::Shr, x(), n.Int(24)));
    value = n.Combine(BinaryOp::BitOr, ends, n.Combine(BinaryOp::BitOr, high, low));
  } else {
    const int64_t k = 1 + n.Below(static_cast<uint32_t>(bits) - 1);
    const Ranged left = n.Combine(BinaryOp::Shl, x(), n.Int(k)), right = n.Combine(BinaryOp::Shr, x(), n.Int(bits - k));
    value = n.Combine(n.Percent(70) ? BinaryOp::BitOr : n.Percent(50) ? BinaryOp::Add : BinaryOp::BitXor, left, right);
  }
  n.Append(n.Store(n.At(to, {n.Index(loop)}), value));
  n.Close(loop);
  return true;
}

// x / y and x % y together; multiples of one number that differ by a little.
bool Quotients(Nest& n) {
  const uint32_t count = 2 + n.Below(3);
  const ArrayId to = n.PlanArray({2 * count}, true);
  n.PlanInvariants(3);
  if (!n.Begin()) return false;
  lang::Builder& build = n.w.build;
  const auto place = [&](uint32_t k) { return n.At(to, {build.Int(k)}); };
  static constexpr TypeKind kKinds[] = {TypeKind::Int, TypeKind::UInt, TypeKind::Long, TypeKind::ULong};
  const TypeKind kind = kKinds[n.Below(4)];
  const TypeId type = n.w.program.types.Basic(kind);
  const VarId x = n.Local(type, n.Unknown().expr);
  if (n.Percent(50)) {
    const VarId y =
        n.Local(type, n.Combine(BinaryOp::Add, n.Combine(BinaryOp::BitAnd, n.Unknown(), n.Int(31)), n.Int(1)).expr);
    for (uint32_t k = 0; k < count; ++k) {
      const Ranged a = k == 0 ? n.Of(build.Var(x)) : n.Combine(BinaryOp::BitXor, n.Of(build.Var(x)), n.Int(k));
      const Ranged copy{build.CopyTree(a.expr), a.range};
      n.Append(build.Assign(place(2 * k), build.Binary(BinaryOp::Div, a.expr, build.Var(y))));
      n.Append(build.Assign(place(2 * k + 1), build.Binary(BinaryOp::Rem, copy.expr, build.Var(y))));
    }
  } else {
    const Ranged small = n.Combine(BinaryOp::BitAnd, n.Unknown(), n.Int(63));
    const VarId s = n.Local(n.w.program.types.Basic(TypeKind::Int), small.expr);
    const VarId c = n.Local(n.w.program.types.Basic(TypeKind::Int),
                            n.Combine(BinaryOp::BitAnd, n.Of(build.Var(x)), n.Int(63)).expr);
    for (uint32_t k = 0; k < count; ++k) {
      const Ranged factor = n.Combine(BinaryOp::Add, {build.Var(c), {0, 63}}, n.Int(k * (1 + n.Below(3))));
      n.Append(n.Store(place(k), n.Combine(BinaryOp::Mul, {build.Var(s), {0, 63}}, factor)));
    }
  }
  return true;
}

}  // namespace assay::gen::shapes
