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
  for (size_t at = word.find(kSeed); at != std::string::npos;
       at = word.find(kSeed, at + digits.size())) {
    word.replace(at, kSeed.size(), digits);
  }
  return word;
}

}  // namespace

CommandSource::CommandSource(exec::Executor& executor, std::vector<std::string> words,
                             target::Flags extra_flags, std::string language)
    : executor_(executor),
      words_(std::move(words)),
      extra_flags_(std::move(extra_flags)),
      language_(std::move(language)) {}

std::string CommandSource::Description() const {
  return "command: " + Join(words_);
}

Result<std::optional<TestCase>> CommandSource::Make(int64_t seed) {
  auto folder = exec::Scratch::Make();
  if (!folder) return folder.GetError();
  exec::Command command{.working_folder = folder->Path()};
  for (const std::string& word : words_) command.argv.push_back(WithSeed(word, seed));
  auto made = executor_.Run(command, exec::Limits{.output_bytes = 64u << 20});
  if (!made) return made.GetError();
  cpu_seconds_ += made->cpu_seconds;
  if (made->ending == exec::Ending::NotStarted) {
    return support::UsageError(
        fmt::format("--source-cmd: cannot run {}: {}", words_[0], made->stderr_text));
  }
  if (!made->Succeeded() || made->stdout_text.empty()) return std::optional<TestCase>();
  TestCase test{.seed = seed,
                .language = language_,
                .files = {{"program." + language_, std::move(made->stdout_text)}},
                .extra_flags = extra_flags_};
  return std::optional<TestCase>(std::move(test));
}

Result<std::optional<SourceFile>> CommandSource::Model(int64_t seed) {
  if (language_ != "c" || reduce::InstalledTool().empty()) return std::optional<SourceFile>();
  auto test = Make(seed);
  if (!test) return test.GetError();
  if (!*test) return std::optional<SourceFile>();
  return std::optional(SourceFile{"model.c", std::move((*test)->files.front().text), false});
}

Result<SmallProgram> CommandSource::Reduce(const ReduceRequest& request,
                                           exec::Executor& executor) const {
  namespace fs = std::filesystem;
  const auto start = std::chrono::steady_clock::now();
  target::Configuration configuration = request.configuration;
  configuration.flags.insert(configuration.flags.end(), extra_flags_.begin(), extra_flags_.end());
  // The tool works in place, so the file is also the best so far.
  const fs::path file = request.folder / "reduced.c", script = request.folder / "interesting.sh";
  if (!fs::exists(file)) {
    if (auto written = support::WriteFile(file, request.model); !written) return written.GetError();
  }
  auto find = reduce::JudgeForeign(configuration, file, executor);
  if (!find) return find.GetError();
  if (find->verdict != request.verdict) {
    return support::Error{
        fmt::format("against gcc -O0 it is a {}", oracle::Name(find->verdict)),
        support::ExitCode::Nothing};
  }
  if (auto written = reduce::WriteInterestingnessTest(configuration, file, *find, script); !written)
    return written.GetError();
  const double tool_seconds = std::max(1.0, request.seconds - kSecondsAround);
  auto tool = reduce::ReduceForeign(
      script, {file}, {.threads = request.threads, .seconds = tool_seconds}, executor);
  if (!tool) return tool.GetError();

  auto text = support::ReadFile(file);
  if (!text) return text.GetError();
  find = reduce::JudgeForeign(configuration, file, executor);  // what it prints now
  if (!find) return find.GetError();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return SmallProgram{
      .file = {"reduced.c", *text},
      .expected = find->expected,
      .model = *text,
      .note = fmt::format("{} lines, by {} in {:.1f} s",
                          std::count(text->begin(), text->end(), '\n'), *tool, seconds),
      .finished = seconds < tool_seconds};
}

}  // namespace assay::campaign
