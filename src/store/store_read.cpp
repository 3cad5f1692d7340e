// The reading half of the store: whole tables, in a stable order.
#include <soci/sqlite3/soci-sqlite3.h>

#include "store/bug_columns.hpp"
#include "store/database.hpp"
#include "store/statements.hpp"
#include "store/store.hpp"

namespace assay::store {
namespace {

using soci::into;
using soci::use;

std::map<std::string, Reduction> ReadReductions(soci::session& session) {
  std::pair<std::string, Reduction> row;
  Reduction& columns = row.second;
  auto rows = FetchAll((session.prepare << "SELECT bug, state, compile_command, run_command, ending, evidence, note,"
                                           " title, ended_by, sanitizer, explanation FROM reductions",
                        into(row.first), into(columns.state), into(columns.compile_command), into(columns.run_command),
                        into(columns.ending), into(columns.evidence), into(columns.note), into(columns.title),
                        into(columns.ended_by), into(columns.sanitizer), into(columns.explanation)),
                       row);
  return {rows.begin(), rows.end()};
}

}  // namespace

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
  return database_->Transaction([&](soci::session& session) {
    Bug row;
    soci::statement statement(session);
    for (const TextColumn& column : kBugTexts) statement.exchange(into(row.*column.member));
    for (const NumberColumn& column : kBugNumbers) statement.exchange(into(row.*column.member));
    statement.alloc();
    statement.prepare("SELECT " + BugColumnNames() + " FROM bugs ORDER BY first_seen_ms, name");
    statement.define_and_bind();
    std::vector<Bug> bugs = FetchAll(statement, row);
    std::map<std::string, Reduction> reductions = ReadReductions(session);
    for (Bug& bug : bugs) {
      auto found = reductions.find(bug.name);
      if (found != reductions.end()) bug.reduction = found->second;
    }
    if (!with_files) return bugs;
    for (Bug& bug : bugs) {
      BugFile file;
      bug.files =
          FetchAll((session.prepare << "SELECT role, name, content FROM files WHERE bug = :bug ORDER BY position",
                    use(bug.name), into(file.role), into(file.name), into(file.content)),
                   file);
    }
    return bugs;
  });
}

Result<std::map<std::string, int64_t>> Store::BugsByKind() {
  return database_->Transaction([](soci::session& session) {
    Counter row;
    auto rows = FetchAll((session.prepare << "SELECT kind, COUNT(*) FROM bugs WHERE known = 0 GROUP BY kind",
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
    return FetchAll((session.prepare << "SELECT bug, seed, time_ms FROM finds ORDER BY time_ms, seed, bug",
                     into(row.bug), into(row.seed), into(row.time_ms)),
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
    return FetchAll((session.prepare << "SELECT owner, started_ms, ended_ms, jobs, tests, own_cpu_us, child_cpu_us"
                                        " FROM runs ORDER BY started_ms, owner",
                     into(row.owner), into(row.started_ms), into(row.ended_ms), into(row.jobs), into(row.tests),
                     into(row.own_cpu_us), into(row.child_cpu_us)),
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
