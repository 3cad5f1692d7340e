#include "lang/constraints.hpp"

#include <algorithm>

#include "lang/typing.hpp"

namespace assay::lang {
namespace {

bool IsStaticLvalue(const Program& program, ExprId id);

// Qualified or unqualified versions of one type. An array has no qualifiers, only its elements do (6.7.3p9), so arrays
// of differently qualified elements are different types.
bool SamePointee(TypeTable& types, TypeId a, TypeId b) {
  return a == b || (!IsArray(types.Kind(a)) && types.Unqualified(a) == types.Unqualified(b));
}

bool IsIntegerConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::Constant: return IsInteger(program.types.Kind(e.type));
    case ExprKind::EnumConstant:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr: return true;
    case ExprKind::Cast: return IsAnyInteger(program.types.Kind(e.type)) && IsIntegerConstant(program, e.lhs);
    case ExprKind::Unary: return Info(e.Unary()).constant && IsIntegerConstant(program, e.lhs);
    case ExprKind::Binary:
      return Info(e.Binary()).constant && IsIntegerConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return IsIntegerConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs);
    case ExprKind::Conditional:
      return IsIntegerConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs) &&
             IsIntegerConstant(program, e.third);
    case ExprKind::String:
    case ExprKind::Variable:
    case ExprKind::Function:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::AddressOf:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: return false;
  }
  return false;
}

// An arithmetic constant expression of floating type (6.6p8): constants, their signs, and what is converted to them.
bool IsFloatConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (!IsFloat(program.types.Kind(e.type))) return false;
  if (e.kind == ExprKind::Constant) return true;
  if (e.kind == ExprKind::Unary) return Info(e.Unary()).constant && IsFloatConstant(program, e.lhs);
  return e.kind == ExprKind::Cast && (IsFloatConstant(program, e.lhs) || IsIntegerConstant(program, e.lhs));
}

bool IsAddressConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::Function:
    case ExprKind::String: return true;
    case ExprKind::AddressOf: return program[e.lhs].kind == ExprKind::Function || IsStaticLvalue(program, e.lhs);
    case ExprKind::Cast:
      return program.types.Kind(e.type) == TypeKind::Pointer &&
             (IsAddressConstant(program, e.lhs) || IsIntegerConstant(program, e.lhs));
    case ExprKind::Binary:
      if (program.types.Kind(e.type) != TypeKind::Pointer) return false;
      return (IsAddressConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs)) ||
             (IsIntegerConstant(program, e.lhs) && IsAddressConstant(program, e.rhs));
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::Variable:
    case ExprKind::Unary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::Deref:
    case ExprKind::Index:
    case ExprKind::Member:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: break;
  }
  return program.types.Kind(e.type) == TypeKind::Array && IsStaticLvalue(program, id);
}

bool IsStaticLvalue(const Program& program, ExprId id) {
  const Expr& e = program[id];
  switch (e.kind) {
    case ExprKind::String: return true;
    case ExprKind::Variable: return program[e.Var()].IsStatic() && (program[e.Var()].attrs & kVarThreadLocal) == 0;
    case ExprKind::Member: return IsStaticLvalue(program, e.lhs);
    case ExprKind::Index: return IsAddressConstant(program, e.lhs) && IsIntegerConstant(program, e.rhs);
    case ExprKind::Deref: return IsAddressConstant(program, e.lhs);
    case ExprKind::Constant:
    case ExprKind::EnumConstant:
    case ExprKind::Function:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::Conditional:
    case ExprKind::Comma:
    case ExprKind::Assign:
    case ExprKind::CompoundAssign:
    case ExprKind::IncDec:
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::SizeofType:
    case ExprKind::SizeofExpr:
    case ExprKind::Call:
    case ExprKind::CompoundLiteral:
    case ExprKind::Builtin:
    case ExprKind::Guard:
    case ExprKind::kCount: break;
  }
  return false;
}

// What the value of a constant expression lies in, without computing it.
struct Range {
  int64_t low = INT64_MIN, high = INT64_MAX;
};
Range RangeOf(const Program& program, ExprId id) {
  constexpr int64_t kFits = 0x3fff;  // twice that is an int in every data model
  const Expr& e = program[id];
  if (e.kind == ExprKind::Constant && e.value <= INT64_MAX) {
    return {static_cast<int64_t>(e.value), static_cast<int64_t>(e.value)};
  }
  if (e.kind == ExprKind::SizeofType || e.kind == ExprKind::SizeofExpr) return {1, INT64_MAX};
  if (e.kind != ExprKind::Binary || (e.Binary() != BinaryOp::Add && e.Binary() != BinaryOp::BitAnd)) return {};
  const Range a = RangeOf(program, e.lhs), b = RangeOf(program, e.rhs);
  if (e.Binary() == BinaryOp::Add) {
    const bool fits = a.low >= 0 && b.low >= 0 && a.high <= kFits && b.high <= kFits;
    return fits ? Range{a.low + b.low, a.high + b.high} : Range{};
  }
  if (a.low < 0 && b.low < 0) return {};
  return {0, std::min(a.low < 0 ? INT64_MAX : a.high, b.low < 0 ? INT64_MAX : b.high)};
}

// Conversions to and from floating types that may lose something, or be undefined, are written as casts: there the
// machine checks them, and repairs have a place.
constexpr std::string_view kWantsCast = "a conversion that needs a cast";

