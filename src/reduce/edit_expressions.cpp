// Expressions to an operand, to a constant, to a simpler form of the same kind.
#include <algorithm>

#include "lang/builder.hpp"
#include "lang/constraints.hpp"
#include "reduce/families.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

const Expr* Get(const Case& subject, uint32_t node) {
  return subject.program.exprs.Contains(ExprId(node)) ? &subject.program[ExprId(node)] : nullptr;
}

ExprId Operand(const Program& program, const Expr& e, uint32_t operand) {
  const ExprKindInfo& info = Info(e.kind);
  if (operand < 3) {
    if (operand >= info.children) return {};
    return operand == 0 ? e.lhs : operand == 1 ? e.rhs : e.third;
  }
  return info.has_args && operand - 3 < e.args.count ? program.Arg(e, operand - 3) : ExprId();
}

// Rough: what can stand for what. Mend decides.
enum class Shape { Number, Pointer, Vector, Other };
Shape ShapeOf(const Program& program, ExprId id) {
  const TypeKind kind = program.types.Kind(program[id].type);
  if (IsArithmetic(kind)) return Shape::Number;
  if (IsVector(kind)) return Shape::Vector;
  const bool pointer = kind == TypeKind::Pointer || IsArray(kind) || kind == TypeKind::Function;
  return pointer ? Shape::Pointer : Shape::Other;
}

}  // namespace

bool AppliesToOperand(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Expr* e = Get(subject, edit.node);
  if (e == nullptr) return false;
  const ExprId operand = Operand(program, *e, edit.other);
  if (!operand || program[operand].kind == ExprKind::Function) return false;
  if (edit.value == 1) return true;  // the value is not used
  return ShapeOf(program, operand) == ShapeOf(program, ExprId(edit.node));
}
void ApplyToOperand(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const ExprId id(edit.node), operand = Operand(program, program[id], edit.other);
  const TypeId wanted = program.types.Unqualified(program[id].type);
  const TypeId given = program.types.Unqualified(program[operand].type);
  if (edit.value != 1 && IsVector(program.types.Kind(wanted)) && wanted != given) {
    program.exprs[id] = Expr(program[Builder(program).Cast(wanted, operand)]);
    return;
  }
  program.exprs[id] = Expr(program[operand]);
}

// The bits that the edit asks for: as they are, or of a small number.
static uint64_t FloatBitsOf(TypeKind kind, const Edit& edit) {
  return edit.other == 1 ? FloatBits(kind, static_cast<double>(static_cast<int64_t>(edit.value))) : edit.value;
}

bool AppliesToConstant(const Case& subject, const Edit& edit) {
  const Expr* e = Get(subject, edit.node);
  if (e == nullptr) return false;
  const TypeKind kind = subject.program.types.Kind(e->type);
  if (kind == TypeKind::Pointer) {
    return edit.value == 0 && !(e->kind == ExprKind::Cast && subject.program[e->lhs].kind == ExprKind::Constant);
  }
  if (IsFloat(kind)) {
    const uint64_t bits = FloatBitsOf(kind, edit);
    return IsFinite(kind, bits) && (e->kind != ExprKind::Constant || e->value != bits);
  }
  if (IsWide(kind)) return edit.lanes.size() == 2 && !IsConstantExpression(subject.program, ExprId(edit.node));
  const bool other_type = edit.other == 1 && kind != TypeKind::Int;
  return IsInteger(kind) && (e->kind != ExprKind::Constant || e->value != edit.value || other_type);
}
void ApplyToConstant(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const ExprId id(edit.node);
  const TypeId type = program.types.Unqualified(program[id].type);
  if (program.types.Kind(type) == TypeKind::Pointer) {
    program.exprs[id] = Expr(program[builder.NullPointer(type)]);
    return;
  }
  if (const TypeKind kind = program.types.Kind(type); IsFloat(kind)) {
    program.exprs[id] = Expr(program[builder.Constant(kind, FloatBitsOf(kind, edit))]);
    return;
  }
  if (const TypeKind kind = program.types.Kind(type); IsWide(kind)) {
    program.exprs[id] = Expr(program[builder.Wide(kind, edit.lanes[0], edit.lanes[1])]);
    return;
  }
  // An int where it can hold the value; else the promoted type of what stood there.
  const TypeKind promoted = PromotedKind(program, id);
  const auto value = static_cast<int64_t>(edit.value);
  const bool plain = value >= -0x7fff && value <= 0x7fff && edit.other == 1;
  const bool is_signed = IntegerInfoOf(promoted, program.Model()).is_signed;
  const TypeKind kind = plain && (is_signed || value >= 0) ? TypeKind::Int : promoted;
  program.exprs[id] = Expr(program[builder.Constant(kind, edit.value)]);
}

bool AppliesToLanes(const Case& subject, const Edit& edit) {
  const Program& program = subject.program;
  const Expr* e = Get(subject, edit.node);
  if (e == nullptr || !program.functions.Contains(FunctionId(edit.other))) return false;
  const Type& type = program.types[e->type];
  if (!IsVector(type.kind) || type.length != edit.lanes.size()) return false;
  const TypeKind kind = program.types.Kind(type.element);
  return !IsFloat(kind) ||
         std::all_of(edit.lanes.begin(), edit.lanes.end(), [&](uint64_t lane) { return IsFinite(kind, lane); });
}
void ApplyToLanes(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  Builder builder(program);
  const TypeId type = program.types.Unqualified(program[ExprId(edit.node)].type);
  const TypeKind kind = program.types.Kind(program.types[type].element);
  std::vector<InitItem> items;
  for (uint32_t i = 0; i < edit.lanes.size(); ++i) {
    // An int where it can hold the value.
    const auto value = static_cast<int64_t>(edit.lanes[i]);
    const ExprId lane = IsFloat(kind) ? builder.Constant(kind, edit.lanes[i])
                        : value >= 0 || IntegerInfoOf(kind, program.Model()).is_signed
                            ? builder.Int(value)
                            : builder.Constant(TypeKind::ULLong, edit.lanes[i]);
    items.push_back({i, builder.InitExpr(lane)});
  }
  const VarId literal =
      builder.Local(FunctionId(edit.other), type, Storage::Literal, builder.InitList(std::move(items)));
  program.exprs[ExprId(edit.node)] = Expr(program[builder.CompoundLiteral(literal)]);
}

bool AppliesPlainAssign(const Case& subject, const Edit& edit) {
  const Expr* e = Get(subject, edit.node);
  return e != nullptr && e->kind == ExprKind::CompoundAssign;
}
void ApplyPlainAssign(Case& subject, const Edit& edit) {
  Expr& e = subject.program.exprs[ExprId(edit.node)];
  e.kind = ExprKind::Assign;
  e.op = 0;
}

bool AppliesPlainConstant(const Case& subject, const Edit& edit) {
  const Expr* e = Get(subject, edit.node);
  return e != nullptr && e->kind == ExprKind::Constant && e->detail != static_cast<uint8_t>(ConstantSpelling::Decimal);
}
void ApplyPlainConstant(Case& subject, const Edit& edit) {
  subject.program.exprs[ExprId(edit.node)].detail = static_cast<uint8_t>(ConstantSpelling::Decimal);
}

}  // namespace assay::reduce
