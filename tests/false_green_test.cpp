// Nothing tested is never green: exit code 3 with the reason. Real processes; most compilers and programs are shell
// scripts, so that a test takes milliseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shell.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class FalseGreenTest : public ShellTest {
 protected:
  FalseGreenTest() {
    const std::string copy = "cp \"$2\" \"$3\" && chmod +x \"$3\"";
    Script("good", copy);
    Script("fine", copy);
    Script("bad", "echo 'internal compiler error: in foo' >&2; exit 4");
    Script("declines", "if grep -q 42 \"$2\"; then " + copy + "; else echo 'no: not implemented' >&2; exit 1; fi");
    Script("rejects", "if grep -q 42 \"$2\"; then " + copy + "; else echo 'error: no' >&2; exit 1; fi");
    Script("refuses", "if grep -q 42 \"$2\"; then " + copy + "; else echo 'error: no' >&2; exit 1; fi");
    // Removes itself at the third program.
    Script("vanishes",
           copy + "; echo >>" + Path("count") + "; [ $(wc -l <" + Path("count") + ") -lt 3 ] || rm -f \"$0\"");
    Script("make", "echo '#!/bin/sh'; echo \"echo $1\"");
    WriteTargets({"good", "fine", "bad", "declines", "rejects", "refuses", "vanishes"});
  }

  void WriteTargets(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
      text += "[[target]]\nname = '" + name + "'\nlanguage = 'sh'\ncompile = '" + Path(name) +
              " -x {source} {output}'\ncrashes = ['internal compiler error']\nunsupported = ['not implemented']\n"
              "smoke_program = \"#!/bin/sh\\necho 42\\n\"\nsmoke_output = \"42\\n\"\n"
              "writable = ['" +
              folder_.string() + "']\n";
    }
    Write("t.toml", text);
  }

  Finished Fuzz(const std::string& targets, const std::string& more, const std::string& source = "") {
    return Assay("fuzz --lang sh --targets-file t.toml --targets " + targets + " --seed 1000 --jobs 2 --source-cmd '" +
                 (source.empty() ? Path("make") + " {seed}" : source) + "' " + more);
  }
};

TEST_F(FalseGreenTest, ACampaignThatTestedIsGreen) {
  EXPECT_EQ(Fuzz("good,fine", "--dir c --tests 10 --min-tests 10").code, 0);
}

// The compiler may be another one by now.
TEST_F(FalseGreenTest, ACampaignThatHadAllItsTests) {
  ASSERT_EQ(Fuzz("good,fine", "--dir c --tests 10").code, 0);
  const Finished again = Fuzz("good,fine", "--dir c --tests 10 --min-tests 10 --json");
  EXPECT_EQ(again.code, 3) << again.out;
  EXPECT_THAT(again.err, HasSubstr("nothing was tested in this run: the campaign in c had its 10 tests before"));
  EXPECT_THAT(again.out, HasSubstr("\"outcome\":\"untested\""));
  EXPECT_EQ(Fuzz("good,fine", "--dir c --tests 11").code, 0);
  Script("make", "exec sleep 30");
  const Finished short_time = Fuzz("good,fine", "--dir c --time 0.1s");
  EXPECT_EQ(short_time.code, 3) << short_time.out;
  EXPECT_THAT(short_time.err, HasSubstr("no test was completed in this run"));
}

// A folder that is used night after night: what was tested yesterday is not what is tested now.
TEST_F(FalseGreenTest, WhatWasTestedByEarlierRunsOnly) {
  const std::string declining = support::ReadFile(Path("declines")).Value().substr(std::string("#!/bin/sh\n").size());
  Script("declines", "cp \"$2\" \"$3\" && chmod +x \"$3\"");
  ASSERT_EQ(Fuzz("good,fine,declines", "--dir c --tests 4").code, 0);
  Script("declines", declining);
  const Finished declined = Fuzz("good,fine,declines", "--dir c --tests 8");
  EXPECT_EQ(declined.code, 3) << declined.out;
  EXPECT_THAT(declined.err, HasSubstr("not all targets were tested to the end: declines (4 unsupported)"));
  // Nor has one that has no program in a short run been left out.
  EXPECT_EQ(Fuzz("good,fine", "--dir c --tests 12").code, 0);
  Script("make", "exit 1");
  const Finished nothing = Fuzz("good,fine", "--dir c --tests 16 --json");
  EXPECT_EQ(nothing.code, 3) << nothing.out;
  EXPECT_THAT(nothing.err, HasSubstr("none of 4 seeds gave a program"));
  EXPECT_THAT(nothing.out, HasSubstr("\"outcome\":\"untested\""));
}

