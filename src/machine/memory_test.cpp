// Representation: unions and bit-fields in both byte orders, copies, volatile trace, finals.
#include "machine/memory.hpp"

#include "machine/testing.hpp"

namespace assay::machine::testing {
namespace {

// union { uint32_t word; uint8_t bytes[4]; } u; u.word = 0x11223344; g = u.bytes[0];
TEST(Memory, UnionsShowTheByteOrder) {
  for (DataModelKind model : {DataModelKind::Lp64, DataModelKind::Lp64Big}) {
    Tiny t(model);
    TypeId bytes = t.T().Array(t.Basic(TypeKind::UInt8), 4);
    VarId u = t.Global(t.T().OfRecord(t.Union({{t.Basic(TypeKind::UInt32)}, {bytes}})));
    VarId g = t.GlobalInt();
    t.Do(t.b.Assign(t.b.Member(t.V(u), 0), t.I(0x11223344)));
    t.Set(g, t.b.Index(t.b.Member(t.V(u), 1), t.I(0)));
    EXPECT_EQ(FinalOf(t.Run(), g), model == DataModelKind::Lp64 ? 0x44 : 0x11);
  }
}

// struct { unsigned a:3, b:7, c:22; }: where the fields lie. No program can see it.
TEST(Memory, BitFieldsInBothByteOrders) {
  for (bool big_endian : {false, true}) {
    Memory memory(1024, big_endian);
    memory.StoreField(0, 0, 3, 5);
    memory.StoreField(0, 3, 7, 0x55);
    memory.StoreField(0, 10, 22, 0x2abcde);
    uint64_t word = 0;
    for (uint32_t i = 0; i < 4; ++i) word |= static_cast<uint64_t>(memory.Byte(i)) << 8 * (big_endian ? 3 - i : i);
    EXPECT_EQ(word, big_endian ? 5UL << 29 | 0x55 << 22 | 0x2abcde : 5 | 0x55 << 3 | 0x2abcdeUL << 10);
    Value field = 0;
    EXPECT_EQ(memory.LoadField(0, 3, 7, field), Readable::Yes);
    EXPECT_EQ(field, 0x55u);
    EXPECT_EQ(memory.Load(0, 4, field), Readable::Fragment);
  }
}

TEST(Memory, SignedBitFieldsWrapOnStore) {
  Tiny t;
  VarId s = t.Global(t.T().OfRecord(t.Struct({{t.Int(), 4}, {t.Basic(TypeKind::Bool), 1}})));
  VarId g = t.GlobalInt(), h = t.GlobalInt();
  t.Set(g, t.b.Assign(t.b.Member(t.V(s), 0), t.I(13)));
  t.Set(h, t.b.Assign(t.b.Member(t.V(s), 1), t.I(6)));
  const RunResult r = t.Run();
  EXPECT_EQ(FinalOf(r, g), -3);
  EXPECT_EQ(FinalOf(r, h), 1);
  EXPECT_EQ(FinalOf(r, s, 0), -3);
  EXPECT_EQ(FinalOf(r, s, 1), 1);
}

TEST(Memory, ConversionsOfAssignment) {
  struct Row {
    TypeKind kind;
    int64_t value, expected;
  };
  for (const Row& row : {Row{TypeKind::SChar, 200, -56}, Row{TypeKind::UChar, -1, 255}, Row{TypeKind::Bool, 256, 1},
                         Row{TypeKind::Short, 40000, -25536}, Row{TypeKind::UInt, -1, 4294967295},
                         Row{TypeKind::ULong, -1, -1}, Row{TypeKind::Int64, -5, -5}}) {
    Tiny t;
    VarId g = t.Global(t.Basic(row.kind));
    t.Set(g, t.I(row.value));
    EXPECT_EQ(FinalOf(t.Run(), g), row.expected);
  }
}

TEST(Memory, UsualArithmeticConversions) {
  const auto less = [](DataModelKind model, TypeKind a, int64_t x, TypeKind c, int64_t y) {
    Tiny t(model);
    VarId g = t.GlobalInt();
    t.Set(g, t.b.Binary(BinaryOp::Lt, t.C(a, static_cast<uint64_t>(x)), t.C(c, static_cast<uint64_t>(y))));
    return FinalOf(t.Run(), g);
  };
  EXPECT_EQ(less(DataModelKind::Lp64, TypeKind::Int, -1, TypeKind::UInt, 1), 0);    // -1 becomes large
  EXPECT_EQ(less(DataModelKind::Lp64, TypeKind::Long, -1, TypeKind::UInt, 1), 1);   // long holds unsigned
  EXPECT_EQ(less(DataModelKind::Ilp32, TypeKind::Long, -1, TypeKind::UInt, 1), 0);  // not on ILP32
  EXPECT_EQ(less(DataModelKind::Lp64, TypeKind::LLong, -1, TypeKind::ULong, 1), 0);
}

TEST(Memory, CharacterViewWritesBytes) {
  Tiny t;
  VarId x = t.Global(t.Basic(TypeKind::UInt), t.InitInt(0));
  ExprId bytes = t.b.Cast(t.Ptr(t.Basic(TypeKind::UChar)), t.b.AddressOf(t.V(x)));
  t.Do(t.b.Assign(t.b.Index(bytes, t.I(2)), t.I(0xab)));
  EXPECT_EQ(FinalOf(t.Run(), x), 0xab0000);
}

TEST(Memory, MemoryFunctions) {
  Tiny t;
  TypeId array = t.T().Array(t.Basic(TypeKind::UShort), 4);
  VarId a = t.Global(array), c = t.Global(array), g = t.GlobalInt(), h = t.GlobalInt();
  const auto both = [&] { return std::vector{t.b.AddressOf(t.V(a)), t.b.AddressOf(t.V(c))}; };
  t.Do(t.b.BuiltinCall(Builtin::Memset, t.Ptr(t.Void()), array, std::vector{t.b.AddressOf(t.V(c)), t.I(0x101)}));
  t.Set(g, t.b.BuiltinCall(Builtin::Memcmp, t.Int(), array, both()));
  t.Do(t.b.BuiltinCall(Builtin::Memcpy, t.Ptr(t.Void()), array, both()));
  t.Set(h, t.b.BuiltinCall(Builtin::Memcmp, t.Int(), array, both()));
  const RunResult r = t.Run();
  ASSERT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, a, 3), 0x0101);
  EXPECT_EQ(FinalOf(r, g), -1);
  EXPECT_EQ(FinalOf(r, h), 0);
}

