#include "report/repro.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "report/words.hpp"
#include "support/check.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

constexpr int64_t kBlock = 512;  // the unit of `ulimit -f`

const store::BugFile* FileOf(const store::Bug& bug, std::string_view role) {
  for (const store::BugFile& file : bug.files) {
    if (file.role == role) return &file;
  }
  return nullptr;
}

// The words of a command as the shell sees them, up to a redirection.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  auto add = [&](std::string_view more) {
    if (!in_word) words.emplace_back();
    in_word = true;
    words.back() += more;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      add("");
      if (c == quote) {
        quote = 0;
      } else {
        add(text.substr(i, 1));
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      add("");
    } else if (c == '\\' && i + 1 < text.size()) {
      add(text.substr(++i, 1));
    } else if (c == '<' || c == '>') {
      break;
    } else if (c == ' ' || c == '\n') {
      in_word = false;
    } else {
      add(text.substr(i, 1));
    }
  }
  return words;
}

bool Needs(const std::string& tool) { return !tool.empty() && !tool.starts_with("./"); }

// The folder of the service in the place of {service}: only quoted words can hold that.
std::string WithService(const store::Bug& bug, std::string command) {
  if (bug.service_start.empty()) return command;
  constexpr std::string_view kMark = "{service}", kShell = "'\"$service\"'";
  for (size_t at = 0; (at = command.find(kMark, at)) != std::string::npos; at += kShell.size()) {
    command.replace(at, kMark.size(), kShell);
  }
  return command;
}

// Which limit ended the failing step, if one did.
bool EndedBy(const store::Bug& bug, std::string_view ending) { return bug.ended_by == ending; }
bool IsWatched(const store::Bug& bug) { return EndedBy(bug, "memory-limit") || EndedBy(bug, "process-limit"); }

int64_t Seconds(int64_t ms) { return (ms + 999) / 1000; }

// The failing step with the limits of the find; `status` is how it ended.
std::string FailingStep(const store::Bug& bug, const std::string& command, const std::string& redirections) {
  std::string text = "(\n";
  if (bug.cpu_ms > 0) text += fmt::format("  ulimit -t {}\n", Seconds(bug.cpu_ms));
  if (bug.address_bytes > 0) {
    text += fmt::format("  ulimit -v {}\n", bug.address_bytes / 1024);
  }
  int64_t largest = bug.file_bytes;
  if (EndedBy(bug, "output-limit") && bug.output_bytes > 0) largest = bug.output_bytes + kBlock;
  if (largest > 0) text += fmt::format("  ulimit -f {}\n", (largest + kBlock - 1) / kBlock);
  text += fmt::format("  exec {}timeout -k 1 {} {}\n) {}", IsWatched(bug) ? "setsid " : "", Seconds(bug.timeout_ms),
                      WithService(bug, command), redirections);
  if (!IsWatched(bug)) return text + "\nstatus=$?\n";
  return text + fmt::format(" &\nwatch \"$!\" {} {}\nwait \"$!\"\nstatus=$?\n",
                            bug.memory_bytes > 0 ? bug.memory_bytes / 1024 : 0, bug.processes);
}

// Ends a session that uses too much, as the campaign does.
constexpr const char* kWatch = R"sh(
# watch SESSION MEMORY PROCESSES: ends it when its processes together hold more kB than MEMORY, or are more (0: no limit).
watch() {
  while kill -0 "$1" 2>/dev/null; do
    if cat /proc/[0-9]*/stat 2>/dev/null | awk -v session="$1" -v memory="$2" -v most="$3" -v page="$(getconf PAGESIZE)" '
      { sub(/^.*\) /, ""); if ($4 == session && $1 != "Z") { held += $22 * page / 1024; count++ } }
      END { exit !((memory > 0 && held > memory) || (most > 0 && count > most)) }'; then
      : >limit-exceeded
      kill -KILL -- "-$1"
      return
    fi
    sleep 0.05
  done
}
)sh";

