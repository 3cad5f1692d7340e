// `assay gen --lang`: programs of a grammar-based language, to a folder or to standard output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace assay::cli {

struct LanguageRequest {
  std::string language;  // the name of a shipped one, or the path of a .lala file
  uint64_t seed = 0;
  uint64_t count = 1;
  std::filesystem::path folder;  // empty: standard output
  std::optional<uint32_t> max_height;
  std::vector<std::string> features;
};

// Writes <seed>.<extension> for `count` consecutive seeds; makes the folder if need be.
support::Result<void> GenerateLanguage(const LanguageRequest& request);

}  // namespace assay::cli
