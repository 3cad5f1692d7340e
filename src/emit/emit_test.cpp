// Emitted text is compiled by the real compilers of this machine and run; what it prints must be
// what the model means.
#include "emit/emit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "emit/header.hpp"
#include "emit/printer.hpp"
#include "emit/tokens.hpp"
#include "lang/builder.hpp"
#include "lang/samples.hpp"
#include "machine/expectation.hpp"
#include "support/files.hpp"

namespace assay::emit {
namespace {

using lang::Program;
using lang::Sample;
using machine::FinalScalar;
using machine::RunResult;

RunResult ResultOf(const Sample& sample) {
  RunResult result;
  for (const lang::SampleFinal& final : sample.finals) {
    FinalScalar scalar;
    scalar.var = final.var;
    scalar.path = final.path;
    scalar.type = sample.program.vars[final.var].type;
    for (uint32_t index : final.path) {
      const lang::Type& type = sample.program.types[scalar.type];
      if (IsRecord(type.kind)) {
        const lang::Member& member = sample.program.types.GetRecord(type.record).members[index];
        scalar.type = member.type;
        scalar.bit_width = member.bit_width;
      } else if (lang::IsWide(type.kind)) {  // a half
        scalar.type = sample.program.types.Basic(lang::TypeKind::UInt64);
      } else {
        scalar.type = type.element;
      }
    }
    scalar.value = static_cast<uint64_t>(final.value);
    result.finals.push_back(scalar);
  }
  return result;
}

// A directory of its own that disappears with the object.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/assay_emit_XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  size_t count = 0;
  while ((count = fread(buffer, 1, sizeof buffer, pipe)) > 0) outcome.output.append(buffer, count);
  outcome.status = pclose(pipe);
  return outcome;
}

bool Present(const std::string& compiler) { return Shell("command -v " + compiler + " >/dev/null").status == 0; }

// Compiles and runs; the output, or the compiler's messages.
Outcome CompileAndRun(const std::string& compiler, const Source& source, const std::string& argument = "") {
  Folder folder;
  std::string files;
  for (const File& file : source.files) {
    EXPECT_TRUE(support::WriteFile(folder.Path() + "/" + file.name, file.text).Ok());
    if (!file.IsHeader()) files += " " + file.name;
  }
  Outcome compiled = Shell("cd " + folder.Path() + " && timeout 60 " + compiler + " -o program" + files + " -lm 2>&1");
  if (compiled.status != 0) return compiled;
  return Shell("cd " + folder.Path() + " && timeout 60 ./program " + argument + " 2>&1");
}

// What a compiler of Debian 12 is known not to support or to get wrong. gcc and clang: nothing. The small ones have
// some of GNU C's operators (tests/target_knobs_test.cpp).
bool Known(const std::string& compiler, const Sample& sample) {
  if (sample.name.starts_with("gnu ")) return !compiler.starts_with("gcc") && !compiler.starts_with("clang");
  static const std::set<std::pair<std::string, std::string>> known = {
      {"chibicc", "variadic"},  // no __builtin_va_list
      {"chibicc", "types"},     // the compiler crashes
      {"pcc", "constants"},     // (long long)'\\377' is 4294967295
  };
  return known.contains({compiler, sample.name});
}

class EmitWith : public testing::TestWithParam<const char*> {};

TEST_P(EmitWith, EverySampleMeansTheSame) {
  const std::string compiler = GetParam();
  if (!Present(compiler.substr(0, compiler.find(' ')))) GTEST_SKIP() << compiler << " is not installed";
  for (const Sample& sample : lang::AllSamples()) {
    if (Known(compiler, sample)) continue;
    const RunResult result = ResultOf(sample);
    const Source source = Emit(sample.program, result);
    const Outcome outcome = CompileAndRun(compiler, source, "values");
    EXPECT_EQ(outcome.status, 0) << sample.name;
    EXPECT_EQ(outcome.output, ExpectedOutput(sample.program, result, {}, true)) << sample.name;
    if (outcome.status != 0) std::printf("%s\n", source.files[0].text.substr(0, 3000).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, EmitWith, testing::Values("gcc", "gcc -O2", "clang", "tcc", "chibicc", "pcc"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](char c) { return !isalnum(c); });
                           return name;
                         });

// In C11 the text has no word that only some compilers know, and a compiler that insists on the standard takes it. (It
// objects to bit-fields of types other than int, which the standard leaves to the implementation.)
TEST(Dialects, WhatIsWrittenInC11IsC11) {
  size_t written = 0;
  for (const Sample& sample : lang::AllSamples()) {
    if (!WhyNotIn(kC11, sample.program).empty()) continue;
    ++written;
    const RunResult result = ResultOf(sample);
    for (Form form : {Form::Single, Form::Split, Form::SelfCheck}) {
      const EmitOptions options{.form = form, .dialect = kC11};
      const Source source = Emit(sample.program, result, options);
      for (const File& file : source.files) {
        EXPECT_EQ(file.text.find("__"), std::string::npos) << sample.name << "\n" << file.text;
      }
      const std::string expected = form == Form::SelfCheck ? "" : ExpectedOutput(sample.program, result, options);
      for (const char* compiler : {"gcc -std=c11 -pedantic-errors", "clang -std=c11 -pedantic-errors -w"}) {
        if (!Present(std::string(compiler).substr(0, std::string(compiler).find(' ')))) continue;
        EXPECT_EQ(CompileAndRun(compiler, source).output, expected) << sample.name << " " << compiler;
      }
    }
  }
  EXPECT_GT(written, 3u);
}

TEST(Dialects, WhatADialectCannotSayIsNamed) {
  Sample sample = lang::TypeSample();
  Program& program = sample.program;
  for (uint32_t i = 0; i < program.types.RecordCount(); ++i) program.types.GetRecord(lang::RecordId(i)).packed = false;
  EXPECT_EQ(WhyNotIn(kC11, program), "");
  for (uint32_t i = 0; i < program.types.RecordCount(); ++i) program.types.GetRecord(lang::RecordId(i)).packed = true;
  EXPECT_EQ(WhyNotIn(kC11, program), "c11 has no packed records");
  EXPECT_EQ(WhyNotIn(kGnuC, program), "");
}

// The machine agrees with the values worked out by hand.
TEST(Samples, TheMachineComputesTheSameValues) {
  for (Sample& sample : lang::AllSamples()) {
    const RunResult run = machine::Machine(sample.program, {}).Run();
    ASSERT_EQ(run.trap.kind, machine::TrapKind::None)
        << sample.name << ": " << machine::Info(run.trap.kind).name << " at " << run.trap.expr.index;
    for (const lang::SampleFinal& final : sample.finals) {
      const auto found = std::find_if(run.finals.begin(), run.finals.end(), [&](const FinalScalar& scalar) {
        return scalar.var == final.var && scalar.path == final.path;
      });
      ASSERT_NE(found, run.finals.end()) << sample.name << " variable " << final.var.index;
      EXPECT_EQ(static_cast<int64_t>(found->value), final.value) << NameOf(sample.program, *found);
    }
    EXPECT_EQ(ExpectedOutput(sample.program, run), machine::ExpectedOutput(run));
  }
}

TEST(Forms, SplitFilesMeanTheSame) {
  for (const Sample& sample : lang::AllSamples()) {
    const RunResult result = ResultOf(sample);
    const EmitOptions options{.form = Form::Split};
    const Outcome outcome = CompileAndRun("gcc -O1", Emit(sample.program, result, options));
    EXPECT_EQ(outcome.output, ExpectedOutput(sample.program, result, options)) << sample.name;
  }
}

TEST(Forms, SelfCheckAbortsExactlyWhenAValueIsWrong) {
  for (const Sample& sample : lang::AllSamples()) {
    RunResult result = ResultOf(sample);
    const EmitOptions options{.form = Form::SelfCheck};
    const Outcome outcome = CompileAndRun("gcc", Emit(sample.program, result, options));
    EXPECT_EQ(outcome.status, 0) << sample.name;
    EXPECT_EQ(outcome.output, "") << sample.name;
    result.finals.back().value ^= 1;
    const Source wrong = Emit(sample.program, result, {.form = Form::SelfCheck});
    EXPECT_NE(CompileAndRun("gcc", wrong).status, 0) << sample.name;
  }
}

TEST(Forms, ReportLooksAtOneValue) {
  const Sample sample = lang::TypeSample();
  RunResult result = ResultOf(sample);
  for (bool short_names : {false, true}) {
    for (size_t i = 0; i < result.finals.size(); i += 13) {
      EmitOptions options{.form = Form::Report,
                          .short_names = short_names,
                          .report_final = i,
                          .comment = "gcc -O3, expected 1 */ actual 2\nsecond line\n"};
      const Source source = Emit(sample.program, result, options);
      EXPECT_TRUE(source.files[0].text.starts_with("/* gcc -O3, expected 1 * / actual 2\n * second line\n */\n"));
      EXPECT_EQ(source.files[0].text.find("checksum"), std::string::npos);
      EXPECT_EQ(CompileAndRun("gcc", source).status, 0) << source.files[0].text;
      result.finals[i].value ^= 1;
      EXPECT_NE(CompileAndRun("gcc", Emit(sample.program, result, options)).status, 0);
      result.finals[i].value ^= 1;
      options.report_tells = Tell::Print;
      EXPECT_EQ(CompileAndRun("gcc", Emit(sample.program, result, options)).output,
                ExpectedOutput(sample.program, result, options));
    }
  }
}

// Short names are given function by function: a local must not get the name of a parameter.
TEST(Forms, ReportsInShortNamesMeanTheSame) {
  for (const Sample& sample : lang::AllSamples()) {
    const RunResult result = ResultOf(sample);
    for (bool in_main : {false, true}) {
      if (in_main && !CanStandInMain(sample.program)) continue;
      const EmitOptions options{.form = Form::Report,
                                .short_names = true,
                                .report_final = 0,
                                .report_inlines = in_main,
                                .report_tells = Tell::Print};
      const Source source = Emit(sample.program, result, options);
      EXPECT_EQ(CompileAndRun("gcc", source).output, ExpectedOutput(sample.program, result, options))
          << sample.name << source.files[0].text;
    }
  }
}

// a = 6 * b; with a check of a becomes a check of 6 * b.
TEST(Forms, AReportLooksDirectlyAtWhatIsAssignedLast) {
  struct Form {
    int value;  // of the operand
    Tell tell;
    lang::BinaryOp op;
    const char* expected;
  };
  using lang::BinaryOp;
  for (const Form& form :
       std::initializer_list<Form>{{2, Tell::Abort, BinaryOp::Mul, "if (6 * a != 12) __builtin_abort();\n"},
                                   {0, Tell::Abort, BinaryOp::Mul, "if (6 * a) __builtin_abort();\n"},
                                   {2, Tell::Status, BinaryOp::Mul, "return 6 * a != 12;\n"},
                                   {0, Tell::Status, BinaryOp::Mul, "return 6 * a != 0;\n"},
                                   {7, Tell::Status, BinaryOp::Gt, "return 6 > a;\n"},
                                   {2, Tell::Status, BinaryOp::Gt, "return !(6 > a);\n"},
                                   {2, Tell::Print, BinaryOp::Gt, "(long long)(6 > a));\n"}}) {
    Program program;
    lang::Builder b(program);
    const lang::TypeId int_type = program.types.Basic(lang::TypeKind::Int);
    const lang::TypeId void_type = program.types.Basic(lang::TypeKind::Void);
    program.entry = b.Function(program.types.Function(void_type, {}));
    const lang::BlockId body = program.functions[program.entry].body;
    const lang::VarId seen = b.Global(int_type);
    const lang::VarId used = b.Global(int_type, b.InitExpr(b.Int(form.value)));
    const lang::ExprId value = b.Binary(form.op, b.Int(6), b.Var(used));
    b.Append(body, b.ExprStatement(b.Assign(b.Var(seen), value)));
    EXPECT_TRUE(CanLookDirectly(program, seen));
    EXPECT_FALSE(CanLookDirectly(program, used)) << "it is not what is assigned";
    const RunResult result = machine::Machine(program, {}).Run();
    const EmitOptions options{.form = emit::Form::Report,
                              .short_names = true,
                              .report_final = 0,
                              .report_inlines = true,
                              .report_direct = true,
                              .report_tells = form.tell};
    const Source source = Emit(program, result, options);
    EXPECT_THAT(source.files[0].text, testing::HasSubstr(form.expected));
    EXPECT_THAT(source.files[0].text, testing::Not(testing::HasSubstr("int b")));
    EXPECT_EQ(source.files[0].text.find("return 0") == std::string::npos, form.tell == Tell::Status);
    const Outcome outcome = CompileAndRun("gcc -Werror", source);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, ExpectedOutput(program, result, options));
    RunResult wrong = result;
    wrong.finals[0].value ^= 1;
    EXPECT_EQ(CompileAndRun("gcc", Emit(program, wrong, options)).status == 0, form.tell == Tell::Print);

    b.Append(body, b.ExprStatement(b.Var(seen)));
    EXPECT_FALSE(CanLookDirectly(program, seen)) << "it is used once more, and not assigned last";
  }
}

