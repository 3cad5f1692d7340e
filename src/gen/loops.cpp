// for, while and do. A loop is planned before it is written: how often it should run, what steers it (any integer
// lvalue that nothing else writes), and how its head says so. Its iterations share the steps that the place has left
// (budget.hpp), so that it is written only where they suffice.
#include "gen/loops.hpp"

#include <algorithm>

#include "gen/access.hpp"
#include "gen/budget.hpp"
#include "gen/control.hpp"
#include "gen/expr.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::IncDecOp;
using lang::Stmt;

constexpr uint64_t kIterationSteps = 14;  // of the smallest body, with the head
constexpr int64_t kFarthest = int64_t{1} << 40;
constexpr uint32_t kMostIndexTokens = 60;  // that such a global costs at the end of the program
constexpr size_t kMostOwnIndices = 4;      // globals that steer the loops of one function

// What steers a loop.
struct Steer {
  VarId root;            // the variable to protect in the body
  ExprId lvalue;         // how it is written: a tree to copy
  bool declare = false;  // a new variable that the head may declare
  bool alone = true;     // nothing but the loop's head can write it

  explicit operator bool() const { return root.Valid(); }
};

ExprId Read(Writer& w, const Steer& steer) { return w.build.CopyTree(steer.lvalue); }

// The values an lvalue can hold, as far as heads use them.
struct Range {
  int64_t low, high;
};
Range RangeOf(Writer& w, ExprId lvalue) {
  lang::IntegerInfo info = w.IntInfo(w.Kind(lvalue));
  const int width = lang::BitWidthOf(w.program, lvalue);
  if (width >= 0) info.bits = static_cast<decltype(info.bits)>(width);
  const int64_t high = info.Max() > static_cast<uint64_t>(kFarthest) ? kFarthest : static_cast<int64_t>(info.Max());
  return {std::max(info.Min(), -kFarthest), high};
}

TypeId IndexType(Writer& w, uint32_t trips) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int,    TypeKind::UInt,  TypeKind::Long,   TypeKind::ULong,
                                        TypeKind::Int64,  TypeKind::Int32, TypeKind::UInt32, TypeKind::Short,
                                        TypeKind::UShort, TypeKind::SChar, TypeKind::UInt8};
  if (w.choices.Percent(30)) return w.program.types.Basic(TypeKind::Int);
  return w.program.types.Basic(kKinds[w.choices.Below(trips < 100 ? 11 : trips < 30000 ? 9 : 7)]);
}

// A bit-field may share bytes with a const neighbour: the machine lets nobody write it then.
bool HasConstMember(const Writer& w, ExprId member) {
  const ExprId record = w.program.exprs[member].lhs;
  return lang::HasQualifier(w.program, w.program.exprs[record].type, lang::kConst);
}

bool CanSteer(Writer& w, ExprId lvalue) {
  const lang::Type type = w.program.types[w.program.exprs[lvalue].type];
  if (!lang::IsInteger(type.kind) || type.kind == TypeKind::Bool || type.kind == TypeKind::Enum || type.quals != 0)
    return false;
  if (lang::IsPromotionUnclear(w.program, lvalue)) return false;
  const int width = lang::BitWidthOf(w.program, lvalue);
  return width < 0 || (width >= 5 && !HasConstMember(w, lvalue));
}

bool Steers(const Writer& w, VarId var) {
  return std::any_of(w.scope.indices.begin(), w.scope.indices.end(),
                     [&](const LoopIndex& index) { return index.var == var; });
}

// A member of the record that can steer; invalid if it has none.
ExprId SteeringMember(Writer& w, ExprId record) {
  const uint32_t count = static_cast<uint32_t>(
      w.program.types.GetRecord(w.program.types[w.program.exprs[record].type].record).members.size());
  const uint32_t start = w.choices.Below(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = (start + i) % count;
    const lang::Member member =
        w.program.types.GetRecord(w.program.types[w.program.exprs[record].type].record).members[at];
    if (!member.named || !lang::IsInteger(w.Kind(member.type))) continue;
    const ExprId e = w.build.Member(record, at);
    if (CanSteer(w, e)) return e;
  }
  return {};
}

