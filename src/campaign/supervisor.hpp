// Watches over the workers of one process: tells the observer, keeps the leases alive, ends what
// must end.
#pragma once

#include <atomic>
#include <set>

#include "campaign/worker.hpp"

namespace assay::campaign {

class Supervisor {
 public:
  explicit Supervisor(Shared& shared);

  // Returns when no worker works any more.
  void Watch(const std::atomic<int>& working, const std::atomic<bool>& interrupted);

  // After the workers have ended: the last figures, stored, and the leases given back.
  Summary Finish();

 private:
  Result<Status> CurrentStatus();
  // What this process knows by itself.
  void AddBooks(Status& status);
  Result<void> SaveProgress(const Status& status, bool ended);
  Result<void> SaveExperience();
  Result<void> Tick();
  void RefreshPage(double now);

  Shared& shared_;
  int64_t started_ms_;
  double own_cpu_at_start_;
  double services_cpu_at_start_;
  double next_heartbeat_ = 0;
  double next_page_ = 0;
  Status last_;  // for the summary when the store fails
  std::set<std::pair<std::string, std::string>> saved_flags_;
};

}  // namespace assay::campaign