// memcmp(&a, &b, sizeof(int)); says enough where nobody looks at its value.
TEST(Forms, AReportComparesMemoryByItselfOnlyForTheValue) {
  for (bool used : {false, true}) {
    Program program;
    lang::Builder b(program);
    const lang::TypeId int_type = program.types.Basic(lang::TypeKind::Int);
    program.entry = b.Function(program.types.Function(program.types.Basic(lang::TypeKind::Void), {}));
    const lang::VarId one = b.Global(int_type), other = b.Global(int_type);
    const std::array both = {b.AddressOf(b.Var(one)), b.AddressOf(b.Var(other))};
    const lang::ExprId compared = b.BuiltinCall(lang::Builtin::Memcmp, int_type, int_type, both);
    b.Append(program.functions[program.entry].body, b.ExprStatement(used ? b.Assign(b.Var(one), compared) : compared));
    const RunResult result = machine::Machine(program, {}).Run();
    EmitOptions options{.form = Form::Report, .short_names = true, .report_final = 0};
    const Source source = Emit(program, result, options);
    EXPECT_EQ(source.files[0].text.find("compare_memory") != std::string::npos, used);
    EXPECT_EQ(CompileAndRun("gcc -Werror", source).status, 0);
    options.form = Form::Single;
    EXPECT_NE(Emit(program, result, {}).files[0].text.find("compare_memory"), std::string::npos);
  }
}

