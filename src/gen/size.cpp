#include "gen/size.hpp"

#include <algorithm>
#include <bit>

#include "lang/typing.hpp"

namespace assay::gen {

using namespace lang;  // NOLINT: the model's names

namespace {

// As emit has them; operators have theirs in lang/ops.hpp.
enum Precedence : int { kComma = 1, kAssignment, kConditional, kLogicalOr, kLogicalAnd, kUnary = 14, kPostfix = 15 };

int PrecedenceOf(const Expr& e) {
  switch (e.kind) {
    case ExprKind::Binary: return Info(e.Binary()).precedence;
    case ExprKind::LogicalAnd: return kLogicalAnd;
    case ExprKind::LogicalOr: return kLogicalOr;
    case ExprKind::Conditional: return kConditional;
    case ExprKind::Guard: return e.detail == 1 ? kComma : kConditional;
    case ExprKind::Assign:
    case ExprKind::CompoundAssign: return kAssignment;
    case ExprKind::Comma: return kComma;
    case ExprKind::Unary: return Info(e.Unary()).precedence;
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::CompoundLiteral: return kUnary;
    case ExprKind::Constant: return static_cast<int64_t>(e.value) < 0 ? kUnary : kPostfix;
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::IncDec:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::Call:
    case ExprKind::Builtin:
    case ExprKind::kCount: return kPostfix;
  }
  return kPostfix;
}

uint32_t Words(std::string_view spelling) {
  return 1 + static_cast<uint32_t>(std::count(spelling.begin(), spelling.end(), ' '));
}

uint32_t Qualifiers(uint8_t quals) { return static_cast<uint32_t>(std::popcount(quals)); }

}  // namespace

uint32_t Meter::Expression(ExprId id, int precedence) const {
  const Expr& e = program_.exprs[id];
  if (e.kind == ExprKind::Variable) return 1;
  const int own = PrecedenceOf(e);
  const uint32_t parentheses = own < precedence ? 2 : 0;
  switch (e.kind) {
    case ExprKind::Constant: {
      const bool negative =
          static_cast<int64_t>(e.value) < 0 && IntegerInfoOf(program_.types.Kind(e.type), program_.Model()).is_signed;
      return negative ? 2 + parentheses : 1;
    }
    case ExprKind::EnumConstant:
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::kCount: return 1;
    case ExprKind::Unary:
      if (Info(e.Unary()).shape == OperatorShape::Call) return 3 + Expression(e.lhs, kAssignment);
      return parentheses + 1 + Expression(e.lhs, kUnary);
    case ExprKind::AddressOf:
    case ExprKind::Deref: return parentheses + 1 + Expression(e.lhs, kUnary);
    case ExprKind::IncDec: return parentheses + 1 + Expression(e.lhs, kPostfix);
    case ExprKind::Binary:
      if (Info(e.Binary()).shape == OperatorShape::Call) {
        return 4 + Expression(e.lhs, kAssignment) + Expression(e.rhs, kAssignment);
      }
      return parentheses + 1 + Expression(e.lhs, own) + Expression(e.rhs, own + 1);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return parentheses + 1 + Expression(e.lhs, own) + Expression(e.rhs, own + 1);
    case ExprKind::Conditional:
      return parentheses + 2 + Expression(e.lhs, kLogicalOr) + Expression(e.rhs, kAssignment) +
             Expression(e.third, kConditional);
    case ExprKind::Comma: return parentheses + 1 + Expression(e.lhs, kComma) + Expression(e.rhs, kAssignment);
    case ExprKind::Assign:
    case ExprKind::CompoundAssign: return parentheses + 1 + Expression(e.lhs, kUnary) + Expression(e.rhs, kAssignment);
    case ExprKind::Cast: return parentheses + 2 + TypeName(e.type) + Expression(e.lhs, kUnary);
    case ExprKind::Index: return 2 + Expression(e.lhs, kPostfix) + Expression(e.rhs, kComma);
    case ExprKind::Member: {
      const Expr& base = program_.exprs[e.lhs];
      return 2 + Expression(base.kind == ExprKind::Deref ? base.lhs : e.lhs, kPostfix);
    }
    case ExprKind::SizeofType: return 3 + TypeName(e.RefType());
    case ExprKind::SizeofExpr: return 3 + Expression(e.lhs, kComma);
    case ExprKind::CompoundLiteral: {
      const Variable& var = program_.vars[e.Var()];
      return parentheses + 2 + TypeName(var.type) + (var.init ? Initialiser(var.init) : 3);
    }
    case ExprKind::Call:
    case ExprKind::Builtin: {
      uint32_t tokens = 2 + (e.kind == ExprKind::Call ? Expression(e.lhs, kPostfix) : 1);
      for (uint32_t i = 0; i < e.args.count; ++i) tokens += (i > 0) + Expression(program_.Arg(e, i), kAssignment);
      if (e.kind == ExprKind::Builtin && e.RefType()) tokens += 4 + TypeName(e.RefType());
      return tokens;
    }
    case ExprKind::Guard:  // c++ < K ? lhs : rhs, or t = lhs, c++ < K ? t : rhs
      return parentheses + 6 + (e.detail == 1 ? 4 : 0) + Expression(e.lhs, kAssignment) +
             Expression(e.rhs, kConditional);
  }
  return 1;
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
  uint32_t tokens = 0;
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
    case StmtKind::Goto:
    case StmtKind::Case: return tokens + 3;
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
    switch (t.kind) {
      case TypeKind::Pointer: {
        const TypeKind pointee = program_.types.Kind(t.element);
        tokens += pointee == TypeKind::Function || IsArray(pointee) ? 3 : 1;
        break;
      }
      case TypeKind::Array: tokens += 3; break;
      case TypeKind::Vla: tokens += 2; break;
      case TypeKind::Function:
        tokens += 2;
        for (TypeId param : program_.types.GetSignature(t.signature).params) tokens += 1 + TypeName(param);
        break;
      case TypeKind::Struct:
      case TypeKind::Union:
      case TypeKind::Enum: return tokens + 2;
      default: return tokens + Words(kTypeKinds[static_cast<size_t>(t.kind)].spelling);
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
  switch (t.kind) {
    case TypeKind::Array:
      // Pointers have other targets, unions other members that can be read: one by one. Others in a loop.
      if (MayDiffer(t.element) || t.length == 1) return t.length * Check(t.element, path + 3);
      return 15 + Check(t.element, path + 3);
    case TypeKind::Struct:
    case TypeKind::Union: {
      uint32_t tokens = 0;
      for (const Member& member : program_.types.GetRecord(t.record).members) {
        if (member.named) tokens += Check(member.type, path + 2);
      }
      return tokens;
    }
    case TypeKind::Pointer: return 14 + path + 2;
    default: return 9 + path;
  }
}

}  // namespace assay::gen
