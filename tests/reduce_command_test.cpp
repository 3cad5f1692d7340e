// `assay reduce` as users run it: real processes, killed, interrupted, resumed; a compiler that is
// gcc except for one mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "choice/choices.hpp"
#include "emit/tokens.hpp"
#include "exec/scratch.hpp"
#include "gen/generate.hpp"
#include "lang/text.hpp"
#include "reduce/oracle.hpp"
#include "reduce/search.hpp"
#include "support/files.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kWrongRemainder = "sed -i 's| % | / |g' changed.c\n";
constexpr const char* kBuild = "exec gcc -w -O0 changed.c -o \"$2\"\n";

void WriteScript(const fs::path& path, const std::string& body) {
  ASSERT_TRUE(support::WriteFile(path, "#!/bin/sh\n" + body).Ok());
  fs::permissions(path, fs::perms::all);
}

struct Finished {
  int code = -1;
  std::string out, err;
};

class ReduceCommand : public testing::Test {
 protected:
  void SetUp() override {
    auto scratch = exec::Scratch::Make();
    ASSERT_TRUE(scratch.Ok());
    scratch_.emplace(std::move(scratch).Value());
    folder_ = scratch_->Path();
    out_ = folder_ / "out";
    ASSERT_TRUE(support::WriteFile(folder_ / "targets.toml", "[[target]]\nname = \"planted\"\ncompile = \"" +
                                                                 (folder_ / "cc").string() +
                                                                 " {source} {output}\"\ncrashes = [\"internal compiler "
                                                                 "error\"]\n")
                    .Ok());
  }

  void Plant(const std::string& action, const std::string& build = kBuild) {
    WriteScript(folder_ / "cc", "cp \"$1\" changed.c\n" + action + build);
  }

  // The model of a program that prints something wrong when the planted compiler compiles it.
  fs::path FailingModel() {
    target::Target target;
    target.name = "planted";
    target.compile = {(folder_ / "cc").string(), "{source}", "{output}"};
    target.crash_diagnostics = {"internal compiler error"};
    knobs::Knobs knobs;
    knobs.tokens = 500;
    knobs.globals = 6;
    exec::Executor executor;
    for (uint64_t seed = 1; seed < 500; ++seed) {
      const gen::Generated made = gen::Generate(seed, knobs, lang::DataModelKind::Lp64);
      auto seen = reduce::Judge(executor, {&target, {}})
                      .ObserveRuns({made.program, std::nullopt}, made.result, reduce::Look::Checksum, 4);
      const auto is_wrong = [](const reduce::Seen& one) { return one.verdict == oracle::Verdict::WrongOutput; };
      if (!seen || std::none_of(seen->begin(), seen->end(), is_wrong)) continue;
      EXPECT_TRUE(support::WriteFile(folder_ / "model.txt", lang::Save(made.program)).Ok());
      return folder_ / "model.txt";
    }
    ADD_FAILURE() << "no program fails";
    return {};
  }

