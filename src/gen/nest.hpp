// Loop nests, written whole and valid by construction: every index is in range because trip counts and array lengths
// are planned together, and every operator is free of traps because the range of each operand is known
// (nest_values.cpp). So no repair ever puts a guard into an inner loop, and what a loop optimiser looks for is really
// there.
//
// A shape (kShapes in nest.cpp) is one idea: a stencil, a triangle, a reduction. It first plans (arrays, loops,
// invariants), then calls Begin, which draws whether the nest stands in place or in a function of its own and makes the
// parameters or declarations, then writes loops and statements. Shapes give the structure; types, operators, constants,
// directions, bounds and what the index is are drawn.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "gen/writer.hpp"

namespace assay::gen {

// The values an expression may have. Only an unsigned 64-bit one can be `above` the greatest int64_t, too.
struct Interval {
  int64_t low = 0, high = 0;
  bool above = false;
};

struct Ranged {
  ExprId expr;
  Interval range;
};

class Nest {
 public:
  Nest(Writer& writer, uint64_t step_limit) : w(writer), steps(step_limit) {}

  Writer& w;
  uint64_t steps;  // that one execution may take

  // --- Planning
  // -------------------------------------------------------------------------------------------------------

  using ArrayId = size_t;
  struct Array {
    SharedArray object;  // lengths: of the object
    SharedArray least;   // lengths that are needed
    bool written = false;
    VarId base;  // after Begin: the array, a pointer to its first element, or a parameter
  };
  // An array with at least these lengths; of the element type if one is given. Fails in Begin.
  ArrayId PlanArray(std::initializer_list<uint32_t> lengths, bool written, TypeId element = {});
  // One whose elements are between these: only nests write it.
  ArrayId PlanKept(uint32_t length, bool written, int64_t low, int64_t high);
  Interval ElementRange(ArrayId array) const;

  using LoopId = size_t;
  enum class Form : uint8_t { Up, Down, DownTested, While, Do, Wrapped };
  enum class BoundKind : uint8_t { Literal, Parameter, Global, Local, Given };
  struct Loop {
    uint32_t trips = 0;  // most
    uint32_t step = 1;
    int64_t first = 0;  // the least index: from first, trips times, by step
    Form form = Form::Up;
    BoundKind bound = BoundKind::Literal;
    TypeKind kind = TypeKind::Int;  // of the index
    VarId limit;                    // the object that holds the bound, or has a member that does
    int32_t member = -1;
    int64_t limit_value = 0;  // what it holds (Local: at most)
    BinaryOp compare = BinaryOp::Lt;
    bool in_header = true;   // the index is declared in the header
    bool own_index = false;  // it is a local, whatever the knobs say
    VarId holder;            // after Open: the variable that is the index, or has it as a part
    ExprId index;            // after Open: a tree to copy
    BlockId outer;           // where the loop stands
    BlockId body;
  };
  LoopId PlanLoop(uint32_t trips, int64_t first = 0, uint32_t step = 1, bool plain = false);
  // Draws a trip count for the innermost of `levels` loops, each of which gets about as many, with `statements`
  // assignments inside; at least 1 (0 now and then, if allowed).
  uint32_t DrawTrips(uint32_t levels, uint32_t statements, bool may_be_zero = true);

  void PlanInvariants(uint32_t most, uint32_t least = 0);
  void PlanResult(TypeKind kind) { result_kind = kind; }  // what the nest computes: Deliver hands it on
  bool Begin();                                           // false: it cannot be had here, nothing was written
  void End();                                             // calls the function, if it is one

  // --- Loops and statements (nest_loops.cpp)
  // ----------------------------------------------------------------------------

  // Appends the loop; what follows is in its body until Close. `bound`: for a loop that depends on an outer index.
  void Open(LoopId loop, const std::function<ExprId()>& bound = {}, ExprId start = {});
  void OpenFrom(LoopId loop, ExprId start) { Open(loop, {}, start); }
  void Close(LoopId loop);
  void Append(ExprId expr) { Append(w.build.ExprStatement(expr)); }
  void Append(StmtId stmt) { w.build.Append(block, stmt); }
  void If(ExprId condition, const std::function<void()>& then, const std::function<void()>& otherwise = {});
  void Leave(StmtKind kind) { Append(w.build.Statement({.kind = kind})); }
  VarId Local(TypeId type, ExprId init);  // declared here

  ExprId IndexOf(LoopId loop) { return w.build.CopyTree(loops[loop].index); }
  // scale * index + offset, as an expression for a subscript.
  ExprId Index(LoopId loop, int64_t offset = 0, int64_t scale = 1);
  Interval IndexRange(LoopId loop) const;
  ExprId At(ArrayId array, std::initializer_list<ExprId> subscripts);

  // --- Values (nest_values.cpp)
  // -----------------------------------------------------------------------------------------

