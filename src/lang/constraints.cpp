#include "lang/constraints.hpp"

#include "lang/typing.hpp"

namespace assay::lang {
namespace {

bool IsStaticLvalue(const Program& program, ExprId id);

bool IsIntegerConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
      return true;
    case ExprKind::Cast:
      return IsInteger(program.types.Kind(e.type)) && IsIntegerConstant(program, e.lhs);
    case ExprKind::Unary:
      return IsIntegerConstant(program, e.lhs);
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
      return IsIntegerConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs);
    case ExprKind::Conditional:
      return IsIntegerConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs) &&
             IsIntegerConstant(program, e.third);
    default:
      return false;
  }
}

bool IsAddressConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::Function:
    case ExprKind::String:
      return true;
    case ExprKind::AddressOf:
      return program[e.lhs].kind == ExprKind::Function || IsStaticLvalue(program, e.lhs);
    case ExprKind::Cast:
      return program.types.Kind(e.type) == TypeKind::Pointer &&
             (IsAddressConstant(program, e.lhs) || IsIntegerConstant(program, e.lhs));
    case ExprKind::Binary:
      if (program.types.Kind(e.type) != TypeKind::Pointer) return false;
      return (IsAddressConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs)) ||
             (IsIntegerConstant(program, e.lhs) && IsAddressConstant(program, e.rhs));
    default:
      return program.types.Kind(e.type) == TypeKind::Array && IsStaticLvalue(program, id);
  }
}

bool IsStaticLvalue(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::String:
      return true;
    case ExprKind::Variable:
      return program[e.Var()].IsStatic();
    case ExprKind::Member:
      return IsStaticLvalue(program, e.lhs);
    case ExprKind::Index:
      return IsAddressConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs);
    case ExprKind::Deref:
      return IsAddressConstant(program, e.lhs);
    default:
      return false;
  }
}

class Checker {
 public:
  Checker(Program& program, const Expr& e) : program_(program), types_(program.types), e_(e) {}

  std::string_view Run() {
    switch (e_.kind) {
      case ExprKind::Constant:
        return Constant();
      case ExprKind::EnumConstant:
        return e_.ref < types_.EnumCount() &&
                       e_.value < types_.GetEnum(EnumId(e_.ref)).values.size()
                   ? ""
                   : "no such enumerator";
      case ExprKind::String:
        return program_.strings.Contains(StringId(e_.ref)) ? "" : "no such string";
      case ExprKind::Variable:
        if (!program_.vars.Contains(e_.Var())) return "no such variable";
        return program_.vars[e_.Var()].storage != Storage::Literal
                   ? ""
                   : "a literal's object has no name";
      case ExprKind::Function:
        return program_.functions.Contains(e_.Func()) ? "" : "no such function";
      case ExprKind::Unary:
        if (e_.op >= static_cast<uint8_t>(UnaryOp::kCount)) return "no such operator";
        if (e_.Unary() == UnaryOp::LogicalNot)
          return Scalar(e_.lhs) ? "" : "operand is not a scalar";
        return Integer(e_.lhs) ? Promotable(e_.lhs) : "operand is not an integer";
      case ExprKind::Binary:
        return Binary();
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr:
        return Scalar(e_.lhs) && Scalar(e_.rhs) ? "" : "operand is not a scalar";
      case ExprKind::Conditional:
        return Conditional();
      case ExprKind::Comma:
        return "";
      case ExprKind::Assign:
        if (std::string_view problem = Target(); !problem.empty()) return problem;
        return IsAssignable(program_, program_[e_.lhs].type, e_.rhs)
                   ? ""
                   : "types do not fit the assignment";
      case ExprKind::CompoundAssign:
        return CompoundAssign();
      case ExprKind::IncDec:
        if (e_.op >= static_cast<uint8_t>(IncDecOp::kCount)) return "no such operator";
        if (std::string_view problem = Target(); !problem.empty()) return problem;
        if (Integer(e_.lhs)) return Promotable(e_.lhs);
        return ObjectPointer(e_.lhs) ? "" : "operand is not an integer or pointer to object";
      case ExprKind::Cast:
        return Cast();
      case ExprKind::AddressOf:
        return AddressOf();
      case ExprKind::Deref:
        return PointerTo(e_.lhs) && types_.Kind(PointerTo(e_.lhs)) != TypeKind::Void
                   ? ""
                   : "operand is not a pointer to an object or function";
      case ExprKind::Index:
        return ObjectPointer(e_.lhs) && Integer(e_.rhs)
                   ? ""
                   : "operands are not an array or pointer and an integer";
      case ExprKind::Member:
        return Member();
      case ExprKind::SizeofType:
        return e_.ref < types_.Size() && IsObjectType(program_, e_.RefType())
                   ? ""
                   : "size of an incomplete type";
      case ExprKind::SizeofExpr:
        if (HasFieldValue(e_.lhs)) return "size of a bit-field";
        return IsObjectType(program_, program_[e_.lhs].type) ? "" : "size of an incomplete type";
      case ExprKind::Call:
        return Call();
      case ExprKind::CompoundLiteral:
        if (!program_.vars.Contains(e_.Var())) return "no such variable";
        return program_.vars[e_.Var()].storage == Storage::Literal ? ""
                                                                   : "not the object of a literal";
      case ExprKind::Builtin:
        return BuiltinCall();
      case ExprKind::Guard:
        return Guard();
      case ExprKind::Known:
      case ExprKind::kCount:
        break;
    }
    return "not an expression of a finished program";
  }

