// For repairs_test.cpp: programs in which `int` and `unsigned` have four bits, and an evaluator of expressions written
// from the text of the standard. The machine and its arithmetic are not used, so that a shared mistake cannot hide.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "gen/repair_tools.hpp"

namespace assay::gen {

using lang::Expr;
using lang::IncDecOp;
using lang::IntegerInfo;
using lang::UnaryOp;
using machine::Trap;
using machine::TrapKind;

inline constexpr int64_t kObjectStride = 100;  // a pointer is (object + 1) * stride + element; null is 0
inline constexpr uint32_t kVlaLength = 3;

struct Undefined {
  TrapKind kind;
};

using Memory = std::map<uint32_t, std::vector<std::optional<int64_t>>>;  // by VarId; nothing: indeterminate

// A third evaluator (after the machine's and the compilers'). Left to right, or backwards where C leaves it open.
class Evaluator {
 public:
  Evaluator(const lang::Program& program, Memory& memory, bool backwards = false)
      : program_(program), memory_(memory), backwards_(backwards) {}

  int64_t Value(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.kind) {
      case ExprKind::Constant: return Convert(static_cast<int64_t>(e.value), e.type);
      case ExprKind::Variable:
      case ExprKind::Deref:
      case ExprKind::Index:
        if (lang::IsArray(program_.types.Kind(e.type))) return Place(id);
        return Read(Place(id));
      case ExprKind::AddressOf: return Place(e.lhs);
      case ExprKind::Unary: return Unary(e);
      case ExprKind::Binary: {
        const auto [left, right] = Both([&] { return Value(e.lhs); }, [&] { return Value(e.rhs); });
        return Binary(e.Binary(), left, TypeOf(e.lhs), right, TypeOf(e.rhs));
      }
      case ExprKind::LogicalAnd: return Value(e.lhs) != 0 && Value(e.rhs) != 0;
      case ExprKind::LogicalOr: return Value(e.lhs) != 0 || Value(e.rhs) != 0;
      case ExprKind::Conditional: {
        const int64_t value = Value(Value(e.lhs) != 0 ? e.rhs : e.third);
        return Convert(value, e.type);
      }
      case ExprKind::Comma: Value(e.lhs); return Value(e.rhs);
      case ExprKind::Cast: return Convert(Value(e.lhs), e.type);
      case ExprKind::Assign: {
        const auto [place, value] = Both([&] { return Place(e.lhs); }, [&] { return Value(e.rhs); });
        return Write(place, Convert(value, TypeOf(e.lhs)));
      }
      case ExprKind::CompoundAssign: {
        const auto [place, right] = Both([&] { return Place(e.lhs); }, [&] { return Value(e.rhs); });
        const int64_t left = Read(place);
        return Write(place, Convert(Binary(e.Binary(), left, TypeOf(e.lhs), right, TypeOf(e.rhs)), TypeOf(e.lhs)));
      }
      case ExprKind::IncDec: {
        const int64_t place = Place(e.lhs), old = Read(place);
        const bool down = e.IncDec() == IncDecOp::PreDec || e.IncDec() == IncDecOp::PostDec;
        const bool post = e.IncDec() == IncDecOp::PostInc || e.IncDec() == IncDecOp::PostDec;
        const int64_t changed = Write(place, Fit(down ? old - 1 : old + 1, TypeOf(e.lhs)));
        return post ? old : changed;
      }
      case ExprKind::Call: return Call(e);
      case ExprKind::Guard: {
        std::optional<int64_t>& counter = memory_[e.ref].empty() ? NewCell(e.ref) : memory_[e.ref].front();
        if (e.detail == 1) Write(Place(e.third), Value(e.lhs));
        const bool pass = static_cast<uint64_t>(*counter) < e.value;
        *counter += 1;
        return pass ? Value(e.detail == 1 ? e.third : e.lhs) : Convert(Value(e.rhs), e.type);
      }
      default: ADD_FAILURE() << "no rule for " << lang::Info(e.kind).name; throw Undefined{TrapKind::None};
    }
  }

