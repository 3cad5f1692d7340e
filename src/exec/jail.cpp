// How a jail comes to be. Assay forks a short-lived maker; the maker enters new namespaces (unshare
// needs a process with one thread, which Assay is not) and clones the jail as its own sibling
// (CLONE_PARENT), so that the jail is Assay's child, to be waited for, and the first process of the
// new process namespace. The jail reports over its socket how far it got; where namespaces are
// refused, a second attempt makes a plain jail that is only a sub-reaper.
//
// A jail ends when its socket closes, so it does not outlive Assay however Assay dies; and when the
// first process of a process namespace ends, the kernel kills the rest of it.
#include "exec/jail.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "exec/pids_cgroup.hpp"
#include "exec/private_tmp.hpp"
#include "exec/process_tree.hpp"
#include "exec/watch.hpp"
#include "exec/wire.hpp"

namespace assay::exec {
namespace {

enum class Attempt { Namespaces, UserNamespace, Plain };

constexpr int kSocket = 3;  // in a jail

void WriteSetting(const char* path, const std::string& text) {
  int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] ssize_t written = ::write(fd, text.data(), text.size());
  ::close(fd);
}

// Enters the namespaces of the attempt; the process namespace begins with the next child. False
// when refused.
bool EnterNamespaces(Attempt attempt, bool network) {
  if (attempt == Attempt::Plain) return true;
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  int flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
  if (!network) flags |= CLONE_NEWNET;
  if (attempt == Attempt::UserNamespace) flags |= CLONE_NEWUSER;
  if (::unshare(flags) != 0) return false;
  if (attempt == Attempt::UserNamespace) {
    WriteSetting("/proc/self/setgroups", "deny");
    WriteSetting("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
    WriteSetting("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
  }
  return true;
}

// Wins the race against a tree that forks as fast as it can: the jail must get the processor when
// it wants to look and to kill, and a hard limit bounds what can happen before. Each measure works
// for root or not, on newer kernels or not; together they cover what we know. Children are not
// affected by our priority.
void PrepareForForkBombs(bool own_namespace) {
  sched_param priority{};
  priority.sched_priority = 1;
  ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
  if (own_namespace) {
    WriteSetting("/proc/sys/kernel/pid_max", "2000");  // of the namespace, since Linux 6.14
  }
}

// Commands started as root must not administer the machine. Takes effect when they are executed.
void DropDangerousCapabilities() {
  constexpr std::array kDangerous = {
      CAP_SYS_ADMIN,  CAP_SYS_BOOT,  CAP_SYS_MODULE, CAP_SYS_RAWIO,    CAP_SYS_TIME,
      CAP_SYS_PTRACE, CAP_NET_ADMIN, CAP_MKNOD,      CAP_SYS_RESOURCE, CAP_SYSLOG};
  for (int capability : kDangerous) ::prctl(PR_CAPBSET_DROP, capability);
}

// The life of a jail. Only returns by ending the process.
[[noreturn]] void JailMain(Attempt attempt, bool network, PidsCgroup& group) {
  JailEnvironment environment;
  Containment containment;
  PrivateTmp tmp;
  std::vector<char> stack(256 << 10);
  environment.spawn_stack = stack;
  environment.control = kSocket;
  environment.group = &group;
  environment.own_namespace = attempt != Attempt::Plain;
  if (::geteuid() != 0) {
    environment.processes_before = attempt == Attempt::UserNamespace ? 0 : CountThreadsOfUser();
  }

  ::setsid();
  containment.process_group_limit = group.Enter();
  ::prctl(PR_SET_NAME, "assay-jail");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  WriteSetting("/proc/self/oom_score_adj", "500");
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &by_default, nullptr);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &child_signal, nullptr);
  environment.child_events = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);

