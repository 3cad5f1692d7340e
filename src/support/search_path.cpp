#include "support/search_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace assay::support {

namespace {

// Where `./dev compilers` puts what is no package of the system; empty where nobody has a home.
std::string CompilersFolder() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string chosen = value("ASSAY_COMPILERS"); !chosen.empty()) return chosen + "/bin";
  if (const std::string data = value("XDG_DATA_HOME"); !data.empty()) return data + "/assay/compilers/bin";
  const std::string home = value("HOME");
  return home.empty() ? home : home + "/.local/share/assay/compilers/bin";
}

}  // namespace

std::string SearchPath() {
  const char* path = std::getenv("PATH");
  std::string all = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  const std::string compilers = CompilersFolder();
  std::error_code code;
  if (!compilers.empty() && std::filesystem::is_directory(compilers, code)) all += ":" + compilers;
  return all;
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
