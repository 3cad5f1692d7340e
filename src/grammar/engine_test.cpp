#include "grammar/engine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "grammar/compile.hpp"
#include "grammar/generator.hpp"
#include "grammar/shipped.hpp"
#include "support/files.hpp"

namespace assay::grammar {
namespace {

const std::filesystem::path kToy = std::filesystem::path(ASSAY_SOURCE_DIR) / "docs/toy/calc.txt.lala";

std::filesystem::path TestFolder(const std::string& name) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("assay-grammar-test-" + name);
  std::filesystem::create_directories(folder);
  return folder;
}

// Loads a specification given as text.
support::Result<std::shared_ptr<LoadedTable>> LoadText(const std::string& name, const std::string& text) {
  std::filesystem::path file = TestFolder(name) / (name + ".lala");
  EXPECT_TRUE(support::WriteFile(file, text).Ok());
  return CompileAndLoad(file, {{}, TestFolder("cache"), "c++"});
}

std::string Text(Engine& engine) {
  std::string out;
  EXPECT_TRUE(engine.Print(out).Ok());
  return out;
}

TEST(Engine, EveryVariableOfTheToyLanguageIsDefinedBeforeItsUse) {
  support::Result<std::unique_ptr<Generator>> generator = Generator::Load(kToy.string());
  ASSERT_TRUE(generator.Ok()) << generator.GetError().message;
  EXPECT_EQ((*generator)->Extension(), "txt");
  size_t uses = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Generator::Lease engine(**generator);
    ASSERT_TRUE(engine->Build(seed, (*generator)->Options()).Ok());
    ASSERT_TRUE(engine->Complete()) << seed;
    std::set<std::string> defined;
    std::string line;
    for (char c : Text(*engine)) {
      if (c != '\n') {
        line += c;
        continue;
      }
      size_t assign = line.find(" := ");
      ASSERT_NE(assign, std::string::npos) << line;
      std::string word;
      for (char d : line.substr(assign) + " ") {
        if (d >= 'a' && d <= 'z') {
          word += d;
        } else if (!word.empty()) {
          EXPECT_TRUE(defined.contains(word)) << seed << ": " << line;
          ++uses;
          word.clear();
        }
      }
      defined.insert(line.substr(0, assign));
      line.clear();
    }
  }
  EXPECT_GT(uses, 1000u);
}

TEST(Engine, TheSameSeedGivesTheSameBytesOnEveryThread) {
  for (const ShippedLanguage& language : ShippedLanguages()) {
    support::Result<std::unique_ptr<Generator>> generator = Generator::Load(std::string(language.name));
    ASSERT_TRUE(generator.Ok());
    std::vector<std::string> first(8);
    for (uint64_t seed = 0; seed < first.size(); ++seed) {
      support::Result<std::string> text = (*generator)->Generate(seed);
      ASSERT_TRUE(text.Ok()) << language.name << " " << seed << ": " << text.GetError().message;
      first[seed] = *text;
    }
    EXPECT_NE(first[0], first[1]);
    std::vector<std::thread> threads;
    std::vector<int> wrong(2);
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&, t] {
        for (uint64_t seed = first.size(); seed-- > 0;) {
          support::Result<std::string> text = (*generator)->Generate(seed);
          wrong[static_cast<size_t>(t)] += !text.Ok() || *text != first[seed];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong[0] + wrong[1], 0) << language.name;
  }
}

TEST(Engine, ShippedLanguagesGiveCompleteTrees) {
  for (const ShippedLanguage& language : ShippedLanguages()) {
    Plan plan(*language.table());
    Engine engine(plan);
    EngineOptions options;
    options.max_height = language.max_height;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      support::Result<void> built = engine.Build(seed, options);
      ASSERT_TRUE(built.Ok()) << built.GetError().message;
      EXPECT_TRUE(engine.Complete()) << language.name << " " << seed;
    }
  }
}

TEST(Engine, ExceptionsInRulesNameClassProductionAndLine) {
  auto loaded = LoadText("thrower", R"LALA(class A {
  a("x${b : B}") {
    b.i = (/ 1 0);
  }
}
class B {
  inh i : Integer;
  b("") {}
}
)LALA");
  ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
  Plan plan((*loaded)->Table());
  Engine engine(plan);
  support::Result<void> built = engine.Build(1, {});
  ASSERT_FALSE(built.Ok());
  EXPECT_NE(built.GetError().message.find("thrower.lala:3: in A.a, rule of b.i: division by zero"), std::string::npos)
      << built.GetError().message;
}

