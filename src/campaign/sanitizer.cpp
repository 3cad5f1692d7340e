#include "campaign/sanitizer.hpp"

#include <fmt/format.h>

#include <string_view>

namespace assay::campaign {
namespace {

target::Target SanitizedTarget(const std::string& compiler) {
  target::Target target;
  target.name = compiler + "-sanitized";
  target.family = compiler;
  target.compile = {compiler,
                    "-O1",
                    "-w",
                    "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all",
                    "-fno-omit-frame-pointer",
                    "{flags}",
                    "{source}",
                    "-o",
                    "{output}"};
  target.environment = {"ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1"};
  target.run_limits.limit_address_space = false;
  target.compile_limits.limit_address_space = false;
  return target;
}

// The line that names the problem: "program.c:3:5: runtime error: ..." or "ERROR: AddressSanitizer:
// ...".
std::optional<std::string> ProblemLine(std::string_view text) {
  for (std::string_view mark : {"runtime error: ", "ERROR: AddressSanitizer: "}) {
    size_t at = text.find(mark);
    if (at != std::string_view::npos) return std::string(text.substr(at, text.find('\n', at) - at));
  }
  return {};
}

Result<oracle::Outcome> TrySanitized(Lab& lab, const TestCase& test, const target::Target& target) {
  return lab.Try(test, target::Configuration{.target = &target});
}

}  // namespace

Result<Sanitizer> Sanitizer::Find(Lab& lab, const std::string& language) {
  TestCase trivial{.files = {{"program.c", "int main(void) { return 0; }\n"}}};
  Sanitizer found;
  if (language != "c") return found;
  for (const char* compiler : {"clang", "gcc"}) {
    target::Target target = SanitizedTarget(compiler);
    ASSIGN_OR_RETURN(auto outcome, TrySanitized(lab, trivial, target));
    if (outcome.run && outcome.run->Succeeded()) {
      found.compiler_ = compiler;
      break;
    }
  }
  return found;
}

Result<std::optional<exec::Observation>> Sanitizer::Run(Lab& lab, const TestCase& test) const {
  // The sanitized program has this machine's data model; under another the program may mean
  // nothing.
  bool native = test.data_model.empty() || test.data_model == "lp64";
  if (!Available() || test.language != "c" || !native) return std::optional<exec::Observation>();
  target::Target target = SanitizedTarget(compiler_);
  ASSIGN_OR_RETURN(auto outcome, TrySanitized(lab, test, target));
  return outcome.run;
}

Result<std::optional<std::string>> Sanitizer::Complaint(Lab& lab, const TestCase& test) const {
  ASSIGN_OR_RETURN(auto run, Run(lab, test));
  if (!run) return std::optional<std::string>();
  return ProblemLine(run->stderr_text);
}

Result<std::string> Sanitizer::Statement(Lab& lab, const TestCase& test) const {
  ASSIGN_OR_RETURN(auto run, Run(lab, test));
  if (!run || run->HitLimit()) return std::string();
  const std::string who = compiler_ + " -fsanitize=address,undefined";
  if (auto problem = ProblemLine(run->stderr_text)) return fmt::format("{} complains: {}", who, *problem);
  const oracle::Expectation* expected = test.expectations.For("lp64");
  const bool right = expected != nullptr && oracle::JudgeRun(*expected, *run).verdict == oracle::Verdict::Ok;
  return fmt::format("{} finds nothing wrong with the program{}", who, right ? ", which does what is expected" : "");
}

}  // namespace assay::campaign
