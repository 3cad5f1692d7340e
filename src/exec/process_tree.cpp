// Killing a tree that forks as fast as it can: in a process namespace of our own, kill(-1, SIGKILL)
// reaches everything at once. The kernel signals under the lock that fork needs to make a new
// process visible, and a fork by a process with a deadly signal pending fails, so none is missed.
// Without a namespace we stop every descendant we see, look again until a look shows nothing new
// that still runs (a stopped process does not fork), and only then kill: each round stops the
// parents of the next, and orphans come to us because we are the sub-reaper.
#include "exec/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "support/check.hpp"

namespace assay::exec {
namespace {

struct ProcessFacts {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';
  uint64_t cpu_ticks = 0;
  uint64_t resident_pages = 0;
};

// The numeric entries of /proc.
std::vector<pid_t> AllPids() {
  std::vector<pid_t> pids;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return pids;
  while (const dirent* entry = ::readdir(folder)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) {
      pids.push_back(static_cast<pid_t>(std::atoi(entry->d_name)));
    }
  }
  ::closedir(folder);
  return pids;
}

// From a file like /proc/PID/stat; false when the process or thread is gone.
bool ReadFacts(const char* path, pid_t pid, ProcessFacts& facts) {
  int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[1024];
  ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (size <= 0) return false;
  text[size] = '\0';
  const char* rest = std::strrchr(text, ')');  // the name may contain anything
  if (rest == nullptr) return false;
  unsigned long long user = 0, system = 0, child_user = 0, child_system = 0;
  long long resident = 0;
  int parent = 0;
  int fields = std::sscanf(rest + 1,
                           " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d "
                           "%*d %*d %*u %*u %lld",
                           &facts.state, &parent, &user, &system, &child_user, &child_system, &resident);
  if (fields != 7) return false;
  facts.pid = pid;
  facts.parent = parent;
  facts.cpu_ticks = user + system + child_user + child_system;
  facts.resident_pages = resident > 0 ? static_cast<uint64_t>(resident) : 0;
  return true;
}

bool ReadFacts(pid_t pid, ProcessFacts& facts) {
  char path[40];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  return ReadFacts(path, pid, facts);
}

bool IsWanting(const ProcessFacts& facts) { return facts.state == 'R' || facts.state == 'D'; }

// The state of a process is only that of its first thread.
bool HasWork(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR* folder = ::opendir(path);
  if (folder == nullptr) return false;
  bool work = false;
  while (const dirent* entry = ::readdir(folder)) {
    if (!std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) continue;
    ProcessFacts facts;
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, std::atoi(entry->d_name));
    work = work || (ReadFacts(path, pid, facts) && IsWanting(facts));
  }
  ::closedir(folder);
  return work;
}

std::string ReadWhole(const std::string& path) {
  std::string text;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  ::close(fd);
  return text;
}

// The children of a process as the system lists them, by thread; false when it keeps no such lists.
bool ReadChildren(pid_t pid, std::vector<pid_t>& children) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR* folder = ::opendir(path);
  if (folder == nullptr) return false;
  bool listed = false;
  while (const dirent* entry = ::readdir(folder)) {
    if (!std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) continue;
    std::snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, std::atoi(entry->d_name));
    if (::access(path, R_OK) != 0) continue;
    listed = true;
    const std::string text = ReadWhole(path);
    const char* rest = text.c_str();
    for (char* end = nullptr;; rest = end) {
      const long child = std::strtol(rest, &end, 10);
      if (end == rest) break;
      children.push_back(static_cast<pid_t>(child));
    }
  }
  ::closedir(folder);
  return listed;
}

// The descendants of this process by the lists of children: costs what the tree is, not what the
// machine runs. A process that comes or goes meanwhile may be missed, so it is good for a survey,
// not for an end. False when there are no lists.
bool ListedDescendants(std::vector<ProcessFacts>& found) {
  std::vector<pid_t> waiting;
  if (!ReadChildren(::getpid(), waiting)) return false;
  for (size_t i = 0; i < waiting.size(); ++i) {
    ProcessFacts facts;
    if (ReadFacts(waiting[i], facts)) found.push_back(facts);
    ReadChildren(waiting[i], waiting);
  }
  return true;
}

// The descendants of this process, by following parents to a fixed point.
std::vector<ProcessFacts> Descendants() {
  std::vector<ProcessFacts> candidates;
  for (pid_t pid : AllPids()) {
    ProcessFacts facts;
    if (ReadFacts(pid, facts)) candidates.push_back(facts);
  }
  std::set<pid_t> ours = {::getpid()};
  std::vector<ProcessFacts> found;
  for (bool grew = true; grew;) {
    grew = false;
    for (const ProcessFacts& facts : candidates) {
      if (!ours.contains(facts.parent) || !ours.insert(facts.pid).second) continue;
      found.push_back(facts);
      grew = true;
    }
  }
  return found;
}

