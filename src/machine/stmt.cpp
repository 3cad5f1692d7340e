// Statements. Each returns how control leaves it; goto is in jump.cpp.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::ExprKind;
using lang::Stmt;
using lang::StmtId;
using lang::StmtKind;

// A call that is the whole expression, or the whole right side of an assignment to a variable, is unsequenced with
// nothing, so that its accesses need not be kept for this expression.
FullScope Machine::Impl::BeginFull(lang::ExprId root) {
  const FullScope scope{log_.Here(),        static_cast<uint32_t>(temporaries_.size()),
                        memory_.StackTop(), static_cast<uint32_t>(live_.size()),
                        lone_call_,         discarded_,
                        wide_.Mark()};
  lone_call_ = {};
  discarded_ = {};
  if (root.Valid()) {
    const lang::Expr* e = &program_.exprs[root];
    if (e->kind == ExprKind::Assign && program_.exprs[e->lhs].kind == ExprKind::Variable) {
      root = e->rhs;
      e = &program_.exprs[root];
    }
    if (e->kind == ExprKind::Cast) {
      root = e->lhs;
      e = &program_.exprs[root];
    }
    if (e->kind == ExprKind::Call) lone_call_ = root;
  }
  return scope;
}

// Accesses that a call may log before they are folded: few enough to compare, many enough to be worth the trouble.
constexpr AccessLog::Mark kFoldEvery = 48;

void Machine::Impl::EndFull(const FullScope& scope) {
  if (!frame_.caller_wants_log) {
    log_.Cut(scope.log_mark);
  } else if (log_.Here() > frame_.folded + kFoldEvery) {
    log_.Fold(frame_.folded, frame_.log_mark, frame_.first_serial);
    if (log_.Here() > frame_.compact_at) {
      log_.Compact(frame_.log_mark, frame_.first_serial, depth_);
      frame_.compact_at = log_.Here() * 2 + 1024;
    }
    frame_.folded = log_.Here();
  }
  if (temporaries_.size() > scope.temporaries) {
    while (temporaries_.size() > scope.temporaries) {
      memory_.Kill(temporaries_.back());
      temporaries_.pop_back();
    }
    if (live_.size() == scope.live) memory_.ResetStack(scope.stack_top);
  }
  if (wide_.Mark() != scope.wide) [[unlikely]]
    wide_.Forget(scope.wide);
  lone_call_ = scope.lone_call;
  discarded_ = scope.discarded;
}

Value Machine::Impl::Full(lang::ExprId id, bool discard) {
  const FullScope scope = BeginFull(id);
  if (discard) discarded_ = id;
  const Value value = Eval(id);
  EndFull(scope);
  return value;
}

Flow Machine::Impl::ExecBlock(lang::BlockId block, size_t start) {
  const uint32_t live_mark = static_cast<uint32_t>(live_.size());
  const uint32_t stack_top = memory_.StackTop();
  Flow flow = Flow::Next;
  size_t i = start;
  if (start > 0) Jump(block, start);
  for (;;) {
    if (i >= program_.blocks[block].stmts.size()) {
      if (!program_.blocks[block].open || author_ == nullptr) break;
      const bool extended = author_->Extend(block);
      Sync();
      if (!extended) break;
      continue;
    }
    const StmtId id = program_.blocks[block].stmts[i];
    const uint32_t epoch = epoch_;
    flow = Exec(id);
    if (epoch != epoch_) i = PositionOf(block, id, i);
    if (flow == Flow::Next) {
      ++i;
      continue;
    }
    if (flow != Flow::Goto || !FindTarget(block, i)) break;
    Jump(block, i);
    seeking_ = true;
    flow = Flow::Next;
  }
  EndScope(live_mark, stack_top);
  return flow;
}

