#include "lang/samples.hpp"

#include <utility>

#include "lang/sample_maker.hpp"

namespace assay::lang {

Sample ConstantSample() {
  Maker m("constants");
  Builder& b = m.b;
  for (size_t s = 0; s < static_cast<size_t>(ConstantSpelling::kCount); ++s) {
    const auto spelling = static_cast<ConstantSpelling>(s);
    for (TypeKind kind :
         {TypeKind::Int, TypeKind::UInt, TypeKind::Long, TypeKind::ULong, TypeKind::LLong, TypeKind::ULLong}) {
      const IntegerInfo info = IntegerInfoOf(kind, m.program().Model());
      std::vector<uint64_t> values = {0, 1, 39, 63, 92, 200, info.Max()};
      if (info.is_signed)
        values.insert(values.end(), {~uint64_t{0}, ~uint64_t{0} - 99, static_cast<uint64_t>(info.Min())});
      for (uint64_t value : values) {
        m.Store(TypeKind::LLong, b.Constant(kind, value, spelling), static_cast<int64_t>(value));
        // The exact type shows in what the operators do: size, and whether 0 - 1 - c is less than
        // 0.
        m.Store(TypeKind::LLong, b.SizeofExpr(b.Constant(kind, value, spelling)), info.bits / 8);
        m.StoreInt(
            b.Binary(BinaryOp::Lt, b.Binary(BinaryOp::BitOr, b.Constant(kind, value, spelling), b.Int(-1)), b.Int(0)),
            info.is_signed ? 1 : 0);
      }
    }
  }
  return std::move(m.sample);
}

Sample ExpressionSample() {
  Maker m("expressions");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int);
  const VarId x = m.IntLocal(13), y = m.IntLocal(-5);
  const auto X = [&] { return b.Var(x); };
  const auto Y = [&] { return b.Var(y); };

  m.StoreInt(b.Unary(UnaryOp::Minus, b.Unary(UnaryOp::Minus, X())), 13);
  m.StoreInt(b.Unary(UnaryOp::Plus, b.Unary(UnaryOp::Plus, X())), 13);
  m.StoreInt(b.Unary(UnaryOp::Minus, b.Int(-4)), 4);
  m.StoreInt(b.Unary(UnaryOp::BitNot, b.Unary(UnaryOp::LogicalNot, X())), -1);
  m.StoreInt(b.LogicalAnd(b.LogicalOr(X(), b.Int(0)), b.LogicalAnd(Y(), b.Int(2))), 1);
  m.StoreInt(b.LogicalOr(b.LogicalAnd(X(), b.Int(0)), b.LogicalOr(b.Int(0), b.Int(0))), 0);
  m.StoreInt(
      b.Conditional(b.Conditional(b.Int(0), b.Int(1), b.Int(0)), b.Int(5), b.Conditional(X(), b.Int(6), b.Int(7))), 6);
  m.StoreInt(b.Binary(BinaryOp::Add, b.Conditional(X(), b.Int(1), b.Int(2)), b.Int(10)), 11);
  m.StoreInt(b.Comma(b.Comma(X(), b.Int(3)), b.Comma(Y(), b.Int(4))), 4);
  const VarId c = m.IntLocal(1), d = m.IntLocal(1);
  m.StoreInt(b.Assign(b.Var(c), b.Assign(b.Var(d), b.Int(9))), 9);
  m.StoreInt(b.IncDec(IncDecOp::PreInc, b.Var(c)), 10);
  m.StoreInt(b.IncDec(IncDecOp::PostInc, b.Var(c)), 10);
  m.StoreInt(b.IncDec(IncDecOp::PostDec, b.Var(c)), 11);
  m.StoreInt(b.Unary(UnaryOp::Minus, b.IncDec(IncDecOp::PreDec, b.Var(c))), -9);
  m.StoreInt(b.Cast(m.Basic(TypeKind::SChar), b.Cast(int_type, b.Int(-300))), -44);
  m.StoreInt(b.Binary(BinaryOp::Sub, b.Cast(m.Basic(TypeKind::UChar), b.Int(-1)), b.Int(-1)), 256);
  m.StoreInt(b.SizeofType(types.Array(types.Pointer(int_type), 3)), 24);
  m.StoreInt(b.SizeofExpr(b.Binary(BinaryOp::Add, X(), b.Constant(TypeKind::Long, 1))), 8);

