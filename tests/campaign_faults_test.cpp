// Faults of the whole program, with real processes: campaigns that are killed, share a folder, run
// out of disk, are interrupted. The compilers and the programs are small shell scripts, so that a
// test takes milliseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "choice/choices.hpp"
#include "exec/scratch.hpp"
#include "store/store.hpp"
#include "support/files.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kTests = 120;
constexpr int64_t kMarkEvery = 6;  // programs that the bad compiler crashes on

const std::string kCopy = "cp \"$2\" \"$3\" && chmod +x \"$3\"\n";

void WriteScript(const fs::path& path, const std::string& body) {
  ASSERT_TRUE(support::WriteFile(path, "#!/bin/sh\n" + body).Ok());
  fs::permissions(path, fs::perms::all);
}

class CampaignFaultsTest : public testing::Test {
 protected:
  CampaignFaultsTest() {
    char name[] = "/tmp/assay_faults_XXXXXX";
    folder_ = mkdtemp(name);
    // Of its own: other tests run at the same time, and some are killed too.
    std::string scratch = (exec::ScratchRoot() / "faults_XXXXXX").string();
    scratch_ = mkdtemp(scratch.data());
    WriteScript(folder_ / "good", kCopy);
    WriteScript(folder_ / "bad", CrashingCompiler("foo"));
    // The program of a seed, and a note that it was made.
    WriteScript(folder_ / "make", "echo \"#!/bin/sh\"; echo \"echo $1\"\nif [ $(($1 % " + std::to_string(kMarkEvery) +
                                      ")) = 0 ]; then echo '# mark'; fi\n");
    WriteTargets("");
    campaign_ = folder_ / "campaign";
  }
  ~CampaignFaultsTest() override {
    fs::remove_all(folder_);
    fs::remove_all(scratch_);
  }

  // Both compilers, with another line in the description of each.
  void WriteTargets(const std::string& line) {
    std::string targets;
    for (const char* compiler : {"good", "bad"}) {
      targets += std::string("[[target]]\nname = \"") + compiler + "\"\nfamily = \"" + compiler +
                 "\"\nlanguage = \"sh\"\ncompile = \"" + (folder_ / compiler).string() +
                 " {flags} {source} {output}\"\nflags = [\"-O0\", \"-O2\"]\n"
                 "crashes = [\"internal compiler error\"]\n"
                 "smoke_program = \"#!/bin/sh\\necho 42\\n\"\nsmoke_output = \"42\\n\"\n" +
                 line;
    }
    EXPECT_TRUE(support::WriteFile(folder_ / "targets.toml", targets).Ok());
  }

  // Crashes in this function on marked programs.
  static std::string CrashingCompiler(const std::string& function) {
    return "if grep -q mark \"$2\"; then echo 'internal compiler error: in " + function + "' >&2; exit 4; fi\n" + kCopy;
  }
  // Puts another compiler in the place of one at once, as a package manager does.
  void Replace(const std::string& compiler, const std::string& body) {
    WriteScript(folder_ / "new", body);
    fs::rename(folder_ / "new", folder_ / compiler);
  }

  // From the middle of the campaign on the good compiler waits until LetGo: however quick the machine and slow this
  // process, the campaign does not end before what is to happen in its midst has happened.
  void HoldInTheMiddle() {
    WriteTargets("compile_limits = { wall_seconds = 900, cpu_seconds = 900 }\n");
    Replace("good", "if [ \"$(sed -n 's/^echo //p' \"$2\")\" -ge " + std::to_string(kTests / 2) +
                        " ]; then\n  until [ -e " + (folder_ / "go").string() + " ]; do sleep 0.02; done\nfi\n" +
                        kCopy);
  }
  void LetGo() { EXPECT_TRUE(support::WriteFile(folder_ / "go", "").Ok()); }

  // Starts `assay fuzz` on the campaign's folder, with small shell scripts as programs.
  pid_t Start(std::vector<std::string> more = {}, int64_t tests = kTests) {
    std::vector<std::string> words = {ASSAY_PROGRAM,    "fuzz",
                                      "--dir",          campaign_.string(),
                                      "--lang",         "sh",
                                      "--targets",      "good,bad",
                                      "--targets-file", (folder_ / "targets.toml").string(),
                                      "--source-cmd",   (folder_ / "make").string() + " {seed}",
                                      "--seed",         "0",
                                      "--jobs",         "2",
                                      "--tests",        std::to_string(tests)};
    words.insert(words.end(), more.begin(), more.end());
    return StartProgram(words);
  }

