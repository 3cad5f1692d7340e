// The size asked for, in tokens of the text, holds within a factor of two whatever the knobs are.
// bench/knob_soak.py FIRST COUNT size tries random settings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emit/emit.hpp"
#include "emit/tokens.hpp"
#include "gen/generate.hpp"

namespace assay {
namespace {

using lang::DataModelKind;

size_t TextTokens(const gen::Generated& made) {
  return emit::CountTokens(emit::Emit(made.program, made.result, {}).files.front().text);
}

void ExpectSize(std::string_view setting, int32_t tokens, uint64_t seed) {
  knobs::Knobs knobs = knobs::Parse(setting).Value();
  knobs.tokens = tokens;
  knobs.tokens_spread = 0;
  SCOPED_TRACE(fmt::format("{} tokens={} seed {}", setting, tokens, seed));
  const gen::Generated made = gen::Generate(seed, knobs, DataModelKind::Lp64);
  EXPECT_EQ(made.tokens_wanted, static_cast<uint32_t>(tokens));
  const size_t found = TextTokens(made);
  EXPECT_GE(found * 2, static_cast<size_t>(tokens));
  EXPECT_LE(found, static_cast<size_t>(tokens) * 2);
  EXPECT_LT(made.program.exprs.Size(), 2000u + 4 * static_cast<uint32_t>(tokens));  // the work, too
}

// Each wrote programs many times the size asked for: long expressions, dead switches in dead switches, initialisers of
// arrays, checks of arrays whose elements differ, globals, types, calls with many arguments, copies of copies.
constexpr std::string_view kLarge[] = {
    "expression_depth=40 expr_binary=360",
    "block_depth=20 stmt_switch=1000",
    "array_length=4096 arrays=100",
    "array_length=4096 arrays=100 pointers=100",
    "array_length=4096 arrays=100 unions=100",
    "globals=400",
    "records=40 structs=100 unions=100",
    "functions=1000 parameters=30 stmt_call=1000",
    "common_subexpressions=100 expression_depth=40",
    "stmt_if=1000 block_depth=20 stmt_assign=0",
    "expr_cast=1000 type_long_long=100 type_int=0 expression_depth=40",
    "array_dimensions=3 arrays=100 constant_leaves=0 expression_depth=40",
};

TEST(SizeTest, SettingsThatMadeLargeProgramsObey) {
  for (std::string_view setting : kLarge) {
    for (int32_t tokens : {250, 1000, 8000}) {
      for (uint64_t seed : {1, 2, 3}) ExpectSize(setting, tokens, seed);
    }
    ExpectSize(setting, 40000, 1);
  }
}

// One token for each statement, and what is written most often.
TEST(SizeTest, SettingsThatMadeSmallProgramsObey) {
  std::string nothing;
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.group == "statements") nothing += fmt::format("{}=0 ", row.name);
  }
  for (int32_t tokens : {250, 1000, 8000, 100000}) {
    ExpectSize(nothing, tokens, 1);
    ExpectSize(nothing + "stmt_incdec=10", tokens, 1);
    ExpectSize("expression_depth=1 block_statements=1", tokens, 1);
  }
}

TEST(SizeTest, EveryKnobAtItsExtremesObeys) {
  for (const knobs::KnobRow& row : knobs::Rows()) {
    if (row.name == "tokens" || row.name == "tokens_spread" || row.name == "steps_per_token") continue;
    for (int32_t value : {row.low, row.high}) ExpectSize(fmt::format("{}={}", row.name, value), 1500, 5);
  }
}

TEST(SizeTest, DefaultProgramsHaveTheSizeTheyDrew) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const gen::Generated made = gen::Generate(seed, {}, DataModelKind::Lp64);
    const double found = static_cast<double>(TextTokens(made));
    EXPECT_GT(found, 0.8 * made.tokens_wanted) << seed;
    EXPECT_LT(found, 1.5 * made.tokens_wanted) << seed;
    EXPECT_NEAR(found / made.tokens_estimated, 1.0, 0.2) << seed;
  }
}

TEST(SizeTest, TheLeastSizeObeysToo) {
  const knobs::KnobRow* row = knobs::Find("tokens");
  ASSERT_NE(row, nullptr);
  for (uint64_t seed = 1; seed <= 200; ++seed) ExpectSize("", row->low, seed);
}

}  // namespace
}  // namespace assay
