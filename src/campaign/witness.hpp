// A second opinion about a find: compilers and interpreters of this machine that are of another family than those
// accused, whether they are under test or not. Asked only when no other family in the test has had the program right.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/lab.hpp"

namespace assay::campaign {

// What is said of a find that nobody else could be asked about.
inline constexpr const char* kUnconfirmed = "unconfirmed by a second compiler";

struct Opinion {
  enum class Side { None, AgainstTheTarget, AgainstUs };
  Side side = Side::None;
  std::string witness, family;  // the configuration that said so, and its family
};

// Thread-safe. Looks for witnesses when the first is needed.
class Witnesses {
 public:
  // `targets_file` may describe more of them.
  Witnesses(std::string language, std::string targets_file)
      : language_(std::move(language)), targets_file_(std::move(targets_file)) {}

  // Against the target: a witness does what the expectation says or, for a rejection, accepts the program. Against us:
  // it does the same as the accused. A witness that does a third thing, or cannot take the program, says nothing.
  // None of the families is asked.
  Result<Opinion> Ask(Lab& lab, const TestCase& test, const oracle::Outcome& accused, oracle::Verdict verdict,
                      const std::set<std::string>& families);

  // What some of other families do with the program under the data model: only runs that ended by themselves.
  Result<std::vector<oracle::Outcome>> Runs(Lab& lab, const TestCase& test, const std::string& data_model,
                                            const std::set<std::string>& families);

 private:
  // In the order in which to ask: those of our recipes first, those that need no emulator before the others.
  Result<const std::vector<target::Target>*> All(exec::Executor& executor);

  const std::string language_, targets_file_;
  std::mutex mutex_;
  std::optional<std::vector<target::Target>> all_;  // see All; never changed once it is there
};

}  // namespace assay::campaign
