// What the store knows about reductions. A row of the table is a lease, like a range of tests.
#include "store/database.hpp"
#include "store/owner.hpp"
#include "store/statements.hpp"
#include "store/store.hpp"
#include "store/text.hpp"

namespace assay::store {
namespace {

using soci::into;
using soci::use;

struct Waiting {
  std::string bug;
  std::string owner;
  int64_t heartbeat_ms = 0;
};

}  // namespace

Result<std::optional<Bug>> Store::TakeReduction(const std::string& owner) {
  int64_t now = NowMs();
  std::string mine;  // of an attempt that failed
  auto name = database_->Transaction([&](soci::session& session) {
    database_->reductions_taken.erase(mine);
    session << "UPDATE campaign SET next_test = next_test WHERE id = 1";  // the lock
    Waiting row;
    auto rows =
        FetchAll((session.prepare << "SELECT reductions.bug, reductions.owner, reductions.heartbeat_ms FROM reductions"
                                     " JOIN bugs ON bugs.name = reductions.bug WHERE state = 'open'"
                                     " ORDER BY bugs.first_seen_ms, bugs.name",
                  into(row.bug), into(row.owner), into(row.heartbeat_ms)),
                 row);
    for (const Waiting& waiting : rows) {
      // One process holds each reduction once: its own are in work, except one whose taking was
      // stored just before the connection broke.
      bool forgotten = waiting.owner == owner && !database_->reductions_taken.contains(waiting.bug);
      if (!forgotten && (waiting.owner == owner || !IsFree(waiting.owner, waiting.heartbeat_ms, owner, now))) {
        continue;
      }
      Execute(session, "UPDATE reductions SET owner = :owner, heartbeat_ms = :now WHERE bug = :bug", use(owner),
              use(now), use(waiting.bug));
      mine = waiting.bug;
      database_->reductions_taken.insert(mine);
      return waiting.bug;
    }
    return std::string();
  });
  if (!name) return name.GetError();
  if (name->empty()) return std::optional<Bug>();
  return BugNamed(*name);
}

Result<bool> Store::SaveReduction(const std::string& owner, const std::string& bug, const Reduction& reduction,
                                  const std::vector<BugFile>& files) {
  Reduction clean = reduction;
  for (std::string* text : {&clean.compile_command, &clean.run_command, &clean.ending, &clean.evidence, &clean.note,
                            &clean.title, &clean.sanitizer, &clean.explanation}) {
    *text = CleanText(*text);
  }
  return database_->Transaction([&](soci::session& session) {
    bool held = Execute(session,
                        "UPDATE reductions SET state = :state, owner = '', compile_command = :compile,"
                        " run_command = :run, ending = :ending, evidence = :evidence, note = :note,"
                        " title = :title, ended_by = :ended_by, sanitizer = :sanitizer, explanation = :explanation"
                        " WHERE bug = :bug AND owner = :owner",
                        use(clean.state), use(clean.compile_command), use(clean.run_command), use(clean.ending),
                        use(clean.evidence), use(clean.note), use(clean.title), use(clean.ended_by),
                        use(clean.sanitizer), use(clean.explanation), use(bug), use(owner)) == 1;
    if (!held || files.empty()) return held;
    Execute(session, "DELETE FROM files WHERE bug = :bug AND role LIKE 'reduced%'", use(bug));
    int64_t position = 0;
    session << "SELECT COALESCE(MAX(position), -1) FROM files WHERE bug = :bug", into(position), use(bug);
    for (const BugFile& file : files) {
      ++position;
      std::string content = CleanText(file.content);
      Execute(session,
              "INSERT INTO files (bug, position, role, name, content) VALUES (:bug, :position, "
              ":role, :name, :content)",
              use(bug), use(position), use(file.role), use(file.name), use(content));
    }
    return held;
  });
}

Result<int64_t> Store::OpenReductions() {
  return database_->Transaction([](soci::session& session) {
    int64_t count = 0;
    session << "SELECT COUNT(*) FROM reductions WHERE state = 'open'", into(count);
    return count;
  });
}

Result<void> Store::SaveRejectedFlags(const RejectedFlags& rejected) {
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    return Execute(session,
                   "INSERT INTO rejected_flags (target, flags) VALUES (:target, :flags)"
                   " ON CONFLICT (target, flags) DO NOTHING",
                   use(rejected.target), use(rejected.flags));
  }));
  return {};
}

Result<std::vector<Store::RejectedFlags>> Store::AllRejectedFlags() {
  return database_->Transaction([](soci::session& session) {
    RejectedFlags row;
    return FetchAll((session.prepare << "SELECT target, flags FROM rejected_flags ORDER BY target, flags",
                     into(row.target), into(row.flags)),
                    row);
  });
}

}  // namespace assay::store
