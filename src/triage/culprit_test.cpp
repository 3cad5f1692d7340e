#include "triage/culprit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace assay::triage {
namespace {

using target::Flags;
using target::Target;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

bool Has(const Flags& flags, const std::string& flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

// A compiler as a function of its flags. The real ones are in tests/planted_passes_test.cpp.
class Compiler : public Trial {
 public:
  explicit Compiler(std::function<Attempt(const Target&, const Flags&)> answer)
      : Trial(known_), answer_(std::move(answer)) {}
  Result<Attempt> Try(const Target& target, const Flags& flags) override {
    ++tries;
    return answer_(target, flags);
  }
  bool TimeIsUp() const override { return tries >= most; }

  int tries = 0;
  int most = 10000;

 private:
  Indispensable known_;
  std::function<Attempt(const Target&, const Flags&)> answer_;
};

Attempt If(bool fails) { return {fails ? Behaviour::Fails : Behaviour::IsRight, ""}; }

TEST(NeededFlagsTest, WhatCanGoGoesAndTheLevelIsTheLowest) {
  Compiler compiler([](const Target&, const Flags& flags) {
    const bool high = Has(flags, "-O1") || Has(flags, "-O2") || Has(flags, "-O3");
    return If(high && Has(flags, "-fone") && Has(flags, "x=3") && Has(flags, "--param"));
  });
  auto needed = NeededFlags(compiler, {}, {"-O3", "-fno-a", "-fone", "--param", "y=9", "--param", "x=3", "-g"});
  EXPECT_THAT(*needed, ElementsAre("-O1", "-fone", "--param", "x=3"));
}

TEST(NeededFlagsTest, NoneMayBeNeeded) {
  Compiler compiler([](const Target&, const Flags&) { return If(true); });
  EXPECT_THAT(NeededFlags(compiler, {}, {"-O3", "-fone"}).Value(), IsEmpty());
}

TEST(NeededFlagsTest, AnotherFailureIsNotTheFind) {
  Compiler compiler([](const Target&, const Flags& flags) {
    return Attempt{Has(flags, "-fone") ? Behaviour::Fails : Behaviour::Otherwise, ""};
  });
  EXPECT_THAT(NeededFlags(compiler, {}, {"-fone"}).Value(), ElementsAre("-fone"));
}

TEST(NeededFlagsTest, NumbersAreAsSmallAsTheyCanBe) {
  Compiler compiler([](const Target&, const Flags& flags) {
    for (const std::string& flag : flags) {
      if (flag.starts_with("--param=a=")) return If(std::stoi(flag.substr(10)) >= 5);
    }
    return If(false);
  });
  EXPECT_THAT(NeededFlags(compiler, {}, {"-O2", "--param=a=200", "--param=b=7"}).Value(), ElementsAre("--param=a=8"));
  EXPECT_THAT(NeededFlags(compiler, {}, {"--param=a=5"}).Value(), ElementsAre("--param=a=5"));
}

// 40 steps, of which the 23rd does it.
Attempt Llvm(const Flags& flags, int guilty) {
  int limit = 1000;
  for (const std::string& flag : flags) {
    if (flag.starts_with("-opt-bisect-limit=")) limit = std::stoi(flag.substr(18));
  }
  Attempt attempt = If(limit < 0 || limit >= guilty);
  for (int i = 1; i <= 40; ++i) {
    attempt.said += fmt::format("BISECT: {}running pass ({}) Pass{} on function (f{})\n",
                                limit < 0 || i <= limit ? "" : "NOT ", i, i % 5, i);
  }
  return attempt;
}

Target Bisecting() {
  Target target;
  target.passes.bisect = {"-mllvm", "-opt-bisect-limit={limit}"};
  return target;
}

TEST(FindCulpritTest, BisectionNamesTheStep) {
  Compiler compiler([](const Target&, const Flags& flags) { return Llvm(flags, 23); });
  auto culprit = FindCulprit(compiler, Bisecting(), {"-O2"});
  EXPECT_EQ(culprit->pass, "Pass3");
  EXPECT_EQ(culprit->where, "function (f23)");
  EXPECT_THAT(culprit->words, HasSubstr("(23)"));
  EXPECT_LT(compiler.tries, 10);
}

// It is asked once more, with the guilty step as the last one, for what that did.
TEST(FindCulpritTest, WhatThePassDidIsAskedFor) {
  Compiler compiler([](const Target&, const Flags& flags) {
    Attempt attempt = Llvm(flags, 23);
    if (Has(flags, "-show-Pass3") && Has(flags, "-opt-bisect-limit=23")) attempt.said = "what Pass3 says";
    return attempt;
  });
  Target target = Bisecting();
  target.passes.show = {"-show-{pass}"};
  EXPECT_EQ(FindCulprit(compiler, target, {"-O2"})->code.after, "what Pass3 says");
}

TEST(FindCulpritTest, BisectionSaysWhenNoPassIsGuilty) {
  Compiler compiler([](const Target&, const Flags& flags) { return Llvm(flags, 0); });
  auto culprit = FindCulprit(compiler, Bisecting(), {"-O2"});
  EXPECT_EQ(culprit->pass, "");
  EXPECT_THAT(culprit->note, HasSubstr("without any"));
  Compiler silent([](const Target&, const Flags&) { return If(true); });
  EXPECT_THAT(FindCulprit(silent, Bisecting(), {})->note, HasSubstr("does not name its passes"));
  Compiler slow([](const Target&, const Flags& flags) { return Llvm(flags, 23); });
  slow.most = 4;
  EXPECT_THAT(FindCulprit(slow, Bisecting(), {})->note, HasSubstr("the time was up between"));
}

Target Switching() {
  Target target;
  target.passes.list = {"-fdump-passes"};
  target.passes.disable = {"-fdisable-{pass}"};
  return target;
}

TEST(FindCulpritTest, TheLastPassWithoutWhichItIsRight) {
  Compiler compiler([](const Target&, const Flags& flags) {
    Attempt attempt =
        If(!Has(flags, "-fdisable-tree-sra") && !Has(flags, "-fdisable-tree-vrp1") && !Has(flags, "-fno-tree-vrp"));
    if (Has(flags, "-fdisable-rtl-reload")) attempt.behaviour = Behaviour::Otherwise;  // nothing compiles without it
    if (Has(flags, "-fdump-passes")) {
      attempt.said =
          "  tree-sra                :  ON\n  *warn_unused : ON\n     tree-vrp1  :  ON\n  tree-dom2 : OFF\n"
          "  tree-ccp1  :  ON (FORCED_OFF)\n   rtl-rtl pre   :  OFF (FORCED_ON)\n"
          "  rtl-combine :  ON\n  rtl-reload :  ON\n";
    }
    return attempt;
  });
  auto culprit = FindCulprit(compiler, Switching(), {"-O2"});
  EXPECT_EQ(culprit->pass, "tree-vrp1");
  EXPECT_THAT(culprit->others, ElementsAre("tree-sra"));
  EXPECT_THAT(culprit->options, ElementsAre("-fno-tree-vrp"));
  EXPECT_TRUE(compiler.indispensable.Has("", "rtl-reload"));
  EXPECT_FALSE(compiler.indispensable.Has("", "rtl-combine"));
  const int before = compiler.tries;
  EXPECT_EQ(FindCulprit(compiler, Switching(), {"-O2"})->pass, "tree-vrp1");
  EXPECT_LT(compiler.tries - before, before) << "what was learned saves tries";
}

TEST(FindCulpritTest, ManyPassesAreLeftOutAtATime) {
  std::string list;
  for (int i = 0; i < 250; ++i) list += fmt::format("   tree-p{}x : ON\n", i);
  Compiler compiler([&](const Target&, const Flags& flags) {
    Attempt attempt = If(!Has(flags, "-fdisable-tree-p77x"));
    if (Has(flags, "-fdump-passes")) attempt.said = list;
    return attempt;
  });
  EXPECT_EQ(FindCulprit(compiler, Switching(), {"-O2"})->pass, "tree-p77x");
  EXPECT_LT(compiler.tries, 40);
}

// In seconds, and not tried one by one.
TEST(FindCulpritTest, AListWithoutEndIsNone) {
  std::string list;
  for (int i = 0; i < 400000; ++i) list += fmt::format("p{} : ON\n", i);
  Compiler compiler([&](const Target&, const Flags& flags) {
    return Attempt{Behaviour::Fails, Has(flags, "-fdump-passes") ? list : ""};
  });
  EXPECT_THAT(FindCulprit(compiler, Switching(), {"-O2"})->note, HasSubstr("does not list"));
  EXPECT_LT(compiler.tries, 10);
}

TEST(FindCulpritTest, SaysWhyThereIsNone) {
  Compiler compiler([](const Target&, const Flags& flags) {
    Attempt attempt = If(true);
    if (Has(flags, "-fdump-passes")) attempt.said = "  tree-sra : ON\n";
    return attempt;
  });
  EXPECT_THAT(FindCulprit(compiler, Switching(), {})->note, HasSubstr("without any one of them"));
  Compiler silent([](const Target&, const Flags&) { return If(true); });
  EXPECT_THAT(FindCulprit(silent, Switching(), {})->note, HasSubstr("does not list"));
  EXPECT_THAT(FindCulprit(silent, {}, {})->note, HasSubstr("cannot be switched off"));
}

TEST(SeenInVersionsTest, TheFamilyWithOneDataModel) {
  std::vector<Target> targets(5);
  const char* names[] = {"gcc-11", "gcc-12", "gcc-12-m32", "clang-14", "gcc-11-asan"};
  for (size_t i = 0; i < 5; ++i) {
    targets[i].name = names[i];
    targets[i].family = std::string(names[i]).substr(0, std::string(names[i]).find('-'));
  }
  targets[2].data_model = "ilp32";
  targets[4].variant = "-asan";
  Compiler compiler([](const Target& target, const Flags&) { return If(target.name == "gcc-12"); });
  auto seen = SeenInVersions(compiler, targets[1], {"-O2"}, targets);
  ASSERT_EQ(seen->size(), 2u);
  EXPECT_EQ(seen->at(0).behaviour, Behaviour::IsRight);
  EXPECT_EQ(seen->at(1).behaviour, Behaviour::Fails);
}

TEST(PassFamilyTest, InstancesAreOnePass) {
  EXPECT_EQ(PassFamily("tree-vrp2"), "tree-vrp");
  EXPECT_EQ(PassFamily("InstCombinePass"), "InstCombinePass");
}

}  // namespace
}  // namespace assay::triage
