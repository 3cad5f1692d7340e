// Documents are not left behind: links resolve, headings that are linked exist, documents that the code cites are
// there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ASSAY_SOURCE_DIR;

std::string Read(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The project's files with one of the extensions; what is built, and what a tool keeps in a hidden folder, is not ours.
std::vector<fs::path> Files(const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(kRoot); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename();
    if (it->is_directory() && (name.starts_with(".") || name == "build" || name.starts_with("assay-campaign"))) {
      it.disable_recursion_pending();
    }
    if (it->is_regular_file() && extensions.contains(it->path().extension())) files.push_back(it->path());
  }
  std::ranges::sort(files);
  return files;
}

// Without blocks of code and `code`, in which brackets are not links.
std::string Prose(std::string text) {
  text = std::regex_replace(text, std::regex("```[^]*?```"), "");
  return std::regex_replace(text, std::regex("`[^`\n]*`"), "code");
}

// The names that a page's headings have in links: lower case, blanks as hyphens, no punctuation.
std::set<std::string> Anchors(const std::string& text) {
  std::set<std::string> anchors;
  std::istringstream lines(std::regex_replace(text, std::regex("```[^]*?```"), ""));
  for (std::string line; std::getline(lines, line);) {
    const size_t start = line.find_first_not_of('#');
    if (start == 0 || start == std::string::npos || line[start] != ' ') continue;
    std::string anchor;
    for (char c : line.substr(start + 1)) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(c));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(DocsTest, EveryLinkResolves) {
  const std::regex link(R"(\]\(([^)\s]+)\))");
  int links = 0;
  for (const fs::path& page : Files({".md"})) {
    const std::string text = Prose(Read(page));
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = (*it)[1];
      if (target.starts_with("http://") || target.starts_with("https://")) continue;
      ++links;
      const size_t hash = target.find('#');
      const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
      EXPECT_TRUE(fs::exists(file)) << page << " links to " << target;
      if (hash == std::string::npos || !fs::is_regular_file(file)) continue;
      EXPECT_THAT(Anchors(Read(file)), testing::Contains(target.substr(hash + 1))) << page << " links to " << target;
    }
  }
  EXPECT_GT(links, 20);
}

TEST(DocsTest, EveryDocumentThatIsCitedIsThere) {
  const std::regex citation(R"(((?:[a-z]+/)?[A-Za-z-]+\.md)(?: §([0-9]+))?)");
  const std::regex ours("(docs|targets|examples)/.*|(design|style|architecture|measurements)\\.md");
  int citations = 0;
  for (const fs::path& file : Files({".cpp", ".hpp", ".def", ".cmake", ".toml", ".sh", ".py", ".md"})) {
    const std::string text = Read(file);
    if (text.find(".md") == std::string::npos) continue;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), citation); it != std::sregex_iterator(); ++it) {
      const std::string cited = (*it)[1], section = (*it)[2];
      if (!std::regex_match(cited, ours)) continue;
      ++citations;
      // Documents name their neighbours; everything else is named from the top.
      const bool beside = file.extension() == ".md" && fs::exists(file.parent_path() / cited);
      EXPECT_TRUE(fs::exists(kRoot / cited) || beside) << file << " cites " << (*it)[0];
      if (section.empty() || beside) continue;
      EXPECT_THAT(Read(kRoot / cited), testing::HasSubstr("\n## " + section + ". ")) << file << " cites " << (*it)[0];
    }
  }
  EXPECT_GT(citations, 5);
}

// A promise of docs/security.md is worth the test that is named beside it.
TEST(DocsTest, EveryPromiseNamesATestThatIsThere) {
  std::string tests;
  for (const fs::path& file : Files({".cpp"})) {
    if (file.filename().string().ends_with("_test.cpp")) tests += Read(file);
  }
  const std::string page = Read(kRoot / "docs/security.md");
  std::istringstream lines(page.substr(page.find("## The promises")));
  const std::regex name("`(?:([A-Z][A-Za-z]*)\\.)?([A-Z][A-Za-z]*|\\*)(?:/[A-Za-z]+)?`");
  int promises = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| promise")) continue;
    ++promises;
    const std::string cell = line.substr(line.rfind("| ", line.size() - 3));
    int named = 0;
    for (auto it = std::sregex_iterator(cell.begin(), cell.end(), name); it != std::sregex_iterator(); ++it, ++named) {
      const std::string suite = (*it)[1], test = (*it)[2];
      const std::string wanted = test == "*" ? "(" + suite + ", " : (suite.empty() ? "" : suite) + ", " + test + ")";
      EXPECT_TRUE(tests.find(wanted) != std::string::npos) << wanted << " of " << line;
    }
    EXPECT_TRUE(named > 0 || cell.find("the same") != std::string::npos) << line;
  }
  EXPECT_GT(promises, 20);
}

}  // namespace
