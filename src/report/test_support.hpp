// What the tests of reports share: a folder, bugs of made-up compilers, and their scripts run for real.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>

#include "report/bundle.hpp"
#include "report/repro.hpp"
#include "support/files.hpp"

namespace assay::report {

namespace fs = std::filesystem;

class ReportTest : public testing::Test {
 protected:
  ReportTest() {
    char name[] = "/tmp/assay_report_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~ReportTest() override { fs::remove_all(folder_); }

  // Writes the bug's folder and runs its script by each shell; returns the exit code, which must be the same.
  int Reproduce(const store::Bug& bug, const std::string& before = "") {
    auto written = WriteBundle(folder_, bug);
    EXPECT_TRUE(written.Ok()) << written.GetError().message;
    int code = Run("dash", bug, before);
    EXPECT_EQ(Run("bash", bug, before), code) << log_;
    return code;
  }

  int Run(const std::string& shell, const store::Bug& bug, const std::string& before) {
    std::string script = ShellQuote((BundleFolder(folder_, bug) / "repro.sh").string());
    // By absolute path: a test may take PATH away.
    std::string line =
        "cd / && " + before + " exec /bin/" + shell + " " + script + " >" + folder_.string() + "/log 2>&1";
    int status = std::system(line.c_str());
    log_ = support::ReadFile(folder_ / "log").Value();
    return WEXITSTATUS(status);
  }

  fs::path folder_;
  std::string log_;
};

// A bug of a "compiler" that is a shell script in the bug's own folder. It does this with the bug's
// program, and compiles every other.
inline store::Bug ScriptBug(const std::string& kind, const std::string& compiler) {
  return {.name = "fake-" + kind,
          .signature = "sig",
          .kind = kind,
          .title = "fake: something <is> wrong",
          .family = "fake",
          .target = "fake",
          .version = "1.0",
          .configuration = "fake -O1",
          .failing = "fake -O1\nfake -O2",
          .passing = "fake",
          .compile_command = "sh compiler.sh program.c -o ./program",
          .language = "c",
          .timeout_ms = 1000,
          .files = {{"program", "program.c", "int main(void) { return 0; } // mark\n"},
                    {"header", "compiler.sh",
                     "grep -q mark $1 || { printf '#!/bin/sh\\n' >program; chmod +x program; exit; }\n" + compiler}},
          .count = 3,
          .first_seed = 42};
}

inline store::Bug RunBug(const std::string& kind, const std::string& program) {
  store::Bug bug = ScriptBug(kind, "printf '#!/bin/sh\\n" + program + "\\n' >program; chmod +x program\n");
  bug.run_command = "./program";
  bug.files.push_back({"expected", "expected.txt", "1\n"});
  bug.files.push_back({"actual", "actual.txt", "2\n"});
  return bug;
}

}  // namespace assay::report