TEST_F(FalseGreenTest, ASourceWithoutPrograms) {
  const Finished few = Fuzz("good,fine", "--dir a --tests 4", "false");
  EXPECT_EQ(few.code, 3) << few.out;
  EXPECT_THAT(few.err, HasSubstr("none of 4 seeds gave a program: false: exit 1"));
  // It does not go on for an hour.
  const Finished endless = Fuzz("good,fine", "--dir b --time 1h", "true");
  EXPECT_EQ(endless.code, 3) << endless.out;
  EXPECT_THAT(endless.err, HasSubstr("it printed nothing"));
}

TEST_F(FalseGreenTest, FewerTestsThanAskedFor) {
  const Finished few = Fuzz("good,fine", "--dir a --tests 5 --min-tests 6");
  EXPECT_EQ(few.code, 3) << few.out;
  EXPECT_THAT(few.err, HasSubstr("5 programs were tested, fewer than --min-tests 6"));
  // A bug is a bug, however many tests it took.
  EXPECT_EQ(Fuzz("good,bad", "--dir b --tests 1 --min-tests 6").code, 3);  // bad fails its smoke test
  Script("bad",
         "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\" && chmod +x \"$3\"; else\n"
         "echo 'internal compiler error: in foo' >&2; exit 4; fi");
  EXPECT_EQ(Fuzz("good,bad", "--dir b --tests 1 --min-tests 6 --no-reduce").code, 1);
}

TEST_F(FalseGreenTest, EveryProgramIsDeclined) {
  const Finished seen = Fuzz("declines", "--dir a --tests 3");
  EXPECT_EQ(seen.code, 3) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("none of 3 programs told anything about a target: declines (3 unsupported)"));
  // A target asked for by name, or described in the file, beside one that is fine; one that was only found is named.
  const Finished named = Fuzz("good,fine,declines", "--dir b --tests 3");
  EXPECT_EQ(named.code, 3) << named.out;
  EXPECT_THAT(named.err, HasSubstr("declines (3 unsupported)"));
  WriteTargets({"good", "fine", "declines"});
  const Finished described = Fuzz("\\*", "--dir c --tests 3");
  EXPECT_EQ(described.code, 3) << described.out << described.err;
  EXPECT_THAT(described.out, HasSubstr("never tested: declines: 3 unsupported"));
  EXPECT_THAT(described.err, HasSubstr("declines (3 unsupported)"));
  EXPECT_EQ(Fuzz("good,fine", "--dir d --tests 3").code, 0);
}

// A flag of one's own file that no program is taken with: said once, and the exit code knows.
TEST_F(FalseGreenTest, AConfigurationWithWrongFlags) {
  Script("good",
         "for a; do [ \"$a\" != -nope ] || { echo 'error: unknown option -nope' >&2; exit 1; }; done\n"
         "[ \"$2\" != -fine ] || shift\ncp \"$2\" \"$3\" && chmod +x \"$3\"");
  std::string text = support::ReadFile(Path("t.toml")).Value();
  const std::string command = Path("good") + " -x ";
  text.replace(text.find(command), command.size(), command + "{flags} ");
  text.insert(text.find("language"), "flags = ['', '-fine', '-nope']\n");
  Write("t.toml", text);
  const Finished seen = Fuzz("good,fine", "--dir a --tests 8");
  EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("good -nope is not tested: its flags do not work, not even with a trivial program: "
                                  "error: unknown option -nope"));
  EXPECT_EQ(seen.err.find("is not tested"), seen.err.rfind("is not tested")) << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("not all targets were tested to the end: good -nope (its flags do not work: "));
  EXPECT_THAT(seen.out, HasSubstr("bugs 0, finds 0\n"));
  const Finished json = Fuzz("good,fine", "--dir b --tests 8 --json");
  EXPECT_THAT(json.out, HasSubstr("{\"event\":\"refused-flags\",\"configuration\":\"good -nope\""));
}

