// Planted bugs: a wrapper that is gcc, except that it miscompiles, crashes on or rejects a given
// pattern. Every reduction must end with the same bug, valid and small. The first kInEveryRun of
// them run always, all twenty with ASSAY_ALL_PLANTED=1 in the environment (./dev bench planted).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "exec/scratch.hpp"
#include "gen/generate.hpp"
#include "lang/builder.hpp"
#include "lang/verify.hpp"
#include "reduce/reduce.hpp"

namespace assay {
namespace {

struct Planted {
  const char* name;
  const char* action;  // shell: may change $source (a copy) or end the script
  oracle::Verdict verdict;
};

constexpr Planted kPlanted[] = {
    {"RemainderBecomesQuotient", "sed -i 's| % | / |g' $source", oracle::Verdict::WrongOutput},
    {"ShiftRightBecomesLeft", "sed -i 's/ >> / << /g' $source", oracle::Verdict::WrongOutput},
    {"MinusBecomesPlus", "sed -i 's/\\([a-z0-9)]\\) - \\([a-z0-9(]\\)/\\1 + \\2/g' $source",
     oracle::Verdict::WrongOutput},
    {"LessBecomesGreater", "sed -i 's/ < \\([a-z]\\)/ > \\1/g' $source", oracle::Verdict::WrongOutput},
    {"CrashOnSwitch",
     "grep -q 'switch (' $source && { echo 'internal compiler error: in expand_case, at "
     "stmt.cc:1047' >&2; exit 1; }",
     oracle::Verdict::CompilerCrash},
    {"CrashOnUnion",
     "grep -q '^union' $source && { echo 'internal compiler error: in layout_union, at "
     "stor-layout.cc:7' >&2; exit 1; }",
     oracle::Verdict::CompilerCrash},
    {"XorBecomesOr", "sed -i 's/ ^ / | /g' $source", oracle::Verdict::WrongOutput},
    {"AndBecomesOr", "sed -i 's/ & / | /g' $source", oracle::Verdict::WrongOutput},
    {"EqualBecomesUnequal", "sed -i 's/ == / != /g' $source", oracle::Verdict::WrongOutput},
    {"ForgetsComplement", "sed -i 's/~//g' $source", oracle::Verdict::WrongOutput},
    {"ForgetsNot", "sed -i 's/!\\([a-z(]\\)/\\1/g' $source", oracle::Verdict::WrongOutput},
    {"SubtractingAssignmentAdds", "sed -i 's/ -= / += /g' $source", oracle::Verdict::WrongOutput},
    {"ProductBecomesSum", "sed -i 's/ \\* / + /g' $source", oracle::Verdict::WrongOutput},
    {"ForgetsShortCircuit", "sed -i 's/ && / \\& /g' $source", oracle::Verdict::WrongOutput},
    {"ContinueBecomesBreak", "sed -i 's/continue;/break;/g' $source", oracle::Verdict::WrongOutput},
    {"ForgetsBreak", "sed -i 's/^ *break;$/;/' $source", oracle::Verdict::WrongOutput},
    {"WhileReadsNull", "sed -i 's/^\\( *\\)while (/\\1while (*(volatile int *)0 + /' $source",
     oracle::Verdict::ProgramCrash},
    {"CrashOnDo",
     "grep -q ' do {' $source && { echo 'internal compiler error: in expand_do, at stmt.cc:7' >&2; "
     "exit 1; }",
     oracle::Verdict::CompilerCrash},
    {"RejectsVolatile",
     "grep -q 'volatile ' $source && { echo 'program.c:3:1: error: not in this house' >&2; exit 1; "
     "}",
     oracle::Verdict::RejectedValid},
    {"RejectsGoto", "grep -q 'goto ' $source && { echo 'program.c:3:1: error: what is a goto?' >&2; exit 1; }",
     oracle::Verdict::RejectedValid},
};

static_assert(std::size(kPlanted) == 20);
constexpr size_t kInEveryRun = 7;

class PlantedBug : public testing::TestWithParam<size_t> {};

TEST_P(PlantedBug, ReducesToTheSameBug) {
  const Planted& planted = kPlanted[GetParam()];
  if (GetParam() >= kInEveryRun && std::getenv("ASSAY_ALL_PLANTED") == nullptr) GTEST_SKIP() << "set ASSAY_ALL_PLANTED";
  auto scratch = exec::Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  const std::filesystem::path folder = scratch->Path();
  const std::string wrapper = (folder / "cc").string();
  std::ofstream(wrapper) << "#!/bin/sh\nsource=changed.c\ncp \"$1\" $source\n"
                         << planted.action << "\nexec gcc -w -O0 $source -o \"$2\" -lm\n";
  std::filesystem::permissions(wrapper, std::filesystem::perms::all);
  target::Target target;
  target.name = target.family = "planted";
  target.compile = {wrapper, "{source}", "{output}"};
  target.crash_diagnostics = {"internal compiler error"};

  knobs::Knobs knobs;
  knobs.tokens = 1500;
  knobs.globals = 8;
  exec::Executor executor;
  int reduced_count = 0;
  for (uint64_t seed = 1; seed <= 40 && reduced_count < 1; ++seed) {
    const gen::Generated made = gen::Generate(seed, knobs, lang::DataModelKind::Lp64);
    reduce::ReduceOptions options;
    options.verdict = planted.verdict;
    options.tries = 1;
    options.search.threads = 2;
    auto reduced = reduce::ReduceCase(made.program, {&target, {}}, executor, options);
    if (!reduced) continue;  // this program does not have the pattern
    ++reduced_count;
    EXPECT_TRUE(reduced->stats.finished);
    EXPECT_EQ(reduced->bug.verdict, planted.verdict);
    EXPECT_LE(reduced->lines, 30u) << reduced->source;
    EXPECT_TRUE(lang::Verify(reduced->subject.program).empty());
    machine::Machine machine(reduced->subject.program, {});
    EXPECT_EQ(machine.Run().trap.kind, machine::TrapKind::None);
    // The bug is the wrapper's alone: the real compiler with sanitizers has nothing to say.
    const std::string file = (folder / "reduced.c").string(), program = (folder / "sane").string();
    std::ofstream(file) << reduced->source;
    EXPECT_EQ(std::system(("gcc -w -fsanitize=address,undefined -fno-sanitize-recover=all " + file + " -o " + program +
                           " -lm && " + program + " > /dev/null")
                              .c_str()),
              0)
        << reduced->source;
  }
  EXPECT_EQ(reduced_count, 1) << "no program had the pattern";
}

// A compiler that is a shell script, and a program with an empty entry function for it.
class PlantedByHand : public testing::Test {
 protected:
  PlantedByHand() {
    program_.entry = b_.Function(program_.types.Function(program_.types.Basic(lang::TypeKind::Void), {}));
  }
  // The script gets the source, the output and the flags, and makes changed.c of the source or
  // ends.
  reduce::Reduced Reduce(const std::string& script, std::vector<std::string> flags = {}) {
    const std::string wrapper = (scratch_->Path() / "cc").string();
    std::ofstream(wrapper) << "#!/bin/sh\n" << script << "\nexec gcc -w $3 changed.c -o \"$2\" -lm\n";
    std::filesystem::permissions(wrapper, std::filesystem::perms::all);
    target_.name = target_.family = "planted";
    target_.compile = {wrapper, "{source}", "{output}", "{flags}"};
    auto reduced = reduce::ReduceCase(program_, {&target_, std::move(flags)}, executor_, {});
    EXPECT_TRUE(reduced.Ok()) << reduced.GetError().message;
    return reduced ? std::move(reduced).Value() : reduce::Reduced();
  }
  lang::TypeId Int() { return program_.types.Basic(lang::TypeKind::Int); }
  void Set(lang::VarId var, lang::ExprId value) {
    b_.Append(program_.functions[program_.entry].body, b_.ExprStatement(b_.Assign(b_.Var(var), value)));
  }

