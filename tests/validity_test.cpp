// Sacred rule one: what we call valid is valid. Generated programs go through real compilers and sanitizers and must print
// exactly what the machine says. `./dev soak` does the same for as many programs as you have time for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

bool Have(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

int Soak(const std::string& arguments) {
  const std::string command = "ASSAY='" ASSAY_PROGRAM "' '" ASSAY_SOURCE_DIR "/bench/soak.sh' " + arguments;
  return std::system(command.c_str());
}

TEST(ValidityTest, ProgramsPrintWhatTheMachineSays) {
  if (!Have("gcc --version") || !Have("clang --version")) GTEST_SKIP() << "needs gcc and clang";
  EXPECT_EQ(Soak("1 300 plain"), 0);
}

TEST(ValidityTest, SanitizersFindNothing) {
  if (!Have("gcc --version") || !Have("clang --version")) GTEST_SKIP() << "needs gcc and clang";
  EXPECT_EQ(Soak("1 25 san"), 0);
}

TEST(ValidityTest, ThirtyTwoBitProgramsPrintWhatTheMachineSays) {
  if (!Have("echo 'int main(void) { return 0; }' | gcc -m32 -x c -o /dev/null -")) GTEST_SKIP() << "needs gcc -m32";
  EXPECT_EQ(Soak("1 30 m32"), 0);
}

}  // namespace
