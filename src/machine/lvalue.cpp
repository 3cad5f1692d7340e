// Lvalues: which object, and which part of it, an expression denotes.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;
using lang::ExprKind;

LValue Machine::Impl::EvalLvalue(ExprId id, bool for_address) {
  if (knows_) [[unlikely]] {
    if (const Known* known = FindKnown(id)) {
      if (known->is_lvalue) return known->lvalue;
      return FromRecordHandle(known->value, program_.exprs[id].type);
    }
  }
  Tick();
  const uint32_t index = counts_[id.index]++;
  const Expr e = program_.exprs[id];
  if (e.kind == ExprKind::Variable) return VariableLvalue(e.Var(), e.type);
  LvalueTrap trap;
  LValue lvalue = LvalueOf(id, e, for_address, trap);
  if (trap.kind != TrapKind::None) [[unlikely]] {
    lvalue = RetryLvalue(trap.kind, id, e, index, OperandsOf(e, trap), for_address);
  }
  if (author_ != nullptr) ++completed_[id.index];
  return lvalue;
}

LValue Machine::Impl::LvalueOf(ExprId id, const Expr& e, bool for_address, LvalueTrap& trap) {
  switch (e.kind) {
    case ExprKind::Variable: return VariableLvalue(e.Var(), e.type);
    case ExprKind::String: return Whole(StringObject(id, e), 0, e.type);
    case ExprKind::CompoundLiteral: return Whole(LiteralObject(e.Var()), 0, e.type);
    case ExprKind::Deref: return DerefLvalue(e, for_address, trap);
    case ExprKind::Index: return IndexLvalue(e, for_address, trap);
    case ExprKind::Member: return MemberLvalue(e, trap);
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: break;
  }
  // A record that is no lvalue (the result of a call, for instance): its memory.
  CHECK_MSG(facts_[e.type].cls == TypeClass::Record, "expression {} is no lvalue", id.index);
  return FromRecordHandle(EvalNode(id, e, counts_[id.index] - 1), e.type);
}

LValue Machine::Impl::Whole(ObjectId object, uint32_t offset, lang::TypeId type) const {
  const TypeFacts& facts = facts_[type];
  const uint32_t size = facts.kind == lang::TypeKind::Vla ? memory_[object].size : facts.size;
  return LValue::At(object, offset, offset, offset + size, type);
}

LValue Machine::Impl::FromRecordHandle(Value handle, lang::TypeId type) const {
  return Whole(static_cast<ObjectId>(handle >> 32), static_cast<uint32_t>(handle), type);
}

LValue Machine::Impl::VariableLvalue(lang::VarId var, lang::TypeId type) { return Whole(ObjectOf(var), 0, type); }

Machine::Impl::OperandList Machine::Impl::OperandsOf(const Expr& e, const LvalueTrap& trap) {
  OperandList list;
  if (e.kind != ExprKind::Deref && e.kind != ExprKind::Index && e.kind != ExprKind::Member) return list;
  list.known[0] = trap.base_is_lvalue ? KnownLvalue(e.lhs, trap.base) : KnownNoted(e.lhs, trap.values[0], {});
  list.count = 1;
  if (e.kind == ExprKind::Index) list.known[list.count++] = KnownNoted(e.rhs, trap.values[1], {});
  return list;
}

LValue Machine::Impl::DerefLvalue(const Expr& e, bool for_address, LvalueTrap& trap) {
  trap.base_is_lvalue = false;
  trap.values[0] = Eval(e.lhs);
  LValue lvalue;
  trap.kind = FromPointer(trap.values[0], e.type, for_address, lvalue);
  return lvalue;
}

LValue Machine::Impl::IndexLvalue(const Expr& e, bool for_address, LvalueTrap& trap) {
  // A lane of an lvalue is found as an element is; others: EvalLane.
  const TypeClass base_class = facts_[program_.exprs[e.lhs].type].cls;
  const bool array = base_class == TypeClass::Array || base_class == TypeClass::Vector;
  const bool index_signed = facts_[program_.exprs[e.rhs].type].promoted.is_signed;
  const AccessLog::Mark start = log_.Here();
  trap.base_is_lvalue = array;
  if (array) {
    trap.base = EvalLvalue(e.lhs);
  } else {
    trap.values[0] = Eval(e.lhs);
  }
  const AccessLog::Mark middle = log_.Here();
  const Value index = Eval(e.rhs);
  trap.values[1] = index;
  trap.kind = log_.Conflict(start, middle, depth_);
  if (trap.kind != TrapKind::None) return {};
  if (!array) {
    Value moved = 0;
    trap.kind = Advance(trap.values[0], e.type, index, index_signed, false, moved);
    if (trap.kind == TrapKind::PointerArithmetic) trap.kind = TrapKind::OutOfBounds;
    LValue lvalue;
    if (trap.kind == TrapKind::None) trap.kind = FromPointer(moved, e.type, for_address, lvalue);
    return lvalue;
  }
  const uint32_t size = facts_[e.type].size;
  const LValue& base = trap.base;
  const uint32_t bytes = SizeOf(base);
  const uint64_t length = size == 0 ? 0 : bytes / size;
  if (index >= length && !(for_address && index == length)) {  // a negative index is a large one
    trap.kind = TrapKind::OutOfBounds;
    return {};
  }
  LValue element = base;
  element.low = base.offset;
  element.high = base.offset + bytes;
  element.offset = base.offset + static_cast<uint32_t>(index) * size;
  element.type_index = e.type.index;
  return element;
}

LValue Machine::Impl::MemberLvalue(const Expr& e, LvalueTrap& trap) {
  trap.base_is_lvalue = true;
  trap.base = EvalLvalue(e.lhs);
  if (trap.base.unions == LValue::kMostUnions && facts_[trap.base.Type()].kind == lang::TypeKind::Union) [[unlikely]] {
    trap.kind = TrapKind::InvalidRepresentation;  // deeper than what is unspecified can be followed
  }
  LValue member = MemberOf(trap.base, e.MemberIndex());
  member.type_index = e.type.index;
  return member;
}

LValue Machine::Impl::MemberOf(const LValue& record, uint32_t index) const {
  const TypeFacts& type = facts_[record.Type()];
  const MemberFacts& facts = facts_.Members(type.record)[index];
  const uint32_t size = facts_[facts.type].size;
  LValue member = record;
  member.type_index = facts.type.index;
  member.offset = record.offset + facts.offset;
  member.low = member.offset;
  member.high = member.offset + size;
  member.bit_width = facts.bit_width;
  member.bit_offset = facts.bit_offset;
  if (type.kind == lang::TypeKind::Union && member.unions < LValue::kMostUnions) {
    const uint32_t bytes =
        facts.bit_width < 0 ? size : (facts.bit_offset + static_cast<uint32_t>(facts.bit_width) + 7) / 8;
    member.scopes[member.unions++] = {record.offset, record.offset + type.size, member.offset, member.offset + bytes,
                                      index,         facts.type.index};
  }
  return member;
}

}  // namespace assay::machine
