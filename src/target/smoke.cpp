// The smoke test: does a target process a small program as it must, and what is its data model?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exec/scratch.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"
#include "target/model_probe.hpp"

namespace assay::target {
namespace {

// Prints its data model and a checksum of a loop, calls, an array and a structure: what every C compiler can do. Then
// which compiler it is at heart, by macros of which others that claim to be GNU C have none.
std::string SmokeProgram() {
  return fmt::format(R"(int printf(const char *, ...);
{}
static unsigned long table[16];
static unsigned long step(unsigned long x) {{ return (x * 25173 + 13849) & 0xffff; }}
#if defined(__clang__)
#define KIN "clang"
#elif defined(__GCC_IEC_559)
#define KIN "gcc"
#else
#define KIN ""
#endif
int main(void) {{
  unsigned long x = 1;
  int i;
  for (i = 0; i < 1000; i++) {{
    x = step(x);
    table[i % 16] += x;
  }}
  for (i = 0; i < 16; i++) x = (x * 31 + table[i]) & 0xffff;
  printf("%lu ", x);
  {}
  printf("%s\n", KIN);
  return 0;
}}
)",
                     kModelDeclarations, kModelPrinting);
}

unsigned long ExpectedChecksum() {
  unsigned long table[16] = {}, x = 1;
  for (int i = 0; i < 1000; ++i) {
    x = (x * 25173 + 13849) & 0xffff;
    table[i % 16] += x;
  }
  for (unsigned long sum : table) x = (x * 31 + sum) & 0xffff;
  return x;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string Problem(std::string_view step, const exec::Observation& seen) {
  const std::string line = FirstLine(seen.stderr_text);
  const std::string what = exec::Describe(seen);
  return fmt::format("{}: {}{}", step, what, line.empty() || line == what ? "" : ": " + line);
}

// Of flags that are there for how well a compiler works, nobody expects another data model.
bool MayChangeModel(const std::string& flag) { return !flag.starts_with("-O") && !flag.starts_with("-g"); }

// A pool has hundreds of flags: only those whose names suggest it are looked at.
bool LooksLikeModelFlag(const std::string& flag) {
  if (flag.starts_with("-m")) return true;
  for (std::string_view part : {"char", "pack-struct", "short-", "bitfield", "ms-extensions"}) {
    if (flag.find(part) != std::string::npos) return true;
  }
  return false;
}

// The smoke test of one target, in a folder of its own.
class Smoke {
 public:
  Smoke(exec::Executor& executor, FoundTarget& found, const std::filesystem::path& folder)
      : executor_(executor), found_(found), target_(found.target), folder_(folder) {
    const std::vector<Configuration> fixed = FixedConfigurations(target_);
    base_ = fixed.empty() ? Configuration{&target_, {}} : fixed.front();
  }

  void Run() {
    const bool is_c = target_.smoke_program.empty();
    const std::string text = is_c ? SmokeProgram() : target_.smoke_program;
    source_ = is_c ? "smoke.c" : "smoke";
    if (auto written = support::WriteFile(folder_ / source_, text); !written) {
      found_.problem = written.GetError().message;
      return;
    }
    if (found_.lacks_emulator) {  // it cannot work, but what it is can be told
      if (is_c && Compile(base_)) Learn(ModelOfOutput());
      return;
    }
    if (target_.kind == Kind::Compiler &&
        !Observe("compile", CompileCommand(base_, {source_}, kOutput, folder_), target_.compile_limits)) {
      return;
    }
    exec::Command command = RunCommand(base_, {source_}, kOutput, folder_);
    if (target_.source_on_stdin) command.stdin_text = text;
    const std::optional<std::string> output = Observe("run", command, target_.run_limits);
    if (!output) return;
    is_c ? JudgeC(*output) : JudgeOther(*output);
  }

 private:
  static constexpr const char* kOutput = "smoke.out";

  void JudgeOther(const std::string& output) {
    found_.works = output == target_.smoke_output;
    if (!found_.works) found_.problem = "printed '" + FirstLine(output) + "'";
  }

  void JudgeC(const std::string& output) {
    const std::string line = FirstLine(output), checksum = fmt::format("{} ", ExpectedChecksum());
    if (!line.starts_with(checksum)) {
      found_.problem = "printed '" + line + "'";
      return;
    }
    if (!Learn(ModelFromOutput(std::string_view(line).substr(checksum.size())))) return;
    target_.kin = FirstLine(output.substr(output.rfind('\n', output.size() - 2) + 1));
    if (target_.kind == Kind::Compiler && !OneModelForAll()) return;
    found_.works = true;
  }

  void Refuse(std::string problem) {
    found_.problem = std::move(problem);
    found_.no_programs = true;
  }

  // False if no program can be written for the model; the problem says why.
  bool Learn(const support::Result<lang::ModelProperties>& model) {
    if (!model) {
      if (!found_.lacks_emulator) Refuse("no program can be written for its data model: " + model.GetError().message);
      return false;
    }
    found_.model = model.Value();
    target_.data_model = lang::Describe(model.Value());
    const std::string why = lang::WhyNoModel(model.Value());
    if (why.empty()) return true;
    Refuse(fmt::format("no program can be written for its data model, {}: {}", target_.data_model, why));
    return false;
  }

  // A target has one data model. Flags that change it make another target. The programs need not run for that: what is
  // in their files is compared.
  bool OneModelForAll() {
    const auto expected = ModelOfOutput();
    if (!expected) return true;
    std::vector<Flags> suspicious;
    for (const Configuration& configuration : FixedConfigurations(target_)) {
      if (std::any_of(configuration.flags.begin(), configuration.flags.end(), MayChangeModel)) {
        suspicious.push_back(configuration.flags);
      }
    }
    for (const FlagPool& pool : target_.pools) {
      for (const std::string& flag : pool.flags) {
        if (LooksLikeModelFlag(flag)) suspicious.push_back({flag});
      }
    }
    for (const Flags& flags : suspicious) {
      if (!Compile({&target_, flags})) continue;  // what it refuses is not tested
      const auto model = ModelOfOutput();
      if (model && model.Value() == expected.Value()) continue;
      Refuse(fmt::format("with {} it has {} data model{}: put these flags into 'compile' of a target of its own",
                         fmt::join(flags, " "), model ? "the" : "no",
                         model ? " " + lang::Describe(model.Value()) : " that Assay can use"));
      return false;
    }
    return true;
  }

  support::Result<lang::ModelProperties> ModelOfOutput() const {
    ASSIGN_OR_RETURN(const std::string bytes, support::ReadFile(folder_ / kOutput));
    return ModelFromFile(bytes);
  }

  bool Compile(const Configuration& configuration) {
    auto seen = executor_.Run(CompileCommand(configuration, {source_}, kOutput, folder_), target_.compile_limits);
    return seen && seen->Succeeded();
  }

  // What the command printed; nothing if it failed, which is then the problem.
  std::optional<std::string> Observe(std::string_view step, const exec::Command& command, const exec::Limits& limits) {
    auto seen = executor_.Run(command, limits);
    if (!seen) {
      found_.problem = seen.GetError().message;
    } else if (!seen->Succeeded()) {
      found_.problem = Problem(step, *seen);
    } else {
      return seen->stdout_text;
    }
    return std::nullopt;
  }

  exec::Executor& executor_;
  FoundTarget& found_;
  Target& target_;
  const std::filesystem::path folder_;
  std::string source_;
  Configuration base_;
};

}  // namespace

void SmokeTest(exec::Executor& executor, FoundTarget& found) {
  found.works = false;
  if (!found.problem.empty() && !found.lacks_emulator) return;  // detection has said why it cannot work
  auto scratch = exec::Scratch::Make();
  if (!scratch) {
    found.problem = scratch.GetError().message;
    return;
  }
  Smoke(executor, found, scratch->Path()).Run();
}

}  // namespace assay::target
