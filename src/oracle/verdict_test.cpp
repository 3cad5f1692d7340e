#include "oracle/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>

namespace assay::oracle {
namespace {

using exec::Ending;
using exec::Observation;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Observation Exit(int code, std::string out = "", std::string err = "") {
  return {.ending = Ending::Exited, .exit_code = code, .stdout_text = std::move(out), .stderr_text = std::move(err)};
}
Observation Signal(int number) { return {.ending = Ending::Signaled, .signal = number}; }
Observation Limit(Ending ending) { return {.ending = ending}; }

// Outcomes of compilers that accepted the program.
class Scene {
 public:
  target::Target& Compiler(const std::string& name, const std::string& model = "lp64") {
    for (target::Target& target : targets_) {
      if (target.name == name) return target;
    }
    target::Target& target = targets_.emplace_back();
    target.name = name;
    target.family = name.substr(0, name.find('-'));
    target.data_model = model;
    target.crash_diagnostics = {"internal compiler error"};
    target.unsupported_diagnostics = {"not implemented"};
    return target;
  }
  Scene& Ran(const std::string& name, const std::string& flag, Observation run, const std::string& model = "lp64") {
    outcomes_.push_back({{&Compiler(name, model), {flag}}, Exit(0), std::move(run)});
    return *this;
  }
  Scene& Failed(const std::string& name, Observation compile) {
    outcomes_.push_back({{&Compiler(name), {}}, std::move(compile), std::nullopt});
    return *this;
  }
  Scene& Interpreted(const std::string& name, Observation run) {
    Compiler(name).kind = target::Kind::Interpreter;
    outcomes_.push_back({{&Compiler(name), {}}, std::nullopt, std::move(run)});
    return *this;
  }
  Scene& Expect(std::string output, const std::string& model = "lp64") {
    expectations_.Add(model, {std::move(output), 0});
    return *this;
  }
  std::vector<Verdict> Verdicts() const {
    std::vector<Verdict> verdicts;
    for (const Judgement& one : Judge(expectations_, outcomes_)) verdicts.push_back(one.verdict);
    return verdicts;
  }
  std::vector<Judgement> Judgements() const { return Judge(expectations_, outcomes_); }

 private:
  std::list<target::Target> targets_;
  std::vector<Outcome> outcomes_;
  Expectations expectations_;
};

TEST(VerdictTest, NamesAreUniqueAndFoundAgain) {
  for (const VerdictInfo& row : kVerdicts) EXPECT_EQ(VerdictNamed(row.name), row.kind);
  EXPECT_EQ(VerdictNamed("nonsense"), std::nullopt);
}

TEST(JudgeCompileTest, EachWayToFail) {
  target::Target target;
  target.crash_diagnostics = {"internal compiler error"};
  target.unsupported_diagnostics = {"not implemented"};
  auto verdict = [&](const Observation& seen) { return JudgeCompile(target, seen).verdict; };
  EXPECT_EQ(verdict(Exit(0)), Verdict::Ok);
  EXPECT_EQ(verdict(Exit(0, "", "warning: x")), Verdict::Ok);
  EXPECT_EQ(verdict(Exit(1, "", "a.c:1:2: error: no")), Verdict::RejectedValid);
  EXPECT_EQ(verdict(Exit(1, "error on stdout")), Verdict::RejectedValid);
  EXPECT_EQ(verdict(Exit(1, "", "a.c:1: internal compiler error: in f, at g.c:3")), Verdict::CompilerCrash);
  EXPECT_EQ(verdict(Exit(1, "", "VLA: not implemented")), Verdict::Unsupported);
  EXPECT_EQ(verdict(Exit(1)), Verdict::CompilerCrash);
  EXPECT_EQ(verdict(Exit(139, "", "Segmentation fault")), Verdict::CompilerCrash);
  EXPECT_EQ(verdict(Signal(11)), Verdict::CompilerCrash);
  EXPECT_EQ(verdict(Exit(1, "", "cc1: out of memory allocating 65536 bytes")), Verdict::CompilerHang);
  EXPECT_EQ(verdict(Limit(Ending::NotStarted)), Verdict::Unavailable);
  for (Ending ending :
       {Ending::TimedOut, Ending::OutputLimit, Ending::FileLimit, Ending::MemoryLimit, Ending::ProcessLimit}) {
    EXPECT_EQ(verdict(Limit(ending)), Verdict::CompilerHang);
  }
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "a.c: In function 'f':\na.c:1:2: error: no\n")).detail,
            "a.c:1:2: error: no");
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "a.c, line 1: bad\nerror: ccom terminated with status 1\n")).detail,
            "a.c, line 1: bad");
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "a.c:9: int *b = &a[0];\n             ^ not a constant\n")).detail,
            "not a constant");
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "a.c:9: a ^ b\n    ^~~~\n    ^\n    ^ 3\n")).detail, "a.c:9: a ^ b");
  EXPECT_EQ(verdict(Exit(255, "", "a.c:1: error: no")), Verdict::RejectedValid);
  EXPECT_EQ(verdict(Exit(255, "", "VLA: not implemented")), Verdict::Unsupported);
  EXPECT_EQ(verdict(Exit(255)), Verdict::CompilerCrash);
  // A warning is no reason: pcc has one for every attribute that it does not know.
  const Judgement warned = JudgeCompile(
      target,
      Exit(1, "",
           "a.c:3: warning: __foo__ not implemented\na.c, line 9: bad type\nerror: ccom terminated with status 1\n"));
  EXPECT_EQ(warned.verdict, Verdict::RejectedValid);
  EXPECT_EQ(warned.detail, "a.c, line 9: bad type");
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "ld: warning: x\nld: NOTE: y\na.o: undefined reference to `f'\n")).detail,
            "a.o: undefined reference to `f'");
  EXPECT_EQ(verdict(Exit(1, "", "a.c:3: warning: x\na.c, line 9: goto: not implemented\n")), Verdict::Unsupported);
  EXPECT_EQ(JudgeCompile(target, Exit(1, "", "a.c:3: warning: x\n")).detail, "a.c:3: warning: x");
}

