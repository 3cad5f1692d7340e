// Emitted text is compiled by the real compilers of this machine and run; what it prints must be
// what the model means.
#include "emit/emit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "emit/header.hpp"
#include "emit/tokens.hpp"
#include "lang/samples.hpp"
#include "support/files.hpp"

namespace assay::emit {
namespace {

using lang::Program;
using lang::Sample;
using machine::FinalScalar;
using machine::RunResult;

RunResult ResultOf(const Sample& sample) {
  RunResult result;
  for (const lang::SampleFinal& final : sample.finals) {
    FinalScalar scalar;
    scalar.var = final.var;
    scalar.path = final.path;
    scalar.type = sample.program.vars[final.var].type;
    for (uint32_t index : final.path) {
      const lang::Type& type = sample.program.types[scalar.type];
      if (IsRecord(type.kind)) {
        const lang::Member& member = sample.program.types.GetRecord(type.record).members[index];
        scalar.type = member.type;
        scalar.bit_width = member.bit_width;
      } else {
        scalar.type = type.element;
      }
    }
    scalar.value = static_cast<uint64_t>(final.value);
    result.finals.push_back(scalar);
  }
  return result;
}

// A directory of its own that disappears with the object.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/assay_emit_XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  size_t count = 0;
  while ((count = fread(buffer, 1, sizeof buffer, pipe)) > 0) outcome.output.append(buffer, count);
  outcome.status = pclose(pipe);
  return outcome;
}

bool Present(const std::string& compiler) {
  return Shell("command -v " + compiler + " >/dev/null").status == 0;
}

// Compiles and runs; the output, or the compiler's messages.
Outcome CompileAndRun(const std::string& compiler, const Source& source,
                      const std::string& argument = "") {
  Folder folder;
  std::string files;
  for (const File& file : source.files) {
    EXPECT_TRUE(support::WriteFile(folder.Path() + "/" + file.name, file.text).Ok());
    if (!file.IsHeader()) files += " " + file.name;
  }
  Outcome compiled =
      Shell("cd " + folder.Path() + " && timeout 60 " + compiler + " -o program" + files + " 2>&1");
  if (compiled.status != 0) return compiled;
  return Shell("cd " + folder.Path() + " && timeout 10 ./program " + argument + " 2>&1");
}

// What a compiler of Debian 12 is known not to support or to get wrong. gcc and clang: nothing.
bool Known(const std::string& compiler, const Sample& sample) {
  static const std::set<std::pair<std::string, std::string>> known = {
      {"chibicc", "variadic"},  // no __builtin_va_list
      {"chibicc", "types"},     // the compiler crashes
      {"pcc", "constants"},     // (long long)'\\377' is 4294967295
  };
  return known.contains({compiler, sample.name});
}

class EmitWith : public testing::TestWithParam<const char*> {};

TEST_P(EmitWith, EverySampleMeansTheSame) {
  const std::string compiler = GetParam();
  if (!Present(compiler.substr(0, compiler.find(' '))))
    GTEST_SKIP() << compiler << " is not installed";
  for (const Sample& sample : lang::AllSamples()) {
    if (Known(compiler, sample)) continue;
    const RunResult result = ResultOf(sample);
    const Source source = Emit(sample.program, result);
    const Outcome outcome = CompileAndRun(compiler, source, "values");
    EXPECT_EQ(outcome.status, 0) << sample.name;
    EXPECT_EQ(outcome.output, ExpectedOutput(sample.program, result, {}, true)) << sample.name;
    if (outcome.status != 0) std::printf("%s\n", source.files[0].text.substr(0, 3000).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, EmitWith,
                         testing::Values("gcc", "gcc -O2", "clang", "tcc", "chibicc", "pcc"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](char c) { return !isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace assay::emit
