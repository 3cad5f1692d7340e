#include "store/store.hpp"

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <chrono>

#include "store/bug_columns.hpp"
#include "store/database.hpp"
#include "store/owner.hpp"
#include "store/schema.hpp"
#include "store/statements.hpp"
#include "store/text.hpp"
#include "support/files.hpp"

namespace assay::store {
namespace {

using soci::into;
using soci::use;
using support::EnvironmentError;

void Add(soci::session& session, const std::string& name, int64_t amount) {
  Execute(session,
          "INSERT INTO counters (name, value) VALUES (:name, :amount)"
          " ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value",
          use(name), use(amount));
}

// Inserts the bug unless it is there. True if it was not.
bool InsertBug(soci::session& session, Bug bug) {
  for (const TextColumn& column : kBugTexts) bug.*column.member = CleanText(bug.*column.member);
  std::string sql = "INSERT INTO bugs (" + BugColumnNames() + ") VALUES (" +
                    BugColumns([](std::string name, const char*) { return ":" + name; }) +
                    ") ON CONFLICT (name) DO NOTHING";
  soci::statement statement(session);
  for (const TextColumn& column : kBugTexts) statement.exchange(use(bug.*column.member, column.name));
  for (const NumberColumn& column : kBugNumbers) statement.exchange(use(bug.*column.member, column.name));
  return Finish(statement, sql) > 0;
}

// The bug can be reduced: whoever has time may do it.
void OpenReduction(soci::session& session, const std::string& bug) {
  Execute(session,
          "INSERT INTO reductions (bug, state, owner, heartbeat_ms, compile_command, run_command,"
          " ending, evidence, note) VALUES (:bug, 'open', '', 0, '', '', '', '', '')"
          " ON CONFLICT (bug) DO NOTHING",
          use(bug));
}

// Of finds with one name some may be known and others not: a bug that was known as soon as it was found, and so never
// looked at, makes room for a find that is not. How often it was seen.
int64_t ForgetThatItIsKnown(soci::session& session, const std::string& bug) {
  int64_t looked_at = 0, count = 0;
  session << "SELECT COUNT(*) FROM reductions WHERE bug = :bug", into(looked_at), use(bug);
  if (looked_at > 0) return 0;
  session << "SELECT COALESCE(SUM(count), 0) FROM bugs WHERE name = :name AND known = 1", into(count), use(bug);
  if (Execute(session, "DELETE FROM bugs WHERE name = :name AND known = 1", use(bug)) > 0) {
    Execute(session, "DELETE FROM files WHERE bug = :name", use(bug));  // of one that is known only now
  }
  return count;
}

// Stores a find. True if its bug was not known to the campaign.
bool AddFind(soci::session& session, Bug bug, int64_t seed, int64_t now) {
  bug.count = bug.known != 0 ? 0 : ForgetThatItIsKnown(session, bug.name);
  bug.first_seed = seed;
  bug.first_seen_ms = bug.last_seen_ms = now;
  bool is_new = InsertBug(session, bug);
  if (is_new && !bug.known) {
    for (size_t i = 0; i < bug.files.size(); ++i) {
      int64_t position = static_cast<int64_t>(i);
      std::string content = CleanText(bug.files[i].content);
      Execute(session,
              "INSERT INTO files (bug, position, role, name, content) VALUES (:bug, :position, "
              ":role, :name, :content)",
              use(bug.name), use(position), use(bug.files[i].role), use(bug.files[i].name), use(content));
      if (bug.files[i].role == "model" && IsBugKind(bug.kind)) OpenReduction(session, bug.name);
    }
  }
  Execute(session, "UPDATE bugs SET count = count + 1, last_seen_ms = :now WHERE name = :name", use(now),
          use(bug.name));
  Execute(session,
          "INSERT INTO finds (bug, seed, time_ms, writers) VALUES (:bug, :seed, :now, :writers)"
          " ON CONFLICT (bug, seed) DO NOTHING",
          use(bug.name), use(seed), use(now), use(bug.writers));
  if (IsBugKind(bug.kind)) {
    Add(session, "finds", 1);
    if (is_new && !bug.known && bug.IsEntry()) Add(session, "bugs", 1);
  }
  return is_new;
}

// Has the lease's next test been recorded by its holder?
bool WasRecorded(soci::session& session, const Lease& lease) {
  int64_t count = 0, done = lease.done + 1;
  session << "SELECT COUNT(*) FROM ranges WHERE first = :first AND owner = :owner AND done = :done", use(lease.first),
      use(lease.owner), use(done), into(count);
  return count == 1;
}

// The bugs that this test was the first to show.
std::vector<std::string> FirstSeenIn(soci::session& session, const TestRecord& test) {
  std::vector<std::string> names;
  for (const Bug& find : test.finds) {
    int64_t count = 0;
    session << "SELECT COUNT(*) FROM bugs WHERE name = :name AND first_seed = :seed", use(find.name), use(test.seed),
        into(count);
    if (count > 0) names.push_back(find.name);
  }
  return names;
}

CampaignInfo ReadInfo(soci::session& session) {
  CampaignInfo info;
  session << "SELECT seed, source, created_ms FROM campaign WHERE id = 1", into(info.seed), into(info.source),
      into(info.created_ms);
  return info;
}

}  // namespace

int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool IsBugKind(const std::string& kind) { return kind != "flaky" && kind != "suspect"; }

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Store::~Store() = default;

Result<CampaignInfo> Store::Begin(const CampaignInfo& wanted) {
  int64_t version = kSchemaVersion;
  auto stored = database_->Transaction([&](soci::session& session) {
    Execute(session,
            "INSERT INTO campaign (id, schema_version, seed, source, created_ms, next_test)"
            " VALUES (1, :version, :seed, :source, :created, 0) ON CONFLICT (id) DO NOTHING",
            use(version), use(wanted.seed), use(wanted.source), use(wanted.created_ms));
    return ReadInfo(session);
  });
  return stored;
}

Result<CampaignInfo> Store::Info() {
  return database_->Transaction([](soci::session& session) { return ReadInfo(session); });
}

Result<Store::Taken> Store::Take(const std::string& owner, int64_t size, int64_t limit) {
  int64_t now = NowMs();
  std::optional<int64_t> mine;  // of an attempt that failed
  auto hold = [&](const Lease& lease) {
    mine = lease.first;
    database_->ranges_taken.insert(lease.first);
  };
  return database_->Transaction([&](soci::session& session) {
    if (mine) database_->ranges_taken.erase(*mine);
    session << "UPDATE campaign SET next_test = next_test WHERE id = 1";  // the lock
    Taken taken;
    // Ranges not finished: given back, abandoned, or held. There are few: about one per worker.
    Lease open;
    int64_t heartbeat = 0;
    soci::statement ranges =
        (session.prepare << "SELECT first, count, done, owner, heartbeat_ms FROM ranges"
                            " WHERE done < count AND first + done < :limit ORDER BY first",
         use(limit), into(open.first), into(open.count), into(open.done), into(open.owner), into(heartbeat));
    ranges.execute();
    while (ranges.fetch()) {
      // One of our own that nobody works on: it was stored just before the connection broke.
      bool forgotten = open.owner == owner && !database_->ranges_taken.contains(open.first);
      if (forgotten || IsFree(open.owner, heartbeat, owner, now)) {
        taken.lease = open;
        break;
      }
      taken.wait = true;
    }
    ranges.clean_up();
    if (taken.lease) {
      taken.lease->owner = owner;
      Execute(session, "UPDATE ranges SET owner = :owner, heartbeat_ms = :now WHERE first = :first", use(owner),
              use(now), use(taken.lease->first));
      hold(*taken.lease);
      return taken;
    }
    int64_t next = 0;
    session << "SELECT next_test FROM campaign WHERE id = 1", into(next);
    if (next >= limit) return taken;
    taken.lease = Lease{.first = next, .count = std::min(size, limit - next), .done = 0, .owner = owner};
    Execute(session,
            "INSERT INTO ranges (first, count, done, owner, heartbeat_ms) VALUES (:first, :count, "
            "0, :owner, :now)",
            use(taken.lease->first), use(taken.lease->count), use(owner), use(now));
    int64_t after = next + taken.lease->count;
    Execute(session, "UPDATE campaign SET next_test = :after WHERE id = 1", use(after));
    hold(*taken.lease);
    return taken;
  });
}

Result<void> Store::Heartbeat(const std::string& owner) {
  int64_t now = NowMs();
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    Execute(session, "UPDATE ranges SET heartbeat_ms = :now WHERE owner = :owner AND done < count", use(now),
            use(owner));
    return Execute(session, "UPDATE reductions SET heartbeat_ms = :now WHERE owner = :owner", use(now), use(owner));
  }));
  return {};
}

