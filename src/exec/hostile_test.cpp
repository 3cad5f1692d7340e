// Commands that attack: the machine, the user's files, Assay, the next test. One test for each promise of
// docs/security.md, with namespaces and without, on kernels with and without Landlock. ctest runs them also as an
// unprivileged user and where namespaces are not to be had (tests/CMakeLists.txt).
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <thread>

#include "exec/executor.hpp"
#include "exec/landlock.hpp"
#include "exec/test_support.hpp"

namespace assay::exec {
namespace {

namespace fs = std::filesystem;

Limits Short() {
  Limits limits;
  limits.wall_seconds = 20;
  limits.cpu_seconds = 10;
  return limits;
}

struct Level {
  const char* name;
  Confinement confinement;
};

class HostileTest : public testing::TestWithParam<Level> {
 protected:
  HostileTest() {
    auto described = executor_.Describe();
    EXPECT_TRUE(described.Ok());
    containment_ = *described;
  }
  ~HostileTest() override {
    auto seen = executor_.Run({.argv = {"echo", "fine"}}, Short());
    EXPECT_TRUE(seen.Ok() && seen->stdout_text == "fine\n") << "the executor still works";
  }

  Observation Run(const std::vector<std::string>& argv, const Limits& limits = Short()) {
    auto seen = executor_.Run({.argv = argv, .working_folder = shop_.Folder()}, limits);
    EXPECT_TRUE(seen.Ok()) << seen.GetError().message;
    return seen ? *seen : Observation{};
  }
  Observation RunScript(const std::string& body, const Limits& limits = Short()) {
    return Run({shop_.Script("script" + std::to_string(++scripts_), body)}, limits);
  }

  bool KeepsFiles() const { return containment_.read_only_files || containment_.landlock_version > 0; }
  bool KeepsSignals() const {
    return containment_.process_namespace || containment_.landlock_version >= 6 || containment_.syscall_filter;
  }

