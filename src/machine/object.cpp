// Lifetimes of objects and their initialisation.
//
// An automatic object lives from the entry into its block to its end. The machine makes it when its declaration is
// executed, or when a jump passes the declaration (Skip); both happen before anything can see it. Executing the
// declaration again, after a jump backwards, makes the same object indeterminate or initialises it anew.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Storage;
using lang::Variable;
using lang::VarId;

ObjectId Machine::Impl::MakeObject(lang::TypeId type, VarId var, uint32_t size, uint8_t flags, bool on_stack) {
  const TypeFacts& facts = facts_[type];
  uint32_t align = facts.align;
  if (var.Valid()) align = std::max<uint32_t>(align, program_.vars[var].align);
  if (flags & kObjectHeap) align = 16;
  const ObjectId id = memory_.Create(type, var, size, align, flags, facts.part_quals, on_stack);
  if (id == kNoObject) StopAt(TrapKind::StepBudget, {});
  if (robust_) notes_.Forget(memory_[id].base, size);
  return id;
}

ObjectId Machine::Impl::StaticObject(VarId var) {
  if (statics_[var.index] != kNoObject) return statics_[var.index];
  const Variable v = program_.vars[var];
  const ObjectId id = MakeObject(v.type, var, facts_[v.type].size, kObjectStatic, false);
  statics_[var.index] = id;  // before the initialiser: it may contain the object's own address
  Tracer* const tracer = std::exchange(options_.tracer, nullptr);  // this happens before the run begins
  const FloatNote note = note_;
  if (v.init.Valid()) {
    const AccessLog::Mark mark = log_.Here();
    InitializeItem(Whole(id, 0, v.type), v.init, mark);
    log_.Cut(mark);
  } else {
    Zero(id, 0, v.type);
  }
  options_.tracer = tracer;
  note_ = note;
  return id;
}

uint32_t& Machine::Impl::Slot(VarId var) {
  const uint32_t slot = program_.vars[var].slot;
  if (slot >= frame_.slot_count) {
    // The function got new objects while it runs; the current frame's are at the end of slots_.
    const size_t count = std::max<size_t>(program_.functions[frame_.function].locals.size(), slot + 1);
    slots_.resize(frame_.slot_base + count, kNoObject);
    frame_.slot_count = static_cast<uint32_t>(count);
  }
  return slots_[frame_.slot_base + slot];
}

ObjectId Machine::Impl::MakeLocal(VarId var, bool on_stack) {
  const lang::TypeId type = program_.vars[var].type;
  return Slot(var) = MakeObject(type, var, facts_[type].size, 0, on_stack);
}

// Not on the stack, whose top belongs to the innermost block: this object stays until the function returns.
ObjectId Machine::Impl::LateLocal(VarId var) {
  uint32_t& slot = Slot(var);
  if (slot != kNoObject) return slot;
  if (probing_) StopAt(TrapKind::UninitializedRead, {});  // a look makes no object: this one would outlive its block
  return MakeLocal(var, false);
}

void Machine::Impl::Skip(VarId var) {
  const Variable v = program_.vars[var];
  if (v.IsStatic() || Slot(var) != kNoObject) return;
  if (facts_[v.type].kind == lang::TypeKind::Vla) StopAt(TrapKind::JumpIntoVla, {});
  MakeLocal(var, true);
  live_.push_back(frame_.slot_base + v.slot);
}

void Machine::Impl::Declare(VarId var) {
  const Variable v = program_.vars[var];
  if (v.IsStatic()) return;
  if (facts_[v.type].kind == lang::TypeKind::Vla) return DeclareVla(var);
  const ObjectId object = Renew(var);
  if (!v.init.Valid()) return;
  const FullScope scope = BeginFull(program_.inits[v.init].expr);
  InitializeItem(Whole(object, 0, v.type), v.init, scope.log_mark);
  EndFull(scope);
}

