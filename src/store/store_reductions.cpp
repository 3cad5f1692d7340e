// What the store knows about reductions. A row of the table is a lease, like a range of tests.
#include <algorithm>

#include "store/bug_columns.hpp"
#include "store/database.hpp"
#include "store/owner.hpp"
#include "store/read_bugs.hpp"
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

Result<std::optional<Bug>> Store::TakeReduction(const std::string& owner, const std::set<std::string>& except) {
  int64_t now = NowMs();
  std::string mine;  // of an attempt that failed
  auto name = database_->Transaction([&](soci::session& session) {
    database_->reductions_taken.erase(mine);
    session << "UPDATE campaign SET next_test = next_test WHERE id = 1";  // the lock
    Waiting row;
    auto rows = FetchAll(
        (session.prepare << "SELECT reductions.bug, reductions.owner, reductions.heartbeat_ms FROM reductions"
                            " JOIN bugs ON bugs.name = reductions.bug WHERE state = 'open'"
                            // What is supposed to be like another comes after what is new.
                            " ORDER BY CASE WHEN same_as = '' THEN 0 ELSE 1 END, bugs.first_seen_ms, bugs.name",
         into(row.bug), into(row.owner), into(row.heartbeat_ms)),
        row);
    for (const Waiting& waiting : rows) {
      if (except.contains(waiting.bug)) continue;
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

namespace {

// The files of a reduction, in place of those of an earlier one.
void ReplaceFiles(soci::session& session, const Bug& bug) {
  Execute(session, "DELETE FROM files WHERE bug = :bug AND role LIKE 'reduced%'", use(bug.name));
  int64_t position = 0;
  session << "SELECT COALESCE(MAX(position), -1) FROM files WHERE bug = :bug", into(position), use(bug.name);
  for (const BugFile& file : bug.files) {
    if (!file.role.starts_with("reduced")) continue;
    ++position;
    std::string content = CleanText(file.content);
    Execute(session,
            "INSERT INTO files (bug, position, role, name, content) VALUES (:bug, :position, "
            ":role, :name, :content)",
            use(bug.name), use(position), use(file.role), use(file.name), use(content));
  }
}

// Bugs of their own that are reduced and may be the same as this one, the oldest first.
std::vector<Bug> ReducedEntries(soci::session& session, const Bug& bug) {
  std::vector<Bug> entries;
  for (Bug& other : BugsLike(session, bug)) {
    if (other.name != bug.name && other.IsEntry() && other.reduction && other.reduction->Done()) {
      entries.push_back(std::move(other));
    }
  }
  return entries;
}

// Moves the bug to its entry, or makes it one, or to the known ones; whoever was taken for it follows.
void SetPlace(soci::session& session, const Bug& bug) {
  std::string same_before;
  int64_t known_before = 0;
  session << "SELECT same_as, known FROM bugs WHERE name = :name", into(same_before), into(known_before), use(bug.name);
  const std::string tracked = CleanText(bug.tracked);
  Execute(session, "UPDATE bugs SET same_as = :same, known = :known, tracked = :tracked WHERE name = :name",
          use(bug.same_as), use(bug.known), use(tracked), use(bug.name));
  if (!bug.same_as.empty() && bug.same_as != same_before) {
    Execute(session, "UPDATE bugs SET same_as = :same WHERE same_as = :name", use(bug.same_as), use(bug.name));
  }
  const bool counted_before = known_before == 0 && same_before.empty();
  const bool counted = bug.known == 0 && bug.same_as.empty();
  if (counted != counted_before) {
    const int64_t change = counted ? 1 : -1;
    Execute(session, "UPDATE counters SET value = value + :change WHERE name = 'bugs'", use(change));
  }
}

void StoreTriage(soci::session& session, const Bug& bug) {
  if (!bug.triage) return;
  Triage clean = *bug.triage;
  Execute(session, "DELETE FROM triage WHERE bug = :bug", use(bug.name));
  soci::statement statement(session);
  statement.exchange(use(bug.name, "bug"));
  for (const TriageColumn& column : kTriageTexts) {
    clean.*column.member = CleanText(clean.*column.member);
    statement.exchange(use(clean.*column.member, column.name));
  }
  Finish(statement, "INSERT INTO triage (bug, " + TriageColumns([](std::string name) { return name; }) +
                        ") VALUES (:bug, " + TriageColumns([](std::string name) { return ":" + name; }) + ")");
}

// Holds a reduced bug against the entries there are.
void Place(soci::session& session, Bug& bug, const Store::FindLike& find_like) {
  if (!bug.reduction || !bug.reduction->Done()) return;
  const auto like = find_like(ReducedEntries(session, bug));
  bug.same_as = like ? like->name : std::string();
  if (like && !bug.triage) bug.triage.emplace();
  if (bug.triage) bug.triage->reason = like ? like->reason : std::string();
}

}  // namespace

Result<bool> Store::SaveReduction(const std::string& owner, Bug& bug, const FindLike& find_like) {
  Reduction clean = *bug.reduction;
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
                        use(clean.sanitizer), use(clean.explanation), use(bug.name), use(owner)) == 1;
    if (!held) return held;
    Place(session, bug, find_like);
    SetPlace(session, bug);
    StoreTriage(session, bug);
    const bool has_files = std::any_of(bug.files.begin(), bug.files.end(),
                                       [](const BugFile& file) { return file.role.starts_with("reduced"); });
    if (has_files) ReplaceFiles(session, bug);
    return held;
  });
}

Result<void> Store::SaveTriage(Bug& bug, const FindLike& find_like) {
  RETURN_IF_ERROR(database_->Transaction([&](soci::session& session) {
    session << "UPDATE campaign SET next_test = next_test WHERE id = 1";  // the lock
    Place(session, bug, find_like);
    SetPlace(session, bug);
    StoreTriage(session, bug);
    return true;
  }));
  return {};
}

Result<Store::Class> Store::ClassOf(const Bug& bug) {
  return database_->Transaction([&](soci::session& session) {
    Class found;
    session << "SELECT COUNT(*), COALESCE(SUM(CASE WHEN same_as = '' THEN 1 ELSE 0 END), 0), COALESCE(SUM(count), 0)"
               " FROM bugs WHERE signature = :signature AND family = :family AND kind = :kind"
               // What was known as soon as it was found is nothing to look at.
               " AND (known = 0 OR EXISTS (SELECT 1 FROM reductions WHERE reductions.bug = bugs.name))",
        into(found.members), into(found.entries), into(found.finds), use(bug.signature), use(bug.family), use(bug.kind);
    session << "SELECT COUNT(*) FROM reductions JOIN bugs ON bugs.name = reductions.bug WHERE state = 'open'"
               " AND signature = :signature AND family = :family AND kind = :kind",
        into(found.waiting), use(bug.signature), use(bug.family), use(bug.kind);
    return found;
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
