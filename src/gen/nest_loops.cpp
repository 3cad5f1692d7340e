// The loops of nests: headers of many forms over planned ranges, and the statements in them.
#include "gen/nest.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::IncDecOp;
using lang::Stmt;

// Kinds of indices; the first are what programs are full of.
constexpr TypeKind kIndexKinds[] = {TypeKind::Int,    TypeKind::Int,   TypeKind::UInt,   TypeKind::Long,
                                    TypeKind::ULong,  TypeKind::Int32, TypeKind::UInt32, TypeKind::LLong,
                                    TypeKind::UInt64, TypeKind::Int64, TypeKind::Short,  TypeKind::UShort,
                                    TypeKind::UChar,  TypeKind::SChar};

}  // namespace

uint32_t Nest::DrawTrips(uint32_t levels, uint32_t statements, bool may_be_zero) {
  const uint64_t iterations = steps / (14 + 24 * statements);
  uint64_t most = iterations;
  if (levels == 2) {
    for (most = 1; (most + 1) * (most + 1) <= iterations;) ++most;
  } else if (levels == 3) {
    for (most = 1; (most + 1) * (most + 1) * (most + 1) <= iterations;) ++most;
  }
  most = std::min<uint64_t>(most, static_cast<uint64_t>(w.knobs.trip_count));
  static constexpr uint32_t kSmall[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, kMedium[] = {15, 16, 17, 18, 24, 31, 32, 33};
  uint32_t trips = 0;
  switch (w.choices.Weighted({may_be_zero ? 3u : 0u, 20, 38, 20, 19})) {
    case 0: return 0;
    case 1: trips = kSmall[Below(9)]; break;
    case 2: trips = kMedium[Below(8)]; break;
    case 3: trips = 20 + Below(60); break;
    default: trips = 64 + Below(std::max(1u, static_cast<uint32_t>(w.knobs.trip_count))); break;
  }
  if (trips > most)
    trips = static_cast<uint32_t>(
        most > 4 && Percent(60) ? most - Below(4) : 1 + Below(std::max<uint32_t>(1, static_cast<uint32_t>(most))));
  return std::max(1u, trips);
}

Nest::LoopId Nest::PlanLoop(uint32_t trips, int64_t first, uint32_t step, bool plain) {
  Loop loop;
  loop.trips = trips;
  loop.first = first;
  loop.step = step;
  const int64_t last = first + (static_cast<int64_t>(trips) - 1) * step, end = last + step;
  // A small constant trip count is unrolled; an unknown one is not.
  const bool literal = Percent(trips < 17 ? 25 : 45);
  loop.bound = literal       ? BoundKind::Literal
               : Percent(50) ? BoundKind::Parameter
               : Percent(60) ? BoundKind::Global
                             : BoundKind::Local;
  const uint32_t odd = plain ? 0 : 1;
  loop.form = static_cast<Form>(w.choices.Weighted(
      {64, 12 * odd, 8 * odd, w.knobs.stmt_while > 0 ? 8u : 0u, trips > 0 && w.knobs.stmt_do > 0 ? 6u : 0u, 2 * odd}));
  const bool rare = Percent(10);
  do {
    loop.kind = kIndexKinds[Below(rare ? std::size(kIndexKinds) : 10)];
  } while (!Fits({first - step, end + step}, loop.kind) && !Fits({first, end + step}, loop.kind));
  const bool is_signed = w.IntInfo(loop.kind).is_signed;
  if (loop.form == Form::Down && !is_signed && first < step) loop.form = Form::Up;
  if (loop.form == Form::DownTested && (first != 0 || step != 1)) loop.form = Form::Up;
  if (loop.form == Form::Wrapped && (step != 1 || trips == 0 || trips > 200)) loop.form = Form::Up;
  if (loop.form == Form::Do || loop.form == Form::Wrapped || (loop.form == Form::Down && step != 1) || plain)
    loop.bound = BoundKind::Literal;
  if (loop.form == Form::Wrapped) {
    static constexpr TypeKind kKinds[] = {TypeKind::UInt, TypeKind::UChar, TypeKind::ULong, TypeKind::UShort};
    loop.kind = kKinds[Below(4)];
  }
  loop.compare = static_cast<BinaryOp>(static_cast<int>(BinaryOp::Lt));
  loop.limit_value = end;
  if (loop.form == Form::Down) {
    loop.limit_value = last;
  } else if (loop.form != Form::DownTested && loop.form != Form::Wrapped) {
    switch (w.choices.Weighted({70, 15, loop.bound == BoundKind::Local ? 0u : 15u})) {
      case 1:
        if (last < 0) break;
        loop.compare = BinaryOp::Le;
        loop.limit_value = last;
        break;
      case 2: loop.compare = BinaryOp::Ne; break;
      default: break;
    }
  }
  loop.own_index = plain;
  loop.in_header = loop.form != Form::While && loop.form != Form::Do && Percent(65);
  loops.push_back(loop);
  return loops.size() - 1;
}

ExprId Nest::LimitOf(Loop& loop) {
  if (!loop.limit) return w.build.Int(loop.limit_value);
  const ExprId object = w.build.Var(loop.limit);
  return loop.member < 0 ? object : w.build.Member(object, static_cast<uint32_t>(loop.member));
}

Interval Nest::IndexRange(LoopId id) const {
  const Loop& loop = loops[id];
  return {loop.first, loop.first + (static_cast<int64_t>(std::max(1u, loop.trips)) - 1) * loop.step};
}

VarId Nest::Local(TypeId type, ExprId init) {
  const VarId var = w.build.Local(function, type, lang::Storage::Auto, init ? w.build.InitExpr(init) : InitId{});
  w.build.Append(block, w.build.Decl(var));
  if (block == w.scope.block) Declare(w, block, var);
  return var;
}

// A global that only loops of nests write, or a part of one. Their loops call nothing that has loops, so that all nests
// share these globals: it is enough that no loop around this one uses it. Invalid: there is none.
ExprId Nest::GlobalIndex(Loop& loop) {
  lang::TypeTable& types = w.program.types;
  const TypeId type = types.Basic(loop.kind);
  const auto part_of = [&](VarId var) -> ExprId {
    for (const Loop& other : loops) {
      if (other.body && other.holder == var) return {};
    }
    const ExprId object = w.build.Var(var);
    const lang::Type whole = types[w.program.vars[var].type];
    if (whole.kind == loop.kind) return object;
    if (whole.kind == TypeKind::Array && w.Kind(whole.element) == loop.kind)
      return w.build.Index(object, w.build.Int(Below(whole.length)));
    if (whole.kind == TypeKind::Struct && types.GetRecord(whole.record).members[1].type == type)
      return w.build.Member(object, 1);
    return {};
  };
  if (Percent(70)) {
    for (VarId var : w.nests.indices) {
      if (const ExprId part = part_of(var)) {
        loop.holder = var;
        return part;
      }
    }
  }
  if (w.nests.indices.size() >= 2 + w.token_target / 1500) return {};
  TypeId whole = type;
  switch (w.choices.Weighted({60, w.knobs.arrays > 0 ? 20u : 0u, w.knobs.structs > 0 ? 20u : 0u})) {
    case 1: whole = types.Array(type, 2 + Below(3)); break;
    case 2: {
      lang::Record record;
      record.members = {{OtherElement()}, {type}};
      whole = NewRecordType(w, std::move(record));
      break;
    }
    default: break;
  }
  loop.holder = NewGlobal(w, whole, {});
  w.SetUse(loop.holder, VarUse::Index);
  w.nests.indices.push_back(loop.holder);
  return part_of(loop.holder);
}

// The index and its first value, in the head where that is possible, else before the loop.
void Nest::OpenIndex(Loop& loop, Stmt& stmt, ExprId first) {
  const TypeId type = w.program.types.Basic(loop.kind);
  if (!loop.own_index && Percent(static_cast<uint32_t>(w.knobs.free_indices))) loop.index = GlobalIndex(loop);
  const bool global = loop.index.Valid();
  if (!global && loop.in_header) {
    loop.holder = stmt.var = w.build.Local(function, type, lang::Storage::Auto, w.build.InitExpr(first));
  } else if (!global && stmt.kind != StmtKind::For) {
    loop.holder = Local(type, first);
  } else if (!global) {
    for (const Loop& other : loops) {
      if (!other.in_header && other.index && !w.program.vars[other.holder].IsStatic() && other.kind == loop.kind &&
          other.outer == block && !other.body)
        loop.holder = other.holder;  // again
    }
    if (!loop.holder) loop.holder = Local(type, {});
  }
  if (!global) loop.index = w.build.Var(loop.holder);
  if (!global && (loop.in_header || stmt.kind != StmtKind::For)) return;
  const ExprId begin = w.build.Assign(w.build.CopyTree(loop.index), first);
  if (stmt.kind == StmtKind::For) {
    stmt.init = begin;
  } else {
    Append(begin);
  }
}

void Nest::Open(LoopId id, const std::function<ExprId()>& bound, ExprId start) {
  Loop& loop = loops[id];
  const auto limit = [&] { return bound ? bound() : LimitOf(loop); };
  ExprId first;
  switch (loop.form) {
    case Form::Down:
    case Form::DownTested: first = limit(); break;
    case Form::Wrapped:
      first = w.build.Unary(lang::UnaryOp::Minus,
                            w.build.Constant(lang::Promote(loop.kind, w.program.Model()), loop.trips));
      break;
    case Form::Up:
    case Form::While:
    case Form::Do: first = start ? start : w.build.Int(loop.first); break;
  }
  Stmt stmt{.kind = loop.form == Form::While ? StmtKind::While
                    : loop.form == Form::Do  ? StmtKind::DoWhile
                                             : StmtKind::For};
  OpenIndex(loop, stmt, first);
  const auto index = [&] { return IndexOf(id); };
  const auto step = [&](bool value_used) {
    const bool down = loop.form == Form::Down;
    if (loop.step == 1) {
      const bool pre = value_used || Percent(40);
      return w.build.IncDec(
          down ? (pre ? IncDecOp::PreDec : IncDecOp::PostDec) : (pre ? IncDecOp::PreInc : IncDecOp::PostInc), index());
    }
    const BinaryOp op = down ? BinaryOp::Sub : BinaryOp::Add;
    if (Percent(75)) return w.build.CompoundAssign(op, index(), w.build.Int(loop.step));
    return w.build.Assign(index(), w.build.Binary(op, index(), w.build.Int(loop.step)));
  };
  switch (loop.form) {
    case Form::Down:
      stmt.expr = loop.first > 0 && Percent(30) ? w.build.Binary(BinaryOp::Gt, index(), w.build.Int(loop.first - 1))
                                                : w.build.Binary(BinaryOp::Ge, index(), w.build.Int(loop.first));
      break;
    case Form::DownTested:
      stmt.expr = w.build.Binary(BinaryOp::Gt, w.build.IncDec(IncDecOp::PostDec, index()), w.build.Int(0));
      break;
    case Form::Wrapped: stmt.expr = w.build.Binary(BinaryOp::Ne, index(), w.build.Int(0)); break;
    case Form::Do: stmt.expr = w.build.Binary(loop.compare, step(true), limit()); break;
    case Form::Up:
    case Form::While:
      stmt.expr = loop.compare == BinaryOp::Lt && Percent(12) ? w.build.Binary(BinaryOp::Gt, limit(), index())
                                                              : w.build.Binary(loop.compare, index(), limit());
      break;
  }
  if (stmt.kind == StmtKind::For && loop.form != Form::DownTested) stmt.step = step(false);
  iterations_ *= std::max(1u, loop.trips);
  deepest_ = std::max(deepest_, iterations_);
  loop.outer = block;
  loop.body = stmt.body = w.build.NewBlock(function);
  const StmtId made = w.build.Statement(stmt);
  w.Plan(made).cut = true;  // planned, and it ends by itself: nobody needs to count
  Append(made);
  block = loop.body;
}

void Nest::Close(LoopId id) {
  Loop& loop = loops[id];
  if (loop.form == Form::While) {
    const ExprId index = IndexOf(id);
    Append(loop.step == 1 ? w.build.IncDec(IncDecOp::PostInc, index)
                          : w.build.CompoundAssign(BinaryOp::Add, index, w.build.Int(loop.step)));
  }
  iterations_ /= std::max(1u, loop.trips);
  block = loop.outer;
  loop.body = {};  // its index may be used again
}

ExprId Nest::Index(LoopId id, int64_t offset, int64_t scale) {
  const Loop& loop = loops[id];
  ExprId e = IndexOf(id);
  if (loop.form == Form::Wrapped) {
    e = w.build.Binary(BinaryOp::Add, e, w.build.Int(loop.trips));
    if (w.IntInfo(loop.kind).bits < w.IntInfo(TypeKind::UInt).bits)
      e = w.build.Cast(w.program.types.Basic(loop.kind), e);
    offset += loop.first * scale;
  }
  if (scale != 1) {
    e = Percent(70) ? w.build.Binary(BinaryOp::Mul, e, w.build.Int(scale))
                    : w.build.Binary(BinaryOp::Mul, w.build.Int(scale), e);
  }
  if (offset == 0) return e;
  if (offset < 0) return w.build.Binary(BinaryOp::Sub, e, w.build.Int(-offset));
  return Percent(80) ? w.build.Binary(BinaryOp::Add, e, w.build.Int(offset))
                     : w.build.Binary(BinaryOp::Add, w.build.Int(offset), e);
}

ExprId Nest::At(ArrayId array, std::initializer_list<ExprId> subscripts) {
  ExprId e = w.build.Var(arrays[array].base);
  for (ExprId subscript : subscripts)
    e = w.build.Index(e, subscript, Percent(static_cast<uint32_t>(w.knobs.swapped_index)));
  return e;
}

void Nest::If(ExprId condition, const std::function<void()>& then, const std::function<void()>& otherwise) {
  Stmt stmt{.kind = StmtKind::If, .expr = condition};
  stmt.body = w.build.NewBlock(function);
  if (otherwise) stmt.other = w.build.NewBlock(function);
  Append(w.build.Statement(stmt));
  const BlockId outer = block;
  block = stmt.body;
  then();
  if (otherwise) {
    block = stmt.other;
    otherwise();
  }
  block = outer;
}

}  // namespace assay::gen