  pid_t StartProgram(std::vector<std::string> words) {
    pid_t pid = fork();
    if (pid == 0) {
      setenv("ASSAY_SCRATCH", scratch_.c_str(), 1);
      std::string log = (folder_ / "log").string();
      if (freopen(log.c_str(), "a", stdout) == nullptr || freopen(log.c_str(), "a", stderr) == nullptr) _exit(99);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(99);
    }
    return pid;
  }

  static int Wait(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::string Log() { return support::ReadFile(folder_ / "log").Value(); }

  // Everything is there exactly once.
  void ExpectComplete() {
    auto store = std::move(store::Store::Open(campaign_.string())).Value();
    EXPECT_EQ(store->Totals()->tests, kTests) << Log();
    int64_t next = 0;
    auto ranges = store->Ranges().Value();
    for (const store::Lease& range : ranges) {
      EXPECT_EQ(range.first, next);
      EXPECT_TRUE(range.Finished());
      next = range.first + range.count;
    }
    EXPECT_EQ(next, kTests);
    std::multiset<int64_t> seeds, expected;
    auto finds = store->Finds().Value();
    for (const store::Find& find : finds) seeds.insert(find.seed);
    for (int64_t seed = 0; seed < kTests; seed += kMarkEvery) expected.insert(seed);
    EXPECT_EQ(seeds, expected) << "every find, and each once";
    auto bugs = store->Bugs(false).Value();
    ASSERT_EQ(bugs.size(), 1u) << Log();
    EXPECT_EQ(bugs[0].count, kTests / kMarkEvery);
    EXPECT_TRUE(fs::exists(campaign_ / "bugs" / bugs[0].name / "repro.sh"));
  }

  void ExpectNothingLeft() {
    // A killed jail dies with its parent, but that takes the kernel a moment.
    std::string left;
    WaitUntil([&] { return (left = ProcessesOfTest()).empty(); });
    EXPECT_EQ(left, "");
    EXPECT_FALSE(fs::exists(campaign_ / "partial"));
    for (const auto& entry : fs::recursive_directory_iterator(campaign_)) {
      EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
    }
    for (const auto& entry : fs::directory_iterator(scratch_)) {
      ADD_FAILURE() << "left behind: " << entry.path();
    }
  }

  // Waits until so many tests are recorded.
  void WaitForTests(int64_t tests) {
    EXPECT_TRUE(WaitUntil([&] { return TestsDone() >= tests; })) << "no tests: " << Log();
  }

  int64_t TestsDone() {
    if (!fs::exists(campaign_ / "campaign.db")) return 0;
    auto store = store::Store::Open(campaign_.string());
    return store ? (*store)->Totals()->tests : 0;
  }

  // The jails of a running campaign.
  static std::vector<pid_t> JailsOf(pid_t assay) {
    std::vector<pid_t> jails;
    std::error_code code;
    for (const auto& thread : fs::directory_iterator(fs::path("/proc") / std::to_string(assay) / "task", code)) {
      std::ifstream children(thread.path() / "children");
      for (pid_t child = 0; children >> child;) {
        std::ifstream name(fs::path("/proc") / std::to_string(child) / "comm");
        std::string text;
        if (name >> text && text == "assay-jail") jails.push_back(child);
      }
    }
    return jails;
  }

  // Waits for a condition, with so many seconds between two looks. False when it did not come true in time.
  template <typename Condition>
  static bool WaitUntil(Condition condition, double pause = 0.01) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(300);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      std::this_thread::sleep_for(std::chrono::duration<double>(pause));
    }
    return true;
  }

  // Has a reduction saved its best since then?
  bool BestIsNewerThan(fs::file_time_type time) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(campaign_ / "reducing", code)) {
      auto written = fs::last_write_time(entry.path() / "best.case", code);
      if (!code && written > time) return true;
    }
    return false;
  }

  // Command lines of living processes that name the test's folder, and jails of ours.
  std::string ProcessesOfTest() {
    std::string found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
      auto line = support::ReadFile(entry.path() / "cmdline");
      if (line && line->find(folder_.string()) != std::string::npos) found += *line + "\n";
    }
    return found;
  }
  fs::path folder_, campaign_, scratch_;
};

