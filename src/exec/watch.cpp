#include "exec/watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "exec/folder_size.hpp"
#include "exec/landlock.hpp"
#include "exec/process_tree.hpp"
#include "exec/spawn.hpp"

namespace assay::exec {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double Seconds(const rusage& usage) {
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

double CpuSeconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return Seconds(usage);
}

// A pipe that the command writes to and we read without blocking, up to a limit.
class OutputPipe {
 public:
  bool Open() { return ::pipe2(ends_, O_CLOEXEC) == 0 && ::fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0; }
  ~OutputPipe() {
    CloseReader();
    CloseWriter();
  }
  int Reader() const { return ends_[0]; }
  int Writer() const { return ends_[1]; }
  void CloseWriter() { Close(ends_[1]); }
  void CloseReader() { Close(ends_[0]); }

  // Takes what is there. Returns false when the limit was exceeded.
  bool Drain(std::string& text, uint64_t limit) {
    char buffer[16384];
    while (ends_[0] >= 0) {
      ssize_t got = ::read(ends_[0], buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return true;  // nothing more for now
      if (got == 0) {
        CloseReader();
        return true;
      }
      text.append(buffer, static_cast<size_t>(got));
      if (limit != 0 && text.size() > limit) {
        text.resize(limit);
        return false;
      }
    }
    return true;
  }

 private:
  static void Close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  int ends_[2] = {-1, -1};
};

// A file in memory, at its beginning; -1 on failure.
int MemoryFile(const std::string& text) {
  int fd = ::memfd_create("assay-stdin", MFD_CLOEXEC);
  if (fd < 0) return -1;
  for (size_t done = 0; done < text.size();) {
    ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
    if (wrote <= 0) {
      ::close(fd);
      return -1;
    }
    done += static_cast<size_t>(wrote);
  }
  ::lseek(fd, 0, SEEK_SET);
  return fd;
}

class Watcher {
 public:
  Watcher(const JailEnvironment& jail, const Limits& limits) : jail_(jail), limits_(limits) {}

  std::optional<Observation> Run(const Command& command) {
    const double harness_before = CpuSeconds(RUSAGE_SELF);
    tree_before_ = CpuSeconds(RUSAGE_CHILDREN);
    folder_ = command.working_folder;
    if (limits_.file_bytes != 0 && !folder_.empty()) {
      most_bytes_ = BytesBelow(folder_, UINT64_MAX) + kFilesOfFullSize * limits_.file_bytes;
    }
    if (!Start(command)) return seen_;
    while (!finished_ && !given_up_) Step();
    CheckForRefusedProcesses();
    CheckForMissedMemory();
    if (!given_up_ && !seen_.HitLimit() && FillsItsFolder()) seen_.ending = Ending::FileLimit;
    // The command has ended or has to: whatever lives goes, then the last output is taken.
    if (!no_children_) KillTree(jail_.own_namespace);
    if (given_up_) return std::nullopt;
    if (!out_.Drain(seen_.stdout_text, limits_.output_bytes) || !err_.Drain(seen_.stderr_text, limits_.output_bytes)) {
      seen_.ending = Ending::OutputLimit;
    }
    seen_.wall_seconds = SecondsSince(start_);
    seen_.cpu_seconds = CpuSeconds(RUSAGE_CHILDREN) - tree_before_;
    seen_.harness_seconds = CpuSeconds(RUSAGE_SELF) - harness_before;
    return seen_;
  }

 private:
  bool Start(const Command& command) {
    seen_.ending = Ending::NotStarted;
    if (!out_.Open() || !err_.Open()) {
      seen_.stderr_text = std::string("cannot make a pipe: ") + std::strerror(errno);
      return false;
    }
    int input = command.stdin_text.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : MemoryFile(command.stdin_text);
    const int rules = jail_.landlock_version > 0 ? FileRules(command) : -1;
    if (jail_.landlock_version > 0 && rules < 0) {
      seen_.stderr_text = std::string("cannot make rules on files: ") + std::strerror(errno);
      return false;
    }
    refusals_before_ = jail_.group->Refusals();
    start_ = Clock::now();
    Spawned spawned = Spawn(command, limits_, {input, out_.Writer(), err_.Writer()},
                            {jail_.spawn_stack, !jail_.own_namespace, UserProcesses(), rules});
    if (input >= 0) ::close(input);
    if (rules >= 0) ::close(rules);
    out_.CloseWriter();
    err_.CloseWriter();
    if (spawned.error != 0) {
      seen_.stderr_text = "cannot start " + command.argv[0] + ": " + std::strerror(spawned.error);
      if (spawned.error == ENOEXEC) seen_.stderr_text += " (a script needs a first line such as #!/bin/sh)";
      return false;
    }
    main_ = spawned.pid;
    return true;
  }

