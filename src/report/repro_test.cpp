// repro.sh, run for real by dash and bash, with made-up and with real compilers.
#include "report/repro.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "report/test_support.hpp"
#include "report/words.hpp"

namespace assay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReproTest : public ReportTest {};

TEST_F(ReproTest, ScriptTellsAWrongOutputFromARightOne) {
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 2")), 0) << log_;
  fs::remove_all(folder_ / "bugs");
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 1")), 1) << log_;
}

TEST_F(ReproTest, ScriptSeesAWrongExitCode) {
  EXPECT_EQ(Reproduce(RunBug("wrong-output", "echo 1; exit 7")), 0) << log_;
  EXPECT_THAT(log_, HasSubstr("exit code is 7"));
}

TEST_F(ReproTest, ScriptSeesAProgramThatDiesOrHangs) {
  EXPECT_EQ(Reproduce(RunBug("program-crash", "kill -SEGV $$")), 0) << log_;
  EXPECT_EQ(Reproduce(RunBug("program-hang", "sleep 60")), 0) << log_;
}

// What happens now is held against what happened then.
TEST_F(ReproTest, AnotherWrongEndIsNotTheBug) {
  struct Row {
    const char *kind, *ending, *does;
    int code;
    const char* says;
  };
  const Row rows[] = {
      {"wrong-output", "exit 0", "echo 2", 0, "reproduced: the output is wrong"},
      {"wrong-output", "exit 0", "echo 3", 0, "though not as when it was found"},
      {"wrong-output", "exit 0", "echo 2; kill -SEGV $$", 1, "something else is wrong: the program died by signal 11"},
      {"wrong-output", "signal 6 (SIGABRT)", "kill -ABRT $$", 0, "reproduced: the program died by signal 6"},
      {"wrong-output", "signal 6 (SIGABRT)", "echo 2", 1, "something else is wrong: the output is wrong"},
      {"wrong-output", "exit 139", "echo 2; exit 139", 0, "reproduced"},
      {"wrong-output", "exit 7", "echo 1; exit 7", 0, "reproduced, or so"},
      {"program-crash", "signal 11 (SIGSEGV)", "kill -SEGV $$", 0, "died by signal 11"},
      {"program-crash", "signal 11 (SIGSEGV)", "kill -ABRT $$", 0, "signal 6, though not as when it was found"},
      {"program-crash", "signal 11 (SIGSEGV)", "echo 2", 1, "something else is wrong: the output is wrong"},
      {"program-hang", "timed out", "kill -SEGV $$", 1, "something else is wrong: the program died"},
      {"program-hang", "timed out", "sleep 60", 0, "does not end"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.kind + std::string(", ") + row.ending + ": " + row.does);
    store::Bug bug = RunBug(row.kind, row.does);
    bug.ending = row.ending;
    EXPECT_EQ(Reproduce(bug), row.code) << log_;
    if (row.says != std::string("reproduced, or so")) EXPECT_THAT(log_, HasSubstr(row.says));
    if (row.says == std::string("reproduced: the output is wrong")) EXPECT_THAT(log_, Not(HasSubstr("though")));
    fs::remove_all(folder_ / "bugs");
  }
}

TEST_F(ReproTest, AnExitCodeIsNoSignal) {
  store::Bug bug = RunBug("program-crash", "exit 255");
  std::erase_if(bug.files, [](const auto& file) { return file.role == "expected"; });
  EXPECT_EQ(Reproduce(bug), 1) << log_;
  EXPECT_EQ(Reproduce(ScriptBug("compiler-crash", "echo no >&2; exit 255\n")), 1) << log_;
}

