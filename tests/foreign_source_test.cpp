// Programs of a foreign generator through a whole campaign: judged by comparing configurations, and
// the finds reduced by C-Vise or C-Reduce where one is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "reduce/foreign.hpp"
#include "store/store.hpp"
#include "support/files.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class ForeignSourceTest : public testing::Test {
 protected:
  ForeignSourceTest() {
    char name[] = "/tmp/assay_foreign_XXXXXX";
    folder_ = mkdtemp(name);
    campaign_ = folder_ / "campaign";
    Script("make",
           "cat <<END\n"
           "#include <stdio.h>\n"
           "static int unused_$1(int x) { return x * 2; }\n"
           "static int twice(int x) { int y = x + x; return y; }\n"
           "static int mixed(int a, int b) { return a ^ b; }\n"
           "int main(void) {\n"
           "  int i, sum = 0;\n"
           "  for (i = 0; i < 10; ++i) sum += twice(i);\n"
           "  sum = mixed(sum, $1 + 100);\n"
           "  printf(\"%d\\n\", sum);\n"
           "  return 0;\n"
           "}\nEND\n");
  }
  ~ForeignSourceTest() override { fs::remove_all(folder_); }

  std::string Script(const std::string& name, const std::string& body) {
    const fs::path path = folder_ / name;
    EXPECT_TRUE(support::WriteFile(path, "#!/bin/sh\n" + body).Ok());
    fs::permissions(path, fs::perms::all);
    return path.string();
  }

  // A campaign over gcc and `compiler`, a wrapper of it; its bugs.
  std::vector<store::Bug> Fuzz(const std::string& compiler) {
    const fs::path targets = folder_ / "targets.toml";
    EXPECT_TRUE(support::WriteFile(targets, "[[target]]\nname = 'planted'\ncompile = '" + compiler +
                                                " {flags} {source} -o {output}'\n"
                                                "crashes = ['internal compiler error']\n"
                                                "[[target]]\nname = 'a'\ncompile = 'gcc -w -O0 "
                                                "{source} -o {output}'\n"
                                                "[[target]]\nname = 'b'\ncompile = 'gcc -w -O1 "
                                                "{source} -o {output}'\n")
                    .Ok());
    const std::string command = std::string(ASSAY_PROGRAM) + " fuzz --dir " + campaign_.string() +
                                " --seed 1 --tests 2 --jobs 2 --reduce-time 40s --targets planted,a,b --targets-file " +
                                targets.string() + " --source-cmd '" + (folder_ / "make").string() + " {seed}' > " +
                                (folder_ / "log").string() + " 2>&1";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << Log();
    auto store = std::move(store::Store::Open(campaign_.string())).Value();
    EXPECT_EQ(store->Totals()->tests, 2);
    return store->Bugs(true).Value();
  }

  // The one bug is small and its script shows it.
  void ExpectReduced(const std::vector<store::Bug>& bugs, const std::string& kind) {
    ASSERT_EQ(bugs.size(), 1u) << Log();
    EXPECT_EQ(bugs[0].kind, kind);
    EXPECT_EQ(bugs[0].target, "planted");
    EXPECT_EQ(bugs[0].count, 2);
    const fs::path folder = campaign_ / "bugs" / bugs[0].name;
    EXPECT_EQ(std::system(("sh " + (folder / "repro.sh").string() + " >/dev/null 2>&1").c_str()), 0);
    if (reduce::InstalledTool().empty()) GTEST_SKIP() << "neither cvise nor creduce is installed";
    ASSERT_TRUE(bugs[0].reduction.has_value()) << Log();
    EXPECT_EQ(bugs[0].reduction->state, "done") << bugs[0].reduction->note;
    auto reduced = support::ReadFile(folder / "reduced.c");
    ASSERT_TRUE(reduced.Ok()) << Log();
    // How far the tool gets in its time depends on the machine and on what else it does; that far it always gets.
    EXPECT_THAT(*reduced, testing::Not(testing::HasSubstr("unused"))) << bugs[0].reduction->note;
    EXPECT_THAT(*reduced, testing::HasSubstr("^"));
    EXPECT_FALSE(fs::exists(campaign_ / "reducing"));
  }

  std::string Log() { return support::ReadFile(folder_ / "log").Value(); }

  fs::path folder_, campaign_;
};