TEST(Forms, WhatMayNotBeLookedAtDirectly) {
  Program program;
  lang::Builder b(program);
  lang::TypeTable& types = program.types;
  const lang::TypeId int_type = types.Basic(lang::TypeKind::Int);
  program.entry = b.Function(types.Function(types.Basic(lang::TypeKind::Void), {}));
  const lang::BlockId body = program.functions[program.entry].body;
  const lang::VarId narrow = b.Global(types.Basic(lang::TypeKind::SChar));
  EXPECT_FALSE(CanLookDirectly(program, narrow)) << "nothing is assigned";
  b.Append(body, b.ExprStatement(b.Assign(b.Var(narrow), b.Int(300))));
  EXPECT_FALSE(CanLookDirectly(program, narrow)) << "the assignment converts";
  const lang::VarId observed = b.Global(types.Qualified(int_type, lang::kVolatile));
  b.Append(body, b.ExprStatement(b.Assign(b.Var(observed), b.Int(300))));
  EXPECT_FALSE(CanLookDirectly(program, observed)) << "the access counts";
  const lang::VarId plain = b.Global(int_type);
  b.Append(body, b.ExprStatement(b.Assign(b.Var(plain), b.Int(300))));
  EXPECT_TRUE(CanLookDirectly(program, plain));
  b.Append(body, b.Statement({.kind = lang::StmtKind::Return}));
  EXPECT_FALSE(CanLookDirectly(program, plain)) << "the body cannot stand in main";
}