 private:
  template <typename First, typename Second>
  std::pair<int64_t, int64_t> Both(First&& first, Second&& second) {
    if (!backwards_) {
      const int64_t left = first();
      return {left, second()};
    }
    const int64_t right = second();
    return {first(), right};
  }
  static IntegerInfo Width(TypeKind kind) {
    switch (kind) {
      case TypeKind::Int: return {4, true};
      case TypeKind::UInt: return {4, false};
      case TypeKind::LLong: return {64, true};
      case TypeKind::ULLong: return {64, false};
      default: ADD_FAILURE() << "no width for this kind"; return {4, true};
    }
  }
  TypeId TypeOf(ExprId id) const { return program_.exprs[id].type; }
  bool IsPointer(TypeId type) const {
    return program_.types.Kind(type) == TypeKind::Pointer || lang::IsArray(program_.types.Kind(type));
  }
  static int64_t Wrap(int64_t value, IntegerInfo info) {
    if (info.bits == 64) return value;
    value &= (int64_t{1} << info.bits) - 1;
    return info.is_signed && value > static_cast<int64_t>(info.Max()) ? value - (int64_t{1} << info.bits) : value;
  }
  static bool InRange(int64_t value, IntegerInfo info) {
    return value >= info.Min() && (info.bits == 64 || value <= static_cast<int64_t>(info.Max()));
  }
  int64_t Convert(int64_t value, TypeId type) const {
    const TypeKind kind = program_.types.Kind(type);
    return lang::IsInteger(kind) ? Wrap(value, Width(kind)) : value;
  }
  // The result of an operation in the type: overflow of a signed one is undefined (6.5p5).
  int64_t Fit(int64_t value, TypeId type) const {
    const IntegerInfo info = Width(program_.types.Kind(type));
    if (info.is_signed && !InRange(value, info)) throw Undefined{TrapKind::SignedOverflow};
    return Wrap(value, info);
  }

  static uint64_t Unsigned(int64_t value, int bits) {
    return bits == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  }

  int64_t Unary(const Expr& e) {
    const int64_t value = Value(e.lhs);
    switch (e.Unary()) {
      case UnaryOp::Minus: return Fit(-value, e.type);
      case UnaryOp::BitNot: return Convert(~value, e.type);
      case UnaryOp::LogicalNot: return value == 0;
      case UnaryOp::Clz:
      case UnaryOp::Ctz: {
        const int bits = Width(program_.types.Kind(TypeOf(e.lhs))).bits;
        const uint64_t all = Unsigned(value, bits);
        if (all == 0) throw Undefined{TrapKind::BitOfZero};
        int at = 0;
        const bool leading = e.Unary() == UnaryOp::Clz;
        while ((all >> (leading ? bits - 1 - at : at) & 1) == 0) ++at;
        return at;
      }
      case UnaryOp::Abs: return Fit(value < 0 ? -value : value, e.type);
      case UnaryOp::Popcount:
      case UnaryOp::Parity:
      case UnaryOp::Ffs:
      case UnaryOp::Clrsb:
      case UnaryOp::Bswap16:
      case UnaryOp::Bswap32:
      case UnaryOp::Bswap64: ADD_FAILURE() << "no repair writes " << lang::Info(e.Unary()).spelling; break;
      case UnaryOp::Plus:
      case UnaryOp::kCount: break;
    }
    return value;
  }

  int64_t Binary(BinaryOp op, int64_t a, TypeId left, int64_t b, TypeId right) {
    if (IsPointer(left) || IsPointer(right)) return Pointers(op, a, b, IsPointer(left) && IsPointer(right));
    const bool shift = lang::IsShift(op);
    IntegerInfo type = Width(program_.types.Kind(left)), other = Width(program_.types.Kind(right));
    if (!shift) {
      if (other.bits > type.bits || (other.bits == type.bits && !other.is_signed)) type = other;
      a = Wrap(a, type);
      b = Wrap(b, type);
    }
    const auto fit = [&](int64_t value) {
      if (type.is_signed && !InRange(value, type)) throw Undefined{TrapKind::SignedOverflow};
      return Wrap(value, type);
    };
    switch (op) {
      case BinaryOp::Add: return fit(a + b);
      case BinaryOp::Sub: return fit(a - b);
      case BinaryOp::Mul: return fit(a * b);
      case BinaryOp::Div:
      case BinaryOp::Rem:
        if (b == 0) throw Undefined{TrapKind::DivisionByZero};
        if (type.is_signed && a == type.Min() && b == -1) throw Undefined{TrapKind::DivisionOverflow};
        if (type.bits == 64) {  // (unsigned long long)i % n
          const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
          return static_cast<int64_t>(op == BinaryOp::Div ? x / y : x % y);
        }
        return op == BinaryOp::Div ? a / b : a % b;
      case BinaryOp::Shl:
        if (b < 0 || b >= type.bits) throw Undefined{TrapKind::ShiftCount};
        if (type.is_signed && (a < 0 || !InRange(a << b, type))) throw Undefined{TrapKind::ShiftSign};
        return Wrap(a << b, type);
      case BinaryOp::Shr:
        if (b < 0 || b >= type.bits) throw Undefined{TrapKind::ShiftCount};
        return a >> b;
      case BinaryOp::BitAnd: return Wrap(a & b, type);
      case BinaryOp::BitOr: return Wrap(a | b, type);
      case BinaryOp::BitXor: return Wrap(a ^ b, type);
      case BinaryOp::Lt: return a < b;
      case BinaryOp::Gt: return a > b;
      case BinaryOp::Le: return a <= b;
      case BinaryOp::Ge: return a >= b;
      case BinaryOp::Eq: return a == b;
      case BinaryOp::Ne: return a != b;
      case BinaryOp::RotateLeft: ADD_FAILURE() << "no repair writes it"; break;
      case BinaryOp::kCount: break;
    }
    return 0;
  }

