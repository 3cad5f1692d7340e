// Start and finish of a run, and the public interface.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::ExprId;
using lang::VarId;

Machine::Impl::Impl(lang::Program& program, const Options& options)
    : program_(program),
      options_(options),
      author_(options.author),
      alone_(options.author == nullptr && !options.observe),
      facts_(program),
      memory_(options.memory_bytes, program.Model().Properties().big_endian),
      robust_(program.floats == lang::FloatMode::Robust),
      watches_leaves_(options.observe || robust_) {
  Sync();
}

// The arrays grow with the room for nodes; only nodes made by a repair start with a count other than zero.
void Machine::Impl::Sync() {
  ++epoch_;
  facts_.Sync();
  const size_t exprs = program_.exprs.Size();
  if (exprs > expr_counts_.size()) {
    const size_t room = options_.author != nullptr ? std::max(exprs * 3 / 2, program_.exprs.Items().capacity()) : exprs;
    expr_counts_.resize(room);
    if (options_.author != nullptr) {
      completed_.resize(room);
      invoked_.resize(room);
      uncountable_.resize(room);
    }
    if (options_.observe) observed_.resize(room);
    if (!probing_) counts_ = expr_counts_.data();
  }
  if (new_node_count_ != 0 || new_node_completed_ != 0) {
    for (size_t i = synced_exprs_; i < exprs; ++i) {
      expr_counts_[i] = invoked_[i] = new_node_count_;
      completed_[i] = new_node_completed_;
    }
  }
  synced_exprs_ = exprs;
  if (options_.author != nullptr) calls_.resize(program_.functions.Size());
  if (program_.stmts.Size() > stmt_counts_.size()) stmt_counts_.resize(program_.stmts.Size() * 3 / 2);
  if (program_.vars.Size() > statics_.size()) statics_.resize(program_.vars.Size() * 3 / 2, kNoObject);
}

RunResult Machine::Impl::Run() {
  RunResult result;
  try {
    for (uint32_t i = 0; i < program_.vars.Size(); ++i) {
      if (program_.vars[VarId(i)].IsStatic()) StaticObject(VarId(i));
    }
    EnterFrame({}, {}, program_.entry, 0);
    RunBody(program_.entry, false);
    LeaveFrame();
    CollectFinals(result.finals);
  } catch (Stop& stop) {
    result.trap = std::move(stop.trap);
    result.finals.clear();
  }
  result.steps = steps_;
  result.peak_stack_bytes = memory_.PeakStack();
  result.volatile_hash = volatile_hash_;
  result.volatile_trace = std::move(volatile_trace_);
  return result;
}

std::optional<Value> Machine::Impl::Peek(VarId var, uint32_t offset, lang::TypeId type, int bit_offset, int bit_width) {
  Sync();
  const lang::Variable& v = program_.vars[var];
  ObjectId object = kNoObject;
  if (v.IsStatic()) {
    object = StaticObject(var);
  } else if (v.function == frame_.function && v.slot < frame_.slot_count && depth_ > 0) {
    object = slots_[frame_.slot_base + v.slot];
  }
  if (object == kNoObject) return std::nullopt;
  const TypeFacts& facts = facts_[type];
  if (facts.cls != TypeClass::Integer && facts.cls != TypeClass::Pointer && facts.cls != TypeClass::Float)
    return std::nullopt;
  LValue lvalue = LValue::At(object, offset, offset, offset + facts.size, type);
  lvalue.bit_width = static_cast<int16_t>(bit_width);
  if (bit_width >= 0) lvalue.bit_offset = static_cast<uint8_t>(bit_offset);
  const uint32_t end =
      bit_width >= 0 ? offset + static_cast<uint32_t>(bit_offset + bit_width + 7) / 8 : offset + facts.size;
  Value value = 0;
  if (end > memory_[object].size || LoadScalar(lvalue, value) != TrapKind::None) return std::nullopt;
  return value;
}

