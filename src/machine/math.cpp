// Calls of the functions of <math.h>: their arguments, and in the mode `robust` the note of the result.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Builtin;
using lang::BuiltinOperands;
using lang::Expr;
using lang::ExprId;

Value Machine::Impl::EvalMath(ExprId id, const Expr& e, uint32_t index) {
  const Builtin function = e.GetBuiltin();
  const BuiltinOperands operands = lang::Info(function).operands;
  const bool classifies = operands == BuiltinOperands::Classified;
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  Value values[lang::kMostBuiltinArguments] = {};
  Known known[lang::kMostBuiltinArguments];
  FloatNote notes[lang::kMostBuiltinArguments];
  ScalarType own[lang::kMostBuiltinArguments];
  TrapKind trap = TrapKind::None;
  for (uint32_t i = 0; i < e.args.count; ++i) {
    const AccessLog::Mark middle = log_.Here();
    const ExprId argument = program_.Arg(e, i);
    values[i] = Eval(argument);
    notes[i] = note_;
    own[i] = FactsOf(argument).scalar;
    known[i] = KnownValue(argument, values[i]);
    if (trap == TrapKind::None) trap = log_.Conflict(start, middle, depth_);
  }
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  log_.SequencePoint(start);
  ScalarType type = classifies ? own[0] : facts_[e.RefType()].scalar;
  if (classifies && e.args.count > 1) type = Common(type, own[1]);
  const ScalarType power = facts_[program_.types.Basic(lang::TypeKind::Int)].scalar;
  for (uint32_t i = 0; i < e.args.count && trap == TrapKind::None; ++i) {
    const bool number = operands != BuiltinOperands::Scaled || i == 0;
    values[i] = Convert(own[i], number ? type : power, values[i]);
    if (!robust_ || !number) continue;
    if (own[i].type_class != TypeClass::Float) notes[i] = NoteOfValue(type, values[i]);
    if (!IsRobust(type, notes[i])) trap = TrapKind::FloatInexact;
  }
  Value result = 0;
  if (trap == TrapKind::None) {
    const ScalarResult computed = ApplyMath(function, type, std::span<const Value>(values, e.args.count));
    result = computed.value;
    trap = computed.trap;
  }
  if (trap == TrapKind::None && robust_ && !classifies) {
    const auto shift = static_cast<int64_t>(values[1]);
    note_ = NoteOfMath(function, std::span<const FloatNote>(notes, e.args.count), shift);
    if (!IsRobust(type, note_)) trap = TrapKind::FloatInexact;
  }
  if (trap != TrapKind::None) [[unlikely]] {
    return Retry(trap, id, e, index, std::span<const Known>(known, e.args.count));
  }
  return result;
}

}  // namespace assay::machine
