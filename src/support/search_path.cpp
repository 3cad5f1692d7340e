#include "support/search_path.hpp"

#include <cstdlib>
#include <sstream>

namespace assay::support {

std::string SearchPath() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

std::vector<std::string> FoldersOf(std::string_view search_path) {
  std::vector<std::string> folders;
  std::istringstream parts{std::string(search_path)};
  for (std::string folder; std::getline(parts, folder, ':');) {
    if (folder.starts_with('/')) folders.push_back(folder);
  }
  return folders;
}

}  // namespace assay::support
