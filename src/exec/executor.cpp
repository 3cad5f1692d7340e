#include "exec/executor.hpp"

#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "exec/jail.hpp"

namespace assay::exec {

// The jails, idle and busy. A busy jail stays in the list so that Stop can interrupt it.
class Executor::Pool {
 public:
  explicit Pool(Confinement confinement) : confinement_(confinement) {}

  struct Slot {
    Jail jail;
    bool network;
    bool busy;
  };
  using Handle = std::list<Slot>::iterator;

  // A jail for the caller alone, an idle one or a new one.
  support::Result<Handle> Take(bool network) {
    {
      std::lock_guard lock(mutex_);
      if (stopped_) return Stopped();
      for (Handle slot = slots_.begin(); slot != slots_.end(); ++slot) {
        if (slot->busy || slot->network != network) continue;
        slot->busy = true;
        return slot;
      }
    }
    support::Result<Jail> jail = Jail::Start(confinement_, network);
    if (!jail) return jail.GetError();
    std::lock_guard lock(mutex_);
    if (stopped_) return Stopped();
    return slots_.insert(slots_.begin(), Slot{std::move(*jail), network, true});
  }

  void GiveBack(Handle slot) {
    std::lock_guard lock(mutex_);
    slot->busy = false;
  }

  // Ends a jail that is of no more use.
  void Discard(Handle slot) {
    std::list<Slot> ended;
    std::lock_guard lock(mutex_);
    ended.splice(ended.begin(), slots_, slot);
  }

  void Stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    for (Slot& slot : slots_) slot.jail.Interrupt();
  }

  bool IsStopped() {
    std::lock_guard lock(mutex_);
    return stopped_;
  }

  static support::Error Stopped() { return support::EnvironmentError("stopped"); }

 private:
  const Confinement confinement_;
  std::mutex mutex_;
  std::list<Slot> slots_;
  bool stopped_ = false;
};

Executor::Executor(Confinement confinement) : pool_(std::make_unique<Pool>(confinement)) {}
Executor::~Executor() = default;

support::Result<Observation> Executor::Run(const Command& command, const Limits& limits) {
  CHECK(!command.argv.empty());
  // A jail that was lost (to the system's out-of-memory killer, say) is replaced once.
  for (int attempt = 0; attempt < 2; ++attempt) {
    support::Result<Pool::Handle> slot = pool_->Take(limits.network);
    if (!slot) return slot.GetError();
    std::optional<Observation> seen = (*slot)->jail.Run(command, limits);
    if (seen) {
      pool_->GiveBack(*slot);
      return std::move(*seen);
    }
    pool_->Discard(*slot);
    if (pool_->IsStopped()) return Pool::Stopped();
  }
  return support::EnvironmentError("the helper process that runs " + command.argv[0] +
                                   " was killed, twice; is the machine out of memory?");
}

void Executor::Prepare(size_t jails) {
  std::vector<Pool::Handle> taken;
  while (taken.size() < jails) {
    support::Result<Pool::Handle> slot = pool_->Take(false);
    if (!slot) break;
    taken.push_back(*slot);
  }
  for (Pool::Handle slot : taken) pool_->GiveBack(slot);
}

void Executor::Stop() {
  pool_->Stop();
}

support::Result<Containment> Executor::Describe() {
  support::Result<Pool::Handle> slot = pool_->Take(false);
  if (!slot) return slot.GetError();
  Containment containment = (*slot)->jail.GetContainment();
  pool_->GiveBack(*slot);
  return containment;
}

}  // namespace assay::exec
