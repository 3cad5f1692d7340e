#include "lang/float_kinds.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace assay::lang {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

uint64_t FloatBits(TypeKind kind, double value) {
  if (kind == TypeKind::Float) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

double FloatValue(TypeKind kind, uint64_t bits) {
  if (kind == TypeKind::Float) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

bool IsFinite(TypeKind kind, uint64_t bits) { return std::isfinite(FloatValue(kind, bits)); }

}  // namespace assay::lang
