#include "reduce/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

#include "emit/emit.hpp"
#include "emit/tokens.hpp"
#include "lang/builder.hpp"
#include "reduce/localise.hpp"
#include "reduce/mend.hpp"
#include "reduce/walk.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace assay::reduce {
namespace {

Result<machine::RunResult> CleanRun(Case& subject, const machine::Options& options) {
  if (!Mend(subject)) {
    return support::UsageError("the program is not well formed: nothing to reduce");
  }
  machine::Machine machine(subject.program, options);
  machine::RunResult result = machine.Run();
  if (result.trap.kind == machine::TrapKind::None) return result;
  return support::UsageError(fmt::format("the program is not valid: {}", machine::Info(result.trap.kind).name));
}

// A program that does nothing, whose main prints a value and ends without a return.
Case WithoutReturn() {
  Case subject;
  lang::Program& program = subject.program;
  lang::Builder builder(program);
  const lang::TypeId type = program.types.Basic(lang::TypeKind::Int);
  program.entry = builder.Function(program.types.Function(program.types.Basic(lang::TypeKind::Void), {}));
  subject.check = Check{builder.Global(type, builder.InitExpr(builder.Int(1))), {}};
  subject.in_main = true;
  subject.returns = false;
  return subject;
}

class Reducer {
  using Clock = std::chrono::steady_clock;

 public:
  Reducer(Case subject, const target::Configuration& configuration, exec::Executor& executor,
          const ReduceOptions& options)
      : subject_(std::move(subject)), judge_(executor, configuration), options_(options) {}

  Result<Reduced> Run() {
    ASSIGN_OR_RETURN(result_, CleanRun(subject_, options_.search.machine));
    // A candidate that takes much longer than the program it comes from does not end: most loops
    // that lost their step.
    options_.search.machine.step_budget = std::min(options_.search.machine.step_budget, 2 * result_.steps + 5000);
    reduced_.tokens_before = emit::CountTokens(TextOf(subject_, result_, Look::Checksum));
    RETURN_IF_ERROR(FindBug());
    RETURN_IF_ERROR(TryLocalise());
    RETURN_IF_ERROR(ChooseLook());
    RETURN_IF_ERROR(Search());
    if (look_ == Look::Checksum) {  // a small program may show it without the checksum after all
      RETURN_IF_ERROR(ChooseLook());
      if (look_ != Look::Checksum) {
        RETURN_IF_ERROR(Search());
      }
    }
    RETURN_IF_ERROR(OrderFunctions());
    RETURN_IF_ERROR(ImplyReturn());
    RETURN_IF_ERROR(LookDirectly());
    RETURN_IF_ERROR(Write());
    reduced_.stats.seconds = Elapsed();
    reduced_.stats.compilations = judge_.Compilations();
    reduced_.subject = std::move(subject_);
    reduced_.result = std::move(result_);
    reduced_.bug = bug_;
    reduced_.look = look_;
    return std::move(reduced_);
  }

 private:
  // What the program shows in its checksum form (or, when interrupted, in the form it had).
  Result<void> FindBug() {
    look_ = subject_.check ? Look::Print : Look::Checksum;
    bug_.any = options_.any_bug;
    ASSIGN_OR_RETURN(auto seen, judge_.ObserveRuns(subject_, result_, look_, std::max(1, options_.tries)));
    const auto shows = [&](const Seen& one) { return oracle::IsFind(one.verdict) && IsWanted(one); };
    const auto first = std::find_if(seen.begin(), seen.end(), shows);
    if (first == seen.end()) {
      std::string text = fmt::format("{} does not show the bug", judge_.Configuration().Name());
      if (seen.front().verdict != oracle::Verdict::Ok) {
        text += fmt::format(", but {}: {}", oracle::Name(seen.front().verdict), seen.front().detail);
      }
      return support::Error{text, support::ExitCode::Nothing};
    }
    bug_.verdict = first->verdict;
    bug_.signature = first->signature;
    const auto shown = std::count_if(seen.begin(), seen.end(), [&](const Seen& one) { return Matches(bug_, one); });
    bug_.runs = RunsFor(static_cast<double>(shown) / static_cast<double>(seen.size()));
    if (bug_.runs > 1) return {};
    ASSIGN_OR_RETURN(auto elsewhere, judge_.ObserveRuns(subject_, result_, look_, 1, Surroundings::Other));
    bug_.steady = Matches(bug_, elsewhere.front());
    return {};
  }

  // How often to run a candidate so that a bug that shows at this rate is missed once in fifty.
  static int RunsFor(double rate) {
    constexpr double kMissed = 0.02;
    constexpr int kMost = 40;
    if (rate >= 1) return 1;
    return std::min(kMost, static_cast<int>(std::ceil(std::log(kMissed) / std::log(1 - rate))));
  }

