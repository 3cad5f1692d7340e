#include "target/service.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "exec/executor.hpp"
#include "exec/scratch.hpp"
#include "support/files.hpp"

namespace assay::target {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr const char* kLogName = "log";

std::vector<std::string> WithFolder(std::vector<std::string> words, const std::string& folder) {
  constexpr std::string_view kMark = "{service}";
  for (std::string& word : words) {
    for (size_t at = 0; (at = word.find(kMark, at)) != std::string::npos; at += folder.size()) {
      word.replace(at, kMark.size(), folder);
    }
  }
  return words;
}

std::string LastLine(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

// utime, stime, cutime and cstime of a line of /proc/PID/stat, in ticks: fields 14 to 17; the
// second, in parentheses, may hold blanks.
long Ticks(const std::string& stat) {
  size_t close = stat.rfind(')');
  if (close == std::string::npos) return 0;
  std::istringstream fields(stat.substr(close + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  long sum = 0, ticks = 0;
  for (int i = 14; i < 18 && fields >> ticks; ++i) sum += ticks;
  return sum;
}

}  // namespace

class Services::Running {
 public:
  static Result<std::unique_ptr<Running>> Start(const Target& target) {
    auto scratch = exec::Scratch::Make();
    if (!scratch) return scratch.GetError();
    std::unique_ptr<Running> service(new Running(std::move(scratch).Value()));
    service->Begin(target);
    RETURN_IF_ERROR(service->WaitUntilReady(target));
    return service;
  }
  ~Running() {
    executor_.Stop();
    keeper_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  const fs::path& Folder() const { return folder_.Path(); }

 private:
  explicit Running(exec::Scratch folder) : folder_(std::move(folder)) {}

  // What a server may use is its own affair; its clients have limits.
  static exec::Limits NoLimits() {
    return {.cpu_seconds = 0,
            .wall_seconds = 0,
            .memory_bytes = 0,
            .limit_address_space = false,
            .file_bytes = 0,
            .processes = 0,
            .local_sockets = true};
  }

  void Begin(const Target& target) {
    exec::Command command{
        .argv = WithFolder(target.service.start, Folder()), .working_folder = Folder(), .writable = target.writable};
    keeper_ = std::thread([this, command = std::move(command)] {
      auto seen = executor_.Run(command, NoLimits());
      end_ = seen ? Describe(*seen) + " " + LastLine(seen->stderr_text) : seen.GetError().message;
      ended_ = true;
    });
  }

  Result<void> WaitUntilReady(const Target& target) {
    const Service& service = target.service;
    exec::Command ready{.argv = WithFolder(service.ready, Folder()), .working_folder = Folder()};
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::duration<double>(service.ready_seconds);
    std::string last;
    while (!ended_ && std::chrono::steady_clock::now() < give_up) {
      ASSIGN_OR_RETURN(auto seen, executor_.Run(ready, exec::Limits{.wall_seconds = 10, .local_sockets = true}));
      if (seen.Succeeded()) return {};
      last = LastLine(seen.stderr_text);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (ended_) last = end_;
    auto log = support::ReadFile(Folder() / kLogName);
    return support::EnvironmentError(
        fmt::format("the service of {} does not get ready: {} {}", target.name, last, log ? LastLine(*log) : ""));
  }

  exec::Scratch folder_;
  exec::Executor executor_;  // its own: the campaign's is stopped before the service
  std::thread keeper_;       // in executor_.Run of the server
  std::string end_;          // how the server ended; written before ended_
  std::atomic<bool> ended_ = false;
};

Services::Services() = default;
Services::~Services() = default;

Result<void> Services::Start(Target& target) {
  if (target.service.start.empty()) return {};
  auto service = Running::Start(target);
  if (!service) return service.GetError();
  const std::string folder = (*service)->Folder();
  target.run = WithFolder(std::move(target.run), folder);
  target.compile = WithFolder(std::move(target.compile), folder);
  target.environment = WithFolder(std::move(target.environment), folder);
  target.environment.push_back(std::string(kServiceFolderVariable) + folder);
  target.compile_limits.local_sockets = target.run_limits.local_sockets = true;  // how its clients reach it
  std::lock_guard lock(mutex_);
  running_.push_back(std::move(service).Value());
  return {};
}

double Services::CpuSeconds() const {
  std::lock_guard lock(mutex_);
  double sum = 0;
  for (const auto& service : running_) sum += CpuSecondsBelow(service->Folder());
  return sum;
}

double CpuSecondsBelow(const fs::path& folder) {
  long ticks = 0;
  DIR* processes = ::opendir("/proc");
  if (processes == nullptr) return 0;
  const std::string inside = folder.string() + "/";
  while (const dirent* entry = ::readdir(processes)) {
    if (std::atoi(entry->d_name) == 0) continue;
    const std::string process = std::string("/proc/") + entry->d_name;
    char where[4096];
    ssize_t length = ::readlink((process + "/cwd").c_str(), where, sizeof where);
    if (length <= 0) continue;
    const std::string place = std::string(where, static_cast<size_t>(length)) + "/";
    if (!place.starts_with(inside)) continue;
    if (auto stat = support::ReadFile(process + "/stat")) ticks += Ticks(*stat);
  }
  ::closedir(processes);
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace assay::target
