// Which configurations a program is tried with. Where the expectation is known one configuration is enough to see a
// bug, and a program costs nothing beside its compilations: a few configurations for many programs find more than all
// of them for a few. They are drawn by weight, and weights follow what each has found per CPU second.
//
// An arm is a fixed configuration, or a pool of flags, of which every draw is another configuration. Its weight is its
// finds per second, begun with one find as if the first test had given one: what has not been tried is worth a try,
// what has cost much and found nothing is worth less and less, but never less than a part of the best.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <vector>

#include "choice/choices.hpp"
#include "oracle/verdict.hpp"
#include "target/flag_knowledge.hpp"
#include "target/target.hpp"

namespace assay::campaign {

// For a program that knows its answer, where the user does not say otherwise (docs/measurements.md has why).
inline constexpr int kFewConfigurations = 3;

// Thread-safe.
class Drawing {
 public:
  // `per_test` configurations for a program; 0: all, always. Without learning all weights stay equal, and the draw
  // depends on the program's seed alone. The targets must outlive this.
  Drawing(const std::vector<target::Target>& targets, int per_test, bool learns);

  struct Choice {
    std::vector<target::Configuration> configurations;
    std::vector<size_t> arms;  // of each configuration
  };
  // Whether the program may be given to a target, with flags of the pool if there is one.
  using MayHave = std::function<bool(const target::Target&, const target::FlagPool*)>;
  // For the program of this seed: among the arms that `may_have` it. While weights are learned, a target that no
  // program has been given yet is among them, whatever `per_test` says. `all`: every configuration.
  Choice Draw(int64_t seed, bool all, const target::FlagKnowledge& flags, const MayHave& may_have);

  // What became of it: the CPU seconds each configuration took, and whether it showed something worth a look.
  void Learn(const Choice& choice, const std::vector<oracle::Outcome>& outcomes, const std::vector<bool>& paid);

 private:
  struct Arm {
    const target::Target* target = nullptr;
    target::Flags flags;                     // of a fixed configuration
    const target::FlagPool* pool = nullptr;  // or null
    int64_t tests = 0;
    int64_t finds = 0;
    double seconds = 0;
  };
  std::vector<size_t> PickByTurns(int64_t seed, const std::vector<size_t>& eligible) const;
  std::vector<size_t> PickByWeight(choice::Choices choices, std::vector<size_t> eligible);
  std::vector<double> Weights(const std::vector<size_t>& eligible) const;

  const int per_test_;
  const bool learns_;
  mutable std::mutex mutex_;
  std::vector<Arm> arms_;
  std::set<const target::Target*> given_;  // that have been given a program
};

}  // namespace assay::campaign
