// What a place asks for, and the one way to ask: Expression. The rows that answer are in writers.hpp.
#pragma once

#include <algorithm>

#include "gen/writer.hpp"

namespace assay::gen {

struct Want {
  // Which state the value may depend on.
  enum class State : uint8_t {
    Any,       // objects, calls, side effects
    Constant,  // a constant expression in C's sense: static initialisers, and addresses that stay valid
    Plain,     // no side effect and no way to fail: for what must always be possible
  };

  WriterClass of = WriterClass::Integer;
  State state = State::Any;
  bool truth = true;        // Condition: the truth it should have now, where that can be known
  bool may_be_null = true;  // Pointer
  TypeId type;              // unqualified; an integer of another integer type will do, it converts
  VarId holder;             // Pointer: the object it will be stored in; invalid: used at once, any lifetime will do
  uint32_t depth = 0;       // of the tree, at most
  uint32_t limit =
      kNoLimit;  // the number of the program's expressions from which on it must end: its share of the room

  static Want Integer(uint32_t depth) { return {.depth = depth}; }
  static Want Condition(bool truth, uint32_t depth) {
    return {.of = WriterClass::Condition, .truth = truth, .depth = depth};
  }
  static Want Pointer(TypeId type, VarId holder, bool may_be_null) {
    return {.of = WriterClass::Pointer, .may_be_null = may_be_null, .type = type, .holder = holder};
  }

  Want Deeper() const {
    Want inner = *this;
    --inner.depth;
    return inner;
  }
  // What the first of two operands may take; the other gets what that leaves. Half, or, where the depth cannot be
  // reached on all sides, a part drawn at random: deep trees are deep somewhere.
  Want Share(Writer& w) const {
    Want inner = *this;
    const uint32_t now = w.program.exprs.Size(), end = std::min(limit, w.node_limit);
    if (end == kNoLimit || end <= now) return inner;
    const uint32_t room = end - now;
    const bool tight = (room >> std::min(depth, 31u)) == 0;
    const uint32_t percent = tight ? 5 + w.choices.Below(91) : 50;
    inner.limit = now + static_cast<uint32_t>(static_cast<uint64_t>(room) * percent / 100);
    return inner;
  }
  bool Exhausted(const Writer& w) const { return w.program.exprs.Size() >= std::min(limit, w.node_limit); }
};

// An expression of the kind wanted; always succeeds.
ExprId Expression(Writer& w, const Want& want);

// Lets the row write, counts, and notes what is new.
template <typename Write>
ExprId WriteRow(Writer& w, WriterId by, Write&& write) {
  WriterCounters& counters = w.counters.writers[static_cast<size_t>(by)];
  ++counters.tried;
  const uint32_t first = w.program.exprs.Size();
  const ExprId root = write();
  if (!root) return root;
  ++counters.written;
  w.written.Add({first, w.program.exprs.Size(), root.index, by});
  return root;
}

// A row of an ordered class: it answers, or leaves it to the next (an invalid id). The last row always answers.
struct OrderedRow {
  WriterId by;
  ExprId (*write)(Writer& w, const Want& want);
};
template <size_t N>
ExprId FirstOf(Writer& w, const OrderedRow (&rows)[N], const Want& want) {
  for (const OrderedRow& row : rows) {
    if (const ExprId e = WriteRow(w, row.by, [&] { return row.write(w, want); })) return e;
  }
  CHECK_MSG(false, "the last row did not answer");
  return {};
}

}  // namespace assay::gen
