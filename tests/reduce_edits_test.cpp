// Every edit over random programs: what Settle accepts is well formed by the independent verifier,
// and some of it is valid by the machine. An edit that applies nowhere fails the test.
#include <gtest/gtest.h>

#include <map>

#include "choice/choices.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "lang/verify.hpp"
#include "reduce/passes.hpp"
#include "reduce/settle.hpp"

namespace assay::reduce {
namespace {

struct Counts {
  int applied = 0, settled = 0, valid = 0;
};

// Kinds that random programs as generated hardly offer, only reduced ones do; each has a unit test.
bool MayBeRare(EditKind kind) {
  return kind == EditKind::EnterCallee || kind == EditKind::DissolveRecord;
}

TEST(ReduceEdits, KeepProgramsWellFormedOverRandomPrograms) {
  knobs::Knobs knobs;
  knobs.tokens = 1200;
  knobs.packed = 60;
  std::map<EditKind, Counts> counts;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    gen::Generated made = gen::Generate(seed, knobs, lang::DataModelKind::Lp64);
    Case subject{std::move(made.program), std::nullopt};
    ASSERT_TRUE(Settle(subject)) << "seed " << seed;
    subject = Compact(subject);
    const Profile profile = MakeProfile(subject.program, {});
    ASSERT_EQ(profile.result.trap.kind, machine::TrapKind::None);
    choice::Choices choices(seed);
    for (const PassInfo& pass : kPasses) {
      std::vector<Edit> edits = pass.collect({subject, profile});
      choices.Shuffle(edits);
      if (edits.size() > 12) edits.resize(12);
      for (const Edit& edit : edits) {
        Case candidate = subject;
        if (!ApplyEdit(candidate, edit)) continue;
        Counts& count = counts[edit.kind];
        ++count.applied;
        if (!Settle(candidate)) continue;
        ++count.settled;
        const std::vector<lang::Problem> problems = lang::Verify(candidate.program);
        ASSERT_TRUE(problems.empty())
            << "seed " << seed << " " << Info(edit.kind).name << " " << edit.node << " "
            << edit.other << ": " << lang::Describe(problems.front());
        machine::Machine machine(candidate.program, {});
        count.valid += machine.Run().trap.kind == machine::TrapKind::None;
      }
    }
  }
  for (const EditInfo& info : kEdits) {
    const Counts& count = counts[info.kind];
    RecordProperty(std::string(info.name), count.valid);
    if (MayBeRare(info.kind)) continue;
    EXPECT_GT(count.applied, 0) << info.name;
    EXPECT_GT(count.valid, 0) << info.name;
  }
}

TEST(ReduceEdits, CaseTextRoundTrips) {
  gen::Generated made = gen::Generate(3, {}, lang::DataModelKind::Lp64);
  Case subject{std::move(made.program), std::nullopt};
  subject.check = Check{made.result.finals.front().var, made.result.finals.front().path};
  const std::string text = SaveCase(subject);
  auto loaded = LoadCase(text);
  ASSERT_TRUE(loaded.Ok());
  EXPECT_EQ(SaveCase(*loaded), text);
  EXPECT_FALSE(LoadCase("assay-case 1 x\n").Ok());
  EXPECT_FALSE(LoadCase("").Ok());
}

}  // namespace
}  // namespace assay::reduce
