#include "support/text.hpp"

#include <fmt/format.h>

namespace assay::support {
namespace {

// The character of a valid sequence.
char32_t Decode(std::string_view sequence) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7fu >> sequence.size());
  for (size_t i = 1; i < sequence.size(); ++i) code = code << 6 | (byte(i) & 0x3fu);
  return code;
}

bool IsControl(char32_t code) {
  if (code == '\n' || code == '\t') return false;
  bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
               code == 0x200f || code == 0x061c;
  bool breaks = code == 0x2028 || code == 0x2029;
  const bool none = (code & 0xfffe) == 0xfffe;  // no characters: XML has no way to write some of them
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || turns || breaks || code == 0xfeff || none;
}

}  // namespace

size_t Utf8Length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                  : lead >= 0xe0 && lead < 0xf0 ? 3
                  : lead >= 0xf0 && lead < 0xf5 ? 4
                                                : 0;
  if (length == 0 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  bool surrogate = lead == 0xed && byte(1) >= 0xa0;
  bool too_large = lead == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string Printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    const char32_t code = Decode(text.substr(0, length));
    if (!IsControl(code)) {
      shown += text.substr(0, length);
    } else if (code < 0x80) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
    } else {
      shown += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    }
    text.remove_prefix(length);
  }
  return shown;
}

std::string OneLine(std::string_view text, size_t longest) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const bool cut = text.size() > longest;
  std::string line(Beginning(text, longest));
  for (char& c : line) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  return Printable(line) + (cut ? "..." : "");
}

std::string_view Beginning(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  // Back to the first byte of a character.
  size_t end = bytes;
  while (end > 0 && bytes - end < 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

std::string NameAndVersion(const std::string& name, const std::string& version) {
  if (version.empty()) return name;
  return version.find(name) != std::string::npos ? version : fmt::format("{} ({})", name, version);
}

}  // namespace assay::support
