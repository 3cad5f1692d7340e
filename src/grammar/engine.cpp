// The sub-problems: beginning, solving, failing. See engine.hpp for the idea.
#include "grammar/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "support/check.hpp"

namespace assay::grammar {

namespace {

// Binds the session to this thread for as long as it lives.
class Bound {
 public:
  Bound(const runtime::Table& table, void* session) : table_(table) { table_.bind_session(session); }
  ~Bound() { table_.bind_session(nullptr); }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

 private:
  const runtime::Table& table_;
};

}  // namespace

Engine::Engine(const Plan& plan)
    : plan_(plan),
      tree_(plan),
      patterns_(plan, tree_),
      session_(plan.table.open_session()),
      scratch_(plan.largest_block + 16) {}

Engine::~Engine() { plan_.table.close_session(session_); }

support::Result<void> Engine::Build(uint64_t seed, const EngineOptions& options) {
  session_seed_ = support::Mix64(seed);
  return Run(seed, options);
}

void Engine::StartAfresh(uint64_t seed, uint64_t attempt) {
  choices_ = choice::Choices(attempt == 0 ? seed : support::Mix64(seed + attempt)).Derive("grammar");
  plan_.table.reset_session(session_, session_seed_);
  frames_.clear();
  ready_.clear();
  expand_.clear();
  gained_.clear();
  lost_.clear();
  patterns_.Clear();
  tree_.Reset();
  failed_ = runtime::kNone;
  failed_contexts_.assign(plan_.classes.size(), {});
  if (script_) {
    script_at_.clear();
    SetScript(tree_.Root(), Redirect(0));
    tree_.next_serial = script_->base->next_serial;
  }
  Begin(tree_.Root());
}

support::Result<void> Engine::Run(uint64_t seed, const EngineOptions& options) {
  options_ = options;
  statistics_ = {};
  Bound bound(plan_.table, session_);
  try {
    for (uint64_t attempt = 0;; ++attempt) {
      StartAfresh(seed, attempt);
      bool going = true;
      while (going && !frames_.empty()) {
        going = Step();
        if (options.give_up != 0 && statistics_.alternatives > options.give_up) {
          return support::EnvironmentError("gave up, as asked");
        }
      }
      if (going) break;
      if (script_) return support::EnvironmentError("the derivation does not fit");
      ++statistics_.restarts;
    }
  } catch (const std::exception& error) {
    return Explain(error.what());
  }
  tree_[tree_.Root()].done = true;
  statistics_.nodes = tree_.Expanded();
  return {};
}

support::Error Engine::Explain(const char* what) const {
  const runtime::ProductionRow& row = plan_.Row(at_production_);
  std::string rule;
  if (at_rule_) {
    uint32_t node = at_rule_->node;
    uint32_t target = node == 0 ? row.class_id : row.children[node - 1].class_id;
    rule = fmt::format(", rule of {}.{}", node == 0 ? "this" : row.children[node - 1].name,
                       plan_.ClassRow(target).attributes[at_rule_->attribute].name);
  }
  return support::UsageError(fmt::format("{}:{}: in {}.{}{}: {}", plan_.table.file, at_line_,
                                         plan_.ClassRow(row.class_id).name, row.name, rule, what));
}

void Engine::Begin(NodeId node) {
  ++statistics_.sub_problems;
  Frame frame;
  frame.root = node;
  frame.ready_begin = frame.ready_next = ready_.size();
  frame.expand_begin = expand_.size();
  frame.level = patterns_.Now();
  frame.first_pattern = patterns_.Count();
  frame.given = 0;
  if (!frames_.empty() && patterns_.Count() > frames_.back().first_pattern) {
    const Frame& outer = frames_.back();
    patterns_.ActiveAt(outer.first_pattern, outer.root, node, active_);
    for (Patterns::Part part : active_) patterns_.Add(part);
    frame.given = active_.size();
  }
  frames_.push_back(frame);
  expand_.push_back(tree_.HandleOf(node));
}

bool Engine::Step() {
  Frame& frame = frames_.back();
  if (frame.guard_failed) {
    LearnGuard(frame);
    return Retry();
  }
  while (expand_.size() > frame.expand_begin) {
    if (!ExpandNext(frame)) {
      Outcome outcome = choice_too_high_ ? Outcome::TooHigh : Outcome::Failed;
      if (failed_ == frame.root) return Fail(outcome);
      LearnFailure(frame, failed_, outcome);
      return Retry();
    }
    if (frame.guard_failed) return true;
  }
  NodeId next = NextReady(frame);
  if (next == runtime::kNone) return Solved();
  if (plan_.ClassRow(tree_[next].class_id).generator) {
    if (SolveGenerator(next)) {
      SolvedNode(next);
      return true;
    }
  } else if (!KnownToFail(next)) {
    Begin(next);
    return true;
  }
  ++statistics_.failures;
  PushReady(next);
  LearnFailure(frame, next, Outcome::Failed);
  return Retry();
}

NodeId Engine::NextReady(Frame& frame) {
  while (frame.ready_next < ready_.size()) {
    NodeHandle handle = ready_[frame.ready_next++];
    if (!tree_.Alive(handle)) continue;
    if (tree_[handle.id].production == runtime::kNone && InheritedKnown(handle.id)) return handle.id;
  }
  ready_.resize(frame.ready_begin);
  frame.ready_next = frame.ready_begin;
  return runtime::kNone;
}

// Everything below the root is built.
bool Engine::Solved() {
  Frame& frame = frames_.back();
  const runtime::Node& root = tree_[frame.root];
  const ClassPlan& plan = tree_.ClassPlanOf(frame.root);
  // A guard that was false when an earlier one was repaired may still be.
  const runtime::ClassRow& row = tree_.ClassOf(frame.root);
  for (uint32_t a = 0; plan.guards >> a; ++a) {
    if (!((plan.guards >> a) & 1)) continue;
    bool holds = false;
    std::memcpy(&holds, root.slots + row.attributes[a].offset, 1);
    if (holds && ((root.known >> a) & 1)) continue;
    frame.guard_failed = true;
    frame.failed_guard = plan_.productions[root.production].RuleOf(0, a);
    return true;
  }
  CHECK_MSG((root.known & plan.synthesized) == plan.synthesized, "{}: synthesized attributes missing", row.name);
  NodeId node = frame.root;
  Leave();
  if (!frames_.empty()) SolvedNode(node);
  return true;
}

void Engine::Leave() {
  const Frame& frame = frames_.back();
  ready_.resize(frame.ready_begin);
  expand_.resize(frame.expand_begin);
  patterns_.Return(frame.level);
  frames_.pop_back();
}

void Engine::SolvedNode(NodeId node) {
  tree_[node].done = true;
  uint64_t synthesized = tree_.ClassPlanOf(node).synthesized;
  for (uint32_t a = 0; synthesized >> a; ++a) {
    if ((synthesized >> a) & 1) Gained(node, a);
  }
  Propagate();
}

bool Engine::Fail(Outcome outcome) {
  if (script_ && !script_->rederive) return false;
  for (;;) {
    ++statistics_.failures;
    NodeId node = frames_.back().root;
    const Frame& failed = frames_.back();
    if (outcome == Outcome::Failed && failed.given == 0 && !failed.too_high && !failed.capped) {
      RememberFailure(node);
    }
    if (tree_[node].production != runtime::kNone) Deconstruct(node);
    Leave();
    if (frames_.empty()) return false;
    PushReady(node);
    Frame& outer = frames_.back();
    LearnFailure(outer, node, outcome);
    if (TryAlternative(outcome)) return true;
  }
}

bool Engine::Retry() {
  if (script_ && !script_->rederive) return false;
  Outcome outcome = Outcome::Failed;
  if (TryAlternative(outcome)) return true;
  return Fail(outcome);
}

bool Engine::TryAlternative(Outcome& outcome) {
  Frame& frame = frames_.back();
  ++frame.alternatives;
  if (++statistics_.alternatives > options_.effort * (statistics_.restarts + 1)) {
    // Nothing comes of this program: give all of it up, from the outside.
    while (frames_.size() > 1) Leave();
    outcome = Outcome::Failed;
    return false;
  }
  const runtime::ClassRow& row = tree_.ClassOf(frame.root);
  uint32_t limit = row.max_alternatives != runtime::kNone ? row.max_alternatives : options_.max_alternatives;
  bool outermost = frames_.size() == 1;
  if (frame.alternatives > limit && !outermost) {
    outcome = frame.too_high ? Outcome::TooHigh : Outcome::Failed;
    frame.capped = true;
    if (frame.restarts >= 1 || row.max_alternatives != runtime::kNone) return false;
    Restart(frame);
    return true;
  }
  if (Alternative(frame)) return true;
  outcome = frame.too_high ? Outcome::TooHigh : Outcome::Failed;
  return false;
}

void Engine::GatherInherited(NodeId node) {
  const runtime::ClassRow& row = tree_.ClassOf(node);
  inherited_.clear();
  for (uint32_t a = 0; a < row.attribute_count; ++a) {
    const runtime::AttributeRow& attribute = row.attributes[a];
    if (attribute.kind != runtime::AttributeKind::Inherited) continue;
    const std::byte* value = tree_[node].slots + attribute.offset;
    inherited_.insert(inherited_.end(), value, value + attribute.size);
  }
}

bool Engine::KnownToFail(NodeId node) {
  const FailedContexts& contexts = failed_contexts_[tree_[node].class_id];
  if (contexts.count == 0) return false;
  GatherInherited(node);
  for (uint32_t i = 0; i < contexts.count; ++i) {
    if (std::equal(inherited_.begin(), inherited_.end(),
                   contexts.bytes.begin() + static_cast<ptrdiff_t>(i * inherited_.size()))) {
      return true;
    }
  }
  return false;
}

void Engine::RememberFailure(NodeId node) {
  constexpr uint32_t kMost = 8;
  if (!options_.generalise || script_) return;
  FailedContexts& contexts = failed_contexts_[tree_[node].class_id];
  GatherInherited(node);
  if (contexts.count < kMost) {
    contexts.bytes.insert(contexts.bytes.end(), inherited_.begin(), inherited_.end());
    ++contexts.count;
  } else {
    std::copy(inherited_.begin(), inherited_.end(),
              contexts.bytes.begin() + static_cast<ptrdiff_t>(contexts.next * inherited_.size()));
    contexts.next = (contexts.next + 1) % kMost;
  }
}

// From the beginning, with other choices and without what was learned inside.
void Engine::Restart(Frame& frame) {
  ++statistics_.restarts;
  ++frame.restarts;
  frame.alternatives = 0;
  frame.too_high = false;
  frame.guard_failed = false;
  if (tree_[frame.root].production != runtime::kNone) Deconstruct(frame.root);
  Patterns::Level level = frame.level;
  patterns_.Return({level.patterns + frame.given, level.pool});
  ready_.resize(frame.ready_begin);
  frame.ready_next = frame.ready_begin;
  expand_.resize(frame.expand_begin);
  expand_.push_back(tree_.HandleOf(frame.root));
}

bool Engine::SolveGenerator(NodeId node) {
  uint32_t production = tree_.ClassOf(node).first_production;
  const runtime::ProductionRow& row = plan_.Row(production);
  const Frame& frame = frames_.back();
  ++statistics_.sub_problems;
  excluded_values_.clear();
  if (patterns_.Count() > frame.first_pattern) {
    patterns_.ActiveAt(frame.first_pattern, frame.root, node, active_);
    for (Patterns::Part part : active_) {
      if (part == kWildcard) return false;
      excluded_values_.push_back(patterns_.ValueOf(part));
    }
  }
  std::memset(scratch_.data() + row.flags_offset, 0, row.flags_count);
  runtime::Context context{tree_[node].slots, scratch_.data(), uint64_t{tree_[node].serial} + 1, nullptr};
  at_production_ = production;
  at_line_ = row.line;
  at_rule_ = nullptr;
  const void* values = nullptr;
  uint32_t count = row.generate(context, &values);
  uint32_t scripted = ScriptedValue(node, row, values, count);
  if (script_ && !script_->rederive && ScriptOf(node) != runtime::kNone && scripted == runtime::kNone) {
    return false;
  }
  for (;;) {
    std::sort(excluded_values_.begin(), excluded_values_.end());
    auto last = std::unique(excluded_values_.begin(), excluded_values_.end());
    excluded_values_.erase(last, excluded_values_.end());
    while (!excluded_values_.empty() && excluded_values_.back() >= count) excluded_values_.pop_back();
    auto free = count - static_cast<uint32_t>(excluded_values_.size());
    if (count == 0 || free == 0) return false;
    uint32_t value = choices_.Below(free);
    for (uint32_t excluded : excluded_values_) value += excluded <= value ? 1 : 0;
    if (scripted != runtime::kNone && !std::ranges::binary_search(excluded_values_, scripted)) value = scripted;
    std::memcpy(tree_[node].slots + row.value_offset,
                static_cast<const std::byte*>(values) + size_t{value} * row.value_size, row.value_size);
    tree_.Expand(node, production);
    tree_[node].value = value;
    ++statistics_.created;
    if (FinishGenerator(node, row)) return true;
    tree_.Collapse(node);
    excluded_values_.push_back(value);
  }
}

// The rules of a generator production need inherited attributes and the value only.
bool Engine::FinishGenerator(NodeId node, const runtime::ProductionRow& row) {
  const runtime::ClassRow& owner = tree_.ClassOf(node);
  for (uint32_t r = 0; r < row.rule_count; ++r) {
    const runtime::RuleRow& rule = row.rules[r];
    Evaluate(node, rule);
    tree_[node].known |= uint64_t{1} << rule.attribute;
    if (owner.attributes[rule.attribute].kind != runtime::AttributeKind::Guard) continue;
    bool holds = false;
    std::memcpy(&holds, tree_[node].slots + owner.attributes[rule.attribute].offset, 1);
    if (!holds) return false;
  }
  return true;
}

bool Engine::Complete() const {
  std::vector<NodeId> work = {tree_.Root()};
  while (!work.empty()) {
    NodeId at = work.back();
    work.pop_back();
    const runtime::Node& node = tree_[at];
    const ClassPlan& plan = tree_.ClassPlanOf(at);
    uint64_t all = plan.inherited | plan.synthesized | plan.guards;
    if (node.production == runtime::kNone || (node.known & all) != all) return false;
    const runtime::ClassRow& row = tree_.ClassOf(at);
    for (uint32_t a = 0; a < row.attribute_count; ++a) {
      if (row.attributes[a].kind != runtime::AttributeKind::Guard) continue;
      bool holds = false;
      std::memcpy(&holds, node.slots + row.attributes[a].offset, 1);
      if (!holds) return false;
    }
    for (uint32_t c = 0; c < plan_.Row(node.production).child_count; ++c) {
      if (tree_[node.first_child + c].parent != at) return false;
      work.push_back(node.first_child + c);
    }
  }
  return true;
}

}  // namespace assay::grammar
