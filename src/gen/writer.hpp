// The writer: the author that the machine calls while it runs the unfinished program. One Writer per program; it owns
// no global state. The families of constructs are free functions over it, one header per family:
//
//   types.hpp      types, globals and their initialisers
//   scope.hpp      what is visible at the place being written
//   want.hpp       the one way to ask for an expression: a Want says of what kind; writers.hpp: the rows that answer
//   expr.hpp       integer expressions, conditions, constants
//   patterns.hpp   expressions that optimisers look for, one row each; logic.cpp: deep logic; reuse.hpp: the buffer of
//                  common subexpressions; known.hpp: what is known of inputs; exact.hpp: exactly n operators
//   floats.hpp     floating numbers; vectors.hpp: vectors of GNU C; wide.hpp: 128 bits
//   access.hpp     lvalues and pointers
//   call.hpp       functions and calls
//   stmt.hpp       statements; control.hpp: branches, jumps; memory.hpp: heap, VLAs, mem*, variadic
//   flow.hpp       groups of statements that optimisers of control flow and memory look for
//   nest.hpp       loop nests, reductions and idioms, written whole; nest_shapes.hpp: the shapes
//   repairs.hpp    what happens at a trap, repair_*.cpp by family; wrappers.hpp: functions that repairs call
//   dead.hpp       places that were never executed
//
// A statement is written whole, then the machine executes it; traps on the way are rewritten (first execution) or
// repaired (later ones). Blocks of branches and loops start open and are written when control first reaches them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "choice/choices.hpp"
#include "gen/nest_notes.hpp"
#include "gen/scope.hpp"
#include "gen/size.hpp"
#include "gen/writers.hpp"
#include "knobs/knobs.hpp"
#include "lang/builder.hpp"
#include "lang/layout.hpp"
#include "machine/machine.hpp"

namespace assay::gen {

using lang::BinaryOp;
using lang::BlockId;
using lang::ExprId;
using lang::ExprKind;
using lang::FunctionId;
using lang::InitId;
using lang::LabelId;
using lang::RecordId;
using lang::StmtId;
using lang::StmtKind;
using lang::TypeId;
using lang::TypeKind;
using lang::VarId;

// How much was done, for the census and for tests.
struct Counters {
  uint64_t rewrites = 0;  // first executions changed
  uint64_t repairs = 0;   // later executions guarded
  uint64_t statements = 0;
  std::array<uint64_t, static_cast<size_t>(machine::TrapKind::kCount)> traps{};
  WriterTable writers{};  // by WriterId
  ShapeTable shapes{};    // by ShapeId
};

// What programs may do with a variable of static storage.
enum class VarUse : uint8_t {
  Mixed,   // anything
  Input,   // never written: its value is known for ever, but not to a compiler that sees only part of the program
  Output,  // never read
  Index,   // steers loops of one function (its owner): read anywhere, written by the heads of its loops
  kCount
};

// A loop whose comparison sees first, first + step, ... in its first entry, so that its bound may be trimmed.
struct LoopPlan {
  uint64_t deadline = 0;  // steps at which its first entry should have ended; 0: nobody says
  ExprId comparison;      // with the bound on the right; invalid: something else may write the index
  ExprId index;           // the lvalue: the comparison sees its value plus the offset
  int64_t first = 0, step = 0, offset = 0;
  std::array<ExprId, 2> writes{};  // what gives the index its values; a repair may make something else of it
  bool cut = false;                // its body has a counter, which ends it from now on
};

// A global that nobody writes, with its value.
struct KnownInput {
  VarId var;
  int64_t value = 0;
};

struct FunctionPlan {
  uint32_t tokens = 0;       // own tokens written so far
  uint32_t token_limit = 0;  // when to close the body
  uint64_t started_at = 0;   // machine steps at the first execution
  uint64_t cost = 0;         // steps of the first whole execution; 0 until then
  uint64_t allowance = 0;    // steps that the call which enters it first has left for it (budget.hpp)
  bool entered = false;
  bool done = false;       // the body was closed once
  bool recursive = false;  // its first parameter is the remaining depth
  uint32_t self_calls = 0;
  TypeId va_type;                  // variadic: what its va_arg reads
  std::vector<VarId> indices;      // globals that steer its loops
  std::vector<ExprId> earlier;     // expressions written in it, for copies; see reuse.hpp
  std::vector<ExprId> conditions;  // the same of conditions
  uint32_t earlier_at = 0, conditions_at = 0;
  bool helper = false;  // a wrapper made by a repair: never chosen as a callee
  bool own = false;     // made for a nest: only nests call it
};

// The operators an expression draws from.
enum class OperatorContext : uint8_t {
  All,
  Additive,
  Bitwise,
  Logical,
  Multiplicative,
  Shift,
  AdditiveMultiplicative,
  kCount
};

// Weights under the knobs of one program, ready to be drawn from.
// Of statements by whether control is there, and whether blocks are too deep to open another.
using StatementWeights = std::array<std::array<choice::Weights<static_cast<size_t>(WriterId::Empty)>, 2>, 2>;
struct OperatorWeights {
  // By context. Operators with one knob have its weight at the first of them.
  std::array<choice::Weights<static_cast<size_t>(BinaryOp::kCount)>, static_cast<size_t>(OperatorContext::kCount)>
      binary;
  choice::Weights<static_cast<size_t>(TypeKind::kCount)> types, types_without_enums;  // the same of integer types
};

// How an operator is checked: by a call, or in place.
enum class WrapperStyle : uint8_t { Function, InPlace, Both };

// What a region of code or a part of an expression draws its leaves from.
enum class ConstantStyle : uint8_t { Any, Small, Limits, Runs, kCount };

struct WrittenPattern {
  ExprId root;
  uint32_t pattern;  // its number in patterns.hpp
};

inline constexpr uint32_t kNoLimit = 0xffffffffu;

class Writer : public machine::Author {
 public:
  Writer(lang::Program& program, const knobs::Knobs& knobs, choice::Choices choices);