// (void *)0, which any pointer may be compared with or get (6.3.2.3p3).
bool IsNullConstant(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (e.kind != ExprKind::Cast || program.types.Kind(e.type) != TypeKind::Pointer) return false;
  const Expr& zero = program[e.lhs];
  return program.types.Kind(program.types[e.type].element) == TypeKind::Void && zero.kind == ExprKind::Constant &&
         zero.value == 0;
}

class Checker {
 public:
  Checker(Program& program, const Expr& e) : program_(program), types_(program.types), e_(e) {}

  std::string_view Run() {
    const bool wide = e_.type && e_.type.index < types_.Size() && IsWide(types_.Kind(e_.type));
    if (wide && !program_.Model().HasWide()) return kNoWide;
    switch (e_.kind) {
      case ExprKind::Constant: return Constant();
      case ExprKind::EnumConstant:
        return e_.ref < types_.EnumCount() && e_.value < types_.GetEnum(EnumId(e_.ref)).values.size()
                   ? ""
                   : "no such enumerator";
      case ExprKind::String: return program_.strings.Contains(StringId(e_.ref)) ? "" : "no such string";
      case ExprKind::Variable:
        if (!program_.vars.Contains(e_.Var())) return "no such variable";
        return program_.vars[e_.Var()].storage != Storage::Literal ? "" : "a literal's object has no name";
      case ExprKind::Function: return program_.functions.Contains(e_.Func()) ? "" : "no such function";
      case ExprKind::Unary: return Unary();
      case ExprKind::Binary: return Binary();
      case ExprKind::LogicalAnd:
      case ExprKind::LogicalOr: return Scalar(e_.lhs) && Scalar(e_.rhs) ? "" : "operand is not a scalar";
      case ExprKind::Conditional: return Conditional();
      case ExprKind::Comma: return "";
      case ExprKind::Assign:
        if (std::string_view problem = Target(); !problem.empty()) return problem;
        return IsAssignable(program_, program_[e_.lhs].type, e_.rhs) ? "" : "types do not fit the assignment";
      case ExprKind::CompoundAssign: return CompoundAssign();
      case ExprKind::IncDec:
        if (e_.op >= static_cast<uint8_t>(IncDecOp::kCount)) return "no such operator";
        if (std::string_view problem = Target(); !problem.empty()) return problem;
        if (Arithmetic(e_.lhs)) return Promotable(e_.lhs);
        return ObjectPointer(e_.lhs) ? "" : "operand is not a number or pointer to object";
      case ExprKind::Cast: return Cast();
      case ExprKind::AddressOf: return AddressOf();
      case ExprKind::Deref:
        return PointerTo(e_.lhs) && types_.Kind(PointerTo(e_.lhs)) != TypeKind::Void
                   ? ""
                   : "operand is not a pointer to an object or function";
      case ExprKind::Index:
        if (Vector(e_.lhs)) return Integer(e_.rhs) && e_.detail == 0 ? "" : "the index of a lane is not an integer";
        return ObjectPointer(e_.lhs) && Integer(e_.rhs) ? "" : "operands are not an array or pointer and an integer";
      case ExprKind::Member: return Member();
      case ExprKind::SizeofType: return e_.ref < types_.Size() ? Sizeof(e_.RefType()) : "size of an incomplete type";
      case ExprKind::SizeofExpr:
        if (HasFieldValue(e_.lhs)) return "size of a bit-field";
        return Sizeof(program_[e_.lhs].type);
      case ExprKind::Call: return Call();
      case ExprKind::CompoundLiteral:
        if (!program_.vars.Contains(e_.Var())) return "no such variable";
        return program_.vars[e_.Var()].storage == Storage::Literal ? "" : "not the object of a literal";
      case ExprKind::Builtin: return BuiltinCall();
      case ExprKind::Guard: return Guard();
      case ExprKind::kCount: break;
    }
    return "not an expression of a finished program";
  }

 private:
  // The size of a record with bit-fields and of a va_list is up to the compiler.
  std::string_view Sizeof(TypeId type) const {
    if (!IsObjectType(program_, type)) return "size of an incomplete type";
    if (IsWide(types_.Kind(type)) && !program_.Model().HasWide()) return kNoWide;
    return HasUnclearSize(type) ? "size of a type that compilers lay out differently" : "";
  }
  bool HasUnclearSize(TypeId id) const {
    const Type& type = types_[id];
    if (type.kind == TypeKind::Array) return HasUnclearSize(type.element);
    if (!IsRecord(type.kind)) return type.kind == TypeKind::VaList;
    const std::vector<lang::Member>& members = types_.GetRecord(type.record).members;
    return std::any_of(members.begin(), members.end(),
                       [&](const lang::Member& member) { return member.IsBitField() || HasUnclearSize(member.type); });
  }

  // Of a bit-field, or of an operation that has its value: compilers differ on the type of those.
  bool HasFieldValue(ExprId id) const {
    for (;;) {
      const Expr& e = program_[id];
      if (e.kind == ExprKind::Comma) {
        id = e.rhs;
      } else if (e.kind == ExprKind::Assign || e.kind == ExprKind::CompoundAssign || e.kind == ExprKind::IncDec) {
        id = e.lhs;
      } else {
        return BitWidthOf(program_, id) >= 0;
      }
    }
  }

