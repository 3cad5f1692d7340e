// Every #include between the folders of src/ must be an arrow of src/layers.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using Layers = std::map<std::string, std::set<std::string>>;

Layers ReadLayers(const fs::path& file) {
  Layers layers;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line.substr(0, line.find('|')));
    std::string folder, colon, dependency;
    words >> folder >> colon;
    layers[folder] = {folder};
    while (words >> dependency) layers[folder].insert(dependency);
  }
  return layers;
}

TEST(LayersTest, EveryIncludeIsAnArrowOfTheTable) {
  const fs::path src = fs::path(ASSAY_SOURCE_DIR) / "src";
  const Layers layers = ReadLayers(src / "layers.txt");
  ASSERT_GT(layers.size(), 10u);
  const std::regex include("^#include \"([a-z]+)/.*");
  int arrows = 0;
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    const std::string folder = fs::relative(entry.path(), src).begin()->string();
    ASSERT_TRUE(layers.contains(folder)) << folder << " is not in src/layers.txt";
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      ++arrows;
      EXPECT_TRUE(layers.at(folder).contains(match[1])) << entry.path() << " includes " << match[1];
    }
  }
  EXPECT_GT(arrows, 5);
}

TEST(LayersTest, TheTableHasNoCycle) {
  // Rows may only name folders of earlier rows; the file's order is the proof.
  std::ifstream in(fs::path(ASSAY_SOURCE_DIR) / "src/layers.txt");
  std::set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line.substr(0, line.find('|')));
    std::string folder, colon, dependency;
    words >> folder >> colon;
    while (words >> dependency) EXPECT_TRUE(seen.contains(dependency)) << folder << " -> " << dependency;
    seen.insert(folder);
  }
}

}  // namespace
