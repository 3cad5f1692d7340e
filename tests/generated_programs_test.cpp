// Random programs through the stages that must not change their meaning: they are well formed,
// survive their text form, and print the same C either way.
#include <gtest/gtest.h>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "lang/verify.hpp"

namespace assay {
namespace {

constexpr uint64_t kFirstSeed = 1, kLastSeed = 60;

class GeneratedPrograms : public testing::TestWithParam<lang::DataModelKind> {};

TEST_P(GeneratedPrograms, AreWellFormedAndSurviveTheTextForm) {
  const knobs::Knobs knobs;
  for (uint64_t seed = kFirstSeed; seed <= kLastSeed; ++seed) {
    SCOPED_TRACE(seed);
    gen::Generated generated = gen::Generate(seed, knobs, GetParam());
    for (const lang::Problem& problem : lang::Verify(generated.program))
      ADD_FAILURE() << lang::Describe(problem);

    const std::string text = lang::Save(generated.program);
    support::Result<lang::Program> loaded = lang::Load(text);
    ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
    EXPECT_EQ(lang::Save(*loaded), text);
    for (const lang::Problem& problem : lang::Verify(*loaded))
      ADD_FAILURE() << lang::Describe(problem);

    // The loaded program means the same and is printed the same.
    const machine::RunResult result = machine::Machine(*loaded, gen::RunOptions(knobs)).Run();
    EXPECT_EQ(result.trap.kind, machine::TrapKind::None);
    EXPECT_EQ(emit::ExpectedOutput(*loaded, result, {}, true),
              emit::ExpectedOutput(generated.program, generated.result, {}, true));
    EXPECT_TRUE(emit::Emit(*loaded, result).files[0].text ==
                emit::Emit(generated.program, generated.result).files[0].text);
  }
}

INSTANTIATE_TEST_SUITE_P(DataModels, GeneratedPrograms,
                         testing::Values(lang::DataModelKind::Lp64, lang::DataModelKind::Ilp32),
                         [](const auto& info) { return std::string(lang::Info(info.param).name); });

}  // namespace
}  // namespace assay
