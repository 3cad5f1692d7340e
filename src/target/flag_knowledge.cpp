#include "target/flag_knowledge.hpp"

#include <algorithm>
#include <filesystem>

#include "exec/scratch.hpp"
#include "support/files.hpp"

namespace assay::target {
namespace {

bool Contains(const Flags& flags, const Flags& part) {
  return std::all_of(part.begin(), part.end(), [&](const std::string& flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  });
}

// Compiles (and, unless only objects are wanted, starts) a trivial program, or interprets it.
class FlagTrial {
 public:
  FlagTrial(exec::Executor& executor, const Target& target, const exec::Scratch& scratch, const Flags& extra)
      : executor_(executor), target_(target), scratch_(scratch) {
    if (std::find(extra.begin(), extra.end(), "-c") != extra.end()) extra_ = {"-c"};
    source_ = target.smoke_program.empty() ? "trivial.c" : "trivial";
  }

  // How the target fails because it refuses the flags. Its own crashes and hangs are not the flags' fault.
  struct Refusal {
    enum class Kind { None, Rejects, MakesNothing, Misbehaves };
    Kind kind = Kind::None;
    std::string why;
  };

  support::Result<Refusal> Try(const Flags& flags) {
    const std::string text = target_.smoke_program.empty() ? "int main(void) { return 0; }\n" : target_.smoke_program;
    RETURN_IF_ERROR(support::WriteFile(scratch_.Path() / source_, text));
    const Configuration configuration{&target_, flags};
    if (target_.kind == Kind::Compiler) {
      std::error_code ignored;
      std::filesystem::remove_all(scratch_.Path() / kOutput, ignored);
      ASSIGN_OR_RETURN(auto seen,
                       executor_.Run(CompileCommand(configuration, {source_}, kOutput, scratch_.Path(), extra_),
                                     target_.compile_limits));
      if (!seen.Succeeded()) return OfFailure(seen, Refusal::Kind::Rejects);
      if (!extra_.empty()) return Refusal{};
      if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(scratch_.Path() / kOutput, ignored))) {
        return Refusal{Refusal::Kind::MakesNothing, "makes no program"};
      }
    }
    exec::Command command = RunCommand(configuration, {source_}, kOutput, scratch_.Path());
    if (target_.source_on_stdin) command.stdin_text = text;
    ASSIGN_OR_RETURN(auto run, executor_.Run(command, target_.run_limits));
    if (target_.kind == Kind::Interpreter) {
      if (!run.Succeeded()) return OfFailure(run, Refusal::Kind::Rejects);
      if (run.stdout_text == target_.smoke_output) return Refusal{};
      return Refusal{Refusal::Kind::Misbehaves, "prints '" + FirstLine(run.stdout_text) + "'"};
    }
    const bool cannot_be_started = run.ending == exec::Ending::NotStarted;
    // An emulator that cannot start a program says so by its exit code.
    const bool emulator_fails = !target_.run_prefix.empty() && run.ending == exec::Ending::Exited && !run.Succeeded();
    if (!cannot_be_started && !emulator_fails) return Refusal{};
    return Refusal{Refusal::Kind::MakesNothing, "makes a program that cannot be started"};
  }

 private:
  static constexpr const char* kOutput = "trivial.out";

  static std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

  Refusal OfFailure(const exec::Observation& seen, Refusal::Kind kind) const {
    if (seen.ending != exec::Ending::Exited || seen.exit_code == 0) return {};
    const std::string text = seen.stderr_text + seen.stdout_text;
    const bool is_crash = std::any_of(target_.crash_diagnostics.begin(), target_.crash_diagnostics.end(),
                                      [&](const std::string& mark) { return text.find(mark) != std::string::npos; });
    if (is_crash) return {};
    const size_t error = text.find("error");
    const size_t line = error == std::string::npos ? 0 : text.rfind('\n', error) + 1;
    const std::string said = FirstLine(text.substr(line));
    return {kind, said.empty() ? exec::Describe(seen) : said};
  }

  exec::Executor& executor_;
  const Target& target_;
  const exec::Scratch& scratch_;
  Flags extra_;
  std::string source_;
};

using Refusal = FlagTrial::Refusal;

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

support::Result<bool> FlagKnowledge::BlameFlags(exec::Executor& executor, const Configuration& configuration,
                                                const Flags& extra) {
  const Target& target = *configuration.target;
  if (target.kind != Kind::Compiler || configuration.flags.empty()) return false;
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  FlagTrial trial(executor, target, scratch, extra);
  ASSIGN_OR_RETURN(const Refusal refusal, trial.Try(configuration.flags));
  if (refusal.kind == Refusal::Kind::None) return false;
  // A compiler that takes nothing at all is broken, whatever its flags.
  ASSIGN_OR_RETURN(const Refusal plain, trial.Try({}));
  if (plain.kind == refusal.kind) return false;
  // Drop one flag after the other as long as the rest is still rejected: what stays is needed for
  // the rejection.
  Flags needed = configuration.flags;
  for (size_t i = 0; i < needed.size();) {
    Flags fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    ASSIGN_OR_RETURN(const Refusal still, trial.Try(fewer));
    if (still.kind == refusal.kind) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  Learn(target.name, needed);
  return true;
}

support::Result<FlagKnowledge::Proof> FlagKnowledge::Prove(exec::Executor& executor, const Configuration& configuration,
                                                           const Flags& extra) {
  const Target& target = *configuration.target;
  const std::string name = configuration.Name();
  {
    std::lock_guard lock(mutex_);
    if (proven_.contains(name)) return Proof{};
    if (auto found = left_out_.find(name); found != left_out_.end()) return Proof{.why = found->second.why};
  }
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  FlagTrial trial(executor, target, scratch, extra);
  ASSIGN_OR_RETURN(Refusal refusal, trial.Try(configuration.flags));
  if (refusal.kind != Refusal::Kind::None) {  // once more: a machine in trouble is not to cost a configuration
    ASSIGN_OR_RETURN(refusal, trial.Try(configuration.flags));
  }
  if (refusal.kind != Refusal::Kind::None) {
    // What the smoke test has tried must work, or else the target is broken, whatever its flags.
    const auto fixed = FixedConfigurations(target);
    ASSIGN_OR_RETURN(const Refusal plain, trial.Try(fixed.empty() ? Flags{} : fixed.front().flags));
    if (plain.kind == refusal.kind) return Proof{};
  }
  std::lock_guard lock(mutex_);
  if (refusal.kind == Refusal::Kind::None) {
    proven_.insert(name);
    return Proof{};
  }
  const bool is_news = left_out_.try_emplace(name, LeftOutConfiguration{target.name, name, refusal.why}).second;
  return Proof{refusal.why, is_news};
}

bool FlagKnowledge::IsLeftOut(const Configuration& configuration) const {
  std::lock_guard lock(mutex_);
  return !left_out_.empty() && left_out_.contains(configuration.Name());
}

bool FlagKnowledge::IsProven(const Configuration& configuration) const {
  std::lock_guard lock(mutex_);
  return proven_.contains(configuration.Name());
}

std::vector<FlagKnowledge::LeftOutConfiguration> FlagKnowledge::AllLeftOut() const {
  std::lock_guard lock(mutex_);
  std::vector<LeftOutConfiguration> all;
  for (const auto& [name, one] : left_out_) all.push_back(one);
  return all;
}

std::map<std::string, std::vector<Flags>> FlagKnowledge::All() const {
  std::lock_guard lock(mutex_);
  return rejected_;
}

}  // namespace assay::target
