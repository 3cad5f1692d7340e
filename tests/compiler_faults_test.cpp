// Compilers that misbehave, described in a target file as a user would, through exec, target and
// oracle: each gets the verdict it deserves, and nothing is left of it.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <set>

#include "exec/executor.hpp"
#include "exec/test_support.hpp"
#include "oracle/verdict.hpp"
#include "target/detect.hpp"
#include "triage/signature.hpp"

namespace assay {
namespace {

using oracle::Verdict;

struct Fault {
  std::string name;
  std::string body;  // of a shell script; "$@" are the arguments of the compiler, "$real" compiles for real
  Verdict verdict;
  std::string signature;  // of the compile; empty: not compared
};

class CompilerFaultTest : public testing::TestWithParam<Fault> {
 protected:
  // Compiles one program by the faulty compiler, and runs it when that made one.
  oracle::Outcome Process() {
    const std::string script = shop_.Script("cc", "real='gcc -w'\n" + GetParam().body);
    const std::string file = (shop_.Folder() / "faulty.toml").string();
    std::ofstream(file) << "[[target]]\nname = 'faulty'\ncompile = '" << script
                        << " {flags} {source} -o {output}'\n"
                           "compile_limits = { cpu_seconds = 1, wall_seconds = 2, memory_mb = 128, file_mb = 4, "
                           "output_mb = 1, processes = 20 }\n"
                           "run_limits = { cpu_seconds = 1, wall_seconds = 2 }\n"
                           "crashes = ['internal compiler error']\nunsupported = ['sorry']\n";
    auto found = target::DetectTargets(executor_, {.targets_file = file, .smoke_test = false});
    EXPECT_TRUE(found.Ok()) << found.GetError().message;
    target_ = found->front().target;
    EXPECT_EQ(target_.name, "faulty");
    if (GetParam().name == "IsMissing") std::filesystem::remove(script);
    std::ofstream(shop_.Folder() / "a.c")
        << "int printf(const char *, ...);\nint main(void) { printf(\"7\\n\"); return 0; }\n";
    oracle::Outcome outcome{{&target_, {}}, std::nullopt, std::nullopt};
    auto compile =
        executor_.Run(CompileCommand(outcome.configuration, {"a.c"}, "a.out", shop_.Folder()), target_.compile_limits);
    EXPECT_TRUE(compile.Ok());
    outcome.compile = *compile;
    if (!compile->Succeeded()) return outcome;
    auto run = executor_.Run(RunCommand(outcome.configuration, {"a.c"}, "a.out", shop_.Folder()), target_.run_limits);
    EXPECT_TRUE(run.Ok());
    outcome.run = *run;
    return outcome;
  }

  exec::Workshop shop_;  // checks that no process is left
  exec::Executor executor_;
  target::Target target_;
};

TEST_P(CompilerFaultTest, GetsItsVerdict) {
  oracle::Outcome outcome = Process();
  oracle::Expectations expectations;
  expectations.Add("lp64", {"7\n", 0});
  std::vector<oracle::Judgement> judgements = oracle::Judge(expectations, {&outcome, 1});
  EXPECT_EQ(oracle::Name(judgements[0].verdict), oracle::Name(GetParam().verdict)) << judgements[0].detail;
  if (!GetParam().signature.empty()) {
    EXPECT_EQ(triage::CompileSignature(target_, *outcome.compile), GetParam().signature);
  }
  EXPECT_EQ(exec::ProcessesWith(shop_.Folder().string()), std::vector<int>{});
  EXPECT_EQ(shop_.NewInTmp("assay-fault"), std::set<std::string>{});
  for (const char* folder : {"/etc", "/var/tmp", "/dev/shm"}) {
    EXPECT_EQ(exec::Names(folder).count("assay-fault"), 0u) << folder;
  }
}

// One fault per signal that ends a process and is not a limit of ours.
std::vector<Fault> DeadlySignals() {
  std::vector<Fault> faults;
  for (int signal = 1; signal < 32; ++signal) {
    const std::set<int> harmless = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH};
    const std::set<int> stopping = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};  // see exec's own tests
    const std::set<int> limits = {SIGXCPU, SIGXFSZ};
    if (harmless.contains(signal) || stopping.contains(signal)) continue;
    const std::string name = exec::SignalName(signal);
    faults.push_back({"DiesBy" + name, "kill -" + std::to_string(signal) + " $$; sleep 10",
                      limits.contains(signal) ? Verdict::CompilerHang : Verdict::CompilerCrash,
                      limits.contains(signal) ? "" : "signal " + name});
  }
  return faults;
}