TEST_F(ReproTest, ScriptSeesWhatTheCompilerDoes) {
  store::Bug ice = ScriptBug("compiler-crash", "echo 'internal compiler error: in foo' >&2; exit 4\n");
  ice.evidence = "internal compiler error";
  EXPECT_EQ(Reproduce(ice), 0) << log_;
  ice.name = "other", ice.files[1].content = "exit 1\n";
  EXPECT_EQ(Reproduce(ice), 1) << "fails in another way";
  EXPECT_EQ(Reproduce(ScriptBug("compiler-crash", "kill -SEGV $$\n")), 0) << log_;
  store::Bug silent = ScriptBug("compiler-crash", "exit 1\n");
  silent.name = "silent";
  EXPECT_EQ(Reproduce(silent), 0) << log_;
  EXPECT_EQ(Reproduce(ScriptBug("compiler-hang", "sleep 60\n")), 0) << log_;
  EXPECT_EQ(Reproduce(ScriptBug("rejected-valid", "echo no >&2; exit 1\n")), 0) << log_;
}

// As the campaign runs it: with nobody there to type.
TEST_F(ReproTest, NobodyTypesAnything) {
  EXPECT_EQ(Reproduce(ScriptBug("compiler-crash", "read line && exit 0; kill -SEGV $$\n"), "yes yes |"), 0) << log_;
}

// As the campaign runs it: in the language that its diagnostics were seen in.
TEST_F(ReproTest, TheUsersLanguageAndShellSettingsDoNotMatter) {
  store::Bug bug = ScriptBug("rejected-valid",
                             "case \"$LC_ALL\" in C) echo 'error: no' ;; *) echo 'Fehler: nein' ;; esac >&2; exit 1\n");
  bug.evidence = "error: no";
  EXPECT_EQ(Reproduce(bug, "LC_ALL=de_DE.UTF-8"), 0) << log_;
  // A relative path, with folders that `cd` would rather look in, and then say so.
  const std::string line = "cd " + folder_.string() + " && CDPATH=/tmp:" + folder_.string() +
                           " dash bugs/fake-rejected-valid/repro.sh >log 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 0) << support::ReadFile(folder_ / "log").Value();
}

// "exit code 139; nothing to compare with" is not what a crash of an interpreter is.
TEST_F(ReproTest, AnInterpreterThatCrashes) {
  for (const std::string how : {"kill -SEGV $$", "echo 'assertion failed' >&2; exit 3"}) {
    for (const bool compared : {false, true}) {
      store::Bug bug = RunBug("compiler-crash", "");
      bug.language = "lua";
      bug.compile_command.clear();
      bug.evidence = how[0] == 'k' ? "" : "assertion failed";
      bug.run_command = "sh ./interpreter";
      if (!compared) std::erase_if(bug.files, [](const auto& file) { return file.role == "expected"; });
      bug.files.push_back({"header", "interpreter", how + "\n"});
      EXPECT_EQ(Reproduce(bug), 0) << how << log_;
      EXPECT_THAT(log_, HasSubstr("the interpreter"));
      fs::remove_all(folder_ / "bugs");
      bug.files.back().content = "echo other; exit 1\n";
      EXPECT_EQ(Reproduce(bug), 1) << how << log_;
      fs::remove_all(folder_ / "bugs");
    }
  }
}

// Whatever else the compiler makes, and without a shell that is given garbage.
TEST_F(ReproTest, AProgramThatCannotBeStarted) {
  auto made_by = [&](const std::string& compiler) {
    fs::remove_all(folder_ / "bugs");
    store::Bug bug = ScriptBug("compiler-crash", "");
    bug.run_command = "./program";
    bug.files[1].content = compiler;
    return Reproduce(bug);
  };
  const std::string ran = (folder_ / "ran").string();
  for (const std::string& compiler :
       {"echo 'touch " + ran + "' >program; chmod +x program\n", std::string(": >program; chmod +x program\n"),
        std::string("printf '#!/bin/sh\\n' >program\n"),
        std::string("head -c 999 /dev/zero >program; chmod +x program\n")}) {
    EXPECT_EQ(made_by(compiler), 0) << compiler << log_;
    EXPECT_THAT(log_, HasSubstr("reproduced: the program cannot be started"));
  }
  EXPECT_FALSE(fs::exists(ran));
  EXPECT_EQ(made_by("printf '#!/bin/sh\\n' >program; chmod +x program\n"), 1) << log_;
}