TEST_F(CampaignFaultsTest, KilledAtTwentyMomentsItResumesAndLosesNothing) {
  choice::Choices moments(1);
  int killed_while_working = 0;
  for (int round = 0; round < 20; ++round) {
    // Moments are counted in tests, so that a quick machine does not end the campaign before it has been killed often
    // enough.
    const int64_t tests = std::min(kTests, TestsDone() + moments.Between(0, 3));
    const auto delay = std::chrono::milliseconds(moments.Between(0, tests == 0 ? 100 : 8));
    pid_t pid = Start();
    EXPECT_TRUE(WaitUntil([&] { return TestsDone() >= tests; }, 0.001)) << Log();
    std::this_thread::sleep_for(delay);
    kill(pid, SIGKILL);
    killed_while_working += Wait(pid) == 128 + SIGKILL;
  }
  EXPECT_GE(killed_while_working, 10) << "the campaign ends too soon to be killed: raise kTests";
  EXPECT_EQ(Wait(Start()), 1) << Log();
  ExpectComplete();
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, KilledWhileItReducesItGoesOnAndEnds) {
  // A compiler that dies on a bitwise or, which neither the smoke test nor the text around a program has.
  WriteScript(folder_ / "planted",
              "if grep -q ' | ' \"$1\"; then echo 'internal compiler error: in fold' >&2; exit 4; "
              "fi\nexec gcc -w \"$@\"\n");
  ASSERT_TRUE(support::WriteFile(folder_ / "c.toml", "[[target]]\nname = \"planted\"\ncompile = \"" +
                                                         (folder_ / "planted").string() +
                                                         " {source} -o {output} {flags}\"\n"
                                                         "crashes = [\"internal compiler error\"]\n")
                  .Ok());
  std::vector<std::string> words = {ASSAY_PROGRAM, "fuzz",    "--dir",          campaign_.string(),
                                    "--targets",   "planted", "--targets-file", (folder_ / "c.toml").string(),
                                    "--seed",      "1",       "--tests",        "3",
                                    "--jobs",      "2"};
  int killed = 0;
  for (int round = 0; round < 3; ++round) {
    auto begun = fs::file_time_type::clock::now();
    pid_t pid = StartProgram(words);
    // Killed as soon as a smaller program than before is on disk, so the next run has one to begin
    // with.
    bool ended = false, reduces = false;
    WaitUntil([&] {
      ended = waitpid(pid, nullptr, WNOHANG) == pid;
      reduces = BestIsNewerThan(begun);
      return ended || reduces;
    });
    if (ended) break;
    EXPECT_TRUE(reduces) << Log();
    kill(pid, SIGKILL);
    killed += Wait(pid) == 128 + SIGKILL;
  }
  EXPECT_GE(killed, 1) << Log();
  EXPECT_EQ(Wait(StartProgram(words)), 1) << Log();
  auto store = std::move(store::Store::Open(campaign_.string())).Value();
  EXPECT_EQ(store->Totals()->tests, 3);
  auto bugs = store->Bugs(true).Value();
  std::erase_if(bugs, [](const store::Bug& bug) { return !bug.IsEntry(); });
  ASSERT_FALSE(bugs.empty()) << Log();
  for (const store::Bug& bug : bugs) {
    ASSERT_TRUE(bug.reduction.has_value());
    EXPECT_EQ(bug.reduction->state, "done") << bug.reduction->note;
    const fs::path folder = campaign_ / "bugs" / bug.name;
    EXPECT_LT(support::ReadFile(folder / "reduced.c")->size(), 1000u);
    EXPECT_EQ(std::system(("sh " + (folder / "repro.sh").string() + " >/dev/null 2>&1").c_str()), 0);
  }
  EXPECT_FALSE(fs::exists(campaign_ / "reducing"));
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, TwoProcessesShareAFolder) {
  pid_t a = Start(), b = Start();
  WaitForTests(10);
  pid_t c = Start();  // one that will be killed: the others take over its range
  WaitUntil([&] { return !JailsOf(c).empty() || TestsDone() == kTests; });
  kill(c, SIGKILL);
  Wait(c);
  EXPECT_EQ(Wait(a), 1) << Log();
  EXPECT_EQ(Wait(b), 1) << Log();
  ExpectComplete();
  ExpectNothingLeft();
}