// A pool that is never drawn, because its flags cannot be listed.
TEST_F(FalseGreenTest, APoolWithoutFlags) {
  Script("lists", "echo '  -fgood  Good.'");
  std::string text = support::ReadFile(Path("t.toml")).Value();
  const auto with = [&](const std::string& command, const std::string& more) {
    std::string pool = "[[target.pool]]\nname = 'many'\nlist_command = '" + command + "'\n" + more;
    std::string own = text;
    Write("t.toml", own.insert(own.find("[[target]]", 1), pool));
  };
  with("false", "");
  const Finished fails = Fuzz("good,fine", "--dir a --tests 4 --json");
  EXPECT_THAT(fails.err, HasSubstr("good: its pool 'many' is never drawn: false: exit 1"));
  EXPECT_THAT(fails.out,
              HasSubstr("\"lacking\":[{\"target\":\"good\",\"why\":\"its pool 'many' is never drawn: false: exit 1"));
  with("true", "");
  EXPECT_THAT(Fuzz("good,fine", "--dir b --tests 4").err, HasSubstr("true: it prints no flags"));
  EXPECT_THAT(Assay("targets --targets-file t.toml --lang sh").err, HasSubstr("good: its pool 'many' is never drawn"));
  with(Path("lists"), "exclude = ['-f.*']\n");
  EXPECT_THAT(Fuzz("good,fine", "--dir c --tests 4").err, HasSubstr("'exclude' leaves none of its flags"));
  with(Path("lists"), "");
  EXPECT_THAT(Fuzz("good,fine", "--dir d --tests 4").err, Not(HasSubstr("its pool")));
}

// What a report says of such a campaign to CI.
TEST_F(FalseGreenTest, AJUnitFileOfNothing) {
  ASSERT_EQ(Fuzz("declines", "--dir a --tests 3").code, 3);
  ASSERT_EQ(Assay("report a --junit a.xml").code, 0);
  const std::string xml = support::ReadFile(Path("a.xml")).Value();
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"never tested: 3 unsupported\"/>"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"nothing was tested\"/>"));
  EXPECT_EQ(Assay("report a --junit a.xml --sarif a.xml").code, 2);
  EXPECT_EQ(Assay("report a --junit a.xml --writers").code, 2);
  EXPECT_EQ(Assay("report a --junit a.xml --out b").code, 2);
}

// "compiler-hang cc timed-out" would be every hang there is: neither written as known, nor taken without a word.
TEST_F(FalseGreenTest, HowACompilerEndsIsNoBugToKnow) {
  Script("bad", "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\" && chmod +x \"$3\"; else exit 1; fi");
  ASSERT_EQ(Fuzz("good,fine,bad", "--dir c --tests 2 --no-reduce").code, 1);
  ASSERT_EQ(Assay("report c --known known.toml").code, 0);
  EXPECT_THAT(support::ReadFile(Path("known.toml")).Value(), HasSubstr("name = 'bad-compiler-crash-"));
  const Finished seen = Fuzz("good,fine,bad", "--dir d --tests 2 --no-reduce --known known.toml");
  EXPECT_EQ(seen.code, 0) << seen.err;
  Write("wide.txt", "compiler-crash bad exit 1 without a diagnostic\n");
  EXPECT_THAT(Fuzz("good,fine,bad", "--dir e --tests 2 --no-reduce --known wide.txt").err,
              HasSubstr("'compiler-crash bad exit 1 without a diagnostic' says only"));
}

// Its name and signature are only the configurations: other bugs have the same.
TEST_F(FalseGreenTest, AKnownWrongOutputIsWide) {
  Write("known.txt", "wrong-output bad\nbad-wrong-output-12345678\nbad-compiler-crash-12345678\n");
  const Finished seen = Fuzz("good,fine", "--dir a --tests 2 --known known.txt");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("'wrong-output bad' says only which configurations fail"));
  EXPECT_THAT(seen.err, HasSubstr("'bad-wrong-output-12345678' says only"));
  EXPECT_THAT(seen.err, Not(HasSubstr("crash")));
}

TEST_F(FalseGreenTest, EveryProgramIsRejectedByAll) {
  const Finished seen = Fuzz("rejects,refuses", "--dir a --tests 3");
  EXPECT_EQ(seen.code, 3) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("3 suspect"));
}

