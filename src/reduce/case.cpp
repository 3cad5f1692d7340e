#include "reduce/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lang/text.hpp"

namespace assay::reduce {
namespace {

// The first line: these, then the positions of the check.
constexpr std::string_view kMagic = "assay-case 1";
constexpr std::string_view kInMain = " main";
constexpr std::string_view kDirect = " direct";
constexpr std::string_view kReturnsNot = " implied";

// The check without ids: the position of its variable among the globals, then the path.
std::vector<uint32_t> Positions(const Case& subject) {
  if (!subject.check) return {};
  const auto& globals = subject.program.globals;
  const auto found = std::find(globals.begin(), globals.end(), subject.check->var);
  CHECK_MSG(found != globals.end(), "the checked variable is not in the program");
  std::vector<uint32_t> positions = {static_cast<uint32_t>(found - globals.begin())};
  positions.insert(positions.end(), subject.check->path.begin(), subject.check->path.end());
  return positions;
}

// Takes the word from the beginning of the text, if it is there.
bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

support::Result<Case> WithCheck(Case result, const std::vector<uint32_t>& positions) {
  if (positions.empty()) return result;
  if (positions[0] >= result.program.globals.size()) {
    return support::UsageError("the case checks a variable that its program does not have");
  }
  result.check = Check{result.program.globals[positions[0]], {positions.begin() + 1, positions.end()}};
  return result;
}

}  // namespace

std::optional<size_t> FindChecked(const Case& subject, const machine::RunResult& result) {
  if (!subject.check) return std::nullopt;
  for (size_t i = 0; i < result.finals.size(); ++i) {
    const machine::FinalScalar& scalar = result.finals[i];
    if (scalar.var != subject.check->var || scalar.path != subject.check->path) continue;
    if (scalar.state == machine::FinalScalar::State::Unreadable) return std::nullopt;
    return i;
  }
  return std::nullopt;
}

Case Compact(const Case& subject) {
  auto program = lang::Load(lang::Save(subject.program));
  CHECK_MSG(program.Ok(), "{}", program.GetError().message);
  Case compact{std::move(program).Value(), std::nullopt, subject.in_main, subject.direct, subject.returns};
  return WithCheck(std::move(compact), Positions(subject)).Value();
}

std::string SaveCase(const Case& subject) {
  std::string text(kMagic);
  if (subject.in_main) text += kInMain;
  if (subject.direct) text += kDirect;
  if (!subject.returns) text += kReturnsNot;
  for (uint32_t position : Positions(subject)) text += fmt::format(" {}", position);
  return text + '\n' + lang::Save(subject.program);
}

support::Result<Case> LoadCase(std::string_view text) {
  std::vector<uint32_t> positions;
  Case result;
  if (text.starts_with(kMagic)) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(kMagic.size(), end - kMagic.size());
    result.in_main = Take(line, kInMain);
    result.direct = Take(line, kDirect);
    result.returns = !Take(line, kReturnsNot);
    while (!line.empty()) {
      uint32_t value = 0;
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      if (line.empty()) break;
      const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), value);
      if (error != std::errc()) return support::UsageError("line 1: not the check of a case");
      positions.push_back(value);
      line.remove_prefix(static_cast<size_t>(stop - line.data()));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  ASSIGN_OR_RETURN(result.program, lang::Load(text));
  return WithCheck(std::move(result), positions);
}

}  // namespace assay::reduce
