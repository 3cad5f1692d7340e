// The knobs that target profiles name must be knobs.
#include <gtest/gtest.h>

#include "support/files.hpp"
#include "target/profile.hpp"

namespace assay {
namespace {

TEST(TargetKnobsTest, MissingKnobsOfProfilesExist) {
  auto table = support::ReadFile(std::filesystem::path(ASSAY_SOURCE_DIR) / "src/knobs/knobs.def");
  ASSERT_TRUE(table.Ok());
  int named = 0;
  for (const target::Profile& profile : target::BuiltInProfiles()) {
    for (const std::string& knob : profile.target.missing_knobs) {
      EXPECT_NE(table->find("KNOB(" + knob + ","), std::string::npos)
          << knob << " of " << profile.target.family;
      ++named;
    }
  }
  EXPECT_GT(named, 0);
}

}  // namespace
}  // namespace assay
