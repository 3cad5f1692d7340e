#include "triage/pass_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::triage {
namespace {

using testing::EndsWith;
using testing::SizeIs;

constexpr std::string_view kPrinted = R"(BISECT: running pass (1) AnnotationPass on [module]
*** IR Dump At Start ***
; ModuleID = 't.c'
@a = global i32 0

define dso_local i32 @f(i32 %0) #0 {
  ret i32 1
}

define i32 @main() {
  ret i32 2
}

declare void @g()
*** IR Dump After AnnotationPass on [module] omitted because no change ***
BISECT: running pass (2) SROAPass on f
*** IR Dump After SROAPass on f ***
define dso_local i32 @f(i32 %0) #0 {
  ret i32 3
}
BISECT: running pass (3) EarlyCSEPass on f
*** IR Dump After EarlyCSEPass on f ***
define dso_local i32 @f(i32 %0) #0 {
  ret i32 4
}
*** IR Pass PassManager<llvm::Function> on f ignored ***
BISECT: NOT running pass (4) SROAPass on main
)";

TEST(PassCodeTest, TheFunctionBeforeAndAfterThePass) {
  const PassCode code = CodeOfPass("EarlyCSEPass", kPrinted);
  EXPECT_EQ(code.before, "define dso_local i32 @f(i32 %0) #0 {\n  ret i32 3\n}\n");
  EXPECT_EQ(code.after, "define dso_local i32 @f(i32 %0) #0 {\n  ret i32 4\n}\n");
}

TEST(PassCodeTest, OnlyTheFunctionsThatAPassOfTheModuleChanged) {
  const std::string printed = std::string(kPrinted) + R"(*** IR Dump After GlobalOptPass on [module] ***
define dso_local i32 @f(i32 %0) #0 {
  ret i32 4
}
define i32 @main() {
  ret i32 5
}
)";
  const PassCode code = CodeOfPass("GlobalOptPass", printed);
  EXPECT_EQ(code.before, "define i32 @main() {\n  ret i32 2\n}\n");
  EXPECT_EQ(code.after, "define i32 @main() {\n  ret i32 5\n}\n");
}

TEST(PassCodeTest, NothingOfAnotherPass) {
  EXPECT_EQ(CodeOfPass("X86 DAG->DAG Instruction Selection", kPrinted).after, "");
  EXPECT_EQ(CodeOfPass("SROAPass", kPrinted).before, "");
}

TEST(PassCodeTest, WhatAPassSaysIsCutWhereNobodyReadsOn) {
  EXPECT_EQ(CodeOfPass("tree-vrp1", "int f ()\n{\n}\n").after, "int f ()\n{\n}\n");
  EXPECT_EQ(CodeOfPass("tree-vrp1", "no line end").after, "no line end");
  EXPECT_EQ(CodeOfPass("tree-vrp1", "").after, "");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "x\n";
  EXPECT_THAT(CodeOfPass("tree-vrp1", many).after, testing::AllOf(SizeIs(604), EndsWith("x\n...\n")));
  EXPECT_EQ(CodeOfPass("tree-vrp1", std::string(1 << 20, 'x')).after, "...\n");
}

}  // namespace
}  // namespace assay::triage
