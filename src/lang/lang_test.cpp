#include <gtest/gtest.h>

#include <set>

#include "lang/builder.hpp"
#include "lang/layout.hpp"

namespace assay::lang {
namespace {

TEST(TypeTableTest, InterningMakesEqualTypesEqualIds) {
  TypeTable types;
  TypeId a = types.Pointer(types.Qualified(types.Basic(TypeKind::Int), kConst));
  TypeId b = types.Pointer(types.Qualified(types.Basic(TypeKind::Int), kConst));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, types.Pointer(types.Basic(TypeKind::Int)));
  TypeId array = types.Array(types.Basic(TypeKind::Int), 3);
  TypeId qualified = types.Qualified(array, kVolatile);
  EXPECT_NE(array, qualified);
  EXPECT_EQ(types.Unqualified(qualified), array);
}

// A spelling is the name in the text form: Load could not tell two rows apart.
template <typename Rows, typename Name>
void ExpectDifferentNames(const Rows& rows, Name name) {
  std::set<std::string_view> names;
  for (const auto& row : rows) {
    if (!name(row).empty()) EXPECT_TRUE(names.insert(name(row)).second) << name(row);
  }
}

TEST(RowsTest, NamesInTheTextFormDiffer) {
  const auto spelling = [](const auto& row) { return row.spelling; };
  ExpectDifferentNames(kUnaryOps, spelling);
  ExpectDifferentNames(kBinaryOps, spelling);
  ExpectDifferentNames(kIncDecOps, spelling);
  ExpectDifferentNames(kBuiltins, spelling);
  ExpectDifferentNames(kTypeKinds, [](const auto& row) { return row.name; });
  ExpectDifferentNames(kExprKinds, [](const auto& row) { return row.name; });
}

TEST(TypingTest, CommonKindFollowsTheDataModel) {
  const DataModel lp64 = DataModelKind::Lp64;
  const DataModel ilp32 = DataModelKind::Ilp32;
  EXPECT_EQ(CommonKind(TypeKind::Long, TypeKind::UInt, lp64), TypeKind::Long);
  EXPECT_EQ(CommonKind(TypeKind::Long, TypeKind::UInt, ilp32), TypeKind::ULong);
  EXPECT_EQ(CommonKind(TypeKind::LLong, TypeKind::ULong, lp64), TypeKind::ULLong);
  EXPECT_EQ(CommonKind(TypeKind::LLong, TypeKind::ULong, ilp32), TypeKind::LLong);
  EXPECT_EQ(Promote(TypeKind::UShort, lp64), TypeKind::Int);
  EXPECT_EQ(Promote(TypeKind::UShort, DataModelKind::Ip16), TypeKind::UInt);
  EXPECT_EQ(Promote(TypeKind::UInt, lp64, 31), TypeKind::Int);
  EXPECT_EQ(Promote(TypeKind::UInt, lp64, 32), TypeKind::UInt);
  EXPECT_EQ(StandardKind(TypeKind::Int64, ilp32), TypeKind::LLong);
}

TEST(LayoutTest, StructsWithBitFieldsLikeGcc) {
  Program program;
  TypeTable& types = program.types;
  // struct { char a; int b : 5; int c : 30; short d; } : offsets 0, 1(bit 0), 4, 8; size 12
  Record record;
  record.members = {{types.Basic(TypeKind::Char)},
                    {types.Basic(TypeKind::Int), 5},
                    {types.Basic(TypeKind::Int), 30},
                    {types.Basic(TypeKind::Short)}};
  RecordId id = types.AddRecord(record);
  Layouts layouts(program);
  EXPECT_EQ(layouts.SizeOf(types.OfRecord(id)), 12u);
  EXPECT_EQ(layouts.OfMember(id, 1).offset, 1u);
  EXPECT_EQ(layouts.OfMember(id, 2).offset, 4u);
  EXPECT_EQ(layouts.OfMember(id, 3).offset, 8u);
  EXPECT_TRUE(layouts.HasPadding(types.OfRecord(id)));
  record.packed = true;
  RecordId packed = types.AddRecord(record);
  EXPECT_EQ(layouts.SizeOf(types.OfRecord(packed)), 8u);  // 8 + 35 bits, then short at byte 6
}

TEST(BuilderTest, TypesFollowFromOperands) {
  Program program;
  Builder b(program);
  VarId c = b.Global(program.types.Basic(TypeKind::UChar));
  ExprId sum = b.Binary(BinaryOp::Add, b.Var(c), b.Constant(TypeKind::ULong, 1));
  EXPECT_EQ(program[sum].type, program.types.Basic(TypeKind::ULong));
  ExprId shift = b.Binary(BinaryOp::Shl, b.Var(c), b.Constant(TypeKind::ULong, 1));
  EXPECT_EQ(program[shift].type, program.types.Basic(TypeKind::Int));
  ExprId address = b.AddressOf(b.Var(c));
  EXPECT_EQ(program[b.Deref(address)].type, program.types.Basic(TypeKind::UChar));
  ExprId copy = b.CopyTree(sum);
  EXPECT_NE(program[copy].lhs, program[sum].lhs);
}

}  // namespace
}  // namespace assay::lang