TEST_F(FalseGreenTest, ATargetIsLostOnTheWay) {
  const Finished seen = Fuzz("good,fine,vanishes", "--dir a --tests 12 --json");
  EXPECT_EQ(seen.code, 3) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("not all targets were tested to the end: vanishes (lost:"));
  ASSERT_EQ(Assay("report a --junit a.xml").code, 0);
  EXPECT_THAT(support::ReadFile(Path("a.xml")).Value(), HasSubstr("<error message=\"lost in mid-campaign"));
  EXPECT_THAT(seen.out, HasSubstr("\"outcome\":\"untested\""));
}

TEST_F(FalseGreenTest, NoTimeForATest) {
  Script("make", "exec sleep 30");
  const Finished seen = Fuzz("good,fine", "--dir a --time 0.1s");
  EXPECT_EQ(seen.code, 3) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("no test was completed"));
}

// The one compiler that the user has described, and it cannot do anything: not to be passed over for those of the
// machine.
TEST_F(FalseGreenTest, ATargetOfTheFileThatDoesNotWork) {
  const std::string options = " --targets-file mine.toml --seed 1 --tests 1 --no-reduce --knobs tokens=300";
  Write("mine.toml", "[[target]]\nname = 'mine'\ncompile = '" + Path("bad") + " {source} -o {output}'\n");
  for (const std::string targets : {"", " --targets '*'", " --targets 'mi*,gcc*'"}) {
    const Finished seen = Assay("fuzz --dir a" + options + targets);
    EXPECT_EQ(seen.code, 3) << seen.out;
    EXPECT_THAT(seen.err, HasSubstr("does not work")) << targets;
  }
  EXPECT_EQ(Assay("fuzz --dir b --targets gcc-12" + options).code, 0);
  // A file for something else.
  Write("mine.toml", "[[target]]\ndetect = ['no-such-compiler.*']\ncompile = '{program} {source} -o {output}'\n");
  const Finished nothing = Assay("fuzz --dir c" + options);
  EXPECT_EQ(nothing.code, 3) << nothing.out;
  EXPECT_THAT(nothing.err, HasSubstr("no target of mine.toml is for these programs"));
}

TEST_F(FalseGreenTest, VariablesThatAreNotSet) {
  for (const char* flag : {"--targets", "--targets-file", "--dir", "--database", "--known", "--time", "--source-cmd"}) {
    const Finished seen = Assay(std::string("fuzz --tests 1 ") + flag + " \"$NO_SUCH_VARIABLE\"");
    EXPECT_EQ(seen.code, 2) << flag << seen.out;
    EXPECT_THAT(seen.err, HasSubstr("there is nothing after it")) << flag;
  }
}

TEST_F(FalseGreenTest, ANameIsMissingInAList) {
  for (const char* list : {"tcc,$NO_SUCH_VARIABLE", "$NO_SUCH_VARIABLE,tcc", "tcc,,gcc-12", "tcc, ,gcc-12", ","}) {
    const Finished seen = Assay(std::string("fuzz --tests 1 --targets \"") + list + '"');
    EXPECT_EQ(seen.code, 2) << list << seen.out;
    EXPECT_THAT(seen.err, HasSubstr("a name is missing")) << list;
  }
}

// With blanks, too: one that is named and never tested is no success.
TEST_F(FalseGreenTest, ANameAfterABlankIsANameInFull) {
  const Finished seen = Fuzz("'good, fine, declines'", "--dir c --tests 3");
  EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
}

TEST_F(FalseGreenTest, ADataModelThatTheGeneratorLacks) {
  // int of 8 bytes: no compiler has it, the smoke test measures it.
  Write("odd.toml",
        "[[target]]\nname = 'odd'\ncompile = 'gcc -w -Dint=long {flags} {source} -o {output}'\n"
        "[[target]]\nname = 'even-odd'\ncompile = 'gcc -w -Dint=long {flags} {source} -o {output}'\n"
        "[[target]]\nname = 'even'\ncompile = 'gcc -w {flags} {source} -o {output}'\n");
  const std::string options = " --targets-file odd.toml --seed 1 --tests 2 --no-reduce --knobs tokens=300";
  const Finished alone = Assay("fuzz --dir a --targets odd" + options);
  EXPECT_EQ(alone.code, 3) << alone.out;
  EXPECT_THAT(alone.err, HasSubstr("odd"));
  EXPECT_EQ(Assay("fuzz --dir b --targets odd,even" + options).code, 3);
  const Finished found = Assay("fuzz --dir c --targets 'even*'" + options);
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.err, HasSubstr("even-odd is left out: no program can be written for its data model"));
}