INSTANTIATE_TEST_SUITE_P(Signals, CompilerFaultTest, testing::ValuesIn(DeadlySignals()),
                         [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    , CompilerFaultTest,
    testing::Values(
        Fault{"Works", "$real \"$@\"", Verdict::Ok, ""},
        Fault{"Hangs", "sleep 1000", Verdict::CompilerHang, "timed-out"},
        Fault{"HangsBusy", "while :; do :; done", Verdict::CompilerHang, "timed-out"},
        Fault{"ForksForever",
              // Bounded, for the safety of the machine: at most 200.
              "i=0; while [ $i -lt 200 ]; do sleep 100 & i=$((i+1)); done; wait", Verdict::CompilerHang,
              "process-limit"},
        Fault{"Allocates", "exec awk 'BEGIN { s = \"0123456789abcdef\"; while (1) s = s s }'", Verdict::CompilerHang,
              ""},
        Fault{"FloodsStdout", "exec head -c 10000000000 /dev/zero", Verdict::CompilerHang, "output-limit"},
        Fault{"FloodsStderr", "exec head -c 10000000000 /dev/zero >&2", Verdict::CompilerHang, "output-limit"},
        Fault{"FloodsFile", "exec head -c 10000000000 /dev/zero > big", Verdict::CompilerHang, "file-limit"},
        Fault{"LeavesDaemons", "setsid sleep 1000 >/dev/null 2>&1 & setsid sleep 1000 & $real \"$@\"", Verdict::Ok, ""},
        Fault{"LeavesFilesInTmp", "echo x > /tmp/assay-fault-$$; kill -9 $$", Verdict::CompilerCrash, "signal SIGKILL"},
        // Attacks on what is around it; it compiles all the same, and nothing else has happened.
        Fault{"WritesElsewhere",
              "for d in /etc \"$HOME\" /tmp /var/tmp /dev/shm ..; do echo x > $d/assay-fault; done 2>/dev/null; "
              "$real \"$@\"",
              Verdict::Ok, ""},
        Fault{"KillsItsParents", "kill -9 $PPID; kill -STOP $PPID; $real \"$@\"", Verdict::Ok, ""},
        Fault{"MakesItsOutputImmutable", "$real \"$@\"; chattr +i a.out 2>/dev/null; exit 0", Verdict::Ok, ""},
        Fault{"ChildDies", "sh -c 'kill -SEGV $$'; exit 139", Verdict::CompilerCrash, ""},
        Fault{"FailsInSilence", "exit 1", Verdict::CompilerCrash, "exit 1 without a diagnostic"},
        Fault{"InternalError", "echo \"$2:1:2: internal compiler error: in f, at g.cc:12\" >&2; exit 1",
              Verdict::CompilerCrash, "ICE: in f, at g.cc:12"},
        Fault{"Rejects", "echo \"a.c:1:2: error: 'printf' is strange\" >&2; exit 1", Verdict::RejectedValid,
              "error: '_' is strange"},
        Fault{"DoesNotSupport", "echo \"a.c:1:2: sorry\" >&2; exit 1", Verdict::Unsupported, ""},
        Fault{"IsMissing", "exit 0", Verdict::Unavailable, ""},
        Fault{"MakesNothing", "exit 0", Verdict::CompilerCrash, ""},
        Fault{"WrongCode", "sed s/7/8/ a.c > b.c; $real b.c -o a.out", Verdict::WrongOutput, ""},
        Fault{"CodeThatCrashes", "echo 'int main(void) { __builtin_trap(); }' > b.c; $real b.c -o a.out",
              Verdict::ProgramCrash, ""},
        Fault{"CodeThatHangs", "echo 'int main(void) { for (;;) ; }' > b.c; $real b.c -o a.out", Verdict::ProgramHang,
              ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay
