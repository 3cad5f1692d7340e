// The machine against real compilers: what it says a program prints is what gcc and clang make of it, optimised and
// with sanitizers on; and where it traps, a sanitizer that knows the rule raises an alarm too.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "emit/emit.hpp"
#include "machine/trap_cases_arithmetic_test.cpp"
#include "machine/trap_cases_floats_test.cpp"
#include "machine/trap_cases_memory_test.cpp"
#include "machine/trap_cases_other_test.cpp"
#include "machine/trap_cases_pointer_test.cpp"
#include "machine/trap_cases_sequence_test.cpp"
#include "support/files.hpp"

namespace assay::machine::testing {
namespace {

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/assay_machine_XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

// Standard output and error of a shell command, and its exit status.
std::pair<std::string, int> Shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  return {text, pclose(pipe)};
}

std::vector<TrapCase> AllCases() {
  std::vector<TrapCase> all;
  for (auto* cases : {&ArithmeticCases, &PointerCases, &MemoryCases, &SequenceCases, &FloatCases, &OtherCases}) {
    for (TrapCase& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

std::string CompileAndRun(const Folder& folder, const std::string& compiler, const lang::Program& program,
                          const RunResult& result, int* status) {
  const std::string source = folder.Path() + "/t.c", binary = folder.Path() + "/t";
  const emit::Source emitted = emit::Emit(program, result);
  EXPECT_TRUE(support::WriteFile(source, emitted.files[0].text).Ok());
  const auto [messages, compiled] = Shell(compiler + " -w -o " + binary + " " + source + " -lm");
  EXPECT_EQ(compiled, 0) << messages << emitted.files[0].text;
  const auto [output, code] = Shell("timeout 60 " + binary);
  *status = code;
  return output;
}

TEST(MachineAndCompilers, AgreeOnWhatDoesNotTrap) {
  const Folder folder;
  for (const TrapCase& one : AllCases()) {
    if (one.model != DataModelKind::Lp64) continue;
    Tiny t;
    one.build(t, false);
    const RunResult result = t.Run(one.options);
    for (const char* compiler : {"gcc -O2", "clang -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"}) {
      int status = 0;
      setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
      EXPECT_EQ(CompileAndRun(folder, compiler, t.p, result, &status), emit::ExpectedOutput(t.p, result))
          << compiler << ": " << one.name;
      EXPECT_EQ(status, 0) << compiler << ": " << one.name;
    }
  }
}

// What clang's sanitizers can see of each kind. The rest (aliasing, sequencing, qualifiers …) they have no eyes for.
TEST(MachineAndCompilers, SanitizersSeeTheTrapsTheyKnow) {
  const std::set<TrapKind> known = {TrapKind::SignedOverflow, TrapKind::DivisionByZero, TrapKind::ShiftCount,
                                    TrapKind::ShiftSign,      TrapKind::DoubleFree,     TrapKind::VlaLength,
                                    TrapKind::InvalidFree,    TrapKind::FloatConversion};
  const Folder folder;
  int seen = 0;
  for (const TrapCase& one : AllCases()) {
    if (one.model != DataModelKind::Lp64 || known.count(one.kind) == 0) continue;
    Tiny t;
    one.build(t, true);
    RunResult result = t.Run(one.options);
    ASSERT_EQ(result.trap.kind, one.kind);
    int status = 0;
    const std::string output =
        CompileAndRun(folder,
                      "clang -O0 -fsanitize=address,undefined,function,float-divide-by-zero,float-cast-overflow "
                      "-fno-sanitize-recover=all",
                      t.p, result, &status);
    EXPECT_TRUE(output.find("ERROR") != std::string::npos || output.find("runtime error") != std::string::npos)
        << one.name << "\n"
        << output;
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace assay::machine::testing
