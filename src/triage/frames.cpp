#include "triage/frames.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "support/text.hpp"

namespace assay::triage {
namespace {

// Frames of the machinery of dying, not of the bug.
bool IsMachinery(const std::string& name) {
  static const std::array<std::string, 13> kPrefixes = {
      "llvm::sys::",   "SignalHandler", "CrashRecovery",  "__restore_rt", "raise",       "abort",  "gsignal",
      "__assert_fail", "crash_signal",  "internal_error", "fancy_abort",  "diagnostic_", "__libc_"};
  static const std::array<std::string, 8> kWhole = {"llvm_unreachable_internal",
                                                    "llvm::llvm_unreachable_internal",
                                                    "llvm::report_fatal_error",
                                                    "__GI_raise",
                                                    "__pthread_kill_implementation",
                                                    "pthread_kill",
                                                    "tree_check_failed",
                                                    "rtl_check_failed_flag"};
  for (const std::string& prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const std::string& whole : kWhole) {
    if (name == whole) return true;
  }
  return name.find("::CleanupOnSignal") != std::string::npos;
}

// Removes bracketed parts, nested ones too: arguments and template arguments.
std::string WithoutBrackets(std::string_view text, char open, char close) {
  std::string out;
  int depth = 0;
  for (char c : text) {
    if (c == open) {
      ++depth;
    } else if (c == close && depth > 0) {
      --depth;
    } else if (depth == 0) {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string Readable(std::string_view text) {
  constexpr size_t kEach = 64 << 10;  // of the beginning and of the end
  std::string beginning, end;
  while (!text.empty() && beginning.size() < kEach) {
    const size_t size = std::min(text.find('\n'), text.size());
    beginning.append(support::Beginning(text.substr(0, size), kLongestLine)).append("\n");
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  if (text.size() > kEach) text.remove_prefix(text.size() - kEach);
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size());
    end.append(support::Beginning(text.substr(0, size), kLongestLine)).append("\n");
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return beginning + end;
}

std::string BareName(std::string_view function) {
  std::string name(function);
  for (std::string_view noise : {"(anonymous namespace)::", "{anonymous}::"}) {
    for (size_t at = 0; (at = name.find(noise)) != std::string::npos;) name.erase(at, noise.size());
  }
  if (size_t clone = name.find(" [clone"); clone != std::string::npos) name.resize(clone);
  if (name.find("operator") == std::string::npos) {
    name = WithoutBrackets(name, '<', '>');
  }
  name = WithoutBrackets(name, '(', ')');
  static const std::regex kSuffix("\\.(part|isra|constprop|cold|llvm|lto_priv)\\.?[0-9]*");
  name = std::regex_replace(name, kSuffix, "");
  while (!name.empty() && name.back() == ' ') name.pop_back();
  for (std::string_view qualifier : {" const", " &", " &&"}) {
    if (name.ends_with(qualifier)) name.resize(name.size() - qualifier.size());
  }
  // "void foo::bar" as in __PRETTY_FUNCTION__: the name is the last word.
  if (name.find("operator") == std::string::npos) {
    if (size_t blank = name.rfind(' '); blank != std::string::npos) name.erase(0, blank + 1);
  }
  while (!name.empty() && (name.front() == '*' || name.front() == '&')) name.erase(0, 1);
  return name;
}

std::vector<std::string> Frames(std::string_view text) {
  static const std::regex kGcc("^0x[0-9a-f]+ ([^ ]+|[^(]+\\(.*)$");
  static const std::regex kSanitizer("^ *#[0-9]+ 0x[0-9a-f]+ in (.+?)( /| [^ ]*:[0-9]+| \\(|$).*");
  static const std::regex kLlvm("^ *#?[0-9]+ +0x[0-9a-f]+ (.+?)( \\(/[^ ]*\\+0x[0-9a-f]+\\)| [^ ]*:[0-9]+)?$");
  std::vector<std::string> frames;
  std::istringstream in{std::string(text)};
  bool last_is_zero = false;
  for (std::string line; std::getline(in, line);) {
    if (line.size() > kLongestLine || line.find("0x") == line.npos) continue;
    std::smatch match;
    const bool frame = std::regex_match(line, match, kSanitizer) || std::regex_match(line, match, kGcc) ||
                       std::regex_match(line, match, kLlvm);
    if (!frame) continue;
    const size_t hash = line.find('#');
    const bool zero = hash != std::string::npos && line.compare(hash, 3, "#0 ") == 0;
    if (zero && last_is_zero) break;  // a second backtrace
    last_is_zero = last_is_zero || zero;
    const std::string name = BareName(match[1].str());
    if (name.empty() || name.starts_with("/") || name == "???" || IsMachinery(name)) continue;
    frames.push_back(name);
  }
  return frames;
}

std::string TopFrames(std::string_view text) {
  constexpr size_t kFrames = 3;
  std::string top;
  std::vector<std::string> frames = Frames(text);
  for (size_t i = 0; i < frames.size() && i < kFrames; ++i) top += (i == 0 ? "" : " < ") + frames[i];
  return top;
}

}  // namespace assay::triage
