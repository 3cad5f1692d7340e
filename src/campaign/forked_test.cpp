#include "campaign/forked.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "exec/wire.hpp"

namespace assay::campaign {
namespace {

TEST(ForkedTest, BringsBackWhatTheWorkAnswers) {
  exec::WireWriter out;
  out.Put(std::vector<std::vector<std::string>>{{"a", "", std::string(300000, 'x')}, {}});
  auto fine = RunForked([&] { return out.Bytes(); }, 10);
  ASSERT_TRUE(fine.Ok());
  EXPECT_EQ(fine->bytes, out.Bytes());
  EXPECT_EQ(RunForked([] { return std::string(); }, 10)->bytes, "");
}

TEST(ForkedTest, ADeathCostsOnlyTheAnswer) {
  for (int signal : {SIGKILL, SIGABRT, SIGSEGV}) {
    auto dead = RunForked(
        [&]() -> std::string {
          ::signal(signal, SIG_DFL);
          ::kill(::getpid(), signal);
          return "unreachable";
        },
        10);
    ASSERT_TRUE(dead.Ok());
    EXPECT_FALSE(dead->bytes);
    EXPECT_FALSE(dead->stopped);
  }
  EXPECT_FALSE(RunForked([]() -> std::string { ::_exit(0); }, 10)->bytes) << "an end without an answer is no answer";
}

TEST(ForkedTest, AnEndlessOneIsEndedByTimeOrOnDemand) {
  auto endless = []() -> std::string {
    for (;;) ::pause();
  };
  auto late = RunForked(endless, 0.3);
  EXPECT_FALSE(late->bytes);
  EXPECT_FALSE(late->stopped);
  int asked = 0;
  auto stopped = RunForked(endless, 100, [&] { return ++asked > 2; });
  EXPECT_FALSE(stopped->bytes);
  EXPECT_TRUE(stopped->stopped);
}

TEST(ForkedTest, WhatItStartedCountsApart) {
  auto work = [] {
    const pid_t child = ::fork();
    if (child == 0) {
      while (clock() < CLOCKS_PER_SEC / 5) {
      }
      ::_exit(0);
    }
    while (::kill(child, 0) == 0 && ::waitpid(child, nullptr, 0) != child) {
    }
    return std::string("done");
  };
  auto seen = RunForked(work, 20);
  ASSERT_TRUE(seen->bytes);
  EXPECT_GT(seen->child_cpu_seconds, 0.15);
  EXPECT_LT(seen->cpu_seconds, 0.15);
}

}  // namespace
}  // namespace assay::campaign
