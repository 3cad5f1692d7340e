#include "target/detect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
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

#include "exec/scratch.hpp"
#include "support/files.hpp"
#include "support/search_path.hpp"
#include "target/processor.hpp"
#include "target/recipe.hpp"

namespace assay::target {
namespace {

namespace fs = std::filesystem;

// The programs on a search path: name -> path, the first of a name wins. What only calls the next of its name
// (/usr/lib/ccache/gcc) is not one: the compiler behind it is.
class Programs {
 public:
  explicit Programs(const std::string& search_path) {
    for (const std::string& folder : support::FoldersOf(search_path)) {
      std::error_code error;
      for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (StandsForAnother(*it, name)) {
          if (!paths_.contains(name)) shadowed_.insert(name);
        } else {
          paths_.emplace(name, it->path());
        }
      }
    }
  }

  // Would the system start something else by this name?
  bool IsShadowed(const std::string& name) const { return shadowed_.contains(name); }

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
        if (error || IsWrapper(file.filename().string())) continue;
        std::string& name = by_file[file];
        if (it->first.size() > name.size()) name = it->first;
      }
    }
    std::vector<std::string> names;
    for (const auto& [file, name] : by_file) names.push_back(name);
    std::sort(names.begin(), names.end(),
              [](const std::string& a, const std::string& b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; });
    return names;
  }

 private:
  static bool IsProgram(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  }
  // One file that stands for many compilers.
  static bool IsWrapper(const std::string& name) {
    return name == "ccache" || name == "distcc" || name == "icecc" || name == "sccache";
  }
  static bool StandsForAnother(const fs::directory_entry& entry, const std::string& name) {
    std::error_code error;
    if (IsWrapper(name) || !entry.is_symlink(error)) return false;
    const fs::path file = fs::canonical(entry.path(), error);
    return !error && IsWrapper(file.filename().string());
  }
  std::map<std::string, fs::path> paths_;
  std::set<std::string> shadowed_;
};

void Replace(std::vector<std::string>& words, const std::string& from, const std::string& to) {
  for (std::string& word : words) {
    for (size_t at = 0; (at = word.find(from, at)) != std::string::npos; at += to.size()) {
      word.replace(at, from.size(), to);
    }
  }
}

// Makes a target of a recipe and a program.
class Instantiation {
 public:
  // `by_path`: programs are not on PATH, so commands name them in full.
  Instantiation(exec::Executor& executor, const Programs& programs, bool by_path)
      : executor_(executor), programs_(programs), by_path_(by_path) {}

  FoundTarget Make(const Recipe& recipe, const std::string& program) {
    FoundTarget found;
    found.target = recipe.target;
    found.optional = recipe.optional;
    Target& target = found.target;
    if (!recipe.detect.empty()) {
      target.name = program + recipe.name_suffix;
      target.variant = recipe.name_suffix;
    }
    if (target.family.empty()) target.family = program;
    const std::string name = program.empty() ? FirstWord(target) : program;
    found.path = programs_.Find(name);
    if (found.path.empty()) found.problem = "there is no program " + name;
    ChooseEmulator(recipe, found);
    const std::string spelling = by_path_ || programs_.IsShadowed(program) ? found.path : program;
    for (auto* words : {&target.compile, &target.run, &target.run_prefix}) {
      Replace(*words, "{program}", spelling);
    }
    if (found.problem.empty()) {
      target.version = AskVersion(recipe, spelling);
      ListPools(recipe, spelling, found);
    }
    return found;
  }

 private:
  static std::string FirstWord(const Target& target) {
    const auto& words = target.kind == Kind::Compiler ? target.compile : target.run;
    return words.empty() ? "" : words.front();
  }

  void ChooseEmulator(const Recipe& recipe, FoundTarget& found) {
    if (recipe.emulators.empty()) return;
    for (const std::string& emulator : recipe.emulators) {
      if (programs_.Find(emulator).empty()) continue;
      Replace(found.target.run_prefix, "{emulator}", emulator);
      return;
    }
    if (!found.problem.empty()) return;
    found.lacks_emulator = true;
    found.problem = "needs an emulator: " + recipe.emulators.front();
  }

  // What a command prints; or why it fails.
  support::Result<std::string> Output(std::vector<std::string> command, const std::string& program) {
    Replace(command, "{program}", program);
    ASSIGN_OR_RETURN(auto scratch, exec::Scratch::Make());  // gcc --help makes a temporary file
    ASSIGN_OR_RETURN(auto seen, executor_.Run({.argv = command, .working_folder = scratch.Path()}, exec::Limits{}));
    if (seen.Succeeded()) return seen.stdout_text + seen.stderr_text;
    const std::string line = seen.stderr_text.substr(0, seen.stderr_text.find('\n')), what = exec::Describe(seen);
    return support::EnvironmentError(line.empty() || line == what ? what : what + ": " + line);
  }

