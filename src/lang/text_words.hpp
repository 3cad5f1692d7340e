// The words of the text form, shared by Save and Load. Kinds and operators have theirs in their rows.
#pragma once

#include <array>
#include <string_view>

#include "lang/expr.hpp"
#include "lang/program.hpp"
#include "lang/types.hpp"

namespace assay::lang::words {

template <typename Enum, size_t N>
struct Table {
  std::array<std::string_view, N> words;
  constexpr std::string_view operator[](Enum value) const { return words[static_cast<size_t>(value)]; }
  // The position of the word, or N.
  constexpr size_t Find(std::string_view word) const {
    size_t i = 0;
    while (i < N && words[i] != word) ++i;
    return i;
  }
  static constexpr size_t kSize = N;
};

inline constexpr Table<ConstantSpelling, static_cast<size_t>(ConstantSpelling::kCount)> kSpellings = {
    {"dec", "hex", "oct", "HEX", "declow", "char"}};

inline constexpr Table<Storage, 6> kStorage = {{"global", "static", "auto", "register", "param", "literal"}};
static_assert(static_cast<size_t>(Storage::Literal) == 5);

inline constexpr Table<VarRole, 3> kRoles = {{"plain", "counter", "temporary"}};
static_assert(static_cast<size_t>(VarRole::Temporary) == 2);

inline constexpr std::array<std::string_view, 3> kQualifiers = {"const", "volatile", "restrict"};  // bit order

}  // namespace assay::lang::words
