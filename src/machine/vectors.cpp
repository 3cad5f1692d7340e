// Vectors of GNU C (GCC manual 6.52): a value is a handle of its lanes (machine/wide.hpp), an operator a loop over
// them. A lane is computed in its own type: there are no promotions.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;

LValue Machine::Impl::LaneOf(const LValue& vector, uint32_t lane) const {
  const TypeFacts& type = facts_[vector.Type()];
  const uint32_t size = facts_[type.element].size;
  LValue at = vector;
  at.type_index = type.element.index;
  at.offset = vector.offset + lane * size;
  return at;
}

TrapKind Machine::Impl::LoadVector(const LValue& from, Value& out) {
  const uint32_t count = facts_[from.Type()].length;
  Lanes lanes;
  for (uint32_t i = 0; i < count; ++i) {
    const TrapKind trap = LoadScalar(LaneOf(from, i), lanes[i]);
    if (trap != TrapKind::None) return trap;
  }
  out = wide_.Make(std::span(lanes.data(), count));
  return TrapKind::None;
}

TrapKind Machine::Impl::StoreVector(const LValue& to, Value value) {
  const uint32_t count = facts_[to.Type()].length;
  const std::span<const Value> lanes = wide_.Words(value, count);
  for (uint32_t i = 0; i < count; ++i) {
    const TrapKind trap = StoreScalar(LaneOf(to, i), lanes[i]);
    if (trap != TrapKind::None) return trap;
  }
  return TrapKind::None;
}

TrapKind Machine::Impl::CombineVectors(lang::BinaryOp op, lang::TypeId lhs_type, Value a, lang::TypeId rhs_type,
                                       Value b, Value& out) {
  const bool left = facts_[lhs_type].cls == TypeClass::Vector, right = facts_[rhs_type].cls == TypeClass::Vector;
  const TypeFacts& vector = facts_[left ? lhs_type : rhs_type];
  const ScalarType type = facts_[vector.element].scalar;
  Lanes lanes;
  for (uint32_t i = 0; i < vector.length; ++i) {
    const Value x = left ? wide_.Words(a, vector.length)[i] : a;
    const Value y = right ? wide_.Words(b, vector.length)[i] : b;
    const ScalarResult result = Apply(op, type, x, y);
    if (result.trap != TrapKind::None) return result.trap;
    lanes[i] = lang::IsComparison(op) ? 0 - result.value : result.value;  // true is all bits
  }
  out = wide_.Make(std::span(lanes.data(), vector.length));
  return TrapKind::None;
}

TrapKind Machine::Impl::ApplyToVector(lang::UnaryOp op, const TypeFacts& vector, Value operand, Value& out) {
  Lanes lanes;
  for (uint32_t i = 0; i < vector.length; ++i) {
    const ScalarResult result = Apply(op, facts_[vector.element].scalar, wide_.Words(operand, vector.length)[i]);
    if (result.trap != TrapKind::None) return result.trap;
    lanes[i] = result.value;
  }
  out = wide_.Make(std::span(lanes.data(), vector.length));
  return TrapKind::None;
}

// A cast takes the bytes as they lie in memory. What nobody may see of a floating lane has no bytes.
TrapKind Machine::Impl::CastVector(const TypeFacts& from, const TypeFacts& to, Value value, Value& out) {
  const TypeFacts& source = facts_[from.element];
  const TypeFacts& target = facts_[to.element];
  out = value;
  if (source.scalar == target.scalar) return TrapKind::None;  // nothing changes
  const bool big_endian = program_.Model().Properties().big_endian;
  const auto shift = [&](uint32_t byte, uint32_t size) { return 8 * (big_endian ? size - 1 - byte : byte); };
  std::array<uint8_t, lang::kMostVectorBytes> bytes;
  for (uint32_t i = 0; i < from.length; ++i) {
    const Value lane = wide_.Words(value, from.length)[i];
    if (source.cls == TypeClass::Float && HiddenIn(source.scalar, lane) != Memory::Hidden::Nothing) {
      return TrapKind::InvalidRepresentation;
    }
    for (uint32_t k = 0; k < source.size; ++k) {
      bytes[i * source.size + k] = static_cast<uint8_t>(lane >> shift(k, source.size));
    }
  }
  Lanes lanes;
  for (uint32_t i = 0; i < to.length; ++i) {
    Value lane = 0;
    for (uint32_t k = 0; k < target.size; ++k) {
      lane |= static_cast<Value>(bytes[i * target.size + k]) << shift(k, target.size);
    }
    if (target.cls == TypeClass::Float && !IsAllowed(target.scalar, lane)) return TrapKind::InvalidRepresentation;
    lanes[i] = target.cls == TypeClass::Float ? lane : Wrap(target.scalar, lane);
  }
  out = wide_.Make(std::span(lanes.data(), to.length));
  return TrapKind::None;
}

// __builtin_convertvector: each lane as by a cast.
TrapKind Machine::Impl::ConvertLanes(const TypeFacts& from, const TypeFacts& to, Value value, Value& out) {
  const ScalarType source = facts_[from.element].scalar, target = facts_[to.element].scalar;
  const bool integers = source.type_class == TypeClass::Integer && target.type_class == TypeClass::Integer;
  Lanes lanes;
  for (uint32_t i = 0; i < to.length; ++i) {
    const Value lane = wide_.Words(value, from.length)[i];
    const ScalarResult converted =
        integers ? ScalarResult{Convert(source, target, lane)} : ConvertFloat(source, target, lane);
    if (converted.trap != TrapKind::None) return converted.trap;
    lanes[i] = converted.value;
  }
  out = wide_.Make(std::span(lanes.data(), to.length));
  return TrapKind::None;
}

// Lanes of both vectors, numbered through: by a mask, of which only the low bits count, or by constants.
Value Machine::Impl::ShuffleLanes(const Expr& e, const Value* values) {
  const TypeFacts& from = FactsOf(program_.Arg(e, 0));
  const TypeFacts& to = facts_[e.type];
  const bool constants = lang::EndsInConstants(e.GetBuiltin());
  Lanes lanes;
  for (uint32_t i = 0; i < to.length; ++i) {
    const Value index = constants ? program_.exprs[program_.Arg(e, 2 + i)].value : wide_.Words(values[2], to.length)[i];
    const Value lane = index % (2 * from.length);
    lanes[i] = wide_.Words(values[lane / from.length], from.length)[lane % from.length];
  }
  return wide_.Make(std::span(lanes.data(), to.length));
}

// A lane of a vector that has no place: of a call, a sum.
Value Machine::Impl::EvalLane(ExprId id, const Expr& e, uint32_t index) {
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  const uint32_t length = FactsOf(e.lhs).length;
  const Value vector = Eval(e.lhs);
  const AccessLog::Mark middle = log_.Here();
  const Value lane = Eval(e.rhs);
  TrapKind trap = log_.Conflict(start, middle, depth_);
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  if (trap == TrapKind::None && lane >= length) trap = TrapKind::OutOfBounds;  // a negative one is a large one
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownValue(e.lhs, vector), KnownValue(e.rhs, lane)};
    return Retry(trap, id, e, index, known);
  }
  return wide_.Words(vector, length)[static_cast<size_t>(lane)];
}

}  // namespace assay::machine
