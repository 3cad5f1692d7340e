#include "report/shape.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace assay::report {
namespace {

// Words that mean something: of the language, and of the library that programs call.
constexpr std::string_view kWords =
    " auto break case char const continue default do double else enum extern float for goto "
    "if inline int long main register restrict return short signed sizeof static struct "
    "switch typedef union unsigned void volatile while _Bool _Alignas abort printf memcpy "
    "memset memcmp memmove malloc free strlen strcmp strcpy __builtin_abort __attribute__ "
    "packed aligned noinline va_list va_arg ";

bool IsKeyword(std::string_view word) { return kWords.find(' ' + std::string(word) + ' ') != std::string_view::npos; }

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The end of the quoted text that begins at `at`, behind its closing quote.
size_t EndOfQuoted(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

}  // namespace

std::string Shape(std::string_view text) {
  std::string shape;
  std::map<std::string_view, size_t> names;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(c))) {
    } else if (text.substr(at, 2) == "/*") {
      end = text.find("*/", at + 2);
      end = end == std::string_view::npos ? text.size() : end + 2;
    } else if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      end = EndOfQuoted(text, at);
      shape += c == '"' ? "\"\" " : "0 ";
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      while (end < text.size() && (IsNamePart(text[end]) || text[end] == '.')) ++end;
      shape += "0 ";
    } else if (IsNameStart(c)) {
      while (end < text.size() && IsNamePart(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      if (IsKeyword(word)) {
        shape += word;
      } else {
        shape += 'n' + std::to_string(names.try_emplace(word, names.size()).first->second);
      }
      shape += ' ';
    } else {
      shape += c;
    }
    at = end;
  }
  return shape;
}

std::map<std::string, std::string> Twins(const std::vector<store::Bug>& bugs) {
  std::vector<const store::Bug*> in_order;
  for (const store::Bug& bug : bugs) in_order.push_back(&bug);
  std::sort(in_order.begin(), in_order.end(), [](const auto* a, const auto* b) {
    return std::tie(a->first_seen_ms, a->name) < std::tie(b->first_seen_ms, b->name);
  });
  std::map<std::tuple<std::string, std::string, std::string>, std::string> first;
  std::map<std::string, std::string> twins;
  for (const store::Bug* bug : in_order) {
    for (const store::BugFile& file : bug->files) {
      if (file.role != "reduced") continue;
      auto [entry, is_new] = first.try_emplace({bug->target, bug->kind, Shape(file.content)}, bug->name);
      if (!is_new) twins[bug->name] = entry->second;
    }
  }
  return twins;
}

}  // namespace assay::report