TEST(JudgeRunTest, EachWayToBehave) {
  const Expectation expected{"42\n", 0};
  auto verdict = [&](const Observation& seen) { return JudgeRun(expected, seen).verdict; };
  EXPECT_EQ(verdict(Exit(0, "42\n")), Verdict::Ok);
  EXPECT_EQ(verdict(Exit(0, "42\n", "noise on stderr")), Verdict::Ok);
  EXPECT_EQ(verdict(Exit(0, "42")), Verdict::WrongOutput);
  EXPECT_EQ(verdict(Exit(3, "42\n")), Verdict::WrongOutput);
  EXPECT_EQ(verdict(Signal(8)), Verdict::ProgramCrash);
  EXPECT_EQ(verdict(Limit(Ending::TimedOut)), Verdict::ProgramHang);
  EXPECT_EQ(verdict(Limit(Ending::NotStarted)), Verdict::Unavailable);
  EXPECT_EQ(JudgeRun(expected, Exit(0, "17\n")).detail, "printed '17\\n', must print '42\\n'");
  EXPECT_EQ(JudgeRun(expected, Exit(1, "17\n", "note\nERROR 1105: no\n")).detail,
            "printed '17\\n', must print '42\\n', exit 1 instead of 0 (ERROR 1105: no)");
  EXPECT_EQ(JudgeRun(expected, Exit(3, "42\n")).detail, "printed what it must, exit 3 instead of 0");
}

TEST(JudgeTest, WithExpectationEachConfigurationIsJudgedAlone) {
  EXPECT_THAT(Scene()
                  .Expect("1")
                  .Ran("gcc", "-O0", Exit(0, "1"))
                  .Ran("gcc", "-O2", Exit(0, "2"))
                  .Ran("tcc", "", Signal(11))
                  .Ran("pcc", "", Limit(Ending::TimedOut))
                  .Failed("cc", Exit(1, "", "error: no"))
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::WrongOutput, Verdict::ProgramCrash, Verdict::ProgramHang,
                          Verdict::RejectedValid));
}

TEST(JudgeTest, ACompilerThatMakesNothingHasFailed) {
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Limit(Ending::NotStarted)).Verdicts(),
              ElementsAre(Verdict::CompilerCrash));
  EXPECT_THAT(Scene().Interpreted("lua", Limit(Ending::NotStarted)).Verdicts(), ElementsAre(Verdict::Unavailable));
}

TEST(JudgeTest, OneCompilerIsEnough) {
  EXPECT_THAT(Scene().Expect("1").Ran("tcc", "", Exit(0, "2")).Verdicts(), ElementsAre(Verdict::WrongOutput));
  EXPECT_THAT(Scene().Expect("1").Ran("pcc", "", Exit(0, "2")).Ran("pcc", "-O", Exit(0, "2")).Verdicts(),
              Each(Verdict::WrongOutput));
}