// clang 21 takes a < b < c for a mistake, which no flag of ours can silence.
TEST(Parentheses, AComparisonThatIsComparedHasThem) {
  Program program;
  lang::Builder b(program);
  const lang::VarId x = b.Global(program.types.Basic(lang::TypeKind::Int));
  program.entry = b.Function(program.types.Function(program.types.Basic(lang::TypeKind::Void), {}));
  const auto text = [&](lang::ExprId expr) {
    const lang::Usage usage = lang::UsageOf(program);
    NameTable names(program, usage, false);
    Text out;
    Printer(program, kGnuC, names, out).Expression(expr);
    return out.String();
  };
  using lang::BinaryOp;
  const auto chain = [&](BinaryOp first, BinaryOp second) {
    return text(b.Binary(second, b.Binary(first, b.Var(x), b.Int(1)), b.Int(2)));
  };
  EXPECT_EQ(chain(BinaryOp::Lt, BinaryOp::Lt), "(g_1 < 1) < 2");
  EXPECT_EQ(chain(BinaryOp::Ge, BinaryOp::Le), "(g_1 >= 1) <= 2");
  EXPECT_EQ(chain(BinaryOp::Eq, BinaryOp::Ne), "(g_1 == 1) != 2");
  EXPECT_EQ(chain(BinaryOp::Lt, BinaryOp::Eq), "g_1 < 1 == 2");  // precedence is enough
  EXPECT_EQ(chain(BinaryOp::Eq, BinaryOp::Lt), "(g_1 == 1) < 2");
  EXPECT_EQ(chain(BinaryOp::Sub, BinaryOp::Sub), "g_1 - 1 - 2");
  EXPECT_EQ(chain(BinaryOp::Shl, BinaryOp::Lt), "g_1 << 1 < 2");
}