// A value chosen on the left decides what is possible on the right, several nodes away.
TEST(Engine, RepairsEarlierChoicesWhenALaterOneHasNoSolution) {
  auto loaded = LoadText("far", R"LALA(
class Pair {
  pair("${l : Left}-${r : Right}") { r.wanted = l.value; }
}
class Left { syn value : Integer; a("${d : Digit}${noise : Noise}") { this.value = (int d.str); } }
class Noise { n("${a : Digit}${b : Digit}") {} }
class Right {
  inh wanted : Integer;
  grd same;
  r("${d : Low}") { this.same = (== (int d.str) this.wanted); }
}
class Digit("[0-9]");
class Low("[01]");
)LALA");
  ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
  Plan plan((*loaded)->Table());
  Engine engine(plan);
  uint64_t failures = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    ASSERT_TRUE(engine.Build(seed, {}).Ok());
    ASSERT_TRUE(engine.Complete());
    std::string text = Text(engine);
    EXPECT_EQ(text[0], text[4]) << text;
    EXPECT_LE(text[4], '1');
    failures += engine.Statistics().failures;
    // Noise has no influence, so it is never varied: at most one failure per digit.
    EXPECT_LE(engine.Statistics().failures, 10u);
    EXPECT_EQ(engine.Statistics().restarts, 0u);
  }
  EXPECT_GT(failures, 100u);
}

TEST(Engine, ListsAreShortenedWhenTheNextElementHasNoSolution) {
  auto loaded = LoadText("lists", R"LALA(
class Program { p("${l : List}") { l.left = 5; } }
@list
class List {
  inh left : Integer;
  one("${i : Item}") { i.left = this.left; }
  @weight(1000)
  more("${i : Item},${rest : List}") { i.left = this.left; rest.left = i.after; }
}
class Item {
  inh left : Integer;
  syn after : Integer;
  grd enough;
  i("${d : Digit}") { this.enough = (> this.left 0); this.after = (- this.left 1); }
}
class Digit("[0-9]");
)LALA");
  ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
  Plan plan((*loaded)->Table());
  Engine engine(plan);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EngineOptions options;
    ASSERT_TRUE(engine.Build(seed, options).Ok());
    ASSERT_TRUE(engine.Complete());
    EXPECT_LE(Text(engine).size(), 9u);
  }
  EXPECT_GT(engine.Statistics().shrunk, 0u);
}

TEST(Engine, HeightsAreRespected) {
  auto loaded = LoadText("heights", R"LALA(
class E { @weight(50) binary("(${l : E}${r : E})") {} leaf("x") {} }
)LALA");
  ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
  Plan plan((*loaded)->Table());
  Engine engine(plan);
  for (uint32_t height : {1u, 3u, 8u}) {
    EngineOptions options;
    options.max_height = height;
    int deepest = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      ASSERT_TRUE(engine.Build(seed, options).Ok());
      int depth = 0;
      for (char c : Text(engine)) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        deepest = std::max(deepest, depth);
      }
    }
    EXPECT_EQ(deepest, static_cast<int>(height));
  }
}

TEST(Engine, TemplatesIndentHideRepeatAndParenthesise) {
  auto loaded = LoadText("prints", R"LALA(
class P { p("{\+${a : A}\n${b : B}\-}${h : H}#{a}#{(+ 1 2)}#{.l}") { loc l = "loc"; } }
class A { a("a\+b\-c") {} }
class B { b("\(${l : Low}\)*\(${h : High}\)*\(${n : None}\)") {} }
@hidden class H { h("hidden") {} }
class Low { @precedence(1) l("1+1") {} }
class High { @precedence(9) l("5") {} }
class None { l("n") {} }
)LALA");
  ASSERT_TRUE(loaded.Ok()) << loaded.GetError().message;
  Plan plan((*loaded)->Table());
  Engine engine(plan);
  ASSERT_TRUE(engine.Build(1, {}).Ok());
  // B has no precedence, so everything below it is put in parentheses.
  EXPECT_EQ(Text(engine), "{\n  a\n    b\n  c\n  (1+1)*(5)*(n)\n}a\n  b\nc3loc");
}

}  // namespace
}  // namespace assay::grammar