TEST_F(FalseGreenTest, ReplayThatRunsNothing) {
  Script("bad",
         "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\" && chmod +x \"$3\"; else\n"
         "echo 'internal compiler error: in foo' >&2; exit 4; fi");
  ASSERT_EQ(Fuzz("good,bad", "--dir c --tests 2 --no-reduce").code, 1);
  const Finished again = Assay("replay c --targets-file t.toml");
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("still failing"));
  const Finished gone = Assay("replay c");
  EXPECT_EQ(gone.code, 3) << gone.out;
  EXPECT_THAT(gone.err, HasSubstr("1 of 1 bugs could not be run here"));
  EXPECT_THAT(gone.out, HasSubstr("bad is not on this machine"));
  EXPECT_EQ(Assay("replay c", "PATH=/nowhere").code, 3);
  const Finished typo = Assay("replay c --targets-file t.toml --bug typo");
  EXPECT_EQ(typo.code, 2) << typo.out;
  EXPECT_THAT(typo.err, HasSubstr("there is no bug 'typo' in c; there are: bad-compiler-crash-"));
  const Finished other = Assay("replay c --targets-file t.toml --new-target good");
  EXPECT_EQ(other.code, 3) << other.out;
  EXPECT_THAT(other.err, HasSubstr("good is of the family good, the bugs are of bad"));
  EXPECT_EQ(Assay("replay c --targets-file t.toml --new-target '*'").code, 2);
  ASSERT_EQ(Fuzz("good,fine", "--dir clean --tests 2").code, 0);
  EXPECT_EQ(Assay("replay clean").code, 3);
  EXPECT_EQ(Assay("replay nowhere").code, 2);
}

// What a program must print depends on the data model: with another one it proves nothing, neither way.
TEST_F(FalseGreenTest, ReplayByACompilerOfAnotherDataModel) {
  Script("bad", "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\"; else echo '#!/bin/sh' >\"$3\"; fi; chmod +x \"$3\"");
  WriteTargets({"good", "fine", "bad", "fixed"});
  Script("fixed", "cp \"$2\" \"$3\" && chmod +x \"$3\"");
  const std::string same = support::ReadFile(Path("t.toml")).Value() + "family = 'bad'\n";
  Write("t.toml", same);
  ASSERT_EQ(Fuzz("good,fine,bad", "--dir c --tests 2 --no-reduce").code, 1);
  EXPECT_EQ(Assay("replay c --targets-file t.toml --new-target fixed").code, 0);
  Write("t.toml", same + "data_model = 'ilp32'\n");
  const Finished other = Assay("replay c --targets-file t.toml --new-target fixed");
  EXPECT_EQ(other.code, 3) << other.out;
  EXPECT_THAT(other.out, HasSubstr("its program is for lp64, fixed is ilp32"));
}

// By a cleaner of /tmp, for instance.
TEST_F(FalseGreenTest, ACampaignThatIsRemovedWhileItRuns) {
  Script("fine", "cp \"$2\" \"$3\" && chmod +x \"$3\"; echo >>" + Path("count") + "; [ $(wc -l <" + Path("count") +
                     ") -lt 4 ] || rm -rf " + Path("c"));
  const Finished seen = Fuzz("good,fine", "--dir c --tests 20");
  EXPECT_EQ(seen.code, 3) << seen.out;
  EXPECT_THAT(seen.err, HasSubstr("was removed or replaced while it ran"));
}

// The compiler of a bug's folder may fail in another way by now, or be broken altogether.
TEST_F(FalseGreenTest, ReduceKeepsToTheBugOfTheFolder) {
  Script("mine",
         "if grep -q checksum \"$1\"; then echo 'internal compiler error: in foo, at bar.c:1' >&2; exit 4; fi\n"
         "exec gcc -w \"$@\"");
  Write("mine.toml", "[[target]]\nname = 'mine'\ncompile = '" + Path("mine") +
                         " {source} -o {output}'\ncrashes = ['internal compiler error']\n");
  ASSERT_EQ(
      Assay("fuzz --dir c --targets mine --targets-file mine.toml --seed 1 --tests 1 --no-reduce --jobs 1 --knobs "
            "tokens=300")
          .code,
      1);
  const std::string reduce = "reduce c/bugs/* --targets-file mine.toml --out small --seconds 5 --quiet";
  EXPECT_EQ(Assay(reduce).code, 1);
  Script("mine", "echo 'error: no license' >&2; exit 1");
  for (const std::string& command :
       {reduce, std::string("reduce small --targets-file mine.toml --seconds 5 --quiet")}) {
    const Finished broken = Assay(command);
    EXPECT_EQ(broken.code, 0) << broken.out;
    EXPECT_THAT(broken.err, HasSubstr("mine does not show the bug, but rejected-valid: error: no license"));
  }
  EXPECT_EQ(Assay(reduce + " --any-bug").code, 1);
}