 private:
  // Of a bit-field, or of an operation that has its value: compilers differ on the type of those.
  bool HasFieldValue(ExprId id) const {
    for (;;) {
      const Expr& e = program_[id];
      if (e.kind == ExprKind::Comma) {
        id = e.rhs;
      } else if (e.kind == ExprKind::Assign || e.kind == ExprKind::CompoundAssign ||
                 e.kind == ExprKind::IncDec) {
        id = e.lhs;
      } else {
        return BitWidthOf(program_, id) >= 0;
      }
    }
  }

  TypeId Value(ExprId id) { return ValueType(program_, id); }
  TypeKind Kind(ExprId id) { return types_.Kind(Value(id)); }
  bool Integer(ExprId id) { return IsInteger(Kind(id)); }
  bool Scalar(ExprId id) { return IsScalar(Kind(id)); }
  // What a pointer operand points at; invalid for others.
  TypeId PointerTo(ExprId id) {
    const Type type = types_[Value(id)];
    return type.kind == TypeKind::Pointer ? type.element : TypeId();
  }
  bool ObjectPointer(ExprId id) { return PointerTo(id) && IsObjectType(program_, PointerTo(id)); }

  // Integer operands that take part in arithmetic.
  std::string_view Promotable(ExprId id) {
    return IsPromotionUnclear(program_, id) ? "compilers disagree on the bit-field's promoted type" : "";
  }
  std::string_view Promotable(ExprId left, ExprId right) {
    const std::string_view problem = Promotable(left);
    return problem.empty() ? Promotable(right) : problem;
  }

  std::string_view Constant() {
    const Type& type = types_[e_.type];
    if (type.kind < TypeKind::Int || type.kind > TypeKind::ULLong || type.quals != 0)
      return "not a type of constants";
    if (e_.detail >= static_cast<uint8_t>(ConstantSpelling::kCount)) return "no such spelling";
    const IntegerInfo info = IntegerInfoOf(type.kind, program_.Model());
    const auto value = static_cast<int64_t>(e_.value);
    const bool fits = info.is_signed ? value >= info.Min() && (value < 0 || e_.value <= info.Max())
                                     : e_.value <= info.Max();
    return fits ? "" : "the value is not one of the type";
  }

