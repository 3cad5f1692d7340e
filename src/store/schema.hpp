// The tables of a campaign, in SQL that SQLite and PostgreSQL both read: natural keys instead of
// generated ones, times as milliseconds since 1970, text that is valid UTF-8 without NUL. The table
// of bugs is in bug_columns.hpp.
#pragma once

#include <array>

namespace assay::store {

inline constexpr int kSchemaVersion = 6;

inline constexpr std::array kSchema = {
    "CREATE TABLE IF NOT EXISTS campaign (id BIGINT PRIMARY KEY, schema_version BIGINT NOT NULL,"
    " seed BIGINT NOT NULL, source TEXT NOT NULL, created_ms BIGINT NOT NULL,"
    " next_test BIGINT NOT NULL)",

    "CREATE TABLE IF NOT EXISTS ranges (first BIGINT PRIMARY KEY, count BIGINT NOT NULL,"
    " done BIGINT NOT NULL, owner TEXT NOT NULL, heartbeat_ms BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS open_ranges ON ranges (first) WHERE done < count",

    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",

    "CREATE TABLE IF NOT EXISTS tallies (target TEXT NOT NULL, verdict TEXT NOT NULL,"
    " value BIGINT NOT NULL, PRIMARY KEY (target, verdict))",

    "CREATE TABLE IF NOT EXISTS configurations (name TEXT PRIMARY KEY, target TEXT NOT NULL,"
    " version TEXT NOT NULL, flags TEXT NOT NULL, data_model TEXT NOT NULL)",

    "CREATE TABLE IF NOT EXISTS files (bug TEXT NOT NULL, position BIGINT NOT NULL,"
    " role TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (bug, position))",

    "CREATE TABLE IF NOT EXISTS reductions (bug TEXT PRIMARY KEY, state TEXT NOT NULL,"
    " owner TEXT NOT NULL, heartbeat_ms BIGINT NOT NULL, compile_command TEXT NOT NULL,"
    " run_command TEXT NOT NULL, ending TEXT NOT NULL, evidence TEXT NOT NULL, note TEXT NOT NULL,"
    " title TEXT NOT NULL DEFAULT '', ended_by TEXT NOT NULL DEFAULT '', sanitizer TEXT NOT NULL DEFAULT '',"
    " explanation TEXT NOT NULL DEFAULT '')",

    "CREATE TABLE IF NOT EXISTS triage (bug TEXT PRIMARY KEY, flags TEXT NOT NULL, pass TEXT NOT NULL,"
    " place TEXT NOT NULL, others TEXT NOT NULL, options TEXT NOT NULL, words TEXT NOT NULL, versions TEXT NOT NULL,"
    " note TEXT NOT NULL, reason TEXT NOT NULL, constructs TEXT NOT NULL DEFAULT '', code_before TEXT NOT NULL DEFAULT "
    "'',"
    " code_after TEXT NOT NULL DEFAULT '')",

    "CREATE TABLE IF NOT EXISTS rejected_flags (target TEXT NOT NULL, flags TEXT NOT NULL,"
    " PRIMARY KEY (target, flags))",

    "CREATE TABLE IF NOT EXISTS finds (bug TEXT NOT NULL, seed BIGINT NOT NULL,"
    " time_ms BIGINT NOT NULL, writers TEXT NOT NULL DEFAULT '', PRIMARY KEY (bug, seed))",

    "CREATE TABLE IF NOT EXISTS runs (owner TEXT PRIMARY KEY, started_ms BIGINT NOT NULL,"
    " ended_ms BIGINT NOT NULL, jobs BIGINT NOT NULL, tests BIGINT NOT NULL,"
    " own_cpu_us BIGINT NOT NULL, child_cpu_us BIGINT NOT NULL, lost TEXT NOT NULL DEFAULT '')",

    "CREATE TABLE IF NOT EXISTS samples (time_ms BIGINT PRIMARY KEY, tests BIGINT NOT NULL,"
    " finds BIGINT NOT NULL, bugs BIGINT NOT NULL)",
};

// A column that came later: campaigns of that version are given it when they are opened.
struct AddedColumn {
  int version;  // the first schema that has it
  const char* table;
  const char* column;  // with its type and default
};

inline constexpr std::array kAddedColumns = {
    AddedColumn{2, "bugs", "doubt TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "flags TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "reference_target TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "reference_flags TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "ended_by TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "service_start TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "service_ready TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "sanitizer TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "triple TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "platform TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "bugs", "cpu_ms BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "bugs", "memory_bytes BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "bugs", "address_bytes BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "bugs", "file_bytes BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "bugs", "output_bytes BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "bugs", "processes BIGINT NOT NULL DEFAULT 0"},
    AddedColumn{2, "reductions", "title TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "reductions", "ended_by TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "reductions", "sanitizer TEXT NOT NULL DEFAULT ''"},
    AddedColumn{2, "reductions", "explanation TEXT NOT NULL DEFAULT ''"},
    AddedColumn{3, "bugs", "writers TEXT NOT NULL DEFAULT ''"},
    AddedColumn{3, "finds", "writers TEXT NOT NULL DEFAULT ''"},
    AddedColumn{4, "bugs", "same_as TEXT NOT NULL DEFAULT ''"},
    AddedColumn{4, "bugs", "tracker TEXT NOT NULL DEFAULT ''"},
    AddedColumn{5, "triage", "constructs TEXT NOT NULL DEFAULT ''"},
    AddedColumn{5, "triage", "code_before TEXT NOT NULL DEFAULT ''"},
    AddedColumn{5, "triage", "code_after TEXT NOT NULL DEFAULT ''"},
    AddedColumn{5, "bugs", "tracked TEXT NOT NULL DEFAULT ''"},
    AddedColumn{6, "runs", "lost TEXT NOT NULL DEFAULT ''"},
};

}  // namespace assay::store