Flow Machine::Impl::Exec(StmtId id) {
  const Stmt stmt = program_.stmts[id];
  frame_.stmt = id;
  if (seeking_) [[unlikely]] {
    if (stmt.kind == StmtKind::Label) {
      if (stmt.label == goto_label_) seeking_ = false;
      CHECK(!seeking_);
    }
  }
  Tick();
  ++stmt_counts_[id.index];
  if (options_.tracer != nullptr) [[unlikely]]
    options_.tracer->OnStatement(id, depth_);
  switch (stmt.kind) {
    case StmtKind::Empty:
    case StmtKind::Case:
    case StmtKind::Default:
    case StmtKind::Label: return Flow::Next;
    case StmtKind::Expr: Full(stmt.expr, true); return Flow::Next;
    case StmtKind::Decl: Declare(stmt.var); return Flow::Next;
    case StmtKind::Block: return ExecBody(stmt.body);
    case StmtKind::If:
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
    case StmtKind::Switch: {
      // Each of these is a block of its own (6.8.4p3, 6.8.5p5).
      const uint32_t live_mark = static_cast<uint32_t>(live_.size());
      const uint32_t stack_top = memory_.StackTop();
      const Flow flow = stmt.kind == StmtKind::If       ? ExecIf(stmt)
                        : stmt.kind == StmtKind::Switch ? ExecSwitch(stmt)
                                                        : ExecLoop(id, stmt);
      EndScope(live_mark, stack_top);
      return flow;
    }
    case StmtKind::Goto: goto_label_ = stmt.label; return Flow::Goto;
    case StmtKind::Break: return Flow::Break;
    case StmtKind::Continue: return Flow::Continue;
    case StmtKind::Return: return ExecReturn(stmt);
    case StmtKind::GotoTable: {
      const Value index = Full(stmt.expr);  // a negative one is a very large one
      if (index >= stmt.labels.count) StopAt(TrapKind::OutOfBounds, stmt.expr);
      goto_label_ = program_.LabelOf(stmt, static_cast<uint32_t>(index));
      return Flow::Goto;
    }
    case StmtKind::Barrier: return ExecBarrier(stmt);
    case StmtKind::kCount: break;
  }
  CHECK_MSG(false, "statement {} of unknown kind", id.index);
  return Flow::Next;
}

Flow Machine::Impl::ExecIf(const Stmt& stmt) {
  if (seeking_) return ExecBody(LeadsToLabel(stmt.body) ? stmt.body : stmt.other);
  if (FullTruth(stmt.expr)) return ExecBody(stmt.body);
  return stmt.other.Valid() ? ExecBody(stmt.other) : Flow::Next;
}

bool Machine::Impl::LoopCondition(StmtId loop) {
  frame_.stmt = loop;
  if (author_ != nullptr &&
      ((options_.soft_budget != 0 && steps_ > options_.soft_budget) || steps_ > author_->Deadline(loop))) {
    Trap trap;
    trap.kind = TrapKind::StepBudget;
    trap.stmt = loop;
    trap.function = frame_.function;
    const lang::ExprId condition = program_.stmts[loop].expr;
    if (condition.Valid()) trap.prior_executions = counts_[condition.index];
    AskAuthor(trap);
  }
  const lang::ExprId condition = program_.stmts[loop].expr;
  if (!condition.Valid()) {
    Tick();
    return true;
  }
  return FullTruth(condition);
}

Flow Machine::Impl::ExecLoop(StmtId id, const Stmt& stmt) {
  bool test_first = stmt.kind != StmtKind::DoWhile;
  if (stmt.kind == StmtKind::For && stmt.var.Valid()) {
    if (seeking_) {
      Skip(stmt.var);
    } else {
      Declare(stmt.var);
    }
  } else if (stmt.kind == StmtKind::For && stmt.init.Valid() && !seeking_) {
    Full(stmt.init, true);
  }
  if (seeking_) test_first = false;
  for (;;) {
    if (test_first && !LoopCondition(id)) return Flow::Next;
    test_first = true;
    const Flow flow = ExecBody(stmt.body);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return || flow == Flow::Goto) return flow;
    const lang::ExprId step = program_.stmts[id].step;
    if (stmt.kind == StmtKind::For && step.Valid()) {
      frame_.stmt = id;
      Full(step, true);
    }
  }
}

