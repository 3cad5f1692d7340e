// Random programs through the stages that must not change their meaning, in every data model with a name and in some
// with other properties: they are well formed, survive their text form, and print the same C either way.
#include <gtest/gtest.h>

#include <cctype>

#include "emit/emit.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "lang/verify.hpp"

namespace assay {
namespace {

constexpr uint64_t kFirstSeed = 1, kLastSeed = 60, kLastSeedOfOthers = 25;

class GeneratedPrograms : public testing::TestWithParam<std::string> {};

TEST_P(GeneratedPrograms, AreWellFormedAndSurviveTheTextForm) {
  const knobs::Knobs knobs;
  auto model = lang::ParseDataModel(GetParam());
  ASSERT_TRUE(model.Ok()) << model.GetError().message;
  const bool common = GetParam() == "lp64" || GetParam() == "ilp32";
  for (uint64_t seed = kFirstSeed; seed <= (common ? kLastSeed : kLastSeedOfOthers); ++seed) {
    SCOPED_TRACE(seed);
    gen::Generated generated = gen::Generate(seed, knobs, *model);
    for (const lang::Problem& problem : lang::Verify(generated.program)) ADD_FAILURE() << lang::Describe(problem);

    const std::string text = lang::Save(generated.program);
    support::Result<lang::Program> loaded = lang::Load(text);
    ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
    EXPECT_EQ(loaded->model, *model);
    EXPECT_EQ(lang::Save(*loaded), text);
    for (const lang::Problem& problem : lang::Verify(*loaded)) ADD_FAILURE() << lang::Describe(problem);

    // The loaded program means the same and is printed the same.
    const machine::RunResult result = machine::Machine(*loaded, gen::RunOptions(knobs)).Run();
    EXPECT_EQ(result.trap.kind, machine::TrapKind::None);
    EXPECT_EQ(emit::ExpectedOutput(*loaded, result, {}, true),
              emit::ExpectedOutput(generated.program, generated.result, {}, true));
    EXPECT_TRUE(emit::Emit(*loaded, result).files[0].text ==
                emit::Emit(generated.program, generated.result).files[0].text);
  }
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const lang::NamedModel& named : lang::kNamedModels) names.emplace_back(named.name);
  return names;
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(DataModels, GeneratedPrograms, testing::ValuesIn(Names()), TestName);

// aarch64; x32; arm; m68k; avr; Darwin on i386; gcc -fpack-struct=1; sizes, orders and alignments that go together
// nowhere.
INSTANTIATE_TEST_SUITE_P(Properties, GeneratedPrograms,
                         testing::Values("lp64,char=unsigned", "ilp32,align8=8", "ilp32,align8=8,char=unsigned",
                                         "ilp32-be,align4=2,align8=2,align-pointer=2,char=signed",
                                         "ip16,align2=1,align4=1,align8=1,align-pointer=1",
                                         "ilp32,size_t=unsigned-long,ptrdiff_t=long",
                                         "lp64,align2=1,align4=1,align8=1,align-pointer=1",
                                         "ip16,pointer=4,byte-order=big,char=unsigned",
                                         "ilp32,long=8,size_t=unsigned-long,ptrdiff_t=long,first-field=high"),
                         TestName);

}  // namespace
}  // namespace assay