ObjectId Machine::Impl::Renew(VarId var) {
  const ObjectId object = Slot(var);
  if (object != kNoObject) {
    memory_.Forget(memory_[object].base, memory_[object].size);
    if (robust_) notes_.Forget(memory_[object].base, memory_[object].size);
    return object;
  }
  live_.push_back(frame_.slot_base + program_.vars[var].slot);
  return MakeLocal(var, true);
}

void Machine::Impl::DeclareVla(VarId var) {
  const Variable v = program_.vars[var];
  const lang::TypeId element = facts_[v.type].element;
  const uint32_t size = facts_[element].size;
  Value length = 0;
  const auto fits = [size](Value n) { return n >= 1 && n <= 65536 / size; };  // a negative length is a large one
  const uint32_t index = counts_[v.vla_length.index];
  const lang::Expr e = program_.exprs[v.vla_length];
  const FullScope scope = BeginFull(v.vla_length);
  length = Eval(v.vla_length);
  if (!fits(length)) {
    const Known known[] = {KnownValue(v.vla_length, length)};
    length = Retry(TrapKind::VlaLength, v.vla_length, e, index, known);
  }
  EndFull(scope);
  if (!fits(length)) StopAt(TrapKind::VlaLength, v.vla_length);
  uint32_t& slot = Slot(var);
  if (slot != kNoObject) {
    memory_.Kill(slot);  // its entry in live_ now stands for the new object
  } else {
    live_.push_back(frame_.slot_base + v.slot);
  }
  slot = MakeObject(element, var, static_cast<uint32_t>(length) * size, 0, true);
}

void Machine::Impl::EndScope(uint32_t live_mark, uint32_t stack_top) {
  while (live_.size() > live_mark) {
    ObjectId& slot = slots_[live_.back()];
    live_.pop_back();
    if (slot == kNoObject) continue;
    memory_.Kill(slot);
    slot = kNoObject;
  }
  memory_.ResetStack(stack_top);
}

// A side effect that is complete before the object is used, but in no order with anything beside it.
void Machine::Impl::LogInitialisation(const LValue& to) {
  const AccessLog::Mark mark = log_.Here();
  LogAccess(to, true);
  log_.SequencePoint(mark);
}

// The initialiser of a compound literal is no full expression but part of the one around it.
ObjectId Machine::Impl::LiteralObject(VarId var) {
  const Variable v = program_.vars[var];
  const ObjectId object = Renew(var);
  if (v.init.Valid()) InitializeItem(Whole(object, 0, v.type), v.init, log_.Here());
  LogInitialisation(Whole(object, 0, v.type));
  return object;
}

ObjectId Machine::Impl::StringObject(lang::ExprId id, const lang::Expr& e) {
  const auto found = strings_.find(id.index);
  if (found != strings_.end()) return found->second;
  const std::string& text = program_.strings[lang::StringId(e.ref)];
  const uint32_t size = static_cast<uint32_t>(text.size()) + 1;
  const ObjectId object = MakeObject(e.type, {}, size, kObjectString | kObjectStatic, false);
  const uint32_t base = memory_[object].base;
  for (uint32_t i = 0; i < size; ++i) {
    memory_.Store(base + i, 1, i < text.size() ? static_cast<uint8_t>(text[i]) : 0);
  }
  strings_.emplace(id.index, object);
  return object;
}

void Machine::Impl::Zero(ObjectId object, uint32_t offset, lang::TypeId type_id) {
  const TypeFacts& type = facts_[type_id];
  const uint32_t address = memory_[object].base + offset;
  if (type.plain) {
    memory_.Fill(address, type.size, 0);
    if (!type.solid) memory_.Shape(address, facts_.ValueBits(type_id), facts_.FieldBytes(type_id));
    return;
  }
  switch (type.cls) {
    case TypeClass::Pointer: memory_.StorePointer(address, type.size, 0); return;
    case TypeClass::Array: {
      const uint32_t size = facts_[type.element].size;
      for (uint32_t i = 0; i < type.length; ++i) Zero(object, offset + i * size, type.element);
      return;
    }
    case TypeClass::Record: {
      const bool is_union = type.kind == lang::TypeKind::Union;
      for (const MemberFacts& member : facts_.Members(type.record)) {
        if (!member.named) continue;
        if (member.bit_width >= 0) {
          memory_.StoreField(address + member.offset, member.bit_offset, static_cast<unsigned>(member.bit_width), 0);
        } else {
          Zero(object, offset + member.offset, member.type);
        }
        if (is_union) return;  // the first named member only (6.7.9p10)
      }
      return;
    }
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Function:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: return;
  }
}