TEST(JudgeTest, OneFamilyIsNoWitnessAgainstUs) {
  EXPECT_THAT(Scene()
                  .Expect("1")
                  .Ran("gcc-11", "-O0", Exit(0, "2"))
                  .Ran("gcc-11", "-O1", Exit(0, "2"))
                  .Ran("gcc-11", "-O2", Exit(0, "2"))
                  .Ran("gcc-12", "-O2", Exit(0, "2"))
                  .Verdicts(),
              Each(Verdict::WrongOutput));
  EXPECT_THAT(Scene().Failed("gcc-11", Exit(1, "", "error")).Failed("gcc-12", Exit(1, "", "error")).Verdicts(),
              Each(Verdict::RejectedValid));
}

TEST(JudgeTest, SuspectWhenIndependentWitnessesAgreeAgainstUs) {
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Exit(0, "2")).Ran("tcc", "", Exit(0, "2")).Verdicts(),
              Each(Verdict::Suspect));
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Signal(11)).Ran("tcc", "", Signal(11)).Verdicts(),
              Each(Verdict::Suspect));
  // Not when they disagree with each other, nor when one of them is right.
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Exit(0, "2")).Ran("tcc", "", Exit(0, "3")).Verdicts(),
              Each(Verdict::WrongOutput));
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Exit(0, "1")).Ran("tcc", "", Exit(0, "2")).Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::WrongOutput));
  EXPECT_THAT(Scene().Failed("gcc", Exit(1, "", "error")).Failed("tcc", Exit(1, "", "error")).Verdicts(),
              Each(Verdict::Suspect));
  EXPECT_THAT(Scene().Failed("tcc", Exit(1, "", "error")).Verdicts(), ElementsAre(Verdict::RejectedValid));
}

TEST(JudgeTest, DataModelsHaveTheirOwnExpectations) {
  EXPECT_THAT(Scene()
                  .Expect("8", "lp64")
                  .Expect("4", "ilp32")
                  .Ran("gcc", "", Exit(0, "8"))
                  .Ran("gcc-m32", "", Exit(0, "4"), "ilp32")
                  .Ran("arm", "", Exit(0, "8"), "ilp32")
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::Ok, Verdict::WrongOutput));
}

TEST(JudgeTest, WithoutExpectationTheMajorityOfTargetsIsRight) {
  EXPECT_THAT(Scene()
                  .Ran("gcc", "-O0", Exit(0, "1"))
                  .Ran("clang", "-O0", Exit(0, "1"))
                  .Ran("tcc", "", Exit(0, "2"))
                  .Ran("tcc", "-a", Exit(0, "2"))
                  .Ran("tcc", "-b", Exit(0, "2"))
                  .Ran("pcc", "", Signal(6))
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::Ok, Verdict::WrongOutput, Verdict::WrongOutput, Verdict::WrongOutput,
                          Verdict::ProgramCrash));
  // A program may exit with any code as long as all do.
  EXPECT_THAT(Scene().Ran("gcc", "", Exit(9, "1")).Ran("tcc", "", Exit(9, "1")).Verdicts(), Each(Verdict::Ok));
}

// Three versions of one compiler share its mistakes.
TEST(JudgeTest, WithoutExpectationFamiliesVoteBeforeTheirVersions) {
  EXPECT_THAT(Scene()
                  .Ran("gcc-11", "-O2", Exit(0, "1"))
                  .Ran("gcc-12", "-O2", Exit(0, "1"))
                  .Ran("gcc-13", "-O2", Exit(0, "1"))
                  .Ran("clang", "-O2", Exit(0, "2"))
                  .Ran("tcc", "", Exit(0, "2"))
                  .Verdicts(),
              ElementsAre(Verdict::WrongOutput, Verdict::WrongOutput, Verdict::WrongOutput, Verdict::Ok, Verdict::Ok));
  // One family with versions on both sides speaks for neither as a whole.
  EXPECT_THAT(
      Scene().Ran("lua-1", "", Exit(0, "1")).Ran("lua-2", "", Exit(0, "1")).Ran("lua-3", "", Exit(0, "2")).Verdicts(),
      ElementsAre(Verdict::Ok, Verdict::Ok, Verdict::WrongOutput));
}

