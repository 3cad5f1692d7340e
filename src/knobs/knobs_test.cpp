#include "knobs/knobs.hpp"

#include <gtest/gtest.h>

#include <set>

namespace assay::knobs {
namespace {

using support::Result;

TEST(KnobsTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const KnobRow& row : Rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(KnobsTest, EveryKnobSurvivesSerialisationAtBothEnds) {
  for (const KnobRow& row : Rows()) {
    for (int32_t value : {row.low, row.high}) {
      Knobs knobs;
      ASSERT_TRUE(Set(knobs, row.name, value).Ok());
      Result<Knobs> back = Parse(Serialize(knobs));
      ASSERT_TRUE(back.Ok());
      EXPECT_EQ(*back, knobs) << row.name;
    }
    Knobs knobs;
    EXPECT_FALSE(Set(knobs, row.name, static_cast<int64_t>(row.low) - 1).Ok());
    EXPECT_FALSE(Set(knobs, row.name, static_cast<int64_t>(row.high) + 1).Ok());
  }
}

TEST(KnobsTest, DefaultsSerialiseToNothing) { EXPECT_EQ(Serialize(Knobs{}), ""); }

TEST(KnobsTest, UnknownKnobSuggestsTheNearest) {
  Knobs knobs;
  Result<void> result = Set(knobs, "stmt-iff", 3);
  ASSERT_FALSE(result.Ok());
  EXPECT_NE(result.GetError().message.find("stmt_if"), std::string::npos);
  EXPECT_EQ(result.GetError().code, support::ExitCode::Usage);
}

TEST(KnobsTest, TomlFilesMayGroupKnobsInTables) {
  Result<Knobs> knobs = ParseToml("tokens = 500\n[statements]\nstmt-if = 0\n", "k.toml");
  ASSERT_TRUE(knobs.Ok());
  EXPECT_EQ(knobs->tokens, 500);
  EXPECT_EQ(knobs->stmt_if, 0);
}

TEST(KnobsTest, TomlErrorsSayFileAndLine) {
  for (const char* text : {"\ntokens = 5", "\nnonsense = 1", "\ntokens = \"x\"", "\n= = ="}) {
    Result<Knobs> knobs = ParseToml(text, "k.toml");
    ASSERT_FALSE(knobs.Ok());
    EXPECT_EQ(knobs.GetError().message.substr(0, 9), "k.toml:2:") << knobs.GetError().message;
  }
}

TEST(KnobsTest, EveryProfileParses) {
  for (std::string_view name : ProfileNames()) EXPECT_TRUE(Profile(name).Ok()) << name;
  EXPECT_FALSE(Profile("nonsense").Ok());
}

}  // namespace
}  // namespace assay::knobs
