// Flag combinations that a target rejects, learned while a campaign runs. A random draw of flags
// that the compiler refuses on a trivial program is not a find: it is minimised to the flags that
// matter and not drawn again.
#pragma once

#include <map>
#include <mutex>
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

  // The campaign saw a compile of a drawn configuration fail. Compiles a trivial program with the
  // same flags: when that works the flags are fine, and false is returned (the failure is worth
  // judging); otherwise the flags are minimised, learned, and true is returned.
  support::Result<bool> BlameFlags(exec::Executor& executor, const Configuration& configuration);

  // Everything learned, in a stable order, per target.
  std::map<std::string, std::vector<Flags>> All() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Flags>> rejected_;
};

}  // namespace assay::target
