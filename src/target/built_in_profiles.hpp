// The texts of targets/*.toml as they were when Assay was built (made by rules.cmake).
#pragma once

#include <string>
#include <vector>

namespace assay::target {

struct ProfileFile {
  std::string name;
  std::string text;
};

std::vector<ProfileFile> BuiltInProfileFiles();

}  // namespace assay::target
