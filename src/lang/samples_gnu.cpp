// What GNU C adds to builtins, statements and functions.
#include <cmath>

#include "lang/attributes.hpp"
#include "lang/sample_maker.hpp"

namespace assay::lang {
namespace {

ExprId Use(Maker& m, Builtin builtin, TypeId type, std::initializer_list<ExprId> arguments, TypeId ref_type = {}) {
  return m.b.BuiltinCall(builtin, type, ref_type, std::span<const ExprId>(arguments.begin(), arguments.size()));
}

ExprId LLong(Maker& m, int64_t value) { return m.b.Constant(TypeKind::LLong, static_cast<uint64_t>(value)); }

// Whether it fits, and what is stored.
void Checked(Maker& m) {
  const TypeId truth = m.Basic(TypeKind::Bool);
  const auto check = [&](Builtin builtin, ExprId a, ExprId b, TypeKind kind, bool beyond, int64_t kept) {
    const VarId place = m.b.Global(m.Basic(kind));
    m.Expect(place, {}, kept);
    m.StoreInt(Use(m, builtin, truth, {a, b, m.b.AddressOf(m.b.Var(place))}), beyond);
  };
  check(Builtin::AddOverflow, m.b.Int(100), m.b.Int(27), TypeKind::SChar, false, 127);
  check(Builtin::AddOverflow, m.b.Int(100), m.b.Int(28), TypeKind::SChar, true, -128);
  check(Builtin::AddOverflow, LLong(m, INT64_MAX), m.b.Int(1), TypeKind::ULLong, false, INT64_MIN);
  check(Builtin::AddOverflow, m.b.Constant(TypeKind::ULLong, ~uint64_t{0}), m.b.Int(-1), TypeKind::Int, true, -2);
  check(Builtin::SubOverflow, m.b.Int(1), m.b.Int(2), TypeKind::UInt, true, 0xffffffff);
  check(Builtin::SubOverflow, m.b.Constant(TypeKind::UInt, 1), m.b.Constant(TypeKind::UInt, 2), TypeKind::Int, false,
        -1);
  check(Builtin::MulOverflow, LLong(m, INT64_MIN), m.b.Int(-1), TypeKind::LLong, true, INT64_MIN);
  const auto most = [&] { return m.b.Constant(TypeKind::ULLong, ~uint64_t{0}); };
  check(Builtin::MulOverflow, most(), most(), TypeKind::ULLong, true, 1);
  check(Builtin::MulOverflow, m.b.Int(-7), m.b.Int(6), TypeKind::Short, false, -42);
}

// What each gives, and what is stored then, of 12 in a short.
void Atomics(Maker& m) {
  const TypeId type = m.Basic(TypeKind::Short);
  struct Row {
    Builtin builtin;
    int value, given, stored;
  };
  for (const Row& row : {Row{Builtin::AtomicLoad, 0, 12, 12}, Row{Builtin::AtomicExchange, 7, 12, 7},
                         Row{Builtin::AtomicFetchAdd, 32760, 12, -32764}, Row{Builtin::AtomicFetchSub, 20, 12, -8},
                         Row{Builtin::AtomicFetchAnd, 10, 12, 8}, Row{Builtin::AtomicFetchOr, 3, 12, 15},
                         Row{Builtin::AtomicFetchXor, 6, 12, 10}, Row{Builtin::AtomicFetchNand, 10, 12, -9},
                         Row{Builtin::AtomicAddFetch, 3, 15, 15}, Row{Builtin::AtomicXorFetch, 6, 10, 10},
                         Row{Builtin::SyncFetchAdd, 3, 12, 15}, Row{Builtin::SyncFetchSub, 3, 12, 9},
                         Row{Builtin::SyncSwap, 5, 12, 5}}) {
    const VarId place = m.b.Global(type, m.b.InitExpr(m.b.Int(12)));
    m.Expect(place, {}, row.stored);
    const ExprId address = m.b.AddressOf(m.b.Var(place));
    m.StoreInt(Info(row.builtin).arguments == 1 ? Use(m, row.builtin, type, {address})
                                                : Use(m, row.builtin, type, {address, m.b.Int(row.value)}),
               row.given);
  }
  const VarId place = m.b.Global(type, m.b.InitExpr(m.b.Int(12)));
  m.Expect(place, {}, 4);
  const auto address = [&] { return m.b.AddressOf(m.b.Var(place)); };
  m.StoreInt(Use(m, Builtin::SyncCompareSwap, type, {address(), m.b.Int(11), m.b.Int(1)}), 12);
  m.StoreInt(Use(m, Builtin::SyncCompareSwap, type, {address(), m.b.Int(12), m.b.Int(2)}), 12);
  m.Do(Use(m, Builtin::AtomicStore, m.Basic(TypeKind::Void), {address(), m.b.Int(4)}));
}

// A switch with a range of cases, for values around it.
void CaseRange(Maker& m) {
  Builder& b = m.b;
  for (int value : {-4, -3, 2, 3}) {
    const VarId chosen = b.Global(m.Basic(TypeKind::Int));
    m.Expect(chosen, {}, value >= -3 && value <= 2 ? 1 : 0);
    Stmt stmt = m.Of(StmtKind::Switch);
    stmt.expr = b.Int(value);
    stmt.body = b.NewBlock(m.entry);
    b.Append(m.body, b.Statement(stmt));
    Stmt label = m.Of(StmtKind::Case);
    label.value = -3;
    label.span = 5;
    b.Append(stmt.body, b.Statement(label));
    b.Append(stmt.body, b.ExprStatement(b.Assign(b.Var(chosen), b.Int(1))));
  }
}

}  // namespace

Sample GnuBuiltinSample() {
  Maker m("gnu builtins");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int), long_type = m.Basic(TypeKind::Long),
               pointer = types.Pointer(int_type);
  Checked(m);
  const VarId x = m.IntLocal(13);
  m.StoreInt(Use(m, Builtin::Expect, long_type, {b.Var(x), b.Int(0)}), 13);
  m.StoreInt(b.SizeofExpr(Use(m, Builtin::Expect, long_type, {b.Var(x), b.Int(0)})), 8);
  m.StoreInt(Use(m, Builtin::ExpectProbability, long_type, {b.Var(x), b.Int(1), b.Int(5)}), 13);
  m.StoreInt(Use(m, Builtin::ExpectProbability, long_type, {b.Var(x), b.Int(1), b.Int(100)}), 13);
  const ExprId aligned = Use(m, Builtin::AssumeAligned, pointer, {b.AddressOf(b.Var(x)), b.Int(4)}, int_type);
  m.StoreInt(b.Deref(aligned), 13);
  const auto twice = [&] { return b.Binary(BinaryOp::Add, b.Var(x), b.Var(x)); };
  const auto doubled = [&] { return b.Binary(BinaryOp::Mul, b.Var(x), b.Int(2)); };
  m.StoreInt(Use(m, Builtin::ConstantP, int_type, {b.Var(x), twice(), doubled()}), 26);
  m.StoreInt(b.Binary(BinaryOp::Add, Use(m, Builtin::ObjectSize, int_type, {b.AddressOf(b.Var(x)), twice(), doubled()}),
                      b.Int(1)),
             27);
  const BlockId never = b.NewBlock(m.entry);
  Stmt branch = m.Of(StmtKind::If);
  branch.expr = b.Binary(BinaryOp::Gt, b.Var(x), b.Int(13));
  branch.body = never;
  b.Append(m.body, b.Statement(branch));
  b.Append(never, b.ExprStatement(Use(m, Builtin::Trap, m.Basic(TypeKind::Void), {})));
  b.Append(never, b.ExprStatement(Use(m, Builtin::Unreachable, m.Basic(TypeKind::Void), {})));
  for (const BarrierInfo& row : kBarriers) {
    Stmt barrier = m.Of(StmtKind::Barrier);
    barrier.value = static_cast<int64_t>(row.kind);
    if (row.kind != BarrierKind::Memory) barrier.expr = b.Var(x);
    b.Append(m.body, b.Statement(barrier));
  }
  m.StoreInt(b.Var(x), 13);
  CaseRange(m);
  Atomics(m);
  for (const VariableAttrInfo& row : kVariableAttrs) {
    if (row.attr == kVarNonNull) continue;
    const VarId var = b.Global(int_type, b.InitExpr(b.Int(3)));
    m.program().vars[var].attrs = row.attr;
    m.Expect(var, {}, 3);
  }
  const VarId turns = b.Global(int_type);
  m.Expect(turns, {}, 5);
  Stmt loop = m.Of(StmtKind::While);
  loop.expr = b.Binary(BinaryOp::Lt, b.Var(turns), b.Int(5));
  loop.body = b.NewBlock(m.entry);
  loop.span = 4;
  b.Append(m.body, b.Statement(loop));
  b.Append(loop.body, b.ExprStatement(b.IncDec(IncDecOp::PreInc, b.Var(turns))));
  // goto *table[i], twice: each time to another label.
  for (int index : {0, 1}) {
    const VarId way = b.Global(int_type);
    m.Expect(way, {}, index == 0 ? 3 : 2);
    const std::array labels = {b.NewLabel(), b.NewLabel()};
    Stmt jump = m.Of(StmtKind::GotoTable);
    jump.expr = b.Int(index);
    jump.labels = b.Labels(labels);
    jump.value = index;
    b.Append(m.body, b.Statement(jump));
    for (int i : {0, 1}) {
      Stmt label = m.Of(StmtKind::Label);
      label.label = labels[static_cast<size_t>(i)];
      b.Append(m.body, b.Statement(label));
      m.Do(b.CompoundAssign(BinaryOp::Add, b.Var(way), b.Int(i + 1)));
    }
  }
  // int *f(int n, int *p) { return p; } with all that can be promised of pointers.
  const FunctionId same = b.Function(types.Function(pointer, {int_type, pointer}));
  m.program().functions[same].attrs |= kFnReturnsNonNull | kFnAssumeAligned;
  const VarId passed = m.program().functions[same].params[1];
  m.program().vars[passed].attrs = kVarNonNull;
  Stmt back = m.Of(StmtKind::Return);
  back.expr = b.Var(passed);
  b.Append(m.program().functions[same].body, b.Statement(back));
  m.StoreInt(b.Deref(Call(b, same, {b.Int(1), b.AddressOf(b.Var(x))})), 13);
  // Every attribute that promises nothing, on a function of its own.
  for (const FunctionAttrInfo& row : kFunctionAttrs) {
    if (!IsHint(row.attr)) continue;
    const FunctionId f = b.Function(types.Function(int_type, {}));
    m.program().functions[f].attrs = row.attr | ((row.attr & (kFnWeak | kFnHidden)) != 0 ? 0u : uint32_t{kFnStatic});
    Stmt ret = m.Of(StmtKind::Return);
    ret.expr = b.Int(7);
    b.Append(m.program().functions[f].body, b.Statement(ret));
    m.StoreInt(Call(b, f, {}), 7);
  }
  return std::move(m.sample);
}

