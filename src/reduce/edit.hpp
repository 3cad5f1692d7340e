// Edits: what a reduction may do to a program. An edit is a small value: a kind, the node it
// concerns and a detail or two. Ids stay valid while edits are applied one after the other (nodes
// change in place or are added, never renumbered), so a pass collects its edits once and tries any
// subset of them.
//
// To add one: docs/adding-a-reduction.md.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "reduce/case.hpp"
#include "support/table.hpp"

namespace assay::reduce {

enum class EditKind : uint8_t {
  RemoveStatement,  // node = StmtId
  TakeBody,         // a control statement becomes one of its bodies: other = 0 body, 1 else
  KeepCondition,    // a control statement becomes its controlling expression, a declaration its initialiser
  TakeCase,         // a switch becomes the statements from marker `other` to the next break
  Flatten,          // the statements of a block take its place
  DropElse,
  TakeLabel,    // a computed goto becomes one to its label number `other`
  NarrowCase,   // a range of cases becomes its first value, a loop loses its pragma
  UnrollLoop,   // a loop becomes `other` copies of its body and step
  SplitEffect,  // an assignment, ++ or call inside statement `other` is made a statement before it:
                // node = ExprId

  EmptyFunction,   // node = FunctionId: the body becomes a return of zero
  RemoveFunction,  // nothing reaches it
  DropParameter,   // other = index; not used in the body
  FixParameter,    // other = index: becomes a local with the constant `value`
  DropResult,      // nobody uses the result: it becomes void
  InlineCall,      // node = StmtId whose expression is the only call of a function
  EnterCallee,     // node = FunctionId, all that the entry function calls: becomes the entry
  StandInMain,     // the body of the entry function becomes main's

  RemoveVariable,   // node = VarId, mentioned nowhere
  RemoveLabel,      // node = StmtId of a marker that no goto names
  GiveInitialiser,  // node = VarId of a local: zero
  DropInitialiser,  // node = VarId
  DropInitItem,     // node = InitId, other = position of the item; without designators those after it go too
  LookAt,  // node = VarId of a global: main looks at it, no longer at one that depends on it; other = steps on the
           // way down to a scalar (at most two), value = the first one and, above it, the second

  ToOperand,      // node = ExprId, other = child (as Place::operand)
  ToConstant,     // value
  PlainAssign,    // x op= y becomes x = y
  PlainConstant,  // decimal
  ToTarget,       // node = ExprId: a dereference or pointer becomes what it was seen to denote: other =
                  // VarId, value = offset

  KindToInt,       // node = TypeKind: everywhere
  VariableToInt,   // node = VarId
  DropQualifier,   // node = Qualifier, other = VarId or kEverywhere
  ShrinkArray,     // node = VarId, other = length
  SplitAggregate,  // node = VarId: one variable per member or element used
  DropMember,      // node = RecordId, other = index; not mentioned
  DissolveRecord,  // node = RecordId with one member: becomes the member's type everywhere
  PlainMember,     // a bit-field becomes a member: other = index
  UnpackRecord,
  DropAttributes,  // node = FunctionId, other = attributes to drop
  PlainStorage,    // node = VarId: no static, register, alignment or attributes
  ToLanes,         // node = ExprId, a vector; other = its FunctionId, lanes: becomes a literal
  HalveVectors,    // every vector of more than `other` bytes gets half of its lanes
  kCount
};

inline constexpr uint32_t kEverywhere = 0xffffffffu;

struct Edit {
  EditKind kind = EditKind::RemoveStatement;
  uint32_t node = 0;
  uint32_t other = 0;
  uint64_t value = 0;
  std::vector<uint64_t> lanes = {};
  friend bool operator==(const Edit&, const Edit&) = default;
};

struct EditInfo {
  EditKind kind;
  std::string_view name;
  // Safe on every program that Mend accepts, also when `edit` was made for an earlier state of
  // it.
  bool (*applies)(const Case& subject, const Edit& edit);
  // Changes the program in place; requires that it applies. Mend (mend.hpp) comes afterwards.
  void (*apply)(Case& subject, const Edit& edit);
};
extern const std::array<EditInfo, static_cast<size_t>(EditKind::kCount)> kEdits;
inline const EditInfo& Info(EditKind kind) { return kEdits[static_cast<size_t>(kind)]; }

// Applies an edit if it applies; says whether it did.
bool ApplyEdit(Case& subject, const Edit& edit);

// What the machine saw in one run of a program: how often things ran and the values they took.
struct MachineRun {
  machine::RunResult result;
  std::unique_ptr<machine::Machine> machine;  // refers to the program it was made from
};
// The program must outlive the run and stay as it is.
MachineRun RunOnMachine(lang::Program& program, const machine::Options& options);

}  // namespace assay::reduce