// A report declares a function before its definition only for a reason; a promise about a parameter is one.
TEST(Attributes, PromisesStandInThePrototypeWithTheirNumbers) {
  Program program;
  lang::Builder b(program);
  const lang::TypeId number = program.types.Basic(lang::TypeKind::Int), pointer = program.types.Pointer(number);
  const lang::VarId x = b.Global(number);
  program.entry = b.Function(program.types.Function(program.types.Basic(lang::TypeKind::Void), {}));
  const lang::FunctionId f = b.Function(program.types.Function(pointer, {pointer, number, pointer}));
  std::swap(program.function_order[0], program.function_order[1]);
  lang::Stmt result;
  result.kind = lang::StmtKind::Return;
  result.expr = b.Var(program.functions[f].params[0]);
  b.Append(program.functions[f].body, b.Statement(result));
  const std::vector arguments = {b.AddressOf(b.Var(x)), b.Int(1), b.AddressOf(b.Var(x))};
  b.Append(program.functions[program.entry].body, b.ExprStatement(b.Call(f, arguments)));
  const RunResult run = machine::Machine(program, {}).Run();
  for (int i : {0, 2}) program.vars[program.functions[f].params[static_cast<size_t>(i)]].attrs = lang::kVarNonNull;
  for (Form form : {Form::Single, Form::Report}) {
    EmitOptions options{.form = form};
    if (form == Form::Report) options.report_final = 0;
    EXPECT_THAT(Emit(program, run, options).files[0].text, testing::HasSubstr("static ATTRIBUTE(nonnull(1, 3)) int *"));
  }
  program.functions[f].attrs |= lang::kFnReturnsNonNull | lang::kFnAssumeAligned;
  EXPECT_THAT(
      Emit(program, run).files[0].text,
      testing::HasSubstr("ATTRIBUTE(returns_nonnull) ATTRIBUTE(assume_aligned(4)) ATTRIBUTE(nonnull(1, 3)) int *"));
}