  // Is it the bug the caller asked for?
  bool IsWanted(const Seen& seen) const {
    if (!options_.verdict || options_.any_bug) return true;
    if (seen.verdict != *options_.verdict) return false;
    return options_.signature.empty() || seen.signature == options_.signature;
  }

  // Straight to the wrong operation, if it can be found. A case that looks at one value already has
  // been through it.
  Result<void> TryLocalise() {
    if (bug_.verdict != oracle::Verdict::WrongOutput || subject_.check) return {};
    ASSIGN_OR_RETURN(auto found, Localise(subject_, bug_, judge_, options_.search));
    if (!found) return {};
    look_ = Look::Print;
    return Accept(std::move(*found));
  }

  Result<void> Accept(Case subject) {
    subject_ = std::move(subject);
    ASSIGN_OR_RETURN(result_, CleanRun(subject_, options_.search.machine));
    return {};
  }

  // The simplest main that still shows the bug: it looks at nothing, or at one value that is wrong.
  Result<void> ChooseLook() {
    if (look_ != Look::Checksum) return {};
    if (bug_.verdict != oracle::Verdict::WrongOutput) {
      ASSIGN_OR_RETURN(auto shows, judge_.Shows(bug_, subject_, result_, Look::Nothing));
      if (shows) look_ = Look::Nothing;
      return {};
    }
    ASSIGN_OR_RETURN(auto wrong, judge_.WrongFinals(subject_, result_));
    constexpr size_t kMost = 6;
    size_t tried = 0;
    for (size_t index : wrong) {
      if (++tried > kMost) break;
      Case looking = subject_;
      const machine::FinalScalar& scalar = result_.finals[index];
      looking.check = Check{scalar.var, {scalar.path.begin(), scalar.path.end()}};
      ASSIGN_OR_RETURN(auto shows, judge_.Shows(bug_, looking, result_, Look::Print));
      if (!shows) continue;
      subject_.check = looking.check;
      look_ = Look::Print;
      return {};
    }
    return {};
  }

  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Result<void> Search() {
    reduced_.stats.seconds = Elapsed();
    ASSIGN_OR_RETURN(auto found, RunSearch(std::move(subject_), bug_, look_, judge_, options_.search, reduced_.stats));
    return Accept(std::move(found));
  }

  // Callees before callers, so that the report needs no prototypes, the entry last, if the bug
  // stays.
  Result<void> OrderFunctions() {
    Case ordered = subject_;
    ordered.program.function_order.clear();
    std::vector<bool> placed(ordered.program.functions.Size());
    placed[subject_.program.entry.index] = true;  // the entry comes last
    for (lang::FunctionId id : subject_.program.function_order) Place(id, placed, ordered.program.function_order);
    ordered.program.function_order.push_back(subject_.program.entry);
    if (!Mend(ordered)) return {};
    ASSIGN_OR_RETURN(auto shows, judge_.Shows(bug_, ordered, result_, look_));
    if (shows) subject_ = std::move(ordered);
    return {};
  }

  void Place(lang::FunctionId id, std::vector<bool>& placed, std::vector<lang::FunctionId>& order) {
    if (placed[id.index]) return;
    placed[id.index] = true;
    ForEachPlace(subject_.program, [&](const reduce::Place& place) {
      const lang::Expr& e = subject_.program[place.id];
      if (place.function == id && e.kind == lang::ExprKind::Function) Place(e.Func(), placed, order);
    });
    order.push_back(id);
  }

  // No return 0 at the end of main, if the configuration knows that it is implied: not in C89, and
  // not every compiler does.
  Result<void> ImplyReturn() {
    if (look_ == Look::Checksum) return {};
    Case silent = WithoutReturn();
    ASSIGN_OR_RETURN(auto clean, CleanRun(silent, options_.search.machine));
    ASSIGN_OR_RETURN(auto seen, judge_.Observe(silent, clean, Look::Print));
    if (seen.verdict != oracle::Verdict::Ok) return {};
    Case shorter = subject_;
    shorter.returns = false;
    ASSIGN_OR_RETURN(auto shows, judge_.Shows(bug_, shorter, result_, look_));
    subject_.returns = !shows;
    return {};
  }

  // a = f();  if (a != 5) abort();  becomes  if (f() != 5) abort();
  Result<void> LookDirectly() {
    if (look_ != Look::Print || !subject_.in_main || !subject_.check->path.empty()) return {};
    Case direct = Compact(subject_);  // no node that is not used any more
    if (!emit::CanLookDirectly(direct.program, direct.check->var)) return {};
    direct.direct = true;
    ASSIGN_OR_RETURN(auto clean, CleanRun(direct, options_.search.machine));
    ASSIGN_OR_RETURN(auto prints, judge_.Shows(bug_, direct, clean, Look::Print));
    if (!prints) return {};
    ASSIGN_OR_RETURN(auto silent, SilentLook(direct, clean));
    if (!silent) return {};
    return Accept(std::move(direct));
  }