  struct Leaf {
    std::function<ExprId()> make;
    Interval range;
    uint32_t weight = 1;
  };
  // What expressions are made of from here on.
  void Read(ArrayId array, std::function<ExprId()> make, uint32_t weight = 3);
  void ReadVar(VarId var, uint32_t weight = 1);
  void ReadIndex(LoopId loop, uint32_t weight = 1);

  Ranged Value(uint32_t depth, bool may_be_constant = true);
  Ranged DrawnLeaf(bool may_be_constant = true);
  Ranged Constant();
  Ranged Int(int64_t value) {  // an int, or a long where that is too narrow
    const TypeKind kind = Fits({value, value}, TypeKind::Int) ? TypeKind::Int : TypeKind::Long;
    return {w.build.Constant(kind, static_cast<uint64_t>(value)), {value, value}};
  }
  Ranged Of(ExprId lvalue) { return {lvalue, RangeOf(w.Kind(lvalue))}; }
  Ranged Combine(BinaryOp op, Ranged a, Ranged b);  // a op b, made safe
  Ranged Unary(lang::UnaryOp op, Ranged a);
  Ranged Converted(TypeKind kind, Ranged a);
  Ranged Select(ExprId condition, Ranged yes, Ranged no) const;
  Ranged Extreme(bool greatest, Ranged a, Ranged b);  // a < b ? a : b and its likes
  Ranged Absolute(Ranged a);
  ExprId Condition(uint32_t depth = 1);
  ExprId InvariantCondition();  // the same in all iterations, and no compiler knows it
  // lvalue = value, or lvalue op= value with an operator that fits.
  ExprId Store(ExprId lvalue, Ranged value);
  ExprId Update(BinaryOp op, ExprId lvalue, Ranged value);
  // One statement that stores something drawn into the place: plain, compound, conditional.
  void Assign(const std::function<ExprId()>& place, uint32_t depth);
  TypeKind CommonKind(ExprId a, ExprId b) const;  // that an operator computes in
  Interval RangeOf(TypeKind kind) const;
  bool Fits(const Interval& range, TypeKind kind) const;
  Ranged CallHelper();  // of a small function

  ExprId DrawnInvariant();  // a value from anywhere, for a parameter
  Ranged Unknown();         // an invariant that no compiler knows: a parameter, a local, or a global that nobody writes
  Ranged GlobalUnknown();
  bool MayWrite(VarId var) const;  // whether code here may write the global
  // Hands a result on: returns it, or assigns it to an object that stays.
  void Deliver(VarId result);
  ExprId Kept(ExprId value);
  TypeId ElementType();   // the one this nest has most of, or another
  TypeId OtherElement();  // any that arrays may have
  StmtKind OpenLoopKind() const { return w.knobs.stmt_while > 0 ? StmtKind::While : StmtKind::For; }
  uint32_t Below(uint32_t bound) { return w.choices.Below(bound); }
  bool Percent(uint32_t percent) { return w.choices.Percent(percent); }
  uint32_t Depth() { return 1 + w.choices.Below(3); }

  FunctionId function;  // where it is written
  BlockId block;
  TypeId element;
  std::vector<Array> arrays;
  std::vector<Loop> loops;
  std::vector<VarId> invariants;
  std::vector<Leaf> leaves;
  std::optional<TypeKind> result_kind;
  bool own_function = false;

 private:
  bool Fit(Array& array);
  std::optional<SharedArray> NewShared(const SharedArray& least, bool written);
  void FindLimit(Loop& loop);
  NestBound NewBound(int64_t value);
  void MakeFunction();
  void MakePlace();
  ExprId LimitOf(Loop& loop);
  ExprId GlobalIndex(Loop& loop);
  void OpenIndex(Loop& loop, lang::Stmt& stmt, ExprId first);
  ExprId BoundArgument(int64_t value);
  Ranged Masked(Ranged a, int64_t mask);

  uint32_t wanted_invariants_ = 0;
  bool own_block_ = false;
  bool restricted_ = false;
  std::vector<ExprId> arguments_;
  uint32_t first_node_ = 0;                // of the program's expressions, when it began
  uint64_t iterations_ = 1, deepest_ = 1;  // of the loops around what is written; the most so far
};

struct ShapeRow {
  ShapeId kind;
  std::string_view name;
  WriterId of;             // the statement it is a shape of
  uint32_t weight;         // among those
  bool (*write)(Nest& n);  // false: it does not fit here, and nothing was written
  bool loops = true;       // it has a loop of its own
  bool floats = false;     // and floating numbers
};
extern const std::array<ShapeRow, kShapeCount> kShapes;

// The statements.
void WriteNest(Writer& w);
void WriteReduction(Writer& w);
void WriteIdiom(Writer& w);
// One line for each shape.
std::string TextOf(const ShapeTable& table);
void Add(ShapeTable& sum, const ShapeTable& one);

}  // namespace assay::gen