  std::string_view Binary() {
    if (e_.op >= static_cast<uint8_t>(BinaryOp::kCount)) return "no such operator";
    const BinaryOp op = e_.Binary();
    if (Integer(e_.lhs) && Integer(e_.rhs)) return Promotable(e_.lhs, e_.rhs);
    if (op == BinaryOp::Add && Integer(e_.lhs) && ObjectPointer(e_.rhs)) return "";
    if ((op == BinaryOp::Add || op == BinaryOp::Sub) && ObjectPointer(e_.lhs) && Integer(e_.rhs))
      return "";
    const TypeId left = PointerTo(e_.lhs), right = PointerTo(e_.rhs);
    const bool compares = Info(op).result == BinaryClass::Compare;
    if (!left || !right || (op != BinaryOp::Sub && !compares))
      return "operands do not fit the operator";
    const bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
    if (equality && (types_.Kind(left) == TypeKind::Void || types_.Kind(right) == TypeKind::Void))
      return "";
    if (types_.Unqualified(left) != types_.Unqualified(right)) return "pointers to different types";
    return equality || IsObjectType(program_, left) ? "" : "pointers not to objects";
  }

  // True if a conditional whose one branch has the type has it as a whole: the other branch, if a
  // pointer, may point at something with fewer qualifiers.
  bool SameBranch(TypeId type, ExprId other) {
    if (Value(other) == type) return true;
    const TypeId from = PointerTo(other);
    if (!from || types_.Kind(type) != TypeKind::Pointer) return false;
    return types_.Unqualified(from) == types_.Unqualified(types_[type].element) &&
           IsAssignable(program_, type, other);
  }

  std::string_view Conditional() {
    if (!Scalar(e_.lhs)) return "condition is not a scalar";
    if (Integer(e_.rhs) && Integer(e_.third)) return Promotable(e_.rhs, e_.third);
    return SameBranch(Value(e_.rhs), e_.third) ? "" : "the branches have different types";
  }

  std::string_view Target() {
    if (!IsLvalue(program_, e_.lhs)) return "target is not an lvalue";
    return IsModifiable(program_, program_[e_.lhs].type) ? "" : "target is not modifiable";
  }

  std::string_view CompoundAssign() {
    if (e_.op >= static_cast<uint8_t>(BinaryOp::kCount) || !Info(e_.Binary()).compound)
      return "no such operator";
    if (std::string_view problem = Target(); !problem.empty()) return problem;
    if (!Integer(e_.rhs)) return "operands do not fit the operator";
    if (Integer(e_.lhs)) return Promotable(e_.lhs, e_.rhs);
    const bool additive = e_.Binary() == BinaryOp::Add || e_.Binary() == BinaryOp::Sub;
    return additive && ObjectPointer(e_.lhs) ? "" : "operands do not fit the operator";
  }

  std::string_view Cast() {
    const Type& type = types_[e_.type];
    if (type.quals != 0) return "cast to a qualified type";
    if (type.kind == TypeKind::Void) return "";
    if (!IsScalar(type.kind)) return "cast to a type that is not scalar";
    return Scalar(e_.lhs) ? "" : "operand is not a scalar";
  }

  std::string_view AddressOf() {
    if (types_.Kind(program_[e_.lhs].type) == TypeKind::Function) return "";
    if (!IsLvalue(program_, e_.lhs)) return "operand is not an lvalue";
    if (BitWidthOf(program_, e_.lhs) >= 0) return "address of a bit-field";
    const VarId base = BaseVariable(program_, e_.lhs);
    return !base || program_[base].storage != Storage::Register ? ""
                                                                : "address of a register variable";
  }

  std::string_view Member() {
    const Type& type = types_[program_[e_.lhs].type];
    if (!IsRecord(type.kind)) return "operand is not a struct or union";
    const Record& record = types_.GetRecord(type.record);
    if (e_.MemberIndex() >= record.members.size()) return "no such member";
    return record.members[e_.MemberIndex()].named ? "" : "an unnamed member has no value";
  }

  std::string_view Call() {
    const TypeId function = PointerTo(e_.lhs);
    if (!function || types_.Kind(function) != TypeKind::Function) return "callee is not a function";
    const Signature signature = types_.GetSignature(types_[function].signature);
    const size_t count = signature.params.size();
    if (e_.args.count < count || (e_.args.count > count && !signature.variadic))
      return "wrong number of arguments";
    for (uint32_t i = 0; i < e_.args.count; ++i) {
      const ExprId arg = program_.Arg(e_, i);
      if (i < count && !IsAssignable(program_, signature.params[i], arg))
        return "argument does not fit its parameter";
      if (i < count) continue;
      if (!Scalar(arg) && !IsRecord(Kind(arg))) return "argument has no value";
      if (const std::string_view problem = Promotable(arg); !problem.empty()) return problem;
    }
    return "";
  }