TEST_F(ReproTest, ScriptWithoutItsCompilerSaysSo) {
  store::Bug bug = ScriptBug("rejected-valid", "");
  bug.compile_command = "no-such-compiler program.c";
  EXPECT_EQ(Reproduce(bug), 3);
  EXPECT_THAT(log_, HasSubstr("not installed: no-such-compiler"));
}

// Where ./dev compilers puts what is no package: assay finds it there, and so does whoever runs the script.
TEST_F(ReproTest, TheFolderOfMoreCompilersIsLookedAt) {
  const fs::path compilers = folder_ / "my compilers";
  fs::create_directories(compilers / "bin");
  ASSERT_TRUE(support::WriteFile(compilers / "bin/clang-99", "#!/bin/sh\nexec sh compiler.sh \"$@\"\n").Ok());
  fs::permissions(compilers / "bin/clang-99", fs::perms::owner_all);
  store::Bug bug = ScriptBug("rejected-valid", "echo no >&2; exit 1\n");
  bug.compile_command = "clang-99 program.c -o ./program";
  EXPECT_EQ(Reproduce(bug, "ASSAY_COMPILERS=/nowhere"), 3) << log_;
  EXPECT_EQ(Reproduce(bug, "ASSAY_COMPILERS=" + ShellQuote(compilers.string())), 0) << log_;
  EXPECT_EQ(Reproduce(bug, "XDG_DATA_HOME=" + ShellQuote(compilers.string())), 3) << log_;
}

constexpr int64_t kMegabyte = 1 << 20;

// As the campaign stores a find that a limit ended.
store::Bug Limited(store::Bug bug, const std::string& ended_by) {
  bug.name += ended_by;
  bug.ended_by = ended_by;
  bug.timeout_ms = 20000;
  bug.cpu_ms = 20000;
  bug.memory_bytes = 64 * kMegabyte;
  bug.address_bytes = 640 * kMegabyte;
  bug.file_bytes = 2 * kMegabyte;
  bug.output_bytes = kMegabyte;
  bug.processes = 16;
  return bug;
}

const std::string kEatMemory = "exec awk \"BEGIN { while (1) a[n++] = n \\\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\\" }\"";
const std::string kManyProcesses = "for i in 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l; do sleep 5 & done; wait";

TEST_F(ReproTest, FindsByALimitAreFoundByTheSameLimit) {
  struct Row {
    const char* ended_by;
    std::string does;
    const char* says;
  };
  const Row rows[] = {{"memory-limit", kEatMemory, "more than 64 MB of memory"},
                      {"output-limit", "exec yes", "writes more than 1048576 bytes"},
                      {"output-limit", "yes >&2", "writes more than 1048576 bytes"},
                      {"file-limit", "yes >big", "writes a file of more than 2 MB"},
                      {"process-limit", kManyProcesses, "more than 16 processes"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.ended_by + std::string(": ") + row.does);
    store::Bug compiler = Limited(ScriptBug("compiler-hang", row.does + "\n"), row.ended_by);
    EXPECT_EQ(Reproduce(compiler), 0) << log_;
    EXPECT_THAT(log_, HasSubstr(row.says));
    // And a compiler that behaves.
    compiler.name += "-good";
    compiler.files[1].content = "echo fine; : >program\n";
    EXPECT_EQ(Reproduce(compiler), 1) << log_;

    store::Bug program = Limited(ScriptBug("program-hang", "cp run.sh program; chmod +x program\n"), row.ended_by);
    program.files.push_back({"header", "run.sh", "#!/bin/sh\n" + row.does + "\n"});
    program.run_command = "./program";
    EXPECT_EQ(Reproduce(program), 0) << log_;
    EXPECT_THAT(log_, HasSubstr(row.says));
    fs::remove_all(folder_ / "bugs");
  }
}

TEST_F(ReproTest, ARunawayOutputIsNeitherKeptNorShown) {
  store::Bug bug = Limited(RunBug("program-hang", "yes"), "output-limit");
  EXPECT_EQ(Reproduce(bug), 0);
  EXPECT_LT(log_.size(), 20000u);
}

