// One row per kind: constexpr tables indexed by an enum, their completeness proved at compile time.
//
//   inline constexpr std::array kRows = {Row{Kind::A, ...}, Row{Kind::B, ...}};
//   static_assert(InEnumOrder(kRows, Kind::kCount));
//
// The first member of a row is its enumerator, named `kind`; the enum ends with kCount. Between ROWS_BEGIN and ROWS_END
// a row that leaves out a column does not compile (gcc names the row and the column); columns have no defaults.
#pragma once

#include <array>
#include <cstddef>

#define ROWS_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wmissing-field-initializers\"")
#define ROWS_END _Pragma("GCC diagnostic pop")

namespace assay::support {

template <typename Row, size_t N, typename Kind>
constexpr bool InEnumOrder(const std::array<Row, N>& rows, Kind count) {
  if (N != static_cast<size_t>(count)) return false;
  for (size_t i = 0; i < N; ++i) {
    if (static_cast<size_t>(rows[i].kind) != i) return false;
  }
  return true;
}

// One column of a table, packed: for questions that are asked all the time.
template <typename Row, size_t N, typename Column>
constexpr auto PackColumn(const std::array<Row, N>& rows, Column column) {
  std::array<decltype(column(rows[0])), N> packed{};
  for (size_t i = 0; i < N; ++i) packed[i] = column(rows[i]);
  return packed;
}

}  // namespace assay::support
