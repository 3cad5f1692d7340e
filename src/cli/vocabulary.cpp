#include "cli/vocabulary.hpp"

#include <algorithm>

#include "knobs/knobs.hpp"

namespace assay::cli {

target::Vocabulary TargetVocabulary() {
  return {.is_knob = [](std::string_view name) {
    const auto rows = knobs::Rows();
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  }};
}

}  // namespace assay::cli
