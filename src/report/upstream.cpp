#include "report/upstream.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "report/description.hpp"
#include "report/markdown.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

// What kinds of misbehaviour are called by developers of compilers.
struct Kind {
  std::string_view kind;
  std::string_view words;
  std::string_view gcc_keyword;
  std::string_view llvm_label;
};
constexpr std::array kKinds = {
    Kind{"wrong-output", "wrong code", "wrong-code", "miscompilation"},
    Kind{"program-crash", "wrong code", "wrong-code", "miscompilation"},
    Kind{"program-hang", "wrong code", "wrong-code", "miscompilation"},
    Kind{"compiler-crash", "ICE", "ice-on-valid-code", "crash-on-valid"},
    Kind{"compiler-hang", "compile-time hog", "compile-time-hog", "slow-compile"},
    Kind{"rejected-valid", "rejects valid code", "rejects-valid", "rejects-valid"},
};

const Kind& KindOf(const store::Bug& bug) {
  for (const Kind& row : kKinds) {
    if (row.kind == bug.kind) return row;
  }
  return kKinds[0];
}

store::Triage TriageOf(const store::Bug& bug) { return bug.triage.value_or(store::Triage{}); }

// "wrong code at -O2 with -fipa-modref (pass modref): ..."
std::string Essence(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  const store::Triage triage = TriageOf(bug);
  std::string title(KindOf(bug).words);
  const std::string flags = bug.triage ? triage.flags : bug.flags;
  if (!flags.empty()) title += " at " + flags;
  if (!triage.pass.empty()) title += " (" + triage.pass + ")";
  // Behind the configuration and the kind comes what happens.
  const size_t colon = shown.title.find(": ", shown.title.find(": ") + 1);
  if (colon != std::string::npos) title += ": " + shown.title.substr(colon + 2);
  return support::OneLine(title, 200);
}

const store::BugFile& TestCaseOf(const store::Bug& shown) { return shown.files.at(0); }

std::string Compiler(const store::Bug& bug) {
  for (const store::BugFile& file : bug.files) {
    if (file.role == "compiler") return Shortened(file.content, {}, SafeName(file.name));
  }
  return bug.version + "\n";
}

// The shell session that shows it.
std::string Session(const store::Bug& shown) {
  std::string text;
  for (const std::string& line : Lines(CommandsByHand(shown))) text += "$ " + line + "\n";
  for (const store::BugFile& file : shown.files) {
    const bool told = file.role == "diagnostics" || file.role == "actual";
    if (told) text += Shortened(file.content, {}, SafeName(file.name));
  }
  return text + "(" + shown.ending + ")\n";
}

std::string WhatIsKnown(const store::Bug& bug) {
  const store::Triage triage = TriageOf(bug);
  std::string text;
  for (const std::string& option : Lines(triage.options)) text += "It does not happen with " + option + ".\n";
  if (!triage.words.empty()) text += triage.words + "\n";
  if (bug.reduction && !bug.reduction->explanation.empty()) text += bug.reduction->explanation + "\n";
  const store::Bug shown = ShownForm(bug);
  if (!shown.sanitizer.empty()) text += "The program is valid: " + shown.sanitizer + "\n";
  return text;
}

// The component is known by the kind of pass.
std::string_view GccComponent(const store::Bug& bug) {
  const std::string pass = TriageOf(bug).pass;
  if (pass.starts_with("tree-")) return "tree-optimization";
  if (pass.starts_with("rtl-")) return "rtl-optimization";
  if (pass.starts_with("ipa-")) return "ipa";
  return bug.kind == "rejected-valid" ? "c" : "middle-end";
}

constexpr Extent kPass{.lines = 120, .line_bytes = 300, .bytes = 12000};

// What the guilty pass says of itself.
std::string Dump(const store::Triage& triage) {
  if (triage.after.empty()) return {};
  return fmt::format("\nThe dump of {} (-fdump-{}-details):\n{}\n", triage.pass, triage.pass,
                     Shortened(triage.after, kPass, "bug.json"));
}