  TypeId Value(ExprId id) { return ValueType(program_, id); }
  TypeKind Kind(ExprId id) { return types_.Kind(Value(id)); }
  bool Integer(ExprId id) { return IsInteger(Kind(id)); }
  bool AnyInteger(ExprId id) { return IsAnyInteger(Kind(id)); }
  bool Wide(ExprId id) { return IsWide(Kind(id)); }
  bool Arithmetic(ExprId id) { return IsArithmetic(Kind(id)); }
  bool Scalar(ExprId id) { return IsScalar(Kind(id)); }
  bool Vector(ExprId id) const { return IsVector(types_.Kind(program_[id].type)); }
  // The vector that the operand is, as a value; invalid for others.
  TypeId VectorOf(ExprId id) { return Vector(id) ? Value(id) : TypeId(); }
  TypeKind LaneKind(TypeId vector) const { return types_.Kind(types_[vector].element); }
  // An operand beside a vector: GNU C converts it to the type of a lane where nothing can be lost. gcc and clang do not
  // agree on where that is, so it must have that type.
  bool IsLane(ExprId id, TypeId vector) {
    const TypeKind kind = Kind(id);
    if (!IsArithmetic(kind) || kind == TypeKind::Bool || kind == TypeKind::Enum || HasFieldValue(id)) return false;
    return StandardKind(kind, program_.Model()) == StandardKind(LaneKind(vector), program_.Model());
  }
  // What a pointer operand points at; invalid for others.
  TypeId PointerTo(ExprId id) {
    const Type type = types_[Value(id)];
    return type.kind == TypeKind::Pointer ? type.element : TypeId();
  }
  bool ObjectPointer(ExprId id) { return PointerTo(id) && IsObjectType(program_, PointerTo(id)); }

  // Operands that take part in arithmetic.
  std::string_view Promotable(ExprId id) {
    return IsPromotionUnclear(program_, id) ? "compilers disagree on the bit-field's promoted type" : "";
  }
  std::string_view Promotable(ExprId left, ExprId right) {
    const std::string_view problem = Promotable(left);
    return problem.empty() ? Promotable(right) : problem;
  }

  std::string_view Constant() {
    const Type& type = types_[e_.type];
    if (!HasLiterals(type.kind) || type.quals != 0) return "not a type of constants";
    if (e_.detail >= static_cast<uint8_t>(ConstantSpelling::kCount)) return "no such spelling";
    if (IsFloat(type.kind)) {
      const bool fits = FormatOf(type.kind).bytes == 8 || e_.value <= UINT32_MAX;
      return fits && IsFinite(type.kind, e_.value) ? "" : "the value is not one of the type";
    }
    const IntegerInfo info = IntegerInfoOf(type.kind, program_.Model());
    const auto value = static_cast<int64_t>(e_.value);
    const bool fits =
        info.is_signed ? value >= info.Min() && (value < 0 || e_.value <= info.Max()) : e_.value <= info.Max();
    return fits ? "" : "the value is not one of the type";
  }

  std::string_view Unary() {
    if (e_.op >= static_cast<uint8_t>(UnaryOp::kCount)) return "no such operator";
    if (const TypeId vector = VectorOf(e_.lhs)) {
      const bool fits = e_.Unary() == UnaryOp::BitNot ? IsInteger(LaneKind(vector))
                                                      : e_.Unary() == UnaryOp::Minus || e_.Unary() == UnaryOp::Plus;
      return fits ? "" : "no operator of vectors";
    }
    // The builtins have no forms for them.
    if (Wide(e_.lhs)) return Info(e_.Unary()).shape == OperatorShape::Prefix ? "" : "no operator of wide integers";
    switch (Info(e_.Unary()).operands) {
      case OperandRule::Scalar: return Scalar(e_.lhs) ? "" : "operand is not a scalar";
      case OperandRule::Integer: return Integer(e_.lhs) ? Promotable(e_.lhs) : "operand is not an integer";
      case OperandRule::Arithmetic: return Arithmetic(e_.lhs) ? Promotable(e_.lhs) : "operand is not a number";
      case OperandRule::Sum:
      case OperandRule::Difference:
      case OperandRule::Relation:
      case OperandRule::Equality: break;
    }
    CHECK(false);
    return "";
  }

  std::string_view Binary() {
    if (e_.op >= static_cast<uint8_t>(BinaryOp::kCount)) return "no such operator";
    if (Integer(e_.lhs) && Integer(e_.rhs)) return Promotable(e_.lhs, e_.rhs);
    constexpr std::string_view kMisfit = "operands do not fit the operator";
    if (Vector(e_.lhs) || Vector(e_.rhs)) return Vectors();
    if (Wide(e_.lhs) || Wide(e_.rhs)) return Wides();
    if (Arithmetic(e_.lhs) && Arithmetic(e_.rhs)) {
      return TakesFloats(Info(e_.Binary())) ? Promotable(e_.lhs, e_.rhs) : kMisfit;
    }
    const bool moved = ObjectPointer(e_.lhs) && Integer(e_.rhs);
    switch (Info(e_.Binary()).operands) {
      case OperandRule::Integer:
      case OperandRule::Arithmetic:
      case OperandRule::Scalar: return kMisfit;
      case OperandRule::Sum: return moved || (Integer(e_.lhs) && ObjectPointer(e_.rhs)) ? "" : kMisfit;
      case OperandRule::Difference: return moved ? "" : Pointers(false);
      case OperandRule::Relation: return Pointers(false);
      case OperandRule::Equality: return Pointers(true);
    }
    return kMisfit;
  }

