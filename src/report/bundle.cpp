#include "report/bundle.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/files.hpp"

namespace assay::report {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr const char* kPartial = "partial";

// A code block whose fence is longer than any run of backquotes in the text.
std::string Block(const std::string& language, std::string text) {
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  if (!text.empty() && text.back() != '\n') text += '\n';
  return fence + language + "\n" + text + fence + "\n";
}

std::string Shortened(const std::string& text, size_t lines, const std::string& name) {
  size_t at = 0;
  for (size_t line = 0; line < lines; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text;
    ++at;
  }
  if (at >= text.size()) return text;
  return text.substr(0, at) + fmt::format("... (the rest is in {})\n", name);
}

Result<void> WriteDescriptions(const fs::path& folder, const store::Bug& bug) {
  if (auto done = support::WriteFile(folder / "bug.json", BugJson(bug)); !done) return done;
  return support::WriteFile(folder / "bug.md", BugMarkdown(bug));
}

Result<void> WriteScript(const fs::path& path, const std::string& text) {
  if (auto done = support::WriteFile(path, text); !done) return done;
  std::error_code code;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, code);
  return {};
}

// repro.sh shows the small program as soon as there is one.
Result<void> WriteScripts(const fs::path& folder, const store::Bug& bug) {
  std::string original = ReproScript(bug, Form::Original);
  if (!IsReduced(bug)) return WriteScript(folder / "repro.sh", original);
  if (auto done = WriteScript(folder / "repro-original.sh", original); !done) return done;
  return WriteScript(folder / "repro.sh", ReproScript(bug, Form::Reduced));
}

Result<void> WriteAll(const fs::path& folder, const store::Bug& bug) {
  if (auto made = support::MakeFolder(folder); !made) return made;
  for (const store::BugFile& file : bug.files) {
    if (auto done = support::WriteFile(folder / file.name, file.content); !done) return done;
  }
  if (auto done = WriteScripts(folder, bug); !done) return done;
  return WriteDescriptions(folder, bug);
}

// What may have come since the folder was written.
Result<void> Update(const fs::path& folder, const store::Bug& bug) {
  for (const store::BugFile& file : bug.files) {
    if (!file.role.starts_with("reduced")) continue;
    if (auto done = support::WriteFile(folder / file.name, file.content); !done) return done;
  }
  if (IsReduced(bug)) {
    if (auto done = WriteScripts(folder, bug); !done) return done;
  }
  return WriteDescriptions(folder, bug);
}

std::string Commands(const store::Bug& bug) {
  std::string commands = bug.compile_command + "\n" + bug.run_command + "\n";
  commands.erase(0, commands.find_first_not_of('\n'));
  return commands.find_first_not_of('\n') == std::string::npos ? std::string() : commands;
}

}  // namespace

fs::path BundleFolder(const fs::path& campaign, const store::Bug& bug) {
  const char* bucket = bug.kind == "suspect" ? "suspects" : bug.kind == "flaky" ? "flaky" : "bugs";
  return campaign / bucket / bug.name;
}

Result<void> WriteBundle(const fs::path& campaign, const store::Bug& bug) {
  fs::path folder = BundleFolder(campaign, bug);
  std::error_code code;
  if (fs::exists(folder, code)) return Update(folder, bug);
  fs::path partial =
      campaign / kPartial / fmt::format("{}.{}.{}", bug.name, ::gettid(), ::getpid());
  auto written = WriteAll(partial, bug);
  // Another process that ends may just have removed the common folder: it was empty.
  if (!written && !fs::exists(partial, code)) written = WriteAll(partial, bug);
  if (written) written = support::MakeFolder(folder.parent_path());
  if (written) {
    fs::rename(partial, folder, code);
    // Another process may have been faster; its folder says the same.
    if (code && !fs::exists(folder)) {
      written = support::EnvironmentError(
          fmt::format("cannot write {}: {}", folder.string(), code.message()));
    }
  }
  fs::remove_all(partial, code);
  return written;
}

bool BundleIsComplete(const fs::path& campaign, const store::Bug& bug) {
  fs::path folder = BundleFolder(campaign, bug);
  std::error_code code;
  return std::all_of(bug.files.begin(), bug.files.end(),
                     [&](const auto& file) { return fs::exists(folder / file.name, code); }) &&
         fs::exists(folder / (IsReduced(bug) ? "repro-original.sh" : "repro.sh"), code);
}