std::optional<Value> Machine::Impl::Probe(ExprId expr, std::vector<Value>* lanes) {
  Sync();
  scratch_counts_.resize(expr_counts_.size());
  const uint64_t steps = steps_;
  const AccessLog::Mark mark = log_.Here();
  const uint32_t known_base = frame_.known_base;
  const lang::StmtId stmt = frame_.stmt;
  const size_t known = known_.size(), arguments = arguments_.size();
  const ExprId lone_call = lone_call_, discarded = discarded_, last_load = last_load_expr_;
  const FloatNote note = note_;
  const size_t wide = wide_.Mark();
  probing_ = true;
  Author* const author = std::exchange(author_, nullptr);
  const bool alone = std::exchange(alone_, !options_.observe);
  counts_ = scratch_counts_.data();
  frame_.known_base = static_cast<uint32_t>(known);
  knows_ = false;
  probe_failed_ = false;
  Value result = 0;
  try {
    result = Eval(expr);
  } catch (const Stop&) {
    probe_failed_ = true;
  }
  if (lanes != nullptr && !probe_failed_) {
    const std::span<const Value> found = LanesOf(result, program_.exprs[expr].type);
    lanes->assign(found.begin(), found.end());
  }
  wide_.Forget(wide);
  probing_ = false;
  author_ = author;
  alone_ = alone;
  counts_ = expr_counts_.data();
  frame_.known_base = known_base;
  frame_.stmt = stmt;
  known_.resize(known);
  KnowAgain();
  arguments_.resize(arguments);
  if (robust_) argument_notes_.resize(arguments);
  note_ = note;
  log_.Cut(mark);
  steps_ = steps;
  lone_call_ = lone_call;
  discarded_ = discarded;
  last_load_expr_ = last_load;
  return probe_failed_ ? std::nullopt : std::optional(result);
}

PointerView Machine::Impl::View(Value value) const {
  PointerView view;
  if (value == 0) return view;
  if (value >= pointers_.Size()) {
    view.kind = PointerView::Kind::Indeterminate;
    return view;
  }
  const Pointer& p = pointers_[static_cast<PointerHandle>(value)];
  if (p.object == kNoObject) {
    view.kind = PointerView::Kind::Function;
    view.live = true;
    view.function = p.function;
    return view;
  }
  const Object& object = memory_[p.object];
  view.kind = PointerView::Kind::Object;
  view.live = object.serial == p.serial;
  view.offset = p.offset;
  view.low = p.low;
  view.high = p.high;
  if (view.live) {
    view.var = object.var;
    view.object_type = object.type;
  }
  return view;
}

bool Machine::Impl::SamePointer(Value a, Value b) const {
  if (a == b) return true;
  if (a == 0 || b == 0) return false;
  const Pointer& x = pointers_[static_cast<PointerHandle>(a)];
  const Pointer& y = pointers_[static_cast<PointerHandle>(b)];
  return x.object == y.object && x.serial == y.serial && x.offset == y.offset && x.function == y.function;
}

void Machine::Impl::Define(VarId var, Value value) {
  Sync();
  const lang::TypeId type = program_.vars[var].type;
  const ObjectId object = ObjectOf(var);
  StoreScalar(Whole(object, 0, type), ConvertAny(facts_[type].scalar, facts_[type].scalar, value));
}