  // Pointers, arrays, strings.
  const TypeId array = types.Array(types.Array(int_type, 3), 2);
  std::vector<InitItem> rows;
  for (uint32_t i = 0; i < 2; ++i) {
    std::vector<InitItem> row;
    for (uint32_t j = 0; j < 3; ++j) row.push_back({j, b.InitExpr(b.Int(10 * i + j))});
    rows.push_back({i, b.InitList(row)});
  }
  const VarId a = b.Local(m.entry, array, Storage::Auto, b.InitList(rows));
  b.Append(m.body, b.Decl(a));
  const auto element = [&](int i, int j) { return b.Index(b.Index(b.Var(a), b.Int(i)), b.Int(j)); };
  m.StoreInt(element(1, 2), 12);
  m.StoreInt(b.Index(b.Index(b.Var(a), b.Int(1)), b.Int(2), true), 12);
  m.StoreInt(b.Deref(b.Binary(BinaryOp::Add, b.Deref(b.Var(a)), b.Int(2))), 2);
  m.StoreInt(b.Deref(b.Deref(b.Binary(BinaryOp::Add, b.Var(a), b.Int(1)))), 10);
  m.StoreInt(b.Index(b.AddressOf(element(1, 2)), b.Int(-1)), 11);
  m.StoreInt(b.Cast(int_type, b.Binary(BinaryOp::Sub, b.AddressOf(element(0, 2)), b.AddressOf(element(0, 0)))), 2);
  m.StoreInt(b.Binary(BinaryOp::Eq, b.AddressOf(element(0, 0)), b.NullPointer(types.Pointer(int_type))), 0);
  m.StoreInt(b.Index(b.String(m.program().strings.Add("a\"b\\?\n\001\3779")), b.Int(6)), 1);
  m.StoreInt(b.Index(b.String(m.program().strings.Add("a\"b\\?\n\001\3779")), b.Int(7)), -1);
  m.StoreInt(b.SizeofExpr(b.String(m.program().strings.Add("abc"))), 4);

  // Records, compound literals.
  Record record;
  record.members = {{int_type}, {types.Pointer(int_type)}};
  const TypeId pair = types.OfRecord(types.AddRecord(record));
  const VarId literal = b.Local(m.entry, pair, Storage::Literal, b.InitList({{0, b.InitExpr(b.Int(77))}}));
  m.StoreInt(b.Member(b.CompoundLiteral(literal), 0), 77);
  const VarId literal2 = b.Local(m.entry, pair, Storage::Literal, b.InitList({{1, b.InitExpr(b.AddressOf(X()))}}));
  m.StoreInt(b.Deref(b.Member(b.Deref(b.AddressOf(b.CompoundLiteral(literal2))), 1)), 13);
  const VarId literal3 = b.Local(m.entry, int_type, Storage::Literal, b.InitExpr(b.Int(5)));
  m.StoreInt(b.CompoundLiteral(literal3), 5);

