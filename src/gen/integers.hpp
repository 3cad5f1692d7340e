// Canonical values of integer types. (The machine has its own: what it computes must not depend on this.)
#pragma once

#include <cstdint>

#include "lang/typing.hpp"

namespace assay::gen {

// The value reduced to the type's width, then sign- or zero-extended to 64 bits.
constexpr uint64_t Canonical(uint64_t value, lang::IntegerInfo info) {
  if (info.bits == 64) return value;
  const uint64_t mask = (uint64_t{1} << info.bits) - 1;
  value &= mask;
  if (info.is_signed && (value >> (info.bits - 1)) != 0) value |= ~mask;
  return value;
}

}  // namespace assay::gen
