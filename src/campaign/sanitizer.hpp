// The lazy check that a program means something: once per doubtful test, builds by trusted compilers of this machine. A
// program of ours is looked at by AddressSanitizer and UndefinedBehaviorSanitizer; a foreign one, of which nobody knows
// what it must print, also by MemorySanitizer (or Valgrind), and then gcc and clang without optimisation have to agree
// on it: they evaluate arguments in different orders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/lab.hpp"

namespace assay::campaign {

class Sanitizer {
 public:
  // For programs in C: what cannot make a program that runs here is not used.
  static Result<Sanitizer> Find(Lab& lab, const std::string& language);

  bool Available() const { return !checks_.empty(); }
  const std::string& Compiler() const { return compiler_; }

  // What it says about the program, one line for a report; empty when it could not be asked. The accused compiler does
  // not judge itself, if another one can: what it makes wrong may be what its own sanitizer then finds.
  Result<std::string> Statement(Lab& lab, const TestCase& test, const target::Target* accused) const;

  // The complaint about the program, one line; nothing when there is none (or no sanitizer, or it
  // ran out of time).
  Result<std::optional<std::string>> Complaint(Lab& lab, const TestCase& test, const target::Target* accused) const;

 private:
  // The run of the program as this check builds it; nothing when it could not be asked.
  Result<std::optional<exec::Observation>> Run(Lab& lab, const TestCase& test, size_t which) const;

  // The check to ask in the place of this one.
  size_t Impartial(size_t which, const target::Target* accused) const;

  std::string compiler_;
  std::vector<size_t> checks_;    // rows of the table in sanitizer.cpp
  std::optional<size_t> second_;  // sees what the first one does, by another compiler
};

}  // namespace assay::campaign
