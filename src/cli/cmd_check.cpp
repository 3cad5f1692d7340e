// assay check: is a program of ours valid, what must it print, how does it run?
#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "emit/header.hpp"
#include "emit/names.hpp"
#include "emit/printer.hpp"
#include "gen/generate.hpp"
#include "lang/usage.hpp"
#include "support/files.hpp"

namespace assay::cli {
namespace {

using support::Result;
using support::UsageError;

// Prints every statement with its first line of text, and every store, while the program runs.
class PrintingTracer : public machine::Tracer {
 public:
  explicit PrintingTracer(const lang::Program& program) : program_(program), usage_(lang::UsageOf(program)), names_(program, usage_, false) {}

  void OnStatement(lang::StmtId id, uint32_t depth) override {
    const lang::Stmt& stmt = program_.stmts[id];
    std::string text;
    if (stmt.expr) emit::Printer(program_, names_, text).Expression(stmt.expr);
    fmt::print("{:>{}}{} {}\n", "", depth * 2, lang::Info(stmt.kind).name, text);
  }

  void OnStore(lang::VarId var, uint32_t offset, lang::TypeId type, machine::Value value) override {
    if (!var || !lang::IsInteger(program_.types.Kind(type))) return;
    std::string text;
    emit::Printer(program_, names_, text).Declarator(program_.vars[var].type, var);
    fmt::print("    {} +{} = {}\n", text, offset, static_cast<int64_t>(value));
  }

 private:
  const lang::Program& program_;
  const lang::Usage usage_;
  emit::NameTable names_;
};

// The program again, from the header of its text; an error if the text is not what this version makes from it.
Result<gen::Generated> Remake(const std::string& file, const std::string& text, emit::EmitOptions* options) {
  const std::optional<emit::Header> header = emit::ReadHeader(text);
  if (!header) {
    return UsageError(fmt::format("{} is not a program of ours: it does not begin with the comment that 'assay gen' writes", file));
  }
  Result<knobs::Knobs> knobs = knobs::Parse(header->provenance.knobs);
  if (!knobs) return UsageError(fmt::format("{}: in the header comment: {}", file, knobs.GetError().message));
  if (header->provenance.version != gen::kVersion) {
    return UsageError(fmt::format("{} was made by version {}; this is {}: the same seed makes another program here", file,
                                  header->provenance.version, gen::kVersion));
  }
  gen::Generated made = gen::Generate(header->provenance.seed, *knobs, header->model);
  for (emit::Form form : {emit::Form::Single, emit::Form::SelfCheck}) {
    options->form = form;
    if (emit::Emit(made.program, made.result, *options).files.front().text == text) return made;
  }
  return UsageError(fmt::format("{} differs from what seed {} makes: it was edited, or made by another version", file,
                                header->provenance.seed));
}

Result<void> RunCheck(const std::string& file, bool trace) {
  Result<std::string> text = support::ReadFile(file);
  if (!text) return text.GetError();
  emit::EmitOptions options;
  Result<gen::Generated> made = Remake(file, *text, &options);
  if (!made) return made.GetError();
  lang::Program& program = made->program;
  if (trace) {
    PrintingTracer tracer(program);
    machine::Options run;
    run.step_budget = ~uint64_t{0};
    run.tracer = &tracer;
    machine::Machine(program, run).Run();
  }
  fmt::print("valid: yes\nsteps: {}\nstack: {} bytes at most\n", made->result.steps, made->result.peak_stack_bytes);
  const lang::Usage usage = lang::UsageOf(program);
  emit::NameTable names(program, usage, false);
  for (lang::FunctionId id : program.function_order) {
    const lang::Block& body = program.blocks[program.functions[id].body];
    const uint64_t runs = body.stmts.empty() ? 0 : made->statement_runs[body.stmts.front().index];
    std::string name;
    emit::Printer(program, names, name).Prototype(id);
    fmt::print("calls: {:>8} {}\n", runs, name.substr(0, name.find(';')));
  }
  fmt::print("expected output:\n{}", emit::ExpectedOutput(program, made->result, options));
  return {};
}

}  // namespace

void AddCheck(CommandLine& line) {
  auto file = std::make_shared<std::string>();
  auto trace = std::make_shared<bool>(false);
  CLI::App* command = line.app.add_subcommand("check", "Is a program of ours valid? What must it print?");
  command->footer("example:\n  assay gen --seed 7 --out 7.c && assay check 7.c");
  command->add_option("file", *file, "a program made by 'assay gen'")->required();
  command->add_flag("--trace", *trace, "print every statement executed and every value stored");
  command->callback([file, trace, &line] {
    if (Result<void> done = RunCheck(*file, *trace); !done) line.exit_code = Fail(done.GetError());
  });
}

}  // namespace assay::cli