TEST_F(ReproTest, NamesAndFlagsAreWordsAndNothingMore) {
  const std::string evil[] = {"a b",
                              "it's",
                              "say \"x\"",
                              "$(touch /tmp/assay_injected)",
                              "`touch /tmp/assay_injected`",
                              "x\ntouch /tmp/assay_injected\n",
                              "; touch /tmp/assay_injected;",
                              "*",
                              "a=b",
                              "\\",
                              "~"};
  for (const std::string& word : evil) {
    SCOPED_TRACE(word);
    fs::path compiler = folder_ / "tools" / word / "cc";
    fs::create_directories(compiler.parent_path());
    ASSERT_TRUE(support::WriteFile(compiler,
                                   "#!/bin/sh\ngrep -q mark program.c || { : >program; exit; }\n"
                                   "[ \"$1\" = \"$(cat flag)\" ] || { echo wrong flag; exit 0; }\n"
                                   "echo 'error: no' >&2; exit 1\n")
                    .Ok());
    fs::permissions(compiler, fs::perms::owner_all);
    store::Bug bug = ScriptBug("rejected-valid", "");
    // The shell takes line ends off the end of what `cat` prints.
    std::string flag = word.substr(0, word.find_last_not_of('\n') + 1);
    bug.compile_command = ShellQuote(compiler.string()) + " " + ShellQuote(flag) + " program.c";
    bug.configuration = bug.title = "fake " + word;
    bug.evidence = "error: no";
    bug.files.push_back({"header", "flag", flag});
    EXPECT_EQ(Reproduce(bug), 0) << log_;
    // The program to be there is the whole path.
    fs::remove(compiler);
    EXPECT_EQ(Reproduce(bug), 3) << log_;
    fs::remove_all(folder_ / "bugs");
  }
  EXPECT_FALSE(fs::exists("/tmp/assay_injected"));
}

TEST_F(ReproTest, WithoutAnAssemblerItCannotRun) {
  if (::access("/usr/bin/gcc", X_OK) != 0) GTEST_SKIP() << "no gcc here";
  // The same tools, without `as`.
  fs::path tools = folder_ / "tools";
  fs::create_directories(tools);
  for (const char* place : {"/usr/bin", "/bin"}) {
    for (const auto& entry : fs::directory_iterator(place)) {
      std::string name = entry.path().filename();
      std::error_code ignored;
      if (name != "as" && !name.ends_with("-as")) fs::create_symlink(entry.path(), tools / name, ignored);
    }
  }
  store::Bug bug = ScriptBug("rejected-valid", "");
  bug.timeout_ms = 20000;
  bug.compile_command = "gcc program.c -o ./program";
  EXPECT_EQ(Reproduce(bug), 1) << log_;
  EXPECT_EQ(Reproduce(bug, "PATH=" + tools.string()), 3) << log_;
  EXPECT_THAT(log_, HasSubstr("does not even compile an empty program"));
  bug.kind = "compiler-crash", bug.name = "crash";
  EXPECT_EQ(Reproduce(bug, "PATH=" + tools.string()), 3) << log_;
}

TEST_F(ReproTest, WhereProgramsCannotBeStartedItCannotRun) {
  fs::path noexec = folder_ / "noexec";
  fs::create_directories(noexec);
  if (::mount("none", noexec.c_str(), "tmpfs", MS_NOEXEC, "size=8m") != 0) {
    GTEST_SKIP() << "cannot mount a tmpfs here (needs root): a folder without programs is not tested";
  }
  for (const char* kind : {"wrong-output", "program-crash", "compiler-crash"}) {
    store::Bug bug = RunBug(kind, "echo 1");
    EXPECT_EQ(Reproduce(bug), 1) << log_;
    EXPECT_EQ(Reproduce(bug, "TMPDIR=" + noexec.string()), 3) << log_;
    EXPECT_THAT(log_, HasSubstr("TMPDIR"));
  }
  ::umount(noexec.c_str());
}