Sample StringFunctionSample() {
  Maker m("strings");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId character = m.Basic(TypeKind::Char), pointer = types.Pointer(character),
               nothing = m.Basic(TypeKind::Void);
  const TypeId size = m.Basic(m.program().Model().Properties().size_type), int_type = m.Basic(TypeKind::Int);
  const auto string = [&](std::string text) { return b.String(m.program().strings.Add(std::move(text))); };
  const VarId text = b.Global(types.Array(character, 8), b.InitString(m.program().strings.Add("abc")));
  const VarId buffer = b.Global(types.Array(character, 8));
  const int64_t copied[] = {'a', 'b', 'c', 'x', 'y', 0, 0, 0}, kept[] = {'a', 'b', 'c', 0, 0, 0, 0, 0};
  for (uint32_t i = 0; i < 8; ++i) m.Expect(text, {i}, kept[i]);
  for (uint32_t i = 0; i < 8; ++i) m.Expect(buffer, {i}, copied[i]);
  m.StoreInt(Use(m, Builtin::Strlen, size, {b.Var(text)}), 3);
  m.Do(Use(m, Builtin::Strcpy, nothing, {b.Var(buffer), b.Var(text)}));
  m.StoreInt(Use(m, Builtin::Strcmp, int_type, {b.Var(buffer), b.Var(text)}), 0);
  m.Do(Use(m, Builtin::Strcat, nothing, {b.Var(buffer), string("xy")}));
  m.StoreInt(Use(m, Builtin::Strlen, size, {b.Var(buffer)}), 5);
  m.StoreInt(Use(m, Builtin::Strcmp, int_type, {b.Var(buffer), b.Var(text)}), 1);
  m.StoreInt(Use(m, Builtin::Strcmp, int_type, {b.Var(text), b.Var(buffer)}), -1);
  m.StoreInt(Use(m, Builtin::Strncmp, int_type, {b.Var(text), b.Var(buffer), b.Int(3)}), 0);
  m.StoreInt(Use(m, Builtin::Strncmp, int_type, {b.Var(text), b.Var(buffer), b.Int(4)}), -1);
  const auto distance = [&](ExprId found) { return b.Binary(BinaryOp::Sub, found, b.Var(text)); };
  m.StoreInt(distance(Use(m, Builtin::Strchr, pointer, {b.Var(text), b.Int('c')})), 2);
  m.StoreInt(distance(Use(m, Builtin::Strchr, pointer, {b.Var(text), b.Int(0)})), 3);
  m.StoreInt(b.Unary(UnaryOp::LogicalNot, Use(m, Builtin::Strchr, pointer, {b.Var(text), b.Int('d')})), 1);
  m.StoreInt(distance(Use(m, Builtin::Memchr, pointer, {b.Var(text), b.Int('b' + 256), b.Int(2)})), 1);
  m.StoreInt(b.Unary(UnaryOp::LogicalNot, Use(m, Builtin::Memchr, pointer, {b.Var(text), b.Int('c'), b.Int(2)})), 1);
  return std::move(m.sample);
}