TEST(JudgeTest, WithoutExpectationTiesAndNothingToCompare) {
  auto tie = Scene().Ran("gcc", "", Exit(0, "1")).Ran("tcc", "", Exit(0, "2")).Judgements();
  EXPECT_EQ(tie[0].verdict, Verdict::WrongOutput);
  EXPECT_THAT(tie[1].detail, HasSubstr("without a majority"));
  EXPECT_THAT(Scene().Ran("gcc", "", Exit(0, "1")).Verdicts(), ElementsAre(Verdict::Inconclusive));
  EXPECT_THAT(Scene().Ran("gcc", "", Exit(0, "1")).Ran("arm", "", Exit(0, "2"), "ilp32").Verdicts(),
              Each(Verdict::Inconclusive));
  // A program that does not end says nothing about those that end it early.
  EXPECT_THAT(Scene()
                  .Ran("gcc", "", Limit(Ending::TimedOut))
                  .Ran("clang", "", Limit(Ending::TimedOut))
                  .Ran("tcc", "", Exit(0, "1"))
                  .Verdicts(),
              Each(Verdict::Inconclusive));
  EXPECT_THAT(Scene()
                  .Ran("gcc", "", Exit(0, "1"))
                  .Ran("clang", "", Exit(0, "1"))
                  .Ran("tcc", "", Limit(Ending::TimedOut))
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::Ok, Verdict::ProgramHang));
}

// A command that got no processor says nothing, neither for nor against anybody.
TEST(JudgeTest, WhatIsStarvedIsNeitherABugNorRight) {
  const Observation starved = Limit(Ending::Starved);
  EXPECT_EQ(JudgeCompile(target::Target(), starved).verdict, Verdict::Inconclusive);
  EXPECT_EQ(JudgeRun({"", 0}, starved).verdict, Verdict::Inconclusive);
  EXPECT_FALSE(IsFind(Verdict::Inconclusive));
  EXPECT_FALSE(SaysSomething(Verdict::Inconclusive));
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", starved).Ran("tcc", "", starved).Verdicts(),
              Each(Verdict::Inconclusive));
  EXPECT_THAT(Scene().Expect("1").Ran("gcc", "", Exit(0, "2")).Ran("gcc", "-O2", starved).Verdicts(),
              ElementsAre(Verdict::WrongOutput, Verdict::Inconclusive));
  EXPECT_THAT(
      Scene()
          .Ran("gcc", "", starved)
          .Ran("clang", "", starved)
          .Ran("pcc", "", starved)
          .Ran("tcc", "", Exit(0, "1"))
          .Ran("tcc", "-g", Exit(0, "1"))
          .Verdicts(),
      ElementsAre(Verdict::Inconclusive, Verdict::Inconclusive, Verdict::Inconclusive, Verdict::Ok, Verdict::Ok));
  EXPECT_THAT(Scene().Expect("1").Interpreted("lua", starved).Verdicts(), ElementsAre(Verdict::Inconclusive));
}

TEST(JudgeTest, InATieATargetThatContradictsItselfIsAPoorWitness) {
  EXPECT_THAT(Scene()
                  .Ran("gcc", "-O0", Exit(0, "1"))
                  .Ran("gcc", "-O2", Exit(0, "2"))
                  .Ran("gcc", "-O3", Exit(0, "2"))
                  .Ran("clang", "", Exit(0, "1"))
                  .Ran("pcc", "-O0", Exit(0, "2"))
                  .Ran("pcc", "-O1", Exit(0, "1"))
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::WrongOutput, Verdict::WrongOutput, Verdict::Ok, Verdict::WrongOutput,
                          Verdict::Ok));
}

TEST(JudgeTest, SolversMayGiveUpAndInterpretersMayDecline) {
  Scene scene;
  scene.Compiler("slow").undecided = {"unknown"};
  scene.Interpreted("slow", Exit(0, "sat\nunknown\n"))
      .Interpreted("slow", Limit(Ending::TimedOut))
      .Interpreted("slow", Exit(0, "unsat\n"))
      .Interpreted("declines", Exit(1, "", "not implemented"))
      .Interpreted("breaks", Exit(1, "internal compiler error"))
      .Interpreted("b", Exit(0, "unknown\n"))
      .Interpreted("c", Exit(0, "unsat\n"));
  EXPECT_THAT(scene.Verdicts(),
              ElementsAre(Verdict::Inconclusive, Verdict::Inconclusive, Verdict::Ok, Verdict::Unsupported,
                          Verdict::CompilerCrash, Verdict::WrongOutput, Verdict::Ok));
}

TEST(JudgeTest, InterpretersThatDieHaveCrashedThemselves) {
  EXPECT_THAT(Scene()
                  .Interpreted("lua", Exit(0, "1"))
                  .Interpreted("luajit", Signal(11))
                  .Interpreted("lua5", Exit(0, "1"))
                  .Verdicts(),
              ElementsAre(Verdict::Ok, Verdict::CompilerCrash, Verdict::Ok));
}

}  // namespace
}  // namespace assay::oracle
