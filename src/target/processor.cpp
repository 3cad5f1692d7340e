#include "target/processor.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace assay::target {
namespace {

std::set<std::string> Features() {
  std::set<std::string> features;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) features.insert(word);
    break;  // all processors of a machine have the same
  }
  return features;
}

}  // namespace

bool ProcessorHas(const std::vector<std::string>& features) {
  if (features.empty()) return true;
  const std::set<std::string> there = Features();
  return std::all_of(features.begin(), features.end(), [&](const std::string& one) { return there.contains(one); });
}

}  // namespace assay::target
