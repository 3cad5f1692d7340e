#include "triage/known.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::triage {
namespace {

using testing::HasSubstr;

KnownBugs Toml(const std::string& text) {
  auto known = KnownBugs::Parse(text, "known.toml");
  EXPECT_TRUE(known.Ok()) << known.GetError().message;
  return known ? *known : KnownBugs();
}

std::string ErrorOf(const std::string& text) {
  auto known = KnownBugs::Parse(text, "team/known.toml");
  return known ? "" : known.GetError().message;
}

constexpr Sighting kFind{.name = "gcc-wrong-output-1",
                         .signature = "wrong-output gcc: gcc-12 -O2",
                         .family = "gcc",
                         .kind = "wrong-output",
                         .version = "gcc (Debian 12.2.0-14+deb12u1) 12.2.0"};

TEST(KnownTest, LinesAreNamesOrSignatures) {
  auto known = KnownBugs::Parse("# a comment\n\r\n  gcc-wrong-output-1 \r\nICE: in foo\n", "known.txt");
  ASSERT_TRUE(known.Ok());
  EXPECT_TRUE(known->Find(kFind).has_value());
  EXPECT_TRUE(known->Find({.name = "x", .signature = "ICE: in foo"}).has_value());
  EXPECT_FALSE(known->Find({.name = "x", .signature = "ICE: in foobar"}).has_value());
  EXPECT_FALSE(known->Find({.name = "# a comment"}).has_value());
}

// Read as lines, they would be signatures that no find has.
TEST(KnownTest, TablesAreTablesWhateverTheFileIsCalled) {
  auto known = KnownBugs::Parse("# ours\n[[bug]]\nname = 'gcc-wrong-output-1'\n", "/dev/fd/63");
  ASSERT_TRUE(known.Ok());
  EXPECT_TRUE(known->Find(kFind).has_value());
}

TEST(KnownTest, FamilyAndKindNarrowASignature) {
  const KnownBugs known = Toml("[[bug]]\nsignature = 'ICE: in foo'\nfamily = 'gcc'\nkind = 'compiler-crash'\n");
  Sighting seen{.signature = "ICE: in foo", .family = "gcc", .kind = "compiler-crash"};
  EXPECT_TRUE(known.Find(seen).has_value());
  seen.family = "clang";
  EXPECT_FALSE(known.Find(seen).has_value());
}

// Which configurations fail does not tell which bug it is: the small program must look like it.
TEST(KnownTest, WithAPortraitTheSmallProgramDecides) {
  const KnownBugs known = Toml(
      "[[bug]]\nsignature = 'wrong-output gcc: gcc-12 -O2'\npass = 'tree-vrp1'\nconstructs = ['loop', 'shift']\n"
      "tracker = 'PR 1'\n");
  Sighting seen = kFind;
  EXPECT_FALSE(known.Find(seen).has_value()) << "not reduced yet";
  const Portrait other{.pass = "tree-vrp1", .constructs = {"bit-field", "union", "call"}};
  seen.portrait = &other;
  EXPECT_FALSE(known.Find(seen).has_value());
  const Portrait same{.pass = "tree-vrp2", .constructs = {"loop", "shift"}};
  seen.portrait = &same;
  ASSERT_TRUE(known.Find(seen).has_value());
  EXPECT_EQ(known.Find(seen)->bug->Told(), "PR 1");
}

TEST(KnownTest, InAVersionThatHasItFixedItIsBack) {
  const auto is_back = [](const std::string& fixed_in, std::string_view version) {
    Sighting seen = kFind;
    seen.version = version;
    const auto found =
        Toml("[[bug]]\nname = 'gcc-wrong-output-1'\ntracker = 'PR 1'\nfixed_in = '" + fixed_in + "'\n").Find(seen);
    EXPECT_TRUE(found.has_value());
    return found && found->is_back;
  };
  EXPECT_FALSE(is_back("", kFind.version));
  EXPECT_FALSE(is_back("13", kFind.version));
  EXPECT_FALSE(is_back("12.3", kFind.version));
  EXPECT_TRUE(is_back("12.2", kFind.version));
  EXPECT_TRUE(is_back("12", kFind.version));
  EXPECT_TRUE(is_back("9.4", kFind.version)) << "numbers, not letters";
  EXPECT_FALSE(is_back("15", "Debian clang version 14.0.6"));
  EXPECT_FALSE(is_back("0.9.28", "tcc version 0.9.27 (x86_64 Linux)"));
  EXPECT_TRUE(is_back("1", "a compiler without a number")) << "in doubt it is a bug";
  // Not of what it was built with, nor of the name it was called by.
  EXPECT_TRUE(is_back("13.1", "gcc (crosstool-NG 1.25.0) 13.2.0"));
  EXPECT_FALSE(is_back("13", "mips-linux-gcc (Buildroot 2023.02.1) 12.2.0"));
  EXPECT_TRUE(is_back("4.9.2", "gcc-4.9 (Debian 4.9.2-10) 4.9.2"));
  EXPECT_FALSE(is_back("11", "mysql  Ver 15.1 Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)"));
  EXPECT_TRUE(is_back("1.0", "made (by cc 2.0)")) << "none is outside";
  // Listed twice, once as still there: known.
  EXPECT_FALSE(Toml("[[bug]]\nname = 'gcc-wrong-output-1'\nfixed_in = '12'\n[[bug]]\nname = 'gcc-wrong-output-1'\n")
                   .Find(kFind)
                   ->is_back);
}

TEST(KnownTest, MistakesAreToldWithTheirLine) {
  EXPECT_THAT(ErrorOf("[[bug]]\nname = 1\n"), HasSubstr("team/known.toml, line 2: 'name' is a text"));
  EXPECT_THAT(ErrorOf("[[bug]]\ntracker = 'PR 1'\n"), HasSubstr("line 1: a bug needs a name, a signature"));
  EXPECT_THAT(ErrorOf("[[bug]]\npass = 'vrp'\nname = 'x'\n"), HasSubstr("a pass alone says too little"));
  EXPECT_THAT(ErrorOf("[[bug]]\nname = 'x'\nversion = '1'\n"), HasSubstr("a bug has no 'version'"));
  EXPECT_THAT(ErrorOf("[[bug]]\nname = 'x'\nfixed_in = 'soon'\n"), HasSubstr("fixed_in 'soon' is no version"));
  EXPECT_THAT(ErrorOf("[[bug]]\nname = 'x'\nkind = 'wrong output'\n"),
              HasSubstr("line 3: there is no kind 'wrong output'"));
  EXPECT_THAT(ErrorOf("bug = ['x']\n"), HasSubstr("only tables [[bug]]"));
  EXPECT_THAT(ErrorOf("[[bugs]]\nname = 'x'\n"), HasSubstr("only tables [[bug]]"));
  EXPECT_THAT(ErrorOf("[[bug]]\nconstructs = 'loop'\n"), HasSubstr("a list of words"));
  EXPECT_THAT(ErrorOf("[[bug\n"), HasSubstr("team/known.toml, line 1"));
}

TEST(KnownTest, WhatIsWrittenIsRead) {
  const KnownBug bug{.signature = "ICE: in \"foo\" \\ \x1b[1m\nbar",
                     .family = "gcc",
                     .kind = "compiler-crash",
                     .portrait = {.pass = "tree-vrp1", .constructs = {"bit-field", "loop"}},
                     .tracker = "https://bugs.example/1?a=b#c",
                     .fixed_in = "13.1"};
  const KnownBugs known = Toml(bug.Toml("a 'title' with \"quotes\"") + "\n" + bug.Toml("again"));
  const Sighting seen{.signature = bug.signature,
                      .family = bug.family,
                      .kind = bug.kind,
                      .version = "gcc 12.2.0",
                      .portrait = &bug.portrait};
  ASSERT_TRUE(known.Find(seen).has_value());
  EXPECT_EQ(known.Find(seen)->bug->Told(), "https://bugs.example/1?a=b#c, said to be fixed in 13.1");
}

}  // namespace
}  // namespace assay::triage
