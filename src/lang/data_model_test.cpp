// Data models are values: names, properties, their text, and what follows from them.
#include "lang/data_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/builder.hpp"
#include "lang/layout.hpp"
#include "lang/text.hpp"
#include "lang/typing.hpp"

namespace assay::lang {
namespace {

using testing::HasSubstr;

DataModel Parsed(std::string_view text) {
  auto model = ParseDataModel(text);
  EXPECT_TRUE(model.Ok()) << text << ": " << model.GetError().message;
  return model ? *model : DataModel();
}

std::string ErrorOf(std::string_view text) {
  auto model = ParseDataModel(text);
  EXPECT_FALSE(model.Ok()) << text;
  return model ? "" : model.GetError().message;
}

TEST(DataModelTest, EveryNameIsItsOwnText) {
  for (const NamedModel& named : kNamedModels) {
    EXPECT_EQ(Parsed(named.name), DataModel(named.kind));
    EXPECT_EQ(DataModel(named.kind).Name(), named.name);
    EXPECT_EQ(WhyNoModel(named.properties), "") << named.name;
    EXPECT_THAT(DataModelNames(), HasSubstr(std::string(named.name)));
  }
}

TEST(DataModelTest, PropertiesAreReadAndWrittenInOnePlace) {
  const DataModel model = Parsed("ilp32,char=unsigned,align8=8");
  EXPECT_EQ(model.Name(), "ilp32,align8=8,char=unsigned");  // in the order of the rows
  EXPECT_EQ(model.Properties().align8, 8);
  EXPECT_FALSE(model.Properties().char_is_signed);
  EXPECT_EQ(Parsed("lp64,char=signed").Name(), "lp64");
  // Whatever the name it began with, a model has one name.
  EXPECT_EQ(Parsed("lp64-be,byte-order=little,first-field=low").Name(), "lp64,char=unsigned");
  for (std::string_view text :
       {"ip16,align2=1,align4=1,align8=1,align-pointer=1", "ilp32,size_t=unsigned-long,ptrdiff_t=long",
        "lp64-be,char=signed", "ilp32-be,align8=4", "lp64-be,align16=8"}) {
    EXPECT_EQ(Parsed(text).Name(), text);
    EXPECT_EQ(Parsed(Parsed(text).Name()), Parsed(text));
  }
}

TEST(DataModelTest, ErrorsSayWhatExists) {
  for (const NamedModel& named : kNamedModels) EXPECT_THAT(ErrorOf("pdp11"), HasSubstr(std::string(named.name)));
  EXPECT_THAT(ErrorOf(""), HasSubstr("there is no data model ''"));
  EXPECT_THAT(ErrorOf("lp64,"), HasSubstr("'' is not a property"));
  EXPECT_THAT(ErrorOf("lp64,char"), HasSubstr("'char' is not a property; they are short="));
  EXPECT_THAT(ErrorOf("lp64,int=x"), HasSubstr("'int' cannot be 'x', only 2|4"));
  EXPECT_THAT(ErrorOf("lp64,short=4"), HasSubstr("'short' cannot be '4', only 2"));
  EXPECT_THAT(ErrorOf("lp64,align4=8"), HasSubstr("'align4' cannot be '8', only 1|2|4"));
  EXPECT_THAT(ErrorOf("ilp32,align-pointer=8"), HasSubstr("an alignment must not be more than the size"));
  EXPECT_THAT(ErrorOf("ip16,long=8"), HasSubstr("int or long must have 4 bytes"));
  // What a compiler may have all the same.
  EXPECT_EQ(WhyNoModel({.short_bytes = 4}), "short must have 2 bytes");
  EXPECT_EQ(WhyNoModel({.int_bytes = 8}), "int must have 2 or 4 bytes");
  EXPECT_EQ(WhyNoModel({.long_bytes = 2}), "long must have 4 or 8 bytes");
  EXPECT_EQ(WhyNoModel({.long_long_bytes = 16}), "long long must have 8 bytes");
  EXPECT_EQ(WhyNoModel({.pointer_bytes = 3}), "pointers must have 2, 4 or 8 bytes");
  EXPECT_EQ(WhyNoModel({.align8 = 16}), "an alignment must not be more than the size");
  EXPECT_THAT(Describe(ModelProperties{.int_bytes = 3}), testing::StrEq("lp64,int=3"));
}

TEST(DataModelTest, LayoutFollowsTheAlignments) {
  const auto size_of = [](std::string_view model, TypeKind kind) {
    Program program;
    program.model = Parsed(model);
    const TypeId part = program.types.Basic(kind);
    const RecordId record = program.types.AddRecord({.members = {{program.types.Basic(TypeKind::Char)}, {part}}});
    return Layouts(program).SizeOf(program.types.OfRecord(record));
  };
  EXPECT_EQ(size_of("lp64", TypeKind::LLong), 16u);
  EXPECT_EQ(size_of("ilp32", TypeKind::LLong), 12u);
  EXPECT_EQ(size_of("ilp32,align8=8", TypeKind::LLong), 16u);
  EXPECT_EQ(size_of("lp64", TypeKind::Int128), 32u);
  EXPECT_EQ(size_of("lp64-be,align16=8", TypeKind::Int128), 24u);
  EXPECT_EQ(size_of("lp64,align16=1", TypeKind::UInt128), 17u);
  EXPECT_EQ(size_of("ip16", TypeKind::Long), 6u);
  EXPECT_EQ(size_of("ip16,align4=1", TypeKind::Long), 5u);
  EXPECT_EQ(size_of("ip16,align2=1", TypeKind::Int), 3u);
}

TEST(DataModelTest, TheTypesOfSizesAndDifferencesFollowTheModel) {
  const auto kind_of_size = [](std::string_view model) {
    Program program;
    program.model = Parsed(model);
    Expr e;
    e.kind = ExprKind::SizeofType;
    return program.types.Kind(TypeOf(program, e));
  };
  EXPECT_EQ(kind_of_size("lp64"), TypeKind::ULong);
  EXPECT_EQ(kind_of_size("ilp32"), TypeKind::UInt);
  EXPECT_EQ(kind_of_size("llp64"), TypeKind::ULLong);
  EXPECT_EQ(kind_of_size("ilp32,size_t=unsigned-long"), TypeKind::ULong);
}

TEST(DataModelTest, TheSignOfCharFollowsTheModel) {
  EXPECT_TRUE(IntegerInfoOf(TypeKind::Char, Parsed("lp64")).is_signed);
  EXPECT_FALSE(IntegerInfoOf(TypeKind::Char, Parsed("lp64,char=unsigned")).is_signed);
  EXPECT_TRUE(IntegerInfoOf(TypeKind::SChar, Parsed("lp64,char=unsigned")).is_signed);
}

}  // namespace
}  // namespace assay::lang
