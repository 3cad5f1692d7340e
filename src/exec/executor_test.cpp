// The executor with well-behaved commands; faults_test.cpp has the others.
#include "exec/executor.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "exec/test_support.hpp"

namespace assay::exec {
namespace {

Observation RunOrFail(Executor& executor, const Command& command, const Limits& limits = {}) {
  support::Result<Observation> seen = executor.Run(command, limits);
  EXPECT_TRUE(seen.Ok()) << seen.GetError().message;
  return seen ? *seen : Observation{};
}

Command Shell(const std::string& script) { return {.argv = {"/bin/sh", "-c", script}}; }

TEST(ExecutorTest, ExitCodeAndBothOutputs) {
  Executor executor;
  Observation seen = RunOrFail(executor, Shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(seen.ending, Ending::Exited);
  EXPECT_EQ(seen.exit_code, 7);
  EXPECT_EQ(seen.stdout_text, "out\n");
  EXPECT_EQ(seen.stderr_text, "err\n");
  EXPECT_FALSE(seen.Succeeded());
}

// The processes that this thread has started, which are jails.
size_t Children() {
  std::ifstream file("/proc/thread-self/children");
  return static_cast<size_t>(std::distance(std::istream_iterator<int>(file), {}));
}

TEST(ExecutorTest, JailsMadeAheadAreTheOnesThatAreUsed) {
  const size_t before = Children();
  Executor executor;
  executor.Prepare(2);
  EXPECT_EQ(Children(), before + 2);
  executor.Prepare(2);
  // Two at once: each ends when it has seen the other.
  Workshop shop;
  auto meet = [&](const std::string& own, const std::string& other) {
    Command command = Shell("touch " + own + "; until [ -e " + other + " ]; do sleep 0.01; done");
    command.working_folder = shop.Folder();
    EXPECT_TRUE(RunOrFail(executor, command).Succeeded());
  };
  std::jthread other([&] { meet("a", "b"); });
  meet("b", "a");
  other.join();
  EXPECT_EQ(Children(), before + 2);
}

TEST(ExecutorTest, CommandsGetTheEnvironmentWithoutSecrets) {
  const char* kSecret[] = {"PGPASSWORD", "PGPORT",    "MYSQL_PWD",   "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY",
                           "npm_token",  "DB_PASS",   "Db_Password", "SIGNING_KEY",  "DOCKER_AUTH_CONFIG",
                           "GH_PAT",     "REDIS_PWD", "CI_JOB_JWT"};
  for (const char* name : kSecret) ::setenv(name, "geheim", 1);
  ::setenv("ASSAY_TEST_URL", "postgresql://user:geheim@host/name", 1);
  const char* kPlain[] = {"ASSAY_TEST_SETTING", "ASSAY_BYPASS", "ASSAY_KEYBOARD", "ASSAY_PATTERN"};
  for (const char* name : kPlain) ::setenv(name, "http://host:80/@plain", 1);
  {
    Executor executor;
    const Observation seen = RunOrFail(executor, {.argv = {"env"}});
    EXPECT_EQ(seen.stdout_text.find("geheim"), std::string::npos) << seen.stdout_text;
    for (const char* name : kPlain) {
      EXPECT_NE(seen.stdout_text.find(std::string(name) + "=http://host:80/@plain\n"), std::string::npos) << name;
    }
    // What a target asks for is not taken from it.
    const Observation asked = RunOrFail(executor, {.argv = {"env"}, .environment = {"PGPORT=17"}});
    EXPECT_NE(asked.stdout_text.find("PGPORT=17\n"), std::string::npos);
  }
  for (const char* name : kSecret) ::unsetenv(name);
  for (const char* name : kPlain) ::unsetenv(name);
  ::unsetenv("ASSAY_TEST_URL");
}

// gcc asks PATH where it is itself, and where its linker is.
TEST(ExecutorTest, CommandsHaveAPathWhereThereIsNone) {
  const char* before = ::getenv("PATH");
  const std::string path = before == nullptr ? "" : before;
  ::unsetenv("PATH");
  {
    Executor executor;
    const std::string seen = '\n' + RunOrFail(executor, {.argv = {"env"}}).stdout_text;
    EXPECT_NE(seen.find("\nPATH=/usr/local/bin:/usr/bin:/bin"), std::string::npos) << seen;
    Command asked{.argv = {"env"}, .environment = {"PATH=/mine"}};
    const std::string mine = '\n' + RunOrFail(executor, asked).stdout_text;
    EXPECT_NE(mine.find("\nPATH=/mine\n"), std::string::npos) << mine;
    EXPECT_EQ(mine.find("\nPATH=/usr"), std::string::npos) << mine;
  }
  if (before != nullptr) ::setenv("PATH", path.c_str(), 1);
}

TEST(ExecutorTest, StandardInput) {
  Executor executor;
  Command cat{.argv = {"cat"}};
  EXPECT_EQ(RunOrFail(executor, cat).stdout_text, "");
  cat.stdin_text = std::string(300000, 'x') + "\n";
  EXPECT_EQ(RunOrFail(executor, cat).stdout_text, cat.stdin_text);
}

TEST(ExecutorTest, WorkingFolderAndEnvironment) {
  Workshop shop;
  Executor executor;
  Command command = Shell("pwd; echo $TMPDIR $LC_ALL $COLOUR; touch made");
  command.working_folder = shop.Folder();
  command.environment = {"COLOUR=blue", "LC_ALL=POSIX"};
  const std::string folder = shop.Folder().string();
  Observation seen = RunOrFail(executor, command);
  EXPECT_EQ(seen.stdout_text, folder + "\n" + folder + " POSIX blue\n");
  EXPECT_TRUE(std::filesystem::exists(shop.Folder() / "made"));
}

TEST(ExecutorTest, OutputOfBinaryBytesAndManyLines) {
  Executor executor;
  Observation seen = RunOrFail(executor, Shell("head -c 1000000 /dev/zero; echo done >&2"));
  EXPECT_EQ(seen.stdout_text, std::string(1000000, '\0'));
  EXPECT_EQ(seen.stderr_text, "done\n");
}

TEST(ExecutorTest, TimesOfTheWholeTree) {
  Workshop shop;
  Executor executor;
  // Three processes burn 0.2 s of CPU each, one of them as an orphan that the command does not wait
  // for long.
  const std::string burn = shop.Program("burn",
                                        "#include <time.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                                        "int main(void) { int child = fork(); if (child == 0 && fork() != 0) { } \n"
                                        " while (clock() < CLOCKS_PER_SEC / 5) ;\n if (child > 0) { wait(0); "
                                        "usleep(400000); } return 0; }");
  Observation seen = RunOrFail(executor, {.argv = {burn}});
  EXPECT_TRUE(seen.Succeeded());
  EXPECT_GT(seen.cpu_seconds, 0.38);
  EXPECT_LT(seen.cpu_seconds, 0.9);
  EXPECT_LT(seen.harness_seconds, 0.2 * seen.cpu_seconds);
  Observation sleeping = RunOrFail(executor, Shell("sleep 0.3"));
  EXPECT_GE(sleeping.wall_seconds, 0.3);
  EXPECT_LT(sleeping.cpu_seconds, 0.1);
  EXPECT_GT(sleeping.peak_memory_bytes, 100000u);
}

TEST(ExecutorTest, ManyThreadsAtOnce) {
  Workshop shop;
  Executor executor;
  executor.Prepare(8);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 30; ++i) {
        const std::string word = std::to_string(t * 1000 + i);
        auto seen = executor.Run(Shell("echo " + word + "; exit " + std::to_string(i)), {});
        if (!seen || seen->stdout_text != word + "\n" || seen->exit_code != i) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST(ExecutorTest, TwoExecutorsAreIndependent) {
  Executor one;
  {
    Executor two;
    EXPECT_TRUE(RunOrFail(two, {.argv = {"true"}}).Succeeded());
    EXPECT_TRUE(RunOrFail(one, {.argv = {"true"}}).Succeeded());
  }
  EXPECT_TRUE(RunOrFail(one, {.argv = {"true"}}).Succeeded());
}

TEST(ExecutorTest, StopEndsRunsInProgressAndLaterOnes) {
  Workshop shop;
  Executor executor;
  executor.Prepare(1);
  const std::string script = shop.Script("sleeper", "sleep 1000");
  std::thread stopper([&] {
    EXPECT_TRUE(WaitUntil([&] { return !ProcessesWith(script).empty(); }));
    executor.Stop();
  });
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(executor.Run({.argv = {script}}, {}).Ok());
  stopper.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(120));
  EXPECT_FALSE(executor.Run({.argv = {"true"}}, {}).Ok());
}

TEST(ExecutorTest, NoNetworkUnlessAsked) {
  Executor executor;
  auto containment = executor.Describe();
  ASSERT_TRUE(containment.Ok());
  if (!containment->network_namespace) GTEST_SKIP() << "no network namespaces here";
  // Only the loopback device is there, and it is down.
  Command devices{.argv = {"cat", "/proc/net/dev"}};
  const std::string inside = RunOrFail(executor, devices).stdout_text;
  EXPECT_EQ(std::count(inside.begin(), inside.end(), ':'), 1) << inside;
  Limits open;
  open.network = true;
  EXPECT_EQ(RunOrFail(executor, Shell("readlink /proc/self/ns/net"), open).stdout_text,
            std::filesystem::read_symlink("/proc/self/ns/net").string() + "\n");
  EXPECT_NE(RunOrFail(executor, Shell("readlink /proc/self/ns/net")).stdout_text,
            std::filesystem::read_symlink("/proc/self/ns/net").string() + "\n");
}

TEST(ExecutorTest, FilesLeftInTmpVanishButFoldersThereCanBeUsed) {
  Executor executor;
  auto containment = executor.Describe();
  ASSERT_TRUE(containment.Ok());
  if (!containment->private_tmp) GTEST_SKIP() << "no mount namespaces here";
  Workshop shop;
  auto folder = Scratch::Make("/tmp");  // made after the jail started
  ASSERT_TRUE(folder.Ok());
  const std::string path = folder->Path().string();
  Command command = Shell("echo 1 > /tmp/assay-left-over; mkdir /tmp/assay-left-folder; echo 2 > " + path +
                          "/kept; cat " + path + "/kept /tmp/assay-left-over");
  command.writable = {path};
  Observation seen = RunOrFail(executor, command);
  EXPECT_EQ(seen.stdout_text, "2\n1\n");
  EXPECT_EQ(seen.stderr_text, "");
  EXPECT_EQ(shop.NewInTmp("assay-left"), std::set<std::string>{});
  EXPECT_EQ(Slurp(folder->Path() / "kept"), "2\n");
  EXPECT_EQ(RunOrFail(executor, Shell("ls /tmp | grep assay-left")).stdout_text, "");
  // A folder that is replaced by another of the same name is seen anew.
  std::filesystem::remove_all(path);
  std::filesystem::create_directory(path);
  std::ofstream(path + "/fresh") << "3";
  EXPECT_EQ(RunOrFail(executor, Shell("cat " + path + "/fresh")).stdout_text, "3");
}

TEST(DescribeTest, ForPeople) {
  EXPECT_EQ(Describe(Observation{.ending = Ending::Exited, .exit_code = 3}), "exit 3");
  EXPECT_EQ(Describe(Observation{.ending = Ending::Signaled, .signal = 11}), "signal 11 (SIGSEGV)");
  EXPECT_EQ(SignalName(6), "SIGABRT");
  EXPECT_EQ(SignalName(900), "SIG900");
}

}  // namespace
}  // namespace assay::exec
