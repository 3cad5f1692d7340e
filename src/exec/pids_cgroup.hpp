// A control group that bounds the number of processes of one jail, where the system lets us make
// one (as root, as a rule). It is the only limit on processes that binds root.
#pragma once

#include <cstdint>
#include <filesystem>

namespace assay::exec {

// Owns one group; removed on destruction, by when its processes must have ended.
class PidsCgroup {
 public:
  // Below our own group; an empty one (IsThere() is false) where that is not permitted. Also
  // removes those of dead processes.
  static PidsCgroup Make();
  PidsCgroup() = default;
  PidsCgroup(PidsCgroup&& other) noexcept;
  PidsCgroup& operator=(PidsCgroup&& other) noexcept;
  ~PidsCgroup();

  bool IsThere() const { return !path_.empty(); }
  // In the process that will call Enter and SetLimit: opens the files, which may later be out of reach.
  void Open();
  // Moves the calling process in. False when that failed.
  bool Enter();
  // At most so many processes and threads; 0: any number.
  void SetLimit(uint64_t processes);
  // How many processes the limit has refused so far.
  uint64_t Refusals() const;

 private:
  explicit PidsCgroup(std::filesystem::path path) : path_(std::move(path)) {}
  void Remove();

  std::filesystem::path path_;
  int members_file_ = -1, limit_file_ = -1;
  uint64_t limit_ = 0;
};

}  // namespace assay::exec
