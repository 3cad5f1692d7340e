#include "triage/known.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <sstream>

#include "oracle/verdict.hpp"

namespace assay::triage {
namespace {

using support::Result;

constexpr std::string_view kTable = "[[bug]]";

// The numbers of the first version in a text, "12.2.0": digits with at least one dot between them. `behind`: where it
// ends.
std::vector<int> FirstVersion(std::string_view text, size_t* behind = nullptr) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::vector<int> numbers;
    size_t end = at;
    while (end < text.size() && is_digit(text[end])) {
      int number = 0;
      end =
          static_cast<size_t>(std::from_chars(text.data() + end, text.data() + text.size(), number).ptr - text.data());
      numbers.push_back(number);
      if (end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1])) break;
      ++end;
    }
    if (behind != nullptr) *behind = end;
    if (numbers.size() > 1) return numbers;
    at = end;
  }
  if (behind != nullptr) *behind = text.size();
  return {};
}

// The version that a compiler tells of itself: the last one that is not in parentheses, where the name of a
// distribution or of what it was built with has numbers of its own: "gcc-4.9 (crosstool-NG 1.25.0) 4.9.2".
std::vector<int> ToldVersion(std::string_view told) {
  std::string plain;
  int depth = 0;
  for (char c : told) {
    if (c == '(') ++depth;
    plain += depth > 0 ? ' ' : c;
    if (c == ')' && depth > 0) --depth;
  }
  std::vector<int> last;
  for (size_t at = 0, end = 0; at < plain.size(); at += end) {
    std::vector<int> numbers = FirstVersion(std::string_view(plain).substr(at), &end);
    if (!numbers.empty()) last = std::move(numbers);
  }
  return last.empty() ? FirstVersion(told) : last;
}

// One number alone is a version in the file: "13".
std::vector<int> WantedVersion(std::string_view text) {
  std::vector<int> numbers = FirstVersion(text);
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (numbers.empty() && code == std::errc() && end == text.data() + text.size()) numbers.push_back(number);
  return numbers;
}

Result<void> Fail(const std::string& name, const toml::node& node, const std::string& why) {
  return support::UsageError(fmt::format("{}, line {}: {}", name, node.source().begin.line, why));
}

Result<void> ReadConstructs(const toml::node& node, const std::string& name, KnownBug& bug) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return Fail(name, node, "'constructs' is a list of words");
  for (const toml::node& word : *list) {
    if (!word.is_string()) return Fail(name, word, "'constructs' is a list of words");
    bug.portrait.constructs.insert(**word.as_string());
  }
  return {};
}

Result<KnownBug> ReadBug(const toml::table& table, const std::string& name) {
  KnownBug bug;
  std::string title;  // for people
  const std::map<std::string_view, std::string*> texts = {
      {"name", &bug.name},          {"signature", &bug.signature}, {"family", &bug.family},     {"kind", &bug.kind},
      {"pass", &bug.portrait.pass}, {"tracker", &bug.tracker},     {"fixed_in", &bug.fixed_in}, {"title", &title}};
  for (const auto& [key, value] : table) {
    if (key.str() == "constructs") {
      RETURN_IF_ERROR(ReadConstructs(value, name, bug));
      continue;
    }
    const auto text = texts.find(key.str());
    if (text == texts.end()) {
      return Fail(name, value,
                  fmt::format("a bug has no '{}'; it has: name, signature, family, kind, pass, constructs, tracker, "
                              "fixed_in, title",
                              key.str()))
          .GetError();
    }
    if (!value.is_string()) return Fail(name, value, fmt::format("'{}' is a text", key.str())).GetError();
    *text->second = **value.as_string();
  }
  if (!bug.kind.empty() && !oracle::VerdictNamed(bug.kind)) {
    return Fail(name, *table.get("kind"), fmt::format("there is no kind '{}'", bug.kind)).GetError();
  }
  if (bug.name.empty() && bug.signature.empty() && bug.portrait.constructs.empty()) {
    return Fail(name, table, "a bug needs a name, a signature, or the constructs of its small program").GetError();
  }
  if (!bug.portrait.pass.empty() && bug.portrait.constructs.empty()) {
    return Fail(name, table, "a pass alone says too little: give the constructs of the small program, too").GetError();
  }
  if (!bug.fixed_in.empty() && WantedVersion(bug.fixed_in).empty()) {
    return Fail(name, table, fmt::format("fixed_in '{}' is no version, as 13.2", bug.fixed_in)).GetError();
  }
  return bug;
}

