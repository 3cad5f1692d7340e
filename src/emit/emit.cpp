#include "emit/emit.hpp"

#include <algorithm>

#include "emit/checks.hpp"
#include "emit/header.hpp"
#include "emit/names.hpp"
#include "emit/printer.hpp"
#include "lang/typing.hpp"
#include "lang/usage.hpp"
#include "machine/expectation.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

// clang has only the functions that store.
constexpr std::string_view kOverflowTests = R"(
#ifdef __clang__
#define __builtin_add_overflow_p(a, b, c) ({ __typeof__(c) r_; __builtin_add_overflow(a, b, &r_); })
#define __builtin_sub_overflow_p(a, b, c) ({ __typeof__(c) r_; __builtin_sub_overflow(a, b, &r_); })
#define __builtin_mul_overflow_p(a, b, c) ({ __typeof__(c) r_; __builtin_mul_overflow(a, b, &r_); })
#endif
)";

// Puts the parts of a text together. Each member function appends one section.
class Assembler {
 public:
  Assembler(const Program& program, const machine::RunResult& result, const EmitOptions& options)
      : program_(program),
        result_(result),
        options_(options),
        usage_(UsageOf(program)),
        names_(program, usage_, options.short_names) {
    const std::string why = WhyNotIn(options.dialect, program);
    CHECK_MSG(why.empty(), "{}", why);
  }

  Source Run() {
    Source source;  // files are moved into it: a list between braces would copy them
    if (options_.form == Form::Split) {
      source.files.push_back(Header());
      source.files.push_back(Driver());
      source.files.push_back(Data());
      source.files.push_back(Functions());
      return source;
    }
    Text text;
    text.Reserve(16 * program_.exprs.Size() + 4096);
    Comment(text);
    Library(text, true);
    Types(text);
    Prototypes(text);
    GlobalDefinitions(text, false);
    const size_t before_functions = text.Size();
    FunctionDefinitions(text, false);
    Main(text);
    if (usage_.Uses(Builtin::Memcmp) && text.View().find(kCompareMemory, before_functions) != std::string_view::npos) {
      text.Insert(before_functions, CompareMemory());
    }
    source.files.push_back({"program" + std::string(options_.dialect.extension), text.String()});
    return source;
  }

 private:
  File Header() {
    Text text;
    Comment(text);
    Types(text);
    Printer printer(program_, options_.dialect, names_, text, true);
    text += '\n';
    for (FunctionId function : program_.function_order) printer.Prototype(function);
    text += '\n';
    for (VarId var : program_.globals) printer.GlobalDeclaration(var);
    return {std::string(kSplitFiles[0]), text.String()};
  }

  File Driver() {
    Text text("#include \"program.h\"\n\nint printf(const char *, ...);\n");
    Main(text);
    return {std::string(kSplitFiles[1]), text.String()};
  }

  File Data() {
    Text text("#include \"program.h\"\n");
    GlobalDefinitions(text, true);
    return {std::string(kSplitFiles[2]), text.String()};
  }

  File Functions() {
    Text text("#include \"program.h\"\n");
    text.Reserve(16 * program_.exprs.Size() + 4096);
    Library(text, false);
    if (usage_.Uses(Builtin::Memcmp)) text += CompareMemory();
    FunctionDefinitions(text, true);
    return {std::string(kSplitFiles[3]), text.String()};
  }

  // The beginning of every text that is not a file of another: comment, then what words of the program need.
  void Comment(Text& out) {
    if (options_.form == Form::Report && !options_.comment.empty()) {
      AppendComment(out, options_.comment);
    } else {
      AppendHeader(out, program_);
    }
    if (usage_.Uses(TypeKind::VaList)) out += options_.dialect.argument_header;
  }

  std::string_view SizeType() const { return options_.dialect.Spelling(program_.Model().Properties().size_type); }

  bool Aborts() const {
    return options_.form == Form::SelfCheck || (options_.form == Form::Report && options_.report_tells == Tell::Abort);
  }
  bool Prints() const { return options_.form == Form::Single || options_.report_tells == Tell::Print; }

