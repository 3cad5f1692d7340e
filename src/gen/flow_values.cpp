#include <algorithm>
#include <utility>

#include "gen/access.hpp"
#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/flow.hpp"
#include "gen/integers.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

using lang::Stmt;
using lang::UnaryOp;

StmtId AssignTo(Writer& w, ExprId target, ExprId value) {
  return w.build.ExprStatement(w.build.Assign(w.build.CopyTree(target), value));
}

// A pure expression of a few operators, to be written several times; invalid if none was found.
ExprId SharedExpression(Writer& w) {
  const ExprId a = PureOperand(w, Want::Integer(1)), b = PureOperand(w, Want::Integer(0));
  if (!a || !b) return {};
  const TypeKind kind =
      lang::CommonKind(lang::PromotedKind(w.program, a), lang::PromotedKind(w.program, b), w.program.Model());
  const TypeId wide = w.program.types.Basic(lang::Info(kind).unsigned_kind);
  static constexpr BinaryOp kOps[] = {BinaryOp::Add,    BinaryOp::Mul,    BinaryOp::Sub,
                                      BinaryOp::BitXor, BinaryOp::BitAnd, BinaryOp::BitOr};
  const auto op = [&] { return kOps[w.choices.Below(6)]; };
  const ExprId inner = w.build.Binary(op(), w.build.Cast(wide, a), b);
  if (w.choices.Coin()) return inner;
  const BinaryOp outer = op();
  return w.build.Binary(outer, inner, w.build.CopyTree(w.choices.Coin() ? a : b));
}

// A function of ours with the parameters, all integers of one type.
struct Helper {
  FunctionId id;
  BlockId body;
  std::vector<VarId> params;
};
Helper NewHelper(Writer& w, TypeId result, std::vector<TypeId> params) {
  Helper helper;
  helper.id = w.build.Function(w.program.types.Function(result, std::move(params)));
  w.Plan(helper.id).helper = w.Plan(helper.id).entered = w.Plan(helper.id).done = true;
  helper.body = w.program.functions[helper.id].body;
  helper.params = w.program.functions[helper.id].params;
  if (w.choices.Percent(w.knobs.noinline_functions)) w.program.functions[helper.id].attrs |= lang::kFnNoInline;
  return helper;
}

void AppendReturn(Writer& w, BlockId block, ExprId value) {
  Stmt stmt{.kind = StmtKind::Return, .expr = value};
  w.build.Append(block, w.build.Statement(stmt));
}

void AppendIfReturn(Writer& w, FunctionId function, BlockId block, ExprId condition, ExprId value) {
  Stmt stmt{.kind = StmtKind::If, .expr = condition};
  stmt.body = w.build.NewBlock(function);
  w.build.Append(block, w.build.Statement(stmt));
  AppendReturn(w, stmt.body, value);
}

TypeId UnsignedType(Writer& w) {
  static constexpr TypeKind kKinds[] = {TypeKind::UInt, TypeKind::ULong, TypeKind::ULLong};
  return w.program.types.Basic(kKinds[w.choices.Below(3)]);
}

}  // namespace