TEST_F(ForeignSourceTest, ACrashIsReduced) {
  ExpectReduced(Fuzz(Script("cc",
                            "for word; do case $word in *.c) if grep -q ' ^ ' $word; then\n"
                            "echo 'error: internal compiler error: in fold' >&2; exit 4; fi;; esac; "
                            "done\nexec gcc -w \"$@\"\n")),
                "compiler-crash");
}

TEST_F(ForeignSourceTest, WrongOutputIsReduced) {
  ExpectReduced(Fuzz(Script("cc",
                            "for word; do [ \"$last\" = -o ] && output=$word\n"
                            "case $word in *.c) sed 's/ ^ / | /' $word > wrong.c;; esac\n"
                            "last=$word; done\nexec gcc -w wrong.c -o $output\n")),
                "wrong-output");
}

// Programs that mean nothing, each seen by another check: a mismatch over them is no bug.
struct Undefined {
  const char* name;
  const char* body;
};
constexpr Undefined kUndefined[] = {
    {"Overflow", "int x = 2147483647; volatile int one = 1; printf(\"%d\\n\", x + one > x);"},
    {"Uninitialised", "int a[4]; int *p = a; if (p[2] & 1) printf(\"odd\\n\"); else printf(\"even\\n\");"},
    {"OutOfBounds", "int a[4] = {1, 2, 3, 4}; volatile int i = 4; printf(\"%d\\n\", a[i] == 5);"},
    {"OrderOfArguments", "printf(\"%d %d\\n\", next(), next());"},
    {"ConflictingWrites", "int i = 1; i = i++ + next() * i++; printf(\"%d\\n\", i);"},
};

class UndefinedProgram : public ForeignSourceTest, public testing::WithParamInterface<Undefined> {};

// The compiler under test prints something else than the others: whatever it does, it is not to blame.
TEST_P(UndefinedProgram, IsNoBug) {
  Script("make", std::string("cat <<'END'\n#include <stdio.h>\nstatic int n;\nstatic int next(void) { return ++n; }\n"
                             "int main(void) {\n  next();\n  ") +
                     GetParam().body + "\n  return 0;\n}\nEND\n");
  const std::string other = Script(
      "cc",
      "for word; do [ \"$last\" = -o ] && output=$word; case $word in *.c) source=$word ;; esac; last=$word; done\n"
      "grep -q next $source || exec gcc -w \"$@\"\n"
      "printf '#!/bin/sh\\necho something else\\n' > $output; chmod +x $output\n");
  const fs::path targets = folder_ / "targets.toml";
  ASSERT_TRUE(support::WriteFile(targets, "[[target]]\nname = 'planted'\ncompile = '" + other +
                                              " {flags} {source} -o {output}'\n[[target]]\nname = 'a'\ncompile = "
                                              "'gcc -w -O0 {source} -o {output}'\n[[target]]\nname = 'b'\ncompile = "
                                              "'gcc -w -O0 -g {source} -o {output}'\n")
                  .Ok());
  const std::string command = std::string(ASSAY_PROGRAM) + " fuzz --dir " + campaign_.string() +
                              " --seed 1 --tests 1 --no-reduce --targets planted,a,b --targets-file " +
                              targets.string() + " --source-cmd '" + (folder_ / "make").string() + " {seed}' > " +
                              (folder_ / "log").string() + " 2>&1";
  (void)std::system(command.c_str());
  auto store = std::move(store::Store::Open(campaign_.string())).Value();
  const auto bugs = store->Bugs(false).Value();
  ASSERT_FALSE(bugs.empty()) << Log();
  for (const store::Bug& bug : bugs) EXPECT_EQ(bug.kind, "suspect") << bug.title;
}

INSTANTIATE_TEST_SUITE_P(All, UndefinedProgram, testing::ValuesIn(kUndefined),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay
