// Triage with real compilers: a wrapper that is gcc or clang, except that it breaks a pattern while one pass of the
// optimiser is on. The pass must be named, the flags be the needed ones, two finds of one breakage be one bug and those
// of two be two. The first kInEveryRun cases of each family run always, all with ASSAY_ALL_PLANTED=1 in the environment
// (./dev bench planted).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "campaign/same_bug.hpp"
#include "campaign/triage_bug.hpp"
#include "exec/scratch.hpp"

namespace assay {
namespace {

struct Planted {
  const char* name;
  const char* family;  // "gcc" or "clang"
  const char* pass;    // as the compiler names it
  const char* flags;   // with which the find happened
  const char* needed;
  const char* breaks;   // the program of the find, which must return 0
  const char* pattern;  // a script of sed: what is compiled instead
};

constexpr const char* kShift = "int a = 64; int main(void) { return a >> 3 != 8; }";
constexpr const char* kRemainder = "int a = 64; int main(void) { return a % 7 != 1; }";
constexpr const char* kLoop = "int a; int main(void) { for (int i = 0; i < 5; i++) a++; return a != 5; }";
constexpr const char* kXor = "int a = 6; int main(void) { return (a ^ 3) != 5; }";
constexpr const char* kBreakShift = "s/>> 3/>> 2/";
constexpr const char* kBreakRemainder = "s/% 7/% 5/";
constexpr const char* kBreakLoop = "s/i < 5/i < 4/";
constexpr const char* kBreakXor = "s/\\^ 3/| 3/";

constexpr Planted kPlanted[] = {
    {"Vrp", "gcc", "tree-vrp1", "-O2 -funroll-loops -fno-ipa-icf", "-O2", kShift, kBreakShift},
    {"Ccp", "gcc", "tree-ccp2", "-O3 -g -fno-plt", "-O1", kRemainder, kBreakRemainder},
    {"Vectoriser", "gcc", "tree-vect", "-O3 -fno-tree-pre --param max-unroll-times=4", "-O2", kLoop, kBreakLoop},
    {"Pre", "gcc", "tree-pre", "-O3", "-O2", kXor, kBreakXor},
    {"Dse", "gcc", "tree-dse2", "-O2 -fno-inline", "-O1", kShift, kBreakShift},
    {"Sra", "gcc", "tree-sra", "-O2", "-O1", kRemainder, kBreakRemainder},
    {"Combine", "gcc", "rtl-combine", "-O3 -fno-tree-vrp", "-O1", kXor, kBreakXor},
    {"Gcse", "gcc", "rtl-cprop1", "-O3", "-O2", kLoop, kBreakLoop},
    {"Inline", "gcc", "ipa-inline", "-Os", "", kShift, kBreakShift},
    {"Unswitch", "gcc", "tree-unswitch", "-O3 -g", "-O3", kLoop, kBreakLoop},
    {"InstCombine", "clang", "InstCombinePass", "-O2 -fno-vectorize", "-O1", kShift, kBreakShift},
    {"Simplify", "clang", "SimplifyCFGPass", "-O3", "-O1", kRemainder, kBreakRemainder},
    {"Rotate", "clang", "LoopRotatePass", "-O3 -fPIC", "-O1", kLoop, kBreakLoop},
    {"Gvn", "clang", "GVNPass", "-O3", "-O2", kXor, kBreakXor},
    {"Sroa", "clang", "SROAPass", "-O2", "-O1", kXor, kBreakXor},
    {"Licm", "clang", "LICMPass", "-O2", "-O1", kLoop, kBreakLoop},
    {"LoopVectorize", "clang", "LoopVectorizePass", "-O3 -funroll-loops", "-O1", kLoop, kBreakLoop},
    {"Slp", "clang", "SLPVectorizerPass", "-O3 -fno-strict-aliasing", "-O2", kShift, kBreakShift},
    {"EarlyCse", "clang", "EarlyCSEPass", "-Os", "-O1", kRemainder, kBreakRemainder},
    {"Bdce", "clang", "BDCEPass", "-O3", "-O1", kXor, kBreakXor},
};
static_assert(std::size(kPlanted) == 20);

bool RunsAlways(size_t i) { return i < 3 || i == 10 || i == 16; }

// The broken compiler of a case, and finds in it.
class Shop {
 public:
  explicit Shop(const Planted& planted) : planted_(planted), scratch_(std::move(exec::Scratch::Make()).Value()) {
    const std::string compiler = planted.family == std::string("gcc") ? "gcc" : "clang";
    const std::string wrapper = (scratch_.Path() / "cc").string();
    // Whether the pass is on, the compiler itself says about the unbroken program.
    const std::string asks = compiler == "gcc"
                                 ? "gcc \"$@\" -w -fdump-passes -S -o /dev/null 2>&1 | grep -q '^ *" +
                                       std::string(planted.pass) + " *:  ON$'"
                                 : "{ case \"$*\" in *opt-bisect-limit*) clang \"$@\" -w -c -o /dev/null ;; *) clang "
                                   "\"$@\" -mllvm -opt-bisect-limit=-1 -w -c -o /dev/null ;; esac; } 2>&1 | grep -q "
                                   "'BISECT: running pass ([0-9]*) " +
                                       std::string(planted.pass) + " '";
    std::ofstream(wrapper) << "#!/bin/sh\nout=$1; shift\nif " << asks << "; then\n  sed -i '" << planted.pattern
                           << "' program.c\nfi\nexec " << compiler << " -w \"$@\" -o \"$out\"\n";
    std::filesystem::permissions(wrapper, std::filesystem::perms::all);
    target_.name = target_.family = compiler;
    target_.compile = {wrapper, "{output}", "{flags}", "{source}"};
    if (compiler == "gcc") {
      target_.passes.list = {"-fdump-passes"};
      target_.passes.disable = {"-fdisable-{pass}"};
      target_.passes.show = {"-fdump-{pass}-details=stderr"};
    } else {
      target_.passes.bisect = {"-mllvm", "-opt-bisect-limit={limit}"};
      target_.passes.show = {"-mllvm", "-print-changed"};
    }
  }