// The small disk is one that whoever started the test has made (unprivileged.sh), or one of our own.
TEST_F(CampaignFaultsTest, AFullDiskEndsItWithCodeThreeAndNothingIsLost) {
  const char* made = getenv("ASSAY_TEST_SMALL_DISK");
  if (made != nullptr) {
    campaign_ = fs::path(made) / "campaign";
    fs::create_directories(campaign_);
  } else {
    fs::create_directories(campaign_);
    if (mount("tmpfs", campaign_.c_str(), "tmpfs", 0, "size=20m") != 0) {
      GTEST_SKIP() << "cannot mount a small tmpfs here (needs root): the full disk is not tested";
    }
  }
  // A file that leaves a little room: enough to begin, not enough to end.
  const int64_t room = static_cast<int64_t>(fs::space(campaign_).available) - 340000;
  ASSERT_GT(room, 0);
  { std::ofstream(campaign_ / "ballast") << std::string(static_cast<size_t>(room), 'x'); }
  int code = Wait(Start());
  std::string log = Log();
  EXPECT_EQ(code, 3) << log;
  EXPECT_THAT(log, testing::ContainsRegex("full|No space left|disk"));
  fs::remove(campaign_ / "ballast");
  EXPECT_EQ(Wait(Start()), 1) << Log();
  ExpectComplete();
  ExpectNothingLeft();
  if (made == nullptr) {
    EXPECT_EQ(umount(campaign_.c_str()), 0);
  } else {
    fs::remove_all(campaign_);
  }
}

TEST_F(CampaignFaultsTest, ACompilerThatIsMissingForAMomentCostsNothing) {
  pid_t pid = Start();
  WaitForTests(10);
  fs::rename(folder_ / "bad", folder_ / "away");
  // Missed as soon as nothing goes on any more.
  int64_t before = -1;
  WaitUntil([&] { return std::exchange(before, TestsDone()) == TestsDone() && before >= 0; }, 0.15);
  fs::rename(folder_ / "away", folder_ / "bad");
  EXPECT_EQ(Wait(pid), 1) << Log();
  EXPECT_THAT(Log(), testing::Not(testing::HasSubstr("is gone")));
  ExpectComplete();
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, ACompilerThatVanishesIsNamedAndTheOthersGoOn) {
  HoldInTheMiddle();
  pid_t pid = Start();
  WaitForTests(10);
  fs::remove(folder_ / "bad");
  LetGo();
  EXPECT_EQ(Wait(pid), 1) << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("bad is gone"));
  auto store = std::move(store::Store::Open(campaign_.string())).Value();
  EXPECT_EQ(store->Totals()->tests, kTests);
  auto bugs = store->Bugs(true).Value();
  ASSERT_EQ(bugs.size(), 1u) << "to vanish is neither a bug nor flaky: " << Log();
  EXPECT_LT(bugs[0].count, kTests / kMarkEvery);
  ExpectNothingLeft();
}

