// The knobs that target recipes name are knobs, and what a compiler lacks is named in its recipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "gen/operators.hpp"
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

std::string NameOf(int32_t knobs::Knobs::*knob) {
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.field == knob) return std::string(row.name);
  }
  return "no knob";
}

bool Succeeds(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

// The compiler takes a program with the expression, which is of the variables x and y.
bool Takes(const std::string& compiler, std::string_view expression) {
  const std::string folder = testing::TempDir() + "target_knobs_" + compiler;
  const std::string text = fmt::format(
      "int main(int argc, char **argv) {{ long long x = argc, y = argc + 1; return {} == 99; }}\n", expression);
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(support::WriteFile(folder + "/program.c", text).Ok());
  const bool taken = Succeeds("cd " + folder + " && " + compiler + " program.c -o program");
  std::filesystem::remove_all(folder);
  return taken;
}

// A compiler that lacks an operator of GNU C has the operator's knob among missing_knobs: or else every program would
// be a find.
TEST(TargetKnobsTest, OperatorsThatACompilerLacksAreSwitchedOffInItsRecipe) {
  for (const target::Recipe& recipe : target::BuiltInRecipes()) {
    const std::string& compiler = recipe.target.family;
    if (!Succeeds("command -v " + compiler) || !Takes(compiler, "x")) continue;
    const auto expect = [&](const auto& row, int32_t knobs::Knobs::*knob, std::string_view operands) {
      if (row.needs == lang::Availability::Everywhere || Takes(compiler, fmt::format("{}({})", row.spelling, operands)))
        return;
      EXPECT_THAT(recipe.target.missing_knobs, testing::Contains(NameOf(knob)))
          << compiler << " has no " << row.spelling << ": name the knob in its recipe in targets/";
    };
    for (const gen::UnaryOpDraw& draw : gen::kUnaryOpDraws) expect(lang::Info(draw.kind), draw.weight.Knob(), "x");
    for (const gen::BinaryOpDraw& draw : gen::kBinaryOpDraws) expect(lang::Info(draw.kind), draw.knob, "x, y");
  }
}

}  // namespace
}  // namespace assay