  void Library(Text& out, bool with_main) {
    const std::string size(SizeType());
    Text text;
    if (with_main && Aborts()) text += options_.dialect.abort_prototype;
    if (with_main && Prints()) text += "int printf(const char *, ...);\n";
    for (const BuiltinInfo& row : kBuiltins) {
      if (row.returns.empty() || !usage_.Uses(row.kind)) continue;
      for (char c : row.returns) c == '%' ? text += size : text += c;
      text += row.spelling;
      text += '(';
      for (char c : row.parameters) c == '%' ? text += size : text += c;
      text += ");\n";
    }
    if (!text.Empty()) (out += '\n') += text;
  }

  void Types(Text& out) {
    const bool harness = options_.form != Form::Report && FinalChecks::KeepsOutOfMain(result_);
    if (usage_.function_attributes || harness) out += options_.dialect.attributes;
    Text text;
    for (const TypeKindInfo& row : kTypeKinds) {
      if (!IsFixedWidth(row.kind) || !usage_.Uses(row.kind)) continue;
      text += "typedef ";
      text += Info(StandardKind(row.kind, program_.Model())).spelling;
      text += ' ';
      text += row.spelling;
      text += ";\n";
    }
    Printer printer(program_, options_.dialect, names_, text);
    for (TypeId vector : usage_.vectors) printer.VectorDefinition(vector);
    for (EnumId enumeration : usage_.enums) printer.EnumDefinition(enumeration);
    Records(printer);
    if (!text.Empty()) (out += '\n') += text;
  }

  // A record that an earlier one mentions behind a pointer is declared before that one.
  void Records(Printer& printer) {
    declared_.assign(program_.types.RecordCount(), false);
    for (RecordId id : usage_.records) {
      declared_[id.index] = true;
      for (const Member& member : program_.types.GetRecord(id).members) {
        DeclareMentioned(printer, member.type);
      }
      printer.RecordDefinition(id);
    }
  }

  void DeclareMentioned(Printer& printer, TypeId id) {
    const Type& type = program_.types[id];
    if (type.element) DeclareMentioned(printer, type.element);
    if (type.signature) {
      for (TypeId param : program_.types.GetSignature(type.signature).params) {
        DeclareMentioned(printer, param);
      }
    }
    if (!type.record || declared_[type.record.index]) return;
    declared_[type.record.index] = true;
    printer.RecordForward(type.record);
  }

  void Prototypes(Text& out) {
    Text text;
    Printer printer(program_, options_.dialect, names_, text);
    for (FunctionId function : program_.function_order) {
      if (options_.form != Form::Report || UsedBeforeDefinition(function)) printer.Prototype(function);
    }
    if (!text.Empty()) (out += '\n') += text;
  }

  bool StandsInMain(FunctionId function) const {
    return options_.form == Form::Report && options_.report_inlines && function == program_.entry;
  }

  bool HasAttributes(const Function& function) const {
    return (function.attrs & ~kFnStatic) != 0 ||
           std::any_of(function.params.begin(), function.params.end(),
                       [&](VarId param) { return program_.vars[param].attrs != 0; });
  }

  // A report declares only what needs it. UsageOf does not say who mentions a function: look at the
  // bodies up to its own.
  bool UsedBeforeDefinition(FunctionId wanted) const {
    if (StandsInMain(wanted)) return false;
    for (VarId var : program_.globals) {
      if (program_.vars[var].init && Mentions(program_.vars[var].init, wanted)) return true;
    }
    for (FunctionId function : program_.function_order) {
      if (function == wanted) return HasAttributes(program_.functions[wanted]);
      if (Mentions(program_.functions[function].body, wanted)) return true;
    }
    return false;
  }