Result<void> Store::Release(const std::string& owner) {
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    Execute(session, "UPDATE ranges SET owner = '' WHERE owner = :owner AND done < count", use(owner));
    return Execute(session, "UPDATE reductions SET owner = '' WHERE owner = :owner", use(owner));
  }));
  return {};
}

Result<Store::Recorded> Store::Record(Lease& lease, const TestRecord& test) {
  CHECK(!lease.Finished());
  int64_t now = NowMs();
  int attempts = 0;
  auto recorded = database_->Transaction([&](soci::session& session) {
    Recorded result;
    ++attempts;
    // The fence: only the holder, and only the next number.
    bool fenced = Execute(session,
                          "UPDATE ranges SET done = done + 1, heartbeat_ms = :now"
                          " WHERE first = :first AND owner = :owner AND done = :done",
                          use(now), use(lease.first), use(lease.owner), use(lease.done)) == 1;
    // Or else an attempt before this one was stored, and the connection broke before we heard of it.
    result.accepted = fenced || (attempts > 1 && WasRecorded(session, lease));
    if (!fenced && result.accepted) result.new_bugs = FirstSeenIn(session, test);
    if (!fenced) return result;
    Add(session, "tests", 1);
    for (const Counter& counter : test.counters) Add(session, counter.name, counter.amount);
    for (const Tally& tally : test.tallies) {
      Execute(session,
              "INSERT INTO tallies (target, verdict, value) VALUES (:target, :verdict, :amount)"
              " ON CONFLICT (target, verdict) DO UPDATE SET value = tallies.value + excluded.value",
              use(tally.target), use(tally.verdict), use(tally.amount));
    }
    for (const Bug& find : test.finds) {
      if (AddFind(session, find, test.seed, now)) result.new_bugs.push_back(find.name);
    }
    return result;
  });
  if (recorded && recorded->accepted) ++lease.done;
  return recorded;
}

