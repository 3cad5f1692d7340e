// Programs of our own C generator, with what they must print.
//
// A program is written for one data model, so each seed draws one of the models of the targets
// under test; the targets of other models sit that test out. Some compilers, and some pools of flags, cannot take some
// constructs (missing_knobs of their recipe): each seed draws whose constructs its program does without, and only those
// who can take it get it. Half of the programs are for those who can take most.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "campaign/source.hpp"
#include "knobs/knobs.hpp"
#include "lang/data_model.hpp"

namespace assay::campaign {

// The median size of a campaign's programs where neither the profile nor the knobs say one: many
// configurations try each program, and many smaller programs find more than few large ones.
inline constexpr int32_t kCampaignTokens = 2000;

class CSource : public ProgramSource {
 public:
  // An Error if the generator cannot write programs for the data model of a target.
  static Result<std::unique_ptr<ProgramSource>> Make(const SourceOptions& options,
                                                     const std::vector<target::Target>& targets);

  Result<std::optional<TestCase>> Make(int64_t seed) override;
  Result<std::optional<SourceFile>> Model(int64_t seed) override;
  Result<SmallProgram> Reduce(const ReduceRequest& request, exec::Executor& executor) const override;
  std::string Description() const override { return description_; }
  double ChildCpuSeconds() const override { return cpu_seconds_; }

 private:
  // A kind of programs: without what `missing` names, and otherwise as asked for.
  struct ProgramKind {
    std::set<std::string> missing;
    knobs::Knobs knobs;
  };
  // The programs for one data model.
  struct Family {
    lang::DataModel model;
    std::vector<ProgramKind> kinds;  // all different; the first misses least
  };
  Result<void> AddKind(Family& family, std::set<std::string> missing) const;
  Result<void> AddKindsFor(Family& family, const target::Target& target) const;

  // What the seed decides before a program is written.
  struct Draw {
    const Family* family;
    const ProgramKind* kind;
    bool split;
  };
  Draw DrawFor(int64_t seed) const;
  // Of the knobs that some target or pool of the family cannot take: those that are 0 in programs of the kind.
  static std::set<std::string> DoesWithout(const Draw& draw);

  // A program as texts: what it must print, then name and text of each file.
  using Texts = std::vector<std::string>;
  Texts Write(int64_t seed) const;
  // The texts of a seed, made in a process of its own with those of the seeds that follow: they are
  // asked for soon, and the process costs more than a program. Nothing if it died.
  Result<std::optional<Texts>> TextsOf(int64_t seed);
  void KeepReady(int64_t seed, std::vector<Texts> programs);  // of this seed and those that follow
  std::optional<Texts> TakeReady(int64_t seed);

  std::string description_;
  std::atomic<double> cpu_seconds_ = 0;
  knobs::Knobs knobs_;
  std::vector<Family> families_;  // the first is drawn most
  std::mutex ready_mutex_;
  std::map<int64_t, Texts> ready_;  // made, and not asked for yet
};

}  // namespace assay::campaign
