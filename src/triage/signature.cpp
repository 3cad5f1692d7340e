// One rule per form of complaint, tried in order; the first that fits makes the signature. A rule
// sees all the text the compiler printed. To add one, add a row to kRules and a case with a real
// text to signature_test.cpp.
#include "triage/signature.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>
#include <sstream>
#include <vector>

#include "support/text.hpp"
#include "triage/frames.hpp"

namespace assay::triage {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The lines with one of these in them: to look for a word is quick, to try an expression at every place of a long line
// is not.
std::vector<std::string> LinesWith(const std::string& text, std::initializer_list<std::string_view> words) {
  std::vector<std::string> lines = Lines(text);
  std::erase_if(lines, [&](const std::string& line) {
    return std::none_of(words.begin(), words.end(), [&](auto word) { return line.find(word) != line.npos; });
  });
  return lines;
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string WithFrames(const std::string& what, const std::string& text) {
  const std::string frames = TopFrames(text);
  return frames.empty() ? what : what + ": " + frames;
}

// "internal compiler error: in FUNCTION, at FILE:LINE", with or without a message before "in".
std::string GccInternalError(const std::string& text) {
  static const std::regex kPlaced("internal compiler error: (.*)in ([^ ,]+), at ([^ :]+):([0-9]+)");
  static const std::regex kOther("internal compiler error: (.+)");
  // tcc has it on two lines: "internal compiler error" and "FILE:LINE: in FUNCTION(): message".
  static const std::regex kTcc("internal compiler error\n([^ :\n]+):([0-9]+): in ([^ (\n]+)\\(\\)");
  std::smatch match;
  if (text.find("internal compiler error") == std::string::npos) return "";
  if (std::regex_search(text, match, kTcc)) {
    return fmt::format("ICE: in {}, at {}:{}", match[3].str(), BaseName(match[1].str()), match[2].str());
  }
  for (const std::string& line : LinesWith(text, {"internal compiler error: "})) {
    if (std::regex_search(line, match, kPlaced)) {
      const std::string message = Normalise(match[1].str());
      return fmt::format("ICE: {}{}in {}, at {}:{}", message, message.empty() ? "" : " ", match[2].str(),
                         BaseName(match[3].str()), match[4].str());
    }
    if (std::regex_search(line, match, kOther)) {
      return WithFrames("ICE: " + Normalise(match[1].str()), text);
    }
  }
  return "";
}

// "PROGRAM: FILE:LINE: FUNCTION: Assertion `CONDITION' failed."
std::string Assertion(const std::string& text) {
  static const std::regex kAssertion("(?:[^ :]+:[0-9]+: )(.*): Assertion [`'](.*)' failed");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {": Assertion "})) {
    if (std::regex_search(line, match, kAssertion)) {
      return fmt::format("assertion: {} in {}", match[2].str(), BareName(match[1].str()));
    }
  }
  return "";
}

std::string LlvmUnreachable(const std::string& text) {
  static const std::regex kUnreachable("UNREACHABLE executed at ([^ ]+):[0-9]+!");
  std::string before;
  std::smatch match;
  for (const std::string& line : Lines(text)) {
    if (line.find("UNREACHABLE executed at ") != line.npos && std::regex_search(line, match, kUnreachable)) {
      return fmt::format("unreachable: {} at {}", Normalise(before), BaseName(match[1].str()));
    }
    before = line;
  }
  return "";
}

std::string LlvmError(const std::string& text) {
  static const std::regex kError("(?:error in backend|LLVM ERROR): (.*)");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {"error in backend: ", "LLVM ERROR: "})) {
    if (std::regex_search(line, match, kError)) return "backend: " + Normalise(match[1].str());
  }
  return "";
}

