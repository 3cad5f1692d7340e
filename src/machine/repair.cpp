// Traps. Without an author a trap ends the run. With one, the author rewrites the operation in place and it is
// evaluated again, its operands standing for the values they already have: nothing is executed twice.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::Expr;
using lang::ExprId;

namespace {

bool SameNode(const Expr& a, const Expr& b) {
  if (a.kind != b.kind || a.op != b.op || a.detail != b.detail || a.type != b.type || a.lhs != b.lhs ||
      a.rhs != b.rhs || a.third != b.third || a.ref != b.ref) {
    return false;
  }
  if (!Info(a.kind).has_args) return a.value == b.value;
  return a.args.first == b.args.first && a.args.count == b.args.count;
}

// The operands are evaluated into temporaries, in order.
bool IsOrderRepair(TrapKind kind) {
  return kind == TrapKind::Unsequenced || kind == TrapKind::OrderDependent || kind == TrapKind::Overlap;
}

}  // namespace

void Machine::Impl::StopAt(TrapKind kind, ExprId expr) {
  throw Stop{MakeTrap(kind, expr, expr.Valid() ? counts_[expr.index] : 0, {}, false)};
}

Trap Machine::Impl::MakeTrap(TrapKind kind, ExprId id, uint32_t index, std::span<const Known> operands, bool lvalue) {
  Trap trap;
  trap.kind = kind;
  trap.expr = id;
  trap.stmt = frame_.stmt;
  trap.function = frame_.function;
  trap.prior_executions = id.Valid() && counts_[id.index] > 0 ? counts_[id.index] - 1 : index;
  trap.completed_executions = id.Valid() && author_ != nullptr ? completed_[id.index] : index;
  trap.lvalue = lvalue;
  trap.reentered = id.Valid() && (counts_[id.index] > index + 1 || (author_ != nullptr && uncountable_[id.index]));
  for (const Known& known : operands) {
    trap.operands.push_back({known.expr, known.is_lvalue ? PointerTo(known.lvalue) : known.value, known.is_lvalue});
  }
  return trap;
}

bool Machine::Impl::AskAuthor(const Trap& trap) {
  moved_from_ = moved_to_ = {};
  repairing_ = trap.expr;
  if (trap.expr.Valid()) repairing_kind_ = program_.exprs[trap.expr].kind;
  repairing_order_ = IsOrderRepair(trap.kind);
  // Nodes made by the repair would have been executed as often as the one they belong to. What puts operands in order
  // will also be executed by the outer executions that are under way (Reordered).
  const bool outer_will = repairing_order_ && repairing_kind_ != lang::ExprKind::Index;
  new_node_completed_ = static_cast<uint32_t>(trap.completed_executions);
  new_node_count_ = outer_will ? new_node_completed_ : static_cast<uint32_t>(trap.prior_executions);
  repairing_in_progress_ = trap.prior_executions != trap.completed_executions;
  const bool repaired = author_->Repair(trap);
  Sync();
  repairing_ = {};
  new_node_count_ = new_node_completed_ = 0;
  return repaired;
}

// Only repairs of the order make a node that has been executed a comma.
bool Machine::Impl::InOrderNow(ExprId id, const Expr& e) const {
  const Expr& now = program_.exprs[id];
  return now.kind == lang::ExprKind::Comma && now.repaired && !SameNode(now, e);
}

// A recursive call may have repaired the node while its operands were being evaluated here. If it put a counter in
// front, this execution, which began before, is among those that the counter lets pass: go on behind it.
ExprId Machine::Impl::CurrentPlace(ExprId id, const Expr& e, uint32_t index) const {
  ExprId place = id;
  for (;;) {
    const Expr& now = program_.exprs[place];
    if (SameNode(now, e) || now.kind != lang::ExprKind::Guard || now.detail != 0 || index >= now.value) return place;
    place = now.lhs;
  }
}

void Machine::Impl::CompletedBehind(ExprId id, const Expr& e, uint32_t index) {
  for (const ExprId last = CurrentPlace(id, e, index); id != last;) {
    id = program_.exprs[id].lhs;
    ++completed_[id.index];
  }
}

