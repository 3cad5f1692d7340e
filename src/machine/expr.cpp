// Operators: from the values of the operands to the value of the expression.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::BinaryOp;
using lang::Expr;
using lang::ExprId;
using lang::ExprKind;

namespace {

constexpr auto kUnaryComputes =
    support::PackColumn(lang::kUnaryOps, [](const lang::UnaryOpInfo& row) { return row.computes; });
constexpr auto kBinaryComputes =
    support::PackColumn(lang::kBinaryOps, [](const lang::BinaryOpInfo& row) { return row.computes; });

// How a binary operator comes to its operands.
enum class Plan : uint8_t { InResultType, LeftInResultType, LookAtOperands };
constexpr auto kPlans = support::PackColumn(lang::kBinaryOps, [](const lang::BinaryOpInfo& row) {
  // The difference of two pointers is an integer.
  if (row.computes != row.result || row.operands == lang::OperandRule::Difference) return Plan::LookAtOperands;
  return row.computes == lang::TypeRule::Promoted ? Plan::LeftInResultType : Plan::InResultType;
});

}  // namespace

Value Machine::Impl::EvalAny(ExprId id) {
  if (!alone_) return EvalWatched(id);
  Tick();
  return EvalKind(id, program_.exprs[id], counts_[id.index]++);
}

Value Machine::Impl::EvalWatched(ExprId id) {
  if (knows_) [[unlikely]] {
    if (const Known* known = FindKnown(id)) {
      note_ = known->note;
      if (!known->is_lvalue) return known->value;
      Value value = 0;
      const LValue lvalue = known->lvalue;
      const TrapKind trap = Load(lvalue, value);
      if (trap != TrapKind::None) StopAt(trap, id);
      return value;
    }
  }
  Tick();
  const uint32_t index = counts_[id.index]++;
  const Expr e = program_.exprs[id];  // may be rewritten under way
  const uint32_t epoch = epoch_;
  const Value value = EvalKind(id, e, index);
  if (author_ != nullptr) {
    ++completed_[id.index];
    if (epoch != epoch_) [[unlikely]]
      CompletedBehind(id, e, index);
  }
  if (!observed_.empty() && !probing_) [[unlikely]] {
    observed_[id.index] = value;
    if (IsHandle(FactsOf(id).cls)) {
      const std::span<const Value> lanes = LanesOf(value, program_.exprs[id].type);
      observed_lanes_[id.index].assign(lanes.begin(), lanes.end());
    }
  }
  return value;
}

Value Machine::Impl::EvalNode(ExprId id, const Expr& e, uint32_t index) { return EvalKind(id, e, index); }

inline Value Machine::Impl::EvalKind(ExprId id, const Expr& e, uint32_t index) {
  switch (e.kind) {
    case ExprKind::Constant:
      if (robust_) NoteConversion({}, facts_[e.type].scalar, e.value);
      return e.value;
    case ExprKind::EnumConstant:
      return static_cast<Value>(
          static_cast<int64_t>(program_.types.GetEnum(lang::EnumId(e.ref)).values[static_cast<size_t>(e.value)]));
    case ExprKind::Function: return pointers_.OfFunction(e.Func());
    case ExprKind::Unary: return EvalUnary(id, e, index);
    case ExprKind::Binary: return EvalBinary(id, e, index);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: {
      const AccessLog::Mark mark = log_.Here();
      const bool left = Truth(e.lhs);
      log_.SequencePoint(mark);
      if (left == (e.kind == ExprKind::LogicalOr)) return left;
      return Truth(e.rhs);
    }
    case ExprKind::Conditional: return EvalConditional(e);
    case ExprKind::Comma: {
      const AccessLog::Mark mark = log_.Here();
      const ExprId outer = std::exchange(discarded_, e.lhs);
      Eval(e.lhs);
      discarded_ = outer;
      log_.SequencePoint(mark);
      return Eval(e.rhs);
    }
    case ExprKind::Assign: return EvalAssign(id, e, index);
    case ExprKind::CompoundAssign: return EvalCompoundAssign(id, e, index);
    case ExprKind::IncDec: return EvalIncDec(id, e, index);
    case ExprKind::Cast: return EvalCast(id, e, index);
    case ExprKind::AddressOf: return EvalAddressOf(id, e, index);
    case ExprKind::Deref:
      if (facts_[e.type].cls == TypeClass::Function) return Eval(e.lhs);  // a designator: decays again
      return EvalLvalueKind(id, e, index);
    case ExprKind::Index:
      if (facts_.HasVectors() && IsLaneOfValue(e)) [[unlikely]]
        return EvalLane(id, e, index);
      return EvalLvalueKind(id, e, index);
    case ExprKind::Variable:
    case ExprKind::String:
    case ExprKind::Member:
    case ExprKind::CompoundLiteral: return EvalLvalueKind(id, e, index);
    case ExprKind::SizeofType: return facts_[e.RefType()].size;
    case ExprKind::SizeofExpr: return facts_[program_.exprs[e.lhs].type].size;
    case ExprKind::Call: return EvalCall(id, e, index);
    case ExprKind::Builtin: return EvalBuiltin(id, e, index);
    case ExprKind::Guard: return EvalGuard(e);
    case ExprKind::kCount: break;
  }
  CHECK_MSG(false, "expression {} of unknown kind", id.index);
  return 0;
}