  std::vector<std::string> Words(const fs::path& input, std::vector<std::string> more) {
    std::vector<std::string> words = {ASSAY_PROGRAM, "reduce", input.string(), "--targets-file",
                                      (folder_ / "targets.toml").string()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  pid_t Start(const std::vector<std::string>& words) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    if (freopen((folder_ / "stdout").c_str(), "w", stdout) == nullptr ||
        freopen((folder_ / "stderr").c_str(), "w", stderr) == nullptr)
      _exit(99);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(99);
  }
  Finished Wait(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    Finished finished;
    finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    finished.out = support::ReadFile(folder_ / "stdout").Value();
    finished.err = support::ReadFile(folder_ / "stderr").Value();
    return finished;
  }
  Finished Run(const fs::path& input, std::vector<std::string> more) {
    return Wait(Start(Words(input, std::move(more))));
  }

  std::string Report() {
    auto text = support::ReadFile(out_ / "reduced.c");
    return text ? *text : "none";
  }
  // The case on disk: must be one that loads.
  std::string Best() {
    auto text = support::ReadFile(out_ / reduce::kBestFile);
    if (!text) return {};
    EXPECT_TRUE(reduce::LoadCase(*text).Ok()) << *text;
    return *text;
  }

  std::optional<exec::Scratch> scratch_;
  fs::path folder_, out_;
};

TEST_F(ReduceCommand, PrintsAReportAndAResultForMachines) {
  Plant(kWrongRemainder);
  const fs::path model = FailingModel();
  const Finished people = Run(model, {"--target", "planted", "--quiet"});
  EXPECT_EQ(people.code, 1) << people.err;
  EXPECT_THAT(people.out, HasSubstr("expected: "));
  EXPECT_THAT(people.out, HasSubstr("__builtin_abort()"));
  EXPECT_THAT(people.err, HasSubstr(" compilations in "));
  const Finished machines = Run(model, {"--target", "planted", "--json"});
  const auto json = nlohmann::json::parse(machines.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << machines.out;
  EXPECT_EQ(json["verdict"], "wrong-output");
  EXPECT_EQ(json["source"], people.out);
  EXPECT_GT(json["compilations"], 0);
  EXPECT_LE(json["lines"], 30);
}

TEST_F(ReduceCommand, KilledAtAnyMomentItGoesOnFromTheBest) {
  Plant(kWrongRemainder);
  const fs::path model = FailingModel();
  choice::Choices choices(4);
  fs::path input = model;
  size_t size = SIZE_MAX / 2;
  // A step may trade a short text for a simpler program (an initialiser given, a loop unrolled): what is lost shows in
  // more than that.
  const auto most = [&] { return size + size / 8; };
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = Start(Words(input, {"--target", "planted", "--out", out_.string()}));
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + choices.Below(500)));
    kill(pid, SIGKILL);
    const Finished killed = Wait(pid);
    const std::string best = Best();
    if (!best.empty()) {
      EXPECT_LE(best.size(), most()) << "something was lost";
      size = best.size();
      input = out_;
    }
    if (killed.code < 1000) break;  // it had finished
  }
  const Finished last = Run(input, {"--target", "planted", "--out", out_.string()});
  EXPECT_EQ(last.code, 1) << last.err;
  EXPECT_LE(Best().size(), most());
  EXPECT_THAT(Report(), HasSubstr("wrong-output"));
}

TEST_F(ReduceCommand, InterruptedItLeavesTheBestAndGoesOnWithoutFlags) {
  Plant(std::string("sleep 0.1\n") + kWrongRemainder);
  const pid_t pid = Start(Words(FailingModel(), {"--target", "planted", "--out", out_.string()}));
  for (int i = 0; i < 600 && !fs::exists(out_ / reduce::kBestFile); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(pid, SIGINT);
  const Finished stopped = Wait(pid);
  EXPECT_EQ(stopped.code, 1) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped early"));
  EXPECT_THAT(Report(), HasSubstr("wrong-output"));
  const size_t size = Best().size();
  Plant(kWrongRemainder);
  const Finished resumed = Run(out_, {"--out", out_.string()});
  EXPECT_EQ(resumed.code, 1) << resumed.err;
  EXPECT_THAT(resumed.err, testing::Not(HasSubstr("stopped early")));
  EXPECT_LT(Best().size(), size);
}

TEST_F(ReduceCommand, StopsAtTheTimeLimit) {
  Plant(std::string("sleep 0.2\n") + kWrongRemainder);
  const Finished stopped = Run(FailingModel(), {"--target", "planted", "--seconds", "0.1"});
  EXPECT_EQ(stopped.code, 1) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped early"));
}

TEST_F(ReduceCommand, KeepsTheBugUnlessAnyWillDo) {
  // Wrong remainders; and whoever drops too much of the program meets a crash.
  Plant(std::string("[ $(wc -c <changed.c) -lt 2500 ] && { echo 'internal compiler error: in "
                    "tiny' >&2; exit 1; }\n") +
        kWrongRemainder);
  const fs::path model = FailingModel();
  const Finished same = Run(model, {"--target", "planted", "--json"});
  EXPECT_EQ(nlohmann::json::parse(same.out)["verdict"], "wrong-output");
  const Finished any = Run(model, {"--target", "planted", "--json", "--any-bug"});
  const auto json = nlohmann::json::parse(any.out);
  EXPECT_LT(json["tokens"], nlohmann::json::parse(same.out)["tokens"]);
}

TEST_F(ReduceCommand, FlakyBugs) {
  Plant("gcc -w -O0 changed.c -o good || exit 1\n" + std::string(kWrongRemainder),
        "gcc -w -O0 changed.c -o bad || exit 1\n"
        "printf '#!/bin/sh\\n[ $(od -An -N1 -tu1 /dev/urandom) -lt 100 ] && exec ./good "
        "\"$@\"\\nexec "
        "./bad \"$@\"\\n' >\"$2\"\nchmod +x \"$2\"\n");
  const Finished done = Run(FailingModel(), {"--target", "planted", "--json"});
  ASSERT_EQ(done.code, 1) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_TRUE(json["finished"]);
  EXPECT_LE(json["lines"], 30) << json["source"];
  EXPECT_THAT(json["source"].get<std::string>(), HasSubstr(" % "));
}

TEST_F(ReduceCommand, TakesTheFolderOfABug) {
  Plant(kWrongRemainder);
  const fs::path model = FailingModel();
  ASSERT_TRUE(support::WriteFile(folder_ / "bug.json", R"({"target": "planted", "flags": "-O2"})").Ok());
  const Finished done = Run(folder_, {"--quiet"});
  EXPECT_EQ(done.code, 1) << done.err;
  EXPECT_THAT(done.out, HasSubstr("flags: -O2"));
}

TEST_F(ReduceCommand, ExplainsWhereItGoesWrong) {
  Plant(kWrongRemainder);
  const Finished done = Run(FailingModel(), {"--target", "planted", "--quiet", "--explain"});
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("is first wrong after `"));
}

