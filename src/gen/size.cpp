#include "gen/size.hpp"

#include <algorithm>
#include <bit>

#include "lang/typing.hpp"

namespace assay::gen {

using namespace lang;  // NOLINT: the model's names

namespace {

// As emit has them; operators have theirs in lang/ops.hpp.
enum Precedence : int { kComma = 1, kAssignment, kConditional, kLogicalOr, kLogicalAnd, kUnary = 14, kPostfix = 15 };

// The words of a type specifier, by TypeKind; of records and enums the keyword and the name.
constexpr auto kWords = support::PackColumn(kTypeKinds, [](const TypeKindInfo& row) {
  return row.spelling.empty() ? 2u : 1u + static_cast<uint32_t>(std::ranges::count(row.spelling, ' '));
});

uint32_t Qualifiers(uint8_t quals) { return static_cast<uint32_t>(std::popcount(quals)); }

}  // namespace

uint32_t Meter::Expression(ExprId id, int precedence) const {
  uint32_t tokens = 0;
  const auto add = [&](uint32_t own_tokens, int own) { tokens += own_tokens + (own < precedence ? 2 : 0); };
  const auto operand = [this](ExprId other, int place) {
    return program_.exprs[other].kind == ExprKind::Variable ? 1 : Expression(other, place);
  };
  // The last operand is the next round of the loop.
  const auto last = [&](ExprId operand, int place) {
    id = operand;
    precedence = place;
  };
  for (;;) {
    const Expr& e = program_.exprs[id];
    switch (e.kind) {
      case ExprKind::Variable:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Function:
      case ExprKind::kCount: return tokens + 1;
      case ExprKind::Constant: {
        const TypeKind kind = program_.types.Kind(e.type);
        const bool negative =
            IsFloat(kind) ? (e.value & SignBit(kind)) != 0
                          : static_cast<int64_t>(e.value) < 0 && IntegerInfoOf(kind, program_.Model()).is_signed;
        if (!negative) return tokens + 1;
        add(2, kUnary);
        return tokens;
      }
      case ExprKind::Unary: {
        const bool call = IsCall(Info(e.Unary()).shape);
        add(call ? 3 : 1, Info(e.Unary()).precedence);
        last(e.lhs, call ? kAssignment : kUnary);
        break;
      }
      case ExprKind::AddressOf:
      case ExprKind::Deref:
        add(1, kUnary);
        last(e.lhs, kUnary);
        break;
      case ExprKind::IncDec:
        add(1, kPostfix);
        last(e.lhs, kPostfix);
        break;
      case ExprKind::Binary: {
        const BinaryOpInfo& row = Info(e.Binary());
        const bool call = IsCall(row.shape);
        const int left = call ? int{kAssignment} : row.precedence;
        add(call ? 4 : 1, row.precedence);
        tokens += operand(e.lhs, left);
        last(e.rhs, call ? left : left + 1);
        break;
      }
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr: {
        const int own = e.kind == ExprKind::LogicalAnd ? kLogicalAnd : kLogicalOr;
        add(1, own);
        tokens += operand(e.lhs, own);
        last(e.rhs, own + 1);
        break;
      }
      case ExprKind::Conditional:
        add(2, kConditional);
        tokens += operand(e.lhs, kLogicalOr) + operand(e.rhs, kAssignment);
        last(e.third, kConditional);
        break;
      case ExprKind::Comma:
        add(1, kComma);
        tokens += operand(e.lhs, kComma);
        last(e.rhs, kAssignment);
        break;
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
        add(1, kAssignment);
        tokens += operand(e.lhs, kUnary);
        last(e.rhs, kAssignment);
        break;
      case ExprKind::Cast:
        add(2 + TypeName(e.type), kUnary);
        last(e.lhs, kUnary);
        break;
      case ExprKind::Index:
        tokens += 2 + operand(e.lhs, kPostfix);
        last(e.rhs, kComma);
        break;
      case ExprKind::Member: {
        const Expr& base = program_.exprs[e.lhs];
        tokens += 2;
        last(base.kind == ExprKind::Deref ? base.lhs : e.lhs, kPostfix);
        break;
      }
      case ExprKind::SizeofType: return tokens + 3 + TypeName(e.RefType());
      case ExprKind::SizeofExpr:
        tokens += 3;
        last(e.lhs, kComma);
        break;
      case ExprKind::CompoundLiteral: {
        const Variable& var = program_.vars[e.Var()];
        add(2 + TypeName(var.type) + (var.init ? Initialiser(var.init) : 3), kUnary);
        return tokens;
      }
      case ExprKind::Call:
      case ExprKind::Builtin:
        tokens += 2 + (e.kind == ExprKind::Call ? operand(e.lhs, kPostfix) : 1);
        for (uint32_t i = 0; i < e.args.count; ++i) tokens += (i > 0) + operand(program_.Arg(e, i), kAssignment);
        if (e.kind == ExprKind::Builtin && e.RefType()) tokens += 4 + TypeName(e.RefType());
        return tokens;
      case ExprKind::Guard:  // c++ < K ? lhs : rhs, or t = lhs, c++ < K ? t : rhs
        add(e.detail == 1 ? 10 : 6, e.detail == 1 ? kComma : kConditional);
        tokens += operand(e.lhs, kAssignment);
        last(e.rhs, kConditional);
        break;
    }
  }
}

uint32_t Meter::Initialiser(InitId id) const {
  const Init& init = program_.inits[id];
  switch (init.kind) {
    case InitKind::Expr: return Expression(init.expr, kAssignment);
    case InitKind::String: return 1;
    case InitKind::List: break;
  }
  uint32_t tokens = 2;
  for (size_t i = 0; i < init.items.size(); ++i) {
    tokens += (i > 0) + (init.designated ? 4 : 0) + Initialiser(init.items[i].init);
  }
  return tokens;
}

uint32_t Meter::Declaration(VarId id) const {
  const Variable& var = program_.vars[id];
  uint32_t tokens = 1 + TypeName(var.type) + (var.align > 0 ? 4 : 0);
  if (var.storage == Storage::StaticLocal || var.storage == Storage::Register) ++tokens;
  if (var.vla_length) tokens += Expression(var.vla_length, kAssignment);
  return var.init ? tokens + 1 + Initialiser(var.init) : tokens;
}

uint32_t Meter::Block(BlockId block) const {
  uint32_t tokens = 0;
  for (StmtId stmt : program_.blocks[block].stmts) tokens += Statement(stmt);
  return tokens;
}

uint32_t Meter::Statement(StmtId id) const {
  const Stmt& stmt = program_.stmts[id];
  uint32_t tokens = Info(stmt.kind).loop && stmt.span > 0 ? 4 : 0;
  for (ExprId e : {stmt.expr, stmt.init, stmt.step}) {
    if (e) tokens += Expression(e);
  }
  if (stmt.var) tokens += Declaration(stmt.var);
  if (stmt.body) tokens += 2 + Block(stmt.body);
  if (stmt.other) tokens += 3 + Block(stmt.other);
  switch (stmt.kind) {
    case StmtKind::Empty:
    case StmtKind::Expr:
    case StmtKind::Decl: return tokens + 1;
    case StmtKind::Block: return tokens;
    case StmtKind::If:
    case StmtKind::While:
    case StmtKind::Switch: return tokens + 3;
    case StmtKind::For:
    case StmtKind::DoWhile: return tokens + 5;
    case StmtKind::Goto: return tokens + 3;
    case StmtKind::Case: return tokens + (stmt.span > 0 ? 5 : 3);
    case StmtKind::GotoTable: return tokens + 18 + 3 * stmt.labels.count;
    case StmtKind::Barrier: return tokens + 12;
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Return:
    case StmtKind::Default:
    case StmtKind::Label: return tokens + 2;
    case StmtKind::kCount: break;
  }
  return tokens;
}

uint32_t Meter::Global(VarId id) const {
  const Variable& var = program_.vars[id];
  const uint32_t definition = 1 + Declaration(id) + (var.internal_linkage ? 1 : 0);
  return var.role == VarRole::Plain ? definition + Check(var.type) : definition;
}

uint32_t Meter::Function(FunctionId id) const {
  const lang::Function& function = program_.functions[id];
  uint32_t params = function.params.empty() ? 1 : 0;
  for (VarId param : function.params) params += 1 + TypeName(program_.vars[param].type);
  const uint32_t attributes = static_cast<uint32_t>(std::popcount(function.attrs));
  const uint32_t names = static_cast<uint32_t>(function.params.size());
  // static T f(P, P);   static T f(P p_1, P p_2) { … }
  return 2 * (3 + TypeName(program_.types[function.type].element) + params + attributes) + names + 3 +
         Block(function.body);
}

uint32_t Meter::Record(RecordId id) const {
  uint32_t tokens = 5;
  for (const Member& member : program_.types.GetRecord(id).members) {
    tokens += 2 + TypeName(member.type) + (member.IsBitField() ? 2 : 0);
  }
  return tokens;
}

uint32_t Meter::TypeName(TypeId type) const {
  uint32_t tokens = 0;
  for (;;) {
    const Type& t = program_.types[type];
    tokens += Qualifiers(t.quals);
    switch (ClassOf(t.kind)) {
      case TypeClass::Integer:
      case TypeClass::Float:
      case TypeClass::Complex:
      case TypeClass::Vector:
      case TypeClass::Wide:
      case TypeClass::Record:
      case TypeClass::Void:
      case TypeClass::VaList:
      case TypeClass::kCount: return tokens + kWords[static_cast<size_t>(t.kind)];
      case TypeClass::Pointer: {
        const TypeKind pointee = program_.types.Kind(t.element);
        tokens += pointee == TypeKind::Function || IsArray(pointee) ? 3 : 1;
        break;
      }
      case TypeClass::Array: tokens += t.kind == TypeKind::Vla ? 2 : 3; break;
      case TypeClass::Function:
        tokens += 2;
        for (TypeId param : program_.types.GetSignature(t.signature).params) tokens += 1 + TypeName(param);
        break;
    }
    type = t.element;
  }
}

bool Meter::MayDiffer(TypeId type) const {
  const Type& t = program_.types[type];
  if (t.kind == TypeKind::Pointer || t.kind == TypeKind::Union) return true;
  if (IsArray(t.kind)) return MayDiffer(t.element);
  if (!IsRecord(t.kind)) return false;
  for (const Member& member : program_.types.GetRecord(t.record).members) {
    if (MayDiffer(member.type)) return true;
  }
  return false;
}

uint32_t Meter::Check(TypeId type, uint32_t path) const {
  const Type& t = program_.types[type];
  switch (ClassOf(t.kind)) {
    case TypeClass::Array:
      // Pointers have other targets, unions other members that can be read: one by one. Others in a loop.
      if (MayDiffer(t.element) || t.length == 1) return t.length * Check(t.element, path + 3);
      return 15 + Check(t.element, path + 3);
    case TypeClass::Record: {
      uint32_t tokens = 0;
      for (const Member& member : program_.types.GetRecord(t.record).members) {
        if (member.named) tokens += Check(member.type, path + 2);
      }
      return tokens;
    }
    case TypeClass::Pointer: return 16 + path + 2;
    case TypeClass::Vector: return (t.length == 1 ? 0 : 15) + Check(t.element, path + 3);
    case TypeClass::Wide: return 2 * (11 + path) + 14;  // each half, in a cast, the high one shifted
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Function:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: break;
  }
  return 11 + path;
}

}  // namespace assay::gen
