// Lvalues: which object, and which part of it, an expression denotes.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;
using lang::ExprKind;

bool Machine::Impl::IsLvalueKind(ExprKind kind) {
  return kind == ExprKind::Variable || kind == ExprKind::Deref || kind == ExprKind::Index ||
         kind == ExprKind::Member || kind == ExprKind::String || kind == ExprKind::CompoundLiteral;
}

LValue Machine::Impl::EvalLvalue(ExprId id, bool for_address) {
  if (known_.size() > frame_.known_base) [[unlikely]] {
    if (const Known* known = FindKnown(id)) {
      if (known->is_lvalue) return known->lvalue;
      return FromRecordHandle(known->value, program_.exprs[id].type);
    }
  }
  Tick();
  const uint32_t index = counts_[id.index]++;
  const Expr e = program_.exprs[id];
  LvalueTrap trap;
  LValue lvalue = LvalueOf(id, e, for_address, trap);
  if (trap.kind != TrapKind::None) [[unlikely]] {
    return RetryLvalue(trap.kind, id, e, index, trap.Operands(), for_address);
  }
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
    default: break;
  }
  // A record that is no lvalue (the result of a call, for instance): its memory.
  CHECK_MSG(facts_[e.type].cls == TypeClass::Record, "expression {} is no lvalue", id.index);
  return FromRecordHandle(EvalNode(id, e, counts_[id.index] - 1), e.type);
}

LValue Machine::Impl::Whole(ObjectId object, uint32_t offset, lang::TypeId type) const {
  LValue lvalue;
  lvalue.object = object;
  lvalue.offset = lvalue.low = offset;
  lvalue.type = type;
  lvalue.high = offset + SizeOf(lvalue);
  return lvalue;
}

LValue Machine::Impl::FromRecordHandle(Value handle, lang::TypeId type) const {
  return Whole(static_cast<ObjectId>(handle >> 32), static_cast<uint32_t>(handle), type);
}

LValue Machine::Impl::VariableLvalue(lang::VarId var, lang::TypeId type) { return Whole(ObjectOf(var), 0, type); }

uint32_t Machine::Impl::SizeOf(const LValue& lvalue) const {
  const TypeFacts& type = facts_[lvalue.type];
  return type.kind == lang::TypeKind::Vla ? memory_[lvalue.object].size : type.size;
}

uint32_t Machine::Impl::ArrayBytes(const LValue& array) const { return SizeOf(array); }

LValue Machine::Impl::DerefLvalue(const Expr& e, bool for_address, LvalueTrap& trap) {
  const Value pointer = Eval(e.lhs);
  LValue lvalue;
  trap.kind = FromPointer(pointer, e.type, for_address, lvalue);
  trap.operands[0] = KnownValue(e.lhs, pointer);
  trap.count = 1;
  return lvalue;
}

LValue Machine::Impl::IndexLvalue(const Expr& e, bool for_address, LvalueTrap& trap) {
  const bool array = facts_[program_.exprs[e.lhs].type].cls == TypeClass::Array;
  const bool index_signed = facts_[program_.exprs[e.rhs].type].promoted.is_signed;
  const AccessLog::Mark start = log_.Here();
  LValue base;
  Value pointer = 0;
  if (array) {
    base = EvalLvalue(e.lhs);
  } else {
    pointer = Eval(e.lhs);
  }
  const AccessLog::Mark middle = log_.Here();
  const Value index = Eval(e.rhs);
  trap.operands[0] = array ? KnownLvalue(e.lhs, base) : KnownValue(e.lhs, pointer);
  trap.operands[1] = KnownValue(e.rhs, index);
  trap.count = 2;
  trap.kind = log_.Conflict(start, middle, depth_);
  if (trap.kind != TrapKind::None) return {};
  if (!array) {
    Value moved = 0;
    trap.kind = Advance(pointer, e.type, index, index_signed, false, moved);
    if (trap.kind == TrapKind::PointerArithmetic) trap.kind = TrapKind::OutOfBounds;
    LValue lvalue;
    if (trap.kind == TrapKind::None) trap.kind = FromPointer(moved, e.type, for_address, lvalue);
    return lvalue;
  }
  const uint32_t size = facts_[e.type].size;
  const uint32_t bytes = ArrayBytes(base);
  const uint64_t length = size == 0 ? 0 : bytes / size;
  if (index >= length && !(for_address && index == length)) {  // a negative index is a large one
    trap.kind = TrapKind::OutOfBounds;
    return {};
  }
  LValue element = base;
  element.low = base.offset;
  element.high = base.offset + bytes;
  element.offset = base.offset + static_cast<uint32_t>(index) * size;
  element.type = e.type;
  return element;
}

LValue Machine::Impl::MemberLvalue(const Expr& e, LvalueTrap& trap) {
  const LValue record = EvalLvalue(e.lhs);
  trap.operands[0] = KnownLvalue(e.lhs, record);
  trap.count = 1;
  LValue member = MemberOf(record, e.MemberIndex());
  member.type = e.type;
  return member;
}

LValue Machine::Impl::MemberOf(const LValue& record, uint32_t index) const {
  const TypeFacts& type = facts_[record.type];
  const MemberFacts& facts = facts_.Members(type.record)[index];
  const uint32_t size = facts_[facts.type].size;
  LValue member = record;
  member.type = facts.type;
  member.offset = record.offset + facts.offset;
  member.low = member.offset;
  member.high = member.offset + size;
  member.bit_width = facts.bit_width;
  member.bit_offset = facts.bit_offset;
  if (type.kind == lang::TypeKind::Union && member.unions < 2) {
    member.scopes[member.unions++] = {record.offset, record.offset + type.size, member.offset, member.offset + size};
  }
  return member;
}

}  // namespace assay::machine
