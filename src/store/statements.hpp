// Statements with values, in the short forms that the store uses. Internal to the store.
#pragma once

#include <soci/soci.h>

#include <string>
#include <vector>

namespace assay::store {

// Runs a statement whose values are exchanged; returns how many rows it changed.
inline int64_t Finish(soci::statement& statement, const std::string& sql) {
  statement.alloc();
  statement.prepare(sql);
  statement.define_and_bind();
  statement.execute(true);
  return statement.get_affected_rows();
}

template <typename... Uses>
int64_t Execute(soci::session& session, const char* sql, Uses... uses) {
  soci::statement statement(session);
  (statement.exchange(uses), ...);
  return Finish(statement, sql);
}

// All rows of a prepared statement; `row` is the variable its columns are read into.
template <typename Row>
std::vector<Row> FetchAll(soci::statement statement, Row& row) {
  std::vector<Row> rows;
  statement.execute();
  while (statement.fetch()) rows.push_back(row);
  return rows;
}

}  // namespace assay::store
