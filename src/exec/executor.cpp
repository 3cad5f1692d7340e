#include "exec/executor.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exec/jail.hpp"

namespace assay::exec {

namespace {

constexpr int kAttempts = 3;  // a jail that is lost (to the system's out-of-memory killer, say) is replaced
constexpr std::chrono::milliseconds kPauseWithoutMemory{500};

// How many processes the kernel has killed for want of memory since the machine was started.
uint64_t OutOfMemoryKills() {
  std::ifstream in("/proc/vmstat");
  std::string name;
  for (uint64_t value = 0; in >> name >> value;) {
    if (name == "oom_kill") return value;
  }
  return 0;
}

// The jail stands still beyond all its time, and so did another: the command's time is up.
Observation StoppedItsJail(const Command& command, const Limits& limits) {
  return {.ending = Ending::TimedOut,
          .stderr_text = fmt::format("assay: {} stopped the process that watches it, or the machine is overloaded\n",
                                     command.argv[0]),
          .wall_seconds = limits.wall_seconds};
}

// Nothing else ends a jail again and again.
Observation KilledItsJail(const Command& command, const JailEnd& end) {
  Observation seen{.ending = Ending::Signaled, .signal = end.signal == 0 ? SIGKILL : end.signal};
  seen.stderr_text = fmt::format("assay: the process that watches {} was killed ({}) in each of {} attempts\n",
                                 command.argv[0], SignalName(seen.signal), kAttempts);
  return seen;
}

}  // namespace

// The jails, idle and busy. A busy jail stays in the list so that Stop can interrupt it.
class Executor::Pool {
 public:
  explicit Pool(Confinement confinement) : confinement_(confinement) {}

  struct Slot {
    Jail jail;
    JailKind kind;
    bool busy;
  };
  using Handle = std::list<Slot>::iterator;

  // A jail for the caller alone, an idle one or a new one.
  support::Result<Handle> Take(JailKind kind) {
    {
      std::lock_guard lock(mutex_);
      if (stopped_) return Stopped();
      for (Handle slot = slots_.begin(); slot != slots_.end(); ++slot) {
        if (slot->busy || slot->kind != kind) continue;
        slot->busy = true;
        return slot;
      }
    }
    ASSIGN_OR_RETURN(auto jail, Jail::Start(confinement_, kind));
    std::lock_guard lock(mutex_);
    if (stopped_) return Stopped();
    return slots_.insert(slots_.begin(), Slot{std::move(jail), kind, true});
  }

  void GiveBack(Handle slot) {
    std::lock_guard lock(mutex_);
    slot->busy = false;
  }

  // Ends a jail that is of no more use, and says how it came to that.
  JailEnd Discard(Handle slot) {
    std::list<Slot> ended;
    {
      std::lock_guard lock(mutex_);
      ended.splice(ended.begin(), slots_, slot);
    }
    return ended.front().jail.End();
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
  const JailKind kind{.network = limits.network, .local_sockets = limits.local_sockets};
  std::optional<uint64_t> kills_before;  // since the first loss: to read it costs more than a short run may
  JailEnd end;
  int stood_still = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    ASSIGN_OR_RETURN(auto slot, pool_->Take(kind));
    std::optional<Observation> seen = slot->jail.Run(command, limits);
    if (seen) {
      pool_->GiveBack(slot);
      return std::move(*seen);
    }
    end = pool_->Discard(slot);
    if (pool_->IsStopped()) return Pool::Stopped();
    if (!end.answered) {  // that costs all of the command's time
      if (stood_still++ > 0) break;
      continue;
    }
    if (!kills_before) kills_before = OutOfMemoryKills();
    if (kills_before != OutOfMemoryKills()) std::this_thread::sleep_for(kPauseWithoutMemory);
  }
  if (!end.answered) return StoppedItsJail(command, limits);
  if (kills_before != OutOfMemoryKills()) {
    return support::EnvironmentError(
        fmt::format("the machine is out of memory: the kernel killed the helper process that runs {}, {} times; give "
                    "--jobs fewer workers, or the machine more memory",
                    command.argv[0], kAttempts));
  }
  return KilledItsJail(command, end);
}

void Executor::Prepare(size_t jails) {
  std::vector<Pool::Handle> taken;
  while (taken.size() < jails) {
    support::Result<Pool::Handle> slot = pool_->Take(JailKind{});
    if (!slot) break;
    taken.push_back(*slot);
  }
  for (Pool::Handle slot : taken) pool_->GiveBack(slot);
}

void Executor::Stop() { pool_->Stop(); }

support::Result<Containment> Executor::Describe() {
  ASSIGN_OR_RETURN(auto slot, pool_->Take(JailKind{}));
  Containment containment = (slot)->jail.GetContainment();
  pool_->GiveBack(slot);
  return containment;
}

}  // namespace assay::exec
