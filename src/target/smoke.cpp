// The smoke test: does a target process a small program as it must, and what is its data model?
#include <fmt/format.h>

#include <cstdio>

#include "exec/scratch.hpp"
#include "support/files.hpp"
#include "target/detect.hpp"

namespace assay::target {
namespace {

// Prints facts and a checksum of a loop, calls, an array and a structure: what every C compiler can
// do.
constexpr std::string_view kSmokeProgram = R"(int printf(const char *, ...);
struct aligned_long { char c; long long v; };
struct aligned_double { char c; double v; };
static unsigned long table[16];
static unsigned long step(unsigned long x) { return (x * 25173 + 13849) & 0xffff; }
int main(void) {
  union { unsigned short s; unsigned char b[sizeof(unsigned short)]; } order;
  struct aligned_long l;
  struct aligned_double d;
  unsigned long x = 1;
  char c = (char)~0;
  int i;
  order.s = 1;
  for (i = 0; i < 1000; i++) {
    x = step(x);
    table[i % 16] += x;
  }
  for (i = 0; i < 16; i++) x = (x * 31 + table[i]) & 0xffff;
  printf("%d %d %d %d %d %d %d %d %d %lu\n", (int)sizeof(short), (int)sizeof(int), (int)sizeof(long),
         (int)sizeof(long long), (int)sizeof(void *), (int)((char *)&l.v - (char *)&l),
         (int)((char *)&d.v - (char *)&d), c < 0, order.b[0] == 0, x);
  return 0;
}
)";

unsigned long ExpectedChecksum() {
  unsigned long table[16] = {}, x = 1;
  for (int i = 0; i < 1000; ++i) {
    x = (x * 25173 + 13849) & 0xffff;
    table[i % 16] += x;
  }
  for (unsigned long sum : table) x = (x * 31 + sum) & 0xffff;
  return x;
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string Problem(std::string_view step, const exec::Observation& seen) {
  const std::string line = FirstLine(seen.stderr_text);
  const std::string what = exec::Describe(seen);
  return fmt::format("{}: {}{}", step, what, line.empty() || line == what ? "" : ": " + line);
}

}  // namespace

std::string DataModelName(const DataModelFacts& facts) {
  struct Row {
    std::string_view name;
    int int_size, long_size, pointer_size;
    bool big_endian, char_signed;
    int alignment;
  };
  static constexpr Row kRows[] = {
      {"lp64", 4, 8, 8, false, true, 8},    {"ilp32", 4, 4, 4, false, true, 4},
      {"llp64", 4, 4, 8, false, true, 8},   {"ip16", 2, 4, 2, false, true, 2},
      {"lp64-be", 4, 8, 8, true, false, 8}, {"ilp32-be", 4, 4, 4, true, false, 8},
  };
  for (const Row& row : kRows) {
    if (facts.int_size != row.int_size || facts.long_size != row.long_size ||
        facts.pointer_size != row.pointer_size || facts.big_endian != row.big_endian) {
      continue;
    }
    std::string name(row.name);
    if (facts.char_signed != row.char_signed) name += facts.char_signed ? "-schar" : "-uchar";
    if (facts.long_long_alignment != row.alignment) {
      name += fmt::format("-align{}", facts.long_long_alignment);
    }
    return name;
  }
  return "unknown";
}

void SmokeTest(exec::Executor& executor, FoundTarget& found) {
  Target& target = found.target;
  found.works = false;
  if (!found.problem.empty()) return;  // detection has said why it cannot work
  const bool is_c = found.smoke_program.empty();
  auto scratch = exec::Scratch::Make();
  if (!scratch) {
    found.problem = scratch.GetError().message;
    return;
  }
  const std::string source = is_c ? "smoke.c" : "smoke";
  const std::string text = is_c ? std::string(kSmokeProgram) : found.smoke_program;
  if (auto written = support::WriteFile(scratch->Path() / source, text); !written) {
    found.problem = written.GetError().message;
    return;
  }
  const std::vector<Configuration> configurations = FixedConfigurations(target);
  const Configuration configuration =
      configurations.empty() ? Configuration{&target, {}} : configurations.front();
  auto run = [&](std::string_view step, exec::Command command, const exec::Limits& limits) {
    auto seen = executor.Run(command, limits);
    if (!seen) {
      found.problem = seen.GetError().message;
    } else if (!seen->Succeeded()) {
      found.problem = Problem(step, *seen);
    } else {
      return seen->stdout_text;
    }
    return std::string();
  };
  if (target.kind == Kind::Compiler) {
    run("compile", CompileCommand(configuration, {source}, "smoke.out", scratch->Path()),
        target.compile_limits);
    if (!found.problem.empty()) return;
  }
  exec::Command command = RunCommand(configuration, {source}, "smoke.out", scratch->Path());
  if (target.source_on_stdin) command.stdin_text = text;
  const std::string output = run("run", command, target.run_limits);
  if (!found.problem.empty()) return;
  if (!is_c) {
    found.works = output == found.smoke_output;
    if (!found.works) found.problem = "printed '" + FirstLine(output) + "'";
    return;
  }
  DataModelFacts facts;
  int char_signed = 0, big_endian = 0;
  unsigned long checksum = 0;
  if (std::sscanf(output.c_str(), "%d %d %d %d %d %d %d %d %d %lu", &facts.short_size,
                  &facts.int_size, &facts.long_size, &facts.long_long_size, &facts.pointer_size,
                  &facts.long_long_alignment, &facts.double_alignment, &char_signed, &big_endian,
                  &checksum) != 10 ||
      checksum != ExpectedChecksum()) {
    found.problem = "printed '" + FirstLine(output) + "'";
    return;
  }
  facts.char_signed = char_signed != 0;
  facts.big_endian = big_endian != 0;
  found.facts = facts;
  found.works = true;
  target.data_model = DataModelName(facts);
}

}  // namespace assay::target