  int64_t Pointers(BinaryOp op, int64_t a, int64_t b, bool both) {
    if (both) {
      if (a / kObjectStride != b / kObjectStride) throw Undefined{TrapKind::PointerCompare};
      return op == BinaryOp::Lt ? a < b : a - b;
    }
    if (a == 0) throw Undefined{TrapKind::NullDereference};
    const int64_t at = a % kObjectStride + b;
    const auto size = static_cast<int64_t>(memory_[static_cast<uint32_t>(a / kObjectStride - 1)].size());
    if (at < 0 || at > size) throw Undefined{TrapKind::PointerArithmetic};
    return a + b;
  }

  // The place an lvalue denotes, as a pointer.
  int64_t Place(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.kind) {
      case ExprKind::Variable:
        if (memory_[e.ref].empty()) NewCell(e.ref);
        return (e.ref + 1) * kObjectStride;
      case ExprKind::Deref: return Value(e.lhs);
      case ExprKind::Index: {
        const auto [base, index] = Both([&] { return Value(e.lhs); }, [&] { return Value(e.rhs); });
        if (lang::IsArray(program_.types.Kind(TypeOf(e.lhs)))) {
          const auto size = static_cast<int64_t>(memory_[static_cast<uint32_t>(base / kObjectStride - 1)].size());
          if (index < 0 || index > size) throw Undefined{TrapKind::OutOfBounds};
          return base + index;
        }
        return Pointers(BinaryOp::Add, base, index, false);
      }
      default: ADD_FAILURE() << "no lvalue: " << lang::Info(e.kind).name; throw Undefined{TrapKind::None};
    }
  }
  std::optional<int64_t>& Cell(int64_t place) {
    if (place == 0) throw Undefined{TrapKind::NullDereference};
    auto& cells = memory_[static_cast<uint32_t>(place / kObjectStride - 1)];
    const auto at = static_cast<size_t>(place % kObjectStride);
    if (at >= cells.size()) throw Undefined{TrapKind::OutOfBounds};
    return cells[at];
  }
  int64_t Read(int64_t place) {
    const std::optional<int64_t>& cell = Cell(place);
    if (!cell) throw Undefined{TrapKind::UninitializedRead};
    return *cell;
  }
  int64_t Write(int64_t place, int64_t value) { return *(Cell(place) = value); }
  // Counters, temporaries and globals that a repair made: zero, or what their initialiser says.
  std::optional<int64_t>& NewCell(uint32_t var) {
    const lang::Variable& variable = program_.vars[lang::VarId(var)];
    std::optional<int64_t> value = 0;
    if (variable.init && program_.inits[variable.init].expr) value = Value(program_.inits[variable.init].expr);
    memory_[var] = {value};
    return memory_[var].front();
  }

  int64_t Call(const Expr& e) {
    const lang::Function& function = program_.functions[program_.exprs[e.lhs].Func()];
    std::vector<int64_t> values(e.args.count);
    for (uint32_t i = 0; i < e.args.count; ++i) {
      const uint32_t at = backwards_ ? e.args.count - 1 - i : i;
      values[at] = Value(program_.args[e.args.first + at]);
    }
    for (size_t i = 0; i < values.size(); ++i) {
      memory_[function.params[i].index] = {Convert(values[i], program_.vars[function.params[i]].type)};
    }
    const lang::Stmt& stmt = program_.stmts[program_.blocks[function.body].stmts.front()];
    EXPECT_EQ(stmt.kind, StmtKind::Return);
    return Convert(Value(stmt.expr), program_.types[function.type].element);
  }

  const lang::Program& program_;
  Memory& memory_;
  bool backwards_;
};