namespace {

// Not narrower than int: what is converted before it is compared is no minimum of the narrow type.
TypeId OrderedType(Writer& w) {
  static constexpr TypeKind kKinds[] = {TypeKind::Int, TypeKind::UInt, TypeKind::Long, TypeKind::ULong,
                                        TypeKind::LLong};
  return w.program.types.Basic(kKinds[w.choices.Below(5)]);
}

constexpr BinaryOp kLess[] = {BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge};

// x = a < b ? a : b; y = c > d ? c : d; …: each by itself, so that none makes another superfluous.
void WriteExtremes(Writer& w, uint32_t count) {
  for (uint32_t i = 0; i < count && !w.Full(); ++i) {
    const ExprId target = StorePlace(w), a = PureOperand(w, Want::Integer(0));
    if (!target || !a) continue;
    const ExprId b = OperandOfType(w, lang::ValueType(w.program, a));
    if (!b || !IsPure(w.program, b)) continue;
    const ExprId condition = w.build.Binary(kLess[w.choices.Below(4)], a, b);
    const bool first = w.choices.Coin();
    const ExprId yes = w.build.CopyTree(first ? a : b), no = w.build.CopyTree(first ? b : a);
    w.build.Append(w.scope.block, AssignTo(w, target, w.build.Conditional(condition, yes, no)));
  }
}

// A sorting network: values of several places, put in order pair by pair, and stored again. Every value lives to the
// end, so that no comparison is superfluous.
void WriteNetwork(Writer& w) {
  const TypeId type = OrderedType(w);
  std::vector<ExprId> places;
  std::vector<VarId> lanes;
  const uint32_t count = 3 + w.choices.Below(6);
  for (uint32_t i = 0; i < count; ++i) {
    const ExprId place = StorePlace(w);
    if (!place) continue;
    places.push_back(place);
    lanes.push_back(DeclareLocal(w, type, w.build.InitExpr(w.build.CopyTree(place))));
  }
  if (lanes.size() < 2) return;
  const auto lane = [&](size_t i) { return w.build.Var(lanes[i]); };
  const uint32_t pairs = static_cast<uint32_t>(lanes.size()) * (1 + w.choices.Below(3));
  for (uint32_t i = 0; i < pairs && !w.Full(); ++i) {
    const uint32_t low = w.choices.Below(static_cast<uint32_t>(lanes.size()) - 1);
    const uint32_t high = low + 1 + w.choices.Below(static_cast<uint32_t>(lanes.size()) - low - 1);
    const BinaryOp op = kLess[w.choices.Below(4)];
    const bool first = w.choices.Coin();
    const auto extreme = [&](bool one) {
      const ExprId condition = w.build.Binary(op, lane(low), lane(high));
      return w.build.Conditional(condition, lane(one ? low : high), lane(one ? high : low));
    };
    const VarId kept = DeclareLocal(w, type, w.build.InitExpr(extreme(first)));
    w.build.Append(w.scope.block, AssignTo(w, lane(high), extreme(!first)));
    lanes[low] = kept;
  }
  for (size_t i = 0; i < lanes.size(); ++i) w.build.Append(w.scope.block, AssignTo(w, places[i], lane(i)));
}

}  // namespace

void WriteClamp(Writer& w) {
  if (!RoomFor(w, 50)) return;
  const uint32_t rounds = 2 + w.choices.Below(8);
  switch (w.choices.Weighted({35, 35, 30})) {
    case 0: return WriteNetwork(w);
    case 1: return WriteExtremes(w, 2 * rounds);
    default: break;
  }
  const VarId most = NewLocal(w);
  const auto var = [&] { return w.build.Var(most); };
  const TypeId type = w.program.types.Unqualified(w.program.vars[most].type);
  for (uint32_t i = 0; i < rounds && !w.Full(); ++i) {
    ExprId bound = w.choices.Percent(25) ? ConstantFor(w, type) : OperandOfType(w, type);
    if (!bound) bound = w.choices.Percent(25) ? ConstantFor(w, type) : w.build.Cast(type, IntLeaf(w));
    if (!IsPure(w.program, bound)) bound = ConstantFor(w, type);
    switch (w.choices.Weighted({76, 12, 12})) {
      case 0: {  // if (bound < m) m = bound; or m = m < bound ? m : bound;
        const ExprId condition = w.build.Binary(kLess[w.choices.Below(4)], var(), bound);
        if (w.choices.Percent(60)) {
          const ExprId extreme = w.build.Conditional(condition, var(), w.build.CopyTree(bound));
          w.build.Append(w.scope.block, AssignTo(w, var(), extreme));
          break;
        }
        AppendBranch(w, w.scope.block, condition, AssignTo(w, var(), w.build.CopyTree(bound)));
        break;
      }
      case 1: {  // if (m < 0) m = -m;
        const ExprId condition = w.build.Binary(BinaryOp::Lt, var(), w.build.Int(0));
        AppendBranch(w, w.scope.block, condition, AssignTo(w, var(), w.build.Unary(UnaryOp::Minus, var())));
        break;
      }
      default: {  // if (m == bound) m = …;
        const ExprId condition = w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Ne, var(), bound);
        AppendBranch(w, w.scope.block, condition, AssignTo(w, var(), ConstantFor(w, type)));
        break;
      }
    }
  }
  Publish(w, most);
}

