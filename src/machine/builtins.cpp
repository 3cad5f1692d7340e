// Library functions and builtins: the heap, memory functions on whole objects, variable arguments.
#include "lang/builtin_families.hpp"
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Builtin;
using lang::Expr;
using lang::ExprId;

Value Machine::Impl::EvalBuiltin(ExprId id, const Expr& e, uint32_t index) {
  const Builtin builtin = e.GetBuiltin();
  if (lang::TakesLvalue(builtin)) return EvalVaBuiltin(id, e, index);
  if (lang::IsEitherWay(builtin)) return EvalEitherWay(id, e, index);
  if (lang::IsMath(builtin)) return EvalMath(id, e, index);
  const AccessLog::Mark start = log_.Here();
  Value values[lang::kMostBuiltinArguments] = {};
  Known known[lang::kMostBuiltinArguments];
  TrapKind trap = TrapKind::None;
  ScalarType first_type;
  const uint32_t count = lang::EndsInConstants(builtin) ? lang::Info(builtin).arguments - 1 : e.args.count;
  for (uint32_t i = 0; i < count; ++i) {
    const AccessLog::Mark middle = log_.Here();
    const ExprId argument = program_.Arg(e, i);
    if (i == 0) first_type = facts_[program_.exprs[argument].type].promoted;
    if (builtin == Builtin::Free) freed_ = argument;
    values[i] = Eval(argument);
    freed_ = {};
    known[i] = KnownValue(argument, values[i]);
    if (trap == TrapKind::None) trap = log_.Conflict(start, middle, depth_);
  }
  log_.SequencePoint(start);
  Value result = 0;
  if (trap == TrapKind::None) {
    const lang::TypeId type = e.RefType();
    switch (builtin) {
      case Builtin::Malloc: trap = Allocate(type, values[0], first_type, false, result); break;
      case Builtin::Calloc: trap = Allocate(type, values[0], first_type, true, result); break;
      case Builtin::Free: trap = FreeObject(values[0]); break;
      case Builtin::Memcpy:
      case Builtin::Memmove:
        trap = CopyBytes(builtin, type, values[0], values[1]);
        result = values[0];
        break;
      case Builtin::Memset:
        trap = SetBytes(type, values[0], values[1]);
        result = values[0];
        break;
      case Builtin::Memcmp: trap = CompareBytes(type, values[0], values[1], result); break;
      case ASSAY_CHECKED_BUILTINS: trap = Checked(e, values, result); break;
      case Builtin::Expect:
      case Builtin::ExpectProbability:
        result = Convert(FactsOf(program_.Arg(e, 0)).scalar, facts_[e.type].scalar, values[0]);
        break;
      case Builtin::AssumeAligned: result = values[0]; break;  // every pointer to a T has the alignment of T
      case Builtin::Unreachable:
      case Builtin::Trap: trap = TrapKind::Unreachable; break;
      case ASSAY_ATOMIC_BUILTINS: trap = Atomic(e, values, result); break;
      case ASSAY_STRING_BUILTINS: trap = OfStrings(e, values, result); break;
      case Builtin::ConvertVector:
        trap = ConvertLanes(FactsOf(program_.Arg(e, 0)), facts_[e.type], values[0], result);
        break;
      case Builtin::Shuffle:
      case Builtin::ShuffleVector: result = ShuffleLanes(e, values); break;
      case ASSAY_ARGUMENT_LIST_BUILTINS:
      case Builtin::ConstantP:
      case Builtin::ObjectSize:
      case ASSAY_FLOATING_BUILTINS:
      case ASSAY_CLASSIFYING_BUILTINS:
      case Builtin::kCount: CHECK(false);
    }
  }
  if (trap != TrapKind::None) [[unlikely]] {
    return Retry(trap, id, e, index, std::span<const Known>(known, count));
  }
  return result;
}