  std::string_view BuiltinCall() {
    if (e_.op >= static_cast<uint8_t>(Builtin::kCount)) return "no such builtin";
    const Builtin builtin = e_.GetBuiltin();
    if (e_.args.count != Info(builtin).arguments) return "wrong number of arguments";
    const ExprId first = program_.Arg(e_, 0);
    if (Info(builtin).sized && (e_.ref >= types_.Size() || !IsObjectType(program_, e_.RefType()))) {
      return "size of an incomplete type";
    }
    switch (builtin) {
      case Builtin::Malloc:
      case Builtin::Calloc:
        if (!Integer(first)) return "count is not an integer";
        return e_.type == types_.Pointer(e_.RefType()) ? ""
                                                       : "the result is not a pointer to the type";
      case Builtin::Free:
        return PlainPointer(first, kConst | kVolatile) && ResultIs(TypeKind::Void)
                   ? ""
                   : "operands do not fit";
      case Builtin::Memset:
        return PlainPointer(first, kConst | kVolatile) && Integer(program_.Arg(e_, 1)) &&
                       ResultIs(TypeKind::Void)
                   ? ""
                   : "operands do not fit";
      case Builtin::Memcpy:
      case Builtin::Memmove:
        return PointsAt(first, kConst | kVolatile) && PointsAt(program_.Arg(e_, 1), kVolatile) &&
                       ResultIs(TypeKind::Void)
                   ? ""
                   : "operands do not fit";
      case Builtin::Memcmp:
        return PointsAt(first, kVolatile) && PointsAt(program_.Arg(e_, 1), kVolatile) &&
                       ResultIs(TypeKind::Int)
                   ? ""
                   : "operands do not fit";
      case Builtin::VaStart:
      case Builtin::VaEnd:
        return IsVaList(first) && ResultIs(TypeKind::Void) ? "" : "operand is not a va_list";
      case Builtin::VaArg: {
        if (!IsVaList(first)) return "operand is not a va_list";
        if (e_.ref >= types_.Size() || e_.type != e_.RefType() || types_[e_.type].quals != 0) {
          return "the result is not of the type";
        }
        const TypeKind kind = types_.Kind(e_.type);
        if (IsInteger(kind)) {
          const TypeKind promoted = Promote(kind, program_.Model());
          return promoted == StandardKind(kind, program_.Model())
                     ? ""
                     : "no argument has a type that promotes";
        }
        return kind == TypeKind::Pointer || IsRecord(kind) ? "" : "no argument has the type";
      }
      case Builtin::kCount:
        break;
    }
    return "no such builtin";
  }

  bool ResultIs(TypeKind kind) { return e_.type == types_.Basic(kind); }
  bool IsVaList(ExprId id) {
    return IsLvalue(program_, id) && program_[id].type == types_.Basic(TypeKind::VaList);
  }
  // A pointer to an object that has none of the qualifiers, at any depth of arrays.
  bool PlainPointer(ExprId id, uint8_t forbidden) {
    TypeId pointee = PointerTo(id);
    if (!pointee || types_.Kind(pointee) == TypeKind::Function) return false;
    while (IsArray(types_.Kind(pointee))) pointee = types_[pointee].element;
    return (types_[pointee].quals & forbidden) == 0;
  }
  bool PointsAt(ExprId id, uint8_t forbidden) {
    return PlainPointer(id, forbidden) &&
           types_.Unqualified(PointerTo(id)) == types_.Unqualified(e_.RefType());
  }

