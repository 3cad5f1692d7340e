#include "reduce/localise.hpp"

#include <fmt/format.h>

#include "reduce/kernel.hpp"
#include "reduce/probes.hpp"
#include "reduce/settle.hpp"

namespace assay::reduce {
namespace {

constexpr size_t kMostSuspects = 6;
constexpr uint32_t kDepths[] = {1, 2, 3, 5, 9};

Result<bool> ShowsBug(Case& candidate, const Bug& bug, Judge& judge,
                      const machine::Options& options) {
  if (!Settle(candidate)) return false;
  machine::Machine machine(candidate.program, options);
  const machine::RunResult result = machine.Run();
  if (result.trap.kind != machine::TrapKind::None || !FindChecked(candidate, result)) return false;
  return judge.Shows(bug, candidate, result, Look::Print);
}

}  // namespace

Result<std::optional<Case>> Localise(Case& subject, const Bug& bug, Judge& judge,
                                     const SearchOptions& options) {
  const Profile profile = MakeProfile(subject.program, options.machine);
  auto suspects = FindSuspects(subject, profile, judge, options.machine);
  if (!suspects) return suspects.GetError();
  if (options.progress) {
    options.progress(fmt::format("probes: {} suspects", suspects->size()));
  }
  if (suspects->size() > kMostSuspects) suspects->resize(kMostSuspects);
  const auto stopped = [&] { return options.stop && options.stop(); };
  for (uint32_t depth : kDepths) {
    for (const Suspect& suspect : *suspects) {
      for (Operands operands : {Operands::Variables, Operands::Constants}) {
        if (stopped()) return std::optional<Case>();
        auto kernel = MakeKernel(subject, profile, suspect.expr, depth, operands);
        if (!kernel) continue;
        auto shows = ShowsBug(*kernel, bug, judge, options.machine);
        if (!shows) return shows.GetError();
        if (*shows) return std::optional(std::move(*kernel));
      }
    }
  }
  for (const Suspect& suspect : *suspects) {
    if (stopped()) break;
    Case probed = WithProbe(subject, suspect.expr);
    auto shows = ShowsBug(probed, bug, judge, options.machine);
    if (!shows) return shows.GetError();
    if (*shows) return std::optional(std::move(probed));
  }
  return std::optional<Case>();
}

}  // namespace assay::reduce