// Of a compiler that fails only now and then one try proves nothing.
TEST_F(FalseGreenTest, ReplayOfWhatHappensSometimes) {
  const std::string crash =
      "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\" && chmod +x \"$3\"; exit; fi\n"
      "echo 'internal compiler error: in foo' >&2; exit 4";
  Script("bad", crash);
  ASSERT_EQ(Fuzz("good,bad", "--dir c --tests 1 --no-reduce").code, 1);
  Script("bad", "echo >>" + Path("count") + "; [ $(($(wc -l <" + Path("count") +
                    ") % 4)) = 0 ] || { cp \"$2\" \"$3\" && chmod +x \"$3\"; exit; }\n" + crash);
  const Finished again = Assay("replay c --targets-file t.toml");
  EXPECT_EQ(again.code, 1) << again.out << again.err;
}

// Debian's way to use ccache: its folder of links comes first, and each link stands for a compiler further on.
TEST_F(FalseGreenTest, ACacheBeforeTheCompilersHidesNone) {
  fs::create_directory(folder_ / "cache");
  fs::create_directory(folder_ / "bin");
  Script("cache/ccache", "echo 'no cache here' >&2; exit 1");
  Script("bin/gcc-99", "exec gcc \"$@\"");
  for (const char* name : {"gcc-99", "gcc-98"}) fs::create_symlink(Path("cache/ccache"), folder_ / "cache" / name);
  const std::string path = "PATH=" + Path("cache") + ":" + Path("bin") + ":$PATH";
  const Finished listed = Assay("targets --lang c", path);
  EXPECT_THAT(listed.out, testing::ContainsRegex("gcc-99 +c +lp64 +yes"));
  EXPECT_THAT(listed.out, Not(HasSubstr("gcc-98"))) << "there is no such compiler";
  const Finished seen = Assay("fuzz --dir c --targets gcc-99 --tests 1 --no-reduce --knobs tokens=300", path);
  EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
}

// Both steps of a compilation with a profile are under test.
TEST_F(FalseGreenTest, WhatTheFirstStepOfAProfileDoesIsSeen) {
  fs::create_directory(folder_ / "bin");
  const std::string options = "fuzz --targets gcc-99-profile --seed 1 --tests 1 --no-reduce --knobs tokens=300 --dir ";
  const std::string path = "PATH=" + Path("bin") + ":$PATH";
  const std::string first = "case \"$*\" in *profile-generate*) if grep -q checksum program.c 2>/dev/null; then ";
  Script("bin/gcc-99", first + "echo 'internal compiler error: in foo' >&2; exit 4; fi ;; esac\nexec gcc \"$@\"");
  const Finished crash = Assay(options + "a", path);
  EXPECT_EQ(crash.code, 1) << crash.out << crash.err;
  EXPECT_THAT(crash.out, HasSubstr("compiler crash"));
  Script("bin/gcc-99", first +
                           "echo 'int main(void) { __builtin_trap(); }' >trap.c; exec gcc trap.c -o program; fi ;; "
                           "esac\nexec gcc \"$@\"");
  const Finished dies = Assay(options + "b", path);
  EXPECT_EQ(dies.code, 1) << dies.out << dies.err;
  EXPECT_THAT(dies.out, HasSubstr("program crash"));
}

