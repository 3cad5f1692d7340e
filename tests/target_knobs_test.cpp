// The knobs that target recipes name are knobs, and what a compiler lacks is named in its recipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "gen/operators.hpp"
#include "lang/attributes.hpp"
#include "support/files.hpp"
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
  const bool taken = Succeeds("cd " + folder + " && " + compiler + " -w program.c -o program");
  std::filesystem::remove_all(folder);
  return taken;
}

// With statements, which are of the variables x and y.
std::string With(std::string_view statements) {
  return fmt::format("int main(int argc, char **argv) {{ long long x = argc, y = argc + 1; int k = 0, *p = &k; {} }}\n",
                     statements);
}

// A program that uses what a row of operators or builtins, or a knob, stands for.
struct Use {
  std::string_view knob;
  std::string program;
};

// What an operator's row says.
template <typename Row>
void AddOperator(std::vector<Use>& uses, const Row& row, int32_t knobs::Knobs::*knob, std::string_view operands) {
  if (row.needs == lang::Availability::Everywhere) return;
  const size_t at = row.spelling.find('%');
  for (std::string_view size : {"", "l", "ll"}) {
    std::string name(row.spelling);
    if (at != std::string::npos) name.replace(at, 1, size);
    uses.push_back({NameOf(knob), With(fmt::format("return {}({}) == 99;", name, operands))});
    if (at == std::string::npos) return;
  }
}

std::vector<Use> AllUses() {
  std::vector<Use> uses = {
      {"stmt_checked", With("return __builtin_add_overflow(x, y, p);")},
      {"expr_overflow_test", With("return __builtin_mul_overflow(x, y, p);")},
      {"expr_expect", With("return __builtin_expect(x, 1) == 99;")},
      {"expr_expect", With("return __builtin_expect_with_probability(x, 1, 0.75) == 99;")},
      {"condition_expect", With("return __builtin_expect_with_probability(x, 1, 0.75) == 99;")},
      {"expr_either_way", With("return __builtin_constant_p(x) ? 1 : 1;")},
      {"expr_either_way", With("return __builtin_object_size(&x, 0) > 16 ? 1 : 1;")},
      {"assume_aligned", With("return *(int *)__builtin_assume_aligned(p, 4) == 99;")},
      {"unreachable", With("if (x > 99) __builtin_unreachable(); return 0;")},
      {"unreachable", With("if (x > 99) __builtin_trap(); return 0;")},
      {"stmt_atomic", With("return __atomic_fetch_nand(p, x, 5) == 99;")},
      {"stmt_atomic", With("return __sync_val_compare_and_swap(p, x, y) == 99;")},
      {"thread_locals", "static _Thread_local int t;\n" + With("return t;")},
      {"unroll", With("_Pragma(\"GCC unroll 4\") for (; k < 9; k++) x++; return 0;")},
      {"case_ranges", With("switch (x) { case 3 ... 5: return 1; } return 0;")},
  };
  for (std::string_view text : {"\"\" : : : \"memory\"", "\"\" : \"+r\"(k)", "\"\" : \"+m\"(k)", "\"\" : \"+g\"(k)",
                                "\"\" : : \"r\"(p) : \"memory\""}) {
    uses.push_back({"stmt_barrier", With(fmt::format("__asm__ volatile({}); return 0;", text))});
  }
  for (const lang::FunctionAttrInfo& row : lang::kFunctionAttrs) {
    if (row.attr <= lang::kFnPure) continue;
    uses.push_back({"hint_attributes", fmt::format("__attribute__(({})) int f(void) {{ return 0; }}\n", row.spelling) +
                                           With("return f();")});
  }
  for (const lang::VariableAttrInfo& row : lang::kVariableAttrs) {
    if (row.attr == lang::kVarThreadLocal) continue;
    uses.push_back({"variable_attributes",
                    fmt::format("__attribute__(({})) int g = 1;\n", row.spelling) + With("return g == 99;")});
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
    if (!Succeeds("command -v " + compiler) || !Takes(compiler, With("return 0;"))) continue;
    for (const Use& use : AllUses()) {
      const auto& missing = recipe.target.missing_knobs;
      if (std::find(missing.begin(), missing.end(), use.knob) != missing.end()) continue;
      EXPECT_TRUE(Takes(compiler, use.program))
          << compiler << " lacks it: name the knob " << use.knob << " in its recipe in targets/: " << use.program;
    }
  }
}

}  // namespace
}  // namespace assay
