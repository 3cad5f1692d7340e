// The texts of targets/*.toml as they were when Assay was built (made by rules.cmake).
#pragma once

#include <string>
#include <vector>

namespace assay::target {

struct RecipeFile {
  std::string name;
  std::string text;
};

std::vector<RecipeFile> BuiltInRecipeFiles();

}  // namespace assay::target