// A limit that ended the step, seen again.
std::string LimitCheck(const store::Bug& bug, const std::string& who, const std::string& log) {
  if (EndedBy(bug, "memory-limit")) {
    return fmt::format("if [ -e limit-exceeded ]; then say '{} needs more than {} MB of memory'; fi\n", who,
                       bug.memory_bytes >> 20);
  }
  if (EndedBy(bug, "process-limit")) {
    return fmt::format("if [ -e limit-exceeded ]; then say '{} starts more than {} processes'; fi\n", who,
                       bug.processes);
  }
  if (EndedBy(bug, "output-limit")) {
    return fmt::format(
        "if [ \"$(wc -c <{0})\" -gt {1} ] || [ \"$(wc -c <errors.txt)\" -gt {1} ]; then\n"
        "  say '{2} writes more than {1} bytes'\nfi\n",
        log, bug.output_bytes, who);
  }
  if (EndedBy(bug, "file-limit")) {
    return fmt::format(
        "if [ -n \"$(find . -type f -size +{}c)\" ]; then say '{} writes a file of more than {} MB'; fi\n",
        std::max<int64_t>(0, bug.file_bytes - 1), who, bug.file_bytes >> 20);
  }
  std::string check = fmt::format(
      "if [ \"$status\" -eq 124 ] || [ \"$status\" -eq 137 ] || [ \"$status\" -eq 152 ]; then say '{} does not "
      "end'; fi\n",
      who);
  if (EndedBy(bug, "exited")) {  // what compilers say when a limit stopped one of their steps
    check += fmt::format(
        "if [ \"$status\" -ne 0 ] && grep -qE 'limit exceeded|memory exhausted|out of memory' {} errors.txt; then\n"
        "  say '{} needs more than it may use'\nfi\n",
        log, who);
  }
  return check;
}

// A step that did not end in time has shown nothing, unless that is how it ended when it was found.
std::string TimeCheck(const store::Bug& bug, const std::string& who) {
  std::string late;
  // `timeout`, its SIGKILL or that of a limit, SIGXCPU.
  for (const auto& [status, signal] : {std::pair(124, 0), std::pair(137, SIGKILL), std::pair(152, SIGXCPU)}) {
    const bool as_before =
        bug.ending == fmt::format("exit {}", status) || bug.ending.starts_with(fmt::format("signal {} ", signal));
    if (!as_before) late += fmt::format("{}[ \"$status\" -eq {} ]", late.empty() ? "" : " || ", status);
  }
  if (late.empty()) return {};
  return fmt::format("if {}; then cannot '{} does not end within {} s here'; fi\n", late, who, Seconds(bug.timeout_ms));
}

// What the compiler must do for its own bug to show.
std::string CompilerCheck(const store::Bug& bug) {
  if (bug.kind == "compiler-hang") return LimitCheck(bug, "the compiler", "compile.log");
  std::string check = TimeCheck(bug, "the compiler");
  if (!bug.evidence.empty()) {
    check += fmt::format(
        "if [ \"$status\" -ne 0 ] && grep -qF -- {} compile.log errors.txt; then say 'the compiler fails'; fi\n",
        ShellQuote(bug.evidence));
  }
  if (bug.kind == "compiler-crash") {
    check +=
        "if [ \"$status\" -gt 128 ] && [ \"$status\" -le 192 ]; then say \"the compiler died by signal $((status - "
        "128))\"; fi\n";
    check +=
        "if [ \"$status\" -eq 0 ] && [ ! -f ./program ]; then say 'the compiler reports success but makes no "
        "program'; fi\n";
    if (bug.evidence.empty()) {
      check +=
          "if [ \"$status\" -ne 0 ] && [ ! -s compile.log ] && [ ! -s errors.txt ]; then\n"
          "  say 'the compiler fails in silence'\nfi\n";
    }
  } else if (bug.evidence.empty()) {
    check += "if [ \"$status\" -ne 0 ]; then say 'the compiler rejects the program'; fi\n";
  }
  return check;
}

bool IsInterpreterCrash(const store::Bug& bug) { return bug.kind == "compiler-crash" && bug.compile_command.empty(); }

// What an interpreter must do for its own bug to show.
std::string InterpreterCheck(const store::Bug& bug) {
  std::string check = TimeCheck(bug, "the interpreter");
  check +=
      "if [ \"$status\" -gt 128 ] && [ \"$status\" -le 192 ]; then say \"the interpreter died by signal $((status - "
      "128))\"; fi\n";
  if (bug.evidence.empty()) return check;
  return check + fmt::format(
                     "if [ \"$status\" -ne 0 ] && grep -qF -- {} output.txt errors.txt; then say 'the interpreter "
                     "fails'; fi\n",
                     ShellQuote(bug.evidence));
}

std::string FileName(const store::BugFile& file) { return "./" + ShellQuote(SafeName(file.name)); }

