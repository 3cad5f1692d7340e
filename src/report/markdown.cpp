#include "report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/text.hpp"

namespace assay::report {
namespace {

size_t LongestBackquotes(std::string_view text) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

constexpr size_t kLongestLine = 400;

}  // namespace

std::string MarkdownText(std::string_view text) {
  const std::string line = support::OneLine(text, kLongestLine);
  auto is_letter = [&](size_t i) { return i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0; };
  std::string escaped;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      const bool in_word = c == '_' && i > 0 && is_letter(i - 1) && is_letter(i + 1);
      if (!in_word && std::string_view("\\`*_[]~").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string CodeSpan(std::string_view text) {
  const std::string line = support::OneLine(text, kLongestLine);
  if (line.empty()) return "``  ``";
  const std::string fence(LongestBackquotes(line) + 1, '`');
  const char* pad = line.front() == '`' || line.back() == '`' ? " " : "";
  return fence + pad + line + pad + fence;
}

std::string CodeBlock(std::string_view language, std::string_view text) {
  const std::string fence(std::max<size_t>(3, LongestBackquotes(text) + 1), '`');
  std::string tag(language);
  std::erase_if(tag, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '+'; });
  std::string shown = support::Printable(text);
  if (!shown.empty() && shown.back() != '\n') shown += '\n';
  return fence + tag + "\n" + shown + fence + "\n";
}

std::string Shortened(std::string_view text, const Extent& extent, std::string_view name) {
  std::string kept;
  bool cut = false;
  for (size_t lines = 0; !text.empty(); ++lines) {
    if (lines == extent.lines || kept.size() >= extent.bytes) {
      cut = true;
      break;
    }
    size_t end = text.find('\n');
    const bool ends = end != std::string_view::npos;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(ends ? end + 1 : text.size());
    std::string_view begin = support::Beginning(line, extent.line_bytes);
    kept += begin;
    if (begin.size() < line.size()) {
      kept += " ...";
      cut = true;
    }
    if (ends || cut) kept += '\n';
  }
  if (cut) kept += fmt::format("... (cut; all of it is in {})\n", name);
  return kept;
}

}  // namespace assay::report