  bool Extend(BlockId block) override;
  bool Repair(const machine::Trap& trap) override;
  uint64_t Deadline(StmtId loop) const override;

  // The size written so far, in tokens of the text (size.hpp). What has no statement yet is counted by Measure.
  uint32_t Tokens() const { return tokens_; }
  void Wrote(uint32_t tokens) { tokens_ += tokens; }
  void Measure();  // globals and functions made since the last call
  // Whether what is being written has used up its room: from here on only what is shortest.
  bool Full() const { return program.exprs.Size() >= node_limit; }
  uint32_t DeadEnd() const {
    return std::max(token_end + token_target / 8, token_target + token_target / 4);
  }                                // the size up to which dead places are filled
  uint32_t StatementRoom() const;  // for the next statement, in tokens
  uint32_t TokensLeft() const;     // of the whole program
  // Gives what is written next room for about so many tokens; see Room.
  void LimitTo(uint32_t tokens) { node_limit = program.exprs.Size() + tokens * 10 / 18; }

  lang::Program& program;
  lang::Builder build;
  choice::Choices choices;
  const knobs::Knobs knobs;  // with this program's shuffled weights
  lang::Layouts layouts;
  machine::Machine* machine = nullptr;  // null while no run is in progress (globals, dead places)
  Scope scope;                          // of the place being written
  uint32_t token_target = 0;            // the size wanted
  uint32_t token_end = 0;               // the size up to which places are written when control reaches them
  uint32_t node_limit = kNoLimit;       // of what is being written: the number of expressions from which on it ends
  uint64_t planned_steps = 0;           // that the program may take (budget.hpp)
  uint32_t static_bytes = 0;

  std::vector<BlockPlan> blocks;        // by BlockId
  std::vector<FunctionPlan> functions;  // by FunctionId
  std::vector<BlockId> var_block;       // by VarId: the block of an automatic object; none for static storage
  std::vector<VarUse> uses;             // by VarId
  std::vector<LoopPlan> loops;          // by StmtId
  std::vector<KnownInput> inputs;       // small numbers, for bounds of loops
  std::vector<TypeId> record_types;
  std::vector<lang::EnumId> enums;
  std::vector<TypeId> vectors, vector_unions;  // vectors.hpp
  TypeId wide_union;                           // wide.hpp
  std::vector<TypeId> signatures;              // function types that pointers to functions may have
  uint32_t function_tables = 0;                // globals made for calls through pointers

