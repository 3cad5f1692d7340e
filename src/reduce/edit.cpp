#include "reduce/edit.hpp"

#include "reduce/families.hpp"

namespace assay::reduce {

constexpr std::array kRows = {
    EditInfo{EditKind::RemoveStatement, "remove-statement", AppliesRemoveStatement, ApplyRemoveStatement},
    EditInfo{EditKind::TakeBody, "take-body", AppliesTakeBody, ApplyTakeBody},
    EditInfo{EditKind::KeepCondition, "keep-condition", AppliesKeepCondition, ApplyKeepCondition},
    EditInfo{EditKind::TakeCase, "take-case", AppliesTakeCase, ApplyTakeCase},
    EditInfo{EditKind::Flatten, "flatten", AppliesFlatten, ApplyFlatten},
    EditInfo{EditKind::DropElse, "drop-else", AppliesDropElse, ApplyDropElse},
    EditInfo{EditKind::TakeLabel, "take-label", AppliesTakeLabel, ApplyTakeLabel},
    EditInfo{EditKind::NarrowCase, "narrow-case", AppliesNarrowCase, ApplyNarrowCase},
    EditInfo{EditKind::UnrollLoop, "unroll-loop", AppliesUnrollLoop, ApplyUnrollLoop},
    EditInfo{EditKind::SplitEffect, "split-effect", AppliesSplitEffect, ApplySplitEffect},
    EditInfo{EditKind::EmptyFunction, "empty-function", AppliesEmptyFunction, ApplyEmptyFunction},
    EditInfo{EditKind::RemoveFunction, "remove-function", AppliesRemoveFunction, ApplyRemoveFunction},
    EditInfo{EditKind::DropParameter, "drop-parameter", AppliesDropParameter, ApplyDropParameter},
    EditInfo{EditKind::FixParameter, "fix-parameter", AppliesFixParameter, ApplyFixParameter},
    EditInfo{EditKind::DropResult, "drop-result", AppliesDropResult, ApplyDropResult},
    EditInfo{EditKind::InlineCall, "inline-call", AppliesInlineCall, ApplyInlineCall},
    EditInfo{EditKind::EnterCallee, "enter-callee", AppliesEnterCallee, ApplyEnterCallee},
    EditInfo{EditKind::StandInMain, "stand-in-main", AppliesStandInMain, ApplyStandInMain},
    EditInfo{EditKind::RemoveVariable, "remove-variable", AppliesRemoveVariable, ApplyRemoveVariable},
    EditInfo{EditKind::RemoveLabel, "remove-label", AppliesRemoveLabel, ApplyRemoveLabel},
    EditInfo{EditKind::GiveInitialiser, "give-initialiser", AppliesGiveInitialiser, ApplyGiveInitialiser},
    EditInfo{EditKind::DropInitialiser, "drop-initialiser", AppliesDropInitialiser, ApplyDropInitialiser},
    EditInfo{EditKind::DropInitItem, "drop-init-item", AppliesDropInitItem, ApplyDropInitItem},
    EditInfo{EditKind::LookAt, "look-at", AppliesLookAt, ApplyLookAt},
    EditInfo{EditKind::ToOperand, "to-operand", AppliesToOperand, ApplyToOperand},
    EditInfo{EditKind::ToConstant, "to-constant", AppliesToConstant, ApplyToConstant},
    EditInfo{EditKind::PlainAssign, "plain-assign", AppliesPlainAssign, ApplyPlainAssign},
    EditInfo{EditKind::PlainConstant, "plain-constant", AppliesPlainConstant, ApplyPlainConstant},
    EditInfo{EditKind::ToTarget, "to-target", AppliesToTarget, ApplyToTarget},
    EditInfo{EditKind::KindToInt, "kind-to-int", AppliesKindToInt, ApplyKindToInt},
    EditInfo{EditKind::VariableToInt, "variable-to-int", AppliesVariableToInt, ApplyVariableToInt},
    EditInfo{EditKind::DropQualifier, "drop-qualifier", AppliesDropQualifier, ApplyDropQualifier},
    EditInfo{EditKind::ShrinkArray, "shrink-array", AppliesShrinkArray, ApplyShrinkArray},
    EditInfo{EditKind::SplitAggregate, "split-aggregate", AppliesSplitAggregate, ApplySplitAggregate},
    EditInfo{EditKind::DropMember, "drop-member", AppliesDropMember, ApplyDropMember},
    EditInfo{EditKind::DissolveRecord, "dissolve-record", AppliesDissolveRecord, ApplyDissolveRecord},
    EditInfo{EditKind::PlainMember, "plain-member", AppliesPlainMember, ApplyPlainMember},
    EditInfo{EditKind::UnpackRecord, "unpack-record", AppliesUnpackRecord, ApplyUnpackRecord},
    EditInfo{EditKind::DropAttributes, "drop-attributes", AppliesDropAttributes, ApplyDropAttributes},
    EditInfo{EditKind::PlainStorage, "plain-storage", AppliesPlainStorage, ApplyPlainStorage},
    EditInfo{EditKind::ToLanes, "to-lanes", AppliesToLanes, ApplyToLanes},
    EditInfo{EditKind::HalveVectors, "halve-vectors", AppliesHalveVectors, ApplyHalveVectors},
};
static_assert(support::InEnumOrder(kRows, EditKind::kCount));
const std::array<EditInfo, static_cast<size_t>(EditKind::kCount)> kEdits = kRows;

bool ApplyEdit(Case& subject, const Edit& edit) {
  const EditInfo& info = Info(edit.kind);
  if (!info.applies(subject, edit)) return false;
  info.apply(subject, edit);
  return true;
}

MachineRun RunOnMachine(lang::Program& program, const machine::Options& options) {
  machine::Options with_values = options;
  with_values.observe = true;
  MachineRun run;
  run.machine = std::make_unique<machine::Machine>(program, with_values);
  run.result = run.machine->Run();
  return run;
}

}  // namespace assay::reduce
