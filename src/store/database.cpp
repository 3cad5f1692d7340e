#include "store/database.hpp"

#include <fmt/format.h>
#include <soci/sqlite3/soci-sqlite3.h>

namespace assay::store {

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
    return std::string_view(failure.what()).find("pg_type_typname_nsp_index") !=
           std::string_view::npos;
  }
  int primary = error->result() & 0xff;
  return primary == 5 /* SQLITE_BUSY */ || primary == 6 /* SQLITE_LOCKED */;
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
  return support::EnvironmentError(
      fmt::format("the campaign's database in {} failed: {}", place, failure.what()));
}

}  // namespace assay::store
