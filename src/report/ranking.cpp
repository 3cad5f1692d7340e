#include "report/ranking.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>

#include "report/words.hpp"

namespace assay::report {
namespace {

// A set of small numbers.
using Features = std::vector<uint64_t>;

std::vector<Features> FeaturesOf(const std::vector<const store::Bug*>& bugs) {
  std::vector<std::vector<std::string>> words;
  for (const store::Bug* bug : bugs) {
    words.push_back({"family " + bug->family, "kind " + bug->kind});
    if (!bug->triage) continue;
    if (!bug->triage->pass.empty()) words.back().push_back("pass " + bug->triage->pass);
    for (const std::string& construct : Lines(bug->triage->constructs)) words.back().push_back(construct);
  }
  std::map<std::string, size_t> numbers;
  for (const auto& one : words) {
    for (const std::string& word : one) numbers.emplace(word, numbers.size());
  }
  std::vector<Features> all;
  for (const auto& one : words) {
    Features& features = all.emplace_back(numbers.size() / 64 + 1);
    for (const std::string& word : one) features[numbers[word] / 64] |= uint64_t{1} << numbers[word] % 64;
  }
  return all;
}

// Of what one of them has: the part that not both have.
double Distance(const Features& a, const Features& b) {
  int both = 0, any = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    both += std::popcount(a[i] & b[i]);
    any += std::popcount(a[i] | b[i]);
  }
  return 1.0 - static_cast<double>(both) / any;
}

}  // namespace

void MostDifferentFirst(std::vector<const store::Bug*>& bugs) {
  std::stable_sort(bugs.begin(), bugs.end(), [](auto* a, auto* b) { return TotalCount(*a) > TotalCount(*b); });
  std::vector<Features> features = FeaturesOf(bugs);
  std::vector<double> nearest(bugs.size(), 2);  // to those that have their place
  for (size_t placed = 0; placed + 1 < bugs.size(); ++placed) {
    for (size_t i = placed + 1; i < bugs.size(); ++i) {
      nearest[i] = std::min(nearest[i], Distance(features[placed], features[i]));
    }
    // The first of equals: it has more finds.
    const auto next = std::max_element(nearest.begin() + static_cast<ptrdiff_t>(placed) + 1, nearest.end());
    const auto at = static_cast<size_t>(next - nearest.begin());
    // Moved to the front of the rest, which keeps its order.
    std::rotate(bugs.begin() + static_cast<ptrdiff_t>(placed) + 1, bugs.begin() + static_cast<ptrdiff_t>(at),
                bugs.begin() + static_cast<ptrdiff_t>(at) + 1);
    std::rotate(features.begin() + static_cast<ptrdiff_t>(placed) + 1, features.begin() + static_cast<ptrdiff_t>(at),
                features.begin() + static_cast<ptrdiff_t>(at) + 1);
    std::rotate(nearest.begin() + static_cast<ptrdiff_t>(placed) + 1, nearest.begin() + static_cast<ptrdiff_t>(at),
                nearest.begin() + static_cast<ptrdiff_t>(at) + 1);
  }
}

}  // namespace assay::report
