#include "report/description.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/markdown.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

constexpr Extent kProgram{.lines = 400, .line_bytes = 1000, .bytes = 50000};

constexpr Extent kPass{.lines = 120, .line_bytes = 300, .bytes = 12000};

std::string Fact(const char* name, const std::string& value) {
  return value.empty() ? std::string() : fmt::format("- **{}:** {}\n", name, value);
}

std::string CodeSpans(const std::string& lines) {
  std::string text;
  for (const std::string& line : Lines(lines)) text += (text.empty() ? "" : ", ") + CodeSpan(line);
  return text;
}

// What the bug needs to happen.
std::string TriageFacts(const store::Triage& triage) {
  std::string text = Fact("Flags needed", triage.flags.empty() ? "none" : CodeSpan(triage.flags));
  std::string pass = triage.pass.empty() ? "" : CodeSpan(triage.pass);
  if (!pass.empty() && !triage.place.empty()) pass += " on " + MarkdownText(triage.place);
  text += Fact("Pass", pass);
  text += Fact("Does not happen with", CodeSpans(triage.options));
  text += Fact("Nor without the passes", CodeSpans(triage.others));
  text += Fact("The compiler says", triage.words.empty() ? "" : CodeSpan(triage.words));
  text += Fact("Known to fail", MarkdownText(VersionsThat(triage.versions, "fails")));
  text += Fact("Known to work", MarkdownText(VersionsThat(triage.versions, "right")));
  return text + Fact("Not known", MarkdownText(triage.note));
}

std::string TwinsText(const store::Bug& bug) {
  constexpr size_t kMost = 20;
  if (bug.twins.empty()) return {};
  std::string text = "\n## The same bug\n\n";
  for (size_t i = 0; i < bug.twins.size() && i < kMost; ++i) {
    const store::Twin& twin = bug.twins[i];
    text += fmt::format("- {}, seed {}, {} time{}: {}\n", CodeSpan(twin.name), twin.seed, Thousands(twin.count),
                        twin.count == 1 ? "" : "s",
                        twin.reason.empty() ? "has the same signature; not looked at" : MarkdownText(twin.reason));
  }
  if (bug.twins.size() > kMost) text += fmt::format("- ... {} more\n", bug.twins.size() - kMost);
  return text;
}

// What a reader needs to know first.
std::string Facts(const store::Bug& bug, const store::Bug& shown) {
  std::string text = Fact("Compiler", MarkdownText(support::NameAndVersion(bug.target, bug.version)));
  text += Fact("Target triple", bug.triple.empty() ? "" : CodeSpan(bug.triple));
  text += Fact("Machine", MarkdownText(bug.platform));
  text += Fact("Configuration", CodeSpan(bug.configuration));
  text += Fact("Kind", MarkdownText(bug.kind));
  text += Fact("What happened", MarkdownText(shown.ending));
  text += Fact("Doubt", MarkdownText(bug.doubt));
  if (!bug.same_as.empty()) {
    text +=
        Fact("The same bug as", CodeSpan(bug.same_as) + (bug.triage ? ": " + MarkdownText(bug.triage->reason) : ""));
  }
  if (bug.triage) text += TriageFacts(*bug.triage);
  if (bug.reduction && !bug.reduction->explanation.empty()) {
    text += Fact("Explanation", MarkdownText(bug.reduction->explanation));
  }
  text += Fact("Sanitizer", MarkdownText(shown.sanitizer));
  if (!shown.reference.empty()) text += Fact("Expected output by", CodeSpan(shown.reference));
  return text;
}

// What was printed, or should have been, and how it ended.
std::string Output(const store::Bug& shown, const store::BugFile& file) {
  const bool about_run = !shown.run_command.empty();
  if (!IsOutput(file.role) || (file.role == "expected" && !about_run)) return {};
  if (file.role == "diagnostics" && file.content.empty()) return {};
  std::string text = fmt::format("\n## {}\n\n", HeadingOfRole(file.role));
  if (!file.content.empty()) text += CodeBlock("", Shortened(file.content, {}, SafeName(file.name)));
  const char* nothing = file.content.empty() ? "Nothing is printed; the" : "\nThe";
  if (file.role == "expected") text += fmt::format("{} exit code is {}.\n", nothing, shown.expected_status);
  if (file.role == "actual") text += fmt::format("{} program ends with: {}.\n", nothing, MarkdownText(shown.ending));
  return text;
}

// The code before and after the guilty pass, as far as the compiler shows it.
std::string PassCode(const store::Triage& triage) {
  const auto code = [&](const char* words, const std::string& text) {
    if (text.empty()) return std::string();
    return fmt::format("\n## {} {}\n\n", words, CodeSpan(triage.pass)) +
           CodeBlock("", Shortened(text, kPass, "bug.json"));
  };
  const bool both = !triage.before.empty();
  return code("Before the pass", triage.before) + code(both ? "After the pass" : "The pass", triage.after);
}

std::string Names(const char* heading, const std::string& lines) {
  constexpr size_t kMost = 40;
  auto names = Lines(lines);
  if (names.empty()) return {};
  std::string text = fmt::format("\n## {}\n\n", heading);
  for (size_t i = 0; i < names.size() && i < kMost; ++i) text += fmt::format("- {}\n", CodeSpan(names[i]));
  if (names.size() > kMost) text += fmt::format("- ... {} more: see bug.json\n", names.size() - kMost);
  return text;
}

