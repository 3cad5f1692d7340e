#include "reduce/localise.hpp"

#include <fmt/format.h>

#include "reduce/extract.hpp"
#include "reduce/mend.hpp"
#include "reduce/recorders.hpp"

namespace assay::reduce {
namespace {

constexpr size_t kMostCulprits = 6;
constexpr uint32_t kDepths[] = {1, 2, 3, 5, 9};

Result<bool> ShowsBug(Case& candidate, const Bug& bug, Judge& judge, const machine::Options& options) {
  if (!Mend(candidate)) return false;
  machine::Machine machine(candidate.program, options);
  const machine::RunResult result = machine.Run();
  if (result.trap.kind != machine::TrapKind::None || !FindChecked(candidate, result)) return false;
  return judge.Shows(bug, candidate, result, Look::Print);
}

}  // namespace

Result<std::optional<Case>> Localise(Case& subject, const Bug& bug, Judge& judge, const SearchOptions& options) {
  const MachineRun run = RunOnMachine(subject.program, options.machine);
  ASSIGN_OR_RETURN(auto culprits, FindCulprits(subject, run, judge, options.machine));
  if (options.progress) {
    options.progress(fmt::format("recorders: {} culprits", culprits.size()));
  }
  if (culprits.size() > kMostCulprits) culprits.resize(kMostCulprits);
  const auto stopped = [&] { return options.stop && options.stop(); };
  for (uint32_t depth : kDepths) {
    for (const Culprit& culprit : culprits) {
      for (Operands operands : {Operands::Variables, Operands::Constants}) {
        if (stopped()) return std::optional<Case>();
        auto extract = MakeExtract(subject, run, culprit.expr, depth, operands);
        if (!extract) continue;
        ASSIGN_OR_RETURN(auto shows, ShowsBug(*extract, bug, judge, options.machine));
        if (shows) return std::optional(std::move(*extract));
      }
    }
  }
  for (const Culprit& culprit : culprits) {
    if (stopped()) break;
    for (Case& recorded : WithRecorder(subject, culprit.expr)) {
      ASSIGN_OR_RETURN(auto shows, ShowsBug(recorded, bug, judge, options.machine));
      if (shows) return std::optional(std::move(recorded));
    }
  }
  return std::optional<Case>();
}

}  // namespace assay::reduce
