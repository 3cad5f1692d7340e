#include "triage/likeness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

#include "triage/culprit.hpp"

namespace assay::triage {
namespace {

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The end of the quoted text that begins at `at`, behind its closing quote.
size_t EndOfQuoted(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// The tokens of C text, without comments and lines of the preprocessor.
std::vector<std::string_view> TokensOf(std::string_view text) {
  static constexpr std::array<std::string_view, 24> kLong = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                                             "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                             "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "::"};
  std::vector<std::string_view> tokens;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    size_t end = at + 1;
    bool counts = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      counts = false;
    } else if (text.substr(at, 2) == "/*") {
      end = text.find("*/", at + 2);
      end = end == std::string_view::npos ? text.size() : end + 2;
      counts = false;
    } else if (text.substr(at, 2) == "//" || c == '#') {
      end = std::min(text.find('\n', at), text.size());
      counts = false;
    } else if (c == '"' || c == '\'') {
      end = EndOfQuoted(text, at);
    } else if (IsDigit(c)) {
      while (end < text.size() && (IsNamePart(text[end]) || text[end] == '.')) ++end;
    } else if (IsNameStart(c)) {
      while (end < text.size() && IsNamePart(text[end])) ++end;
    } else {
      for (std::string_view one : kLong) {
        if (text.substr(at, one.size()) == one) {
          end = at + one.size();
          break;
        }
      }
    }
    if (counts) tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

struct Word {
  std::string_view text;
  std::string_view construct;  // empty: says nothing
};

// What stands for itself. What is missing here counts as its own text if it is a word of the language or of the
// library.
constexpr std::array kConstructs = {
    Word{"int", ""},
    Word{"void", ""},
    Word{"return", ""},
    Word{"main", ""},
    Word{"if", "if"},
    Word{"else", "if"},
    Word{"sizeof", "sizeof"},
    Word{"extern", ""},
    Word{"auto", ""},
    Word{"register", "register"},
    Word{"for", "loop"},
    Word{"while", "loop"},
    Word{"do", "loop"},
    Word{"break", "jump"},
    Word{"continue", "jump"},
    Word{"goto", "goto"},
    Word{"switch", "switch"},
    Word{"case", "switch"},
    Word{"default", "switch"},
    Word{"char", "narrow"},
    Word{"short", "narrow"},
    Word{"int8_t", "narrow"},
    Word{"uint8_t", "narrow"},
    Word{"int16_t", "narrow"},
    Word{"uint16_t", "narrow"},
    Word{"signed", ""},
    Word{"unsigned", "unsigned"},
    Word{"uint32_t", "unsigned"},
    Word{"int32_t", ""},
    Word{"long", "wide"},
    Word{"int64_t", "wide"},
    Word{"uint64_t", "wide"},
    Word{"size_t", "wide"},
    Word{"_Bool", "bool"},
    Word{"float", "floating"},
    Word{"double", "floating"},
    Word{"struct", "struct"},
    Word{"union", "union"},
    Word{"enum", "enum"},
    Word{"static", ""},
    Word{"inline", ""},
    Word{"const", "const"},
    Word{"volatile", "volatile"},
    Word{"restrict", "restrict"},
    Word{"__builtin_abort", ""},
    Word{"abort", ""},
    Word{"printf", ""},
    Word{"__attribute__", ""},
    Word{"...", "variadic"},
    Word{"->", "member"},
    Word{"++", "step"},
    Word{"--", "step"},
    Word{"<<", "shift"},
    Word{">>", "shift"},
    Word{"<<=", "shift"},
    Word{">>=", "shift"},
    Word{"<", "order"},
    Word{">", "order"},
    Word{"<=", "order"},
    Word{">=", "order"},
    Word{"==", "equal"},
    Word{"!=", ""},
    Word{"&&", "logic"},
    Word{"||", "logic"},
    Word{"!", "logic"},
    Word{"+", "add"},
    Word{"-", "add"},
    Word{"+=", "add"},
    Word{"-=", "add"},
    Word{"*=", "multiply"},
    Word{"/", "divide"},
    Word{"/=", "divide"},
    Word{"%", "remainder"},
    Word{"%=", "remainder"},
    Word{"&=", "bits"},
    Word{"|", "bits"},
    Word{"|=", "bits"},
    Word{"^", "bits"},
    Word{"^=", "bits"},
    Word{"~", "complement"},
    Word{"?", "choice"},
    Word{"[", "array"},
};

const Word* Find(std::string_view token) {
  const auto* at = std::find_if(kConstructs.begin(), kConstructs.end(), [&](const Word& w) { return w.text == token; });
  return at == kConstructs.end() ? nullptr : at;
}

// Names of the library and of attributes stand for themselves.
bool IsTelling(std::string_view word) {
  static constexpr std::string_view kTelling =
      " packed aligned noinline noclone pure always_inline memcpy memset memmove memcmp malloc calloc free strlen "
      "strcmp strcpy va_list va_arg va_start va_copy va_end alloca setjmp longjmp ";
  return word.starts_with("__builtin_") || word.starts_with("__") ||
         kTelling.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool IsLarge(std::string_view number) {
  std::string digits;
  const bool hex = number.starts_with("0x") || number.starts_with("0X");
  for (char c : number.substr(hex ? 2 : 0)) {
    if (hex ? std::isxdigit(static_cast<unsigned char>(c)) == 0 : !IsDigit(c)) break;
    digits += c;
  }
  return hex ? digits.size() > 7 : digits.size() > 9;
}

// Of the unary and binary meanings of one token: binary, if an operand stands before it.
bool FollowsAnOperand(std::string_view before) {
  return !before.empty() && (IsNamePart(before.back()) || before.back() == ')' || before.back() == ']') &&
         before != "return" && before != "case";
}

bool IsTypeWord(std::string_view word) {
  static constexpr std::string_view kTypes =
      " int char short long signed unsigned void _Bool float double const volatile restrict ";
  return kTypes.find(" " + std::string(word) + " ") != std::string_view::npos || word.ends_with("_t");
}

// Is the condition that begins at this parenthesis only there to abort?
bool GuardsAbort(const std::vector<std::string_view>& tokens, size_t i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    depth += tokens[i] == "(" ? 1 : tokens[i] == ")" ? -1 : 0;
    if (depth == 0) break;
  }
  return i + 1 < tokens.size() && (tokens[i + 1] == "__builtin_abort" || tokens[i + 1] == "abort");
}

// What the test program does to show its values: not what the bug is about.
std::string_view WithoutHarness(std::string_view text) {
  return text.substr(0, text.find("static unsigned long long checksum"));
}

std::set<std::string> ConstructsOfC(std::string_view text) {
  const auto tokens = TokensOf(WithoutHarness(text));
  std::set<std::string> found;
  int record_braces = 0, depth = 0;  // are we among the members of a record?
  std::set<std::string_view> functions;
  auto at = [&](size_t i) { return i < tokens.size() ? tokens[i] : std::string_view(); };
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i], before = i > 0 ? tokens[i - 1] : std::string_view();
    if (token == "{") {
      ++depth;
      const bool of_record =
          i >= 2 && (at(i - 2) == "struct" || at(i - 2) == "union" || before == "struct" || before == "union");
      if (of_record && record_braces == 0) record_braces = depth;
      if (before == "=") found.insert("initialiser");
    } else if (token == "}") {
      if (record_braces == depth) record_braces = 0;
      --depth;
    } else if (token == ":" && record_braces != 0) {
      found.insert(IsTypeWord(before) ? "unnamed bit-field" : "bit-field");
    } else if (token == "*") {
      const bool declares =
          IsTypeWord(before) || before == "*" || (i >= 2 && (at(i - 2) == "struct" || at(i - 2) == "union"));
      found.insert(declares || !FollowsAnOperand(before) ? "pointer" : "multiply");
    } else if (token == "&") {
      found.insert(FollowsAnOperand(before) ? "bits" : "address");
    } else if (token == "." && (before == "{" || before == ",")) {
      found.insert("designator");
    } else if (token.front() == '"') {
      found.insert("string");
    } else if (IsDigit(token.front())) {
      if (IsLarge(token)) found.insert("large constant");
    } else if (const Word* word = Find(token); word != nullptr) {
      const bool is_the_check = token == "if" && GuardsAbort(tokens, i + 1);
      if (!word->construct.empty() && !is_the_check) found.emplace(word->construct);
    } else if (IsNameStart(token.front())) {
      if (IsTelling(token)) found.emplace(token);
      if (at(i + 1) != "(" || token == "main") continue;
      if (depth > 0 && functions.contains(token)) found.insert("call");
      functions.insert(token);
    }
  }
  return found;
}