Result<void> Store::SaveConfigurations(const std::vector<Configuration>& configurations) {
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    for (const Configuration& item : configurations) {
      Execute(session,
              "INSERT INTO configurations (name, target, version, flags, data_model)"
              " VALUES (:name, :target, :version, :flags, :model) ON CONFLICT (name) DO UPDATE SET"
              " version = excluded.version, flags = excluded.flags, data_model = excluded.data_model",
              use(item.name), use(item.target), use(item.version), use(item.flags), use(item.data_model));
    }
    return true;
  }));
  return {};
}

Result<void> Store::SaveRun(const Run& run) {
  const std::string lost = CleanText(run.lost);
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    return Execute(session,
                   "INSERT INTO runs (owner, started_ms, ended_ms, jobs, tests, own_cpu_us, child_cpu_us, lost)"
                   " VALUES (:owner, :started, :ended, :jobs, :tests, :own, :child, :lost) ON CONFLICT (owner) DO "
                   "UPDATE SET"
                   " ended_ms = excluded.ended_ms, tests = excluded.tests, own_cpu_us = excluded.own_cpu_us,"
                   " child_cpu_us = excluded.child_cpu_us, lost = excluded.lost",
                   use(run.owner), use(run.started_ms), use(run.ended_ms), use(run.jobs), use(run.tests),
                   use(run.own_cpu_us), use(run.child_cpu_us), use(lost));
  }));
  return {};
}

Result<void> Store::AddSample() {
  int64_t now = NowMs();
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    return Execute(session,
                   "INSERT INTO samples (time_ms, tests, finds, bugs) SELECT :now,"
                   " COALESCE((SELECT value FROM counters WHERE name = 'tests'), 0),"
                   " COALESCE((SELECT value FROM counters WHERE name = 'finds'), 0),"
                   " COALESCE((SELECT value FROM counters WHERE name = 'bugs'), 0)"
                   " WHERE true ON CONFLICT (time_ms) DO NOTHING",
                   use(now));
  }));
  return {};
}

}  // namespace assay::store
