// For tests of campaigns: programs and compilers that are small shell scripts, so that a test is a
// few milliseconds of real processes. The "compiler" copies the program; it misbehaves where the
// program has a marked line.
#pragma once

#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "support/files.hpp"

namespace assay::campaign {

// A folder that is gone after the test.
class TestFolder {
 public:
  TestFolder() {
    char name[] = "/tmp/assay_campaign_XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& Path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Writes an executable script; returns its path.
inline std::string WriteScript(const std::filesystem::path& path, const std::string& body) {
  CHECK(support::WriteFile(path, "#!/bin/sh\n" + body).Ok());
  std::filesystem::permissions(path, std::filesystem::perms::all);
  return path.string();
}

// The body of a compiler for programs that are shell scripts. It is called as COMPILER FLAGS...
// SOURCE OUTPUT; `trouble` runs first and sees $flags, $source and $output.
inline std::string CopyingCompiler(const std::string& trouble = "") {
  return "flags=; while [ $# -gt 2 ]; do flags=\"$flags $1\"; shift; done\nsource=$1; output=$2\n" + trouble +
         "\ncp \"$source\" \"$output\" && chmod +x \"$output\"\n";
}

// A target for the compiler script, with one configuration per flag.
inline target::Target ScriptTarget(const std::string& name, const std::string& script,
                                   const std::vector<std::string>& flags = {"-O0", "-O2"}) {
  target::Target target;
  target.name = target.family = name;
  target.version = name + " 1.0";
  target.language = "sh";
  target.compile = {script, "{flags}", "{source}", "{output}"};
  for (const std::string& flag : flags) target.flag_lists.push_back({flag});
  target.compile_limits.wall_seconds = target.run_limits.wall_seconds = 2;
  target.crash_diagnostics = {"internal compiler error"};
  return target;
}

// Programs that print their seed. The seed's line says "mark" for every seed divisible by
// `mark_every`.
class PrintingSource : public ProgramSource {
 public:
  explicit PrintingSource(int64_t mark_every) : mark_every_(mark_every) {}

  Result<std::optional<TestCase>> Make(int64_t seed) override {
    {
      std::lock_guard lock(mutex_);
      made.insert(seed);
    }
    bool marked = mark_every_ > 0 && seed % mark_every_ == 0;
    TestCase test{.seed = seed, .language = "sh"};
    test.files = {{"program.sh", "#!/bin/sh\necho " + std::to_string(seed) + (marked ? " # mark\n" : "\n")}};
    test.expectations.Add("lp64", {std::to_string(seed + lie) + "\n", 0});
    test.has_expectation = true;
    if (know_nothing) {
      test.expectations = {};
      test.has_expectation = false;
    }
    return std::optional<TestCase>(std::move(test));
  }
  Result<std::optional<SourceFile>> Model(int64_t seed) override {
    if (!reduce) return std::optional<SourceFile>();
    return std::optional(SourceFile{"model.txt", "model of " + std::to_string(seed), false});
  }
  Result<SmallProgram> Reduce(const ReduceRequest& request, exec::Executor&) const override { return reduce(request); }
  std::string Description() const override { return "printing"; }
  std::string Language() const override { return "sh"; }

  std::function<Result<SmallProgram>(const ReduceRequest&)> reduce;  // runs in a forked process

  std::multiset<int64_t> made;
  int64_t lie = 0;  // added to what is expected
  bool know_nothing = false;

 private:
  int64_t mark_every_;
  std::mutex mutex_;
};

// Remembers what it hears.
class Listener : public Observer {
 public:
  void Started(const Plan& started) override { plan = started; }
  void Progress(const Status&) override {
    if (on_progress) on_progress();
  }
  void Found(const store::Bug& bug, const std::filesystem::path& folder) override {
    found.push_back(bug);
    folders.push_back(folder);
  }
  void Reduced(const store::Bug& bug, const std::filesystem::path&) override { reduced.push_back(bug); }
  void Recognised(const store::Bug& bug) override { recognised.push_back(bug); }

  void Lost(const std::string& target, const std::string&) override { lost.push_back(target); }
  void Refused(const std::string& configuration, const std::string&) override { refused.push_back(configuration); }
  void Waiting(const std::string&) override {}

  Plan plan;
  std::vector<std::string> lost, refused;
  std::vector<store::Bug> found, reduced, recognised;
  std::vector<std::filesystem::path> folders;
  std::function<void()> on_progress;
};

}  // namespace assay::campaign
