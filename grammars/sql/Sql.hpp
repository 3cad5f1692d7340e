// Run-time module of the SQL specification: the schema, what a query sees, and the text of
// constants.
#pragma once

#include <string>

#include "lala.hpp"

namespace Sql {

using lala::Code;
using lala::List;
using lala::Node;
using lala::Random;
using lala::String;
using namespace lala::literals;

// --- the schema
// ------------------------------------------------------------------------------------

enum class Kind : uint8_t { kNil, kInt, kText };
using Kinds = List<Kind>;

inline Kinds noKinds() { return {}; }
inline Kinds addInt(const Kinds& kinds) { return kinds.Append(Kind::kInt); }
inline Kinds addText(const Kinds& kinds) { return kinds.Append(Kind::kText); }
// Of no kinds at all too: while a tree is being built, a list may be too long for a moment.
inline bool firstIsInt(const Kinds& kinds) { return !kinds.empty() && kinds.front() == Kind::kInt; }
inline Kinds rest(const Kinds& kinds) { return kinds.empty() ? kinds : kinds.Tail(); }
inline bool isLast(const Kinds& kinds) { return kinds.size() == 1; }

struct Column {
  String name;
  Kind kind = Kind::kNil;
  bool required = false;  // NOT NULL
  bool fixed = false;     // has a constraint that an UPDATE could break
  friend bool operator==(const Column& a, const Column& b) {
    return a.name == b.name && a.kind == b.kind && a.required == b.required && a.fixed == b.fixed;
  }
};
using Columns = List<Column>;

struct TableData {
  String name;
  Columns columns;
  int64_t rows = 0;    // at most
  int64_t tables = 1;  // base tables it is made of: databases join at most 61
  int64_t serial = 1;  // the next key
  bool base = false;   // may be changed
  bool keyed = false;  // the first column is a primary key
  bool view = false;   // evaluated anew wherever it is used
  friend bool operator==(const TableData& a, const TableData& b) {
    return a.name == b.name && a.rows == b.rows && a.serial == b.serial && a.columns == b.columns;
  }
};
using Table = lala::Shared<TableData>;
inline void Print(std::string& out, int, const Table& table) { out += table->name.view(); }

struct EnvData {
  List<Table> tables;
  int64_t next = 1;
  friend bool operator==(const EnvData& a, const EnvData& b) { return a.next == b.next && a.tables == b.tables; }
};

using Env = lala::Shared<EnvData>;

inline Env empty() { return {}; }
inline String fresh(const Env& env, String prefix) { return lala::Numbered(prefix, env->next); }
inline Env skip(const Env& from) {
  EnvData env = *from;
  ++env.next;
  return env;
}
inline Columns noColumns() { return {}; }
inline Columns key() { return {Column{"id"_s, Kind::kInt, true, true}}; }
inline String columnName(const Columns& before) { return lala::Numbered("k"_s, before.size()); }
inline Columns addColumn(const Columns& before, bool isInt, bool required, bool fixed) {
  return before.Append({columnName(before), isInt ? Kind::kInt : Kind::kText, required, fixed});
}
inline Env createTable(const Env& from, const Columns& columns, bool keyed) {
  EnvData env = *from;
  env.tables = env.tables.Append(TableData{fresh(from, "t"_s), columns, 0, 1, 1, true, keyed});
  ++env.next;
  return env;
}
inline Table newest(const Env& env) { return env->tables.back(); }
inline Env replace(const Env& env, const Table& table) {
  EnvData result = *env;
  result.tables = {};
  for (const Table& old : env->tables) result.tables.Push(old->name == table->name ? table : old);
  return result;
}
inline Env addRows(const Env& env, const Table& from, int64_t count) {
  TableData table = *from;
  table.rows += count;
  table.serial += count;
  return replace(env, table);
}
// After a ROLLBACK: what was inserted is gone.
inline Env rolledBack(const Env& from, const Env& after) {
  EnvData before = *from;
  before.next = after->next;
  return before;
}
inline Env alter(const Env& env, const Table& from, bool isInt) {
  TableData table = *from;
  table.columns = addColumn(table.columns, isInt, false, false);
  return replace(env, table);
}
inline String newColumnName(const Table& table) { return columnName(table->columns); }

// --- statements
// ------------------------------------------------------------------------------------

inline List<Table> changeable(const Env& env) {
  return env->tables.Filter([](const Table& table) { return table->base; });
}
inline constexpr int64_t kMostRows = 24;
inline List<Table> insertable(const Env& env) {
  List<Table> result = env->tables.Filter([](const Table& table) { return table->base && table->rows < kMostRows; });
  return result.empty() ? changeable(env) : result;
}
// Tables that may take the rows of a query: no key or other constraint to break. Empty if there are
// none.
inline List<Table> unkeyed(const Env& env) {
  return env->tables.Filter([](const Table& table) {
    for (const Column& column : table->columns) {
      if (column.fixed) return false;
    }
    return table->base && table->rows < kMostRows;
  });
}
inline Kinds kindsOf(const Table& table) {
  Kinds kinds;
  for (const Column& column : table->columns) kinds.Push(column.kind);
  return kinds;
}

inline String number(Node node) {
  Random random(node);
  int64_t value = 0;
  switch (random.Below(6)) {
    case 0: value = random.Between(0, 1); break;
    case 1: value = random.Between(-1000, 1000); break;
    default: value = random.Between(-9, 20);
  }
  if (value < 0) return lala::Text("(" + std::to_string(value) + ")");
  return lala::Text(value);
}
// For the form that may overflow.
inline String largeNumber(Node node) {
  static const char* const kLarge[] = {"99999", "65536", "1000000", "46341"};
  return lala::Text(kLarge[lala::RandomOf(node) % 4]);
}
inline std::string letters(Random& random) {
  std::string text;
  for (uint32_t i = random.Below(6); i > 0; --i) text += "abcxyzABZ 0129_"[random.Below(15)];
  return text;
}
inline String text(Node node) {
  Random random(node);
  return lala::Text("'" + letters(random) + "'");
}
inline String pattern(Node node) {
  Random random(node);
  std::string text = "'";
  for (uint32_t i = 1 + random.Below(4); i > 0; --i) text += "ab%_xA%0"[random.Below(8)];
  return lala::Text(text + "'");
}
inline String numbers(Node node) {
  Random random(node);
  std::string text = std::to_string(random.Below(10));
  for (uint32_t i = random.Below(4); i > 0; --i) text += ", " + std::to_string(random.Below(20));
  return lala::Text(text);
}
inline String texts(Node node) {
  Random random(node);
  std::string text = "'" + letters(random) + "'";
  for (uint32_t i = random.Below(4); i > 0; --i) text += ", '" + letters(random) + "'";
  return lala::Text(text);
}
inline String small(Node node) { return lala::Text(lala::OneTo(5, node)); }
inline String divisor(Node node) {
  static const char* const kDivisors[] = {"2", "3", "5", "7", "10", "16", "97"};
  return lala::Text(kDivisors[lala::RandomOf(node) % 7]);
}

// The values of one row. Columns that are fixed have a CHECK (value > -1000) or are the key.
inline String row(const Table& table, int64_t index, Node node) {
  Random random(node);
  std::string text = "(";
  for (uint32_t i = 0; i < table->columns.size(); ++i) {
    const Column& column = table->columns[i];
    if (i) text += ", ";
    if (i == 0 && table->keyed) {
      text += std::to_string(table->serial + index);
    } else if (!column.required && random.Below(6) == 0) {
      text += "NULL";
    } else if (column.kind == Kind::kInt) {
      text += std::to_string(random.Below(4) ? random.Between(-3, 12) : random.Between(-999, 999));
    } else {
      text += "'" + letters(random) + "'";
    }
  }
  return lala::Text(text + ")");
}

// The columns of an index.
inline String indexed(const Table& table, Node node) {
  Random random(node);
  uint32_t first = random.Below(table->columns.size());
  uint32_t second = random.Below(table->columns.size());
  std::string text = table->columns[first].name.str();
  if (random.Below(3) == 0) text += " DESC";
  if (second != first) text += ", " + table->columns[second].name.str();
  return lala::Text(text);
}

// --- what a query sees
// -----------------------------------------------------------------------------

struct ScopeData {
  Env env;
  List<String> ints;  // columns that may be used, also those of the queries around this one
  List<String> texts;
  List<String> own_ints;  // of this query's FROM
  List<String> own_texts;
  int64_t next = 0;     // of names: the queries around this one use smaller ones
  int64_t rows = 0;     // how many rows one evaluation may still visit
  int64_t tables = 0;   // how many base tables may still be joined
  String prefix;        // of the columns that a query here gives; nil: "c"
  bool outer = false;   // there are queries around this one whose columns may be used
  bool nested = false;  // subqueries are allowed here
  bool windows = false;
  bool compared = false;  // the query of an IN
  bool distinct = false;  // the query of a view
  friend bool operator==(const ScopeData& a, const ScopeData& b) {
    return a.next == b.next && a.rows == b.rows && a.tables == b.tables && a.prefix == b.prefix && a.outer == b.outer &&
           a.nested == b.nested && a.windows == b.windows && a.compared == b.compared && a.distinct == b.distinct &&
           a.ints == b.ints && a.texts == b.texts && a.own_ints == b.own_ints && a.own_texts == b.own_texts &&
           a.env == b.env;
  }
};

using Scope = lala::Shared<ScopeData>;

// The scope around a statement's query: nothing is visible yet.
inline Scope statement(const Env& env) {
  ScopeData scope;
  scope.env = env;
  scope.rows = 600;
  scope.tables = 24;
  scope.nested = true;
  scope.windows = true;
  return scope;
}
// Around a query in FROM: it sees no columns.
inline Scope closed(const Scope& scope) {
  ScopeData result;
  result.env = scope->env;
  result.next = scope->next + 1;
  result.rows = scope->rows < 30 ? scope->rows : 30;
  result.tables = scope->tables / 2;
  result.nested = scope->nested;
  result.windows = scope->windows;
  return result;
}
// With the tables that `keep` wants.
template <typename Keep>
Env filtered(const Env& from, Keep keep) {
  EnvData env = *from;
  env.tables = env.tables.Filter(keep);
  return env.tables.size() == from->tables.size() ? from : Env(env);
}
// Without views. A view costs what its query costs, every time: in views and in subqueries that are
// evaluated once per row, the costs would multiply.
inline Scope withoutViews(const Scope& from) {
  ScopeData scope = *from;
  scope.env = filtered(scope.env, [](const Table& table) { return !table->view; });
  return scope;
}
// Around a query in an expression: it sees the columns here.
inline Scope correlated(const Scope& scope) {
  ScopeData result = *withoutViews(scope);
  result.own_ints = {};
  result.own_texts = {};
  result.prefix = {};
  result.outer = true;
  ++result.next;
  result.tables = scope->tables / 4;
  result.windows = false;
  result.compared = false;
  result.distinct = false;
  return result;
}
// Around a query whose columns get a name that others use: names that are derived from this one.
// MariaDB takes a column of GROUP BY for ambiguous if an item has its name.
inline Scope named(const Scope& from, String name) {
  ScopeData scope = *from;
  scope.prefix = lala::Concat(name, "c"_s);
  return scope;
}
// Around the query of a view.
// The tables it reads may have become ten times as long when it is used: it joins two at most.
inline Scope distinctRows(const Scope& from) {
  ScopeData scope = *from;
  scope.tables = 2;
  scope.distinct = true;
  return scope;
}
inline bool isDistinct(const Scope& scope) { return scope->distinct; }
inline String distinctly(const Scope& scope) { return scope->distinct ? "DISTINCT "_s : ""_s; }
// Around the query of an IN.
inline Scope compared(const Scope& scope) {
  ScopeData result = *correlated(scope);
  result.compared = true;
  return result;
}
inline bool isCompared(const Scope& scope) { return scope->compared; }
// Each member of a UNION and the like.
inline Scope half(const Scope& from) {
  ScopeData scope = *from;
  scope.rows = scope.rows / 2;
  scope.tables = scope.tables / 2;
  return scope;
}
inline Scope withoutWindows(const Scope& from) {
  ScopeData scope = *from;
  scope.windows = false;
  return scope;
}
inline bool mayWindow(const Scope& scope) { return scope->windows; }
// Without the tables of a WITH around this place.
inline Scope withoutCommon(const Scope& from) {
  ScopeData scope = *from;
  scope.env = filtered(scope.env, [](const Table& table) { return table->name.view().substr(0, 1) != "w"; });
  return scope;
}
inline bool mayNest(const Scope& scope) { return scope->nested && scope->rows >= 8 && scope->tables >= 1; }
// For arguments of aggregates: an aggregate over outer columns alone would belong to the outer
// query.
inline Scope own(const Scope& from) {
  ScopeData scope = *from;
  scope.ints = scope.own_ints;
  scope.texts = scope.own_texts;
  scope.nested = false;
  return scope;
}
inline Scope flat(const Scope& from) {
  ScopeData scope = *from;
  scope.nested = false;
  return scope;
}

// The columns a query of these kinds gives, named after the depth it stands at, so that no name
// means two things.
inline String outputName(const Scope& outer, int64_t index) {
  std::string prefix = outer->prefix == String() ? "c" : outer->prefix.str();
  return lala::Text(prefix + std::to_string(outer->next) + "_" + std::to_string(index));
}
inline Columns outputs(const Scope& outer, const Kinds& kinds) {
  Columns columns;
  for (uint32_t i = 0; i < kinds.size(); ++i) {
    columns.Push({outputName(outer, i + 1), kinds[i], false, true});
  }
  return columns;
}
inline String requiredColumns(const Table& table, const Scope& outer) {
  std::string text = "1 = 1";
  for (uint32_t i = 0; i < table->columns.size(); ++i) {
    if (!table->columns[i].required) continue;
    text += " AND r." + outputName(outer, i + 1).str() + " IS NOT NULL";
  }
  return lala::Text(text);
}
inline Table derived(const Scope& outer, const Kinds& kinds, int64_t rows) {
  return TableData{String(), outputs(outer, kinds), rows, 2, 1, false, false};
}
inline String alias(const Scope& scope) { return lala::Numbered("a"_s, scope->next); }
inline Scope join(const Scope& scope, const Table& table) {
  ScopeData result = *scope;
  std::string prefix = alias(scope).str() + ".";
  for (const Column& column : table->columns) {
    String name = lala::Concat({prefix, column.name.view()});
    if (column.kind == Kind::kInt) {
      result.ints.Push(name);
      result.own_ints.Push(name);
    } else {
      result.texts.Push(name);
      result.own_texts.Push(name);
    }
  }
  ++result.next;
  result.rows = scope->rows / (table->rows < 1 ? 1 : table->rows);
  result.tables = scope->tables - table->tables;
  return result;
}
// What can stand in FROM without the query becoming too large; never empty.
inline List<Table> sources(const Scope& scope) {
  List<Table> result = scope->env->tables.Filter(
      [&](const Table& table) { return table->rows <= scope->rows && table->tables <= scope->tables; });
  if (result.empty()) {
    result.Push(TableData{"(SELECT 7 AS k0, 'x' AS k1)"_s,
                          Columns{Column{"k0"_s, Kind::kInt, false, true}, Column{"k1"_s, Kind::kText, false, true}}, 1,
                          0, 1, false, false});
  }
  return result;
}
inline bool mayJoin(const Scope& scope) { return scope->rows >= 2 && scope->tables >= 1; }
// How many rows the FROM that turned `before` into `after` may give.
inline int64_t rowsOf(const Scope& before, const Scope& after) {
  return before->rows / (after->rows < 1 ? 1 : after->rows);
}
inline Env createView(const Env& from, String name, const Scope& outer, const Kinds& kinds, int64_t rows) {
  EnvData env = *from;
  TableData table = *derived(outer, kinds, rows);
  table.name = name;
  table.rows = rows < kMostRows ? kMostRows : rows;  // one day
  table.tables = 8;
  table.view = true;
  env.tables = env.tables.Append(table);
  ++env.next;
  return env;
}
inline Env createCopy(const Env& from, String name, const Scope& outer, const Kinds& kinds) {
  EnvData env = *from;
  TableData table = *derived(outer, kinds, 5);
  table.name = name;
  table.tables = 1;
  env.tables = env.tables.Append(table);
  ++env.next;
  return env;
}
inline Scope withTable(const Scope& from, String name, const Scope& outer, const Kinds& kinds, int64_t rows) {
  ScopeData scope = *from;
  TableData table = *derived(outer, kinds, rows);
  table.name = name;
  table.tables = 4;
  EnvData env = *scope.env;
  env.tables = env.tables.Append(table);
  scope.env = env;
  return scope;
}
inline String withName(const Scope& scope) { return lala::Numbered("w"_s, scope->next); }
inline Table series() {
  return TableData{String(), Columns{Column{"n"_s, Kind::kInt, false, true}}, 5, 1, 1, false, false};
}
inline Table pairs() {
  return TableData{String(), Columns{Column{"k0"_s, Kind::kInt, false, true}, Column{"k1"_s, Kind::kText, false, true}},
                   3,        1,
                   1,        false,
                   false};
}
// The scope of an UPDATE or DELETE: the table's own columns.
inline Scope tableScope(const Env& env, const Table& table) {
  ScopeData scope;
  scope.env = env;
  for (const Column& column : table->columns) {
    String name = lala::Concat({table->name.view(), ".", column.name.view()});
    (column.kind == Kind::kInt ? scope.ints : scope.texts).Push(name);
  }
  return scope;
}
struct Setter {
  String name;
  String fallback;
  bool is_int = false;
  friend bool operator==(const Setter& a, const Setter& b) { return a.name == b.name; }
};
inline void Print(std::string& out, int, const Setter& setter) { out += setter.name.view(); }
inline bool setsInt(const Setter& setter) { return setter.is_int; }
// For a required column: what to take instead of NULL.
inline String setterOpen(const Setter& setter) { return setter.fallback == String() ? ""_s : "COALESCE("_s; }
inline String setterClose(const Setter& setter) { return setter.fallback == String() ? ""_s : setter.fallback; }
inline List<Setter> settable(const Table& table) {
  List<Setter> result;
  for (const Column& column : table->columns) {
    if (column.fixed) continue;
    bool is_int = column.kind == Kind::kInt;
    result.Push({column.name, !column.required ? String() : is_int ? ", 0)"_s : ", 'r')"_s, is_int});
  }
  return result;
}

inline List<String> intColumns(const Scope& scope) {
  return scope->ints.empty() ? List<String>{"(3 + 0)"_s, "(2 + 9)"_s} : scope->ints;
}
inline List<String> textColumns(const Scope& scope) {
  return scope->texts.empty() ? List<String>{"'a'"_s, "'Zz'"_s} : scope->texts;
}
inline bool hasOwn(const Scope& scope) { return !scope->own_ints.empty() || !scope->own_texts.empty(); }
// A column of this query, for GROUP BY, PARTITION BY and ORDER BY: constants mean something else
// there. Requires hasOwn.
inline List<String> ownColumns(const Scope& scope) { return scope->own_ints.Concat(scope->own_texts); }
// After GROUP BY: of this query's columns, only those it groups by.
inline Scope groupedBy(const Scope& outer, const Scope& from, const List<String>& columns) {
  ScopeData scope = *from;
  scope.ints = outer->ints;
  scope.texts = outer->texts;
  for (String column : columns) {
    (from->own_ints.Contains(column) ? scope.ints : scope.texts).Push(column);
  }
  return scope;
}
using Names = List<String>;
inline Names noNames() { return {}; }
inline Names addName(const Names& names, String name) { return names.Append(name); }

// --- bounds
// ----------------------------------------------------------------------------------------

// The largest value a column of any table or query has, and the largest a step of arithmetic may
// reach: PostgreSQL adds two small constants in 32 bits.
inline constexpr int64_t kColumnBound = 1000000;
inline constexpr int64_t kStepBound = 1000000000;
inline constexpr int64_t kFolded = 10007;  // % 10007: what is left of a value that is too large

inline int64_t columnBound() { return kColumnBound; }
inline bool tooLarge(bool product, int64_t a, int64_t b) {
  return product ? a > kStepBound / (b < 1 ? 1 : b) : a + b > kStepBound;
}
inline String foldOpen(bool product, int64_t a, int64_t b) { return tooLarge(product, a, b) ? "("_s : ""_s; }
inline String foldClose(bool product, int64_t a, int64_t b) { return tooLarge(product, a, b) ? " % 10007)"_s : ""_s; }
inline int64_t combined(bool product, int64_t a, int64_t b) {
  if (tooLarge(product, a, b)) return product ? kFolded * kFolded : 2 * kFolded;
  return product ? a * b : a + b;
}
inline String itemOpen(int64_t bound) { return bound > kColumnBound ? "("_s : ""_s; }
inline String itemClose(int64_t bound) { return bound > kColumnBound ? " % 10007)"_s : ""_s; }
// The same for an item that may be a column of a query around this one. MariaDB 10.11 says of such
// a column, where another item uses it too: forward reference in item list.
inline String itemOpen(const Scope& scope, int64_t bound) { return scope->outer ? "("_s : itemOpen(bound); }
inline String itemClose(const Scope& scope, int64_t bound) {
  return bound <= kColumnBound && scope->outer ? " + 0)"_s : itemClose(bound);
}
// The same for texts: columns have at most 20 characters.
inline constexpr int64_t kTextBound = 20;
inline int64_t textBound() { return kTextBound; }
inline String textOpen(int64_t bound) { return bound > kTextBound ? "SUBSTR("_s : ""_s; }
inline String textClose(int64_t bound) { return bound > kTextBound ? ", 1, 20)"_s : ""_s; }
inline String textOpen(const Scope& scope, int64_t bound) {
  return bound <= kTextBound && scope->outer ? "("_s : textOpen(bound);
}
inline String textClose(const Scope& scope, int64_t bound) {
  return bound <= kTextBound && scope->outer ? " || '')"_s : textClose(bound);
}

// --- results in an order that does not depend on the database
// -----------------------------------

// Every column, NULL last: databases put NULL at different ends. Columns of a table called `name`:
// constants would be positions.
inline String orderOf(String name, const Columns& columns) {
  std::string text;
  for (const Column& column : columns) {
    if (!text.empty()) text += ", ";
    std::string full = name.str() + "." + column.name.str();
    text += full + " IS NULL, " + full;
  }
  return lala::Text(text);
}
inline String order(const Columns& columns) { return orderOf("r"_s, columns); }
inline Code dumpTable(const Code& code, const Table& table) {
  return code.Add("SELECT * FROM ")
      .Add(table->name)
      .Add(" ORDER BY ")
      .Add(orderOf(table->name, table->columns))
      .Add(";");
}
// All rows of all tables that statements may have changed.
inline Code dump(const Env& env) {
  Code code;
  for (const Table& table : env->tables) {
    if (!table->base) continue;
    if (!code.empty()) code = code.Line();
    code = dumpTable(code, table);
  }
  return code;
}

// --- long scripts
// ----------------------------------------------------------------------------------
// What a statement costs must not grow with the script. So from time to time the older tables and
// views are printed and not used any more.

inline constexpr uint32_t kMostTables = 32;

// Is this table too old? There are always a few left that can be changed.
inline bool isForgotten(const Env& env, uint32_t index) {
  uint32_t count = env->tables.size();
  if (count <= kMostTables || index + kMostTables / 2 >= count) return false;
  if (!env->tables[index]->base) return true;
  uint32_t newer = 0;
  for (uint32_t i = index + 1; i < count; ++i) newer += env->tables[i]->base;
  return newer >= 4;
}
inline Env remember(const Env& env) {
  if (env->tables.size() <= kMostTables) return env;
  uint32_t index = 0;
  return filtered(env, [&](const Table&) { return !isForgotten(env, index++); });
}
inline Code forget(const Env& env) {
  Code code;
  if (env->tables.size() <= kMostTables) return code;
  for (uint32_t i = 0; i < env->tables.size(); ++i) {
    if (env->tables[i]->base && isForgotten(env, i)) code = dumpTable(code, env->tables[i]).Line();
  }
  return code;
}

}  // namespace Sql
