#include "campaign/lab.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "support/files.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

// Writes a file of a test: on tmpfs and soon gone, so neither synced nor renamed.
Result<void> WriteTestFile(const fs::path& path, std::string_view text) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool ok = fd >= 0;
  while (ok && !text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    ok = written > 0;
    if (ok) text.remove_prefix(static_cast<size_t>(written));
  }
  if (fd >= 0) ::close(fd);
  if (ok) return {};
  return support::EnvironmentError(fmt::format("cannot write {}: {}; make room there and run the same command again",
                                               path.string(), std::strerror(errno)));
}

// Makes a folder that did not exist before: nothing in it can be of an earlier test, whatever a compiler has left.
bool MakeAnew(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return true;
  ::chmod(folder.parent_path().c_str(), 0700);
  return exec::RemoveTree(folder) && ::mkdir(folder.c_str(), 0700) == 0;
}

Result<void> WriteProgram(const TestCase& test, const fs::path& folder) {
  if (!MakeAnew(folder)) {
    return support::EnvironmentError(
        fmt::format("cannot make the folder {} anew: {}", folder.string(), std::strerror(errno)));
  }
  for (const SourceFile& file : test.files) {
    RETURN_IF_ERROR(WriteTestFile(folder / file.name, file.text));
  }
  return {};
}

// Could a command have met a full disk there? Not where there is more room than it may use.
bool IsShortOfSpace(const fs::path& folder, const exec::Limits& limits) {
  struct statvfs room {};
  if (limits.file_bytes == 0 || ::statvfs(folder.c_str(), &room) != 0) return true;
  return room.f_bavail * room.f_frsize < 5 * limits.file_bytes;
}

bool IsExecutable(const fs::path& file) {
  std::error_code code;
  const fs::perms all = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return (fs::status(file, code).permissions() & all) != fs::perms::none;
}

// Has the compiler made more than its output? Then the output may be a script or a loader that starts the rest, and
// two that are equal may do different things.
bool MadeMore(const TestCase& test, const fs::path& folder) {
  size_t entries = 0;
  std::error_code code;
  for (auto at = fs::directory_iterator(folder, code); !code && at != fs::directory_iterator(); at.increment(code)) {
    ++entries;
  }
  return code || entries > test.files.size() + 1;
}

// All outputs of a program are in memory at once.
bool MayBeKept(const fs::path& output) {
  constexpr uintmax_t kMostBytes = 16 << 20;
  std::error_code code;
  return fs::file_size(output, code) <= kMostBytes && !code;
}

bool IsTimeout(const oracle::Outcome& outcome) { return outcome.run && outcome.run->ending == exec::Ending::TimedOut; }

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  compiles += other.compiles;
  runs += other.runs;
  runs_saved += other.runs_saved;
  child_seconds += other.child_seconds;
  harness_seconds += other.harness_seconds;
  return *this;
}

Usage Usage::operator-(const Usage& other) const {
  return {compiles - other.compiles, runs - other.runs, runs_saved - other.runs_saved,
          child_seconds - other.child_seconds, harness_seconds - other.harness_seconds};
}

Result<Lab> Lab::Make(exec::Executor& executor) {
  auto scratch = exec::Scratch::Make();
  if (!scratch) return scratch.GetError();
  return Lab(executor, std::move(scratch).Value());
}

Result<exec::Observation> Lab::Observe(const exec::Command& command, const exec::Limits& limits) {
  auto seen = executor_->Run(command, limits);
  if (!seen) return seen;
  usage_.child_seconds += seen->cpu_seconds;
  usage_.harness_seconds += seen->harness_seconds;
  if (!seen->Succeeded() && seen->stderr_text.find("No space left on device") != std::string::npos &&
      IsShortOfSpace(scratch_.Path(), limits)) {
    return support::EnvironmentError(fmt::format(
        "no space left in {} for a test: make room and run the same command again", scratch_.Path().string()));
  }
  return seen;
}

Result<oracle::Outcome> Lab::Compile(const TestCase& test, const target::Configuration& configuration,
                                     const fs::path& folder) {
  oracle::Outcome outcome{.configuration = configuration};
  RETURN_IF_ERROR(WriteProgram(test, folder));
  if (configuration.target->kind == target::Kind::Interpreter) return outcome;
  auto command = target::CompileCommand(configuration, test.CompiledNames(), kBinaryName, folder, test.extra_flags);
  auto seen = Observe(command, configuration.target->compile_limits);
  if (!seen) return seen.GetError();
  ++usage_.compiles;
  outcome.compile = std::move(seen).Value();
  return outcome;
}

Result<exec::Observation> Lab::Run(const TestCase& test, const target::Configuration& configuration,
                                   const fs::path& folder) {
  auto command = target::RunCommand(configuration, test.CompiledNames(), kBinaryName, folder, test.extra_flags);
  if (configuration.target->source_on_stdin) {
    for (const SourceFile& file : test.files) {
      if (file.compiled) command.stdin_text += file.text;
    }
  }
  ++usage_.runs;
  return Observe(command, configuration.target->run_limits);
}

Result<std::vector<oracle::Outcome>> Lab::Try(const TestCase& test,
                                              std::span<const target::Configuration> configurations) {
  if (!scratch_.Empty()) {  // something stands in it that cannot be removed
    ASSIGN_OR_RETURN(scratch_, exec::Scratch::Make());
  }
  std::vector<oracle::Outcome> outcomes;
  RunBinaries already;
  int timeouts = 0;
  for (const target::Configuration& configuration : configurations) {
    fs::path folder = scratch_.Path() / fmt::format("c{}", outcomes.size());
    ASSIGN_OR_RETURN(auto outcome, Compile(test, configuration, folder));
    outcomes.push_back(std::move(outcome));
    oracle::Outcome& latest = outcomes.back();
    if (oracle::JudgeCompile(latest).verdict != oracle::Verdict::Ok) continue;
    if (test.CompileOnly()) continue;
    // A foreign program that two compilers' binaries cannot end has no meaning to compare.
    if (!test.has_expectation && timeouts >= 2) continue;
    if (latest.compile) {
      std::error_code ignored;
      // A link is not followed: it might lead to anything that we can read.
      latest.made_nothing = !fs::is_regular_file(fs::symlink_status(folder / kBinaryName, ignored));
      if (latest.made_nothing) continue;
      const bool may_be_equal = configurations.size() > 1 && MayBeKept(folder / kBinaryName);  // or else: to what?
      if (may_be_equal && !MadeMore(test, folder)) {
        auto bytes = support::ReadFile(folder / kBinaryName);
        latest.made_nothing = !bytes;  // it cannot be read
        if (!bytes) continue;
        std::string key = std::move(bytes).Value();
        for (const std::string& word : configuration.target->run_prefix) key += '\0' + word;
        if (!IsExecutable(folder / kBinaryName)) key += '\0';  // equal bytes are not enough to be started
        auto [entry, is_new] = already.try_emplace(std::move(key), outcomes.size() - 1);
        if (!is_new) {
          latest.run = outcomes[entry->second].run;
          ++usage_.runs_saved;
          continue;
        }
      }
    }
    auto seen = Run(test, configuration, folder);
    if (!seen) return seen.GetError();
    latest.run = std::move(seen).Value();
    timeouts += IsTimeout(latest);
  }
  return outcomes;
}

Result<oracle::Outcome> Lab::Try(const TestCase& test, const target::Configuration& configuration) {
  ASSIGN_OR_RETURN(auto outcomes, Try(test, std::span(&configuration, 1)));
  return std::move(outcomes.front());
}

}  // namespace assay::campaign
