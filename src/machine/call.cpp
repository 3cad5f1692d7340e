// Calls and their frames.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;
using lang::ExprKind;
using lang::FunctionId;

Value Machine::Impl::EvalCall(ExprId id, const Expr& e, uint32_t index) {
  // Budgets come first: nothing of the call is evaluated yet. A call that the author declines to guard goes on.
  if (depth_ >= options_.recursion_depth + kDepthReserve) return Retry(TrapKind::RecursionDepth, id, e, index, {});
  if (author_ != nullptr) {
    TrapKind budget = TrapKind::None;
    if (options_.soft_budget != 0 && steps_ > options_.soft_budget) budget = TrapKind::StepBudget;
    if (depth_ >= options_.recursion_depth) budget = TrapKind::RecursionDepth;
    if (budget != TrapKind::None) {
      const Trap trap = MakeTrap(budget, id, index, {}, false);
      --counts_[id.index];
      if (AskAuthor(trap) && program_.exprs[id].kind != ExprKind::Call) {
        const Value value = Eval(id);
        --completed_[id.index];
        return value;
      }
      ++counts_[id.index];
    }
  }

  // The callee and the arguments are evaluated left to right and are unsequenced pairwise.
  const uint32_t epoch = epoch_;
  const AccessLog::Mark start = log_.Here();
  const lang::TypeId callee_type = program_.exprs[e.lhs].type;
  const Value callee = Eval(e.lhs);
  const FunctionId function = callee == 0 ? FunctionId() : pointers_[static_cast<PointerHandle>(callee)].function;
  const lang::TypeId wanted =
      facts_[callee_type].cls == TypeClass::Function ? callee_type : facts_[callee_type].element;
  if (!function.Valid() || program_.functions[function].type != wanted) {
    const Known known[] = {KnownValue(e.lhs, callee)};
    return Retry(TrapKind::BadCall, id, e, index, known);
  }
  const size_t first = arguments_.size();
  TrapKind trap = TrapKind::None;
  for (uint32_t i = 0; i < e.args.count; ++i) {
    const AccessLog::Mark middle = log_.Here();
    const ExprId argument = program_.Arg(e, i);
    const lang::TypeId type = program_.exprs[argument].type;
    Value value = Eval(argument);
    if (facts_[type].cls == TypeClass::Record && e.args.count > 1) {
      // Read now, not when the call begins.
      temporaries_.push_back(MakeObject(type, {}, facts_[type].size, 0, true));
      StoreScalar(Whole(temporaries_.back(), 0, type), value);
      value = RecordHandle(temporaries_.back(), 0);
    }
    arguments_.push_back(value);
    if (robust_) argument_notes_.push_back(note_);
    if (trap == TrapKind::None) trap = log_.Conflict(start, middle, depth_);
  }
  if (Reordered(epoch, id, e, index)) [[unlikely]]
    trap = TrapKind::OrderDependent;
  if (trap != TrapKind::None) [[unlikely]] {
    std::vector<Known> known = {KnownValue(e.lhs, callee)};
    for (uint32_t i = 0; i < e.args.count; ++i) {
      const FloatNote note = robust_ ? argument_notes_[first + i] : FloatNote{};
      known.push_back(KnownNoted(program_.Arg(e, i), arguments_[first + i], note));
    }
    arguments_.resize(first);
    if (robust_) argument_notes_.resize(first);
    return Retry(trap, id, e, index, known);
  }
  log_.SequencePoint(start);
  if (author_ != nullptr) ++invoked_[(epoch == epoch_ ? id : CurrentPlace(id, e, index)).index];
  const Value result = Invoke(id, e, function, first);
  arguments_.resize(first);
  if (robust_) argument_notes_.resize(first);
  return result;
}

Value Machine::Impl::Invoke(ExprId id, const Expr& e, FunctionId function, size_t first_value) {
  const lang::TypeId result_type = facts_[program_.functions[function].type].element;
  const bool result_used = id != discarded_ && facts_[result_type].cls != TypeClass::Void;
  ObjectId result_object = kNoObject;
  if (facts_[result_type].cls == TypeClass::Record) {
    result_object = MakeObject(result_type, {}, facts_[result_type].size, kObjectTemporary, true);
    temporaries_.push_back(result_object);
  }
  const Frame caller = frame_;
  const uint32_t stack_top = memory_.StackTop();
  EnterFrame(id, e, function, first_value);
  frame_.result_object = result_object;
  RunBody(function, result_used);
  const Value result = result_object != kNoObject ? RecordHandle(result_object, 0) : frame_.result;
  LeaveFrame();
  memory_.ResetStack(stack_top);
  frame_ = caller;
  KnowAgain();
  return result;
}

