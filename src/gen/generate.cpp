#include "gen/generate.hpp"

#include <algorithm>

#include "gen/attributes.hpp"
#include "gen/call.hpp"
#include "gen/dead.hpp"
#include "gen/expr.hpp"
#include "gen/repairs.hpp"
#include "gen/stmt.hpp"
#include "gen/types.hpp"

namespace assay::gen {
namespace {

// Repairs may add a call of a wrapper at any depth: the clean run may go a little deeper than the writing one.
constexpr uint32_t kDepthReserve = 8;

// Parameter shuffling: each weight of this program is drawn around the knob's value.
knobs::Knobs Shuffled(const knobs::Knobs& knobs, choice::Choices& choices) {
  knobs::Knobs result = knobs;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.group == "size" || row.group == "policy") continue;
    const int32_t value = knobs.*(row.field);
    if (value == 0) continue;
    const int64_t percent = 100 + choices.Between(-knobs.shuffle, knobs.shuffle);
    result.*(row.field) = static_cast<int32_t>(std::clamp<int64_t>((value * percent + 50) / 100, std::max(1, row.low), row.high));
  }
  // What is a count or a limit, not a weight, stays.
  for (int32_t knobs::Knobs::*field : {&knobs::Knobs::array_dimensions, &knobs::Knobs::pointer_depth}) result.*field = knobs.*field;
  return result;
}

uint32_t DrawSize(const knobs::Knobs& knobs, choice::Choices& choices) {
  const int64_t percent = 100 + choices.Between(-knobs.tokens_spread, knobs.tokens_spread);
  return static_cast<uint32_t>(std::max<int64_t>(100, knobs.tokens * percent / 100));
}

void MakeEntry(Writer& w) {
  const FunctionId entry = NewFunction(w, w.program.types.Function(w.program.types.Basic(TypeKind::Void), {}));
  w.program.entry = entry;
  w.program.functions[entry].attrs = lang::kFnStatic;
  w.Plan(entry).token_limit = 0xffffffffu;
}

// Every final value of the generating run must stand again in the clean run. (Dead places may have added globals.)
void ConfirmSame(const machine::RunResult& written, const machine::RunResult& clean, uint64_t seed) {
  CHECK_MSG(clean.trap.kind == machine::TrapKind::None, "seed {}: the finished program traps: {} at expression {}, statement {}, after {} executions", seed,
            machine::Info(clean.trap.kind).name, clean.trap.expr.index, clean.trap.stmt.index, clean.trap.prior_executions);
  size_t at = 0;
  for (const machine::FinalScalar& final : written.finals) {
    while (at < clean.finals.size() && !(clean.finals[at].var == final.var && clean.finals[at].path == final.path)) ++at;
    CHECK_MSG(at < clean.finals.size(), "seed {}: a global is missing in the clean run", seed);
    const machine::FinalScalar& other = clean.finals[at];
    CHECK_MSG(other.state == final.state && other.value == final.value && other.target == final.target,
              "seed {}: global {} is {} after generation, {} after the clean run", seed, final.var.index, final.value, other.value);
  }
}

bool NeedsOrder(machine::TrapKind kind) {
  return kind == machine::TrapKind::OrderDependent || kind == machine::TrapKind::Unsequenced;
}

// A repair made late may add a counter that two calls in one expression share, which makes an earlier execution of that
// expression depend on the order of the calls. Running again with only this repair allowed puts the calls in order.
class Settler : public machine::Author {
 public:
  explicit Settler(Writer& w) : w_(w) {}
  bool Extend(BlockId) override { return false; }
  bool Repair(const machine::Trap& trap) override {
    return NeedsOrder(trap.kind) && w_.Repair(trap);
  }

 private:
  Writer& w_;
};

// Whether all of it could be put in order.
bool Settle(Writer& w, const machine::Options& clean_options) {
  Settler settler(w);
  machine::Options options = clean_options;
  options.author = &settler;
  machine::Machine machine(w.program, options);
  w.machine = &machine;
  const bool settled = machine.Run().trap.kind == machine::TrapKind::None;
  w.machine = nullptr;
  return settled;
}