// A dump without an assertion: the frames, or the passes that were running.
std::string LlvmStackDump(const std::string& text) {
  if (text.find("Stack dump:") == std::string::npos) return "";
  static const std::regex kPass("Running pass '([^']+)'");
  const std::string frames = TopFrames(text);
  if (!frames.empty()) return "crash: " + frames;
  std::string passes;
  for (const std::string& line : LinesWith(text, {"Running pass '"})) {
    std::smatch match;
    if (std::regex_search(line, match, kPass)) passes = match[1].str();  // the last is the innermost
  }
  return passes.empty() ? "" : "crash: in pass " + passes;
}

std::string SanitizerReport(const std::string& text) {
  static const std::regex kReport("ERROR: ([A-Z][a-zA-Z]+Sanitizer): ([a-zA-Z-]+)");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {"Sanitizer: "})) {
    if (std::regex_search(line, match, kReport)) return WithFrames(match[1].str() + " " + match[2].str(), text);
  }
  return "";
}

// "internal error at codegen.c:12" (chibicc), "a.c, line 3: compiler error: ..." (pcc).
std::string SmallCompilerError(const std::string& text) {
  static const std::regex kPlaced("internal error at ([^ :]+):([0-9]+)");
  static const std::regex kCompilerError("compiler error: (.*)");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {"internal error at ", "compiler error: "})) {
    if (std::regex_search(line, match, kPlaced)) {
      return fmt::format("ICE: internal error at {}:{}", BaseName(match[1].str()), match[2].str());
    }
    if (std::regex_search(line, match, kCompilerError)) {
      return "ICE: " + Normalise(match[1].str());
    }
  }
  return "";
}

// A driver that saw its compiler proper die.
std::string ChildDied(const std::string& text) {
  static const std::regex kTerminated("([A-Z][A-Za-z ]+?) signal terminated program ([a-z0-9]+)");
  static const std::regex kNumbered("terminated with signal ([0-9]{1,3})");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {" signal terminated program "})) {
    if (std::regex_search(line, match, kTerminated)) {
      return fmt::format("ICE: {} in {}", match[1].str(), match[2].str());
    }
  }
  for (const std::string& line : LinesWith(text, {"terminated with signal "})) {
    if (!std::regex_search(line, match, kNumbered)) continue;
    return "signal " + exec::SignalName(std::stoi(match[1].str()));
  }
  const std::string clang = "frontend command failed due to signal";
  return text.find(clang) == std::string::npos ? "" : "crash: " + clang;
}

// The first ordinary error: of the compiler, the assembler, the linker; or the message under a
// source line with "^".
std::string FirstError(const std::string& text) {
  static const std::regex kError("(?:^|[ :])(?:fatal )?[Ee]rror: (.+)");
  static const std::regex kLinker("(undefined reference to .*|multiple definition of .*|relocation .*)");
  static const std::regex kCaret("^ *\\^ (.+)$");
  // What a driver says after its compiler proper has said why; with the reason before, it adds
  // nothing.
  static const std::regex kDriver("terminated with status|returned [0-9]+ exit status");
  std::string first;
  for (const std::string& line : Lines(oracle::WithoutWarnings(text))) {
    std::smatch match;
    if (!first.empty() && std::regex_search(line, kDriver)) break;
    for (const std::regex* rule : {&kError, &kLinker, &kCaret}) {
      if (std::regex_search(line, match, *rule)) return "error: " + Normalise(match[1].str());
    }
    if (first.empty()) first = line;
  }
  return first.empty() ? "" : "error: " + Normalise(first);
}

using Rule = std::string (*)(const std::string&);
constexpr std::array<Rule, 9> kRules = {SanitizerReport,  Assertion,     LlvmUnreachable,    LlvmError, ChildDied,
                                        GccInternalError, LlvmStackDump, SmallCompilerError, FirstError};

}  // namespace