// The common case, an integer or pointer variable of the frame or of static storage that can be read, without building
// an lvalue. False if it is not that simple.
bool Machine::Impl::LoadVariable(lang::VarId var, lang::TypeId type_id, Value& value) {
  const TypeFacts& type = facts_[type_id];
  if ((type.quals & ~lang::kConst) != 0 || !restricts_.empty()) return false;
  if (type.cls != TypeClass::Integer) return type.cls == TypeClass::Pointer && LoadPointerVariable(var, type, value);
  const ObjectId id = FindObject(var);
  if (id == kNoObject || log_.Full()) [[unlikely]]
    return false;
  const Object& object = memory_[id];
  if (!memory_.LoadWhole(object.base, type.size, value)) [[unlikely]]
    return false;
  if (type.kind == lang::TypeKind::Bool && value > 1) return false;
  log_.Add(object.serial, 0, type.size * 8, depth_, false);
  value = Wrap(type.scalar, value);
  return true;
}

bool Machine::Impl::LoadPointerVariable(lang::VarId var, const TypeFacts& type, Value& value) {
  const Object& object = memory_[ObjectOf(var)];
  PointerHandle handle;
  if (memory_.LoadPointer(object.base, type.size, handle) != Readable::Yes || Dangles(handle)) return false;
  log_.Add(object.serial, 0, type.size * 8, depth_, false);
  value = handle;
  return true;
}

// What is read must not be written by a side effect of finding it, as in a[a[0]++]: that one need not be complete
// (6.5p2). Nor may a volatile object be found by a volatile write.
TrapKind Machine::Impl::CheckFound(const LValue& lvalue, AccessLog::Mark start) const {
  if (facts_[lvalue.Type()].cls == TypeClass::Array) return TrapKind::None;  // is not read
  uint32_t begin, end;
  BitRange(lvalue, begin, end);
  const bool written = log_.StoreConflicts(start, memory_[lvalue.object].serial, begin, end, depth_);
  const bool reordered =
      (facts_[lvalue.Type()].part_quals & lang::kVolatile) != 0 && log_.VolatileConflicts(start, depth_);
  return written || reordered ? TrapKind::Unsequenced : TrapKind::None;
}

Value Machine::Impl::EvalLvalueKind(ExprId id, const Expr& e, uint32_t index) {
  LvalueTrap trap;
  const AccessLog::Mark start = log_.Here();
  const LValue lvalue = LvalueOf(id, e, false, trap);
  Value value = 0;
  if (trap.kind == TrapKind::None && log_.WroteSince(start)) [[unlikely]]
    trap.kind = CheckFound(lvalue, start);
  if (trap.kind == TrapKind::None) trap.kind = Load(lvalue, value);
  if (trap.kind == TrapKind::DanglingPointer && id == freed_) trap.kind = TrapKind::None;  // free will judge it
  if (trap.kind != TrapKind::None) [[unlikely]] {
    return Retry(trap.kind, id, e, index, OperandsOf(e, trap));
  }
  last_load_expr_ = id;
  last_load_ = lvalue;
  return value;
}