  Workshop shop_;
  Executor executor_{GetParam().confinement};
  Containment containment_;
  int scripts_ = 0;
};

INSTANTIATE_TEST_SUITE_P(, HostileTest,
                         testing::Values(Level{"Best", Confinement::Best()},
                                         Level{"NamespacesOnly", {.landlock_version = 0, .syscall_filter = false}},
                                         Level{"Plain", Confinement::Plain()},
                                         Level{"PlainLandlock1", {.namespaces = false, .landlock_version = 1}},
                                         Level{"PlainNoLandlock", {.namespaces = false, .landlock_version = 0}},
                                         Level{"PlainNoFilter", {.namespaces = false, .syscall_filter = false}},
                                         Level{"Bare", Confinement::Bare()}),
                         [](const auto& info) { return info.param.name; });

// ---- Files ----

TEST_P(HostileTest, WritesOnlyInItsOwnFolder) {
  if (!KeepsFiles()) GTEST_SKIP() << "neither namespaces nor Landlock: the user's files are not protected";
  // Another worker's folder, a campaign in /tmp, and one elsewhere.
  Workshop other;
  auto in_tmp = Scratch::Make("/tmp");
  auto elsewhere = Scratch::Make("/var/tmp");
  ASSERT_TRUE(in_tmp.Ok() && elsewhere.Ok());
  for (const fs::path& victim : {other.Folder(), in_tmp->Path(), elsewhere->Path(),
                                 fs::path(::getenv("HOME") ?: "/root"), fs::path("/etc"), fs::path("/usr/lib")}) {
    const bool ours = EnclosingScratch(victim) == victim && victim.filename().string().starts_with("assay-");
    if (ours) {
      std::ofstream(victim / "precious") << "gold";
      fs::create_directory(victim / "folder");
    }
    const std::string v = victim.string() + "/";
    RunScript("V=" + v +
              "\n"
              "echo x > ${V}assay-hostile\n"
              "mkdir ${V}assay-hostile-folder\n"
              "ln -s /etc/passwd ${V}assay-hostile-link; mkfifo ${V}assay-hostile-fifo\n"
              "echo mine > own; mv own ${V}assay-hostile-moved\n"
              "ln script1 ${V}assay-hostile-hard\n"
              "rm -f ${V}precious; echo lead > ${V}precious; : > ${V}precious; rmdir ${V}folder\n"
              "mv ${V}precious stolen; echo lead >> ${V}precious; truncate -s 0 ${V}precious\n");
    for (const std::string& name : Names(victim)) {
      if (!name.starts_with("assay-hostile")) continue;
      ADD_FAILURE() << "written: " << victim / name;
      fs::remove_all(victim / name);
    }
    if (!ours) continue;
    EXPECT_EQ(Slurp(victim / "precious"), "gold");
    EXPECT_TRUE(fs::is_directory(victim / "folder"));
  }
}

// Jails go from worker to worker: what one command may write, the next one of the same jail may not.
TEST_P(HostileTest, WritesInNoFolderOfACommandBeforeIt) {
  if (!KeepsFiles()) GTEST_SKIP() << "neither namespaces nor Landlock: the user's files are not protected";
  Workshop other;
  auto extra = Scratch::Make("/var/tmp");
  ASSERT_TRUE(extra.Ok());
  fs::create_directory(extra->Path() / "cache");
  const std::string cache = (extra->Path() / "cache").string();
  for (int round = 0; round < 3; ++round) {
    auto seen = executor_.Run({.argv = {"sh", "-c", "echo gold > precious && echo gold > " + cache + "/precious"},
                               .working_folder = other.Folder(),
                               .writable = {cache}},
                              Short());
    ASSERT_TRUE(seen.Ok() && seen->Succeeded()) << seen->stderr_text;
    for (const std::string& folder : {other.Folder().string(), cache}) {
      RunScript("echo lead > " + folder + "/precious; echo lead > " + folder + "/more; rm -f " + folder + "/precious");
      EXPECT_EQ(Slurp(fs::path(folder) / "precious"), "gold\n") << folder;
      EXPECT_FALSE(fs::exists(fs::path(folder) / "more")) << folder;
    }
    EXPECT_EQ(RunScript("echo own > own && cat own").stdout_text, "own\n");
  }
}

TEST_P(HostileTest, ChangesNoPermissionsOutside) {
  if (!containment_.read_only_files) GTEST_SKIP() << "only with a mount namespace: Landlock does not see chmod";
  Workshop other;
  std::ofstream(other.Folder() / "file") << "x";
  ::chmod((other.Folder() / "file").c_str(), 0600);
  const std::string file = (other.Folder() / "file").string();
  const auto time = fs::last_write_time(file);
  RunScript("chmod 777 " + file + "; touch -d 2001-01-01 " + file + "; chown 1 " + file);
  struct stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(info.st_uid, ::geteuid());
  EXPECT_EQ(fs::last_write_time(file), time);
}

TEST_P(HostileTest, MayDoAllItNeedsInItsOwnFolder) {
  const bool refer = containment_.landlock_version != 1;  // renames between folders came with version 2
  Observation seen = RunScript(
      "set -e\nmkdir -p a/b c; echo 1 > a/b/f; mv a/b/f a/b/g; ln a/b/g a/b/h; ln -s g a/b/s; mkfifo p; chmod 700 a\n" +
      std::string(refer ? "mv a/b/g c/g; mv a c/a\n" : "") +
      "echo x > /dev/null; head -c 1 /dev/urandom > r; truncate -s 5 r 2>/dev/null || : > r\n"
      "f=$(mktemp); echo 2 > $f; rm $f; rm -rf c; cat /etc/passwd > /dev/null; ls / /proc > /dev/null; echo done");
  EXPECT_EQ(seen.stdout_text, "done\n");
  EXPECT_EQ(seen.stderr_text, "");
}

TEST_P(HostileTest, FoldersThatACommandMayWriteBesides) {
  auto extra = Scratch::Make("/var/tmp");
  ASSERT_TRUE(extra.Ok());
  fs::create_directory(extra->Path() / "cache");
  const std::string cache = (extra->Path() / "cache").string();
  auto seen = executor_.Run({.argv = {"sh", "-c", "echo 1 > " + cache + "/f && cat " + cache + "/f"},
                             .working_folder = shop_.Folder(),
                             .writable = {cache}},
                            Short());
  ASSERT_TRUE(seen.Ok());
  EXPECT_EQ(seen->stdout_text, "1\n") << seen->stderr_text;
  EXPECT_EQ(Slurp(extra->Path() / "cache" / "f"), "1\n");
}

TEST_P(HostileTest, LeavesNothingInThePlacesForTemporaryFiles) {
  if (!KeepsFiles()) GTEST_SKIP() << "neither namespaces nor Landlock: what a command leaves there stays";
  for (int i = 0; i < 2; ++i) {
    RunScript(
        "for d in /tmp /var/tmp /dev/shm; do head -c 30000000 /dev/zero > $d/assay-hostile-left; "
        "mkdir $d/assay-hostile-folder && echo x > $d/assay-hostile-folder/x; done");
    EXPECT_EQ(RunScript("ls -d /tmp/assay-hostile* /var/tmp/assay-hostile* /dev/shm/assay-hostile*").stdout_text, "");
  }
  for (const char* place : {"/tmp", "/var/tmp", "/dev/shm"}) {
    EXPECT_EQ(Names(place).count("assay-hostile-left"), 0u) << place;
    EXPECT_EQ(Names(place).count("assay-hostile-folder"), 0u) << place;
  }
}

TEST_P(HostileTest, FillsItsFolderWithManyFiles) {
  Limits limits = Short();
  limits.wall_seconds = 90;  // 32 MB are written, whatever else the disk does
  limits.file_bytes = 4u << 20;
  // Quicker than the watch, and slower.
  const std::string some = "i=0; while [ $i -lt 8 ]; do head -c 4000000 /dev/zero > f$i; i=$((i+1)); done; ";
  EXPECT_EQ(RunScript(some, limits).ending, Ending::FileLimit);
  EXPECT_EQ(RunScript("rm -f f*", limits).ending, Ending::Exited);
  EXPECT_EQ(RunScript(some + "sleep 100", limits).ending, Ending::FileLimit);
}

// The real /tmp for compilers that cannot do without, and only for them.
TEST_P(HostileTest, SharedTmpIsForThoseWhoAsk) {
  Limits limits = Short();
  limits.shared_tmp = true;
  Observation seen = RunScript("f=$(mktemp /tmp/assay-shared-XXXXXX) && echo 3 > $f && cat $f; rm -f $f", limits);
  EXPECT_EQ(seen.stdout_text, "3\n") << seen.stderr_text;
  if (!KeepsFiles() || containment_.private_tmp) return;
  EXPECT_NE(RunScript("mktemp /tmp/assay-shared-XXXXXX").exit_code, 0);
}

TEST_P(HostileTest, AnOutputThatMustNotChangeCanBeReplaced) {
  RunScript("echo old > output; chattr +i output; chattr +a output; chmod 0 output; mkdir d; chattr +i d");
  Observation seen = RunScript("rm -f output && echo new > output && cat output");
  EXPECT_EQ(seen.stdout_text, "new\n") << seen.stderr_text;
}

TEST_P(HostileTest, AsRootItHasNoPowerOverTheMachine) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root has capabilities";
  // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, SETGID, SETUID; or none, where this root has none itself.
  const char* kept = ::prctl(PR_CAPBSET_READ, CAP_CHOWN) == 1 ? "CapPrm:\t00000000000000db\n" : "";
  EXPECT_EQ(RunScript("grep -E 'Cap(Eff|Prm|Inh|Bnd|Amb)' /proc/self/status | sort -u -k2").stdout_text,
            std::string("CapInh:\t0000000000000000\n") + kept);
  EXPECT_EQ(RunScript("mknod disk b 254 0 2>/dev/null; ls disk 2>/dev/null").stdout_text, "");
  if (KeepsFiles()) {
    const std::string before = Slurp("/proc/sys/kernel/core_pattern");
    RunScript("cat /proc/sys/kernel/core_pattern > old && cat old > /proc/sys/kernel/core_pattern && echo x");
    EXPECT_NE(RunScript("echo " + before.substr(0, before.size() - 1) + " > /proc/sys/kernel/core_pattern").exit_code,
              0);
  }
}

// ---- Processes ----

// Does something to its parent, then says how it went.
std::string AttackOnParent(const std::string& what) {
  return "#include <errno.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n"
         "#include <sys/ptrace.h>\n#include <sys/resource.h>\n#include <sys/syscall.h>\n#include <sys/uio.h>\n#include "
         "<fcntl.h>\n"
         "int main(int count, char **words) { int parent = getppid(); long result = 0; char byte = 0;\n" +
         what + "\nprintf(\"%s\\n\", result < 0 ? \"refused\" : \"done\"); return 8; }";
}

TEST_P(HostileTest, TracesItsJail) {
  // Also root and also on the oldest kernel.
  for (const std::string request : {"PTRACE_ATTACH", "PTRACE_SEIZE"}) {
    Observation seen =
        Run({shop_.Program("trace" + request, AttackOnParent("result = ptrace(" + request + ", parent, 0, 0);"))});
    EXPECT_EQ(seen.stdout_text, "refused\n");
    EXPECT_EQ(seen.exit_code, 8);
  }
  Observation seen =
      Run({shop_.Program("memory", AttackOnParent("char name[99]; sprintf(name, \"/proc/%d/mem\", parent);"
                                                  " result = open(name, O_RDWR);"))});
  EXPECT_EQ(seen.stdout_text, "refused\n");
  seen = Run({shop_.Program("vm", AttackOnParent("struct iovec own = {&byte, 1}, theirs = {(void *)0x400000, 1};"
                                                 " result = process_vm_readv(parent, &own, 1, &theirs, 1, 0);"))});
  EXPECT_EQ(seen.stdout_text, "refused\n");
}

TEST_P(HostileTest, TracesAssay) {
  Observation seen =
      Run({shop_.Program("trace", AttackOnParent("result = ptrace(PTRACE_ATTACH, atoi(words[1]), 0, 0);")),
           std::to_string(::getpid())});
  EXPECT_EQ(seen.stdout_text, "refused\n");
}

// No system call that a filter could refuse is needed for that.
TEST_P(HostileTest, ReadsNoMemoryOfAssay) {
  for (const std::string file : {"mem", "environ", "maps"}) {
    Observation seen = Run({shop_.Program("look", AttackOnParent("result = open(words[1], O_RDONLY);")),
                            "/proc/" + std::to_string(::getpid()) + "/" + file});
    EXPECT_EQ(seen.stdout_text, "refused\n") << file;
  }
}

TEST_P(HostileTest, KillsItsJail) {
  const std::string program = shop_.Program(
      "murder", AttackOnParent("if (fork() == 0) { setsid(); for (;;) pause(); }"
                               "result = kill(parent, SIGKILL); kill(-parent, SIGKILL); kill(parent, SIGTERM);"
                               " if (result == 0) usleep(300000);"));
  Observation seen = Run({program});
  if (KeepsSignals()) {
    EXPECT_EQ(seen.exit_code, 8) << Describe(seen) << seen.stderr_text;
  } else {
    // The command, not the campaign, has to answer for it; the cause is named.
    EXPECT_EQ(seen.ending, Ending::Signaled);
    EXPECT_EQ(seen.signal, SIGKILL);
    EXPECT_THAT(seen.stderr_text, testing::HasSubstr("the process that watches " + program + " was killed (SIGKILL)"));
  }
  EXPECT_TRUE(WaitUntil([&] { return ProcessesWith(program).empty(); }));
}

TEST_P(HostileTest, StopsItsJail) {
  const std::string program =
      shop_.Program("halt", AttackOnParent("result = kill(parent, SIGSTOP); if (result == 0) sleep(2);"));
  Limits limits = Short();
  limits.wall_seconds = 5;
  Observation seen = Run({program}, limits);
  if (KeepsSignals()) {
    EXPECT_EQ(seen.exit_code, 8) << Describe(seen);
  } else {
    EXPECT_EQ(seen.ending, Ending::TimedOut);
    EXPECT_THAT(seen.stderr_text, testing::HasSubstr("stopped the process that watches it"));
  }
  EXPECT_TRUE(WaitUntil([&] { return ProcessesWith(program).empty(); }));
}

// They would be those of the next command.
TEST_P(HostileTest, ChangesNoLimitsOfItsJail) {
  if (!containment_.syscall_filter) GTEST_SKIP() << "no seccomp";
  Observation seen = Run({shop_.Program(
      "limits",
      AttackOnParent("struct { unsigned long now, most; } few = {4, 4}; result = syscall(302, parent, 7, &few, 0);"
                     " if (syscall(203, parent, 8, &few) >= 0) result = 0;"))});
  EXPECT_EQ(seen.stdout_text, "refused\n");
}

// Nor its share of the machine, or that of all the user's processes. (Nobody is user 65533.)
TEST_P(HostileTest, ChangesNoPriorityButItsOwn) {
  if (!containment_.syscall_filter) GTEST_SKIP() << "no seccomp";
  Observation seen = Run({shop_.Program(
      "priority",
      AttackOnParent("result = setpriority(PRIO_PROCESS, parent, 19);"
                     " if (syscall(SYS_ioprio_set, 1, parent, 3 << 13 | 7) >= 0) result = 0;"
                     " if (setpriority(PRIO_USER, 65533, 19) >= 0 || errno != EPERM) result = 0;"
                     " if (syscall(SYS_ioprio_set, 3, 65533, 3 << 13 | 7) >= 0 || errno != EPERM) result = 0;"
                     " if (setpriority(PRIO_PROCESS, 0, 5) != 0) result = 0;"))});
  EXPECT_EQ(seen.stdout_text, "refused\n");
}

TEST_P(HostileTest, OpensNoDisk) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can";
  if (!KeepsFiles()) GTEST_SKIP() << "neither namespaces nor Landlock";
  Observation seen = RunScript(
      "for f in /dev/* /dev/*/*; do if [ -b $f ] || [ $f = /dev/mem ] || [ $f = /dev/kmsg ]; then "
      "( exec 3>>$f ) 2>/dev/null && echo $f; fi; done; echo x > /dev/null && echo done");
  EXPECT_EQ(seen.stdout_text, "done\n");
}

