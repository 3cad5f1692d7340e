// Sequencing (C17 5.1.2.3, 6.5p2-3): which accesses of one full expression conflict.
//
// The machine evaluates left to right and logs every access. Where two operands A and B of an operator are not
// sequenced, it compares what A logged with what B logged: two accesses of a common byte, one of them a write,
// conflict. Each pair of accesses is compared once, at the lowest operator that has one on either side. Accesses made
// directly by the expression are unsequenced; an access inside a called function is indeterminately sequenced, which is
// defined but makes the result depend on an order that the compiler chooses.
//
// Two more rules: the store of an assignment, and the read of an lvalue, conflict with writes in its own operands,
// unless a sequence point inside the operand has completed them; and volatile accesses are side effects that must not
// be reordered (5.1.2.3p2, p6), so each also counts as a write to one imaginary location. A read there is part of the
// operand's value, so that what the operator itself does comes after it: v = w is right, v = w++ is not.
//
// The log is cut at the end of a full expression, except inside a call whose caller still needs its accesses.
#pragma once

#include <array>
#include <vector>

#include "machine/trap.hpp"

namespace assay::machine {

struct Access {
  uint32_t serial = 0;  // of the object; 0 for the imaginary volatile location
  uint32_t begin = 0;   // in bits from the object's start, so that neighbouring bit-fields do not conflict
  uint32_t end = 0;
  uint32_t depth : 30 = 0;  // of the call that made it
  uint32_t write : 1 = 0;
  uint32_t complete : 1 = 0;
};

class AccessLog {
 public:
  using Mark = uint32_t;

  Mark Here() const { return size_; }
  void Add(uint32_t serial, uint32_t begin_bit, uint32_t end_bit, uint32_t depth, bool write) {
    if (Full()) [[unlikely]]
      Grow();
    entries_[size_++] = {serial, begin_bit, end_bit, depth, write, 0};  // whole, so that nothing is read
    if (write) last_write_ = size_;
  }
  bool Full() const { return size_ == room_; }  // the next Add has to make room
  bool WroteSince(Mark mark) const { return last_write_ > mark; }

  // The conflict, if any, between [a, b) and [b, end): None, Unsequenced or OrderDependent for an operator at `depth`.
  TrapKind Conflict(Mark a, Mark b, uint32_t depth) const {
    if (!WroteSince(a) || a == b || b == Here()) return TrapKind::None;
    return Compare(a, b, b, Here(), depth);
  }
  TrapKind Compare(Mark a, Mark a_end, Mark b, Mark b_end, uint32_t depth) const;

  // A store to these bits by an operator at `depth` whose operands logged everything since `mark`.
  bool StoreConflicts(Mark mark, uint32_t serial, uint32_t begin_bit, uint32_t end_bit, uint32_t depth) const {
    return WroteSince(mark) && HasWrite(mark, serial, begin_bit, end_bit, depth);
  }

  // A volatile access. A write is as a read and more, so that StoreConflicts can ask for writes alone.
  void AddVolatile(uint32_t depth, bool write) { Add(0, 0, write ? 2 : 1, depth, true); }
  // A volatile access by an operator at `depth` whose operands logged everything since `mark`, and one of them a
  // volatile write that need not be complete.
  bool VolatileConflicts(Mark mark, uint32_t depth) const { return StoreConflicts(mark, 0, 1, 2, depth); }

  // A sequence point: everything since `mark` is complete before what follows.
  void SequencePoint(Mark mark) {
    if (!WroteSince(mark)) return;
    for (Mark i = mark; i < size_; ++i) entries_[i].complete = 1;
  }

  void Cut(Mark mark) {
    size_ = mark;
    if (last_write_ > mark) last_write_ = mark;
  }
  // For a call whose caller compares its accesses with others. Only their union matters to the caller, and not those to
  // objects with serials from first_serial on, which the call made. None of it is compared inside the call any more.
  //
  // Between full expressions: folds what was logged since `mark` into what the call has logged since `call`.
  void Fold(Mark mark, Mark call, uint32_t first_serial);
  // The same for all since `call`, thoroughly: adjoining accesses become one. For calls that log very much.
  void Compact(Mark call, uint32_t first_serial, uint32_t depth);

 private:
  static constexpr size_t kRecent = 256;

  [[gnu::cold, gnu::noinline]] void Grow();  // out of the way of Add
  bool HasWrite(Mark mark, uint32_t serial, uint32_t begin_bit, uint32_t end_bit, uint32_t depth) const;

  // The first size_ of them are in use. Never shrinks: entries come and go all the time.
  std::vector<Access> entries_ = std::vector<Access>(256);
  Mark size_ = 0, room_ = 256;
  Mark last_write_ = 0;  // 1 + the index of the last write; an upper bound after Cut
  // Where Fold last kept an access to an object, by a hash of its serial. Only a hint: may point anywhere.
  std::array<Mark, kRecent> recent_ = {};
};

}  // namespace assay::machine
