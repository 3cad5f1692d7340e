// An interpreter is its own compiler: a crash of it is found, made small, reproduced and replayed as one. A real Lua
// with a shell in front that crashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shell.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InterpreterTest : public ShellTest {
 protected:
  void SetUp() override {
    if (std::system("command -v lua5.4 >/dev/null") != 0) GTEST_SKIP() << "lua5.4 is not installed";
    Crash("kill -SEGV $$");
    Write("t.toml", "[[target]]\nname = 'mylua'\nkind = 'interpreter'\nlanguage = 'lua'\nrun = '" + Path("mylua") +
                        " {source}'\ncrashes = ['assertion failed in lgc.c']\nsmoke_program = 'print(42)'\n"
                        "smoke_output = \"42\\n\"\n");
  }

  // From now on the interpreter ends so, but for its smoke test.
  void Crash(const std::string& how) {
    Script("mylua", "grep -q '^print(42)' \"$1\" || { " + how + "; }\nexec lua5.4 \"$1\"");
  }

  Finished Fuzz(const std::string& targets, const std::string& more) {
    return Assay("fuzz --lang lua --targets-file t.toml --targets " + targets +
                 " --seed 1 --tests 2 --jobs 1 --dir c " + more);
  }

  fs::path OnlyBug() {
    fs::path bug;
    for (const auto& entry : fs::directory_iterator(folder_ / "c/bugs")) bug = entry.path();
    return bug;
  }
  int Reproduce() { return WEXITSTATUS(std::system((OnlyBug() / "repro.sh >/dev/null 2>&1").c_str())); }
};

// With nothing to compare with ("fixed", said replay), and beside an interpreter that is right ("changed").
TEST_F(InterpreterTest, ACrashIsSeenAgain) {
  for (const std::string targets : {"mylua", "mylua,lua5.4"}) {
    for (const std::string how : {"kill -SEGV $$", "echo 'mylua: assertion failed in lgc.c' >&2; exit 3"}) {
      SCOPED_TRACE(targets + ": " + how);
      Crash(how);
      ASSERT_EQ(Fuzz(targets, "--no-reduce").code, 1);
      EXPECT_EQ(Reproduce(), 0);
      const Finished again = Assay("replay c --targets-file t.toml");
      EXPECT_EQ(again.code, 1) << again.out;
      EXPECT_THAT(again.out, HasSubstr("1 still failing"));
      Crash("true");
      EXPECT_EQ(Reproduce(), 1);
      const Finished mended = Assay("replay c --targets-file t.toml");
      EXPECT_EQ(mended.code, 0) << mended.out;
      EXPECT_THAT(mended.out, HasSubstr("1 fixed"));
      fs::remove_all(folder_ / "c");
    }
  }
}

TEST_F(InterpreterTest, ACrashIsMadeSmall) {
  const Finished seen = Fuzz("mylua", "--reduce-time 30s");
  EXPECT_EQ(seen.code, 1) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("reduced: mylua-compiler-crash-"));
  EXPECT_THAT(seen.out, testing::Not(HasSubstr("failed")));
  ASSERT_TRUE(fs::exists(OnlyBug() / "reduced.lua")) << seen.out;
  EXPECT_LT(fs::file_size(OnlyBug() / "reduced.lua"), fs::file_size(OnlyBug() / "program.lua"));
  EXPECT_EQ(Reproduce(), 0);
}

}  // namespace
}  // namespace assay