TEST_P(HostileTest, ACampaignCanBeEndedWhateverTheJailDoes) {
  executor_.Prepare(1);
  const std::string program =
      shop_.Program("still", AttackOnParent("ptrace(PTRACE_ATTACH, parent, 0, 0); kill(parent, SIGSTOP);"
                                            "fclose(fopen(\"ready\", \"w\")); for (;;) pause();"));
  Limits forever;
  forever.wall_seconds = 0;
  Executor executor(GetParam().confinement);
  executor.Prepare(1);
  std::thread stopper([&] {
    EXPECT_TRUE(WaitUntil([&] { return fs::exists(shop_.Folder() / "ready"); }));
    executor.Stop();
  });
  EXPECT_FALSE(executor.Run({.argv = {program}, .working_folder = shop_.Folder()}, forever).Ok());
  stopper.join();
  EXPECT_TRUE(WaitUntil([&] { return ProcessesWith(program).empty(); }));
}

// Somebody else kills the jail: the command is repeated in a new one, and nobody notices.
// The jail of an executor that has just made one.
pid_t LatestJail() {
  std::ifstream children("/proc/thread-self/children");
  pid_t jail = -1;
  for (pid_t child = 0; children >> child;) jail = std::max(jail, child);
  return jail;
}

TEST_P(HostileTest, AJailThatIsLostIsReplaced) {
  Executor executor(GetParam().confinement);
  executor.Prepare(1);
  const pid_t jail = LatestJail();
  ASSERT_GT(jail, 0);
  std::thread killer([&] {
    EXPECT_TRUE(WaitUntil([&] { return fs::exists(shop_.Folder() / "first"); }));
    ::kill(jail, SIGKILL);
    std::ofstream(shop_.Folder() / "second") << "go on";
  });
  auto seen = executor.Run({.argv = {"sh", "-c",
                                     "touch first; until [ -e second ]; do sleep 0.01; done; "
                                     "echo $((1+$(cat runs 2>/dev/null || echo 0))) > runs; sleep 0.2; cat runs"},
                            .working_folder = shop_.Folder()},
                           Short());
  killer.join();
  ASSERT_TRUE(seen.Ok()) << seen.GetError().message;
  EXPECT_TRUE(seen->Succeeded()) << Describe(*seen) << seen->stderr_text;
}

