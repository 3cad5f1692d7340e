#include "report/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page.hpp"

namespace assay::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr const char* kBug =
    "/* wrong-output\n * expected: a = 1 */\nint a = 1;\nint main(void) { if (a != 1) abort(); }\n";
constexpr const char* kSameBug = "int b7 = 0xfful; // x\nint main(void)\n{ if (b7 != 'x') abort(); }";
constexpr const char* kOther = "long a = 1;\nint main(void) { if (a != 1) abort(); }\n";

TEST(ShapeTest, NamesNumbersCommentsAndLayoutDoNotMatter) {
  EXPECT_EQ(Shape(kBug), Shape(kSameBug));
  EXPECT_EQ(Shape("printf(\"a\\\"b\", x)"), Shape("printf(\"\",y)"));
}

TEST(ShapeTest, TypesOperatorsAndWhichNameIsWhichMatter) {
  EXPECT_NE(Shape(kBug), Shape(kOther));
  EXPECT_NE(Shape("a + b"), Shape("a - b"));
  EXPECT_NE(Shape("a + b + a"), Shape("a + b + b"));
  EXPECT_NE(Shape("intx"), Shape("int x"));
}

TEST(ShapeTest, HalfATextIsNoTrouble) {
  for (const char* text : {"/*", "\"", "'\\", "//", "/", "0x", ""}) Shape(text);
}

store::Bug Small(const std::string& name, const std::string& target, int64_t seen, const std::string& text) {
  store::Bug bug{.name = name, .kind = "wrong-output", .target = target};
  bug.first_seen_ms = seen;
  bug.count = 1;
  bug.files = {{"program", "program.c", text}, {"reduced", "reduced.c", text}};
  bug.reduction = store::Reduction{.state = "done"};
  return bug;
}

TEST(TwinsTest, LaterBugsOfOneTargetLookLikeTheFirst) {
  store::Bug unreduced = Small("unreduced", "tcc", 0, kBug);
  unreduced.files.pop_back();
  EXPECT_THAT(Twins({Small("late", "tcc", 30, kSameBug), Small("first", "tcc", 10, kBug),
                     Small("other target", "pcc", 20, kBug), Small("other", "tcc", 5, kOther), unreduced}),
              ElementsAre(Pair("late", "first")));
  EXPECT_THAT(Twins({}), IsEmpty());
}

TEST(TwinsTest, ThePageShowsThemOnOneCard) {
  PageData data;
  data.bugs = {Small("first", "tcc", 10, kBug), Small("late", "tcc", 30, kSameBug)};
  data.twins = Twins(data.bugs);
  data.folders_here = {"first", "late"};
  const std::string page = RenderPage(data);
  EXPECT_THAT(page, HasSubstr("looks the same when it is small: <a href=\"bugs/late/bug.md\">"));
  EXPECT_THAT(page.substr(page.find("<details>") + 1), Not(HasSubstr("<details>")));
}

}  // namespace
}  // namespace assay::report
