// Vectors of GNU C: all that gcc and clang have of them.
#include <cmath>
#include <functional>

#include "lang/sample_maker.hpp"

namespace assay::lang {
namespace {

// A lane, whatever its type: integers of every kind and the floating numbers of these samples are values of a long
// double or of an int64_t.
struct LaneType {
  TypeKind kind;
  uint32_t lanes;
  int bits;
  bool is_signed;
};

int64_t Wrapped(const LaneType& type, int64_t value) {
  if (type.bits == 64 || type.bits == 0) return value;
  const int64_t kept = value & ((int64_t{1} << type.bits) - 1);
  return type.is_signed && (kept >> (type.bits - 1)) != 0 ? kept - (int64_t{1} << type.bits) : kept;
}

class VectorMaker : public Maker {
 public:
  explicit VectorMaker(std::string name) : Maker(std::move(name)) {}

  TypeId VectorOf(const LaneType& type) { return types().Vector(Basic(type.kind), type.lanes); }
  ExprId Lane(TypeKind kind, int64_t value) {
    if (IsFloat(kind)) return b.Constant(kind, FloatBits(kind, static_cast<double>(value)));
    const ExprId number = b.Constant(TypeKind::LLong, static_cast<uint64_t>(value));
    return kind == TypeKind::LLong ? number : b.Cast(Basic(kind), number);
  }
  InitId List(TypeKind kind, const std::vector<int64_t>& values) {
    std::vector<InitItem> items;
    for (uint32_t i = 0; i < values.size(); ++i) items.push_back({i, b.InitExpr(Lane(kind, values[i]))});
    return b.InitList(std::move(items));
  }
  ExprId Literal(TypeId type, const std::vector<int64_t>& values) {
    const TypeKind kind = types().Kind(types()[type].element);
    return b.CompoundLiteral(b.Local(entry, type, Storage::Literal, List(kind, values)));
  }
  VarId Object(TypeId type, const std::vector<int64_t>& values, Storage storage = Storage::Auto) {
    const VarId var = b.Local(entry, type, storage, List(types().Kind(types()[type].element), values));
    b.Append(body, b.Decl(var));
    return var;
  }
  // A new global that gets the value, all of whose lanes are known.
  void Check(ExprId value, const std::vector<int64_t>& expected) {
    const TypeId type = program()[value].type;
    const VarId var = b.Global(types().Unqualified(type));
    Do(b.Assign(b.Var(var), value));
    ExpectLanes(var, {}, expected);
  }
  void ExpectLanes(VarId var, const std::vector<uint32_t>& path, const std::vector<int64_t>& expected) {
    TypeId type = program()[var].type;
    for (uint32_t index : path) {
      const Type& t = types()[type];
      type = IsRecord(t.kind) ? types().GetRecord(t.record).members[index].type : t.element;
    }
    const TypeKind kind = types().Kind(types()[type].element);
    for (uint32_t i = 0; i < expected.size(); ++i) {
      std::vector<uint32_t> lane = path;
      lane.push_back(i);
      const int64_t value =
          IsFloat(kind) ? static_cast<int64_t>(FloatBits(kind, static_cast<double>(expected[i]))) : expected[i];
      Expect(var, lane, value);
    }
  }
};

std::vector<int64_t> Each(const std::vector<int64_t>& a, const std::function<int64_t(int64_t)>& f) {
  std::vector<int64_t> result;
  for (int64_t x : a) result.push_back(f(x));
  return result;
}

// The operators on small numbers, which need no more bits than an int64_t has, and what the lane keeps of them.
int64_t ByHand(const LaneType& type, BinaryOp op, int64_t a, int64_t b) {
  switch (op) {
    case BinaryOp::Add: return Wrapped(type, a + b);
    case BinaryOp::Sub: return Wrapped(type, a - b);
    case BinaryOp::Mul: return Wrapped(type, static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)));
    case BinaryOp::Div: return a / b;
    case BinaryOp::Rem: return a % b;
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    case BinaryOp::Shl: return Wrapped(type, a << b);
    case BinaryOp::Shr: return a >> b;
    case BinaryOp::Lt: return -(a < b);
    case BinaryOp::Gt: return -(a > b);
    case BinaryOp::Le: return -(a <= b);
    case BinaryOp::Ge: return -(a >= b);
    case BinaryOp::Eq: return -(a == b);
    case BinaryOp::Ne: return -(a != b);
    case BinaryOp::RotateLeft:
    case BinaryOp::kCount: break;
  }
  return 0;
}