// The words of a text, for languages whose constructs are words.
std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text[at] == '"' || text[at] == '\'') {
      end = EndOfQuoted(text, at);
    } else if (IsNameStart(text[at])) {
      while (end < text.size() && IsNamePart(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      // Names that a grammar counts, t1 or c0_2, say nothing.
      if (std::none_of(word.begin(), word.end(), IsDigit)) words.emplace(word);
    }
    at = end;
  }
  return words;
}

std::string Listed(const std::set<std::string>& constructs) { return fmt::format("{}", fmt::join(constructs, ", ")); }

// The flags that matter: of levels, only whether there is one. Not a level itself: at which one a pass begins to act on
// a program depends on the program.
std::set<std::string> NatureOf(const std::string& flags) {
  std::set<std::string> nature;
  std::istringstream words(flags);
  for (std::string word; words >> word;) {
    if (word == "-O0") continue;
    nature.insert(word.starts_with("-O") ? "-O" : word);
  }
  return nature;
}

// What became of the bug in each version: "gcc-11", "right".
std::map<std::string, std::string> OutcomesIn(const std::string& versions) {
  std::map<std::string, std::string> outcomes;
  std::istringstream lines(versions);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.rfind(": ");
    if (colon != std::string::npos) outcomes[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return outcomes;
}

// Has one version the one and not the other?
bool VersionsContradict(const Portrait& a, const Portrait& b) {
  const auto others = OutcomesIn(b.versions);
  for (const auto& [version, outcome] : OutcomesIn(a.versions)) {
    const auto other = others.find(version);
    if (other == others.end() || other->second == outcome) continue;
    const bool decided = outcome == "right" || other->second == "right";
    if (decided && (outcome == "fails" || other->second == "fails")) return true;
  }
  return false;
}

}  // namespace

