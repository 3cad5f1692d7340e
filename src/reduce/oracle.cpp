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

emit::EmitOptions OptionsFor(const Case& subject, const machine::RunResult& result, Look look,
                             const std::string& comment) {
  emit::EmitOptions options;
  options.form = look == Look::Checksum ? emit::Form::Single : emit::Form::Report;
  options.short_names = look != Look::Checksum;
  if (look == Look::Print || look == Look::Abort || look == Look::AbortFunction) {
    options.report_final = FindChecked(subject, result);
    CHECK_MSG(options.report_final.has_value(), "the checked value is not there");
  }
  options.report_prints = look == Look::Print;
  options.builtin_abort = look != Look::AbortFunction;
  options.comment = comment.empty() ? " " : comment;
  return options;
}

// A program of ours ends within the machine's budget: it needs no long limits.
exec::Limits RunLimits(exec::Limits limits) {
  limits.cpu_seconds = std::min(limits.cpu_seconds, 4.0);
  return limits;
}

// A wild address gives one or the other by chance.
std::string CrashSignature(int signal) {
  return exec::SignalName(signal == SIGBUS ? SIGSEGV : signal);
}

}  // namespace

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string TextOf(const Case& subject, const machine::RunResult& result, Look look,
                   const std::string& comment) {
  emit::Source source =
      emit::Emit(subject.program, result, OptionsFor(subject, result, look, comment));
  return std::move(source.files.front().text);
}

std::string ExpectedOf(const Case& subject, const machine::RunResult& result, Look look) {
  if (look != Look::Print && look != Look::Checksum) return {};
  return emit::ExpectedOutput(subject.program, result, OptionsFor(subject, result, look, {}));
}

Result<Seen> Judge::Observe(const Case& subject, const machine::RunResult& result, Look look,
                            const std::string& comment, bool with_argument) {
  const target::Target& target = *configuration_.target;
  const emit::EmitOptions options = OptionsFor(subject, result, look, comment);
  Seen seen;
  seen.source = TextOf(subject, result, look, comment);
  auto scratch = exec::Scratch::Make();
  if (!scratch) return scratch.GetError();
  const std::filesystem::path folder = scratch->Path();
  const std::vector<std::string> sources = {"program.c"};
  std::ofstream(folder / sources[0]) << seen.source;
  if (target.kind == target::Kind::Compiler) {
    ++compilations_;
    auto compiled =
        executor_.Run(target::CompileCommand(configuration_, sources, "./program", folder),
                      target.compile_limits);
    if (!compiled) return compiled.GetError();
    const oracle::Judgement judgement = oracle::JudgeCompile(target, *compiled);
    seen.verdict = judgement.verdict;
    seen.detail = judgement.detail;
    if (judgement.verdict != oracle::Verdict::Ok) {
      seen.signature = triage::CompileSignature(target, *compiled);
      return seen;
    }
  }
  ++runs_;
  exec::Command command = target::RunCommand(configuration_, sources, "./program", folder);
  if (with_argument) command.argv.push_back("1");
  auto run = executor_.Run(command, RunLimits(target.run_limits));
  if (!run) return run.GetError();
  oracle::Expectation expectation;
  expectation.output = emit::ExpectedOutput(subject.program, result, options, with_argument);
  const oracle::Judgement judgement = oracle::JudgeRun(expectation, *run);
  seen.verdict = judgement.verdict;
  seen.detail = judgement.detail;
  seen.output = run->stdout_text;
  if (run->ending == exec::Ending::Signaled) seen.signature = CrashSignature(run->signal);
  const bool aborts = look == Look::Abort || look == Look::AbortFunction;
  if (aborts && run->ending == exec::Ending::Signaled && run->signal == SIGABRT) {
    seen.verdict = oracle::Verdict::WrongOutput;
    seen.detail = "aborted: the value is wrong";
  }
  return seen;
}

Result<std::vector<size_t>> Judge::WrongFinals(const Case& subject,
                                               const machine::RunResult& result) {
  auto seen = Observe(subject, result, Look::Checksum, {}, true);
  if (!seen) return seen.GetError();
  const std::vector<std::string> actual = Lines(seen->output);
  const std::vector<std::string> expected =
      Lines(emit::ExpectedOutput(subject.program, result, {}, true));
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

Result<bool> Judge::Shows(const Bug& bug, const Case& subject, const machine::RunResult& result,
                          Look look) {
  for (int i = 0; i < std::max(1, bug.tries); ++i) {
    auto seen = Observe(subject, result, look);
    if (!seen) return seen.GetError();
    if (Matches(bug, *seen)) return true;
  }
  return false;
}

}  // namespace assay::reduce