constexpr std::array kLaneTypes = {
    LaneType{TypeKind::Char, 8, 8, true},      LaneType{TypeKind::SChar, 16, 8, true},
    LaneType{TypeKind::UChar, 64, 8, false},   LaneType{TypeKind::Short, 4, 16, true},
    LaneType{TypeKind::UShort, 16, 16, false}, LaneType{TypeKind::Int, 4, 32, true},
    LaneType{TypeKind::UInt, 2, 32, false},    LaneType{TypeKind::Long, 2, 64, true},
    LaneType{TypeKind::ULong, 1, 64, false},   LaneType{TypeKind::LLong, 8, 64, true},
    LaneType{TypeKind::ULLong, 4, 64, false},  LaneType{TypeKind::Int32, 8, 32, true},
    LaneType{TypeKind::UInt16, 32, 16, false}, LaneType{TypeKind::Float, 4, 0, true},
    LaneType{TypeKind::Double, 4, 0, true},
};

// Operands whose results are defined: in the second one no 0, and as a count of shifts less than any width.
int64_t First(const LaneType& type, uint32_t i) {
  const auto n = static_cast<int64_t>(i);
  if (type.bits == 0) return 8 * (n - 3);
  return type.is_signed ? n % 13 * 5 - 23 : Wrapped(type, 251 - n * 7);
}
int64_t Second(const LaneType& type, uint32_t i) {
  const auto n = static_cast<int64_t>(i);
  if (type.bits == 0) return i % 2 == 0 ? 2 : -4;
  return type.is_signed && i % 3 == 2 ? -n % 4 - 1 : n % 4 + 1;
}

bool Applies(const LaneType& type, const BinaryOpInfo& row) {
  return row.shape == OperatorShape::Infix && (type.bits != 0 || TakesFloats(row));
}

// Shifts are of the magnitudes, by positive counts.
int64_t Fitting(BinaryOp op, int64_t value) { return IsShift(op) ? std::abs(value) : value; }

