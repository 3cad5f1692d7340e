// goto. A jump leaves blocks outwards, as Flow::Goto, until it is in a block that contains the label, directly or
// deeper. There execution goes on at the statement that leads to the label, in seeking mode: every statement on the
// way enters the body that leads on, without evaluating anything, until the label is reached.
#include "machine/impl.hpp"

namespace assay::machine {

using lang::BlockId;
using lang::Stmt;
using lang::StmtKind;

bool Machine::Impl::LeadsToLabel(BlockId body) const {
  for (BlockId at = program_.labels[goto_label_].block; at.Valid(); at = program_.blocks[at].outer) {
    if (at == body) return true;
  }
  return false;
}

// Where in the block the sought label is, or the statement with the body that leads to it.
bool Machine::Impl::FindTarget(BlockId block, size_t& position) const {
  lang::StmtId via;
  BlockId at = program_.labels[goto_label_].block;
  while (at.Valid() && at != block) {
    via = program_.blocks[at].owner;
    at = program_.blocks[at].outer;
  }
  if (!at.Valid()) return false;
  const std::vector<lang::StmtId>& stmts = program_.blocks[block].stmts;
  for (size_t i = 0; i < stmts.size(); ++i) {
    const Stmt& stmt = program_.stmts[stmts[i]];
    if (via.Valid() ? stmts[i] == via : stmt.kind == StmtKind::Label && stmt.label == goto_label_) {
      position = i;
      return true;
    }
  }
  CHECK_MSG(false, "label {} is not where its block says", goto_label_.index);
  return false;
}

Flow Machine::Impl::ExecBody(BlockId block) {
  if (!seeking_) return ExecBlock(block);
  size_t position = 0;
  const bool found = FindTarget(block, position);
  CHECK(found);
  if (position == 0) return ExecBlock(block);
  return ExecBlock(block, position);
}

// Control arrives at a position of a block by a jump. Objects declared before it live; of a variable length array
// declared after it, whose scope is left, the lifetime ends.
void Machine::Impl::Jump(BlockId block, size_t position) {
  for (size_t i = 0; i < program_.blocks[block].stmts.size(); ++i) {
    const Stmt stmt = program_.stmts[program_.blocks[block].stmts[i]];
    if (stmt.kind != StmtKind::Decl) continue;
    if (i < position) {
      Skip(stmt.var);
    } else if (facts_[program_.vars[stmt.var].type].kind == lang::TypeKind::Vla) {
      uint32_t& slot = Slot(stmt.var);
      if (slot == kNoObject) continue;
      memory_.Kill(slot);
      slot = kNoObject;
    }
  }
}

size_t Machine::Impl::PositionOf(BlockId block, lang::StmtId stmt, size_t guess) const {
  const std::vector<lang::StmtId>& stmts = program_.blocks[block].stmts;
  if (guess < stmts.size() && stmts[guess] == stmt) return guess;
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (stmts[i] == stmt) return i;
  }
  CHECK_MSG(false, "statement {} was removed while it ran", stmt.index);
  return guess;
}

}  // namespace assay::machine
