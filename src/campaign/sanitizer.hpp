// The lazy check that a program means something: once per doubtful test, a build with
// AddressSanitizer and UndefinedBehaviorSanitizer by a trusted compiler of this machine.
#pragma once

#include <optional>
#include <string>

#include "campaign/lab.hpp"

namespace assay::campaign {

class Sanitizer {
 public:
  // For programs in C: tries clang, then gcc; one that cannot make a sanitized program that runs is
  // not used.
  static Result<Sanitizer> Find(Lab& lab, const std::string& language);

  bool Available() const { return !compiler_.empty(); }
  const std::string& Compiler() const { return compiler_; }

  // What it says about the program, one line for a report; empty when it could not be asked.
  Result<std::string> Statement(Lab& lab, const TestCase& test) const;

  // The complaint about the program, one line; nothing when there is none (or no sanitizer, or it
  // ran out of time).
  Result<std::optional<std::string>> Complaint(Lab& lab, const TestCase& test) const;

 private:
  // The sanitized program's run; nothing when it could not be asked.
  Result<std::optional<exec::Observation>> Run(Lab& lab, const TestCase& test) const;

  std::string compiler_;
};

}  // namespace assay::campaign