// Not by its command: what comes then is not the command's fault.
TEST(JailTest, OneThatStandsStillIsReplaced) {
  Workshop shop;
  Executor executor;
  executor.Prepare(1);
  const pid_t jail = LatestJail();
  ASSERT_GT(jail, 0);
  ::kill(jail, SIGSTOP);
  Limits limits = Short();
  limits.wall_seconds = 1;
  auto seen = executor.Run({.argv = {"echo", "fine"}, .working_folder = shop.Folder()}, limits);
  ASSERT_TRUE(seen.Ok()) << seen.GetError().message;
  EXPECT_EQ(seen->stdout_text, "fine\n") << Describe(*seen) << seen->stderr_text;
}

// ---- System calls ----

// Prints the names of what is not refused: by EPERM, EACCES or ENOSYS, and before the kernel has looked at the (wrong)
// arguments.
const char* kForbidden = R"(
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static void Try(const char *name, long number, long a, long b, long c, long d, long e) {
  errno = 0;
  long result = syscall(number, a, b, c, d, e, 0);
  if (result == -1 && (errno == EPERM || errno == EACCES || errno == ENOSYS)) return;
  printf("%s: %ld, errno %d\n", name, result, errno);
}
#define TRY(name, a, b, c, d, e) Try(#name, SYS_##name, a, b, c, d, e)
int main(void) {
  TRY(ptrace, 0, 0, 0, 0, 0);
  TRY(process_vm_readv, getppid(), 0, 0, 0, 0);
  TRY(process_vm_writev, getppid(), 0, 0, 0, 0);
  TRY(mount, "none", ".", "tmpfs", 0, 0);
  TRY(umount2, ".", 0, 0, 0, 0);
  TRY(pivot_root, "/nosuch", "/nosuch", 0, 0, 0);
  TRY(chroot, "/nosuch", 0, 0, 0, 0);
  TRY(unshare, 0x10000000, 0, 0, 0, 0);
  TRY(unshare, 0x20000, 0, 0, 0, 0);
  TRY(setns, -1, 0, 0, 0, 0);
  TRY(clone, 0x10000000 | 17, 0, 0, 0, 0);
  Try("clone3", 435, 0, 0, 0, 0, 0);
  TRY(keyctl, 0, -3, 1, 0, 0);
  TRY(add_key, 0, 0, 0, 0, 0);
  TRY(request_key, 0, 0, 0, 0, 0);
  TRY(bpf, 999, 0, 0, 0, 0);
  TRY(perf_event_open, 0, 0, 0, 0, 0);
  TRY(userfaultfd, 1, 0, 0, 0, 0);
  TRY(kexec_load, 0, 99999, 0, 0, 0);
  TRY(init_module, 0, 0, 0, 0, 0);
  TRY(finit_module, -1, 0, 0, 0, 0);
  TRY(delete_module, 0, 0, 0, 0, 0);
  TRY(reboot, 0, 0, 0, 0, 0);
  TRY(swapon, "/nosuch", 0, 0, 0, 0);
  TRY(swapoff, "/nosuch", 0, 0, 0, 0);
  TRY(sethostname, 0, -1, 0, 0, 0);
  TRY(acct, "/nosuch", 0, 0, 0, 0);
  TRY(open_by_handle_at, -1, 0, 0, 0, 0);
  int ends[2];
  TRY(socketpair, 1, 2, 0, ends, 0);
  Try("io_uring_setup", 425, 1, 0, 0, 0, 0);
  Try("open_tree", 428, -1, "/nosuch", 0, 0, 0);
  Try("fsopen", 430, 0, 0, 0, 0, 0);
  Try("pidfd_getfd", 438, -1, 0, 0, 0, 0);
#ifdef __x86_64__
  /* As a program with 32-bit pointers, and as a 32-bit program. */
  Try("x32 ptrace", 521 | 0x40000000, 0, 0, 0, 0, 0);
  Try("x32 unshare", 272 | 0x40000000, 0x10000000, 0, 0, 0, 0);
  struct { const char *name; int number, argument; } old[] = {{"ptrace", 26, 0}, {"setns", 346, -1},
      {"unshare", 310, 0x10000000}, {"keyctl", 288, 0}, {"bpf", 357, 999}, {"socket", 359, 2}, {"socketcall", 102, 1}};
  for (int i = 0; i < 7; ++i) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(old[i].number), "b"(old[i].argument), "c"(1), "d"(0), "S"(0) : "r8", "r9", "r10", "r11", "memory");
    if (result != -EPERM && result != -EACCES && result != -ENOSYS) printf("32-bit %s: %d\n", old[i].name, result);
  }
