// How far apart two words are: for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace assay::support {

// The least number of letters to insert, remove or replace (Levenshtein).
size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace assay::support
