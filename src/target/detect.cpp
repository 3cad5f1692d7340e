#include "target/detect.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "support/files.hpp"
#include "target/profile.hpp"

namespace assay::target {
namespace {

namespace fs = std::filesystem;

// The programs on a search path: name -> path, the first of a name wins.
class Programs {
 public:
  explicit Programs(const std::string& search_path) {
    std::istringstream folders(search_path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      std::error_code error;
      for (fs::directory_iterator it(folder, error), end; !error && it != end;
           it.increment(error)) {
        paths_.emplace(it->path().filename().string(), it->path());
      }
    }
  }

  // The path of a program by name, or by path; empty when there is none.
  std::string Find(const std::string& name) const {
    if (name.find('/') != std::string::npos) {
      return ::access(name.c_str(), X_OK) == 0 ? name : "";
    }
    auto found = paths_.find(name);
    return found != paths_.end() && IsProgram(found->second) ? found->second.string() : "";
  }

  // The names that match, without aliases: of the names of one file the longest is kept ("gcc-12",
  // not "gcc").
  std::vector<std::string> Matching(const std::vector<std::string>& patterns) const {
    std::map<fs::path, std::string> by_file;
    for (const std::string& pattern : patterns) {
      const std::regex expression(pattern);
      const std::string prefix = pattern.substr(0, pattern.find_first_of("([.?*+\\{|^$"));
      for (auto it = paths_.lower_bound(prefix); it != paths_.end(); ++it) {
        if (!it->first.starts_with(prefix)) break;
        if (!std::regex_match(it->first, expression) || !IsProgram(it->second)) continue;
        std::error_code error;
        const fs::path file = fs::canonical(it->second, error);
        if (error || IsWrapper(file)) continue;
        std::string& name = by_file[file];
        if (it->first.size() > name.size()) name = it->first;
      }
    }
    std::vector<std::string> names;
    for (const auto& [file, name] : by_file) names.push_back(name);
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return ::strverscmp(a.c_str(), b.c_str()) < 0;
    });
    return names;
  }

 private:
  static bool IsProgram(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  }
  // One file that stands for many compilers.
  static bool IsWrapper(const fs::path& file) {
    const std::string name = file.filename().string();
    return name == "ccache" || name == "distcc" || name == "icecc";
  }
  std::map<std::string, fs::path> paths_;
};

void Replace(std::vector<std::string>& words, const std::string& from, const std::string& to) {
  for (std::string& word : words) {
    for (size_t at = 0; (at = word.find(from, at)) != std::string::npos; at += to.size()) {
      word.replace(at, from.size(), to);
    }
  }
}

// Makes a target of a profile and a program.
class Instantiation {
 public:
  // `by_path`: programs are not on PATH, so commands name them in full.
  Instantiation(exec::Executor& executor, const Programs& programs, bool by_path)
      : executor_(executor), programs_(programs), by_path_(by_path) {}

  FoundTarget Make(const Profile& profile, const std::string& program) {
    FoundTarget found;
    found.target = profile.target;
    found.optional = profile.optional;
    found.smoke_program = profile.smoke_program;
    found.smoke_output = profile.smoke_output;
    Target& target = found.target;
    if (!profile.detect.empty()) target.name = program + profile.name_suffix;
    if (target.family.empty()) target.family = program;
    const std::string name = program.empty() ? FirstWord(target) : program;
    found.path = programs_.Find(name);
    if (found.path.empty()) found.problem = "there is no program " + name;
    ChooseEmulator(profile, found);
    const std::string spelling = by_path_ ? found.path : program;
    for (auto* words : {&target.compile, &target.run, &target.run_prefix}) {
      Replace(*words, "{program}", spelling);
    }
    if (found.problem.empty()) {
      target.version = AskVersion(profile, spelling);
      ListPools(profile, spelling, target);
    }
    return found;
  }

 private:
  static std::string FirstWord(const Target& target) {
    const auto& words = target.kind == Kind::Compiler ? target.compile : target.run;
    return words.empty() ? "" : words.front();
  }

  void ChooseEmulator(const Profile& profile, FoundTarget& found) {
    if (profile.emulators.empty()) return;
    for (const std::string& emulator : profile.emulators) {
      if (programs_.Find(emulator).empty()) continue;
      Replace(found.target.run_prefix, "{emulator}", emulator);
      return;
    }
    found.problem = "needs an emulator: " + profile.emulators.front();
  }

  std::string Output(std::vector<std::string> command, const std::string& program) {
    Replace(command, "{program}", program);
    auto seen = executor_.Run({.argv = command}, exec::Limits{});
    return seen && seen->Succeeded() ? seen->stdout_text + seen->stderr_text : "";
  }