TEST(Memory, VolatileTraceIsInOrder) {
  Tiny t;
  TypeId type = t.T().Qualified(t.Int(), kVolatile);
  VarId x = t.Global(type, t.InitInt(1)), y = t.Global(type);
  t.Set(y, t.V(x));
  t.Do(t.b.IncDec(IncDecOp::PostInc, t.V(x)));
  const RunResult r = t.Run();
  ASSERT_EQ(r.trap.kind, TrapKind::None);
  ASSERT_EQ(r.volatile_trace.size(), 4u);
  EXPECT_EQ(r.volatile_trace[0].var, x);
  EXPECT_FALSE(r.volatile_trace[0].write);
  EXPECT_TRUE(r.volatile_trace[1].write);
  EXPECT_EQ(r.volatile_trace[1].value, 1u);
  EXPECT_EQ(r.volatile_trace[3].value, 2u);
  EXPECT_NE(r.volatile_hash, 0u);
}

TEST(Memory, FinalsOfPointersAndRecords) {
  Tiny t;
  TypeId inner = t.T().OfRecord(t.Struct({{t.Int()}, {t.T().Array(t.Int(), 3)}}));
  VarId s = t.Global(t.T().Array(inner, 2));
  FunctionId f = t.Function(t.Void(), {}, [](FunctionId) {});
  TypeId pointer = t.Ptr(t.Int());
  VarId p = t.Global(pointer), past = t.Global(pointer), dead = t.Global(pointer), heap = t.Global(pointer);
  VarId call = t.Global(t.Ptr(t.p.functions[f].type));
  const auto element = [&](int i) { return t.b.Index(t.b.Member(t.b.Index(t.V(s), t.I(1)), 1), t.I(i)); };
  t.Set(p, t.b.AddressOf(element(2)));
  t.Set(past, t.b.AddressOf(element(3)));
  VarId local = t.LocalInt(1);
  t.Set(dead, t.b.AddressOf(t.V(local)));
  t.Set(heap, t.b.BuiltinCall(Builtin::Malloc, pointer, t.Int(), std::vector{t.I(1)}));
  t.Set(call, t.b.Func(f));
  const RunResult r = t.Run();
  ASSERT_EQ(r.trap.kind, TrapKind::None);
  ASSERT_EQ(r.finals.size(), 8u + 5u);
  using State = FinalScalar::State;
  EXPECT_EQ(r.finals[7].path, (std::vector<uint32_t>{1, 1, 2}));
  EXPECT_EQ(r.finals[8].state, State::Pointer);
  EXPECT_EQ(r.finals[8].target_path, (std::vector<uint32_t>{1, 1, 2}));
  EXPECT_EQ(r.finals[9].state, State::Unreadable);
  EXPECT_EQ(r.finals[10].state, State::Unreadable);
  EXPECT_EQ(r.finals[11].state, State::Unreadable);
  EXPECT_EQ(r.finals[12].state, State::FunctionPointer);
  EXPECT_EQ(r.finals[12].target_function, f);
}

