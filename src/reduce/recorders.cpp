#include "reduce/recorders.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "reduce/mend.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

// Puts (recorder = e) in the place of e. The recorder has e's promoted type, so that nothing around it
// changes its meaning.
VarId AddRecorder(Program& program, ExprId id) {
  Builder builder(program);
  const TypeId type = program.types.Basic(PromotedKind(program, id));
  const VarId recorder = builder.Global(type);
  const ExprId moved = program.exprs.Add(Expr(program[id]));
  const ExprId assign = builder.Assign(builder.Var(recorder), moved);
  program.exprs[id] = Expr(program[assign]);
  return recorder;
}

// What compilers compute is left alone: a recorder inside would hide a mistake in that.
bool CanRecord(const Program& program, const Place& place) {
  if (place.lvalue || place.constant || place.unevaluated || place.discarded) return false;
  if (!place.stmt || !place.function) return false;
  if (program[place.function].attrs & (kFnPure | kFnConst)) return false;  // to store would be a lie
  const Expr& e = program[place.id];
  if (!IsArithmetic(program.types.Kind(e.type))) return false;
  if (Info(e.kind).children == 0 && IsConstantExpression(program, place.id)) return false;
  return !place.parent || !IsConstantExpression(program, place.parent);
}

class CulpritFinder {
 public:
  CulpritFinder(const Case& subject, const MachineRun& run, Judge& judge, machine::Options options)
      : subject_(subject), run_(run), judge_(judge), options_(options) {
    options_.step_budget = 4 * run.result.steps + 10'000;
  }

  Result<std::vector<Culprit>> Run() {
    auto culprits = RunWith(Density::All);
    if (!culprits || !culprits->empty()) return culprits;
    return RunWith(Density::Few);
  }

 private:
  // Where the recorders are. Many say more, few hide less.
  enum class Density : uint8_t {
    All,
    Few,  // whole operands of statements, assignments and calls, and reads of objects
  };

  Result<std::vector<Culprit>> RunWith(Density density) {
    without_.clear();
    // Recorders in functions that call themselves may conflict: those functions go without.
    constexpr int kMostAttempts = 6;
    for (int i = 0; i < kMostAttempts; ++i) {
      Place(density);
      if (!Mend(recorded_)) return std::vector<Culprit>();
      machine::Machine machine(recorded_.program, options_);
      const machine::RunResult result = machine.Run();
      if (result.trap.kind == machine::TrapKind::None) return Compare(result);
      if (!result.trap.function || !without_.insert(result.trap.function.index).second) break;
    }
    return std::vector<Culprit>();
  }

  bool IsAmong(Density density, const reduce::Place& place) const {
    if (density == Density::All || !place.parent) return true;
    switch (subject_.program[place.id].kind) {
      case ExprKind::Variable:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member: return true;
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
      case ExprKind::CompoundLiteral:
      case ExprKind::Builtin:
      case ExprKind::Guard:
      case ExprKind::kCount: break;
    }
    const ExprKind above = subject_.program[place.parent].kind;
    return above == ExprKind::Assign || above == ExprKind::CompoundAssign || above == ExprKind::Call ||
           above == ExprKind::Comma || above == ExprKind::Conditional;
  }

  void Place(Density density) {
    recorded_ = {subject_.program, std::nullopt};
    recorders_.clear();
    std::vector<ExprId> places;
    ForEachPlace(subject_.program, [&](const reduce::Place& place) {
      if (!CanRecord(subject_.program, place) || without_.contains(place.function.index)) return;
      if (!IsAmong(density, place)) return;
      if (run_.machine->Executions(place.id) > 0) places.push_back(place.id);
    });
    for (ExprId id : places) recorders_[AddRecorder(recorded_.program, id).index] = id;
  }

  Result<std::vector<Culprit>> Compare(const machine::RunResult& result) {
    ASSIGN_OR_RETURN(auto wrong, judge_.WrongFinals(recorded_, result));
    recorded_exprs_.clear();
    wrong_.clear();
    for (const auto& [recorder, expr] : recorders_) recorded_exprs_.insert(expr.index);
    for (size_t index : wrong) {
      const auto found = recorders_.find(result.finals[index].var.index);
      if (found != recorders_.end()) wrong_.insert(found->second.index);
    }
    std::vector<Culprit> culprits;
    for (uint32_t index : wrong_) {
      const ExprId id(index);
      if (!OperandsAreRight(id)) continue;
      culprits.push_back({id, RoleOf(id), run_.machine->Executions(id)});
    }
    std::stable_sort(culprits.begin(), culprits.end(), [](const Culprit& a, const Culprit& b) {
      return std::pair(a.role, a.executions) < std::pair(b.role, b.executions);
    });
    return culprits;
  }

  bool OperandsAreRight(ExprId id) const {
    bool right = true;
    ForEachChild(subject_.program, subject_.program[id], [&](ExprId child) {
      const bool known = recorded_exprs_.contains(child.index);
      right = right && (known ? !wrong_.contains(child.index) : OperandsAreRight(child));
    });
    return right;
  }

  Culprit::Role RoleOf(ExprId id) const {
    switch (subject_.program[id].kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec: return Culprit::Role::Store;
      case ExprKind::Call: return Culprit::Role::Call;
      case ExprKind::Variable:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member: return Culprit::Role::Read;
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Comma:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::CompoundLiteral:
      case ExprKind::Builtin:
      case ExprKind::Guard:
      case ExprKind::kCount: break;
    }
    return Culprit::Role::Operation;
  }

  const Case& subject_;
  const MachineRun& run_;
  Judge& judge_;
  machine::Options options_;
  std::set<uint32_t> without_;  // functions that get no recorders
  Case recorded_;
  std::map<uint32_t, ExprId> recorders_;  // variable -> the expression of the subject it holds
  std::set<uint32_t> recorded_exprs_, wrong_;
};

}  // namespace

Result<std::vector<Culprit>> FindCulprits(const Case& subject, const MachineRun& run, Judge& judge,
                                          const machine::Options& options) {
  return CulpritFinder(subject, run, judge, options).Run();
}

std::vector<Case> WithRecorder(const Case& subject, ExprId expr) {
  std::vector<Case> cases;
  const bool wide = IsWide(subject.program.types.Kind(subject.program[expr].type));
  for (uint32_t half = 0; half < (wide ? 2 : 1); ++half) {
    Case recorded = subject;
    recorded.check = Check{AddRecorder(recorded.program, expr), {}};
    if (wide) recorded.check->path = {half};
    cases.push_back(std::move(recorded));
  }
  return cases;
}

}  // namespace assay::reduce
