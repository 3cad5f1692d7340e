#include "grammar/reduce_tree.hpp"

#include <gtest/gtest.h>

#include "grammar/derivation_text.hpp"

namespace assay::grammar {
namespace {

std::unique_ptr<Generator> Load(const std::string& language) {
  support::Result<std::unique_ptr<Generator>> generator = Generator::Load(language);
  EXPECT_TRUE(generator.Ok()) << generator.GetError().message;
  return std::move(*generator);
}

std::unique_ptr<Generator> Toy() { return Load(ASSAY_SOURCE_DIR "/docs/toy/calc.txt.lala"); }

TEST(ReduceTree, RebuildingWithoutEditsGivesTheSameText) {
  for (const std::unique_ptr<Generator>& generator : {Toy(), Load("smt2")}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Generator::Lease engine(*generator);
      ASSERT_TRUE(engine->Build(seed, generator->Options()).Ok());
      std::string before;
      ASSERT_TRUE(engine->Print(before).Ok());
      Derivation derivation = engine->Capture();
      EXPECT_EQ(derivation.entries.size(), engine->Statistics().nodes);
      EXPECT_EQ(derivation.entries[0].size, derivation.entries.size());
      Script script;
      script.base = &derivation;
      support::Result<void> rebuilt = engine->Rebuild(script, generator->Options());
      ASSERT_TRUE(rebuilt.Ok()) << rebuilt.GetError().message;
      EXPECT_TRUE(engine->Complete());
      std::string after;
      ASSERT_TRUE(engine->Print(after).Ok());
      EXPECT_EQ(before, after) << generator->Name() << " " << seed;
    }
  }
}

// With guards everywhere, many candidates get other productions than their script says.
TEST(ReduceTree, ScriptsFitTheirNodesWhateverIsDerivedInstead) {
  std::unique_ptr<Generator> generator = Load("sql");
  for (uint64_t seed : {418, 17, 3}) {
    for (const char* wanted : {" OVER (", "LEFT", "HAVING"}) {
      auto interesting = [&](const std::string& text) { return text.find(wanted) != std::string::npos; };
      support::Result<TreeReduction> reduction = ReduceTree(*generator, Derive(*generator, seed).Value(), interesting);
      if (!reduction) continue;  // that program has none
      EXPECT_TRUE(interesting(reduction->text));
      EXPECT_LE(reduction->nodes_after, 90u) << reduction->text;
    }
  }
}

TEST(ReduceTree, KeepsOnlyWhatMatters) {
  std::unique_ptr<Generator> generator = Toy();
  size_t reduced = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    auto interesting = [](const std::string& text) {
      size_t times = text.find('*');
      return times != std::string::npos && text.find('*', times + 1) != std::string::npos;
    };
    support::Result<TreeReduction> reduction = ReduceTree(*generator, Derive(*generator, seed).Value(), interesting);
    if (!reduction) continue;  // that program had no two products
    ++reduced;
    EXPECT_TRUE(interesting(reduction->text));
    // For instance "a := (1 * (1 * 1));"
    EXPECT_LE(reduction->text.size(), 30u) << reduction->text;
    EXPECT_LE(reduction->nodes_after, 20u) << reduction->text;
  }
  EXPECT_GT(reduced, 5u);
}

TEST(ReduceTree, CandidatesAreValidPrograms) {
  std::unique_ptr<Generator> generator = Load("smt2");
  size_t texts = 0;
  auto interesting = [&](const std::string& text) {
    ++texts;
    EXPECT_TRUE(text.starts_with("(set-logic QF_UFBV)"));
    EXPECT_TRUE(text.ends_with("(exit)\n"));
    int depth = 0;
    for (char c : text) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    EXPECT_EQ(depth, 0);
    return text.find("bvmul") != std::string::npos;
  };
  uint64_t seed = 1;
  while (generator->Generate(seed)->find("bvmul") == std::string::npos) ++seed;
  TreeReduceOptions options;
  options.most_tests = 1500;
  support::Result<TreeReduction> reduction =
      ReduceTree(*generator, Derive(*generator, seed).Value(), interesting, options);
  ASSERT_TRUE(reduction.Ok()) << reduction.GetError().message;
  EXPECT_EQ(texts, reduction->tests);
  EXPECT_LT(reduction->nodes_after, 60u) << reduction->text;
  EXPECT_LT(reduction->nodes_after * 10, reduction->nodes_before) << reduction->text;
}

TEST(ReduceTree, RefusesWhatIsNotInteresting) {
  std::unique_ptr<Generator> generator = Toy();
  EXPECT_FALSE(ReduceTree(*generator, Derive(*generator, 1).Value(), [](const std::string&) { return false; }).Ok());
}

TEST(ReduceTree, StopsWhenAsked) {
  std::unique_ptr<Generator> generator = Toy();
  TreeReduceOptions options;
  options.stop = [] { return true; };
  auto reduction = ReduceTree(
      *generator, Derive(*generator, 1).Value(), [](const std::string&) { return true; }, options);
  ASSERT_TRUE(reduction.Ok());
  EXPECT_FALSE(reduction->finished);
  EXPECT_EQ(reduction->nodes_after, reduction->nodes_before);
}

TEST(DerivationText, ComesBackAsItWas) {
  for (const char* language : {"smt2", "lua"}) {
    std::unique_ptr<Generator> generator = Load(language);
    Derivation before = Derive(*generator, 3).Value();
    std::string text = SaveDerivation(before, generator->GetPlan(), language);
    EXPECT_EQ(DerivationLanguage(text).Value(), language);
    auto after = LoadDerivation(text, generator->GetPlan());
    ASSERT_TRUE(after.Ok()) << after.GetError().message;
    EXPECT_EQ(SaveDerivation(*after, generator->GetPlan(), language), text);
    Generator::Lease engine(*generator);
    Script script;
    script.base = &*after;
    ASSERT_TRUE(engine->Rebuild(script, generator->Options()).Ok());
    std::string program;
    ASSERT_TRUE(engine->Print(program).Ok());
    EXPECT_EQ(program, generator->Generate(3).Value());
  }
}

TEST(DerivationText, DamageIsSeen) {
  std::unique_ptr<Generator> generator = Toy();
  const Plan& plan = generator->GetPlan();
  std::string text = SaveDerivation(Derive(*generator, 1).Value(), plan, "toy");
  EXPECT_FALSE(LoadDerivation("", plan).Ok());
  for (size_t length = 0; length < text.size(); length += 7) {
    EXPECT_FALSE(LoadDerivation(text.substr(0, length), plan).Ok()) << length;
  }
  EXPECT_FALSE(LoadDerivation(text, Load("smt2")->GetPlan()).Ok());
}

}  // namespace
}  // namespace assay::grammar