// Every function of <math.h>, for both kinds; all results are exact.
Sample MathSample() {
  Maker m("gnu math");
  Builder& b = m.b;
  const TypeId int_type = m.Basic(TypeKind::Int);
  struct Row {
    Builtin function;
    std::vector<double> arguments;
    int times8;  // the result
  };
  const Row rows[] = {
      {Builtin::Fabs, {-1.5}, 12},        {Builtin::Fabs, {2}, 16},
      {Builtin::CopySign, {-1.5, 3}, 12}, {Builtin::CopySign, {2.5, -7}, -20},
      {Builtin::Floor, {-0.5}, -8},       {Builtin::Floor, {2.75}, 16},
      {Builtin::Ceil, {-0.5}, 0},         {Builtin::Ceil, {2.25}, 24},
      {Builtin::Trunc, {-2.75}, -16},     {Builtin::Trunc, {2.75}, 16},
      {Builtin::Rint, {2.5}, 16},         {Builtin::Rint, {3.5}, 32},
      {Builtin::NearbyInt, {-2.5}, -16},  {Builtin::NearbyInt, {-1.75}, -16},
      {Builtin::Round, {2.5}, 24},        {Builtin::Round, {-2.5}, -24},
      {Builtin::Fmin, {3, -2.5}, -20},    {Builtin::Fmax, {3, -2.5}, 24},
      {Builtin::Sqrt, {6.25}, 20},        {Builtin::Sqrt, {0}, 0},
      {Builtin::Fma, {1.5, -3, 5}, 4},    {Builtin::Ldexp, {-3, -3}, -3},
      {Builtin::Scalbn, {1.25, 2}, 40},
  };
  for (TypeKind kind : {TypeKind::Float, TypeKind::Double}) {
    const TypeId type = m.Basic(kind);
    const auto object = [&](double value) {
      const VarId var = b.Local(m.entry, type, Storage::Auto, b.InitExpr(b.Constant(kind, FloatBits(kind, value))));
      b.Append(m.body, b.Decl(var));
      return b.Var(var);
    };
    for (const Row& row : rows) {
      std::vector<ExprId> arguments;
      for (double value : row.arguments) {
        const bool power = Info(row.function).operands == BuiltinOperands::Scaled && !arguments.empty();
        arguments.push_back(power ? b.Var(m.IntLocal(static_cast<int64_t>(value))) : object(value));
      }
      const ExprId call = b.BuiltinCall(row.function, type, type, arguments);
      m.StoreInt(b.Cast(int_type, b.Binary(BinaryOp::Mul, call, b.Int(8))), row.times8);
    }
    // (1 + 2^-n)^2 - 1 - 2^(1-n) is 2^-2n, which only one rounding gives.
    const int n = kind == TypeKind::Float ? 13 : 30;
    const double near = 1 + std::ldexp(1.0, -n);
    const ExprId fused =
        Use(m, Builtin::Fma, type, {object(near), object(near), object(-1 - std::ldexp(1.0, 1 - n))}, type);
    m.StoreInt(b.Cast(int_type, Use(m, Builtin::Ldexp, type, {fused, b.Int(2 * n)}, type)), 1);
    const auto test = [&](Builtin function, std::initializer_list<double> values, int expected) {
      std::vector<ExprId> arguments;
      for (double value : values) arguments.push_back(object(value));
      m.StoreInt(b.BuiltinCall(function, int_type, {}, arguments), expected);
    };
    test(Builtin::IsNaN, {1.5}, 0);
    test(Builtin::IsInf, {-1.5}, 0);
    test(Builtin::IsFinite, {-1.5}, 1);
    test(Builtin::SignBit, {-1.5}, 1);
    test(Builtin::SignBit, {0.25}, 0);
    for (double value : {-2.0, 3.0, 4.5}) {
      test(Builtin::IsGreater, {value, 3}, value > 3);
      test(Builtin::IsGreaterEqual, {value, 3}, value >= 3);
      test(Builtin::IsLess, {value, 3}, value < 3);
      test(Builtin::IsLessEqual, {value, 3}, value <= 3);
      test(Builtin::IsLessGreater, {value, 3}, value != 3);
      test(Builtin::IsUnordered, {value, 3}, 0);
    }
  }
  // Integers convert; a float and a double meet in double.
  const TypeId full = m.Basic(TypeKind::Double);
  m.StoreInt(b.Cast(int_type, Use(m, Builtin::Fmax, full,
                                  {b.Int(7), b.Constant(TypeKind::Float, FloatBits(TypeKind::Float, 2.5))}, full)),
             7);
  m.StoreInt(Use(m, Builtin::IsLess, int_type,
                 {b.Constant(TypeKind::Float, FloatBits(TypeKind::Float, 1)),
                  b.Constant(TypeKind::Double, FloatBits(TypeKind::Double, 1 + 0x1p-40))}),
             1);
  return std::move(m.sample);
}

Sample OverflowTestSample() {
  Maker m("gnu overflow tests");
  const TypeId truth = m.Basic(TypeKind::Bool);
  const auto check = [&](Builtin builtin, ExprId a, ExprId b, TypeKind kind, bool beyond) {
    m.StoreInt(Use(m, builtin, truth, {a, b, m.b.Cast(m.Basic(kind), m.b.Int(0))}), beyond);
  };
  check(Builtin::AddOverflowP, m.b.Int(100), m.b.Int(27), TypeKind::SChar, false);
  check(Builtin::AddOverflowP, m.b.Int(100), m.b.Int(28), TypeKind::SChar, true);
  check(Builtin::SubOverflowP, m.b.Int(1), m.b.Int(2), TypeKind::UInt, true);
  check(Builtin::SubOverflowP, m.b.Int(1), m.b.Int(2), TypeKind::LLong, false);
  check(Builtin::MulOverflowP, m.b.Int(256), m.b.Int(256), TypeKind::UShort, true);
  check(Builtin::MulOverflowP, m.b.Int(256), m.b.Int(256), TypeKind::UInt, false);
  return std::move(m.sample);
}

}  // namespace assay::lang
