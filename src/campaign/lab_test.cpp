#include "campaign/lab.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/test_support.hpp"
#include "exec/test_support.hpp"

namespace assay::campaign {
namespace {

class LabTest : public testing::Test {
 protected:
  // What the compiler (a shell script) makes of a program that prints its name.
  oracle::Outcome Try(const std::string& compiler) {
    target_.name = target_.family = "cc";
    target_.compile = {shop_.Script("cc", compiler), "{source}", "{output}"};
    TestCase test{.language = "sh", .files = {{"program.sh", "#!/bin/sh\necho $0\n"}}};
    target::Configuration configuration{.target = &target_};
    auto outcome = lab_->Try(test, configuration);
    EXPECT_TRUE(outcome.Ok());
    return std::move(*outcome);
  }

  exec::Workshop shop_;
  exec::Executor executor_;
  target::Target target_;
  Result<Lab> lab_ = Lab::Make(executor_);
};

const std::string kCompile = "cp $1 $2; chmod +x $2; pwd >&2\n";

TEST_F(LabTest, AnOutputThatCannotBeRemovedIsNotTakenForANewOne) {
  oracle::Outcome first = Try(kCompile);
  ASSERT_TRUE(first.run && first.run->Succeeded());
  std::string folder = first.compile->stderr_text;
  folder.pop_back();
  if (std::system(("chattr +i " + folder + "/program 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "only root, and only where the file system knows it";
  }
  oracle::Outcome second = Try("exit 0");
  EXPECT_TRUE(second.made_nothing) << "a stale program was run";
  EXPECT_FALSE(std::filesystem::exists(folder + "/program"));
}

TEST_F(LabTest, NeitherIsOneThatACompilerMadeForAnotherFolder) {
  const std::string plant =
      "for i in 0 1 2; do mkdir -p ../c$i; cp $1 ../c$i/program; chmod +x ../c$i/program; done; "
      "chmod 500 .. ; exit 0\n";
  Try(plant);
  EXPECT_TRUE(Try("exit 0").made_nothing);
  EXPECT_TRUE(Try(kCompile).run.has_value());
}

// Its words end no campaign where there is room.
TEST_F(LabTest, ACompilerThatSaysThatTheDiskIsFull) {
  auto scratch = exec::Scratch::Make();
  if (std::filesystem::space(scratch->Path()).available < (2ull << 30)) GTEST_SKIP() << "it might be right";
  const oracle::Outcome outcome = Try("echo 'cc: error: No space left on device' >&2; exit 1");
  EXPECT_EQ(oracle::JudgeCompile(outcome).verdict, oracle::Verdict::CompilerHang);
}

TEST_F(LabTest, AProgramThatTheSystemDoesNotKnowIsTheCompilersFault) {
  for (const char* output : {"echo echo hello > $2; chmod +x $2", ": > $2; chmod +x $2", "echo x > $2"}) {
    const oracle::Judgement judgement = oracle::JudgeCompile(Try(output));
    EXPECT_EQ(judgement.verdict, oracle::Verdict::CompilerCrash) << output << ": " << judgement.detail;
    EXPECT_EQ(judgement.detail, "made a program that cannot be started");
  }
}

// Outputs are kept to be compared with later ones, but not if they would take all the memory.
TEST_F(LabTest, HugeOutputsAreNotKept) {
  target_.name = target_.family = "cc";
  TestCase test{.language = "sh", .files = {{"program.sh", "#!/bin/sh\necho right; exit\n"}}};
  const std::vector<target::Configuration> two = {{.target = &target_}, {.target = &target_, .flags = {"-O"}}};
  for (const bool huge : {false, true}) {
    target_.compile = {shop_.Script("cc", kCompile + (huge ? "truncate -s 40M $2" : "")), "{source}", "{output}"};
    const Usage before = lab_->Used();
    auto outcomes = lab_->Try(test, two);
    ASSERT_TRUE(outcomes.Ok());
    for (const oracle::Outcome& outcome : *outcomes) EXPECT_EQ(outcome.run.value().stdout_text, "right\n");
    const Usage used = lab_->Used() - before;
    EXPECT_EQ(used.runs, huge ? 2 : 1);
    EXPECT_EQ(used.runs_saved, huge ? 0 : 1);
  }
}

TEST_F(LabTest, ALinkIsNoOutput) { EXPECT_TRUE(Try("ln -s /proc/kcore $2").made_nothing); }

}  // namespace
}  // namespace assay::campaign