std::string GccBugzilla(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  return fmt::format(
      "Summary: {}\nProduct: gcc\nComponent: {}\nKeywords: {}\nTarget: {}\nKnown to work: {}\nKnown to fail: {}\n\n"
      "$ cat {}\n{}\n{}\n{}\n$ {} -v\n{}",
      Essence(bug), GccComponent(bug), KindOf(bug).gcc_keyword, bug.triple,
      VersionsThat(TriageOf(bug).versions, "right"),
      VersionsThat(TriageOf(bug).versions, "fails").empty() ? support::NameAndVersion(bug.target, bug.version)
                                                            : VersionsThat(TriageOf(bug).versions, "fails"),
      TestCaseOf(shown).name, TestCaseOf(shown).content, Session(shown), WhatIsKnown(bug), bug.target,
      Compiler(bug) + Dump(TriageOf(bug)));
}

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k) {
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

// The program in Compiler Explorer, with the newest clang and the flags needed.
std::string CompilerExplorer(const store::Bug& bug, const store::Bug& shown) {
  const nlohmann::json state = {
      {"sessions",
       {{{"id", 1},
         {"language", "c"},
         {"source", TestCaseOf(shown).content},
         {"compilers", {{{"id", "cclang_trunk"}, {"options", bug.triage ? TriageOf(bug).flags : bug.flags}}}}}}}};
  std::string link;
  for (char c : Base64(state.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))) {
    link += c == '+'   ? std::string("%2B")
            : c == '/' ? std::string("%2F")
            : c == '=' ? std::string("%3D")
                       : std::string(1, c);
  }
  return "https://godbolt.org/clientstate/" + link;
}

// Folded away until somebody opens it.
std::string Details(const std::string& summary, const std::string& code) {
  if (code.empty()) return {};
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", MarkdownText(summary),
                     CodeBlock("llvm", Shortened(code, kPass, "bug.json")));
}

std::string LlvmGithub(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  const store::Triage triage = TriageOf(bug);
  std::string text =
      fmt::format("Title: {}\nLabels: {}\n\n{}\n{}\n", MarkdownText(Essence(bug)), KindOf(bug).llvm_label,
                  CodeBlock("c", TestCaseOf(shown).content), CodeBlock("console", Session(shown)));
  if (!triage.pass.empty()) {
    text += fmt::format("`-opt-bisect-limit` points at {}{}.\n\n", CodeSpan(triage.pass),
                        triage.place.empty() ? "" : " on " + MarkdownText(triage.place));
    text +=
        Details("IR before " + triage.pass, triage.before) + Details("IR after " + triage.pass, triage.after) + "\n";
  }
  for (const std::string& line : Lines(WhatIsKnown(bug))) text += "- " + MarkdownText(line) + "\n";
  const std::string works = VersionsThat(TriageOf(bug).versions, "right"),
                    fails = VersionsThat(TriageOf(bug).versions, "fails");
  if (!works.empty()) text += "- Works with " + MarkdownText(works) + "\n";
  if (!fails.empty()) text += "- Fails with " + MarkdownText(fails) + "\n";
  text += "\nCompiler Explorer: " + CompilerExplorer(bug, shown) + "\n\n" + CodeBlock("", Compiler(bug));
  return text;
}

std::string Mail(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  return fmt::format("Subject: {}: {}\n\n{} on {}:\n\n$ cat {}\n{}\n{}\n{}\n-- \n{}", bug.target, Essence(bug),
                     support::NameAndVersion(bug.target, bug.version), bug.platform, TestCaseOf(shown).name,
                     TestCaseOf(shown).content, Session(shown), WhatIsKnown(bug), Compiler(bug));
}

struct TrackerForm {
  std::string_view tracker;
  const char* file;
  std::string (*write)(const store::Bug&);
};
constexpr std::array kForms = {
    TrackerForm{"gcc-bugzilla", "bugzilla.txt", GccBugzilla},
    TrackerForm{"llvm-github", "github.md", LlvmGithub},
};

}  // namespace

UpstreamReport ReportFor(const store::Bug& bug) {
  for (const TrackerForm& form : kForms) {
    if (form.tracker == bug.tracker) return {form.file, support::Printable(form.write(bug))};
  }
  return {"mail.txt", support::Printable(Mail(bug))};
}

}  // namespace assay::report
