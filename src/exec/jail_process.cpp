// How a jail comes to be. Assay forks a short-lived maker; the maker enters new namespaces (unshare
// needs a process with one thread, which Assay is not) and clones the jail as its own sibling
// (CLONE_PARENT), so that the jail is Assay's child, to be waited for, and the first process of the
// new process namespace. The jail reports over its socket how far it got; where namespaces are
// refused, a second attempt makes a plain jail that is only a sub-reaper.
//
// A jail ends when its socket closes, so it does not outlive Assay however Assay dies; and when the
// first process of a process namespace ends, the kernel kills the rest of it.
//
// What protects a jail from its commands: in a process namespace its first process takes no signal from inside; without
// one Landlock (version 6) or the system call filter refuse signals to it; it cannot be traced (not dumpable, and the
// filter). Where nothing of that is to be had it may still be killed or stopped: Assay then sees it (jail.cpp).
#include "exec/jail_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "exec/file_view.hpp"
#include "exec/landlock.hpp"
#include "exec/process_tree.hpp"
#include "exec/syscall_filter.hpp"
#include "exec/watch.hpp"
#include "exec/wire.hpp"

namespace assay::exec {
namespace {

constexpr int kSocket = 3;  // in a jail

bool WriteSetting(const char* path, const std::string& text) {
  int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t written = ::write(fd, text.data(), text.size());
  ::close(fd);
  return written == static_cast<ssize_t>(text.size());
}

// Enters the namespaces of the attempt; the process namespace begins with the next child. False
// when refused.
bool EnterNamespaces(JailAttempt attempt, bool network) {
  if (attempt == JailAttempt::Plain) return true;
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  int flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
  if (!network) flags |= CLONE_NEWNET;
  if (attempt == JailAttempt::UserNamespace) flags |= CLONE_NEWUSER;
  if (::unshare(flags) != 0) return false;
  if (attempt != JailAttempt::UserNamespace) return true;
  WriteSetting("/proc/self/setgroups", "deny");
  // Refused for a root without capabilities (docker: --cap-drop ALL). Without a name there, we could write no file.
  return WriteSetting("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) &&
         WriteSetting("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
}

// Wins the race against a tree that forks as fast as it can: the jail must get the processor when
// it wants to look and to kill, and a hard limit bounds what can happen before. Each measure works
// for root or not, on newer kernels or not; together they cover what we know. Children are not
// affected by our priority.
void PrepareForForkBombs() {
  sched_param priority{};
  priority.sched_priority = 1;
  ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
}

// A bound on the processes of our process namespace, since Linux 6.14.
void LimitPids() { WriteSetting("/proc/sys/kernel/pid_max", "2000"); }

// Commands started as root must not administer the machine: of root's capabilities they keep those over the owners and
// permissions of files, and to become another user (servers do). Takes effect when they are executed.
void DropCapabilities() {
  constexpr std::array kKept = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_SETGID, CAP_SETUID};
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    if (std::find(kKept.begin(), kKept.end(), capability) == kKept.end()) ::prctl(PR_CAPBSET_DROP, capability);
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return;
  for (auto& word : data) word.inheritable = 0;
  ::syscall(SYS_capset, &header, data.data());
}

class JailProcess {
 public:
  JailProcess(const JailPlan& plan, PidsCgroup& group) : plan_(plan), group_(group), stack_(256 << 10) {
    environment_.spawn_stack = stack_;
    environment_.control = kSocket;
    environment_.group = &group;
    environment_.own_namespace = plan.attempt != JailAttempt::Plain;
    environment_.keep_network = plan.kind.network;
    if (::geteuid() != 0) {
      environment_.processes_before = plan.attempt == JailAttempt::UserNamespace ? 0 : CountThreadsOfUser();
    }
  }

  // False when it cannot work; then another attempt may.
  bool Enter() {
    ::setsid();
    containment_.process_group_limit = group_.Enter();
    ::prctl(PR_SET_NAME, "assay-jail");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    WriteSetting("/proc/self/oom_score_adj", "500");
    ResetSignals();
    if (environment_.child_events < 0) return false;
    if (environment_.own_namespace && !MountFiles()) return false;
    DropCapabilities();
    PrepareForForkBombs();
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::prctl(PR_SET_DUMPABLE, 0);  // nobody traces us or writes our memory
    containment_.landlock_version = WorkingLandlockVersion();
    environment_.landlock_version = containment_.landlock_version;
    if (plan_.confinement.syscall_filter) containment_.syscall_filter = Install(Filter());
    return true;
  }

  const Containment& GetContainment() const { return containment_; }

  void Serve() {
    for (std::string message; ReceiveMessage(kSocket, message) == Receipt::Message;) {
      Request request;
      if (!Decode(message, request) || request.command.argv.empty()) break;
      std::optional<Observation> seen = Run(request.command, request.limits);
      if (!seen || !SendMessage(kSocket, Encode(*seen))) break;
    }
    if (!environment_.own_namespace) KillTree(false);
  }

 private:
  void ResetSignals() {
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &by_default, nullptr);
    sigset_t child_signal;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    ::sigprocmask(SIG_SETMASK, &child_signal, nullptr);
    environment_.child_events = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  bool MountFiles() {
    ::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr);
    // Without a /proc of our own neither sanitizers nor our own watch would work.
    if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) return false;
    LimitPids();
    // As root without Landlock: disks could be written, which no mount is in the way of.
    const bool hide_devices = ::geteuid() == 0 && WorkingLandlockVersion() == 0;
    files_.Mount(hide_devices);
    containment_.process_namespace = true;
    containment_.network_namespace = !plan_.kind.network;
    containment_.read_only_files = files_.IsReadOnly();
    environment_.private_places = files_.PrivatePlaces();
    containment_.private_tmp = !environment_.private_places.empty() && environment_.private_places[0] == "/tmp";
    // Without read-only mounts, rules for the places would hold for what is bound into them.
    if (!containment_.read_only_files) environment_.private_places.clear();
    return true;
  }

