#include "campaign/c_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "campaign/forked.hpp"
#include "campaign/test_support.hpp"

namespace assay::campaign {
namespace {

target::Target Gcc(const std::string& name, const std::string& data_model) {
  target::Target target;
  target.name = target.family = name;
  target.compile = {"gcc", "-w", "{flags}", "{source}", "-o", "{output}", "-lm"};
  target.flag_lists = {{"-O0"}, {"-O1"}};
  target.data_model = data_model;
  return target;
}

TEST(CSourceTest, TheSameSeedGivesTheSameProgram) {
  auto a = CSource::Make({.knobs = "tokens=300"}, {Gcc("gcc", "lp64")});
  auto b = CSource::Make({.knobs = "tokens=300"}, {Gcc("gcc", "lp64")});
  ASSERT_TRUE(a.Ok() && b.Ok());
  auto first = (*a)->Make(7), second = (*b)->Make(7), other = (*a)->Make(8);
  EXPECT_EQ((*first)->files[0].text, (*second)->files[0].text);
  EXPECT_NE((*first)->files[0].text, (*other)->files[0].text);
  EXPECT_NE((*first)->expectations.For("lp64"), nullptr);
}

TEST(CSourceTest, ATestNamesTheWritersWhoseCodeRuns) {
  auto source = CSource::Make({.knobs = "tokens=2000 stmt_assign=100"}, {Gcc("gcc", "lp64")});
  auto without = CSource::Make({.knobs = "tokens=2000 stmt_assign=0"}, {Gcc("gcc", "lp64")});
  ASSERT_TRUE(source.Ok() && without.Ok());
  const auto writers = [](ProgramSource& from) {
    auto test = from.Make(7);
    return std::string("\n") + (*test)->writers + "\n";
  };
  EXPECT_THAT(writers(**source), testing::HasSubstr("\nassign\n"));
  EXPECT_THAT(writers(**source), testing::HasSubstr("\nlast return\n"));
  EXPECT_THAT(writers(**without), testing::Not(testing::HasSubstr("\nassign\n")));
  EXPECT_THAT(writers(**without), testing::HasSubstr("\nlast return\n"));
}

TEST(CSourceTest, InWhichOrderSeedsAreAskedForDoesNotMatter) {
  auto a = CSource::Make({.knobs = "tokens=300"}, {Gcc("a", "lp64"), Gcc("b", "ilp32")});
  auto b = CSource::Make({.knobs = "tokens=300"}, {Gcc("a", "lp64"), Gcc("b", "ilp32")});
  ASSERT_TRUE(a.Ok() && b.Ok());
  std::map<int64_t, std::string> forwards, backwards;
  for (int64_t seed = 40; seed < 52; ++seed) {
    auto made = (*a)->Make(seed);
    forwards[seed] = (*made)->files[0].text;
  }
  for (int64_t seed = 51; seed >= 40; --seed) {
    auto made = (*b)->Make(seed);
    backwards[seed] = (*made)->files[0].text;
  }
  EXPECT_EQ(forwards, backwards);
  auto again = (*a)->Make(45);
  EXPECT_EQ((*again)->files[0].text, forwards[45]);
}

TEST(CSourceTest, EachProgramIsForOneDataModel) {
  auto source = CSource::Make({.knobs = "tokens=300"}, {Gcc("a", "lp64"), Gcc("b", "ilp32,align8=8")});
  ASSERT_TRUE(source.Ok());
  std::set<std::string> models;
  for (int64_t seed = 0; seed < 20; ++seed) {
    auto test = (*source)->Make(seed);
    models.insert((*test)->data_model);
    EXPECT_EQ((*test)->IsFor(Gcc("a", "lp64")), (*test)->data_model == "lp64");
    EXPECT_FALSE((*test)->IsFor(Gcc("c", "ilp32")));
  }
  EXPECT_EQ(models, (std::set<std::string>{"lp64", "ilp32,align8=8"}));
  // A target for which no program can be written would be counted and never compiled: it is an error.
  auto none = CSource::Make({}, {Gcc("a", "lp64"), Gcc("c", "lp64,short=4")});
  ASSERT_FALSE(none.Ok());
  EXPECT_THAT(none.GetError().message,
              testing::HasSubstr("target c: data model 'lp64,short=4': 'short' cannot be '4', only 2"));
}

TEST(CSourceTest, TargetsWithMissingKnobsSitOutProgramsThatMayHaveThem) {
  target::Target limited = Gcc("limited", "lp64");
  limited.missing_knobs = {"vla"};
  auto source = CSource::Make({.knobs = "tokens=300"}, {Gcc("full", "lp64"), limited});
  ASSERT_TRUE(source.Ok());
  int given = 0;
  for (int64_t seed = 0; seed < 20; ++seed) {
    auto test = (*source)->Make(seed);
    bool without = (*test)->knobs.find("vla=0") != std::string::npos;
    EXPECT_EQ((*test)->IsFor(limited), without);
    EXPECT_TRUE((*test)->IsFor(Gcc("full", "lp64")));
    given += without;
  }
  EXPECT_GT(given, 0);
  EXPECT_LT(given, 20);
}

// Flags may need programs of their own; others of the same target take them, too.
TEST(CSourceTest, PoolsWithMissingKnobsGetTheirOwnPrograms) {
  target::Target gcc = Gcc("gcc", "lp64");
  gcc.pools = {{.name = "fast", .flags = {"-Ofast"}, .missing_knobs = {"float_exact", "float_ieee"}},
               {.name = "any", .flags = {"-O2"}}};
  target::Target limited = Gcc("limited", "lp64");
  limited.missing_knobs = {"vla"};
  auto source = CSource::Make({.knobs = "tokens=300"}, {gcc, limited});
  ASSERT_TRUE(source.Ok());
  int fast = 0, for_limited = 0, both = 0;
  for (int64_t seed = 0; seed < 60; ++seed) {
    auto test = (*source)->Make(seed);
    const bool robust = (*test)->knobs.find("float_exact=0") != std::string::npos;
    const bool plain = (*test)->knobs.find("vla=0") != std::string::npos;
    EXPECT_TRUE((*test)->IsFor(gcc) && (*test)->IsFor(gcc, &gcc.pools[1]));
    EXPECT_EQ((*test)->IsFor(gcc, gcc.pools.data()), robust);
    EXPECT_EQ((*test)->IsFor(limited), plain);
    fast += robust;
    for_limited += plain;
    both += robust && plain;
  }
  EXPECT_GT(fast, 5);
  EXPECT_GT(for_limited, 5);
  EXPECT_GT(both, 0);
  EXPECT_LT(fast + for_limited - both, 45) << "half of the programs lack nothing";
}

// What the user has switched off is missing in every program.
TEST(CSourceTest, KnobsThatAreOffAnywayExcludeNobody) {
  target::Target limited = Gcc("limited", "lp64");
  limited.missing_knobs = {"vla"};
  auto source = CSource::Make({.knobs = "tokens=300 vla=0"}, {Gcc("full", "lp64"), limited});
  ASSERT_TRUE(source.Ok());
  for (int64_t seed = 0; seed < 10; ++seed) {
    auto test = (*source)->Make(seed);
    EXPECT_TRUE((*test)->IsFor(limited));
  }
}

// Of a program of somebody else's nobody knows what it has: csmith's may round.
TEST(CSourceTest, ForeignProgramsAreForNoFlagsThatCannotTakeEverything) {
  target::Target gcc = Gcc("gcc", "lp64");
  gcc.missing_knobs = {"vla"};
  gcc.pools = {{.name = "fast", .flags = {"-Ofast"}, .missing_knobs = {"float_exact"}},
               {.name = "any", .flags = {"-O2"}}};
  const TestCase foreign;
  EXPECT_TRUE(foreign.IsFor(gcc));
  EXPECT_FALSE(foreign.IsFor(gcc, gcc.pools.data()));
  EXPECT_TRUE(foreign.IsFor(gcc, &gcc.pools[1]));
}

TEST(CSourceTest, FunctionsOfTheMathLibraryAreForTargetsThatLinkIt) {
  target::Target plain = Gcc("plain", "lp64"), object = Gcc("object", "lp64");
  plain.compile.pop_back();
  object.compile = {"gcc", "-c", "{flags}", "{source}", "-o", "{output}"};
  auto mixed = CSource::Make({.knobs = "tokens=300"}, {Gcc("full", "lp64"), plain, object});
  auto alone = CSource::Make({.knobs = "tokens=300"}, {plain});
  ASSERT_TRUE(mixed.Ok() && alone.Ok());
  EXPECT_EQ((*alone)->Description().find("expr_math"), std::string::npos);
  int given = 0;
  for (int64_t seed = 0; seed < 20; ++seed) {
    auto test = (*mixed)->Make(seed);
    const bool without = (*test)->knobs.find("expr_math=0") != std::string::npos;
    EXPECT_EQ((*test)->IsFor(plain), without);
    EXPECT_TRUE((*test)->IsFor(object));
    EXPECT_TRUE((*test)->IsFor(Gcc("full", "lp64")));
    given += without;
    auto other = (*alone)->Make(seed);
    EXPECT_NE((*other)->knobs.find("expr_math=0"), std::string::npos);
    EXPECT_TRUE((*other)->IsFor(plain));
  }
  EXPECT_GT(given, 0);
  EXPECT_LT(given, 20);
}

TEST(CSourceTest, CampaignsHaveASizeOfTheirOwnUnlessToldOtherwise) {
  auto plain = CSource::Make({}, {Gcc("a", "lp64")});
  auto told = CSource::Make({.knobs = "tokens=700"}, {Gcc("a", "lp64")});
  ASSERT_TRUE(plain.Ok() && told.Ok());
  EXPECT_THAT((*plain)->Description(), testing::HasSubstr("tokens=2000"));
  EXPECT_THAT((*told)->Description(), testing::HasSubstr("tokens=700"));
}

TEST(CSourceTest, BadKnobsAreUsageErrors) {
  EXPECT_FALSE(CSource::Make({.profile = "nosuch"}, {Gcc("a", "lp64")}).Ok());
  EXPECT_FALSE(CSource::Make({.knobs = "nosuch=1"}, {Gcc("a", "lp64")}).Ok());
}

TEST(CSourceTest, ARealCompilerAgreesWithTheExpectation) {
  TestFolder folder;
  Options options{.folder = folder.Path() / "campaign", .seed = 1, .jobs = 2, .tests = 6};
  std::vector<target::Target> targets = {Gcc("gcc", "lp64")};
  auto source = CSource::Make({.knobs = "tokens=600"}, targets);
  ASSERT_TRUE(source.Ok());
  exec::Executor executor;
  Listener listener;
  std::atomic<bool> interrupted = false;
  auto summary = RunCampaign(options, **source, targets, executor, listener, interrupted);
  ASSERT_TRUE(summary.Ok());
  EXPECT_EQ(summary->status.tests, 6);
  EXPECT_THAT(listener.found, testing::IsEmpty()) << listener.found.at(0).title;
}

}  // namespace
}  // namespace assay::campaign
