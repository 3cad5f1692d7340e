#include "campaign/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace assay::campaign {
namespace {

constexpr double kLeastOfTheBest = 0.05;  // no weight is below this part of the best
constexpr double kScale = 1e6;            // weights are whole numbers

double CpuSeconds(const oracle::Outcome& outcome) {
  return (outcome.compile ? outcome.compile->cpu_seconds : 0) + (outcome.run ? outcome.run->cpu_seconds : 0);
}

}  // namespace

Drawing::Drawing(const std::vector<target::Target>& targets, int per_test, bool learns)
    : per_test_(per_test), learns_(learns) {
  for (const target::Target& target : targets) {
    for (const target::Configuration& configuration : target::FixedConfigurations(target)) {
      arms_.push_back({.target = &target, .flags = configuration.flags, .pool = nullptr});
    }
    for (const target::FlagPool& pool : target.pools) arms_.push_back({.target = &target, .flags = {}, .pool = &pool});
  }
}

std::vector<double> Drawing::Weights(const std::vector<size_t>& eligible) const {
  double seconds = 0;
  int64_t tests = 0;
  for (const Arm& arm : arms_) {
    seconds += arm.seconds;
    tests += arm.tests;
  }
  const double usual = tests > 0 && seconds > 0 ? seconds / static_cast<double>(tests) : 1;  // of one configuration
  std::vector<double> weights;
  for (size_t i : eligible) {
    const Arm& arm = arms_[i];
    const double first = arm.tests > 0 ? arm.seconds / static_cast<double>(arm.tests) : usual;
    weights.push_back((static_cast<double>(arm.finds) + 1) / (arm.seconds + std::max(first, 1e-3)));
  }
  const double best = *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = std::max(weight / best, kLeastOfTheBest);
  return weights;
}

// So many programs in a row meet every arm once, in an order of their own.
std::vector<size_t> Drawing::PickByTurns(int64_t seed, const std::vector<size_t>& eligible) const {
  const auto wanted = static_cast<int64_t>(per_test_);
  const auto count = static_cast<int64_t>(eligible.size());
  const int64_t in_a_row = (count + wanted - 1) / wanted;
  choice::Choices choices = choice::Choices(static_cast<uint64_t>(seed / in_a_row)).Derive("turns");
  std::vector<size_t> order = eligible;
  choices.Shuffle(order);
  std::vector<size_t> picked;
  for (int64_t i = 0; i < wanted; ++i)
    picked.push_back(order[static_cast<size_t>((seed % in_a_row * wanted + i) % count)]);
  return picked;
}

std::vector<size_t> Drawing::PickByWeight(choice::Choices choices, std::vector<size_t> eligible) {
  std::lock_guard lock(mutex_);
  std::vector<size_t> picked;
  const auto pick = [&](size_t arm) {
    picked.push_back(arm);
    std::erase(eligible, arm);
  };
  // Targets that have had no program yet come first, each with one configuration.
  for (bool more = true; more;) {
    std::vector<size_t> fresh;
    for (size_t i : eligible) {
      const bool first_of_target = fresh.empty() || arms_[i].target == arms_[fresh.front()].target;
      if (!given_.contains(arms_[i].target) && first_of_target) fresh.push_back(i);
    }
    more = !fresh.empty();
    if (!more) break;
    given_.insert(arms_[fresh.front()].target);
    pick(choices.Pick(fresh));
  }
  while (picked.size() < static_cast<size_t>(per_test_) && !eligible.empty()) {
    std::vector<uint32_t> weights;
    for (double weight : Weights(eligible)) weights.push_back(static_cast<uint32_t>(weight * kScale));
    pick(eligible[choices.Weighted(weights)]);
  }
  return picked;
}

Drawing::Choice Drawing::Draw(int64_t seed, bool all, const target::FlagKnowledge& flags, const MayHave& may_have) {
  std::vector<size_t> picked;
  for (size_t i = 0; i < arms_.size(); ++i) {
    const Arm& arm = arms_[i];
    if (!may_have(*arm.target, arm.pool)) continue;
    if (arm.pool == nullptr && flags.IsLeftOut({.target = arm.target, .flags = arm.flags})) continue;
    picked.push_back(i);
  }
  const choice::Choices choices(static_cast<uint64_t>(seed));
  if (!all && per_test_ > 0 && picked.size() > static_cast<size_t>(per_test_)) {
    picked = learns_ ? PickByWeight(choices.Derive("configurations"), picked) : PickByTurns(seed, picked);
  }
  std::sort(picked.begin(), picked.end());
  Choice choice;
  for (size_t i : picked) {
    const Arm& arm = arms_[i];
    if (arm.pool == nullptr) {
      choice.configurations.push_back({.target = arm.target, .flags = arm.flags});
    } else if (auto drawn = target::DrawConfiguration(*arm.target, *arm.pool, choices.Derive("flags"), flags)) {
      choice.configurations.push_back(std::move(*drawn));
    } else {
      continue;
    }
    choice.arms.push_back(i);
  }
  return choice;
}

void Drawing::Learn(const Choice& choice, const std::vector<oracle::Outcome>& outcomes, const std::vector<bool>& paid) {
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < choice.arms.size() && i < outcomes.size(); ++i) {
    Arm& arm = arms_[choice.arms[i]];
    ++arm.tests;
    arm.finds += paid[i];
    arm.seconds += CpuSeconds(outcomes[i]);
  }
}

}  // namespace assay::campaign