  // What the command may write.
  int FileRules(const Command& command) const {
    std::vector<std::string> folders = jail_.private_places;
    if (folders.empty() && limits_.shared_tmp) folders.push_back("/tmp");
    if (!command.working_folder.empty()) folders.push_back(command.working_folder);
    folders.insert(folders.end(), command.writable.begin(), command.writable.end());
    return MakeLandlockRules({.version = jail_.landlock_version, .folders = folders, .network = jail_.keep_network});
  }

  // Like the other limits of the system, wider than ours: as a rule the watch sees first.
  uint64_t UserProcesses() const {
    if (jail_.processes_before < 0 || limits_.processes == 0) return 0;
    const uint64_t others = jail_.processes_before == 0 ? 0 : kOtherProcesses;
    return static_cast<uint64_t>(jail_.processes_before) + others + 4 * limits_.processes;
  }

  // Waits for the next thing to happen and deals with it.
  void Step() {
    pollfd events[4] = {{jail_.control, POLLIN, 0},
                        {jail_.child_events, POLLIN, 0},
                        {out_.Reader(), POLLIN, 0},
                        {err_.Reader(), POLLIN, 0}};
    int ready = ::poll(events, 4, MillisecondsToWait());
    if (ready < 0 && errno != EINTR) given_up_ = true;
    if (ready > 0 && events[0].revents != 0) given_up_ = true;  // Assay says nothing during a run
    if (!out_.Drain(seen_.stdout_text, limits_.output_bytes) || !err_.Drain(seen_.stderr_text, limits_.output_bytes)) {
      return End(Ending::OutputLimit);
    }
    if (ready > 0 && events[1].revents != 0) Reap();
    if (!finished_) CheckLimits();
  }

  int MillisecondsToWait() const {
    double wait = next_survey_ - SecondsSince(start_);
    if (limits_.wall_seconds > 0 && !starving_) wait = std::min(wait, limits_.wall_seconds - SecondsSince(start_));
    return wait <= 0 ? 0 : static_cast<int>(std::ceil(wait * 1000));
  }

  void Reap() {
    signalfd_siginfo ignored[16];
    while (::read(jail_.child_events, ignored, sizeof ignored) > 0) {
    }
    for (;;) {
      int status = 0;
      rusage usage{};
      pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) no_children_ = true;  // ECHILD: orphans come to us, so the whole tree is gone
      if (pid <= 0) return;
      seen_.peak_memory_bytes = std::max(seen_.peak_memory_bytes, static_cast<uint64_t>(usage.ru_maxrss) * 1024);
      if (pid == main_) MainEnded(status);
    }
  }

  void MainEnded(int status) {
    finished_ = true;
    if (WIFEXITED(status)) {
      seen_.ending = Ending::Exited;
      seen_.exit_code = WEXITSTATUS(status);
      return;
    }
    seen_.ending = Ending::Signaled;
    seen_.signal = WTERMSIG(status);
    if (seen_.signal == SIGXFSZ) seen_.ending = Ending::FileLimit;
    if (seen_.signal == SIGXCPU) seen_.ending = Ending::TimedOut;
  }

