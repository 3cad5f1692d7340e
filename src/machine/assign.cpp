// Assignment, compound assignment, ++ and --.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;
using lang::ExprKind;

TrapKind Machine::Impl::Update(const LValue& to, ScalarType from, Value& value, AccessLog::Mark operands) {
  const TypeFacts& type = facts_[to.Type()];
  if (from.type_class == TypeClass::Float || type.cls == TypeClass::Float) [[unlikely]] {
    const ScalarResult converted = ConvertFloat(from, type.scalar, value);
    if (converted.trap != TrapKind::None) return converted.trap;
    value = converted.value;
    if (robust_ && type.cls == TypeClass::Float) {
      NoteConversion(from, type.scalar, value);
      if (!IsRobust(type.scalar, note_)) return TrapKind::FloatInexact;
    }
  } else {
    value = ConvertAny(from, type.scalar, value);
  }
  if (to.bit_width >= 0 && type.kind != lang::TypeKind::Bool) {
    value = Wrap(ScalarType::Integer(static_cast<uint8_t>(to.bit_width), type.scalar.is_signed), value);
  }
  if (log_.WroteSince(operands)) {
    uint32_t begin, end;
    BitRange(to, begin, end);
    if (log_.StoreConflicts(operands, memory_[to.object].serial, begin, end, depth_)) return TrapKind::Unsequenced;
    if ((type.part_quals & lang::kVolatile) && log_.VolatileConflicts(operands, depth_)) return TrapKind::Unsequenced;
  }
  if (type.quals & lang::kRestrict) {
    if (IsRestrictedHere(value)) return TrapKind::Restrict;
    value = Retag(value, type);
  }
  return Store(to, value);
}

// The kinds of right sides that can make an assignment to a variable overlap: parts of objects, and what hands on a
// value.
constexpr bool HandsOnAPart(ExprKind kind) {
  switch (kind) {
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::Comma:
    case ExprKind::Cast:
    case ExprKind::Conditional:
    case ExprKind::Guard: return true;
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::AddressOf:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::kCount: break;
  }
  return false;
}

// 6.5.16.1p3: a value read from an object that overlaps the one stored to must come from exactly the same place, by a
// compatible type. Also where an operator hands on the value (is it then still "read from another object"?), of a
// conditional even the arm that was not taken.
bool Machine::Impl::Overlaps(ExprId source, const LValue& to) const {
  const Expr& node = program_.exprs[source];
  switch (node.kind) {
    case ExprKind::Cast: return Overlaps(node.lhs, to);
    case ExprKind::Comma: return Overlaps(node.rhs, to);
    case ExprKind::Conditional: return Overlaps(node.rhs, to) || Overlaps(node.third, to);
    case ExprKind::Guard: return Overlaps(node.lhs, to) || Overlaps(node.rhs, to);
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::kCount: break;
  }
  LValue from;
  if (node.kind == ExprKind::Variable) {  // which LoadVariable may have read
    const ObjectId object = FindObject(node.Var());
    if (object != to.object) return false;
    from = Whole(object, 0, node.type);
  } else {
    if (last_load_expr_ != source || last_load_.object != to.object) return false;
    from = last_load_;
  }
  uint32_t from_begin, from_end, begin, end;
  BitRange(from, from_begin, from_end);
  BitRange(to, begin, end);
  if (from_begin >= end || begin >= from_end) return false;
  return from_begin != begin || from_end != end || !facts_.Compatible(from.Type(), to.Type());
}

// The common case, an unqualified integer variable, without building an lvalue. False if it is not that simple.
bool Machine::Impl::StoreVariable(lang::VarId var, lang::TypeId type_id, ScalarType from, Value& value,
                                  AccessLog::Mark operands) {
  const TypeFacts& type = facts_[type_id];
  if (type.cls != TypeClass::Integer || type.quals != 0 || !restricts_.empty() || options_.tracer != nullptr ||
      from.type_class == TypeClass::Float || from.type_class == TypeClass::Wide)
    return false;
  const ObjectId id = FindObject(var);
  if (id == kNoObject || log_.Full()) [[unlikely]]
    return false;
  const Object& object = memory_[id];
  if (log_.StoreConflicts(operands, object.serial, 0, type.size * 8, depth_)) return false;
  const Value converted = Convert(from, type.scalar, value);
  if (!memory_.StoreWhole(object.base, type.size, converted)) [[unlikely]]
    return false;
  value = converted;
  log_.Add(object.serial, 0, type.size * 8, depth_, true);
  return true;
}

Value Machine::Impl::EvalAssign(ExprId id, const Expr& e, uint32_t index) {
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  const Expr& target = program_.exprs[e.lhs];
  if (target.kind == ExprKind::Variable && !knows_) [[likely]] {
    const lang::VarId var = target.Var();
    const lang::TypeId type = target.type;
    Tick();
    ++counts_[e.lhs.index];
    const Value operand = Eval(e.rhs);
    Value value = operand;
    const ScalarType from = FactsOf(e.rhs).scalar;
    if (author_ != nullptr) ++completed_[e.lhs.index];
    const bool reordered = Reordered(epoch, id, e, index);
    const bool overlaps = HandsOnAPart(program_.exprs[e.rhs].kind) && Overlaps(e.rhs, VariableLvalue(var, type));
    if (!reordered && !overlaps && StoreVariable(var, type, from, value, start)) [[likely]]
      return value;
    const LValue to = VariableLvalue(var, type);
    const TrapKind trap = reordered  ? TrapKind::OrderDependent
                          : overlaps ? TrapKind::Overlap
                                     : Update(to, from, value, start);
    if (trap == TrapKind::None) return value;
    const Known known[] = {KnownLvalue(e.lhs, to), KnownValue(e.rhs, operand)};
    return Retry(trap, id, e, index, known);
  }
  const LValue to = EvalLvalue(e.lhs);
  const uint32_t serial = memory_[to.object].serial;
  const AccessLog::Mark middle = log_.Here();
  const Value operand = Eval(e.rhs);
  Value value = operand;
  TrapKind trap = log_.Conflict(start, middle, depth_);
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  if (trap == TrapKind::None && !memory_.Live(to.object, serial)) [[unlikely]]
    trap = TrapKind::DanglingPointer;
  if (trap == TrapKind::None && Overlaps(e.rhs, to)) trap = TrapKind::Overlap;
  if (trap == TrapKind::None) trap = Update(to, FactsOf(e.rhs).scalar, value, start);
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownLvalue(e.lhs, to), KnownValue(e.rhs, operand)};
    return Retry(trap, id, e, index, known);
  }
  return value;
}