void WriteRedundant(Writer& w) {
  if (!RoomFor(w, 60)) return;
  const ExprId shared = SharedExpression(w), one = StorePlace(w), two = StorePlace(w);
  if (!shared || !one || !two) return;
  const auto again = [&] { return w.build.CopyTree(shared); };
  const auto more = [&] {  // a little more than the same
    const ExprId e = again();
    return w.choices.Percent(60)
               ? e
               : w.build.Binary(w.choices.Coin() ? BinaryOp::BitXor : BinaryOp::BitAnd, e, IntLeaf(w));
  };
  const BlockId block = w.scope.block;
  switch (w.choices.Below(6)) {
    case 0: {  // partly redundant: computed in one branch, then after it
      const ExprId condition = Condition(w, w.choices.Coin());
      const StmtId then = AssignTo(w, one, more());
      AppendBranch(w, block, condition, then, w.choices.Coin() ? SimpleStore(w) : StmtId{});
      w.build.Append(block, AssignTo(w, two, more()));
      return;
    }
    case 1: {  // in both branches: hoisted
      const ExprId condition = Condition(w, w.choices.Coin());
      const StmtId then = AssignTo(w, one, more());
      AppendBranch(w, block, condition, then, AssignTo(w, two, more()));
      return;
    }
    case 2: {  // used in one branch only: sunk
      const VarId local = DeclareLocal(w, UnsignedType(w), w.build.InitExpr(again()));
      const ExprId condition = Condition(w, w.choices.Coin());
      const ExprId use = w.build.Binary(BinaryOp::BitXor, w.build.Var(local), IntLeaf(w));
      AppendBranch(w, block, condition, AssignTo(w, one, use), w.choices.Coin() ? SimpleStore(w) : StmtId{});
      return;
    }
    case 3: {  // the branches end in the same way
      Stmt stmt{.kind = StmtKind::If, .expr = Condition(w, w.choices.Coin())};
      stmt.body = w.build.NewBlock(w.scope.function);
      stmt.other = w.build.NewBlock(w.scope.function);
      w.build.Append(block, w.build.Statement(stmt));
      const ExprId last = more();
      for (BlockId branch : {stmt.body, stmt.other}) {
        w.build.Append(branch, SimpleStore(w));
        w.build.Append(branch, AssignTo(w, one, w.build.CopyTree(last)));
        if (w.choices.Coin()) w.build.Append(branch, AssignTo(w, two, again()));
      }
      return;
    }
    case 4: {  // quotient and remainder, and products of neighbours
      const ExprId by = w.build.Binary(BinaryOp::BitOr, IntLeaf(w), w.build.Int(1));
      const TypeId type = UnsignedType(w);
      if (!IsPure(w.program, by)) return;
      w.build.Append(block, AssignTo(w, one, w.build.Binary(BinaryOp::Div, again(), w.build.Cast(type, by))));
      w.build.Append(
          block, AssignTo(w, two, w.build.Binary(BinaryOp::Rem, again(), w.build.Cast(type, w.build.CopyTree(by)))));
      return;
    }
    default: {  // the same with a step in between
      const ExprId factor = again();
      const int64_t start = w.choices.Below(9);
      w.build.Append(block, AssignTo(w, one, w.build.Binary(BinaryOp::Mul, factor, w.build.Int(start + 1))));
      for (int64_t i = 2; i <= 3; ++i) {
        const ExprId product =
            w.build.Binary(BinaryOp::Mul, again(), w.build.Int(start + i * (1 + w.choices.Below(2))));
        w.build.Append(block, AssignTo(w, i == 2 ? two : one, w.build.Binary(BinaryOp::BitXor, product, IntLeaf(w))));
      }
      return;
    }
  }
}

void WriteStores(Writer& w) {
  if (!RoomFor(w, 60)) return;
  const ExprId one = StorePlace(w), two = StorePlace(w);
  if (!one || !two) return;
  const auto read = [&] { return w.build.CopyTree(w.choices.Coin() ? one : two); };
  const BlockId block = w.scope.block;
  const uint32_t count = 4 + w.choices.Below(5);
  for (uint32_t i = 0; i < count && !w.Full(); ++i) {
    const ExprId target = w.choices.Coin() ? one : two;
    switch (w.choices.Weighted({30, 25, 15, 15, 15})) {
      case 0: w.build.Append(block, AssignTo(w, target, SmallValue(w))); break;
      case 1: w.build.Append(block, AssignTo(w, target, read())); break;
      case 2: w.build.Append(block, SimpleStore(w)); break;  // may be the same object, may be not
      case 3: {                                              // dead in one of the branches
        const ExprId condition = Condition(w, w.choices.Coin(), 1);
        const StmtId then = AssignTo(w, target, SmallValue(w));
        AppendBranch(w, block, condition, then, w.choices.Coin() ? SimpleStore(w) : StmtId{});
        break;
      }
      default:
        if (const ExprId other = StorePlace(w)) w.build.Append(block, AssignTo(w, other, read()));
        break;
    }
  }
  w.build.Append(block, AssignTo(w, one, SmallValue(w)));
}

