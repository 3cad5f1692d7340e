#include "exec/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

constexpr long kTmpfsMagic = 0x01021994;

// When the process started, in the system's clock ticks; 0 when there is no such process. With the
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
  if (rest == nullptr ||
      std::sscanf(
          rest + 1,
          " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
          &start) != 1) {
    return 0;
  }
  return start;
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

// Makes every folder writable first: a program may have taken our permission away.
void RemoveAll(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  fs::permissions(path, fs::perms::owner_all, error);
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) {
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
    }
  }
  fs::remove_all(path, error);
}

}  // namespace

fs::path ScratchRoot() {
  const char* chosen = std::getenv("ASSAY_SCRATCH");
  if (chosen != nullptr && *chosen != '\0') return fs::absolute(chosen);
  struct statfs info {};
  if (::statfs("/dev/shm", &info) == 0 && info.f_type == kTmpfsMagic &&
      ::access("/dev/shm", W_OK | X_OK) == 0) {
    return "/dev/shm";
  }
  return "/tmp";
}

support::Result<Scratch> Scratch::Make(const fs::path& root) {
  static std::atomic<uint64_t> counter{0};  // only makes names differ
  const fs::path parent = root.empty() ? ScratchRoot() : root;
  const pid_t pid = ::getpid();
  const uint64_t start = StartTime(pid);
  for (;;) {
    fs::path path = parent / fmt::format("assay-{}-{}-{}", pid, start, counter.fetch_add(1));
    if (::mkdir(path.c_str(), 0700) == 0) return Scratch(std::move(path), Hold(path));
    if (errno != EEXIST) {
      return support::EnvironmentError(
          fmt::format("cannot make a folder in {}: {}", parent.string(), std::strerror(errno)));
    }
  }
}

Scratch::~Scratch() {
  Remove();
}

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
  if (!path_.empty()) RemoveAll(path_);
  if (hold_ >= 0) ::close(hold_);
}

void Scratch::Empty() {
  std::error_code error;
  for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    RemoveAll(it->path());
  }
}

int SweepStaleScratch(const fs::path& root) {
  int swept = 0;
  std::error_code error;
  const fs::path parent = root.empty() ? ScratchRoot() : root;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    int pid = 0;
    unsigned long long start = 0, number = 0;
    int used = 0;
    const std::string name = it->path().filename().string();
    if (std::sscanf(name.c_str(), "assay-%d-%llu-%llu%n", &pid, &start, &number, &used) != 3 ||
        static_cast<size_t>(used) != name.size() || StartTime(pid) == start || IsHeld(it->path())) {
      continue;
    }
    RemoveAll(it->path());
    swept += fs::exists(it->path(), error) ? 0 : 1;
  }
  return swept;
}

}  // namespace assay::exec