#else
  TRY(socketcall, 1, 0, 0, 0, 0);
#endif
  return 0;
}
)";

TEST_P(HostileTest, SystemCallsThatNoCompilerNeeds) {
  if (!containment_.syscall_filter) GTEST_SKIP() << "no seccomp";
  Observation seen = Run({shop_.Program("forbidden", kForbidden)});
  EXPECT_TRUE(seen.Succeeded()) << Describe(seen) << seen.stderr_text;
  EXPECT_EQ(seen.stdout_text, "");
  shop_.Script("empty", "");
  std::ofstream(shop_.Folder() / "m32.c") << "int main(void) { return 0; }";
  const std::string folder = shop_.Folder().string();
  if (std::system(("cc -m32 -o " + folder + "/m32 " + folder + "/m32.c 2>/dev/null").c_str()) != 0) return;
  std::ofstream(shop_.Folder() / "forbidden32.c") << kForbidden;
  ASSERT_EQ(std::system(("cc -m32 -w -idirafter /usr/include/x86_64-linux-gnu -o " + folder + "/forbidden32 " + folder +
                         "/forbidden32.c")
                            .c_str()),
            0);
  seen = Run({folder + "/forbidden32"});
  EXPECT_TRUE(seen.Succeeded()) << Describe(seen) << seen.stderr_text;
  EXPECT_EQ(seen.stdout_text, "");
}

