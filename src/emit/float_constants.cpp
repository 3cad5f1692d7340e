// The spelling of floating constants. Every spelling reads back as the value.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <iterator>

#include "emit/constants.hpp"
#include "lang/float_kinds.hpp"

namespace assay::emit {

using namespace lang;  // NOLINT: the model's names

namespace {

constexpr int kMostFraction = 24;    // decimals of a number written in full
constexpr double kMostWhole = 1e18;  // and its size
constexpr int kFractionBits = 52;    // of a double
constexpr uint64_t kHidden = uint64_t{1} << kFractionBits;

// 0x1.8p+3, as a double has it; a float is one.
void AppendHex(fmt::memory_buffer& out, double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int biased = static_cast<int>(bits >> kFractionBits);
  uint64_t fraction = bits & (kHidden - 1);
  const int exponent = bits == 0 ? 0 : biased == 0 ? -1022 : biased - 1023;
  auto at = std::back_inserter(out);
  fmt::format_to(at, "0x{}", biased == 0 ? 0 : 1);
  if (fraction != 0) {
    int digits = kFractionBits / 4;
    for (; (fraction & 15) == 0; fraction >>= 4) --digits;
    fmt::format_to(at, ".{:0{}x}", fraction, digits);
  }
  fmt::format_to(at, "p{:+}", exponent);
}

// In full where that is short, so that the text has exactly the value, in whatever precision it is read. Otherwise the
// shortest text that reads back.
void AppendDecimal(fmt::memory_buffer& out, TypeKind kind, double value) {
  auto at = std::back_inserter(out);
  int decimals = 0;
  while (decimals <= kMostFraction && std::ldexp(value, decimals) != std::floor(std::ldexp(value, decimals)))
    ++decimals;
  if (decimals <= kMostFraction && value < kMostWhole) {
    fmt::format_to(at, "{:.{}f}", value, std::max(decimals, 1));
    return;
  }
  if (kind == TypeKind::Float) {
    fmt::format_to(at, "{}", static_cast<float>(value));
  } else {
    fmt::format_to(at, "{}", value);
  }
  const std::string_view text(out.data(), out.size());
  if (text.find_first_of(".e") == std::string_view::npos) fmt::format_to(at, ".0");
}

}  // namespace

void AppendFloatConstant(Text& out, TypeKind kind, uint64_t bits, ConstantSpelling spelling) {
  CHECK_MSG(IsFinite(kind, bits), "a constant that is not finite");
  const double value = FloatValue(kind, bits);
  if (std::signbit(value)) out += '-';
  fmt::memory_buffer text;
  const bool upper = spelling == ConstantSpelling::HexUpper;
  if (upper || spelling == ConstantSpelling::Hex) {
    AppendHex(text, std::fabs(value));
  } else {
    AppendDecimal(text, kind, std::fabs(value));
  }
  for (char c : text) out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  for (char c : Info(kind).suffix)
    out += spelling == ConstantSpelling::DecimalLowerSuffix ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace assay::emit
