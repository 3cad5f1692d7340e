// Sacred rule one: what we call valid is valid. Generated programs go through real compilers and sanitizers and must
// print exactly what the machine says. `./dev soak` does the same for as many programs as you have time for.
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

bool HaveM32() { return Have("echo 'int main(void) { return 0; }' | gcc -m32 -x c -o /dev/null -"); }

TEST(ValidityTest, ThirtyTwoBitProgramsPrintWhatTheMachineSays) {
  if (!HaveM32()) GTEST_SKIP() << "needs gcc -m32 (gcc-12-multilib)";
  EXPECT_EQ(Soak("1 30 m32"), 0);
}

// Other data models, by flags of the compilers at hand.
TEST(ValidityTest, ModelsByFlags) {
  if (!Have("gcc --version") || !Have("clang --version")) GTEST_SKIP() << "needs gcc and clang";
  EXPECT_EQ(Soak("1 20 uchar"), 0);
  EXPECT_EQ(Soak("1 20 packed"), 0);
  if (!HaveM32()) GTEST_SKIP() << "needs gcc -m32 (gcc-12-multilib)";
  EXPECT_EQ(Soak("1 20 m32-align"), 0);
  EXPECT_EQ(Soak("1 15 m32-uchar"), 0);
}

// Plain char is unsigned there, and no flag says otherwise.
TEST(ValidityTest, Aarch64) {
  if (!Have("aarch64-linux-gnu-gcc --version") || !Have("qemu-aarch64 --version")) {
    GTEST_SKIP() << "needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user";
  }
  EXPECT_EQ(Soak("1 20 aarch64"), 0);
}

TEST(ValidityTest, BigEndian) {
  if (!Have("s390x-linux-gnu-gcc --version") || !Have("qemu-s390x --version")) {
    GTEST_SKIP() << "needs gcc-s390x-linux-gnu, libc6-dev-s390x-cross and qemu-user";
  }
  EXPECT_EQ(Soak("1 20 s390x"), 0);
}

}  // namespace