  // Enumerators, calls, guards.
  const EnumId enumeration = types.AddEnum({{-2147483647 - 1, -3, 0, 2147483647}});
  m.StoreInt(b.EnumConstant(enumeration, 1), -3);
  m.StoreInt(b.EnumConstant(enumeration, 0), -2147483647 - 1);
  const FunctionId twice = b.Function(types.Function(int_type, {int_type}));
  Stmt ret = m.Of(StmtKind::Return);
  ret.expr = b.Binary(BinaryOp::Mul, b.Int(2), b.Var(m.program().functions[twice].params[0]));
  b.Append(m.program().functions[twice].body, b.Statement(ret));
  m.StoreInt(Call(b, twice, {b.Comma(b.Int(1), b.Int(4))}), 8);
  const ExprId five = b.Int(5), six = b.Int(6);
  m.StoreInt(b.Call(b.Deref(b.Func(twice)), std::span(&five, 1)), 10);
  m.StoreInt(b.Call(b.AddressOf(b.Func(twice)), std::span(&six, 1)), 12);
  const VarId counter = b.Global(m.Basic(TypeKind::UInt));
  m.program().vars[counter].role = VarRole::Counter;
  m.program().vars[counter].internal_linkage = true;
  m.StoreInt(b.Guard(X(), b.Int(1), counter, 1), 13);
  m.StoreInt(b.Binary(BinaryOp::Add, b.Guard(Y(), b.Int(100), counter, 1), X()), 113);
  const VarId temporary = b.Temporary(m.entry, int_type);
  m.StoreInt(b.Guard(b.IncDec(IncDecOp::PostInc, b.Var(d)), b.Int(3), counter, 5'000'000'000, b.Var(temporary)), 9);
  m.StoreInt(b.Guard(b.IncDec(IncDecOp::PostInc, b.Var(d)), b.Int(3), counter, 2, b.Var(temporary)), 3);
  m.StoreInt(b.Var(d), 11);
  return std::move(m.sample);
}

Sample StatementSample() {
  Maker m("statements");
  Builder& b = m.b;
  const TypeId int_type = m.Basic(TypeKind::Int);
  const FunctionId f = m.entry;
  const VarId trace = b.Global(int_type);
  m.Expect(trace, {}, 0);
  int64_t expected = 0;
  // Appends trace = trace * 7 + n to a block, in the unsigned type; `runs` says whether it is
  // executed, in order.
  const auto note = [&](BlockId block, int n) {
    ExprId sum = b.Binary(BinaryOp::Add,
                          b.Binary(BinaryOp::Mul, b.Cast(m.Basic(TypeKind::UInt), b.Var(trace)), b.Int(7)), b.Int(n));
    b.Append(block, b.ExprStatement(b.Assign(b.Var(trace), b.Cast(int_type, sum))));
  };
  const auto ran = [&](int n) {
    expected = static_cast<int32_t>(static_cast<uint32_t>(expected) * 7u + static_cast<uint32_t>(n));
  };
  const auto simple = [&](BlockId block, StmtKind kind) { b.Append(block, b.Statement(m.Of(kind))); };
  const auto jump = [&](BlockId block, StmtKind kind, LabelId label) {
    Stmt stmt = m.Of(kind);
    stmt.label = label;
    b.Append(block, b.Statement(stmt));
  };
  const auto branch = [&](BlockId block, ExprId condition, BlockId yes, BlockId no) {
    Stmt stmt = m.Of(StmtKind::If);
    stmt.expr = condition;
    stmt.body = yes;
    stmt.other = no;
    b.Append(block, b.Statement(stmt));
  };

  simple(m.body, StmtKind::Empty);
  // if / else if / else
  const BlockId yes = b.NewBlock(f), no = b.NewBlock(f), yes2 = b.NewBlock(f), no2 = b.NewBlock(f);
  note(yes, 1);
  note(yes2, 2);
  note(no2, 3);
  branch(m.body, b.Int(0), yes, no);
  branch(no, b.Var(trace), yes2, no2);
  ran(3);
  branch(m.body, b.Int(1), b.NewBlock(f), {});

  // for with a declaration, continue and break: i = 0, 1, 3, 4, then 5 breaks
  Stmt loop = m.Of(StmtKind::For);
  const VarId i = b.Local(f, int_type, Storage::Auto, b.InitExpr(b.Int(0)));
  loop.var = i;
  loop.expr = b.Binary(BinaryOp::Lt, b.Var(i), b.Int(100));
  loop.step = b.IncDec(IncDecOp::PostInc, b.Var(i));
  loop.body = b.NewBlock(f);
  const BlockId skip = b.NewBlock(f), leave = b.NewBlock(f);
  simple(skip, StmtKind::Continue);
  simple(leave, StmtKind::Break);
  const StmtId placed = b.Statement(loop);
  b.Append(m.body, placed);
  branch(loop.body, b.Binary(BinaryOp::Eq, b.Var(i), b.Int(2)), skip, {});
  branch(loop.body, b.Binary(BinaryOp::Eq, b.Var(i), b.Int(5)), leave, {});
  note(loop.body, 4);
  for (int k = 0; k < 4; ++k) ran(4);

  // for with nothing, left by break
  Stmt forever = m.Of(StmtKind::For);
  forever.body = b.NewBlock(f);
  note(forever.body, 5);
  simple(forever.body, StmtKind::Break);
  b.Append(m.body, b.Statement(forever));
  ran(5);

  // while and do
  const VarId n = b.Local(f, int_type, Storage::Register);
  b.Append(m.body, b.Decl(n));
  Stmt init_loop = m.Of(StmtKind::For);
  init_loop.init = b.Assign(b.Var(n), b.Int(3));
  init_loop.expr = b.Int(0);
  init_loop.body = b.NewBlock(f);
  b.Append(m.body, b.Statement(init_loop));
  Stmt loop2 = m.Of(StmtKind::While);
  loop2.expr = b.IncDec(IncDecOp::PostDec, b.Var(n));
  loop2.body = b.NewBlock(f);
  note(loop2.body, 6);
  b.Append(m.body, b.Statement(loop2));
  for (int k = 0; k < 3; ++k) ran(6);
  Stmt loop3 = m.Of(StmtKind::DoWhile);
  loop3.expr = b.Binary(BinaryOp::Lt, b.IncDec(IncDecOp::PreInc, b.Var(n)), b.Int(1));
  loop3.body = b.NewBlock(f);
  note(loop3.body, 7);
  b.Append(m.body, b.Statement(loop3));
  ran(7);
  ran(7);

  // switch with fall-through, default in the middle, a declaration after a case
  for (int64_t value : {-1, 5, 9}) {
    Stmt select = m.Of(StmtKind::Switch);
    select.expr = b.Cast(m.Basic(TypeKind::LLong), b.Int(value));
    select.body = b.NewBlock(f);
    b.Append(m.body, b.Statement(select));
    const auto mark = [&](int64_t v) {
      Stmt stmt = m.Of(StmtKind::Case);
      stmt.value = v;
      b.Append(select.body, b.Statement(stmt));
    };
    mark(-1);
    note(select.body, 8);
    simple(select.body, StmtKind::Default);
    mark(6);
    const VarId inner = b.Local(f, int_type, Storage::Auto);
    b.Append(select.body, b.Decl(inner));
    b.Append(select.body, b.ExprStatement(b.Assign(b.Var(inner), b.Int(1))));
    note(select.body, 9);
    simple(select.body, StmtKind::Break);
    mark(5);
    note(select.body, 10);
    mark(INT64_MIN);
    if (value == -1) ran(8);
    if (value != 5) ran(9);
    if (value == 5) ran(10);
  }

  // goto forward into a block, backward once; a label before a declaration and at the end of a
  // block
  const LabelId forward = b.NewLabel(), back = b.NewLabel(), end = b.NewLabel();
  jump(m.body, StmtKind::Goto, forward);
  note(m.body, 11);
  const BlockId inner_block = b.NewBlock(f);
  Stmt block = m.Of(StmtKind::Block);
  block.body = inner_block;
  b.Append(m.body, b.Statement(block));
  note(inner_block, 12);
  jump(inner_block, StmtKind::Label, forward);
  note(inner_block, 13);
  jump(inner_block, StmtKind::Label, end);
  ran(13);
  const VarId rounds = b.Local(f, int_type, Storage::StaticLocal, b.InitExpr(b.Int(2)));
  b.Append(m.body, b.Decl(rounds));
  jump(m.body, StmtKind::Label, back);
  const VarId fresh = b.Local(f, int_type, Storage::Auto, b.InitExpr(b.Int(1)));
  b.Append(m.body, b.Decl(fresh));
  note(m.body, 14);
  const BlockId again = b.NewBlock(f);
  jump(again, StmtKind::Goto, back);
  branch(m.body, b.IncDec(IncDecOp::PostDec, b.Var(rounds)), again, {});
  for (int k = 0; k < 3; ++k) ran(14);

  // return without and with a value
  const BlockId out = b.NewBlock(f);
  simple(out, StmtKind::Return);
  branch(m.body, b.Var(trace), out, {});
  note(m.body, 15);
  m.sample.finals[0].value = expected;
  return std::move(m.sample);
}

Sample TypeSample() {
  Maker m("types");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int);
  // Every basic integer type, assigned -1.
  for (const TypeKindInfo& row : kTypeKinds) {
    if (!IsInteger(row.kind) || row.kind == TypeKind::Enum) continue;
    const IntegerInfo info = IntegerInfoOf(row.kind, m.program().Model());
    m.Store(row.kind, b.Int(-1), info.is_signed ? -1 : static_cast<int64_t>(info.Max()));
  }
  const EnumId enumeration = types.AddEnum({{-1, 5}});
  const VarId e = b.Global(types.OfEnum(enumeration), b.InitExpr(b.EnumConstant(enumeration, 1)));
  m.Expect(e, {}, 5);

  // struct A { signed char; int : 3; unsigned : 5; int : 0; int : 3 }, packed struct B { char;
  // struct A[2]; long long : 40 }
  Record bits;
  bits.members = {{m.Basic(TypeKind::SChar)},
                  {int_type, 3, false},
                  {m.Basic(TypeKind::UInt), 5},
                  {int_type, 0, false},
                  {int_type, 3}};
  const RecordId bits_id = types.AddRecord(bits);
  const TypeId bits_type = types.OfRecord(bits_id);
  Record packed;
  packed.packed = true;
  packed.members = {{m.Basic(TypeKind::Char)}, {types.Array(bits_type, 2)}, {int_type, 17}};
  const TypeId packed_type = types.OfRecord(types.AddRecord(packed));
  const auto number = [&](int64_t v) { return b.InitExpr(b.Int(v)); };
  const InitId first = b.InitList({{0, number(-7)}, {2, number(33)}, {4, number(-2)}});
  const InitId second = b.InitList({{4, number(3)}, {0, number(1)}}, true);
  const VarId s = b.Global(
      packed_type, b.InitList({{0, number('x')}, {1, b.InitList({{0, first}, {1, second}})}, {2, number(-65536)}}));
  m.Expect(s, {0}, 'x');
  m.Expect(s, {1, 0, 0}, -7);
  m.Expect(s, {1, 0, 2}, 1);
  m.Expect(s, {1, 0, 4}, -2);
  m.Expect(s, {1, 1, 0}, 1);
  m.Expect(s, {1, 1, 2}, 0);
  m.Expect(s, {1, 1, 4}, 3);
  m.Expect(s, {2}, -65536);

  Record either;
  either.is_union = true;
  either.members = {{m.Basic(TypeKind::UShort)}, {m.Basic(TypeKind::Int32)}};
  const TypeId union_type = types.OfRecord(types.AddRecord(either));
  const VarId u = b.Global(union_type, b.InitList({{1, number(-70000)}}, true));
  m.Expect(u, {1}, -70000);

  // A list of structs that refer to each other behind pointers and in function types.
  const RecordId node_id = types.AddRecord({});
  const TypeId node = types.OfRecord(node_id);
  const RecordId holder_id = types.AddRecord({});
  const TypeId holder = types.OfRecord(holder_id);
  const TypeId callback = types.Pointer(types.Function(int_type, {types.Pointer(node), holder}));
  types.GetRecord(node_id).members = {{types.Pointer(node)}, {types.Pointer(holder)}, {int_type}};
  types.GetRecord(holder_id).members = {{node}, {callback}};

  // Arrays, loops in main: [2][3] of struct { [2] short, int }
  Record cell;
  cell.members = {{types.Array(m.Basic(TypeKind::Short), 2)}, {int_type}};
  const TypeId cell_type = types.OfRecord(types.AddRecord(cell));
  const VarId grid = b.Global(types.Array(types.Array(cell_type, 3), 2),
                              b.InitList({{1, b.InitList({{2, b.InitList({{0, b.InitList({{1, number(-9)}})}})}})}}));
  for (uint32_t i = 0; i < 2; ++i) {
    for (uint32_t j = 0; j < 3; ++j) {
      m.Expect(grid, {i, j, 0, 0}, 0);
      m.Expect(grid, {i, j, 0, 1}, i == 1 && j == 2 ? -9 : 0);
      m.Expect(grid, {i, j, 1}, 0);
    }
  }
  const VarId text = b.Global(types.Array(types.Qualified(m.Basic(TypeKind::Char), kConst), 4),
                              b.InitString(m.program().strings.Add("hi")));
  m.program().vars[text].internal_linkage = true;
  m.program().vars[text].align = 16;
  for (uint32_t i = 0; i < 4; ++i) m.Expect(text, {i}, i < 2 ? "hi"[i] : 0);
  const VarId empty = b.Global(cell_type, b.InitList({}));
  m.Expect(empty, {0, 0}, 0);
  m.Expect(empty, {0, 1}, 0);
  m.Expect(empty, {1}, 0);

  // int f(struct node *, struct holder); pointers to arrays, to functions, arrays of them,
  // qualifiers at each level.
  const FunctionId f = b.Function(types[callback].element);
  m.program().functions[f].attrs = kFnStatic | kFnInline | kFnPure | kFnNoInline;
  Stmt ret = m.Of(StmtKind::Return);
  ret.expr = b.Binary(BinaryOp::Add, b.Member(b.Deref(b.Var(m.program().functions[f].params[0])), 2),
                      b.Member(b.Member(b.Var(m.program().functions[f].params[1]), 0), 2));
  b.Append(m.program().functions[f].body, b.Statement(ret));
  const TypeId table = types.Array(types.Qualified(callback, kConst), 2);
  const VarId functions = b.Global(table, b.InitList({{0, b.InitExpr(b.Func(f))}}));
  const VarId later = b.Global(types.Qualified(int_type, kVolatile), number(4));
  // const int volatile *const *p: refers to a global that is declared later
  const TypeId deep = types.Pointer(types.Pointer(types.Qualified(int_type, kVolatile), kConst));
  const VarId pointer = b.Global(types[deep].element, b.InitExpr(b.AddressOf(b.Var(later))));
  const VarId deep_pointer = b.Global(deep, b.InitExpr(b.AddressOf(b.Var(pointer))));
  std::swap(m.program().globals[m.program().globals.size() - 1], m.program().globals[m.program().globals.size() - 3]);
  m.Expect(later, {}, 4);
  m.StoreInt(b.Deref(b.Deref(b.Var(deep_pointer))), 4);
  const VarId one = b.Local(m.entry, node, Storage::Auto, b.InitList({{2, number(30)}}, true));
  const VarId two = b.Local(m.entry, holder, Storage::Auto,
                            b.InitList({{0, b.InitList({{2, number(12)}}, true)}, {1, b.InitExpr(b.Func(f))}}));
  b.Append(m.body, b.Decl(one));
  b.Append(m.body, b.Decl(two));
  const ExprId args[] = {b.AddressOf(b.Var(one)), b.Var(two)};
  m.StoreInt(b.Call(b.Index(b.Var(functions), b.Int(0)), args), 42);
  const VarId row = b.Local(m.entry, types.Pointer(types.Array(cell_type, 3), kRestrict | kConst), Storage::Auto,
                            b.InitExpr(b.AddressOf(b.Index(b.Var(grid), b.Int(1)))));
  b.Append(m.body, b.Decl(row));
  m.StoreInt(b.Index(b.Member(b.Index(b.Deref(b.Var(row)), b.Int(2)), 0), b.Int(1)), -9);

  // int (*pick(void))[3]: a function that returns a pointer to an array; external and inline
  const VarId numbers = b.Global(types.Array(int_type, 3));
  const FunctionId pick = b.Function(types.Function(types.Pointer(types.Array(int_type, 3)), {}));
  m.program().functions[pick].attrs = kFnInline;
  Stmt ret2 = m.Of(StmtKind::Return);
  ret2.expr = b.AddressOf(b.Var(numbers));
  b.Append(m.program().functions[pick].body, b.Statement(ret2));
  m.Do(b.Assign(b.Index(b.Deref(Call(b, pick, {})), b.Int(1)), b.Int(8)));
  for (uint32_t i = 0; i < 3; ++i) m.Expect(numbers, {i}, i == 1 ? 8 : 0);

  // A VLA.
  const VarId vla = b.Local(m.entry, types.Vla(types.Array(int_type, 2)));
  m.program().vars[vla].vla_length = b.Binary(BinaryOp::Add, b.Var(later), b.Int(1));
  b.Append(m.body, b.Decl(vla));
  m.Do(b.Assign(b.Index(b.Index(b.Var(vla), b.Int(4)), b.Int(1)), b.Int(21)));
  m.StoreInt(b.Index(b.Index(b.Var(vla), b.Int(4)), b.Int(1)), 21);
  const FunctionId hot = b.Function(types.Function(int_type, {int_type}));
  m.program().functions[hot].attrs = kFnStatic | kFnInline | kFnAlwaysInline | kFnConst;
  Stmt ret3 = m.Of(StmtKind::Return);
  ret3.expr = b.Unary(UnaryOp::Minus, b.Var(m.program().functions[hot].params[0]));
  b.Append(m.program().functions[hot].body, b.Statement(ret3));
  m.StoreInt(Call(b, hot, {b.Int(3)}), -3);
  return std::move(m.sample);
}

Sample BuiltinSample() {
  Maker m("builtins");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int), void_type = m.Basic(TypeKind::Void);
  const TypeId pointer_type = types.Pointer(int_type);
  const auto builtin = [&](Builtin kind, TypeId type, TypeId ref, std::initializer_list<ExprId> args) {
    return b.BuiltinCall(kind, type, ref, std::span<const ExprId>(args.begin(), args.size()));
  };
  const VarId p = b.Local(m.entry, pointer_type), q = b.Local(m.entry, pointer_type);
  b.Append(m.body, b.Decl(p));
  b.Append(m.body, b.Decl(q));
  m.Do(b.Assign(b.Var(p),
                builtin(Builtin::Malloc, pointer_type, int_type, {b.Binary(BinaryOp::Add, b.Int(1), b.Int(2))})));
  m.Do(b.Assign(b.Var(q), builtin(Builtin::Calloc, pointer_type, int_type, {b.Int(2)})));
  m.Do(b.Assign(b.Index(b.Var(p), b.Int(2)), b.Int(5)));
  m.StoreInt(b.Index(b.Var(p), b.Int(2)), 5);
  m.StoreInt(b.Index(b.Var(q), b.Int(1)), 0);
  m.Do(builtin(Builtin::Free, void_type, {}, {b.Var(p)}));
  m.Do(builtin(Builtin::Free, void_type, {}, {b.Var(q)}));
  const TypeId array = types.Array(int_type, 2);
  const VarId x = b.Global(array, b.InitList({{0, b.InitExpr(b.Int(1))}, {1, b.InitExpr(b.Int(2))}}));
  const VarId y = b.Global(array);
  const VarId z = b.Global(array);
  const auto address = [&](VarId var) { return b.AddressOf(b.Var(var)); };
  m.Do(builtin(Builtin::Memcpy, void_type, array, {address(y), address(x)}));
  m.Do(builtin(Builtin::Memmove, void_type, array, {address(y), address(y)}));
  m.Do(builtin(Builtin::Memset, void_type, array, {address(z), b.Int(-1)}));
  m.Expect(x, {0}, 1);
  m.Expect(x, {1}, 2);
  m.Expect(y, {0}, 1);
  m.Expect(y, {1}, 2);
  m.Expect(z, {0}, -1);
  m.Expect(z, {1}, -1);
  m.StoreInt(builtin(Builtin::Memcmp, int_type, array, {address(x), address(y)}), 0);
  m.StoreInt(builtin(Builtin::Memcmp, int_type, array, {address(x), address(z)}), -1);
  m.StoreInt(builtin(Builtin::Memcmp, int_type, array, {address(z), address(y)}), 1);
  return std::move(m.sample);
}