// A library or the interpreter of a wrapper is missing: that is no rejection, whatever the find was told by.
TEST_F(ReproTest, ACompilerThatCannotWorkHereRejectsNothing) {
  for (const char* kind : {"rejected-valid", "compiler-crash"}) {
    for (const int code : {1, 126, 127}) {
      store::Bug bug = ScriptBug(kind, "");
      bug.files[1].content = "echo 'error while loading shared libraries' >&2; exit " + std::to_string(code) + "\n";
      EXPECT_EQ(Reproduce(bug), 3) << kind << " " << code << log_;
      EXPECT_THAT(log_, HasSubstr("does not even compile an empty program"));
    }
  }
}

// A slow machine, or a busy one, or an emulator: neither reproduced nor fixed.
TEST_F(ReproTest, WhatDoesNotEndInTimeIsNoOtherBug) {
  for (const char* kind : {"wrong-output", "program-crash"}) {
    for (const char* slow : {"sleep 60", "trap : TERM; while :; do :; done"}) {
      store::Bug bug = RunBug(kind, slow);
      bug.cpu_ms = 20000;
      EXPECT_EQ(Reproduce(bug), 3) << kind << ": " << slow << log_;
      EXPECT_THAT(log_, HasSubstr("does not end within 1 s"));
      fs::remove_all(folder_ / "bugs");
    }
    store::Bug bug = RunBug(kind, "while :; do :; done");
    bug.timeout_ms = 20000;
    bug.cpu_ms = 1000;
    EXPECT_EQ(Reproduce(bug), 3) << kind << log_;
  }
  for (const char* kind : {"rejected-valid", "compiler-crash"}) {
    store::Bug bug = ScriptBug(kind, "echo slowly; sleep 60\n");
    EXPECT_EQ(Reproduce(bug), 3) << kind << log_;
    // That is how it was found: then it is what is looked for.
    bug.name += "-killed";
    bug.files[1].content.replace(bug.files[1].content.find("echo slowly"), std::string::npos,
                                 "echo slowly; exit 137\n");
    EXPECT_EQ(Reproduce(bug), 3) << kind << log_;
    bug.ending = "exit 137", bug.ended_by = "exited";
    bug.name += "-as-before";
    EXPECT_EQ(Reproduce(bug), 0) << kind << log_;
  }
  store::Bug interpreter = RunBug("compiler-crash", "");
  interpreter.language = "lua";
  interpreter.compile_command.clear();
  interpreter.run_command = "sh ./interpreter";
  interpreter.files.push_back({"header", "interpreter", "trap : TERM; while :; do :; done\n"});
  EXPECT_EQ(Reproduce(interpreter), 3) << log_;
}