  void CheckLimits() {
    const double elapsed = SecondsSince(start_);
    const bool late = limits_.wall_seconds > 0 && elapsed >= limits_.wall_seconds;
    if (elapsed < next_survey_ && !(late && !starving_)) return;
    // Seldom for what runs long: a survey costs some 100 us.
    survey_period_ = std::min(2 * survey_period_, kLongestPeriod);
    next_survey_ = elapsed + survey_period_;
    TreeUsage usage = SurveyTree(jail_.own_namespace, limits_.processes);
    if (limits_.processes != 0 && usage.processes > limits_.processes) {
      return End(Ending::ProcessLimit);
    }
    if (limits_.memory_bytes != 0 && usage.resident_bytes > limits_.memory_bytes) {
      return End(Ending::MemoryLimit);
    }
    if (FillsItsFolder()) return End(Ending::FileLimit);
    const double cpu = usage.cpu_seconds + CpuSeconds(RUSAGE_CHILDREN) - tree_before_;
    if (limits_.cpu_seconds > 0 && cpu >= limits_.cpu_seconds) return End(Ending::TimedOut);
    if (!late) return;
    const std::optional<Ending> end =
        EndOfLate(limits_, {.elapsed = elapsed, .cpu = cpu, .has_work = TreeHasWork(jail_.own_namespace)});
    if (end) return End(*end);
    starving_ = true;
  }

  // Many files instead of a large one: on tmpfs they take the machine's memory. What the folder had before is not the
  // command's.
  bool FillsItsFolder() const { return most_bytes_ != 0 && BytesBelow(folder_, most_bytes_) > most_bytes_; }

  // A process that took too much between two surveys and failed, with a word about memory or without: that was the
  // limit, not its own decision. The system counts for a process what it was a copy of until its exec: us.
  void CheckForMissedMemory() {
    if (given_up_ || limits_.memory_bytes == 0 || seen_.HitLimit() || seen_.Succeeded()) return;
    rusage own{};
    ::getrusage(RUSAGE_SELF, &own);
    const uint64_t inherited = static_cast<uint64_t>(own.ru_maxrss) * 1024;
    if (seen_.peak_memory_bytes > std::max(limits_.memory_bytes, inherited)) seen_.ending = Ending::MemoryLimit;
  }

  // A tree that grows between two surveys meets the limits of the system, which only refuse: the
  // command may say "cannot fork" and fail, and would look like one that failed by itself. Such a
  // failure is the limit's: the group has counted a refusal, or (without a group) the command has
  // left more than it may have.
  void CheckForRefusedProcesses() {
    if (given_up_ || limits_.processes == 0 || seen_.HitLimit() || seen_.Succeeded()) return;
    if (jail_.group->Refusals() != refusals_before_ ||
        (!no_children_ && SurveyTree(jail_.own_namespace, limits_.processes).processes > limits_.processes)) {
      seen_.ending = Ending::ProcessLimit;
    }
  }

  void End(Ending ending) {
    seen_.ending = ending;
    finished_ = true;
  }

  static constexpr double kFirstSurvey = 0.05;  // most runs end before it
  static constexpr double kLongestPeriod = 0.25;

  static constexpr uint64_t kFilesOfFullSize = 4;    // that a command may have in its folder
  static constexpr uint64_t kOtherProcesses = 1000;  // that the user may start besides, later

  const JailEnvironment& jail_;
  const Limits& limits_;
  Observation seen_;
  OutputPipe out_, err_;
  Clock::time_point start_;
  double next_survey_ = kFirstSurvey;
  double survey_period_ = kFirstSurvey;
  double tree_before_ = 0;
  uint64_t refusals_before_ = 0;
  std::string folder_;
  uint64_t most_bytes_ = 0;  // that its folder may hold; 0: any number
  pid_t main_ = -1;
  bool starving_ = false;     // beyond its wall limit for want of a processor
  bool finished_ = false;     // the ending is known
  bool given_up_ = false;     // Assay is gone
  bool no_children_ = false;  // nothing of the tree is left
};

}  // namespace

std::optional<Ending> EndOfLate(const Limits& limits, const Lateness& late) {
  // It does nothing, or it had a processor most of the time. Without a limit on CPU time nothing else would end it.
  constexpr double kFairShare = 0.8;
  if (limits.cpu_seconds <= 0 || !late.has_work || late.cpu >= kFairShare * limits.wall_seconds) {
    return Ending::TimedOut;
  }
  if (late.elapsed >= kMostStretch * limits.wall_seconds) return Ending::Starved;
  return std::nullopt;
}

std::optional<Observation> Watch(const JailEnvironment& jail, const Command& command, const Limits& limits) {
  return Watcher(jail, limits).Run(command);
}

}  // namespace assay::exec
