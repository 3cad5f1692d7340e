// For tests of exec and of what is built on it: small programs to run, and proof that nothing is
// left behind.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "exec/scratch.hpp"
#include "support/search_path.hpp"

namespace assay::exec {

inline std::string Slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Waits for a condition, at most so long. False when it did not come true.
template <typename Condition>
bool WaitUntil(Condition condition, double seconds = 120) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= give_up) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// The names directly in a folder.
inline std::set<std::string> Names(const std::filesystem::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.insert(it->path().filename().string());
  }
  return names;
}

// The processes that have `text` in their command line or environment or as working folder,
// ourselves excepted.
inline std::vector<int> ProcessesWith(const std::string& text) {
  std::vector<int> found;
  for (const std::string& name : Names("/proc")) {
    int pid = std::atoi(name.c_str());
    if (pid <= 0 || pid == ::getpid()) continue;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path("/proc") / name;
    if (Slurp(folder / "cmdline").find(text) != std::string::npos ||
        Slurp(folder / "environ").find(text) != std::string::npos ||
        std::filesystem::read_symlink(folder / "cwd", error).string().find(text) == 0) {
      found.push_back(pid);
    }
  }
  return found;
}

// A folder with executables in it; when it goes, nothing may be left of what was run there: no
// process, and no new entry in /tmp with the name of a compiler's temporary.
class Workshop {
 public:
  Workshop() : scratch_(Make()), tmp_before_(Names("/tmp")) {}
  ~Workshop() { EXPECT_EQ(ProcessesWith(Folder().string()), std::vector<int>{}); }

  const std::filesystem::path& Folder() const { return scratch_.Path(); }

  // An executable shell script (after "#!/bin/sh").
  std::string Script(const std::string& name, const std::string& body) {
    return Write(name, "#!/bin/sh\n" + body + "\n");
  }
  // An executable compiled from C by cc.
  std::string Program(const std::string& name, const std::string& source) {
    const std::filesystem::path path = Folder() / name;
    Write(name + ".c", source);
    const std::string command =
        "PATH='" + support::SearchPath() + "' cc -w -o " + path.string() + " " + path.string() + ".c";
    EXPECT_EQ(std::system(command.c_str()), 0) << source;
    return path.string();
  }
  // The entries that have appeared in /tmp since and whose name starts so.
  std::set<std::string> NewInTmp(const std::string& prefix) const {
    std::set<std::string> fresh;
    for (const std::string& name : Names("/tmp")) {
      if (name.starts_with(prefix) && !tmp_before_.contains(name)) fresh.insert(name);
    }
    return fresh;
  }

 private:
  static Scratch Make() {
    auto scratch = Scratch::Make();
    return std::move(*scratch);
  }
  std::string Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = Folder() / name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), 0755);
    return path.string();
  }
  Scratch scratch_;
  std::set<std::string> tmp_before_;
};

}  // namespace assay::exec