void WriteStoreRun(Writer& w) {
  if (!RoomFor(w, 60)) return;
  // An array of integers, long enough.
  VarId array;
  for (int tries = 0; tries < 8 && !array && !w.program.globals.empty(); ++tries) {
    const VarId var = w.choices.Pick(w.program.globals);
    const lang::Type type = w.program.types[w.program.vars[var].type];
    if (type.kind != TypeKind::Array || type.length < 4 || !lang::IsInteger(w.Kind(type.element))) continue;
    if (w.program.types[type.element].quals != 0 || w.Kind(type.element) == TypeKind::Bool) continue;
    if (w.program.vars[var].role != lang::VarRole::Plain || IsProtected(w, var) || w.Use(var) != VarUse::Mixed)
      continue;
    array = var;
  }
  if (!array) return;
  const lang::Type type = w.program.types[w.program.vars[array].type];
  const uint32_t count = std::min(type.length, w.choices.Coin() ? 4u : w.choices.Coin() ? 8u : 2 + w.choices.Below(8));
  const uint32_t first = w.choices.Below(type.length - count + 1);
  const uint32_t style = w.choices.Below(4);
  ExprId word;
  if (style > 0) {
    word = PureOperand(w, Want::Integer(0));
    if (!word) return;
    const TypeKind kind = lang::Info(lang::PromotedKind(w.program, word)).unsigned_kind;
    word = w.build.Cast(w.program.types.Basic(kind), word);
  }
  const uint32_t bits = style == 0 ? 32u : w.IntInfo(w.Kind(word)).bits, element = w.IntInfo(w.Kind(type.element)).bits;
  const bool reversed = w.choices.Coin();
  // The word is read once: an element of the array may be part of it.
  VarId local;
  if (style > 0)
    local = DeclareLocal(w, w.program.types.Unqualified(w.program.exprs[word].type), w.build.InitExpr(word));
  for (uint32_t i = 0; i < count; ++i) {
    const ExprId place = w.build.Index(w.build.Var(array), w.build.Int(first + (reversed ? count - 1 - i : i)));
    ExprId value;
    if (style == 0) {
      value = ConstantFor(w, type.element);
    } else if (style == 1) {
      value = w.build.Var(local);
    } else {
      const uint32_t shift = std::min((style == 2 ? i : count - 1 - i) * element, bits - 1);
      value = w.build.Var(local);
      if (shift > 0) value = w.build.Binary(BinaryOp::Shr, value, w.build.Int(shift));
    }
    w.build.Append(w.scope.block, w.build.ExprStatement(w.build.Assign(place, value)));
  }
  if (!w.choices.Percent(50) || element >= 32) return;
  // And back: a word of the elements.
  const ExprId target = StorePlace(w);
  if (!target) return;
  ExprId sum;
  const TypeId wide = w.program.types.Basic(TypeKind::ULLong);
  for (uint32_t i = 0; i < std::min(count, 64 / element); ++i) {
    ExprId part = w.build.Index(w.build.Var(array), w.build.Int(first + (reversed ? count - 1 - i : i)));
    if (w.IntInfo(w.Kind(type.element)).is_signed) {
      const TypeKind unsigned_kind = element == 8 ? TypeKind::UChar : TypeKind::UShort;
      part = w.build.Cast(w.program.types.Basic(unsigned_kind), part);
    }
    part = w.build.Cast(wide, part);
    if (i > 0) part = w.build.Binary(BinaryOp::Shl, part, w.build.Int(i * element));
    sum = sum ? w.build.Binary(BinaryOp::BitOr, sum, part) : part;
  }
  w.build.Append(w.scope.block, w.build.ExprStatement(w.build.Assign(target, sum)));
}

