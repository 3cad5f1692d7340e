// The abstract machine: interprets a program under its data model and traps on everything a valid program must not
// do. It is the inner loop of generation, verification and reduction.
//
// Values are 64 bits. An integer is canonical: sign- or zero-extended from its type. A pointer is a handle into the
// machine's table of pointer values, 0 for null; two handles may denote the same pointer (compare with SamePointer). A
// record is a handle to the memory it is read from, a vector one to its lanes, which live as long as the full
// expression (ProbeLanes and ObservedLanes give them).
//
// Sequencing of stores: `x = x++` and `x = (x = 1) + 1` trap (the inner side effect is unsequenced with the store), but
// side effects completed at a sequence point inside the right side do not: `x = (t = x++, t)`, `x = f()` with f writing
// x, `x = (x++ ? a : b)`, Guard counters. (Repairs rely on it: they hoist operands into temporaries by Assign and
// Comma.) An Unsequenced/OrderDependent trap is raised at the operator, after all its operands are evaluated, before
// its own effect.
//
// Evaluation order is left to right, always. Where C leaves the order open, the machine checks that it does not matter.
//
// Generation by executing: with an Author the machine may run an unfinished program. At the end of an open block it
// asks the author to Extend it; at a trap it asks the author to Repair the program in place and goes on.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lang/layout.hpp"
#include "lang/program.hpp"
#include "machine/trap.hpp"
#include "support/small_vector.hpp"

namespace assay::machine {

class Author {
 public:
  virtual ~Author() = default;

  // Control has reached the end of an open block. Either appends statements to it and returns true (they are then
  // executed), or closes it (Block::open = false) and returns false.
  virtual bool Extend(lang::BlockId block) = 0;

  // An operation trapped. Returns true after rewriting the tree at trap.expr in place, so that the same id is now the
  // root of an expression that does not trap for these operands and gives the same result for every earlier execution.
  // Each node of trap.operands must occur in the new tree at most once, and be left out only if evaluating it has no
  // side effect. The machine then evaluates trap.expr again with these operands' values known (an lvalue operand keeps
  // denoting the place it denotes now; its value is read anew). New nodes count as executed prior_executions times.
  // Further rules:
  // - trap.lvalue: the new root must be an lvalue. trap.reentered: no Guard. Both in trap.hpp.
  // - trap.operands is {trap.expr} itself: its value stands but must not be used (a returned address of a dying object,
  // the length of
  //   a VLA). The author moves the node to a new id, says so with Machine::Moved, and puts a tree around it.
  // - The author may leave the node unchanged if it removed the cause (an initialiser with Machine::Define, say).
  // - MissingReturn: trap.function's body has ended; the author appends a return statement to it, which is then
  // executed.
  // - StepBudget and RecursionDepth at a call come before anything of the call is evaluated: the author wraps it in a
  // Guard. Initialiser lists with conflicting items, jumps past a VLA and a missing va_end cannot be repaired and end
  // the run. For a StepBudget trap at a loop the author rewrites the loop's condition (trap.stmt), which is then
  // evaluated. Returns false to give up: Run ends with the trap.
  virtual bool Repair(const Trap& trap) = 0;

  // The steps at which this loop should have ended: from there on its condition asks for Repair (StepBudget), as all
  // do from the soft budget on.
  virtual uint64_t Deadline(lang::StmtId) const { return ~uint64_t{0}; }
};

// Watches a run: `assay check --trace`, and finding where two runs part.
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual void OnStatement(lang::StmtId stmt, uint32_t depth) = 0;
  // A scalar was stored into an object; `var` is invalid for objects without a declaration. Pointers are handles.
  virtual void OnStore(lang::VarId var, uint32_t offset, lang::TypeId type, Value value) = 0;
};

// Calls that an author does not guard at the recursion depth (helpers of repairs) may go deeper by this many levels.
inline constexpr uint32_t kDepthReserve = 8;

struct Options {
  uint64_t step_budget = 2'000'000;  // hard: Run ends with StepBudget. Steps are expression and statement executions.
  uint64_t soft_budget = 0;          // with an author: from here on, loops and calls ask for Repair (0: never)
  uint32_t recursion_depth = 64;     // calls deeper than this ask the author for a Guard; hard: kDepthReserve more
  uint64_t memory_bytes = 8u << 20;  // live objects
  bool trace_volatile = true;
  bool observe = false;  // keep, for every expression, the last value it took (Observed)
  Author* author = nullptr;
  Tracer* tracer = nullptr;
};

