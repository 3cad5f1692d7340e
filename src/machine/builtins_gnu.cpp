// Atomic operations, which in one thread are plain ones, and functions on strings (C17 7.24).
#include "lang/builtin_families.hpp"
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Builtin;
using lang::Expr;

// A read of the object and a write, of values of its type; overflow wraps (GCC manual 6.55, C17 7.17.7.5p3).
TrapKind Machine::Impl::Atomic(const Expr& e, const Value* values, Value& out) {
  const lang::TypeId type = program_.types.Unqualified(facts_[program_.exprs[program_.Arg(e, 0)].type].element);
  const ScalarType scalar = facts_[type].scalar;
  const auto operand = [&](uint32_t i) { return Convert(FactsOf(program_.Arg(e, i)).scalar, scalar, values[i]); };
  LValue place;
  TrapKind trap = FromPointer(values[0], type, false, place);
  Value old = 0, changed = 0;
  const bool reads = e.GetBuiltin() != Builtin::AtomicStore;
  if (trap == TrapKind::None && reads) trap = Load(place, old);
  if (trap != TrapKind::None) return trap;
  bool writes = true, gives_new = false;
  switch (e.GetBuiltin()) {
    case Builtin::AtomicLoad: writes = false; break;
    case Builtin::AtomicStore:
    case Builtin::AtomicExchange:
    case Builtin::SyncSwap: changed = operand(1); break;
    case Builtin::AtomicAddFetch: gives_new = true; [[fallthrough]];
    case Builtin::AtomicFetchAdd:
    case Builtin::SyncFetchAdd: changed = old + operand(1); break;
    case Builtin::AtomicFetchSub:
    case Builtin::SyncFetchSub: changed = old - operand(1); break;
    case Builtin::AtomicFetchAnd: changed = old & operand(1); break;
    case Builtin::AtomicFetchOr: changed = old | operand(1); break;
    case Builtin::AtomicXorFetch: gives_new = true; [[fallthrough]];
    case Builtin::AtomicFetchXor: changed = old ^ operand(1); break;
    case Builtin::AtomicFetchNand: changed = ~(old & operand(1)); break;
    case Builtin::SyncCompareSwap: changed = old == operand(1) ? operand(2) : old; break;
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_ARGUMENT_LIST_BUILTINS:
    case ASSAY_CHECKED_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_STRING_BUILTINS:
    case ASSAY_FLOATING_BUILTINS:
    case ASSAY_CLASSIFYING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
    case Builtin::kCount: CHECK(false);
  }
  changed = Wrap(scalar, changed);
  out = gives_new ? changed : old;
  return writes ? Store(place, changed) : TrapKind::None;
}

// Reads characters up to a zero, or `most` of them. `ends`: there has to be a zero before the end of the array.
TrapKind Machine::Impl::ReadString(Value pointer, uint32_t most, bool ends, Characters& out) {
  out.pointer = pointer;
  const lang::TypeId type = program_.types.Basic(lang::TypeKind::Char);
  Value next = pointer;
  for (uint32_t i = 0; ends || i < most; ++i) {
    LValue at;
    TrapKind trap = FromPointer(next, type, false, at);
    Value value = 0;
    if (trap == TrapKind::None) trap = Load(at, value);
    if (trap == TrapKind::None && value != 0) trap = Advance(next, type, 1, false, false, next);
    if (trap != TrapKind::None) return trap;
    if (value == 0) {
      out.ended = true;
      return TrapKind::None;
    }
    out.bytes.push_back(static_cast<uint8_t>(value));
    if (out.bytes.size() > options_.memory_bytes) return TrapKind::OutOfBounds;
  }
  return TrapKind::None;
}

// Writes the characters and a zero, `at` characters behind the pointer.
TrapKind Machine::Impl::WriteString(Value pointer, uint32_t at, const Characters& characters) {
  const lang::TypeId type = program_.types.Basic(lang::TypeKind::Char);
  Value next = pointer;
  TrapKind trap = at == 0 ? TrapKind::None : Advance(next, type, at, false, false, next);
  for (size_t i = 0; i <= characters.bytes.size(); ++i) {
    LValue to;
    if (trap == TrapKind::None) trap = FromPointer(next, type, false, to);
    const Value value = i < characters.bytes.size() ? characters.bytes[i] : 0;
    if (trap == TrapKind::None) trap = Store(to, Wrap(facts_[type].scalar, value));
    if (trap == TrapKind::None && i < characters.bytes.size()) trap = Advance(next, type, 1, false, false, next);
    if (trap != TrapKind::None) return trap;
  }
  return TrapKind::None;
}

