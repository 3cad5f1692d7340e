#include "report/repro.hpp"

#include <fmt/format.h>

#include "support/check.hpp"

namespace assay::report {
namespace {

// The first word of a command: the program that must exist.
std::string Tool(const std::string& command) {
  return command.substr(0, command.find(' '));
}

const store::BugFile* FileOf(const store::Bug& bug, std::string_view role) {
  for (const store::BugFile& file : bug.files) {
    if (file.role == role) return &file;
  }
  return nullptr;
}

// What the compiler must do for its own bug to show.
std::string CompilerCheck(const store::Bug& bug) {
  if (bug.kind == "compiler-hang") {
    return "if [ $status -eq 124 ] || [ $status -eq 137 ]; then say 'the compiler does not end'; "
           "fi\n";
  }
  std::string check;
  if (!bug.evidence.empty()) {
    check = fmt::format(
        "if [ $status -ne 0 ] && grep -qF -- {} compile.log; then say 'the compiler fails'; fi\n",
        ShellQuote(bug.evidence));
  }
  if (bug.kind == "compiler-crash") {
    check +=
        "if [ $status -gt 128 ]; then say \"the compiler died by signal $((status - 128))\"; fi\n";
    check +=
        "if [ $status -eq 0 ] && [ ! -f ./program ]; then say 'the compiler reports success but "
        "makes no program'; fi\n";
    if (bug.evidence.empty()) {
      check +=
          "if [ $status -ne 0 ] && [ ! -s compile.log ]; then say 'the compiler fails in silence'; "
          "fi\n";
    }
  } else if (bug.evidence.empty()) {
    check += "if [ $status -ne 0 ]; then say 'the compiler rejects the program'; fi\n";
  }
  return check;
}

std::string RunCheck(const store::Bug& bug) {
  if (bug.kind == "program-hang") {
    return "if [ $status -eq 124 ] || [ $status -eq 137 ]; then say 'the program does not end'; "
           "fi\n";
  }
  std::string check;
  if (bug.kind == "program-crash") {
    check =
        "if [ $status -gt 128 ]; then say \"the program died by signal $((status - 128))\"; fi\n";
  }
  if (const store::BugFile* expected = FileOf(bug, "expected")) {
    check += fmt::format(
        "if ! cmp -s {0} output.txt; then\n"
        "  diff {0} output.txt | head -n 10\n"
        "  say 'the output is wrong (< expected, > actual)'\n"
        "fi\n",
        ShellQuote(expected->name));
  }
  check +=
      fmt::format("if [ $status -ne {0} ]; then say \"the exit code is $status, not {0}\"; fi\n",
                  bug.expected_status);
  return check;
}

std::string Limited(const store::Bug& bug, const std::string& command) {
  return fmt::format("timeout -k 1 {} {}", (bug.timeout_ms + 999) / 1000, command);
}

}  // namespace

std::string ShellQuote(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(text);
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

bool IsReduced(const store::Bug& bug) {
  return bug.reduction && FileOf(bug, "reduced") != nullptr;
}

store::Bug ReducedView(const store::Bug& bug) {
  CHECK(IsReduced(bug));
  store::Bug view = bug;
  view.compile_command = bug.reduction->compile_command;
  view.run_command = bug.reduction->run_command;
  view.evidence = bug.reduction->evidence;
  view.ending = bug.reduction->ending;
  view.expected_status = 0;
  view.reference.clear();
  view.files = {*FileOf(bug, "reduced")};
  view.files[0].role = "program";
  if (const store::BugFile* expected = FileOf(bug, "reduced-expected")) {
    view.files.push_back({"expected", expected->name, expected->content});
  }
  return view;
}

std::string ReproScript(const store::Bug& original, Form form) {
  const store::Bug bug = form == Form::Reduced ? ReducedView(original) : original;
  std::string title = bug.title.substr(0, bug.title.find('\n'));
  std::string script = fmt::format(
      "#!/bin/sh\n"
      "# {}\n"
      "# Seen with: {}\n"
      "# Exit code: 0 the bug shows, 1 it does not, 3 this script cannot run here.\n"
      "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 3\n"
      "work=$(mktemp -d) || exit 3\n"
      "trap 'rm -rf \"$work\"' EXIT\n"
      "cp \"$here\"/* \"$work\" && cd \"$work\" || exit 3\n"
      "say() {{ echo \"reproduced: $1\"; exit 0; }}\n"
      "need() {{ command -v \"$1\" >/dev/null || {{ echo \"not installed: $1\"; exit 3; }}; }}\n",
      title, bug.configuration);
  if (!bug.compile_command.empty()) {
    script += fmt::format("\nneed {}\n{} >compile.log 2>&1\nstatus=$?\n", Tool(bug.compile_command),
                          Limited(bug, bug.compile_command));
    if (bug.run_command.empty()) {
      return script + "head -n 20 compile.log\n" + CompilerCheck(bug) +
             "echo 'not reproduced'\nexit 1\n";
    }
    script +=
        "if [ $status -ne 0 ]; then head -n 20 compile.log; echo 'not reproduced: does not "
        "compile'; exit 1; fi\n";
  }
  script += fmt::format("\n{} >output.txt\nstatus=$?\n", Limited(bug, bug.run_command));
  if (!FileOf(bug, "expected")) {
    return script + "cat output.txt\necho \"exit code $status; nothing to compare with\"\nexit 1\n";
  }
  return script + RunCheck(bug) + "echo 'not reproduced'\nexit 1\n";
}

}  // namespace assay::report
