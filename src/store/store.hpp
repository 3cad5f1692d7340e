// The store of one campaign: SQLite in the campaign's folder (several processes may share it), or
// PostgreSQL by URL.
//
// What it promises:
//   - a test is recorded as a whole (its number, counters and finds) or not at all, also when the
//   process is killed
//     or the disk is full at any moment;
//   - a test number is recorded at most once, whoever tried it;
//   - a dead holder's range is handed out again: at once if the holder was a process of this
//   machine, else after
//     its heartbeat is `kLeaseExpiryMs` old.
// All members may be called from any thread. A failing database is a Result; the campaign then
// stops and can be resumed. A server that cannot be reached is waited for.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/records.hpp"
#include "support/result.hpp"

namespace assay::store {

using support::Result;

inline constexpr int64_t kLeaseExpiryMs = 60000;
inline constexpr int64_t kNoLimit = INT64_MAX;

class Store {
 public:
  // Opens the campaign's database, made if it is missing; tables of an older version are brought
  // up to date. `place` is a folder (whose database may be elsewhere: UseServer), or a postgresql://
  // URL. `server`: the folder's URL with its password, which the folder does not keep.
  static Result<std::unique_ptr<Store>> Open(const std::string& place, const std::string& server = {});
  // Opens a campaign that must be there, to read it. The folder may be one that cannot be written.
  static Result<std::unique_ptr<Store>> OpenToRead(const std::filesystem::path& folder);
  // From now on the folder's database is the one at the URL, noted without its password. A folder
  // with a database of its own, or with another URL, is a usage error.
  static Result<void> UseServer(const std::filesystem::path& folder, const std::string& url);
  // Is the folder's database on a server, where other machines may share it?
  static bool IsOnServer(const std::filesystem::path& folder);
  // True if the folder already holds a campaign.
  static bool Exists(const std::filesystem::path& folder);
  ~Store();

  struct Outage {
    // Asked about ten times a second while the server cannot be reached: why, and since how many
    // seconds. False gives up. Without it the store waits half a minute.
    std::function<bool(const std::string& why, double seconds)> keep_trying;
    // It can be reached again.
    std::function<void()> reached;
  };
  // Called from any thread.
  void WhenUnreachable(Outage outage);

  // The campaign as stored; `wanted` is stored first if there is none yet.
  Result<CampaignInfo> Begin(const CampaignInfo& wanted);
  Result<CampaignInfo> Info();

  struct Taken {
    std::optional<Lease> lease;
    bool wait = false;  // nothing free now, but another holder has unfinished tests below the limit
  };
  // Leases a free or abandoned range, else a new one of up to `size` tests, all below test number
  // `limit`.
  Result<Taken> Take(const std::string& owner, int64_t size, int64_t limit = kNoLimit);
  // Extends all leases of the owner.
  Result<void> Heartbeat(const std::string& owner);
  // Gives back what is left of the owner's leases.
  Result<void> Release(const std::string& owner);

  struct Recorded {
    bool accepted = false;              // false: the lease was lost to another holder; nothing was stored
    std::vector<std::string> new_bugs;  // names of bugs not seen before
  };
  // Records test number lease.Next() and advances the lease.
  Result<Recorded> Record(Lease& lease, const TestRecord& test);

  // A bug (with its files) that waits to be reduced, now held by the owner; the oldest first. `except`: names.
  Result<std::optional<Bug>> TakeReduction(const std::string& owner, const std::set<std::string>& except = {});
  // Among entries, reduced and with their files, of the bug's family and kind: which one the bug is, and why. Nothing:
  // it is one of its own. May be asked several times.
  struct Likeness {
    std::string name, reason;
  };
  using FindLike = std::function<std::optional<Likeness>(const std::vector<Bug>& entries)>;
  // Stores how the reduction of a bug ended (bug.reduction; with the state "open" it is given back), what triage found
  // (bug.triage, if there is any), and its files of the roles "reduced...". A bug whose reduction is done is held
  // against the other entries: bug.same_as and the reason are set as they are stored. False: it was lost to another
  // holder; nothing was stored.
  Result<bool> SaveReduction(const std::string& owner, Bug& bug, const FindLike& find_like);
  // Stores triage alone, for a bug that was reduced before.
  Result<void> SaveTriage(Bug& bug, const FindLike& find_like);

  // What is known of the finds that share a signature: how many became bugs to look at, how many of them are entries,
  // how many wait to be reduced, and how often the signature was found.
  struct Class {
    int64_t members = 0, entries = 0, waiting = 0, finds = 0;
  };
  Result<Class> ClassOf(const Bug& bug);
  // How many bugs wait or are being reduced.
  Result<int64_t> OpenReductions();

  // Combinations of flags (shell text) that a target rejects: learned once, known to all.
  struct RejectedFlags {
    std::string target;
    std::string flags;
  };
  Result<void> SaveRejectedFlags(const RejectedFlags& rejected);
  Result<std::vector<RejectedFlags>> AllRejectedFlags();

  Result<void> SaveConfigurations(const std::vector<Configuration>& configurations);
  Result<void> SaveRun(const Run& run);
  // Adds a point with the present totals.
  Result<void> AddSample();

  Result<Sample> Totals();
  Result<std::vector<Sample>> Samples();
  Result<std::vector<Bug>> Bugs(bool with_files);
  // The one bug, with its files.
  Result<std::optional<Bug>> BugNamed(const std::string& name);
  // How many different bugs of each kind, without known ones.
  Result<std::map<std::string, int64_t>> BugsByKind();
  Result<std::vector<Find>> Finds();
  Result<std::vector<Tally>> Tallies();
  Result<std::vector<Counter>> Counters();
  Result<std::vector<Configuration>> Configurations();
  Result<std::vector<Run>> Runs();
  // Test numbers recorded so far, as ranges in order; for checks.
  Result<std::vector<Lease>> Ranges();

 private:
  struct Database;
  static Result<std::unique_ptr<Store>> Connect(const std::string& place, const std::string& server, bool make);
  explicit Store(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

// True for kinds that are findings about a target: all but flaky and suspect.
bool IsBugKind(const std::string& kind);

}  // namespace assay::store