Sample VariadicSample() {
  Maker m("variadic");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId long_type = m.Basic(TypeKind::Long), int_type = m.Basic(TypeKind::Int);
  const FunctionId f = b.Function(types.Function(long_type, {int_type}, true));
  const BlockId body = m.program().functions[f].body;
  const VarId list = b.Local(f, m.Basic(TypeKind::VaList));
  b.Append(body, b.Decl(list));
  const auto va = [&](Builtin kind, TypeId type, TypeId ref) {
    const ExprId arg = b.Var(list);
    return b.BuiltinCall(kind, type, ref, std::span(&arg, 1));
  };
  b.Append(body, b.ExprStatement(va(Builtin::VaStart, m.Basic(TypeKind::Void), {})));
  const VarId sum = b.Local(f, long_type, Storage::Auto, b.InitExpr(va(Builtin::VaArg, int_type, int_type)));
  b.Append(body, b.Decl(sum));
  b.Append(body,
           b.ExprStatement(b.CompoundAssign(BinaryOp::Add, b.Var(sum), va(Builtin::VaArg, long_type, long_type))));
  b.Append(body, b.ExprStatement(va(Builtin::VaEnd, m.Basic(TypeKind::Void), {})));
  Stmt ret = m.Of(StmtKind::Return);
  ret.expr = b.Var(sum);
  b.Append(body, b.Statement(ret));
  m.Store(TypeKind::Long, Call(b, f, {b.Int(2), b.Int(-4), b.Constant(TypeKind::Long, 50)}), 46);
  return std::move(m.sample);
}

std::vector<Sample> AllSamples() {
  std::vector<Sample> samples;
  samples.push_back(ConstantSample());
  samples.push_back(ExpressionSample());
  samples.push_back(OperatorSample());
  if (Sample sample = GnuOperatorSample(); !sample.finals.empty()) samples.push_back(std::move(sample));
  samples.push_back(StatementSample());
  samples.push_back(TypeSample());
  samples.push_back(BuiltinSample());
  samples.push_back(GnuBuiltinSample());
  samples.push_back(OverflowTestSample());
  samples.push_back(MathSample());
  samples.push_back(StringFunctionSample());
  samples.push_back(VariadicSample());
  samples.push_back(FloatSample());
  samples.push_back(VectorOperatorSample());
  samples.push_back(VectorSample());
  samples.push_back(WideOperatorSample());
  samples.push_back(WideSample());
  return samples;
}

}  // namespace assay::lang