// The items of a list are indeterminately sequenced (6.7.9p23): all that was logged since `start` must not conflict
// with this one.
Value Machine::Impl::InitialValue(const TypeFacts& type, lang::ExprId expr, AccessLog::Mark start) {
  const AccessLog::Mark middle = log_.Here();
  const Value given = Eval(expr);
  const Value value = Converted(FactsOf(expr).scalar, type.scalar, given);
  if (log_.Conflict(start, middle, depth_) != TrapKind::None) StopAt(TrapKind::OrderDependent, expr);
  return value;
}

// One initialiser of an object or part of it.
void Machine::Impl::InitializeItem(const LValue& to, lang::InitId init_id, AccessLog::Mark start) {
  const TypeFacts& type = facts_[to.Type()];
  const lang::InitKind kind = program_.inits[init_id].kind;
  const uint32_t address = memory_[to.object].base + to.offset;
  switch (kind) {
    case lang::InitKind::Expr: {
      const lang::ExprId expr = program_.inits[init_id].expr;
      Value value = InitialValue(type, expr, start);
      if (facts_[to.Type()].quals & lang::kRestrict) {
        if (IsRestrictedHere(value)) StopAt(TrapKind::Restrict, expr);
        value = Retag(value, facts_[to.Type()]);
      }
      const TrapKind trap = StoreScalar(to, value);
      if (trap != TrapKind::None) StopAt(trap, expr);
      if (facts_[to.Type()].part_quals & lang::kVolatile) {
        if (!(memory_[to.object].flags & kObjectStatic)) TraceVolatile(to, true, value);
      }
      return;
    }
    case lang::InitKind::String: {
      const std::string& text = program_.strings[program_.inits[init_id].string];
      for (uint32_t i = 0; i < type.size; ++i) {
        memory_.Store(address + i, 1, i < text.size() ? static_cast<uint8_t>(text[i]) : 0);
      }
      LeaveUnions(to);
      return;
    }
    case lang::InitKind::List: break;
  }
  Zero(to.object, to.offset, to.Type());
  if (robust_) notes_.Forget(address, type.size);
  LogInitialisation(to);  // the items must not read it
  const TypeFacts whole = type;
  const bool integers = whole.cls == TypeClass::Array && facts_[whole.element].cls == TypeClass::Integer &&
                        (facts_[whole.element].quals & lang::kVolatile) == 0 && to.unions == 0 &&
                        options_.tracer == nullptr;
  for (size_t i = 0; i < program_.inits[init_id].items.size(); ++i) {
    const lang::InitItem item = program_.inits[init_id].items[i];
    if (integers && program_.inits[item.init].kind == lang::InitKind::Expr) {  // the common case, without an lvalue
      const Value value = InitialValue(facts_[whole.element], program_.inits[item.init].expr, start);
      const uint32_t size = facts_[whole.element].size;
      memory_.Store(address + item.index * size, size, value);
    } else if (whole.cls == TypeClass::Array || whole.cls == TypeClass::Vector) {
      LValue element = to;
      element.type_index = whole.element.index;
      element.offset = to.offset + item.index * facts_[whole.element].size;
      InitializeItem(element, item.init, start);
    } else if (whole.cls == TypeClass::Record) {
      InitializeItem(MemberOf(to, item.index), item.init, start);
    } else {
      InitializeItem(to, item.init, start);  // a scalar in braces
    }
  }
}

}  // namespace assay::machine