ScalarType Machine::Impl::PromotedOf(ExprId operand) const {
  const Expr& e = program_.exprs[operand];
  if (e.kind == ExprKind::Member) {
    const int width = lang::BitWidthOf(program_, operand);
    if (width >= 0) {
      const lang::DataModel& model = program_.Model();
      const lang::IntegerInfo info = lang::IntegerInfoOf(lang::Promote(facts_[e.type].kind, model, width), model);
      return ScalarType::Integer(info.bits, info.is_signed);
    }
  }
  return facts_[e.type].promoted;
}

// On promoted types the wider one wins; of two equally wide ones, the unsigned one (6.3.1.8).
ScalarType Machine::Impl::Common(ScalarType a, ScalarType b) {
  if (a.type_class != b.type_class) [[unlikely]]
    return a.type_class == TypeClass::Integer ? b : a;  // of an integer and a floating or wide type
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.is_signed ? b : a;
}

ScalarType Machine::Impl::ByRule(lang::TypeRule rule, ScalarType lhs, ScalarType rhs) const {
  switch (rule) {
    case lang::TypeRule::Operand:
    case lang::TypeRule::Promoted: return lhs;
    case lang::TypeRule::Common: return Common(lhs, rhs);
    case lang::TypeRule::Int: return facts_[program_.types.Basic(lang::TypeKind::Int)].scalar;
    case lang::TypeRule::ULLong: return facts_[program_.types.Basic(lang::TypeKind::ULLong)].scalar;
    case lang::TypeRule::PromotedUnsigned: return ScalarType::Integer(lhs.bits, false);
    case lang::TypeRule::PromotedSigned: return ScalarType::Integer(lhs.bits, true);
    case lang::TypeRule::UInt16: return ScalarType::Integer(16, false);
    case lang::TypeRule::UInt32: return ScalarType::Integer(32, false);
    case lang::TypeRule::UInt64: return ScalarType::Integer(64, false);
  }
  CHECK(false);
  return {};
}

Value Machine::Impl::EvalUnary(ExprId id, const Expr& e, uint32_t index) {
  const Value operand = Eval(e.lhs);
  const lang::TypeRule rule = kUnaryComputes[e.op];
  ScalarType type = facts_[e.type].scalar;  // what it is promoted to, if it is
  Value converted = operand;
  if (rule != lang::TypeRule::Promoted) {
    const ScalarType own = FactsOf(e.lhs).scalar;
    const bool promotes = rule == lang::TypeRule::PromotedUnsigned || rule == lang::TypeRule::PromotedSigned;
    const ScalarType operand_type = promotes ? PromotedOf(e.lhs) : own;
    type = ByRule(rule, operand_type, operand_type);
    converted = ConvertAny(own, type, operand);
  }
  ScalarResult result;
  if (type.type_class == TypeClass::Vector) [[unlikely]] {
    result.trap = ApplyToVector(e.Unary(), facts_[e.type], operand, result.value);
  } else if (type.type_class == TypeClass::Wide) [[unlikely]] {
    result.trap = ApplyToWide(e.Unary(), type, operand, result.value);
  } else {
    result = Apply(e.Unary(), type, converted);
  }
  if (result.trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownValue(e.lhs, operand)};
    return Retry(result.trap, id, e, index, known);
  }
  return result.value;
}

Value Machine::Impl::EvalBinary(ExprId id, const Expr& e, uint32_t index) {
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  const Value a = Eval(e.lhs);
  const FloatNote left_note = note_;
  const AccessLog::Mark middle = log_.Here();
  const Value b = Eval(e.rhs);
  const FloatNote right_note = note_;
  left_note_ = left_note;
  right_note_ = right_note;
  TrapKind trap = log_.Conflict(start, middle, depth_);
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  Value result = 0;
  if (trap == TrapKind::None && robust_) [[unlikely]]
    trap = CheckDivisor(e);
  if (trap == TrapKind::None) trap = Operate(e, a, b, result);
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownNoted(e.lhs, a, left_note), KnownNoted(e.rhs, b, right_note)};
    return Retry(trap, id, e, index, known);
  }
  return result;
}