void Operators(VectorMaker& m, const LaneType& type) {
  Builder& b = m.b;
  const TypeId vector = m.VectorOf(type);
  std::vector<int64_t> first, second;
  for (uint32_t i = 0; i < type.lanes; ++i) {
    first.push_back(First(type, i));
    second.push_back(Second(type, i));
  }
  const int64_t scalar = type.bits == 0 ? 4 : 3;
  for (const BinaryOpInfo& row : kBinaryOps) {
    if (!Applies(type, row)) continue;
    const auto fit = [&](int64_t x) { return Fitting(row.kind, x); };
    std::vector<int64_t> x = Each(first, fit), y = Each(second, fit);
    if (row.kind == BinaryOp::Shl) x = Each(x, [](int64_t value) { return value % 4; });
    const VarId lhs = m.Object(vector, x), rhs = m.Object(vector, y);
    const VarId alone = b.Local(m.entry, m.Basic(type.kind), Storage::Auto, b.InitExpr(m.Lane(type.kind, scalar)));
    b.Append(m.body, b.Decl(alone));
    std::vector<int64_t> both, right, left;
    for (uint32_t i = 0; i < type.lanes; ++i) {
      both.push_back(ByHand(type, row.kind, x[i], y[i]));
      right.push_back(ByHand(type, row.kind, x[i], scalar));
      left.push_back(ByHand(type, row.kind, scalar, y[i]));
    }
    m.Check(b.Binary(row.kind, b.Var(lhs), b.Var(rhs)), both);
    m.Check(b.Binary(row.kind, b.Var(lhs), b.Var(alone)), right);
    if (type.bits != 0 || row.kind != BinaryOp::Div) m.Check(b.Binary(row.kind, b.Var(alone), b.Var(rhs)), left);
    m.Check(b.Binary(row.kind, b.Var(lhs), m.Lane(type.kind, scalar)), right);
    if (!row.compound) continue;
    m.Check(b.CompoundAssign(row.kind, b.Var(lhs), b.Var(rhs)), both);
    m.Do(b.Assign(b.Var(lhs), m.Literal(vector, x)));
    m.Do(b.CompoundAssign(row.kind, b.Var(lhs), b.Var(alone)));
    m.Check(b.Var(lhs), right);
  }
  const auto operand = [&] { return b.Var(m.Object(vector, first)); };
  m.Check(b.Unary(UnaryOp::Minus, operand()),
          Each(first, [&](int64_t x) { return type.bits == 0 ? -x : Wrapped(type, -x); }));
  m.Check(b.Unary(UnaryOp::Plus, operand()), first);
  if (type.bits != 0) {
    m.Check(b.Unary(UnaryOp::BitNot, operand()), Each(first, [&](int64_t x) { return Wrapped(type, ~x); }));
  }
}

}  // namespace

Sample VectorOperatorSample() {
  VectorMaker m("gnu vector operators");
  for (const LaneType& type : kLaneTypes) {  // each in a function of its own: compilers take long for large ones
    const FunctionId outer = std::exchange(m.entry, m.b.Function(m.types().Function(m.Basic(TypeKind::Void), {})));
    const BlockId body = std::exchange(m.body, m.program().functions[m.entry].body);
    Operators(m, type);
    const FunctionId inner = std::exchange(m.entry, outer);
    m.body = body;
    m.Do(Call(m.b, inner, {}));
  }
  return std::move(m.sample);
}

