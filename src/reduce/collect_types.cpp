// Where to edit types, qualifiers and attributes.
#include <algorithm>

#include "lang/attributes.hpp"
#include "lang/typing.hpp"
#include "reduce/collect.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce::collect {

using namespace lang;  // NOLINT: the model's names

namespace {

template <typename Visit>
void ForEachVariable(const Program& program, Visit&& visit) {
  for (VarId var : program.globals) visit(var);
  for (FunctionId function : program.function_order) {
    for (VarId var : program[function].params) visit(var);
    for (VarId var : program[function].temporaries) visit(var);
  }
  ForEachStmt(program, [&](StmtId id, BlockId, uint32_t) {
    if (program[id].var) visit(program[id].var);
  });
}

}  // namespace

Edits Aggregates(const Survey& survey) {
  Edits edits;
  ForEachVariable(survey.subject.program, [&](VarId var) {
    const Edit edit = Make(EditKind::SplitAggregate, var);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  });
  return edits;
}

Edits Arrays(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachVariable(program, [&](VarId var) {
    const Type& type = program.types[program[var].type];
    if (type.kind != TypeKind::Array) return;
    for (uint32_t length : {1u, type.length / 2, type.length - 1}) {
      if (length >= 1 && length < type.length) edits.push_back(Make(EditKind::ShrinkArray, var, length));
    }
  });
  return edits;
}

Edits VectorSizes(const Survey& survey) {
  Edits edits;
  for (uint32_t bytes : {8u, 16u, 32u}) {
    const Edit edit{EditKind::HalveVectors, 0, bytes, 0};
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  }
  return edits;
}

Edits Members(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  for (uint32_t r = 0; r < program.types.RecordCount(); ++r) {
    const Record& record = program.types.GetRecord(RecordId(r));
    for (auto m = static_cast<uint32_t>(record.members.size()); m-- > 0;) {
      edits.push_back({EditKind::DropMember, r, m, 0});
      edits.push_back({EditKind::PlainMember, r, m, 0});
    }
    edits.push_back({EditKind::DissolveRecord, r, 0, 0});
    edits.push_back({EditKind::UnpackRecord, r, 0, 0});
  }
  return edits;
}

Edits Kinds(const Survey&) {
  Edits edits;
  for (const TypeKindInfo& row : kTypeKinds) {
    if (!IsArithmetic(row.kind) || row.kind == TypeKind::Int) continue;
    edits.push_back({EditKind::KindToInt, static_cast<uint32_t>(row.kind), 0, 0});
  }
  return edits;
}

Edits Qualifiers(const Survey& survey) {
  Edits edits;
  for (uint32_t qualifier : {kRestrict, kVolatile, kConst}) {
    edits.push_back({EditKind::DropQualifier, qualifier, kEverywhere, 0});
  }
  for (uint32_t qualifier : {kRestrict, kVolatile, kConst}) {
    ForEachVariable(survey.subject.program, [&](VarId var) {
      edits.push_back({EditKind::DropQualifier, qualifier, var.index, 0});
    });
  }
  return edits;
}

Edits Variables(const Survey& survey) {
  Edits edits;
  ForEachVariable(survey.subject.program, [&](VarId var) { edits.push_back(Make(EditKind::VariableToInt, var)); });
  return edits;
}

Edits Attributes(const Survey& survey) {
  Edits edits;
  for (FunctionId id : survey.subject.program.function_order) {
    edits.push_back(Make(EditKind::DropAttributes, id, ~uint32_t{0}));
    for (const FunctionAttrInfo& row : kFunctionAttrs) edits.push_back(Make(EditKind::DropAttributes, id, row.attr));
  }
  ForEachVariable(survey.subject.program, [&](VarId var) { edits.push_back(Make(EditKind::PlainStorage, var)); });
  return edits;
}

}  // namespace assay::reduce::collect
