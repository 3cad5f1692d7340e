// For tests of the whole program: a folder of its own, and commands as a user gives them to a shell.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/files.hpp"

namespace assay {

struct Finished {
  int code = -1;  // 128 + signal when it was killed, as a shell says it
  std::string out, err;
};

class ShellTest : public testing::Test {
 protected:
  ShellTest() {
    char name[] = "/tmp/assay_shell_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~ShellTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::string Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(support::WriteFile(folder_ / name, text).Ok());
    return Path(name);
  }
  std::string Script(const std::string& name, const std::string& body) const {
    Write(name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::all);
    return Path(name);
  }

  // `assay ARGUMENTS` by the shell, in the folder. Redirections in the arguments win.
  Finished Assay(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd " + folder_.string() + " && { " + before + " " + ASSAY_PROGRAM + " " + arguments +
                                "; } >" + Path("out.txt") + " 2>" + Path("err.txt");
    const int status = std::system(command.c_str());
    Finished finished{.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    if (auto out = support::ReadFile(Path("out.txt"))) finished.out = *out;
    if (auto err = support::ReadFile(Path("err.txt"))) finished.err = *err;
    return finished;
  }

  std::filesystem::path folder_;
};

}  // namespace assay
