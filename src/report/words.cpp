#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "support/hash.hpp"
#include "support/text.hpp"

namespace assay::report {

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

namespace {

std::string FormatTime(int64_t ms, const char* format) {
  std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace

std::string IsoTime(int64_t ms) { return FormatTime(ms, "%Y-%m-%d %H:%M:%S UTC"); }
std::string FileTime(int64_t ms) { return FormatTime(ms, "%Y%m%d-%H%M%S"); }

std::string Duration(int64_t ms) {
  double seconds = static_cast<double>(ms) / 1000;
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string Thousands(int64_t number) {
  std::string digits = std::to_string(number), text;
  for (size_t i = 0; i < digits.size(); ++i) {
    bool group_starts = i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-';
    if (group_starts) text += ',';
    text += digits[i];
  }
  return text;
}

std::string HeadingOfRole(std::string_view role) {
  if (role == "expected") return "Expected output";
  if (role == "actual") return "Actual output";
  if (role == "reference") return "Output of another configuration";
  if (role == "diagnostics") return "Diagnostics";
  return std::string(role);
}

bool IsOutput(std::string_view role) {
  return role == "expected" || role == "actual" || role == "reference" || role == "diagnostics";
}

std::string ReductionText(const store::Reduction& reduction) {
  if (reduction.state == "open") return reduction.note.empty() ? "not finished yet" : reduction.note;
  return reduction.Done() ? reduction.note : "failed: " + reduction.note;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (char c : support::Printable(text)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string Link(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string link = path.find(':') == std::string_view::npos ? "" : "./";  // not a scheme
  for (char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      link += c;
    } else {
      link += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return link;
}

std::string SafeName(std::string_view name) {
  constexpr size_t kLongest = 150;
  auto bad = [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const bool safe = !name.empty() && name != "." && name != ".." && name.size() <= kLongest &&
                    std::none_of(name.begin(), name.end(), bad);
  if (safe) return std::string(name);
  std::string other(support::Beginning(name, kLongest - 20));
  std::replace_if(other.begin(), other.end(), bad, '_');
  std::replace(other.begin(), other.end(), '.', '_');
  return fmt::format("{}-{:08x}", other, static_cast<uint32_t>(support::Mix64(support::HashText(name))));
}

std::string VersionsThat(const std::string& versions, std::string_view what) {
  std::string names;
  for (const std::string& line : Lines(versions)) {
    const size_t colon = line.rfind(": ");
    if (colon == std::string::npos || line.substr(colon + 2) != what) continue;
    names += (names.empty() ? "" : ", ") + line.substr(0, colon);
  }
  return names;
}

int64_t TotalCount(const store::Bug& bug) {
  int64_t count = bug.count;
  for (const store::Twin& twin : bug.twins) count += twin.count;
  return count;
}

}  // namespace assay::report