// How the failing step ended, as a shell says it; 0: it is not known.
int StatusOf(const store::Bug& bug) {
  int number = 0;
  if (std::sscanf(bug.ending.c_str(), "exit %d", &number) == 1) return number;
  return std::sscanf(bug.ending.c_str(), "signal %d", &number) == 1 ? 128 + number : 0;
}

// Sets `wrong` to what the program does that it must not, or leaves it empty.
std::string WrongEndCheck(const store::Bug& bug) {
  std::string check =
      "wrong=''\n"
      "if [ \"$status\" -gt 128 ] && [ \"$status\" -le 192 ]; then wrong=\"the program died by signal $((status - "
      "128))\"; fi\n";
  const store::BugFile* expected = FileOf(bug, "expected");
  if (expected == nullptr) return check;
  return check +
         fmt::format(
             "if [ -z \"$wrong\" ] && ! cmp -s {0} output.txt; then\n"
             "  head -c 65536 /dev/zero 2>/dev/null >room || cannot \"there is no room in $work for the output\"\n"
             "  diff {0} output.txt >difference.txt\n"
             "  show difference.txt\n"
             "  wrong='the output is wrong (< expected, > actual)'\n"
             "fi\n"
             "if [ -z \"$wrong\" ] && [ \"$status\" -ne {1} ]; then wrong=\"the exit code is $status, not "
             "{1}\"; fi\n",
             FileName(*expected), bug.expected_status);
}

// What a program did wrong is the bug only if it ended then as it does now: by the same signal, or by none. Of the same
// kind but not the same (another signal, another wrong output) it may be the bug; `bisect.sh` passes over that.
std::string RunCheck(const store::Bug& bug) {
  if (IsInterpreterCrash(bug)) return InterpreterCheck(bug);
  std::string check =
      bug.kind == "program-hang" ? LimitCheck(bug, "the program", "output.txt") : TimeCheck(bug, "the program");
  check += WrongEndCheck(bug);
  const int found = StatusOf(bug);
  const bool by_signal = bug.kind == "program-crash" || bug.ending.starts_with("signal ");
  const std::string died = "[ \"$status\" -gt 128 ] && [ \"$status\" -le 192 ]";
  std::string same;  // a condition: has it ended as it did?
  if (bug.kind == "program-hang") {
    same = "false";  // it would not have come so far
  } else if (by_signal) {
    same = died;
  } else if (found > 0) {
    same = fmt::format("[ \"$status\" -eq {} ] || [ \"$status\" -le 128 ] || [ \"$status\" -gt 192 ]", found);
  } else {
    same = "[ \"$status\" -le 128 ] || [ \"$status\" -gt 192 ]";
  }
  std::string as_found;
  if (by_signal && found > 0) {
    as_found = fmt::format("[ \"$status\" -eq {} ]", found);
  } else if (const store::BugFile* actual = FileOf(bug, "actual"); actual != nullptr && !by_signal) {
    as_found = fmt::format("cmp -s {} output.txt", FileName(*actual));
  }
  if (same == "false") {
    return check + fmt::format("if [ -n \"$wrong\" ]; then\n  echo \"not reproduced, {}: $wrong\"\n  exit 1\nfi\n",
                               kSomethingElse);
  }
  check += fmt::format("if [ -n \"$wrong\" ]; then\n  if {}; then\n", same);
  if (!as_found.empty()) check += fmt::format("    {} || say \"$wrong, {}\"\n", as_found, kNotAsFound);
  return check +
         fmt::format("    say \"$wrong\"\n  fi\n  echo \"not reproduced, {}: $wrong\"\n  exit 1\nfi\n", kSomethingElse);
}

// A compiler that makes a program which cannot be started.
bool IsUnstartable(const store::Bug& bug) {
  return bug.kind == "compiler-crash" && !bug.compile_command.empty() && !bug.run_command.empty();
}

// Such a program is looked at before it is started: `timeout` would give to a shell what the system does not know.
constexpr const char* kLookAtProgram = R"sh(
case $(head -c 4 ./program | LC_ALL=C tr -c '[:print:]' '?') in
  '?ELF' | '#!'*) [ -x ./program ] || say 'the program cannot be started' ;;
  *) say 'the program cannot be started' ;;
esac
)sh";

// Can anything be started here? Not asked of the compiler, whose fault it would be.
constexpr const char* kTryScript = R"sh(printf '#!/bin/sh\n' >smoke/script
chmod +x smoke/script
smoke/script || cannot "programs cannot be started in $work: set TMPDIR to a folder where they can"
)sh";

