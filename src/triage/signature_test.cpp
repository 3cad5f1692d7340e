// Signatures of texts as real compilers print them.
#include "triage/signature.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "triage/frames.hpp"

namespace assay::triage {
namespace {

using exec::Ending;
using exec::Observation;

std::string SignatureOf(const std::string& text, int exit_code = 1) {
  return CompileSignature({}, {.ending = Ending::Exited, .exit_code = exit_code, .stderr_text = text});
}

std::string SignatureOfSignal(int signal, const std::string& text) {
  return CompileSignature({}, {.ending = Ending::Signaled, .signal = signal, .stderr_text = text});
}

struct Case {
  std::string name, text, signature;
};

class SignatureTest : public testing::TestWithParam<Case> {};

TEST_P(SignatureTest, IsNormalised) { EXPECT_EQ(SignatureOf(GetParam().text), GetParam().signature); }

INSTANTIATE_TEST_SUITE_P(
    Gcc, SignatureTest,
    testing::Values(Case{"Placed",
                         "during GIMPLE pass: vect\n"
                         "/dev/shm/assay-77-12-3/prog.c: In function 'func_12':\n"
                         "/dev/shm/assay-77-12-3/prog.c:120:5: internal compiler error: in "
                         "vect_transform_stmt, at "
                         "tree-vect-stmts.cc:11241\n"
                         "  120 | int func_12(void) {\n      |     ^~~~\n"
                         "0x1a2b3c4 vect_transform_stmt(vec_info*, _stmt_vec_info*)\n"
                         "\t../../src/gcc/tree-vect-stmts.cc:11241\n"
                         "Please submit a full bug report, with preprocessed source.\n",
                         "ICE: in vect_transform_stmt, at tree-vect-stmts.cc:11241"},
                    Case{"PlacedWithFolder",
                         "a.c:3:1: internal compiler error: in simplify_subreg, at "
                         "../../src/gcc/simplify-rtx.cc:6978\n",
                         "ICE: in simplify_subreg, at simplify-rtx.cc:6978"},
                    Case{"TreeCheck",
                         "t.c:9:3: internal compiler error: tree check: expected class 'type', have "
                         "'exceptional' (error_mark) in "
                         "useless_type_conversion_p, at gimple-expr.cc:88\n",
                         "ICE: tree check: expected class '_', have '_' (error_mark) in "
                         "useless_type_conversion_p, at "
                         "gimple-expr.cc:88"},
                    Case{"SegmentationFaultWithFrames",
                         "x.c:5:1: internal compiler error: Segmentation fault\n"
                         "0xd1f4a7 crash_signal\n\t../../src/gcc/toplev.cc:322\n"
                         "0x7f2b1c05af8f ???\n\t./signal/../sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c:0\n"
                         "0xf5b3a1 fold_binary_loc(unsigned int, tree_code, tree_node*, tree_node*, "
                         "tree_node*)\n"
                         "\t../../src/gcc/fold-const.cc:10833\n"
                         "0xf60a11 fold_build2_loc(unsigned int, tree_code, tree_node*)\n"
                         "0xf60a12 c_parser_expression.part.0\n0xf60a13 c_parse_file()\n",
                         "ICE: Segmentation fault: fold_binary_loc < fold_build2_loc < c_parser_expression"},
                    Case{"SegmentationFaultWithoutSymbols",
                         "x.c:5:1: internal compiler error: Segmentation fault\n"
                         "0x7f2b1c05af8f ???\n\t./signal/../sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c:0\n",
                         "ICE: Segmentation fault"},
                    Case{"VerifyGimple",
                         "a.c:1:6: error: type mismatch in binary expression\n"
                         "during GIMPLE pass: reassoc\na.c:1:6: internal compiler error: verify_gimple failed\n"
                         "0x12ab verify_gimple_in_cfg(function*, bool)\n0x13ab execute_function_todo\n",
                         "ICE: verify_gimple failed: verify_gimple_in_cfg < execute_function_todo"},
                    Case{"Driver",
                         "gcc-12: internal compiler error: Segmentation fault signal terminated program cc1\n"
                         "Please submit a full bug report.\n",
                         "ICE: Segmentation fault in cc1"},
                    Case{"Killed", "gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n",
                         "ICE: Killed in cc1"},
                    Case{"Rejection",
                         "prog.c: In function 'f':\nprog.c:3:11: error: 'g_12' undeclared (first use in this "
                         "function)\n",
                         "error: '_' undeclared (first use in this function)"},
                    Case{"Assembler",
                         "/tmp/ccAbCdEf.s: Assembler messages:\n/tmp/ccAbCdEf.s:171: Error: incorrect register "
                         "`%rdi' used with "
                         "`l' suffix\n",
                         "error: incorrect register '_' used with '_' suffix"},
                    Case{"Linker",
                         "/usr/bin/ld: /tmp/ccQ12.o: in function `main':\nprog.c:(.text+0x5): undefined "
                         "reference to `func_7'\n"
                         "collect2: error: ld returned 1 exit status\n",
                         "error: undefined reference to '_'"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Clang, SignatureTest,
    testing::Values(Case{"Assertion",
                         "clang-14: /build/llvm-toolchain/llvm/lib/Analysis/ScalarEvolution.cpp:2455: const "
                         "llvm::SCEV* "
                         "llvm::ScalarEvolution::getAddExpr(llvm::SmallVectorImpl<const llvm::SCEV*>&, "
                         "unsigned int): Assertion "
                         "`getEffectiveSCEVType(Ops[i]->getType()) == ETy && \"SCEVAddExpr operand types don't "
                         "match!\"' failed.\n"
                         "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\nStack "
                         "dump:\n"
                         "0.\tProgram arguments: clang-14 -O2 /dev/shm/assay-1-2-3/a.c\n",
                         "assertion: getEffectiveSCEVType(Ops[i]->getType()) == ETy && \"SCEVAddExpr operand "
                         "types don't match!\" "
                         "in llvm::ScalarEvolution::getAddExpr"},
                    Case{"Unreachable",
                         "Unknown node 0x55d0c8a0!\nUNREACHABLE executed at "
                         "/src/llvm/lib/CodeGen/SelectionDAG/LegalizeDAG.cpp:123!\n"
                         "PLEASE submit a bug report\nStack dump:\n",
                         "unreachable: Unknown node N! at LegalizeDAG.cpp"},
                    Case{"Backend",
                         "fatal error: error in backend: Cannot select: 0x5581d0: v4i32 = X86ISD::FOO "
                         "0x5581e8, 0x558200\n",
                         "backend: Cannot select: N: v4i32 = X86ISD::FOO N, N"},
                    Case{"StackDumpWithSymbols",
                         "PLEASE submit a bug report to https://bugs.llvm.org/ and include the crash "
                         "backtrace.\nStack dump:\n"
                         "0.\tProgram arguments: /usr/bin/clang -O2 a.c\n1.\t<eof> parser at end of file\n"
                         " #0 0x00007f1234567890 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) "
                         "(/lib/x86_64-linux-gnu/libLLVM-14.so.1+0xea2d21)\n"
                         " #1 0x00007f1234567891 llvm::sys::RunSignalHandlers() "
                         "(/lib/x86_64-linux-gnu/libLLVM-14.so.1+0xea0bee)\n"
                         " #2 0x00007f1234567892 (/lib/x86_64-linux-gnu/libLLVM-14.so.1+0xea3256)\n"
                         " #3 0x00007f1234567893 __restore_rt ./signal/libc_sigaction.c:0:0\n"
                         " #4 0x00007f1234567894 llvm::Value::getContext() const "
                         "(/lib/x86_64-linux-gnu/libLLVM-14.so.1+0x1)\n"
                         " #5 0x00007f1234567895 (anonymous namespace)::GVNPass::run(llvm::Function&) "
                         "(/lib/libLLVM-14.so.1+0x2)\n"
                         " #6 0x00007f1234567896 llvm::PassManager<llvm::Function>::run(llvm::Function&) "
                         "(/lib/libLLVM-14.so.1+0x3)\n"
                         " #7 0x00007f1234567897 main (/usr/bin/clang+0x3)\n"
                         "clang: error: clang frontend command failed with exit code 139\n",
                         "crash: llvm::Value::getContext < GVNPass::run < llvm::PassManager::run"},
                    Case{"StackDumpWithPassesOnly",
                         "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: clang a.c\n"
                         "1.\tCode generation\n2.\tRunning pass 'Function Pass Manager' on module 'a.c'.\n"
                         "3.\tRunning pass 'X86 DAG->DAG Instruction Selection' on function '@func_3'\n",
                         "crash: in pass X86 DAG->DAG Instruction Selection"},
                    Case{"Rejection", "a.c:4:7: error: use of undeclared identifier 'l_2_3'\n1 error generated.\n",
                         "error: use of undeclared identifier '_'"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Small, SignatureTest,
    testing::Values(
        Case{"TccError", "prog.c:33: error: cannot cast 'struct S0' to 'int'\n", "error: cannot cast '_' to '_'"},
        Case{"TccInternal", "prog.c:33: error: internal compiler error\ntccgen.c:1792: in gen_opic(): bad size\n",
             "ICE: in gen_opic, at tccgen.c:1792"},
        Case{"TccAssertion", "tcc: x86_64-gen.c:1338: gfunc_call: Assertion `size <= 16' failed.\n",
             "assertion: size <= 16 in gfunc_call"},
        Case{"ChibiccInternal", "internal error at codegen.c:1032\n", "ICE: internal error at codegen.c:1032"},
        Case{"ChibiccRejection",
             "/dev/shm/assay-9-9-9/prog.c:12: static int (*g_3[2])(int);\n                         "
             "^ expected ','\n",
             "error: expected '_'"},
        Case{"PccInternal", "prog.c, line 45: compiler error: Cannot generate code, node 0x5562 op UMUL\n",
             "ICE: Cannot generate code, node N op UMUL"},
        Case{"PccMajor", "major internal compiler error: prog.c, line 45\n", "ICE: somewhere"},
        Case{"PccSignal", "error: ccom terminated with signal 11\n", "signal SIGSEGV"},
        Case{"PccRejection",
             "prog.c, line 7: operands of = have incompatible types\n"
             "prog.c, line 7: cannot recover from earlier errors: goodbye!\n"
             "error: /usr/bin/x86_64-linux-gnu-ccom terminated with status 1\n",
             "error: operands of = have incompatible types"},
        Case{"Sanitized",
             "=================================================================\n"
             "==1234==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at "
             "pc 0x55\n"
             "READ of size 4 at 0x602000000014 thread T0\n"
             "    #0 0x55d1 in lex_token /src/lexer.c:88:3\n    #1 0x55d2 in parse(Tok*) "
             "/src/parse.c:9\n"
             "    #2 0x7f00 in __libc_start_main (/lib/libc.so.6+0x23d09)\n\n"
             "0x602000000014 is located 0 bytes\n    #0 0x44 in malloc\n",
             "AddressSanitizer heap-buffer-overflow: lex_token < parse"},
        Case{"Silent", "", "exit 1 without a diagnostic"}),
    [](const auto& info) { return info.param.name; });

// What only says how a compiler ended is the same for many bugs.
TEST(CompileSignatureTest, SomeSayWhereAndSomeDoNot) {
  for (const char* one :
       {"compiler-crash gcc ICE: in foo, at bar.c:17", "compiler-crash clang assertion: a > b in f",
        "compiler-crash gcc ICE: Segmentation fault: f < g", "compiler-crash clang signal SIGSEGV: f < g",
        "compiler-crash clang crash: f < g", "compiler-crash chibicc ICE: internal error at codegen.c:12",
        "rejected-valid tcc error: no", "compiler-crash clang backend: cannot select"}) {
    EXPECT_TRUE(SaysWhere(one)) << one;
  }
  for (const char* one :
       {"compiler-hang gcc timed-out", "compiler-hang my cc memory-limit", "compiler-crash gcc signal SIGSEGV",
        "compiler-crash chibicc exit 1 without a diagnostic", "compiler-crash cc success without a program",
        "compiler-crash clang crash: frontend command failed due to signal",
        "compiler-crash gcc ICE: Segmentation fault", "compiler-crash gcc ICE: Killed in cc1",
        "wrong-output gcc-12 -O2, gcc-12 -O3", ""}) {
    EXPECT_FALSE(SaysWhere(one)) << one;
  }
}

// pcc warns of every attribute that it does not know, and has no word for errors.
TEST(CompileSignatureTest, AWarningIsNoReason) {
  const std::string last =
      "cannot recover from earlier errors: goodbye!\nerror: /usr/bin/ccom terminated with status 1\n";
  EXPECT_EQ(SignatureOf("a.c:30: warning: unsupported attribute `noipa'\na.c, line 45: bad type\n" + last),
            "error: bad type");
  EXPECT_EQ(SignatureOf("a.c:30: warning: unsupported attribute `noipa'\n"),
            "error: warning: unsupported attribute '_'");
}

TEST(SignatureOfSignalTest, SignalWithAndWithoutText) {
  EXPECT_EQ(SignatureOfSignal(11, ""), "signal SIGSEGV");
  EXPECT_EQ(SignatureOfSignal(11, "a.c:3: warning: something\n"), "signal SIGSEGV");
  EXPECT_EQ(SignatureOfSignal(6, "tcc: tccgen.c:13: vset: Assertion `v' failed.\n"), "assertion: v in vset");
  EXPECT_EQ(SignatureOfSignal(6, "free(): invalid pointer\n"), "signal SIGABRT");
}

TEST(SignatureOfLimitTest, NamesTheLimit) {
  EXPECT_EQ(CompileSignature({}, {.ending = Ending::TimedOut}), "timed-out");
  EXPECT_EQ(CompileSignature({}, {.ending = Ending::MemoryLimit, .stderr_text = "a.c:1: error: x"}), "memory-limit");
}

TEST(SignatureTest, TheSameBugInAnotherProgramHasTheSameSignature) {
  const std::string one =
      "/dev/shm/assay-11-5-0/prog.c:120:5: internal compiler error: Segmentation fault\n0xabc "
      "fold(int)\n0x1 main\n";
  const std::string two =
      "/tmp/other/x.c:7:15: internal compiler error: Segmentation fault\n0x99999 fold(int)\n0x2 "
      "main\n";
  EXPECT_EQ(SignatureOf(one), SignatureOf(two));
  const std::string three = "x.c:7:15: internal compiler error: Segmentation fault\n0x99999 unfold(int)\n0x2 main\n";
  EXPECT_NE(SignatureOf(one), SignatureOf(three));
}

TEST(NormaliseTest, TakesAwayWhatVaries) {
  EXPECT_EQ(Normalise("/a/b.c:12:3: size of 'x' is 0x1F, not 12"), "size of '_' is N, not N");
  EXPECT_EQ(Normalise("cannot open /dev/shm/assay-1-2-3/a.out: busy"), "cannot open PATH: busy");
  EXPECT_EQ(Normalise("plain words stay, x86_64 too"), "plain words stay, x86_64 too");
  EXPECT_EQ(Normalise(""), "");
}

TEST(BareNameTest, WithoutArgumentsTemplatesAndClones) {
  EXPECT_EQ(BareName("std::vector<int, std::allocator<int> >::at(unsigned long)"), "std::vector::at");
  EXPECT_EQ(BareName("foo.constprop.0"), "foo");
  EXPECT_EQ(BareName("foo(int) [clone .part.3]"), "foo");
  EXPECT_EQ(BareName("virtual void (anonymous namespace)::Pass::run(llvm::Function&) const"), "Pass::run");
  EXPECT_EQ(BareName("plain"), "plain");
}

// A stack overflow ended the whole campaign.
TEST(CompileSignatureTest, LinesWithoutEndAreCut) {
  const target::Target target;
  const std::string much(3 << 20, 'A');
  const std::string bits[] = {much,
                              "a.c:1: error: " + much,
                              much + ": error: no",
                              "internal compiler error\n" + much,
                              "internal compiler error: " + much + "in f, at g.cc:3",
                              "internal error at " + much + ":3",
                              "x:1: " + much + ": Assertion `" + much + "' failed",
                              "Stack dump:\n #0 0x00 " + much,
                              "0x12 " + much,
                              "#0 0x12 in " + much,
                              "ERROR: AddressSanitizer: " + much,
                              much + " signal terminated program cc1",
                              "  ^ " + much,
                              std::string(1 << 20, '/'),
                              std::string(1 << 20, '\''),
                              std::string(3 << 20, '\n') + "a.c:1: error: no\n"};
  for (const std::string& text : bits) {
    for (const Observation& seen : {Observation{.ending = Ending::Exited, .exit_code = 1, .stderr_text = text},
                                    Observation{.ending = Ending::Signaled, .signal = 11, .stdout_text = text}}) {
      const std::string signature = CompileSignature(target, seen);
      EXPECT_FALSE(signature.empty());
      EXPECT_LE(signature.size(), 300u);
    }
  }
  // Nor does it take minutes, which nothing could interrupt.
  const auto start = std::chrono::steady_clock::now();
  for (const std::string part : {"A", "a:1: ", " #1 0x1 a", "/", "signal ", "x error:"}) {
    std::string text;
    while (text.size() < (1u << 20)) {
      std::string line;
      while (line.size() < 990) line += part;
      text += line + "\n";
    }
    CompileSignature(target, {.ending = Ending::Exited, .exit_code = 1, .stderr_text = text});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  // A number that is none.
  const std::string big = "terminated with signal 99999999999999999999999";
  CompileSignature(target, {.ending = Ending::Exited, .exit_code = 1, .stderr_text = big});
  // What stands at the end of a lot is still seen.
  const Observation last{.ending = Ending::Exited,
                         .exit_code = 1,
                         .stderr_text = much + "\n" + much + "\na.c:1:1: internal compiler error: in f, at g.cc:3\n"};
  EXPECT_EQ(CompileSignature(target, last), "ICE: in f, at g.cc:3");
}

TEST(FindKeyTest, CrashesBySignatureWrongOutputByFailingSet) {
  target::Target target;
  target.family = "gcc";
  const Observation crash{
      .ending = Ending::Exited, .exit_code = 1, .stderr_text = "a.c:1:1: internal compiler error: in f, at g.cc:3\n"};
  EXPECT_EQ(FindKey(target, oracle::Verdict::CompilerCrash, crash, "gcc-12 -O2"),
            "compiler-crash gcc ICE: in f, at g.cc:3");
  EXPECT_EQ(FindKey(target, oracle::Verdict::WrongOutput, {}, "gcc-12 -O2, gcc-12 -O3"),
            "wrong-output gcc-12 -O2, gcc-12 -O3");
}

// What a script looks for must be in the text as it stands.
TEST(PlaceAsPrintedTest, SaysWhereWithoutTheLine) {
  EXPECT_EQ(PlaceAsPrinted("a.c:3:1: internal compiler error: in simplify_subreg, at simplify-rtx.cc:7321\n"),
            "in simplify_subreg, at ");
  EXPECT_EQ(PlaceAsPrinted("a.c:3:1: internal compiler error: tree check: expected x, have y in build2, at t.h:3\n"),
            "in build2, at ");
  EXPECT_EQ(PlaceAsPrinted("noise\ntcc: x86_64-gen.c:1338: gfunc_call: Assertion `size <= 16' failed.\n"),
            "Assertion `size <= 16' failed");
  EXPECT_EQ(PlaceAsPrinted("a.c:3:1: internal compiler error: Segmentation fault\n"), "");
  EXPECT_EQ(PlaceAsPrinted("error: no\n"), "");
  EXPECT_EQ(PlaceAsPrinted("internal compiler error: " + std::string(1 << 20, 'x') + "in f, at g.cc:1"), "");
}

}  // namespace
}  // namespace assay::triage