TEST_P(HostileTest, WhatProgramsDoNeedWorks) {
  Observation seen = Run({shop_.Program("useful", R"(
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
static void *Thread(void *p) { *(int *)p = 5; return 0; }
int main(void) {
  int value = 0, ends[2], status;
  pthread_t thread;
  if (pthread_create(&thread, 0, Thread, &value) || pthread_join(thread, 0) || value != 5) return 1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return 2;
  int child = fork();
  if (child == 0) { raise(SIGUSR1); _exit(0); }
  if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return 3;
  if (kill(getpid(), 0)) return 4;
  if (mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return 5;
  if (system("true") || popen("true", "r") == 0) return 6;
  if (memfd_create("x", 0) < 0) return 7;
  return 0;
}
)")});
  EXPECT_EQ(seen.exit_code, 0) << Describe(seen) << seen.stderr_text;
}

TEST_P(HostileTest, LeakSanitizerStillWorks) {
  // It traces its own threads.
  if (containment_.syscall_filter && containment_.landlock_version == 0)
    GTEST_SKIP() << "tracing is refused altogether";
  const std::string folder = shop_.Folder().string();
  std::ofstream(shop_.Folder() / "leak.c")
      << "#include <stdlib.h>\nint main(void) { char *volatile p = malloc(7); p = 0; return 0; }";
  if (std::system(("gcc -fsanitize=address -o " + folder + "/leak " + folder + "/leak.c 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no sanitizer";
  }
  Limits limits = Short();
  limits.limit_address_space = false;
  Observation seen = Run({folder + "/leak"}, limits);
  EXPECT_THAT(seen.stderr_text, testing::HasSubstr("detected memory leaks"));
}

TEST_P(HostileTest, LeavesNoSystemVObjects) {
  if (!containment_.process_namespace && !containment_.syscall_filter) GTEST_SKIP() << "a bare jail";
  // Of a size that nobody else has: databases on the machine have segments too.
  const std::string size = std::to_string((1 << 20) + ::getpid());
  Run({shop_.Program("segments",
                     "#include <sys/ipc.h>\n#include <sys/shm.h>\nint main(void) {"
                     " for (int i = 0; i < 5; ++i) shmget(IPC_PRIVATE, " +
                         size + ", 0600); return 0; }")});
  EXPECT_THAT(Slurp("/proc/sysvipc/shm"), testing::Not(testing::HasSubstr(" " + size + " ")));
}

// ---- Network ----

// Connects to 127.0.0.1:words[1], or to the Unix socket words[1]; 0 when it could.
const char* kConnect = R"(
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int count, char **words) {
  struct sockaddr_in internet = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1]))};
  internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  strncpy(local.sun_path, words[1], sizeof local.sun_path - 1);
  if (words[1][0] == '/') return connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&local, sizeof local) != 0;
  return connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&internet, sizeof internet) != 0;
}
)";