std::set<std::string> ConstructsOf(std::string_view language, std::string_view text) {
  return language == "c" ? ConstructsOfC(text) : WordsOf(text);
}

std::optional<std::string> WhySame(const Portrait& a, const Portrait& b) {
  if (!a.failure.empty() && !b.failure.empty() && a.failure != b.failure) return {};
  std::set<std::string> both, any = a.constructs;
  std::set_intersection(a.constructs.begin(), a.constructs.end(), b.constructs.begin(), b.constructs.end(),
                        std::inserter(both, both.end()));
  any.insert(b.constructs.begin(), b.constructs.end());
  if (!a.pass.empty() && !b.pass.empty()) {
    if (PassFamily(a.pass) != PassFamily(b.pass) || both.size() * 2 < any.size()) return {};
    return fmt::format("the same pass, {}, and {} of {} constructs: {}", PassFamily(a.pass), both.size(), any.size(),
                       Listed(both));
  }
  // A pass that is known for one of them only says nothing.
  if (a.constructs != b.constructs) return {};
  if (a.flags && b.flags && NatureOf(*a.flags) != NatureOf(*b.flags)) return {};
  if (VersionsContradict(a, b)) return {};
  return "the same constructs: " + (both.empty() ? "none" : Listed(both));
}

}  // namespace assay::triage
