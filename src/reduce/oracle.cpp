#include "reduce/oracle.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "emit/emit.hpp"
#include "exec/scratch.hpp"
#include "triage/signature.hpp"

namespace assay::reduce {
namespace {

const std::string kSource = "program.c", kProgram = "./program";

emit::EmitOptions OptionsFor(const Case& subject, const machine::RunResult& result, Look look,
                             const std::string& comment) {
  emit::EmitOptions options;
  options.form = look == Look::Checksum ? emit::Form::Single : emit::Form::Report;
  options.short_names = look != Look::Checksum;
  if (look == Look::Print || look == Look::Abort || look == Look::Status) {
    options.report_final = FindChecked(subject, result);
    CHECK_MSG(options.report_final.has_value(), "the checked value is not there");
  }
  options.report_tells = look == Look::Print    ? emit::Tell::Print
                         : look == Look::Status ? emit::Tell::Status
                                                : emit::Tell::Abort;
  options.report_inlines = subject.in_main && emit::CanStandInMain(subject.program);
  options.report_direct = subject.direct && options.report_inlines && options.report_final &&
                          subject.check->path.empty() && emit::CanLookDirectly(subject.program, subject.check->var);
  options.report_returns = subject.returns;
  options.comment = comment.empty() ? " " : comment;
  return options;
}

// A program of ours ends within the machine's budget: it needs no long limits.
exec::Limits RunLimits(exec::Limits limits) {
  limits.cpu_seconds = std::min(limits.cpu_seconds, 4.0);
  return limits;
}

// A wild address gives one or the other by chance.
std::string CrashSignature(int signal) { return exec::SignalName(signal == SIGBUS ? SIGSEGV : signal); }

}  // namespace

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string TextOf(const Case& subject, const machine::RunResult& result, Look look, const std::string& comment) {
  emit::Source source = emit::Emit(subject.program, result, OptionsFor(subject, result, look, comment));
  return std::move(source.files.front().text);
}

std::string ExpectedOf(const Case& subject, const machine::RunResult& result, Look look) {
  if (look != Look::Print && look != Look::Checksum) return {};
  return emit::ExpectedOutput(subject.program, result, OptionsFor(subject, result, look, {}));
}

struct Judge::Compiled {
  exec::Scratch scratch;
  Look look;
  std::string expected;                // what the program must print,
  std::string expected_with_argument;  // also with an argument
  exec::Observation observed;          // the compile step,
  Seen seen;                           // and what is to be said of it
  bool Ok() const { return seen.verdict == oracle::Verdict::Ok; }
};

Result<Judge::Compiled> Judge::Compile(const Case& subject, const machine::RunResult& result, Look look) {
  const target::Target& target = *configuration_.target;
  const emit::EmitOptions options = OptionsFor(subject, result, look, {});
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  Compiled compiled{std::move(scratch),
                    look,
                    emit::ExpectedOutput(subject.program, result, options),
                    emit::ExpectedOutput(subject.program, result, options, true),
                    {},
                    Seen()};
  const std::filesystem::path folder = compiled.scratch.Path();
  std::ofstream(folder / kSource) << TextOf(subject, result, look);
  if (target.kind != target::Kind::Compiler) return compiled;
  ++compilations_;
  ASSIGN_OR_RETURN(
      const exec::Observation observed,
      executor_.Run(target::CompileCommand(configuration_, {kSource}, kProgram, folder), target.compile_limits));
  const oracle::Judgement judgement = oracle::JudgeCompile(target, observed);
  compiled.seen.verdict = judgement.verdict;
  compiled.seen.detail = judgement.detail;
  std::error_code ignored;
  if (compiled.Ok() && !std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / kProgram, ignored))) {
    compiled.seen.verdict = oracle::Verdict::CompilerCrash;
    compiled.seen.detail = "reported success but made no program";
  }
  compiled.observed = observed;
  if (!compiled.Ok()) compiled.seen.signature = triage::CompileSignature(target, observed);
  return compiled;
}

