#include "lang/typing.hpp"

namespace assay::lang {
namespace {

// The pointer type that an array, function or pointer operand has as a value; invalid for others.
TypeId Decayed(Program& program, TypeId type) {
  const Type t = program.types[type];
  switch (t.kind) {
    case TypeKind::Array:
    case TypeKind::Vla:
      return program.types.Pointer(t.element);
    case TypeKind::Function:
      return program.types.Pointer(type);
    default:
      return program.types.Unqualified(type);
  }
}

TypeId TypeOfBinary(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  if (Info(e.Binary()).result == BinaryClass::Compare) return types.Basic(TypeKind::Int);
  const TypeId left = ValueType(program, e.lhs), right = ValueType(program, e.rhs);
  const bool left_pointer = types.Kind(left) == TypeKind::Pointer;
  const bool right_pointer = types.Kind(right) == TypeKind::Pointer;
  if (left_pointer && right_pointer) {  // ptrdiff_t
    const DataModel& model = program.Model();
    if (model.pointer_bytes == model.int_bytes) return types.Basic(TypeKind::Int);
    return types.Basic(model.long_bytes == model.pointer_bytes ? TypeKind::Long : TypeKind::LLong);
  }
  if (left_pointer) return left;
  if (right_pointer) return right;
  const TypeKind a = PromotedKind(program, e.lhs);
  if (Info(e.Binary()).result == BinaryClass::Shift) return types.Basic(a);
  return types.Basic(CommonKind(a, PromotedKind(program, e.rhs), program.Model()));
}

TypeId TypeOfConditional(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  const TypeId yes = ValueType(program, e.rhs), no = ValueType(program, e.third);
  if (IsInteger(types.Kind(yes)) && IsInteger(types.Kind(no))) {
    return types.Basic(
        CommonKind(PromotedKind(program, e.rhs), PromotedKind(program, e.third), program.Model()));
  }
  return yes;  // records and pointers: both sides have the same type (verify checks)
}

TypeId SizeType(Program& program) {
  const DataModel& model = program.Model();
  if (model.pointer_bytes == model.int_bytes) return program.types.Basic(TypeKind::UInt);
  return program.types.Basic(model.long_bytes == model.pointer_bytes ? TypeKind::ULong : TypeKind::ULLong);
}

}  // namespace

TypeKind StandardKind(TypeKind kind, const DataModel& model) {
  switch (kind) {
    case TypeKind::Int8: return TypeKind::SChar;
    case TypeKind::UInt8: return TypeKind::UChar;
    case TypeKind::Int16: return model.int_bytes == 2 ? TypeKind::Int : TypeKind::Short;
    case TypeKind::UInt16: return model.int_bytes == 2 ? TypeKind::UInt : TypeKind::UShort;
    case TypeKind::Int32: return model.int_bytes == 4 ? TypeKind::Int : TypeKind::Long;
    case TypeKind::UInt32: return model.int_bytes == 4 ? TypeKind::UInt : TypeKind::ULong;
    case TypeKind::Int64: return model.long_bytes == 8 ? TypeKind::Long : TypeKind::LLong;
    case TypeKind::UInt64: return model.long_bytes == 8 ? TypeKind::ULong : TypeKind::ULLong;
    case TypeKind::Enum: return TypeKind::Int;
    default: return kind;
  }
}

IntegerInfo IntegerInfoOf(TypeKind kind, const DataModel& model) {
  const uint8_t int_bits = model.int_bytes * 8, long_bits = model.long_bytes * 8;
  switch (StandardKind(kind, model)) {
    case TypeKind::Bool: return {1, false};
    case TypeKind::Char: return {8, model.char_is_signed};
    case TypeKind::SChar: return {8, true};
    case TypeKind::UChar: return {8, false};
    case TypeKind::Short: return {16, true};
    case TypeKind::UShort: return {16, false};
    case TypeKind::Int: return {int_bits, true};
    case TypeKind::UInt: return {int_bits, false};
    case TypeKind::Long: return {long_bits, true};
    case TypeKind::ULong: return {long_bits, false};
    case TypeKind::LLong: return {64, true};
    case TypeKind::ULLong: return {64, false};
    default: CHECK_MSG(false, "not an integer kind: {}", static_cast<int>(kind));
  }
  return {};
}

int Rank(TypeKind kind) {
  switch (kind) {
    case TypeKind::Bool: return 0;
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar: return 1;
    case TypeKind::Short:
    case TypeKind::UShort: return 2;
    case TypeKind::Int:
    case TypeKind::UInt: return 3;
    case TypeKind::Long:
    case TypeKind::ULong: return 4;
    case TypeKind::LLong:
    case TypeKind::ULLong: return 5;
    default: CHECK_MSG(false, "no rank: {}", static_cast<int>(kind));
  }
  return 0;
}

TypeKind Promote(TypeKind kind, const DataModel& model, int bit_width) {
  kind = StandardKind(kind, model);
  const int int_bits = model.int_bytes * 8;
  const IntegerInfo info = IntegerInfoOf(kind, model);
  if (bit_width >= 0 && bit_width <= int_bits) {
    return bit_width < int_bits + (info.is_signed ? 1 : 0) ? TypeKind::Int : TypeKind::UInt;
  }
  if (Rank(kind) >= 3) return kind;
  return info.bits < int_bits + (info.is_signed ? 1 : 0) ? TypeKind::Int : TypeKind::UInt;
}

TypeKind CommonKind(TypeKind a, TypeKind b, const DataModel& model) {
  if (a == b) return a;
  const IntegerInfo ia = IntegerInfoOf(a, model), ib = IntegerInfoOf(b, model);
  if (ia.is_signed == ib.is_signed) return Rank(a) >= Rank(b) ? a : b;
  const TypeKind u = ia.is_signed ? b : a, s = ia.is_signed ? a : b;
  if (Rank(u) >= Rank(s)) return u;
  if (IntegerInfoOf(s, model).bits > IntegerInfoOf(u, model).bits) return s;
  return static_cast<TypeKind>(static_cast<int>(s) + 1);  // the unsigned type of s
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
      default:
        deeper = false;
    }
  }
  const int width = BitWidthOf(program, field);
  if (width < 0) return false;
  const DataModel& model = program.Model();
  if (width > model.int_bytes * 8) return true;
  const TypeKind kind = program.types.Kind(program.exprs[field].type);
  return computed && Promote(kind, model, width) != Promote(kind, model);
}

