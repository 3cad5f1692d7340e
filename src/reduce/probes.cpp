#include "reduce/probes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "reduce/settle.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

// Puts (probe = e) in the place of e. The probe has e's promoted type, so that nothing around it
// changes its meaning.
VarId AddProbe(Program& program, ExprId id) {
  Builder builder(program);
  const TypeId type = program.types.Basic(PromotedKind(program, id));
  const VarId probe = builder.Global(type);
  const ExprId moved = program.exprs.Add(Expr(program[id]));
  const ExprId assign = builder.Assign(builder.Var(probe), moved);
  program.exprs[id] = Expr(program[assign]);
  return probe;
}

// What compilers compute is left alone: a probe inside would hide a mistake in that.
bool CanProbe(const Program& program, const Place& place) {
  if (place.lvalue || place.constant || place.unevaluated || place.discarded) return false;
  if (!place.stmt || !place.function) return false;
  const Expr& e = program[place.id];
  if (!IsInteger(program.types.Kind(e.type))) return false;
  if (Info(e.kind).children == 0 && IsConstantExpression(program, place.id)) return false;
  return !place.parent || !IsConstantExpression(program, place.parent);
}

class Prober {
 public:
  Prober(const Case& subject, const Profile& profile, Judge& judge, machine::Options options)
      : subject_(subject), profile_(profile), judge_(judge), options_(options) {
    options_.step_budget = 4 * profile.result.steps + 10'000;
  }

  Result<std::vector<Suspect>> Run() {
    auto suspects = RunWith(Density::All);
    if (!suspects || !suspects->empty()) return suspects;
    return RunWith(Density::Few);
  }

 private:
  // Where the probes are. Many say more, few hide less.
  enum class Density : uint8_t {
    All,
    Few,  // whole operands of statements, assignments and calls, and reads of objects
  };

  Result<std::vector<Suspect>> RunWith(Density density) {
    without_.clear();
    // Probes in functions that call themselves may conflict: those functions go without.
    constexpr int kMostAttempts = 6;
    for (int i = 0; i < kMostAttempts; ++i) {
      Place(density);
      if (!Settle(probed_)) return std::vector<Suspect>();
      machine::Machine machine(probed_.program, options_);
      const machine::RunResult result = machine.Run();
      if (result.trap.kind == machine::TrapKind::None) return Compare(result);
      if (!result.trap.function || !without_.insert(result.trap.function.index).second) break;
    }
    return std::vector<Suspect>();
  }

  bool IsAmong(Density density, const reduce::Place& place) const {
    if (density == Density::All || !place.parent) return true;
    switch (subject_.program[place.id].kind) {
      case ExprKind::Variable:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
        return true;
      default:
        break;
    }
    const ExprKind above = subject_.program[place.parent].kind;
    return above == ExprKind::Assign || above == ExprKind::CompoundAssign ||
           above == ExprKind::Call || above == ExprKind::Comma || above == ExprKind::Conditional;
  }

  void Place(Density density) {
    probed_ = {subject_.program, std::nullopt};
    probes_.clear();
    std::vector<ExprId> places;
    ForEachPlace(subject_.program, [&](const reduce::Place& place) {
      if (!CanProbe(subject_.program, place) || without_.contains(place.function.index)) return;
      if (!IsAmong(density, place)) return;
      if (profile_.machine->Executions(place.id) > 0) places.push_back(place.id);
    });
    for (ExprId id : places) probes_[AddProbe(probed_.program, id).index] = id;
  }

  Result<std::vector<Suspect>> Compare(const machine::RunResult& result) {
    auto wrong = judge_.WrongFinals(probed_, result);
    if (!wrong) return wrong.GetError();
    probed_exprs_.clear();
    wrong_.clear();
    for (const auto& [probe, expr] : probes_) probed_exprs_.insert(expr.index);
    for (size_t index : *wrong) {
      const auto found = probes_.find(result.finals[index].var.index);
      if (found != probes_.end()) wrong_.insert(found->second.index);
    }
    std::vector<Suspect> suspects;
    for (uint32_t index : wrong_) {
      const ExprId id(index);
      if (!OperandsAreRight(id)) continue;
      suspects.push_back({id, RoleOf(id), profile_.machine->Executions(id)});
    }
    std::stable_sort(suspects.begin(), suspects.end(), [](const Suspect& a, const Suspect& b) {
      return std::pair(a.role, a.executions) < std::pair(b.role, b.executions);
    });
    return suspects;
  }

  bool OperandsAreRight(ExprId id) const {
    bool right = true;
    ForEachChild(subject_.program, subject_.program[id], [&](ExprId child) {
      const bool known = probed_exprs_.contains(child.index);
      right = right && (known ? !wrong_.contains(child.index) : OperandsAreRight(child));
    });
    return right;
  }

  Suspect::Role RoleOf(ExprId id) const {
    switch (subject_.program[id].kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
        return Suspect::Role::Store;
      case ExprKind::Call:
        return Suspect::Role::Call;
      case ExprKind::Variable:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
        return Suspect::Role::Read;
      default:
        return Suspect::Role::Operation;
    }
  }

  const Case& subject_;
  const Profile& profile_;
  Judge& judge_;
  machine::Options options_;
  std::set<uint32_t> without_;  // functions that get no probes
  Case probed_;
  std::map<uint32_t, ExprId> probes_;  // variable -> the expression of the subject it holds
  std::set<uint32_t> probed_exprs_, wrong_;
};

}  // namespace

Result<std::vector<Suspect>> FindSuspects(const Case& subject, const Profile& profile, Judge& judge,
                                          const machine::Options& options) {
  return Prober(subject, profile, judge, options).Run();
}

Case WithProbe(const Case& subject, ExprId expr) {
  Case probed = subject;
  probed.check = Check{AddProbe(probed.program, expr), {}};
  return probed;
}

}  // namespace assay::reduce
