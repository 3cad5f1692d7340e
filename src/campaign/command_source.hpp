// Programs from any command that prints one on stdout: csmith --seed {seed}. Nothing is known about
// what they must print, so configurations are compared with each other.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "campaign/source.hpp"

namespace assay::campaign {

class CommandSource : public ProgramSource {
 public:
  // {seed} in the words is replaced by the seed.
  CommandSource(exec::Executor& executor, std::vector<std::string> words, target::Flags extra_flags,
                std::string language);

  Result<std::optional<TestCase>> Make(int64_t seed) override;
  std::string LastTrouble() const override;
  // The text itself, for C where C-Vise or C-Reduce is installed: they reduce it, asked by a test
  // that we make from the find.
  Result<std::optional<SourceFile>> Model(int64_t seed) override;
  Result<SmallProgram> Reduce(const ReduceRequest& request, exec::Executor& executor) const override;
  bool ReducesByOtherTools() const override { return true; }
  std::string Description() const override;
  std::string Language() const override { return language_; }
  double ChildCpuSeconds() const override { return cpu_seconds_; }

 private:
  exec::Executor& executor_;
  std::vector<std::string> words_;
  target::Flags extra_flags_;
  std::string language_;
  std::atomic<double> cpu_seconds_ = 0;
  mutable std::mutex trouble_mutex_;
  std::string trouble_;
};

}  // namespace assay::campaign