// Most operators compute in their result type, so that the operands' types matter only for the others and where one may
// be a pointer.
TrapKind Machine::Impl::Operate(const Expr& e, Value a, Value b, Value& out) {
  const BinaryOp op = e.Binary();
  const Plan plan = kPlans[e.op];
  const TypeFacts& own = facts_[e.type];
  if (plan != Plan::LookAtOperands && own.scalar.type_class == TypeClass::Integer) [[likely]] {
    const ScalarType type = own.scalar;
    if (plan == Plan::LeftInResultType && FactsOf(e.rhs).cls == TypeClass::Wide) [[unlikely]]
      return CombineWide(op, type, a, FactsOf(e.rhs).scalar, b, out);
    const ScalarResult result =
        plan == Plan::LeftInResultType ? Apply(op, type, a, b) : Apply(op, type, Wrap(type, a), Wrap(type, b));
    out = result.value;
    return result.trap;
  }
  const Expr& lhs = program_.exprs[e.lhs];
  const Expr& rhs = program_.exprs[e.rhs];
  const TypeFacts& left = facts_[lhs.type];
  const TypeFacts& right = facts_[rhs.type];
  if (left.cls != TypeClass::Integer || right.cls != TypeClass::Integer) [[unlikely]] {
    return Combine(op, lhs.type, PromotedOf(e.lhs), a, rhs.type, PromotedOf(e.rhs), b, out);
  }
  return Compute(op, lhs.kind == ExprKind::Member ? PromotedOf(e.lhs) : left.promoted, a,
                 rhs.kind == ExprKind::Member ? PromotedOf(e.rhs) : right.promoted, b, out);
}

inline TrapKind Machine::Impl::Compute(BinaryOp op, ScalarType lhs, Value a, ScalarType rhs, Value b,
                                       Value& out) const {
  const lang::TypeRule rule = kBinaryComputes[static_cast<size_t>(op)];
  const ScalarType type = rule == lang::TypeRule::Common ? Common(lhs, rhs) : ByRule(rule, lhs, rhs);
  // From integers to integers, none of them _Bool.
  const ScalarResult result =
      rule == lang::TypeRule::Promoted ? Apply(op, type, a, b) : Apply(op, type, Wrap(type, a), Wrap(type, b));
  out = result.value;
  return result.trap;
}

TrapKind Machine::Impl::Combine(BinaryOp op, lang::TypeId lhs_type, ScalarType lhs, Value a, lang::TypeId rhs_type,
                                ScalarType rhs, Value b, Value& out) {
  const TypeFacts& left = facts_[lhs_type];
  const TypeFacts& right = facts_[rhs_type];
  if (left.cls == TypeClass::Integer && right.cls == TypeClass::Integer) [[likely]] {
    return Compute(op, lhs, a, rhs, b, out);
  }
  if (left.cls == TypeClass::Vector || right.cls == TypeClass::Vector) {
    return CombineVectors(op, lhs_type, a, rhs_type, b, out);
  }
  if (left.cls == TypeClass::Wide || right.cls == TypeClass::Wide) return CombineWide(op, lhs, a, rhs, b, out);
  if (left.cls == TypeClass::Float || right.cls == TypeClass::Float) return ComputeFloat(op, lhs, a, rhs, b, out);
  const bool left_pointer = left.cls != TypeClass::Integer, right_pointer = right.cls != TypeClass::Integer;
  switch (lang::Info(op).operands) {
    case lang::OperandRule::Relation:
    case lang::OperandRule::Equality: return ComparePointers(op, a, b, out);
    case lang::OperandRule::Sum:
    case lang::OperandRule::Difference:
      // Arrays and pointers both have their element as `element`.
      if (left_pointer && right_pointer) return SubtractPointers(left.element, a, b, out);
      if (left_pointer) {
        const bool subtract = lang::Info(op).operands == lang::OperandRule::Difference;
        return Advance(a, left.element, b, rhs.is_signed, subtract, out);
      }
      return Advance(b, right.element, a, lhs.is_signed, false, out);
    case lang::OperandRule::Integer:
    case lang::OperandRule::Arithmetic:
    case lang::OperandRule::Scalar: break;
  }
  CHECK_MSG(false, "{} of pointers", lang::Info(op).spelling);
  return TrapKind::None;
}