TEST_F(ReduceCommand, SaysWhatIsWrong) {
  Plant("");
  ASSERT_TRUE(
      support::WriteFile(folder_ / "model.txt", lang::Save(gen::Generate(1, {}, lang::DataModelKind::Lp64).program))
          .Ok());
  const Finished right = Run(folder_ / "model.txt", {"--target", "planted"});
  EXPECT_EQ(right.code, 0);
  EXPECT_THAT(right.err, HasSubstr("does not show the bug"));
  EXPECT_EQ(Run(folder_ / "model.txt", {}).code, 2);
  EXPECT_EQ(Run(folder_ / "nothing.txt", {"--target", "planted"}).code, 2);
}

constexpr const char* kToolSeconds = "12";  // cvise takes its time even for five lines

TEST_F(ReduceCommand, ForeignFilesWithATest) {
  if (std::system("command -v cvise >/dev/null") != 0) GTEST_SKIP() << "needs cvise";
  const fs::path file = folder_ / "foreign.c";
  ASSERT_TRUE(support::WriteFile(file,
                                 "int a, b;\nint f(int x) { return x % 7; }\nint main(void) "
                                 "{ b = 1;\n a = f(12); return 0; }\n")
                  .Ok());
  WriteScript(folder_ / "test.sh", "grep -q '% 7' foreign.c && gcc -w -c foreign.c -o x.o\n");
  const size_t before = fs::file_size(file);
  const Finished done = Run(file, {"--test", (folder_ / "test.sh").string(), "--seconds", kToolSeconds});
  EXPECT_EQ(done.code, 1) << done.err;
  const std::string text = support::ReadFile(file).Value();
  EXPECT_THAT(text, HasSubstr("% 7"));
  EXPECT_LT(text.size(), before) << text;
  WriteScript(folder_ / "test.sh", "exit 1\n");
  const Finished insane = Run(file, {"--test", (folder_ / "test.sh").string()});
  EXPECT_EQ(insane.code, 2);
  EXPECT_THAT(insane.err, HasSubstr("does not find the files interesting"));
}

TEST_F(ReduceCommand, ForeignFilesWithTheTestMadeHere) {
  Plant("sed -i 's| % | / |g' changed.c\n");
  if (std::system("command -v cvise >/dev/null") != 0) GTEST_SKIP() << "needs cvise";
  const fs::path file = folder_ / "foreign.c";
  ASSERT_TRUE(support::WriteFile(file,
                                 "int printf(const char *, ...);\nint a = 12, b;\nint f(int x) {\n  "
                                 "return x % 7;\n}\nint main(void) {\n  b = 1;\n  a = f(a);\n  "
                                 "printf(\"%d\\n\", a);\n  return 0;\n}\n")
                  .Ok());
  const size_t before = emit::CountTokens(support::ReadFile(file).Value());
  const Finished done = Run(file, {"--target", "planted", "--seconds", kToolSeconds});
  EXPECT_EQ(done.code, 1) << done.err;
  const std::string text = support::ReadFile(file).Value();
  EXPECT_THAT(text, HasSubstr(" % "));
  EXPECT_LE(emit::CountTokens(text), before) << text;  // not bytes: the tool may be stopped while it indents
}

}  // namespace
}  // namespace assay