// Returns the node to evaluate again: `id`, or where it has been moved to.
ExprId Machine::Impl::PrepareRetry(TrapKind kind, ExprId id, const Expr& e, uint32_t index,
                                   std::span<const Known> operands, bool lvalue, bool for_address) {
  Trap trap = MakeTrap(kind, id, index, operands, lvalue);
  trap.address = for_address;
  if (author_ == nullptr || probing_) throw Stop{std::move(trap)};
  const ExprId place = CurrentPlace(id, e, index);
  --counts_[place.index];  // evaluating it again counts again
  if (SameNode(program_.exprs[place], e)) {
    if (place != id) {
      trap = MakeTrap(kind, place, index, operands, lvalue);
      trap.prior_executions = counts_[place.index];
      trap.reentered = true;
      trap.address = for_address;
    }
    if (!AskAuthor(trap)) throw Stop{std::move(trap)};
    // A tree that contains itself would be evaluated for ever.
    const Expr& now = program_.exprs[place];
    CHECK_MSG(now.lhs != place && now.rhs != place && now.third != place,
              "the repair of a {} trap made expression {} its own operand", Info(kind).name, place.index);
    // A repair elsewhere (an initialiser, say) may leave the node as it is, but not for ever.
    const bool unchanged = SameNode(now, e);
    idle_repairs_ = unchanged && last_repaired_ == place ? idle_repairs_ + 1 : 0;
    last_repaired_ = place;
    if (idle_repairs_ > 2) throw Stop{std::move(trap)};
  } else {
    // The new tree may read in another order than this execution did, and here the order matters.
    const bool order = kind == TrapKind::Unsequenced || kind == TrapKind::OrderDependent;
    if (order && !InOrderNow(place, e)) throw Stop{std::move(trap)};
    moved_from_ = moved_to_ = {};
  }
  for (Known known : operands) {
    if (known.expr == id) {
      if (moved_from_ != place) continue;
      known.expr = moved_to_;
    }
    known_.push_back(known);
  }
  KnowAgain();
  return place;
}

Value Machine::Impl::Retry(TrapKind kind, ExprId id, const Expr& e, uint32_t index, std::span<const Known> operands) {
  if (probing_) {  // what is probed has no side effects: going on with any value is cheaper than an exception
    probe_failed_ = true;
    return 0;
  }
  const size_t base = known_.size();
  const ExprId place = PrepareRetry(kind, id, e, index, operands, false, false);
  const Value value = Eval(place);
  --completed_[place.index];  // it ends once
  Uncount(base);
  known_.resize(base);
  KnowAgain();
  return value;
}

LValue Machine::Impl::RetryLvalue(TrapKind kind, ExprId id, const Expr& e, uint32_t index,
                                  std::span<const Known> operands, bool for_address) {
  const size_t base = known_.size();
  const ExprId place = PrepareRetry(kind, id, e, index, operands, true, for_address);
  const LValue lvalue = EvalLvalue(place, for_address);
  if (place == id) --completed_[id.index];
  Uncount(base);
  known_.resize(base);
  KnowAgain();
  return lvalue;
}

void Machine::Impl::Uncount(size_t known_base) {
  for (size_t i = known_base; i < known_.size(); ++i) {
    if (known_[i].used) continue;
    const ExprId root = known_[i].expr;
    if (probing_) continue;
    // It has no side effect (else it could not have been left out): evaluating it again takes the same way through it.
    std::vector<ExprId> nodes = {root};
    for (size_t n = 0; n < nodes.size(); ++n) {
      lang::ForEachChild(program_, program_.exprs[nodes[n]], [&](ExprId child) { nodes.push_back(child); });
    }
    scratch_counts_.resize(expr_counts_.size());
    std::vector<uint32_t> before;
    for (ExprId node : nodes) before.push_back(scratch_counts_[node.index]);
    Probe(root);
    for (size_t n = 0; n < nodes.size(); ++n) {
      const uint32_t times = scratch_counts_[nodes[n].index] - before[n];
      expr_counts_[nodes[n].index] -= std::min(times, expr_counts_[nodes[n].index]);
      completed_[nodes[n].index] -= std::min(times, completed_[nodes[n].index]);
    }
  }
}

const Known* Machine::Impl::FindKnown(ExprId id) const {
  for (size_t i = known_.size(); i > frame_.known_base; --i) {
    if (known_[i - 1].expr == id) {
      known_[i - 1].used = true;
      return &known_[i - 1];
    }
  }
  return nullptr;
}

}  // namespace assay::machine
