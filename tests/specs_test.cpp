// The shipped specifications, judged by the implementations of their languages: every program is
// accepted, and where implementations can be compared they agree. bench/lang_soak.sh does the work;
// it takes 1,000 programs as easily as the 10 here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

class Specifications : public testing::TestWithParam<const char*> {};

TEST_P(Specifications, EveryProgramIsAccepted) {
  std::string command = std::string(ASSAY_SOURCE_DIR) + "/bench/lang_soak.sh -a " + ASSAY_PROGRAM + " 10 " + GetParam();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

std::string NameOf(const testing::TestParamInfo<const char*>& info) {
  std::string name;
  for (const char* c = info.param; *c; ++c) {
    if (*c != '-') name += *c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shipped, Specifications,
                         testing::Values("lua", "c-crash", "smt2", "smt2-bv", "smt2-fp", "smt2-strings", "sql",
                                         "sql-arithmetic"),
                         NameOf);

}  // namespace