// Pointers are compared with what they must point at; a wrong target shows in the value and in the
// checksum.
TEST(Checks, PointersAreComparedWithTheirTargets) {
  Program program;
  lang::Builder b(program);
  lang::TypeTable& types = program.types;
  const lang::TypeId int_type = types.Basic(lang::TypeKind::Int);
  const lang::TypeId pointer = types.Pointer(int_type);
  const lang::FunctionId entry = b.Function(types.Function(types.Basic(lang::TypeKind::Void), {}));
  program.entry = entry;
  const lang::VarId array = b.Global(types.Array(int_type, 3));
  const auto at = [&](int i) { return b.InitExpr(b.AddressOf(b.Index(b.Var(array), b.Int(i)))); };
  const lang::VarId p = b.Global(pointer, at(1));
  const lang::VarId null = b.Global(types.Array(pointer, 4));
  const lang::VarId f = b.Global(types.Pointer(program.functions[entry].type), b.InitExpr(b.Func(entry)));
  const lang::VarId v = b.Global(types.Pointer(types.Basic(lang::TypeKind::Void)), at(3));
  const lang::VarId hidden = b.Local(entry, int_type, lang::Storage::StaticLocal);
  b.Append(program.functions[entry].body, b.Decl(hidden));
  const lang::VarId s = b.Global(pointer);
  b.Append(program.functions[entry].body, b.ExprStatement(b.Assign(b.Var(s), b.AddressOf(b.Var(hidden)))));

  RunResult result;
  const auto add = [&](lang::VarId var, std::vector<uint32_t> path, FinalScalar::State state) {
    FinalScalar scalar;
    scalar.var = var;
    scalar.type = path.empty() ? program.vars[var].type : types[program.vars[var].type].element;
    scalar.path = std::move(path);
    scalar.state = state;
    return &result.finals.emplace_back(scalar);
  };
  using State = FinalScalar::State;
  for (uint32_t i = 0; i < 3; ++i) add(array, {i}, i == 1 ? State::Unreadable : State::Value);
  FinalScalar* scalar = add(p, {}, State::Pointer);
  scalar->target = array;
  scalar->target_path = {1};
  for (uint32_t i = 0; i < 4; ++i) add(null, {i}, State::NullPointer);
  add(f, {}, State::FunctionPointer)->target_function = entry;
  scalar = add(v, {}, State::Pointer);
  scalar->target = array;
  scalar->target_path = {3};
  add(s, {}, State::Pointer)->target = hidden;

  const std::string expected = ExpectedOutput(program, result, {}, true);
  EXPECT_TRUE(
      expected.starts_with("g_1[0] = 0\ng_1[2] = 0\ng_2 = &g_1[1]\ng_3[0] = 0\ng_3[1] = 0\ng_3[2] = 0\n"
                           "g_3[3] = 0\ng_4 = f_1\ng_5 = &g_1[3]\ng_6 = (static object)\nchecksum = "))
      << expected;
  for (const char* compiler : {"gcc -Werror", "clang -Werror", "tcc"}) {
    EXPECT_EQ(CompileAndRun(compiler, Emit(program, result), "1").output, expected) << compiler;
    EXPECT_EQ(CompileAndRun(compiler, Emit(program, result, {.form = Form::SelfCheck})).status, 0);
  }
  result.finals[3].target_path = {2};
  const std::string wrong = CompileAndRun("gcc", Emit(program, result), "1").output;
  EXPECT_NE(wrong.find("g_2 != &g_1[2]\n"), std::string::npos) << wrong;
  EXPECT_NE(wrong.substr(wrong.find("checksum")), expected.substr(expected.find("checksum")));
  EXPECT_EQ(NameOf(program, result.finals[3]), "g_2");
  EXPECT_EQ(NameOf(program, result.finals[2]), "g_1[2]");
}

TEST(Emit, IsDeterministicAndIgnoresUnreachableNodes) {
  Sample sample = lang::TypeSample();
  const RunResult result = ResultOf(sample);
  const std::string text = Emit(sample.program, result).files[0].text;
  EXPECT_EQ(text, Emit(Program(sample.program), result).files[0].text);
  lang::Builder b(sample.program);
  lang::Record unused;
  unused.members = {{sample.program.types.Basic(lang::TypeKind::Int)}};
  b.SizeofType(sample.program.types.OfRecord(sample.program.types.AddRecord(unused)));
  EXPECT_EQ(text, Emit(sample.program, result).files[0].text);
}

