// The tables of a campaign, in SQL that SQLite and PostgreSQL both read: natural keys instead of
// generated ones, times as milliseconds since 1970, text that is valid UTF-8 without NUL. The table
// of bugs is in bug_columns.hpp.
#pragma once

#include <array>

namespace assay::store {

inline constexpr int kSchemaVersion = 1;

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
    " run_command TEXT NOT NULL, ending TEXT NOT NULL, evidence TEXT NOT NULL, note TEXT NOT NULL)",

    "CREATE TABLE IF NOT EXISTS rejected_flags (target TEXT NOT NULL, flags TEXT NOT NULL,"
    " PRIMARY KEY (target, flags))",

    "CREATE TABLE IF NOT EXISTS finds (bug TEXT NOT NULL, seed BIGINT NOT NULL,"
    " time_ms BIGINT NOT NULL, PRIMARY KEY (bug, seed))",

    "CREATE TABLE IF NOT EXISTS runs (owner TEXT PRIMARY KEY, started_ms BIGINT NOT NULL,"
    " ended_ms BIGINT NOT NULL, jobs BIGINT NOT NULL, tests BIGINT NOT NULL,"
    " own_cpu_us BIGINT NOT NULL, child_cpu_us BIGINT NOT NULL)",

    "CREATE TABLE IF NOT EXISTS samples (time_ms BIGINT PRIMARY KEY, tests BIGINT NOT NULL,"
    " finds BIGINT NOT NULL, bugs BIGINT NOT NULL)",
};

}  // namespace assay::store