void Machine::Impl::Moved(ExprId from, ExprId to) {
  Sync();
  moved_from_ = from;
  moved_to_ = to;
  expr_counts_[to.index] = expr_counts_[from.index];
  if (options_.observe) observed_[to.index] = observed_[from.index];
  if (options_.author == nullptr) return;
  completed_[to.index] = completed_[from.index];
  invoked_[to.index] = invoked_[from.index];
  uncountable_[to.index] = uncountable_[from.index];
  if (!repairing_order_ || from != repairing_) return;
  // The operation now runs after its operands, which are hoisted in front of it: outer executions that are still at
  // their operands have not reached it.
  switch (repairing_kind_) {
    case lang::ExprKind::Call: expr_counts_[to.index] = invoked_[from.index]; break;
    case lang::ExprKind::Binary:
    case lang::ExprKind::Assign:
    case lang::ExprKind::CompoundAssign: expr_counts_[to.index] = completed_[from.index]; break;
    case lang::ExprKind::Constant:
    case lang::ExprKind::EnumConstant:
    case lang::ExprKind::String:
    case lang::ExprKind::Variable:
    case lang::ExprKind::Function:
    case lang::ExprKind::Unary:
    case lang::ExprKind::LogicalAnd:
    case lang::ExprKind::LogicalOr:
    case lang::ExprKind::Conditional:
    case lang::ExprKind::Comma:
    case lang::ExprKind::IncDec:
    case lang::ExprKind::Cast:
    case lang::ExprKind::AddressOf:
    case lang::ExprKind::Deref:
    case lang::ExprKind::Index:
    case lang::ExprKind::Member:
    case lang::ExprKind::SizeofType:
    case lang::ExprKind::SizeofExpr:
    case lang::ExprKind::CompoundLiteral:
    case lang::ExprKind::Builtin:
    case lang::ExprKind::Guard:
    case lang::ExprKind::kCount: uncountable_[to.index] = uncountable_[to.index] || repairing_in_progress_;
  }
}

Machine::Machine(lang::Program& program, const Options& options) : impl_(std::make_unique<Impl>(program, options)) {}
Machine::~Machine() = default;

RunResult Machine::Run() { return impl_->Run(); }
uint64_t Machine::Steps() const { return impl_->steps_; }
uint32_t Machine::Depth() const { return impl_->depth_; }

std::span<const uint32_t> Machine::ExprExecutions() const { return impl_->expr_counts_; }
std::span<const uint32_t> Machine::StmtExecutions() const { return impl_->stmt_counts_; }
std::span<const CallsSeen> Machine::Calls() const { return impl_->calls_; }
uint64_t Machine::Executions(ExprId expr) const {
  return expr.index < impl_->expr_counts_.size() ? impl_->expr_counts_[expr.index] : 0;
}
uint64_t Machine::Executions(lang::StmtId stmt) const {
  return stmt.index < impl_->stmt_counts_.size() ? impl_->stmt_counts_[stmt.index] : 0;
}
void Machine::Moved(ExprId from, ExprId to) { impl_->Moved(from, to); }
Value Machine::Observed(ExprId expr) const {
  return expr.index < impl_->observed_.size() ? impl_->observed_[expr.index] : 0;
}
std::span<const Value> Machine::ObservedLanes(ExprId expr) const {
  const auto found = impl_->observed_lanes_.find(expr.index);
  return found != impl_->observed_lanes_.end() ? std::span<const Value>(found->second) : std::span<const Value>();
}

std::optional<Value> Machine::Peek(VarId var, uint32_t offset, lang::TypeId type, int bit_offset, int bit_width) {
  return impl_->Peek(var, offset, type, bit_offset, bit_width);
}
std::optional<Value> Machine::Probe(ExprId expr) { return impl_->Probe(expr); }
std::optional<std::vector<Value>> Machine::ProbeLanes(ExprId expr) {
  std::vector<Value> lanes;
  return impl_->Probe(expr, &lanes) ? std::optional(std::move(lanes)) : std::nullopt;
}
PointerView Machine::View(Value pointer) const { return impl_->View(pointer); }
bool Machine::SamePointer(Value a, Value b) const { return impl_->SamePointer(a, b); }
void Machine::Define(VarId var, Value value) { impl_->Define(var, value); }
lang::Layouts& Machine::GetLayouts() { return impl_->facts_.GetLayouts(); }

}  // namespace assay::machine
