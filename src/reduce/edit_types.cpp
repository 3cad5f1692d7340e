// Types to int, qualifiers and attributes away.
#include <algorithm>
#include <cmath>

#include "lang/typing.hpp"
#include "reduce/families.hpp"
#include "reduce/type_map.hpp"

namespace assay::reduce {

using namespace lang;  // NOLINT: the model's names

namespace {

void MakeInt(Type& type) {
  type.kind = TypeKind::Int;
  type.enumeration = {};
}

// A parameter's type is also in its function's type.
void SyncSignature(Program& program, VarId param) {
  const Variable& var = program[param];
  if (var.storage != Storage::Param) return;
  Function& function = program.functions[var.function];
  const Type type = program.types[function.type];
  Signature signature = program.types.GetSignature(type.signature);
  for (size_t i = 0; i < function.params.size(); ++i) {
    signature.params[i] = program[function.params[i]].type;
  }
  function.type = program.types.Function(type.element, signature.params, signature.variadic);
}

// The check looks at a number: a step into half of a wide integer ends with it.
void FitCheck(Case& subject) {
  if (!subject.check) return;
  const TypeTable& types = subject.program.types;
  TypeId type = subject.program[subject.check->var].type;
  std::vector<uint32_t>& path = subject.check->path;
  for (size_t i = 0; i < path.size(); ++i) {
    const Type& t = types[type];
    if (IsWide(t.kind)) return;
    if (IsScalar(t.kind)) return path.resize(i);
    type = IsRecord(t.kind) ? types.GetRecord(t.record).members[path[i]].type : t.element;
  }
}

bool HasQualifier(const Program& program, TypeId id, uint8_t qualifier) {
  const Type& type = program.types[id];
  return (type.quals & qualifier) != 0 || (type.element && HasQualifier(program, type.element, qualifier));
}

TypeId Innermost(const Program& program, TypeId id) {
  while (program.types.Kind(id) == TypeKind::Array) id = program.types[id].element;
  return id;
}

}  // namespace

bool AppliesKindToInt(const Case&, const Edit& edit) {
  const auto kind = static_cast<TypeKind>(edit.node);
  return IsArithmetic(kind) && kind != TypeKind::Int;
}
void ApplyKindToInt(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  const auto kind = static_cast<TypeKind>(edit.node);
  TypeMap(program, [&](Type& type) {
    if (type.kind == kind) MakeInt(type);
  }).MapProgram();
  for (Expr& e : program.exprs) {
    if (IsFloat(kind) && e.kind == ExprKind::Constant && program.types.Kind(e.type) == kind) {
      const double number = std::trunc(FloatValue(kind, e.value));  // as a conversion does it
      if (std::fabs(number) > 0x7fffffff) continue;
      e.value = static_cast<uint64_t>(static_cast<int64_t>(number));
      e.type = program.types.Basic(TypeKind::Int);
      continue;
    }
    const auto value = static_cast<int64_t>(e.value);
    const bool fits = value >= -0x7fffffff && value <= 0x7fffffff;
    if (e.kind == ExprKind::Constant && program.types.Kind(e.type) == kind && fits) {
      e.type = program.types.Basic(TypeKind::Int);
    }
  }
  FitCheck(subject);
}

bool AppliesVariableToInt(const Case& subject, const Edit& edit) {
  if (!subject.program.vars.Contains(VarId(edit.node))) return false;
  const TypeKind kind = subject.program.types.Kind(Innermost(subject.program, subject.program[VarId(edit.node)].type));
  return IsArithmetic(kind) && kind != TypeKind::Int;
}
void ApplyVariableToInt(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  TypeMap map(program, [](Type& type) {
    if (IsArithmetic(type.kind)) MakeInt(type);
  });
  program.vars[VarId(edit.node)].type = map.Map(program[VarId(edit.node)].type);
  SyncSignature(program, VarId(edit.node));
  FitCheck(subject);
}

bool AppliesDropQualifier(const Case& subject, const Edit& edit) {
  if (edit.other == kEverywhere) return true;
  return subject.program.vars.Contains(VarId(edit.other)) &&
         HasQualifier(subject.program, subject.program[VarId(edit.other)].type, static_cast<uint8_t>(edit.node));
}
void ApplyDropQualifier(Case& subject, const Edit& edit) {
  Program& program = subject.program;
  TypeMap map(program, [&](Type& type) { type.quals &= static_cast<uint8_t>(~edit.node); });
  if (edit.other == kEverywhere) return map.MapProgram();
  program.vars[VarId(edit.other)].type = map.Map(program[VarId(edit.other)].type);
  SyncSignature(program, VarId(edit.other));
}

bool AppliesPlainMember(const Case& subject, const Edit& edit) {
  if (edit.node >= subject.program.types.RecordCount()) return false;
  const Record& record = subject.program.types.GetRecord(RecordId(edit.node));
  return edit.other < record.members.size() && record.members[edit.other].IsBitField() &&
         record.members[edit.other].named;
}
void ApplyPlainMember(Case& subject, const Edit& edit) {
  subject.program.types.GetRecord(RecordId(edit.node)).members[edit.other].bit_width = -1;
}

bool AppliesUnpackRecord(const Case& subject, const Edit& edit) {
  return edit.node < subject.program.types.RecordCount() && subject.program.types.GetRecord(RecordId(edit.node)).packed;
}
void ApplyUnpackRecord(Case& subject, const Edit& edit) {
  subject.program.types.GetRecord(RecordId(edit.node)).packed = false;
}

bool AppliesDropAttributes(const Case& subject, const Edit& edit) {
  return subject.program.functions.Contains(FunctionId(edit.node)) &&
         (subject.program[FunctionId(edit.node)].attrs & edit.other) != 0;
}
void ApplyDropAttributes(Case& subject, const Edit& edit) {
  subject.program.functions[FunctionId(edit.node)].attrs &= ~edit.other;
}

bool AppliesPlainStorage(const Case& subject, const Edit& edit) {
  if (!subject.program.vars.Contains(VarId(edit.node))) return false;
  const Variable& var = subject.program[VarId(edit.node)];
  return var.internal_linkage || var.align != 0 || var.attrs != 0 || var.storage == Storage::Register;
}
void ApplyPlainStorage(Case& subject, const Edit& edit) {
  Variable& var = subject.program.vars[VarId(edit.node)];
  var.internal_linkage = false;
  var.align = 0;
  var.attrs = 0;
  if (var.storage == Storage::Register) var.storage = Storage::Auto;
}

}  // namespace assay::reduce