TEST(Memory, ObservedValuesAndCounts) {
  Tiny t;
  VarId g = t.GlobalInt(3);
  ExprId sum = t.b.Binary(BinaryOp::Add, t.V(g), t.I(4)), never = t.I(1);
  t.Do(t.b.LogicalOr(sum, never));
  Options options;
  options.observe = true;
  Machine machine(t.p, options);
  machine.Run();
  EXPECT_EQ(machine.Observed(sum), 7u);
  EXPECT_EQ(machine.Executions(sum), 1u);
  EXPECT_EQ(machine.Executions(never), 0u);
}

// Static locals keep their value; automatic ones are made anew.
TEST(Memory, StorageDurations) {
  Tiny t;
  VarId g = t.GlobalInt();
  FunctionId f = t.Function(t.Int(), {}, [&](FunctionId self) {
    VarId kept = t.b.Local(self, t.Int(), Storage::StaticLocal, t.InitInt(10));
    t.Do(t.b.Decl(kept));
    VarId fresh = t.LocalInt(1);
    t.Do(t.b.CompoundAssign(BinaryOp::Add, t.V(kept), t.b.IncDec(IncDecOp::PostInc, t.V(fresh))));
    t.Return(t.V(kept));
  });
  t.Set(g, t.Call(f));
  t.Set(g, t.Call(f));
  EXPECT_EQ(FinalOf(t.Run(), g), 12);
}

TEST(Memory, CompoundLiteralsLiveToTheEndOfTheirBlock) {
  Tiny t;
  VarId g = t.GlobalInt();
  VarId literal = t.b.Local(t.entry, t.T().Array(t.Int(), 2), Storage::Literal, t.b.InitList({{1, t.InitInt(7)}}));
  VarId p = t.Local(t.Ptr(t.Int()));
  t.Set(p, t.b.CompoundLiteral(literal));
  t.Set(g, t.b.Index(t.V(p), t.I(1)));
  const RunResult r = t.Run();
  EXPECT_EQ(r.trap.kind, TrapKind::None);
  EXPECT_EQ(FinalOf(r, g), 7);
}

}  // namespace
}  // namespace assay::machine::testing
