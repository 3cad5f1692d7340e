#include "gen/generate.hpp"

#include <algorithm>

#include "gen/attributes.hpp"
#include "gen/budget.hpp"
#include "gen/call.hpp"
#include "gen/dead.hpp"
#include "gen/expr.hpp"
#include "gen/floats.hpp"
#include "gen/operators.hpp"
#include "gen/repairs.hpp"
#include "gen/shuffle.hpp"
#include "gen/stmt.hpp"
#include "gen/swarm.hpp"
#include "gen/types.hpp"
#include "gen/vectors.hpp"
#include "gen/wide.hpp"

namespace assay::gen {
namespace {

constexpr uint32_t kLeastRoom = 24;       // of a statement
constexpr uint64_t kMostTimes = 20;       // the usual steps, that a program may take
constexpr uint32_t kReturnTokens = 8;     // of a function whose body is not written yet
constexpr uint32_t kTemporaryTokens = 4;  // the declaration of a temporary

// Repairs may add a call of a wrapper at any depth: the clean run may go a little deeper than the writing one.
constexpr uint32_t kDepthReserve = 8;

constexpr uint64_t kLeastBudget = 200'000;  // steps, for the smallest programs

constexpr int64_t kLeastTokens = 250;  // the frame and a small function: the lower end of the knob

uint32_t DrawSize(const knobs::Knobs& knobs, choice::Choices& choices) {
  const int64_t percent = 100 + choices.Between(-knobs.tokens_spread, knobs.tokens_spread);
  return static_cast<uint32_t>(std::max<int64_t>(kLeastTokens, knobs.tokens * percent / 100));
}

// Most programs are quick to write; a few have loops that run for long.
uint64_t DrawSteps(const knobs::Knobs& knobs, uint32_t tokens, choice::Choices& choices) {
  static constexpr uint64_t kTimes[] = {1, 2, 5, kMostTimes};
  return static_cast<uint64_t>(tokens) * static_cast<uint64_t>(knobs.steps_per_token) *
         kTimes[choices.Weighted({54, 25, 16, 5})];
}

void MakeEntry(Writer& w) {
  const FunctionId entry = NewFunction(w, w.program.types.Function(w.program.types.Basic(TypeKind::Void), {}));
  w.program.entry = entry;
  w.program.functions[entry].attrs = lang::kFnStatic;
  w.Plan(entry).token_limit = 0xffffffffu;
}

// Every final value of the generating run must stand again in the clean run. (Dead places may have added globals.)
void ConfirmSame(const machine::RunResult& written, const machine::RunResult& clean, uint64_t seed) {
  CHECK_MSG(clean.trap.kind == machine::TrapKind::None,
            "seed {}: the finished program traps: {} at expression {}, statement {}, after {} executions", seed,
            machine::Info(clean.trap.kind).name, clean.trap.expr.index, clean.trap.stmt.index,
            clean.trap.prior_executions);
  size_t at = 0;
  for (const machine::FinalScalar& final : written.finals) {
    while (at < clean.finals.size() && !(clean.finals[at].var == final.var && clean.finals[at].path == final.path))
      ++at;
    CHECK_MSG(at < clean.finals.size(), "seed {}: a global is missing in the clean run", seed);
    const machine::FinalScalar& other = clean.finals[at];
    CHECK_MSG(other.state == final.state && other.value == final.value && other.target == final.target,
              "seed {}: global {} is {} after generation, {} after the clean run", seed, final.var.index, final.value,
              other.value);
  }
}

bool NeedsOrder(machine::TrapKind kind) {
  return kind == machine::TrapKind::OrderDependent || kind == machine::TrapKind::Unsequenced;
}

// A repair made late may add a counter that two calls in one expression share, which makes an earlier execution of that
// expression depend on the order of the calls. Running again with only this repair allowed puts the calls in order.
class CallOrderer : public machine::Author {
 public:
  explicit CallOrderer(Writer& w) : w_(w) {}
  bool Extend(BlockId) override { return false; }
  bool Repair(const machine::Trap& trap) override { return NeedsOrder(trap.kind) && w_.Repair(trap); }

