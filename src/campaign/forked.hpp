// A piece of work of ours in a process of its own, so that a bug of ours in it (an abort, an
// endless loop) costs one test and not the campaign.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace assay::campaign {

struct ForkedResult {
  std::optional<std::vector<std::string>>
      texts;  // what `work` returned; nothing if it died or took too long
  double cpu_seconds = 0;
};

// Forks, runs `work` there and brings back its texts. The child dies with the calling thread.
// `work` must not take a lock that another thread may hold.
support::Result<ForkedResult> RunForked(const std::function<std::vector<std::string>()>& work,
                                        int seconds);

}  // namespace assay::campaign