  // At least one operand is a vector: lane by lane.
  std::string_view Vectors() {
    const BinaryOpInfo& row = Info(e_.Binary());
    const TypeId left = VectorOf(e_.lhs), right = VectorOf(e_.rhs);
    const bool fits = left && right ? left == right : left ? IsLane(e_.rhs, left) : IsLane(e_.lhs, right);
    if (!fits) return "vectors of different types, or a scalar that is not of the type of the lanes";
    if (row.shape != OperatorShape::Infix) return "no operator of vectors";
    return IsInteger(LaneKind(left ? left : right)) || TakesFloats(row) ? "" : "operands do not fit the operator";
  }

  // At least one operand is a wide integer, the other one an integer: a conversion to a floating type is a cast.
  std::string_view Wides() {
    if (!AnyInteger(e_.lhs) || !AnyInteger(e_.rhs)) return "a wide integer beside what is no integer";
    if (Info(e_.Binary()).shape != OperatorShape::Infix) return "no operator of wide integers";
    return Promotable(e_.lhs, e_.rhs);
  }

  // Both operands are pointers that can be compared; for equality also to void and to functions.
  std::string_view Pointers(bool equality) {
    const TypeId left = PointerTo(e_.lhs), right = PointerTo(e_.rhs);
    if (!left || !right) return "operands do not fit the operator";
    if (equality && (types_.Kind(left) == TypeKind::Void || types_.Kind(right) == TypeKind::Void)) {  // 6.5.9p2
      const bool function = types_.Kind(left) == TypeKind::Function || types_.Kind(right) == TypeKind::Function;
      return !function || IsNullConstant(program_, e_.lhs) || IsNullConstant(program_, e_.rhs)
                 ? ""
                 : "a function compared with an object";
    }
    if (!SamePointee(types_, left, right)) return "pointers to different types";
    return equality || IsObjectType(program_, left) ? "" : "pointers not to objects";
  }

  // True if a conditional whose one branch has the type has it as a whole: the other branch, if a
  // pointer, may point at something with fewer qualifiers.
  bool SameBranch(TypeId type, ExprId other) {
    if (Value(other) == type) return true;
    const TypeId from = PointerTo(other);
    if (!from || types_.Kind(type) != TypeKind::Pointer) return false;
    return SamePointee(types_, from, types_[type].element) && IsAssignable(program_, type, other);
  }

  std::string_view Conditional() {
    if (!Scalar(e_.lhs)) return "condition is not a scalar";
    if (Arithmetic(e_.rhs) && Arithmetic(e_.third)) {
      if (const std::string_view problem = Promotable(e_.rhs, e_.third); !problem.empty()) return problem;
      const DataModel& model = program_.Model();
      const TypeKind left = PromotedKind(program_, e_.rhs), right = PromotedKind(program_, e_.third);
      const TypeKind common = CommonArithmetic(left, right, model);
      const bool exact = ConvertsExactly(left, common, model) && ConvertsExactly(right, common, model);
      return exact ? "" : kWantsCast;
    }
    return SameBranch(Value(e_.rhs), e_.third) ? "" : "the branches have different types";
  }

  std::string_view Target() {
    if (!IsLvalue(program_, e_.lhs)) return "target is not an lvalue";
    return IsModifiable(program_, program_[e_.lhs].type) ? "" : "target is not modifiable";
  }

  std::string_view CompoundAssign() {
    if (e_.op >= static_cast<uint8_t>(BinaryOp::kCount) || !Info(e_.Binary()).compound) return "no such operator";
    if (std::string_view problem = Target(); !problem.empty()) return problem;
    if (Vector(e_.lhs)) return Vectors();
    if (Wide(e_.lhs) || Wide(e_.rhs)) return Wides();
    if (Arithmetic(e_.lhs) && Arithmetic(e_.rhs) && !(Integer(e_.lhs) && Integer(e_.rhs))) {
      if (!TakesFloats(Info(e_.Binary()))) return "operands do not fit the operator";
      if (Integer(e_.lhs) && BitWidthOf(program_, e_.lhs) >= 0) return "a bit-field that gets a floating value";
      return Promotable(e_.lhs, e_.rhs);
    }
    if (!Integer(e_.rhs)) return "operands do not fit the operator";
    if (Integer(e_.lhs)) return Promotable(e_.lhs, e_.rhs);
    const OperandRule rule = Info(e_.Binary()).operands;
    const bool additive = rule == OperandRule::Sum || rule == OperandRule::Difference;
    return additive && ObjectPointer(e_.lhs) ? "" : "operands do not fit the operator";
  }

  std::string_view Cast() {
    const Type& type = types_[e_.type];
    if (type.quals != 0) return "cast to a qualified type";
    if (type.kind == TypeKind::Void) return "";
    if (IsVector(type.kind)) {
      const TypeId from = VectorOf(e_.lhs);
      return from && VectorBytes(program_, from) == VectorBytes(program_, e_.type)
                 ? ""
                 : "a cast to a vector of what is no vector of the size";
    }
    if (!IsScalar(type.kind)) return "cast to a type that is not scalar";
    if (!Scalar(e_.lhs)) return "operand is not a scalar";
    if (IsWide(type.kind) && !Arithmetic(e_.lhs)) return "a pointer as a wide integer";
    if (type.kind == TypeKind::Pointer && Wide(e_.lhs)) return "a wide integer as a pointer";
    const bool pointer = type.kind == TypeKind::Pointer || Kind(e_.lhs) == TypeKind::Pointer;
    if (pointer && (IsFloat(type.kind) || IsFloat(Kind(e_.lhs)))) return "a pointer as a floating number";  // 6.5.4p4
    if (type.kind != TypeKind::Pointer || !PointerTo(e_.lhs) || IsNullConstant(program_, e_.lhs)) return "";
    const auto function = [&](TypeId id) { return types_.Kind(id) == TypeKind::Function; };  // 6.3.2.3p7, p8
    return function(type.element) == function(PointerTo(e_.lhs)) ? "" : "a function's address as an object's";
  }