void RemovePartialBundles(const fs::path& campaign) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(campaign / kPartial, code)) {
    std::string extension = entry.path().extension().string();
    pid_t pid = 0;
    if (extension.size() > 1)
      std::from_chars(extension.data() + 1, extension.data() + extension.size(), pid);
    if (pid > 0 && ::kill(pid, 0) == 0) continue;
    fs::remove_all(entry.path(), code);
  }
  fs::remove(campaign / kPartial, code);  // only if it is empty
}

std::string BugJson(const store::Bug& bug) {
  auto files = nlohmann::ordered_json::array();
  for (const store::BugFile& file : bug.files)
    files.push_back({{"role", file.role}, {"name", file.name}});
  nlohmann::ordered_json json = {{"name", bug.name},
                                 {"kind", bug.kind},
                                 {"title", bug.title},
                                 {"signature", bug.signature},
                                 {"target", bug.target},
                                 {"version", bug.version},
                                 {"configuration", bug.configuration},
                                 {"failing", Lines(bug.failing)},
                                 {"passing", Lines(bug.passing)},
                                 {"compile_command", bug.compile_command},
                                 {"run_command", bug.run_command},
                                 {"language", bug.language},
                                 {"seed", bug.first_seed},
                                 {"knobs", bug.knobs},
                                 {"count", bug.count},
                                 {"first_seen", IsoTime(bug.first_seen_ms)},
                                 {"last_seen", IsoTime(bug.last_seen_ms)},
                                 {"files", files}};
  if (bug.reduction) {
    json["reduction"] = {{"state", bug.reduction->state},
                         {"compile_command", bug.reduction->compile_command},
                         {"run_command", bug.reduction->run_command},
                         {"note", bug.reduction->note}};
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string BugMarkdown(const store::Bug& bug) {
  std::string text = fmt::format("# {}\n\n", bug.title);
  text += fmt::format(
      "- **Compiler:** {} ({})\n- **Configuration:** `{}`\n- **Kind:** {}\n- **Signature:** `{}`\n",
      bug.target, bug.version, bug.configuration, bug.kind, bug.signature);
  text += fmt::format("- **Seed:** {}{}\n- **Seen:** {} time{}, first {}\n", bug.first_seed,
                      bug.knobs.empty() ? "" : fmt::format(", knobs `{}`", bug.knobs), bug.count,
                      bug.count == 1 ? "" : "s", IsoTime(bug.first_seen_ms));
  if (bug.known) text += "- **Known:** yes; only counted\n";
  bool reduced = IsReduced(bug);
  if (bug.reduction) text += fmt::format("- **Reduction:** {}\n", ReductionText(*bug.reduction));
  const store::Bug shown = reduced ? ReducedView(bug) : bug;
  if (reduced) text += "\n## Test case\n\n" + Block(bug.language, shown.files[0].content);
  if (std::string commands = Commands(shown); !commands.empty()) {
    text += "\n## To reproduce\n\n`./repro.sh`, or by hand:\n\n" + Block("sh", commands);
  }
  for (const store::BugFile& file : bug.files) {
    if (!IsOutput(file.role) || (reduced && file.role != "diagnostics")) continue;
    text += fmt::format("\n## {}\n\n", HeadingOfRole(file.role)) +
            Block("", Shortened(file.content, 40, file.name));
  }
  if (auto failing = Lines(bug.failing); !failing.empty()) {
    text += "\n## Configurations that fail\n\n";
    for (const std::string& line : failing) text += fmt::format("- `{}`\n", line);
  }
  if (auto passing = Lines(bug.passing); !passing.empty()) {
    text += "\n## Configurations that do not\n\n";
    for (const std::string& line : passing) text += fmt::format("- `{}`\n", line);
  }
  if (reduced) {
    return text + "\n## As it was found\n\n" + Block("sh", Commands(bug)) +
           "\nThe program is in this folder; `./repro-original.sh` runs it.\n";
  }
  for (const store::BugFile& file : bug.files) {
    if (file.role != "program" && file.role != "header") continue;
    text += fmt::format("\n## {}\n\n", file.name) +
            Block(bug.language, Shortened(file.content, 400, file.name));
  }
  return text;
}

}  // namespace assay::report
