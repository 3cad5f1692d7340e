// The knobs that target recipes name are knobs, and what a compiler lacks is named in its recipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "exec/scratch.hpp"
#include "gen/operators.hpp"
#include "lang/attributes.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"
#include "target/recipe.hpp"

namespace assay {
namespace {

TEST(TargetKnobsTest, MissingKnobsOfRecipesExist) {
  auto table = support::ReadFile(std::filesystem::path(ASSAY_SOURCE_DIR) / "src/knobs/knobs.def");
  ASSERT_TRUE(table.Ok());
  int named = 0;
  for (const target::Recipe& recipe : target::BuiltInRecipes()) {
    for (const std::string& knob : recipe.target.missing_knobs) {
      EXPECT_NE(table->find("KNOB(" + knob + ","), std::string::npos) << knob << " of " << recipe.target.family;
      ++named;
    }
  }
  EXPECT_GT(named, 0);
}

// Programs of other generators may run for ever: that is not the compiler's fault, which runs them once for a profile.
TEST(TargetKnobsTest, AProgramThatDoesNotEndDoesNotHoldUpAProfile) {
  exec::Executor executor;
  auto found = target::DetectTargets(executor, {.language = "c", .names = "gcc*-profile"});
  ASSERT_TRUE(found.Ok());
  auto scratch = exec::Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  ASSERT_TRUE(support::WriteFile(scratch->Path() / "program.c", "int main(void) { for (;;); }\n").Ok());
  int tried = 0;
  for (const target::FoundTarget& one : *found) {
    if (!one.works || tried++ > 0) continue;
    const target::Configuration configuration{&one.target, {"-O2"}};
    auto seen = executor.Run(target::CompileCommand(configuration, {"program.c"}, "./program", scratch->Path()),
                             one.target.compile_limits);
    ASSERT_TRUE(seen.Ok());
    EXPECT_TRUE(seen->Succeeded()) << exec::Describe(*seen) << seen->stderr_text;
    EXPECT_TRUE(std::filesystem::exists(scratch->Path() / "program"));
  }
  if (tried == 0) GTEST_SKIP() << "gcc is not installed, or has no profiles";
}

std::string_view NameOf(int32_t knobs::Knobs::*knob) {
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.field == knob) return row.name;
  }
  return "no knob";
}

