#include "lang/typing.hpp"

namespace assay::lang {
namespace {

// The pointer type that an array, function or pointer operand has as a value; invalid for others.
TypeId Decayed(Program& program, TypeId type) {
  const Type t = program.types[type];
  switch (ClassOf(t.kind)) {
    case TypeClass::Array: return program.types.Pointer(t.element);
    case TypeClass::Function: return program.types.Pointer(type);
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Pointer:
    case TypeClass::Record:
    case TypeClass::Void:
    case TypeClass::VaList:
    case TypeClass::kCount: break;
  }
  return program.types.Unqualified(type);
}

// Of an operator whose operands are numbers; `rhs` is invalid for unary ones.
TypeId TypeByRule(Program& program, TypeRule rule, ExprId lhs, ExprId rhs) {
  TypeTable& types = program.types;
  switch (rule) {
    case TypeRule::Operand: return ValueType(program, lhs);
    case TypeRule::Promoted: return types.Basic(PromotedKind(program, lhs));
    case TypeRule::Common:
      return types.Basic(CommonArithmetic(PromotedKind(program, lhs), PromotedKind(program, rhs), program.Model()));
    case TypeRule::Int: return types.Basic(TypeKind::Int);
    case TypeRule::ULLong: return types.Basic(TypeKind::ULLong);
    case TypeRule::PromotedUnsigned: return types.Basic(Info(PromotedKind(program, lhs)).unsigned_kind);
    case TypeRule::PromotedSigned: return types.Basic(SignedKind(PromotedKind(program, lhs)));
    case TypeRule::UInt16: return types.Basic(TypeKind::UInt16);
    case TypeRule::UInt32: return types.Basic(TypeKind::UInt32);
    case TypeRule::UInt64: return types.Basic(TypeKind::UInt64);
  }
  CHECK(false);
  return {};
}

TypeId TypeOfBinary(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  const BinaryOpInfo& row = Info(e.Binary());
  for (ExprId operand : {e.lhs, e.rhs}) {  // the other one is a scalar of a lane's type
    if (!IsVector(types.Kind(program.exprs[operand].type))) continue;
    const TypeId vector = ValueType(program, operand);
    return IsComparison(row.kind) ? ComparisonType(program, vector) : vector;
  }
  if (!TakesPointers(row.kind) || row.result == TypeRule::Int) return TypeByRule(program, row.result, e.lhs, e.rhs);
  const TypeId left = ValueType(program, e.lhs), right = ValueType(program, e.rhs);
  const bool left_pointer = types.Kind(left) == TypeKind::Pointer;
  const bool right_pointer = types.Kind(right) == TypeKind::Pointer;
  if (left_pointer && right_pointer) return types.Basic(program.Model().Properties().difference_type);
  if (left_pointer) return left;
  if (right_pointer) return right;
  return TypeByRule(program, row.result, e.lhs, e.rhs);
}

TypeId TypeOfConditional(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  const TypeId yes = ValueType(program, e.rhs), no = ValueType(program, e.third);
  if (IsArithmetic(types.Kind(yes)) && IsArithmetic(types.Kind(no))) {
    return types.Basic(CommonArithmetic(PromotedKind(program, e.rhs), PromotedKind(program, e.third), program.Model()));
  }
  return yes;  // records and pointers: both sides have the same type (verify checks)
}

}  // namespace

TypeId ComparisonType(Program& program, TypeId vector) {
  const Type type = program.types[vector];
  TypeKind lane = program.types.Kind(type.element);
  if (IsFloat(lane)) {
    lane = FormatOf(lane).bytes == 4 ? TypeKind::Int : TypeKind::LLong;
  } else {
    lane = SignedKind(lane);
  }
  return program.types.Vector(program.types.Basic(lane), type.length);
}

int BitWidthOf(const Program& program, ExprId id) {
  const Expr& e = program.exprs[id];
  if (e.kind != ExprKind::Member) return -1;
  const Type& record = program.types[program.exprs[e.lhs].type];
  return program.types.GetRecord(record.record).members[e.MemberIndex()].bit_width;
}

bool IsPromotionUnclear(const Program& program, ExprId id) {
  bool computed = false;  // the value of an operation on the field, not of the field itself
  ExprId field = id;
  for (bool deeper = true; deeper;) {
    const Expr& e = program.exprs[field];
    switch (e.kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
        field = e.lhs;
        computed = true;
        break;
      case ExprKind::Comma:
        field = e.rhs;
        computed = true;
        break;
      case ExprKind::Constant:
      case ExprKind::EnumConstant:
      case ExprKind::String:
      case ExprKind::Variable:
      case ExprKind::Function:
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
      case ExprKind::Conditional:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::Call:
      case ExprKind::CompoundLiteral:
      case ExprKind::Builtin:
      case ExprKind::Guard:
      case ExprKind::kCount: deeper = false;
    }
  }
  const int width = BitWidthOf(program, field);
  if (width < 0) return false;
  const DataModel& model = program.Model();
  if (width > model.Properties().int_bytes * 8) return true;
  const TypeKind kind = program.types.Kind(program.exprs[field].type);
  return computed && Promote(kind, model, width) != Promote(kind, model);
}

TypeId ValueType(Program& program, ExprId id) { return Decayed(program, program.exprs[id].type); }

TypeKind PromotedKind(const Program& program, ExprId id) {
  const TypeKind kind = program.types.Kind(program.exprs[id].type);
  if (IsFloat(kind)) return kind;
  return Promote(kind, program.Model(), BitWidthOf(program, id));
}

TypeId OperandType(Program& program, ExprId id) {
  return BitWidthOf(program, id) >= 0 ? program.types.Basic(PromotedKind(program, id)) : ValueType(program, id);
}

TypeId TypeOf(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  switch (e.kind) {
    case ExprKind::Variable: return program.vars[e.Var()].type;
    case ExprKind::Function: return program.functions[e.Func()].type;
    case ExprKind::EnumConstant:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return types.Basic(TypeKind::Int);
    case ExprKind::String:
      return types.Array(types.Basic(TypeKind::Char),
                         static_cast<uint32_t>(program.strings[StringId(e.ref)].size()) + 1);
    case ExprKind::Unary:
      if (IsVector(types.Kind(program.exprs[e.lhs].type))) return ValueType(program, e.lhs);
      return TypeByRule(program, Info(e.Unary()).result, e.lhs, {});
    case ExprKind::Binary: return TypeOfBinary(program, e);
    case ExprKind::Conditional: return TypeOfConditional(program, e);
    case ExprKind::Comma: return ValueType(program, e.rhs);
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec: return types.Unqualified(program.exprs[e.lhs].type);
    case ExprKind::AddressOf: return types.Pointer(program.exprs[e.lhs].type);
    case ExprKind::Deref: return types[ValueType(program, e.lhs)].element;
    case ExprKind::Index: {
      const Type base = types[program.exprs[e.lhs].type];
      if (IsVector(base.kind))
        return IsLvalue(program, e.lhs) ? types.Qualified(base.element, base.quals) : base.element;
      return types[ValueType(program, e.lhs)].element;
    }
    case ExprKind::Member: {
      const Type record = types[program.exprs[e.lhs].type];
      const TypeId member = types.GetRecord(record.record).members[e.MemberIndex()].type;
      return IsLvalue(program, e.lhs) ? types.Qualified(member, record.quals) : types.Unqualified(member);
    }
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr: return types.Basic(program.Model().Properties().size_type);
    case ExprKind::Call: {
      Type callee = types[ValueType(program, e.lhs)];  // a pointer to function
      return types.Unqualified(types[callee.element].element);
    }
    case ExprKind::CompoundLiteral: return program.vars[e.Var()].type;
    case ExprKind::Constant:
    case ExprKind::Cast:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: return e.type;
  }
  return e.type;
}

}  // namespace assay::lang
