#include "campaign/sanitizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "campaign/confirm.hpp"

namespace assay::campaign {
namespace {

// A way to look at a program: a build, perhaps a tool that runs it, and the words with which a complaint begins.
struct Check {
  std::string_view name;
  std::vector<std::string> compile;  // before the flags and the source
  std::vector<std::string> run_prefix;
  std::string_view setting;  // of the environment
  std::vector<std::string_view> marks;
  bool sees_memory = false;  // reads of what was never written: the first of these that works is enough
};

const std::vector<Check>& Checks() {
  static const std::vector<Check> checks = {
      {"clang -fsanitize=address,undefined",
       {"clang", "-O1", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"},
       {},
       "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1",
       {"runtime error: ", "ERROR: AddressSanitizer: "}},
      {"gcc -fsanitize=address,undefined",
       {"gcc", "-O1", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"},
       {},
       "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1",
       {"runtime error: ", "ERROR: AddressSanitizer: "}},
      {"clang -fsanitize=memory",
       {"clang", "-O0", "-w", "-fsanitize=memory", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"},
       {},
       "MSAN_OPTIONS=",
       {"WARNING: MemorySanitizer: "},
       true},
      {"valgrind",
       {"gcc", "-O0", "-w", "-g"},
       {"valgrind", "-q", "--error-exitcode=99"},
       "VALGRIND_OPTS=",
       {"Conditional jump or move depends on uninitialised", "Use of uninitialised value", "Invalid read",
        "Invalid write"},
       true},
  };
  return checks;
}

target::Target TargetOf(const Check& check) {
  target::Target target;
  target.name = target.family = check.name;
  target.compile = check.compile;
  for (const char* word : {"{flags}", "{source}", "-o", "{output}", "-lm"}) target.compile.emplace_back(word);
  target.run_prefix = check.run_prefix;
  target.environment = {std::string(check.setting)};
  target.run_limits.limit_address_space = false;
  target.compile_limits.limit_address_space = false;
  return target;
}

// The line that names the problem: "runtime error: ...", "ERROR: AddressSanitizer: ...".
std::optional<std::string> ProblemLine(const Check& check, std::string_view text) {
  for (std::string_view mark : check.marks) {
    size_t at = text.find(mark);
    if (at != std::string_view::npos) return std::string(text.substr(at, text.find('\n', at) - at));
  }
  return {};
}

Result<oracle::Outcome> TryOn(Lab& lab, const TestCase& test, const target::Target& target) {
  return lab.Try(test, target::Configuration{.target = &target});
}

// The sanitized program has this machine's data model; under another the program may mean nothing.
bool CanBeAsked(const TestCase& test) {
  return test.language == "c" && (test.data_model.empty() || test.data_model == "lp64") && !test.CompileOnly();
}

// What two compilers that do not optimise make of it, from left to right and from right to left: where they differ, or
// warn that the order matters, the program says something that C leaves open.
Result<std::optional<std::string>> OrderProblem(Lab& lab, const TestCase& test) {
  std::optional<exec::Observation> first;
  for (const char* compiler : {"clang", "gcc"}) {
    target::Target target;
    target.name = target.family = compiler;
    target.compile = {compiler,   "-O0", "-Wsequence-point", "-Wunsequenced", "{flags}", "{source}", "-o",
                      "{output}", "-lm"};
    if (compiler == std::string("gcc")) std::erase(target.compile, "-Wunsequenced");
    ASSIGN_OR_RETURN(auto outcome, TryOn(lab, test, target));
    if (outcome.compile) {
      for (std::string_view warning : {"[-Wsequence-point]", "[-Wunsequenced]"}) {
        if (outcome.compile->stderr_text.find(warning) == std::string::npos) continue;
        return std::optional(fmt::format("{} warns that the order of evaluation matters {}", compiler, warning));
      }
    }
    if (!outcome.run || outcome.run->HitLimit()) return std::optional<std::string>();
    if (!first) {
      first = std::move(outcome.run);
    } else if (!SameBehaviour(*first, *outcome.run)) {
      // Other compilers cannot decide: they come in two kinds, those that begin at the left and those at the right.
      return std::optional<std::string>("clang -O0 and gcc -O0 disagree: the order of evaluation matters, perhaps");
    }
  }
  return std::optional<std::string>();
}

}  // namespace

Result<Sanitizer> Sanitizer::Find(Lab& lab, const std::string& language) {
  TestCase trivial{.files = {{"program.c", "int main(void) { return 0; }\n"}}};
  Sanitizer found;
  if (language != "c") return found;
  bool sees_addresses = false, sees_memory = false;
  for (size_t i = 0; i < Checks().size(); ++i) {
    const Check& check = Checks()[i];
    bool& sees = check.sees_memory ? sees_memory : sees_addresses;
    if (sees && (check.sees_memory || found.second_)) continue;
    const target::Target target = TargetOf(check);
    ASSIGN_OR_RETURN(auto outcome, TryOn(lab, trivial, target));
    const auto works = [&] { return outcome.run && outcome.run->Succeeded(); };
    if (!works()) {  // once more: on a busy machine a judge is easily lost, and then the accused is its own
      ASSIGN_OR_RETURN(outcome, TryOn(lab, trivial, target));
    }
    if (!works()) continue;
    if (sees) {
      found.second_ = i;
      continue;
    }
    sees = true;
    found.checks_.push_back(i);
    if (!check.sees_memory) found.compiler_ = check.compile[0];
  }
  return found;
}

Result<std::optional<exec::Observation>> Sanitizer::Run(Lab& lab, const TestCase& test, size_t which) const {
  const target::Target target = TargetOf(Checks()[which]);
  ASSIGN_OR_RETURN(auto outcome, TryOn(lab, test, target));
  return outcome.run;
}

size_t Sanitizer::Impartial(size_t which, const target::Target* accused) const {
  if (accused == nullptr || !second_ || Checks()[which].sees_memory) return which;
  const std::string& judge = Checks()[which].compile[0];
  const bool is_started = std::any_of(accused->compile.begin(), accused->compile.end(), [&](const std::string& word) {
    const std::string name = std::filesystem::path(word).filename().string();
    return name == judge || name.starts_with(judge + "-");
  });
  return target::KinOf(*accused) == judge || accused->family == judge || is_started ? *second_ : which;
}

Result<std::optional<std::string>> Sanitizer::Complaint(Lab& lab, const TestCase& test,
                                                        const target::Target* accused) const {
  if (!CanBeAsked(test)) return std::optional<std::string>();
  for (size_t row : checks_) {
    const size_t which = Impartial(row, accused);
    ASSIGN_OR_RETURN(auto run, Run(lab, test, which));
    if (run) {
      if (auto problem = ProblemLine(Checks()[which], run->stderr_text)) return problem;
    }
    // A program of ours has been run by the machine: one look is for the machine's own mistakes.
    if (test.has_expectation) return std::optional<std::string>();
  }
  return test.has_expectation ? std::optional<std::string>() : OrderProblem(lab, test);
}

Result<std::string> Sanitizer::Statement(Lab& lab, const TestCase& test, const target::Target* accused) const {
  if (!CanBeAsked(test) || checks_.empty()) return std::string();
  const size_t which = Impartial(checks_.front(), accused);
  const Check& check = Checks()[which];
  ASSIGN_OR_RETURN(auto run, Run(lab, test, which));
  if (!run || run->HitLimit()) return std::string();
  if (auto problem = ProblemLine(check, run->stderr_text)) return fmt::format("{} complains: {}", check.name, *problem);
  const oracle::Expectation* expected = test.expectations.For("lp64");
  const bool right = expected != nullptr && oracle::JudgeRun(*expected, *run).verdict == oracle::Verdict::Ok;
  return fmt::format("{} finds nothing wrong with the program{}", check.name,
                     right ? ", which does what is expected" : "");
}

}  // namespace assay::campaign
