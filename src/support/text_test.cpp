#include "support/text.hpp"

#include <gtest/gtest.h>

namespace assay::support {
namespace {

TEST(TextTest, ControlCharactersAreShownAndNotObeyed) {
  EXPECT_EQ(Printable("a\tb\nc äöü ∀"), "a\tb\nc äöü ∀");
  EXPECT_EQ(Printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(Printable("\r\b\x7f"), "\\x0d\\x08\\x7f");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "one character is an escape sequence too";
  EXPECT_EQ(Printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb")
      << "right to left";
  EXPECT_EQ(Printable("\xff\xc3"), "\\xff\\xc3");
}

TEST(TextTest, OneLineIsShort) {
  EXPECT_EQ(OneLine("a\nb\tc\n"), "a b c");
  EXPECT_EQ(OneLine("abcdef", 3), "abc...");
  EXPECT_EQ(OneLine("abcdef", 6), "abcdef");
  EXPECT_EQ(OneLine("aä", 2), "a...") << "no half characters";
  EXPECT_EQ(Beginning("ää", 3), "ä");
  EXPECT_EQ(Beginning("", 3), "");
}

TEST(TextTest, AVersionIsToldWithTheNameOfItsProgram) {
  EXPECT_EQ(NameAndVersion("tcc", "tcc version 0.9.27"), "tcc version 0.9.27");
  EXPECT_EQ(NameAndVersion("chibicc", "0+git20220719"), "chibicc (0+git20220719)");
  EXPECT_EQ(NameAndVersion("chibicc", ""), "chibicc");
}

}  // namespace
}  // namespace assay::support
