#include "store/text.hpp"

#include <fmt/format.h>

#include "support/text.hpp"

namespace assay::store {
std::string CleanText(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    size_t length = bytes[0] == '\0' ? 0 : support::Utf8Length(bytes);
    if (length == 0) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
    } else {
      text += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return text;
}

}  // namespace assay::store
