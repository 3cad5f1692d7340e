#include "campaign/command_source.hpp"

#include <fmt/format.h>

#include "exec/scratch.hpp"

namespace assay::campaign {
namespace {

constexpr std::string_view kSeed = "{seed}";

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

}  // namespace assay::campaign