Flow Machine::Impl::ExecSwitch(const Stmt& stmt) {
  Flow flow;
  if (seeking_) {
    flow = ExecBody(stmt.body);
  } else {
    const ScalarType type = PromotedOf(stmt.expr);
    const Value value = Full(stmt.expr);
    const std::vector<StmtId>& stmts = program_.blocks[stmt.body].stmts;
    size_t target = stmts.size(), otherwise = stmts.size();
    for (size_t i = 0; i < stmts.size() && target == stmts.size(); ++i) {
      const Stmt& marker = program_.stmts[stmts[i]];
      if (marker.kind == StmtKind::Case && value - Wrap(type, static_cast<Value>(marker.value)) <= marker.span)
        target = i;
      if (marker.kind == StmtKind::Default) otherwise = i;
    }
    if (target == stmts.size()) target = otherwise;
    if (target == stmts.size()) return Flow::Next;
    flow = ExecBlock(stmt.body, target);
  }
  return flow == Flow::Break ? Flow::Next : flow;
}

// The operand is copied to where the compiler does not see it, and back. Each is a full expression of its own.
Flow Machine::Impl::ExecBarrier(const Stmt& stmt) {
  if (!stmt.expr.Valid()) return Flow::Next;
  const FullScope scope = BeginFull(stmt.expr);
  const LValue place = EvalLvalue(stmt.expr);
  Value value = 0;
  TrapKind trap = Load(place, value);
  if (trap == TrapKind::None && lang::Info(static_cast<lang::BarrierKind>(stmt.value)).writes)
    trap = Store(place, value);
  if (trap != TrapKind::None) StopAt(trap, stmt.expr);
  EndFull(scope);
  return Flow::Next;
}

// What the function promises of the pointer it returns.
void Machine::Impl::CheckResult(lang::ExprId expr, lang::TypeId pointee) {
  const uint32_t attrs = program_.functions[frame_.function].attrs;
  if (author_ != nullptr) {
    ++calls_[frame_.function.index].results;
    calls_[frame_.function.index].null_result |= frame_.result == 0;
  }
  if (frame_.result == 0) {
    if (attrs & lang::kFnReturnsNonNull) StopAt(TrapKind::NullResult, expr);
    return;
  }
  if ((attrs & lang::kFnAssumeAligned) == 0) return;
  const Pointer& p = pointers_[static_cast<PointerHandle>(frame_.result)];
  const uint32_t align = facts_[pointee].align;
  if (p.object == kNoObject || p.offset % align != 0 || align > memory_[p.object].align)
    StopAt(TrapKind::Misaligned, expr);
}

Flow Machine::Impl::ExecReturn(const Stmt& stmt) {
  if (!stmt.expr.Valid()) return Flow::Return;
  const lang::TypeId type = facts_[program_.functions[frame_.function].type].element;
  const FullScope scope = BeginFull(stmt.expr);
  const uint32_t index = counts_[stmt.expr.index];
  const lang::Expr e = program_.exprs[stmt.expr];
  Value value = Eval(stmt.expr);
  if (facts_[type].cls == TypeClass::Record) {
    if (frame_.result_object != kNoObject) StoreScalar(Whole(frame_.result_object, 0, type), value);
  } else if (facts_[type].cls == TypeClass::Pointer && value != 0) {
    // The address of an object of this call would dangle at once.
    const auto dies = [this](Value pointer) {
      if (pointer == 0) return false;
      const Pointer& p = pointers_[static_cast<PointerHandle>(pointer)];
      return p.object != kNoObject && p.serial >= frame_.first_serial &&
             !(memory_[p.object].flags & (kObjectHeap | kObjectStatic));
    };
    if (dies(value)) {
      const Known known[] = {KnownValue(stmt.expr, value)};
      value = Retry(TrapKind::DanglingPointer, stmt.expr, e, index, known);
      if (dies(value)) StopAt(TrapKind::DanglingPointer, stmt.expr);
    }
  }
  frame_.result = Converted(FactsOf(stmt.expr).scalar, facts_[type].scalar, value);
  frame_.has_result = true;
  if (facts_[type].cls == TypeClass::Pointer) CheckResult(stmt.expr, facts_[type].element);
  if (IsHandle(facts_[type].cls)) [[unlikely]] {  // made anew for the caller
    const std::span<const Value> kept = LanesOf(frame_.result, type);
    Lanes lanes;
    std::copy(kept.begin(), kept.end(), lanes.begin());
    EndFull(scope);
    frame_.result = wide_.Make(std::span(lanes.data(), kept.size()));
    return Flow::Return;
  }
  EndFull(scope);
  return Flow::Return;
}

}  // namespace assay::machine
