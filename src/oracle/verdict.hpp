// Expectation x Observations -> Verdicts. Judges values only; runs nothing.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/process.hpp"
#include "support/table.hpp"
#include "target/target.hpp"

namespace assay::oracle {

enum class Verdict {
  Ok,
  CompilerCrash,
  CompilerHang,
  RejectedValid,
  WrongOutput,
  ProgramCrash,
  ProgramHang,
  Flaky,
  Suspect,
  Unsupported,
  Inconclusive,
  Unavailable,
  kCount
};

struct VerdictInfo {
  Verdict kind;
  std::string_view name;  // stable: in the store, reports and --json
  bool find;              // a misbehaviour of the target, to be confirmed
  std::string_view meaning;
};

inline constexpr std::array kVerdicts = {
    VerdictInfo{Verdict::Ok, "ok", false, "behaved as it must"},
    VerdictInfo{Verdict::CompilerCrash, "compiler-crash", true,
                "the compiler died: internal error, signal, or failure without a diagnostic"},
    VerdictInfo{Verdict::CompilerHang, "compiler-hang", true, "the compiler exceeded its time, memory or output"},
    VerdictInfo{Verdict::RejectedValid, "rejected-valid", true, "a valid program was not accepted"},
    VerdictInfo{Verdict::WrongOutput, "wrong-output", true,
                "the program ended normally but printed or returned the wrong thing"},
    VerdictInfo{Verdict::ProgramCrash, "program-crash", true, "the compiled program died by a signal"},
    VerdictInfo{Verdict::ProgramHang, "program-hang", true, "the compiled program exceeded its time, memory or output"},
    VerdictInfo{Verdict::Flaky, "flaky", false, "the find did not happen again"},
    VerdictInfo{Verdict::Suspect, "suspect", false,
                "every configuration agrees against the expectation: most likely our own bug"},
    VerdictInfo{Verdict::Unsupported, "unsupported", false,
                "the target says that it does not support something: not a find"},
    VerdictInfo{Verdict::Inconclusive, "inconclusive", false,
                "no expectation, and too few configurations ended to compare"},
    VerdictInfo{Verdict::Unavailable, "unavailable", false, "the target could not be started"},
};
static_assert(support::InEnumOrder(kVerdicts, Verdict::kCount));

constexpr const VerdictInfo& Info(Verdict verdict) { return kVerdicts[static_cast<size_t>(verdict)]; }
constexpr std::string_view Name(Verdict verdict) { return Info(verdict).name; }
constexpr bool IsFind(Verdict verdict) { return Info(verdict).find; }
// Does the verdict say how the target did? Not where the program was declined, not run, not comparable, or suspect.
constexpr bool SaysSomething(Verdict verdict) {
  return verdict == Verdict::Ok || verdict == Verdict::Flaky || IsFind(verdict);
}
std::optional<Verdict> VerdictNamed(std::string_view name);

// What a valid program must do: print this and exit with this code.
struct Expectation {
  std::string output;
  int exit_code = 0;
};

// What one configuration did with the program. An interpreter has only `run`. `run` is absent when
// the compile failed; where the binary was identical to one already run, the caller puts that run's
// observation here.
struct Outcome {
  target::Configuration configuration;
  std::optional<exec::Observation> compile;
  std::optional<exec::Observation> run;
  bool made_nothing = false;   // the compiler reported success, but there is no program
  bool flags_refused = false;  // its flags are not for the target: it refuses them with any program; there is no run
};

struct Judgement {
  Verdict verdict = Verdict::Ok;
  std::string detail;  // one line for people: "printed 17, must print 42"
};

// Did the compiler or interpreter itself fail, and how? Ok when it made a program (in the first form: when it says
// so), and for an interpreter when what its run printed is to be compared.
Judgement JudgeCompile(const target::Target& target, const exec::Observation& compile);
Judgement JudgeCompile(const Outcome& outcome);

// What a compiler said, without the lines that only warn or note: those are no reason for what it did. All of it if
// there is no other.
std::string WithoutWarnings(const std::string& text);

// The verdict of one run against a known expectation.
Judgement JudgeRun(const Expectation& expectation, const exec::Observation& run);

// What the program must do under each data model, as far as it is known.
class Expectations {
 public:
  Expectations() = default;  // none known
  void Add(std::string data_model, Expectation expectation);
  const Expectation* For(std::string_view data_model) const;

 private:
  std::vector<std::pair<std::string, Expectation>> by_model_;
};

// One judgement per outcome, in their order. A compile that failed is judged by JudgeCompile; the
// rest by what the programs did, per data model:
//
// With an expectation each run is judged by JudgeRun. But where two families of compilers or more
// all do the same thing and none meets the expectation, all are Suspect: one family alone, with
// however many versions and flags, is no witness against us. Without one, runs are compared: the behaviour with most
// families, then targets, then configurations, is taken as right and the others are finds; on a tie all are finds, with
// a detail that says so. When the winning behaviour is a limit (the program probably does not end), or there is only
// one run, all are Inconclusive.
//
// A program that all of at least two families reject is Suspect too.
std::vector<Judgement> Judge(const Expectations& expectations, std::span<const Outcome> outcomes);

}  // namespace assay::oracle