// The part of an owned object that steers: itself, a member or an element.
Steer SteerBy(Writer& w, VarId var) {
  Steer steer{var, w.build.Var(var)};
  const lang::Type type = w.program.types[w.program.vars[var].type];
  if (type.kind == TypeKind::Array) {
    steer.lvalue = w.build.Index(steer.lvalue, w.build.Int(w.choices.Below(type.length)));
  } else if (type.kind == TypeKind::Struct) {
    steer.lvalue = SteeringMember(w, steer.lvalue);
  }
  return steer.lvalue && CanSteer(w, steer.lvalue) ? steer : Steer{};
}

// A global that only loops of this function write. A recursive function has none: its activations would share it.
Steer OwnedIndex(Writer& w, uint32_t trips) {
  if (!w.Live() || w.Plan(w.scope.function).recursive) return {};
  const std::vector<VarId>& owned = w.Plan(w.scope.function).indices;
  if (owned.size() >= kMostOwnIndices || (!owned.empty() && w.choices.Percent(60))) {
    const VarId var = w.choices.Pick(owned);
    return Steers(w, var) ? Steer{} : SteerBy(w, var);
  }
  TypeId type = IndexType(w, trips);
  switch (w.choices.Weighted({55, w.knobs.arrays > 0 ? 20u : 0u, w.record_types.empty() ? 0u : 25u})) {
    case 1: type = w.program.types.Array(type, 2 + w.choices.Below(3)); break;
    case 2: type = w.choices.Pick(w.record_types); break;
    default: break;
  }
  if (w.Kind(type) == TypeKind::Union ||
      w.static_bytes + w.layouts.SizeOf(type) > static_cast<uint32_t>(w.knobs.static_bytes))
    return {};
  const uint32_t check = Meter(w.program).Check(type);
  if (check > kMostIndexTokens || 4 * check > w.TokensLeft()) return {};
  const VarId var = NewGlobal(w, type);
  w.SetUse(var, VarUse::Index);
  w.Plan(w.scope.function).indices.push_back(var);
  return SteerBy(w, var);
}

// T *p = &index; and *p steers.
Steer ByPointer(Writer& w, uint32_t trips) {
  const Steer target = OwnedIndex(w, trips);
  if (!target || lang::BitWidthOf(w.program, target.lvalue) >= 0 ||
      w.program.types[w.program.vars[target.root].type].kind == TypeKind::Struct)
    return {};
  const TypeId pointer = w.program.types.Pointer(w.program.types.Unqualified(w.program.exprs[target.lvalue].type));
  const VarId p = DeclareLocal(w, pointer, w.build.InitExpr(w.build.AddressOf(target.lvalue)));
  return {p, w.build.Deref(w.build.Var(p))};
}

// A variable that is there already; others may write it through a pointer.
Steer Existing(Writer& w, bool parameter) {
  for (int tries = 0; tries < 4 && !w.scope.locals.empty(); ++tries) {
    const VarId var = w.choices.Pick(w.scope.locals);
    const lang::Variable& v = w.program.vars[var];
    if (v.role != lang::VarRole::Plain || v.IsStatic() || (v.storage == lang::Storage::Param) != parameter) continue;
    if (IsProtected(w, var)) continue;
    const Steer steer{var, w.build.Var(var), false, false};
    if (CanSteer(w, steer.lvalue)) return steer;
  }
  return {};
}

// A new variable; in the head of a `for`, or before the loop.
Steer NewIndex(Writer& w, uint32_t trips) {
  const VarId var = w.build.Local(w.scope.function, IndexType(w, trips));
  return {var, w.build.Var(var), true};
}

Steer DrawSteer(Writer& w, uint32_t trips) {
  Steer steer;
  switch (w.choices.Weighted({20, 54, 7, 9, 10})) {
    case 1: steer = OwnedIndex(w, trips); break;
    case 2: steer = ByPointer(w, trips); break;
    case 3: steer = Existing(w, true); break;
    case 4: steer = Existing(w, false); break;
    default: break;
  }
  return steer ? steer : NewIndex(w, trips);
}

// The values of the index: first, first + step, ... until it has run `trips` times.
struct Head {
  int64_t first = 0, step = 1;
  uint32_t trips = 0;