TEST_F(ReproTest, WithoutRoomAnOutputIsNotWrong) {
  fs::path small = folder_ / "small";
  fs::create_directories(small);
  if (::mount("none", small.c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "cannot mount a small tmpfs here (needs root): a full disk is not tested";
  }
  store::Bug bug = RunBug("wrong-output", "echo 1");
  EXPECT_EQ(Reproduce(bug, "TMPDIR=" + small.string()), 1) << log_;
  bug.name += "-full";
  bug.files[1].content += "cat /dev/zero >fill 2>/dev/null; true\n";
  EXPECT_EQ(Reproduce(bug, "TMPDIR=" + small.string()), 3) << log_;
  EXPECT_THAT(log_, HasSubstr("no room"));
  ::umount(small.c_str());
}

TEST_F(ReproTest, WithoutItsInterpreterItCannotRun) {
  store::Bug bug = RunBug("wrong-output", "echo 2");
  bug.language = "lua";
  bug.compile_command.clear();
  for (const char* command : {"no-such-lua program.c", "env A=b no-such-lua program.c", "sh -c 'exec no-such-lua'"}) {
    bug.run_command = command;
    EXPECT_EQ(Reproduce(bug), 3) << command << log_;
  }
}

TEST_F(ReproTest, AServiceIsStartedAndEnded) {
  store::Bug bug = RunBug("wrong-output", "");
  bug.language = "sql";
  bug.compile_command.clear();
  bug.service_start = "sh -c 'echo 2 >'\\''{service}'\\''/answer; exec sleep 98765'";
  bug.service_ready = "test -e '{service}/answer'";
  bug.run_command = "cat '{service}/answer'";
  EXPECT_EQ(Reproduce(bug), 0) << log_;
  EXPECT_NE(std::system("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -q 'sleep [9]8765'"), 0)
      << "the server is still there";
  bug.service_start = "false";
  EXPECT_EQ(Reproduce(bug), 3) << log_;
}

TEST_F(ReproTest, WhatTheCompilerSaysDoesNotReachTheTerminalRaw) {
  store::Bug bug = ScriptBug("rejected-valid", "printf '\\033]0;owned\\007\\233 error: no' >&2; exit 1\n");
  bug.title = "\033[2Jtitle\nrm -rf /";
  EXPECT_EQ(Reproduce(bug), 0) << log_;
  EXPECT_THAT(log_, Not(HasSubstr("\033")));
  EXPECT_THAT(log_, Not(HasSubstr("\233")));
  EXPECT_THAT(ReproScript(bug, Form::Original), Not(HasSubstr("\033")));
}

// Every kind of find that there is, with what makes a script different.
std::vector<store::Bug> AllKindsOfFinds() {
  std::vector<store::Bug> bugs;
  for (const char* kind : {"compiler-crash", "compiler-hang", "rejected-valid", "suspect", "flaky"}) {
    for (const char* ended_by :
         {"exited", "timed-out", "output-limit", "file-limit", "memory-limit", "process-limit"}) {
      for (const char* evidence : {"", "error: it's `$(x)` \"bad\"\nnext"}) {
        bugs.push_back(Limited(ScriptBug(kind, ""), ended_by));
        bugs.back().evidence = evidence;
        bugs.back().configuration = "gcc 'a b' \\ $x\nsecond line";
      }
      bugs.push_back(Limited(RunBug(kind, ""), ended_by));
    }
  }
  for (const char* kind : {"wrong-output", "program-crash", "program-hang"}) {
    for (const char* ended_by : {"", "exited", "signaled", "output-limit", "memory-limit"}) {
      bugs.push_back(Limited(RunBug(kind, ""), ended_by));
      // Split programs: several files, a header, an emulator.
      bugs.push_back(bugs.back());
      bugs.back().files.push_back({"program", "init.c", ""});
      bugs.back().files.push_back({"program", "strange name's.c", ""});
      bugs.back().files.push_back({"header", "program.h", ""});
      bugs.back().compile_command = "env 'A=b c' '/opt/my cc/gcc' -O2 program.c init.c -o ./program";
      bugs.back().run_command = "qemu-arm -L '/x y' ./program <input";
      // An interpreter, with and without a server.
      bugs.push_back(RunBug(kind, ""));
      bugs.back().compile_command.clear();
      bugs.back().language = "sql";
      bugs.back().run_command = "sh -c 'psql -h '\\''{service}'\\'' -f \"$1\"' postgresql program.sql";
      bugs.push_back(bugs.back());
      bugs.back().service_start = "sh -c 'exec postgres -D '\\''{service}'\\'''";
      bugs.back().service_ready = "psql -h '{service}' -c 'SELECT 1'";
    }
  }
  return bugs;
}

TEST_F(ReproTest, ScriptsPassShellcheck) {
  if (std::system("command -v shellcheck >/dev/null") != 0) GTEST_SKIP() << "shellcheck is not installed here";
  std::string files;
  int number = 0;
  for (const store::Bug& bug : AllKindsOfFinds()) {
    fs::path file = folder_ / (std::to_string(number++) + ".sh");
    ASSERT_TRUE(support::WriteFile(file, ReproScript(bug, Form::Original), support::Durability::Process).Ok());
    EXPECT_EQ(std::system(("dash -n " + file.string() + " && bash -n " + file.string()).c_str()), 0) << file;
    files += " " + file.string();
  }
  int status = std::system(("shellcheck" + files + " >" + folder_.string() + "/log 2>&1").c_str());
  EXPECT_EQ(status, 0) << support::ReadFile(folder_ / "log").Value().substr(0, 5000);
}

}  // namespace
}  // namespace assay::report
