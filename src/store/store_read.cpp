// The reading half of the store: whole tables, in a stable order.
#include <soci/sqlite3/soci-sqlite3.h>

#include "store/bug_columns.hpp"
#include "store/database.hpp"
#include "store/read_bugs.hpp"
#include "store/statements.hpp"
#include "store/store.hpp"

namespace assay::store {
namespace {

using soci::into;
using soci::use;

// All rows of a table of bugs, those of one bug, or those of the bugs that are taken for it.
struct Which {
  const std::string* bug = nullptr;

  std::string Where(const char* column) const {
    return bug == nullptr ? std::string() : std::string(" WHERE ") + column + " = :bug";
  }
  template <typename Row>
  std::vector<Row> Fetch(soci::statement& statement, const std::string& sql, Row& row) const {
    if (bug != nullptr) statement.exchange(use(*bug, "bug"));
    statement.alloc();
    statement.prepare(sql);
    statement.define_and_bind();
    return FetchAll(statement, row);
  }
};

std::map<std::string, Reduction> ReadReductions(soci::session& session, Which which) {
  std::pair<std::string, Reduction> row;
  Reduction& columns = row.second;
  soci::statement statement(session);
  for (std::string* text :
       {&row.first, &columns.state, &columns.compile_command, &columns.run_command, &columns.ending, &columns.evidence,
        &columns.note, &columns.title, &columns.ended_by, &columns.sanitizer, &columns.explanation}) {
    statement.exchange(into(*text));
  }
  auto rows = which.Fetch(statement,
                          "SELECT bug, state, compile_command, run_command, ending, evidence, note, title, ended_by,"
                          " sanitizer, explanation FROM reductions" +
                              which.Where("bug"),
                          row);
  return {rows.begin(), rows.end()};
}

std::map<std::string, std::vector<BugFile>> ReadFiles(soci::session& session, Which which) {
  std::pair<std::string, BugFile> row;
  soci::statement statement(session);
  for (std::string* text : {&row.first, &row.second.role, &row.second.name, &row.second.content}) {
    statement.exchange(into(*text));
  }
  std::map<std::string, std::vector<BugFile>> files;
  for (auto& [bug, file] : which.Fetch(
           statement, "SELECT bug, role, name, content FROM files" + which.Where("bug") + " ORDER BY bug, position",
           row)) {
    files[bug].push_back(std::move(file));
  }
  return files;
}

std::map<std::string, Triage> ReadTriage(soci::session& session, Which which) {
  std::pair<std::string, Triage> row;
  soci::statement statement(session);
  statement.exchange(into(row.first));
  for (const TriageColumn& column : kTriageTexts) statement.exchange(into(row.second.*column.member));
  auto rows = which.Fetch(
      statement,
      "SELECT bug, " + TriageColumns([](std::string name) { return name; }) + " FROM triage" + which.Where("bug"), row);
  return {rows.begin(), rows.end()};
}

// Who is taken for whom: by the name of the entry.
std::map<std::string, std::vector<Twin>> ReadTwins(soci::session& session, Which which) {
  std::pair<std::string, Twin> row;
  soci::statement statement(session);
  statement.exchange(into(row.first));
  statement.exchange(into(row.second.name));
  statement.exchange(into(row.second.seed));
  statement.exchange(into(row.second.count));
  statement.exchange(into(row.second.reason));
  std::string where = which.Where("same_as");
  where += where.empty() ? " WHERE same_as <> ''" : " AND same_as <> ''";
  std::map<std::string, std::vector<Twin>> twins;
  for (auto& [entry, twin] : which.Fetch(statement,
                                         "SELECT same_as, name, first_seed, count, COALESCE(triage.reason, '')"
                                         " FROM bugs LEFT JOIN triage ON triage.bug = bugs.name" +
                                             where + " ORDER BY first_seen_ms, name",
                                         row)) {
    twins[entry].push_back(std::move(twin));
  }
  return twins;
}

std::vector<Bug> ReadBugs(soci::session& session, Which which, bool with_files) {
  Bug row;
  soci::statement statement(session);
  for (const TextColumn& column : kBugTexts) statement.exchange(into(row.*column.member));
  for (const NumberColumn& column : kBugNumbers) statement.exchange(into(row.*column.member));
  std::vector<Bug> bugs = which.Fetch(
      statement, "SELECT " + BugColumnNames() + " FROM bugs" + which.Where("name") + " ORDER BY first_seen_ms, name",
      row);
  std::map<std::string, Reduction> reductions = ReadReductions(session, which);
  std::map<std::string, Triage> triage = ReadTriage(session, which);
  std::map<std::string, std::vector<Twin>> twins = ReadTwins(session, which);
  std::map<std::string, std::vector<BugFile>> files;
  if (with_files) files = ReadFiles(session, which);
  for (Bug& bug : bugs) {
    if (auto found = triage.find(bug.name); found != triage.end()) bug.triage = found->second;
    bug.twins = std::move(twins[bug.name]);
    auto found = reductions.find(bug.name);
    if (found != reductions.end()) bug.reduction = found->second;
    if (with_files) bug.files = std::move(files[bug.name]);
  }
  return bugs;
}

}  // namespace

std::vector<Bug> BugsLike(soci::session& session, const Bug& bug) {
  std::vector<Bug> bugs = ReadBugs(session, {}, false);
  std::erase_if(bugs, [&](const Bug& other) { return other.family != bug.family || other.kind != bug.kind; });
  for (Bug& other : bugs) other.files = std::move(ReadFiles(session, {&other.name})[other.name]);
  return bugs;
}

Result<Sample> Store::Totals() {
  ASSIGN_OR_RETURN(auto counters, Counters());
  Sample totals{.time_ms = NowMs()};
  for (const Counter& counter : counters) {
    if (counter.name == "tests") totals.tests = counter.amount;
    if (counter.name == "finds") totals.finds = counter.amount;
    if (counter.name == "bugs") totals.bugs = counter.amount;
    if (counter.name == "no_program") totals.no_program = counter.amount;
  }
  return totals;
}

Result<std::vector<Sample>> Store::Samples() {
  return database_->Transaction([](soci::session& session) {
    Sample row;
    return FetchAll((session.prepare << "SELECT time_ms, tests, finds, bugs FROM samples ORDER BY time_ms",
                     into(row.time_ms), into(row.tests), into(row.finds), into(row.bugs)),
                    row);
  });
}

Result<std::vector<Bug>> Store::Bugs(bool with_files) {
  return database_->Transaction([&](soci::session& session) { return ReadBugs(session, {}, with_files); });
}

Result<std::optional<Bug>> Store::BugNamed(const std::string& name) {
  return database_->Transaction([&](soci::session& session) {
    std::vector<Bug> bugs = ReadBugs(session, {&name}, true);
    return bugs.empty() ? std::optional<Bug>() : std::optional(std::move(bugs.front()));
  });
}

Result<std::map<std::string, int64_t>> Store::BugsByKind() {
  return database_->Transaction([](soci::session& session) {
    Counter row;
    auto rows = FetchAll((session.prepare << "SELECT kind, COUNT(*) FROM bugs WHERE known = 0 AND same_as = ''"
                                             " GROUP BY kind",
                          into(row.name), into(row.amount)),
                         row);
    std::map<std::string, int64_t> counts;
    for (const Counter& counter : rows) counts[counter.name] = counter.amount;
    return counts;
  });
}

Result<std::vector<Find>> Store::Finds() {
  return database_->Transaction([](soci::session& session) {
    Find row;
    return FetchAll((session.prepare << "SELECT bug, seed, time_ms, writers FROM finds ORDER BY time_ms, seed, bug",
                     into(row.bug), into(row.seed), into(row.time_ms), into(row.writers)),
                    row);
  });
}

Result<std::vector<Tally>> Store::Tallies() {
  return database_->Transaction([](soci::session& session) {
    Tally row;
    return FetchAll((session.prepare << "SELECT target, verdict, value FROM tallies ORDER BY target, verdict",
                     into(row.target), into(row.verdict), into(row.amount)),
                    row);
  });
}

Result<std::vector<Counter>> Store::Counters() {
  return database_->Transaction([](soci::session& session) {
    Counter row;
    return FetchAll(
        (session.prepare << "SELECT name, value FROM counters ORDER BY name", into(row.name), into(row.amount)), row);
  });
}

Result<std::vector<Configuration>> Store::Configurations() {
  return database_->Transaction([](soci::session& session) {
    Configuration row;
    return FetchAll(
        (session.prepare << "SELECT name, target, version, flags, data_model FROM configurations ORDER BY name",
         into(row.name), into(row.target), into(row.version), into(row.flags), into(row.data_model)),
        row);
  });
}

Result<std::vector<Run>> Store::Runs() {
  return database_->Transaction([](soci::session& session) {
    Run row;
    return FetchAll(
        (session.prepare << "SELECT owner, started_ms, ended_ms, jobs, tests, own_cpu_us, child_cpu_us, lost"
                            " FROM runs ORDER BY started_ms, owner",
         into(row.owner), into(row.started_ms), into(row.ended_ms), into(row.jobs), into(row.tests),
         into(row.own_cpu_us), into(row.child_cpu_us), into(row.lost)),
        row);
  });
}

Result<std::vector<Lease>> Store::Ranges() {
  return database_->Transaction([](soci::session& session) {
    Lease row;
    return FetchAll((session.prepare << "SELECT first, count, done, owner FROM ranges ORDER BY first", into(row.first),
                     into(row.count), into(row.done), into(row.owner)),
                    row);
  });
}

}  // namespace assay::store
