// Servers that targets need (databases): each runs in a jail and a scratch folder of its own, so
// that it ends and its folder goes when we do, also after Ctrl-C; when Assay is killed the server
// dies with it and the folder is swept by the next run.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "target/target.hpp"

namespace assay::target {

// Among the environment of a target whose service runs: where.
inline constexpr std::string_view kServiceFolderVariable = "ASSAY_SERVICE=";

// The services that run now; they end with this object. Thread-safe.
class Services {
 public:
  Services();
  ~Services();
  Services(const Services&) = delete;
  Services& operator=(const Services&) = delete;

  // Starts the target's service, waits until it is ready, and puts its folder for {service} in the
  // target's commands. Nothing to do for a target that needs none.
  support::Result<void> Start(Target& target);

  // CPU time of all services since they were started, with all their processes.
  double CpuSeconds() const;

 private:
  class Running;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Running>> running_;
};

// CPU time of the processes whose working folder is `folder` or below it, and of their children
// that have ended.
double CpuSecondsBelow(const std::filesystem::path& folder);

}  // namespace assay::target
