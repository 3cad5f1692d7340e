#include "reduce/explain.hpp"

#include "emit/emit.hpp"
#include "emit/names.hpp"
#include "emit/printer.hpp"
#include "lang/usage.hpp"
#include "reduce/mend.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string TextOfStatement(const Program& program, FunctionId function, StmtId id) {
  const Usage usage = UsageOf(program);
  emit::NameTable names(program, usage, true);
  // Names are given in order of the text: print everything up to the function that has the
  // statement.
  emit::Text ignored, written;
  for (FunctionId other : program.function_order) {
    emit::Printer(program, emit::kGnuC, names, ignored).FunctionDefinition(other);
    if (other == function) break;
  }
  const Stmt& stmt = program[id];
  if (stmt.expr) emit::Printer(program, emit::kGnuC, names, written).Expression(stmt.expr);
  const std::string text = written.String();
  if (stmt.kind == StmtKind::Expr) return text + ";";
  return std::string(Info(stmt.kind).name) + (text.empty() ? "" : " (" + text + ")");
}

class Explainer {
 public:
  Explainer(const Case& subject, Judge& judge, const machine::Options& options)
      : subject_(subject), judge_(judge), options_(options) {}

  Result<Divergence> Run() {
    RETURN_IF_ERROR(Within(subject_.program[subject_.program.entry].body, subject_.program.entry, 0));
    return std::move(found_);
  }

 private:
  struct Tried {
    bool wrong = false;
    std::string name, expected, actual;
  };

  // The program whose block ends after `count` statements.
  Result<Tried> TryCut(BlockId block, size_t count) {
    Case cut = subject_;
    cut.program.blocks[block].stmts.resize(count);
    Tried tried;
    if (!Mend(cut)) return tried;
    machine::Machine machine(cut.program, options_);
    const machine::RunResult result = machine.Run();
    const std::optional<size_t> checked = FindChecked(cut, result);
    if (result.trap.kind != machine::TrapKind::None || !checked) return tried;
    ASSIGN_OR_RETURN(auto seen, judge_.Observe(cut, result, Look::Print));
    if (seen.verdict != oracle::Verdict::WrongOutput) return tried;
    emit::EmitOptions options;
    options.form = emit::Form::Report;
    options.short_names = true;
    options.report_final = checked;
    options.report_tells = emit::Tell::Print;
    tried.wrong = true;
    tried.name = emit::NameOf(cut.program, result.finals[*checked], true);
    tried.expected = FirstLine(emit::ExpectedOutput(cut.program, result, options));
    tried.actual = FirstLine(seen.output);
    return tried;
  }

  Result<void> Within(BlockId block, FunctionId function, int depth) {
    const std::vector<StmtId> stmts = subject_.program[block].stmts;
    for (size_t count = 1; count <= stmts.size(); ++count) {
      ASSIGN_OR_RETURN(auto tried, TryCut(block, count));
      if (!tried.wrong) continue;
      const StmtId guilty = stmts[count - 1];
      found_ = {tried.name, TextOfStatement(subject_.program, function, guilty), tried.expected, tried.actual};
      if (depth < 8) return Below(guilty, function, depth + 1);
      return {};
    }
    return {};
  }

  Result<void> Below(StmtId id, FunctionId function, int depth) {
    const Program& program = subject_.program;
    const Stmt& stmt = program[id];
    if (stmt.kind == StmtKind::Block) return Within(stmt.body, function, depth);
    if (stmt.kind != StmtKind::Expr || program[stmt.expr].kind != ExprKind::Call) return {};
    const Expr& callee = program[program[stmt.expr].lhs];
    if (callee.kind != ExprKind::Function) return {};
    return Within(program[callee.Func()].body, callee.Func(), depth);
  }

  const Case& subject_;
  Judge& judge_;
  const machine::Options& options_;
  Divergence found_;
};

}  // namespace

Result<Divergence> Explain(const Case& subject, Judge& judge, const machine::Options& options) {
  CHECK(subject.check.has_value());
  return Explainer(subject, judge, options).Run();
}

}  // namespace assay::reduce