TEST(Header, ReadsBackWhatItWrote) {
  Sample sample = lang::BuiltinSample();
  sample.program.model = lang::DataModelKind::Ilp32;
  sample.program.provenance.seed = 18446744073709551615u;
  const std::string text = Emit(sample.program, ResultOf(sample)).files[0].text;
  const auto header = ReadHeader(text);
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->provenance.seed, sample.program.provenance.seed);
  EXPECT_EQ(header->provenance.version, "0.0.0");
  EXPECT_EQ(header->provenance.knobs, "sample=builtins");
  EXPECT_EQ(header->model, lang::DataModelKind::Ilp32);
  sample.program.model = lang::ParseDataModel("ilp32,align8=8,char=unsigned").Value();
  const std::string other = Emit(sample.program, ResultOf(sample)).files[0].text;
  EXPECT_THAT(other, testing::HasSubstr("\n * data-model ilp32,align8=8,char=unsigned\n"));
  ASSERT_TRUE(ReadHeader(other).has_value());
  EXPECT_EQ(ReadHeader(other)->model, sample.program.model);
  EXPECT_FALSE(ReadHeader("int main(void) {}\n").has_value());
  EXPECT_FALSE(ReadHeader("/* assay 1\n * seed x\n * data-model lp64\n */\n").has_value());
  EXPECT_FALSE(ReadHeader("/* assay 1\n * seed 1\n * data-model pdp11\n */\n").has_value());
  EXPECT_FALSE(ReadHeader("/* assay 1\n").has_value());
}

TEST(Tokens, CountsLikeALexer) {
  EXPECT_EQ(CountTokens(""), 0u);
  EXPECT_EQ(CountTokens("int a = 0x1e+3; // x y\n/* a b */ b>>=c->d...;"), 12u);
  EXPECT_EQ(CountTokens("f(\"a \\\" b\", 'c', 1.5e-3)"), 8u);
  EXPECT_EQ(CountTokens("a+++++b"), 5u);
  EXPECT_EQ(CountTokens("x /* open"), 1u);
}

// The ratchet: every construct of the model is in some sample, so the tests above compile and run
// it.
TEST(Coverage, SamplesUseEveryConstruct) {
  std::set<int> exprs, stmts, types, builtins, spellings, unary, binary, incdec;
  for (const Sample& sample : lang::AllSamples()) {
    const Program& program = sample.program;
    for (const lang::Expr& e : program.exprs) {
      exprs.insert(static_cast<int>(e.kind));
      if (e.kind == lang::ExprKind::Builtin) builtins.insert(e.op);
      if (e.kind == lang::ExprKind::Constant) spellings.insert(e.detail);
      if (e.kind == lang::ExprKind::Unary) unary.insert(e.op);
      if (e.kind == lang::ExprKind::Binary) binary.insert(e.op);
      if (e.kind == lang::ExprKind::IncDec) incdec.insert(e.op);
    }
    for (const lang::Stmt& s : program.stmts) stmts.insert(static_cast<int>(s.kind));
    for (const lang::Variable& v : program.vars) {
      lang::TypeId type = v.type;
      while (type) {
        types.insert(static_cast<int>(program.types.Kind(type)));
        type = program.types[type].element;
      }
    }
  }
  types.insert(static_cast<int>(lang::TypeKind::Void));  // no object has it
  EXPECT_EQ(exprs.size(), static_cast<size_t>(lang::ExprKind::kCount));
  EXPECT_EQ(stmts.size(), static_cast<size_t>(lang::StmtKind::kCount));
  EXPECT_EQ(types.size(), static_cast<size_t>(lang::TypeKind::kCount));
  EXPECT_EQ(builtins.size(), static_cast<size_t>(lang::Builtin::kCount));
  EXPECT_EQ(spellings.size(), static_cast<size_t>(lang::ConstantSpelling::kCount));
  EXPECT_EQ(unary.size(), static_cast<size_t>(lang::UnaryOp::kCount));
  EXPECT_EQ(binary.size(), static_cast<size_t>(lang::BinaryOp::kCount));
  EXPECT_EQ(incdec.size(), static_cast<size_t>(lang::IncDecOp::kCount));
}

}  // namespace
}  // namespace assay::emit
