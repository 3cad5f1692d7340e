#include "campaign/command_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "exec/scratch.hpp"
#include "reduce/foreign.hpp"
#include "support/files.hpp"

namespace assay::campaign {
namespace {

constexpr std::string_view kSeed = "{seed}";
constexpr double kSecondsAround = 4;  // of a reduction, before and after the tool

std::string Join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string WithSeed(std::string word, int64_t seed) {
  std::string digits = std::to_string(seed);
  for (size_t at = word.find(kSeed); at != std::string::npos; at = word.find(kSeed, at + digits.size())) {
    word.replace(at, kSeed.size(), digits);
  }
  return word;
}

// Has the program what C leaves to the compiler? What a pragma means is up to it (C17 6.10.6), and extensions are not
// C.
bool IsNotPlainC(std::string_view text) {
  for (const char* word : {"__attribute__", "__asm", "__builtin_", "__extension__", "__declspec"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  constexpr std::string_view kPragma = "pragma";
  for (size_t at = text.find(kPragma); at != std::string_view::npos; at = text.find(kPragma, at + 1)) {
    const size_t before = text.find_last_not_of(" \t", at - 1);
    const size_t after = text.find_first_not_of(" \t", at + kPragma.size());
    if (at == 0 || before == std::string_view::npos || text[before] != '#') continue;
    if (after == std::string_view::npos || !text.substr(after).starts_with("STDC")) return true;
  }
  return false;
}

}  // namespace

CommandSource::CommandSource(exec::Executor& executor, std::vector<std::string> words, target::Flags extra_flags,
                             std::string language)
    : executor_(executor),
      words_(std::move(words)),
      extra_flags_(std::move(extra_flags)),
      language_(std::move(language)) {}

std::string CommandSource::Description() const { return "command: " + Join(words_); }

Result<std::optional<TestCase>> CommandSource::Make(int64_t seed) {
  ASSIGN_OR_RETURN(auto folder, exec::Scratch::Make());
  exec::Command command{.working_folder = folder.Path()};
  for (const std::string& word : words_) command.argv.push_back(WithSeed(word, seed));
  // It starts in a folder of its own; the path is from the user's.
  if (words_[0].find('/') != std::string::npos) command.argv[0] = std::filesystem::absolute(command.argv[0]);
  ASSIGN_OR_RETURN(auto made, executor_.Run(command, exec::Limits{.output_bytes = 64u << 20}));
  cpu_seconds_ += made.cpu_seconds;
  if (made.ending == exec::Ending::NotStarted) {
    return support::UsageError(fmt::format("--source-cmd: cannot run {}: {}", words_[0], made.stderr_text));
  }
  if (!made.Succeeded() || made.stdout_text.empty()) {
    std::lock_guard lock(trouble_mutex_);
    const std::string said = made.stderr_text.substr(0, made.stderr_text.find('\n'));
    trouble_ =
        fmt::format("{}: {}{}", Join(command.argv), made.Succeeded() ? "it printed nothing" : exec::Describe(made),
                    said.empty() ? "" : ": " + said);
    return std::optional<TestCase>();
  }
  TestCase test{.seed = seed,
                .language = language_,
                .files = {{"program." + language_, std::move(made.stdout_text)}},
                .extra_flags = extra_flags_};
  test.may_be_declined = language_ == "c" && IsNotPlainC(test.files.front().text);
  return std::optional<TestCase>(std::move(test));
}

std::string CommandSource::LastTrouble() const {
  std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

Result<std::optional<SourceFile>> CommandSource::Model(int64_t seed) {
  if (language_ != "c" || reduce::InstalledTool().empty()) return std::optional<SourceFile>();
  ASSIGN_OR_RETURN(auto test, Make(seed));
  if (!test) return std::optional<SourceFile>();
  return std::optional(SourceFile{"model.c", std::move((test)->files.front().text), false});
}

Result<SmallProgram> CommandSource::Reduce(const ReduceRequest& request, exec::Executor& executor) const {
  namespace fs = std::filesystem;
  const auto start = std::chrono::steady_clock::now();
  target::Configuration configuration = request.configuration;
  configuration.flags.insert(configuration.flags.end(), extra_flags_.begin(), extra_flags_.end());
  // The tool works in place, so the file is also the best so far.
  const fs::path file = request.folder / "reduced.c", script = request.folder / "interesting.sh";
  if (!fs::exists(file)) {
    RETURN_IF_ERROR(support::WriteFile(file, request.model));
  }
  auto find = reduce::JudgeForeign(configuration, file, executor);
  if (!find) return find.GetError();
  if (find->verdict != request.verdict) {
    return support::Error{fmt::format("against gcc -O0 it is a {}", oracle::Name(find->verdict)),
                          support::ExitCode::Nothing};
  }
  RETURN_IF_ERROR(reduce::WriteInterestingnessTest(configuration, file, *find, script));
  const double tool_seconds = std::max(1.0, request.seconds - kSecondsAround);
  ASSIGN_OR_RETURN(auto tool, reduce::ReduceForeign(script, {file},
                                                    {.threads = request.threads, .seconds = tool_seconds}, executor));

  ASSIGN_OR_RETURN(auto text, support::ReadFile(file));
  find = reduce::JudgeForeign(configuration, file, executor);  // what it prints now
  if (!find) return find.GetError();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return SmallProgram{
      .file = {"reduced.c", text},
      .expected = find->expected,
      .model = text,
      .note = fmt::format("{} lines, by {} in {:.1f} s", std::count(text.begin(), text.end(), '\n'), tool, seconds),
      .finished = seconds < tool_seconds};
}

}  // namespace assay::campaign