void KillProcessByProcess() {
  constexpr int kRounds = 1000;  // a bound against a system that hides processes from us
  std::set<pid_t> stopped;
  for (int round = 0; round < kRounds; ++round) {
    bool news = false;
    for (const ProcessFacts& facts : Descendants()) {
      if (facts.state == 'Z' || !stopped.insert(facts.pid).second) continue;
      ::kill(facts.pid, SIGSTOP);
      news = true;
    }
    if (!news) break;
  }
  for (const ProcessFacts& facts : Descendants()) ::kill(facts.pid, SIGKILL);
}

// The descendants of this process, of which `pids` are all in a process namespace of its own.
std::vector<ProcessFacts> TreeOf(bool own_namespace, const std::vector<pid_t>& pids) {
  std::vector<ProcessFacts> tree;
  if (own_namespace) {
    for (pid_t pid : pids) {
      ProcessFacts facts;
      if (pid != ::getpid() && ReadFacts(pid, facts)) tree.push_back(facts);
    }
  } else if (!ListedDescendants(tree)) {
    tree = Descendants();
  }
  return tree;
}

}  // namespace

TreeUsage SurveyTree(bool own_namespace, uint32_t process_limit) {
  TreeUsage usage;
  std::vector<pid_t> pids;
  if (own_namespace) {
    pids = AllPids();
    usage.processes = pids.empty() ? 0 : static_cast<uint32_t>(pids.size() - 1);
    if (process_limit != 0 && usage.processes > process_limit) return usage;
  }
  const std::vector<ProcessFacts> tree = TreeOf(own_namespace, pids);
  usage.processes = static_cast<uint32_t>(tree.size());
  const auto page_bytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (const ProcessFacts& facts : tree) {
    usage.resident_bytes += facts.resident_pages * page_bytes;
    usage.cpu_seconds += static_cast<double>(facts.cpu_ticks) / ticks_per_second;
  }
  return usage;
}

bool TreeHasWork(bool own_namespace) {
  const std::vector<ProcessFacts> tree = TreeOf(own_namespace, own_namespace ? AllPids() : std::vector<pid_t>());
  return std::any_of(tree.begin(), tree.end(), [](const ProcessFacts& facts) { return HasWork(facts.pid); });
}

Pulse PulseOf(pid_t pid) {
  Pulse pulse;
  ProcessFacts facts;
  pulse.wants = ReadFacts(pid, facts) && IsWanting(facts);
  std::istringstream status(ReadWhole("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(status, line);) {
    const size_t name = line.find("voluntary_ctxt_switches:");  // also after "non"
    if (name != std::string::npos) pulse.turns += std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
  }
  return pulse;
}

int64_t CountThreadsOfUser() {
  int64_t threads = 0;
  for (pid_t pid : AllPids()) {
    char path[40];
    struct stat info {};
    std::snprintf(path, sizeof path, "/proc/%d/task", pid);
    // A folder's links: itself, its name, and one per folder in it.
    if (::stat(path, &info) == 0 && info.st_uid == ::geteuid()) {
      threads += static_cast<int64_t>(info.st_nlink) - 2;
    }
  }
  return threads;
}

void KillTree(bool own_namespace) {
  CHECK(!own_namespace || ::getpid() == 1);  // kill(-1) would reach the whole machine
  for (;;) {
    if (own_namespace) {
      ::kill(-1, SIGKILL);
    } else {
      KillProcessByProcess();
    }
    // Reap until nothing is left; without a namespace an orphan of the last round may still turn up
    // alive.
    for (int status = 0;;) {
      pid_t pid = ::waitpid(-1, &status, own_namespace ? 0 : WNOHANG);
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) return;  // ECHILD
      if (pid == 0) break;
    }
    ::usleep(1000);
  }
}

void KillStrays(const std::string& folder) {
  if (folder.size() < 2) return;
  const std::string setting = "TMPDIR=" + folder;
  constexpr int kRounds = 100;  // each stops the parents of the next
  for (int round = 0; round < kRounds; ++round) {
    bool found = false;
    for (pid_t pid : AllPids()) {
      if (pid == ::getpid()) continue;
      const std::string process = "/proc/" + std::to_string(pid);
      char where[4096];
      const ssize_t size = ::readlink((process + "/cwd").c_str(), where, sizeof where);
      const std::string_view place(where, size < 0 ? 0 : static_cast<size_t>(size));
      bool ours = place == folder || place.starts_with(folder + "/");
      if (!ours) {
        std::string text = ReadWhole(process + "/environ");
        for (size_t at = 0; at < text.size() && !ours; at = text.find('\0', at) + 1) {
          ours = text.compare(at, setting.size() + 1, setting.c_str(), setting.size() + 1) == 0;
          if (text.find('\0', at) == std::string::npos) break;
        }
      }
      if (ours && ::kill(pid, SIGKILL) == 0) found = true;
    }
    if (!found) return;
    ::usleep(1000);
  }
}

}  // namespace assay::exec
