#include "campaign/compiler_facts.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include "exec/scratch.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace assay::campaign {
namespace {

constexpr size_t kLongest = 16000;

// The words that name the compiler: up to the first flag or placeholder.
std::vector<std::string> ToolOf(const target::Target& target) {
  std::vector<std::string> words;
  for (const std::string& word : target.compile) {
    if (word.starts_with('-') || word.find('{') != std::string::npos) break;
    words.push_back(word);
  }
  return words;
}

// What the compiler answers to a flag; nothing when it does not know it.
Result<std::string> Ask(exec::Executor& executor, const target::Target& target, const char* flag) {
  exec::Limits limits;
  limits.wall_seconds = limits.cpu_seconds = 5;
  exec::Command command{.argv = ToolOf(target), .environment = target.environment};
  if (command.argv.empty()) return std::string();
  ASSIGN_OR_RETURN(auto folder, exec::Scratch::Make());
  command.working_folder = folder.Path();
  command.argv.push_back(flag);
  ASSIGN_OR_RETURN(auto seen, executor.Run(command, limits));
  if (!seen.Succeeded()) return std::string();
  return std::string(support::Beginning(seen.stdout_text + seen.stderr_text, kLongest));
}

bool IsTriple(std::string_view text) {
  return text.find('-') != std::string_view::npos && text.find_first_of(" \t\n") == std::string_view::npos;
}

}  // namespace

Result<CompilerFacts> FactBook::Of(exec::Executor& executor, const target::Target& target) {
  if (target.kind != target::Kind::Compiler) return CompilerFacts{};
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(target.name); found != known_.end()) return found->second;
  }
  CompilerFacts facts;
  ASSIGN_OR_RETURN(facts.about, Ask(executor, target, "-v"));
  ASSIGN_OR_RETURN(std::string triple, Ask(executor, target, "-dumpmachine"));
  while (!triple.empty() && triple.back() == '\n') triple.pop_back();
  if (IsTriple(triple)) facts.triple = triple;
  std::lock_guard lock(mutex_);
  return known_[target.name] = facts;
}

std::string Platform() {
  utsname names{};
  ::uname(&names);
  std::string text = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  auto release = support::ReadFile("/etc/os-release");
  if (!release) return text;
  constexpr std::string_view kMark = "PRETTY_NAME=\"";
  size_t at = release->find(kMark);
  if (at == std::string::npos) return text;
  at += kMark.size();
  return release->substr(at, release->find_first_of("\"\n", at) - at) + ", " + text;
}

}  // namespace assay::campaign
