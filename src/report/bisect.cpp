#include "report/bisect.hpp"

#include <fmt/format.h>

#include "report/bundle.hpp"
#include "report/repro.hpp"
#include "report/words.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace assay::report {
namespace {

// What stands in the place of the compiler: bisect.sh puts a program of this name on PATH.
constexpr std::string_view kStandIn = "compiler-under-bisection";

constexpr auto kPlain = support::Durability::Process;  // they can be written again

constexpr std::string_view kScript = R"sh(# For `git bisect run`, in a checkout of the compiler's source:
#   git bisect start BAD GOOD
#   git bisect run {0} 'make -j8' '$checkout/cc -B$checkout'
# The two words are commands of the shell: how the compiler is built, in the checkout, and how it is started then.
# Exit code: 0 this version is right, 1 it has the bug, 125 it cannot be built or tried (git passes over it), 128 git stops.
if [ $# -ne 2 ]; then
  echo "usage: git bisect run $0 BUILD COMPILER" >&2
  exit 128
fi
here=$(cd "$(dirname "$0")" && pwd) || exit 128
checkout=$(pwd)
work=$(mktemp -d) || exit 128
trap 'rm -rf "$work"' EXIT
trap 'exit 128' HUP INT TERM
if ! (eval "$1") >"$work/build.log" 2>&1; then
  echo "cannot be built: $(tail -n 1 "$work/build.log")"
  exit 125
fi
mkdir "$work/bin" || exit 128
# shellcheck disable=SC2016 # "$@" is the stand-in's
{{
  echo '#!/bin/sh'
  printf "checkout='%s'\n" "$(printf '%s' "$checkout" | sed "s/'/'\\\\''/g")"
  printf 'exec %s "$@"\n' "$2"
}} >"$work/bin/{1}"
chmod +x "$work/bin/{1}"
said=$(PATH=$work/bin:$PATH sh "$here/bisect-repro.sh")
code=$?
printf '%s\n' "$said"
case $code,$said in
  *'{2}'* | *'{3}'*) exit 125 ;; # another bug, perhaps
  0,*) exit 1 ;;
  *,*'does not compile'*) exit 125 ;; # another bug
  1,*) exit 0 ;;
  *) exit 125 ;;
esac
)sh";

// The command with the stand-in as its first program; empty if that is not the compiler itself.
std::string WithStandIn(const std::string& command) {
  const std::string tool = ToolOf(command);
  const std::string word = ShellQuote(tool);
  if (tool.empty() || tool == "sh") return {};
  for (size_t at = command.find(word); at != std::string::npos; at = command.find(word, at + 1)) {
    const std::string with = command.substr(0, at) + std::string(kStandIn) + command.substr(at + word.size());
    if (ToolOf(with) == kStandIn) return with;  // and not its like in a setting of the environment
  }
  return {};
}

}  // namespace

support::Result<std::filesystem::path> WriteBisection(const std::filesystem::path& folder, const store::Bug& bug) {
  store::Bug shown = IsReduced(bug) ? ReducedView(bug) : bug;
  std::string& command = shown.compile_command.empty() ? shown.run_command : shown.compile_command;
  const std::string with_stand_in = WithStandIn(command);
  if (with_stand_in.empty()) {
    return support::UsageError(
        fmt::format("{}: its compiler is not started by a plain command ({}): bisect with "
                    "repro.sh by hand",
                    bug.name, support::OneLine(command)));
  }
  command = with_stand_in;
  const auto script = folder / "bisect.sh";
  const std::string heading = fmt::format("#!/bin/sh\n# {}\n", support::OneLine(shown.title));
  RETURN_IF_ERROR(support::WriteFile(folder / "bisect-repro.sh", ReproScript(shown, Form::Original), kPlain));
  const std::string quoted = ShellQuote(std::filesystem::absolute(script).string());
  RETURN_IF_ERROR(support::WriteFile(
      script, heading + fmt::format(kScript, support::OneLine(quoted), kStandIn, kSomethingElse, kNotAsFound), kPlain));
  std::error_code code;
  std::filesystem::permissions(script, std::filesystem::perms(0755), code);
  if (code)
    return support::EnvironmentError(fmt::format("cannot make {} executable: {}", script.string(), code.message()));
  return script;
}

}  // namespace assay::report