  // The version to use: the kernel's, if it works (some containers have it switched off).
  int WorkingLandlockVersion() const {
    const int version = std::min(LandlockVersion(), plan_.confinement.landlock_version);
    if (version <= 0) return 0;
    const int rules = MakeLandlockRules({.version = version});
    if (rules < 0) return 0;
    ::close(rules);
    return version;
  }

  SyscallFilter Filter() const {
    SyscallFilter filter{.network = plan_.kind.network,
                         .local_sockets = plan_.kind.local_sockets,
                         .may_mount = environment_.own_namespace,
                         .may_trace = containment_.landlock_version > 0,
                         .own_ipc = environment_.own_namespace || plan_.kind.local_sockets,
                         .no_truncate = containment_.landlock_version > 0 && containment_.landlock_version < 3};
    filter.may_signal_all = environment_.own_namespace;
    filter.untouchable = {::getpid()};
    if (!environment_.own_namespace) {
      filter.untouchable.insert(filter.untouchable.end(), {plan_.assay, ::getpgid(plan_.assay)});
    }
    return filter;
  }

  std::optional<Observation> Run(const Command& command, const Limits& limits) {
    if (!files_.Expose(command)) {
      return Observation{
          .ending = Ending::NotStarted,
          .stderr_text = fmt::format("cannot make {} writable for {}: {}", command.working_folder.string(),
                                     command.argv[0], std::strerror(errno))};
    }
    // Like the other limits of the system, wider than ours: as a rule the watch sees first.
    group_.SetLimit(limits.processes == 0 ? 0 : 4 * limits.processes + 8);
    std::optional<Observation> seen = Watch(environment_, command, limits);
    files_.Clean();
    return seen;
  }

  const JailPlan& plan_;
  PidsCgroup& group_;
  JailEnvironment environment_;
  Containment containment_;
  FileView files_;
  std::vector<char> stack_;
};

// The life of a jail.
[[noreturn]] void JailMain(const JailPlan& plan, PidsCgroup& group) {
  JailProcess jail(plan, group);
  WireWriter hello;
  if (!jail.Enter()) ::_exit(1);
  hello.Put(jail.GetContainment());
  if (!SendMessage(kSocket, hello.Bytes())) ::_exit(1);
  jail.Serve();
  ::_exit(0);
}

}  // namespace

void MakeJail(const JailPlan& plan, int socket, PidsCgroup& group, pid_t* jail_pid) {
  ::prctl(PR_SET_DUMPABLE, 1);            // or else a user could not write the maps of a new namespace
  socket = ::fcntl(socket, F_DUPFD, 10);  // out of the way: Assay may have been started with 0, 1 or 2 closed
  int null = ::open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) ::dup2(null, fd);
  ::dup3(socket, kSocket, O_CLOEXEC);
  ::close_range(kSocket + 1, ~0u, 0);
  group.Open();  // before its files are read-only
  if (!EnterNamespaces(plan.attempt, plan.kind.network)) ::_exit(1);
  // A raw clone is sound here: this process has one thread and its heap is in order.
  long pid = ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) JailMain(plan, group);
  *jail_pid = static_cast<pid_t>(pid);
  ::_exit(pid > 0 ? 0 : 1);
}

}  // namespace assay::exec