  std::string_view AddressOf() {
    if (types_.Kind(program_[e_.lhs].type) == TypeKind::Function) return "";
    if (!IsLvalue(program_, e_.lhs)) return "operand is not an lvalue";
    if (BitWidthOf(program_, e_.lhs) >= 0) return "address of a bit-field";
    const Expr& lane = program_[e_.lhs];
    if (lane.kind == ExprKind::Index && Vector(lane.lhs)) return "address of a lane";  // clang has none
    const VarId base = BaseVariable(program_, e_.lhs);
    return !base || program_[base].storage != Storage::Register ? "" : "address of a register variable";
  }

  std::string_view Member() {
    const Type& type = types_[program_[e_.lhs].type];
    if (!IsRecord(type.kind)) return "operand is not a struct or union";
    const Record& record = types_.GetRecord(type.record);
    if (e_.MemberIndex() >= record.members.size()) return "no such member";
    const lang::Member& member = record.members[e_.MemberIndex()];
    if (!member.named) return "an unnamed member has no value";
    // The array would be one of an object that lives as long as the expression (6.2.4p8). Calls have one; for the
    // others the machine makes none.
    const bool temporary = !IsLvalue(program_, e_.lhs) && program_[e_.lhs].kind != ExprKind::Call;
    return temporary && IsArray(types_.Kind(member.type)) ? "an array of a record that has no place" : "";
  }

  std::string_view Call() {
    const TypeId function = PointerTo(e_.lhs);
    if (!function || types_.Kind(function) != TypeKind::Function) return "callee is not a function";
    const Signature signature = types_.GetSignature(types_[function].signature);
    const size_t count = signature.params.size();
    if (e_.args.count < count || (e_.args.count > count && !signature.variadic)) return "wrong number of arguments";
    for (uint32_t i = 0; i < e_.args.count; ++i) {
      const ExprId arg = program_.Arg(e_, i);
      if (i < count && !IsAssignable(program_, signature.params[i], arg)) return "argument does not fit its parameter";
      if (i < count) continue;
      if (HasVector(program_, Value(arg))) return "a vector as a variable argument";
      if (!Scalar(arg) && !IsRecord(Kind(arg))) return "argument has no value";
      if (const std::string_view problem = Promotable(arg); !problem.empty()) return problem;
    }
    return "";
  }

  std::string_view BuiltinCall() {
    if (e_.op >= static_cast<uint8_t>(Builtin::kCount)) return "no such builtin";
    const Builtin builtin = e_.GetBuiltin();
    if (!TakesArguments(builtin, e_.args.count)) return "wrong number of arguments";
    const ExprId first = e_.args.count > 0 ? program_.Arg(e_, 0) : ExprId();
    const bool needs_type = IsSized(builtin) || Info(builtin).result == BuiltinResult::PointerToType;
    if (needs_type && (e_.ref >= types_.Size() || !IsObjectType(program_, e_.RefType()))) {
      return "size of an incomplete type";
    }
    if (const std::string_view problem = ArgumentsProblem(Info(builtin).operands, first); !problem.empty()) {
      return problem;
    }
    return ResultProblem(Info(builtin).result);
  }

