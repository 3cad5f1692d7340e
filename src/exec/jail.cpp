// Assay's side of a jail. It trusts nothing the commands could have done to it: it waits for an answer no longer than
// the command's time and some more, and an end that does not come is made by SIGKILL, which also ends a process that is
// stopped or traced.
#include "exec/jail.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "exec/jail_process.hpp"
#include "exec/process_tree.hpp"
#include "exec/wire.hpp"

namespace assay::exec {
namespace {

constexpr double kGraceSeconds = 10;  // for a jail to kill a tree whose time is up, and to answer
constexpr double kEndingSeconds = 5;  // for a jail to end when its socket closes
constexpr double kKillSeconds = 20;   // for the kernel to end a killed one; then it is left to it

// A pid that a forked process can tell us.
class SharedPid {
 public:
  SharedPid() {
    void* memory = ::mmap(nullptr, sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    pid_ = new (memory) pid_t(-1);
  }
  ~SharedPid() { ::munmap(pid_, sizeof(pid_t)); }
  SharedPid(const SharedPid&) = delete;
  SharedPid& operator=(const SharedPid&) = delete;
  pid_t* Get() { return pid_; }

 private:
  pid_t* pid_;
};

// Tells a jail that stands still (stopped, traced, waiting for ever) from one that gets little of a busy machine. To be
// asked again and again once it is late.
class StandStill {
 public:
  explicit StandStill(pid_t pid) : pid_(pid) {}
  bool Seen() {
    const auto now = std::chrono::steady_clock::now();
    const Pulse pulse = PulseOf(pid_);
    if (!since_ || pulse.wants || pulse.turns != turns_) since_ = now;
    turns_ = pulse.turns;
    return now - *since_ >= std::chrono::duration<double>(kGraceSeconds);
  }

 private:
  const pid_t pid_;
  uint64_t turns_ = 0;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

void WaitFor(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Waits for a child's end. False when it did not come in time.
bool WaitFor(pid_t pid, double seconds, int& status) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  pid_t ended = 0;
  while ((ended = ::waitpid(pid, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
    const std::chrono::duration<double, std::milli> left = give_up - std::chrono::steady_clock::now();
    if (left.count() <= 0) break;
    // Without such a handle (before Linux 5.3) we look again and again.
    pollfd ending{.fd = handle, .events = POLLIN, .revents = 0};
    ::poll(&ending, 1, handle < 0 ? 5 : static_cast<int>(left.count()) + 1);
  }
  if (handle >= 0) ::close(handle);
  return ended != 0;
}

}  // namespace

support::Result<Jail> Jail::Start(const Confinement& confinement, JailKind kind) {
  for (JailAttempt attempt : {JailAttempt::Namespaces, JailAttempt::UserNamespace, JailAttempt::Plain}) {
    if (attempt == JailAttempt::Namespaces && ::geteuid() != 0) continue;
    if (attempt != JailAttempt::Plain && !confinement.namespaces) continue;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return support::EnvironmentError(fmt::format("cannot make a socket: {}", std::strerror(errno)));
    }
    SharedPid jail_pid;
    Jail jail(ends[0]);
    jail.group_ = PidsCgroup::Make();
    const JailPlan plan{attempt, confinement, kind, ::getpid()};
    const pid_t maker = ::fork();
    if (maker == 0) MakeJail(plan, ends[1], jail.group_, jail_pid.Get());
    ::close(ends[1]);
    if (maker < 0) {
      return support::EnvironmentError(fmt::format("cannot fork: {}", std::strerror(errno)));
    }
    WaitFor(maker);
    if (*jail_pid.Get() <= 0) continue;
    jail.pid_ = *jail_pid.Get();
    std::string hello;
    if (ReceiveMessage(jail.socket_, hello) != Receipt::Message) continue;
    WireReader(hello).Get(jail.containment_);
    // A command of the same user would see us, and nothing would keep it from our memory, which has the environment.
    if (!jail.containment_.process_namespace && jail.containment_.landlock_version == 0) ::prctl(PR_SET_DUMPABLE, 0);
    return jail;
  }
  return support::EnvironmentError(
      "cannot start a helper process to run compilers in; is the limit on processes too low?");
}

Jail::Jail(Jail&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      pid_(std::exchange(other.pid_, -1)),
      answers_(other.answers_),
      folder_(std::move(other.folder_)),
      containment_(other.containment_),
      group_(std::move(other.group_)) {}

Jail::~Jail() { End(); }

JailEnd Jail::End() {
  JailEnd end{.answered = answers_};
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (pid_ <= 0) return end;
  int status = 0;
  if (!answers_ || !WaitFor(pid_, kEndingSeconds, status)) {
    end.answered = false;
    ::kill(pid_, SIGKILL);
    WaitFor(pid_, kKillSeconds, status);
  } else if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  }
  // One that did not end by itself has not killed its tree; in a process namespace the kernel has.
  const bool by_itself = WIFEXITED(status);
  if (!containment_.process_namespace && !by_itself) KillStrays(folder_);
  pid_ = -1;
  return end;
}

std::optional<Observation> Jail::Run(const Command& command, const Limits& limits) {
  folder_ = command.working_folder;
  if (!SendMessage(socket_, Encode(Request{command, limits}))) return std::nullopt;
  Patience patience;
  if (limits.wall_seconds > 0) {
    patience.seconds = kMostStretch * limits.wall_seconds + kGraceSeconds;
    patience.stop = [&limits, still = StandStill(pid_), start = std::chrono::steady_clock::now()]() mutable {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      return passed.count() >= limits.wall_seconds && still.Seen();
    };
  }
  std::string answer;
  Observation observation;
  const Receipt receipt = ReceiveMessage(socket_, answer, patience);
  answers_ = receipt != Receipt::TimeUp && receipt != Receipt::Stopped;
  if (receipt != Receipt::Message || !Decode(answer, observation)) return std::nullopt;
  return observation;
}

void Jail::Interrupt() { ::shutdown(socket_, SHUT_RDWR); }

}  // namespace assay::exec
