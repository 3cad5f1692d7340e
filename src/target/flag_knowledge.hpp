// Flags that a target does not take, learned while a campaign runs: it refuses them on a trivial program as well, or
// makes nothing of it that can be started. Such a failure is not a find. Of flags drawn from a pool those that matter
// are learned and not drawn again; a fixed configuration is left out as it stands.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::target {

// Thread-safe. One per campaign.
class FlagKnowledge {
 public:
  // Does `flags` contain a combination that the target is known to reject?
  bool Rejected(const std::string& target_name, const Flags& flags) const;

  // Records one such combination (for instance from the campaign's store).
  void Learn(const std::string& target_name, Flags combination);

  // The campaign saw a drawn configuration fail. Tries a trivial program with the same flags: when that works the flags
  // are fine, and false is returned (the failure is worth judging); otherwise the flags are minimised, learned, and
  // true is returned. `extra`: flags of the campaign's programs.
  support::Result<bool> BlameFlags(exec::Executor& executor, const Configuration& configuration,
                                   const Flags& extra = {});

  // The same for a fixed configuration, which is tried once. `why`: what it does with the trivial program; empty: its
  // flags are fine.
  struct Proof {
    std::string why;
    bool is_news = false;  // nobody has been told
  };
  support::Result<Proof> Prove(exec::Executor& executor, const Configuration& configuration, const Flags& extra = {});
  // Is it known that the fixed configuration does not work?
  bool IsLeftOut(const Configuration& configuration) const;
  bool IsProven(const Configuration& configuration) const;
  // Their targets and names, and why.
  struct LeftOutConfiguration {
    std::string target, name, why;
  };
  std::vector<LeftOutConfiguration> AllLeftOut() const;

  // Every combination learned, in a stable order, per target.
  std::map<std::string, std::vector<Flags>> All() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Flags>> rejected_;
  std::map<std::string, LeftOutConfiguration> left_out_;  // by the configuration's name
  std::set<std::string> proven_;                          // names
};

}  // namespace assay::target