  std::string_view ArgumentsProblem(BuiltinOperands rule, ExprId first) {
    constexpr std::string_view kMisfit = "operands do not fit";
    const auto second = [&] { return program_.Arg(e_, 1); };
    switch (rule) {
      case BuiltinOperands::Count: return Integer(first) ? "" : "count is not an integer";
      case BuiltinOperands::Freed: {
        const TypeId freed = PointerTo(first);
        return freed && types_.Kind(freed) != TypeKind::Function && types_[freed].quals == 0 ? "" : kMisfit;
      }
      case BuiltinOperands::Filled: return PlainPointer(first, kConst | kVolatile) && Integer(second()) ? "" : kMisfit;
      case BuiltinOperands::Copied:
        return PointsAt(first, kConst | kVolatile) && PointsAt(second(), kVolatile) ? "" : kMisfit;
      case BuiltinOperands::Compared: return PointsAt(first, kVolatile) && PointsAt(second(), kVolatile) ? "" : kMisfit;
      case BuiltinOperands::ArgumentList: return IsVaList(first) ? "" : "operand is not a va_list";
      case BuiltinOperands::Checked:
      case BuiltinOperands::CheckedType: return CheckedProblem(rule, first);
      case BuiltinOperands::Expected: {
        if (!Integer(first) || program_[second()].kind != ExprKind::Constant) return kMisfit;
        if (e_.args.count == 2) return Promotable(first);
        const Expr& percent = program_[program_.Arg(e_, 2)];
        return percent.kind == ExprKind::Constant && percent.value <= 100 ? Promotable(first) : kMisfit;
      }
      case BuiltinOperands::Aligned: {
        const Expr& alignment = program_[second()];
        if (!PointsAtType(first) || alignment.kind != ExprKind::Constant) return kMisfit;
        const uint64_t value = alignment.value;  // the verifier compares it with the type's
        return value != 0 && (value & (value - 1)) == 0 ? "" : "an alignment that is not a power of two";
      }
      case BuiltinOperands::Choice:
      case BuiltinOperands::ChoiceOfSize: {
        if (rule == BuiltinOperands::Choice ? !Scalar(first) : !ObjectPointer(first)) return kMisfit;
        const ExprId third = program_.Arg(e_, 2);
        for (ExprId argument : {first, second(), third}) {
          if (!HasNoEffects(program_, argument)) return "a side effect where the compiler chooses";
        }
        if (!Integer(second()) || !Integer(third)) return kMisfit;
        const std::string_view problem = Promotable(second(), third);
        if (!problem.empty()) return problem;
        return PromotedKind(program_, second()) == PromotedKind(program_, third) ? ""
                                                                                 : "the branches have different types";
      }
      case BuiltinOperands::Atomic: {
        if (!PlainPointer(first, kConst | kVolatile)) return kMisfit;
        const TypeKind kind = types_.Kind(PointerTo(first));
        if (!IsInteger(kind) || kind == TypeKind::Bool || kind == TypeKind::Enum) return kMisfit;
        if (e_.args.count > 1 && !Integer(second())) return kMisfit;
        if (e_.args.count > 2 && !Integer(program_.Arg(e_, 2))) return kMisfit;
        return "";
      }
      case BuiltinOperands::String: return String(first) && (e_.args.count == 1 || String(second())) ? "" : kMisfit;
      case BuiltinOperands::StringCount:
        return String(first) && String(second()) && Integer(program_.Arg(e_, 2)) ? "" : kMisfit;
      case BuiltinOperands::Character:
        if (!String(first) || !Integer(second())) return kMisfit;
        return e_.args.count == 2 || Integer(program_.Arg(e_, 2)) ? "" : kMisfit;
      case BuiltinOperands::Overwritten:
        return String(first) && PlainPointer(first, kConst) && String(second()) ? "" : kMisfit;
      case BuiltinOperands::Floating:
      case BuiltinOperands::Scaled: {
        if (e_.ref >= types_.Size() || !IsFloat(types_.Kind(e_.RefType()))) return "the type is not a floating one";
        const uint32_t numbers = rule == BuiltinOperands::Scaled ? 1 : e_.args.count;
        for (uint32_t i = 0; i < e_.args.count; ++i) {
          const ExprId argument = program_.Arg(e_, i);
          if (!Arithmetic(argument) || (i >= numbers && !Integer(argument))) return kMisfit;
          if (i < numbers && !IsAssignable(program_, e_.RefType(), argument)) return kWantsCast;
        }
        return "";
      }
      case BuiltinOperands::Classified:
        for (uint32_t i = 0; i < e_.args.count; ++i) {
          if (!IsFloat(Kind(program_.Arg(e_, i)))) return kMisfit;
        }
        return "";
      case BuiltinOperands::None: return "";
      case BuiltinOperands::Vector:
      case BuiltinOperands::Shuffled:
      case BuiltinOperands::ShuffledByConstants: return LanesProblem(rule, first);
    }
    return kMisfit;
  }

  // T is the type of the result.
  std::string_view LanesProblem(BuiltinOperands rule, ExprId first) {
    constexpr std::string_view kMisfit = "operands do not fit";
    const TypeId from = VectorOf(first);
    if (!from || e_.ref >= types_.Size() || !IsVector(types_.Kind(e_.RefType()))) return kMisfit;
    const Type source = types_[from], result = types_[e_.RefType()];
    if (rule == BuiltinOperands::Vector) return source.length == result.length ? "" : kMisfit;
    if (result.element != source.element || VectorOf(program_.Arg(e_, 1)) != from) return kMisfit;
    if (rule == BuiltinOperands::Shuffled) {
      return result.length == source.length && VectorOf(program_.Arg(e_, 2)) == ComparisonType(program_, from)
                 ? ""
                 : kMisfit;
    }
    if (e_.args.count != 2 + result.length) return "as many constants as lanes";
    for (uint32_t i = 2; i < e_.args.count; ++i) {
      const Expr& index = program_[program_.Arg(e_, i)];
      if (index.kind != ExprKind::Constant || !IsInteger(types_.Kind(index.type)) || index.value >= 2 * source.length) {
        return "not the number of a lane";
      }
    }
    return "";
  }

  bool String(ExprId id) {
    return PlainPointer(id, kVolatile) && types_.Unqualified(PointerTo(id)) == types_.Basic(TypeKind::Char);
  }

  std::string_view CheckedProblem(BuiltinOperands rule, ExprId first) {
    const ExprId second = program_.Arg(e_, 1), third = program_.Arg(e_, 2);
    if (!Integer(first) || !Integer(second)) return "operands do not fit";
    if (const std::string_view problem = Promotable(first, second); !problem.empty()) return problem;
    const bool type_only = rule == BuiltinOperands::CheckedType;
    if (type_only && !IsIntegerConstant(program_, third)) return "the type is not that of a constant";
    if (!type_only && !PlainPointer(third, kConst | kVolatile)) return "operands do not fit";
    const TypeKind kind = type_only ? types_.Kind(program_[third].type) : types_.Kind(PointerTo(third));
    const bool fits = IsInteger(kind) && kind != TypeKind::Bool && kind != TypeKind::Enum;
    return fits ? "" : "the result would be of a type that is not an integer, or _Bool or an enum";
  }

