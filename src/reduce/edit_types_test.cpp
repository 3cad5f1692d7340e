#include "reduce/testing.hpp"

namespace assay::reduce {
namespace {

using testing::After;
using testing::Applies;
using testing::FinalOf;
using testing::Tiny;
using namespace lang;  // NOLINT: the model's names

TypeKind KindOf(const Case& subject, VarId var) { return subject.program.types.Kind(subject.program[var].type); }

TEST(KindToInt, Everywhere) {
  Tiny tiny;
  const VarId g = tiny.Global(tiny.Basic(TypeKind::Short)), h = tiny.Global(tiny.Int());
  tiny.Set(g, tiny.I(70000));
  tiny.Set(h, tiny.V(g));
  Case subject{tiny.p, std::nullopt};
  const auto kind = static_cast<uint32_t>(TypeKind::Short);
  EXPECT_EQ(FinalOf(After(subject, {EditKind::KindToInt, kind}), h), 70000);
  EXPECT_EQ(KindOf(subject, g), TypeKind::Int);
  EXPECT_FALSE(Applies(tiny, {EditKind::KindToInt, static_cast<uint32_t>(TypeKind::Int)}));
  EXPECT_FALSE(Applies(tiny, {EditKind::KindToInt, static_cast<uint32_t>(TypeKind::Pointer)}));
}

TEST(KindToInt, FloatingNumbersLoseTheirFraction) {
  Tiny tiny;
  const TypeId type = tiny.Basic(TypeKind::Double);
  const VarId g = tiny.Global(type), h = tiny.Global(tiny.Int());
  tiny.Set(g, tiny.b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, 6.75)));
  tiny.Set(h, tiny.b.Cast(tiny.Int(), tiny.b.Binary(BinaryOp::Mul, tiny.V(g), tiny.I(2))));
  Case subject{tiny.p, std::nullopt};
  EXPECT_EQ(FinalOf(After(subject, {EditKind::KindToInt, static_cast<uint32_t>(TypeKind::Double)}), h), 12);
  EXPECT_EQ(KindOf(subject, g), TypeKind::Int);
  EXPECT_TRUE(Applies(tiny, {EditKind::VariableToInt, g.index}));
}

TEST(VariableToInt, OnlyThisOne) {
  Tiny tiny;
  const TypeId type = tiny.Basic(TypeKind::Char);
  const VarId g = tiny.Global(type), h = tiny.Global(type), n = tiny.GlobalInt(0);
  Case subject{tiny.p, std::nullopt};
  After(subject, {EditKind::VariableToInt, g.index});
  EXPECT_EQ(KindOf(subject, g), TypeKind::Int);
  EXPECT_EQ(KindOf(subject, h), TypeKind::Char);
  EXPECT_FALSE(Applies(tiny, {EditKind::VariableToInt, n.index}));
}

TEST(DropQualifier, OfOneOrEverywhere) {
  Tiny tiny;
  const TypeId type = tiny.T().Qualified(tiny.Int(), kVolatile);
  const VarId g = tiny.Global(type), h = tiny.Global(type), n = tiny.GlobalInt(0);
  const auto quals = [](const Case& subject, VarId var) {
    return subject.program.types[subject.program[var].type].quals;
  };
  Case one{tiny.p, std::nullopt}, all = one;
  After(one, {EditKind::DropQualifier, kVolatile, g.index});
  EXPECT_EQ(quals(one, g), 0);
  EXPECT_EQ(quals(one, h), kVolatile);
  After(all, {EditKind::DropQualifier, kVolatile, kEverywhere});
  EXPECT_EQ(quals(all, h), 0);
  EXPECT_FALSE(Applies(tiny, {EditKind::DropQualifier, kVolatile, n.index}));
}

TEST(PlainMember, ABitFieldHoldsMoreThen) {
  Tiny tiny;
  const RecordId record = tiny.Struct({{tiny.Basic(TypeKind::UInt), 3}, {tiny.Basic(TypeKind::UInt)}});
  const VarId s = tiny.Global(tiny.T().OfRecord(record));
  tiny.Do(tiny.b.Assign(tiny.b.Member(tiny.V(s), 0), tiny.I(9)));
  EXPECT_EQ(FinalOf(tiny.Run(), s), 1);
  EXPECT_EQ(FinalOf(After(tiny, {EditKind::PlainMember, record.index, 0}), s), 9);
  EXPECT_FALSE(Applies(tiny, {EditKind::PlainMember, record.index, 1}));
}

TEST(UnpackRecord, OnlyPackedOnes) {
  Tiny tiny;
  const RecordId packed = tiny.Struct({{tiny.Int()}}, true), plain = tiny.Struct({{tiny.Int()}});
  tiny.Global(tiny.T().OfRecord(packed));
  Case subject{tiny.p, std::nullopt};
  After(subject, {EditKind::UnpackRecord, packed.index});
  EXPECT_FALSE(subject.program.types.GetRecord(packed).packed);
  EXPECT_FALSE(Applies(tiny, {EditKind::UnpackRecord, plain.index}));
}

TEST(DropAttributes, ThoseAskedFor) {
  Tiny tiny;
  tiny.p.functions[tiny.entry].attrs = kFnStatic | kFnNoInline;
  Case subject{tiny.p, std::nullopt};
  After(subject, {EditKind::DropAttributes, tiny.entry.index, kFnNoInline});
  EXPECT_EQ(subject.program[tiny.entry].attrs, kFnStatic);
  EXPECT_FALSE(Applies(subject, {EditKind::DropAttributes, tiny.entry.index, kFnNoInline}));
}

TEST(PlainStorage, APromiseOfAParameter) {
  Tiny tiny;
  const FunctionId f = tiny.Function(tiny.Void(), {tiny.Ptr(tiny.Int())}, [](FunctionId) {});
  const VarId p = tiny.Param(f, 0);
  tiny.p.vars[p].attrs = kVarNonNull;
  Case subject{tiny.p, std::nullopt};
  After(subject, {EditKind::PlainStorage, p.index});
  EXPECT_EQ(subject.program[p].attrs, 0);
}

TEST(PlainStorage, StaticAndAligned) {
  Tiny tiny;
  const VarId g = tiny.GlobalInt(1), h = tiny.GlobalInt(2);
  tiny.p.vars[g].internal_linkage = true;
  tiny.p.vars[g].align = 16;
  Case subject{tiny.p, std::nullopt};
  After(subject, {EditKind::PlainStorage, g.index});
  EXPECT_FALSE(subject.program[g].internal_linkage);
  EXPECT_EQ(subject.program[g].align, 0);
  EXPECT_FALSE(Applies(tiny, {EditKind::PlainStorage, h.index}));
}

}  // namespace
}  // namespace assay::reduce