Result<KnownBugs> ParseToml(const std::string& text, const std::string& name) {
  KnownBugs known;
  try {
    const toml::table file = toml::parse(text);
    for (const auto& [key, value] : file) {
      const toml::array* bugs = value.as_array();
      if (key.str() != "bug" || bugs == nullptr) {
        return Fail(name, value, "there are only tables [[bug]] in this file").GetError();
      }
      for (const toml::node& one : *bugs) {
        if (!one.is_table()) return Fail(name, one, "there are only tables [[bug]] in this file").GetError();
        ASSIGN_OR_RETURN(auto bug, ReadBug(*one.as_table(), name));
        known.Add(std::move(bug));
      }
    }
  } catch (const toml::parse_error& error) {
    return support::UsageError(
        fmt::format("{}, line {}: {}", name, error.source().begin.line, std::string(error.description())));
  }
  return known;
}

// Whatever blanks and carriage returns are around them; a line that begins with # is a comment.
KnownBugs ParseLines(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\v\f";
  KnownBugs known;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(kBlanks));
    line.erase(line.find_last_not_of(kBlanks) + 1);
    if (line.empty() || line[0] == '#') continue;
    KnownBug by_name, by_signature;
    by_name.name = by_signature.signature = line;
    known.Add(std::move(by_name));
    known.Add(std::move(by_signature));
  }
  return known;
}

// Is it the known one, as far as can be told now? What the file says of the small program must be seen before a
// signature counts: finds of one signature may be several bugs.
bool Fits(const KnownBug& known, const Sighting& seen) {
  const auto is = [](const std::string& wanted, std::string_view has) { return wanted.empty() || wanted == has; };
  if (!is(known.family, seen.family) || !is(known.kind, seen.kind)) return false;
  if (!known.name.empty() && known.name == seen.name) return true;
  if (known.portrait.constructs.empty()) return !known.signature.empty() && known.signature == seen.signature;
  return is(known.signature, seen.signature) && seen.portrait != nullptr && WhySame(known.portrait, *seen.portrait);
}

}  // namespace

std::string KnownBug::Told() const {
  std::string text = tracker.empty() ? !name.empty() ? name : !signature.empty() ? signature : portrait.pass : tracker;
  if (!fixed_in.empty()) text += fmt::format(", said to be fixed in {}", fixed_in);
  return text;
}

std::string KnownBug::Toml(const std::string& title) const {
  toml::array constructs;
  for (const std::string& construct : portrait.constructs) constructs.push_back(construct);
  std::ostringstream out;
  const auto line = [&](const char* key, const auto& value) { out << key << " = " << value << "\n"; };
  const auto text = [&](const char* key, const std::string& value) { line(key, toml::value<std::string>(value)); };
  out << kTable << "\n";
  text("title", title);
  for (const auto& [key, value] : {std::pair{"name", &name},
                                   {"signature", &signature},
                                   {"family", &family},
                                   {"kind", &kind},
                                   {"pass", &portrait.pass}}) {
    if (!value->empty()) text(key, *value);
  }
  if (!portrait.constructs.empty()) line("constructs", constructs);
  text("tracker", tracker);
  text("fixed_in", fixed_in);
  return out.str();
}

bool IsAtLeast(std::string_view told, std::string_view version) {
  const std::vector<int> has = ToldVersion(told), wanted = WantedVersion(version);
  return has.empty() || has >= wanted;
}

Result<KnownBugs> KnownBugs::Parse(const std::string& text, const std::string& name) {
  const bool has_tables = text.starts_with(kTable) || text.find("\n" + std::string(kTable)) != text.npos;
  return name.ends_with(".toml") || has_tables ? ParseToml(text, name) : ParseLines(text);
}

std::optional<Recognised> KnownBugs::Find(const Sighting& sighting) const {
  std::optional<Recognised> back;
  for (const KnownBug& bug : bugs_) {
    if (!Fits(bug, sighting)) continue;
    const bool is_back = !bug.fixed_in.empty() && IsAtLeast(sighting.version, bug.fixed_in);
    if (!is_back) return Recognised{&bug, false};
    if (!back) back = Recognised{&bug, true};
  }
  return back;
}

}  // namespace assay::triage