std::string Normalise(std::string_view line) {
  struct Replacement {
    std::regex from;
    std::string to;
  };
  static const std::array<Replacement, 10> kReplacements = {
      Replacement{std::regex("^[^ :,]+(:[0-9]+)+:? *"), ""},               // a.c:3:5:
      Replacement{std::regex("^[^ :,]+, line [0-9]+: *"), ""},             // a.c, line 3:
      Replacement{std::regex("^[^ :,]+, line [0-9]+$"), "somewhere"},      // a.c, line 3
      Replacement{std::regex("\xe2\x80\x98[^\xe2]*\xe2\x80\x99"), "'_'"},  // typographic quotes
      Replacement{std::regex("`[^'`]*[`']"), "'_'"},
      Replacement{std::regex("'[^']*'"), "'_'"},
      Replacement{std::regex("\"[^\"]*\""), "'_'"},
      Replacement{std::regex("0x[0-9a-fA-F]+"), "N"},
      Replacement{std::regex("/[^ :,)]*/[^ :,)]*"), "PATH"},
      Replacement{std::regex("\\b[0-9]+\\b"), "N"},
  };
  std::string text(support::Beginning(line, kLongestLine));
  for (const Replacement& replacement : kReplacements) {
    text = std::regex_replace(text, replacement.from, replacement.to);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  return text;
}

std::string CompileSignature(const target::Target&, const exec::Observation& compile) {
  constexpr size_t kLongest = 300;
  if (compile.HitLimit()) return std::string(exec::Name(compile.ending));
  if (compile.Succeeded()) return "success without a program";
  const std::string text = Readable(compile.stderr_text + "\n" + compile.stdout_text);
  std::string signature;
  if (text.size() > 1) {
    for (Rule rule : kRules) {
      signature = rule(text);
      if (!signature.empty()) break;
    }
  }
  if (compile.ending == exec::Ending::Signaled) {
    const std::string signal = "signal " + exec::SignalName(compile.signal);
    const bool ordinary = signature.empty() || signature.starts_with("error: ");
    signature = ordinary ? WithFrames(signal, text) : signature;
  }
  if (signature.empty()) signature = exec::Describe(compile) + " without a diagnostic";
  if (signature.size() > kLongest) signature.resize(kLongest);
  return signature;
}

std::string PlaceAsPrinted(const std::string& text) {
  static const std::regex kPlaced("internal compiler error: .*(in [^ ,]+, at )[^ :]+:[0-9]+");
  static const std::regex kAssertion(": (Assertion [`'].*' failed)");
  std::smatch match;
  for (const std::string& line : LinesWith(text, {"internal compiler error: ", ": Assertion "})) {
    if (line.size() > kLongestLine) continue;
    if (std::regex_search(line, match, kPlaced) || std::regex_search(line, match, kAssertion)) return match[1].str();
  }
  return "";
}

std::string FindKey(const target::Target& target, oracle::Verdict verdict, const exec::Observation& observation,
                    std::string_view failing) {
  std::string_view name = oracle::Name(verdict);
  switch (verdict) {
    case oracle::Verdict::CompilerCrash:
    case oracle::Verdict::CompilerHang:
    case oracle::Verdict::RejectedValid:
    case oracle::Verdict::Unsupported:
    case oracle::Verdict::Unavailable:
      return fmt::format("{} {} {}", name, target.family, CompileSignature(target, observation));
    case oracle::Verdict::Ok:
    case oracle::Verdict::WrongOutput:
    case oracle::Verdict::ProgramCrash:
    case oracle::Verdict::ProgramHang:
    case oracle::Verdict::Flaky:
    case oracle::Verdict::Suspect:
    case oracle::Verdict::Inconclusive: return fmt::format("{} {}", name, failing);
    case oracle::Verdict::kCount: break;
  }
  CHECK(false);
  return {};
}

bool SaysWhere(std::string_view signature) {
  const size_t colon = signature.find(": ");
  if (colon == signature.npos) return false;
  const std::string_view rest = signature.substr(colon + 2);
  const std::string_view before = signature.substr(0, colon);
  const bool died = before.ends_with(" ICE") || before.ends_with(" crash");
  return !died || rest.find(", at ") != rest.npos || rest.find(" at ") != rest.npos || rest.find(": ") != rest.npos ||
         rest.find(" < ") != rest.npos;
}

}  // namespace assay::triage
