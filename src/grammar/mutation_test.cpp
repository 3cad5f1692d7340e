// Our own fuzz target: mutated specifications. Whatever the text, reading, checking, describing and
// translating it must end without a crash; a specification that passes the check must have a
// complete translation.
//   LALA_MUTATIONS=100000 grammar_test --gtest_filter=LalaMutation.*   for a longer run
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "choice/choices.hpp"
#include "grammar/check.hpp"
#include "grammar/describe.hpp"
#include "grammar/parser.hpp"
#include "grammar/translate.hpp"

namespace assay::grammar {
namespace {

std::string Read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Words, so that mutations keep some sense.
std::vector<std::string> Tokens(const std::string& text) {
  std::vector<std::string> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_') {
      while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_')) ++i;
    } else {
      ++i;
    }
    tokens.push_back(text.substr(begin, i - begin));
  }
  return tokens;
}

void Mutate(std::vector<std::string>& tokens, choice::Choices& choices) {
  auto place = [&] { return choices.Below(static_cast<uint32_t>(tokens.size())); };
  uint32_t count = 1 + choices.Below(6);
  for (uint32_t i = 0; i < count && !tokens.empty(); ++i) {
    uint32_t at = place();
    switch (choices.Below(7)) {
      case 0: tokens.erase(tokens.begin() + at); break;
      case 1: tokens[at] = tokens[place()]; break;
      case 2: tokens.insert(tokens.begin() + at, tokens[place()]); break;
      case 3: std::swap(tokens[at], tokens[place()]); break;
      case 4: tokens[at] = std::string(1, static_cast<char>(choices.Below(256))); break;
      case 5: {
        uint32_t length = std::min<uint32_t>(1 + choices.Below(60), static_cast<uint32_t>(tokens.size()) - at);
        tokens.erase(tokens.begin() + at, tokens.begin() + at + length);
        break;
      }
      case 6: {
        uint32_t length = std::min<uint32_t>(1 + choices.Below(60), static_cast<uint32_t>(tokens.size()) - at);
        std::vector<std::string> copy(tokens.begin() + at, tokens.begin() + at + length);
        uint32_t to = place();
        tokens.insert(tokens.begin() + to, copy.begin(), copy.end());
        break;
      }
    }
  }
}

TEST(LalaMutation, NothingCrashes) {
  const char* wanted = std::getenv("LALA_MUTATIONS");
  uint64_t rounds = wanted ? std::strtoull(wanted, nullptr, 10) : 10'000;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"docs/toy", "bench", "grammars"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(ASSAY_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".lala") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 3u);
  std::filesystem::path library = std::filesystem::path(ASSAY_SOURCE_DIR) / "grammars/lib";
  std::vector<std::vector<std::string>> seeds;
  std::vector<Modules> modules;
  for (const std::filesystem::path& file : files) {
    std::string text = Read(file);
    if (text.size() > 30'000) text.resize(30'000);
    seeds.push_back(Tokens(text));
    Modules found;
    Diagnostics ignored;
    for (const Use& use : Parse(text, ignored).uses) found.Load(use.name, {file.parent_path(), library});
    modules.push_back(std::move(found));
  }
  size_t good = 0;
  size_t diagnostics = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    choice::Choices choices(round);
    // Small specifications most of the time: they are fast and as likely to break something.
    uint32_t pick = choices.Percent(80) ? choices.Below(3) : choices.Below(static_cast<uint32_t>(files.size()));
    std::vector<std::string> tokens = seeds[pick];
    Mutate(tokens, choices);
    std::string text;
    for (const std::string& token : tokens) text += token;
    Checked checked;
    checked.file = "mutant.lala";
    checked.source = text;
    checked.modules = modules[pick];
    checked.specification = assay::grammar::Parse(checked.source, checked.diagnostics);
    Check(checked.specification, {}, checked.modules, checked.diagnostics);
    diagnostics += checked.diagnostics.Items().size();
    for (const Diagnostic& diagnostic : checked.diagnostics.Items()) ASSERT_FALSE(diagnostic.message.empty());
    if (round % 16 == 0) {
      ASSERT_EQ(checked.Report().empty(), checked.diagnostics.Items().empty());
    }
    bool all_found = true;
    for (const Use& use : checked.specification.uses) all_found &= checked.modules.Find(use.name) != nullptr;
    if (!checked.Good() || !all_found) continue;
    ++good;
    ASSERT_FALSE(Describe(checked.specification).empty());
    ASSERT_FALSE(DescribeDot(checked.specification).empty());
    ASSERT_NE(Translate(checked, {"mutant", "assay_language", "x.cpp"}).find("assay_language"), std::string::npos);
  }
  EXPECT_GT(good, rounds / 50);
  EXPECT_GT(diagnostics, rounds / 2);
}

}  // namespace
}  // namespace assay::grammar