  if (environment.own_namespace) {
    ::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr);
    // Without a /proc of our own neither sanitizers nor our own watch would work.
    if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
      ::_exit(1);
    containment.process_namespace = true;
    containment.network_namespace = !network;
    containment.private_tmp = tmp.Mount();
    DropDangerousCapabilities();
  }
  PrepareForForkBombs(environment.own_namespace);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

  WireWriter hello;
  hello.Put(containment);
  if (environment.child_events < 0 || !SendMessage(kSocket, hello.Bytes())) ::_exit(1);

  while (std::optional<std::string> message = ReceiveMessage(kSocket)) {
    Request request;
    if (!Decode(*message, request) || request.command.argv.empty()) break;
    tmp.Expose(request.command);
    // Like the other limits of the system, wider than ours: as a rule the watch sees first.
    group.SetLimit(request.limits.processes == 0 ? 0 : 4 * request.limits.processes + 8);
    std::optional<Observation> seen = Watch(environment, request.command, request.limits);
    tmp.Clean();
    if (!seen || !SendMessage(kSocket, Encode(*seen))) break;
  }
  if (!environment.own_namespace) KillTree(false);
  ::_exit(0);
}

// In the maker, the child of Assay: clones the jail, notes its pid in memory shared with Assay, and
// ends.
[[noreturn]] void MakerMain(Attempt attempt, bool network, int socket, PidsCgroup& group,
                            pid_t* jail_pid) {
  socket = ::fcntl(socket, F_DUPFD,
                   10);  // out of the way: Assay may have been started with 0, 1 or 2 closed
  int null = ::open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) ::dup2(null, fd);
  ::dup3(socket, kSocket, O_CLOEXEC);
  ::close_range(kSocket + 1, ~0u, 0);
  if (!EnterNamespaces(attempt, network)) ::_exit(1);
  // A raw clone is sound here: this process has one thread and its heap is in order.
  long pid = ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) JailMain(attempt, network, group);
  *jail_pid = static_cast<pid_t>(pid);
  ::_exit(pid > 0 ? 0 : 1);
}

// A pid that a forked process can tell us.
class SharedPid {
 public:
  SharedPid() {
    void* memory =
        ::mmap(nullptr, sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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

int WaitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

support::Result<Jail> Jail::Start(Confinement confinement, bool network) {
  for (Attempt attempt : {Attempt::Namespaces, Attempt::UserNamespace, Attempt::Plain}) {
    if (attempt == Attempt::Namespaces && ::geteuid() != 0) continue;
    if (attempt != Attempt::Plain && confinement == Confinement::Plain) continue;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return support::EnvironmentError(
          fmt::format("cannot make a socket: {}", std::strerror(errno)));
    }
    SharedPid jail_pid;
    Jail jail(ends[0]);
    jail.group_ = PidsCgroup::Make();
    const pid_t maker = ::fork();
    if (maker == 0) MakerMain(attempt, network, ends[1], jail.group_, jail_pid.Get());
    ::close(ends[1]);
    if (maker < 0) {
      return support::EnvironmentError(fmt::format("cannot fork: {}", std::strerror(errno)));
    }
    WaitFor(maker);
    if (*jail_pid.Get() <= 0) continue;
    jail.pid_ = *jail_pid.Get();
    std::optional<std::string> hello = ReceiveMessage(jail.socket_);
    if (!hello) continue;
    WireReader(*hello).Get(jail.containment_);
    return jail;
  }
  return support::EnvironmentError(
      "cannot start a helper process to run compilers in; is the limit on processes too low?");
}

Jail::Jail(Jail&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      pid_(std::exchange(other.pid_, -1)),
      containment_(other.containment_),
      group_(std::move(other.group_)) {}

Jail::~Jail() {
  if (socket_ >= 0) ::close(socket_);
  if (pid_ > 0) WaitFor(pid_);
}

std::optional<Observation> Jail::Run(const Command& command, const Limits& limits) {
  Observation observation;
  if (!SendMessage(socket_, Encode(Request{command, limits}))) return std::nullopt;
  std::optional<std::string> answer = ReceiveMessage(socket_);
  if (!answer || !Decode(*answer, observation)) return std::nullopt;
  return observation;
}

void Jail::Interrupt() {
  ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace assay::exec