 private:
  Writer& w_;
};

// Whether all of it could be put in order.
bool OrderCalls(Writer& w, const machine::Options& clean_options) {
  CallOrderer orderer(w);
  machine::Options options = clean_options;
  options.author = &orderer;
  machine::Machine machine(w.program, options);
  w.machine = &machine;
  const bool ordered = machine.Run().trap.kind == machine::TrapKind::None;
  w.machine = nullptr;
  return ordered;
}

// if (depth <= 0) return …; the remaining depth of a recursive function is its first parameter.
void WriteDepthCheck(Writer& w) {
  const ExprId depth = w.build.Var(w.program.functions[w.scope.function].params.front());
  lang::Stmt stop{.kind = StmtKind::Return};
  stop.expr = ReturnValue(w);
  AppendIf(w, w.build.Binary(BinaryOp::Le, depth, w.build.Int(0)), stop);
}

// A repair puts a long where an int64_t stood. Operators do not show the difference, but the type of a comma does.
void RetypeCommas(lang::Program& program) {
  for (bool changed = true; changed;) {
    changed = false;
    for (lang::Expr& e : program.exprs) {
      if (e.kind != ExprKind::Comma) continue;
      const TypeId type = lang::ValueType(program, e.rhs);
      changed = changed || type != e.type;
      e.type = type;
    }
  }
}

// What brings definitions along takes up to a hundred tokens for them: functions that show floating numbers, macros of
// overflow tests, strings and the sign of their order. The smallest programs have no room for it.
void DoWithoutDefinitions(knobs::Knobs& knobs) {
  constexpr int32_t kLeastTokens = 400;
  if (knobs.tokens < kLeastTokens) knobs.floats = knobs.expr_overflow_test = knobs.stmt_string = 0;
}

// One attempt; nothing if a trap could not be repaired.
std::optional<Generated> Attempt(uint64_t seed, const knobs::Knobs& knobs, const lang::DataModel& model,
                                 uint32_t attempt, const Watch& watch) {
  choice::Choices choices = choice::Choices(seed).Derive(attempt == 0 ? "c" : fmt::format("c{}", attempt));
  Generated made;
  made.program.model = model;
  made.program.provenance = {ProgramVersion(), seed, knobs::Serialize(knobs)};
  knobs::Knobs own = Shuffled(Swarm(Mixed(knobs, choices), choices), choices);
  DoWithoutDefinitions(own);
  DrawFloatMode(own, made.program, choices);
  DrawVectors(own, made.program, choices);
  DrawWide(own, made.program, choices);

  Writer w(made.program, own, choices);
  w.token_target = DrawSize(knobs, w.choices);
  w.planned_steps = DrawSteps(knobs, w.token_target, w.choices);
  made.program.exprs.Reserve(w.token_target / 2);
  w.written.Reserve(w.token_target / 2);
  DrawProgramPolicy(w);
  MakeEnums(w);
  MakeVectorTypes(w);
  MakeSignatures(w);
  MakeRecords(w);
  MakeGlobals(w);
  MakeEntry(w);
  w.Measure();
  w.token_end = std::max(w.token_target, w.Tokens() + w.token_target / 6);  // a small program is mostly its frame

  machine::Options options = RunOptions(knobs);
  machine::RunResult written;
  std::vector<machine::CallsSeen> calls;
  {
    options.author = &w;
    options.tracer = watch.writing;
    options.soft_budget = 2 * w.planned_steps;
    // What no repair has brought to an end by then is not worth waiting for: another attempt is quicker.
    options.step_budget = std::min(options.step_budget, std::max(kLeastBudget, 8 * w.planned_steps));
    options.recursion_depth -= kDepthReserve;
    machine::Machine machine(made.program, options);
    w.machine = &machine;
    written = machine.Run();  // writes the program while running it
    calls.assign(machine.Calls().begin(), machine.Calls().end());
    w.machine = nullptr;
  }
  if (written.trap.kind != machine::TrapKind::None) return std::nullopt;
  FillDeadPlaces(w);
  RetypeCommas(made.program);
  WriteAttributes(w, calls);

  machine::Options clean_options = RunOptions(knobs);
  clean_options.tracer = watch.clean;
  auto clean = std::make_unique<machine::Machine>(made.program, clean_options);
  made.result = clean->Run();
  for (int round = 0; round < 4 && NeedsOrder(made.result.trap.kind); ++round) {
    if (!OrderCalls(w, RunOptions(knobs))) return std::nullopt;
    DropUntrueAttributes(made.program);
    clean = std::make_unique<machine::Machine>(made.program, clean_options);
    made.result = clean->Run();
  }
  if (watch.finished) watch.finished(made.program);
  ConfirmSame(written, made.result, seed);
  const std::span<const uint32_t> exprs = clean->ExprExecutions(), stmts = clean->StmtExecutions();
  made.statement_runs.assign(stmts.begin(), stmts.begin() + made.program.stmts.Size());
  made.counters = w.counters;
  for (const Written& written : w.written.All()) {
    const bool statement = Info(written.by).of == WriterClass::Statement;
    made.counters.writers[static_cast<size_t>(written.by)].executed += (statement ? stmts : exprs)[written.root] > 0;
  }
  made.shapes = std::move(w.nests.written);
  for (const WrittenShape& shape : made.shapes) {
    ShapeCounters& counters = made.counters.shapes[static_cast<size_t>(shape.shape)];
    const uint64_t runs = made.statement_runs[shape.first];
    counters.executed += runs > 0;
    uint64_t most = 0;
    for (uint32_t i = shape.first_made; i < shape.end_made; ++i) most = std::max(most, made.statement_runs[i]);
    counters.looped += runs > 0 && most > runs;
  }
  made.patterns.resize(PatternCount());
  for (const WrittenPattern& use : w.patterns) {
    ++made.patterns[use.pattern].written;
    made.patterns[use.pattern].executed += clean->Executions(use.root) > 0;
  }
  made.attempts = attempt + 1;
  made.tokens_wanted = w.token_target;
  made.tokens_estimated = w.Tokens();
  return made;
}

}  // namespace

Writer::Writer(lang::Program& program_, const knobs::Knobs& knobs_, choice::Choices choices_)
    : program(program_), build(program_), choices(choices_), knobs(knobs_), layouts(program_) {
  for (size_t i = 0; i < kWriterCount; ++i) weights[i] = kWriters[i].Weight(knobs);
  if (knobs.floats == 0) {
    for (WriterId id : {WriterId::FloatStatement, WriterId::FloatTest, WriterId::FloatClass, WriterId::FloatCondition})
      weights[static_cast<size_t>(id)] = 0;
  }
  if (knobs.vectors == 0) {
    for (WriterId id : {WriterId::VectorStatement, WriterId::VectorLoop, WriterId::VectorCopy, WriterId::LaneOfVector,
                        WriterId::FloatLane})
      weights[static_cast<size_t>(id)] = 0;
  }
  if (knobs.wide_integers == 0) {
    for (WriterId id : {WriterId::WideStatement, WriterId::WideIdiom, WriterId::WideCopy, WriterId::PartOfWide,
                        WriterId::FloatOfWide})
      weights[static_cast<size_t>(id)] = 0;
  }
  statement_draw = StatementDraw(*this);
  operator_draw = OperatorDraw(knobs);
  for (size_t i = 0; i < integers.size(); ++i) {
    const TypeKind kind = static_cast<TypeKind>(i);
    if (lang::IsInteger(kind)) integers[i] = lang::IntegerInfoOf(kind, program.Model());
  }
}

uint32_t Writer::TokensLeft() const {
  const uint32_t end = Live() ? token_end : DeadEnd();
  return end > tokens_ ? end - tokens_ : 0;
}

uint32_t Writer::StatementRoom() const {
  const uint32_t most = std::max(kLeastRoom, token_target / 10);
  return std::clamp(TokensLeft(), kLeastRoom, most);
}

void Writer::Measure() {
  const Meter meter(program);
  for (; measured_globals_ < program.globals.size(); ++measured_globals_)
    tokens_ += meter.Global(program.globals[measured_globals_]);
  for (; measured_functions_ < program.function_order.size(); ++measured_functions_)
    tokens_ += meter.Function(program.function_order[measured_functions_]) + kReturnTokens;
}

bool Writer::Extend(BlockId block) {
  EnterScope(*this, block);
  DrawStatementPolicy(*this);
  const FunctionId function = scope.function;
  const bool body = !program.blocks[block].outer;
  const uint32_t before = Tokens();
  BeginExecution(*this, block);
  if (!Plan(function).entered) {
    Plan(function).entered = true;
    Plan(function).started_at = machine->Steps();
    if (Plan(function).recursive) {
      WriteStatementRow(*this, WriterId::DepthCheck, WriteDepthCheck);
      return true;
    }
  }
  BlockPlan& plan = Plan(block);
  const bool full = plan.written >= plan.planned || Tokens() >= token_end ||
                    Plan(function).tokens >= Plan(function).token_limit ||
                    (plan.written > 0 && scope.loop_depth > 0 && StepsLeft(*this) == 0);
  if (!full) {
    ++plan.written;
    WriteStatement(*this);
    Plan(function).tokens += Tokens() - before;
    return true;
  }
  program.blocks[block].open = false;
  if (!body) return false;
  Plan(function).done = true;
  Plan(function).cost = machine->Steps() - Plan(function).started_at;
  WriteReturn(*this);
  return true;
}

uint64_t Writer::Deadline(StmtId loop) const {
  if (loop.index >= loops.size() || loops[loop.index].deadline == 0 || machine->Executions(loop) > 1)
    return ~uint64_t{0};
  return loops[loop.index].deadline;
}

void Writer::CountRepair(const WrittenLog::Origin& origin) {
  for (WriterId by : {origin.expression, origin.statement}) {
    if (by != WriterId::kCount) ++counters.writers[static_cast<size_t>(by)].repaired;
  }
}

bool Writer::Repair(const machine::Trap& trap) {
  // A repair whose result traps again is repaired again; one that never ends is a trap without repair.
  repeated_ = trap.expr && trap.expr == last_repaired_ ? repeated_ + 1 : 0;
  last_repaired_ = trap.expr;
  if (repeated_ > 8) return false;
  ++counters.traps[static_cast<size_t>(trap.kind)];
  ++(trap.prior_executions == 0 ? counters.rewrites : counters.repairs);
  const ExprId place = trap.expr || !trap.stmt ? trap.expr : program.stmts[trap.stmt].expr;  // of a loop that runs long
  if (place) CountRepair(written.OriginOf(place));
  return Repair(place, trap);
}

bool Writer::Repair(ExprId place, const machine::Trap& trap) {
  const Meter meter(program);
  const Room room(*this, StatementRoom());
  const uint32_t before = place ? meter.Expression(place) : 0, vars = program.vars.Size();
  const bool repaired = RepairTrap(*this, trap);
  Measure();
  tokens_ += (place ? meter.Expression(place) : 0) - before + kTemporaryTokens * (program.vars.Size() - vars);
  return repaired;
}

machine::Options RunOptions(const knobs::Knobs& knobs) {
  machine::Options options;
  options.step_budget = std::max<uint64_t>(kLeastBudget, 10 * kMostTimes * static_cast<uint64_t>(knobs.tokens) *
                                                             static_cast<uint64_t>(knobs.steps_per_token));
  options.recursion_depth = static_cast<uint32_t>(knobs.recursion_depth) + kDepthReserve;
  return options;
}

Generated Generate(uint64_t seed, const knobs::Knobs& knobs, const lang::DataModel& model, const Watch& watch) {
  for (uint32_t attempt = 0; attempt < 100; ++attempt) {
    if (std::optional<Generated> made = Attempt(seed, knobs, model, attempt, watch)) return std::move(*made);
  }
  CHECK_MSG(false, "seed {}: no program in 100 attempts", seed);
  return {};
}

}  // namespace assay::gen