TrapKind Machine::Impl::Allocate(lang::TypeId type, Value count, ScalarType count_type, bool zero, Value& out) {
  const uint32_t size = facts_[type].size;
  const bool negative = count_type.is_signed && static_cast<int64_t>(count) < 0;
  if (negative || count == 0 || count > options_.memory_bytes / 4 / size) return TrapKind::OutOfBounds;
  const uint32_t bytes = static_cast<uint32_t>(count) * size;
  const ObjectId object = MakeObject(type, {}, bytes, kObjectHeap, false);
  if (zero) {
    // All bits zero; for pointers, that need not be the null pointer.
    const uint32_t base = memory_[object].base;
    memory_.Fill(base, bytes, 0);
    if (facts_[type].cls == TypeClass::Record || facts_[type].cls == TypeClass::Array) {
      for (uint32_t i = 0; i < bytes; i += size)
        memory_.Shape(base + i, facts_.ValueBits(type), facts_.FieldBytes(type));
    }
  }
  out = PointerTo(LValue::At(object, 0, 0, bytes, type));
  return TrapKind::None;
}

TrapKind Machine::Impl::FreeObject(Value pointer) {
  if (pointer == 0) return TrapKind::None;
  const Pointer p = pointers_[static_cast<PointerHandle>(pointer)];
  if (p.object == kNoObject) return TrapKind::InvalidFree;
  const Object& object = memory_[p.object];
  if (object.flags & kObjectFreed) return TrapKind::DoubleFree;
  if (object.serial != p.serial) return TrapKind::DanglingPointer;
  if (!(object.flags & kObjectHeap) || p.offset != 0) return TrapKind::InvalidFree;
  log_.Add(object.serial, 0, object.size * 8, depth_, true);
  memory_.Free(p.object);
  return TrapKind::None;
}

TrapKind Machine::Impl::CopyBytes(Builtin builtin, lang::TypeId type, Value to_pointer, Value from_pointer) {
  LValue to, from;
  TrapKind trap = FromPointer(to_pointer, type, false, to);
  if (trap == TrapKind::None) trap = FromPointer(from_pointer, type, false, from);
  if (trap == TrapKind::None) trap = CheckStore(to);
  if (trap == TrapKind::None) trap = CheckVolatile(to);
  if (trap == TrapKind::None) trap = CheckVolatile(from);
  if (trap == TrapKind::None && !restricts_.empty()) trap = CheckRestrict(from, false);
  if (trap == TrapKind::None && !restricts_.empty()) trap = CheckRestrict(to, true);
  if (trap != TrapKind::None) return trap;
  const uint32_t bytes = facts_[type].size;
  const uint32_t target = memory_[to.object].base + to.offset, source = memory_[from.object].base + from.offset;
  if (builtin == Builtin::Memcpy && target < source + bytes && source < target + bytes) return TrapKind::Overlap;
  if (!memory_.AnyInitialized(source, bytes)) return TrapKind::UninitializedRead;
  LogAccess(from, false);
  LogAccess(to, true);
  memory_.Copy(target, source, bytes);
  if (robust_) notes_.Copy(target, source, bytes);
  if (!facts_[type].solid)
    memory_.Shape(target, facts_.ValueBits(type), {});  // padding may come from a union and be known there
  return TrapKind::None;
}

TrapKind Machine::Impl::SetBytes(lang::TypeId type, Value pointer, Value byte) {
  LValue to;
  TrapKind trap = FromPointer(pointer, type, false, to);
  if (trap == TrapKind::None) trap = CheckStore(to);
  if (trap == TrapKind::None) trap = CheckVolatile(to);
  if (trap == TrapKind::None && !restricts_.empty()) trap = CheckRestrict(to, true);
  if (trap != TrapKind::None) return trap;
  LogAccess(to, true);
  const uint32_t address = memory_[to.object].base + to.offset;
  memory_.Fill(address, facts_[type].size, static_cast<uint8_t>(byte));
  if (robust_) notes_.Forget(address, facts_[type].size);
  memory_.Shape(address, facts_.ValueBits(type), facts_.FieldBytes(type));
  return TrapKind::None;
}