// Before a compiler is blamed: an empty program, with the same command. It must compile (or else an
// assembler is missing, for instance) and must be able to run (or else the folder may be one without
// programs). That the compiler itself dies on it is for the real test to say.
std::string TryEmptyProgram(const store::Bug& bug) {
  if (bug.language != "c" || bug.compile_command.empty()) return {};
  std::string text = "\n# Does the compiler work here at all?\n{ mkdir smoke && cp \"$here\"/* smoke; } || exit 3\n";
  bool first = true;
  for (const store::BugFile& file : bug.files) {
    if (file.role != "program") continue;
    text += fmt::format("echo '{}' >smoke/{}\n", first ? "int main(void) { return 0; }" : "extern int nothing;",
                        ShellQuote(SafeName(file.name)));
    first = false;
  }
  const int64_t seconds = Seconds(bug.timeout_ms);
  text +=
      fmt::format("(cd smoke && exec timeout -k 1 {} {}) >smoke.log 2>&1\nstatus=$?\n", seconds, bug.compile_command);
  text += "if [ \"$status\" -ne 0 ] && [ \"$status\" -le 128 ] && [ -s smoke.log ]";
  if (!bug.evidence.empty()) text += fmt::format(" && ! grep -qF -- {} smoke.log", ShellQuote(bug.evidence));
  text += "; then\n  show smoke.log\n  cannot 'the compiler does not even compile an empty program here'\nfi\n";
  if (bug.run_command.empty()) return text;
  if (IsUnstartable(bug)) return text + kTryScript;
  return text + fmt::format(
                    "(cd smoke && exec timeout -k 1 {} {}) >smoke.log 2>&1\nstatus=$?\n"
                    "if [ \"$status\" -eq 126 ] || [ \"$status\" -eq 127 ]; then\n  show smoke.log\n"
                    "  cannot \"programs cannot be started in $work: set TMPDIR to a folder where they can\"\nfi\n",
                    seconds, bug.run_command);
}

std::string StartService(const store::Bug& bug) {
  if (bug.service_start.empty()) return {};
  return fmt::format(
      "\n# The server that it talks to.\nservice=$(mktemp -d) || exit 3\n"
      "(cd \"$service\" && exec setsid {}) </dev/null >/dev/null 2>&1 &\nserver=$!\ntries=0\n"
      "until {} >/dev/null 2>&1; do\n"
      "  if ! kill -0 \"$server\" 2>/dev/null || [ \"$tries\" -gt 300 ]; then cannot 'the server does not start'; fi\n"
      "  tries=$((tries + 1))\n  sleep 0.2\ndone\n",
      WithService(bug, bug.service_start), WithService(bug, bug.service_ready));
}

