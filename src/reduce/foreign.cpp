#include "reduce/foreign.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "exec/scratch.hpp"
#include "support/files.hpp"
#include "support/search_path.hpp"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

bool Installed(const std::string& program) {
  const std::vector<std::string> folders = support::FoldersOf(support::SearchPath());
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return ::access((folder + '/' + program).c_str(), X_OK) == 0; });
}

std::string Quoted(const std::string& word) {
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The reference compilers need to find the same headers.
std::vector<std::string> IncludeFlags(const target::Configuration& configuration) {
  std::vector<std::string> flags;
  for (const std::string& flag : configuration.flags) {
    if (flag.starts_with("-I") || flag.starts_with("-D")) flags.push_back(flag);
  }
  return flags;
}

// What the compiler said, without the place: "program.c:3: error: text" gives "text".
std::string DiagnosticOf(const exec::Observation& observation) {
  const std::string& text = observation.stderr_text;
  const size_t at = text.find("error: ");
  if (at == std::string::npos) return {};
  const size_t begin = at + std::string_view("error: ").size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string InstalledTool() {
  for (const char* tool : {"cvise", "creduce"}) {
    if (Installed(tool)) return tool;
  }
  return {};
}

support::Result<void> SanityCheck(const fs::path& script, const std::vector<fs::path>& files,
                                  exec::Executor& executor) {
  if (::access(script.c_str(), X_OK) != 0) {
    return support::UsageError(fmt::format("{}: not an executable file: chmod +x it", script.string()));
  }
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  for (const fs::path& file : files) {
    std::error_code code;
    fs::copy_file(file, scratch.Path() / file.filename(), code);
    if (code) return support::UsageError(fmt::format("{}: {}", file.string(), code.message()));
  }
  exec::Limits limits;
  limits.wall_seconds = 300;
  limits.cpu_seconds = 300;
  limits.limit_address_space = false;  // sanitizers
  ASSIGN_OR_RETURN(auto seen,
                   executor.Run({.argv = {fs::absolute(script).string()}, .working_folder = scratch.Path()}, limits));
  if (seen.Succeeded()) return {};
  return support::UsageError(
      fmt::format("{} does not find the files interesting in a fresh folder ({}): it must exit "
                  "with 0, use absolute paths for everything "
                  "but the files, and need nothing from the folder it was written in\n{}",
                  script.string(), exec::Describe(seen), seen.stderr_text.substr(0, 2000)));
}

support::Result<std::string> ReduceForeign(const fs::path& script, const std::vector<fs::path>& files,
                                           const ForeignOptions& options, exec::Executor& executor) {
  std::string tool = options.tool.empty() ? InstalledTool() : options.tool;
  if (tool.empty()) tool = "cvise";
  if (!Installed(tool)) {
    return support::EnvironmentError(fmt::format("{} is not installed: apt-get install cvise creduce", tool));
  }
  RETURN_IF_ERROR(SanityCheck(script, files, executor));
  exec::Command command{.argv = {tool}, .working_folder = fs::absolute(files.front()).parent_path()};
  const unsigned threads =
      options.threads != 0 ? options.threads : static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  command.argv.insert(command.argv.end(), {"--n", std::to_string(threads)});
  command.argv.push_back(fs::absolute(script).string());
  for (const fs::path& file : files) command.argv.push_back(file.filename().string());
  exec::Limits limits;
  limits.wall_seconds = options.seconds;
  limits.cpu_seconds = 0;
  limits.memory_bytes = 0;
  limits.limit_address_space = false;
  limits.processes = 256;
  limits.output_bytes = 64ull << 20;
  // Its processes speak over Unix sockets and share semaphores.
  limits.local_sockets = true;
  command.writable = {"/dev/shm"};
  ASSIGN_OR_RETURN(auto seen, executor.Run(command, limits));
  if (seen.Succeeded() || seen.ending == exec::Ending::TimedOut) return tool;
  return support::EnvironmentError(
      fmt::format("{} failed ({}): {}", tool, exec::Describe(seen), seen.stderr_text.substr(0, 2000)));
}

support::Result<ForeignFind> JudgeForeign(const target::Configuration& configuration, const fs::path& file,
                                          exec::Executor& executor) {
  ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());
  const fs::path& folder = scratch.Path();
  const std::string name = file.filename().string();
  std::error_code code;
  fs::copy_file(file, folder / name, code);
  if (code) return support::UsageError(fmt::format("{}: {}", file.string(), code.message()));
  const target::Target& target = *configuration.target;
  exec::Command reference{.argv = {"gcc", "-std=gnu11", "-w", "-O0"}, .working_folder = folder};
  for (const std::string& flag : IncludeFlags(configuration)) reference.argv.push_back(flag);
  reference.argv.insert(reference.argv.end(), {name, "-o", "./reference", "-lm"});
  ASSIGN_OR_RETURN(auto compiled, executor.Run(reference, target.compile_limits));
  if (!compiled.Succeeded()) {
    return support::UsageError(fmt::format("gcc does not accept {}:\n{}", name, compiled.stderr_text.substr(0, 2000)));
  }
  ASSIGN_OR_RETURN(auto expected, executor.Run({.argv = {"./reference"}, .working_folder = folder}, target.run_limits));
  if (!expected.Succeeded()) {
    return support::UsageError(
        fmt::format("{} fails when gcc compiles it ({}): give --test", name, exec::Describe(expected)));
  }
  ASSIGN_OR_RETURN(auto tested, executor.Run(target::CompileCommand(configuration, {name}, "./tested", folder),
                                             target.compile_limits));
  const oracle::Judgement compiling = oracle::JudgeCompile(target, tested);
  if (compiling.verdict == oracle::Verdict::Ok) {
    ASSIGN_OR_RETURN(auto run,
                     executor.Run(target::RunCommand(configuration, {name}, "./tested", folder), target.run_limits));
    oracle::Expectation expectation;
    expectation.output = expected.stdout_text;
    const oracle::Judgement running = oracle::JudgeRun(expectation, run);
    if (oracle::IsFind(running.verdict)) return ForeignFind{running.verdict, {}, expected.stdout_text};
  } else if (oracle::IsFind(compiling.verdict)) {
    return ForeignFind{compiling.verdict, DiagnosticOf(tested), expected.stdout_text};
  }
  return support::Error{fmt::format("{} does nothing wrong with {}", configuration.Name(), name),
                        support::ExitCode::Nothing};
}

std::string InterestingnessTest(const target::Configuration& configuration, const std::string& file,
                                oracle::Verdict verdict, const std::string& pattern) {
  const exec::Command compile = target::CompileCommand(configuration, {file}, "./tested", ".");
  std::string words, includes;
  for (const std::string& word : compile.argv) words += Quoted(word) + ' ';
  for (const std::string& flag : IncludeFlags(configuration)) includes += Quoted(flag) + ' ';
  const bool compiler = verdict == oracle::Verdict::CompilerCrash || verdict == oracle::Verdict::RejectedValid;
  std::string question = fmt::format("timeout 20 {}>tested.log 2>&1", words);
  if (compiler) {
    question += " && exit 1\n";
    if (!pattern.empty()) question += fmt::format("grep -qF {} tested.log || exit 1\n", Quoted(pattern));
  } else {
    question += " || exit 1\ntimeout 10 ./tested >tested.out 2>/dev/null\n";
    question += verdict == oracle::Verdict::ProgramCrash
                    ? "[ $? -gt 128 ] || exit 1\n"
                    : "[ $? = 0 ] || exit 1\ncmp -s tested.out reference.out && exit 1\n";
  }
  return fmt::format(
      "#!/bin/sh\n"
      "# Made by assay: {0} shows {1}, and the program has no undefined behaviour.\n"
      "file={2}\n"
      "gcc -std=gnu11 -w -O0 {4}$file -o reference 2>/dev/null || exit 1\n"
      "timeout 10 ./reference >reference.out 2>/dev/null || exit 1\n"
      "{3}"
      "gcc -std=gnu11 -Wall -Wextra -Wno-implicit-fallthrough -O1 {4}-c $file -o /dev/null "
      "2>warnings || exit 1\n"
      "grep -qE 'is used uninitialized|without a cast|control reaches end|return type "
      "defaults|implicit|makes (integer|pointer)|too (few|many) arguments|no return "
      "statement|incompatible' warnings && exit 1\n"
      "clang -std=gnu11 -w -O0 -fsanitize=address,undefined -fno-sanitize-recover=all {4}$file -o "
      "sanitized 2>/dev/null || exit 1\n"
      "ASAN_OPTIONS=detect_leaks=0 timeout 10 ./sanitized >sanitized.out 2>/dev/null || exit 1\n"
      "cmp -s sanitized.out reference.out\n",
      configuration.Name(), oracle::Name(verdict), Quoted(file), question, includes);
}

support::Result<void> WriteInterestingnessTest(const target::Configuration& configuration, const fs::path& file,
                                               const ForeignFind& find, const fs::path& script) {
  using oracle::Verdict;
  const bool has_test = find.verdict == Verdict::WrongOutput || find.verdict == Verdict::ProgramCrash ||
                        find.verdict == Verdict::CompilerCrash || find.verdict == Verdict::RejectedValid;
  if (!has_test) {
    return support::Error{
        fmt::format("against gcc -O0 it is a {}, which has no test to reduce by", oracle::Name(find.verdict)),
        support::ExitCode::Nothing};
  }
  const std::string test = InterestingnessTest(configuration, file.filename().string(), find.verdict, find.pattern);
  RETURN_IF_ERROR(support::WriteFile(script, test));
  fs::permissions(script, fs::perms::owner_all);
  return {};
}

}  // namespace assay::reduce
