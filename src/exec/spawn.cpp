#include "exec/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "exec/landlock.hpp"
#include "support/search_path.hpp"

namespace assay::exec {
namespace {

// What the child does between clone and exec; prepared before, since the child shares our memory
// and may only make system calls.
struct Plan {
  const char* folder;
  const std::vector<std::string>& files;  // the first that is there is executed
  char* const* argv;
  char* const* environment;
  Streams streams;
  bool die_with_parent;
  int landlock_rules;
  rlimit address_space, file_size, cpu, core, processes;
  sigset_t no_signals;
  int error = 0;
};

rlimit Limit(uint64_t value) {
  rlim_t limit = value == 0 ? RLIM_INFINITY : static_cast<rlim_t>(value);
  return {limit, limit};
}

// Returns only when none can be executed: why. As execvp would, but for its last resort, to give what the system does
// not know to a shell: that would run the garbage that a compiler has made.
__attribute__((no_sanitize("address"))) int Execute(const Plan& plan) {
  int error = ENOENT;
  for (const std::string& file : plan.files) {
    ::execve(file.c_str(), plan.argv, plan.environment);
    const bool found = errno == ENOEXEC || errno == ETXTBSY || errno == E2BIG || errno == ENOMEM || errno == EAGAIN;
    if (found) return errno;
    if (errno != ENOENT && errno != ENOTDIR) error = errno;  // perhaps another one may be executed
  }
  return error;
}

// Not instrumented by AddressSanitizer: it never returns, and would leave its stack, which is used
// again, marked.
__attribute__((no_sanitize("address"))) int Child(void* argument) {
  Plan& plan = *static_cast<Plan*>(argument);
  ::setsid();
  if (plan.die_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setrlimit(RLIMIT_CORE, &plan.core);
  ::setrlimit(RLIMIT_AS, &plan.address_space);
  ::setrlimit(RLIMIT_FSIZE, &plan.file_size);
  ::setrlimit(RLIMIT_CPU, &plan.cpu);
  ::setrlimit(RLIMIT_NPROC, &plan.processes);
  if (::dup2(plan.streams.input, 0) >= 0 && ::dup2(plan.streams.output, 1) >= 0 && ::dup2(plan.streams.error, 2) >= 0 &&
      ::chdir(plan.folder) == 0 && (plan.landlock_rules < 0 || EnterLandlock(plan.landlock_rules))) {
    ::sigprocmask(SIG_SETMASK, &plan.no_signals, nullptr);
    plan.error = Execute(plan);
  } else {
    plan.error = errno;
  }
  ::_exit(127);
}

// Where a program may be.
std::vector<std::string> Candidates(const std::string& program) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> files;
  for (const std::string& folder : support::FoldersOf(support::SearchPath())) files.push_back(folder + '/' + program);
  return files;
}

// "scheme://user:password@host".
bool IsAddressWithPassword(std::string_view value) {
  const size_t scheme = value.find("://");
  if (scheme == value.npos) return false;
  value.remove_prefix(scheme + 3);
  const std::string_view authority = value.substr(0, value.find_first_of("/?#"));
  const size_t host = authority.rfind('@');
  return host != value.npos && authority.substr(0, host).find(':') != value.npos;
}

// Is this setting of Assay's environment for Assay alone? What its database needs to connect (a server under test is
// another one), and what looks like a secret of the user's or of CI's.
bool IsPrivate(std::string_view setting) {
  constexpr std::array<std::string_view, 10> kBegin = {"PGHOST",    "PGPORT",    "PGDATA", "PGUSER",    "PGPASS",
                                                       "PGSERVICE", "PGOPTIONS", "PGSSL",  "PGAPPNAME", "MYSQL_"};
  constexpr std::array<std::string_view, 10> kHave = {"PASSWORD",    "PASSWD",     "PASSPHRASE", "SECRET",
                                                      "TOKEN",       "CREDENTIAL", "APIKEY",     "_JWT",
                                                      "AUTH_CONFIG", "ACCESS_KEY"};
  constexpr std::array<std::string_view, 5> kEnd = {"_KEY", "_PASS", "_PWD", "_PAT", "_AUTH"};
  const size_t equals = std::min(setting.find('='), setting.size());
  std::string name(setting.substr(0, equals));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return std::any_of(kBegin.begin(), kBegin.end(), [&](auto text) { return name.starts_with(text); }) ||
         std::any_of(kHave.begin(), kHave.end(), [&](auto text) { return name.find(text) != name.npos; }) ||
         std::any_of(kEnd.begin(), kEnd.end(), [&](auto text) { return name.ends_with(text); }) ||
         IsAddressWithPassword(setting.substr(equals));
}

// Assay's environment, without what is private, with the command's settings on top. The pointers stay valid as long as
// `texts` and environ.
std::vector<char*> Environment(std::vector<std::string>& texts) {
  std::vector<char*> all;
  auto same_name = [](const char* a, const std::string& b) {
    size_t size = b.find('=');
    return std::strncmp(a, b.c_str(), size == std::string::npos ? b.size() : size + 1) == 0;
  };
  for (char** setting = environ; *setting != nullptr; ++setting) {
    bool replaced = IsPrivate(*setting);
    for (const std::string& text : texts) replaced = replaced || same_name(*setting, text);
    if (!replaced) all.push_back(*setting);
  }
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Spawned Spawn(const Command& command, const Limits& limits, const Streams& streams, const SpawnOptions& options) {
  const std::string folder = command.working_folder.empty() ? "/" : command.working_folder.native();
  std::vector<char*> argv;
  for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::vector<std::string> settings = {"LC_ALL=C", "TMPDIR=" + folder};
  settings.insert(settings.end(), command.environment.begin(), command.environment.end());
  const bool has_path = std::getenv("PATH") != nullptr || std::any_of(settings.begin(), settings.end(), [](auto& text) {
                          return text.starts_with("PATH=");
                        });
  if (!has_path) settings.push_back("PATH=" + support::SearchPath());  // gcc and its linker find each other by it
  std::vector<char*> environment = Environment(settings);

  const std::vector<std::string> files = Candidates(command.argv[0]);
  Plan plan{folder.c_str(),        files, argv.data(), environment.data(), streams, options.die_with_parent,
            options.landlock_rules};
  // The tree's limits are enforced by watching; these bound what one process can do between two
  // looks. They are wider, so that it is the watch that ends a run and says why.
  const bool bound_address_space = limits.limit_address_space && limits.memory_bytes != 0;
  plan.address_space = Limit(bound_address_space ? limits.memory_bytes * 2 + (512u << 20) : 0);
  plan.file_size = Limit(limits.file_bytes);
  const double cpu_seconds = std::ceil(limits.cpu_seconds);
  plan.cpu = Limit(limits.cpu_seconds > 0 ? static_cast<uint64_t>(cpu_seconds) + 1 : 0);
  plan.core = {0, 0};
  sigemptyset(&plan.no_signals);
  plan.processes = Limit(options.user_processes);

  Spawned spawned;
  spawned.pid = ::clone(Child, options.stack.data() + options.stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, &plan);
  if (spawned.pid < 0) {
    spawned.error = errno;
  } else if (plan.error != 0) {
    spawned.error = plan.error;
    ::waitpid(spawned.pid, nullptr, 0);
  }
  return spawned;
}

}  // namespace assay::exec
