// What is visible at the place being written. Blocks are only ever appended to, but an inner block may be opened
// after its outer block has grown (an else branch first taken in the third iteration), so each block remembers
// how much of its outer block stood before it.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/ids.hpp"

namespace assay::gen {

class Writer;

// A loop's index. It is not assigned in the loop's body, so its values there are known.
struct LoopIndex {
  lang::VarId var;             // the variable itself, or the one that the lvalue begins with
  lang::ExprId lvalue;         // how it is written: a tree to copy
  int64_t low = 0, high = -1;  // its values
};

// What a branch that is never taken is bait for: a hazard of the variables in its condition (hazards.hpp).
struct Bait {
  enum class Kind : uint8_t { None, Index, Null, Divisor, Shift, Any } kind = Kind::None;
  lang::VarId var;    // the index, pointer, divisor or count
  lang::VarId array;  // Index
};

// The writer's notes on a block.
struct BlockPlan {
  uint32_t planned = 0;  // statements to write
  uint32_t written = 0;
  uint64_t allowance = 0;          // steps that one execution may take (budget.hpp)
  uint64_t started_at = 0;         // steps when the execution that it is written in began
  uint64_t execution = 0;          // which one that was
  uint16_t depth = 0;              // nesting inside the function
  uint16_t outer_decls = 0;        // declarations of the outer block that stand before this one
  std::vector<lang::VarId> decls;  // in order
  LoopIndex index;                 // body of a counted loop
  bool loop_body = false;          // break and continue are possible
  bool switch_section = false;     // break is possible
  lang::VarId kept;                // an object that code inside must not assign (a heap pointer before its free)
  lang::LabelId exit;              // a label after the block that inner code may jump to
  Bait bait;                       // if control never comes here
};

struct Scope {
  lang::FunctionId function;
  lang::BlockId block;
  uint32_t depth = 0;
  uint32_t loop_depth = 0;
  bool may_break = false, may_continue = false;
  std::vector<lang::VarId> locals;  // visible, with parameters
  std::vector<LoopIndex> indices;
  std::vector<lang::VarId> kept;
  std::vector<lang::LabelId> exits;
};

// Makes writer.scope describe the end of `block`.
void EnterScope(Writer& writer, lang::BlockId block);
// Registers a declared object (the Decl or For statement is appended by the caller).
void Declare(Writer& writer, lang::BlockId block, lang::VarId var);
// A new block nested in the current one, open, planned to hold about `planned` statements.
lang::BlockId OpenBlock(Writer& writer, uint32_t planned);
// A loop's index, or another variable that steers control: read, never assigned.
bool IsProtected(const Writer& writer, lang::VarId var);
// Whether an object visible here lives at least as long as `holder` (so that holder may point at it).
bool Outlives(Writer& writer, lang::VarId object, lang::VarId holder);

}  // namespace assay::gen
