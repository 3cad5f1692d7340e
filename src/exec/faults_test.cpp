// Commands that misbehave in every way we know. After each, nothing may be left: Workshop checks
// processes, the tests check files.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "exec/executor.hpp"
#include "exec/test_support.hpp"
#include "exec/watch.hpp"
#include "support/search_path.hpp"

namespace assay::exec {
namespace {

// What these tests allow a command; small, so that they are quick.
Limits Tight() {
  Limits limits;
  limits.cpu_seconds = 2;
  limits.wall_seconds = 3;
  limits.memory_bytes = 256u << 20;
  limits.file_bytes = 8u << 20;
  limits.processes = 20;
  limits.output_bytes = 1u << 20;
  return limits;
}

// With time enough for another limit to be met first, also on a machine that has much else to do.
Limits Patient() {
  Limits limits = Tight();
  limits.wall_seconds = limits.cpu_seconds = 60;
  return limits;
}

class FaultTest : public testing::TestWithParam<Confinement> {
 protected:
  Observation Run(const std::string& program, const Limits& limits = Tight()) {
    auto seen = executor_.Run({.argv = {program}, .working_folder = shop_.Folder()}, limits);
    EXPECT_TRUE(seen.Ok()) << seen.GetError().message;
    EXPECT_EQ(ProcessesWith(shop_.Folder().string()), std::vector<int>{});
    return seen ? *seen : Observation{};
  }
  // The executor still works after what happened.
  ~FaultTest() override {
    auto seen = executor_.Run({.argv = {"echo", "fine"}}, Tight());
    EXPECT_TRUE(seen.Ok() && seen->stdout_text == "fine\n");
  }