  bool Mentions(ExprId id, FunctionId wanted) const {
    const Expr& e = program_.exprs[id];
    if (e.kind == ExprKind::Function && e.Func() == wanted) return true;
    if (e.kind == ExprKind::CompoundLiteral && program_.vars[e.Var()].init) {
      return Mentions(program_.vars[e.Var()].init, wanted);
    }
    bool found = false;
    ForEachChild(program_, e, [&](ExprId child) { found = found || Mentions(child, wanted); });
    return found;
  }

  bool Mentions(InitId id, FunctionId wanted) const {
    const Init& init = program_.inits[id];
    if (init.expr && Mentions(init.expr, wanted)) return true;
    for (const InitItem& item : init.items) {
      if (Mentions(item.init, wanted)) return true;
    }
    return false;
  }

  bool Mentions(BlockId block, FunctionId wanted) const {
    for (StmtId id : program_.blocks[block].stmts) {
      const Stmt& stmt = program_.stmts[id];
      for (ExprId expr : {stmt.init, stmt.expr, stmt.step}) {
        if (expr && Mentions(expr, wanted)) return true;
      }
      if (stmt.var) {
        const Variable& var = program_.vars[stmt.var];
        if (var.vla_length && Mentions(var.vla_length, wanted)) return true;
        if (var.init && Mentions(var.init, wanted)) return true;
      }
      if (stmt.body && Mentions(stmt.body, wanted)) return true;
      if (stmt.other && Mentions(stmt.other, wanted)) return true;
    }
    return false;
  }

  // A global whose address an earlier initialiser takes is declared before that one.
  void GlobalDefinitions(Text& out, bool external) {
    if (program_.globals.empty()) return;
    out += '\n';
    Printer printer(program_, options_.dialect, names_, out, external);
    std::vector<bool> known(program_.vars.Size(), external);
    for (VarId var : program_.globals) {
      known[var.index] = true;
      if (program_.vars[var].init) DeclareReferences(printer, program_.vars[var].init, known);
      printer.GlobalDefinition(var);
    }
  }

  void DeclareReferences(Printer& printer, InitId id, std::vector<bool>& known) {
    const Init& init = program_.inits[id];
    for (const InitItem& item : init.items) DeclareReferences(printer, item.init, known);
    if (init.expr) DeclareReferences(printer, init.expr, known);
  }

  void DeclareReferences(Printer& printer, ExprId id, std::vector<bool>& known) {
    const Expr& e = program_.exprs[id];
    if (e.kind == ExprKind::Variable && !known[e.ref]) {
      known[e.ref] = true;
      printer.GlobalDeclaration(e.Var());
    }
    ForEachChild(program_, e, [&](ExprId child) { DeclareReferences(printer, child, known); });
  }

  std::string CompareMemory() const {
    std::string text = "\nstatic int ";
    text += kCompareMemory;
    text += "(const void *a, const void *b, ";
    text += SizeType();
    return text + " size) {\n  int order = memcmp(a, b, size);\n  return (order > 0) - (order < 0);\n}\n";
  }

  // The functions that operators are printed as calls of.
  void Helpers(Text& out) {
    const auto define = [&](const auto& row) {
      if (!row.helper.empty() && usage_.Uses(row.kind)) (out += '\n') += row.helper;
    };
    if (usage_.Uses(Builtin::AddOverflowP) || usage_.Uses(Builtin::SubOverflowP) ||
        usage_.Uses(Builtin::MulOverflowP)) {
      out += kOverflowTests;
    }
    if (usage_.Uses(Builtin::Strcmp) || usage_.Uses(Builtin::Strncmp)) {
      out += "\nstatic int sign_of(int order) { return (order > 0) - (order < 0); }\n";
    }
    Printer printer(program_, options_.dialect, names_, out);
    for (size_t i = 0; i < usage_.shuffled.size(); ++i) printer.ShuffleDefinition(usage_.shuffled[i], usage_.masks[i]);
    for (const UnaryOpInfo& row : kUnaryOps) define(row);
    for (const BinaryOpInfo& row : kBinaryOps) define(row);
  }