Result<Seen> Judge::Run(const Compiled& compiled, bool with_argument, Surroundings surroundings) {
  ++runs_;
  exec::Command command = target::RunCommand(configuration_, {kSource}, kProgram, compiled.scratch.Path());
  if (surroundings == Surroundings::Other) {
    command.environment.push_back("LD_BIND_NOW=1");
    command.environment.push_back("ASSAY_PADDING=" + std::string(2'500, '#'));
  }
  if (with_argument) command.argv.push_back("1");
  ASSIGN_OR_RETURN(auto run, executor_.Run(command, RunLimits(configuration_.target->run_limits)));
  oracle::Expectation expectation;
  expectation.output = with_argument ? compiled.expected_with_argument : compiled.expected;
  const oracle::Judgement judgement = oracle::JudgeRun(expectation, run);
  Seen seen;
  seen.verdict = judgement.verdict;
  seen.detail = judgement.detail;
  seen.output = run.stdout_text;
  if (run.ending == exec::Ending::Signaled) seen.signature = CrashSignature(run.signal);
  const target::Target& target = *configuration_.target;
  if (run.ending == exec::Ending::NotStarted && target.kind == target::Kind::Compiler && target.run_prefix.empty()) {
    seen.verdict = oracle::Verdict::CompilerCrash;  // it made what cannot be started
    seen.signature = triage::CompileSignature(target, compiled.observed);
  }
  if (compiled.look == Look::Abort && run.ending == exec::Ending::Signaled && run.signal == SIGABRT) {
    seen.verdict = oracle::Verdict::WrongOutput;
    seen.detail = "aborted: the value is wrong";
  }
  return seen;
}

Result<Seen> Judge::Observe(const Case& subject, const machine::RunResult& result, Look look, bool with_argument) {
  ASSIGN_OR_RETURN(auto compiled, Compile(subject, result, look));
  if (!compiled.Ok()) return std::move(compiled.seen);
  return Run(compiled, with_argument);
}

Result<std::vector<Seen>> Judge::ObserveRuns(const Case& subject, const machine::RunResult& result, Look look, int runs,
                                             Surroundings surroundings) {
  ASSIGN_OR_RETURN(auto compiled, Compile(subject, result, look));
  if (!compiled.Ok()) return std::vector<Seen>{std::move(compiled.seen)};
  std::vector<Seen> all;
  for (int i = 0; i < runs; ++i) {
    ASSIGN_OR_RETURN(auto seen, Run(compiled, false, surroundings));
    all.push_back(std::move(seen));
    if (all.back().verdict == oracle::Verdict::ProgramHang) break;
  }
  return all;
}

Result<bool> Judge::Shows(const Bug& bug, const Case& subject, const machine::RunResult& result, Look look) {
  ASSIGN_OR_RETURN(auto compiled, Compile(subject, result, look));
  if (!compiled.Ok()) return Matches(bug, compiled.seen);
  for (int i = 0; i < std::max(1, bug.runs); ++i) {
    ASSIGN_OR_RETURN(auto seen, Run(compiled));
    if (!Matches(bug, seen)) continue;
    if (!bug.steady) return true;
    ASSIGN_OR_RETURN(auto other, Run(compiled, false, Surroundings::Other));
    return Matches(bug, other);
  }
  return false;
}

Result<std::vector<size_t>> Judge::WrongFinals(const Case& subject, const machine::RunResult& result) {
  ASSIGN_OR_RETURN(auto seen, Observe(subject, result, Look::Checksum, true));
  const std::vector<std::string> actual = Lines(seen.output);
  const std::vector<std::string> expected = Lines(emit::ExpectedOutput(subject.program, result, {}, true));
  std::vector<size_t> wrong;
  size_t line = 0;
  for (size_t i = 0; i < result.finals.size(); ++i) {
    if (result.finals[i].state == machine::FinalScalar::State::Unreadable) continue;
    if (line >= actual.size() || line >= expected.size()) break;
    if (actual[line] != expected[line]) wrong.push_back(i);
    ++line;
  }
  return wrong;
}

bool Matches(const Bug& bug, const Seen& seen) {
  if (bug.any) return oracle::IsFind(seen.verdict);
  if (seen.verdict != bug.verdict) return false;
  const bool has_signature = bug.verdict == oracle::Verdict::CompilerCrash ||
                             bug.verdict == oracle::Verdict::RejectedValid ||
                             bug.verdict == oracle::Verdict::ProgramCrash;
  return !has_signature || seen.signature == bug.signature;
}

}  // namespace assay::reduce