TrapKind Machine::Impl::CompareBytes(lang::TypeId type, Value a, Value b, Value& out) {
  LValue left, right;
  TrapKind trap = FromPointer(a, type, false, left);
  if (trap == TrapKind::None) trap = FromPointer(b, type, false, right);
  if (trap == TrapKind::None) trap = CheckVolatile(left);
  if (trap == TrapKind::None) trap = CheckVolatile(right);
  if (trap == TrapKind::None && !restricts_.empty()) trap = CheckRestrict(left, false);
  if (trap == TrapKind::None && !restricts_.empty()) trap = CheckRestrict(right, false);
  if (trap != TrapKind::None) return trap;
  LogAccess(left, false);
  LogAccess(right, false);
  const std::vector<uint8_t>& bits = facts_.ValueBits(type);
  const uint32_t x = memory_[left.object].base + left.offset, y = memory_[right.object].base + right.offset;
  int order = 0;
  for (uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != 0xff) return TrapKind::PaddingObserved;
    if (memory_.Fragment(x + i) || memory_.Fragment(y + i)) return TrapKind::InvalidRepresentation;
    if (memory_.InitializedBits(x + i) != 0xff || memory_.InitializedBits(y + i) != 0xff) {
      return TrapKind::UninitializedRead;
    }
    if (order == 0) order = memory_.Byte(x + i) - memory_.Byte(y + i);
  }
  out = static_cast<Value>(static_cast<int64_t>(order < 0 ? -1 : order > 0 ? 1 : 0));
  return TrapKind::None;
}

// The operation on the integers that the operands are, whatever their types; then the result's type takes what fits
// (GCC manual 6.60).
TrapKind Machine::Impl::Checked(const Expr& e, const Value* values, Value& out) {
  using Wide = __int128;
  const auto exact = [&](uint32_t i) {
    const bool is_signed = FactsOf(program_.Arg(e, i)).scalar.is_signed;
    return is_signed ? static_cast<Wide>(static_cast<int64_t>(values[i])) : static_cast<Wide>(values[i]);
  };
  const Wide a = exact(0), b = exact(1);
  Wide whole = 0;
  bool stores = true, beyond = false;  // not even 128 bits hold the product of two large unsigned numbers
  switch (e.GetBuiltin()) {
    case Builtin::AddOverflowP: stores = false; [[fallthrough]];
    case Builtin::AddOverflow: whole = a + b; break;
    case Builtin::SubOverflowP: stores = false; [[fallthrough]];
    case Builtin::SubOverflow: whole = a - b; break;
    case Builtin::MulOverflowP: stores = false; [[fallthrough]];
    case Builtin::MulOverflow: beyond = __builtin_mul_overflow(a, b, &whole); break;
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_ARGUMENT_LIST_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_ATOMIC_BUILTINS:
    case ASSAY_STRING_BUILTINS:
    case ASSAY_FLOATING_BUILTINS:
    case ASSAY_CLASSIFYING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
    case Builtin::kCount: CHECK(false);
  }
  const lang::TypeId third = program_.exprs[program_.Arg(e, 2)].type;
  const lang::TypeId type = stores ? facts_[third].element : third;
  const ScalarType wanted = facts_[type].scalar;
  const Value kept = Wrap(wanted, static_cast<Value>(static_cast<unsigned __int128>(whole)));
  const Wide back = wanted.is_signed ? static_cast<Wide>(static_cast<int64_t>(kept)) : static_cast<Wide>(kept);
  out = beyond || back != whole;
  if (!stores) return TrapKind::None;
  LValue to;
  const TrapKind trap = FromPointer(values[2], type, false, to);
  return trap == TrapKind::None ? Store(to, kept) : trap;
}

// Which of the values it is depends on how much the compiler knows: both are computed here, and have to agree. They
// have no side effects (lang/constraints).
Value Machine::Impl::EvalEitherWay(ExprId id, const Expr& e, uint32_t index) {
  const AccessLog::Mark start = log_.Here();
  Value values[2];
  Known known[2];
  const ScalarType type = facts_[e.type].scalar;
  for (uint32_t i = 0; i < 2; ++i) {
    const ExprId argument = program_.Arg(e, i + 1);
    const Value value = Eval(argument);
    log_.SequencePoint(start);
    values[i] = Convert(FactsOf(argument).scalar, type, value);
    known[i] = KnownValue(argument, value);
  }
  if (values[0] == values[1]) return values[0];
  return Retry(TrapKind::EitherWay, id, e, index, known);
}