std::string Opening(const store::Bug& bug) {
  const bool service = !bug.service_start.empty();
  return fmt::format(
      R"sh(#!/bin/sh
# {}
# Seen with: {}
# Exit code: 0 the bug shows, 1 it does not, 3 this script cannot run here.
# What is in single quotes is meant as it stands; every shell of Linux has these limits:
# shellcheck disable=SC2016,SC3045
POSIXLY_CORRECT=1 # the units of ulimit
export LC_ALL=C # the compiler's words
unset CDPATH
# Behind all others the folder of ./dev compilers, as assay has it:
PATH=${{PATH:-/usr/local/bin:/usr/bin:/bin}}:${{ASSAY_COMPILERS:-${{XDG_DATA_HOME:-${{HOME-}}/.local/share}}/assay/compilers}}/bin
here=$(cd "$(dirname "$0")" && pwd) || exit 3
work=$(mktemp -d) || exit 3
{}trap 'exit 3' HUP INT TERM
exec </dev/null # nobody types anything
{{ cp "$here"/* "$work" && cd "$work"; }} || exit 3
say() {{ echo "reproduced: $1"; exit 0; }}
cannot() {{ echo "cannot run: $1"; exit 3; }}
need() {{ command -v "$1" >/dev/null || cannot "not installed: $1"; }}
show() {{ head -n 20 "$1" | cut -c 1-300 | LC_ALL=C tr -c '[:print:]\t\n' '?'; }}
)sh",
      support::OneLine(bug.title), support::OneLine(bug.configuration),
      service ? "service='' server=''\n# shellcheck disable=SC2317 # called at the end\ncleanup() {\n"
                "  if [ -n \"$server\" ]; then kill -- \"-$server\"; wait \"$server\"; fi 2>/dev/null\n"
                "  rm -rf \"$work\" \"$service\"\n}\ntrap cleanup EXIT\n"
              : "trap 'rm -rf \"$work\"' EXIT\n");
}

}  // namespace

std::string ToolOf(const std::string& command) {
  std::vector<std::string> words = WordsOf(command);
  size_t at = 0;
  if (at < words.size() && words[at] == "env") ++at;
  while (at > 0 && at < words.size() && words[at].find('=') != std::string::npos) ++at;
  return at < words.size() ? words[at] : std::string();
}

std::string ShellQuote(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%";
  // With a '=' a first word would be an assignment, unless it is a flag.
  const bool flag = text.starts_with('-');
  auto plain = [&](char c) { return kPlain.find(c) != std::string_view::npos || (flag && c == '='); };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
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

bool IsReduced(const store::Bug& bug) { return bug.reduction && FileOf(bug, "reduced") != nullptr; }

store::Bug ReducedView(const store::Bug& bug) {
  CHECK(IsReduced(bug));
  const store::Reduction& reduction = *bug.reduction;
  store::Bug view = bug;
  view.compile_command = reduction.compile_command;
  view.run_command = reduction.run_command;
  view.evidence = reduction.evidence;
  view.ending = reduction.ending;
  view.ended_by = reduction.ended_by;
  if (!reduction.title.empty()) view.title = reduction.title;
  view.sanitizer = reduction.sanitizer;
  view.expected_status = 0;
  view.reference.clear();
  view.files = {*FileOf(bug, "reduced")};
  view.files[0].role = "program";
  for (const char* role : {"expected", "actual", "diagnostics"}) {
    if (const store::BugFile* file = FileOf(bug, std::string("reduced-") + role)) {
      view.files.push_back({role, file->name, file->content});
    }
  }
  return view;
}

std::string ReproScript(const store::Bug& original, Form form) {
  const store::Bug bug = form == Form::Reduced ? ReducedView(original) : original;
  std::string script = Opening(bug);
  if (IsWatched(bug)) script += kWatch;
  script += "\n";
  for (const std::string& tool : {ToolOf(bug.compile_command), ToolOf(bug.run_command)}) {
    if (Needs(tool)) script += fmt::format("need {}\n", ShellQuote(tool));
  }
  script += StartService(bug) + TryEmptyProgram(bug);
  if (!bug.compile_command.empty() && bug.run_command.empty()) {
    script += "\n" + FailingStep(bug, bug.compile_command, ">compile.log 2>errors.txt");
    return script + "show compile.log\nshow errors.txt\n" + CompilerCheck(bug) + "echo 'not reproduced'\nexit 1\n";
  }
  if (!bug.compile_command.empty()) {
    script += fmt::format("\ntimeout -k 1 {} {} >compile.log 2>&1\nstatus=$?\n",
                          std::max<int64_t>(60, Seconds(bug.timeout_ms)), bug.compile_command);
    script +=
        "if [ \"$status\" -eq 124 ]; then cannot 'the compiler does not end in time here'; fi\n"
        "if [ \"$status\" -ne 0 ]; then\n  show compile.log\n  echo 'not reproduced: does not compile'\n  exit 1\nfi\n";
  }
  if (IsUnstartable(bug) && bug.run_command.starts_with("./")) script += kLookAtProgram;
  script += "\n" + FailingStep(bug, bug.run_command, ">output.txt 2>errors.txt") + "show errors.txt\n";
  if (IsUnstartable(bug)) {
    return script +
           "if [ \"$status\" -eq 126 ] || [ \"$status\" -eq 127 ]; then say 'the program cannot be started'; fi\n"
           "echo 'not reproduced'\nexit 1\n";
  }
  if (bug.compile_command.empty() || bug.language != "c") {
    script +=
        "if [ \"$status\" -eq 126 ] || [ \"$status\" -eq 127 ]; then cannot 'a program cannot be started here'; fi\n";
  }
  const bool by_itself = bug.kind == "program-hang" || bug.kind == "program-crash" || IsInterpreterCrash(bug);
  if (!FileOf(bug, "expected") && !by_itself) {
    return script + "show output.txt\necho \"exit code $status; nothing to compare with\"\nexit 1\n";
  }
  return script + RunCheck(bug) + "echo 'not reproduced'\nexit 1\n";
}

}  // namespace assay::report
