#include "exec/pids_cgroup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

// The folder of our own group in the hierarchy that has the pids controller (version 1), or in the
// unified one.
fs::path OwnGroup() {
  std::ifstream in("/proc/self/cgroup");
  fs::path unified;
  for (std::string line; std::getline(in, line);) {
    // "NUMBER:CONTROLLERS:/PATH"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || second + 2 > line.size()) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 2);
    if (controllers == "pids") return fs::path("/sys/fs/cgroup/pids") / path;
    if (controllers.empty()) unified = fs::path("/sys/fs/cgroup") / path;
  }
  return unified;
}

bool Write(const fs::path& file, std::string_view text) {
  int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool ok = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return ok;
}

void RemoveThoseOfTheDead(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    int pid = 0;
    if (std::sscanf(it->path().filename().c_str(), "assay-%d-", &pid) != 1 || pid <= 0) continue;
    if (::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir(it->path().c_str());
  }
}

}  // namespace

PidsCgroup PidsCgroup::Make() {
  static std::atomic<uint64_t> counter{0};  // only makes names differ
  const fs::path parent = OwnGroup();
  if (parent.empty() || ::access(parent.c_str(), W_OK) != 0) return {};
  RemoveThoseOfTheDead(parent);
  fs::path path = parent / fmt::format("assay-{}-{}", ::getpid(), counter.fetch_add(1));
  if (::mkdir(path.c_str(), 0755) != 0) return {};
  PidsCgroup group(std::move(path));
  if (!Write(group.path_ / "pids.max", "max")) return {};  // the controller is not on here
  return group;
}

PidsCgroup::PidsCgroup(PidsCgroup&& other) noexcept : path_(std::exchange(other.path_, {})), limit_(other.limit_) {}

PidsCgroup& PidsCgroup::operator=(PidsCgroup&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::exchange(other.path_, {});
    limit_ = other.limit_;
  }
  return *this;
}

PidsCgroup::~PidsCgroup() { Remove(); }

void PidsCgroup::Remove() {
  if (path_.empty()) return;
  // A process that has been waited for leaves its group a moment later.
  for (int i = 0; i < 200 && ::rmdir(path_.c_str()) != 0 && errno == EBUSY; ++i) ::usleep(1000);
}

void PidsCgroup::Open() {
  if (!IsThere()) return;
  members_file_ = ::open((path_ / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  limit_file_ = ::open((path_ / "pids.max").c_str(), O_WRONLY | O_CLOEXEC);
}

bool PidsCgroup::Enter() { return members_file_ >= 0 && ::pwrite(members_file_, "0", 1, 0) == 1; }

void PidsCgroup::SetLimit(uint64_t processes) {
  if (!IsThere() || processes == limit_) return;
  limit_ = processes;
  const std::string text = processes == 0 ? std::string("max") : fmt::format("{}", processes);
  [[maybe_unused]] ssize_t written = ::pwrite(limit_file_, text.data(), text.size(), 0);
}

uint64_t PidsCgroup::Refusals() const {
  if (!IsThere()) return 0;
  const int fd = ::open((path_ / "pids.events").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[128] = {};
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  unsigned long long refused = 0;
  if (size <= 0 || std::sscanf(text, "max %llu", &refused) != 1) return 0;
  return refused;
}

}  // namespace assay::exec
