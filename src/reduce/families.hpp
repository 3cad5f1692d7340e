// The edits of each family: declared here for the table in edit.cpp, defined one family a file.
#pragma once

#include "reduce/edit.hpp"

namespace assay::reduce {

#define ASSAY_EDIT(name)                                     \
  bool Applies##name(const Case& subject, const Edit& edit); \
  void Apply##name(Case& subject, const Edit& edit);

ASSAY_EDIT(RemoveStatement)
ASSAY_EDIT(TakeBody)
ASSAY_EDIT(KeepCondition)
ASSAY_EDIT(TakeCase)
ASSAY_EDIT(Flatten)
ASSAY_EDIT(DropElse)
ASSAY_EDIT(TakeLabel)
ASSAY_EDIT(NarrowCase)
ASSAY_EDIT(UnrollLoop)
ASSAY_EDIT(SplitEffect)
ASSAY_EDIT(EmptyFunction)
ASSAY_EDIT(RemoveFunction)
ASSAY_EDIT(DropParameter)
ASSAY_EDIT(FixParameter)
ASSAY_EDIT(DropResult)
ASSAY_EDIT(InlineCall)
ASSAY_EDIT(EnterCallee)
ASSAY_EDIT(StandInMain)
ASSAY_EDIT(RemoveVariable)
ASSAY_EDIT(RemoveLabel)
ASSAY_EDIT(GiveInitialiser)
ASSAY_EDIT(DropInitialiser)
ASSAY_EDIT(DropInitItem)
ASSAY_EDIT(LookAt)
ASSAY_EDIT(ToOperand)
ASSAY_EDIT(ToConstant)
ASSAY_EDIT(PlainAssign)
ASSAY_EDIT(PlainConstant)
ASSAY_EDIT(ToTarget)
ASSAY_EDIT(KindToInt)
ASSAY_EDIT(VariableToInt)
ASSAY_EDIT(DropQualifier)
ASSAY_EDIT(ShrinkArray)
ASSAY_EDIT(SplitAggregate)
ASSAY_EDIT(DropMember)
ASSAY_EDIT(DissolveRecord)
ASSAY_EDIT(PlainMember)
ASSAY_EDIT(UnpackRecord)
ASSAY_EDIT(DropAttributes)
ASSAY_EDIT(PlainStorage)
ASSAY_EDIT(ToLanes)
ASSAY_EDIT(HalveVectors)

#undef ASSAY_EDIT

}  // namespace assay::reduce
