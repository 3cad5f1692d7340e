// Every edit over random programs: what Mend accepts is well formed by the independent verifier,
// and some of it is valid by the machine. An edit that applies nowhere fails the test.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "choice/choices.hpp"
#include "gen/generate.hpp"
#include "lang/samples.hpp"
#include "lang/text.hpp"
#include "lang/verify.hpp"
#include "reduce/mend.hpp"
#include "reduce/passes.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce {
namespace {

struct Counts {
  int applied = 0, mended = 0, valid = 0;
};

using CountsByKind = std::map<EditKind, Counts>;

// The valid program that `edit` makes of `subject`, if it makes one; counted. What Mend accepts must be well formed.
std::optional<Case> Try(const Case& subject, const Edit& edit, CountsByKind& counts) {
  Case candidate = subject;
  if (!ApplyEdit(candidate, edit)) return std::nullopt;
  Counts& count = counts[edit.kind];
  ++count.applied;
  if (!Mend(candidate)) return std::nullopt;
  ++count.mended;
  const std::vector<lang::Problem> problems = lang::Verify(candidate.program);
  if (!problems.empty()) {
    ADD_FAILURE() << Info(edit.kind).name << " " << edit.node << " " << edit.other << ": "
                  << lang::Describe(problems.front());
    return std::nullopt;
  }
  machine::Machine machine(candidate.program, {});
  if (machine.Run().trap.kind != machine::TrapKind::None) return std::nullopt;
  ++count.valid;
  return candidate;
}

Case RandomCase(uint64_t seed, uint64_t tokens) {
  knobs::Knobs knobs;
  knobs.tokens = tokens;
  knobs.packed = 60;
  gen::Generated made = gen::Generate(seed, knobs, lang::DataModelKind::Lp64);
  Case subject{std::move(made.program), std::nullopt};
  EXPECT_TRUE(Mend(subject));
  subject = Compact(subject);
  if (seed % 2 == 0) return subject;
  for (lang::VarId id : subject.program.globals) {  // every other case looks at a value
    if (lang::IsInteger(subject.program.types.Kind(subject.program[id].type))) subject.check = Check{id, {}};
  }
  return subject;
}

// Up to `most` edits of a pass, in random order.
std::vector<Edit> SomeEdits(const PassInfo& pass, const Case& subject, const MachineRun& run, choice::Choices& choices,
                            size_t most) {
  std::vector<Edit> edits = pass.collect({subject, run});
  choices.Shuffle(edits);
  if (edits.size() > most) edits.resize(most);
  return edits;
}

bool EntryCalls(const lang::Program& program) {
  bool calls = false;
  ForEachPlace(program, [&](const Place& place) {
    const lang::Expr& e = program[place.id];
    calls |= place.function == program.entry && e.kind == lang::ExprKind::Call &&
             program[e.lhs].kind == lang::ExprKind::Function;
  });
  return calls;
}

// Half-way through a reduction programs look different from generated ones: records with one member, an entry function
// that only calls another. So the walk goes on from what the edits leave, down to next to nothing. Walks end in
// different shapes: each goes past a third of the kinds, and every other one keeps a direct call in the entry function.
void Descend(Case subject, uint64_t seed, CountsByKind& counts) {
  choice::Choices choices(seed);
  const bool keep_call = choices.Coin();
  std::set<EditKind> spared;
  for (const EditInfo& info : kEdits) {
    if (choices.Percent(33)) spared.insert(info.kind);
  }
  for (int round = 0; round < 12 && !testing::Test::HasFailure(); ++round) {
    for (const PassInfo& pass : kPasses) {
      const MachineRun run = RunOnMachine(subject.program, {});
      ASSERT_EQ(run.result.trap.kind, machine::TrapKind::None);
      for (const Edit& edit : SomeEdits(pass, subject, run, choices, 6)) {
        std::optional<Case> made = Try(subject, edit, counts);
        if (!made || spared.contains(edit.kind) || choices.Coin()) continue;
        if (!keep_call || EntryCalls(made->program)) subject = std::move(*made);
      }
      subject = Compact(subject);
    }
  }
}

TEST(ReduceEdits, KeepProgramsWellFormedOverRandomPrograms) {
  CountsByKind counts;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Case subject = RandomCase(seed, 1200);
    const MachineRun run = RunOnMachine(subject.program, {});
    ASSERT_EQ(run.result.trap.kind, machine::TrapKind::None);
    choice::Choices choices(seed);
    for (const PassInfo& pass : kPasses) {
      for (const Edit& edit : SomeEdits(pass, subject, run, choices, 12)) Try(subject, edit, counts);
    }
    for (uint64_t walk = 0; walk < 3; ++walk) Descend(RandomCase(seed * 3 + walk, 700), seed * 3 + walk, counts);
    if (HasFailure()) return;
  }
  // Vectors are in the sample.
  for (uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Case subject{lang::VectorSample().program, std::nullopt};
    ASSERT_TRUE(Mend(subject));
    if (seed % 2 == 1) subject.check = Check{subject.program.globals[seed / 2 % 2], {static_cast<uint32_t>(seed) % 3}};
    Descend(Compact(subject), seed, counts);
  }
  for (uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Case subject{lang::WideSample().program, std::nullopt};
    ASSERT_TRUE(Mend(subject));
    if (seed % 2 == 1)
      subject.check = Check{subject.program.globals[seed / 2 % 3], {static_cast<uint32_t>(seed) / 2 % 2}};
    Descend(Compact(subject), seed, counts);
  }
  for (const EditInfo& info : kEdits) {
    const Counts& count = counts[info.kind];
    RecordProperty(std::string(info.name), count.valid);
    EXPECT_GT(count.applied, 0) << info.name;
    EXPECT_GT(count.valid, 0) << info.name;
  }
}

TEST(ReduceEdits, CaseTextRoundTrips) {
  gen::Generated made = gen::Generate(3, {}, lang::DataModelKind::Lp64);
  Case subject{std::move(made.program), std::nullopt};
  subject.check = Check{made.result.finals.front().var,
                        {made.result.finals.front().path.begin(), made.result.finals.front().path.end()}};
  const std::string text = SaveCase(subject);
  auto loaded = LoadCase(text);
  ASSERT_TRUE(loaded.Ok());
  EXPECT_EQ(SaveCase(*loaded), text);
  EXPECT_FALSE(LoadCase("assay-case 1 x\n").Ok());
  EXPECT_FALSE(LoadCase("").Ok());
}

}  // namespace
}  // namespace assay::reduce