void Machine::Impl::EnterFrame(ExprId id, const Expr& e, FunctionId function_id, size_t first_value) {
  const bool wants_log = frame_.caller_wants_log || id != lone_call_;
  const lang::Function& function = program_.functions[function_id];
  ++depth_;
  frame_ = {};
  frame_.function = function_id;
  frame_.call = id;
  frame_.slot_base = static_cast<uint32_t>(slots_.size());
  frame_.slot_count = static_cast<uint32_t>(function.locals.size());
  frame_.first_serial = memory_.NextSerial();
  frame_.log_mark = log_.Here();
  frame_.folded = frame_.log_mark;
  frame_.compact_at = frame_.log_mark + 1024;
  frame_.known_base = static_cast<uint32_t>(known_.size());
  knows_ = false;
  frame_.va_base = static_cast<uint32_t>(va_values_.size());
  frame_.restrict_base = static_cast<uint32_t>(restricts_.size());
  frame_.caller_wants_log = wants_log;
  slots_.resize(slots_.size() + function.locals.size(), kNoObject);
  for (size_t i = 0; i < function.params.size(); ++i) {
    const lang::VarId param = function.params[i];
    const lang::TypeId type = program_.vars[param].type;
    const ObjectId object = MakeLocal(param, true);
    const ScalarType from = FactsOf(program_.Arg(e, static_cast<uint32_t>(i))).scalar;
    if (robust_) note_ = argument_notes_[first_value + i];
    Value value = Converted(from, facts_[type].scalar, arguments_[first_value + i]);
    if (facts_[type].cls == TypeClass::Pointer && value == 0) NullPassed(id, function_id, i);
    if (facts_[type].quals & lang::kRestrict) value = Retag(value, facts_[type]);
    StoreScalar(Whole(object, 0, type), value);
  }
  if (author_ != nullptr) ++calls_[function_id.index].calls;
  for (const lang::VarId temporary : function.temporaries) MakeLocal(temporary, true);
  if (e.args.count > function.params.size()) PushVariableArguments(e, first_value, function.params.size());
}

// At the callee, because the type of a pointer to it does not say what it promises.
void Machine::Impl::NullPassed(ExprId call, FunctionId function, size_t param) {
  if (program_.vars[program_.functions[function].params[param]].attrs & lang::kVarNonNull)
    StopAt(TrapKind::NullArgument, call);
  if (author_ != nullptr) calls_[function.index].null_params |= uint64_t{1} << std::min<size_t>(param, 63);
}

// Default argument promotions (6.5.2.2p6).
void Machine::Impl::PushVariableArguments(const Expr& e, size_t first_value, size_t fixed) {
  for (size_t i = fixed; i < e.args.count; ++i) {
    const ExprId argument = program_.Arg(e, static_cast<uint32_t>(i));
    VaValue value;
    value.type = program_.exprs[argument].type;
    value.value = arguments_[first_value + i];
    const TypeClass cls = facts_[value.type].cls;
    if (cls == TypeClass::Integer || cls == TypeClass::Float) {
      const lang::TypeKind promoted =
          cls == TypeClass::Float ? lang::TypeKind::Double : lang::PromotedKind(program_, argument);
      value.type = program_.types.Basic(promoted);
      value.value = Convert(FactsOf(argument).scalar, facts_[value.type].scalar, value.value);
    }
    if (robust_) value.note = argument_notes_[first_value + i];
    va_values_.push_back(value);
  }
  frame_.va_count = static_cast<uint32_t>(e.args.count - fixed);
}

void Machine::Impl::RunBody(FunctionId function, bool result_used) {
  const lang::BlockId body = program_.functions[function].body;
  ExecBlock(body);
  while (result_used && !frame_.has_result) {
    const size_t end = program_.blocks[body].stmts.size();
    const Trap trap = MakeTrap(TrapKind::MissingReturn, frame_.call, 0, {}, false);
    if (author_ == nullptr || !AskAuthor(trap) || program_.blocks[body].stmts.size() == end) throw Stop{trap};
    ExecBlock(body, end);
  }
}

void Machine::Impl::LeaveFrame() {
  CheckVaEnd();
  for (uint32_t i = 0; i < frame_.slot_count; ++i) {
    const ObjectId object = slots_[frame_.slot_base + i];
    if (object != kNoObject) memory_.Kill(object);
  }
  slots_.resize(frame_.slot_base);
  va_values_.resize(frame_.va_base);
  restricts_.resize(frame_.restrict_base);
  if (restricts_.empty()) restrict_log_.clear();
  --depth_;
}

}  // namespace assay::machine
