// Services with real processes: small servers made for the test.
#include "target/service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "exec/test_support.hpp"
#include "target/recipe.hpp"

namespace assay::target {
namespace {

using testing::HasSubstr;

// A target whose service answers when the file `socket` exists in its folder.
Target WithService(const std::string& start) {
  Target target{.name = "served"};
  target.run = {"cat", "{service}/socket"};
  target.service.start = {"sh", "-c", start};
  target.service.ready = {"test", "-e", "{service}/socket"};
  return target;
}

TEST(ServiceTest, RunsWhileItsOwnerLivesAndLeavesNothing) {
  std::string folder;
  {
    Services services;
    Target target = WithService("sleep 0.2; echo here >{service}/socket; sleep 1000 & wait");
    auto started = services.Start(target);
    ASSERT_TRUE(started.Ok()) << started.GetError().message;
    folder = std::filesystem::path(target.run[1]).parent_path();
    EXPECT_EQ(exec::Slurp(target.run[1]), "here\n");
    EXPECT_FALSE(exec::ProcessesWith(folder).empty());
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_TRUE(exec::ProcessesWith(folder).empty());
}

TEST(ServiceTest, ItsCpuTimeIsCounted) {
  Services services;
  Target target = WithService("touch socket; while :; do :; done");
  ASSERT_TRUE(services.Start(target).Ok());
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (services.CpuSeconds() < 0.05 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(services.CpuSeconds(), 0.05);
}

TEST(ServiceTest, OneThatEndsSaysWhy) {
  Services services;
  Target target = WithService("echo 'no such database' >log; exit 7");
  auto started = services.Start(target);
  ASSERT_FALSE(started.Ok());
  EXPECT_THAT(started.GetError().message, HasSubstr("exit 7"));
  EXPECT_THAT(started.GetError().message, HasSubstr("no such database"));
}

TEST(ServiceTest, OneThatIsNeverReadyIsGivenUp) {
  Services services;
  Target target = WithService("sleep 1000");
  target.service.ready_seconds = 0.3;
  EXPECT_FALSE(services.Start(target).Ok());
}

TEST(ServiceTest, TargetsWithoutOneNeedNothing) {
  Services services;
  Target target{.name = "plain"};
  EXPECT_TRUE(services.Start(target).Ok());
}

TEST(ServiceTest, IsReadFromTargetFiles) {
  const std::string target =
      "[[target]]\nname = 'db'\nkind = 'interpreter'\nrun = 'client {service} {source}'\n"
      "[target.service]\nstart = 'server {service}'\n";
  auto good = ReadRecipes(target + "ready = 'ping {service}'\nready_seconds = 5\n", "t.toml");
  ASSERT_TRUE(good.Ok()) << good.GetError().message;
  const Service& service = good->front().target.service;
  EXPECT_THAT(service.start, testing::ElementsAre("server", "{service}"));
  EXPECT_EQ(service.ready_seconds, 5);
  auto bad = ReadRecipes(target, "t.toml");
  ASSERT_FALSE(bad.Ok());
  EXPECT_THAT(bad.GetError().message, HasSubstr("a service needs"));
}

}  // namespace
}  // namespace assay::target