// As when the compiler is a script: the kernel has opened it, its shell does not find it any more.
TEST_F(CampaignFaultsTest, ACompilerThatVanishesWhileItsFindIsConfirmed) {
  WriteTargets("writable = [\"" + folder_.string() + "\"]\n");
  std::string calls = (folder_ / "calls").string();
  Replace("bad", "if grep -q 'echo 0$' \"$2\"; then echo >>" + calls + "; if [ $(wc -l <" + calls +
                     ") -gt 2 ]; then rm -f \"$0\"; echo \"sh: cannot open $0\" >&2; exit 2; fi; fi\n" +
                     CrashingCompiler("foo"));
  // 3, a target was lost; or 1: it depends on what the other worker found before.
  EXPECT_THAT(Wait(Start()), testing::AnyOf(1, 3)) << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("bad is gone"));
  auto store = std::move(store::Store::Open(campaign_.string())).Value();
  EXPECT_EQ(store->Totals()->tests, kTests);
  for (const store::Bug& bug : store->Bugs(true).Value()) EXPECT_NE(bug.kind, "flaky") << Log();
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, WhenAllCompilersVanishItEndsWithCodeThreeAndNothingIsLost) {
  HoldInTheMiddle();
  pid_t pid = Start();
  WaitForTests(10);
  for (const char* name : {"good", "bad"}) {
    fs::rename(folder_ / name, folder_ / (std::string(name) + ".away"));
  }
  LetGo();
  EXPECT_EQ(Wait(pid), 3) << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("none of the targets can be started any more"));
  for (const char* name : {"good", "bad"}) {
    fs::rename(folder_ / (std::string(name) + ".away"), folder_ / name);
  }
  EXPECT_EQ(Wait(Start()), 1) << Log();
  ExpectComplete();
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, ACompilerThatChangesBetweenRunsOfTheCampaign) {
  EXPECT_EQ(Wait(Start({}, kTests / 2)), 1) << Log();
  Replace("bad", CrashingCompiler("bar"));
  EXPECT_EQ(Wait(Start()), 1) << Log();
  {
    auto store = std::move(store::Store::Open(campaign_.string())).Value();
    EXPECT_EQ(store->Totals()->tests, kTests);
    auto bugs = store->Bugs(false).Value();
    ASSERT_EQ(bugs.size(), 2u) << Log();
    EXPECT_EQ(bugs[0].count, kTests / kMarkEvery / 2);
    EXPECT_EQ(bugs[1].count, kTests / kMarkEvery / 2);
  }
  Replace("bad", kCopy);
  std::vector<std::string> replay = {ASSAY_PROGRAM, "replay", campaign_.string(), "--targets-file",
                                     (folder_ / "targets.toml").string()};
  EXPECT_EQ(Wait(StartProgram(replay)), 0) << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("fixed"));
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, ACompilerThatChangesInMidCampaign) {
  HoldInTheMiddle();
  pid_t pid = Start();
  WaitForTests(30);
  Replace("bad", kCopy);
  LetGo();
  EXPECT_EQ(Wait(pid), 1) << Log();
  auto store = std::move(store::Store::Open(campaign_.string())).Value();
  EXPECT_EQ(store->Totals()->tests, kTests);
  int64_t crashes = 0;
  const std::vector<store::Bug> bugs = store->Bugs(true).Value();
  for (const store::Bug& bug : bugs) {
    EXPECT_TRUE(bug.kind == "compiler-crash" || bug.kind == "flaky") << bug.kind << Log();
    if (bug.kind == "compiler-crash") crashes += bug.count;
  }
  EXPECT_GE(crashes, 30 / kMarkEvery - 2);  // seeds are not taken in order
  EXPECT_LT(crashes, kTests / kMarkEvery);
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, CtrlCEndsItCleanly) {
  HoldInTheMiddle();
  pid_t pid = Start({"--known", "/dev/null"});
  WaitForTests(5);
  kill(pid, SIGINT);
  int code = Wait(pid);
  LetGo();
  EXPECT_TRUE(code == 0 || code == 1) << code << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("interrupted"));
  EXPECT_TRUE(fs::exists(campaign_ / "report.html"));
  ExpectNothingLeft();
  EXPECT_EQ(Wait(Start()), 1) << Log();
  ExpectComplete();
}

// As the system's out-of-memory killer does, or a compiler where there are no namespaces.
TEST_F(CampaignFaultsTest, JailsThatAreKilledCostNothing) {
  pid_t pid = Start();
  for (int64_t tests : {5, 25, 45}) {
    WaitForTests(tests);
    for (pid_t jail : JailsOf(pid)) kill(jail, SIGKILL);
  }
  EXPECT_EQ(Wait(pid), 1) << Log();
  EXPECT_THAT(Log(), testing::Not(testing::HasSubstr("out of memory")));
  ExpectComplete();
  ExpectNothingLeft();
}

TEST_F(CampaignFaultsTest, AJailThatStandsStillDoesNotHoldUpTheEnd) {
  HoldInTheMiddle();
  pid_t pid = Start();
  WaitForTests(5);
  for (pid_t jail : JailsOf(pid)) kill(jail, SIGSTOP);
  kill(pid, SIGTERM);
  const auto start = std::chrono::steady_clock::now();
  const int code = Wait(pid);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(90));
  EXPECT_TRUE(code == 0 || code == 1) << code << Log();
  EXPECT_THAT(Log(), testing::HasSubstr("interrupted"));
  LetGo();
  ExpectNothingLeft();
  EXPECT_EQ(Wait(Start()), 1) << Log();
  ExpectComplete();
}

TEST_F(CampaignFaultsTest, WrongFlagsAreUsageErrors) {
  EXPECT_EQ(Wait(Start({"--time", "soon"})), 2);
  EXPECT_EQ(Wait(Start({"--jobs", "0"})), 2);
  EXPECT_EQ(Wait(Start({"--targets", "nosuch"})), 2);
}

}  // namespace
}  // namespace assay