TEST_P(HostileTest, NoNetworkUnlessAsked) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 5), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string program = shop_.Program("connect", kConnect), port = std::to_string(ntohs(address.sin_port));
  if (containment_.network_namespace || containment_.syscall_filter || containment_.landlock_version >= 4) {
    EXPECT_EQ(Run({program, port}).exit_code, 1);
  }
  Limits open = Short();
  open.network = true;
  EXPECT_EQ(Run({program, port}, open).exit_code, 0);
  ::close(listener);
}

// A socket in the file system is the door of a service of the machine (docker, systemd): only for those who ask.
TEST_P(HostileTest, NoUnixSocketsUnlessAsked) {
  Workshop service;
  sockaddr_un address{.sun_family = AF_UNIX};
  const std::string path = (service.Folder() / "s").string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 5), 0);
  const std::string program = shop_.Program("connect", kConnect);
  if (containment_.syscall_filter) {
    EXPECT_EQ(Run({program, path}).exit_code, 1);
  }
  Limits local = Short();
  local.local_sockets = true;
  EXPECT_EQ(Run({program, path}, local).exit_code, 0);
  ::close(listener);
}

// ---- What is said of it ----

TEST(ContainmentTest, WhatIsMissingIsSaid) {
  Containment full{.process_namespace = true,
                   .network_namespace = true,
                   .private_tmp = true,
                   .read_only_files = true,
                   .landlock_version = 6,
                   .syscall_filter = true};
  EXPECT_TRUE(full.IsFull());
  Containment plain{.landlock_version = 6, .syscall_filter = true};
  EXPECT_FALSE(plain.IsFull());
  const std::string gaps = DescribeGaps(plain);
  EXPECT_THAT(gaps, testing::HasSubstr("without namespaces."));
  EXPECT_THAT(gaps, testing::ContainsRegex("Kept: .*they write only in their own folder; no network.*Not kept: "));
  EXPECT_THAT(gaps, testing::ContainsRegex("Not kept: .*other processes are out of sight"));
  const std::string bare = DescribeGaps({});
  EXPECT_THAT(bare, testing::HasSubstr("without namespaces and Landlock and seccomp"));
  EXPECT_THAT(bare, testing::ContainsRegex("Not kept: they write only in their own folder; no network"));
}

TEST(ContainmentTest, DescribesThisMachine) {
  Executor best, plain(Confinement::Plain()), bare(Confinement::Bare());
  auto seen = plain.Describe();
  ASSERT_TRUE(seen.Ok());
  EXPECT_FALSE(seen->process_namespace);
  EXPECT_EQ(seen->landlock_version, LandlockVersion());
  auto none = bare.Describe();
  EXPECT_EQ(none->landlock_version, 0);
  EXPECT_FALSE(none->syscall_filter);
  auto all = best.Describe();
  EXPECT_TRUE(all->private_tmp || !all->process_namespace);
}

}  // namespace
}  // namespace assay::exec