  std::string_view ResultProblem(BuiltinResult rule) {
    switch (rule) {
      case BuiltinResult::PointerToType:
        return e_.type == types_.Pointer(e_.RefType()) ? "" : "the result is not a pointer to the type";
      case BuiltinResult::Nothing: return ResultIs(TypeKind::Void) ? "" : "the result is not void";
      case BuiltinResult::Int: return ResultIs(TypeKind::Int) ? "" : "the result is not int";
      case BuiltinResult::Argument: return ArgumentTypeProblem();
      case BuiltinResult::Bool: return ResultIs(TypeKind::Bool) ? "" : "the result is not _Bool";
      case BuiltinResult::Long: return ResultIs(TypeKind::Long) ? "" : "the result is not long";
      case BuiltinResult::Pointee:
        return e_.type == types_.Unqualified(PointerTo(program_.Arg(e_, 0)))
                   ? ""
                   : "the result is not of the type of the object";
      case BuiltinResult::Size:
        return ResultIs(program_.Model().Properties().size_type) ? "" : "the result is not a size";
      case BuiltinResult::Floating:
        return e_.type == types_.Unqualified(e_.RefType()) ? "" : "the result is not of the type";
      case BuiltinResult::CharPointer:
        return e_.type == types_.Pointer(types_.Basic(TypeKind::Char)) ? "" : "the result is not a pointer to char";
      case BuiltinResult::Vector:
        return e_.type == e_.RefType() && types_[e_.type].quals == 0 ? "" : "the result is not of the type";
      case BuiltinResult::Choice:
        return ResultIs(PromotedKind(program_, program_.Arg(e_, 1))) ? ""
                                                                     : "the result is not of the type of the values";
    }
    CHECK(false);
    return "";
  }

  // A type that an argument can have after the promotions.
  std::string_view ArgumentTypeProblem() {
    if (e_.ref >= types_.Size() || e_.type != e_.RefType() || types_[e_.type].quals != 0) {
      return "the result is not of the type";
    }
    const TypeKind kind = types_.Kind(e_.type);
    if (IsFloat(kind)) return kind == TypeKind::Float ? "no argument has a type that promotes" : "";
    if (IsInteger(kind)) {
      const TypeKind promoted = Promote(kind, program_.Model());
      return promoted == StandardKind(kind, program_.Model()) ? "" : "no argument has a type that promotes";
    }
    const bool passes = kind == TypeKind::Pointer || IsRecord(kind) || IsWide(kind);
    return passes && !HasVector(program_, e_.type) ? "" : "no argument has the type";
  }

  bool ResultIs(TypeKind kind) { return e_.type == types_.Basic(kind); }
  bool IsVaList(ExprId id) { return IsLvalue(program_, id) && program_[id].type == types_.Basic(TypeKind::VaList); }
  // A pointer to an object of which no part has one of the qualifiers: the library does not respect them (6.7.3p6).
  bool PlainPointer(ExprId id, uint8_t forbidden) {
    const TypeId pointee = PointerTo(id);
    return pointee && types_.Kind(pointee) != TypeKind::Function && !HasQualifier(program_, pointee, forbidden);
  }
  bool PointsAtType(ExprId id) {
    return ObjectPointer(id) && PointerTo(id) == e_.RefType() && types_.Kind(Value(id)) == TypeKind::Pointer;
  }
  bool PointsAt(ExprId id, uint8_t forbidden) {
    return PlainPointer(id, forbidden) && types_.Unqualified(PointerTo(id)) == types_.Unqualified(e_.RefType());
  }

  std::string_view Guard() {
    if (!program_.vars.Contains(e_.Var()) || program_[e_.Var()].type != types_.Basic(TypeKind::UInt)) {
      return "the counter is not an unsigned variable";
    }
    if (e_.type != OperandType(program_, e_.lhs)) return "the type is not that of the guarded value";
    if (e_.detail > 1) return "no such form";
    if (e_.detail == 1) {
      const Expr& temporary = program_[e_.third];
      if (temporary.kind != ExprKind::Variable || temporary.type != e_.type) return "the temporary does not fit";
    }
    if (Arithmetic(e_.lhs) && Arithmetic(e_.rhs)) {  // the conditional must not have another type than the value
      const ExprId guarded = e_.detail == 1 ? e_.third : e_.lhs;
      if (const std::string_view problem = Promotable(guarded, e_.rhs); !problem.empty()) return problem;
      const TypeKind left = PromotedKind(program_, guarded);
      const TypeKind right = PromotedKind(program_, e_.rhs);
      if (CommonArithmetic(left, right, program_.Model()) != left) return "the branches have different types";
      return ConvertsExactly(right, left, program_.Model()) ? "" : kWantsCast;
    }
    return SameBranch(e_.type, e_.rhs) ? "" : "the branches have different types";
  }

  Program& program_;
  TypeTable& types_;
  const Expr e_;
};

}  // namespace

bool IsObjectType(const Program& program, TypeId id) {
  const TypeKind kind = program.types.Kind(id);
  switch (ClassOf(kind)) {
    case TypeClass::Void:
    case TypeClass::Function:
    case TypeClass::kCount: return false;
    case TypeClass::Array: return kind != TypeKind::Vla;
    case TypeClass::Integer:
    case TypeClass::Float:
    case TypeClass::Complex:
    case TypeClass::Vector:
    case TypeClass::Wide:
    case TypeClass::Pointer:
    case TypeClass::Record:
    case TypeClass::VaList: return true;
  }
  return false;
}