  int64_t At(uint64_t iteration) const { return first + step * static_cast<int64_t>(iteration); }
};

// A head with values in the range.
Head DrawHead(Writer& w, uint32_t trips, Range range) {
  Head head{0, 1, trips};
  switch (w.choices.Weighted({50, 16, 34})) {
    case 0: break;
    case 1: head = {static_cast<int64_t>(trips) - (w.choices.Coin() ? 1 : 0), -1, trips}; break;
    default:
      head.first = w.choices.Between(-20, 20);
      head.step = w.choices.Between(1, w.choices.Percent(60) ? 3 : 9) * (w.choices.Percent(35) ? -1 : 1);
      break;
  }
  const int64_t room = range.high - range.low;
  if (room / std::abs(head.step) <= static_cast<int64_t>(head.trips)) head.step = head.step < 0 ? -1 : 1;
  head.trips = static_cast<uint32_t>(std::min<int64_t>(head.trips, room - 1));
  const int64_t span = std::abs(head.step) * static_cast<int64_t>(head.trips);
  head.first = head.step > 0 ? std::clamp(head.first, range.low, range.high - span)
                             : std::clamp(head.first, range.low + span, range.high);
  return head;
}

// The bound as a number, or by a variable that nobody writes: a trip count that the compiler cannot know.
ExprId SpellBound(Writer& w, int64_t bound, bool negative) {
  if (!w.inputs.empty() && w.choices.Percent(w.knobs.unknown_bounds)) {
    const KnownInput input = w.choices.Pick(w.inputs);
    const bool is_signed = w.IntInfo(lang::PromotedKind(w.program, w.build.Var(input.var))).is_signed;
    if (std::abs(bound) < 10000 && (is_signed || (!negative && bound >= 0))) {
      const ExprId var = w.build.Var(input.var);
      const int64_t difference = bound - input.value;
      if (difference == 0) return var;
      return difference > 0 ? w.build.Binary(BinaryOp::Add, var, w.build.Int(difference))
                            : w.build.Binary(BinaryOp::Sub, var, w.build.Int(-difference));
    }
  }
  if (bound >= -30000 && bound <= 30000) return w.build.Int(bound);
  return w.build.Constant(TypeKind::LLong, static_cast<uint64_t>(bound));
}

// `left` compared with a bound, where left is first, first + step, ...: true `trips` times, then false.
ExprId Compare(Writer& w, ExprId left, const Head& head, Range range) {
  const int64_t last = head.At(head.trips) - head.step,
                end = head.At(head.trips);  // the last that goes on; the first that ends
  const bool up = head.step > 0, negative = std::min(head.first, end) < 0;
  const int64_t slack = static_cast<int64_t>(w.choices.Below(static_cast<uint32_t>(std::abs(head.step))));
  BinaryOp op = BinaryOp::Ne;
  int64_t bound = end;
  switch (w.choices.Weighted({60, 22, 18})) {
    case 0:
      op = up ? BinaryOp::Lt : BinaryOp::Gt;
      bound = up ? end - slack : end + slack;
      break;
    case 1:
      op = up ? BinaryOp::Le : BinaryOp::Ge;
      bound = up ? last + slack : last - slack;
      break;
    default: break;
  }
  bound = std::clamp(bound, range.low, range.high);
  return w.build.Binary(op, left, SpellBound(w, bound, negative));
}

ExprId StepOf(Writer& w, const Steer& steer, int64_t step) {
  const bool down = step < 0;
  if (std::abs(step) == 1 && w.choices.Percent(80)) {
    const bool pre = w.choices.Coin();
    return w.build.IncDec(
        down ? (pre ? IncDecOp::PreDec : IncDecOp::PostDec) : (pre ? IncDecOp::PreInc : IncDecOp::PostInc),
        Read(w, steer));
  }
  const BinaryOp op = down ? BinaryOp::Sub : BinaryOp::Add;
  const ExprId distance = w.build.Int(std::abs(step));
  if (w.choices.Percent(70)) return w.build.CompoundAssign(op, Read(w, steer), distance);
  return w.build.Assign(Read(w, steer), w.build.Binary(op, Read(w, steer), distance));
}