  // How a report can show the bug without printing, if it can.
  Result<std::optional<Look>> SilentLook(const Case& subject, const machine::RunResult& result) {
    for (Look look : {Look::Abort, Look::Status}) {
      ASSIGN_OR_RETURN(auto shows, judge_.Shows(bug_, subject, result, look));
      if (shows) return std::optional(look);
    }
    return std::optional<Look>();
  }

  // The report: aborts if it can, or returns 1, or prints; the comment says what is wrong.
  Result<void> Write() {
    ASSIGN_OR_RETURN(auto seen, judge_.ObserveRuns(subject_, result_, look_, bug_.runs));
    const auto shown = std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return Matches(bug_, one); });
    Describe(shown == seen.end() ? seen.front() : *shown);
    if (look_ == Look::Print) {
      ASSIGN_OR_RETURN(auto silent, SilentLook(subject_, result_));
      look_ = silent.value_or(look_);
    }
    const target::Configuration& configuration = judge_.Configuration();
    std::string comment =
        support::NameAndVersion(configuration.target->name, configuration.target->version) + "\nflags:";
    if (configuration.flags.empty()) comment += " none";
    for (const std::string& flag : configuration.flags) comment += ' ' + flag;
    comment +=
        fmt::format("\n{}\nexpected: {}\nactual:   {}", oracle::Name(bug_.verdict), reduced_.expected, reduced_.actual);
    reduced_.source = TextOf(subject_, result_, look_, comment);
    const std::string plain = TextOf(subject_, result_, look_);
    const std::vector<std::string> lines = Lines(plain);
    reduced_.lines = static_cast<size_t>(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find_first_not_of(" */") != std::string::npos;
    }));
    reduced_.tokens = emit::CountTokens(plain);
    return {};
  }

  void Describe(const Seen& seen) {
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    switch (bug_.verdict) {
      case oracle::Verdict::WrongOutput:
        if (look_ == Look::Print) {
          const std::optional<size_t> checked = FindChecked(subject_, result_);
          const std::string name =
              subject_.direct ? "" : emit::NameOf(subject_.program, result_.finals[*checked], true) + " = ";
          emit::EmitOptions options{.form = emit::Form::Report,
                                    .short_names = true,
                                    .report_final = checked,
                                    .report_tells = emit::Tell::Print};
          reduced_.expected = name + first_line(emit::ExpectedOutput(subject_.program, result_, options));
          reduced_.actual = name + first_line(seen.output);
        } else {
          reduced_.expected = first_line(emit::ExpectedOutput(subject_.program, result_));
          reduced_.actual = first_line(seen.output);
        }
        return;
      case oracle::Verdict::ProgramCrash:
      case oracle::Verdict::ProgramHang:
        reduced_.expected = "the program ends normally";
        reduced_.actual = first_line(seen.detail);
        return;
      case oracle::Verdict::Ok:
      case oracle::Verdict::CompilerCrash:
      case oracle::Verdict::CompilerHang:
      case oracle::Verdict::RejectedValid:
      case oracle::Verdict::Flaky:
      case oracle::Verdict::Suspect:
      case oracle::Verdict::Unsupported:
      case oracle::Verdict::Inconclusive:
      case oracle::Verdict::Unavailable:
      case oracle::Verdict::kCount:
        reduced_.expected = "a program";
        reduced_.actual = seen.signature.empty() ? first_line(seen.detail) : first_line(seen.signature);
    }
  }

  const Clock::time_point start_ = Clock::now();
  Case subject_;
  machine::RunResult result_;
  Judge judge_;
  ReduceOptions options_;
  Bug bug_;
  Look look_ = Look::Checksum;
  Reduced reduced_;
};

}  // namespace

Result<Reduced> ReduceFrom(Case subject, const target::Configuration& configuration, exec::Executor& executor,
                           const ReduceOptions& options) {
  return Reducer(std::move(subject), configuration, executor, options).Run();
}

Result<Reduced> ReduceCase(const lang::Program& program, const target::Configuration& configuration,
                           exec::Executor& executor, const ReduceOptions& options) {
  return ReduceFrom(Case{program, std::nullopt}, configuration, executor, options);
}

Result<std::optional<Case>> LoadBest(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / kBestFile)) return std::optional<Case>();
  ASSIGN_OR_RETURN(auto text, support::ReadFile(folder / kBestFile));
  ASSIGN_OR_RETURN(auto loaded, LoadCase(text));
  return std::optional(std::move(loaded));
}

}  // namespace assay::reduce