bool IsModifiable(const Program& program, TypeId id) {
  return IsObjectType(program, id) && !IsArray(program.types.Kind(id)) && program.types.Kind(id) != TypeKind::VaList &&
         !HasQualifier(program, id, kConst);
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

bool IsVectorType(const Program& program, TypeKind lane, uint32_t lanes) {
  if ((!IsInteger(lane) && !IsFloat(lane)) || lane == TypeKind::Bool || lane == TypeKind::Enum) return false;
  if (lanes == 0 || (lanes & (lanes - 1)) != 0 || lanes > kMostVectorBytes) return false;
  const ModelProperties& model = program.Model().Properties();
  if (model.int_bytes != 4 || (IsFloat(lane) && program.floats == FloatMode::Robust)) return false;
  const uint32_t bytes = lanes * LaneBytes(program, lane);
  return bytes >= (model.pointer_bytes == 8 ? 8 : 16) && bytes <= kMostVectorBytes;
}

uint32_t LaneBytes(const Program& program, TypeKind lane) {
  return IsFloat(lane) ? FormatOf(lane).bytes : IntegerInfoOf(lane, program.Model()).bits / 8;
}

uint32_t VectorBytes(const Program& program, TypeId vector) {
  const Type& type = program.types[vector];
  return type.length * LaneBytes(program, program.types.Kind(type.element));
}

bool HasVector(const Program& program, TypeId id) {
  const Type& type = program.types[id];
  if (IsVector(type.kind)) return true;
  if (IsArray(type.kind)) return HasVector(program, type.element);
  if (!IsRecord(type.kind)) return false;
  const std::vector<Member>& members = program.types.GetRecord(type.record).members;
  return std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return HasVector(program, member.type); });
}

bool HasWide(const Program& program, TypeId id) {
  const Type& type = program.types[id];
  if (IsArray(type.kind)) return HasWide(program, type.element);
  if (!IsRecord(type.kind)) return IsWide(type.kind);
  const std::vector<Member>& members = program.types.GetRecord(type.record).members;
  return std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return HasWide(program, member.type); });
}

bool IsVlaLength(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (!IsInteger(program.types.Kind(e.type))) return false;
  return !IsIntegerConstant(program, id) || RangeOf(program, id).low > 0;
}

bool IsConstantExpression(const Program& program, ExprId id) {
  return IsIntegerConstant(program, id) || IsFloatConstant(program, id) || IsAddressConstant(program, id);
}

bool HasNoEffects(const Program& program, ExprId id) {
  return Walk(program, id, [&](const Expr& e) {
    if (HasQualifier(program, e.type, kVolatile)) return Visited::Stop;
    switch (e.kind) {
      case ExprKind::Assign:
      case ExprKind::CompoundAssign:
      case ExprKind::IncDec:
      case ExprKind::Call:
      case ExprKind::Guard:
      case ExprKind::CompoundLiteral: return Visited::Stop;
      case ExprKind::Builtin: return Info(e.GetBuiltin()).pure ? Visited::Descend : Visited::Stop;
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
      case ExprKind::Comma:
      case ExprKind::Cast:
      case ExprKind::AddressOf:
      case ExprKind::Deref:
      case ExprKind::Index:
      case ExprKind::Member:
      case ExprKind::SizeofType:
      case ExprKind::SizeofExpr:
      case ExprKind::kCount: break;
    }
    return Visited::Descend;
  });
}

VarId BaseVariable(const Program& program, ExprId id) {
  while (true) {
    const Expr& e = program[id];
    if (e.kind == ExprKind::Variable || e.kind == ExprKind::CompoundLiteral) return e.Var();
    const TypeKind base = e.kind == ExprKind::Index ? program.types.Kind(program[e.lhs].type) : TypeKind::Void;
    const bool inside = e.kind == ExprKind::Member || IsArray(base) || IsVector(base);
    if (!inside) return {};
    id = e.lhs;
  }
}

bool IsAssignable(Program& program, TypeId to, ExprId from) {
  TypeTable& types = program.types;
  const TypeId target = types.Unqualified(to), value = ValueType(program, from);
  const Type t = types[target], v = types[value];
  if (IsAnyInteger(t.kind) && IsAnyInteger(v.kind)) return true;
  if (IsArithmetic(t.kind) && IsArithmetic(v.kind)) return ConvertsExactly(v.kind, t.kind, program.Model());
  if (t.kind == TypeKind::Bool && v.kind == TypeKind::Pointer) return true;
  if (IsRecord(t.kind) || IsVector(t.kind)) return target == value;
  if (t.kind != TypeKind::Pointer || v.kind != TypeKind::Pointer) return false;
  if (t.element == v.element) return true;
  if (types.Kind(t.element) == TypeKind::Function || types.Kind(v.element) == TypeKind::Function) return false;
  if (!SamePointee(types, t.element, v.element)) return IsNullConstant(program, from);
  const auto quals = [&](TypeId id) {
    while (IsArray(types.Kind(id))) id = types[id].element;
    return types[id].quals;
  };
  return (quals(v.element) & ~quals(t.element)) == 0;
}

std::string_view OperandProblem(Program& program, const Expr& e) { return Checker(program, e).Run(); }

}  // namespace assay::lang