  WrapperStyle wrapper_style = WrapperStyle::Both;
  // Wrapper functions by operator and promoted kind (wrappers.hpp).
  std::array<std::array<FunctionId, static_cast<size_t>(TypeKind::kCount)>, static_cast<size_t>(BinaryOp::kCount)>
      wrappers;

  OperatorContext context = OperatorContext::All;   // of the place being written
  OperatorContext favoured = OperatorContext::All;  // of the program
  uint32_t constant_percent = 30;
  ConstantStyle constant_style = ConstantStyle::Any;
  std::vector<uint64_t> constants;       // drawn before, for reuse
  std::vector<ExprId> pending;           // expressions of the statement being written; see reuse.hpp
  FunctionId pending_function;           // where it stands
  std::vector<WrittenPattern> patterns;  // all that were written
  uint32_t calls_in_statement = 0;
  uint32_t exact_expressions = 0;              // written so far (exact.hpp)
  std::vector<VarId> texts, buffers;           // arrays of char that always hold a string (strings.cpp)
  uint32_t index_depth = 0;                    // subscripts inside subscripts
  std::array<uint32_t, kWriterCount> weights;  // of the rows, by WriterId
  StatementWeights statement_draw;
  OperatorWeights operator_draw;
  std::array<lang::IntegerInfo, static_cast<size_t>(TypeKind::kCount)> integers;  // of the data model (tests narrow it)
  WrittenLog written;
  NestNotes nests;
  Counters counters;

  BlockPlan& Plan(BlockId id) { return Grown(blocks, id.index); }
  FunctionPlan& Plan(FunctionId id) { return Grown(functions, id.index); }
  LoopPlan& Plan(StmtId id) { return Grown(loops, id.index); }
  BlockId& BlockOf(VarId id) { return Grown(var_block, id.index); }
  VarUse Use(VarId id) const { return id.index < uses.size() ? uses[id.index] : VarUse::Mixed; }
  void SetUse(VarId id, VarUse use) { Grown(uses, id.index) = use; }
  bool Live() const { return machine != nullptr; }
  lang::IntegerInfo IntInfo(TypeKind kind) const { return integers[static_cast<size_t>(kind)]; }
  TypeKind Kind(TypeId type) const { return program.types.Kind(type); }
  TypeKind Kind(ExprId expr) const { return program.types.Kind(program.exprs[expr].type); }

  // What the machine must know of a change in a running program.
  void Moved(ExprId from, ExprId to) {
    if (machine != nullptr) machine->Moved(from, to);
  }
  void Define(VarId var, machine::Value value) {
    if (machine != nullptr) machine->Define(var, value);
  }

  // The value of a side-effect-free expression now; nothing when no run is in progress or it would trap.
  std::optional<machine::Value> Probe(ExprId expr) { return machine == nullptr ? std::nullopt : machine->Probe(expr); }

 private:
  void CountRepair(const WrittenLog::Origin& origin);
  bool Repair(ExprId place, const machine::Trap& trap);

  uint32_t tokens_ = kFrameTokens;
  uint32_t measured_globals_ = 0, measured_functions_ = 0;
  ExprId last_repaired_;
  uint32_t repeated_ = 0;

  template <typename T>
  static T& Grown(std::vector<T>& items, uint32_t index) {
    if (index >= items.size()) [[unlikely]]
      Grow(items, index);
    return items[index];
  }
  // Kept out of the many places that look at a plan.
  template <typename T>
  [[gnu::cold, gnu::noinline]] static void Grow(std::vector<T>& items, uint32_t index) {
    items.resize(index + 1);
  }
};

// Room for what is written in its lifetime, in tokens; outer limits hold again afterwards.
class Room {
 public:
  Room(Writer& w, uint32_t tokens) : w_(w), outer_(w.node_limit) {
    w.LimitTo(tokens);
    w.node_limit = std::min(w.node_limit, outer_);
  }
  ~Room() { w_.node_limit = outer_; }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

 private:
  Writer& w_;
  uint32_t outer_;
};

}  // namespace assay::gen