// Whether the target of an operator that reads and updates, as `++` does, is an unqualified integer variable; which,
// then.
bool Machine::Impl::SimpleTarget(ExprId target, lang::VarId& var, lang::TypeId& type) const {
  const Expr& node = program_.exprs[target];
  if (node.kind != ExprKind::Variable || knows_) return false;
  const TypeFacts& facts = facts_[node.type];
  if (facts.cls != TypeClass::Integer || facts.quals != 0) return false;
  var = node.Var();
  type = node.type;
  return true;
}

Value Machine::Impl::EvalCompoundAssign(ExprId id, const Expr& e, uint32_t index) {
  const lang::TypeId rhs_type = program_.exprs[e.rhs].type;
  const ScalarType rhs_int = PromotedOf(e.rhs), lhs_int = PromotedOf(e.lhs);
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  Value before = 0, value = 0;
  lang::VarId var;
  lang::TypeId var_type;
  const bool simple = SimpleTarget(e.lhs, var, var_type);
  const LValue to = EvalLvalue(e.lhs);
  const uint32_t serial = memory_[to.object].serial;
  LogAccess(to, false);  // the read of the left side is unsequenced with the right side
  if ((facts_[to.Type()].part_quals & lang::kVolatile) && !probing_) log_.AddVolatile(depth_, false);
  const AccessLog::Mark middle = log_.Here();
  const Value operand = Eval(e.rhs);
  const FloatNote right_note = note_;
  TrapKind trap = log_.Conflict(start, middle, depth_);
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  if (trap == TrapKind::None && !memory_.Live(to.object, serial)) [[unlikely]]
    trap = TrapKind::DanglingPointer;
  if (trap == TrapKind::None && !(simple && LoadVariable(var, var_type, before))) trap = Load(to, before);
  left_note_ = note_;
  right_note_ = right_note;
  if (trap == TrapKind::None && robust_) trap = CheckDivisor(e);
  if (trap == TrapKind::None) trap = Combine(e.Binary(), to.Type(), lhs_int, before, rhs_type, rhs_int, operand, value);
  const ScalarType target = facts_[to.Type()].scalar;
  const bool number = target.type_class == TypeClass::Integer || target.type_class == TypeClass::Float ||
                      target.type_class == TypeClass::Wide;
  const ScalarType from = number ? ByRule(lang::Info(e.Binary()).result, lhs_int, rhs_int) : target;
  if (trap == TrapKind::None && !(simple && StoreVariable(var, var_type, from, value, start)))
    trap = Update(to, from, value, start);
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownLvalue(e.lhs, to), KnownNoted(e.rhs, operand, right_note)};
    return Retry(trap, id, e, index, known);
  }
  return value;
}

// x++ is x += 1 with the value before (6.5.2.4, 6.5.3.1).
Value Machine::Impl::EvalIncDec(ExprId id, const Expr& e, uint32_t index) {
  const lang::BinaryOp step = lang::Info(e.IncDec()).step;
  const bool prefix = lang::Info(e.IncDec()).prefix;
  const AccessLog::Mark start = log_.Here();
  Value before = 0, after = 0;
  lang::VarId var;
  lang::TypeId var_type;
  if (SimpleTarget(e.lhs, var, var_type) && LoadVariable(var, var_type, before)) [[likely]] {
    Tick();
    ++counts_[e.lhs.index];
    const ScalarType type = facts_[var_type].promoted;
    const ScalarResult result = Apply(step, type, before, 1);
    TrapKind trap = result.trap;
    after = result.value;
    if (trap == TrapKind::None && StoreVariable(var, var_type, type, after, start)) [[likely]]
      return prefix ? after : before;
    const LValue to = VariableLvalue(var, var_type);
    if (trap == TrapKind::None) trap = Update(to, type, after, start);
    if (trap == TrapKind::None) return prefix ? after : before;
    const Known known[] = {KnownLvalue(e.lhs, to)};
    return Retry(trap, id, e, index, known);
  }
  const ScalarType lhs_int = PromotedOf(e.lhs);
  const LValue to = EvalLvalue(e.lhs);
  TrapKind trap = Load(to, before);
  if (trap == TrapKind::None) {
    const lang::TypeId int_type = program_.types.Basic(lang::TypeKind::Int);
    left_note_ = note_;
    trap = Combine(step, to.Type(), lhs_int, before, int_type, facts_[int_type].scalar, 1, after);
  }
  const TypeFacts& target = facts_[to.Type()];
  const ScalarType from = target.cls == TypeClass::Integer ? lhs_int : target.scalar;
  if (trap == TrapKind::None) trap = Update(to, from, after, start);
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownLvalue(e.lhs, to)};
    return Retry(trap, id, e, index, known);
  }
  return prefix ? after : before;
}

}  // namespace assay::machine