namespace {

// As unsigned characters (7.24.4p1): -1, 0 or 1.
Value Compare(const Characters& a, const Characters& b) {
  size_t i = 0;
  while (i < a.bytes.size() && i < b.bytes.size() && a.bytes[i] == b.bytes[i]) ++i;
  const int left = i < a.bytes.size() ? a.bytes[i] : 0, right = i < b.bytes.size() ? b.bytes[i] : 0;
  return static_cast<Value>(static_cast<int64_t>(left < right ? -1 : left > right ? 1 : 0));
}

}  // namespace

TrapKind Machine::Impl::OfStrings(const Expr& e, const Value* values, Value& out) {
  constexpr uint32_t kAll = 0xffffffffu;
  Characters a, b;
  const auto count = [&](uint32_t i) -> std::optional<uint32_t> {
    const bool negative = FactsOf(program_.Arg(e, i)).scalar.is_signed && static_cast<int64_t>(values[i]) < 0;
    if (negative || values[i] > options_.memory_bytes) return std::nullopt;  // it may be in range: doubt traps
    return static_cast<uint32_t>(values[i]);
  };
  // A pointer to the character that is at the index, or null.
  const auto at = [&](std::optional<size_t> index) {
    out = 0;
    if (!index) return TrapKind::None;
    out = values[0];
    return *index == 0 ? TrapKind::None
                       : Advance(values[0], program_.types.Basic(lang::TypeKind::Char), *index, false, false, out);
  };
  TrapKind trap = TrapKind::None;
  switch (e.GetBuiltin()) {
    case Builtin::Strlen:
      trap = ReadString(values[0], kAll, true, a);
      out = a.bytes.size();
      return trap;
    case Builtin::Strcmp:
      trap = ReadString(values[0], kAll, true, a);
      if (trap == TrapKind::None) trap = ReadString(values[1], kAll, true, b);
      out = Compare(a, b);
      return trap;
    case Builtin::Strncmp: {
      const std::optional<uint32_t> most = count(2);
      if (!most) return TrapKind::OutOfBounds;
      trap = ReadString(values[0], *most, false, a);
      if (trap == TrapKind::None) trap = ReadString(values[1], *most, false, b);
      out = Compare(a, b);
      return trap;
    }
    case Builtin::Strchr: {
      trap = ReadString(values[0], kAll, true, a);
      if (trap != TrapKind::None) return trap;
      const uint8_t wanted = static_cast<uint8_t>(values[1]);
      if (wanted == 0) return at(a.bytes.size());
      for (size_t i = 0; i < a.bytes.size(); ++i) {
        if (a.bytes[i] == wanted) return at(i);
      }
      return at(std::nullopt);
    }
    case Builtin::Memchr: {  // reads all of them, zeros included, as if one by one (7.24.5.1p2)
      const std::optional<uint32_t> most = count(2);
      if (!most) return TrapKind::OutOfBounds;
      const lang::TypeId type = program_.types.Basic(lang::TypeKind::Char);
      std::optional<size_t> found;
      Value next = values[0];
      for (uint32_t i = 0; i < *most; ++i) {
        LValue place;
        Value value = 0;
        trap = FromPointer(next, type, false, place);
        if (trap == TrapKind::None) trap = Load(place, value);
        if (trap == TrapKind::None) trap = Advance(next, type, 1, false, false, next);
        if (trap != TrapKind::None) return trap;
        if (!found && static_cast<uint8_t>(value) == static_cast<uint8_t>(values[1])) found = i;
      }
      return at(found);
    }
    case Builtin::Strcpy:
    case Builtin::Strcat: {
      uint32_t begin = 0;
      if (e.GetBuiltin() == Builtin::Strcat) {
        trap = ReadString(values[0], kAll, true, a);
        begin = static_cast<uint32_t>(a.bytes.size());
      }
      if (trap == TrapKind::None) trap = ReadString(values[1], kAll, true, b);
      if (trap != TrapKind::None) return trap;
      // Between objects that overlap (7.24.2.3p2): in one object, whether they do or not.
      const Pointer &to = pointers_[static_cast<PointerHandle>(values[0])],
                    &from = pointers_[static_cast<PointerHandle>(values[1])];
      if (to.object == from.object) return TrapKind::Overlap;
      return WriteString(values[0], begin, b);
    }
    case ASSAY_MEMORY_BUILTINS:
    case ASSAY_ARGUMENT_LIST_BUILTINS:
    case ASSAY_CHECKED_BUILTINS:
    case ASSAY_HINT_BUILTINS:
    case ASSAY_ATOMIC_BUILTINS:
    case ASSAY_FLOATING_BUILTINS:
    case ASSAY_CLASSIFYING_BUILTINS:
    case ASSAY_VECTOR_BUILTINS:
    case Builtin::kCount: break;
  }
  CHECK(false);
  return trap;
}

}  // namespace assay::machine
