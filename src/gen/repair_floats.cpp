#include <cmath>

#include "gen/call.hpp"
#include "gen/expr.hpp"
#include "gen/float_rewrites.hpp"
#include "gen/floats.hpp"
#include "gen/repair_tools.hpp"
#include "gen/types.hpp"
#include "lang/constraints.hpp"

namespace assay::gen {
namespace {

using lang::Expr;
using machine::Trap;
using machine::TrapKind;

const Expr& NodeIn(const Writer& w, const RepairPlace& place) { return w.program.exprs[place.trap.expr]; }
bool IsA(const Writer& w, const RepairPlace& place, ExprKind kind) { return NodeIn(w, place).kind == kind; }
bool IsUpdate(const Writer& w, const RepairPlace& place) {
  return IsA(w, place, ExprKind::CompoundAssign) || IsA(w, place, ExprKind::IncDec);
}

// A constant of the type that is as harmless as a number can be.
ExprId Harmless(Writer& w, TypeId type) {
  const TypeKind kind = w.Kind(type);
  return lang::IsFloat(kind) ? FloatLiteral(w, kind, static_cast<double>(w.choices.Between(0, 9)))
                             : ConstantFor(w, type);
}

// `value` after the side effects of `dropped`.
ExprId After(Writer& w, ExprId dropped, ExprId value) {
  return IsPure(w.program, dropped) ? value : w.build.Comma(dropped, value);
}

// A number as C has it. Of an integer of 64 bits only about.
double NumberOf(Writer& w, TypeKind kind, machine::Value value) {
  if (lang::IsFloat(kind)) return lang::FloatValue(kind, value);
  return w.IntInfo(kind).is_signed ? static_cast<double>(static_cast<int64_t>(value)) : static_cast<double>(value);
}

// Whether a floating kind holds the number, an integer of any size; for every order of evaluation also what is not
// larger.
bool Holds(Writer& w, TypeKind kind, TypeKind from, machine::Value value) {
  if (lang::IsFloat(from)) return true;  // to the wider one
  const bool negative = w.IntInfo(from).is_signed && static_cast<int64_t>(value) < 0;
  uint64_t magnitude = negative ? 0 - value : value;
  const bool robust = w.program.floats == lang::FloatMode::Robust;
  while (!robust && magnitude != 0 && (magnitude & 1) == 0) magnitude >>= 1;
  return magnitude >> lang::FormatOf(kind).precision == 0;
}

// A call of a function of <math.h>.
bool IsMath(const Writer& w, const RepairPlace& place) {
  return IsA(w, place, ExprKind::Builtin) && lang::IsMath(NodeIn(w, place).GetBuiltin());
}

struct FloatOperation {
  TypeKind left, right, kind;  // of the operands, and the one it computes in
  machine::Value a = 0, b = 0;
};

std::optional<FloatOperation> FloatOperationOf(Writer& w, const Trap& trap) {
  const Expr e = w.program.exprs[trap.expr];
  FloatOperation operation;
  operation.left = lang::PromotedKind(w.program, e.lhs);
  operation.right = lang::PromotedKind(w.program, e.rhs);
  operation.kind = lang::CommonArithmetic(operation.left, operation.right, w.program.Model());
  operation.a = trap.operands[0].value;
  if (trap.operands[0].is_lvalue) {
    const std::optional<machine::Value> value = w.Probe(e.lhs);
    if (!value) return std::nullopt;
    operation.a = *value;
  }
  operation.b = trap.operands.back().value;
  return operation;
}

// An integer that every floating kind holds.
ExprId MaskedInteger(Writer& w, ExprId integer) {
  const int bits = std::min<int>(w.IntInfo(TypeKind::Int).bits - 1, 20);
  const int64_t mask = (int64_t{1} << w.choices.Between(4, bits)) - 1;
  return w.build.Binary(BinaryOp::BitAnd, integer, w.build.Int(mask));
}

// --- the first execution

bool MayMaskOperands(Writer& w, const RepairPlace& place) {
  if (!place.First() || !IsA(w, place, ExprKind::Binary)) return false;
  const std::optional<FloatOperation> o = FloatOperationOf(w, place.trap);
  return o && (!Holds(w, o->kind, o->left, o->a) || !Holds(w, o->kind, o->right, o->b));
}
bool MaskOperands(Writer& w, const RepairPlace& place) {
  const FloatOperation o = *FloatOperationOf(w, place.trap);
  Expr e = NodeIn(w, place);
  if (!Holds(w, o.kind, o.left, o.a)) e.lhs = MaskedInteger(w, e.lhs);
  if (!Holds(w, o.kind, o.right, o.b)) e.rhs = MaskedInteger(w, e.rhs);
  w.program.exprs[place.trap.expr] = e;
  return true;
}

bool MayRewrite(Writer& w, const RepairPlace& place) {
  return place.First() && IsA(w, place, ExprKind::Binary) && !lang::IsComparison(NodeIn(w, place).Binary()) &&
         !MayMaskOperands(w, place);
}
bool RewriteFloatOperation(Writer& w, const RepairPlace& place) {
  const std::optional<FloatOperation> o = FloatOperationOf(w, place.trap);
  if (!o) return false;
  const FloatRewrite rewrite =
      RewriteFloat(w.program.floats, o->kind, NumberOf(w, o->left, o->a), NumberOf(w, o->right, o->b), w.choices);
  Expr e = NodeIn(w, place);
  e.op = static_cast<uint8_t>(rewrite.op);
  if (!rewrite.keeps_right) e.rhs = After(w, e.rhs, FloatLiteral(w, o->kind, rewrite.constant));
  w.program.exprs[place.trap.expr] = e;
  return true;
}

// x op= e: the operation is x * 1 or one that is exact; an integer x gets a constant instead.
bool RewriteUpdate(Writer& w, const RepairPlace& place) {
  Expr e = NodeIn(w, place);
  const TypeId type = w.program.types.Unqualified(e.type);
  const TypeKind kind = w.Kind(type);
  const ExprId dropped = e.kind == ExprKind::CompoundAssign ? e.rhs : ExprId{};
  if (!lang::IsFloat(kind)) {
    e.kind = ExprKind::Assign;
    e.rhs = dropped ? After(w, dropped, ConstantFor(w, type)) : ConstantFor(w, type);
    w.program.exprs[place.trap.expr] = e;
    return true;
  }
  const std::optional<machine::Value> now = w.Probe(e.lhs);
  const double value = now ? lang::FloatValue(kind, *now) : 0;
  FloatRewrite rewrite{BinaryOp::Mul, false, 1};
  if (now) {
    for (int tries = 0; tries < 3 && w.program.floats != lang::FloatMode::Robust; ++tries) {
      const double constant = static_cast<double>(w.choices.Between(1, 6)) / 2;
      const BinaryOp op = w.choices.Coin() ? BinaryOp::Add : BinaryOp::Sub;
      if (IsExactFloat(op, kind, value, constant)) rewrite = {op, false, constant};
    }
  }
  e.kind = ExprKind::CompoundAssign;
  e.op = static_cast<uint8_t>(rewrite.op);
  const ExprId constant = FloatLiteral(w, kind, rewrite.constant);
  e.rhs = dropped ? After(w, dropped, constant) : constant;
  w.program.exprs[place.trap.expr] = e;
  return true;
}

// The call with another argument, in a list of its own: outer executions under way keep theirs.
void SetArgument(Writer& w, Expr& e, uint32_t at, ExprId argument) {
  std::vector<ExprId>& args = w.program.args;
  const auto first = static_cast<uint32_t>(args.size());
  for (uint32_t i = 0; i < e.args.count; ++i) {
    const ExprId copied = i == at ? argument : args[e.args.first + i];
    args.push_back(copied);
  }
  e.args.first = first;
}

// The argument whose sign is asked for; one of the two zeros of fmin and fmax.
uint32_t SignArgument(const Expr& e) { return e.args.count - 1; }

// A function that asks for a sign gets a constant that has one.
bool GiveSign(Writer& w, const RepairPlace& place) {
  Expr e = NodeIn(w, place);
  const uint32_t at = SignArgument(e);
  const ExprId argument = w.program.Arg(e, at);
  const TypeKind kind = lang::IsFloat(w.Kind(e.type)) ? w.Kind(e.type) : w.Kind(argument);
  const double value = static_cast<double>(w.choices.Between(1, 9)) * (w.choices.Coin() ? 0.5 : -0.5);
  SetArgument(w, e, at, After(w, argument, FloatLiteral(w, kind, value)));
  w.program.exprs[place.trap.expr] = e;
  return true;
}

// Another function of the argument, which always gives a value of the type; or other arguments: x * 1 + 0, the larger
// one of x and 3. In every order of evaluation, of nothing but constants.
bool RewriteMath(Writer& w, const RepairPlace& place) {
  Expr e = NodeIn(w, place);
  const bool robust = w.program.floats == lang::FloatMode::Robust;
  const auto replace = [&](uint32_t i, double value) {
    SetArgument(w, e, i, After(w, w.program.Arg(e, i), FloatLiteral(w, w.Kind(e.type), value)));
  };
  if (lang::Info(e.GetBuiltin()).operands == lang::BuiltinOperands::Scaled) {
    SetArgument(w, e, 1, After(w, w.program.Arg(e, 1), w.build.Int(0)));
  } else if (e.args.count == 1) {
    static constexpr lang::Builtin kAlways[] = {lang::Builtin::Fabs, lang::Builtin::Floor, lang::Builtin::Ceil};
    e.op = static_cast<uint8_t>(kAlways[robust ? 0 : w.choices.Below(std::size(kAlways))]);
  } else {
    const bool fma = e.args.count == 3;
    if (robust && fma) replace(0, static_cast<double>(w.choices.Between(1, 9)));
    replace(1, fma ? 1 : 3);
    if (fma) replace(2, 0);
  }
  w.program.exprs[place.trap.expr] = e;
  return true;
}

bool IsIntegerCast(Writer& w, const RepairPlace& place) {  // (double)i
  return IsA(w, place, ExprKind::Cast) && lang::IsInteger(w.Kind(NodeIn(w, place).lhs));
}
bool IsNarrowing(Writer& w, const RepairPlace& place) {  // (float)d
  return IsA(w, place, ExprKind::Cast) && lang::IsFloat(w.Kind(NodeIn(w, place).lhs)) &&
         lang::IsFloat(w.Kind(NodeIn(w, place).type));
}
bool IsTruncation(Writer& w, const RepairPlace& place) {  // (int)d
  return IsA(w, place, ExprKind::Cast) && lang::IsFloat(w.Kind(NodeIn(w, place).lhs)) &&
         lang::IsInteger(w.Kind(NodeIn(w, place).type));
}

// --- later executions

// May be copied to places that are evaluated in some executions only, whose nodes would count others: it never traps.
bool IsSafeCopy(const Writer& w, ExprId operand) {
  const Expr& e = w.program.exprs[operand];
  if (e.kind != ExprKind::Variable) return e.kind == ExprKind::Constant;
  const lang::Variable& variable = w.program.vars[e.Var()];
  const bool lives = variable.IsStatic() || variable.storage == lang::Storage::Param;
  return lives && (w.program.types[variable.type].quals & lang::kVolatile) == 0;
}

// t = operand, for a new temporary t; the operand becomes t.
ExprId IntoTemporary(Writer& w, const Trap& trap, ExprId* operand) {
  const VarId var = w.build.Temporary(trap.function, lang::OperandType(w.program, *operand));
  const ExprId store = w.build.Assign(w.build.Var(var), *operand);
  *operand = w.build.Var(var);
  return store;
}

// Whether x, which may be copied, is in the range of the integer type: exactly where the conversion is defined.
ExprId RangeCheck(Writer& w, TypeKind integer, ExprId x) {
  const TypeKind kind = w.Kind(x);
  const lang::IntegerInfo info = w.IntInfo(integer);
  const int bits = info.bits - (info.is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, bits), low = info.is_signed ? -end : 0;
  // x > MIN - 1; if the kind does not have that number, it has none between it and MIN.
  const bool open = bits < lang::FormatOf(kind).precision;
  const ExprId above = open ? w.build.Binary(BinaryOp::Gt, w.build.CopyTree(x), FloatLiteral(w, kind, low - 1))
                            : w.build.Binary(BinaryOp::Ge, w.build.CopyTree(x), FloatLiteral(w, kind, low));
  // In every order of evaluation no number is so large; and a constant must not be either.
  if (w.program.floats == lang::FloatMode::Robust && bits >= lang::FormatOf(kind).precision) return above;
  return w.build.LogicalAnd(above, w.build.Binary(BinaryOp::Lt, w.build.CopyTree(x), FloatLiteral(w, kind, end)));
}

bool CheckRange(Writer& w, const RepairPlace& place) {
  Expr e = NodeIn(w, place);
  ExprId before;
  if (!IsSafeCopy(w, e.lhs)) before = IntoTemporary(w, place.trap, &e.lhs);
  const ExprId check = RangeCheck(w, w.Kind(e.type), e.lhs);
  const ExprId converted = w.program.exprs.Add(e);
  w.Moved(place.trap.expr, converted);
  ExprId value = w.build.Conditional(check, converted, ConstantFor(w, e.type));
  if (w.program.exprs[value].type != e.type) value = w.build.Cast(e.type, value);
  Become(w, place.trap.expr, before ? w.build.Comma(before, value) : value, true);
  return true;
}

bool CheckDivisor(Writer& w, const RepairPlace& place) {
  const Expr e = NodeIn(w, place);
  const ExprId divided = MoveNode(w, place.trap.expr);
  const ExprId check = w.build.CopyTree(e.rhs);
  Become(w, place.trap.expr, w.build.Conditional(check, divided, Harmless(w, e.type)), true);
  return true;
}

// x ? copysign(y, x) : 3 and the like: exactly where the argument has a sign.
bool CheckSign(Writer& w, const RepairPlace& place) {
  const Expr e = NodeIn(w, place);
  const ExprId check = w.build.CopyTree(w.program.Arg(e, SignArgument(e)));
  const ExprId called = MoveNode(w, place.trap.expr);
  Become(w, place.trap.expr, w.build.Conditional(check, called, Harmless(w, e.type)), true);
  return true;
}

// Where the counter has run out: an operand, if it may stand there, or a constant.
ExprId Instead(Writer& w, const Expr& e) {
  const TypeKind kind = w.Kind(e.type);
  if (!lang::IsFloat(kind)) return ConstantFor(w, e.type);
  const bool operand = e.kind == ExprKind::Binary && IsSafeCopy(w, e.lhs) && lang::IsFloat(w.Kind(e.lhs)) &&
                       lang::ConvertsExactly(w.Kind(e.lhs), kind, w.program.Model());
  return operand && w.choices.Percent(60) ? w.build.CopyTree(e.lhs) : Harmless(w, e.type);
}

bool MayCount(Writer& w, const RepairPlace& place) {
  return !place.First() && !place.trap.reentered && !place.trap.lvalue && OperandsPure(w, place.trap);
}
bool CountOperation(Writer& w, const RepairPlace& place) {
  const Trap& trap = place.trap;
  const Expr e = NodeIn(w, place);
  if (lang::IsInteger(w.Kind(e.type)) &&
      lang::StandardKind(w.Kind(e.type), w.program.Model()) != lang::Promote(w.Kind(e.type), w.program.Model()))
    return GuardWhole(w, trap);  // (short)x: the value of the guard is an int
  const ExprId otherwise = Instead(w, e);
  const ExprId moved = AsOperand(w, MoveNode(w, trap.expr));
  Become(w, trap.expr, w.build.Guard(moved, otherwise, NewCounter(w, trap.prior_executions), trap.prior_executions),
         true);
  return true;
}

// t1 = a, t2 = b, counter ? t1 op t2 : t1
bool HoistAndCount(Writer& w, const RepairPlace& place) {
  const Trap& trap = place.trap;
  Expr e = NodeIn(w, place);
  std::vector<ExprId> before;
  if (e.kind == ExprKind::Builtin) {
    for (uint32_t i = 0; i < e.args.count; ++i) {
      ExprId argument = w.program.Arg(e, i);
      before.push_back(IntoTemporary(w, trap, &argument));
      SetArgument(w, e, i, argument);
    }
  } else {
    before.push_back(IntoTemporary(w, trap, &e.lhs));
    // A divisor that is a constant must stay one in the mode `robust`.
    const bool constant = e.kind == ExprKind::Binary && w.program.exprs[e.rhs].kind == ExprKind::Constant;
    if (e.kind == ExprKind::Binary && !constant) before.push_back(IntoTemporary(w, trap, &e.rhs));
  }
  const ExprId operation = w.program.exprs.Add(e);
  w.Moved(trap.expr, operation);
  const ExprId otherwise = Harmless(w, e.type);
  // It steps after the operands: outer executions that are still at theirs have not come to it.
  const uint64_t executions = trap.completed_executions;
  ExprId tree = w.build.Guard(operation, otherwise, NewCounter(w, executions), executions);
  if (w.program.exprs[tree].type != e.type) tree = w.build.Cast(e.type, tree);
  for (size_t i = before.size(); i-- > 0;) tree = w.build.Comma(before[i], tree);
  Become(w, trap.expr, tree, true);
  return true;
}

// x = (T)(x op e): what traps there is repaired on its own.
bool SplitUpdate(Writer& w, const RepairPlace& place) {
  const Expr e = NodeIn(w, place);
  const TypeId type = w.program.types.Unqualified(e.type);
  ExprId operation = w.build.Binary(e.Binary(), w.build.CopyTree(e.lhs), e.rhs);
  w.Moved(place.trap.expr, operation);
  if (w.program.exprs[operation].type != type) {
    const ExprId converted = w.build.Cast(type, operation);
    w.Moved(place.trap.expr, converted);
    operation = converted;
  }
  Become(w, place.trap.expr, w.build.Assign(e.lhs, operation), false);
  return true;
}

constexpr RepairRow kFloatRewrites[] = {
    {"small integers", 1, MayMaskOperands, MaskOperands},
    {"another floating operation", 1, MayRewrite, RewriteFloatOperation},
    {"an argument with a sign", 1,
     [](Writer& w, const RepairPlace& place) {
       return place.First() && IsMath(w, place) && place.trap.kind == TrapKind::FloatSign;
     },
     GiveSign},
    {"another function", 1,
     [](Writer& w, const RepairPlace& place) {
       return place.First() && IsMath(w, place) && place.trap.kind == TrapKind::FloatInexact;
     },
     RewriteMath},
    {"another update", 1, [](Writer& w, const RepairPlace& place) { return place.First() && IsUpdate(w, place); },
     RewriteUpdate},
    {"a small integer converted", 1,
     [](Writer& w, const RepairPlace& place) { return place.First() && IsIntegerCast(w, place); },
     [](Writer& w, const RepairPlace& place) {
       const ExprId masked = MaskedInteger(w, NodeIn(w, place).lhs);
       w.program.exprs[place.trap.expr].lhs = masked;
       return true;
     }},
    {"a constant converted", 1,
     [](Writer& w, const RepairPlace& place) {
       return place.First() &&
              (IsNarrowing(w, place) || (IsTruncation(w, place) && MayFold(w.program, NodeIn(w, place).lhs)));
     },
     [](Writer& w, const RepairPlace& place) {
       const ExprId operand = NodeIn(w, place).lhs;
       const ExprId constant = Harmless(w, w.program.types.Unqualified(w.program.exprs[operand].type));
       const ExprId value = After(w, operand, constant);
       w.program.exprs[place.trap.expr].lhs = value;
       return true;
     }},
    {"a range check from the start", 1,
     [](Writer& w, const RepairPlace& place) {
       return place.First() && IsTruncation(w, place) && !MayFold(w.program, NodeIn(w, place).lhs);
     },
     CheckRange},
};

constexpr RepairRow kFloatRepairs[] = {
    {"range check", 90, [](Writer& w, const RepairPlace& place) { return IsTruncation(w, place); }, CheckRange},
    {"divisor check", 60,
     [](Writer& w, const RepairPlace& place) {
       return place.trap.kind == TrapKind::DivisionByZero && IsA(w, place, ExprKind::Binary) &&
              OperandsPure(w, place.trap) && MayCopy(w, NodeIn(w, place).rhs);
     },
     CheckDivisor},
    {"sign check", 60,
     [](Writer& w, const RepairPlace& place) {
       if (place.trap.kind != TrapKind::FloatSign || w.program.floats == lang::FloatMode::Ieee || !IsMath(w, place)) {
         return false;
       }
       const Expr& e = NodeIn(w, place);
       const ExprId argument = w.program.Arg(e, SignArgument(e));
       const bool asks = e.GetBuiltin() == lang::Builtin::CopySign || e.GetBuiltin() == lang::Builtin::SignBit;
       return asks && OperandsPure(w, place.trap) && MayCopy(w, argument);
     },
     CheckSign},
    {"counter around the operation", 20,
     [](Writer& w, const RepairPlace& place) {
       return MayCount(w, place) &&
              (IsA(w, place, ExprKind::Binary) || IsA(w, place, ExprKind::Cast) || IsMath(w, place));
     },
     CountOperation},
    {"counter after its operands", 20,
     [](Writer& w, const RepairPlace& place) {
       return !place.First() && !place.trap.reentered && !OperandsPure(w, place.trap) &&
              (IsA(w, place, ExprKind::Binary) || IsA(w, place, ExprKind::Cast) || IsMath(w, place));
     },
     HoistAndCount},
    {"x = (T)(x op e)", 20,
     [](Writer& w, const RepairPlace& place) {
       return IsA(w, place, ExprKind::CompoundAssign) && MayCopy(w, NodeIn(w, place).lhs);
     },
     SplitUpdate},
    {"counter around the update", 20,
     [](Writer& w, const RepairPlace& place) {
       const bool split = IsA(w, place, ExprKind::CompoundAssign) && MayCopy(w, NodeIn(w, place).lhs);
       return MayCount(w, place) && IsUpdate(w, place) && !split;
     },
     [](Writer& w, const RepairPlace& place) { return GuardWhole(w, place.trap); }},
};

}  // namespace

std::span<const RepairRow> FloatRewrites() { return kFloatRewrites; }
std::span<const RepairRow> FloatRepairs() { return kFloatRepairs; }

bool IsFloatOperation(const Writer& w, const Trap& trap) {
  const Expr& e = w.program.exprs[trap.expr];
  if (e.kind != ExprKind::Binary && e.kind != ExprKind::CompoundAssign) return false;
  return lang::IsFloat(w.Kind(e.lhs)) || lang::IsFloat(w.Kind(e.rhs));
}

bool RepairFloat(Writer& w, const Trap& trap) {
  const RepairPlace place{trap};
  return place.First() ? RepairFrom(w, kFloatRewrites, place) : RepairFrom(w, kFloatRepairs, place);
}

}  // namespace assay::gen