// One attempt; nothing if a trap could not be repaired.
std::optional<Generated> Attempt(uint64_t seed, const knobs::Knobs& knobs, lang::DataModelKind model, uint32_t attempt,
                                 const Watch& watch) {
  choice::Choices choices = choice::Choices(seed).Derive(attempt == 0 ? "c" : fmt::format("c{}", attempt));
  Generated made;
  made.program.model = model;
  made.program.provenance = {std::string(kVersion), seed, knobs::Serialize(knobs)};
  const knobs::Knobs own = Shuffled(knobs, choices);

  Writer w(made.program, own, choices);
  w.token_target = DrawSize(knobs, w.choices);
  w.soft_budget = static_cast<uint64_t>(w.token_target) * static_cast<uint64_t>(knobs.steps_per_token);
  made.program.exprs.Reserve(w.token_target / 2);
  MakeEnums(w);
  MakeSignatures(w);
  MakeRecords(w);
  MakeGlobals(w);
  MakeEntry(w);

  machine::Options options = RunOptions(knobs);
  machine::RunResult written;
  {
    options.author = &w;
    options.tracer = watch.writing;
    options.soft_budget = w.soft_budget;
    options.recursion_depth -= kDepthReserve;
    machine::Machine machine(made.program, options);
    w.machine = &machine;
    written = machine.Run();   // writes the program while running it
    w.machine = nullptr;
  }
  if (written.trap.kind != machine::TrapKind::None) return std::nullopt;
  FillDeadPlaces(w);
  SettleAttributes(w);

  machine::Options clean_options = RunOptions(knobs);
  clean_options.tracer = watch.clean;
  auto clean = std::make_unique<machine::Machine>(made.program, clean_options);
  made.result = clean->Run();
  for (int round = 0; round < 4 && NeedsOrder(made.result.trap.kind); ++round) {
    if (!Settle(w, RunOptions(knobs))) return std::nullopt;
    clean = std::make_unique<machine::Machine>(made.program, clean_options);
    made.result = clean->Run();
  }
  if (watch.finished) watch.finished(made.program);
  ConfirmSame(written, made.result, seed);
  made.statement_runs.resize(made.program.stmts.Size());
  for (uint32_t i = 0; i < made.program.stmts.Size(); ++i) made.statement_runs[i] = clean->Executions(StmtId(i));
  made.counters = w.counters;
  made.attempts = attempt + 1;
  return made;
}

}  // namespace

Writer::Writer(lang::Program& program_, const knobs::Knobs& knobs_, choice::Choices choices_)
    : program(program_), build(program_), choices(choices_), knobs(knobs_), layouts(program_) {}

uint32_t Writer::Tokens() const {
  return static_cast<uint32_t>(program.exprs.Size() * 2ull + program.stmts.Size() * 3ull + program.vars.Size() * 5ull);
}

bool Writer::Extend(BlockId block) {
  EnterScope(*this, block);
  DrawStatementPolicy(*this);
  const FunctionId function = scope.function;
  const bool body = !program.blocks[block].outer;
  const uint32_t before = Tokens();
  if (!Plan(function).entered) {
    Plan(function).entered = true;
    Plan(function).started_at = machine->Steps();
    if (Plan(function).recursive) {
      // The remaining depth is used up: return.
      const ExprId depth = build.Var(program.functions[function].params.front());
      lang::Stmt stop{.kind = StmtKind::Return};
      stop.expr = ReturnValue(*this);
      AppendIf(*this, build.Binary(BinaryOp::Le, depth, build.Int(0)), stop);
      return true;
    }
  }
  BlockPlan& plan = Plan(block);
  const bool full = plan.written >= plan.planned || Tokens() >= token_target || Plan(function).tokens >= Plan(function).token_limit;
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

bool Writer::Repair(const machine::Trap& trap) {
  // A repair whose result traps again is repaired again; one that never ends is a trap without repair.
  repeated_ = trap.expr && trap.expr == last_repaired_ ? repeated_ + 1 : 0;
  last_repaired_ = trap.expr;
  if (repeated_ > 8) return false;
  ++counters.traps[static_cast<size_t>(trap.kind)];
  ++(trap.prior_executions == 0 ? counters.rewrites : counters.repairs);
  return RepairTrap(*this, trap);
}

machine::Options RunOptions(const knobs::Knobs& knobs) {
  machine::Options options;
  options.step_budget = std::max<uint64_t>(200'000, 40ull * static_cast<uint64_t>(knobs.tokens) * static_cast<uint64_t>(knobs.steps_per_token));
  options.recursion_depth = static_cast<uint32_t>(knobs.recursion_depth) + kDepthReserve;
  return options;
}

Generated Generate(uint64_t seed, const knobs::Knobs& knobs, lang::DataModelKind model, const Watch& watch) {
  for (uint32_t attempt = 0; attempt < 100; ++attempt) {
    if (std::optional<Generated> made = Attempt(seed, knobs, model, attempt, watch)) return std::move(*made);
  }
  CHECK_MSG(false, "seed {}: no program in 100 attempts", seed);
  return {};
}

}  // namespace assay::gen