  void FunctionDefinitions(Text& out, bool external) {
    Helpers(out);
    Printer printer(program_, options_.dialect, names_, out, external);
    for (FunctionId function : program_.function_order) {
      if (StandsInMain(function)) continue;
      out += '\n';
      printer.FunctionDefinition(function);
    }
  }

  void Main(Text& out) {
    out += '\n';
    FinalChecks checks(program_, result_, options_.dialect, names_);
    switch (options_.form) {
      case Form::Single:
      case Form::Split: return checks.AppendMixing(out);
      case Form::SelfCheck: return checks.AppendChecking(out);
      case Form::Report: return checks.AppendReport(out, options_);
      case Form::kCount: break;
    }
    CHECK(false);
  }

  const Program& program_;
  const machine::RunResult& result_;
  const EmitOptions& options_;
  Usage usage_;
  NameTable names_;
  std::vector<bool> declared_;
};

bool Returns(const Program& program, BlockId block) {
  for (StmtId id : program.blocks[block].stmts) {
    const Stmt& stmt = program.stmts[id];
    if (stmt.kind == StmtKind::Return) return true;
    if (stmt.body && Returns(program, stmt.body)) return true;
    if (stmt.other && Returns(program, stmt.other)) return true;
  }
  return false;
}

}  // namespace

bool CanStandInMain(const Program& program) {
  for (const Expr& e : program.exprs) {
    if (e.kind == ExprKind::Function && e.Func() == program.entry) return false;
  }
  return !Returns(program, program.functions[program.entry].body);
}

bool CanLookDirectly(const Program& program, VarId var) {
  if (!CanStandInMain(program)) return false;
  const Type& type = program.types[program.vars[var].type];
  const std::vector<StmtId>& stmts = program.blocks[program.functions[program.entry].body].stmts;
  if (!IsInteger(type.kind) || type.quals != 0 || stmts.empty()) return false;
  const Stmt& last = program.stmts[stmts.back()];
  if (last.kind != StmtKind::Expr || program.exprs[last.expr].kind != ExprKind::Assign) return false;
  const Expr& assign = program.exprs[last.expr];
  const Expr& place = program.exprs[assign.lhs];
  if (place.kind != ExprKind::Variable || place.Var() != var) return false;
  if (program.exprs[assign.rhs].type != program.vars[var].type) return false;
  return std::count_if(program.exprs.begin(), program.exprs.end(),
                       [&](const Expr& e) { return e.kind == ExprKind::Variable && e.Var() == var; }) == 1;
}

Source Emit(const Program& program, const machine::RunResult& result, const EmitOptions& options) {
  if (!options.report_direct) return Assembler(program, result, options).Run();
  Program shown = program;
  std::erase(shown.globals, result.finals[*options.report_final].var);
  return Assembler(shown, result, options).Run();
}

std::string ExpectedOutput(const Program& program, const machine::RunResult& result, const EmitOptions& options,
                           bool with_argument) {
  const bool checksum = options.form == Form::Single || options.form == Form::Split;
  if (checksum && !with_argument) return machine::ExpectedOutput(result);  // the common case needs no names
  const Usage usage = UsageOf(program);
  NameTable names(program, usage, options.short_names);
  FinalChecks checks(program, result, options.dialect, names);
  Text out;
  switch (options.form) {
    case Form::Single:
    case Form::Split: checks.AppendExpectedValues(out); return out.String() + machine::ExpectedOutput(result);
    case Form::SelfCheck: return out.String();
    case Form::Report:
      if (options.report_tells == Tell::Print && options.report_final) {
        checks.AppendExpectedReport(out, result.finals[*options.report_final]);
      }
      return out.String();
    case Form::kCount: break;
  }
  CHECK(false);
  return out.String();
}

std::string NameOf(const Program& program, const machine::FinalScalar& scalar, bool short_names) {
  const Usage usage = UsageOf(program);
  NameTable names(program, usage, short_names);
  Text out;
  FinalChecks(program, {}, kGnuC, names).AppendPath(out, scalar.var, scalar.path);
  return out.String();
}

}  // namespace assay::emit
