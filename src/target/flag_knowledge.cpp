#include "target/flag_knowledge.hpp"

#include <algorithm>

#include "exec/scratch.hpp"
#include "support/files.hpp"

namespace assay::target {
namespace {

bool Contains(const Flags& flags, const Flags& part) {
  return std::all_of(part.begin(), part.end(), [&](const std::string& flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  });
}

// Compiles a trivial program.
class FlagTrial {
 public:
  FlagTrial(exec::Executor& executor, const Target& target, const exec::Scratch& scratch)
      : executor_(executor), target_(target), scratch_(scratch) {}

  support::Result<bool> Rejects(const Flags& flags) {
    auto written = support::WriteFile(scratch_.Path() / "trivial.c", "int main(void) { return 0; }\n");
    if (!written) return written.GetError();
    Configuration configuration{&target_, flags};
    auto seen =
        executor_.Run(CompileCommand(configuration, {"trivial.c"}, "trivial", scratch_.Path()), target_.compile_limits);
    if (!seen) return seen.GetError();
    if (seen->ending != exec::Ending::Exited || seen->exit_code == 0) return false;
    // An internal error is never the flags' fault.
    return std::none_of(target_.crash_diagnostics.begin(), target_.crash_diagnostics.end(),
                        [&](const std::string& text) { return seen->stderr_text.find(text) != std::string::npos; });
  }

 private:
  exec::Executor& executor_;
  const Target& target_;
  const exec::Scratch& scratch_;
};

}  // namespace

bool FlagKnowledge::Rejected(const std::string& target_name, const Flags& flags) const {
  std::lock_guard lock(mutex_);
  auto found = rejected_.find(target_name);
  return found != rejected_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                 [&](const Flags& part) { return Contains(flags, part); });
}

void FlagKnowledge::Learn(const std::string& target_name, Flags combination) {
  if (combination.empty()) return;  // would reject everything
  std::lock_guard lock(mutex_);
  std::vector<Flags>& known = rejected_[target_name];
  if (std::find(known.begin(), known.end(), combination) != known.end()) return;
  known.push_back(std::move(combination));
  std::sort(known.begin(), known.end());
}

support::Result<bool> FlagKnowledge::BlameFlags(exec::Executor& executor, const Configuration& configuration) {
  const Target& target = *configuration.target;
  if (target.kind != Kind::Compiler || configuration.flags.empty()) return false;
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  FlagTrial trial(executor, target, scratch);
  auto rejected = trial.Rejects(configuration.flags);
  if (!rejected || !*rejected) return rejected;
  // A compiler that takes nothing at all is broken, whatever its flags.
  ASSIGN_OR_RETURN(bool broken, trial.Rejects({}));
  if (broken) return false;
  // Drop one flag after the other as long as the rest is still rejected: what stays is needed for
  // the rejection.
  Flags needed = configuration.flags;
  for (size_t i = 0; i < needed.size();) {
    Flags fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    rejected = trial.Rejects(fewer);
    if (!rejected) return rejected;
    if (*rejected) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  Learn(target.name, needed);
  return true;
}

std::map<std::string, std::vector<Flags>> FlagKnowledge::All() const {
  std::lock_guard lock(mutex_);
  return rejected_;
}

}  // namespace assay::target