TypeId ValueType(Program& program, ExprId id) { return Decayed(program, program.exprs[id].type); }

TypeKind PromotedKind(const Program& program, ExprId id) {
  return Promote(program.types.Kind(program.exprs[id].type), program.Model(), BitWidthOf(program, id));
}

TypeId OperandType(Program& program, ExprId id) {
  return BitWidthOf(program, id) >= 0 ? program.types.Basic(PromotedKind(program, id)) : ValueType(program, id);
}

TypeId TypeOf(Program& program, const Expr& e) {
  TypeTable& types = program.types;
  switch (e.kind) {
    case ExprKind::Variable:
      return program.vars[e.Var()].type;
    case ExprKind::Function:
      return program.functions[e.Func()].type;
    case ExprKind::EnumConstant:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
      return types.Basic(TypeKind::Int);
    case ExprKind::String:
      return types.Array(types.Basic(TypeKind::Char),
                         static_cast<uint32_t>(program.strings[StringId(e.ref)].size()) + 1);
    case ExprKind::Unary:
      if (e.Unary() == UnaryOp::LogicalNot) return types.Basic(TypeKind::Int);
      return types.Basic(PromotedKind(program, e.lhs));
    case ExprKind::Binary:
      return TypeOfBinary(program, e);
    case ExprKind::Conditional:
      return TypeOfConditional(program, e);
    case ExprKind::Comma:
      return ValueType(program, e.rhs);
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
      return types.Unqualified(program.exprs[e.lhs].type);
    case ExprKind::AddressOf:
      return types.Pointer(program.exprs[e.lhs].type);
    case ExprKind::Deref:
      return types[ValueType(program, e.lhs)].element;
    case ExprKind::Index:
      return types[ValueType(program, e.lhs)].element;
    case ExprKind::Member: {
      const Type record = types[program.exprs[e.lhs].type];
      const TypeId member = types.GetRecord(record.record).members[e.MemberIndex()].type;
      return IsLvalue(program, e.lhs) ? types.Qualified(member, record.quals) : types.Unqualified(member);
    }
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
      return SizeType(program);
    case ExprKind::Call: {
      Type callee = types[ValueType(program, e.lhs)];  // a pointer to function
      return types.Unqualified(types[callee.element].element);
    }
    case ExprKind::CompoundLiteral:
      return program.vars[e.Var()].type;
    case ExprKind::Constant:
    case ExprKind::Cast:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::Known:
    case ExprKind::kCount:
      return e.type;
  }
  return e.type;
}

}  // namespace assay::lang
