// What a find needs to happen: which of its flags, which pass of the optimiser, which versions of the compiler. Asks by
// trying; how, the target's recipe says (target::Passes). Knows no compiler and runs nothing itself.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "target/target.hpp"
#include "triage/pass_code.hpp"

namespace assay::triage {

using support::Result;

// What a configuration made of the program of the find.
enum class Behaviour {
  Fails,      // as the find says
  IsRight,    // as it must
  Otherwise,  // neither: it fails in another way, or cannot be run
};

struct Attempt {
  Behaviour behaviour = Behaviour::Otherwise;
  std::string said;  // by the compiler, on both of its outputs
};

// Passes without which a target makes no program of anything. Learned, so that the next find is looked at faster.
// Thread-safe.
class Indispensable {
 public:
  bool Has(const std::string& target, const std::string& pass) const;
  void Learn(const std::string& target, const std::string& pass);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::set<std::string>> passes_;
};

// Tries the program of one find.
class Trial {
 public:
  explicit Trial(Indispensable& indispensable) : indispensable(indispensable) {}
  virtual ~Trial() = default;
  virtual Result<Attempt> Try(const target::Target& target, const target::Flags& flags) = 0;
  // No more time: what is known so far is all.
  virtual bool TimeIsUp() const = 0;

  Indispensable& indispensable;
};

// How a note begins where there was no time to find out.
inline constexpr std::string_view kTimeWasUp = "the time was up";

// A pass that was found guilty, or not.
struct Culprit {
  std::string pass;                  // as the compiler names it; empty: not known
  std::string where;                 // what it changed last before the find happened: a function, a number; or empty
  std::vector<std::string> others;   // passes without which the find does not happen either
  std::vector<std::string> options;  // options that switch it off and hide the find
  std::string note;                  // why the pass is not known, or how far to believe it
  std::string words;                 // what the compiler says about the transformation
  PassCode code;                     // what the pass made of the program, where the compiler shows it
};

struct VersionSeen {
  std::string target;
  std::string version;
  Behaviour behaviour = Behaviour::Otherwise;
};

// Of the flags with which the find happens, those that it needs: none can be left out, and the level of optimisation
// cannot be lower. Flags that the find happens without are gone; the order stays. Numbers in flags are made smaller.
Result<target::Flags> NeededFlags(Trial& trial, const target::Target& target, const target::Flags& flags);

// The pass that makes the difference, by the means that the target has.
Result<Culprit> FindCulprit(Trial& trial, const target::Target& target, const target::Flags& flags);

// What the other targets of its family and data model make of the program with the same flags, in their order.
Result<std::vector<VersionSeen>> SeenInVersions(Trial& trial, const target::Target& target, const target::Flags& flags,
                                                std::span<const target::Target> targets);

// A pass without the number of its instance: "tree-vrp2" is "tree-vrp".
std::string PassFamily(std::string_view pass);

}  // namespace assay::triage
