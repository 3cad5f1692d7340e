// Where to edit expressions.
#include <algorithm>
#include <cmath>

#include "lang/typing.hpp"
#include "reduce/collect.hpp"
#include "reduce/walk.hpp"

namespace assay::reduce::collect {

using namespace lang;  // NOLINT: the model's names

namespace {

bool IsConstantForm(const Program& program, ExprId id) {
  const Expr& e = program[id];
  if (e.kind == ExprKind::Cast) return IsConstantForm(program, e.lhs);
  return e.kind == ExprKind::Constant;
}

}  // namespace

Edits Constants(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.lvalue || place.discarded || place.unevaluated || place.constant) return;
    const Expr& e = program[place.id];
    const TypeKind kind = program.types.Kind(e.type);
    if (e.kind == ExprKind::Constant || e.kind == ExprKind::Function) return;
    if (IsWide(kind)) {  // its words
      const std::span<const machine::Value> words = survey.run.machine->ObservedLanes(place.id);
      Edit edit = Make(EditKind::ToConstant, place.id);
      edit.lanes.assign(words.begin(), words.end());
      if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(std::move(edit));
    } else if (IsArithmetic(kind)) {
      edits.push_back(Make(EditKind::ToConstant, place.id, 0, survey.run.machine->Observed(place.id)));
    } else if (kind == TypeKind::Pointer && !IsConstantForm(program, place.id)) {
      edits.push_back(Make(EditKind::ToConstant, place.id));
    }
  });
  return edits;
}

// Vectors that were computed, to the lanes they had.
Edits Lanes(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.lvalue || place.discarded || place.unevaluated || place.constant || !place.function) return;
    const Expr& e = program[place.id];
    if (!IsVector(program.types.Kind(e.type)) || e.kind == ExprKind::CompoundLiteral) return;
    const std::span<const machine::Value> lanes = survey.run.machine->ObservedLanes(place.id);
    if (lanes.empty()) return;
    Edit edit = Make(EditKind::ToLanes, place.id, place.function.index);
    edit.lanes.assign(lanes.begin(), lanes.end());
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(std::move(edit));
  });
  return edits;
}

Edits Operands(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.unevaluated) return;
    const Expr& e = program[place.id];
    const ExprKindInfo& info = Info(e.kind);
    const uint32_t count = info.children == 0 && !info.has_args ? 0 : info.has_args ? 3 + e.args.count : info.children;
    for (uint32_t i = 0; i < count; ++i) {
      const Edit edit = Make(EditKind::ToOperand, place.id, i, place.discarded ? 1 : 0);
      if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
    }
  });
  return edits;
}

Edits Targets(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (place.unevaluated || place.constant || place.discarded) return;
    const Expr& e = program[place.id];
    const bool deref = e.kind == ExprKind::Deref;
    if (!deref && (place.lvalue || program.types.Kind(e.type) != TypeKind::Pointer)) return;
    const ExprId pointer = deref ? e.lhs : place.id;
    if (program.types.Kind(program[pointer].type) != TypeKind::Pointer) return;
    if (survey.run.machine->Executions(pointer) == 0) return;
    const machine::PointerView view = survey.run.machine->View(survey.run.machine->Observed(pointer));
    if (view.kind != machine::PointerView::Kind::Object || !view.var) return;
    const Edit edit = Make(EditKind::ToTarget, place.id, view.var.index, view.offset);
    if (Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
  });
  return edits;
}

namespace {

template <typename Wanted>
Edits OfConstants(const Survey& survey, Wanted&& wanted) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (program[place.id].kind == ExprKind::Constant) wanted(place.id, program[place.id], edits);
  });
  return edits;
}

}  // namespace

Edits Zeros(const Survey& survey) {
  return OfConstants(survey, [](ExprId id, const Expr& e, Edits& edits) {
    if (e.value != 0) edits.push_back(Make(EditKind::ToConstant, id, 1, 0));
  });
}

Edits Ones(const Survey& survey) {
  const TypeTable& types = survey.subject.program.types;
  return OfConstants(survey, [&](ExprId id, const Expr& e, Edits& edits) {
    const TypeKind kind = types.Kind(e.type);
    if (e.value > 1 && !(IsFloat(kind) && e.value == FloatBits(kind, 1)))
      edits.push_back(Make(EditKind::ToConstant, id, 1, 1));
  });
}

Edits SmallConstants(const Survey& survey) {
  const TypeTable& types = survey.subject.program.types;
  return OfConstants(survey, [&](ExprId id, const Expr& e, Edits& edits) {
    if (const TypeKind kind = types.Kind(e.type); IsFloat(kind)) {
      const double number = std::trunc(FloatValue(kind, e.value));
      if (std::fabs(number) > 1e15) return;
      for (double smaller : {number, std::trunc(number / 2), -number}) {
        const Edit edit = Make(EditKind::ToConstant, id, 1, static_cast<uint64_t>(static_cast<int64_t>(smaller)));
        if ((smaller != -number || number < 0) && Info(edit.kind).applies(survey.subject, edit)) edits.push_back(edit);
      }
      return;
    }
    const auto value = static_cast<int64_t>(e.value);
    if (types.Kind(e.type) != TypeKind::Int) edits.push_back(Make(EditKind::ToConstant, id, 1, e.value));
    if (value > 9 || value < -9) {
      edits.push_back(Make(EditKind::ToConstant, id, 1, static_cast<uint64_t>(value / 2)));
    }
    if (value < 0) edits.push_back(Make(EditKind::ToConstant, id, 1, 0 - e.value));  // unsigned: there is no -INT64_MIN
  });
}

Edits Spelling(const Survey& survey) {
  return OfConstants(survey, [](ExprId id, const Expr& e, Edits& edits) {
    if (e.detail != static_cast<uint8_t>(ConstantSpelling::Decimal)) edits.push_back(Make(EditKind::PlainConstant, id));
  });
}

Edits Assignments(const Survey& survey) {
  const Program& program = survey.subject.program;
  Edits edits;
  ForEachPlace(program, [&](const Place& place) {
    if (program[place.id].kind == ExprKind::CompoundAssign) edits.push_back(Make(EditKind::PlainAssign, place.id));
  });
  return edits;
}

}  // namespace assay::reduce::collect
