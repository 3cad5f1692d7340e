// One row per kind: constexpr tables indexed by an enum, their completeness proved at compile time.
//
//   inline constexpr std::array kRows = {Row{Kind::A, ...}, Row{Kind::B, ...}};
//   static_assert(InEnumOrder(kRows, Kind::kCount));
//
// The first member of a row is its enumerator, named `kind`; the enum ends with kCount.
#pragma once

#include <array>
#include <cstddef>

namespace assay::support {

template <typename Row, size_t N, typename Kind>
constexpr bool InEnumOrder(const std::array<Row, N>& rows, Kind count) {
  if (N != static_cast<size_t>(count)) return false;
  for (size_t i = 0; i < N; ++i) {
    if (static_cast<size_t>(rows[i].kind) != i) return false;
  }
  return true;
}

}  // namespace assay::support