  support::Result<exec::Scratch> scratch_ = exec::Scratch::Make();
  lang::Program program_;
  lang::Builder b_{program_};
  target::Target target_;
  exec::Executor executor_;
};

constexpr const char* kDivides = "sed 's| % | / |g' \"$1\" >changed.c";

// C89 leaves the exit code of a main without a return open, and a program that ends with it would
// show another bug than the one found.
// It ends with 0 and has made no program, or what the system cannot start.
TEST_F(PlantedByHand, SuccessWithoutAProgramIsReduced) {
  const lang::VarId kept = b_.Global(Int()), other = b_.Global(Int());
  Set(other, b_.Int(4));
  Set(kept, b_.Int(27));
  for (const char* makes : {"", "echo rubbish >\"$2\"; chmod +x \"$2\"; "}) {
    const reduce::Reduced reduced = Reduce(std::string("grep -q 27 $1 && { ") + makes + "exit 0; }\ncp $1 changed.c");
    EXPECT_EQ(reduced.bug.verdict, oracle::Verdict::CompilerCrash) << makes;
    EXPECT_NE(reduced.source.find("27"), std::string::npos) << reduced.source;
    EXPECT_EQ(reduced.source.find(" = 4"), std::string::npos) << reduced.source;
  }
}

TEST_F(PlantedByHand, MainReturnsUnlessThatIsImplied) {
  const lang::VarId var = b_.Global(Int(), b_.InitExpr(b_.Int(7)));
  Set(var, b_.Binary(lang::BinaryOp::Rem, b_.Var(var), b_.Int(4)));
  for (const char* standard : {"-std=gnu89", "-std=gnu99"}) {
    const reduce::Reduced reduced = Reduce(kDivides, {standard});
    EXPECT_NE(reduced.source.find(" % "), std::string::npos) << reduced.source;
    EXPECT_EQ(reduced.source.find("return 0;") != std::string::npos, std::string_view(standard) == "-std=gnu89")
        << reduced.source;
  }
}

TEST_F(PlantedByHand, MainLooksAtTheValueItself) {
  const lang::VarId var = b_.Global(Int(), b_.InitExpr(b_.Int(7)));
  Set(b_.Global(Int()), b_.Binary(lang::BinaryOp::Rem, b_.Var(var), b_.Int(4)));
  const reduce::Reduced reduced = Reduce(kDivides);
  EXPECT_TRUE(reduced.subject.direct);
  EXPECT_NE(reduced.source.find(" % "), std::string::npos) << reduced.source;
  EXPECT_EQ(reduced.source.find(" = "), std::string::npos) << reduced.source;
  EXPECT_EQ(reduced.expected.find('='), std::string::npos) << reduced.expected;
}

TEST_F(PlantedByHand, AVariableThatTheBugNeedsStays) {
  const lang::VarId var = b_.Global(Int(), b_.InitExpr(b_.Int(7)));
  Set(b_.Global(Int()), b_.Binary(lang::BinaryOp::Rem, b_.Var(var), b_.Int(4)));
  const reduce::Reduced reduced = Reduce("sed 's|\\( = .*\\) % |\\1 / |g' \"$1\" >changed.c");
  EXPECT_FALSE(reduced.subject.direct);
  EXPECT_NE(reduced.source.find(" = "), std::string::npos) << reduced.source;
}

TEST_F(PlantedByHand, ListsOfCompoundLiteralsLoseTheirItems) {
  std::vector<lang::InitItem> items;
  for (uint32_t i = 0; i < 6; ++i) items.push_back({i, b_.InitExpr(b_.Int(0))});
  const lang::VarId literal =
      b_.Local(program_.entry, program_.types.Array(Int(), 6), lang::Storage::Literal, b_.InitList(items));
  Set(b_.Global(Int()), b_.Index(b_.CompoundLiteral(literal), b_.Int(0)));
  const reduce::Reduced reduced = Reduce(
      "grep -q '){.*,' \"$1\" && { echo 'error: what is a list?' >&2; exit 1; }; cp \"$1\" "
      "changed.c");
  EXPECT_EQ(reduced.bug.verdict, oracle::Verdict::RejectedValid);
  EXPECT_NE(reduced.source.find("){0, 0}"), std::string::npos) << reduced.source;
}

INSTANTIATE_TEST_SUITE_P(Planted, PlantedBug, testing::Range<size_t>(0, std::size(kPlanted)),
                         [](const auto& info) { return std::string(kPlanted[info.param].name); });

}  // namespace
}  // namespace assay
