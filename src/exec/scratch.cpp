#include "exec/scratch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

constexpr long kTmpfsMagic = 0x01021994;

// When the process started, in the system's clock ticks; 0 when there is no such process, or only its zombie. With the
// pid it names a process for good, although pids are used again.
uint64_t StartTime(pid_t pid) {
  std::string path = fmt::format("/proc/{}/stat", pid);
  FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return 0;
  char text[1024];
  size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[size] = '\0';
  const char* rest = std::strrchr(text, ')');
  unsigned long long start = 0;
  char state = 0;
  if (rest == nullptr ||
      std::sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state,
                  &start) != 2) {
    return 0;
  }
  return state == 'Z' || state == 'X' ? 0 : start;
}

// Marks a folder as in use for as long as the result is open, which ends with our process. -1 on
// failure.
int Hold(const fs::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) ::flock(fd, LOCK_SH | LOCK_NB);
  return fd;
}

// Held by a living process, perhaps one in another container whose pids we do not see?
bool IsHeld(const fs::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return held;
}

// assay-PID-START-NUMBER?
bool ParseName(const std::string& name, int& pid, unsigned long long& start) {
  unsigned long long number = 0;
  int used = 0;
  return std::sscanf(name.c_str(), "assay-%d-%llu-%llu%n", &pid, &start, &number, &used) == 3 &&
         static_cast<size_t>(used) == name.size();
}

// Removes "immutable" and "append only" (chattr), which only root can set.
void ClearFlags(int folder, const char* name) {
  const int fd = ::openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  int none = 0;
  ::ioctl(fd, FS_IOC_SETFLAGS, &none);
  ::close(fd);
}

bool IsFolder(int folder, const char* name) {
  struct stat info {};
  return ::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

// Takes every entry of the folder `sub` out into `folder` under a new name, so that `sub` is empty.
void Flatten(int folder, const char* sub, uint64_t& names) {
  ::fchmodat(folder, sub, 0700, 0);
  const int fd = ::openat(folder, sub, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* entries = fd < 0 ? nullptr : ::fdopendir(fd);
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries)) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    const std::string name = fmt::format("assay-flat-{}", names++);
    if (::renameat(fd, entry->d_name, folder, name.c_str()) == 0) continue;
    ClearFlags(fd, entry->d_name);
    if (IsFolder(fd, entry->d_name)) ::fchmodat(fd, entry->d_name, 0700, 0);  // to move it is to write its ".."
    ::renameat(fd, entry->d_name, folder, name.c_str());
  }
  ::closedir(entries);
}

// One round over the entries of a folder: removes files and empty folders, takes apart the others. Returns how many
// entries it met.
size_t RemoveRound(int folder, uint64_t& names) {
  const int fd = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = fd < 0 ? nullptr : ::fdopendir(fd);
  if (entries == nullptr) return 0;
  std::vector<std::string> found;
  while (const dirent* entry = ::readdir(entries)) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) found.push_back(entry->d_name);
  }
  ::closedir(entries);
  for (const std::string& name : found) {
    for (int tries = 0; tries < 3; ++tries) {
      if (::unlinkat(folder, name.c_str(), 0) == 0) break;
      if (errno == EISDIR && ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0) break;
      if (errno == ENOTEMPTY || errno == EEXIST) {
        Flatten(folder, name.c_str(), names);
      } else {
        ClearFlags(folder, name.c_str());
      }
    }
  }
  return found.size();
}

}  // namespace

fs::path ScratchRoot() {
  const char* chosen = std::getenv("ASSAY_SCRATCH");
  if (chosen != nullptr && *chosen != '\0') return fs::absolute(chosen);
  struct statfs info {};
  if (::statfs("/dev/shm", &info) == 0 && info.f_type == kTmpfsMagic && ::access("/dev/shm", W_OK | X_OK) == 0) {
    return "/dev/shm";
  }
  return "/tmp";
}

fs::path EnclosingScratch(const fs::path& path) {
  int pid = 0;
  unsigned long long start = 0;
  for (fs::path part = path; part.has_relative_path(); part = part.parent_path()) {
    if (ParseName(part.filename().string(), pid, start)) return part;
  }
  return path;
}

// Without recursion and with few open files, whatever the depth: a folder that is not empty is taken apart into the
// one it is in, until only files and empty folders are left.
bool RemoveTree(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return true;
  constexpr int kMostFailures = 3;  // rounds in a row that change nothing
  uint64_t names = 0;
  size_t before = SIZE_MAX;
  for (int failures = 0; failures < kMostFailures; ++failures) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
      for (;;) {
        const uint64_t names_before = names;
        const size_t found = RemoveRound(folder, names);
        if (found == 0 || (found >= before && names == names_before)) break;
        before = found;
      }
      ::close(folder);
    }
    if (::rmdir(path.c_str()) == 0 || ::unlink(path.c_str()) == 0) return true;
    ClearFlags(AT_FDCWD, path.c_str());
    if (IsFolder(AT_FDCWD, path.c_str())) ::chmod(path.c_str(), 0700);
    before = SIZE_MAX;
  }
  return false;
}

support::Result<Scratch> Scratch::Make(const fs::path& root) {
  static std::atomic<uint64_t> counter{0};  // only makes names differ
  const fs::path parent = root.empty() ? ScratchRoot() : root;
  const pid_t pid = ::getpid();
  const uint64_t start = StartTime(pid);
  for (;;) {
    fs::path path = parent / fmt::format("assay-{}-{}-{}", pid, start, counter.fetch_add(1));
    if (::mkdir(path.c_str(), 0700) == 0) {
      const int held = Hold(path);  // before the path is given away: clang evaluates arguments from the left
      return Scratch(std::move(path), held);
    }
    if (errno != EEXIST) {
      return support::EnvironmentError(
          fmt::format("cannot make a folder in {}: {}", parent.string(), std::strerror(errno)));
    }
  }
}

Scratch::~Scratch() { Remove(); }

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})), hold_(std::exchange(other.hold_, -1)) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::exchange(other.path_, {});
    hold_ = std::exchange(other.hold_, -1);
  }
  return *this;
}

void Scratch::Remove() {
  if (!path_.empty()) RemoveTree(path_);
  if (hold_ >= 0) ::close(hold_);
}

bool Scratch::Empty() {
  ::chmod(path_.c_str(), 0700);
  bool all = true;
  std::error_code error;
  for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    all = RemoveTree(it->path()) && all;
  }
  return all && !error;
}

namespace {

// What the processes of a dead owner hold is let go when the kernel has ended them.
bool IsLetGo(const fs::path& path, std::chrono::steady_clock::time_point deadline) {
  while (IsHeld(path)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace

int SweepStaleScratch(const fs::path& root) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  int swept = 0;
  std::error_code error;
  const fs::path parent = root.empty() ? ScratchRoot() : root;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    int pid = 0;
    unsigned long long start = 0;
    if (!ParseName(it->path().filename().string(), pid, start) || StartTime(pid) == start) continue;
    if (IsLetGo(it->path(), deadline)) swept += RemoveTree(it->path()) ? 1 : 0;
  }
  return swept;
}

}  // namespace assay::exec
