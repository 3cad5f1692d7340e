#include "triage/pass_code.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace assay::triage {
namespace {

constexpr size_t kMostLines = 300, kMostBytes = 30000;

constexpr std::string_view kHeading = "*** IR Dump ", kAfter = "*** IR Dump After ",
                           kAtStart = "*** IR Dump At Start ***";

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string Cut(std::string_view text) {
  std::string cut;
  size_t count = 0;
  for (std::string_view line : LinesOf(text)) {
    if (++count > kMostLines || cut.size() + line.size() > kMostBytes) return cut + "...\n";
    cut += line;
  }
  return cut;
}

// The functions of a module, or of the part of one that is printed, by name.
using Functions = std::map<std::string, std::string>;

struct Dump {
  std::string pass;  // empty: the beginning
  Functions functions;
};

// "define dso_local i32 @f(i32 %0) {" is f.
std::string NameOf(std::string_view line) {
  const size_t at = line.find('@');
  if (at == std::string_view::npos) return {};
  return std::string(line.substr(at, line.find('(', at) - at));
}

std::vector<Dump> DumpsIn(std::string_view printed) {
  std::vector<Dump> dumps;
  bool inside = false;  // a dump that is not left out
  std::string* function = nullptr;
  for (std::string_view line : LinesOf(printed)) {
    if (line.starts_with(kHeading)) {
      const bool left_out = line.find(" omitted ") != std::string_view::npos;
      inside = !left_out && (line.starts_with(kAfter) || line.starts_with(kAtStart));
      function = nullptr;
      if (!inside) continue;
      Dump& dump = dumps.emplace_back();
      if (!line.starts_with(kAfter)) continue;
      const std::string_view rest = line.substr(kAfter.size());
      dump.pass = std::string(rest.substr(0, rest.find(" on ")));
    } else if (inside && line.starts_with("define ")) {
      function = &dumps.back().functions[NameOf(line)];
      *function = line;
    } else if (function != nullptr) {
      *function += line;
      if (line.starts_with("}")) function = nullptr;
    } else if (line.starts_with("*** ")) {
      inside = false;
    }
  }
  return dumps;
}

}  // namespace

PassCode CodeOfPass(std::string_view pass, std::string_view printed) {
  if (printed.find(kHeading) == std::string_view::npos) return {.after = Cut(printed)};
  std::vector<Dump> dumps = DumpsIn(printed);
  if (dumps.empty() || dumps.back().pass != pass) return {};
  const Dump last = std::move(dumps.back());
  dumps.pop_back();
  Functions now;
  for (const Dump& dump : dumps) {
    for (const auto& [name, text] : dump.functions) now[name] = text;
  }
  std::string before, after;
  for (const auto& [name, text] : last.functions) {
    if (now[name] == text) continue;
    before += now[name];
    after += text;
  }
  return {Cut(before), Cut(after)};
}

}  // namespace assay::triage