Value Machine::Impl::EvalVaBuiltin(ExprId id, const Expr& e, uint32_t index) {
  const ExprId argument = program_.Arg(e, 0);
  const LValue list = EvalLvalue(argument);
  Value result = 0;
  TrapKind trap = TrapKind::None;
  LogAccess(list, true);
  switch (e.GetBuiltin()) {
    case Builtin::VaStart: trap = VaStart(list); break;
    case Builtin::VaEnd: trap = VaEnd(list); break;
    case Builtin::VaArg: trap = VaArg(list, e.RefType(), result); break;
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_CHECKED_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_ATOMIC_BUILTINS:
    case ASSAY_STRING_BUILTINS:
    case ASSAY_FLOATING_BUILTINS:
    case ASSAY_CLASSIFYING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
    case Builtin::kCount: CHECK_MSG(false, "{} takes values", lang::Info(e.GetBuiltin()).spelling);
  }
  if (trap != TrapKind::None) [[unlikely]] {
    const Known known[] = {KnownLvalue(argument, list)};
    return Retry(trap, id, e, index, known);
  }
  return result;
}

TrapKind Machine::Impl::VaStart(const LValue& list) {
  const lang::TypeId type = program_.functions[frame_.function].type;
  if (!program_.types.GetSignature(program_.types[type].signature).variadic) return TrapKind::VaArgs;
  const uint32_t serial = memory_[list.object].serial;
  for (const VaState& state : va_lists_) {
    if (state.serial == serial) return TrapKind::VaArgs;  // started twice
  }
  va_lists_.push_back({serial, frame_.first_serial, 0});
  return TrapKind::None;
}

TrapKind Machine::Impl::VaEnd(const LValue& list) {
  const uint32_t serial = memory_[list.object].serial;
  for (size_t i = 0; i < va_lists_.size(); ++i) {
    if (va_lists_[i].serial != serial || va_lists_[i].frame_serial != frame_.first_serial) continue;
    va_lists_.erase(va_lists_.begin() + static_cast<std::ptrdiff_t>(i));
    return TrapKind::None;
  }
  return TrapKind::VaArgs;
}

// The type must be the promoted type of the argument; a signed and an unsigned type of the same rank are
// interchangeable if both can represent the value (7.16.1.1p2).
TrapKind Machine::Impl::VaArg(const LValue& list, lang::TypeId type_id, Value& out) {
  const uint32_t serial = memory_[list.object].serial;
  for (VaState& state : va_lists_) {
    if (state.serial != serial || state.frame_serial != frame_.first_serial) continue;
    if (state.next >= frame_.va_count) return TrapKind::VaArgs;
    const VaValue& value = va_values_[frame_.va_base + state.next];
    const TypeFacts& type = facts_[type_id];
    const TypeFacts& given = facts_[value.type];
    const lang::TypeId given_type = given.cls == TypeClass::Array ? given.element : value.type;
    if (given.cls == TypeClass::Array) {
      if (type.cls != TypeClass::Pointer || !facts_.MayAlias(type.element, given_type)) return TrapKind::VaArgs;
    } else if (!facts_.MayAlias(type_id, value.type)) {
      return TrapKind::VaArgs;
    }
    if (type.cls == TypeClass::Integer && type.scalar.is_signed != given.scalar.is_signed &&
        static_cast<int64_t>(value.value << (64 - type.scalar.bits)) < 0) {
      return TrapKind::VaArgs;
    }
    if (type.cls == TypeClass::Wide && type.kind != given.kind && HighWord(WideBitsOf(value.value)) >> 63 != 0) {
      return TrapKind::VaArgs;
    }
    ++state.next;
    note_ = value.note;
    out = ConvertAny(given.scalar, type.scalar, value.value);
    return TrapKind::None;
  }
  return TrapKind::VaArgs;
}

void Machine::Impl::CheckVaEnd() {
  for (const VaState& state : va_lists_) {
    if (state.frame_serial == frame_.first_serial) StopAt(TrapKind::VaArgs, frame_.call);
  }
}

}  // namespace assay::machine
