// assay check: is a program of ours valid, what must it print, how does it run?
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/run_trace.hpp"
#include "emit/emit.hpp"
#include "emit/header.hpp"
#include "gen/generate.hpp"
#include "lang/verify.hpp"
#include "reduce/case.hpp"
#include "support/files.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;
using support::UsageError;

struct Subject {
  lang::Program program;
  machine::Options run;
  emit::EmitOptions form;
};

// A stored case, or the model alone.
bool IsModel(std::string_view text) { return text.starts_with("assay-case") || text.starts_with("assay-program"); }

Result<Subject> FromModel(const std::string& file, const std::string& text) {
  Result<reduce::Case> stored = reduce::LoadCase(text);
  if (!stored) return UsageError(fmt::format("{}: {}", file, stored.GetError().message));
  Subject subject{std::move(stored->program), {}, {}};
  const std::vector<lang::Problem> problems = lang::Verify(subject.program);
  if (problems.empty()) return subject;
  std::string message = fmt::format("{} is not a program:", file);
  for (const lang::Problem& problem : problems) message += "\n  " + lang::Describe(problem);
  return UsageError(message);
}

// The program again, from the header of its text; an error if the text is not what this version makes from it.
Result<Subject> FromSource(const std::string& file, const std::vector<std::string>& texts) {
  const std::optional<emit::Header> header = texts.empty() ? std::nullopt : emit::ReadHeader(texts.front());
  if (!header) {
    return UsageError(
        fmt::format("{} is not a program of ours: it does not begin with the comment that 'assay gen' writes", file));
  }
  Result<knobs::Knobs> knobs = knobs::Parse(header->provenance.knobs);
  if (!knobs) return UsageError(fmt::format("{}: in the header comment: {}", file, knobs.GetError().message));
  if (!gen::IsOfThisRevision(header->provenance.version)) {
    return UsageError(fmt::format("{} was made by version {}; this is {}: the same seed makes another program here",
                                  file, header->provenance.version, gen::ProgramVersion()));
  }
  gen::Generated made = gen::Generate(header->provenance.seed, *knobs, header->model);
  for (emit::Form form : {emit::Form::Single, emit::Form::SelfCheck, emit::Form::Split}) {
    emit::EmitOptions options{.form = form};
    std::vector<std::string> again;
    for (const emit::File& made_file : emit::Emit(made.program, made.result, options).files)
      again.push_back(made_file.text);
    if (again == texts) return Subject{std::move(made.program), gen::RunOptions(*knobs), options};
  }
  return UsageError(fmt::format("{} differs from what seed {} makes: it was edited, or made by another version", file,
                                header->provenance.seed));
}

Result<Subject> ReadSubject(const std::string& file) {
  std::vector<std::string> texts;
  std::error_code ignored;
  if (!fs::is_directory(file, ignored)) {
    ASSIGN_OR_RETURN(auto text, support::ReadFile(file));
    if (IsModel(text)) return FromModel(file, text);
    return FromSource(file, {text});
  }
  for (const std::string_view name : emit::kSplitFiles) {  // a program in the split form
    Result<std::string> text = support::ReadFile(fs::path(file) / name);
    if (!text) return UsageError(fmt::format("{} is not the folder of a split program: it has no {}", file, name));
    texts.push_back(std::move(text).Value());
  }
  return FromSource(file, texts);
}

void PrintTrap(const machine::Trap& trap, ProgramNames& names) {
  const machine::TrapInfo& info = machine::Info(trap.kind);
  Say("valid: no\ntrap: {}: {}{}\n", info.name, info.summary,
      info.clause.empty() ? "" : fmt::format(" (C17 {})", info.clause));
  if (trap.expr) Say("at: {}\n", names.Expression(trap.expr));
  if (trap.function) Say("in: {}\n", names.Signature(trap.function));
  Say("after: {} executions\n", trap.prior_executions);
  for (const machine::Operand& operand : trap.operands) {
    if (!operand.is_lvalue)
      Say("operand: {} = {}\n", names.Expression(operand.expr), static_cast<int64_t>(operand.value));
  }
}

// True if the program is valid.
Result<bool> RunCheck(const std::string& file, bool trace) {
  ASSIGN_OR_RETURN(auto subject, ReadSubject(file));
  lang::Program& program = subject.program;
  ProgramNames names(program);
  PrintingTracer tracer(program, names);
  if (trace) subject.run.tracer = &tracer;
  machine::Machine machine(program, subject.run);
  const machine::RunResult result = machine.Run();
  const bool valid = result.trap.kind == machine::TrapKind::None;
  if (valid) {
    Say("valid: yes\n");
  } else {
    PrintTrap(result.trap, names);
  }
  Say("steps: {}\nstack: {} bytes at most\n", result.steps, result.peak_stack_bytes);
  for (lang::FunctionId id : program.function_order) {
    const lang::Block& body = program.blocks[program.functions[id].body];
    const uint64_t runs = body.stmts.empty() ? 0 : machine.Executions(body.stmts.front());
    Say("calls: {:>8} {}\n", runs, names.Signature(id));
  }
  if (valid) Say("expected output:\n{}", emit::ExpectedOutput(program, result, subject.form));
  return valid;
}

}  // namespace

void AddCheck(CommandLine& line) {
  auto file = std::make_shared<std::string>();
  auto trace = std::make_shared<bool>(false);
  CLI::App* command = line.app.add_subcommand("check", "Is a program of ours valid? What must it print?");
  command->footer(
      "Exit code 0: valid. 1: not valid.\n"
      "examples:\n"
      "  assay gen --seed 7 --out 7.c && assay check 7.c\n"
      "  assay check bugs/3/model.txt --trace     a stored program, whatever version made it");
  command->add_option("file", *file, "a program made by 'assay gen' (of the split form: its folder), or a stored model")
      ->required();
  command->add_flag("--trace", *trace, "print every statement executed and every value stored");
  command->callback([file, trace, &line] {
    Result<bool> valid = RunCheck(*file, *trace);
    line.exit_code = !valid ? Fail(valid.GetError()) : *valid ? 0 : 1;
  });
}

}  // namespace assay::cli
