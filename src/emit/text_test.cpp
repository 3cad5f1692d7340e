#include "emit/text.hpp"

#include <gtest/gtest.h>

namespace assay::emit {
namespace {

TEST(Text, IsWhatAStringWouldBe) {
  Text text;
  std::string expected;
  EXPECT_EQ(text.View(), "");
  text += std::string_view();
  text.AppendRepeated(0, ' ');
  for (int i = 0; i < 500; ++i) {
    const std::string piece(static_cast<size_t>(i % 40), static_cast<char>('a' + i % 26));
    text += piece;
    text += ';';
    text += "two\n";
    text.AppendRepeated(static_cast<size_t>(i % 7), '-');
    const char digits[8] = {'1', '2', '3'};
    text.AppendFirst(digits, static_cast<size_t>(i % 4));
    expected += piece + ";two\n" + std::string(static_cast<size_t>(i % 7), '-') +
                std::string(digits, static_cast<size_t>(i % 4));
    ASSERT_EQ(text.View(), expected);
    ASSERT_EQ(text.Last(), expected.back());
  }
  EXPECT_EQ(text.String(), expected);
}

TEST(Text, InsertsAndRemoves) {
  Text text("ac");
  text.Insert(1, "b");
  text.Insert(3, "d");
  text.Insert(0, "");
  EXPECT_EQ(text.View(), "abcd");
  text.RemoveLast();
  EXPECT_EQ(text.View(), "abc");
  Text other;
  other += text;
  (other += "-") += text;
  EXPECT_EQ(other.View(), "abc-abc");
  EXPECT_EQ(other[3], '-');
  other.Clear();
  EXPECT_TRUE(other.Empty());
}

}  // namespace
}  // namespace assay::emit