TEST_F(FalseGreenTest, AConfigurationIsFoundAgainWhateverIsInItsName) {
  // Crashes with this one word only; a target whose name begins with that of another one.
  Script("picky",
         "for word; do :; done; output=$word\n"
         "if [ \"$1\" = \"it's a flag\" ] && ! grep -q 42 \"$2\"; then\n"
         "echo 'internal compiler error: in foo' >&2; exit 4; fi\ncp \"$2\" \"$3\" && chmod +x \"$3\"");
  std::string text;
  for (const char* name : {"pick", "pick it"}) {
    text += std::string("[[target]]\nname = '") + name + "'\nfamily = 'pick'\nlanguage = 'sh'\ncompile = '" +
            Path("picky") +
            " {flags} {source} {output}'\nflags = [[\"it's a flag\"]]\ncrashes = ['internal compiler error']\n"
            "smoke_program = \"#!/bin/sh\\necho 42\\n\"\nsmoke_output = \"42\\n\"\n";
  }
  Write("t.toml", text);
  for (const std::string target : {"pick", "'pick it'"}) {
    const std::string folder = target == "pick" ? "a" : "b";
    ASSERT_EQ(Fuzz(target, "--dir " + folder + " --tests 1 --no-reduce").code, 1);
    const Finished again = Assay("replay " + folder + " --targets-file t.toml");
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("1 still failing"));
  }
}

TEST_F(FalseGreenTest, ReplayInJsonHasASummary) {
  Script("bad",
         "if grep -q 42 \"$2\"; then cp \"$2\" \"$3\" && chmod +x \"$3\"; else\n"
         "echo 'internal compiler error: in foo' >&2; exit 4; fi");
  ASSERT_EQ(Fuzz("good,bad", "--dir c --tests 2 --no-reduce").code, 1);
  const Finished seen = Assay("replay c --targets-file t.toml --json");
  const size_t newline = seen.out.find('\n');
  const auto bug = nlohmann::json::parse(seen.out.substr(0, newline));
  const auto end = nlohmann::json::parse(seen.out.substr(newline + 1));
  EXPECT_EQ(bug.at("event"), "replayed");
  EXPECT_EQ(bug.at("result"), "still-failing");
  EXPECT_EQ(end.at("event"), "end");
  EXPECT_EQ(end.at("still_failing"), 1);
  EXPECT_EQ(end.at("cannot_run"), 0);
}

TEST_F(FalseGreenTest, JsonSaysVersionsAndStableWords) {
  const Finished seen = Fuzz("good,fine", "--dir c --tests 4 --json");
  EXPECT_EQ(seen.code, 0) << seen.err;
  const auto start = nlohmann::json::parse(seen.out.substr(0, seen.out.find('\n')));
  EXPECT_EQ(start.at("event"), "start");
  EXPECT_FALSE(start.at("assay").get<std::string>().empty());
  ASSERT_EQ(start.at("targets").size(), 2u);
  EXPECT_EQ(start.at("targets")[0].at("name"), "good");
  EXPECT_TRUE(start.at("targets")[0].contains("version"));
  const std::string last = seen.out.substr(seen.out.rfind('\n', seen.out.size() - 2) + 1);
  const auto end = nlohmann::json::parse(last);
  EXPECT_EQ(end.at("outcome"), "no-bugs");
  EXPECT_EQ(end.at("reason"), "tests-done");
  EXPECT_EQ(end.at("tested"), 4);
}

TEST_F(FalseGreenTest, ReduceSaysWhetherTheBugShows) {
  const std::string target = "[[target]]\nname = 'even'\ncompile = 'gcc -w {flags} {source} -o {output}'\n";
  Write("even.toml", target);
  ASSERT_EQ(Assay("gen --seed 1 --tokens 300 --form model --out m.txt").code, 0);
  const Finished right = Assay("reduce m.txt --target even --targets-file even.toml");
  EXPECT_EQ(right.code, 0);
  EXPECT_THAT(right.err, HasSubstr("does not show the bug"));
  Write("broken.txt", "assay-program nonsense\n");
  EXPECT_EQ(Assay("reduce broken.txt --target even --targets-file even.toml").code, 2);
  // It can be read, but divides by zero at its end.
  std::string model = support::ReadFile(Path("m.txt")).Value();
  model.insert(model.rfind("  return\nend"), "  expr (binary / (const int 1 dec) (const int 0 dec))\n");
  Write("trap.txt", model);
  const Finished trap = Assay("reduce trap.txt --target even --targets-file even.toml");
  EXPECT_EQ(trap.code, 2) << trap.err;
  EXPECT_THAT(trap.err, HasSubstr("not valid: division-by-zero"));
  EXPECT_EQ(Assay("reduce m.txt --target even --targets-file even.toml", "PATH=/nowhere").code, 3);
  EXPECT_EQ(Assay("reduce nothing.txt --target even --targets-file even.toml").code, 2);
  EXPECT_THAT(Assay("reduce --help").out, HasSubstr("Exit code 1: the bug shows"));
}

}  // namespace
}  // namespace assay
