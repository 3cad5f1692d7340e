// Every trap fires where it must and not beside it; no trap kind is without a case.
#include <set>

#include "machine/trap_cases.hpp"

namespace assay::machine::testing {
namespace {

std::vector<TrapCase> AllCases() {
  std::vector<TrapCase> all;
  for (auto* cases : {&ArithmeticCases, &PointerCases, &MemoryCases, &SequenceCases, &FloatCases, &OtherCases,
                      &GnuCases, &VectorCases, &WideCases}) {
    for (TrapCase& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

TEST(Traps, FireWhereTheyMust) {
  for (const TrapCase& one : AllCases()) {
    Tiny t(one.model);
    one.build(t, true);
    const RunResult result = t.Run(one.options);
    EXPECT_EQ(Info(result.trap.kind).name, Info(one.kind).name) << one.name;
  }
}

TEST(Traps, StayQuietBesideIt) {
  for (const TrapCase& one : AllCases()) {
    Tiny t(one.model);
    one.build(t, false);
    EXPECT_EQ(Info(t.Run(one.options).trap.kind).name, "none") << one.name;
  }
}

TEST(Traps, EveryKindHasACase) {
  std::set<TrapKind> covered;
  for (const TrapCase& one : AllCases()) covered.insert(one.kind);
  for (size_t i = 1; i < static_cast<size_t>(TrapKind::kCount); ++i) {
    EXPECT_TRUE(covered.count(static_cast<TrapKind>(i))) << kTraps[i].name;
  }
}

TEST(Traps, TableIsComplete) {
  std::set<std::string_view> names;
  for (const TrapInfo& info : kTraps) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty());
  }
}

}  // namespace
}  // namespace assay::machine::testing