  std::string AskVersion(const Profile& profile, const std::string& program) {
    for (const auto& command : profile.version_commands) {
      std::istringstream lines(Output(command, program));
      for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) return line;
      }
    }
    return "";
  }

  void ListPools(const Profile& profile, const std::string& program, Target& target) {
    for (const ListedPool& listed : profile.listed_pools) {
      FlagPool pool = listed.pool;
      Flags flags = FlagsInListing(Output(listed.command, program), listed.exclude);
      pool.flags.insert(pool.flags.end(), flags.begin(), flags.end());
      if (!pool.flags.empty()) target.pools.push_back(std::move(pool));
    }
  }

  exec::Executor& executor_;
  const Programs& programs_;
  const bool by_path_;
};

std::string SearchPath(const DetectOptions& options) {
  if (!options.search_path.empty()) return options.search_path;
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

// A profile and the program it fits.
struct Candidate {
  const Profile* profile;
  std::string program;
};

void StartService(const DetectOptions& options, FoundTarget& found) {
  if (found.target.service.start.empty() || !found.problem.empty() || !options.smoke_test) return;
  if (options.services == nullptr) {
    found.problem = "needs a service that is not running";
  } else if (auto started = options.services->Start(found.target); !started) {
    found.problem = started.GetError().message;
  }
}

// Does the work of all candidates on all processors.
std::vector<FoundTarget> InstantiateAll(exec::Executor& executor, const Programs& programs,
                                        const std::vector<Candidate>& candidates,
                                        const DetectOptions& options) {
  std::vector<FoundTarget> found(candidates.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    Instantiation instantiation(executor, programs, !options.search_path.empty());
    for (size_t i = next++; i < candidates.size(); i = next++) {
      found[i] = instantiation.Make(*candidates[i].profile, candidates[i].program);
      StartService(options, found[i]);
      if (options.smoke_test) {
        SmokeTest(executor, found[i]);
      } else {
        found[i].works = found[i].problem.empty();
      }
    }
  };
  std::vector<std::jthread> threads;
  const size_t helpers =
      std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), candidates.size());
  executor.Prepare(helpers);
  for (size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return found;
}

}  // namespace

support::Result<std::vector<FoundTarget>> DetectTargets(exec::Executor& executor,
                                                        const DetectOptions& options) {
  std::vector<Profile> built_in = BuiltInProfiles();
  std::vector<Profile> own;
  if (!options.targets_file.empty()) {
    auto text = support::ReadFile(options.targets_file);
    if (!text) return text.GetError();
    auto profiles = ReadProfiles(*text, options.targets_file);
    if (!profiles) return profiles.GetError();
    own = std::move(*profiles);
  }
  const Programs programs(SearchPath(options));
  std::vector<Candidate> candidates;
  std::set<std::string> names;
  auto add = [&](const std::vector<Profile>& profiles) {
    for (const Profile& profile : profiles) {
      if (!options.language.empty() && profile.target.language != options.language) continue;
      if (profile.detect.empty()) {
        if (names.insert(profile.target.name).second) candidates.push_back({&profile, ""});
        continue;
      }
      for (const std::string& program : programs.Matching(profile.detect)) {
        if (names.insert(program + profile.name_suffix).second) {
          candidates.push_back({&profile, program});
        }
      }
    }
  };
  add(own);  // first: they replace what is built in
  add(built_in);
  std::vector<FoundTarget> found = InstantiateAll(executor, programs, candidates, options);
  std::erase_if(found, [](const FoundTarget& one) { return one.optional && !one.works; });
  return found;
}

support::Result<std::vector<Target>> SelectTargets(const std::vector<FoundTarget>& found,
                                                   const std::string& names) {
  std::vector<Target> selected;
  std::set<std::string> taken;
  std::string working;
  for (const FoundTarget& one : found) {
    if (one.works) working += (working.empty() ? "" : ", ") + one.target.name;
  }
  auto take = [&](const std::string& pattern) {
    std::string problem = "there is no such target";
    bool any = false;
    for (const FoundTarget& one : found) {
      if (::fnmatch(pattern.c_str(), one.target.name.c_str(), 0) != 0) continue;
      if (!one.works) {
        problem = "it does not work: " + one.problem;
        continue;
      }
      any = true;
      if (taken.insert(one.target.name).second) selected.push_back(one.target);
    }
    return any ? "" : problem;
  };
  std::istringstream list(names.empty() ? "*" : names);
  for (std::string pattern; std::getline(list, pattern, ',');) {
    if (pattern.empty()) continue;
    if (std::string problem = take(pattern); !problem.empty()) {
      if (names.empty()) break;
      return support::UsageError(fmt::format("target '{}': {}; working targets here: {}", pattern,
                                             problem, working.empty() ? "none" : working));
    }
  }
  if (selected.empty()) {
    return support::EnvironmentError(
        "no working target was found; install a compiler (apt-get install gcc clang tcc), or "
        "describe yours in a file (--targets-file); 'assay targets' tells more");
  }
  return selected;
}

}  // namespace assay::target