  store::Bug Find(const std::string& name, const std::string& program) const {
    store::Bug bug{.name = name, .kind = "wrong-output", .family = target_.family, .target = target_.name};
    bug.flags = planted_.flags;
    bug.configuration = target_.name + " " + planted_.flags;
    bug.language = "c";
    bug.files = {{"reduced", "program.c", program + "\n"}, {"reduced-expected", "reduced_expected.txt", ""}};
    return bug;
  }

  store::Triage Look(const store::Bug& bug) {
    auto lab = campaign::Lab::Make(executor_);
    auto triage = campaign::TriageBug(*lab, {target_}, bug, memory_, {.seconds = 120});
    EXPECT_TRUE(triage.Ok());
    return *triage;
  }

 private:
  const Planted& planted_;
  exec::Executor executor_;
  campaign::TriageMemory memory_;
  exec::Scratch scratch_;
  target::Target target_;
};

class PlantedPass : public testing::TestWithParam<size_t> {};

TEST_P(PlantedPass, IsNamedAndTheFlagsAreThoseItNeeds) {
  const Planted& planted = kPlanted[GetParam()];
  if (!RunsAlways(GetParam()) && std::getenv("ASSAY_ALL_PLANTED") == nullptr) GTEST_SKIP() << "set ASSAY_ALL_PLANTED";
  Shop shop(planted);
  store::Bug bug = shop.Find("one", planted.breaks);
  bug.triage = shop.Look(bug);
  EXPECT_EQ(bug.triage->pass, planted.pass) << bug.triage->note;
  EXPECT_EQ(bug.triage->flags, planted.needed);
  // LLVM's pass may have changed nothing: the breakage is the wrapper's.
  const bool shown = planted.family == std::string("clang") || bug.triage->after.find("main") != std::string::npos;
  EXPECT_TRUE(shown) << bug.triage->after;

  // The same breakage in another program is the same bug; another breakage of the same pass is not.
  std::string other_seed = planted.breaks;
  other_seed.replace(other_seed.find("int a"), 5, "long g_7, a");
  store::Bug again = shop.Find("two", other_seed);
  again.triage = shop.Look(again);
  EXPECT_EQ(again.triage->pass, planted.pass) << again.triage->note;
  const auto like = campaign::LikeAnother(again, {bug});
  ASSERT_TRUE(like.has_value());
  EXPECT_NE(like->reason.find("pass"), std::string::npos);
  store::Bug other = bug;
  other.files[0].content = planted.breaks == kRemainder ? kXor : kRemainder;
  EXPECT_FALSE(campaign::LikeAnother(other, {bug}).has_value());
  other = bug;
  other.triage->pass = "another";
  EXPECT_FALSE(campaign::LikeAnother(other, {bug}).has_value());
}

// A bug that shows each second time: every answer would be a matter of chance.
TEST(TriageTest, OfWhatHappensSometimesNothingIsSaid) {
  auto scratch = exec::Scratch::Make();
  ASSERT_TRUE(scratch.Ok());
  const std::string wrapper = (scratch->Path() / "cc").string(), count = (scratch->Path() / "count").string();
  std::ofstream(wrapper) << "#!/bin/sh\nout=$1; shift\necho >>" << count << "\n[ $(($(wc -l <" << count
                         << ") % 2)) = 0 ] || { sed -i 's/0/1/' program.c; }\nexec gcc -w \"$@\" -o \"$out\"\n";
  std::filesystem::permissions(wrapper, std::filesystem::perms::all);
  target::Target target;
  target.name = target.family = "gcc";
  target.compile = {wrapper, "{output}", "{flags}", "{source}"};
  target.writable = {scratch->Path().string()};
  target.passes.list = {"-fdump-passes"};
  target.passes.disable = {"-fdisable-{pass}"};
  store::Bug bug{.name = "one", .kind = "wrong-output", .family = "gcc", .target = "gcc"};
  bug.flags = "-O2 -g";
  bug.configuration = "gcc -O2 -g";
  bug.language = "c";
  bug.files = {{"reduced", "program.c", "int main(void) { return 0; }\n"},
               {"reduced-expected", "reduced_expected.txt", ""}};
  exec::Executor executor;
  auto lab = campaign::Lab::Make(executor);
  campaign::TriageMemory memory;
  auto triage = campaign::TriageBug(*lab, {target}, bug, memory, {.seconds = 120});
  ASSERT_TRUE(triage.Ok());
  EXPECT_EQ(triage->note, campaign::kShownSometimes);
  EXPECT_EQ(triage->pass, "");
  EXPECT_EQ(triage->flags, "-O2 -g") << "none of them can be left out";
}

// A busy machine, or a short limit: what was known stays.
TEST(TriageTest, WithoutTimeWhatIsKnownStays) {
  store::Bug bug;
  bug.triage = store::Triage{.flags = "-O2", .pass = "tree-vrp1"};
  campaign::TakeTriage(bug, {.flags = "-O2 -g", .note = std::string(triage::kTimeWasUp) + " before a pass was found"});
  EXPECT_EQ(bug.triage->pass, "tree-vrp1");
  EXPECT_EQ(bug.triage->flags, "-O2");
  campaign::TakeTriage(bug, {.flags = "-O1", .note = "no pass that can be left out"});
  EXPECT_EQ(bug.triage->pass, "");
}

INSTANTIATE_TEST_SUITE_P(All, PlantedPass, testing::Range<size_t>(0, std::size(kPlanted)),
                         [](const auto& info) { return kPlanted[info.param].name; });

}  // namespace
}  // namespace assay
