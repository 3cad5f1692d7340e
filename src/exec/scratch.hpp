// Empty folders for tests, on tmpfs. A scratch folder is locked while its process lives and is
// named assay-<pid>-<start time>-<n>, so that the folders of a process that was killed can be told
// from those of a living one, and swept.
#pragma once

#include <filesystem>

#include "support/result.hpp"

namespace assay::exec {

// Owns one empty folder, mode 0700; removed with its contents on destruction. Movable.
class Scratch {
 public:
  // In `root`, or where ScratchRoot says.
  static support::Result<Scratch> Make(const std::filesystem::path& root = {});
  ~Scratch();
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& Path() const { return path_; }
  // Removes what is inside; the folder stays. False when something could not be removed.
  bool Empty();

 private:
  Scratch(std::filesystem::path path, int hold) : path_(std::move(path)), hold_(hold) {}
  void Remove();

  std::filesystem::path path_;
  int hold_ = -1;  // open and locked while we live: what SweepStaleScratch asks
};

// Where Scratch::Make puts its folders by default: the folder that the environment variable ASSAY_SCRATCH names, else
// /dev/shm when that is a writable tmpfs, else /tmp.
std::filesystem::path ScratchRoot();

// The innermost scratch folder that the path is or is in; else the path itself.
std::filesystem::path EnclosingScratch(const std::filesystem::path& path);

// Removes a folder or file with all that is in it, also where a program has taken our permissions away or made folders
// so deep that their paths are too long. False when something is left.
bool RemoveTree(const std::filesystem::path& path);

// Removes the scratch folders in `root` (default: ScratchRoot()) whose process is dead. Returns how
// many. Call once at start-up; safe while other Assay processes run.
int SweepStaleScratch(const std::filesystem::path& root = {});

}  // namespace assay::exec