// For whoever wants to find it again.
std::string Origin(const store::Bug& bug, bool reduced) {
  std::string text = "\n## How it was found\n\n";
  text += fmt::format("- **Seen:** {} time{}, first {}, last {}\n", Thousands(TotalCount(bug)),
                      TotalCount(bug) == 1 ? "" : "s", IsoTime(bug.first_seen_ms), IsoTime(bug.last_seen_ms));
  text += fmt::format("- **Seed:** {}{}\n", bug.first_seed, bug.knobs.empty() ? "" : ", knobs " + CodeSpan(bug.knobs));
  text += Fact("Signature", CodeSpan(bug.signature));
  if (bug.known != 0) {
    text += Fact("Known", (bug.tracked.empty() ? "yes" : MarkdownText(bug.tracked)) + "; only counted");
  } else {
    text += Fact("Known, and back", MarkdownText(bug.tracked));
  }
  if (bug.reduction) text += Fact("Reduction", MarkdownText(ReductionText(*bug.reduction)));
  if (reduced) {
    text += "\nThe program as it was found is in this folder too; `./repro-original.sh` runs it:\n\n" +
            CodeBlock("sh", CommandsByHand(bug));
  }
  return text;
}

}  // namespace

store::Bug ShownForm(const store::Bug& bug) { return IsReduced(bug) ? ReducedView(bug) : bug; }

std::string CommandsByHand(const store::Bug& bug) {
  std::string commands;
  for (const std::string& command : {bug.compile_command, bug.run_command}) {
    if (!command.empty()) commands += command + "\n";
  }
  return commands;
}

std::string BugJson(const store::Bug& bug) {
  const store::Bug shown = ShownForm(bug);
  auto files = nlohmann::ordered_json::array();
  for (const store::BugFile& file : bug.files) files.push_back({{"role", file.role}, {"name", SafeName(file.name)}});
  nlohmann::ordered_json json = {{"name", bug.name},
                                 {"kind", bug.kind},
                                 {"title", shown.title},
                                 {"doubt", bug.doubt},
                                 {"signature", bug.signature},
                                 {"target", bug.target},
                                 {"version", bug.version},
                                 {"triple", bug.triple},
                                 {"platform", bug.platform},
                                 {"configuration", bug.configuration},
                                 {"flags", bug.flags},
                                 {"reference_target", bug.reference_target},
                                 {"reference_flags", bug.reference_flags},
                                 {"reference", bug.reference},
                                 {"failing", Lines(bug.failing)},
                                 {"passing", Lines(bug.passing)},
                                 {"compile_command", bug.compile_command},
                                 {"run_command", bug.run_command},
                                 {"ending", shown.ending},
                                 {"ended_by", shown.ended_by},
                                 {"sanitizer", shown.sanitizer},
                                 {"language", bug.language},
                                 {"seed", bug.first_seed},
                                 {"knobs", bug.knobs},
                                 {"writers", Lines(bug.writers)},
                                 {"count", TotalCount(bug)},
                                 {"same_as", bug.same_as},
                                 {"first_seen", IsoTime(bug.first_seen_ms)},
                                 {"last_seen", IsoTime(bug.last_seen_ms)},
                                 {"files", files}};
  if (bug.reduction) {
    json["reduction"] = {{"state", bug.reduction->state},
                         {"compile_command", bug.reduction->compile_command},
                         {"run_command", bug.reduction->run_command},
                         {"explanation", bug.reduction->explanation},
                         {"note", bug.reduction->note}};
  }
  if (bug.triage) {
    const store::Triage& triage = *bug.triage;
    json["triage"] = {{"flags", triage.flags},
                      {"pass", triage.pass},
                      {"place", triage.place},
                      {"other_passes", Lines(triage.others)},
                      {"options", Lines(triage.options)},
                      {"words", triage.words},
                      {"versions", Lines(triage.versions)},
                      {"note", triage.note},
                      {"constructs", Lines(triage.constructs)},
                      {"code_before", triage.before},
                      {"code_after", triage.after},
                      {"same_as_reason", triage.reason}};
  }
  auto twins = nlohmann::ordered_json::array();
  for (const store::Twin& twin : bug.twins) {
    twins.push_back({{"name", twin.name}, {"seed", twin.seed}, {"count", twin.count}, {"reason", twin.reason}});
  }
  json["same_bugs"] = twins;
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string BugMarkdown(const store::Bug& bug) {
  const bool reduced = IsReduced(bug);
  const store::Bug shown = ShownForm(bug);
  std::string text = fmt::format("# {}\n\n", MarkdownText(shown.title)) + Facts(bug, shown);
  if (reduced) {
    text += "\n## Test case\n\n" +
            CodeBlock(bug.language, Shortened(shown.files[0].content, kProgram, SafeName(shown.files[0].name)));
  }
  if (std::string commands = CommandsByHand(shown); !commands.empty()) {
    text += "\n## To reproduce\n\n`./repro.sh`, or by hand";
    if (!bug.service_start.empty()) text += " (with a server that runs in the folder {service}: see repro.sh)";
    text += ":\n\n" + CodeBlock("sh", commands);
  }
  for (const store::BugFile& file : shown.files) text += Output(shown, file);
  if (bug.triage) text += PassCode(*bug.triage);
  text += Names("Configurations that fail", bug.failing) + Names("Configurations that do not", bug.passing);
  for (const store::BugFile& file : bug.files) {
    if (file.role != "compiler") continue;
    text += "\n## The compiler about itself\n\n" + CodeBlock("", Shortened(file.content, {}, SafeName(file.name)));
  }
  text += TwinsText(bug) + Origin(bug, reduced);
  for (const store::BugFile& file : bug.files) {
    if (reduced || (file.role != "program" && file.role != "header")) continue;
    text += fmt::format("\n## {}\n\n", MarkdownText(file.name)) +
            CodeBlock(bug.language, Shortened(file.content, kProgram, SafeName(file.name)));
  }
  return text;
}

}  // namespace assay::report