  std::string AskVersion(const Recipe& recipe, const std::string& program) {
    for (const auto& command : recipe.version_commands) {
      auto output = Output(command, program);
      if (!output) continue;
      std::istringstream lines(*output);
      for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) return line;
      }
    }
    return "";
  }

  void ListPools(const Recipe& recipe, const std::string& program, FoundTarget& found) {
    Target& target = found.target;
    for (const ListedPool& listed : recipe.listed_pools) {
      FlagPool pool = listed.pool;
      auto output = Output(listed.command, program);
      Flags flags;
      if (output) flags = FlagsInListing(*output, listed.exclude);
      if (flags.empty()) {
        const std::string_view what = pool.flags.empty() ? "is never drawn" : "lacks what it should list";
        std::string why = "it prints no flags as 'gcc --help=optimizers' prints them";
        if (output && !FlagsInListing(*output, {}).empty()) why = "'exclude' leaves none of its flags";
        if (!output) why = output.GetError().message;
        std::vector<std::string> command = listed.command;
        Replace(command, "{program}", program);
        found.lacks.push_back(fmt::format("its pool '{}' {}: {}: {}", pool.name, what, fmt::join(command, " "), why));
      }
      pool.flags.insert(pool.flags.end(), flags.begin(), flags.end());
      if (!pool.flags.empty()) target.pools.push_back(std::move(pool));
    }
    // What an emulator runs, it runs on any processor.
    if (!target.run_prefix.empty()) return;
    std::erase_if(target.pools, [](const FlagPool& pool) { return !ProcessorHas(pool.cpu); });
  }

  exec::Executor& executor_;
  const Programs& programs_;
  const bool by_path_;
};

// A recipe and the program it fits.
struct Candidate {
  const Recipe* recipe;
  std::string program;
  bool from_file = false;

  std::string Name() const { return recipe->detect.empty() ? recipe->target.name : program + recipe->name_suffix; }
};

bool Matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool IsAskedFor(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& one) { return Matches(one, name); });
}

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
                                        const std::vector<Candidate>& candidates, const DetectOptions& options) {
  std::vector<FoundTarget> found(candidates.size());
  const std::vector<std::string> patterns = PatternsIn(options.names);
  std::atomic<size_t> next{0};
  auto work = [&] {
    Instantiation instantiation(executor, programs, !options.search_path.empty());
    for (size_t i = next++; i < candidates.size(); i = next++) {
      if (!IsAskedFor(patterns, candidates[i].Name())) {
        found[i].from_file = candidates[i].from_file;
        found[i].target.name = candidates[i].Name();
        found[i].looked_at = false;
        found[i].problem = "not asked for";
        continue;
      }
      found[i] = instantiation.Make(*candidates[i].recipe, candidates[i].program);
      found[i].from_file = candidates[i].from_file;
      StartService(options, found[i]);
      if (options.smoke_test) {
        SmokeTest(executor, found[i]);
      } else {
        found[i].works = found[i].problem.empty();
      }
    }
  };
  std::vector<std::jthread> threads;
  const size_t helpers = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), candidates.size());
  executor.Prepare(helpers);
  for (size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return found;
}

}  // namespace

support::Result<std::vector<FoundTarget>> DetectTargets(exec::Executor& executor, const DetectOptions& options) {
  std::vector<Recipe> built_in = BuiltInRecipes();
  std::vector<Recipe> own;
  if (!options.targets_file.empty()) {
    ASSIGN_OR_RETURN(auto text, support::ReadFile(options.targets_file));
    ASSIGN_OR_RETURN(auto recipes, ReadRecipes(text, options.targets_file, options.vocabulary));
    own = std::move(recipes);
  }
  const Programs programs(options.search_path.empty() ? support::SearchPath() : options.search_path);
  std::vector<Candidate> candidates;
  std::set<std::string> names;
  auto add = [&](const std::vector<Recipe>& recipes) {
    for (const Recipe& recipe : recipes) {
      if (!options.language.empty() && recipe.target.language != options.language) continue;
      std::vector<std::string> fitting = {""};
      if (!recipe.detect.empty()) fitting = programs.Matching(recipe.detect);
      for (const std::string& program : fitting) {
        Candidate candidate{&recipe, program, &recipes == &own};
        if (names.insert(candidate.Name()).second) candidates.push_back(std::move(candidate));
      }
    }
  };
  add(own);  // first: they replace what is built in
  add(built_in);
  std::vector<FoundTarget> found = InstantiateAll(executor, programs, candidates, options);
  std::erase_if(found, [](const FoundTarget& one) { return one.optional && !one.works; });
  return found;
}

std::vector<std::string> PatternsIn(const std::string& list) {
  std::vector<std::string> patterns;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    if (!part.empty()) patterns.push_back(part);
  }
  return patterns;
}

support::Result<std::vector<Target>> SelectTargets(const std::vector<FoundTarget>& found, const std::string& names) {
  std::vector<Target> selected;
  std::set<std::string> taken;
  std::string others;
  for (const FoundTarget& one : found) {
    if (one.works || !one.looked_at) others += (others.empty() ? "" : ", ") + one.target.name;
  }
  bool exists = false;
  auto take = [&](const std::string& pattern) {
    std::string problem = "there is no such target";
    exists = false;
    bool any = false;
    for (const FoundTarget& one : found) {
      if (!Matches(pattern, one.target.name)) continue;
      exists = true;
      if (!one.works) {
        problem = "it does not work: " + one.problem;
        continue;
      }
      any = true;
      if (taken.insert(one.target.name).second) selected.push_back(one.target);
    }
    return any ? "" : problem;
  };
  for (const std::string& pattern : PatternsIn(names.empty() ? "*" : names)) {
    if (std::string problem = take(pattern); !problem.empty()) {
      if (names.empty()) break;
      const std::string message =
          fmt::format("target '{}': {}; targets here: {}", pattern, problem, others.empty() ? "none" : others);
      return exists ? support::EnvironmentError(message) : support::UsageError(message);
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
