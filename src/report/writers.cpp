#include "report/writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/words.hpp"
#include "store/store.hpp"

namespace assay::report {

std::string FindsPerWriter(const std::vector<store::Bug>& bugs, const std::vector<store::Find>& finds) {
  std::set<std::string> counted;
  for (const store::Bug& bug : bugs) {
    if (store::IsBugKind(bug.kind) && bug.known == 0) counted.insert(bug.name);
  }
  struct Row {
    int64_t finds = 0;
    std::set<std::string> bugs;
  };
  std::map<std::string, Row> rows;
  int64_t all = 0;
  for (const store::Find& find : finds) {
    if (find.writers.empty() || !counted.contains(find.bug)) continue;
    ++all;
    for (const std::string& writer : Lines(find.writers)) {
      ++rows[writer].finds;
      rows[writer].bugs.insert(find.bug);
    }
  }
  if (all == 0) return "no find of a program of our generator\n";
  std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.finds > b.second.finds; });
  std::string text = fmt::format("{:<22} {:>8} {:>8} {:>8}\n", "writer", "finds", "of all", "bugs");
  for (const auto& [name, row] : sorted) {
    text += fmt::format("{:<22} {:>8} {:>6} % {:>8}\n", name, row.finds, 100 * row.finds / all, row.bugs.size());
  }
  return text;
}

}  // namespace assay::report
