// Opening a campaign: its file or its server, the version of its tables.
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/bug_columns.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"
#include "store/statements.hpp"
#include "support/files.hpp"

namespace assay::store {
namespace {

namespace fs = std::filesystem;
using soci::into;
using soci::use;
using support::EnvironmentError;
using support::UsageError;

constexpr const char* kFileName = "campaign.db";
constexpr const char* kUrlFile = "campaign.url";  // one line: where the database is instead

std::string BugTable() {
  return "CREATE TABLE IF NOT EXISTS bugs (" + BugColumns([](std::string name, const char* type) {
           return name + " " + type + (name == "name" ? " PRIMARY KEY" : " NOT NULL");
         }) +
         ")";
}

// The schema of the campaign in the database; 0 when there is none.
int64_t VersionOf(soci::session& session, bool is_server) {
  int64_t count = 0, version = 0;
  session << (is_server ? "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'campaign'"
                          " AND table_schema = current_schema()"
                        : "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'campaign'"),
      into(count);
  if (count == 0) return 0;
  session << "SELECT COALESCE(MAX(schema_version), 0) FROM campaign", into(version);
  return version;
}

void AddColumn(soci::session& session, bool is_server, const AddedColumn& added) {
  const std::string table = added.table, column = added.column;
  const std::string name = column.substr(0, column.find(' '));
  int64_t there = 0;
  if (!is_server) {
    session << "SELECT COUNT(*) FROM pragma_table_info(:table) WHERE name = :name", use(table), use(name), into(there);
  }
  if (there != 0) return;
  session << "ALTER TABLE " + table + " ADD COLUMN " + (is_server ? "IF NOT EXISTS " : "") + column;
}

// The tables as this version has them.
void MakeTables(soci::session& session, bool is_server) {
  const int64_t version = VersionOf(session, is_server);
  if (version >= kSchemaVersion) return;
  for (const char* statement : kSchema) session << statement;
  session << BugTable();
  for (const AddedColumn& added : kAddedColumns) {
    if (version < added.version) AddColumn(session, is_server, added);
  }
  if (version > 0) session << "UPDATE campaign SET schema_version = " + std::to_string(kSchemaVersion);
}

// What SQLite needs to read the file in a folder that cannot be written, in a folder that can.
Result<fs::path> CopyOf(const fs::path& folder) {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "assay-read-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return EnvironmentError(
        fmt::format("{} cannot be written, and no folder for a copy of its database can be made in {}", folder.string(),
                    fs::temp_directory_path(code).string()));
  }
  for (const char* suffix : {"", "-wal"}) {
    const std::string file = std::string(kFileName) + suffix;
    if (!fs::exists(folder / file, code)) continue;
    fs::copy_file(folder / file, fs::path(name) / file, code);
    fs::permissions(fs::path(name) / file, fs::perms::owner_write, fs::perm_options::add, code);
    if (!code) continue;
    std::error_code ignored;
    fs::remove_all(name, ignored);
    return EnvironmentError(fmt::format("cannot copy {}: {}", (folder / file).string(), code.message()));
  }
  return fs::path(name);
}

bool IsWritable(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK) == 0 && ::access((folder / kFileName).c_str(), W_OK) == 0;
}

}  // namespace

bool Store::Exists(const fs::path& folder) {
  std::error_code code;
  auto size = fs::file_size(folder / kFileName, code);
  return (!code && size > 0) || fs::exists(folder / kUrlFile, code);
}

bool Store::IsOnServer(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kUrlFile, ignored);
}

Result<void> Store::UseServer(const fs::path& folder, const std::string& url) {
  ASSIGN_OR_RETURN(auto address, ParseServer(url));
  if (auto there = support::ReadFile(folder / kUrlFile)) {
    auto known = ParseServer(there->substr(0, there->find('\n')));
    if (known && known->shown == address.shown) return {};
  }
  if (Exists(folder)) {
    return UsageError(fmt::format("the campaign in {} has another database: use another --dir", folder.string()));
  }
  RETURN_IF_ERROR(support::MakeFolder(folder));
  RETURN_IF_ERROR(support::WriteFile(folder / kUrlFile, address.shown + "\n"));
  std::error_code ignored;
  fs::permissions(folder / kUrlFile, fs::perms::owner_read | fs::perms::owner_write, ignored);
  return {};
}

Result<std::unique_ptr<Store>> Store::Connect(const std::string& place, const std::string& server, bool make) {
  auto database = std::make_unique<Database>();
  database->place = place;
  std::string url = IsServer(place) ? place : server;
  if (url.empty()) {
    if (auto text = support::ReadFile(fs::path(place) / kUrlFile)) url = text->substr(0, text->find('\n'));
  }
  try {
    if (!url.empty()) {
      ASSIGN_OR_RETURN(database->server, ParseServer(url));
      database->is_server = true;
      database->place = database->server.shown;
      database->OpenServer();
    } else {
      fs::path folder = place;
      if (make) RETURN_IF_ERROR(support::MakeFolder(folder));
      if (!make && !IsWritable(folder)) {
        ASSIGN_OR_RETURN(database->copy, CopyOf(folder));
        folder = database->copy;
      }
      database->OpenFile(folder / kFileName, make);
    }
  } catch (const std::exception& failure) {
    return EnvironmentError(fmt::format(
        "cannot open the campaign's database in {}: {}{}", database->place, database->server.Redact(failure.what()),
        database->is_server ? " (a password comes from --database, PGPASSWORD or ~/.pgpass; the campaign's "
                              "folder keeps none)"
                            : ""));
  }
  const bool is_server = database->is_server;
  ASSIGN_OR_RETURN(auto version,
                   database->Transaction([&](soci::session& session) { return VersionOf(session, is_server); }));
  if (version > kSchemaVersion) {
    return EnvironmentError(
        fmt::format("{} was made by another version of assay (schema {}, ours is {}): use that version or another "
                    "folder",
                    database->place, version, kSchemaVersion));
  }
  if (!make && version == 0) {
    return UsageError(fmt::format("no campaign in {}: its database is empty", database->place));
  }
  RETURN_IF_ERROR(database->Transaction([&](soci::session& session) {
    MakeTables(session, is_server);
    return true;
  }));
  return std::unique_ptr<Store>(new Store(std::move(database)));
}

Result<std::unique_ptr<Store>> Store::Open(const std::string& place, const std::string& server) {
  return Connect(place, server, true);
}

Result<std::unique_ptr<Store>> Store::OpenToRead(const fs::path& folder) {
  if (!Exists(folder)) return UsageError(fmt::format("no campaign in {}", folder.string()));
  return Connect(folder.string(), "", false);
}

void Store::WhenUnreachable(Outage outage) {
  std::lock_guard lock(database_->mutex);
  database_->outage = std::move(outage);
}

}  // namespace assay::store