  std::string_view Guard() {
    if (!program_.vars.Contains(e_.Var()) || !IsInteger(types_.Kind(program_[e_.Var()].type))) {
      return "the counter is not an integer variable";
    }
    if (e_.type != OperandType(program_, e_.lhs)) return "the type is not that of the guarded value";
    if (e_.detail > 1) return "no such form";
    if (e_.detail == 1) {
      const Expr& temporary = program_[e_.third];
      if (temporary.kind != ExprKind::Variable || Value(e_.third) != e_.type)
        return "the temporary does not fit";
    }
    if (Integer(e_.lhs) && Integer(e_.rhs)) {  // the conditional must not have another type than the value
      const ExprId guarded = e_.detail == 1 ? e_.third : e_.lhs;
      if (const std::string_view problem = Promotable(guarded, e_.rhs); !problem.empty()) return problem;
      const TypeKind left = PromotedKind(program_, guarded);
      return CommonKind(left, PromotedKind(program_, e_.rhs), program_.Model()) == left
                 ? ""
                 : "the branches have different types";
    }
    return SameBranch(e_.type, e_.rhs) ? "" : "the branches have different types";
  }

  Program& program_;
  TypeTable& types_;
  const Expr e_;
};

}  // namespace

bool IsObjectType(const Program& program, TypeId id) {
  switch (program.types.Kind(id)) {
    case TypeKind::Void:
    case TypeKind::Function:
    case TypeKind::Vla:
    case TypeKind::kCount:
      return false;
    default:
      return true;
  }
}

bool IsModifiable(const Program& program, TypeId id) {
  return IsObjectType(program, id) && !IsArray(program.types.Kind(id)) &&
         program.types.Kind(id) != TypeKind::VaList && !HasQualifier(program, id, kConst);
}

bool HasQualifier(const Program& program, TypeId id, uint8_t quals) {
  const Type& type = program.types[id];
  if (type.quals & quals) return true;
  if (IsArray(type.kind)) return HasQualifier(program, type.element, quals);
  if (!IsRecord(type.kind)) return false;
  for (const Member& member : program.types.GetRecord(type.record).members) {
    if (HasQualifier(program, member.type, quals)) return true;
  }
  return false;
}

bool IsVlaLength(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (!IsInteger(program.types.Kind(e.type))) return false;
  return e.kind != ExprKind::Constant || static_cast<int64_t>(e.value) > 0;
}

bool IsConstantExpression(const Program& program, ExprId id) {
  return IsIntegerConstant(program, id) || IsAddressConstant(program, id);
}

VarId BaseVariable(const Program& program, ExprId id) {
  while (true) {
    const Expr& e = program[id];
    if (e.kind == ExprKind::Variable || e.kind == ExprKind::CompoundLiteral) return e.Var();
    const bool inside =
        e.kind == ExprKind::Member ||
        (e.kind == ExprKind::Index && IsArray(program.types.Kind(program[e.lhs].type)));
    if (!inside) return {};
    id = e.lhs;
  }
}

bool IsAssignable(Program& program, TypeId to, ExprId from) {
  TypeTable& types = program.types;
  const TypeId target = types.Unqualified(to), value = ValueType(program, from);
  const Type t = types[target], v = types[value];
  if (IsInteger(t.kind) && IsInteger(v.kind)) return true;
  if (t.kind == TypeKind::Bool && v.kind == TypeKind::Pointer) return true;
  if (IsRecord(t.kind)) return target == value;
  if (t.kind != TypeKind::Pointer || v.kind != TypeKind::Pointer) return false;
  if (t.element == v.element) return true;
  const TypeKind to_kind = types.Kind(t.element), from_kind = types.Kind(v.element);
  if (to_kind == TypeKind::Function || from_kind == TypeKind::Function) return false;
  const TypeId plain_to = types.Unqualified(t.element), plain_from = types.Unqualified(v.element);
  if (plain_to != plain_from && to_kind != TypeKind::Void && from_kind != TypeKind::Void)
    return false;
  const auto quals = [&](TypeId id) {
    while (IsArray(types.Kind(id))) id = types[id].element;
    return types[id].quals;
  };
  return (quals(v.element) & ~quals(t.element)) == 0;
}

std::string_view OperandProblem(Program& program, const Expr& e) {
  return Checker(program, e).Run();
}

}  // namespace assay::lang