using Path = support::SmallVector<uint32_t, 4>;

// One scalar of a global at the end of the run, for the checksum and reports.
struct FinalScalar {
  lang::VarId var;
  Path path;  // members and elements from the variable down
  lang::TypeId type;
  int bit_width = -1;
  enum class State : uint8_t { Value, NullPointer, Pointer, FunctionPointer, Unreadable } state = State::Value;
  Value value = 0;                   // State::Value
  lang::VarId target;                // State::Pointer: a global or static object ...
  Path target_path;                  // ... and the path to the element or member pointed at (no path: unreadable)
  lang::FunctionId target_function;  // State::FunctionPointer
};

struct VolatileAccess {
  lang::VarId var;
  uint32_t offset = 0;
  bool write = false;
  Value value = 0;
};

struct RunResult {
  Trap trap;  // kind None: the run was clean
  uint64_t steps = 0;
  uint32_t peak_stack_bytes = 0;    // automatic objects alive at once, at most
  std::vector<FinalScalar> finals;  // every readable scalar of every Plain global, in declaration order (clean runs)
  uint64_t volatile_hash = 0;       // over the whole trace
  std::vector<VolatileAccess> volatile_trace;  // at most the first 10,000 accesses
};

// What the calls of a function so far passed and returned.
struct CallsSeen {
  uint32_t calls = 0;
  uint32_t results = 0;      // that a return statement gave
  bool null_result = false;  // at least once
  uint64_t null_params = 0;  // by position: null at least once; the last bit stands for all from there on
  bool WasNull(size_t param) const { return (null_params >> std::min<size_t>(param, 63) & 1) != 0; }
};

// What a pointer value denotes, for authors and reports.
struct PointerView {
  enum class Kind : uint8_t { Null, Object, Function, Indeterminate } kind = Kind::Null;
  bool live = false;
  lang::VarId var;  // the declared object; invalid for heap objects
  lang::TypeId object_type;
  uint32_t offset = 0;
  uint32_t low = 0, high = 0;  // bounds (bytes) of the innermost array or object it may move in
  lang::FunctionId function;
};

class Machine {
 public:
  Machine(lang::Program& program, const Options& options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Runs the program once from the start. A Machine runs once.
  RunResult Run();

  // --- For authors, while Run is in progress, and for reports afterwards -------------------------------------------
  uint64_t Steps() const;
  uint32_t Depth() const;                        // call depth; the entry function runs at depth 1
  uint64_t Executions(lang::ExprId expr) const;  // begun so far
  uint64_t Executions(lang::StmtId stmt) const;
  std::span<const uint32_t> ExprExecutions() const;  // of all, by id; at least as many as there were nodes
  std::span<const uint32_t> StmtExecutions() const;
  void Moved(lang::ExprId from, lang::ExprId to);  // a rewrite moved a node: its count goes along
  Value Observed(lang::ExprId expr) const;         // with Options::observe: the last value; 0 if never executed
  std::span<const Value> ObservedLanes(lang::ExprId expr) const;  // the same of a vector; empty if never executed

  // The value of a scalar inside a variable of the current frame or of static storage, without side effect; nothing if
  // it is dead, indeterminate, or not readable as the type.
  std::optional<Value> Peek(lang::VarId var, uint32_t offset, lang::TypeId type, int bit_offset = -1,
                            int bit_width = -1);
  // Evaluates an expression without side effects (no assignment, ++, call, volatile access, guard inside) in the
  // current state: no counts, no log, no repair. Nothing if it would trap. For authors, while Run is in progress.
  std::optional<Value> Probe(lang::ExprId expr);
  std::optional<std::vector<Value>> ProbeLanes(lang::ExprId expr);  // of a vector
  PointerView View(Value pointer) const;
  bool SamePointer(Value a, Value b) const;

  std::span<const CallsSeen> Calls() const;  // by FunctionId; kept for an author only

  // A counter or temporary made by a repair while the program runs: sets the value it would have had.
  void Define(lang::VarId var, Value value);

  lang::Layouts& GetLayouts();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::machine
