#include "store/database.hpp"

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPatienceSeconds = 30;  // with a server, when nobody has said more
constexpr std::chrono::milliseconds kShortestPause{200}, kLongestPause{5000}, kGlance{100};

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Store::Database::~Database() {
  std::error_code ignored;
  try {
    session.close();
  } catch (const std::exception&) {
    // It was not open.
  }
  if (!copy.empty()) std::filesystem::remove_all(copy, ignored);
}

void Store::Database::OpenFile(const std::filesystem::path& file, bool make) {
  // SOCI reads the file's name out of a text in which not every name can be written: its connection
  // is opened on nothing, and then on the file.
  session.open(soci::sqlite3, "db=:memory:");
  auto* backend = static_cast<soci::sqlite3_session_backend*>(session.get_backend());
  sqlite_api::sqlite3* connection = nullptr;
  int flags = SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite_api::sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  if (code != SQLITE_OK) {
    std::string message = connection == nullptr ? "out of memory" : sqlite_api::sqlite3_errmsg(connection);
    sqlite_api::sqlite3_close(connection);
    throw soci::soci_error(message);
  }
  sqlite_api::sqlite3_close(backend->conn_);
  backend->conn_ = connection;
  sqlite_api::sqlite3_busy_timeout(connection, 30000);
  // Write-ahead log: readers do not block writers. NORMAL: a killed process loses nothing; a
  // power cut may lose the last tests, which are then simply done again.
  for (int attempt = 0;; ++attempt) {
    try {
      session << "PRAGMA journal_mode=WAL";
      break;
    } catch (const std::exception&) {  // another process is just doing the same
      if (attempt == 100) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  session << "PRAGMA synchronous=NORMAL";
}

void Store::Database::OpenServer() {
  session.open("postgresql", server.connection);
  PrepareServer();
}

void Store::Database::PrepareServer() {
  // Notices and warnings ("relation already exists, skipping") would go to standard error.
  session << "SET client_min_messages TO error";
}

bool Store::Database::Reconnect(std::string why) {
  const Clock::time_point start = Clock::now();
  auto pause = kShortestPause;
  for (;;) {
    const Clock::time_point next = Clock::now() + pause;
    do {
      double waited = SecondsSince(start);
      if (outage.keep_trying ? !outage.keep_trying(server.Redact(why), waited) : waited > kPatienceSeconds)
        return false;
      std::this_thread::sleep_for(kGlance);
    } while (Clock::now() < next);
    pause = std::min(kLongestPause, pause * 3 / 2);
    try {
      session.reconnect();
      PrepareServer();
      if (outage.reached) outage.reached();
      return true;
    } catch (const std::exception& failure) {
      why = failure.what();
    }
  }
}

void Store::Database::Rollback() {
  try {
    session.rollback();
  } catch (const std::exception&) {
    // SQLite has rolled back by itself (a full disk), or the connection is gone; either way nothing
    // was stored.
  }
}

bool Store::Database::IsBusy(const std::exception& failure) {
  auto* error = dynamic_cast<const soci::sqlite3_soci_error*>(&failure);
  // PostgreSQL: two processes that make the tables at the same time.
  if (error == nullptr) {
    return std::string_view(failure.what()).find("pg_type_typname_nsp_index") != std::string_view::npos;
  }
  int primary = error->result() & 0xff;
  return primary == 5 /* SQLITE_BUSY */ || primary == 6 /* SQLITE_LOCKED */;
}

bool Store::Database::IsUnreachable(const std::exception& failure) const {
  if (!is_server) return false;
  constexpr std::array<std::string_view, 6> kTexts = {"terminating connection",       "the database system is",
                                                      "server closed the connection", "connection to server",
                                                      "no connection to the server",  "not connected"};
  const std::string_view text = failure.what();
  auto* error = dynamic_cast<const soci::soci_error*>(&failure);
  return !session.is_connected() ||
         (error != nullptr && error->get_error_category() == soci::soci_error::connection_error) ||
         std::any_of(kTexts.begin(), kTexts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

support::Error Store::Database::Explain(const std::exception& failure) const {
  auto* error = dynamic_cast<const soci::sqlite3_soci_error*>(&failure);
  int primary = error == nullptr ? 0 : error->result() & 0xff;
  if (primary == 13 /* SQLITE_FULL */) {
    return support::EnvironmentError(
        fmt::format("the disk that holds {} is full: make room and run the same command again; "
                    "nothing recorded is lost",
                    place));
  }
  if (IsUnreachable(failure)) {
    return support::EnvironmentError(fmt::format(
        "the campaign's database at {} cannot be reached: {}; run the same command again when it can be: nothing "
        "recorded is lost",
        place, server.Redact(failure.what())));
  }
  return support::EnvironmentError(
      fmt::format("the campaign's database in {} failed: {}", place, server.Redact(failure.what())));
}

}  // namespace assay::store