  Workshop shop_;
  Executor executor_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(, FaultTest, testing::Values(Confinement::Best(), Confinement::Plain()),
                         [](const auto& info) { return info.param.namespaces ? "Best" : "Plain"; });

TEST_P(FaultTest, HangsAsleep) {
  Limits limits = Tight();
  limits.wall_seconds = 1;  // also on a busy machine enough for the first line
  Observation seen = Run(shop_.Script("hang", "echo before; sleep 1000; echo after"), limits);
  EXPECT_EQ(seen.ending, Ending::TimedOut);
  EXPECT_EQ(seen.stdout_text, "before\n");
  EXPECT_GE(seen.wall_seconds, 1);
  EXPECT_LT(seen.wall_seconds, 30);
}

TEST_P(FaultTest, HangsBusy) {
  Limits limits = Tight();
  limits.cpu_seconds = 0.5;
  limits.wall_seconds = 60;
  Observation seen = Run(shop_.Program("spin", "int main(void) { for (;;) ; }"), limits);
  EXPECT_EQ(seen.ending, Ending::TimedOut);
  EXPECT_GE(seen.cpu_seconds, 0.4);
  EXPECT_LT(seen.cpu_seconds, 2);
}

// Processes that keep one processor busy, the one that who made them and what it starts is then bound to. Each has a
// session of its own: some systems share a processor among sessions.
class BusyMachine {
 public:
  explicit BusyMachine(int hogs) {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
    }
    ::sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < hogs; ++i) {
      const pid_t hog = ::fork();
      if (hog > 0) hogs_.push_back(hog);
      if (hog != 0) continue;
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setsid();
      for (volatile unsigned spin = 0;;) spin = spin + 1;
    }
  }
  ~BusyMachine() {
    for (pid_t hog : hogs_) ::kill(hog, SIGKILL);
    for (pid_t hog : hogs_) ::waitpid(hog, nullptr, 0);
    ::sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_{};
  std::vector<pid_t> hogs_;
};

// Uses so much CPU time, then says so.
std::string Work(double seconds) {
  return "#include <stdio.h>\n#include <time.h>\nint main(void) { while (clock() < " + std::to_string(seconds) +
         " * CLOCKS_PER_SEC) ; puts(\"done\"); }";
}

// However busy the machine is, this is never a hang.
TEST_P(FaultTest, IsSlowBecauseTheMachineIsBusy) {
  const std::string program = shop_.Program("work", Work(0.4));
  const std::string threads = shop_.Program("threads",
                                            "#include <stdio.h>\n#include <threads.h>\n#include <time.h>\n"
                                            "int work(void *x) { while (clock() < 0.4 * CLOCKS_PER_SEC) ; return 0; }\n"
                                            "int main(void) { thrd_t t; thrd_create(&t, work, 0); thrd_join(t, 0);"
                                            " puts(\"done\"); }");
  BusyMachine busy(4);
  Limits limits = Tight();
  limits.wall_seconds = 1;
  for (const std::string& one : {program, threads, shop_.Script("driver", program + " & wait")}) {
    Observation seen = Run(one, limits);
    if (seen.ending == Ending::Starved) continue;  // busier than we have made it
    EXPECT_EQ(seen.ending, Ending::Exited) << Describe(seen);
    EXPECT_EQ(seen.stdout_text, "done\n");
  }
}

TEST_P(FaultTest, HangsOnABusyMachine) {
  BusyMachine busy(4);
  Limits limits = Tight();
  limits.wall_seconds = 1;
  EXPECT_EQ(Run(shop_.Script("sleeps", "sleep 1000"), limits).ending, Ending::TimedOut);
}

TEST(EndOfLateTest, OnlyWhatHasWorkAndGetsNoProcessorIsStarved) {
  Limits limits;
  limits.cpu_seconds = 20;
  limits.wall_seconds = 10;
  auto end = [&](double elapsed, double cpu, bool has_work) { return EndOfLate(limits, {elapsed, cpu, has_work}); };
  EXPECT_EQ(end(10, 0.1, false), Ending::TimedOut);  // sleeps
  EXPECT_EQ(end(10, 9.9, true), Ending::TimedOut);   // spins on a processor of its own
  EXPECT_EQ(end(10, 5, true), std::nullopt);         // shares one: it may go on
  EXPECT_EQ(end(20, 9, true), Ending::TimedOut);     // now it has had its time
  EXPECT_EQ(end(20, 5, false), Ending::TimedOut);    // now it sleeps
  EXPECT_EQ(end(79.9, 1, true), std::nullopt);
  EXPECT_EQ(end(80, 1, true), Ending::Starved);
  limits.cpu_seconds = 0;  // then the wall limit is the only one
  EXPECT_EQ(end(10, 0.1, true), Ending::TimedOut);
}

TEST(EndOfLateTest, WhatIsStarvedSaysSo) {
  const Observation seen{.ending = Ending::Starved, .cpu_seconds = 1, .wall_seconds = 80};
  EXPECT_EQ(Describe(seen), "the machine is too busy: 1.0 s of a processor in 80.0 s");
  EXPECT_TRUE(seen.HitLimit());
  EXPECT_FALSE(seen.Succeeded());
}

TEST_P(FaultTest, HangsBusyInManyProcessesThatShareTheLimit) {
  Limits limits = Tight();
  limits.cpu_seconds = 1;
  limits.wall_seconds = 60;
  Observation seen = Run(shop_.Program("spins", "int main(void) { fork(); fork(); for (;;) ; }"), limits);
  EXPECT_EQ(seen.ending, Ending::TimedOut);
  EXPECT_LT(seen.cpu_seconds, 3);
}

TEST_P(FaultTest, IgnoresEverySignal) {
  Limits limits = Tight();
  limits.wall_seconds = 0.4;
  Observation seen =
      Run(shop_.Program("deaf",
                        "#include <signal.h>\n#include <unistd.h>\n"
                        "int main(void) { for (int i = 1; i < 65; ++i) signal(i, SIG_IGN); for (;;) pause(); }"),
          limits);
  EXPECT_EQ(seen.ending, Ending::TimedOut);
}

// A program that forks for ever, `how` being the loop's body with FORK() for fork(). For the safety
// of the machine that runs this test when we have a bug, FORK() refuses after some hundreds.
std::string ForkBomb(const std::string& how) {
  return "#include <sys/mman.h>\n#include <unistd.h>\n"
         "static int *made;\n"
         "#define FORK() (__sync_fetch_and_add(made, 1) > 700 ? (pause(), 1) : fork())\n"
         "int main(void) { made = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | "
         "MAP_ANONYMOUS, -1, 0);"
         " for (;;) { " +
         how + " } }";
}

TEST_P(FaultTest, ForksForever) {
  Observation seen = Run(shop_.Program("bomb", ForkBomb("FORK();")));
  EXPECT_EQ(seen.ending, Ending::ProcessLimit);
}

TEST_P(FaultTest, ForksForeverWithDyingParents) {
  // Each process has one child and ends: never many at once, always a new pid.
  Observation seen = Run(shop_.Program("runner", ForkBomb("if (FORK() > 0) _exit(0);")));
  EXPECT_EQ(seen.ending, Ending::Exited);  // the command itself ended; its heirs are dead
  EXPECT_EQ(seen.exit_code, 0);
}

TEST_P(FaultTest, ForksForeverEachInItsOwnSession) {
  Observation seen = Run(shop_.Program("sessions", ForkBomb("if (FORK() == 0) setsid();")));
  EXPECT_EQ(seen.ending, Ending::ProcessLimit);
}

// Faster than the watch: makes children until one is refused (at most 300) and fails at once.
std::string FailsWhenRefused(const std::string& before_it_fails) {
  return "#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
         "int main(void) { for (int i = 0; i < 300; ++i) {"
         " int pid = fork(); if (pid == 0) for (;;) pause();"
         " if (pid < 0) break; } " +
         before_it_fails + " return 5; }";
}

TEST_P(FaultTest, FailsBecauseItWasRefusedAProcess) {
  for (int i = 0; i < 5; ++i) {
    Observation seen = Run(shop_.Program("refused", FailsWhenRefused("")));
    EXPECT_EQ(seen.ending, Ending::ProcessLimit) << Describe(seen);
  }
}

TEST_P(FaultTest, FailsBecauseItWasRefusedAProcessAndLeavesNone) {
  auto containment = executor_.Describe();
  if (!containment || !containment->process_group_limit) GTEST_SKIP() << "needs a group";
  Observation seen = Run(shop_.Program("tidy", FailsWhenRefused("signal(SIGTERM, SIG_IGN); kill(0, SIGTERM);"
                                                                " while (wait(0) > 0) ;")));
  EXPECT_EQ(seen.ending, Ending::ProcessLimit) << Describe(seen);
  // What the next command does is its own.
  EXPECT_EQ(Run(shop_.Script("fails", "exit 5")).ending, Ending::Exited);
}

TEST_P(FaultTest, AllocatesWithoutEnd) {
  Observation seen = Run(shop_.Program("eat",
                                       "#include <stdlib.h>\n#include <string.h>\n"
                                       "int main(void) { for (;;) memset(malloc(1 << 16), 1, 1 << 16); }"),
                         Patient());
  // Seen by the watch, or the address space ran out first.
  EXPECT_TRUE(seen.ending == Ending::MemoryLimit || seen.ending == Ending::Signaled) << Describe(seen);
  EXPECT_LT(seen.peak_memory_bytes, 3u << 29);
}

TEST_P(FaultTest, AllocatesSlowlyWithoutEnd) {
  Observation seen = Run(shop_.Program("nibble",
                                       "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
                                       "int main(void) { for (;;) { memset(malloc(4 << 20), 1, 4 << 20); "
                                       "usleep(4000); } }"),
                         Patient());
  EXPECT_EQ(seen.ending, Ending::MemoryLimit);
}

// Between two looks at it, and then it says itself that it cannot go on, as a compiler does that may have no more.
TEST_P(FaultTest, AllocatesTooMuchForAMomentAndFails) {
  Observation seen = Run(shop_.Program("gulp",
                                       "#include <string.h>\n#include <sys/mman.h>\n#include <unistd.h>\n"
                                       "int main(void) { usleep(600000); char *p = mmap(0, 300u << 20, 3, 34, -1, 0);"
                                       " memset(p, 1, 300u << 20); munmap(p, 300u << 20); return 1; }"),
                         Patient());
  EXPECT_EQ(seen.ending, Ending::MemoryLimit) << Describe(seen);
}

// What Assay itself holds is not the command's, though the system counts it for what starts as our copy.
TEST_P(FaultTest, FailsBesideALargeAssay) {
  std::vector<char> large(300u << 20, 1);
  Executor beside(GetParam());
  auto seen = beside.Run({.argv = {"sh", "-c", "exit 7"}}, Tight());
  ASSERT_TRUE(seen.Ok()) << seen.GetError().message;
  EXPECT_EQ(seen->ending, Ending::Exited) << Describe(*seen);
  EXPECT_EQ(seen->exit_code, 7) << large[1];
}

TEST_P(FaultTest, AllocatesInManyProcesses) {
  Limits limits = Tight();
  limits.wall_seconds = 60;
  Observation seen = Run(shop_.Program("herd",
                                       "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
                                       "int main(void) { for (int i = 0; i < 3; ++i) fork();"
                                       " memset(malloc(60 << 20), 1, 60 << 20); sleep(60); }"),
                         limits);
  EXPECT_EQ(seen.ending, Ending::MemoryLimit);
}

TEST_P(FaultTest, HugeSingleAllocationFails) {
  Observation seen =
      Run(shop_.Program("huge", "#include <stdlib.h>\nint main(void) { return malloc(1ul << 40) == 0 ? 5 : 6; }"));
  EXPECT_EQ(seen.exit_code, 5);
  Limits free_space = Tight();
  free_space.limit_address_space = false;
  EXPECT_EQ(Run((shop_.Folder() / "huge").string(), free_space).ending, Ending::Exited);
}

TEST_P(FaultTest, TenGigabytesToStdoutOrStderr) {
  Limits limits = Tight();
  limits.wall_seconds = 60;
  for (std::string redirect : {"", " >&2"}) {
    Observation seen = Run(shop_.Script("flood", "head -c 10000000000 /dev/zero" + redirect), limits);
    EXPECT_EQ(seen.ending, Ending::OutputLimit);
    EXPECT_EQ(seen.stdout_text.size() + seen.stderr_text.size(), limits.output_bytes);
  }
}

TEST_P(FaultTest, EndlessOutputAfterTheCommandEnded) {
  Observation seen = Run(shop_.Script("trail", "yes & exit 3"));
  EXPECT_TRUE(seen.ending == Ending::Exited || seen.ending == Ending::OutputLimit);
  EXPECT_LE(seen.stdout_text.size(), Tight().output_bytes);
}

TEST_P(FaultTest, TenGigabytesToAFile) {
  const std::string program = shop_.Program("disk",
                                            "#include <stdio.h>\nstatic char block[1 << 20];\nint "
                                            "main(void) { FILE *f = fopen(\"big\", \"w\");"
                                            " for (int i = 0; i < 10000; ++i) if (fwrite(block, "
                                            "sizeof block, 1, f) != 1) return 9; return 0; }");
  Observation seen = Run(program);
  EXPECT_EQ(seen.ending, Ending::FileLimit);
  EXPECT_LE(std::filesystem::file_size(shop_.Folder() / "big"), Tight().file_bytes);
}

TEST_P(FaultTest, LeavesADaemon) {
  const std::string source =
      "#include <stdio.h>\n#include <unistd.h>\n"
      "int main(void) { if (fork() == 0) { setsid(); if (fork() == 0) {"
      " for (;;) pause(); } _exit(0); } printf(\"left\\n\"); return 4; }";
  Observation seen = Run(shop_.Program("daemon", source));
  EXPECT_EQ(seen.ending, Ending::Exited);
  EXPECT_EQ(seen.exit_code, 4);
  EXPECT_EQ(seen.stdout_text, "left\n");
  // Exited, not TimedOut: it was not held up by the daemon, which still has the pipe.
}

TEST_P(FaultTest, DiesByEachSignal) {
  const std::string program = shop_.Program("die",
                                            "#include <signal.h>\n#include <stdlib.h>\nint "
                                            "main(int c, char **v) { signal(atoi(v[1]), SIG_DFL);"
                                            " kill(getpid(), atoi(v[1])); return 77; }");
  for (int signal = 1; signal < NSIG - 1; ++signal) {
    Limits limits = Tight();
    if (signal == SIGSTOP) limits.wall_seconds = 0.3;
    auto seen = executor_.Run({.argv = {program, std::to_string(signal)}}, limits);
    ASSERT_TRUE(seen.Ok());
    switch (signal) {
      case SIGCHLD:
      case SIGCONT:
      case SIGURG:
      case SIGWINCH: EXPECT_EQ(seen->exit_code, 77) << signal; break;
      case SIGXFSZ: EXPECT_EQ(seen->ending, Ending::FileLimit); break;
      case SIGXCPU: EXPECT_EQ(seen->ending, Ending::TimedOut); break;
      case SIGSTOP:
      case SIGTSTP:
      case SIGTTIN:
      case SIGTTOU: {  // stopped for ever, or ignored because its process group is orphaned
        EXPECT_TRUE(seen->ending == Ending::TimedOut || seen->exit_code == 77) << signal;
        break;
      }
      case 32:
      case 33: break;  // kept by the C library for itself
      default: EXPECT_EQ(seen->ending, Ending::Signaled) << signal; EXPECT_EQ(seen->signal, signal);
    }
  }
}

TEST_P(FaultTest, IsMissingOrNotExecutable) {
  Observation seen = Run("/nonexistent/compiler");
  EXPECT_EQ(seen.ending, Ending::NotStarted);
  EXPECT_NE(seen.stderr_text.find("/nonexistent/compiler"), std::string::npos);
  EXPECT_NE(seen.stderr_text.find("No such file"), std::string::npos);
  EXPECT_EQ(Run("no-such-program-in-path").ending, Ending::NotStarted);
  EXPECT_EQ(Run(shop_.Folder().string()).ending, Ending::NotStarted);
  auto nowhere = executor_.Run({.argv = {"true"}, .working_folder = "/nonexistent"}, Tight());
  ASSERT_TRUE(nowhere.Ok());
  EXPECT_EQ(nowhere->ending, Ending::NotStarted);
}

// No shell is asked to make sense of it.
TEST_P(FaultTest, IsGarbageThatMayBeExecuted) {
  const auto program = shop_.Folder() / "garbage";
  for (const std::string& bytes : {std::string("echo hello\n"), std::string(),
                                   std::string("\x7f"
                                               "ELF\0\0",
                                               6)}) {
    std::ofstream(program) << bytes;
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    Observation seen = Run(program.string());
    EXPECT_EQ(seen.ending, Ending::NotStarted) << Describe(seen);
    EXPECT_NE(seen.stderr_text.find("Exec format error"), std::string::npos) << seen.stderr_text;
  }
}

// A program is not looked for in the folder of the command itself, which is full of what compilers have made.
TEST_P(FaultTest, HasTheNameOfAProgramInPath) {
  const std::string before = support::SearchPath();
  shop_.Script("in-both", "printf wrong");
  shop_.Script("only-here", "printf wrong");
  std::ofstream(shop_.Folder() / "file") << "a file is no folder";
  std::filesystem::create_directory(shop_.Folder() / "bin");
  shop_.Script("bin/in-both", "printf right");
  const std::string folder = shop_.Folder().string();
  setenv("PATH", (".::/nonexistent:" + folder + "/file:" + folder + "/bin:" + before).c_str(), 1);
  EXPECT_EQ(Run("in-both").stdout_text, "right");
  EXPECT_EQ(Run("only-here").ending, Ending::NotStarted);
  setenv("PATH", before.c_str(), 1);
}

TEST_P(FaultTest, ChangesBetweenRuns) {
  const std::string program =
      shop_.Script("moody", "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; exit $n");
  EXPECT_EQ(Run(program).exit_code, 0);
  EXPECT_EQ(Run(program).exit_code, 1);
  shop_.Script("moody", "exit 40");  // replaced under our feet
  EXPECT_EQ(Run(program).exit_code, 40);
  std::filesystem::remove(program);
  EXPECT_EQ(Run(program).ending, Ending::NotStarted);
}

TEST_P(FaultTest, ClosesItsOutputsAndGoesOn) {
  Observation seen = Run(shop_.Script("quiet", "exec >&- 2>&-; sleep 0.3; exit 6"));
  EXPECT_EQ(seen.exit_code, 6);
  EXPECT_GE(seen.wall_seconds, 0.3);
}

// Assay dies by SIGKILL in the middle of a run: the tree dies too, and the folder is swept by the
// next start.
TEST_P(FaultTest, AssayItselfIsKilled) {
  const std::string bomb = shop_.Script("orphan", "setsid sleep 1000 & sleep 1000");
  const std::string marker = (shop_.Folder() / "folder").string();
  const std::filesystem::path root =
      shop_.Folder() / "root";  // its own: every start of Assay on this machine sweeps the usual one
  std::filesystem::create_directory(root);
  pid_t assay = ::fork();
  if (assay == 0) {
    auto scratch = Scratch::Make(root);
    std::ofstream(marker + ".new") << scratch->Path().string();
    std::filesystem::rename(marker + ".new", marker);
    Executor executor(GetParam());
    auto seen = executor.Run({.argv = {bomb}, .working_folder = scratch->Path()}, Tight());
    ::_exit(1);
  }
  ASSERT_GT(assay, 0);
  ASSERT_TRUE(WaitUntil([&] { return std::filesystem::exists(marker) && ProcessesWith(Slurp(marker)).size() >= 3; }));
  const std::string folder = Slurp(marker);
  ::kill(assay, SIGKILL);
  ::waitpid(assay, nullptr, 0);
  EXPECT_TRUE(WaitUntil([&] { return ProcessesWith(folder).empty() && ProcessesWith(bomb).empty(); }));
  EXPECT_TRUE(std::filesystem::exists(folder));
  EXPECT_EQ(SweepStaleScratch(root), 1);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace assay::exec