Value Machine::Impl::EvalConditional(const Expr& e) {
  const AccessLog::Mark mark = log_.Here();
  const bool chosen = Truth(e.lhs);
  log_.SequencePoint(mark);
  const ExprId arm = chosen ? e.rhs : e.third;
  const Value value = Eval(arm);
  return Converted(FactsOf(arm).scalar, facts_[e.type].scalar, value);
}

Value Machine::Impl::EvalCast(ExprId id, const Expr& e, uint32_t index) {
  const TypeFacts to = facts_[e.type];
  const lang::TypeId from_type = program_.exprs[e.lhs].type;
  const ExprId outer = discarded_;
  if (to.cls == TypeClass::Void) discarded_ = e.lhs;
  const Value value = Eval(e.lhs);
  discarded_ = outer;
  if (to.cls == TypeClass::Void) return 0;
  const TypeFacts& from = facts_[from_type];
  if (from.cls == TypeClass::Integer && to.cls == TypeClass::Integer) [[likely]]
    return Convert(from.scalar, to.scalar, value);
  Value result = 0;
  TrapKind trap = TrapKind::None;
  if (to.cls == TypeClass::Vector) {
    trap = CastVector(from, to, value, result);
  } else if (from.cls == TypeClass::Float || to.cls == TypeClass::Float || from.cls == TypeClass::Wide ||
             to.cls == TypeClass::Wide) {
    const bool wide = from.cls == TypeClass::Wide || to.cls == TypeClass::Wide;
    const ScalarResult converted =
        wide ? ConvertWide(from.scalar, to.scalar, value) : ConvertFloat(from.scalar, to.scalar, value);
    result = converted.value;
    trap = converted.trap;
    if (robust_ && trap == TrapKind::None && to.cls == TypeClass::Float) {
      NoteConversion(from.scalar, to.scalar, result);
      if (!IsRobust(to.scalar, note_)) trap = TrapKind::FloatInexact;
    }
  } else if (to.kind == lang::TypeKind::Bool) {
    result = value != 0;
  } else if (to.cls == TypeClass::Integer || (from.cls == TypeClass::Integer && value != 0)) {
    trap = TrapKind::InvalidRepresentation;  // addresses are not observed and not made up
  } else if (from.cls != TypeClass::Integer) {
    trap = CastPointer(value, from_type, e.type, result);
  }
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownValue(e.lhs, value)};
    return Retry(trap, id, e, index, known);
  }
  return result;
}

Value Machine::Impl::EvalAddressOf(ExprId id, const Expr& e, uint32_t index) {
  if (facts_[program_.exprs[e.lhs].type].cls == TypeClass::Function) return Eval(e.lhs);
  (void)id;
  (void)index;
  return PointerTo(EvalLvalue(e.lhs, true));
}

// (counter++ < value ? lhs : rhs), or (third = lhs, counter++ < value ? third : rhs). The counter's update is complete
// before an arm is evaluated.
Value Machine::Impl::EvalGuard(const Expr& e) {
  const AccessLog::Mark mark = log_.Here();
  Value first = 0;
  const TypeFacts type = facts_[e.type];
  if (e.detail == 1) {
    first = Eval(e.lhs);
    if (type.cls != TypeClass::Void) {
      const LValue temporary = EvalLvalue(e.third);
      first = Converted(FactsOf(e.lhs).scalar, facts_[temporary.Type()].scalar, first);
      const TrapKind trap = Store(temporary, first);
      if (trap != TrapKind::None) StopAt(trap, e.third);
      Load(temporary, first);
    }
  }
  const LValue counter = VariableLvalue(e.Var(), program_.vars[e.Var()].type);
  Value count = 0;
  TrapKind trap = Load(counter, count);
  const ScalarType counted = facts_[counter.Type()].scalar;
  if (trap == TrapKind::None) trap = Store(counter, Wrap(counted, count + 1));
  if (trap != TrapKind::None) StopAt(trap, {});
  log_.SequencePoint(mark);
  const bool first_arm = count < e.value;
  if (e.detail == 1 && first_arm) {
    const ScalarType held = type.cls == TypeClass::Void ? type.scalar : FactsOf(e.third).scalar;
    return Converted(held, type.scalar, first);
  }
  const ExprId arm = first_arm ? e.lhs : e.rhs;
  const Value value = Eval(arm);
  return Converted(FactsOf(arm).scalar, type.scalar, value);
}

}  // namespace assay::machine
