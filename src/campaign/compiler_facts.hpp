// What a report says about a compiler beyond its version: what it tells about itself, and the machine.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "campaign/lab.hpp"
#include "target/target.hpp"

namespace assay::campaign {

struct CompilerFacts {
  std::string triple;  // `cc -dumpmachine`; empty: it does not say
  std::string about;   // `cc -v`; empty: it does not know that flag
};

// Asks each compiler once. Thread-safe.
class FactBook {
 public:
  Result<CompilerFacts> Of(exec::Executor& executor, const target::Target& target);

 private:
  std::mutex mutex_;
  std::map<std::string, CompilerFacts> known_;  // by target
};

// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
std::string Platform();

}  // namespace assay::campaign
