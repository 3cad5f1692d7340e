// Programs of any language from a grammar. Nothing is known about what they must print, so the
// implementations of the language are compared with each other. C from a grammar is for compilers
// only: such programs need not end or mean anything, so they are compiled and never run.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "campaign/source.hpp"
#include "grammar/generator.hpp"

namespace assay::campaign {

class GrammarSource : public ProgramSource {
 public:
  // `language` as grammar::Generator::Load takes it.
  static Result<std::unique_ptr<ProgramSource>> Make(const std::string& language);

  // Each program is made in a child process of its own: a specification that fails, crashes or
  // does not end costs one seed.
  Result<std::optional<TestCase>> Make(int64_t seed) override;
  // The derivation, and its reduction under the grammar's rules.
  Result<std::optional<SourceFile>> Model(int64_t seed) override;
  Result<SmallProgram> Reduce(const ReduceRequest& request,
                              exec::Executor& executor) const override;
  std::string Description() const override;
  std::string Language() const override { return generator_->Extension(); }
  double ChildCpuSeconds() const override { return cpu_seconds_; }

 private:
  // One text of a child process; nothing if it failed.
  template <typename Work>
  Result<std::optional<std::string>> InChild(const Work& work);

  // Used in child processes only: its lock must be free whenever a worker forks.
  std::unique_ptr<grammar::Generator> generator_;
  std::string language_;
  std::atomic<double> cpu_seconds_ = 0;
};

}  // namespace assay::campaign
