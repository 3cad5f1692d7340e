// The knobs that target recipes name must be knobs.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace assay
