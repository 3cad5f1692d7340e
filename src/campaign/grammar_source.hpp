// Programs of any language from a grammar. Nothing is known about what they must print, so the
// implementations of the language are compared with each other. C from a grammar is for compilers
// only: such programs need not end or mean anything, so they are compiled and never run.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "campaign/source.hpp"
#include "grammar/generator.hpp"

namespace assay::campaign {

class GrammarSource : public ProgramSource {
 public:
  // `language` as grammar::Generator::Load takes it.
  static Result<std::unique_ptr<ProgramSource>> Make(const std::string& language);

  // Programs are made in child processes, a few seeds at a time because the first of a process
  // costs twice as much as the next; a specification that fails, crashes or does not end costs one
  // seed.
  Result<std::optional<TestCase>> Make(int64_t seed) override;
  // The derivation, and its reduction under the grammar's rules.
  Result<std::optional<SourceFile>> Model(int64_t seed) override;
  Result<SmallProgram> Reduce(const ReduceRequest& request, exec::Executor& executor) const override;
  std::string Description() const override;
  std::string Language() const override { return generator_->Extension(); }
  double ChildCpuSeconds() const override { return cpu_seconds_; }

 private:
  using Work = std::function<std::vector<std::string>()>;
  // The texts of a child process; none if it failed.
  Result<std::vector<std::string>> InChild(const Work& work);
  // A hash of a few programs: a specification that was edited is another source, also under its old name.
  Result<uint64_t> Fingerprint();
  // The program of this seed if it is there already.
  std::optional<std::string> TakeReady(int64_t seed);

  // Used in child processes only: its lock must be free whenever a worker forks.
  std::unique_ptr<grammar::Generator> generator_;
  std::string language_;
  uint64_t fingerprint_ = 0;
  std::atomic<double> cpu_seconds_ = 0;
  std::mutex ready_mutex_;
  std::map<int64_t, std::string> ready_;  // by seed
};

}  // namespace assay::campaign