// Sometimes the loop also ends with something else.
ExprId WithMore(Writer& w, ExprId comparison) {
  if (!w.choices.Percent(8)) return comparison;
  return w.build.LogicalAnd(comparison, Condition(w, true, 1));
}

// The plan of a loop whose comparison sees first, first + step, ... in its first entry.
void Note(Writer& w, StmtId loop, ExprId comparison, const Steer& steer, const Head& seen, int64_t offset,
          std::array<ExprId, 2> writes) {
  if (!w.Live()) return;
  LoopPlan plan;
  plan.deadline = w.machine->Steps() + 2 * StepsHere(w) + 8 * kIterationSteps;
  if (steer.alone) {
    plan.comparison = comparison;
    plan.index = Read(w, steer);
    plan.first = seen.first;
    plan.step = seen.step;
    plan.offset = offset;
    plan.writes = writes;
  }
  w.Plan(loop) = plan;
}

BlockId LoopBody(Writer& w, const Steer& steer, uint32_t trips, int64_t low, int64_t high) {
  const uint64_t allowance = StepsHere(w) / std::max(1u, trips);
  const uint32_t most = 1 + static_cast<uint32_t>(std::min<uint64_t>(allowance / (2 * kIterationSteps), 100));
  const BlockId body = OpenBlock(w, std::min(DrawLength(w), most));
  w.Plan(body).allowance = allowance;
  w.Plan(body).loop_body = true;
  w.Plan(body).index = {steer.root, steer.lvalue, low, high};
  return body;
}

void Append(Writer& w, const Stmt& stmt, ExprId comparison, const Steer& steer, const Head& seen, int64_t offset,
            std::array<ExprId, 2> writes) {
  const StmtId loop = w.build.Statement(stmt);
  Note(w, loop, comparison, steer, seen, offset, writes);
  w.build.Append(w.scope.block, loop);
}

// Declares the index of a while or do loop, or sets the one that is there: then this is the assignment.
ExprId Begin(Writer& w, const Steer& steer, int64_t first) {
  const ExprId value = w.build.Int(first);
  if (!steer.declare) {
    const ExprId begin = w.build.Assign(Read(w, steer), value);
    AppendExpr(w, begin);
    return begin;
  }
  w.program.vars[steer.root].init = w.build.InitExpr(value);
  w.build.Append(w.scope.block, w.build.Decl(steer.root));
  Declare(w, w.scope.block, steer.root);
  return {};
}

// Whether the comparison steps the index, too. Compilers disagree on the type of ++ on a bit-field.
bool StepsInHead(Writer& w, const Steer& steer, const Head& head) {
  return std::abs(head.step) == 1 && lang::BitWidthOf(w.program, steer.lvalue) < 0 && w.choices.Percent(60);
}

// What a loop is made of, drawn together.
struct Loop {
  Steer steer;
  Range range;
  Head head;
};
Loop DrawLoop(Writer& w) {
  const uint32_t trips = DrawTrips(w);
  if (trips == 0) return {};
  const Steer steer = DrawSteer(w, trips);
  const Range range = RangeOf(w, steer.lvalue);
  return {steer, range, DrawHead(w, trips, range)};
}

}  // namespace

uint32_t DrawTrips(Writer& w) {
  const uint64_t room = StepsHere(w) / kIterationSteps;
  if (room < 2) return 0;
  const uint32_t most = static_cast<uint32_t>(std::min<uint64_t>(room, static_cast<uint64_t>(w.knobs.trip_count)));
  uint32_t trips = 0;
  switch (w.choices.Weighted({4, 32, 26, 16, 10})) {
    case 0: return w.choices.Percent(30) ? 1 : most;
    case 1: trips = 2 + w.choices.Below(6); break;
    case 2: trips = (4u << w.choices.Below(4)) + w.choices.Below(3) - 1; break;  // about the length of a vector
    case 3: trips = 8 + w.choices.Below(40); break;
    default: trips = 60 + w.choices.Below(400); break;
  }
  if (w.choices.Percent(w.knobs.array_loops / 2) && !w.program.globals.empty()) {
    for (int tries = 0; tries < 6; ++tries) {
      const lang::Type& type = w.program.types[w.program.vars[w.choices.Pick(w.program.globals)].type];
      if (type.kind == TypeKind::Array && type.length > 1) {
        trips = type.length;
        break;
      }
    }
  }
  return std::min(trips, most);
}

