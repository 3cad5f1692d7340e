// Each profile has the character of the generator it is named after: rates over programs of fixed seeds.
#include <gtest/gtest.h>

#include <map>

#include "gen/census.hpp"
#include "gen/generate.hpp"

namespace assay::gen {
namespace {

constexpr uint64_t kPrograms = 240;

// What the programs of one profile are made of.
struct Character {
  Census census;
  WriterTable writers{};

  // Percent of the statements, or of the integer expressions, that the row has written.
  double Share(WriterId row) const {
    uint64_t all = 0;
    for (size_t i = 0; i < kWriterCount; ++i) {
      if (kWriters[i].of == Info(row).of) all += writers[i].written;
    }
    return 100.0 * static_cast<double>(writers[static_cast<size_t>(row)].written) / static_cast<double>(all);
  }
};

const Character& Of(std::string_view profile) {
  static std::map<std::string_view, Character> known;
  const auto [found, is_new] = known.try_emplace(profile);
  if (!is_new) return found->second;
  knobs::Knobs knobs = knobs::Profile(profile).Value();
  knobs.tokens = 5000;
  knobs.mix = knobs.swarm = knobs.shuffle = 0;  // the profile itself
  for (uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const Generated made = Generate(seed, knobs, lang::DataModelKind::Lp64);
    found->second.census.Add(TakeCensus(made), 0);
    for (size_t i = 0; i < kWriterCount; ++i) found->second.writers[i].written += made.counters.writers[i].written;
  }
  return found->second;
}

// A row of a profile has at least so many times the share that it has without one.
struct MoreRow {
  std::string_view profile;
  WriterId row;
  double times;
};
constexpr MoreRow kMore[] = {
    {"csmith", WriterId::Safe, 8},         {"csmith", WriterId::LocalPointer, 1.2},
    {"csmith", WriterId::For, 1.5},        {"yarpgen", WriterId::Nest, 1.5},
    {"yarpgen", WriterId::Reduction, 1.2}, {"yarpgen", WriterId::Copy, 1.2},
    {"orange", WriterId::Exact, 10},       {"edge", WriterId::Bait, 2},
    {"edge", WriterId::NullAccess, 2},     {"edge", WriterId::WildIndex, 2},
};

TEST(ProfilesTest, HaveMoreOfWhatTheyAreNamedAfter) {
  for (const MoreRow& row : kMore) {
    EXPECT_GE(Of(row.profile).Share(row.row), row.times * Of("mixed").Share(row.row))
        << row.profile << ": " << Info(row.row).name;
  }
}

// What a profile does without, as its original does.
struct NeverRow {
  std::string_view profile;
  WriterId row;
};
constexpr NeverRow kNever[] = {
    {"csmith", WriterId::Reduction},    {"csmith", WriterId::Pattern},       {"csmith", WriterId::BaitedHazard},
    {"yarpgen", WriterId::GotoForward}, {"yarpgen", WriterId::GotoBackward}, {"yarpgen", WriterId::LocalPointer},
    {"orange", WriterId::Switch},       {"orange", WriterId::GotoInto},      {"orange", WriterId::LocalPointer},
    {"orange", WriterId::Memory},
};

TEST(ProfilesTest, DoWithoutWhatTheirOriginalsLack) {
  for (const NeverRow& row : kNever) {
    EXPECT_EQ(Of(row.profile).Share(row.row), 0) << row.profile << ": " << Info(row.row).name;
  }
}

TEST(ProfilesTest, UseTheirConstructs) {
  EXPECT_GE(Of("csmith").census.Share(Construct::AddressOfLocal), 85);
  EXPECT_GE(Of("csmith").census.Share(Construct::Struct), 80);
  EXPECT_GE(Of("csmith").census.Share(Construct::VolatileArray), 50);
  EXPECT_GE(Of("yarpgen").census.Share(Construct::NestedLoop), 85);
  EXPECT_EQ(Of("yarpgen").census.Share(Construct::Union), 0);
  EXPECT_EQ(Of("orange").census.Share(Construct::Struct), 0);
  EXPECT_GE(Of("edge").census.Share(Construct::NoInitializer), 60);
}

}  // namespace
}  // namespace assay::gen
