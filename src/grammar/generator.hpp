// Programs of a language, by the name of a shipped specification or the path of any other.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grammar/compile.hpp"
#include "grammar/engine.hpp"
#include "support/result.hpp"

namespace assay::grammar {

struct GeneratorOptions {
  std::optional<uint32_t> max_height;  // not set: what the list of shipped languages says, or 11
  std::vector<std::string> features;   // of a specification loaded by its path
  bool generalise = true;
};

class Generator {
 public:
  // `language` is a name of grammars/shipped.txt, or a path (it contains '/' or ends in ".lala").
  static support::Result<std::unique_ptr<Generator>> Load(const std::string& language,
                                                          const GeneratorOptions& options = {});

  // The program of this seed; the same on every machine. May be called from several threads at
  // once.
  support::Result<std::string> Generate(uint64_t seed, EngineStatistics* statistics = nullptr) const;

  const std::string& Extension() const { return extension_; }
  const std::string& Name() const { return name_; }
  const Plan& GetPlan() const { return *plan_; }
  const EngineOptions& Options() const { return options_; }

  // An engine for this thread, from a pool; given back when destroyed.
  class Lease {
   public:
    explicit Lease(const Generator& from) : from_(from), engine_(from.Take()) {}
    ~Lease() { from_.Give(std::move(engine_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Engine& operator*() { return *engine_; }
    Engine* operator->() { return engine_.get(); }

   private:
    const Generator& from_;
    std::unique_ptr<Engine> engine_;
  };

 private:
  Generator() = default;
  std::unique_ptr<Engine> Take() const;
  void Give(std::unique_ptr<Engine> engine) const;

  std::string name_;
  std::string extension_;
  EngineOptions options_;
  std::shared_ptr<LoadedTable> loaded_;  // outlives plan_ and the engines
  std::unique_ptr<Plan> plan_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Engine>> engines_;
};

}  // namespace assay::grammar
