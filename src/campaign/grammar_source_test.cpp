#include "campaign/grammar_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/lab.hpp"
#include "campaign/test_support.hpp"

namespace assay::campaign {
namespace {

TEST(GrammarSourceTest, TheSameSeedGivesTheSameProgram) {
  auto source = GrammarSource::Make("lua");
  ASSERT_TRUE(source.Ok());
  auto first = (*source)->Make(3), second = (*source)->Make(3), other = (*source)->Make(4);
  ASSERT_TRUE(first.Ok() && second.Ok() && other.Ok());
  ASSERT_TRUE(*first && *second && *other);
  EXPECT_EQ((*first)->files[0].text, (*second)->files[0].text);
  EXPECT_NE((*first)->files[0].text, (*other)->files[0].text);
  EXPECT_EQ((*first)->files[0].name, "program.lua");
  EXPECT_FALSE((*first)->has_expectation);
  EXPECT_FALSE((*first)->CompileOnly());
}

TEST(GrammarSourceTest, AnEditedSpecificationIsAnotherSource) {
  TestFolder folder;
  const std::filesystem::path file = folder.Path() / "calc.txt.lala";
  std::string text = support::ReadFile(ASSAY_SOURCE_DIR "/docs/toy/calc.txt.lala").Value();
  const auto description = [&] {
    EXPECT_TRUE(support::WriteFile(file, text).Ok());
    auto source = GrammarSource::Make(file.string());
    EXPECT_TRUE(source.Ok()) << source.GetError().message;
    return (*source)->Description();
  };
  std::filesystem::copy_file(ASSAY_SOURCE_DIR "/docs/toy/Names.hpp", folder.Path() / "Names.hpp");
  const std::string first = description();
  EXPECT_EQ(description(), first);
  const size_t at = text.find(":=");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 2, "=");
  EXPECT_NE(description(), first);
}

std::string LanguageOf(const SourceOptions& options) {
  auto language = TargetLanguage(options);
  return language ? *language : "";
}

TEST(GrammarSourceTest, TheTargetsLanguageIsThatOfTheFiles) {
  EXPECT_EQ(LanguageOf({.language = "smt2-fp"}), "smt2");
  EXPECT_EQ(LanguageOf({.language = "c-crash"}), "c");
  EXPECT_EQ(LanguageOf({.language = "c"}), "c");
  EXPECT_EQ(LanguageOf({.command = "make-it {seed}", .language = "pascal"}), "pascal");
  EXPECT_FALSE(TargetLanguage({.language = "nosuch"}).Ok());
}

TEST(GrammarSourceTest, CFromAGrammarIsCompiledAndNeverRun) {
  auto source = GrammarSource::Make("c-crash");
  ASSERT_TRUE(source.Ok());
  target::Target gcc;
  gcc.name = gcc.family = "gcc";
  gcc.compile = {"gcc", "-w", "{flags}", "{source}", "-o", "{output}"};
  gcc.flag_lists = {{"-O0"}, {"-O1"}};
  TestFolder folder;
  Options options{.folder = folder.Path() / "campaign", .seed = 1, .jobs = 1, .tests = 2};
  exec::Executor executor;
  Listener listener;
  std::atomic<bool> interrupted = false;
  auto summary = RunCampaign(options, **source, {gcc}, executor, listener, interrupted);
  ASSERT_TRUE(summary.Ok());
  EXPECT_EQ(summary->status.compiles_here, 4);
  EXPECT_EQ(summary->status.runs_here, 0);
  EXPECT_THAT(listener.found, testing::IsEmpty()) << listener.found.at(0).title;
}

// Three interpreters vote; the one that prints something else is the find.
TEST(GrammarSourceTest, ImplementationsAreComparedWithEachOther) {
  TestFolder folder;
  auto interpreter = [&](const std::string& name, const std::string& body) {
    target::Target target;
    target.name = target.family = name;
    target.language = "lua";
    target.kind = target::Kind::Interpreter;
    target.run = {WriteScript(folder.Path() / name, body), "{source}"};
    return target;
  };
  std::vector<target::Target> targets = {interpreter("a", "wc -c <$1\n"), interpreter("b", "wc -c <$1\n"),
                                         interpreter("wrong", "echo 0\n")};
  auto source = GrammarSource::Make("lua");
  ASSERT_TRUE(source.Ok());
  Options options{.folder = folder.Path() / "campaign", .seed = 1, .jobs = 1, .tests = 2};
  exec::Executor executor;
  Listener listener;
  std::atomic<bool> interrupted = false;
  auto summary = RunCampaign(options, **source, targets, executor, listener, interrupted);
  ASSERT_TRUE(summary.Ok());
  ASSERT_EQ(listener.found.size(), 1u);
  EXPECT_EQ(listener.found[0].target, "wrong");
  EXPECT_EQ(listener.found[0].kind, "wrong-output");
}

// An interpreter that goes wrong where a program multiplies: what is left has one product.
TEST(GrammarSourceTest, AFindIsReducedOnItsDerivation) {
  TestFolder folder;
  auto interpreter = [&](const std::string& name, const std::string& body) {
    target::Target target;
    target.name = target.family = name;
    target.language = "txt";
    target.kind = target::Kind::Interpreter;
    target.run = {WriteScript(folder.Path() / name, body), "{source}"};
    return target;
  };
  target::Target right = interpreter("right", "wc -l <$1\n");
  target::Target wrong = interpreter("wrong", "if grep -q '[*]' $1; then echo x; else wc -l <$1; fi\n");
  const std::string language = ASSAY_SOURCE_DIR "/docs/toy/calc.txt.lala";
  auto source = GrammarSource::Make(language);
  ASSERT_TRUE(source.Ok()) << source.GetError().message;
  int64_t seed = 1;
  while ((*source)->Make(seed).Value()->files[0].text.find('*') == std::string::npos) ++seed;
  auto model = (*source)->Model(seed);
  ASSERT_TRUE(model.Ok() && *model);
  ReduceRequest request{.model = (*model)->text,
                        .configuration = {.target = &wrong},
                        .reference = target::Configuration{.target = &right},
                        .verdict = oracle::Verdict::WrongOutput,
                        .folder = folder.Path()};
  exec::Executor executor;
  auto small = (*source)->Reduce(request, executor);
  ASSERT_TRUE(small.Ok()) << small.GetError().message;
  EXPECT_TRUE(small->finished);
  EXPECT_EQ(small->file.name, "reduced.txt");
  EXPECT_THAT(small->file.text, testing::HasSubstr("*"));
  EXPECT_LE(small->file.text.size(), 20u) << small->file.text;
  EXPECT_EQ(small->expected, "1\n");

  // What was reduced can be taken up again, and a program without the bug cannot.
  request.model = small->model;
  EXPECT_TRUE((*source)->Reduce(request, executor).Ok());
  request.configuration.target = &right;
  std::filesystem::remove(folder.Path() / "best.derivation");
  EXPECT_FALSE((*source)->Reduce(request, executor).Ok());
}

}  // namespace
}  // namespace assay::campaign
