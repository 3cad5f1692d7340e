// A piece of work of ours in a process of its own, so that a bug of ours in it (an abort, an
// endless loop) costs one test and not the campaign.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "support/result.hpp"

namespace assay::campaign {

struct ForkedResult {
  std::optional<std::string> bytes;  // what `work` returned; nothing if it died or was ended
  double cpu_seconds = 0;            // of the process itself
  double child_cpu_seconds = 0;      // of what it started and waited for
  bool stopped = false;              // ended because `stop` said so
};

// Forks, runs `work` there and brings back its answer, as a message of exec/wire.hpp; ends it when it takes longer than
// `seconds` or when `stop` (asked several times a second) returns true. The child dies with the calling
// thread and has none of our open files. `work` must not take a lock that another thread may hold.
support::Result<ForkedResult> RunForked(const std::function<std::string()>& work, double seconds,
                                        const std::function<bool()>& stop = {});

}  // namespace assay::campaign