// A program with two 4-bit inputs a and b, a witness n of side effects, arrays and pointers; `node` is what trapped,
// `root` the whole expression.
struct Bench {
  explicit Bench(TypeKind left = TypeKind::Int, TypeKind right = TypeKind::Int)
      : left(left), right(right), w(program, {}, choice::Choices(7)) {
    w.integers[static_cast<size_t>(TypeKind::Int)] = {4, true};
    w.integers[static_cast<size_t>(TypeKind::UInt)] = {4, false};
    lang::TypeTable& types = program.types;
    const TypeId integer = types.Basic(TypeKind::Int);
    a = w.build.Global(types.Basic(left));
    b = w.build.Global(types.Basic(right));
    n = w.build.Global(integer);
    four = w.build.Global(types.Array(integer, 4));
    three = w.build.Global(types.Array(integer, 3));
    p = w.build.Global(types.Pointer(integer));
    q = w.build.Global(types.Pointer(integer));
    function = w.build.Function(types.Function(integer, {integer, integer}));
    u = w.build.Local(function, integer);  // not a global: those have values, and repairs read them
    const auto params = program.functions[function].params;
    w.build.Append(program.functions[function].body,
                   w.build.Statement({.kind = StmtKind::Return,
                                      .expr = w.build.Binary(BinaryOp::BitXor, w.build.Var(params[0]),
                                                             w.build.Unary(UnaryOp::BitNot, w.build.Var(params[1])))}));
    trap.function = function;
  }

  ExprId Var(VarId id) { return w.build.Var(id); }
  ExprId Counted(ExprId e) {  // (n++, e)
    ++counted;
    return w.build.Comma(w.build.IncDec(IncDecOp::PostInc, Var(n)), e);
  }
  // The node that traps, with its operands.
  Bench& At(ExprId id, std::initializer_list<ExprId> operands, TrapKind kind) {
    root = trap.expr = id;
    trap.kind = kind;
    for (ExprId operand : operands) trap.operands.push_back({operand, 0, false});
    return *this;
  }

  Memory Inputs(int64_t x, int64_t y) const {
    Memory memory;
    memory[a.index] = {x};
    memory[b.index] = {y};
    memory[n.index] = {0};
    memory[four.index] = {1, 2, 3, 4};
    memory[three.index] = {5, 6, 7};
    if (vla) memory[vla.index] = std::vector<std::optional<int64_t>>(kVlaLength, 2);
    memory[p.index] = {x % 2 == 0 ? 0 : (four.index + 1) * kObjectStride + (y & 3)};
    memory[q.index] = {((x < 0 ? three.index : four.index) + 1) * kObjectStride};
    memory[u.index] = {x % 2 == 0 ? std::optional<int64_t>{} : 3};
    return memory;
  }
  // The inputs and arrays after an execution: side effects happened as often as before.
  std::vector<std::optional<int64_t>> Effects(const Memory& memory) const {
    std::vector<std::optional<int64_t>> cells;
    for (VarId var : {a, b, n, four, three, p, q, u}) {
      cells.insert(cells.end(), memory.at(var.index).begin(), memory.at(var.index).end());
    }
    return cells;
  }

  TypeKind left, right;
  lang::Program program;
  Writer w;
  VarId a, b, n, four, three, p, q, u, vla;
  FunctionId function;
  Trap trap;
  ExprId root;
  int64_t counted = 0;  // how often n++ stands in it
};

inline IntegerInfo FourBits(TypeKind kind) { return {4, kind == TypeKind::Int}; }

template <typename Visit>
void ForAllInputs(const Bench& bench, Visit&& visit) {
  const IntegerInfo left = FourBits(bench.left), right = FourBits(bench.right);
  for (int64_t x = left.Min(); x <= static_cast<int64_t>(left.Max()); ++x) {
    for (int64_t y = right.Min(); y <= static_cast<int64_t>(right.Max()); ++y) visit(x, y);
  }
}

struct Outcome {
  TrapKind trap = TrapKind::None;
  int64_t value = 0;
  std::vector<std::optional<int64_t>> effects;
  bool operator==(const Outcome&) const = default;
};

// One execution; what earlier ones left in counters stays in `kept`.
inline Outcome Run(const Bench& bench, int64_t x, int64_t y, Memory* kept = nullptr, bool backwards = false) {
  Memory memory = bench.Inputs(x, y);
  if (kept != nullptr) memory.merge(*kept);
  Outcome outcome;
  try {
    outcome.value = Evaluator(bench.program, memory, backwards).Value(bench.root);
  } catch (const Undefined& undefined) {
    outcome.trap = undefined.kind;
  }
  outcome.effects = bench.Effects(memory);
  if (kept != nullptr) *kept = memory;
  if (kept != nullptr) {
    for (const auto& [var, cells] : bench.Inputs(x, y)) kept->erase(var);
  }
  return outcome;
}

}  // namespace assay::gen