void WriteRecursion(Writer& w) {
  if (w.knobs.recursion == 0 || !RoomFor(w, 120)) return;
  const uint32_t depth = 2 + w.choices.Below(6);
  const uint32_t most = static_cast<uint32_t>(w.knobs.recursion_depth);
  if (w.Live() && (w.machine->Depth() + depth + 4 > most || w.scope.loop_depth > 1)) return;
  if (w.program.function_order.size() > static_cast<size_t>(w.knobs.functions) * 2) return;
  const ExprId target = StorePlace(w);
  if (!target) return;
  const TypeId type = UnsignedType(w), count = w.program.types.Basic(w.choices.Coin() ? TypeKind::Int : TypeKind::UInt);
  const Helper f = NewHelper(w, type, {count, type});
  const auto n = [&] { return w.build.Var(f.params[0]); };
  const auto sum = [&] { return w.build.Var(f.params[1]); };
  static constexpr BinaryOp kOps[] = {BinaryOp::Add, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::Sub};
  const auto op = [&] { return kOps[w.choices.Below(4)]; };
  const auto constant = [&] { return LiteralOf(w, w.Kind(type), ConstantValue(w)); };
  const ExprId end = w.build.Binary(w.choices.Coin() ? BinaryOp::Eq : BinaryOp::Le, n(), w.build.Int(0));
  AppendIfReturn(w, f.id, f.body, end, w.choices.Percent(70) ? sum() : constant());
  const bool linear = w.choices.Percent(30);
  const auto mixed = [&](ExprId e, ExprId other) {
    const BinaryOp by = op();
    return w.build.Binary(by, e, other);
  };
  const ExprId first = linear ? sum() : mixed(sum(), constant());
  const ExprId next = mixed(first, n());
  const auto call = [&](ExprId value) {
    const std::array<ExprId, 2> arguments = {w.build.Binary(BinaryOp::Sub, n(), w.build.Int(1)), value};
    return w.build.Call(f.id, arguments);
  };
  if (!linear && w.choices.Percent(40)) {
    const ExprId odd = w.build.Binary(BinaryOp::BitAnd, n(), w.build.Int(1));
    AppendIfReturn(w, f.id, f.body, odd, call(mixed(sum(), constant())));
  }
  const ExprId inner = call(next);
  AppendReturn(w, f.body, linear ? mixed(inner, w.choices.Coin() ? n() : sum()) : inner);
  const std::array<ExprId, 2> arguments = {w.build.Int(depth), IntLeaf(w)};
  AppendExpr(w, w.build.Assign(target, w.build.Call(f.id, arguments)));
}

void WriteVerdict(Writer& w) {
  if (!RoomFor(w, 120)) return;
  const ExprId target = StorePlace(w);
  if (!target) return;
  if (w.program.function_order.size() > static_cast<size_t>(w.knobs.functions) * 2) return;
  const TypeId type = IntegerType(w);
  if (w.Kind(type) == TypeKind::Enum) return;
  const uint32_t count = 1 + w.choices.Below(3);
  const bool truth = w.choices.Percent(40);
  const TypeId result = truth ? w.program.types.Basic(w.choices.Coin() ? TypeKind::Int : TruthKind(w)) : type;
  const Helper f = NewHelper(w, result, std::vector<TypeId>(count, type));
  const auto param = [&] { return w.build.Var(f.params[w.choices.Below(count)]); };
  static constexpr BinaryOp kCompare[] = {BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le,
                                          BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne};
  const auto condition = [&]() -> ExprId {
    const ExprId lhs = param();
    const BinaryOp compare = kCompare[w.choices.Below(6)];
    switch (w.choices.Below(3)) {
      case 0: return w.build.Binary(compare, lhs, ConstantFor(w, type));
      case 1: return w.build.Binary(compare, lhs, param());
      default: return w.build.Binary(BinaryOp::BitAnd, lhs, w.build.Int(1 << w.choices.Below(7)));
    }
  };
  const auto verdict = [&]() -> ExprId {
    if (truth) return w.build.Int(w.choices.Below(2));
    return w.choices.Percent(60) ? ConstantFor(w, result) : param();
  };
  const uint32_t returns = 1 + w.choices.Below(5);
  for (uint32_t i = 0; i < returns; ++i) {
    ExprId test = condition();
    if (w.choices.Percent(25))
      test = w.choices.Coin() ? w.build.LogicalAnd(test, condition()) : w.build.LogicalOr(test, condition());
    AppendIfReturn(w, f.id, f.body, test, verdict());
  }
  AppendReturn(w, f.body, verdict());
  std::vector<ExprId> arguments;
  for (uint32_t i = 0; i < count; ++i) arguments.push_back(SmallValue(w));
  AppendExpr(w, w.build.Assign(target, w.build.Call(f.id, arguments)));
}

}  // namespace assay::gen