bool Succeeds(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

// The compiler takes the program.
bool Takes(const std::string& compiler, std::string_view text) {
  const std::string folder = testing::TempDir() + "target_knobs_" + compiler;
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(support::WriteFile(folder + "/program.c", text).Ok());
  const bool taken = Succeeds("cd " + folder + " && " + compiler + " -w program.c -o program -lm");
  std::filesystem::remove_all(folder);
  return taken;
}

// What a row of operators, builtins or attributes, or a knob, stands for: declarations and statements, which are of the
// variables x, y, k and p.
struct Use {
  std::string_view knob;
  std::string statements, declarations = {};
};

std::string Program(std::span<const Use> uses) {
  std::string text;
  for (size_t i = 0; i < uses.size(); ++i) {
    std::string declarations = uses[i].declarations;
    for (size_t at; (at = declarations.find('@')) != std::string::npos;) declarations.replace(at, 1, fmt::to_string(i));
    std::string statements = uses[i].statements;
    for (size_t at; (at = statements.find('@')) != std::string::npos;) statements.replace(at, 1, fmt::to_string(i));
    text += fmt::format("{}\nint f{}(long long x, long long y) {{ int k = 0, *p = &k; {} }}\n", declarations, i,
                        statements);
  }
  return text + "int main(void) { return 0; }\n";
}

// What an operator's row says.
template <typename Row>
void AddOperator(std::vector<Use>& uses, const Row& row, int32_t knobs::Knobs::*knob, std::string_view operands) {
  if (row.needs == lang::Availability::Everywhere) return;
  const size_t at = row.spelling.find('%');
  for (std::string_view size : {"", "l", "ll"}) {
    std::string name(row.spelling);
    if (at != std::string::npos) name.replace(at, 1, size);
    uses.push_back({NameOf(knob), fmt::format("return {}({}) == 99;", name, operands)});
    if (at == std::string::npos) return;
  }
}

std::vector<Use> AllUses() {
  std::vector<Use> uses = {
      {"stmt_checked", "return __builtin_add_overflow(x, y, p);"},
      {"expr_overflow_test", "return __builtin_mul_overflow(x, y, p);"},
      {"expr_expect", "return __builtin_expect(x, 1) == 99;"},
      {"expr_expect", "return __builtin_expect_with_probability(x, 1, 0.75) == 99;"},
      {"condition_expect", "return __builtin_expect_with_probability(x, 1, 0.75) == 99;"},
      {"expr_either_way", "return __builtin_constant_p(x) ? 1 : 1;"},
      {"expr_either_way", "return __builtin_object_size(&x, 0) > 16 ? 1 : 1;"},
      {"assume_aligned", "return *(int *)__builtin_assume_aligned(p, 4) == 99;"},
      {"unreachable", "if (x > 99) __builtin_unreachable(); return 0;"},
      {"unreachable", "if (x > 99) __builtin_trap(); return 0;"},
      {"stmt_atomic", "return __atomic_fetch_nand(p, x, 5) == 99;"},
      {"stmt_atomic", "return __sync_val_compare_and_swap(p, x, y) == 99;"},
      {"thread_locals", "return t@;", "static _Thread_local int t@;"},
      {"unroll", "_Pragma(\"GCC unroll 4\") for (; k < 9; k++) x++; return 0;"},
      {"stmt_goto_table", "static void *const t[] = {&&a, &&b}; goto *t[x & 1]; a: return 1; b: return 0;"},
      {"case_ranges", "switch (x) { case 3 ... 5: return 1; } return 0;"},
      {"wide_integers", "unsigned __int128 a = (unsigned __int128)x << 64 | 5; return (a * a + a / 7 >> 64) == 99;"},
      {"vectors", "v@ a = {1, 2}, b = a + (a == a); return (a * b)[1];",
       "typedef int v@ __attribute__((vector_size(16)));"},
  };
  for (std::string_view promise : {"nonnull(1, 3)", "returns_nonnull", "assume_aligned(4)"}) {
    uses.push_back({"pointer_attributes", "return *n@(p, 0, p) == 99;",
                    fmt::format("static __attribute__(({})) int *n@(int *, int *, int *); "
                                "static int *n@(int *a, int *b, int *c) {{ return b ? c : a; }}",
                                promise)});
  }
  for (std::string_view text : {"\"\" : : : \"memory\"", "\"\" : \"+r\"(k)", "\"\" : \"+m\"(k)", "\"\" : \"+g\"(k)",
                                "\"\" : : \"r\"(p) : \"memory\""}) {
    uses.push_back({"stmt_barrier", fmt::format("__asm__ volatile({}); return 0;", text)});
  }
  for (const lang::BuiltinInfo& row : lang::kBuiltins) {
    if (!lang::IsMath(row.kind)) continue;
    const bool classifies = row.operands == lang::BuiltinOperands::Classified;
    for (std::string_view kind : {"double", "float"}) {
      const bool suffixed = !classifies && kind == "float";
      std::string arguments = "a";
      for (uint32_t i = 1; i < row.arguments; ++i) arguments += ", b";
      uses.push_back(
          {classifies ? "expr_classify" : "expr_math",
           fmt::format("{} a = x, b = y; return {}{}({}) == 99;", kind, row.spelling, suffixed ? "f" : "", arguments)});
    }
  }
  for (const lang::FunctionAttrInfo& row : lang::kFunctionAttrs) {
    if (!lang::IsHint(row.attr)) continue;
    uses.push_back({"hint_attributes", "return h@();",
                    fmt::format("__attribute__(({})) int h@(void) {{ return 0; }}", row.spelling)});
  }
  for (const lang::VariableAttrInfo& row : lang::kVariableAttrs) {
    if (row.spelling.empty()) continue;
    uses.push_back(
        {"variable_attributes", "return g@ == 99;", fmt::format("__attribute__(({})) int g@ = 1;", row.spelling)});
  }
  for (const gen::UnaryOpDraw& draw : gen::kUnaryOpDraws)
    AddOperator(uses, lang::Info(draw.kind), draw.weight.Knob(), "x");
  for (const gen::BinaryOpDraw& draw : gen::kBinaryOpDraws) AddOperator(uses, lang::Info(draw.kind), draw.knob, "x, y");
  return uses;
}

// A compiler that lacks something of GNU C has its knob among missing_knobs: or else every program would be a find.
TEST(TargetKnobsTest, WhatACompilerLacksIsSwitchedOffInItsRecipe) {
  for (const target::Recipe& recipe : target::BuiltInRecipes()) {
    const std::string& compiler = recipe.target.family;
    if (!Succeeds("command -v " + compiler) || !Takes(compiler, Program({}))) continue;
    std::vector<Use> uses = AllUses();
    const auto& missing = recipe.target.missing_knobs;
    std::erase_if(uses,
                  [&](const Use& use) { return std::find(missing.begin(), missing.end(), use.knob) != missing.end(); });
    if (Takes(compiler, Program(uses))) continue;
    for (const Use& use : uses) {
      EXPECT_TRUE(Takes(compiler, Program({&use, 1})))
          << compiler << " lacks it: name the knob " << use.knob << " in its recipe in targets/: " << use.statements;
    }
    ADD_FAILURE() << compiler << " does not take all of it together";
  }
}

TEST(TargetKnobsTest, TheTableOfConstructsHasThem) {
  auto table = support::ReadFile(std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/constructs.md");
  ASSERT_TRUE(table.Ok());
  for (const Use& use : AllUses()) {
    EXPECT_NE(table->find(fmt::format("`{}`", use.knob)), std::string::npos) << "docs/constructs.md: " << use.knob;
  }
  // Functions of ours are no part of C either, though every compiler takes them.
  const auto expect = [&](lang::OperatorShape shape, std::string_view knob) {
    if (!lang::IsCall(shape)) return;
    EXPECT_NE(table->find(fmt::format("`{}`", knob)), std::string::npos) << "docs/constructs.md: " << knob;
  };
  for (const gen::UnaryOpDraw& row : gen::kUnaryOpDraws) expect(lang::Info(row.kind).shape, NameOf(row.weight.Knob()));
  for (const gen::BinaryOpDraw& row : gen::kBinaryOpDraws) expect(lang::Info(row.kind).shape, NameOf(row.knob));
}

}  // namespace
}  // namespace assay
