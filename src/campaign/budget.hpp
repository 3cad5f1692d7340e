// When to stop, and why. The workers ask; the supervisor decides; the first reason stays.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "campaign/campaign.hpp"

namespace assay::campaign {

class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds), start_(Clock::now()) {}

  // May another test begin?
  bool MayBegin() {
    if (seconds_ > 0 && Elapsed() >= seconds_) Stop(Ending::TimeUp);
    return !Stopped();
  }
  // May a reduction go on (for at least this many seconds)? Also when there is nothing more to
  // test, but not when the time is up, the user has stopped the campaign or something failed.
  bool MayReduce(double seconds) const {
    if (seconds_ > 0 && seconds_ - Elapsed() < seconds) return false;
    return !Stopped() || Reason() == Ending::BugFound;
  }
  bool Stopped() const { return stopped_; }

  void Stop(Ending reason, std::string trouble = {}) {
    std::lock_guard lock(mutex_);
    if (stopped_) return;
    reason_ = reason;
    trouble_ = std::move(trouble);
    stopped_ = true;
  }

  // Why it stopped; TestsDone if nothing stopped it before the work was done.
  Ending Reason() const { return reason_; }
  const std::string& Trouble() const { return trouble_; }

  double Elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::optional<double> Left() const {
    if (seconds_ <= 0) return {};
    return std::max(0.0, seconds_ - Elapsed());
  }

 private:
  using Clock = std::chrono::steady_clock;
  const double seconds_;
  const Clock::time_point start_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;  // set last: reason and trouble are then complete
  Ending reason_ = Ending::TestsDone;
  std::string trouble_;
};

}  // namespace assay::campaign