Sample VectorSample() {
  VectorMaker m("gnu vectors");
  Builder& b = m.b;
  TypeTable& types = m.types();
  const TypeId int_type = m.Basic(TypeKind::Int);
  const auto vector = [&](TypeKind kind, uint32_t lanes) { return types.Vector(m.Basic(kind), lanes); };
  const TypeId int4 = vector(TypeKind::Int, 4), uint4 = vector(TypeKind::UInt, 4), int2 = vector(TypeKind::Int, 2);
  const TypeId schar16 = vector(TypeKind::SChar, 16), llong2 = vector(TypeKind::LLong, 2);
  const TypeId float4 = vector(TypeKind::Float, 4), double4 = vector(TypeKind::Double, 4);
  const TypeId double2 = vector(TypeKind::Double, 2), wide = vector(TypeKind::UShort, 32);
  const auto cast = [&](TypeId type, ExprId value) { return b.Cast(type, value); };
  const auto use = [&](Builtin builtin, TypeId type, std::vector<ExprId> arguments) {
    return b.BuiltinCall(builtin, type, type, arguments);
  };

  // Objects: with and without an initialiser, const, static, in a register; arrays, members, unions.
  m.ExpectLanes(b.Global(int4), {}, {0, 0, 0, 0});
  const VarId known = b.Global(types.Qualified(int4, kConst), m.List(TypeKind::Int, {9, -8, 7}));
  m.ExpectLanes(known, {}, {9, -8, 7, 0});
  const VarId table =
      b.Global(types.Array(int4, 3),
               b.InitList({{0, m.List(TypeKind::Int, {1, 2, 3, 4})}, {2, m.List(TypeKind::Int, {5, 6})}}, true));
  Record record;
  record.members = {{m.Basic(TypeKind::Char)}, {wide}, {types.Array(int4, 2)}, {int2}};
  const TypeId record_type = types.OfRecord(types.AddRecord(record));
  const VarId object = b.Global(record_type, b.InitList({{0, b.InitExpr(b.Int(3))},
                                                         {1, m.List(TypeKind::UShort, {10, 11, 12})},
                                                         {3, m.List(TypeKind::Int, {-1, -2})}}));
  const VarId kept = b.Local(m.entry, int4, Storage::StaticLocal, m.List(TypeKind::Int, {6, 5, 4, 3}));
  b.Append(m.body, b.Decl(kept));
  const VarId in_register = m.Object(int4, {20, 21, 22, 23}, Storage::Register);
  const VarId index = m.IntLocal(2);

  // Lanes: read, stored, changed, of what is an lvalue and of what is not.
  const auto lane = [&](ExprId of, int64_t i) { return b.Index(of, b.Int(i)); };
  m.StoreInt(lane(b.Var(known), 1), -8);
  m.StoreInt(b.Index(b.Var(in_register), b.Var(index)), 22);
  m.StoreInt(b.Assign(b.Index(b.Var(in_register), b.Var(index)), b.Int(40)), 40);
  m.StoreInt(b.IncDec(IncDecOp::PostInc, lane(b.Var(in_register), 0)), 20);
  m.StoreInt(b.CompoundAssign(BinaryOp::Mul, lane(b.Var(in_register), 3), b.Int(-2)), -46);
  m.Check(b.Var(in_register), {21, 21, 40, -46});
  m.StoreInt(b.Index(b.Binary(BinaryOp::Add, b.Var(in_register), b.Var(known)), b.Var(index)), 47);
  m.StoreInt(lane(m.Literal(int4, {1, 2, 3, 4}), 2), 3);
  m.Do(b.Assign(lane(b.Index(b.Var(table), b.Int(1)), 3), b.Int(77)));
  m.Do(b.Assign(b.Index(b.Var(table), b.Int(0)), b.Unary(UnaryOp::Minus, b.Index(b.Var(table), b.Int(2)))));
  m.ExpectLanes(table, {0}, {-5, -6, 0, 0});
  m.ExpectLanes(table, {1}, {0, 0, 0, 77});
  m.ExpectLanes(table, {2}, {5, 6, 0, 0});
  m.Do(b.Assign(b.Index(b.Member(b.Var(object), 2), b.Int(1)), b.Var(known)));
  m.Do(b.CompoundAssign(BinaryOp::Add, lane(b.Member(b.Var(object), 1), 31), b.Int(65535)));
  m.Do(b.CompoundAssign(BinaryOp::Add, lane(b.Member(b.Var(object), 1), 31), b.Int(65535)));
  std::vector<int64_t> members(32);
  members[0] = 10;
  members[1] = 11;
  members[2] = 12;
  members[31] = 65534;
  m.ExpectLanes(object, {1}, members);
  m.ExpectLanes(object, {2, 1}, {9, -8, 7, 0});
  m.ExpectLanes(object, {3}, {-1, -2});
  const VarId pointer =
      b.Local(m.entry, types.Pointer(int4), Storage::Auto, b.InitExpr(b.AddressOf(b.Index(b.Var(table), b.Int(2)))));
  b.Append(m.body, b.Decl(pointer));
  m.Check(b.Deref(b.Var(pointer)), {5, 6, 0, 0});
  m.StoreInt(lane(b.Index(b.Var(pointer), b.Int(-1)), 3), 77);
  m.StoreInt(b.SizeofType(record_type), 192);
  m.StoreInt(b.SizeofExpr(b.Binary(BinaryOp::Add, b.Var(kept), b.Var(known))), 16);

  // Casts take the bytes, convertvector the values.
  m.Check(cast(uint4, m.Literal(int4, {-1, 2, -3, 4})), {0xffffffff, 2, 0xfffffffd, 4});
  m.Check(cast(schar16, m.Literal(int4, {0x04030201, -1, 0x7f80, 0})),
          {1, 2, 3, 4, -1, -1, -1, -1, -128, 0x7f, 0, 0, 0, 0, 0, 0});
  m.Check(cast(llong2, m.Literal(int4, {5, 6, -1, -1})), {6 * (int64_t{1} << 32) + 5, -1});
  m.Check(cast(int4, m.Literal(float4, {1, -2, 3, 4})), {0x3f800000, -0x40000000, 0x40400000, 0x40800000});
  m.Check(cast(double2, m.Literal(llong2, {int64_t{1} << 62, 0x3ff0000000000000})), {2, 1});
  m.Check(use(Builtin::ConvertVector, double4, {m.Literal(int4, {-7, 8, 9, 10})}), {-7, 8, 9, 10});
  m.Check(use(Builtin::ConvertVector, int4, {m.Literal(float4, {-7, 8, 9, 10})}), {-7, 8, 9, 10});
  m.Check(use(Builtin::ConvertVector, vector(TypeKind::Short, 4), {m.Literal(int4, {65535, 65536, -40000, 4})}),
          {-1, 0, 25536, 4});
  m.Check(use(Builtin::ConvertVector, vector(TypeKind::ULLong, 4), {m.Literal(int4, {-1, 1, 2, 3})}), {-1, 1, 2, 3});
  m.Check(use(Builtin::ConvertVector, float4, {m.Literal(double4, {1, 2, 3, -4})}), {1, 2, 3, -4});

  // Shuffles.
  const auto numbers = [&](const std::vector<int64_t>& values) {
    std::vector<ExprId> constants;
    for (int64_t value : values) constants.push_back(b.Int(value));
    return constants;
  };
  const auto by_constants = [&](TypeId type, ExprId a, ExprId other, const std::vector<int64_t>& lanes) {
    std::vector<ExprId> arguments = {a, other};
    for (ExprId constant : numbers(lanes)) arguments.push_back(constant);
    return use(Builtin::ShuffleVector, type, arguments);
  };
  m.Check(by_constants(int4, m.Literal(int4, {1, 2, 3, 4}), m.Literal(int4, {5, 6, 7, 8}), {7, 0, 0, 4}), {8, 1, 1, 5});
  m.Check(by_constants(int2, b.Var(known), m.Literal(int4, {5, 6, 7, 8}), {6, 1}), {7, -8});
  m.Check(by_constants(double4, m.Literal(double2, {1, 2}), m.Literal(double2, {3, 4}), {3, 2, 1, 0}), {4, 3, 2, 1});
  m.Check(use(Builtin::Shuffle, float4,
              {m.Literal(float4, {1, 2, 3, 4}), m.Literal(float4, {5, 6, 7, 8}), m.Literal(int4, {9, -1, 4, 3})}),
          {2, 8, 5, 4});
  m.Check(use(Builtin::Shuffle, uint4,
              {m.Literal(uint4, {1, 2, 3, 4}), m.Literal(uint4, {5, 6, 7, 8}),
               b.Binary(BinaryOp::Lt, m.Literal(uint4, {1, 9, 1, 9}), b.Constant(TypeKind::UInt, 5))}),
          {8, 1, 8, 1});

  // Chosen, in a comma, assigned in an expression, guarded.
  m.Check(b.Conditional(b.Var(index), b.Var(known), b.Var(kept)), {9, -8, 7, 0});
  m.Check(b.Comma(b.IncDec(IncDecOp::PostInc, b.Var(index)), b.Var(kept)), {6, 5, 4, 3});
  m.Check(b.Binary(BinaryOp::Add, b.Assign(b.Var(in_register), b.Var(kept)), b.Int(1)), {7, 6, 5, 4});
  const VarId counter = b.Global(m.Basic(TypeKind::UInt));
  m.program().vars[counter].role = VarRole::Counter;
  m.program().vars[counter].internal_linkage = true;
  m.Check(b.Guard(b.Var(kept), b.Var(known), counter, 1), {6, 5, 4, 3});
  const VarId temporary = b.Temporary(m.entry, int4);
  m.Check(b.Guard(b.Binary(BinaryOp::Add, b.Var(kept), b.Int(2)), b.Var(known), counter, 1, b.Var(temporary)),
          {9, -8, 7, 0});

  // A union with an array, and bytes.
  Record both;
  both.is_union = true;
  both.members = {{int4}, {types.Array(int_type, 4)}, {types.Array(m.Basic(TypeKind::UChar), 16)}};
  const VarId seen = b.Local(m.entry, types.OfRecord(types.AddRecord(both)));
  b.Append(m.body, b.Decl(seen));
  m.Do(b.Assign(b.Member(b.Var(seen), 0), m.Literal(int4, {1, 2, 0x01020304, 4})));
  m.StoreInt(b.Index(b.Member(b.Var(seen), 1), b.Int(2)), 0x01020304);
  m.StoreInt(b.Index(b.Member(b.Var(seen), 2), b.Int(8)), 4);
  m.Do(b.Assign(b.Index(b.Member(b.Var(seen), 1), b.Int(1)), b.Int(-5)));
  m.Check(b.Member(b.Var(seen), 0), {1, -5, 0x01020304, 4});
  const VarId copy = b.Global(int4);
  const ExprId copied[] = {b.AddressOf(b.Var(copy)), b.Cast(types.Pointer(int4), b.AddressOf(b.Var(kept)))};
  m.Do(b.BuiltinCall(Builtin::Memcpy, m.Basic(TypeKind::Void), int4, copied));
  m.ExpectLanes(copy, {}, {6, 5, 4, 3});

  // Parameters and results: alone, in records, of a function that calls itself.
  const FunctionId twist = b.Function(types.Function(int4, {int_type, int4, wide}));
  const auto param = [&](FunctionId f, size_t i) { return b.Var(m.program().functions[f].params[i]); };
  Stmt stop = m.Of(StmtKind::Return);
  stop.expr = b.Binary(BinaryOp::Add, param(twist, 1), b.Cast(int_type, lane(param(twist, 2), 31)));
  Stmt again = m.Of(StmtKind::Return);
  const ExprId less[] = {b.Binary(BinaryOp::Sub, param(twist, 0), b.Int(1)),
                         b.Binary(BinaryOp::Mul, param(twist, 1), b.Int(2)), param(twist, 2)};
  again.expr = b.Binary(BinaryOp::Sub, b.Call(twist, less), param(twist, 1));
  Stmt choice = m.Of(StmtKind::If);
  choice.expr = param(twist, 0);
  choice.body = b.NewBlock(twist);
  b.Append(m.program().functions[twist].body, b.Statement(choice));
  b.Append(choice.body, b.Statement(again));
  b.Append(m.program().functions[twist].body, b.Statement(stop));
  const auto call = [&] {
    return Call(b, twist, {b.Int(2), m.Literal(int4, {1, 2, 3, 4}), b.Member(b.Var(object), 1)});
  };
  m.Check(call(), {65535, 65536, 65537, 65538});  // 4v + 65534 - 2v - v
  m.StoreInt(lane(call(), 3), 65538);
  const FunctionId same = b.Function(types.Function(record_type, {record_type}));
  Stmt ret = m.Of(StmtKind::Return);
  ret.expr = param(same, 0);
  b.Append(m.program().functions[same].body, b.Statement(ret));
  m.StoreInt(lane(b.Member(Call(b, same, {b.Var(object)}), 3), 1), -2);
  m.Check(b.Member(Call(b, same, {b.Var(object)}), 3), {-1, -2});
  return std::move(m.sample);
}

}  // namespace assay::lang