void WriteFor(Writer& w) {
  const Loop loop = DrawLoop(w);
  if (!loop.steer) return;
  const auto [steer, range, head] = loop;
  Stmt stmt{.kind = StmtKind::For};
  const ExprId comparison = Compare(w, Read(w, steer), head, range);
  stmt.expr = WithMore(w, comparison);
  stmt.step = StepOf(w, steer, head.step);
  const bool in_head = steer.declare && w.choices.Percent(60);
  if (in_head) {
    stmt.var = steer.root;
    w.program.vars[steer.root].init = w.build.InitExpr(w.build.Int(head.first));
    w.BlockOf(steer.root) = w.scope.block;
  } else {
    if (steer.declare) {
      w.build.Append(w.scope.block, w.build.Decl(steer.root));
      Declare(w, w.scope.block, steer.root);
    }
    stmt.init = w.build.Assign(Read(w, steer), w.build.Int(head.first));
  }
  const int64_t last = head.At(head.trips) - head.step;
  stmt.body = LoopBody(w, steer, head.trips, std::min(head.first, last), std::max(head.first, last));
  if (in_head) w.Plan(stmt.body).decls.push_back(steer.root);  // visible in the body only
  Append(w, stmt, comparison, steer, head, 0, {stmt.init, stmt.step});
}

// while (i++ < n) …, or while (i < n) { i += 2; … }. In the body the index is a step further.
void WriteWhile(Writer& w) {
  const Loop loop = DrawLoop(w);
  if (!loop.steer) return;
  const auto [steer, range, head] = loop;
  const bool in_head = StepsInHead(w, steer, head);
  const int64_t after = head.At(head.trips) + head.step;
  if (in_head && (after < range.low || after > range.high)) return;  // the last comparison steps once more
  const ExprId begin = Begin(w, steer, head.first);
  Stmt stmt{.kind = StmtKind::While};
  const ExprId left =
      in_head ? w.build.IncDec(head.step < 0 ? IncDecOp::PostDec : IncDecOp::PostInc, Read(w, steer)) : Read(w, steer);
  const ExprId comparison = Compare(w, left, head, range);
  stmt.expr = WithMore(w, comparison);
  const int64_t second = head.At(1), end = head.At(head.trips);
  stmt.body = LoopBody(w, steer, head.trips, std::min(second, end), std::max(second, end));
  const ExprId step = in_head ? left : StepOf(w, steer, head.step);
  if (!in_head) w.build.Append(stmt.body, w.build.ExprStatement(step));
  Append(w, stmt, comparison, steer, head, 0, {begin, step});
}

// do … while (++i < n); or do { i += 2; … } while (i < n). The comparison sees the second value first.
void WriteDo(Writer& w) {
  const Loop loop = DrawLoop(w);
  if (!loop.steer) return;
  const auto [steer, range, head] = loop;
  const bool in_head = StepsInHead(w, steer, head);
  const ExprId begin = Begin(w, steer, head.first);
  Stmt stmt{.kind = StmtKind::DoWhile};
  const Head seen{head.At(1), head.step, head.trips - 1};
  const ExprId left =
      in_head ? w.build.IncDec(head.step < 0 ? IncDecOp::PreDec : IncDecOp::PreInc, Read(w, steer)) : Read(w, steer);
  const ExprId comparison = Compare(w, left, seen, range);
  stmt.expr = WithMore(w, comparison);
  const int64_t from = in_head ? head.first : head.At(1), to = head.At(in_head ? head.trips - 1 : head.trips);
  stmt.body = LoopBody(w, steer, head.trips, std::min(from, to), std::max(from, to));
  const ExprId step = in_head ? left : StepOf(w, steer, head.step);
  if (!in_head) w.build.Append(stmt.body, w.build.ExprStatement(step));
  Append(w, stmt, comparison, steer, seen, in_head ? head.step : 0, {begin, step});
}

}  // namespace assay::gen
