#include "triage/likeness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::triage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::set<std::string> C(std::string_view text) { return ConstructsOf("c", text); }

TEST(ConstructsTest, WhatCountsAndWhatDoesNot) {
  EXPECT_THAT(C("/* x */\nint main(void) {\n  return 0 != 1;\n}\n"), ElementsAre());
  EXPECT_THAT(C("struct S1 { _Bool a : 1; };\nstruct S1 a = {1};\nint main(void) { if (a.a != 1) __builtin_abort(); }"),
              ElementsAre("bit-field", "bool", "initialiser", "struct"));
  EXPECT_THAT(C("struct S1 { int : 0; int *a; };"), ElementsAre("pointer", "struct", "unnamed bit-field"));
  EXPECT_THAT(C("int f(int a) { return -a * *(&a); } int main(void) { return f(4294967296) & 1; }"),
              ElementsAre("add", "address", "bits", "call", "large constant", "multiply", "pointer"));
  EXPECT_THAT(C("int main(void) { switch (a) { case 1: goto b; } b: for (;;) break; }"),
              ElementsAre("goto", "jump", "loop", "switch"));
  EXPECT_THAT(C("long a; short b __attribute__((aligned(8))); int main(void) { return __builtin_clz(a) < b; }"),
              ElementsAre("__builtin_clz", "aligned", "narrow", "order", "wide"));
}

TEST(ConstructsTest, NamesConstantsLayoutAndTheHarnessSayNothing) {
  const char* small = "int g_1;\nvoid f_1(void) { g_1 = 7 >> 1; }\n";
  EXPECT_EQ(C(small), C("int x; void other ( void ) { x = 900 << 3 ; }"));
  EXPECT_EQ(C(small),
            C(std::string(small) + "static unsigned long long checksum = 1;\nint main(void) { while (1) ; }"));
}

TEST(ConstructsTest, OtherLanguagesAreTheirWords) {
  EXPECT_THAT(ConstructsOf("sql", "SELECT MIN(t1.c0) FROM t1"), ElementsAre("FROM", "MIN", "SELECT"));
}

TEST(WhySameTest, WithoutPassesTheConstructsMustBeTheSame) {
  const Portrait one{"", {"loop", "shift"}};
  EXPECT_THAT(*WhySame(one, {"", {"loop", "shift"}}), HasSubstr("loop, shift"));
  EXPECT_FALSE(WhySame(one, {"", {"loop"}})) << "what cannot be left out is needed";
  EXPECT_FALSE(WhySame(one, {"", {"loop", "shift", "bool"}}));
  EXPECT_FALSE(WhySame(one, {"tree-vrp1", {"loop", "shift", "bool"}}));
}

TEST(WhySameTest, WithTheSamePassHalfOfThem) {
  const Portrait one{"tree-vrp1", {"loop", "shift", "order"}};
  EXPECT_THAT(*WhySame(one, {"tree-vrp2", {"loop", "shift", "order", "bool"}}), HasSubstr("tree-vrp"));
  EXPECT_FALSE(WhySame(one, {"tree-vrp2", {"remainder", "order"}})) << "two bugs of one pass";
  EXPECT_FALSE(WhySame(one, {"tree-pre", {"loop", "shift", "order"}})) << "one shape, two passes";
}

// Two bugs in one place look alike; what they need and where they are tells them apart.
TEST(WhySameTest, WithoutPassesFlagsAndVersionsMustAgree) {
  const std::set<std::string> shift = {"shift"};
  const Portrait plain{.constructs = shift, .flags = ""}, optimised{.constructs = shift, .flags = "-O2"};
  EXPECT_TRUE(WhySame(plain, plain));
  EXPECT_FALSE(WhySame(plain, optimised)) << "one of them happens without the optimiser";
  EXPECT_TRUE(WhySame(plain, {.constructs = shift, .flags = "-O0"}));
  EXPECT_TRUE(WhySame(optimised, {.constructs = shift, .flags = "-Os"}));
  EXPECT_FALSE(WhySame(optimised, {.constructs = shift, .flags = "-O2 -fwrapv"}));
  EXPECT_TRUE(WhySame(optimised, {.constructs = shift})) << "nobody has looked";
  const Portrait old{.constructs = shift, .versions = "cc-1: fails\ncc-2: right"};
  EXPECT_TRUE(WhySame(old, {.constructs = shift, .versions = "cc-1: fails\ncc-3: right"}));
  EXPECT_TRUE(WhySame(old, {.constructs = shift, .versions = "cc-1: fails\ncc-2: fails in another way"}));
  EXPECT_FALSE(WhySame(old, {.constructs = shift, .versions = "cc-1: right\ncc-2: fails"})) << "new in cc-2";
}

TEST(WhySameTest, WhatHappensMustBeTheSame) {
  const Portrait one{.pass = "tree-vrp1", .constructs = {"loop"}, .failure = "signal 11 (SIGSEGV)"};
  EXPECT_TRUE(WhySame(one, one));
  EXPECT_FALSE(WhySame(one, {.pass = "tree-vrp1", .constructs = {"loop"}, .failure = "signal 8 (SIGFPE)"}));
}

}  // namespace
}  // namespace assay::triage
