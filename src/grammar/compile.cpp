#include "grammar/compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "grammar/shipped.hpp"
#include "grammar/translate.hpp"
#include "support/files.hpp"
#include "support/hash.hpp"

extern char** environ;

namespace assay::grammar {

namespace {

constexpr const char* kSymbol = "assay_language";

uint64_t HashOfHeaders() {
  uint64_t hash = runtime::kInterfaceVersion;
  for (const EmbeddedFile& header : EmbeddedHeaders()) {
    hash = support::HashText(header.text, support::HashText(header.path, hash));
  }
  return hash;
}

// Runs a program to its end; its output goes to `log`. The exit status, or -1.
int Run(const std::vector<std::string>& command, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

support::Result<std::shared_ptr<LoadedTable>> Load(const std::filesystem::path& object) {
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return support::EnvironmentError(fmt::format("cannot load {}: {}", object.string(), dlerror()));
  using Function = const runtime::Table* (*)();
  auto function = reinterpret_cast<Function>(dlsym(handle, kSymbol));
  if (!function || function()->version != runtime::kInterfaceVersion) {
    dlclose(handle);
    return support::EnvironmentError(
        fmt::format("{} is not a specification of this version; remove it", object.string()));
  }
  return std::make_shared<LoadedTable>(handle, function());
}

}  // namespace

LoadedTable::~LoadedTable() { dlclose(handle_); }

support::Result<std::filesystem::path> CacheFolder(const std::filesystem::path& wanted) {
  if (!wanted.empty()) return wanted;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return std::filesystem::path(cache) / "assay";
  const char* home = std::getenv("HOME");
  if (home && home[0] == '/') return std::filesystem::path(home) / ".cache" / "assay";
  return support::EnvironmentError(
      "neither XDG_CACHE_HOME nor HOME is set: there is no place to compile "
      "specifications; set one of them");
}

support::Result<std::filesystem::path> HeaderFolder(const std::filesystem::path& cache) {
  std::filesystem::path folder = cache / fmt::format("headers-{:016x}", HashOfHeaders());
  for (const EmbeddedFile& header : EmbeddedHeaders()) {
    std::filesystem::path file = folder / header.path;
    std::error_code error;
    if (std::filesystem::exists(file, error)) continue;
    RETURN_IF_ERROR(support::MakeFolder(file.parent_path()));
    RETURN_IF_ERROR(support::WriteFile(file, header.text));
  }
  return folder;
}

support::Result<std::shared_ptr<LoadedTable>> CompileAndLoad(const std::filesystem::path& specification,
                                                             const CompileOptions& options) {
  ASSIGN_OR_RETURN(auto cache, CacheFolder(options.cache));
  ASSIGN_OR_RETURN(auto headers, HeaderFolder(cache));
  std::error_code error;
  std::filesystem::path file = std::filesystem::absolute(specification, error);
  ASSIGN_OR_RETURN(auto checked, ReadAndCheck(file, {options.features, {headers}}));
  bool all_found = true;
  for (const Use& use : checked.specification.uses) all_found &= checked.modules.Find(use.name) != nullptr;
  if (!checked.Good() || !all_found) return support::UsageError(checked.Report());

  std::string code = Translate(checked, {file.stem().string(), kSymbol, ""});
  uint64_t key = support::HashText(code, HashOfHeaders());
  for (const auto& [name, module] : checked.modules.All()) key = support::HashText(module.text, key);
  key = support::HashText(options.compiler, key);
  std::filesystem::path folder = cache / fmt::format("{}-{:016x}", file.stem().string(), key);
  std::filesystem::path object = folder / "language.so";
  if (std::filesystem::exists(object, error)) return Load(object);

  RETURN_IF_ERROR(support::MakeFolder(folder));
  // Names of our own, then a rename: another process may be doing the same.
  std::string unique = fmt::format("{}", getpid());
  std::filesystem::path source = folder / (unique + ".cpp");
  std::filesystem::path log = folder / (unique + ".log");
  std::filesystem::path made_object = folder / (unique + ".so");
  code = Translate(checked, {file.stem().string(), kSymbol, (folder / "language.cpp").string()});
  RETURN_IF_ERROR(support::WriteFile(source, code));
  int status = Run({options.compiler, "-std=c++20", "-O2", "-fPIC", "-shared", "-I", headers.string(), "-o",
                    made_object.string(), source.string()},
                   log);
  std::filesystem::rename(source, folder / "language.cpp", error);
  if (status != 0) {
    support::Result<std::string> output = support::ReadFile(log);
    std::filesystem::remove(log, error);
    return support::UsageError(fmt::format("{} could not compile {} (status {}); is a C++20 compiler installed?\n{}",
                                           options.compiler, file.string(), status, output ? *output : ""));
  }
  std::filesystem::remove(log, error);
  std::filesystem::rename(made_object, object, error);
  return Load(object);
}

}  // namespace assay::grammar
